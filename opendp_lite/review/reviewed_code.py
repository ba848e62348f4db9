"""The code that was read, in files that mirror the package.

proofs/reviewed/code/<package>/<module>.py holds each quoted function of a module as it
was when it was last read: the imports and the constants once, at the top, then the
functions in their order. The line above a function names it, and the imports and
constants that belong to its text. A function that was read with other ones than those
at the top stands below its own.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from opendp_lite.review.code.compare import assembled, same_code

_TITLE = re.compile(r"^# === (\S+)((?:.*\n#    )*.*)\n", re.MULTILINE)
_PREFACE = """\
# ruff: noqa
# fmt: off
# What was read of {module}; written by `opendp-lite proofs
# accept`, never by hand, and never run.
"""
_Pieces = dict[str, list[str]]


def _root(folder: Path) -> Path:
    return folder / "reviewed" / "code"


def code_path(folder: Path, module: str) -> Path:
    """Return where the code that was read of a module is kept."""
    return _root(folder).joinpath(*module.split(".")).with_suffix(".py")


def stored_modules(folder: Path) -> list[str]:
    """Return the names of all modules of which code is kept."""
    paths = [path.relative_to(_root(folder)) for path in _root(folder).rglob("*.py")]
    return sorted(".".join(path.with_suffix("").parts) for path in paths)


def _key(node: Any) -> str:
    """Return the name that an import binds, or that a statement binds or changes."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return node.names[0].asname or node.names[0].name
    while not isinstance(node, ast.Name | ast.Attribute):
        inside = ("targets", "target", "elts", "func", "value")
        node = next((getattr(node, each) for each in inside if hasattr(node, each)), [])
        if isinstance(node, list):
            if not node:
                return "?"
            node = node[0]
    name = ast.unparse(node)
    return name if re.fullmatch(r"[\w.]+", name) else "?"


def _split(text: str) -> tuple[_Pieces, str]:
    """Return the imports and constants of a text by name, and its definition."""
    lines = text.splitlines()
    pieces: _Pieces = {}
    definition = ""
    for node in ast.parse(text).body:
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(each.lineno for each in decorators)])
        source = "\n".join(lines[first - 1 : node.end_lineno])
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            definition = source
        else:
            pieces.setdefault(_key(node), []).append(source)
    return pieces, definition


def _joined(pieces: Iterable[str], definition: str) -> str:
    pieces = list(pieces)
    imports = {each for each in pieces if each.startswith(("import ", "from "))}
    constants = [each for each in pieces if each not in imports]
    return assembled(sorted(imports), constants, definition)


@lru_cache(maxsize=1024)
def _read(text: str) -> tuple[tuple[str, str], ...]:
    head, *parts = _TITLE.split(text)
    try:
        shared = _split(head)[0]
    except SyntaxError:
        return ()
    found = []
    for name, needed, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        keys = re.findall(r"[\w.?]+", needed.removeprefix(" with"))
        pieces = [each for key in keys for each in shared.get(key, ())]
        found.append(
            (name, _joined(pieces, body.strip()) if keys else f"{body.strip()}\n")
        )
    return tuple(found)


def read_code(folder: Path, module: str) -> dict[str, str]:
    """Return the text of each function that is kept of a module."""
    try:
        return dict(_read(code_path(folder, module).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}


def write_code(
    folder: Path, module: str, texts: dict[str, str], newest: Iterable[str] = ()
) -> None:
    """Keep the texts of functions; imports and constants are those of the newest."""
    path = code_path(folder, module)
    if not texts:
        path.unlink(missing_ok=True)
        return
    parts = {name: _split(text) for name, text in texts.items()}
    shared: _Pieces = {}
    for name in [*newest, *texts]:
        shared = {**parts[name][0], **shared}
    used: dict[str, None] = {}
    blocks = []
    for name, (pieces, definition) in parts.items():
        again = _joined([each for key in pieces for each in shared[key]], definition)
        if pieces and same_code(again, texts[name]):
            used |= dict.fromkeys(pieces)
            title = f"=== {name} with {', '.join(pieces)}"
            blocks.append(f"{_comment(title)}\n{definition}")
        else:
            blocks.append(f"# === {name}\n{texts[name].strip()}")
    head = _joined([each for key in used for each in shared[key]], "").strip()
    path.parent.mkdir(parents=True, exist_ok=True)
    preface = [_PREFACE.format(module=module), *([head] if head else [])]
    text = "\n".join(preface) + "\n\n\n" + "\n\n\n".join(blocks) + "\n"
    path.write_text(text, encoding="utf-8")


def _comment(text: str) -> str:
    return textwrap.fill(
        text,
        88,
        initial_indent="# ",
        subsequent_indent="#    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
