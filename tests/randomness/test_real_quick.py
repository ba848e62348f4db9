"""What decides a release at once: the same bits give what a draw of fractions gives.

A double is counted in units, 2^-64 of the width's denominator. If it is a whole number
of them this is an integer; if not, the unit is divided by the double's denominator.
"""

from __future__ import annotations

import inspect
import math
import textwrap
from collections.abc import Callable

from gmpy2 import mpq

from opendp_lite.exact.rounding import divide_to_double
from opendp_lite.laws.noise import GAUSSIAN, LAPLACE, Law
from opendp_lite.randomness import real
from opendp_lite.randomness.entropy import use_source
from opendp_lite.randomness.real import RealNoise
from tests.randomness.lane_bits import LaneString
from tests.rows import for_each

Quick = Callable[[RealNoise], Callable[[float, tuple[int, ...]], float]]

SCALES = [
    *(mpq(10), mpq(1), mpq(5, 2**70), mpq(3, 2**900), mpq(1, 2**940), mpq(1, 3)),
    *(mpq(5 * 2**60), mpq(2) ** 900, mpq(1, 2**1100), mpq(10) ** 400),
]


def points(scale: mpq) -> list[float]:
    """Doubles of about the scale, and those around which the unit is their last bit."""
    noise = RealNoise(LAPLACE, scale)
    found = [0.0, -0.0, 0.3, -1e-30, 5e-324, 1.7e308, -(2.0**-1022), math.inf]
    for shift in (-70, -16, -1, 0, 1, 40):
        for digits in (2**53 - 1, 5, -(2**52) - 1):
            size = mpq(digits) * mpq(2) ** shift / noise.unit
            if abs(size) < 2**1000:
                found.append(float(size))
    return found


def wrong(quick: Quick, noise: RealNoise, x: float, seeds: int) -> tuple[int, int]:
    """How often the release is not that of a draw, and how often it reads nothing."""
    release, differ, at_once = quick(noise), 0, 0
    for seed in range(seeds):
        source, again = LaneString(seed), LaneString(seed)
        parts = source.bits(16), source.bits(16), source.bits(64)
        with use_source(source):
            found = release(x, parts)
        expected = x
        if math.isfinite(x):
            with use_source(again):
                expected = noise.draw(*x.as_integer_ratio(), divide_to_double)
        same = found == expected and math.copysign(1, found * expected) == 1
        differ += not same or source.position != max(again.position, 96)
        at_once += source.position == 96
    return differ, at_once


@for_each("law", [LAPLACE, GAUSSIAN], ids=lambda law: law.name)
@for_each("scale", SCALES)
def test_what_is_decided_at_once_is_what_a_draw_gives(law: Law, scale: mpq) -> None:
    noise = RealNoise(law, scale)
    for x in points(scale):
        differ, at_once = wrong(RealNoise.quick, noise, x, 30)
        assert differ == 0, x
        assert at_once > 15, x


def mutated(old: str, new: str) -> Quick:
    """`RealNoise.quick` with another text in one place."""
    text = textwrap.dedent(inspect.getsource(RealNoise.quick))
    assert text.count(old) == 1
    space = dict(vars(real))
    exec(text.replace(old, new), space)
    found: Quick = space["quick"]
    return found


@for_each(
    ("old", "new"),
    [
        ("1 / float_unit if", "2 / float_unit if"),  # x counts twice
        ("if units.is_integer():", "if True:"),  # a part of a unit is lost
        ("int(units), numerator, float_unit", "int(units), numerator, float_unit / 2"),
        ("n * unit, numerator * d", "n * unit, numerator"),
        ("step = float_unit / d", "step = float_unit"),
        ("slope = -slope", "pass"),  # the sign lost
        (" and abs(near) > _LEAST", ""),  # subnormal numbers, rounded twice
        ("if isinf(x):", "if False:"),
    ],
)
def test_mutants(old: str, new: str) -> None:
    quick = mutated(old, new)
    assert any(
        is_wrong(quick, RealNoise(LAPLACE, scale), x)
        for scale in (mpq(10), mpq(1, 2**940), mpq(1, 2**1016))
        for x in [*points(scale), 1e17 / 7, 2.0**52 + 1]
    )


def is_wrong(quick: Quick, noise: RealNoise, x: float) -> bool:
    """Whether the release is not that of a draw, or fails."""
    try:
        return wrong(quick, noise, x, 60)[0] > 0
    except (OverflowError, ValueError):
        return True
