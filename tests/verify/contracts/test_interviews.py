"""Contracts of releases that go on answering: faults are planted, and found."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.registry import constructor
from opendp_lite.exact.enclosures import ln
from opendp_lite.exact.intervals import upper_bound
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.verify import Contract, ContractBroken, contract

BOOLS = dp.atom_domain(T=bool), dp.discrete_distance()
LN3 = upper_bound(lambda precision: ln(to_mpq(3), precision), 64)


@constructor(status="draft")
def make_answering(questions: int, fault: str) -> Measurement:
    """Answer so many questions, each true with probability 3/4."""
    kept: list[Any] = []

    def function(x: bool) -> dp.Queryable:
        asked: list[Any] = []

        def answer(query: Any, internal: bool) -> Any:
            asked.append(query)
            if fault == "remembers":
                kept.append(query)
                return len(kept)
            if len(asked) > questions and fault != "never stops":
                return None
            if fault == "raises":
                raise ValueError("no answer")
            return bool(x) == (random_bits(2) != 0)

        return dp.new_queryable(answer)

    def privacy_map(d_in: Any) -> Any:
        return questions * LN3 if d_in else 0

    return Measurement(
        BOOLS[0],
        function,
        BOOLS[1],
        dp.max_divergence(),
        privacy_map,
        interactive=True,
    )


def interview(queryable: Any) -> list[Any]:
    return [queryable(i) for i in range(3)]


def run(fault: str, **terms: Any) -> None:
    arguments = {"questions": 2, "fault": fault}
    contract(
        Contract(
            make_answering,
            st.just(arguments),
            certificates=[(arguments, True, False, 8)],
            features=("contrib",),
            examples=3,
            **{"interview": interview, **terms},
        )
    )


def test_a_queryable_that_keeps_its_promise_passes() -> None:
    run("")


@pytest.mark.parametrize(
    ("fault", "rule"),
    [
        ("never stops", "privacy"),
        ("remembers", "members"),
        ("raises", "members"),
    ],
)
def test_a_planted_fault_is_found(fault: str, rule: str) -> None:
    with pytest.raises(ContractBroken, match=f"make_answering: {rule}"):
        run(fault)


def test_a_release_that_goes_on_answering_needs_an_interview() -> None:
    with pytest.raises(ContractBroken, match="not known what"):
        run("", interview=None)


def test_what_an_interview_does_not_ask_it_does_not_see() -> None:
    run("never stops", interview=lambda queryable: [queryable(0), queryable(1)])
