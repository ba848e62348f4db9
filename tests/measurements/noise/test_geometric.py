"""What make_geometric releases, claims and reads."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.measurements.noise import additive, geometric
from opendp_lite.measurements.noise.geometric import sample_discrete_laplace_within
from opendp_lite.randomness.discrete import discrete_noise
from opendp_lite.randomness.entropy import use_source
from opendp_lite.testing import state_flakiness
from opendp_lite.verify.contracts.checks import HashedBits
from tests.randomness.integer_noise import sample_discrete_laplace
from tests.rows import for_each

INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
LISTS = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
PAIRS = dp.vector_domain(dp.atom_domain(T=int), size=2), dp.l1_distance(T=int)


def clamp(y: int, bounds: tuple[int, int]) -> int:
    return min(max(y, bounds[0]), bounds[1])


# Releases


@for_each("x", [0, 1, -1, 2**53 + 1, -(2**63), 2**64, 10**400])
def test_integers_stay_exact_at_any_size(x: int) -> None:
    assert dp.m.make_geometric(*INTEGERS, scale=0)(x) == x
    wide = dp.m.make_geometric(*INTEGERS, scale=0, bounds=(-(10**500), 10**500))
    assert wide(x) == x
    narrow = dp.m.make_geometric(*INTEGERS, scale=0, bounds=(-7, 9))
    assert narrow(x) == clamp(x, (-7, 9))


@for_each("x", [-20, 0, 4, 10, 50])
@for_each("scale", ["1/3", 1, 40])
def test_the_release_is_the_clamped_sum_for_the_same_bits(scale: Any, x: int) -> None:
    bounds = 0, 10
    plain = dp.m.make_geometric(*INTEGERS, scale=scale)
    bounded = dp.m.make_geometric(*INTEGERS, scale=scale, bounds=bounds)
    laplace = dp.m.make_laplace(*INTEGERS, scale=scale)
    for seed in range(40):
        released = []
        for measurement in (laplace, plain, bounded):
            with use_source(HashedBits(seed)):
                released.append(measurement(x))
        with use_source(HashedBits(seed)):
            noise = sample_discrete_laplace_within(to_mpq(scale), 10)
        assert released[0] == released[1]
        assert released[2] == clamp(clamp(x, bounds) + noise, bounds)
        assert {type(y) for y in released} == {int}


def test_lists_and_arrays() -> None:
    noisy = dp.m.make_geometric(*LISTS, scale=3, bounds=(-5, 300))
    data = [0, 200, 77, 255, 3]
    for seed in range(8):
        released = []
        for x in (data, np.array(data), np.array(data, "uint8"), np.array(data, ">i4")):
            with use_source(HashedBits(seed)):
                released.append(noisy(x))
        assert type(released[0]) is list
        for array in released[1:]:
            assert array.dtype == np.int64
            assert array.tolist() == released[0]
    assert noisy([]) == []
    assert noisy(np.array([], "int32")).dtype == np.int64


def test_arrays_saturate_after_the_bounds() -> None:
    top = np.array([2**64 - 1, 5], "uint64")
    wide = dp.m.make_geometric(*LISTS, scale=0, bounds=(10, 2**70))
    assert wide(top).tolist() == [2**63 - 1, 10]
    assert wide(top.tolist()) == [2**64 - 1, 10]
    plain = dp.m.make_geometric(*LISTS, scale=0)
    assert plain(top).tolist() == [2**63 - 1, 5]
    above = dp.m.make_geometric(*LISTS, scale=1, bounds=(2**70, 2**71))
    assert above(top).tolist() == [2**63 - 1, 2**63 - 1]


def test_scalars_of_numpy_are_integers() -> None:
    noisy = dp.m.make_geometric(*INTEGERS, scale=0, bounds=(np.int8(0), np.int64(300)))
    for x in (np.uint8(255), np.int64(255), 255):
        released = noisy(x)
        assert type(released) is int
        assert released == 255


def test_it_chains() -> None:
    rows = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    count = rows >> dp.t.then_count() >> dp.m.then_geometric(2, bounds=(0, 1000))
    assert count.map(1) == 0.5
    assert 0 <= count([1, 2, 3]) <= 1000


def test_calls_pickles_copies_and_threads_do_not_repeat_noise() -> None:
    """Two of 500 releases are alike with probability below 2^-180."""
    state_flakiness(2.0**-180)
    noisy = dp.m.make_geometric(*LISTS, scale=2**200, bounds=(-(2**300), 2**300))
    zeros = [0] * 50
    twins = [noisy, pickle.loads(pickle.dumps(noisy)), copy.deepcopy(noisy)]
    assert twins == [noisy] * 3
    released = [y for twin in twins for _ in range(2) for y in twin(zeros)]
    with ThreadPoolExecutor(4) as pool:
        for drawn in pool.map(noisy, [zeros] * 4):
            released += drawn
    assert len(set(released)) == len(released) == 500


# The law


def probability(
    y: int, x: int, scale: Any, bounds: tuple[int, int]
) -> Callable[[int], Enclosure]:
    """P(clamp(clamp(x) + Z) = y): at an end, all that lies beyond it too."""
    lower, upper = bounds
    shift = y - clamp(x, bounds)

    def enclose(precision: int) -> Enclosure:
        if lower == upper:
            return Enclosure(mpq(1), mpq(1))
        q = exp(-1 / to_mpq(scale), precision)
        weight = exp(mpq(-abs(shift)) / to_mpq(scale), precision)
        if y in bounds:  # P(Z >= z) = q^z/(1 + q) for z >= 0
            return weight / (1 + q)
        return (1 - q) / (1 + q) * weight

    return enclose


@for_each("x", [-9, 0, 2, 5, 6, 10**30])
@for_each("scale", ["1/2", 1, "5/2", 10**6])
@for_each("bounds", [(0, 5), (2, 2), (5, 6)])
def test_the_law_with_bounds(scale: Any, x: int, bounds: tuple[int, int]) -> None:
    noisy = dp.m.make_geometric(*INTEGERS, scale=scale, bounds=bounds)
    certificate = verify.law(
        lambda: noisy(x), lambda y: probability(y, x, scale, bounds), 20
    )
    certificate.assert_holds()
    assert certificate.total_variation < mpq(1, 10**4)


@pytest.mark.parametrize("wrong", [(0, 4), (1, 5), (0, 6)])
def test_a_wrong_bound_is_found(wrong: tuple[int, int]) -> None:
    noisy = dp.m.make_geometric(*INTEGERS, scale=1, bounds=wrong)
    law = verify.law(lambda: noisy(2), lambda y: probability(y, 2, 1, (0, 5)), 20)
    assert law.refuted


def test_data_that_is_not_clamped_is_found() -> None:
    # What would be released for 8 if only the sum were clamped.
    bounds = 0, 5

    def release() -> int:
        return clamp(8 + sample_discrete_laplace(mpq(1)), bounds)

    law = verify.law(release, lambda y: probability(y, 8, 1, bounds), 20)
    assert law.refuted


# Privacy


@for_each("bounds", [None, (0, 10), (3, 5), (4, 5)])
@for_each("scale", ["1/2", 1, 2.5])
def test_it_is_as_private_as_claimed_and_no_more(scale: Any, bounds: Any) -> None:
    noisy = dp.m.make_geometric(*INTEGERS, scale=scale, bounds=bounds)
    certificate = verify.privacy(noisy, 4, 5, depth=24)
    certificate.assert_holds()
    assert certificate.claimed_loss == 1 / to_mpq(scale)
    assert certificate.unresolved < mpq(1, 10**4)
    assert certificate.claimed_loss - certificate.needs_epsilon <= mpq(1, 1000)


@pytest.mark.parametrize("scale", [1, "5/2"])
def test_the_width_of_the_bounds_is_needed_in_full(scale: Any) -> None:
    """Members that are far apart lose (U - L)/b, and no less."""
    noisy = dp.m.make_geometric(*INTEGERS, scale=scale, bounds=(0, 3))
    certificate = verify.privacy(noisy, -(10**9), 10**9, depth=24)
    certificate.assert_holds()
    assert certificate.claimed_loss == 3 / to_mpq(scale)
    assert certificate.claimed_loss - certificate.needs_epsilon <= mpq(1, 1000)


def test_vectors_of_a_known_size_lose_at_most_their_diameter() -> None:
    noisy = dp.m.make_geometric(*PAIRS, scale=2, bounds=(0, 1))
    certificate = verify.privacy(noisy, [-50, -50], [50, 50], depth=22)
    certificate.assert_holds()
    assert certificate.claimed_loss == 1
    assert certificate.claimed_loss - certificate.needs_epsilon <= mpq(1, 100)


@pytest.mark.parametrize("bounds", [None, (0, 6)])
def test_one_percent_less_noise_is_found(
    monkeypatch: pytest.MonkeyPatch, bounds: Any
) -> None:
    less = mpq(99, 100)
    monkeypatch.setattr(
        additive, "discrete_noise", lambda law, scale: discrete_noise(law, scale * less)
    )
    monkeypatch.setattr(
        geometric,
        "sample_discrete_laplace_within",
        lambda scale, limit: sample_discrete_laplace_within(scale * less, limit),
    )
    noisy = dp.m.make_geometric(*INTEGERS, scale=1, bounds=bounds)
    assert verify.privacy(noisy, 3, 4, depth=24).refuted


# What OpenDP 0.16 answers at the distances 0, 1, 3 and 20, with and without
# bounds=(0, 10), for numbers and for vectors of no given size.
OPENDP: dict[float, list[float]] = {
    0.0: [0.0, math.inf, math.inf, math.inf],
    1.0: [0.0, 1.0, 3.0, 20.0],
    2.5: [0.0, 0.4, 1.2000000000000002, 8.0],
    10.0: [0.0, 0.1, 0.30000000000000004, 2.0],
}


@for_each("scale", OPENDP)
def test_the_map_is_opendps_or_smaller_where_the_bounds_are_near(scale: float) -> None:
    distances = [0, 1, 3, 20]
    for space, bounds in ((INTEGERS, None), (LISTS, None), (LISTS, (0, 10))):
        noisy = dp.m.make_geometric(*space, scale=scale, bounds=bounds)
        assert [noisy.map(d) for d in distances] == OPENDP[scale]
    # Clamped numbers are at most 10 apart, which OpenDP does not use at 20.
    near = dp.m.make_geometric(*INTEGERS, scale=scale, bounds=(0, 10))
    assert [near.map(d) for d in distances[:3]] == OPENDP[scale][:3]
    assert near.map(20) == OPENDP[scale][3] / 2


# Random bits


class Counting:
    """A hashed string of bits that keeps what was asked for."""

    granularity = 64

    def __init__(self, seed: int) -> None:
        self.source = HashedBits(seed)
        self.asked: list[int] = []

    def bits(self, count: int) -> int:
        self.asked.append(count)
        return self.source.bits(count)


def asked(measurement: Any, x: Any, seed: int) -> list[int]:
    source = Counting(seed)
    with use_source(source):
        measurement(x)
    return source.asked


@for_each("bounds", [None, (0, 10), (-(2**63), 2**63)])
@for_each("scale", ["1/5", 3, 10**12])
def test_the_bits_that_are_read_do_not_depend_on_the_data(
    scale: Any, bounds: Any
) -> None:
    noisy = dp.m.make_geometric(*LISTS, scale=scale, bounds=bounds)
    data = [[0, 0], [10**40, -(10**40)], [5, 7], [-1, 11]]
    for seed in range(40):
        assert len({tuple(asked(noisy, x, seed)) for x in data}) == 1


@pytest.mark.parametrize("scale", [3, 7, 10**12])
def test_with_bounds_their_number_is_fixed(scale: Any) -> None:
    """Even for strings that begin with 150 zeros or ones: the noise is far out there.

    None of these strings lies in the part of 2^-64 where more bits are read.
    """
    bounded = dp.m.make_geometric(*LISTS, scale=scale, bounds=(0, 10))
    assert {tuple(asked(bounded, [4, 9], seed)) for seed in range(200)} == {(72, 72)}
    number = dp.m.make_geometric(*INTEGERS, scale=scale, bounds=(0, 10))
    assert {tuple(asked(number, 4, seed)) for seed in range(200)} == {(72,)}


def test_without_bounds_larger_noise_may_take_more_bits() -> None:
    """So the number of bits would tell something about the noise."""
    plain = dp.m.make_geometric(*INTEGERS, scale=3)
    assert len({len(asked(plain, 4, seed)) for seed in range(8)}) > 1


def test_without_noise_no_bits_are_read() -> None:
    for bounds in (None, (0, 10)):
        noisy = dp.m.make_geometric(*LISTS, scale=0, bounds=bounds)
        assert asked(noisy, [4, 9], 0) == []
