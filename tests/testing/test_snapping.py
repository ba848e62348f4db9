"""Tolerances of the snapping mechanism keep their flakiness, and find mistakes."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import testing, verify
from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.domains import AtomDomain
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.measurements.noise.additive import NumberSpace
from opendp_lite.measurements.snapping.finite_logarithm import FiniteLogarithm
from opendp_lite.measurements.snapping.lattice import Lattice
from opendp_lite.measurements.snapping.snapping_law import SnappedNoise
from opendp_lite.testing import assertions
from tests.longer import shortened
from tests.rows import for_each

FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
LISTS = dp.vector_domain(FLOATS[0]), dp.l1_distance(T=float)


def make(*space: Any, scale: Any = 1, bounds: Any = (0, 4), **more: Any) -> Any:
    return dp.m.make_snapping(*space, scale=scale, bounds=bounds, **more)


def test_the_tolerance_is_the_formula_of_the_accuracy() -> None:
    """ln(1/f) lambda + Lambda/2, and at most U - L."""
    noisy = make(*FLOATS, scale=3, bounds=(0, 10**6))
    expected = 3 * 23 * math.log(10) + 2
    assert abs(testing.tolerance(noisy, "1e-23") - expected) < 1e-9
    assert testing.tolerance(noisy, "1e-23") >= expected - 1e-12
    assert testing.tolerance(make(*FLOATS, scale=3), "1e-23") == 4.0
    finite = make(*FLOATS, scale=3, bounds=(0, 10**6), precision=118)
    both = [testing.tolerance(each, "1e-23") for each in (noisy, finite)]
    assert both[0] <= both[1] <= math.nextafter(both[0], math.inf)


CASES: list[Any] = [
    (1, (0, 6), 2.2),
    (1, (0, 6), 0.0),
    (1, (0, 6), 99.0),
    ("3/4", ("1/3", 5), 1.0),
    (5, (0, 1), 0.3),
    ("1.01", (-2, 2), 0.5),
    (1, (0, 6), 2.5),
]


@cache
def tree_of(
    scale: Any, bounds: Any, x: float, precision: int | None
) -> tuple[Any, verify.Tree]:
    noisy = make(*FLOATS, scale=scale, bounds=bounds, precision=precision)
    return noisy, verify.enumerate_tree(lambda: noisy(x), depth=30)


@pytest.mark.usefixtures("uncharged")
@pytest.mark.parametrize("precision", [None, 118])
@pytest.mark.parametrize(("scale", "bounds", "x"), CASES)
@pytest.mark.parametrize("flakiness", ["0.5", "0.1", "0.01"])
def test_the_tolerance_keeps_its_flakiness(
    scale: Any, bounds: Any, x: float, precision: int | None, flakiness: str
) -> None:
    """By the bit tree: the mass of what `assert_close` refuses is at most f."""
    noisy, tree = tree_of(scale, bounds, x, precision)
    refused = mpq(0)
    for outcome in tree.outcomes.values():
        if raises(lambda y=outcome: testing.assert_close(y, x, noisy, flakiness)):
            refused += tree.mass(outcome)
    assert refused + tree.unresolved <= to_mpq(flakiness)


@for_each(("scale", "bounds", "x"), CASES)
def test_what_is_called_the_same_has_that_probability(
    scale: Any, bounds: Any, x: float
) -> None:
    noisy, tree = tree_of(scale, bounds, x, None)
    noise = noisy.noise
    start = noise.start(to_mpq(x))
    reach = noise.measure_rounding(start)
    mass = sum(
        (
            tree.mass(y)
            for y in tree.outcomes.values()
            if abs(to_mpq(y) - start) <= reach
        ),
        mpq(0),
    )
    same = to_mpq(assertions._same(noise, start))
    assert mass <= same <= mass + tree.unresolved + mpq(1, 2**50)


def raises(check: Callable[[], None]) -> bool:
    try:
        check()
    except AssertionError:
        return True
    return False


def test_assert_close() -> None:
    noisy = make(*FLOATS, scale=0.1, bounds=(0, 100))
    testing.assert_close(noisy(50.0), 50.0, noisy, "1e-15")
    testing.assert_close(noisy(math.inf), math.inf, noisy, "1e-15")
    testing.assert_close(noisy(-5.0), -5.0, noisy, "1e-15")
    with pytest.raises(AssertionError, match="beyond the tolerance"):
        testing.assert_close(54.0, 50.0, noisy, "1e-15")
    with pytest.raises(AssertionError, match="beyond the tolerance"):
        testing.assert_close(90.0, math.inf, noisy, "1e-15")
    many = make(*LISTS, scale=0.1, bounds=(0, 100))
    data = np.linspace(-10, 110, 1000)
    testing.assert_close(many(data), data, many, "1e-15")


def sizes(noise: FiniteLogarithm) -> dict[mpq, tuple[mpq, mpq]]:
    """P(M > y) and P(M >= y) for each value y of the noise whose U is above 2^-9."""
    law: dict[mpq, tuple[mpq, mpq]] = {}
    for zeros in range(9):
        for mantissa in range(2**noise.word - 1, 2 ** (noise.word - 1) - 1, -1):
            length = noise.word + zeros
            size, _ = noise.magnitudes(mantissa, length)
            below, beyond = mpq(mantissa, 2**length), mpq(mantissa + 1, 2**length)
            law[mpq(size)] = below, law.get(mpq(size), (beyond, beyond))[1]
    return law


@pytest.mark.parametrize("scale", shortened([mpq(1), mpq(5, 4), mpq(2, 3)], mpq(2, 3)))
def test_words_of_few_bits(scale: mpq) -> None:
    """At p = 4 the errors of the finite arithmetic are visible, and allowed for."""
    lattice = Lattice(mpq(-1000), mpq(1000), scale)
    space = NumberSpace(AtomDomain(T=float, nan=False), vector=False, size=None)
    noise, exact = SnappedNoise(lattice, 4, space), SnappedNoise(lattice, None, space)
    needed = [False, False, False]
    for size, (beyond, at_least) in sizes(FiniteLogarithm(scale, 4)).items():
        tails = [each.tail(size, 256) for each in (noise, exact)]
        assert tails[0].lo <= beyond / 2
        needed[0] |= tails[1].lo > beyond / 2
        before = size * (1 - mpq(1, 2**40))  # P(N > before) is half of P(M >= size)
        tails = [each.tail(before, 256) for each in (noise, exact)]
        assert tails[0].hi >= at_least / 2
        needed[2] |= tails[1].hi < at_least / 2
        flakiness = at_least * (1 - mpq(1, 2**40))
        reach = [each.quantile(flakiness) for each in (noise, exact)]
        assert reach[0] >= size + lattice.step / 2
        needed[1] |= reach[1] < size + lattice.step / 2
    assert needed == [True, True, True]


@for_each("precision", [118.0, "118.0", "1.18e2", np.int64(118)])
def test_the_precision_is_read_as_the_constructor_reads_it(precision: Any) -> None:
    noisy = make(*FLOATS, scale=0.1, bounds=(0, 100), precision=precision)
    assert isinstance(noisy.noise, SnappedNoise)
    assert noisy.noise.precision == 118
    testing.assert_close(noisy(50.0), 50.0, noisy, "1e-15")


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_an_infinite_scalar_of_numpy_is_expected_at_the_bound(kind: Any) -> None:
    noisy = make(*FLOATS, scale=0.1, bounds=(0, 100))
    testing.assert_close(noisy(kind(math.inf)), kind(math.inf), noisy, "1e-15")
    with pytest.raises(AssertionError, match="beyond the tolerance"):
        testing.assert_close(90.0, kind(math.inf), noisy, "1e-15")
    with pytest.raises(AssertionError, match="beyond the tolerance"):
        testing.assert_close(90.0, kind(-math.inf), noisy, "1e-15")


def test_bounds_between_doubles() -> None:
    """The release for 1/3 + 2^-60 is the double below it, a whole gap away."""
    bounds = (0, mpq(1, 3) + mpq(1, 2**56))
    noisy = make(*FLOATS, scale=1e-30, bounds=tuple(str(b) for b in bounds))
    for _ in range(5):
        testing.assert_close(noisy(1.0), 1.0, noisy, "1e-15")


def test_assert_noisy() -> None:
    many = make(*LISTS, scale=1, bounds=(0, 100))
    data = np.linspace(0, 100, 200)
    testing.assert_noisy(many(data), data, many, "1e-12")
    snapped = np.round(data)
    with pytest.raises(AssertionError, match="no noise"):
        testing.assert_noisy(snapped, data, many, "1e-12")
    with pytest.raises(AssertionError, match="no noise"):
        testing.assert_noisy(data, data, many, "1e-12")
    one = make(*FLOATS, scale=1, bounds=(0, 100))
    with pytest.raises(OpenDPException, match=r"with probability 0\.39"):
        testing.assert_noisy(one(50.0), 50.0, one, "1e-12")
