"""Mistakes of the notes on the snapping mechanism: printed formulas fail, ours hold.

The notes are those of August 2019, September 2019 and August 2020; equations have the
numbers of the last. Here are the errata of rounding, of the step Lambda, of the
geometric exponent and of asymmetric bounds. Those of the finite arithmetic are in
test_snapping_precision_errata.py.
"""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path
from typing import Any

import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.exact.enclosures import exp, ln
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.measurements.snapping.finite_logarithm import FiniteLogarithm
from opendp_lite.measurements.snapping.lattice import Lattice
from opendp_lite.measurements.snapping.sampler import ExactLogarithm, Snapping
from opendp_lite.randomness.entropy import use_source
from tests.randomness.lane_bits import LaneString
from tests.rows import for_each

DATA = Path(__file__).resolve().parents[2] / "data" / "snapping_vectors.json"
VECTORS: list[dict[str, Any]] = json.loads(DATA.read_text())


def fields(x: float) -> tuple[int, int, int]:
    """The sign, the exponent field and the 52 bits of the mantissa of a double."""
    (word,) = struct.unpack(">Q", struct.pack(">d", x))
    return word >> 63, word >> 52 & 2047, word & 2**52 - 1


def double(sign: int, exponent: int, mantissa: int) -> float:
    word = sign << 63 | exponent << 52 | mantissa
    (x,) = struct.unpack(">d", struct.pack(">Q", word))
    return float(x)


# Rounding to the nearest integer, equation (4.2)


def printed_rounding(x: float) -> float:
    """x'' of section 4.2.2, word by word: "exists i: m_i = 0" is about all 52 bits."""
    sign, field, mantissa = fields(x)
    y = field - 1023
    if y >= 52:
        return x
    if y < -1:
        return 0.0
    if y == -1:
        return double(sign, 1023, 0)
    integral, fraction = mantissa >> 52 - y, mantissa << y & 2**52 - 1
    if not fraction >> 51:
        return double(sign, field, integral << 52 - y)
    if mantissa == 2**52 - 1:
        return double(sign, field + 1, 0)
    # The incremented bits m_1 ... m_y are again y bits.
    return double(sign, field, (integral + 1) % 2**y << 52 - y)


def our_rounding(x: float) -> float:
    """The same with our lattice of step 1 around 0."""
    lattice = Lattice(mpq(-(2**1100)), mpq(2**1100), mpq(1))
    return lattice.released(lattice.index(mpq(x)))


@for_each(
    ("x", "printed", "right"),
    [
        # The carry must look at the bits m_1 ... m_y only.
        (1.75, 1.0, 2.0),
        (1.5, 1.0, 2.0),
        (3.75, 2.0, 4.0),
        (7.9, 4.0, 8.0),
        (15.5, 8.0, 16.0),
        (2.5, 3.0, 3.0),  # no carry, and right
        # Ties of negative numbers go away from 0, not toward +infinity.
        (-0.5, -1.0, 0.0),
        (-2.5, -3.0, -2.0),
        (-1.5, -1.0, -1.0),  # two mistakes that make up for each other
        (-4.5, -5.0, -4.0),
    ],
)
def test_rounding_by_bits(x: float, printed: float, right: float) -> None:
    assert printed_rounding(x) == printed
    assert our_rounding(x) == right == math.floor(mpq(x) + mpq(1, 2))


def test_the_printed_rounding_is_what_the_vectors_say_it_is() -> None:
    compared = wrong = 0
    for vector in VECTORS:
        printed = vector.get("doc_integer", "n/a")
        if printed == "n/a":
            continue
        k = int(vector["inputs"]["k"])
        quotient = mpq(float.fromhex(vector["inputs"]["x"])) / mpq(2) ** k
        found = printed_rounding(float(quotient))
        assert found == float.fromhex(printed), vector["id"]
        compared += 1
        wrong += mpq(found) * mpq(2) ** k != to_mpq(vector["expected"])
    assert compared == 15
    assert wrong == 5


def test_the_error_of_a_carry_is_not_a_small_one() -> None:
    """7.9 becomes 4: the release is off by 3.9 steps, not by at most half a step."""
    assert abs(printed_rounding(7.9) - 7.9) > 3.8
    worst = max(abs(printed_rounding(2.0**k - 0.4) - (2.0**k - 0.4)) for k in range(9))
    assert worst > 100
    for k in range(50):
        x = 2.0**k - 0.4
        assert abs(our_rounding(x) - x) <= 0.5


def test_ties_away_from_zero_are_not_shifts_of_each_other() -> None:
    """Rounding must commute with shifts by a step; the printed one does not."""
    assert printed_rounding(-0.5) + 1 != printed_rounding(0.5)
    lattice = Lattice(mpq(-100), mpq(100), mpq(1))
    for n in range(-8, 9):
        half = mpq(n) + mpq(1, 2)
        assert lattice.index(half) == n + 1


# The step Lambda, equation (4.1)


def printed_step(scale: float) -> float:
    """Lambda by (4.1): the exponent field is increased unless the mantissa is 0."""
    _, field, mantissa = fields(scale)
    return scale if mantissa == 0 else double(0, field + 1, 0)


@for_each(
    ("scale", "printed", "exponent"),
    [
        (5e-324, 2.0**-1022, -1074),  # subnormal: 2^52 times too large
        (2.0**-1023, 2.0**-1022, -1023),
        (3 * 2.0**-1074, 2.0**-1022, -1072),
        (1.7e308, math.inf, 1024),  # and 2^1024 is no double
        (1.0, 1.0, 0),
        (1.1, 2.0, 1),
    ],
)
def test_the_step(scale: float, printed: float, exponent: int) -> None:
    assert printed_step(scale) == printed
    lattice = Lattice(mpq(-1), mpq(1), mpq(scale))
    assert lattice.exponent == exponent
    assert lattice.step / 2 < mpq(scale) <= lattice.step


def test_the_step_of_a_scale_that_is_no_double() -> None:
    """1 + 2^-70 is 1 as a double, so Lambda would be less than lambda."""
    scale = 1 + mpq(2) ** -70
    assert mpq(printed_step(float(scale))) < scale
    assert Lattice(mpq(-1), mpq(1), scale).step == 2


# The exponent of U is geometric on 1, 2, ...


def tail(y: mpq, start: int) -> Enclosure:
    """P(S ln U < -y) for y >= 0, U = 1.m 2^-e, e geometric from `start` on.

    From 1 on, U is uniform on (0, 1); from 0 on, it is uniform on (0, 2), and its
    logarithm is positive half of the time.
    """
    if start == 1:
        return exp(-y, 200) * mpq(1, 2)
    below = exp(-y, 200) * mpq(1, 2)
    grown = exp(y, 200)
    above = (2 - grown) * mpq(1, 2) if grown.hi < 2 else Enclosure(0, 0)
    return (below + above) * mpq(1, 2)


def test_a_geometric_exponent_from_0_on_loses_ln_2_more() -> None:
    """At the lowest output, from v = t0 and t0 + lambda: 1.693 where 1 is claimed."""
    losses = {}
    for start in (0, 1):
        ratio = tail(mpq(0), start) / tail(mpq(1), start)
        losses[start] = ln(ratio, 200).lo
    assert abs(losses[0] - mpq("1.693147")) < mpq(1, 10**6)
    assert abs(losses[1] - 1) < mpq(1, 10**40)  # type: ignore[operator]


@pytest.mark.parametrize("arithmetic", ["exact", "finite"])
def test_our_exponent_begins_at_1(arithmetic: str) -> None:
    """U < 1 for every string of bits, so M >= 0, and P(U < 1/2) is 1/2."""
    noise: Any = ExactLogarithm(mpq(1))
    if arithmetic == "finite":
        noise = FiniteLogarithm(mpq(1), 118)
    for length in (1, 10, 64, 200):
        assert noise.magnitudes(2**length - 1, length)[0] >= 0
    two = ln(2, 200)
    assert noise.magnitudes(0, 1)[0] >= two.lo - mpq(1, 10**3)
    assert noise.magnitudes(1, 1)[1] <= two.hi + mpq(3, 2)


@pytest.mark.parametrize("arithmetic", ["exact", "finite"])
def test_our_exponent_has_no_end(arithmetic: str) -> None:
    """2B = 2000 scales: from -B the output B comes after 2886 zeros, 2^-2886 of it.

    With the exponents of doubles the noise ends at 1074 ln 2 < 745 scales.
    """
    lattice = Lattice(mpq(-1000), mpq(1000), mpq(1))
    noise: Any = ExactLogarithm(mpq(1))
    if arithmetic == "finite":
        noise = FiniteLogarithm(mpq(1), 118)
    snapping = Snapping(lattice, noise)
    with use_source(LaneString(0, "0" * 2900)):
        assert snapping.release(-1000.0) == 1000.0
    with use_source(LaneString(0, "0" * 1100 + "1" * 200)):
        assert -1000 + 745 < snapping.release(-1000.0) < 0


@pytest.mark.parametrize(
    ("half", "least"), [(373, "0.6967"), ("373.1", "0.3351"), ("373.0001", "0.3032")]
)
def test_how_often_the_upper_bound_comes_from_itself(half: Any, least: str) -> None:
    """Never from -B, with the exponents of doubles; from B more often than 0.18.

    The last cell begins less than lambda above B, and below B if B is a multiple.
    """
    lattice = Lattice(-mpq(half), mpq(half), mpq(1))
    edge = (lattice.last - mpq(1, 2)) * lattice.step
    assert -lattice.half + mpq("744.45") < edge < lattice.half + lattice.scale
    away = edge - lattice.half
    tail_here = exp(-abs(away), 200) * mpq(1, 2)
    here = tail_here if away > 0 else 1 - tail_here
    assert mpq(least) < here.lo <= here.hi < mpq(least) + mpq(1, 10**4)
    assert here.lo > mpq("0.18")


# Asymmetric bounds, section 6.1


@pytest.mark.parametrize("bounds", [(1000, 2000), (-10, -4)])
def test_the_shift_is_the_middle(bounds: tuple[int, int]) -> None:
    """The printed s = (U - L)/2 and B = U - s do not map [L, U] to [-B, B]."""
    lower, upper = map(mpq, bounds)
    s = (upper - lower) / 2
    b = upper - s
    assert (lower - s, upper - s) != (-b, b)
    lattice = Lattice(lower, upper, mpq(1))
    assert (lattice.offset(lower), lattice.offset(upper)) == (
        -lattice.half,
        lattice.half,
    )
    assert lattice.middle == lower + s
    if lower > 0:
        # [500, 1500] is clamped to [-1500, 1500], three times as wide as need be.
        assert (b, lattice.half) == (1500, 500)
    else:
        # B is negative, and the interval [-B, B] is empty.
        assert b == -7
        assert lattice.half == 3


def test_the_map_of_asymmetric_bounds() -> None:
    """By the printed B the greatest loss is 3000/lambda; by the middle 1000/lambda."""
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    noisy = dp.m.make_snapping(*space, scale=10, bounds=(1000, 2000))
    assert noisy.map(math.inf) == 100
    assert 1000 <= noisy(0.0) <= noisy.map(math.inf) * 20
