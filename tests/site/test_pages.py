"""The pages of the documentation show what happens: every block of code runs."""

from __future__ import annotations

import ast
import re
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

import click
import pytest

from opendp_lite import certify
from opendp_lite.certify import Evidence
from opendp_lite.cli import main
from opendp_lite.review import Project
from opendp_lite.review.records import read_reviews
from opendp_lite.review.tex.texfile import Reference
from opendp_lite.testing import state_flakiness
from tests.review.example import own_project
from tests.review.test_cli import installed
from tests.rows import for_each
from tests.site.pages import blocks, complaints, failures, restored
from tests.test_repository import ROOT

DOCS = ROOT / "docs"
# Examples of that page are indented, and run by tests/test_differences.py.
PAGES = {
    path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(DOCS.rglob("*.md"))
    if path.name != "differences.md"
}


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    """The proofs of the library; of their code, the digests of what somebody read.

    That these are still its digests is what `opendp-lite proofs check` finds.
    """
    own = own_project()
    project = Project("opendp_lite", own.folder, own.library)
    vars(project).update(files=own.files, _dependencies=own._dependencies)
    for review in read_reviews(project.folder).values():
        for header, digest in review.code.items():
            module, _, name = header.partition(":")
            reviewed = project.reviewed(Reference(name, 0, module))
            vars(reviewed)["digest"] = digest
    return Evidence({"opendp_lite": project})


@pytest.fixture(autouse=True)
def _proofs_are_read_once(evidence: Evidence, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands and examples would read all proofs of the library, which do not change.

    Where a package of somebody's own is given, all are read.
    """

    class ReadOnce(Evidence):
        def __new__(cls, *projects: Mapping[str, Project]) -> Evidence:
            return Evidence(*projects) if projects else evidence

    monkeypatch.setattr(certify, "Evidence", ReadOnce)


@pytest.mark.parametrize("name", PAGES)
def test_the_page_shows_what_happens(name: str, tmp_path: Path) -> None:
    # Noise of the examples would have to be 40 times its scale, or a thing happen for
    # which a page states at most 1e-11.
    state_flakiness("1e-11")
    assert complaints(PAGES[name]) == []
    with restored(tmp_path):
        assert failures(name, PAGES[name]) == ""


# What modules are called where they are installed from, if otherwise.
DISTRIBUTIONS = {"sklearn": "scikit-learn"}


def missing_modules(page: str) -> set[str]:
    """The modules that the examples of a page import and nothing brings.

    A page that installs nothing is read after README, by whose command all is there.
    """
    lines = re.findall(r"^pip install ([^#\n]*)", page, re.MULTILINE)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = lines or re.findall(r"^pip install ([^#\n]*)", readme, re.MULTILINE)
    brought = {"opendp_lite", *installed(set())}
    for word in shlex.split(" ".join(lines)):
        extras = re.fullmatch(r"\.\[(.*)\]", word)
        brought |= installed(set(extras[1].split(","))) if extras else {word}
    written = {Path(each.title or "").stem for each in blocks(page)}
    shown = [each.text for each in blocks(page) if each.language in {"pycon", "python"}]
    code = re.sub(
        r"^(?:>>>|\.\.\.) ?",
        "",
        re.sub("#.*", "", "\n".join(shown)),
        flags=re.MULTILINE,
    )
    named = re.findall(r"^ *(?:import (.+)|from ([\w.]+) import)", code, re.MULTILINE)
    names = {word for pair in named for word in re.findall(r"[\w.]+", "".join(pair))}
    roots = {name.partition(".")[0] for name in names - {"as", "dp", "np"}}
    wanted = {DISTRIBUTIONS.get(name, name) for name in roots - written}
    return wanted - brought - sys.stdlib_module_names


@for_each("name", PAGES)
def test_what_a_page_imports_is_brought_by_what_it_installs(name: str) -> None:
    assert missing_modules(PAGES[name]) == set()


def test_nothing_is_installed_by_a_name_that_no_index_has() -> None:
    """Messages of the library may do so: where they are shown, it is there already."""
    for page in (*PAGES.values(), (ROOT / "README.md").read_text(encoding="utf-8")):
        assert "install 'opendp-lite" not in page


def test_a_module_that_nothing_brings_is_found() -> None:
    page = "```sh\n{}\n```\n\n```pycon\n>>> import numpy as np, polars\n```\n"
    for line in ("pip install '.[tables]'", "ls"):
        assert missing_modules(page.format(line)) == {"polars"}
    assert missing_modules(page.format("pip install '.[tables]' polars")) == set()


def test_there_are_pages_with_examples() -> None:
    running = [name for name, page in PAGES.items() if "```pycon" in page]
    assert len(running) > 20


# A page, and a part of what is said of it when it is run.
WRONG = {
    "another answer": ("```pycon\n>>> 1 + 1\n3\n```", "Expected:\n    3"),
    "an error": ("```pycon\n>>> 1 / 0\n```", "ZeroDivisionError"),
    "a name of another page": ("```pycon\n>>> nowhere\n1\n```", "NameError"),
    "another output": ("```console\n$ opendp-lite --version\nno\n```", "shown:\nno"),
    "no such command": ("```console\n$ opendp-lite releese\n...\n```", "exit code 2"),
    "another exit code": (
        "```console\n$ opendp-lite --version; echo $?\n...\n1\n```",
        "shown",
    ),
    "a file that says something else": (
        '```python title="a.py"\nx = 1\n```\n\n```pycon\n>>> import a\n>>> a.x\n2\n```',
        "Got:\n    1",
    ),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_page_that_shows_something_else_is_found(fault: str, tmp_path: Path) -> None:
    page, words = WRONG[fault]
    with restored(tmp_path):
        assert words in failures("planted.md", page)


def test_a_page_that_is_right_passes(tmp_path: Path) -> None:
    page = (
        '```python title="own.py"\nx = 1\n```\n\n'
        "```pycon\n>>> from own import x\n```\n\n"
        "Text.\n\n```pycon\n>>> x + 1\n2\n```\n\n"
        "```console\n$ opendp-lite --version; echo $?\n...\n0\n```\n"
    )
    assert complaints(page) == []
    with restored(tmp_path):
        assert failures("planted.md", page) == ""
    with pytest.raises(ImportError):
        __import__("own")


@for_each(
    ("page", "found"),
    [
        ("```python\nx = 1\n```", "a block of python that does not run"),
        ("```perl\nx\n```", "a block of unknown language 'perl'"),
        ("```pycon\nx = 1\n```", "an example that does not begin with >>>"),
        ("```console\nls\n```", "a command that does not begin with $"),
        ("```sh\nopendp-lite --help\n```", "a command of ours that does not run"),
        ("```pycon\n>>> 1\n", "a fence without an end"),
    ],
)
def test_a_block_that_does_not_run_is_found(page: str, found: str) -> None:
    assert complaints(page) == [found]


def unknown_commands(text: str) -> list[str]:
    """The commands of ours in a text of which a name or an option does not exist."""
    found = []
    for line in re.findall(r"(?:^|`|\$ )(opendp-lite [^`\n|]+)", text, re.MULTILINE):
        words = line.split("; ")[0].split()[1:]
        command: click.Command | None = main
        while isinstance(command, click.Group) and words and words[0][0] != "-":
            command = command.get_command(click.Context(command), words.pop(0))
        options = {
            name for each in getattr(command, "params", []) for name in each.opts
        }
        used = {word.partition("=")[0] for word in words if word.startswith("-")}
        if command is None or used - options - {"--help"}:
            found.append(line)
    return found


@for_each("name", PAGES)
def test_commands_of_a_page_exist(name: str) -> None:
    assert unknown_commands(PAGES[name]) == []


def test_a_command_that_does_not_exist_is_found() -> None:
    text = "`opendp-lite proofs check --package x`, `opendp-lite profs`\n"
    text += "opendp-lite proofs check --pakage x\n"
    assert unknown_commands(text) == [
        "opendp-lite profs",
        "opendp-lite proofs check --pakage x",
    ]


def variants(source: str) -> set[str]:
    """The variants of errors that a module raises, as far as it writes them down."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        given: list[ast.expr] = []
        if isinstance(node, ast.Call):
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if re.search(r"Exception$|Error$|refus", called):
                given = node.args[:1]
        elif "VARIANT" in getattr(getattr(node, "targets", [None])[0], "id", ""):
            assert isinstance(node, ast.Assign)
            given = [node.value]
        for each in given:
            for part in ast.walk(each):
                value = getattr(part, "value", None)
                if isinstance(value, str) and re.fullmatch(r"(?:[A-Z][a-z]+)+", value):
                    found.add(value)
    return found


def test_every_variant_is_explained_and_provoked() -> None:
    used: set[str] = set()
    for path in sorted((ROOT / "opendp_lite").rglob("*.py")):
        used |= variants(path.read_text(encoding="utf-8"))
    assert {"MakeMeasurement", "FailedEngine", "Context"} <= used
    page = PAGES["errors.md"]
    assert set(re.findall(r"^### (\w+)$", page, re.MULTILINE)) == used
    examples = "".join(block.text for block in blocks(page))
    for variant in used:
        assert re.search(rf"(?:Exception|Error): {variant}: ", examples), variant


def test_a_variant_is_seen() -> None:
    source = '_VARIANT = "MakeOther"\nraise refusal("MakeThis", "x", 1, "a", "b")\n'
    assert variants(source + 'print("MakeNothing")\n') == {"MakeOther", "MakeThis"}
