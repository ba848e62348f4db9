"""The double nearest to a uniform real: the exact law, and arrays lane by lane."""

from __future__ import annotations

import math

import numpy as np
import pytest
from gmpy2 import mpq

from opendp_lite.exact.rounding import to_double
from opendp_lite.randomness.bulk_real import sample_uniform_doubles
from opendp_lite.randomness.draws import decide_double, sample_uniform_double
from opendp_lite.testing import state_flakiness
from tests.randomness.hostile_bits import binary
from tests.randomness.lane_bits import assert_lanes_equal_single_draws
from tests.randomness.laws import (
    FLAKINESS,
    distance_of_reals,
    law_fault,
    misses_at_most,
    point,
    tolerance,
)
from tests.rows import for_each

TINY, LARGEST = 5e-324, 1.7976931348623157e308
ONE = 2.0**-52
BOUNDS = [
    (0.0, 1.0),
    (0.1, 0.9),
    (-1.0, 1.0),
    (-3.5, 1e300),
    (1.0, 1.0 + 7 * ONE),
    (1.0 - ONE, 1.0 + ONE),
    (-TINY, 2 * TINY),
    (0.0, TINY),
    (-LARGEST, LARGEST),
    (LARGEST - 2.0**971, LARGEST),
    (2.0**-1022, 2.0**-1021),
    (1e16, 1e16 + 2),
]
FEW = [(1.0, 1.0 + 3 * ONE), (1.0 - ONE, 1.0 + ONE), (-TINY, 2 * TINY), (-TINY, 0.0)]
DEPTH = 24


def doubles(lower: float, upper: float) -> list[float]:
    found = [lower + 0.0]
    while found[-1] < upper:
        found.append(math.nextafter(found[-1], math.inf) + 0.0)
    return found


@for_each(("lower", "upper"), FEW)
def test_the_law(lower: float, upper: float) -> None:
    """A double has the length of what is nearest to it, within the bounds."""
    values = doubles(lower, upper)

    def probability(y: float) -> mpq:
        if y not in values:
            return mpq(0)
        low = (mpq(y) + mpq(math.nextafter(y, -math.inf))) / 2
        high = (mpq(y) + mpq(math.nextafter(y, math.inf))) / 2
        low, high = max(low, mpq(lower)), min(high, mpq(upper))
        return (high - low) / (mpq(upper) - mpq(lower))

    assert sum(map(probability, values)) == 1
    fault = law_fault(
        lambda: sample_uniform_double(lower, upper),
        lambda y: point(probability(y)),
        values,
        DEPTH,
        2 * len(values) * 2.0**-DEPTH,
    )
    assert fault is None


@for_each(("lower", "upper"), BOUNDS)
def test_decisions_hold_for_the_whole_cell(lower: float, upper: float) -> None:
    decide = decide_double(lower, upper)
    width = mpq(upper) - mpq(lower)
    for length in (0, 1, 10, 64, 70):
        for prefix in {0, 1, 2**length // 3, 2**length - 1}:
            if prefix >= 2**length:
                continue
            ends = [mpq(prefix + i, 2**length) for i in (0, 1)]
            near = [to_double(mpq(lower) + width * u) for u in ends]
            found = decide(prefix, length)
            assert found == (near[0] if near[0] == near[1] else None)
            assert found is None or lower <= found <= upper
            assert found is None or math.copysign(1, found) == 1 or found != 0


@for_each(("lower", "upper"), BOUNDS)
def test_arrays_are_single_draws(lower: float, upper: float) -> None:
    """At the beginning and the end, in the middle, next to zero, and at random."""
    starts = ["0" * 130, "1" * 130, "1" + "0" * 129, "0" + "1" * 129, *[""] * 300]
    zero = -mpq(lower) / (mpq(upper) - mpq(lower))
    if 0 < zero < 1:
        w = int(zero.numerator * 2**64 // zero.denominator)
        starts += [binary(x, 64) for x in (w - 1, w, w + 1) if 0 <= x < 2**64]
    starts += ["0" * k + "1" for k in range(1, 64, 7)]
    assert_lanes_equal_single_draws(
        lambda run: sample_uniform_doubles(lower, upper, len(starts), run),
        lambda i: sample_uniform_double(lower, upper),
        starts,
    )


@for_each("count", [0, 1, 127, 128, 1000])
def test_lengths(count: int) -> None:
    found = sample_uniform_doubles(2.0, 3.0, count)
    assert found.dtype == np.float64
    assert found.shape == (count,)
    assert ((found >= 2) & (found <= 3)).all()


def test_draws_from_the_operating_system() -> None:
    """Fails with probability at most 1e-9; detects an upper end of 1.1 for 1."""
    state_flakiness(FLAKINESS)
    draws = 100_000
    found = sample_uniform_doubles(0.0, 1.0, draws).tolist()
    assert distance_of_reals(found, lambda x: min(max(x, 0.0), 1.0)) <= tolerance(draws)
    assert misses_at_most(1 / 11, draws) <= FLAKINESS
    assert distance_of_reals(found, lambda x: min(max(x / 1.1, 0), 1)) > tolerance(
        draws
    )


@for_each(
    ("lower", "upper"),
    [(1.0, 1.0), (1.0, 0.0), (0.0, math.inf), (-math.inf, 0.0), (math.nan, 1.0)],
)
def test_what_is_refused(lower: float, upper: float) -> None:
    with pytest.raises(ValueError, match="bounds must be finite and in order"):
        sample_uniform_double(lower, upper)
    with pytest.raises(ValueError, match="bounds must be finite and in order"):
        sample_uniform_doubles(lower, upper, 3)
