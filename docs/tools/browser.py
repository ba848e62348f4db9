"""The site in a real browser: requests that leave, formulas, pictures, widths, search.

Chromium is the system's; playwright only drives it. Every page is opened as on a phone,
in light and in dark; and with a wide window where screenshots are asked for.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

__all__ = [
    "PHONE",
    "blind",
    "browser",
    "copy",
    "look",
    "narrow",
    "search",
    "served",
    "wrong",
]

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}
NAMES = ("chromium", "chromium-browser", "google-chrome")

# What is asked of each page: nothing wider than the window, formulas and pictures seen.
LOOK = """() => {
  const seen = (each) => each.checkVisibility === undefined || each.checkVisibility();
  const high = (each) => each.getBoundingClientRect().height > 4;
  const root = document.scrollingElement;
  const pictures = [...document.querySelectorAll("article img")].filter(seen);
  return {
    wide: root.scrollWidth > root.clientWidth ? root.scrollWidth : 0,
    formulas: document.querySelectorAll("article math").length,
    flat: [...document.querySelectorAll("article math")].filter((m) => !high(m)).length,
    raw: document.querySelectorAll("article .arithmatex").length,
    blank: pictures.filter((each) => each.naturalWidth === 0).map((each) => each.src),
    scheme: document.body.getAttribute("data-md-color-scheme"),
    title: document.title,
  };
}"""


# By how much tables are wider than the place they have, where they are.
WIDER = """() => [...document.querySelectorAll("article table")]
  .map((each) => each.scrollWidth - document.querySelector("article").clientWidth)
  .filter((more) => more > 0)"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve a folder to this machine, and yield its address.

    :param site: the folder of the built site
    """
    handler = partial(_Quiet, directory=str(site))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def browser() -> Iterator[Any]:
    """Start the system's chromium, and yield it."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise FileNotFoundError("There is no chromium. On Debian: apt install chromium")
    with sync_playwright() as driver:
        # Without a sandbox, as root in a container has none; all pages are our own.
        started = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        try:
            yield started
        finally:
            started.close()


@contextmanager
def _window(started: Any, size: dict[str, int], scheme: str) -> Iterator[Any]:
    """Open a window, and yield its page; `page.wrong` collects what goes wrong."""
    context = started.new_context(viewport=size, color_scheme=scheme)
    page = context.new_page()
    page.wrong = []
    try:
        yield page
    finally:
        context.close()


def _watch(page: Any, address: str) -> None:
    """Take down requests that leave or fail, and errors of scripts."""

    def asked(request: Any) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            page.wrong.append(f"asks for {request.url}")

    def answered(response: Any) -> None:
        if response.status >= 400:
            page.wrong.append(f"{response.url} is not there")

    page.on("request", asked)
    page.on("response", answered)
    page.on("pageerror", lambda error: page.wrong.append(f"error: {error}"))


def look(
    started: Any, address: str, names: list[str], pictures: Path | None = None
) -> tuple[list[str], int]:
    """Return what is wrong with the pages, and how many formulas were seen.

    :param started: the browser
    :param address: where the site is served
    :param names: the pages
    :param pictures: where to put a screenshot of each page; none by default
    """
    found: list[str] = []
    formulas = 0
    views = [("phone", PHONE, "light"), ("phone", PHONE, "dark")]
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
        views += [("desk", DESK, "light"), ("desk", DESK, "dark")]
    for kind, size, scheme in views:
        with _window(started, size, scheme) as page:
            _watch(page, address)
            for name in names:
                page.wrong.clear()
                page.goto(address + name, wait_until="load")
                told = page.evaluate(LOOK)
                found += [f"{name} ({scheme}): {each}" for each in page.wrong]
                found += [f"{name} ({scheme}): {each}" for each in wrong(told, scheme)]
                formulas += told["formulas"]
                if pictures is not None:
                    file = f"{name.replace('/', '_')}-{kind}-{scheme}.png"
                    page.screenshot(path=str(pictures / file))
    return found, formulas


def wrong(told: dict[str, Any], scheme: str) -> list[str]:
    """Return what is wrong with a page, of which the browser has told this.

    :param told: what `LOOK` has found
    :param scheme: "light" or "dark"

    >>> good = {"wide": 0, "flat": 0, "raw": 0, "blank": [], "scheme": "default"}
    >>> wrong(good, "light"), wrong(good | {"wide": 500}, "light")
    ([], ['is 500 wide'])
    """
    found = []
    if told["wide"]:
        found.append(f"is {told['wide']} wide")
    if told["flat"] or told["raw"]:
        found.append(f"{told['flat'] + told['raw']} formulas are not drawn")
    found += [f"{each} is not drawn" for each in told["blank"]]
    if told["scheme"] != {"light": "default", "dark": "slate"}[scheme]:
        found.append(f"has the colours of {told['scheme']}")
    return found


def search(
    started: Any, address: str, words: str, patience: float = 30_000
) -> list[str]:
    """Return what is wrong with the search for words, which must lead to a page.

    :param started: the browser
    :param address: where the site is served, or its folder, as an address of a file
    :param words: what is typed
    :param patience: how long results may take, in milliseconds
    """
    with _window(started, DESK, "light") as page:
        _watch(page, address)
        page.goto(f"{address}index.html", wait_until="load")
        first = page.locator("[data-md-component=search-result] a").first
        try:
            page.click("[data-md-component=search-query]", timeout=patience)
            page.keyboard.type(words, delay=20)
            first.wait_for(state="visible", timeout=patience)
        except Exception as error:  # playwright's own kinds of errors
            return [f"the search for {words!r} finds nothing: {error}", *page.wrong]
        target = first.get_attribute("href") or ""
        first.click()
        page.wait_for_load_state("load")
        here = page.url.partition("#")[0].partition("?")[0]
        if words not in page.inner_text("article").lower() or here == address:
            return [f"the search for {words!r} leads to {target}", *page.wrong]
        return list(page.wrong)


def copy(started: Any, address: str, name: str) -> list[str]:
    """Return what is wrong with the copy buttons of the examples of a page.

    :param started: the browser
    :param address: where the site is served
    :param name: the page
    """
    found = []
    with _window(started, DESK, "light") as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.goto(address + name, wait_until="load")
        examples = page.locator(".highlight:has(.gp)")
        if not examples.count():
            return [f"{name} has no example to copy"]
        for each in examples.all():
            each.hover()
            each.locator("[data-clipboard-target]").click()
            text = page.evaluate("navigator.clipboard.readText()")
            shown = page.evaluate("(code) => code.innerText", each.element_handle())
            if not text or re.search(r"^(>>>|\.\.\.|\$) ", text, re.MULTILINE):
                found.append(f"{name} copies {text[:40]!r} of {shown[:40]!r}")
    return found


def narrow(started: Any, address: str, name: str, words: str) -> list[str]:
    """Return what is wrong with a page of tables that has a filter.

    :param started: the browser
    :param address: where the site is served
    :param name: the page
    :param words: what is typed into the filter, which some rows have
    """
    found = []
    with _window(started, DESK, "light") as page:
        page.goto(address + name, wait_until="load")
        found += [
            f"a table of {name} is {wide} wider than the page"
            for wide in page.evaluate(WIDER)
        ]
        rows = page.locator("article tbody tr")
        before = rows.count()
        if not page.locator("[data-filter] input").count():
            return [*found, f"{name} has no filter"]
        page.fill("[data-filter] input", words)
        left = rows.locator("visible=true").all_inner_texts()
        if not 0 < len(left) < before or page.inner_text("[data-filter] output") != (
            f"{len(left)} of {before}"
        ):
            found.append(f"the filter of {name} leaves {len(left)} of {before} rows")
    return found


# A page with one fault of each kind that `look` must find, and how each is told.
PLANTED = """<html><body data-md-color-scheme="default"><article>
<div style="width: 500px">wide</div><math></math><span class="arithmatex">x</span>
<img src="nowhere.png"><img src="https://elsewhere.invalid/a.png">
<table style="width: 2000px"><tbody><tr><td>x</td></tr></tbody></table>
<div class="highlight"><span class="gp">&gt;&gt;&gt; </span><button
data-clipboard-target="" onclick="navigator.clipboard.writeText('&gt;&gt;&gt; 1')">
</button></div><script>undefinedFunction()</script></article></body></html>"""
FOUND = ("wide", "2 formulas", "is not drawn", "asks for", "is not there", "error:")


def blind(started: Any, folder: Path) -> list[str]:
    """Return what a look at a page that is full of faults does not find.

    :param started: the browser
    :param folder: an empty folder, for the page
    """
    (folder / "index.html").write_text(PLANTED, encoding="utf-8")
    with served(folder) as address:
        told = "\n".join(look(started, address, ["index.html"])[0])
        told += "\n".join(search(started, address, "laplace", 1_000))
        told += "\n".join(copy(started, address, "index.html"))
        told += "\n".join(narrow(started, address, "index.html", "x"))
    wanted = (*FOUND, "colours", "finds nothing", "copies", "wider", "no filter")
    return [f"the check does not see: {each}" for each in wanted if each not in told]
