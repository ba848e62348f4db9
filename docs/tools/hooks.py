"""Hooks of MkDocs for building the site: generated pages, pictures, examples."""

from __future__ import annotations

import re
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

from docs.tools import api, commands, copies, formulas, moving, pasted, pictures

__all__ = ["on_config", "on_files", "on_page_content", "on_page_markdown"]

_INDENTED = re.compile(r"^    .*\n(?:    .*\n|\n(?=    ))*", re.MULTILINE)


def on_config(config: Any) -> Any:
    """Return the configuration with the pages of the API in its navigation."""
    for part in config["nav"]:
        if "API" in part:
            listed = [f"api/{module}.md" for module in api.modules()]
            part["API"] = ["api/index.md", *listed, "api/command.md"]
    return config


def on_files(files: Any, config: Any) -> Any:
    """Return the files of the site, and with them those that are made now."""
    made = api.pages() | copies.pages() | {"api/command.md": commands.page()}
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    for path, drawn in pictures.pictures().items():
        files.append(File.generated(config, path, content=drawn))
    for source, target in copies.PICTURES.items():
        place = str(copies.ROOT / source)
        files.append(File.generated(config, target, abs_src_path=place))
    built = sorted((copies.ROOT / "proofs" / "build").glob("*.pdf"))
    if not built:
        raise PluginError("There are no PDFs of the proofs. Run `make proofs` first.")
    for pdf in built:
        target = f"proofs/pdf/{pdf.name}"
        files.append(File.generated(config, target, abs_src_path=str(pdf)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Return the page with its examples in colour."""
    if page.file.src_uri == "differences.md":
        markdown = moving.anchored(markdown)
    return _INDENTED.sub(_fenced, markdown)


def on_page_content(html: str, **_: Any) -> str:
    """Return the page with its formulas as MathML, and what is copied of examples."""
    return pasted.copyable(formulas.rendered(html))


def _fenced(found: re.Match[str]) -> str:
    """Return an indented block in a fence of its own, if it is an example."""
    if not found[0].startswith("    >>> "):
        return found[0]
    lines = [line[4:] for line in found[0].rstrip("\n").split("\n")]
    return "\n".join(["```pycon", *lines, "```", "", ""])
