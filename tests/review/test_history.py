"""What was read is shown from git, wherever it was committed; else it is said why not.

And a record has the digest of what its own proof was read against.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from opendp_lite.review import move
from opendp_lite.review.history import History
from opendp_lite.review.problems import Problem
from opendp_lite.review.records import read_reviews
from tests.review.example import LEMMA, NAME, Example

SHOWN = "-    return abs(factor) * d_in\n+    return abs(factor) + d_in"
CHANGE = ("abs(factor) * d_in", "abs(factor) + d_in")
LOST = "The history of git that is here lacks what was read of scaled_distance"


def detail(example: Example) -> str:
    """The detail of the one finding, that a function changed."""
    (problem,) = example.problems()
    assert (problem.kind, problem.proof) == ("code-changed", NAME)
    return problem.detail


def change_before_it_is_committed(example: Example) -> None:
    example.commit()
    example.edit(example.code, *CHANGE)


def change_in_a_commit(example: Example) -> None:
    change_before_it_is_committed(example)
    example.commit()
    example.write("later.txt", "")
    example.commit()


def change_a_constant_elsewhere(example: Example) -> None:
    """The function's file never changes; what it uses does, after it was recorded."""
    example.write("scaling/extra.py", "FACTOR = 1\n")
    example.edit(example.code, "abs(factor) * d_in", "abs(factor) * d_in * FACTOR")
    text = "import math\nfrom scaling.extra import FACTOR\n"
    example.edit(example.code, "import math\n", text)
    example.commit()
    example.write("scaling/extra.py", "FACTOR = 2\n")
    example.accept(NAME)
    example.commit()
    example.write("scaling/extra.py", "FACTOR = 3\n")
    example.commit()


def change_what_was_just_recorded(example: Example) -> None:
    """The record is not committed, and the code is."""
    change_a_constant_elsewhere(example)
    example.accept(NAME)
    example.write("scaling/extra.py", "FACTOR = 4\n")


def change_what_was_recorded_before_it_was_committed(example: Example) -> None:
    """The record is committed before the code, so the file is followed instead."""
    first = example.read(example.code)
    example.edit(example.code, "abs(factor) * d_in", "d_in * abs(factor)")
    example.accept(NAME)
    read = example.read(example.code)
    example.write(example.code, first)
    example.commit()
    example.write(example.code, read)
    example.commit()
    example.edit(example.code, "d_in * abs(factor)", "abs(factor) + d_in")
    example.commit()


def change_after_a_move(example: Example) -> None:
    example.commit()
    move_file(example)
    move(example.project(), ["scaling.multiplication", "scaling.products"])
    example.commit()
    example.edit("scaling/products.py", *CHANGE)
    example.commit()


def change_and_move(example: Example) -> None:
    example.commit()
    example.edit(example.code, *CHANGE)
    example.commit()
    move_file(example)
    move(example.project(), ["scaling.multiplication", "scaling.products"], True)
    example.commit()


def move_file(example: Example) -> None:
    example.write("scaling/products.py", example.read(example.code))
    example.remove(example.code)
    init = example.read("scaling/__init__.py")
    example.write("scaling/__init__.py", init.replace("multiplication", "products"))


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (change_before_it_is_committed, SHOWN),
        (change_in_a_commit, SHOWN),
        (
            change_a_constant_elsewhere,
            "-scaling.extra.FACTOR = 2\n+scaling.extra.FACTOR = 3",
        ),
        (
            change_what_was_just_recorded,
            "-scaling.extra.FACTOR = 3\n+scaling.extra.FACTOR = 4",
        ),
        (
            change_what_was_recorded_before_it_was_committed,
            "-    return d_in * abs(factor)\n+    return abs(factor) + d_in",
        ),
        (change_after_a_move, SHOWN),
        (change_and_move, SHOWN),
    ],
)
def test_the_difference_is_shown_from_git(
    example: Example, change: Callable[[Example], None], shown: str
) -> None:
    change(example)
    assert shown in detail(example)


def test_without_a_history_it_is_said_that_nothing_can_be_shown(
    example: Example, tmp_path: Path
) -> None:
    example.edit(example.code, *CHANGE)
    assert detail(example).startswith(LOST)  # there is no repository
    example.git("init", "--quiet")
    assert detail(example).startswith(LOST)  # nothing is committed
    example.edit(example.code, *CHANGE[::-1])
    example.commit()
    example.edit(example.code, *CHANGE)
    example.commit()
    assert SHOWN in detail(example)
    command = ["git", "clone", "--quiet", "--depth=1", f"file://{example.root}"]
    subprocess.run([*command, str(tmp_path / "shallow")], check=True)
    (example.root / ".git").rename(tmp_path / "whole")
    (tmp_path / "shallow" / ".git").rename(example.root / ".git")
    (example.root / "proofs" / "build" / "answer.json").unlink()
    assert detail(example).startswith(LOST)


def test_what_git_has_of_a_package_is_read_from_there_alone(example: Example) -> None:
    """A module that was not there yet is not taken from the working files."""
    example.commit()
    example.write("scaling/extra.py", "FACTOR = 1\n")
    library = History("scaling", example.root / "proofs")._library("HEAD")
    assert library.module("scaling.extra") is None
    found = library.module("scaling.multiplication")
    assert found is not None
    assert found.text == example.read(example.code)
    package = library.module("scaling")
    assert package is not None
    assert package.is_package


def test_records_of_another_format_are_said_to_be_so(example: Example) -> None:
    """Once, and not function by function; and they can be recorded anew."""
    readings = len(read_reviews(example.root / "proofs")[NAME].readings)
    text = example.read(example.records).replace("format = 2\n", "")
    digests = read_reviews(example.root / "proofs")[NAME].code.values()
    for digest in digests:
        text = text.replace(digest, "0" * 64)
    example.write(example.records, text)
    (problem,) = example.problems()
    assert problem.kind == "record-format"
    assert "record all proofs again" in problem.fix
    example.edit(example.proof, "sees no data", "sees data")
    assert example.kinds() == {"record-format", "text-changed"}
    example.edit(example.proof, "sees data", "sees no data")
    example.accept(NAME, LEMMA)
    assert example.problems() == []
    assert len(read_reviews(example.root / "proofs")[NAME].readings) == readings + 1


# Two proofs that quote one function.

SECOND = "multiplication/scaled_distance"


def add_second_proof(example: Example) -> None:
    text = example.read(example.proof).replace(
        r"{scaling.multiplication}{make_multiply}",
        r"{scaling.multiplication}{scaled_distance}",
    )
    text = text.replace("\\code{scaling.multiplication}{scaled_distance}\n", "", 1)
    text = text.replace(
        r"\validTransformation{make_multiply}", r"\validFunction{scaled_distance}"
    )
    text = text.replace("[Data-independent errors]", "[No errors]")
    text = text.replace("[Stability guarantee]", "[Correct value]")
    for label in ("domain", "metric", "factor", "product"):
        text = text.replace(f"make_multiply:{label}", "scaled_distance:zero")
    example.write(f"proofs/{SECOND}.tex", text)


def beside_the_quotes(example: Example) -> list[Problem]:
    """The findings, but for that two texts quote one function, which is meant here."""
    return [p for p in example.problems() if p.kind != "quoted-twice"]


def test_two_readings_of_one_function_are_told_apart(example: Example) -> None:
    add_second_proof(example)
    example.accept(SECOND)
    assert beside_the_quotes(example) == []
    example.commit()
    example.edit(example.code, "abs(factor) * d_in", "d_in * abs(factor)")
    changed = [p for p in example.problems() if p.kind == "code-changed"]
    assert [p.proof for p in changed] == [NAME, SECOND]
    assert all("+    return d_in * abs(factor)" in p.detail for p in changed)
    example.accept(SECOND)
    (problem,) = beside_the_quotes(example)
    assert (problem.kind, problem.proof) == ("code-changed", NAME)
    assert "-    return abs(factor) * d_in" in problem.detail
    # What was read last was never committed, and is still known when it is seen.
    example.edit(example.code, "d_in * abs(factor)", "abs(factor) * d_in")
    (problem,) = beside_the_quotes(example)
    assert (problem.kind, problem.proof) == ("code-changed", SECOND)
    assert problem.detail.startswith(LOST)


def test_a_function_that_is_no_longer_quoted_is_shown(example: Example) -> None:
    example.commit()
    example.edit(example.proof, "\\code{scaling.multiplication}{scaled_distance}\n", "")
    (problem,) = [p for p in example.problems() if p.kind == "code-changed"]
    assert "scaled_distance is no longer quoted" in problem.message
    assert "-def scaled_distance" in problem.detail


def test_a_lemma_without_code_keeps_none(example: Example) -> None:
    assert read_reviews(example.root / "proofs")[LEMMA].code == {}
