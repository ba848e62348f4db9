"""The contracts of make_tradeoff_noise and make_user_tradeoff_noise."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import attrs
import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.exact.enclosures import exp, sqrt
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.normal import erfc
from opendp_lite.measurements.canonical.canonical_sampler import ApproximateTradeoff
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

LARGEST = 1.7976931348623157e308
FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
DOMAINS: list[Any] = [
    FLOATS[0],
    dp.atom_domain(T="f32", nan=False),
    dp.atom_domain(bounds=(-1.0, math.inf)),
    dp.atom_domain(T=Fraction),
]
INTS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
INTEGERS: list[Any] = [INTS[0], dp.atom_domain(T="u8"), dp.atom_domain(bounds=(-1, 9))]
DISTANCES = [0, Fraction(1, 10**30), 0.1, Fraction(1, 3), 1]
NOISY = st.sampled_from([1, 1.0, "7/3", Fraction(10**40), 1e300])


def halves(a: Fraction, precision: int) -> Any:
    """(epsilon, delta) with e^epsilon = 2 and delta = 1/8."""
    f = max(0, Fraction(7, 8) - 2 * a, (Fraction(7, 8) - a) / 2)
    return f, f


def thirds(a: Fraction, precision: int) -> Any:
    """e^epsilon = 3 and delta = 0, with values that are not quite known."""
    b = mpq(a)
    f, slack = max(1 - 3 * b, (1 - b) / 3), mpq(1, 2**precision)
    return f - slack, f + slack


BELLS = [dp.m.gaussian_tradeoff(mu) for mu in (1, "1/1000", 50)]
PEAKS: list[Any] = [dp.m.laplace_tradeoff(mu) for mu in (1, 0.1, 50)]
PEAKS += [ApproximateTradeoff(1, "1e-6")]
OWN = st.sampled_from(
    [dp.m.user_tradeoff(halves), dp.m.user_tradeoff(thirds, guess=0.25)]
)


def arguments(
    tradeoffs: Any, distances: Any, domains: Any = DOMAINS, metric: Any = FLOATS[1]
) -> Any:
    return st.fixed_dictionaries(
        {
            "input_domain": st.sampled_from(domains),
            "input_metric": st.just(metric),
            "d_in": distances,
            "tradeoff": tradeoffs,
        }
    )


def on(tradeoff: Any, d_in: Any = 1, **more: Any) -> dict[str, Any]:
    space = {"input_domain": FLOATS[0], "input_metric": FLOATS[1]}
    return {**space, "d_in": d_in, "tradeoff": tradeoff, **more}


def on_integers(tradeoff: Any, d_in: Any = 1) -> dict[str, Any]:
    return on(tradeoff, d_in, input_domain=INTS[0], input_metric=INTS[1])


def refusals(good: Any, bad: Any, other: str) -> list[Any]:
    texts = dp.atom_domain(T=str)
    return [
        (each, "MakeMeasurement", words)
        for each, words in [
            (on(good, -1), ["d_in=-1", "at least 0", "such as d_in=1.0"]),
            (on(good, math.nan), ["d_in=nan", "finite"]),
            (on(good, math.inf), ["d_in=inf", "finite"]),
            (on(good, "abc"), ["d_in='abc'", "such as"]),
            (on(good, None), ["d_in=None", "number"]),
            (on(good, True), ["d_in=True", "number"]),
            (on(bad), ["tradeoff", "must be a", other]),
            (on(None), ["tradeoff=None", "must be a", other]),
            (on(1.0), ["tradeoff=1.0", "must be a"]),
            (on(good, input_domain=None), ["input_domain=None", "of int, float"]),
            (on(good, input_domain=texts), ["input_domain", "of int, float"]),
            (
                on(good, input_domain=dp.vector_domain(FLOATS[0])),
                ["input_domain", "of int, float", "then_laplace"],
            ),
            (
                on(good, input_domain=dp.atom_domain(T=float)),
                ["input_domain", "NaN", "nan=False"],
            ),
            (on(good, input_metric=None), ["input_metric=None", "AbsoluteDistance"]),
            (
                on(good, input_metric=dp.l1_distance(T=float)),
                ["input_metric", "AbsoluteDistance"],
            ),
        ]
    ]


def limits(tradeoff: Any) -> list[Any]:
    return [
        (on(tradeoff, 0), 0.1, 0.1),
        (on(tradeoff, 0), -0.0, 0.0),
        (on(tradeoff, 0), math.inf, LARGEST),
        (on(tradeoff, 1), -math.inf, -LARGEST),
        (on(tradeoff, "1e-400"), 0.1, 0.1),
    ]


def gaussian_delta(epsilon: Any) -> Any:
    """The profile of mu = 1, as a function of the precision."""

    def enclose(precision: int) -> Enclosure:
        if epsilon == 1000:  # about e^(-500000), which is not computed
            return Enclosure(mpq(1, 2**2048), mpq(1, 2**2048))
        root = sqrt(mpq(1, 2), precision)
        gain, cost = (
            erfc((epsilon + shift) * root, precision) / 2
            for shift in (-mpq(1, 2), mpq(1, 2))
        )
        return gain - exp(epsilon, precision) * cost

    return enclose


CURVE_POINTS = (mpq(5, 4), 2, 10, 1000)
GAUSSIAN, MINE = dp.m.gaussian_tradeoff(1), dp.m.user_tradeoff(halves)
FEATURES = ("honest-but-curious",)

REFUSALS = refusals(GAUSSIAN, MINE, "make_user_tradeoff_noise")


def certificates(tradeoff: Any) -> list[Any]:
    """Almost every sum of these saturates, so that doubles can be enumerated.

    Sharp certificates on short floats are in tests/measurements.
    """
    return [
        (on(tradeoff, 10**320), -1e308, 1e308, 14),
        (on(tradeoff, 0), 0.0, -0.0, 4),
    ]


BELL = Contract(
    dp.m.make_tradeoff_noise,
    arguments(st.sampled_from(BELLS), NOISY),
    REFUSALS,
    certificates=certificates(GAUSSIAN),
    distances=DISTANCES,
    examples=1,
)

CONTRACTS = [
    BELL,
    Contract(
        dp.m.make_tradeoff_noise,
        arguments(st.sampled_from(PEAKS), NOISY),
        REFUSALS,
        certificates=certificates(PEAKS[0]),
        limits=limits(PEAKS[0]),
        distances=DISTANCES,
        examples=12,
    ),
    Contract(
        dp.m.make_tradeoff_noise,
        arguments(st.sampled_from(BELLS + PEAKS), st.sampled_from([0, 0.0, "0"])),
        REFUSALS,
        certificates=certificates(GAUSSIAN)[-1:],
        distances=[0],
        map_values=[
            (on(dp.m.laplace_tradeoff(1)), 0, (0, 0, 0, 0)),
            (on(dp.m.laplace_tradeoff(1)), 1, (0, 0, 0, 0)),
            (on(GAUSSIAN, 2), 1, tuple(map(gaussian_delta, CURVE_POINTS))),
        ],
        examples=5,
    ),
    Contract(
        dp.m.make_tradeoff_noise,
        arguments(st.sampled_from(PEAKS), NOISY, INTEGERS, INTS[1]),
        REFUSALS,
        certificates=[
            (on_integers(PEAKS[-1]), 0, 1, 16),
            (on_integers(ApproximateTradeoff(1, 1), "5/2"), 10**400, 10**400 + 2, 12),
            (on_integers(PEAKS[0], 0), 7, 7, 4),
        ],
        limits=[
            (on_integers(PEAKS[0], 0), 10**400 + 1, 10**400 + 1),
            (on_integers(PEAKS[0], 0), np.uint64(2**64 - 1), 2**64 - 1),
            (on_integers(PEAKS[0], "1e-400"), -(10**300) - 1, -(10**300) - 1),
        ],
        distances=[0, 1],
        examples=8,
    ),
    Contract(
        dp.m.make_user_tradeoff_noise,
        arguments(OWN, NOISY),
        refusals(MINE, GAUSSIAN, "make_tradeoff_noise"),
        certificates=certificates(MINE),
        limits=limits(MINE),
        distances=DISTANCES[::2],  # above 0 the map does not depend on them
        features=FEATURES,
        examples=4,
    ),
]


# Under words of bits five hundred normal quantiles take two seconds. What stays is the
# certificate of Laplace noise; that of short floats is in tests/measurements.
LONG = BELL.certificates[0]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, LONG))


@pytest.mark.audit
def test_more_of_the_gaussian() -> None:
    # Deep in the tails, and bit by bit, normal quantiles take long.
    verify.contract(attrs.evolve(BELL, examples=12, limits=limits(GAUSSIAN)))


@pytest.mark.audit
def test_more_of_what_users_write() -> None:
    verify.contract(attrs.evolve(CONTRACTS[-1], distances=DISTANCES, examples=12))
