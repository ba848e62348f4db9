"""What make_snapping releases and claims."""

from __future__ import annotations

import copy
import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.measurements.snapping.lattice import Lattice
from opendp_lite.randomness.entropy import use_source
from opendp_lite.testing import state_flakiness
from opendp_lite.verify.contracts.checks import HashedBits
from tests.randomness.lane_bits import LaneString
from tests.rows import for_each

FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
LISTS = dp.vector_domain(FLOATS[0]), dp.l1_distance(T=float)
WHOLE = dp.vector_domain(INTEGERS[0]), dp.l1_distance(T=int)


def make(*space: Any, scale: Any = 1, bounds: Any = (0, 4), **more: Any) -> Any:
    return dp.m.make_snapping(*space, scale=scale, bounds=bounds, **more)


def replay(measurement: Any, x: Any, seed: int) -> Any:
    with use_source(HashedBits(seed)):
        return measurement(x)


def lattice_of(scale: Any, bounds: Any) -> Lattice:
    return Lattice(to_mpq(bounds[0]), to_mpq(bounds[1]), to_mpq(scale))


# Releases


@for_each("precision", [None, 118])
@for_each(
    ("scale", "bounds"), [(1, (0, 4)), (0.3, ("1/3", 2)), (7, (-1, 1)), (2, (10, 90))]
)
def test_releases_are_on_the_lattice(scale: Any, bounds: Any, precision: Any) -> None:
    noisy = make(*FLOATS, scale=scale, bounds=bounds, precision=precision)
    lattice = lattice_of(scale, bounds)
    values = {lattice.released(j) for j in range(-lattice.last, lattice.last + 1)}
    for x in (-math.inf, -1.0, 0.0, 0.7, 1, 50.0, math.inf):
        assert {noisy(x) for _ in range(40)} <= values


def test_both_arithmetics_release_the_same_for_the_same_bits() -> None:
    """They differ by 2^-118 of the scale, which 200 draws do not meet."""
    state_flakiness(1e-30)
    exact = make(*FLOATS, scale="1/3", bounds=(-2, 3))
    finite = make(*FLOATS, scale="1/3", bounds=(-2, 3), precision=118)
    for seed in range(200):
        assert replay(exact, 0.3, seed) == replay(finite, 0.3, seed)


def test_the_finite_arithmetic_reads_no_more_than_its_word() -> None:
    """300 bits of e^(-1/2), where the release changes, and then zeros or ones.

    The exact arithmetic tells U below from U above; words of 124 bits do not.
    """
    bits = format(int(exp(mpq(-1, 2), 400).lo * 2**300), "0300b")
    for precision, releases in ((None, 2), (118, 1), (300, 2)):
        noisy = make(*FLOATS, scale=1, bounds=(-4, 4), precision=precision)
        released = set()
        for rest in ("0", "1"):
            with use_source(LaneString(0, "0" + bits[:-1] + rest * 400)):
                released.add(noisy(0.0))
        assert len(released) == releases


def test_lists_and_arrays() -> None:
    noisy = make(*LISTS, scale=3, bounds=(-5, 300))
    data = [0.0, 200.0, 77.5, 255.25, 3.0, math.inf, -math.inf]
    for seed in range(8):
        released = [
            replay(noisy, x, seed)
            for x in (data, np.array(data), np.array(data, "f4"), np.array(data, ">f8"))
        ]
        assert type(released[0]) is list
        for array in released[1:]:
            assert array.dtype == np.float64
            assert array.tolist() == released[0]
    assert noisy([]) == []
    assert noisy(np.array([], "f4")).dtype == np.float64


def test_a_long_list_of_floats_is_released_as_its_array_is() -> None:
    noisy = make(*LISTS, scale=3, bounds=(-5, 300))
    long, short = [0.0, 200.0, math.inf, -5.5] * 12, [77.5] * 47
    # The bits of source 1 are read singly; those of source 5 in words, which an array
    # reads in another order than single numbers do.
    for data, seed in ((long, 1), (long, 5), (short, 1)):
        released = replay(noisy, data, seed)
        assert type(released) is list
        assert released == replay(noisy, np.array(data), seed).tolist()


def test_single_numbers_of_numpy() -> None:
    noisy = make(*FLOATS, scale=1e-9, bounds=(np.float64(0), np.int64(300)))
    for x in (np.float64(255), np.float32(255), 255.0, 255):
        released = noisy(x)
        assert type(released) is float
        assert abs(released - 255) < 1e-6
    state_flakiness(1e-300)
    assert noisy(np.float32(math.inf)) >= 300 - 1e-6


@for_each("dtype", ["int8", "int64", "uint64", ">i4"])
def test_integers(dtype: str) -> None:
    """P(noise > 10^-6) is e^-1000."""
    state_flakiness(1e-300)
    data = [0, 7, 100, 127]
    noisy = make(*WHOLE, scale=1e-9, bounds=(3, 50))
    for x in (data, np.array(data, dtype), np.array(data * 20, dtype)):
        released = list(noisy(x))
        assert np.abs(released - np.clip(x, 3, 50)).max() < 1e-6


def test_integers_beyond_doubles_are_not_rounded_before_they_are_clamped() -> None:
    """2^54 + 2 becomes 2^54 as a double, and would never be released as 2^54 + 4.

    The probability of that is 0.27, and 0.73^200 < 1e-27.
    """
    state_flakiness(3e-27)
    noisy = make(*WHOLE, scale="0.1", bounds=(2**54, 2**54 + 8))
    for data in ([2**54 + 2] * 200, np.array([2**54 + 2] * 200, "u8")):
        released = list(noisy(data))
        assert set(released) == {2.0**54, 2.0**54 + 4}
    narrow = make(*WHOLE, scale="1e-9", bounds=(0, 2**53))
    big = np.array([2**63 - 1, -(2**63), 2**53 + 1] * 5)
    assert min(narrow(big)[0::3]) >= 2.0**53 - 1
    assert max(narrow(big)[1::3]) < 1e-6


@pytest.mark.parametrize("upper", [2**53 + 1, 2**54])
def test_bounds_just_beyond_2_53_take_integers_as_they_are(upper: int) -> None:
    """2^53 + 1 is no double: the releases are the doubles on its two sides."""
    noisy = make(*WHOLE, scale="1e-9", bounds=(2**53, upper))
    found = set()
    for seed in range(3):
        found |= set(replay(noisy, np.full(20, 2**53 + 1), seed).tolist())
    assert found == {2.0**53} | ({2.0**53 + 2} if upper == 2**54 else set())


def test_it_chains_after_rationals() -> None:
    rows = dp.vector_domain(dp.atom_domain(bounds=(0.0, 1.0), nan=False))
    chain = (
        (rows, dp.symmetric_distance())
        >> dp.t.then_sum()
        >> dp.m.then_snapping(2, bounds=(0, 100))
    )
    assert chain.map(1) == 0.5
    assert 0 <= chain([0.25, 0.5]) <= 100
    count = (
        (rows, dp.symmetric_distance())
        >> dp.t.then_count()
        >> dp.m.then_snapping(2, bounds=(0, 100))
    )
    assert count.map(1) == 0.5
    assert 0 <= count([0.25, 0.5]) <= 100


def test_a_float_measurement_covers_fractions() -> None:
    noisy = make(*FLOATS, scale=2)
    rows = dp.vector_domain(dp.atom_domain(bounds=(0.0, 1.0), nan=False))
    total = dp.t.make_sum(rows, dp.symmetric_distance())
    assert (total >> noisy).map(1) == 0.5
    assert noisy.covers_rationals
    assert not make(*INTEGERS).covers_rationals
    fractions = dp.atom_domain(T=Fraction), dp.absolute_distance(T=Fraction)
    assert not make(*fractions).covers_rationals
    third = Fraction(1, 3)
    for seed in range(20):
        rational = make(
            dp.atom_domain(T=Fraction), dp.absolute_distance(T=Fraction), scale=2
        )
        assert replay(rational, third, seed) == replay(noisy, 1 / 3, seed)


def test_a_search_finds_the_scale() -> None:
    found = dp.binary_search_param(
        lambda scale: make(*FLOATS, scale=scale), d_in=1.0, d_out=0.5, T=float
    )
    assert found == 2.0


def test_calls_pickles_copies_and_threads_do_not_repeat_noise() -> None:
    """Two of 500 releases are alike with probability below 2^-180."""
    state_flakiness(2.0**-180)
    # Scale 1e300 on a width of 1e308: 2^26 cells; so compare whole lists.
    noisy = make(*LISTS, scale=1e300, bounds=(-1e308, 1e308))
    zeros = [0.0] * 100
    twins = [noisy, pickle.loads(pickle.dumps(noisy)), copy.deepcopy(noisy)]
    assert twins == [noisy] * 3
    released = [tuple(twin(zeros)) for twin in twins for _ in range(2)]
    with ThreadPoolExecutor(4) as pool:
        released += [tuple(drawn) for drawn in pool.map(noisy, [zeros] * 4)]
    assert len(set(released)) == len(released) == 10


# The map


def test_the_map_is_exact() -> None:
    noisy = make(*FLOATS, scale="0.3", bounds=("0.1", "0.7"))
    assert noisy.map("0.05", exact=True) == Fraction(1, 6)
    assert noisy.map(1, exact=True) == 2
    sized = dp.vector_domain(FLOATS[0], size=3), LISTS[1]
    assert make(*sized, scale="0.3", bounds=("0.1", "0.7")).map(9, exact=True) == 6
    assert make(*LISTS, scale="0.3", bounds=("0.1", "0.7")).map(9, exact=True) == 30
    empty = dp.vector_domain(FLOATS[0], size=0), LISTS[1]
    assert make(*empty).map(math.inf) == 0


def test_the_finite_arithmetic_costs_a_little() -> None:
    exact, finite = make(*FLOATS), make(*FLOATS, precision=118)
    cost = finite.map(1, exact=True) - exact.map(1, exact=True)
    assert cost == Fraction(12 * 2 + 2, 2**118)
    assert finite.map(0) == 0
    assert finite.map(1) > 1.0


def test_the_text_of_a_measurement() -> None:
    text = repr(make(*FLOATS, precision=120))
    assert "make_snapping" in text
    assert "bounds=(0, 4)" in text
    assert "precision=120" in text
