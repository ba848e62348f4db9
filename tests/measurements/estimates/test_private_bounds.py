from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.measurements.estimates import private_bounds
from opendp_lite.testing import state_flakiness
from tests.longer import shortened
from tests.rows import for_each

PURE, CONCENTRATED = dp.max_divergence(), dp.zero_concentrated_divergence()
SYMMETRIC = dp.symmetric_distance()


pytestmark = pytest.mark.usefixtures("contrib")


def made(T: Any, scale: Any = 0, **more: Any) -> Any:
    """The measurement; without noise, if nothing else is said."""
    atom = (
        dp.atom_domain(T=T, nan=False) if T in (float, "f32") else dp.atom_domain(T=T)
    )
    measure = more.pop("measure", PURE)
    domain = dp.vector_domain(atom)
    return dp.m.make_private_bounds(domain, SYMMETRIC, measure, scale, **more)


def expected(rows: list[Any], i: int, j: int) -> tuple[Any, Any]:
    """By the definition: the powers of two around the extremes, at most 2^j in size."""
    powers = [mpq(2) ** e for e in range(i, j + 1)]
    ends: list[Any] = [*(-each for each in reversed(powers)), mpq(0), *powers]

    def around(x: Any) -> tuple[Any, Any]:
        if x < ends[0]:
            return ends[0], ends[1]
        if x >= ends[-1]:
            return ends[-2], ends[-1]
        return max(e for e in ends if e <= x), min(e for e in ends if x < e)

    return around(min(rows))[0], around(max(rows))[1]


@for_each(
    ("T", "exponents", "rows"),
    [
        (int, (0, 63), [5]),
        (int, (0, 63), [-(2**63), 2**63 - 1]),
        (int, (0, 63), [0, 1, 2, 3]),
        (int, (0, 63), [-1]),
        (int, (0, 63), [10**30]),
        (int, (0, 63), [-(10**30)]),
        (int, (2, 2), [-4, -5]),
        (float, (-32, 63), [0.1, 70.5]),
        (float, (-32, 63), [-0.0]),
        (float, (-32, 63), [-5e-324, 5e-324]),
        (float, (-32, 63), [math.inf]),
        (float, (-32, 63), [-math.inf, math.inf]),
        (float, (-3, 3), [8.0]),
        (float, (-3, 3), [7.999999]),
        ("f32", (-32, 63), [0.25]),
        (Fraction, (-32, 63), [Fraction(1, 3)]),
    ],
)
def test_without_noise_they_are_powers_of_two_around_the_rows(
    T: Any, exponents: Any, rows: list[Any]
) -> None:
    measured = made(T, exponents=exponents)
    lower, upper = measured(rows)
    assert (lower, upper) == expected(rows, *exponents)
    assert lower < upper
    kind: Any = {int: int, Fraction: Fraction}.get(T, float)
    assert type(lower) is type(upper) is kind
    if kind is not Fraction and all(abs(x) < 2**63 for x in rows):
        assert measured(np.array(rows)) == (lower, upper)
    # They are what then_clamp takes.
    clamped = dp.t.make_clamp(measured.input_domain, SYMMETRIC, (lower, upper))
    assert all(lower <= x <= upper for x in clamped(rows))


@for_each("measure", [PURE, CONCENTRATED], ids=repr)
@for_each("scale", [0, "1/3", 1, 10, 1000])
def test_the_threshold_is_exceeded_with_no_more_than_its_probability(
    measure: Any, scale: Any
) -> None:
    """P(|Z| > t) <= alpha / bins, and t - 2 would be too little."""
    gaussian, bins, s = measure == CONCENTRATED, 130, float(Fraction(scale))
    t = private_bounds._threshold(mpq(scale), 0.01, bins, gaussian)

    def tail(t: int) -> float:
        if s == 0:
            return 0.0
        reach = range(-int(60 * s) - 60, int(60 * s) + 61)
        weight = [
            math.exp(-z * z / (2 * s * s) if gaussian else -abs(z) / s) for z in reach
        ]
        beyond = [w for z, w in zip(reach, weight, strict=True) if abs(z) > t]
        return math.fsum(beyond) / math.fsum(weight)

    assert tail(t) <= 0.01 / bins * (1 + 1e-9)
    assert s == 0 or t < 2 or tail(t - 2) > 0.01 / bins


def exceeds(k: int, gaussian: bool, precision: int) -> Enclosure:
    """P(Z >= k) for noise of scale 1/4, from the weights e^(-8 z^2) or e^(-4 |z|)."""
    if k <= 0:
        return 1 - exceeds(1 - k, gaussian, precision)
    if not gaussian:
        q = exp(mpq(-4), precision)
        return exp(mpq(-4 * k), precision) / (1 + q)
    most = k + math.isqrt(precision)
    # What is left out is a geometric series at most, and far below 2^-precision.
    rest = Enclosure(0, mpq(1, 2**precision))
    weights = [exp(mpq(-8 * z * z), precision) for z in range(1, most)]
    return sum(weights[k - 1 :], rest) / (1 + 2 * sum(weights, rest))


def stated(
    counts: list[int], t: int, gaussian: bool
) -> Callable[[Any], Callable[[int], Enclosure]]:
    """The law of the release where the edges are -1, 0 and 1, by all sets of bins."""
    outer = {0: (-1, 0), 1: (-1, 0), 2: (0, 1), 3: (0, 1)}

    def law(release: Any) -> Callable[[int], Enclosure]:
        def enclose(precision: int) -> Enclosure:
            chances = [exceeds(t + 1 - h, gaussian, precision) for h in counts]
            total = Enclosure(0, 0)
            for chosen in product([False, True], repeat=4):
                bins = [r for r, taken in enumerate(chosen) if taken]
                pair = (outer[bins[0]][0], outer[bins[-1]][1]) if bins else (-1, 1)
                if pair == release:
                    mass = Enclosure(1, 1)
                    for chance, taken in zip(chances, chosen, strict=True):
                        mass = mass * (chance if taken else 1 - chance)
                    total = total + mass
            return total

        return enclose

    return law


LAWS: list[tuple[Any, str, int, int, str, int]] = [
    (PURE, "1/2", 0, 36, "1/300", 20_000),
    (PURE, "1/20", 1, 36, "1/300", 20_000),
    (CONCENTRATED, "1/20", 1, 50, "1/3000", 20_000),
    # The same with fewer runs, which leave more of the mass open.
    (PURE, "1/20", 1, 36, "1/40", 4000),
    (CONCENTRATED, "1/20", 1, 50, "1/300", 4000),
]


@pytest.mark.parametrize(
    ("measure", "alpha", "t", "depth", "cap", "runs"),
    shortened(LAWS, *LAWS[:3], parts=6),
)
def test_the_release_has_its_law(
    measure: Any, alpha: str, t: int, depth: int, cap: str, runs: int
) -> None:
    """By all bits: noise in each of four counts, a threshold, and the outer bins.

    At the level 1/20 the threshold of Laplace noise would be 0 if the level were not
    divided by the number of bins; a threshold that is greater by one is refuted.
    """
    measured = made(int, "1/4", measure=measure, alpha=alpha, exponents=(0, 0))
    counts, gaussian = [0, 0, t + 1, 0], measure == CONCENTRATED

    def release() -> Any:
        return measured([0] * (t + 1))

    law = stated(counts, t, gaussian)
    found = verify.law(release, law, depth, cap=cap, runs=runs)
    found.assert_holds()
    assert found.outcomes >= 2
    assert verify.law(release, stated(counts, t + 1, gaussian), 20, runs=100).refuted


@pytest.mark.parametrize("measure", [PURE, CONCENTRATED], ids=repr)
def test_what_is_promised_holds(measure: Any) -> None:
    """At alpha = 1e-12: no bin without a row, and every bin of more than 2 t rows.

    With ten times the noise, of its 194 counts in fifty releases, one empty bin
    passes t but for a chance of 1e-9: t is about 33 scales, or 8 for Gaussian noise.
    """
    state_flakiness(mpq(50, 10**12))
    measured = made(float, 5, measure=measure, alpha="1e-12")
    t = private_bounds._threshold(mpq(5), "1e-12", 194, measure == CONCENTRATED)
    few, many = [3.0] * (2 * t + 1), [-50.0] * (2 * t + 1)
    for _ in range(50):
        assert measured([*few, *many, 1e6]) == (-64.0, 4.0)


def test_if_nothing_is_seen_they_are_the_widest() -> None:
    state_flakiness("1e-12")
    assert made(int, 5, alpha="1e-12")([7]) == (-(2**63), 2**63)


def test_they_lead_to_a_mean() -> None:
    state_flakiness("2e-10")
    rows = np.array([20.0, 30.0, 70.0] * 2000)
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), SYMMETRIC
    bounds = space >> dp.m.then_private_bounds(PURE, scale=10, alpha="1e-10")
    clamped = space >> dp.t.then_clamp(bounds(rows))
    mean = clamped >> dp.m.then_private_mean(PURE, scale=2)
    lower, upper = mean(rows).interval("1e-10")
    assert lower <= 40.0 <= upper
    assert (bounds.map(1), mean.map(1)) == (0.1, 0.5)
