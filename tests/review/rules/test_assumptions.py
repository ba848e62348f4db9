"""A proof names the assumptions under which it holds, wherever they come in."""

from __future__ import annotations

import pytest

from opendp_lite.review.project import Project
from opendp_lite.review.rules.callees import Callees
from opendp_lite.review.rules.trust import check_assumptions
from tests.review.example import (
    LEMMA,
    NAME,
    PACKAGE,
    Example,
    only,
    own_callees,
    with_text,
)


def assume(example: Example, assumptions: str) -> None:
    text = example.read(example.trusted).replace(
        'sees no data."\n', f'sees no data."\nassumptions = [{assumptions}]\n'
    )
    example.write(example.trusted, text)


def test_an_assumption_must_be_named(example: Example) -> None:
    assume(example, '"A1", "A2"')
    problems = [p for p in example.problems() if p.kind == "assumption"]
    assert [p.proof for p in problems] == [NAME, NAME]
    assert problems[0].message == (
        "its code reaches scaling.multiplication.refusal, of which (A1) is assumed, "
        "and the text does not say so."
    )
    example.edit(example.proof, "The constructor sees", "By (A1) the constructor sees")
    problem = only(example.problems(), "assumption", NAME)
    assert "(A2)" in problem.message


def test_an_assumption_is_followed_through_what_is_rested_on(example: Example) -> None:
    # The proof rests on a lemma, whose code calls what something is assumed of.
    code, quote = "return abs(factor) * d_in", f"\\code{{{PACKAGE}.multiplication}}"
    example.edit(example.code, code, f"refusal('', '')\n    {code}")
    example.edit(example.proof, f"{quote}{{scaled_distance}}\n", "")
    example.edit(
        example.lemma,
        r"\end{lemmastatement}",
        r"\fn{scaled_distance} returns $\abs{c}d$.\end{lemmastatement}"
        f"{quote}{{scaled_distance}}",
    )
    text = example.read(example.code)
    for rule in ("atom_domain(T=int)", "absolute_distance(T=int)", "an int"):
        start = text.index("raise refusal(", text.index("def make_multiply"))
        end = text.index("\n", start)
        assert rule in text[start:end]
        text = text[:start] + "raise ValueError" + text[end:]
    example.write(example.code, text)
    assume(example, '"A1"')
    problem = only(example.problems(), "assumption", NAME)
    assert f"refusal through {LEMMA}, of which (A1)" in problem.message


# The library: (E3) is about the stream of AES, from which arrays are drawn.


def of_the_library(callees: Callees) -> Said:
    project = callees.project
    return {
        (problem.proof, name)
        for problem in check_assumptions(project, callees.rests, callees.trusts)
        for name in ("E1", "E2", "E3")
        if f"({name})" in problem.message
    }


@pytest.fixture(scope="module")
def already() -> Said:
    """What is not said before anything is taken out."""
    return of_the_library(own_callees())


Said = set[tuple[str, str]]
BULK = [
    "measurements/make_geometric",
    "measurements/make_private_quantile",
    "measurements/make_randomized_response_column",
    "measurements/make_snapping",
    "randomness/LaneBits",
    "randomness/add_discrete",
    "randomness/run_lanes",
    "measurements/sample_exponential_mechanism",
]
SINGLE = ["randomness/locate", "measurements/make_randomized_response"]


@pytest.fixture(scope="module")
def silent(library: Project) -> Said:
    """What is not said when each of these proofs says nothing of its assumption.

    They are silent all at once: what one must say depends on no other's words.
    """
    for proof in BULK:
        library = with_text(library, proof, "(E3)", "(E0)")
    for proof in SINGLE:
        for name in ("E1", "E2"):
            library = with_text(library, proof, f"({name})", "(E0)")
    callees = Callees(library)
    callees.check()
    return of_the_library(callees)


@pytest.mark.parametrize("proof", BULK)
def test_a_proof_that_reaches_the_bulk_stream_says_so(
    already: Said, silent: Said, proof: str
) -> None:
    assert (proof, "E3") in silent - already


def test_a_proof_that_reaches_bits_of_the_system_says_so(
    already: Said, silent: Said
) -> None:
    for proof in SINGLE:
        for name in ("E1", "E2"):
            assert (proof, name) in silent - already


def test_every_source_of_bits_carries_its_assumption(library: Project) -> None:
    entropy = "opendp_lite.randomness.entropy"
    assumed = {
        name.removeprefix(f"{entropy}."): entry.assumptions
        for name, entry in library.trusted.items()
        if name.startswith(entropy)
    }
    assert assumed == {
        "BitSource": (),
        "BulkBits": ("E3",),
        "bulk": ("E3",),
        "granularity": ("E2",),
        "random_bits": ("E1",),
        "random_parts": ("E1", "E2"),
        "random_rows": ("E1", "E2"),
    }
