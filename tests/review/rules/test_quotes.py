"""A definition that two texts quote is reported, with the text that it belongs to."""

from __future__ import annotations

import pytest

from opendp_lite.review import check
from tests.review.example import LEMMA, NAME, Example, only
from tests.review.rules.test_claims import QUOTE, STATED, call_number, write_number

KIND = "quoted-twice"
HERE = r"\section*{Statement}"


def found(example: Example) -> set[str]:
    return {problem.proof for problem in example.problems() if problem.kind == KIND}


def line_of(example: Example, path: str, text: str) -> int:
    before = example.read(path).partition(text)[0]
    return before.count("\n") + 1


def test_the_example_quotes_everything_once(example: Example) -> None:
    assert not found(example)


def test_what_a_lemma_quotes_too_is_to_be_stated_there(example: Example) -> None:
    example.edit(example.lemma, HERE, QUOTE + HERE)
    problem = only(example.problems(), KIND, NAME)
    line = line_of(example, example.proof, QUOTE)
    assert problem.message == (
        f"line {line} quotes scaled_distance, and {LEMMA} quotes it too."
    )
    assert problem.fix == (
        r"Remove \code{scaling.multiplication}{scaled_distance} here, name it by "
        rf"\fn{{scaled_distance}} in the lemmastatement of {LEMMA}, with what it "
        "returns for which arguments, and cite that."
    )
    assert found(example) == {NAME}
    example.edit(example.proof, QUOTE, "")
    assert not found(example)


@pytest.mark.parametrize(
    ("statement", "cited"),
    [
        (STATED, r"\lemma{scaled-distance}"),
        (
            r"\begin{parts}\item Nothing.\item " + STATED + r"\end{parts}",
            r"\lemma{scaled-distance}~(b)",
        ),
    ],
)
def test_what_a_lemma_states_is_to_be_cited_by_its_part(
    example: Example, statement: str, cited: str
) -> None:
    end = r"\end{lemmastatement}"
    example.edit(example.lemma, HERE, QUOTE + HERE)
    example.edit(example.lemma, end, statement + end)
    problem = only(example.problems(), KIND, NAME)
    assert problem.message.endswith(f" quotes scaled_distance, and {LEMMA} states it.")
    assert problem.fix == (
        r"Remove \code{scaling.multiplication}{scaled_distance} here, and cite "
        f"{cited} for what it does."
    )
    example.edit(example.proof, QUOTE, "")
    assert not found(example)


def test_a_subject_belongs_to_its_proof(example: Example) -> None:
    quote = "\\code{scaling.multiplication}{make_multiply}\n"
    example.edit(example.lemma, HERE, quote + HERE)
    problem = only(example.problems(), KIND, LEMMA)
    assert problem.message.endswith(f" quotes make_multiply, and {NAME} states it.")
    assert problem.fix.endswith(f"and cite the proof {NAME} for what it does.")
    assert found(example) == {LEMMA}


def test_a_method_is_quoted_where_its_class_is(example: Example) -> None:
    call_number(example, "Number.doubled()")
    stated = r"\validFunction{Number}{2 by \fn{Number.doubled}.}"
    write_number(example, stated)
    assert not found(example)
    quote = "\\code{scaling.extra}{Number.doubled}\n"
    example.edit(example.proof, QUOTE, QUOTE + quote)
    problem = only(example.problems(), KIND, NAME)
    assert problem.message.endswith(" Number.doubled, and extra/Number states it.")
    assert problem.fix.startswith(r"Remove \code{scaling.extra}{Number.doubled} here, ")
    example.edit(example.proof, quote, "\\code{scaling.extra}{Number.tripled}\n")
    problem = only(example.problems(), KIND, NAME)
    assert problem.message.endswith(" Number.tripled, and extra/Number quotes it too.")


def test_a_class_is_no_way_to_quote_a_method_again(example: Example) -> None:
    call_number(example, "Number.doubled()")
    end = r"\end{lemmastatement}"
    example.edit(example.lemma, HERE, "\\code{scaling.extra}{Number.doubled}\n" + HERE)
    example.edit(example.lemma, end, r"\fn{Number.doubled} returns 2." + end)
    example.edit(example.proof, QUOTE, QUOTE + "\\code{scaling.extra}{Number}\n")
    problem = only(example.problems(), KIND, NAME)
    assert problem.message.endswith(
        f" quotes Number, with Number.doubled in it, and {LEMMA} states it."
    )
    assert problem.fix == (
        r"Remove \code{scaling.extra}{Number} here, quote the rest of the class by its "
        r"methods, and cite \lemma{scaled-distance} for what it does."
    )


def test_one_proof_is_told_of_its_own_quotes_only(example: Example) -> None:
    example.edit(example.lemma, HERE, QUOTE + HERE)
    kinds = {
        name: {problem.kind for problem in check(example.project(), only=[name])}
        for name in (NAME, LEMMA)
    }
    assert KIND in kinds[NAME]
    assert KIND not in kinds[LEMMA]
