"""What the pages of a built site name: links that lead nowhere, and what is loaded.

A page may link to other sites. It loads nothing from them: no script, no style, no
font, no picture, so that reading a page tells nobody.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

__all__ = ["Page", "broken", "external", "pages"]

# What a browser loads by itself, by tag and attribute.
LOADED = {
    ("script", "src"),
    ("link", "href"),
    ("img", "src"),
    ("img", "srcset"),
    ("source", "src"),
    ("source", "srcset"),
    ("iframe", "src"),
    ("object", "data"),
    ("embed", "src"),
    ("video", "src"),
    ("audio", "src"),
    ("use", "href"),
    ("image", "href"),
}
_STYLE = re.compile(r"""(?:@import\s+(?:url\()?|url\()\s*["']?([^"')\s;]+)""")
_ELSEWHERE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)


class Page(HTMLParser):
    """A page: its anchors, its links, and what a browser loads for it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self._style = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take down the anchors and addresses of a tag."""
        self._style = tag == "style"
        for name, value in attrs:
            value = value or ""
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            elif tag == "a" and name == "href":
                self.links.append(value)
            elif name == "style":
                self.loads += _STYLE.findall(value)
            elif (tag, name.removeprefix("xlink:")) in LOADED:
                self.loads.append(value)

    def handle_data(self, data: str) -> None:
        """Take down what a style names."""
        if self._style:
            self.loads += _STYLE.findall(data)


def pages(site: Path) -> dict[Path, Page]:
    """Return all pages of a site, by their paths.

    :param site: the folder of the built site
    """
    return {
        path: Page(path.read_text(encoding="utf-8"))
        for path in sorted(site.rglob("*.html"))
    }


def external(site: Path) -> list[str]:
    """Return what pages and styles would load from elsewhere.

    :param site: the folder of the built site
    """
    named = [(path, each) for path, page in pages(site).items() for each in page.loads]
    for suffix in ("css", "svg"):
        for path in sorted(site.rglob(f"*.{suffix}")):
            text = path.read_text(encoding="utf-8")
            named += [(path, each) for each in _STYLE.findall(text)]
    return [
        f"{path.relative_to(site)} loads {each}"
        for path, each in named
        if _ELSEWHERE.match(each)
    ]


def broken(site: Path) -> list[str]:
    """Return the links, pictures and anchors that lead nowhere within the site.

    :param site: the folder of the built site
    """
    found = []
    known = pages(site)
    for path, page in known.items():
        for address in (*page.links, *page.loads):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            home = site if parts.path.startswith("/") else path.parent
            target = (home / unquote(parts.path).lstrip("/")).resolve()
            if not parts.path:
                target = path
            elif target.is_dir():
                target /= "index.html"
            anchor = unquote(parts.fragment)
            lost = not target.is_file()
            if not lost and anchor and target in known:
                lost = anchor not in known[target].anchors
            if lost:
                found.append(f"{path.relative_to(site)} names {address}")
    return found
