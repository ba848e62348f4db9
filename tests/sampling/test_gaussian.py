"""Rounded real Gaussian noise: cells of toy floats, extremes, draws of the OS."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import erf, inf, sqrt

import pytest
from gmpy2 import mpq

from opendp_lite import verify
from opendp_lite.exact import enclosures
from opendp_lite.exact.enclosures import Enclosure, erfc
from opendp_lite.exact.rounding import BINARY32, BINARY64, FloatFormat, round_nearest
from opendp_lite.sampling.entropy import random_bits
from opendp_lite.sampling.gaussian import sample_gaussian_rounded
from tests.sampling.laws import (
    FLAKINESS,
    PRECISION,
    distance_of_reals,
    law_fault,
    misses_at_most,
    tolerance,
)
from tests.sampling.test_laplace import SMALL, TINY, WIDE, is_double, values
from tests.sampling.tree import bits_used, run

DRAWS = 10_000
ROOT = enclosures.sqrt(mpq(1, 2), PRECISION)


def above(x: mpq | float) -> Enclosure:
    """P(Z > x) for a standard normal Z."""
    if isinstance(x, float):
        return Enclosure(int(x < 0), int(x < 0))
    return mpq(1, 2) * erfc(x * ROOT, PRECISION)


def between(x: mpq | float, y: mpq | float) -> Enclosure:
    """P(x < Z < y), on the side where the tails are small."""
    return above(x) - above(y) if x > 0 else above(-y) - above(-x)


def cells(shift: mpq, scale: mpq, fmt: FloatFormat) -> dict[mpq, Enclosure]:
    """The probability of each value: that of the reals between two midpoints."""
    ordered = values(fmt)
    middles = [(a + b) / 2 for a, b in pairwise(ordered)]
    edges = [-inf, *((b - shift) / scale for b in middles), inf]
    return {y: between(*edges[i : i + 2]) for i, y in enumerate(ordered)}


CASES = [
    (mpq(0), mpq(1), TINY),
    (mpq(1, 3), mpq(1), TINY),
    (mpq(9, 8), mpq(2), TINY),  # a midpoint
    (mpq(-7, 3), mpq(1, 3), TINY),
    (mpq(100), mpq(1), TINY),  # beyond the largest value
    (mpq(0), mpq(40), TINY),  # most draws saturate
    (mpq(2, 5), mpq(3, 2), SMALL),
    (mpq(-1), mpq(1, 10), SMALL),
    (mpq(1, 7), mpq(5, 2), WIDE),
]


def cell_fault(
    sampler: Callable[[], mpq], shift: mpq, scale: mpq, fmt: FloatFormat
) -> str | None:
    pmf = cells(shift, scale, fmt)
    return law_fault(sampler, lambda y: pmf[y], pmf, 14, 0.03)


@pytest.mark.parametrize(("shift", "scale", "fmt"), CASES)
def test_the_law_of_toy_floats(shift: mpq, scale: mpq, fmt: FloatFormat) -> None:
    """Within u < 0.03 in total variation, after 14 bits."""

    def sampler() -> mpq:
        return sample_gaussian_rounded(shift, scale, fmt)

    assert cell_fault(sampler, shift, scale, fmt) is None


def test_a_certificate_of_22_bits() -> None:
    shift, scale = mpq(1, 3), mpq(1)
    pmf = cells(shift, scale, TINY)
    certificate = verify.law(
        lambda: sample_gaussian_rounded(shift, scale, TINY),
        lambda y: lambda precision: pmf[y],
        22,
    )
    certificate.assert_holds()
    assert certificate.total_variation < mpq(1, 10**4)


def test_the_cells_cover_the_line() -> None:
    for shift, scale, fmt in CASES:
        total = sum(cells(shift, scale, fmt).values(), Enclosure(0, 0))
        assert total.contains(1)
        assert total.width < mpq(1, 2**300)


def rounded_noise(shift: mpq, scale: mpq, fmt: FloatFormat) -> mpq:
    """Rounds the noise and the sum: what a naive implementation does."""
    noise = sample_gaussian_rounded(mpq(0), scale, fmt)
    return round_nearest(shift + noise, fmt)


def wider(shift: mpq, scale: mpq, fmt: FloatFormat) -> mpq:
    return sample_gaussian_rounded(shift, scale * mpq(105, 100), fmt)


def narrower(shift: mpq, scale: mpq, fmt: FloatFormat) -> mpq:
    return sample_gaussian_rounded(shift, scale * mpq(95, 100), fmt)


def unfair(shift: mpq, scale: mpq, fmt: FloatFormat) -> mpq:
    y = sample_gaussian_rounded(shift, scale, fmt)
    return y if random_bits(3) else fmt.largest


@pytest.mark.parametrize("mutant", [rounded_noise, wider, narrower, unfair])
def test_the_bit_tree_detects_mutants(
    mutant: Callable[[mpq, mpq, FloatFormat], mpq],
) -> None:
    shift, scale, fmt = mpq(1, 3), mpq(1), TINY
    fault = cell_fault(lambda: mutant(shift, scale, fmt), shift, scale, fmt)
    assert fault is not None
    assert "mass on" in fault


def test_scale_zero_rounds_and_reads_no_bits() -> None:
    for fmt in (BINARY64, BINARY32, TINY):
        for shift in (mpq(1, 3), mpq(-5, 7), mpq(10) ** 400):
            draw = lambda s=shift, f=fmt: sample_gaussian_rounded(s, mpq(0), f)  # noqa: E731
            assert draw() == round_nearest(shift, fmt)
            assert bits_used(draw, 0, 0) == 0


@pytest.mark.parametrize("power", [0, 15, 300, 323])
def test_a_scale_of_any_size(power: int) -> None:
    """s/1e30 < |y| < 15 s in all draws but for a probability below 1e-27."""
    for scale in (mpq(1, 10**power), mpq(10) ** min(power, 305)):
        draws = [sample_gaussian_rounded(mpq(0), scale) for _ in range(20)]
        assert all(is_double(y) for y in draws)
        assert all(abs(y) < 15 * scale for y in draws)
        if scale > mpq(10) ** -270:
            assert all(10**30 * abs(y) > scale for y in draws)


def test_noise_that_is_too_small_or_too_large_to_see() -> None:
    third = round_nearest(mpq(1, 3))
    for power in (300, 5000):
        scale = mpq(1, 10**power)
        draws = {sample_gaussian_rounded(mpq(1, 3), scale) for _ in range(20)}
        assert draws == {third}
    # All 64 draws on one side have probability 2^-63, one that does not saturate
    # less than 1e-90.
    huge = {sample_gaussian_rounded(mpq(1, 3), mpq(10) ** 400) for _ in range(64)}
    assert huge == {BINARY64.largest, -BINARY64.largest}


def test_a_midpoint_is_left_to_the_side_of_the_sign() -> None:
    """The shift is half an ulp above 1: noise of any size settles the tie."""
    shift, scale = 1 + mpq(1, 2**53), mpq(1, 10**100)
    above, below = mpq(1 + 2.0**-52), mpq(1)
    assert {sample_gaussian_rounded(shift, scale) for _ in range(64)} == {above, below}


def test_a_draw_is_rounded_correctly() -> None:
    """1 +- z from the bits of U = 1/3, with P(|Z| > z) = 1/3, that is Phi(z) = 5/6."""
    string, bits = 2**300 // 3, 301
    z = enclosures.normal_quantile(mpq(5, 6), 200)
    for fmt in (BINARY64, BINARY32):
        draw = lambda f=fmt: sample_gaussian_rounded(mpq(1), mpq(1), f)  # noqa: E731
        for granularity in (1, 64):
            up = run(draw, 2**300 + string, bits, granularity)
            down = run(draw, string, bits, granularity)
            assert up == round_nearest(1 + mpq(z.lo), fmt)
            assert down == round_nearest(1 - mpq(z.lo), fmt)


def folded_distance(scale: mpq) -> float:
    """The distance of |y - 3| from the law of 2 |Z|.

    The rounding to doubles moves the distribution function by less than 1e-15.
    """
    samples = [
        abs(float(sample_gaussian_rounded(mpq(3), scale)) - 3) for _ in range(DRAWS)
    ]
    return distance_of_reals(samples, lambda x: erf(x / 2 / sqrt(2)))


def test_draws_from_the_operating_system() -> None:
    """Each comparison fails with probability at most 1e-9; 20 % in scale is seen."""
    assert folded_distance(mpq(2)) <= tolerance(DRAWS)
    positive = sum(sample_gaussian_rounded(mpq(3), mpq(2)) > 3 for _ in range(DRAWS))
    assert abs(positive / DRAWS - 0.5) <= tolerance(DRAWS)


@pytest.mark.parametrize("factor", [mpq(6, 5), mpq(4, 5)], ids=str)
def test_a_scale_off_by_a_fifth_would_be_detected(factor: mpq) -> None:
    f = float(factor)
    effect = max(abs(erf(x / 100) - erf(x / 100 / f)) for x in range(1, 500))
    assert misses_at_most(effect, DRAWS) <= FLAKINESS
    assert folded_distance(2 * factor) > tolerance(DRAWS)


def test_a_negative_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="scale must be non-negative, got -1/2"):
        sample_gaussian_rounded(mpq(0), mpq(-1, 2))
