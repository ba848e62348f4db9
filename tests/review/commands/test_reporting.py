"""Findings on their lines: of the code, of the proof, of the files beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from opendp_lite.cli import main
from opendp_lite.review import Problem
from opendp_lite.review.commands.reporting import annotation, as_annotation, located
from opendp_lite.review.problems import Place, ReviewError
from tests.review.example import LEMMA, NAME, PACKAGE, Example, forget

# What is changed, and the kind, the file and a text on the line of the finding.
FAULTS = {
    "a line of a function": (
        (Example.code, "factor * int(arg)", "factor - int(arg)"),
        ("code-changed", Example.code, "return factor - int(arg)"),
    ),
    "a line that is gone": (
        (Example.code, "if d_in == math.inf:  # proof: infinite\n    ", ""),
        ("code-changed", Example.code, "def scaled_distance"),
    ),
    "a function that is gone": (
        (Example.code, "def scaled_distance(", "def scaled("),
        ("quote", Example.proof, r"\code{scaling.multiplication}{scaled_distance}"),
    ),
    "a label in the code": (
        (Example.code, "  # proof: product", ""),
        ("label-missing", Example.proof, "make_multiply:product"),
    ),
    "a label too many": (
        (Example.code, "return math.inf", "return math.inf  # proof: x"),
        ("label-unused", Example.code, "# proof: x"),
    ),
    "a stray label": (
        (Example.code, "(argument: str,", "(  # proof: stray\n    argument: str,"),
        ("label-unquoted", Example.code, "# proof: stray"),
    ),
    "an unfinished part": (
        (Example.proof, "We compare with", r"\unfinished{this} We compare with"),
        ("unfinished", Example.proof, r"\unfinished"),
    ),
    "a condition without a line": (
        (Example.proof, r"\by{make_multiply:domain}", ""),
        ("by-missing", Example.proof, "is the set of all integers."),
    ),
    "a lemma that is not there": (
        (Example.proof, r"\lemma{scaled-distance}", r"\lemma{scaled-distances}"),
        ("lemma-missing", Example.proof, "scaled-distances"),
    ),
    "a premise": (
        (Example.lemma, r"\begin{lemmastatement}", "\\begin{lemmastatement}\nNew."),
        ("premise-changed", Example.proof, r"\lemma{scaled-distance}"),
    ),
    "a check that fails": (
        (Example.checks, "== 0", "== 1"),
        ("check-failed", Example.checks, "assert expand"),
    ),
    "a check that proves nothing": (
        (Example.checks, "def scaled_gap", "def other_gap"),
        ("check-unused", Example.checks, "def other_gap"),
    ),
    "the decorator": (
        (Example.code, 'status="draft"', 'status="vetted"'),
        ("status", Example.code, "def make_multiply"),
    ),
    "what is trusted": (
        (Example.trusted, "multiplication.refusal", "multiplication.refuse"),
        ("trusted", Example.trusted, "multiplication.refuse"),
    ),
    "the index": (
        ("proofs/INDEX.md", "# Index", "# No index"),
        ("index", "proofs/INDEX.md", "# No index"),
    ),
    "what hides a name": (
        (Example.code, "_VARIANT =", "vars()['x'] = 1\n_VARIANT ="),
        ("not-plain", Example.code, "vars()"),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_finding_is_on_its_line(example: Example, fault: str) -> None:
    (path, old, new), (kind, file, text) = FAULTS[fault]
    example.commit()
    example.edit(path, old, new)
    places = []
    project = example.project()
    for problem in example.problems():
        if problem.kind == kind:
            where, line = located(project, problem)
            places.append(where.resolve().relative_to(example.root.resolve()))
            assert text in where.read_text(encoding="utf-8").splitlines()[line - 1]
    assert Path(file) in places


def test_without_a_place_it_is_the_beginning_of_the_proof(example: Example) -> None:
    project = example.project()
    for name in (NAME, LEMMA):
        path, line = located(project, Problem("form", name, "m", "f"))
        text = path.read_text(encoding="utf-8").splitlines()[line - 1]
        assert text.startswith((r"\proofof", r"\lemmaof"))
    path, line = located(project, Problem("form", "", "m", "f"))
    assert (path, line) == (project.folder, 1)
    gone = Problem("form", NAME, "m", "f", place=Place(9, module="scaling.gone"))
    assert located(project, gone)[0].suffix == ".tex"


def test_what_github_would_misread_is_escaped(
    example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert annotation("a%b\r\nc: d, e") == "::error::a%25b%0D%0Ac: d, e"
    said = annotation("m", file="C:\\a,b", title="100%\n")
    assert said == "::error file=C%3A\\a%2Cb,title=100%25%0A::m"
    problem = Problem("form", NAME, "50%: no,\nnever.", "Mend it.", place=Place(7))
    monkeypatch.setenv("GITHUB_WORKSPACE", str(example.root.parent))
    assert as_annotation(example.project(), problem) == (
        f"::error file=copy/proofs/{NAME}.tex,line=7,title=proofs%3A form::"
        f"{NAME}: 50%25: no,%0Anever.%0A    What to do: Mend it."
    )


def test_the_command_annotates(
    example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", str(example.root))
    monkeypatch.chdir(example.root)
    command = ["proofs", "check", "--package", PACKAGE, "--format"]
    example.commit()
    example.edit(example.code, "factor * int(arg)", "factor - int(arg)")
    forget()
    result = CliRunner().invoke(main, [*command, "github"])
    assert result.exit_code == 1
    (line,) = result.stdout.splitlines()
    number = (
        example.read(example.code)
        .splitlines()
        .index("        return factor - int(arg)  # proof: product")
    )
    place = f"file={example.code},line={number + 1}"
    assert line.startswith(f"::error {place},title=proofs%3A code-changed::{NAME}: ")
    assert result.stderr == "Error: 1 finding.\n"
    result = CliRunner().invoke(main, [*command, "json"])
    (row,) = json.loads(result.stdout)
    assert result.exit_code == 1
    assert (row["file"], row["line"]) == (example.code, number + 1)
    assert (row["kind"], row["proof"]) == ("code-changed", NAME)
    # The answer that was kept has the same places.
    assert CliRunner().invoke(main, [*command, "json"]).stdout == result.stdout
    example.edit(example.code, "factor - int(arg)", "factor * int(arg)")
    result = CliRunner().invoke(main, [*command, "json"])
    assert (result.exit_code, result.stdout) == (0, "[]\n")
    result = CliRunner().invoke(main, [*command, "github"])
    assert (result.exit_code, result.stdout[-11:]) == (0, " in order.\n")


def test_a_mistake_is_annotated_too(
    example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(example.root)
    command = ["proofs", "check", "make_multipl", "--package", PACKAGE]
    result = CliRunner().invoke(main, [*command, "--format", "github"])
    assert result.exit_code == 2
    said = "there is no proof 'make_multipl' in proofs. Is make_multiply meant?"
    assert result.stdout == f"::error title=proofs::{said}\n"
    assert result.stderr == f"Error: {said}\n"


def test_a_mistake_gives_no_orders_to_github(
    example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*given: object) -> None:
        raise ReviewError("a file says\n::add-mask::x\n ::stop-commands::y")

    monkeypatch.chdir(example.root)
    monkeypatch.setattr("opendp_lite.review.check", refused)
    words = ["proofs", "check", "--package", PACKAGE, "--format", "github"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    orders = [each for each in result.output.splitlines() if each.strip()[:2] == "::"]
    assert len(orders) == 1
    assert orders[0].startswith("::error title=proofs::a file says%0A")
