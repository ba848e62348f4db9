"""The contract of make_select_private_candidate."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.exact.enclosures import exp
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
BOOLS = dp.atom_domain(T=bool), dp.discrete_distance()
PURE, APPROXIMATE = dp.max_divergence(), dp.approximate(dp.max_divergence())
LN2 = dp.m.make_randomized_response_bool("2/3").map(1, exact=True)
FEATURES = ("honest-but-curious",)
laplace = dp.m.make_laplace(*INTEGERS, scale=4)
sure = dp.m.make_laplace(*INTEGERS, scale=0)
twice = dp.c.make_composition([laplace, laplace])
exactly = dp.c.make_composition([sure, sure])


def scored(x: bool) -> tuple[int, str]:
    """A score of 2 or 3, with probability 3/4 for True and 1/2 for False, else 0."""
    high = random_bits(2) != 0 if x else random_bits(1) == 0
    return 2 * high + (random_bits(1) if high else 0), "candidate"


def scored_or_told(x: bool) -> Any:
    """As `scored`, but with probability 1/8 the truth."""
    return (1.5, bool(x)) if random_bits(3) == 0 else scored(x)


def once(d_in: int) -> Any:
    return LN2 if d_in else 0


def pair(d_in: int) -> Any:
    return (LN2, "1/8") if d_in else (0, 0)


def user(function: Any, measure: Any, privacy_map: Any, **TO: Any) -> dp.Measurement:
    dp.enable_features("honest-but-curious")
    try:
        return dp.m.make_user_measurement(*BOOLS, measure, function, privacy_map, **TO)
    finally:
        dp.disable_features("honest-but-curious")


scores = user(scored, PURE, once)
leaky = user(scored_or_told, APPROXIMATE, pair)
answering = user(scored, PURE, once, TO="Queryable")
planned = dp.c.make_adaptive_composition(*BOOLS, PURE, 1, [1])


def of(measurement: Any, stop: Any, threshold: Any) -> dict[str, Any]:
    return {
        "measurement": measurement,
        "stop_probability": stop,
        "threshold": threshold,
    }


def delta(epsilon: Any, d: Fraction, g: Fraction) -> Any:
    less, quotient = mpq(1 - g), mpq(d / g)
    return lambda precision: (exp(mpq(epsilon), precision) * less + 1) * quotient


CONTRACTS = [
    Contract(
        dp.c.make_select_private_candidate,
        st.sampled_from(
            [
                of(twice, 0.5, 0),
                of(twice, "1/3", "7/2"),
                of(twice, 1, -(10**30)),
                of(exactly, 0.25, 0),
                of(scores, 0, 2),
                of(scores, 0.5, 3.0),
                of(leaky, 0.5, 1.5),
                of(dp.c.make_approximate(twice), Fraction(1, 2), 1),
            ]
        ),
        [
            (of(None, 0.5, 0), "MakeMeasurement", ["measurement=None", "Measurement"]),
            (of(abs, 0.5, 0), "MakeMeasurement", ["measurement", "(score, candidate)"]),
            (of(answering, 0.5, 0), "MakeMeasurement", ["goes on answering"]),
            (of(planned, 0.5, 0), "MakeMeasurement", ["goes on answering"]),
            (
                of(dp.c.make_pureDP_to_zCDP(twice), 0.5, 0),
                "MeasureMismatch",
                ["ZeroConcentratedDivergence", "MaxDivergence", "make_fix_delta"],
            ),
            (of(twice, -0.1, 0), "MakeMeasurement", ["stop_probability=-0.1", "least"]),
            (of(twice, 1.5, 0), "MakeMeasurement", ["stop_probability=1.5", "most 1"]),
            (of(twice, math.nan, 0), "MakeMeasurement", ["stop_probability=nan"]),
            (of(twice, True, 0), "MakeMeasurement", ["stop_probability=True"]),
            (of(twice, None, 0), "MakeMeasurement", ["stop_probability=None"]),
            (of(leaky, 0, 0), "MakeMeasurement", ["stop_probability=0", "above 0"]),
            (of(twice, 0.5, math.nan), "MakeMeasurement", ["threshold=nan", "finite"]),
            (of(twice, 0.5, math.inf), "MakeMeasurement", ["threshold=inf", "finite"]),
            (of(twice, 0.5, None), "MakeMeasurement", ["threshold=None", "such as"]),
        ],
        certificates=[
            (of(scores, 1, 2), True, False, 8),
            (of(scores, 0.5, 2), True, False, 60),
            (of(scores, 0.25, 1), False, True, 60),
            (of(scores, 0, 2), True, False, 60),
            (of(leaky, 0.5, 1.5), True, False, 60),
            (of(leaky, 1, 3), True, False, 8),
        ],
        limits=[
            (of(exactly, 0.5, 7), 7, (7, 7)),
            (of(exactly, 1, 8), 7, None),
            (of(exactly, 0.5, "13/2"), 7, (7, 7)),
        ],
        map_values=[
            (of(twice, 0.5, 0), 1, 1),
            (of(twice, 0, 0), 3, 3),
            (of(exactly, 0, 0), 1, math.inf),
            (of(scores, 0.5, 0), 1, 2 * LN2),
            (
                of(leaky, "1/2", 0),
                1,
                (2 * LN2, delta(LN2, Fraction(1, 8), Fraction(1, 2))),
            ),
            (of(leaky, 1, 0), 1, (2 * LN2, Fraction(1, 8))),
            (of(leaky, 0.01, 0), 1, (2 * LN2, 1)),
            (of(dp.c.make_approximate(twice), 0.5, 1), 4, (4, 0)),
        ],
        data=lambda made: (
            st.integers(-3, 3) if made.input_domain == INTEGERS[0] else st.booleans()
        ),
        features=FEATURES,
    )
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
