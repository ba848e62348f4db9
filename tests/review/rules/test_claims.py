"""A callee is covered by a claim that names it, or by a reason that does."""

from __future__ import annotations

import pytest

from tests.review.example import NAME, Example, only

QUOTE = "\\code{scaling.multiplication}{scaled_distance}\n"
STATED = r"\fn{scaled_distance}$(d,c)$ returns $\abs{c}d$, where $0\cdot\infty=0$."
EXTRA = (
    "class Number:\n"
    "    def doubled(self):\n        return 2\n"
    "    def tripled(self):\n        return 3\n"
)


def uncovered(example: Example) -> bool:
    return ("callee", NAME) in example.found()


# What a lemma states.


def quote_in_the_lemma_only(example: Example) -> None:
    example.edit(example.proof, QUOTE, "")
    example.edit(example.lemma, r"\section*{Statement}", QUOTE)


def test_a_lemma_that_quotes_a_callee_does_not_cover_it(example: Example) -> None:
    quote_in_the_lemma_only(example)
    problem = only(example.problems(), "callee", NAME)
    assert problem.detail == (
        "scaling.multiplication.scaled_distance, by make_multiply: "
        "lemmas/scaled-distance quotes it without stating it"
    )
    assert problem.fix == (
        r"Name it by \fn{scaled_distance} in the lemmastatement of "
        "lemmas/scaled-distance, with what it returns for which arguments, and cite "
        "the lemma."
    )


def test_a_lemma_that_states_a_callee_covers_it(example: Example) -> None:
    quote_in_the_lemma_only(example)
    example.edit(
        example.lemma, r"\end{lemmastatement}", STATED + r"\end{lemmastatement}"
    )
    assert not uncovered(example)
    assert ("premise-changed", NAME) in example.found()


@pytest.mark.parametrize(
    "words",
    [
        r"\fn{scaled_distances} is something else.",
        r"\fn{multiplication.scaled_distance} is a longer name.",
        r"\texttt{scaled\_distance} is not set as a name.",
        r"% \fn{scaled_distance} is a comment." + "\n",
    ],
)
def test_only_the_very_name_is_a_claim(example: Example, words: str) -> None:
    quote_in_the_lemma_only(example)
    example.edit(
        example.lemma, r"\end{lemmastatement}", words + r"\end{lemmastatement}"
    )
    assert uncovered(example)


def test_a_name_outside_of_the_statement_is_no_claim(example: Example) -> None:
    quote_in_the_lemma_only(example)
    example.edit(example.lemma, "Both sides", STATED + " Both sides")
    assert uncovered(example)


def test_a_statement_without_the_code_is_no_claim(example: Example) -> None:
    example.edit(example.proof, QUOTE, "")
    example.edit(
        example.lemma, r"\end{lemmastatement}", STATED + r"\end{lemmastatement}"
    )
    assert uncovered(example)


def test_a_lemma_that_is_not_cited_covers_nothing(example: Example) -> None:
    quote_in_the_lemma_only(example)
    example.edit(
        example.lemma, r"\end{lemmastatement}", STATED + r"\end{lemmastatement}"
    )
    example.edit(example.proof, r"By \lemma{scaled-distance},", "Clearly,")
    problem = only(example.problems(), "callee", NAME)
    assert problem.detail.endswith(
        "lemmas/scaled-distance states it, and is not cited here"
    )
    assert problem.fix == r"Use it by \lemma{scaled-distance}."


# What a proof states.


def write_number(example: Example, postcondition: str) -> None:
    example.write(
        "proofs/extra/Number.tex",
        r"\proofof{scaling.extra}{Number}\begin{document}\code{scaling.extra}{Number}"
        rf"\begin{{postcondition}}{postcondition}\end{{postcondition}}"
        r"\end{document}",
    )


def call_number(example: Example, call: str) -> None:
    example.write("scaling/extra.py", EXTRA)
    example.edit(example.code, "import math\n", "import math\nimport scaling.extra\n")
    example.edit(example.code, "abs(factor) * d_in", f"scaling.extra.{call}")


def test_a_proof_of_a_class_covers_its_making_and_what_it_names(
    example: Example,
) -> None:
    call_number(example, "Number.doubled()")
    assert uncovered(example)
    write_number(example, r"\validFunction{Number}{an object.}")
    problem = only(example.problems(), "callee", NAME)
    assert "extra/Number quotes it without stating it" in problem.detail
    assert r"\fn{Number.doubled} in the postcondition of extra/Number" in problem.fix
    stated = r"\validFunction{Number}{2 by \fn{Number.doubled}.}"
    write_number(example, stated)
    assert not uncovered(example)
    assert ("premise-changed", NAME) in example.found()
    example.edit(example.code, "Number.doubled()", "Number.tripled()")
    assert uncovered(example)
    example.edit(example.code, "Number.tripled()", "Number()")
    assert not uncovered(example)


def test_a_proof_without_a_postcondition_covers_nothing(example: Example) -> None:
    call_number(example, "Number()")
    write_number(example, "")
    assert uncovered(example)


def test_proofs_that_rest_on_each_other_are_found(example: Example) -> None:
    example.write(
        "scaling/extra.py",
        "def even(n):\n    return n == 0 or odd(n - 1)\n\n\n"
        "def odd(n):\n    return n != 0 and even(n - 1)\n",
    )
    for name in ("even", "odd"):
        text = example.read(example.proof).replace(QUOTE, "")
        text = text.replace("scaling.multiplication", "scaling.extra")
        example.write(f"proofs/extra/{name}.tex", text.replace("make_multiply", name))
    problems = example.problems()
    problem = only(problems, "proof-circular", "extra/even")
    assert "through extra/odd" in problem.message
    assert only(problems, "proof-circular", "extra/odd")


# What is trusted.

ENTRY = '\n[[trusted]]\nname = "scaling.extra.Number"\n'


def declare_doubled(example: Example) -> None:
    call_number(example, "Number")
    example.edit(example.code, "scaling.extra.Number", "d_in.doubled()")
    declared = r"\uses{scaling.extra}{Number.doubled}\subsection*{Postcondition}"
    example.edit(example.proof, r"\subsection*{Postcondition}", declared)


def trust(example: Example, entry: str) -> None:
    before = example.read(example.trusted).partition(ENTRY)[0]
    example.write(example.trusted, before + ENTRY + entry)


def test_an_attribute_must_be_covered_or_declared(example: Example) -> None:
    call_number(example, "Number")
    example.edit(example.code, "scaling.extra.Number", "d_in.doubled()")
    assert {"method", "code-changed"} == example.kinds()


def test_a_trusted_class_covers_only_the_methods_that_it_lists(
    example: Example,
) -> None:
    declare_doubled(example)
    assert {"callee", "code-changed", "text-changed"} == example.kinds()
    trust(example, 'reason = "It is doubled, and two."\n')
    problem = only(example.problems(), "callee", NAME)
    assert problem.detail.endswith("trusted.toml has its class, and does not list it")
    assert 'methods = ["doubled"]' in problem.fix
    trust(example, 'reason = "It is doubled, and two."\nmethods = ["doubled"]\n')
    assert {"code-changed", "text-changed"} == example.kinds()


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ('reason = "It is two."\nmethods = ["doubled"]', "the reason does not name"),
        ('reason = "It doubled1 is."\nmethods = ["doubled"]', "does not name"),
        ('reason = "halved doubled"\nmethods = ["doubled", "halved"]', "not define"),
        ('reason = "tripled doubled"\nmethods = ["doubled", "tripled"]', "no quoted"),
        ('reason = ""\nmethods = ["doubled"]', "gives no reason"),
    ],
)
def test_what_is_listed_is_there_and_used_and_has_a_reason(
    example: Example, entry: str, complaint: str
) -> None:
    declare_doubled(example)
    trust(example, entry + "\n")
    assert complaint in "".join(
        p.message for p in example.problems() if p.kind == "trusted"
    )
