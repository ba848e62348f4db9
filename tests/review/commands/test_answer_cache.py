"""The whole review answers at once when nothing changed, and never when something did.

One byte of each kind of input is changed, and the review must look again.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from opendp_lite.review import Problem, Project, check
from opendp_lite.review.code.library import Library
from opendp_lite.review.commands import reviewing as answers
from opendp_lite.review.commands.reviewing import inputs_digest, remembered
from tests.review.example import NAME, ROOT, Example

FILES = answers._files
FOUND = [Problem("a", "b", "c.", "d.", "e")]


def looks_again(example: Example) -> bool:
    """Whether the review is made anew; it is remembered afterwards."""
    looked = []

    def review() -> list[Problem]:
        looked.append(1)
        return FOUND

    assert remembered(example.project(), review) == FOUND
    return bool(looked)


def test_nothing_is_looked_at_twice(example: Example) -> None:
    assert looks_again(example)
    assert not looks_again(example)
    build = example.root / "proofs" / "build"
    (build / "more.txt").write_text("not an input")
    (example.root / "scaling" / "__pycache__").mkdir(exist_ok=True)
    (example.root / "scaling" / "__pycache__" / "x.pyc").write_text("nor this")
    assert not looks_again(example)


def flip(path: Path) -> None:
    """Change one byte of a file, and not its size."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


@pytest.mark.parametrize(
    "path",
    [
        Example.code,
        "scaling/__init__.py",
        Example.proof,
        Example.lemma,
        Example.checks,
        Example.trusted,
        "proofs/reviews.toml",
        "proofs/INDEX.md",
        "proofs/opendp-lite.sty",
        "proofs/references.bib",
        f"proofs/reviewed/{NAME}.md",
        "scaling/table.json",
    ],
)
def test_a_changed_byte_is_seen(example: Example, path: str) -> None:
    file = example.root / path
    file.parent.mkdir(exist_ok=True, parents=True)
    if not file.exists():
        file.write_text("what is not there in the example")
    assert looks_again(example)
    assert not looks_again(example)
    flip(file)
    assert looks_again(example)
    if path != "scaling/__init__.py":  # without it there is no package
        file.unlink()
        assert looks_again(example)
        file.write_text("new")
        assert looks_again(example)
    assert not looks_again(example)


def other_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version", sys.version + "+")


def other_version_of_something(monkeypatch: pytest.MonkeyPatch) -> None:
    found = list(importlib.metadata.distributions())
    monkeypatch.setattr(importlib.metadata, "distributions", lambda: found[1:])


def other_style(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Project, "style_text", "another style")


@pytest.mark.parametrize(
    "change", [other_python, other_version_of_something, other_style]
)
def test_what_lies_around_is_seen(
    example: Example,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[pytest.MonkeyPatch], None],
) -> None:
    assert looks_again(example)
    assert not looks_again(example)
    change(monkeypatch)
    assert looks_again(example)


def test_the_code_of_the_review_and_of_the_library_is_seen(
    example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "opendp_lite"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "opendp_lite", own, ignore=ignored)

    class Copy(Library):
        """The library itself, in a copy."""

        @property
        def root(self) -> Path:
            return own if self.package == "opendp_lite" else super().root

    monkeypatch.setattr(answers, "Library", Copy)
    monkeypatch.setattr(answers, "_files", FILES)  # they are read each time
    assert looks_again(example)
    assert not looks_again(example)
    for path in (
        "review/commands/reviewing.py",
        "core/registry.py",
        "randomness/entropy.py",
    ):
        flip(own / path)
        assert looks_again(example)
        assert not looks_again(example)


def test_an_answer_that_cannot_be_read_is_no_answer(example: Example) -> None:
    assert looks_again(example)
    path = example.root / "proofs" / "build" / "answer.json"
    answer = json.loads(path.read_text())
    for broken in ("", "{", "[]", json.dumps(answer | {"problems": [{"kind": 1}]})):
        path.write_text(broken)
        assert looks_again(example)
    assert not looks_again(example)


def test_a_failed_check_and_a_file_that_moves_meanwhile_are_not_kept(
    example: Example,
) -> None:
    failed = Problem("check-failed", "", "no.", "try.")
    assert remembered(example.project(), lambda: [failed]) == [failed]
    assert looks_again(example)
    flip(example.root / example.code)

    def review() -> list[Problem]:
        flip(example.root / example.proof)
        return FOUND

    assert remembered(example.project(), review) == FOUND
    flip(example.root / example.proof)
    assert looks_again(example)


def test_fresh_looks_again(example: Example) -> None:
    assert example.problems() == []
    path = example.root / "proofs" / "build" / "answer.json"
    answer = json.loads(path.read_text())
    planted = {"kind": "x", "proof": "", "message": "m.", "fix": "f.", "detail": ""}
    path.write_text(json.dumps(answer | {"problems": [planted]}))
    assert [problem.kind for problem in example.problems()] == ["x"]
    assert check(example.project(), fresh=True) == []
    assert example.problems() == []


def test_the_order_of_files_does_not_matter(example: Example) -> None:
    assert inputs_digest(example.project()) == inputs_digest(example.project())


def seconds(*arguments: str) -> float:
    """The processor time of a command over the library's own proofs."""
    program = "from opendp_lite.cli import main; main(prog_name='opendp-lite')"
    before = os.times()
    subprocess.run(
        [sys.executable, "-c", program, "proofs", "check", *arguments],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        check=False,
    )
    after = os.times()
    user = after.children_user - before.children_user
    return user + after.children_system - before.children_system


def test_one_proof_and_an_unchanged_library_are_quick() -> None:
    """In multiples of what the command takes to say what it is for.

    4 and 15 are usual, and 300 where all proofs are reviewed anew.
    """
    start = min(seconds("--help") for _ in range(3))
    assert any(seconds() < 25 * start for _ in range(2))  # at last the answer is there
    assert any(seconds("make_laplace") < 60 * start for _ in range(3))
