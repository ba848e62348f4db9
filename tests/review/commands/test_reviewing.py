"""The example passes the review, and everything that may go wrong makes it fail."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from opendp_lite.review import ReviewError, check
from opendp_lite.review.code.library import Library
from opendp_lite.review.code.modules import Module
from opendp_lite.review.project import Project
from opendp_lite.review.rules.coverage import check_registry
from tests.review.example import LEMMA, NAME, Example

Change = Callable[[Example], None]


def edit(path: str, old: str, new: str) -> Change:
    return lambda example: example.edit(getattr(example, path), old, new)


def together(*changes: Change) -> Change:
    def change(example: Example) -> None:
        for each in changes:
            each(example)

    return change


def add(path: str, text: str) -> Change:
    def change(example: Example) -> None:
        file = getattr(example, path)
        example.write(file, example.read(file) + text)

    return change


def use_another_lemma(example: Example) -> None:
    text = example.read(example.lemma)
    text = text.replace(r"\lemmaof{scaled-distance}", r"\lemmaof{b}")
    example.write("proofs/lemmas/b.tex", text)
    both = r"By \lemma{scaled-distance} and \lemma{b}"
    example.edit(example.proof, r"By \lemma{scaled-distance}", both)


def test_the_example_passes(example: Example) -> None:
    assert example.problems() == []


def test_it_does_not_matter_how_the_code_looks(example: Example) -> None:
    example.edit(
        example.code,
        "    return abs(factor) * d_in",
        "    # why\n    return (abs(factor) *\n        d_in)",
    )
    example.edit(example.code, '    """Return |c| d_in', '    """Give |c| d_in')
    example.edit(example.code, 'status="draft"', "status='draft'")
    assert example.problems() == []


def test_a_change_of_one_character_fails_and_shows_it(example: Example) -> None:
    example.commit()
    example.edit(example.code, "abs(factor) * d_in", "abs(factor) + d_in")
    (problem,) = example.problems()
    assert (problem.kind, problem.proof) == ("code-changed", NAME)
    assert "scaled_distance" in problem.message
    assert "-    return abs(factor) * d_in\n+    return abs(factor) + d_in" in (
        problem.detail
    )
    assert f"opendp-lite proofs accept {NAME} --reviewer" in problem.fix


def test_what_a_check_imports_is_compiled_once(
    example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its bytecode is kept, as that of SymPy; the file of checks itself leaves none."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    (tmp_path / "imported_by_checks.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    text = example.read(example.checks)
    example.write(example.checks, f"{text}\n\nimport imported_by_checks\n")
    assert example.problems() == []
    del sys.modules["imported_by_checks"]
    assert len(list((tmp_path / "__pycache__").iterdir())) == 1
    assert list((example.root / "proofs").rglob("*.pyc")) == []


NEW_FUNCTION = "\n\n@constructor()\ndef make_other():\n    return 1\n"
LABEL = "# proof: factor"
ITEM = r"\item \fn{factor} is an \fn{int} of unbounded size; we write $c$ for it."

FAILURES: dict[str, tuple[Change, str, str]] = {
    # The registry and the proofs.
    "the proof is deleted": (lambda e: e.remove(e.proof), "proof-missing", NAME),
    "a constructor has no proof": (add("code", NEW_FUNCTION), "proof-missing", ""),
    "the proof has another subject": (
        edit(
            "proof",
            r"\proofof{scaling.multiplication}{make_multiply}",
            r"\proofof{scaling.multiplication}{scaled_distance}",
        ),
        "proof-missing",
        NAME,
    ),
    "the registry entry is deleted": (
        edit(
            "code",
            '@constructor(proof="multiplication/make_multiply", status="draft")\n',
            "",
        ),
        "proof-orphan",
        NAME,
    ),
    "the decorator names another proof": (
        edit("code", 'proof="multiplication/', 'proof="other/'),
        "proof-missing",
        "other/make_multiply",
    ),
    "the status differs": (edit("code", '"draft"', '"vetted"'), "status", NAME),
    "the decorator has a condition more": (
        edit("code", 'status="draft"', 'human_verified=("x",)'),
        "human-verified",
        NAME,
    ),
    "the text has a condition more": (
        edit("proof", "  None.", r"  \item \human{x} because."),
        "human-verified",
        NAME,
    ),
    # Labels.
    "a label is deleted": (edit("code", f"  {LABEL}", ""), "label-missing", NAME),
    "a label is not used": (
        edit(
            "code",
            'raise refusal("factor", "must be an int")',
            'raise refusal("factor", "must be an int")  # proof: extra',
        ),
        "label-unused",
        NAME,
    ),
    "a label is outside of quoted code": (
        edit("code", "then(make_multiply)", "then(make_multiply)  # proof: then"),
        "label-unquoted",
        "",
    ),
    "a label is no label": (edit("code", LABEL, "# proof: Factor"), "quote", NAME),
    "a quoted function is gone": (
        edit("proof", r"}{scaled_distance}", r"}{scaled_distances}"),
        "quote",
        NAME,
    ),
    # Conditions.
    "a condition has no line": (
        edit("proof", r"integers. \by{make_multiply:domain}", "integers."),
        "by-missing",
        NAME,
    ),
    "a condition holds by no type": (
        edit(
            "proof", f"{ITEM}\n    \\by{{make_multiply:factor}}", f"{ITEM} \\by{{type}}"
        ),
        "by-type",
        NAME,
    ),
    "a condition names nothing with a type": (
        edit(
            "proof",
            r"\begin{compilerverified}",
            r"\begin{compilerverified}\item It is fine. \by{type}",
        ),
        "by-type",
        NAME,
    ),
    "the type says nothing": (
        edit(
            "proof",
            r"\begin{compilerverified}",
            r"\begin{compilerverified}\item \fn{arg} is fine. \by{type}",
        ),
        "by-type",
        NAME,
    ),
    "the type is a name for anything": (
        together(
            edit(
                "proof",
                r"\begin{compilerverified}",
                r"\begin{compilerverified}\item \fn{arg} is fine. \by{type}",
            ),
            edit("code", "def function(arg: Any)", "def function(arg: Data)"),
            edit(
                "code",
                "from opendp_lite.mod",
                "from opendp_lite.base.aliases import Data\nfrom opendp_lite.mod",
            ),
        ),
        "by-type",
        NAME,
    ),
    "the type is a name for anything, from here": (
        together(
            edit(
                "proof",
                r"\begin{compilerverified}",
                r"\begin{compilerverified}\item \fn{arg} is fine. \by{type}",
            ),
            edit("code", "def function(arg: Any)", "def function(arg: Rows)"),
            edit("code", "\n\n\n@constructor", "\n\nRows = object\n\n\n@constructor"),
        ),
        "by-type",
        NAME,
    ),
    # Callees.
    "a quote is deleted": (
        edit("proof", "\\code{scaling.multiplication}{scaled_distance}\n", ""),
        "callee",
        NAME,
    ),
    "a trusted entry is deleted": (lambda e: e.write(e.trusted, ""), "callee", NAME),
    "a trusted entry is not needed": (
        add(
            "trusted",
            '[[trusted]]\nname="scaling.multiplication.then_multiply"\nreason="x"\n',
        ),
        "trusted",
        "",
    ),
    "a trusted entry has no reason": (
        edit(
            "trusted",
            "It builds the text of an error about a parameter, and sees no data.",
            " ",
        ),
        "trusted",
        "",
    ),
    "a name is bound nowhere": (
        edit("code", "return abs(factor) * d_in", "return absolute(factor) * d_in"),
        "name-unknown",
        NAME,
    ),
    "a method is used without a word": (
        edit("code", "return abs(factor) * d_in", "return d_in.doubled()"),
        "method",
        NAME,
    ),
    "a method is declared and not used": (
        edit(
            "proof",
            r"\subsection*{Postcondition}",
            r"\uses{scaling.extra}{Number.doubled}\subsection*{Postcondition}",
        ),
        "uses-unused",
        NAME,
    ),
    "a method is declared and not there": (
        edit(
            "proof",
            r"\subsection*{Postcondition}",
            r"\uses{scaling.extra}{Number.tripled}\subsection*{Postcondition}",
        ),
        "uses-missing",
        NAME,
    ),
    # Steps.
    "a check is deleted": (lambda e: e.remove(e.checks), "check-missing", LEMMA),
    "a check fails": (edit("checks", "c**2", "c**3"), "check-failed", LEMMA),
    "a check returns something": (
        edit("checks", "    assert expand(", "    return expand("),
        "check-failed",
        LEMMA,
    ),
    "a check asserts nothing": (
        add("checks", "\n\ndef idle():\n    pass\n"),
        "check-failed",
        "",
    ),
    "a check cannot be imported": (
        add("checks", "\n\nraise RuntimeError\n"),
        "check-failed",
        "",
    ),
    "a step is not marked": (
        edit("lemma", r"\checked{scaled-gap}", ""),
        "check-unused",
        "",
    ),
    "a check is there twice": (
        lambda e: e.write("proofs/checks_more.py", e.read(e.checks)),
        "check-twice",
        "",
    ),
    # Lemmas.
    "a lemma is deleted": (lambda e: e.remove(e.lemma), "lemma-missing", NAME),
    "a lemma is not used": (
        edit("proof", r"By \lemma{scaled-distance},", "Clearly,"),
        "lemma-unused",
        LEMMA,
    ),
    "a lemma rests on itself": (
        edit("lemma", "Both sides", r"By \lemma{scaled-distance} both sides"),
        "lemma-circular",
        LEMMA,
    ),
    "a lemma has another name": (
        edit("lemma", r"\lemmaof{scaled-distance}", r"\lemmaof{other}"),
        "form",
        LEMMA,
    ),
    "a lemma states nothing": (
        edit("lemma", r"\begin{lemmastatement}", ""),
        "form",
        LEMMA,
    ),
    # Form.
    "something is unfinished": (
        edit("proof", "The constructor sees no data.", r"\unfinished{why}"),
        "unfinished",
        NAME,
    ),
    "a file is read in": (
        edit("proof", r"\section{Proof}", r"\section{Proof}\input{other}"),
        "forbidden",
        NAME,
    ),
    "a part has no proof": (
        edit("proof", r"\begin{proof}[Stability guarantee]", r"\begin{proof}"),
        "part-unproved",
        NAME,
    ),
    "the statement is about something else": (
        edit(
            "proof",
            r"\validTransformation{make_multiply}",
            r"\validTransformation{make_other}",
        ),
        "form",
        NAME,
    ),
    "nothing is stated": (
        edit("proof", r"\begin{postcondition}", r"\begin{quote}"),
        "form",
        NAME,
    ),
    "the summary is missing": (edit("proof", r"\summary", r"\emph"), "form", NAME),
    "the human-verified list is missing": (
        edit("proof", "\\begin{humanverified}\n  None.\n\\end{humanverified}", ""),
        "form",
        NAME,
    ),
    "the human-verified list says something": (
        edit("proof", "  None.", "  Perhaps."),
        "form",
        NAME,
    ),
    # Records.
    "the text changed": (
        edit("proof", "The constructor sees no data.", "The constructor sees data."),
        "text-changed",
        NAME,
    ),
    "a lemma's statement changed": (
        edit("lemma", "For all real numbers", "For all complex numbers"),
        "premise-changed",
        NAME,
    ),
    "the style file states something else": (
        lambda e: e.write(
            "proofs/opendp-lite.sty",
            e.style().replace(
                "validTransformation}[2]{", "validTransformation}[2]{Perhaps "
            ),
        ),
        "premise-changed",
        NAME,
    ),
    "a new lemma is used": (use_another_lemma, "premise-changed", NAME),
    "a new lemma is not recorded": (use_another_lemma, "unrecorded", "lemmas/b"),
    "the record is deleted": (
        lambda e: e.write("proofs/reviews.toml", ""),
        "unrecorded",
        NAME,
    ),
    "the digest of a function is edited": (
        lambda e: e.write(
            "proofs/reviews.toml",
            re.sub(
                '(distance" = ")..', r"\1zz", e.read("proofs/reviews.toml"), count=1
            ),
        ),
        "code-changed",
        NAME,
    ),
    "the records are of another format": (
        edit("records", "format = 2\n", ""),
        "record-format",
        "",
    ),
    "a file among the notes belongs to nothing": (
        lambda e: e.write("proofs/reviewed/a/b.py", ""),
        "record-stray",
        "",
    ),
    "a note belongs to nothing": (
        lambda e: e.write("proofs/reviewed/a/b.md", "x"),
        "record-stray",
        "",
    ),
    "a part is cited that is not there": (
        edit("proof", r"By \lemma{scaled-distance}", r"By \lemma{scaled-distance}~(b)"),
        "lemma-missing",
        NAME,
    ),
    "words of a message are used for something else": (
        edit("code", "return abs(factor) * d_in", 'fix = "x"; return len(fix)'),
        "words",
        "",
    ),
    "a vetted proof has no note": (
        lambda e: e.write(
            "proofs/reviews.toml",
            e.read("proofs/reviews.toml").replace('"draft"', '"vetted"'),
        ),
        "note",
        NAME,
    ),
    "the index is stale": (lambda e: e.write("proofs/INDEX.md", "old"), "index", ""),
    "the index is deleted": (lambda e: e.remove("proofs/INDEX.md"), "index", ""),
}

EXTRA = "class Number:\n    def doubled(self):\n        return 2\n"


def with_extra(example: Example) -> Example:
    example.write("scaling/extra.py", EXTRA)
    example.edit(example.code, "import math\n", "import math\nimport scaling.extra\n")
    return example


def test_what_failures_begin_with_passes(example: Example) -> None:
    assert with_extra(example).problems() == []


@pytest.mark.parametrize("what", FAILURES)
def test_a_failure_is_found(example: Example, what: str) -> None:
    change, kind, proof = FAILURES[what]
    with_extra(example)
    if kind.startswith("check"):
        assert example.problems() == []  # that they passed is kept
    change(example)
    found = example.problems()
    assert (kind, proof) in {(problem.kind, problem.proof) for problem in found}
    for problem in found:
        assert problem.message.endswith((".", "RuntimeError", "AssertionError"))
        assert problem.fix.endswith(".")
        assert str(problem).splitlines()[0].strip()


def test_a_deleted_proof_leaves_its_record_behind(example: Example) -> None:
    example.remove(example.proof)
    assert "record-stray" in example.kinds()


def test_a_sampler_with_a_proof_of_its_own_is_covered(example: Example) -> None:
    example.edit(example.proof, "\\code{scaling.multiplication}{scaled_distance}\n", "")
    text = example.read(example.proof)
    text = text.replace(
        r"{scaling.multiplication}{make_multiply}",
        r"{scaling.multiplication}{scaled_distance}",
    )
    text = text.replace(
        r"\validTransformation{make_multiply}", r"\validTransformation{scaled_distance}"
    )
    example.write("proofs/multiplication/scaled_distance.tex", text)
    assert "callee" not in example.kinds()
    problems = {(p.kind, p.proof) for p in example.problems()}
    assert ("proof-orphan", "multiplication/scaled_distance") not in problems
    assert ("premise-changed", NAME) in problems


@pytest.mark.parametrize("macro", ["validTransformation", "validPostprocessor"])
def test_a_post_processor_may_stand_alone(example: Example, macro: str) -> None:
    """It need not be registered; what is claimed to be a transformation must be."""
    decorated = '@constructor(proof="multiplication/make_multiply", status="draft")\n'
    example.edit(example.code, decorated, "")
    example.edit(example.proof, r"\validTransformation{", rf"\{macro}{{")
    assert ("proof-orphan" in example.kinds()) == (macro == "validTransformation")


@pytest.mark.parametrize(("exports", "orphan"), [("", False), ("__all__ = []", True)])
def test_without_a_list_of_exports_the_underscore_says_what_is_private(
    example: Example, exports: str, orphan: bool
) -> None:
    decorated = '@constructor(proof="multiplication/make_multiply", status="draft")\n'
    example.edit(example.code, decorated, "")
    example.edit(example.proof, r"\validTransformation{", r"\validPostprocessor{")
    listed = '__all__ = ["make_multiply", "scaled_distance", "then_multiply"]'
    example.edit(example.code, listed, exports)
    assert ("proof-orphan" in example.kinds()) == orphan


def test_a_passed_check_is_not_run_again_until_something_changes(
    example: Example,
) -> None:
    assert example.problems() == []
    cache = example.root / "proofs" / "build" / "checks.json"
    assert "checks_multiplication.py" in cache.read_text()
    # The helper fails at the second run in a process, so a second run would show.
    counter = (
        "\n\nimport sys\nsys._planted = getattr(sys, '_planted', 0) + 1\n"
        "if sys._planted > 1:\n    raise RuntimeError\n"
    )
    example.write(example.checks, example.read(example.checks) + counter)
    try:
        assert example.problems() == []
        assert example.problems() == []
        fresh = check(example.project(), fresh=True)
        assert [problem.kind for problem in fresh] == ["check-failed"]
        # What failed is not remembered as passed.
        assert "check-failed" in example.kinds()
    finally:
        del sys._planted  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("path", "text", "complaint"),
    [
        ("proofs/reviews.toml", "[x", "not valid TOML"),
        ("proofs/reviews.toml", "[x]\nstatus = 'draft'\n", "broken record of x"),
        (
            "proofs/reviews.toml",
            "[x]\nauthor=''\ntex=''\nreadings=[{date='', who='', what='good'}]\n",
            "must be one of draft, vetted, amended",
        ),
        (
            "proofs/reviews.toml",
            "[x]\nauthor=''\ntex=''\nreadings=[{date='', who='', what='amended'}]\n",
            "broken record of x",
        ),
        ("proofs/trusted.toml", "trusted = 1", "must hold"),
        ("proofs/trusted.toml", "[[trusted]]\nreason = 'x'", "must hold"),
        ("proofs/trusted.toml", "[[trusted]]\nname = 'x'\nnote = 'y'", "must hold"),
        ("proofs/trusted.toml", "[[trusted]]\nname = 'x'\nmethods = 'y'", "must hold"),
        (
            "proofs/trusted.toml",
            "[[trusted]]\nname = 'x'\nassumptions = [3]",
            "must hold",
        ),
        (
            "proofs/trusted.toml",
            "[[trusted]]\nname = 'x'\n[[trusted]]\nname = 'x'",
            "names x twice",
        ),
        ("proofs/checks_x.py", "def f(:", "not valid Python"),
        ("scaling/multiplication.py", "import nothing_such  # constructor", "imported"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_sentence(
    example: Example, path: str, text: str, complaint: str
) -> None:
    example.write(path, text)
    with pytest.raises(ReviewError, match=complaint):
        example.problems()


# What is found only by a look at what the code of all proofs calls.
TOGETHER = {"proof-orphan", "proof-circular", "lemma-circular", "assumption"}


@pytest.mark.audit
def test_the_review_of_one_proof_is_that_part_of_the_whole_review() -> None:
    """For some proofs of the library, after labels and code of it were changed."""
    library = Library("opendp_lite")
    changed = {}
    for name in library.names:
        module = library.module(name)
        assert module is not None
        text = re.sub(r"return (\w+)$", r"return (\1, 1)", module.text, flags=re.M)
        text = text.replace("  # proof: scale", "  # the scale")
        changed[name] = Module(name, text, module.is_package)
    folder = Path(__file__).parents[3] / "proofs"
    project = Project("opendp_lite", folder, Library("opendp_lite", changed))
    whole = check(project)
    assert {"code-changed", "label-missing"} <= {problem.kind for problem in whole}
    for name in [*sorted(project.files)[::12], "measurements/make_snapping"]:
        alone = {str(problem) for problem in check(project, only=[name])}
        expected = [p for p in whole if p.proof == name and p.kind not in TOGETHER]
        assert alone == {str(problem) for problem in expected}


def test_a_public_sampler_may_stand_alone_and_a_private_one_may_not() -> None:
    samplers = Project("opendp_lite", Path(__file__).parents[3] / "proofs")
    tex = samplers.proofs["randomness/sample_uniform_below"]
    rests: dict[str, set[str]] = {name: set() for name in samplers.proofs}
    orphans = {problem.proof for problem in check_registry(samplers, rests)}
    assert tex.name not in orphans
    assert "randomness/locate" in orphans
