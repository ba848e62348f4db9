"""The contracts of the conversions between measures."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.exact.enclosures import exp, expm1, ln
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

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
gauss = dp.m.make_gaussian(*INTEGERS, scale=1)
exactly_gauss = dp.m.make_gaussian(*INTEGERS, scale=0)
profiled, smoothed = dp.c.make_zCDP_to_approxDP, dp.c.make_fixed_approxDP_to_approxDP
fixed = dp.c.make_fix_delta
ladder = dp.c.make_RDP_to_approxDP


def of(measurement: Any) -> dict[str, Any]:
    return {"measurement": measurement}


def at(measurement: Any, delta: Any) -> dict[str, Any]:
    return {"measurement": measurement, "delta": delta}


def answer(x: bool) -> bool:
    """The truth with probability 3/4."""
    return bool(x) == (random_bits(2) != 0)


def curve_of_coin(d_in: Any) -> Any:
    """An upper bound of the Renyi divergences of `answer`."""
    return lambda order: order * d_in * Fraction(55, 100)


def pair_of_coin(d_in: Any) -> Any:
    return curve_of_coin(d_in), d_in * Fraction(1, 100)


def nothing_known(d_in: Any) -> Any:
    return lambda order: math.inf if d_in else 0


def own(measure: Any, privacy_map: Any) -> dp.Measurement:
    space = dp.atom_domain(T=bool), dp.discrete_distance()
    return dp.m.make_user_measurement(*space, measure, answer, privacy_map, TO=bool)


PURE = [third, exactly, half, real, every, count, coin, sure, both]
dp.enable_features("honest-but-curious")
CONCENTRATED = [*map(concentrated, PURE), gauss]
renyi = own(dp.renyi_divergence(), curve_of_coin)
flat = own(dp.renyi_divergence(), nothing_known)
renyi_pair = own(dp.approximate(dp.renyi_divergence()), pair_of_coin)
dp.disable_features("honest-but-curious")


keys = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int))
outside = dp.m.make_gaussian_threshold(
    keys, dp.l02inf_distance(dp.absolute_distance(T=int)), scale=1, threshold=5
)
mixed = dp.m.make_laplace_threshold(
    keys, dp.l01inf_distance(dp.absolute_distance(T=int)), scale=1, threshold=5
)

rho_third, rho_exactly, rho_coin = map(concentrated, (third, exactly, coin))
rho_sure, rho_both, rho_every = map(concentrated, (sure, both, every))
of_coin, of_pair = profiled(rho_coin), smoothed(approximate(coin))
sure_profile, of_part = smoothed(approximate(sure)), fixed(of_pair, "1/10")
rho_part = concentrated(of_part)
PROFILES = [
    *(of_coin, of_pair, sure_profile, profiled(outside), smoothed(mixed)),
    *(profiled(gauss), smoothed(approximate(real)), profiled(rho_every)),
]


def coin_loss(precision: int) -> Enclosure:
    return ln(to_mpq(3), precision)


def rho_of(epsilon: Any) -> Any:
    """An enclosure of epsilon tanh(epsilon / 2), as a function of the precision."""

    def enclose(precision: int) -> Enclosure:
        grown = expm1(epsilon, precision)
        return epsilon * (grown / (grown + 2))

    return enclose


def rho_of_coin(precision: int) -> Enclosure:
    """An enclosure of ln(3) tanh(ln(3) / 2), where the second factor is 1/2."""
    return ln(to_mpq(3), precision) * to_mpq("1/2")


def delta_of_pair(loss: Any, delta: Any, epsilon: Any) -> Any:
    """Enclose the delta at epsilon of a pair (loss, delta), where epsilon < loss."""

    def enclose(precision: int) -> Enclosure:
        top = exp(loss, precision)
        return (1 - delta) * ((top - exp(epsilon, precision)) / (top + 1)) + delta

    return enclose


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
        st.sampled_from([of(each) for each in (*PURE, gauss, exactly_gauss)]),
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
            (of(rho_coin), True, False, 4),
        ],
        limits=[(of(exactly), 5, 5), (of(rho_sure), False, False)],
        map_values=[
            (of(third), 2, (Fraction(2, 3), 0)),
            (of(exactly), 1, (math.inf, 0)),
            (of(rho_exactly), 1, (math.inf, 0)),
        ],
    ),
    Contract(
        concentrated,
        st.sampled_from(
            [*map(of, PURE), *(of(approximate(each)) for each in PURE), of(mixed)]
        ),
        [
            *not_measurements(),
            (
                of(rho_third),
                "MeasureMismatch",
                ["measurement", "ZeroConcentratedDivergence()", "a rho already"],
            ),
            (of(of_pair), "MeasureMismatch", ["SmoothedMaxDivergence()"]),
        ],
        certificates=[
            (of(coin), True, False, 4),
            (of(both), True, False, 8),
            (of(of_part), True, False, 4),
            # Small epsilon, where the bound is tightest.
            (of(dp.m.make_randomized_response_bool(prob=0.53125)), True, False, 6),
        ],
        limits=[(of(exactly), 5, 5), (of(sure), True, True)],
        map_values=[
            (of(third), 1, rho_of(to_mpq("1/3"))),
            (of(third), 6, rho_of(to_mpq(2))),
            (of(half), 1, rho_of(to_mpq(2))),
            (of(exactly), 1, math.inf),
            (of(exactly), 0, 0),
            (of(sure), 1, math.inf),
            (of(coin), 1, rho_of_coin),
            (of(approximate(coin)), 1, (rho_of_coin, 0)),
            (of(approximate(exactly)), 1, (math.inf, 0)),
        ],
    ),
    Contract(
        profiled,
        st.sampled_from(
            [
                *map(of, CONCENTRATED),
                *(of(approximate(each)) for each in CONCENTRATED),
                of(outside),
            ]
        ),
        [
            *not_measurements(),
            (of(third), "MeasureMismatch", ["MaxDivergence()", "make_pureDP_to_zCDP"]),
            (
                of(approximate(third)),
                "MeasureMismatch",
                ["measurement", "Approximate(MaxDivergence())"],
            ),
        ],
        certificates=[
            (of(rho_coin), True, False, 4),
            (of(approximate(rho_both)), True, False, 8),
            (of(rho_part), True, False, 4),
        ],
        limits=[(of(rho_exactly), 5, 5)],
        map_values=[
            (of(gauss), 0, (0, 0, 0, 0)),
            (of(rho_sure), 1, (1, 1, 1, 1)),
        ],
    ),
    Contract(
        ladder,
        st.sampled_from(
            [
                *(of(each) for each in (renyi, flat, renyi_pair)),
                {"measurement": renyi, "orders": [2, "5/2", 1.25, Fraction(7, 5)]},
                {"measurement": renyi_pair, "orders": (np.float64(3.5), 10**30)},
            ]
        ),
        [
            *not_measurements(),
            (of(gauss), "MeasureMismatch", ["Zero", "make_zCDP_to_approxDP"]),
            *(
                ({**of(renyi), "orders": bad}, "MakeMeasurement", ["orders=", *words])
                for bad, words in (
                    ([], ["at least one"]),
                    (2, ["must be a list"]),
                    ("2", ["must be a list"]),
                    ([2, 1], ["(2, 1)", "greater than 1"]),
                    ([2, -3], ["greater than 1"]),
                    ([2, math.inf], ["finite number"]),
                    ([math.nan], ["finite number"]),
                    ([True], ["finite number"]),
                    ([None], ["finite number"]),
                    (["x"], ["finite number", "such as orders="]),
                )
            ),
        ],
        certificates=[
            (of(renyi), True, False, 4),
            (of(renyi_pair), True, False, 4),
        ],
        map_values=[
            (of(renyi), 0, (0, 0, 0, 0)),
            (of(flat), 1, (1, 1, 1, 1)),
            (of(flat), 0, (0, 0, 0, 0)),
        ],
    ),
    Contract(
        smoothed,
        st.sampled_from(
            [*(of(approximate(each)) for each in PURE), of(mixed), of(of_part)]
        ),
        [
            *not_measurements(),
            (of(third), "MeasureMismatch", ["MaxDivergence()", "make_approximate"]),
            (
                of(approximate(gauss)),
                "MeasureMismatch",
                ["measurement", "Approximate(ZeroConcentratedDivergence())"],
            ),
        ],
        certificates=[
            (of(approximate(coin)), True, False, 4),
            (of(approximate(half)), 0, 1, 20),
            (of(of_part), True, False, 4),
        ],
        limits=[(of(approximate(exactly)), 5, 5)],
        map_values=[
            (of(approximate(third)), 3, (0, 0, 0, 0)),
            (
                of(approximate(third)),
                9,
                (
                    delta_of_pair(3, 0, to_mpq("5/4")),
                    delta_of_pair(3, 0, 2),
                    0,
                    0,
                ),
            ),
            (of(approximate(exactly)), 1, (1, 1, 1, 1)),
        ],
    ),
    Contract(
        fixed,
        st.sampled_from(
            [
                at(each, delta)
                for each in PROFILES
                for delta in (0, 1e-6, Fraction(1, 3), "1e-40", 1)
            ]
        ),
        [
            *(
                ({**bad, "delta": 1e-6}, variant, words)
                for bad, variant, words in not_measurements()
            ),
            (
                at(gauss, 1e-6),
                "MeasureMismatch",
                [
                    "measurement",
                    "ZeroConcentratedDivergence()",
                    "make_zCDP_to_approxDP",
                ],
            ),
            (at(PROFILES[0], -1), "MakeMeasurement", ["delta=-1", "at least 0"]),
            (at(PROFILES[0], 1.5), "MakeMeasurement", ["delta=1.5", "at most 1"]),
            (at(PROFILES[0], math.nan), "MakeMeasurement", ["delta=nan", "finite"]),
            (at(PROFILES[0], math.inf), "MakeMeasurement", ["delta=inf", "finite"]),
            (at(PROFILES[0], None), "MakeMeasurement", ["delta=None", "number"]),
            (at(PROFILES[0], True), "MakeMeasurement", ["delta=True", "number"]),
            (at(PROFILES[0], "x"), "MakeMeasurement", ["delta='x'", "such as 1e-9"]),
        ],
        certificates=[
            (at(of_coin, "1/10"), True, False, 4),
            (at(of_coin, 0), True, False, 4),
            (at(of_pair, "1/10"), True, False, 4),
        ],
        limits=[(at(sure_profile, 1e-6), True, True)],
        map_values=[
            (at(of_pair, 1), 1, (0, 1)),
            (at(of_pair, 0), 1, (coin_loss, 0)),
            (at(of_coin, 0), 1, (math.inf, 0)),
        ],
    ),
]


@pytest.fixture
def _curves_of_users() -> Iterator[None]:
    """Renyi curves come from users' measurements, which need this to be pickled."""
    dp.enable_features("honest-but-curious")
    yield
    dp.disable_features("honest-but-curious")


@pytest.mark.usefixtures("_curves_of_users")
@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, one_in=2))
