"""The contracts of make_adaptive_composition, of odometers and of privacy filters."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.sessions.session import Session
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
BOOLS = dp.atom_domain(T=bool), dp.discrete_distance()
ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
PURE, CONCENTRATED = dp.max_divergence(), dp.zero_concentrated_divergence()
APPROXIMATE, BOTH = dp.approximate(PURE), dp.approximate(CONCENTRATED)
RENYI = dp.renyi_divergence()


def space(domain: Any, metric: Any, measure: Any) -> dict[str, Any]:
    return {
        "input_domain": domain,
        "input_metric": metric,
        "output_measure": measure,
    }


def planned(of: Any, measure: Any, d_in: Any, shares: Any) -> dict[str, Any]:
    return {**space(*of, measure), "d_in": d_in, "d_mids": shares}


def odometer(of: Any, measure: Any) -> dp.Odometer:
    return dp.c.make_fully_adaptive_composition(*of, measure)


def limited(of: Any, measure: Any, d_in: Any, d_out: Any) -> dict[str, Any]:
    return {"odometer": odometer(of, measure), "d_in": d_in, "d_out": d_out}


def query(session: Session, much: bool) -> dp.Measurement:
    """A query that fits the sessions of this file, with more or with less noise."""
    domain, metric = session.input_space
    if domain == BOOLS[0]:
        made: Any = dp.m.make_randomized_response_bool("2/3" if much else "3/5")
    elif domain == ROWS[0]:
        made = ROWS >> dp.t.then_count() >> dp.m.then_laplace(scale=8 if much else 20)
    else:
        made = dp.m.make_laplace(domain, metric, 8 if much else 20)
    if session.output_measure in (CONCENTRATED, BOTH):
        made = dp.c.make_pureDP_to_zCDP(made)
    if session.output_measure in (APPROXIMATE, BOTH):
        made = dp.c.make_approximate(made)
    return made


def interview(session: Session) -> list[Any]:
    """Ask twice, the second time with a scale that the first answer chooses."""
    answers = [session(query(session, True))]
    answers.append(session(query(session, bool(answers[0]))))
    return [answers, session.remaining(), len(session.journal())]


ADAPTIVE = st.sampled_from(
    [
        planned(INTEGERS, PURE, 1, [0.25, 0.25]),
        planned(ROWS, PURE, 1, ["1/4", "1/4", "1/4"]),
        planned(BOOLS, PURE, 1, [0.75, 0.75]),
        planned(INTEGERS, CONCENTRATED, 1, [0.5, 0.5]),
        planned(INTEGERS, APPROXIMATE, 1, [(0.25, 0.5), [0.25, 0]]),
        planned(ROWS, BOTH, 1, [(0.25, 0.5), (0.25, 0)]),
    ]
)
WHERE: list[Any] = [
    ({"output_measure": "pure"}, "MeasureMismatch", ["output_measure", "Measure"]),
    ({"output_measure": RENYI}, "MeasureMismatch", ["RenyiDivergence", "add up"]),
    (
        {"output_measure": dp.smoothed_max_divergence()},
        "MeasureMismatch",
        ["SmoothedMaxDivergence", "add up"],
    ),
    ({"input_domain": 3}, "MetricSpace", ["input_domain"]),
    ({"input_metric": dp.symmetric_distance()}, "MetricSpace", ["SymmetricDistance"]),
]
GOOD = planned(INTEGERS, PURE, 1, [1])
REFUSALS: list[Any] = [({**GOOD, **bad}, *due) for bad, *due in WHERE] + [
    ({**GOOD, "d_mids": []}, "MakeMeasurement", ["d_mids=", "at least one", "such as"]),
    ({**GOOD, "d_mids": 1.0}, "MakeMeasurement", ["d_mids=1.0", "list", "such as"]),
    ({**GOOD, "d_mids": [1, -1]}, "InvalidDistance", ["d_mids[1]=-1", "at least 0"]),
    ({**GOOD, "d_mids": [float("nan")]}, "InvalidDistance", ["d_mids[0]"]),
    ({**GOOD, "d_mids": [True]}, "InvalidDistance", ["d_mids[0]=True"]),
    ({**GOOD, "d_mids": [(1, 0)]}, "InvalidDistance", ["d_mids[0]"]),
    ({**GOOD, "d_in": -1}, "InvalidDistance", ["d_in=-1"]),
    ({**GOOD, "d_in": None}, "InvalidDistance", ["d_in=None"]),
    (
        planned(INTEGERS, APPROXIMATE, 1, [1.0]),
        "InvalidDistance",
        ["d_mids[0]", "pair"],
    ),
    (
        planned(INTEGERS, APPROXIMATE, 1, [(1, 0.7), (1, 0.7)]),
        "MakeMeasurement",
        ["d_mids", "more than 1", "smaller"],
    ),
]
ASKED: Any = {"zero_at_zero": False, "interview": interview}

CONTRACTS = [
    Contract(
        dp.c.make_adaptive_composition,
        ADAPTIVE,
        REFUSALS,
        certificates=[
            (planned(BOOLS, PURE, 1, [0.75, 0.75]), True, False, 40),
            (planned(BOOLS, APPROXIMATE, 1, [(0.75, 0)] * 2), True, False, 40),
        ],
        map_values=[
            (planned(INTEGERS, PURE, 1, [0.3] * 10), 1, 3),
            (planned(INTEGERS, PURE, 2, [1, "1/3"]), 1, Fraction(4, 3)),
            (
                planned(INTEGERS, APPROXIMATE, 1, [(1, "0.5")] * 2),
                1,
                (2, 1),
            ),
        ],
        distances=[0, 1],
        examples=20,
        **ASKED,
    ),
    Contract(
        dp.c.make_fully_adaptive_composition,
        st.sampled_from(
            [
                space(*INTEGERS, PURE),
                space(*ROWS, APPROXIMATE),
                space(*BOOLS, CONCENTRATED),
                space(*INTEGERS, BOTH),
            ]
        ),
        [({**space(*INTEGERS, PURE), **bad}, *due) for bad, *due in WHERE],
        interview=interview,
        examples=12,
    ),
    Contract(
        dp.c.make_privacy_filter,
        st.sampled_from(
            [
                limited(INTEGERS, PURE, 1, 0.5),
                limited(ROWS, PURE, 1, "1/2"),
                limited(BOOLS, PURE, 1, 2),
                limited(INTEGERS, CONCENTRATED, 1, 1),
                limited(ROWS, APPROXIMATE, 1, (1, 1e-6)),
                limited(INTEGERS, BOTH, 1, (1, 0)),
            ]
        ),
        [
            (
                {**limited(INTEGERS, PURE, 1, 1), "odometer": INTEGERS[0]},
                "MakeMeasurement",
                ["odometer", "make_fully_adaptive_composition"],
            ),
            (limited(INTEGERS, PURE, -1, 1), "InvalidDistance", ["d_in=-1"]),
            (limited(INTEGERS, PURE, 1, -1), "InvalidDistance", ["d_out=-1"]),
            (limited(INTEGERS, PURE, 1, (1, 0)), "InvalidDistance", ["d_out"]),
            (limited(INTEGERS, APPROXIMATE, 1, 1), "InvalidDistance", ["pair"]),
            (limited(INTEGERS, APPROXIMATE, 1, (1, 2)), "InvalidDistance", ["d_out"]),
        ],
        certificates=[
            (limited(BOOLS, PURE, 1, "1.4"), True, False, 40),
            (limited(BOOLS, CONCENTRATED, 1, 1), True, False, 40),
        ],
        map_values=[
            (limited(INTEGERS, PURE, 3, 0.3), 3, Fraction(3, 10)),
            (limited(INTEGERS, BOTH, 1, (1, 1e-6)), 0, (1, Fraction(1, 10**6))),
        ],
        distances=[0, 1],
        examples=20,
        **ASKED,
    ),
]


# What stays: two queries that were planned, and a filter of concentrated losses.
LONG = [CONTRACTS[0].certificates[1], CONTRACTS[2].certificates[0]]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, *LONG, depth=24))
