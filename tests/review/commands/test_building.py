"""Building: what is printed, what is built again, and what a log may not say."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import zlib
from pathlib import Path
from typing import Any

import attrs
import pytest

from opendp_lite.review import Problem, ReviewError, build, check
from opendp_lite.review.commands import building as latex
from opendp_lite.review.commands.building import (
    MISSING_TEX,
    complaints,
    jobs,
    status_text,
)
from opendp_lite.review.records import read_reviews
from tests.review.example import LEMMA, NAME, Example, forget
from tests.rows import for_each


def waiting(example: Example) -> list[str]:
    documents, problems = jobs(example.project())
    assert problems == []
    return [job.name for job in documents if not job.is_done]


@attrs.frozen
class Built:
    """The example with a style of its own, after its first build."""

    proofs: Path
    made: tuple[int, list[Problem]]
    told: list[tuple[int, int, str]]
    loads: int


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, loaded: Path) -> Built:
    copy = Example(tmp_path_factory.mktemp("built") / "copy")
    copy.write("proofs/opendp-lite.sty", copy.style())
    asked: list[Path] = []

    def load(folder: Path, environment: dict[str, str]) -> Path:
        asked.append(folder)
        return loaded

    told: list[tuple[int, int, str]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(copy.root))
        patch.setattr(latex, "_loaded_style", load)
        made = build(copy.project(), done=lambda *each: told.append(each))
    forget()
    return Built(copy.root / "proofs", made, told, len(asked))


@pytest.fixture
def ready(example: Example, built: Built) -> Example:
    """A copy of it."""
    shutil.copytree(built.proofs, example.root / "proofs", dirs_exist_ok=True)
    return example


def test_a_build_makes_what_changed_and_nothing_else(
    built: Built, ready: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert built.made == (2, [])
    assert sorted(name for _, _, name in built.told) == [LEMMA, NAME]
    assert [(number, total) for number, total, _ in built.told] == [(1, 2), (2, 2)]
    folder = ready.root / "proofs" / "build"
    pdfs = ["lemmas-scaled-distance.pdf", "multiplication-make_multiply.pdf"]
    assert sorted(path.name for path in folder.glob("*.pdf")) == pdfs
    assert all((folder / pdf).read_bytes().startswith(b"%PDF") for pdf in pdfs)

    assert build(ready.project()) == (0, [])
    assert check(ready.project()) == []

    with monkeypatch.context() as another_tex:
        another_tex.setattr(latex, "_tex_version", lambda: "another")
        assert waiting(ready) == [LEMMA, NAME]
    assert waiting(ready) == []

    ready.edit(ready.code, "abs(factor) * d_in", "d_in * abs(factor)")
    assert waiting(ready) == [NAME]
    ready.write("proofs/opendp-lite.sty", ready.style() + "% changed\n")
    assert waiting(ready) == [LEMMA, NAME]


def drawn(pdf: Path) -> list[bytes]:
    """What a document shows: its streams, without repeated choices of black."""
    parts = re.findall(rb"stream\n(.*?)\nendstream", pdf.read_bytes(), re.DOTALL)
    shown = [zlib.decompress(part) for part in parts if part[:1] == b"x"]
    return [re.sub(rb"(0 g 0 G\n)+", b"0 g 0 G\n", each) for each in shown]


def test_a_style_that_is_loaded_once_gives_the_same_documents(
    built: Built, ready: Example
) -> None:
    assert built.loads == 1
    pdf = ready.root / "proofs" / "build" / "multiplication-make_multiply.pdf"
    once = drawn(pdf)
    # For one document the style is loaded as usual.
    assert build(ready.project(), only=[NAME], everything=True) == (1, [])
    # The last streams, of the table of objects, hold their places in the file.
    assert drawn(pdf)[:-1] == once[:-1]
    assert len(once) > 10


def test_a_style_that_cannot_be_loaded_is_reported_by_the_documents(
    example: Example,
) -> None:
    # TeX ends there, before it has loaded anything that takes time.
    example.write("proofs/opendp-lite.sty", "\\nothing\n\\@@end\n")
    count, problems = build(example.project())
    assert count == 2
    assert [problem.proof for problem in problems] == [LEMMA, NAME]
    for problem in problems:
        assert "Undefined control sequence" in problem.message + problem.detail


@pytest.mark.usefixtures("loaded_before")
def test_an_undefined_reference_fails_the_build(example: Example) -> None:
    example.edit(example.lemma, "Both sides", r"By \citet{Nobody} and \ref{no:x} both")
    count, (problem,) = build(example.project(), only=[LEMMA])
    assert count == 1
    assert (problem.kind, problem.proof) == ("build", LEMMA)
    said = problem.message + problem.detail
    assert "the reference no:x is undefined" in said
    assert "the citation Nobody is undefined" in said
    # A build that failed is not taken for done.
    assert LEMMA in waiting(example)


@pytest.mark.usefixtures("loaded_before")
def test_what_is_cited_is_found_and_printed_whatever_an_earlier_run_left(
    example: Example,
) -> None:
    entry = "@misc{A, author = {Ada Zyx}, title = {Notes}, year = {1843}}"
    example.write("proofs/references.bib", entry)
    example.edit(example.lemma, "Both sides", r"By \citet{A} and page~\pageref{p} both")
    example.edit(example.lemma, r"\end{document}", "\\newpage\\label{p}\\end{document}")
    left = example.root / "proofs" / "build" / "lemmas-scaled-distance" / "proof.aux"
    left.parent.mkdir(parents=True)
    left.write_text("\\nothing", encoding="utf-8")
    assert build(example.project(), only=[LEMMA]) == (1, [])
    assert waiting(example) == [NAME]
    assert "\\bibcite{A}{{1}{1843}{{Zyx}}" in left.read_text(encoding="utf-8")
    log = left.with_suffix(".log").read_text(encoding="utf-8")
    assert "undefined" not in log
    assert "Rerun to get" not in log


Calls = list[list[str]]


def typeset(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    rests: int = 1,
    cites: bool = False,
    fails: str = "",
) -> tuple[Calls, list[str]]:
    """The runs that a document takes whose labels rest after some, and its failure."""
    calls: Calls = []

    def call(command: list[str], work: Path, environment: object) -> object:
        calls.append(command)
        prints = command[0] != "bibtex" and "-draftmode" not in command
        if command[0] != "bibtex":
            count = min(rests, len(calls) - cites)
            text = rf"\newlabel{{a}}{{{{1}}{{{count}}}{{A}}{{b}}{{}}}}"
            text += r"\citation{A}\bibdata{references}" * cites
            (work / "proof.aux").write_text(text, encoding="utf-8")
        if prints:
            (work / "proof.pdf").touch()
        code = int(fails in [*command, "print" if prints else ""] and bool(fails))
        return subprocess.CompletedProcess(command, code, b"said\n", b"")

    monkeypatch.setattr(latex, "_call", call)
    return calls, latex._typeset(folder, ["pdflatex", "x.tex"], {})


DRAFT, FULL = ["pdflatex", "-draftmode", "x.tex"], ["pdflatex", "x.tex"]
CITES = ["bibtex", "proof"]


@pytest.mark.parametrize(
    ("given", "calls", "wrong"),
    [
        ({}, [DRAFT, FULL], []),
        ({"rests": 2}, [DRAFT, FULL, FULL], []),
        ({"rests": 5}, [DRAFT, *[FULL] * 5], []),
        ({"rests": 6}, [DRAFT, *[FULL] * 5],
         ["its labels still move after 5 runs of TeX"]),
        ({"cites": True}, [DRAFT, CITES, DRAFT, FULL], []),
        ({"cites": True, "rests": 3}, [DRAFT, CITES, DRAFT, FULL, FULL], []),
        ({"cites": True, "fails": "bibtex"}, [DRAFT, CITES, DRAFT, FULL],
         ["bibtex failed with code 1", "said"]),
        ({"fails": "-draftmode"}, [DRAFT], ["pdflatex failed with code 1", "said"]),
        ({"fails": "print"}, [DRAFT, FULL], ["pdflatex failed with code 1", "said"]),
    ],
)  # fmt: skip
def test_tex_runs_until_its_labels_rest(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    given: Any,
    calls: Calls,
    wrong: list[str],
) -> None:
    assert typeset(tmp_path, monkeypatch, **given) == (calls, wrong)


@pytest.mark.usefixtures("loaded_before")
def test_code_that_passes_the_margin_fails_the_build(example: Example) -> None:
    begin = "\\begin{document}"
    example.edit(example.proof, begin, f"\\geometry{{textwidth=100mm}}\n{begin}")
    _, (problem,) = build(example.project(), only=[NAME])
    assert "quoted code, scaling.multiplication-make_multiply, passes" in (
        problem.message + problem.detail
    )


def test_the_status_comes_from_the_record(example: Example) -> None:
    project = example.project()
    tex = project.files[NAME]
    review = read_reviews(project.folder)[NAME]
    assert status_text(project, tex, review).splitlines() == [
        r"\def\odlstatus{draft}",
        r"\def\odlauthor{Example Author}",
        r"\def\odlreviewer{Example Reader}",
        r"\def\odldate{2026-11-16}",
    ]
    nothing = status_text(project, tex, None)
    assert r"\def\odlstatus{draft, not recorded}" in nothing
    assert r"\def\odlreviewer{}" in nothing
    example.edit(example.code, "abs(factor) * d_in", "abs(factor) + d_in")
    project = example.project()
    changed = status_text(project, project.files[NAME], review)
    assert r"\def\odlstatus{draft, changed since the review}" in changed


def test_an_amended_proof_says_so(example: Example) -> None:
    example.accept(NAME, status="amended", author="A_1", reviewer=None)
    project = example.project()
    review = read_reviews(project.folder)[NAME]
    text = status_text(project, project.files[NAME], review)
    assert r"\def\odlstatus{amended by A\_1 on " in text
    assert r"\def\odlreviewer{Example Reader}" in text


def test_names_of_people_are_escaped(example: Example) -> None:
    example.accept(NAME, reviewer="R_1 & {S}\\")
    project = example.project()
    review = read_reviews(project.folder)[NAME]
    text = status_text(project, project.files[NAME], review)
    assert r"\def\odlreviewer{R\_1 \& \{S\}\textbackslash{}}" in text


def test_a_listing_is_written_for_every_quote(example: Example) -> None:
    (job,), problems = jobs(example.project(), [NAME])
    assert problems == []
    assert set(job.files) == {
        "odl-status.tex",
        "code-scaling.multiplication-make_multiply.lst",
        "code-scaling.multiplication-scaled_distance.lst",
    }


@pytest.mark.usefixtures("loaded_before")
def test_code_that_cannot_be_printed_is_reported_and_the_rest_is_built(
    example: Example,
) -> None:
    example.edit(example.code, "# proof: factor", "# (*@")
    count, (problem,) = build(example.project())
    assert count == 1
    assert (problem.kind, problem.proof) == ("quote", NAME)
    assert "(*@" in problem.message


def test_without_tex_the_packages_are_named(
    example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", os.devnull)
    with pytest.raises(ReviewError) as refused:
        build(example.project())
    for name in (
        "texlive-latex-recommended texlive-latex-extra "
        "texlive-fonts-recommended lmodern"
    ).split():
        assert name in str(refused.value)


BOXES = "[][][][] \n []\n"


@for_each(
    ("log", "expected"),
    [
        ("Package natbib Warning: Citation `A' on page 1 undefined on input line 3.",
         ["the citation A is undefined"]),
        ("LaTeX Warning: Label `f:x' multiply defined.",
         ["the label f:x is defined twice"]),
        ("Missing character: There is no é in font ec-lmtt!",
         ["a letter has no shape: é in font ec-lmtt!"]),
        ("! Undefined control sequence.\nl.7 \\nothing",
         ["TeX stops: Undefined control sequence. l.7 \\nothing"]),
        ("! LaTeX Error: File `lmodern.sty' not found.",
         [f"TeX does not find lmodern.sty. {MISSING_TEX}"]),
        ("(./code-m-f.lst\nOverfull \\hbox (0.6pt too wide) in paragraph\n" + BOXES,
         ["quoted code, m-f, passes the margin by 0.6pt in paragraph"]),
        ("Overfull \\hbox (0.4pt too wide) in paragraph\n" + BOXES, []),
        ("Overfull \\hbox (9.0pt too wide) in paragraph\n[]\\T1/lmr/m/n/10 words", []),
        ("Overfull \\hbox (11.0pt too wide) in x\n[]\\T1/lmr/m/n/10 words",
         ["text passes the margin by 11.0pt in x"]),
        ("LaTeX Warning: There were undefined references.", []),
        ("Underfull \\vbox (badness 10000) has occurred", []),
    ],
)  # fmt: skip
def test_the_log_is_read(log: str, expected: list[str]) -> None:
    assert complaints(log) == expected
