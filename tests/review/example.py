"""The example package in a folder of its own, to be changed and reviewed again."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from opendp_lite.core.registry import REGISTRY
from opendp_lite.review import Problem, Project, accept, check
from opendp_lite.review.code.compare import canonical
from opendp_lite.review.code.library import Library
from opendp_lite.review.code.modules import Module
from opendp_lite.review.code.words import blank_words
from opendp_lite.review.project import STYLE
from opendp_lite.review.rules.callees import Callees
from opendp_lite.review.tex.texfile import Reference, TexFile

ROOT = Path(__file__).resolve().parents[2]
ORIGINAL = ROOT / "examples" / "own_constructor"
PACKAGE = "scaling"
NAME = "multiplication/make_multiply"
LEMMA = "lemmas/scaled-distance"
AUTHOR, READER = "Example Author", "Example Reader"


@cache
def own_project() -> Project:
    """The library itself and its proofs, with all that any test has read of them.

    Nobody changes it: see `with_text`, `with_module` and `sharing`.
    """
    return Project("opendp_lite", ROOT / "proofs")


@cache
def own_callees() -> Callees:
    """What the library's proofs call: all of them have been looked at."""
    callees = Callees(own_project())
    callees.check()
    return callees


def sharing(project: Project) -> Project:
    """Let a project of the library's own code share what is read of it."""
    vars(project)["_reviewed"] = own_project()._reviewed
    return project


def same_code(text: str, other: str) -> bool:
    """Whether two texts are the same program, but for the words of refusals."""
    trees = [ast.parse(each) for each in (text, other)]
    for tree in trees:
        blank_words(tree)
    return canonical(trees[0]) == canonical(trees[1])


class Example:
    """A copy of the example package and its proofs."""

    code = "scaling/multiplication.py"
    proof = f"proofs/{NAME}.tex"
    lemma = f"proofs/{LEMMA}.tex"
    checks = "proofs/multiplication/checks_multiplication.py"
    trusted = "proofs/trusted.toml"
    records = "proofs/reviews.toml"

    def __init__(self, root: Path) -> None:
        self.root = root
        ignored = shutil.ignore_patterns("build", "__pycache__")
        shutil.copytree(ORIGINAL, root, ignore=ignored)

    def read(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    def write(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace a text that must be there, once."""
        text = self.read(path)
        assert text.count(old) == 1, (path, old, text.count(old))
        self.write(path, text.replace(old, new))

    def remove(self, path: str) -> None:
        (self.root / path).unlink()

    def style(self) -> str:
        """The text of the library's style file."""
        return (ROOT / "proofs" / STYLE).read_text(encoding="utf-8")

    def git(self, *arguments: str) -> str:
        """Run git in the folder of the copy, and return what it prints."""
        own = ("user.name=A", "user.email=a@example.org", "commit.gpgsign=false")
        options = [part for each in own for part in ("-c", each)]
        command = ["git", "-C", str(self.root), *options, *arguments]
        return subprocess.run(
            command, check=True, capture_output=True, text=True
        ).stdout

    def commit(self) -> None:
        """Commit all files, in a repository of the copy's own."""
        self.git("init", "--quiet")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "Something")

    def project(self) -> Project:
        """The project as its files are now; what was imported before is forgotten."""
        forget()
        return Project(PACKAGE, self.root / "proofs")

    def problems(self) -> list[Problem]:
        return check(self.project())

    def kinds(self) -> set[str]:
        return {problem.kind for problem in self.problems()}

    def found(self) -> set[tuple[str, str]]:
        return {(problem.kind, problem.proof) for problem in self.problems()}

    def accept(self, *names: str, status: str = "draft", **given: object) -> list[str]:
        people = {"reviewer": READER, "author": AUTHOR}
        arguments = people | given
        return accept(self.project(), list(names), status=status, **arguments)  # type: ignore[arg-type]


class Planted(Library):
    """A package that is nowhere but in a test."""

    def _read(self, name: str) -> Module | None:
        return None


class Committed:
    """A history of git that has a project as it is."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def text(self, header: str, digest: str) -> str | None:
        module, _, name = header.partition(":")
        reviewed = self.project.reviewed(Reference(name, 0, module))
        return reviewed.text if reviewed.digest == digest else None


def forget() -> None:
    """Take the example out of what has been imported and registered."""
    for name in [n for n in sys.modules if n.partition(".")[0] == PACKAGE]:
        del sys.modules[name]
    for name in [n for n in REGISTRY if n.partition(".")[0] == PACKAGE]:
        del REGISTRY[name]


def only(problems: Iterable[Problem], kind: str, proof: str) -> Problem:
    """The one problem of this kind about this proof."""
    (found,) = [p for p in problems if (p.kind, p.proof) == (kind, proof)]
    return found


def with_text(project: Project, name: str, old: str, new: str) -> Project:
    """The project with a text replaced in a proof or lemma, wherever it stands."""
    assert old in project.files[name].raw
    changed = TexFile(name, project.files[name].raw.replace(old, new))
    other = Project(project.package, project.folder, project.library)
    vars(other)["files"] = project.files | {name: changed}
    # What was found of the code is as true of the other, which has the same.
    other._quotes.update(project._quotes)
    other._reviewed.update(project._reviewed)
    other._dependencies.update(project._dependencies)
    return other
