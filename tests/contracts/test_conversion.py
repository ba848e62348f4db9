"""The contracts of make_approximate and make_pureDP_to_zCDP."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.exact.enclosures import ln
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.verify import Contract

INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
LISTS = dp.vector_domain(FLOATS[0]), dp.l1_distance(T=float)

third = dp.m.make_laplace(*INTEGERS, scale=3)
exactly = dp.m.make_laplace(*INTEGERS, scale=0)
half = dp.m.make_laplace(*INTEGERS, scale="1/2")
real = dp.m.make_laplace(*FLOATS, scale=0.1)
every = dp.m.make_laplace(*LISTS, scale=2)
count = ROWS >> dp.t.then_count() >> dp.m.then_laplace(scale=2)
coin = dp.m.make_randomized_response_bool(prob=0.75)
sure = dp.m.make_randomized_response_bool(prob=1)
approximate, concentrated = dp.c.make_approximate, dp.c.make_pureDP_to_zCDP
both = dp.c.make_composition([coin, coin])


def of(measurement: Any) -> dict[str, Any]:
    return {"measurement": measurement}


PURE = [third, exactly, half, real, every, count, coin, sure, both]


def odds_squared(precision: int) -> Any:
    """An enclosure of ln(3)^2 / 2."""
    logarithm = ln(to_mpq(3), precision)
    return to_mpq("1/2") * (logarithm * logarithm)


def not_measurements() -> list[Any]:
    return [
        (of(None), "MakeMeasurement", ["measurement=None", "must be a Measurement"]),
        (of(abs), "MakeMeasurement", ["measurement", "such as space >>"]),
        (of([third]), "MakeMeasurement", ["measurement", "must be a Measurement"]),
        (of(dp.t.make_count(*ROWS)), "MakeMeasurement", "must be a Measurement"),
        (of(dp.m.then_laplace(1)), "MakeMeasurement", "must be a Measurement"),
    ]


CONTRACTS = [
    Contract(
        approximate,
        st.sampled_from([*map(of, PURE), *(of(concentrated(each)) for each in PURE)]),
        [
            *not_measurements(),
            (
                of(approximate(third)),
                "MeasureMismatch",
                ["measurement", "Approximate(MaxDivergence())", "pair already"],
            ),
        ],
        certificates=[
            (of(coin), True, False, 4),
            (of(half), 0, 1, 20),
            (of(concentrated(coin)), True, False, 4),
        ],
        limits=[(of(exactly), 5, 5), (of(concentrated(sure)), False, False)],
        map_values=[
            (of(third), 2, (Fraction(2, 3), 0)),
            (of(exactly), 1, (math.inf, 0)),
            (of(concentrated(third)), 2, (Fraction(2, 9), 0)),
        ],
    ),
    Contract(
        concentrated,
        st.sampled_from([of(each) for each in PURE]),
        [
            *not_measurements(),
            (
                of(approximate(third)),
                "MeasureMismatch",
                ["measurement", "Approximate(MaxDivergence())", "afterwards"],
            ),
            (
                of(concentrated(third)),
                "MeasureMismatch",
                ["measurement", "ZeroConcentratedDivergence()", "not MaxDivergence"],
            ),
        ],
        certificates=[
            (of(coin), True, False, 4),
            (of(both), True, False, 8),
            # Small epsilon, where the bound is tightest.
            (of(dp.m.make_randomized_response_bool(prob=0.53125)), True, False, 6),
        ],
        limits=[(of(exactly), 5, 5), (of(sure), True, True)],
        map_values=[
            (of(third), 1, Fraction(1, 18)),
            (of(third), 6, 2),
            (of(half), 1, 2),
            (of(exactly), 1, math.inf),
            (of(exactly), 0, 0),
            (of(sure), 1, math.inf),
            (of(coin), 1, odds_squared),
        ],
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(terms)
