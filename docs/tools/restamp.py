"""Stamps the records of proofs with digests of what the code means, in full names.

    python -m docs.tools.restamp

The records were made with digests of the texts in `reviewed/code`. A record is stamped
only if each of these texts has its digest and is the text of the present code. Else
nothing is written, and the functions are named. Afterwards `reviewed/code` may be
deleted. This script is deleted when all records are stamped.
"""

from __future__ import annotations

import ast
import hashlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import attrs

from opendp_lite.review.code.compare import Reviewed, canonical
from opendp_lite.review.code.library import Library
from opendp_lite.review.code.words import blank_words
from opendp_lite.review.history import RECORDS
from opendp_lite.review.problems import ReviewError
from opendp_lite.review.project import read_toml
from opendp_lite.review.records import read_reviews, write_reviews

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "own_constructor"
PROJECTS = {"opendp_lite": ROOT / "proofs", "scaling": EXAMPLE / "proofs"}
_TITLE = re.compile(r"^# === (\S+)((?:.*\n#    )*.*)\n", re.MULTILINE)


def key(node: ast.AST) -> str:
    """The name that an import binds, or that a statement binds or changes."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return node.names[0].asname or node.names[0].name
    while not isinstance(node, ast.Name | ast.Attribute):
        inside = ("targets", "target", "elts", "func", "value")
        found = next((getattr(node, each) for each in inside if hasattr(node, each)), 0)
        found = found[0] if isinstance(found, list) and found else found
        if not isinstance(found, ast.AST):
            return "?"
        node = found
    name = ast.unparse(node)
    return name if re.fullmatch(r"[\w.]+", name) else "?"


def stored(folder: Path, module: str) -> dict[str, str]:
    """The text that is stored of each function of a module."""
    path = (folder / "reviewed" / "code").joinpath(*module.split("."))
    path = path.with_suffix(".py")
    if not path.is_file():
        return {}
    head, *parts = _TITLE.split(path.read_text(encoding="utf-8"))
    lines, shared = head.splitlines(), dict[str, list[str]]()
    for node in ast.parse(head).body:
        source = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        shared.setdefault(key(node), []).append(source)
    found = {}
    for name, needed, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        keys = re.findall(r"[\w.?]+", needed.removeprefix(" with"))
        pieces = [each for one in keys for each in shared.get(one, ())]
        imports = {each for each in pieces if each.startswith(("import ", "from "))}
        constants = [each for each in pieces if each not in imports]
        found[name] = "\n".join([*sorted(imports), *constants, body])
    return found


def old_digest(header: str, text: str) -> str:
    """The digest that a record had of a text."""
    tree = ast.parse(text)
    blank_words(tree)
    return hashlib.sha256(f"{header}\n{canonical(tree)}".encode()).hexdigest()


def objections(folder: Path, reviewed: Reviewed, recorded: set[str]) -> Iterator[str]:
    """Why a function's record may not be stamped."""
    header = f"{reviewed.module}:{reviewed.name}"
    text = stored(folder, reviewed.module).get(reviewed.name)
    if text is None:
        yield f"{header}: no text of it is stored"
    elif {old_digest(header, text)} != recorded:
        yield f"{header}: the stored text has not the recorded digest"
    try:
        if text is not None and {old_digest(header, reviewed.text)} != recorded:
            yield f"{header}: the code is not what the stored text says"
    except ReviewError as error:
        yield f"{header}: {error}"


def restamp(package: str, folder: Path) -> str:
    """Stamp the records of one project, and say how many functions they name."""
    if "format" in read_toml(folder / RECORDS):
        return f"{package}: the records are stamped already."
    reviews, library = read_reviews(folder), Library(package)
    recorded: dict[str, set[str]] = {}
    for review in reviews.values():
        for header, digest in review.code.items():
            recorded.setdefault(header, set()).add(digest)
    functions = {each: Reviewed(library, *each.split(":")) for each in recorded}
    wrong = [
        each
        for header, reviewed in functions.items()
        for each in objections(folder, reviewed, recorded[header])
    ]
    if wrong:
        raise SystemExit("\n".join([*wrong, f"{package}: nothing was written."]))
    stamped = {
        name: attrs.evolve(review, code={h: functions[h].digest for h in review.code})
        for name, review in reviews.items()
    }
    write_reviews(folder, stamped)
    return f"{package}: {len(functions)} functions are stamped."


def main() -> None:
    """Stamp the library's records, and those of the example."""
    sys.path.insert(0, str(EXAMPLE))
    for package, folder in PROJECTS.items():
        print(restamp(package, folder))


if __name__ == "__main__":
    main()
