"""Assertions know the noise of `make_canonical_noise`, its rounding included."""

from __future__ import annotations

import math
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import testing, verify
from opendp_lite.base.errors import OpenDPException
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import to_double
from opendp_lite.measurements.canonical.canonical_law import CanonicalNoise
from opendp_lite.testing import assertions
from tests.randomness.canonical_laws import noise as unit_noise
from tests.rows import for_each

FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
LARGEST = sys.float_info.max
PRECISION = 600


def make(d_in: Any = 1, d_out: Any = (1, "1e-6")) -> Any:
    return dp.m.make_canonical_noise(*FLOATS, d_in=d_in, d_out=d_out)


def known(measurement: Any) -> CanonicalNoise:
    noise = measurement.noise
    assert isinstance(noise, CanonicalNoise)
    return noise


def target(noise: CanonicalNoise) -> tuple[mpq, mpq]:
    """The epsilon and the delta of the tradeoff."""
    tradeoff: Any = noise.tradeoff
    return tradeoff.exponential.epsilon, tradeoff.delta


def falls(measurement: Any, lower: mpq, upper: mpq) -> mpq:
    """P(lower <= noise <= upper), to 100 digits and more."""
    noise = known(measurement)
    law = unit_noise(*target(noise))
    ends = (law.cdf(end / noise.d_in, PRECISION).lo for end in (lower, upper))
    return -mpq(next(ends)) + mpq(next(ends))


def test_the_tolerance_is_that_of_the_noise() -> None:
    for pair in ((1, 0), (0.1, 1e-6), (0, "1/20"), (3, 1)):
        expected = testing.canonical_tolerance("1/3", pair, "1e-9")
        assert testing.tolerance(make("1/3", pair), "1e-9") == expected
    default = testing.canonical_tolerance(1, (1, "1e-6"), "1e-23")
    assert testing.tolerance(make()) == default
    assert testing.tolerance(make(d_in=0), "1e-9") == 0.0
    assert testing.tolerance(make(10**400), "1e-9") == math.inf
    chain = dp.t.make_identity(*FLOATS) >> dp.m.then_canonical_noise(1, (1, "1e-6"))
    assert testing.tolerance(chain) == default


@for_each(
    ("d_in", "d_out"),
    [
        ("0.1", ("0.1", "1e-6")),
        (0.1, (0.1, 1e-6)),
        (Fraction(1, 10), [Fraction(1, 10), Decimal("1e-6")]),
        (np.float64(0.1), (np.float64(0.1), np.float64(1e-6))),
    ],
)
def test_arguments_are_read_as_the_constructor_reads_them(
    d_in: Any, d_out: Any
) -> None:
    """`d_in` is the number stored, and a float of `d_out` the lesser of two."""
    noise = known(make(d_in, d_out))
    assert noise.d_in == to_mpq(d_in)
    stored = isinstance(d_out[0], float)
    lesser = [min(to_mpq(x), to_mpq(str(float(x)))) for x in (0.1, 1e-6)]
    assert target(noise) == tuple(lesser if stored else map(mpq, ("1/10", "1/1000000")))


FINITE: list[Any] = [0.0, -0.0, 3.7, -1e10, 5e-324, LARGEST, 7]


@for_each("x", [*FINITE, math.inf, -math.inf, np.float32(math.inf)])
@for_each("d_in", [0, 1, 1e-30, 1e308, "1e400"])
def test_releases_are_close(d_in: Any, x: Any) -> None:
    noisy = make(d_in)
    for _ in range(5):
        testing.assert_close(noisy(x), x, noisy)


@pytest.mark.usefixtures("uncharged")
def test_what_is_not_close_is_said() -> None:
    noisy = make()
    far = testing.tolerance(noisy, "1e-9")
    testing.assert_close(far, 0.0, noisy, "1e-9")
    with pytest.raises(AssertionError, match="beyond the tolerance"):
        testing.assert_close(math.nextafter(far, math.inf), 0.0, noisy, "1e-9")
    # 2^60 has ulps of 2^8, of which half is allowed.
    wide = make(d_in=16)
    assert 128 < testing.tolerance(wide, "1e-9") < 256
    testing.assert_close(2.0**60 + 256, 2.0**60, wide, "1e-9")
    with pytest.raises(AssertionError, match="beyond the tolerance"):
        testing.assert_close(2.0**60 + 512, 2.0**60, wide, "1e-9")
    for found in (math.inf, -math.inf):
        with pytest.raises(AssertionError, match="is not"):
            testing.assert_close(found, found, noisy, "1e-9")
    for kind in (float, np.float16, np.float32, np.float64):
        for sign in (1, -1):
            end = kind(sign * math.inf)
            testing.assert_close(sign * LARGEST, end, noisy, "1e-9")
            with pytest.raises(AssertionError, match="beyond the tolerance"):
                testing.assert_close(-sign * LARGEST, end, noisy, "1e-9")
            with pytest.raises(AssertionError, match="beyond the tolerance"):
                testing.assert_close(sign * 1e308, end, noisy, "1e-9")
    beyond = Fraction(LARGEST) * 2
    testing.assert_close(LARGEST, beyond, noisy, "1e-9")
    testing.assert_close(1 / 3, Fraction(1, 3), make(d_in=0), "1e-9")
    with pytest.raises(AssertionError, match="beyond the tolerance"):
        testing.assert_close(math.nextafter(1.0, 2.0), 1.0, make(d_in=0), "1e-9")


STARTS: list[Any] = [
    (1, (1, "1e-6"), 1.0),
    (1, (1, 0), -1.0),
    (1, (1, 0), 3.7),
    ("1/3", (0, "1/20"), 1e15),
    (1, (0.1, 1e-6), 2.0**57),
    (1, (0.1, 1e-6), Fraction(2**54 + 1)),  # between two doubles: one margin is 0
    (2, (3, 1), 2.0**53),
    ("1e-20", (1, 0), 1.0),
    (1, ("1e-30", "1e-40"), 0.5),
    (1e300, (1, 0), LARGEST),
    (1e300, (1, 0), Fraction(LARGEST) + Fraction(1e300)),
    (1e300, (1, 0), -Fraction(LARGEST) - Fraction(1e300)),
]


def cell(double: float) -> tuple[mpq, mpq]:
    """What is rounded to the double, but for ends of probability 0."""
    ends = []
    for towards in (-math.inf, math.inf):
        neighbour = math.nextafter(double, towards)
        infinite = math.isinf(neighbour)
        far = mpq(10**400) if neighbour > 0 else -mpq(10**400)
        ends.append(far if infinite else (to_mpq(double) + to_mpq(neighbour)) / 2)
    return ends[0], ends[1]


@for_each(("d_in", "d_out", "x"), STARTS)
def test_the_atom_at_the_expected_value(d_in: Any, d_out: Any, x: Any) -> None:
    noisy = make(d_in, d_out)
    start = to_mpq(x)
    lower, upper = cell(to_double(start))
    mass = falls(noisy, lower - start, upper - start)
    found = to_mpq(assertions._same(known(noisy), start))
    # At most one ulp above, and the width of the oracle.
    assert mass <= found + mpq(1, 10**100)
    assert found <= min(mass * (1 + mpq(1, 2**51)), 1)  # type: ignore[operator]
    if found < 1:  # the least flakiness that is not refused
        reach = assertions._quiet(known(noisy), start, float(found))
        assert reach is not None
        assert reach >= 0


@for_each(("d_in", "d_out", "x"), STARTS)
@for_each("level", ["0.9", "1e-3", "1e-12"])
def test_the_flakiness_of_assert_noisy(
    d_in: Any, d_out: Any, x: Any, level: str
) -> None:
    """The mass of all doubles that are within is at most the flakiness."""
    noisy = make(d_in, d_out)
    start = to_mpq(x)
    part = float(level)
    reach = assertions._quiet(known(noisy), start, part)
    if reach is None:
        assert assertions._same(known(noisy), start) > part
        return
    double = to_double(start)
    # The ends of the run of doubles within reach, and what is rounded to them.
    low, high = to_double(start - reach), to_double(start + reach)
    if to_mpq(low) < start - reach:
        low = math.nextafter(low, math.inf)
    if to_mpq(high) > start + reach:
        high = math.nextafter(high, -math.inf)
    low, high = min(low, double), max(high, double)
    mass = falls(noisy, cell(low)[0] - start, cell(high)[1] - start)
    assert mass <= to_mpq(part)
    if reach > 0:  # and not far below
        two = 2 * to_mpq(math.ulp(max(abs(low), abs(high))))
        assert falls(noisy, -reach - two, reach + two) >= to_mpq(part) * mpq(999, 1000)


@pytest.mark.usefixtures("uncharged")
@pytest.mark.parametrize("x", [2.0**54, 2.0**54 + 12, 2.0**56])
@pytest.mark.parametrize("d_out", [(1, 0), (1, "1/10"), (0, "1/5")])
def test_the_bit_tree_confirms_the_flakiness(d_out: Any, x: float) -> None:
    """Where doubles are as coarse as the noise, there are few of them."""
    noisy = make(3, d_out)
    tree = verify.enumerate_tree(lambda: noisy(x), 14)
    same = assertions._same(known(noisy), to_mpq(x))
    levels = [mpq(1, 2), mpq(1, 5), mpq(1, 20), to_mpq(same)]
    for level in [each for each in levels if each < 1]:
        failing, quiet = mpq(0), mpq(0)
        for key, mass in tree.masses.items():
            found = tree.outcomes[key]
            if fails(testing.assert_close, found, x, noisy, level):
                failing += mass
            if same <= level and fails(testing.assert_noisy, found, x, noisy, level):
                quiet += mass
        assert failing <= level
        assert quiet <= level
    atom = sum(tree.masses[k] for k, v in tree.outcomes.items() if v == x)
    assert atom <= to_mpq(same) <= atom + tree.unresolved + mpq(1, 2**50)


def fails(check: Any, *arguments: Any) -> bool:
    try:
        check(*arguments)
    except AssertionError:
        return True
    return False


def test_releases_are_noisy_and_the_data_are_not() -> None:
    for d_out in ((1, 0), (0, "1/20"), (0.1, 1e-6)):
        noisy = make(d_out=d_out)
        testing.assert_noisy(noisy(1.0), 1.0, noisy, "1e-12")
        with pytest.raises(AssertionError, match="no noise"):
            testing.assert_noisy(1.0, 1.0, noisy, "1e-12")
    wide = make(1e300)
    testing.assert_noisy(wide(7), 7, wide, "1e-23")
    with pytest.raises(AssertionError, match="no noise"):
        testing.assert_noisy(7.0, 7, wide, "1e-23")


@pytest.mark.usefixtures("uncharged")
def test_noise_that_is_far_too_small_is_found() -> None:
    noisy = make()
    with pytest.raises(AssertionError, match="no noise"):
        testing.assert_noisy(1e-13, 0.0, noisy, "1e-12")
    testing.assert_noisy(2e-12, 0.0, noisy, "1e-12")


def test_what_cannot_be_noisy_is_refused() -> None:
    with pytest.raises(OpenDPException, match="positive scale or d_in"):
        testing.assert_noisy(1.0, 1.0, make(d_in=0), "1e-12")
    with pytest.raises(OpenDPException, match=r"itself with probability 7\.69.*e-17"):
        testing.assert_noisy(1.0, 1.0, make(d_out=(1, 0)), "1e-23")
    for x in (math.inf, -math.inf):  # the noise is far below an ulp
        with pytest.raises(OpenDPException, match="greater scale or d_in"):
            testing.assert_noisy(math.copysign(LARGEST, x), x, make(), "0.9")


# Integers


WHOLE: list[Any] = [
    (1, (1, 0)),
    (10.0, (1, "1e-6")),
    ("5/2", (0, "1/20")),
    ("1e-3", (1, 0)),
    (0, (1, 0)),
]


def whole(d_in: Any = 10, d_out: Any = (1, "1e-6")) -> Any:
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    return space >> dp.t.then_count() >> dp.m.then_canonical_noise(d_in, d_out)


@for_each(("d_in", "d_out"), WHOLE)
def test_integers_have_a_tolerance_in_integers(d_in: Any, d_out: Any) -> None:
    """It is that of the rounded noise, and no smaller one would do, but at ties."""
    noisy = whole(d_in, d_out)
    for flakiness in ("1e-23", "0.01"):
        found = testing.tolerance(noisy, flakiness)
        assert type(found) is int
        if d_in == 0:
            assert found == 0
            continue
        reach = mpq(found) + mpq(1, 2)
        assert 1 - falls(noisy, -reach, reach) <= mpq(flakiness)
        less = mpq(found) - mpq(1, 2)
        assert found == 0 or 1 - falls(noisy, -less, less) > mpq(flakiness)


def test_integers_are_close_and_noisy() -> None:
    noisy = whole(1000)
    release = noisy([1] * 100)
    testing.assert_close(release, 100, noisy, "1e-9")
    atom = -falls(whole(1, (1, 0)), mpq(1, 2), mpq(-1, 2))
    with pytest.raises(OpenDPException, match=f"probability {float(atom):.6f}"):
        testing.assert_noisy(100, 100, whole(1, (1, 0)), "0.01")


@pytest.mark.usefixtures("uncharged")
def test_integers_that_are_not_close_or_not_noisy_are_said() -> None:
    noisy = whole(1000)
    far = testing.tolerance(noisy, "1e-9")
    testing.assert_close(100 + far, 100, noisy, "1e-9")
    huge = 10**400
    testing.assert_close(huge - far, huge, noisy, "1e-9")
    with pytest.raises(AssertionError, match="beyond the tolerance"):
        testing.assert_close(101 + far, 100, noisy, "1e-9")
    reach = assertions._quiet(known(noisy), mpq(100), 0.01)
    assert reach is not None
    assert falls(noisy, -reach - mpq(1, 2), reach + mpq(1, 2)) <= mpq(0.01)
    assert falls(noisy, -reach - mpq(3, 2), reach + mpq(3, 2)) > mpq(0.01)
    with pytest.raises(AssertionError, match="no noise"):
        testing.assert_noisy(100 + int(reach), 100, noisy, 0.01)
    testing.assert_noisy(101 + int(reach), 100, noisy, 0.01)
