"""The contract of make_composition."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.exact.enclosures import expm1
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
LISTS = dp.vector_domain(INTEGERS[0]), dp.l1_distance(T=int)

third = dp.m.make_laplace(*INTEGERS, scale=3)
quarter = dp.m.make_laplace(*INTEGERS, scale="1/4")
narrow = dp.m.make_laplace(*INTEGERS, scale="1/3")
exactly = dp.m.make_laplace(*INTEGERS, scale=0)
real = dp.m.make_laplace(*FLOATS, scale=0.5)
on_grid = dp.m.make_laplace(*FLOATS, scale=1, k=0)
every = dp.m.make_laplace(*LISTS, scale=2)
count = ROWS >> dp.t.then_count() >> dp.m.then_laplace(scale=2)
total = ROWS >> dp.t.then_clamp((0, 4)) >> dp.t.then_sum() >> dp.m.then_laplace(scale=8)
coin = dp.m.make_randomized_response_bool(prob=0.75)
fair = dp.m.make_randomized_response_bool(prob=0.5)
gauss, spread = (dp.m.make_gaussian(*INTEGERS, scale=scale) for scale in (1, 3))
planned = dp.c.make_adaptive_composition(*INTEGERS, dp.max_divergence(), 1, [1])
approximate = dp.c.make_approximate


def concentrated(measurement: dp.Measurement) -> dp.Measurement:
    return dp.c.make_pureDP_to_zCDP(measurement)


def leak(x: bool) -> Any:
    """The truth with probability 1/4, and nothing otherwise: (0, 1/4)-private."""
    return bool(x) if random_bits(2) == 0 else None


def quarter_delta(d_in: int) -> Any:
    return (0, 0) if d_in == 0 else (0, "1/4")


def answer(x: bool) -> bool:
    """The truth with probability 3/4."""
    return bool(x) == (random_bits(2) != 0)


def curve(d_in: Any) -> Any:
    return lambda alpha: 0


def user(measure: Any, function: Any, privacy_map: Any, **TO: Any) -> dp.Measurement:
    dp.enable_features("honest-but-curious")
    try:
        return dp.m.make_user_measurement(
            dp.atom_domain(T=bool),
            dp.discrete_distance(),
            measure,
            function,
            privacy_map,
            **TO,
        )
    finally:
        dp.disable_features("honest-but-curious")


leaky = user(dp.approximate(dp.max_divergence()), leak, quarter_delta)
leaky_concentrated = user(
    dp.approximate(dp.zero_concentrated_divergence()), leak, quarter_delta
)
dp.enable_features("honest-but-curious")
amplified = dp.c.make_population_amplification(
    (dp.vector_domain(INTEGERS[0], size=2), dp.symmetric_distance())
    >> dp.t.then_count()
    >> dp.m.then_laplace(scale=1),
    population_size=3,
)
dp.disable_features("honest-but-curious")
renyi = user(dp.renyi_divergence(), answer, curve)


def both_rhos(precision: int) -> Enclosure:
    """The sum of epsilon tanh(epsilon / 2) for the epsilons 1/3 and 4."""
    grown = [(loss, expm1(loss, precision)) for loss in (mpq(1, 3), mpq(4))]
    one, two = (loss * (each / (each + 2)) for loss, each in grown)
    return one + two


def of(*measurements: Any) -> dict[str, Any]:
    return {"measurements": list(measurements)}


REFUSALS: list[Any] = [
    (of(), "MakeMeasurement", ["measurements", "at least one", "such as"]),
    ({"measurements": third}, "MakeMeasurement", ["measurements", "list", "such as"]),
    ({"measurements": None}, "MakeMeasurement", ["measurements=None", "list"]),
    ({"measurements": "ab"}, "MakeMeasurement", ["measurements=<str>", "list"]),
    (
        {"measurements": iter([third])},
        "MakeMeasurement",
        ["measurements", "must be a list"],
    ),
    (
        of(third, 5),
        "MakeMeasurement",
        ["measurements[1]=<int>", "Measurement, not a int"],
    ),
    (of(abs), "MakeMeasurement", ["measurements[0]", "must be a Measurement"]),
    (
        of(third, dp.m.then_laplace(scale=1)),
        "MakeMeasurement",
        ["measurements[1]", "not a Partial", "space >> then_"],
    ),
    (
        of(count, dp.t.make_count(*ROWS)),
        "MakeMeasurement",
        ["measurements[1]", "not a Transformation"],
    ),
    (of([third]), "MakeMeasurement", ["measurements[0]", "not a tuple"]),
    (of(third, real), "DomainMismatch", ["measurements[1]", "T=int", "T=float"]),
    (
        of(third, third, dp.m.make_laplace(dp.atom_domain(T="u8"), INTEGERS[1], 1)),
        "DomainMismatch",
        ["measurements[2]", "measurements[0]", "one space"],
    ),
    (
        of(
            count,
            (ROWS[0], dp.hamming_distance())
            >> dp.t.then_count()
            >> dp.m.then_laplace(scale=2),
        ),
        "MetricMismatch",
        ["measurements[1]", "HammingDistance", "SymmetricDistance"],
    ),
    (
        of(third, gauss),
        "MeasureMismatch",
        ["measurements[1]", "ZeroConcentratedDivergence", "make_pureDP_to_zCDP"],
    ),
    (
        of(approximate(third), third),
        "MeasureMismatch",
        ["measurements[1]", "Approximate(MaxDivergence())", "make_approximate"],
    ),
    (
        of(third, planned),
        "MakeMeasurement",
        ["measurements[1]", "goes on answering", "make_adaptive_composition"],
    ),
    (
        of(user(dp.max_divergence(), abs, lambda d_in: 1, TO="Queryable")),
        "MakeMeasurement",
        ["measurements[0]", "goes on answering"],
    ),
    (of(amplified), "MakeMeasurement", ["measurements[0]", "amplify the whole"]),
    (of(renyi), "MeasureMismatch", ["output_measure", "RenyiDivergence", "add up"]),
]

MADE = st.sampled_from(
    [
        of(third),
        of(third, third, third),
        of(third, exactly, quarter),
        of(real, on_grid),
        of(every, every),
        of(count, total),
        of(coin, fair, coin),
        of(dp.c.make_composition([third, quarter]), third),
        of(dp.c.make_composition([third, quarter]), third),
        of(gauss, spread, gauss),
        of(approximate(count), approximate(total)),
        of(approximate(gauss), approximate(dp.m.make_gaussian(*INTEGERS, scale=0))),
        {"measurements": (third, quarter)},
    ]
)
CERTIFICATES: list[Any] = [
    (of(coin), True, False, 4),
    (of(coin, coin, coin), True, False, 8),
    (of(coin, fair), True, False, 8),
    (of(concentrated(coin), concentrated(coin)), True, False, 8),
    (of(approximate(coin), approximate(coin)), True, False, 8),
]
LIMITS: list[Any] = [
    (of(exactly, exactly), 7, [7, 7]),
    (of(exactly, exactly), 10**20, [10**20, 10**20]),
    (of(dp.m.make_laplace(*LISTS, scale=0), every), [], [[], []]),
]
MAPS: list[Any] = [
    (of(third, third, third), 1, 1),
    (of(*[dp.m.make_laplace(*INTEGERS, scale=10)] * 10), 1, 1),
    (of(third, quarter), 3, 13),
    (of(third, exactly), 1, math.inf),
    (of(third, exactly), 0, 0),
    (of(count, total), 1, 1),
    (of(concentrated(third), concentrated(quarter)), 1, both_rhos),
    (of(gauss, spread), 1, Fraction(5, 9)),
    (of(approximate(third), approximate(exactly)), 1, (math.inf, 0)),
    (of(*[approximate(third)] * 3), 1, (1, 0)),
]

CONTRACTS = [
    Contract(
        dp.c.make_composition,
        MADE,
        REFUSALS,
        certificates=CERTIFICATES,
        limits=LIMITS,
        map_values=MAPS,
        examples=60,
    ),
    Contract(
        dp.c.make_composition,
        st.sampled_from(
            [
                of(*[leaky] * 5),
                of(leaky, approximate(coin)),
                of(leaky_concentrated, approximate(concentrated(coin))),
            ]
        ),
        REFUSALS,
        certificates=[
            (of(leaky), True, False, 4),
            (of(leaky, leaky), True, False, 8),
            (of(leaky, approximate(coin)), False, True, 8),
        ],
        map_values=[
            (of(leaky, leaky), 1, (0, Fraction(1, 2))),
            (of(*[leaky] * 4), 1, (0, 1)),
            # A fifth leak cannot be worse than certain.
            (of(*[leaky] * 5), 1, (0, 1)),
        ],
        # The components are the user's own: making them again needs the feature.
        pickles=False,
        examples=20,
    ),
    Contract(
        dp.c.make_composition,
        st.just(of(narrow, narrow)),
        REFUSALS,
        certificates=[(of(narrow, narrow), 1, 0, 26)],
        runs=4000,  # two draws take twice the bits of one
        examples=5,
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, one_in=2))
