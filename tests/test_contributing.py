"""CONTRIBUTING and the contract of the layers name what exists, and all of it."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from opendp_lite.cli.proofs import proofs
from tests.rows import for_each
from tests.test_layers import PACKAGE, ROOT
from tests.test_repository import make_targets

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

# The constructor `make_x` of the instructions is nowhere.
# Paths of a new kind `x`; tests/kinds/test_contributing.py looks at their folders.
PLACEHOLDER = re.compile(
    r"\bx(_noise)?\.(py|tex)$|\b(make_|test_|then_)x\b|\btest_x_noise\.py$"
)


def parts() -> set[str]:
    """The modules and packages directly inside the package."""
    inside = (ROOT / PACKAGE).iterdir()
    found = {each.stem for each in inside if each.suffix == ".py"}
    found |= {path.parent.name for path in (ROOT / PACKAGE).glob("*/__init__.py")}
    return found - {"__init__"}


def layers() -> list[str]:
    """The parts of the package in the order of the contract, from the lowest up."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (contract,) = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    lines = reversed(contract["layers"])
    return [part for line in lines for part in re.findall(r"\w+", line)]


def tree(folder: Path, order: list[str], depth: int = 1) -> Iterator[str]:
    """The folders of the package, with the first sentences of their docstrings."""
    source = (folder / "__init__.py").read_text(encoding="utf-8")
    said = (ast.get_docstring(ast.parse(source)) or "").partition("\n\n")[0]
    name = f"{'  ' * depth}  {folder.name}/"
    yield f"{name:<24}{' '.join(said.split())}"
    inside = [path.parent for path in folder.glob("*/__init__.py")]
    found = {path.name: path for path in sorted(inside)}
    for each in sorted(found, key=lambda name: order.index(name) if order else name):
        yield from tree(found[each], [], depth + 1)


# What a run makes is named too, and need not be there.
IGNORED = {"proofs/build/"}


def missing(text: str) -> list[str]:
    """The paths, commands and targets in a text that do not exist."""
    found = []
    for quoted in re.findall(r"`([^`\n]+)`|\]\(([^)]+)\)", text):
        path = "".join(quoted)
        if "/" in path and " " not in path and not PLACEHOLDER.search(path):
            homes = (ROOT, ROOT / PACKAGE)
            if path in IGNORED or not re.fullmatch(r"[\w./-]+", path):
                continue
            if not any((home / path).exists() for home in homes):
                found.append(path)
    commands = re.findall(r"opendp-lite proofs (\w+)", text)
    found += [f"proofs {each}" for each in commands if each not in proofs.commands]
    targets = re.findall(r"^    make (\w+)|`make (\w+)", text, re.MULTILINE)
    return found + [t for t in map("".join, targets) if t not in make_targets()]


def test_layers_hold_what_exists_and_nothing_else() -> None:
    assert sorted(layers()) == sorted(parts())


def test_contributing_shows_the_tree() -> None:
    shown = TEXT.partition("## The tree\n")[2].partition("\n## ")[0]
    lines = [line for line in shown.splitlines() if line.startswith("    ")]
    assert lines == list(tree(ROOT / PACKAGE, layers()))


def test_contributing_names_what_exists() -> None:
    assert missing(TEXT) == []


def test_what_is_named_is_seen() -> None:
    quoted = ["tests/test_scripts.py", "base/loading.py", "proofs/COSTS.md"]
    assert all(Path(each).name in TEXT for each in quoted)
    assert {"exact", "core", "prelude", "cli"} <= parts()


@for_each(
    ("planted", "found"),
    [
        ("see `tests/test_nothing.py`", ["tests/test_nothing.py"]),
        ("see `core/nothing.py`", ["core/nothing.py"]),
        ("see [it](proofs/NOTHING.md)", ["proofs/NOTHING.md"]),
        ("    opendp-lite proofs ponder NAME", ["proofs ponder"]),
        ("    make tea  # drink it", ["tea"]),
        ("`make tea`", ["tea"]),
        ("see `tests/contracts/test_x.py` and `base/loading.py`", []),
        ("    make test  # all\n    opendp-lite proofs check", []),
    ],
)
def test_what_does_not_exist_is_found(planted: str, found: list[str]) -> None:
    assert missing(planted) == found
