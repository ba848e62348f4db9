"""Sensitivity on a grid, against the greatest one over all pairs of a toy range."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.exact.grids import nearest_multiple, power_of_two
from opendp_lite.measurements.noise.additive import (
    absolute_sensitivity,
    l1_sensitivity,
    spacing,
)
from tests.longer import shortened
from tests.rows import for_each

SIZES = (1, 2, 3, 4)

# (spacing of the input, exponent of the grid): the ratios 1/2, 1/4 and 1/8, on
# integers, on quarters, and on the smallest doubles.
ROUNDED = [
    (mpq(1), 1),
    (mpq(1), 2),
    (mpq(1), 3),
    (mpq(1, 4), -1),
    (mpq(1, 4), 0),
    (mpq(1, 4), 1),
    (power_of_two(-1074), -1073),
    (power_of_two(-1074), -1072),
]
UNROUNDED = [(mpq(1), 0), (mpq(1), -3), (mpq(1, 4), -2), (power_of_two(-1074), -1074)]


def steps_apart(x: mpq, y: mpq, k: int) -> int:
    return abs(nearest_multiple(x, k) - nearest_multiple(y, k))


def greatest_steps(step: mpq, k: int, most: int) -> list[int]:
    """Greatest number of grid steps between numbers n `step` apart, n = 0, ..., most.

    All pairs of multiples of `step` are tried in which the lower number lies in a
    range of at least two grid cells around 0; others are shifts of these.
    """
    cell = int(power_of_two(k) / step) if power_of_two(k) > step else 1
    lows = range(-cell - 1, cell + 2)
    return [
        max(steps_apart(low * step, (low + n) * step, k) for low in lows)
        for n in range(most + 1)
    ]


def greatest_steps_of_vectors(single: list[int], size: int) -> list[int]:
    """The same for vectors at L1 distance *at most* n `step`.

    Both distances are sums over the entries, so the greatest is found by adding one
    entry at a time: the best split of the distance between it and the others.
    """
    best = [max(single[: n + 1]) for n in range(len(single))]
    for _ in range(size - 1):
        best = [
            max(best[n - used] + single[used] for used in range(n + 1))
            for n in range(len(single))
        ]
    return best


def test_the_table_of_vectors_is_the_greatest_over_all_pairs_of_vectors() -> None:
    for k, size in product((1, 2), (1, 2)):
        reach = 4
        values = list(product(range(-reach, reach + 1), repeat=size))
        found = [0] * (2 * reach + 1)
        for x, y in product(values, values):
            distance = sum(abs(a - b) for a, b in zip(x, y, strict=True))
            if distance < len(found):
                steps = sum(
                    steps_apart(mpq(a), mpq(b), k) for a, b in zip(x, y, strict=True)
                )
                found[distance] = max(found[distance], steps)
        single = greatest_steps(mpq(1), k, 2 * reach)
        expected = greatest_steps_of_vectors(single, size)
        assert [max(found[: n + 1]) for n in range(len(found))] == expected


@for_each(("step", "k"), ROUNDED)
def test_the_absolute_bound_holds_and_is_attained(step: mpq, k: int) -> None:
    for n, steps in enumerate(greatest_steps(step, k, 40)):
        assert absolute_sensitivity(n * step, k, step) == steps * power_of_two(k)


@for_each("size", SIZES)
@for_each(("step", "k"), ROUNDED)
def test_the_l1_bound_holds_and_is_attained(step: mpq, k: int, size: int) -> None:
    single = greatest_steps(step, k, 40)
    for n, steps in enumerate(greatest_steps_of_vectors(single, size)):
        assert l1_sensitivity(n * step, k, step, size) == steps * power_of_two(k)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("k", shortened([-2, 0, 3], 0))
def test_without_a_spacing_the_bound_holds_and_is_attained(k: int, size: int) -> None:
    # Numbers 1/64 of a grid step apart stand for all rationals: at distances that
    # are multiples of 1/4 of a grid step they attain the bound.
    fine = power_of_two(k) / 64
    greatest = greatest_steps_of_vectors(greatest_steps(fine, k, 192), size)
    for n, steps in enumerate(greatest):
        bound = l1_sensitivity(n * fine, k, mpq(0), size)
        assert bound >= steps * power_of_two(k)
        if n % 16 == 0:
            assert bound == steps * power_of_two(k)
        if size == 1:
            assert bound == absolute_sensitivity(n * fine, k, mpq(0))


@for_each("size", SIZES)
@for_each(("step", "k"), UNROUNDED)
def test_where_nothing_is_rounded_distances_stay(step: mpq, k: int, size: int) -> None:
    for n, steps in enumerate(greatest_steps(step, k, 20)):
        assert absolute_sensitivity(n * step, k, step) == n * step
        assert steps * power_of_two(k) == n * step
        assert absolute_sensitivity(n * step / 3, k, step) == n * step / 3
        assert l1_sensitivity(n * step, k, step, size) == n * step
        assert l1_sensitivity(n * step / 3, k, step, size) == n * step / 3
        # Without a size nothing else is known, and nothing else is needed.
        assert l1_sensitivity(n * step, k, step, 0) == n * step


@for_each(("step", "k"), [*ROUNDED, *UNROUNDED, (mpq(0), 0)])
def test_bounds_grow_with_the_distance_also_between_multiples(
    step: mpq, k: int
) -> None:
    fine = (step if step else power_of_two(k)) / 6
    for size in SIZES:
        bounds = [l1_sensitivity(n * fine, k, step, size) for n in range(120)]
        assert bounds == sorted(bounds)
    bounds = [absolute_sensitivity(n * fine, k, step) for n in range(120)]
    assert bounds == sorted(bounds)


@for_each(("step", "k"), [*ROUNDED, (mpq(0), 0), (mpq(0), -3)])
def test_bounds_are_never_above_distance_plus_one_cell_an_entry(
    step: mpq, k: int
) -> None:
    # What OpenDP adds: n (2^k - spacing) for n entries.
    grid = power_of_two(k)
    unit = step if step else grid / 8
    for n, size in product(range(60), SIZES):
        relaxed = n * unit + size * (grid - step)
        assert l1_sensitivity(n * unit, k, step, size) <= relaxed
        assert absolute_sensitivity(n * unit, k, step) <= n * unit + (grid - step)


@for_each(("step", "k"), [*ROUNDED, *UNROUNDED, (mpq(0), 0)])
def test_the_ends(step: mpq, k: int) -> None:
    assert absolute_sensitivity(math.inf, k, step) == math.inf
    assert l1_sensitivity(math.inf, k, step, 3) == math.inf
    assert absolute_sensitivity(0, k, step) == 0
    assert l1_sensitivity(0, k, step, 3) == 0


def test_an_empty_vector_has_no_neighbours() -> None:
    assert l1_sensitivity(5, 3, mpq(1), 0) == 0


def test_a_plain_int_is_a_distance() -> None:
    assert absolute_sensitivity(5, 2, mpq(1)) == 8
    assert l1_sensitivity(5, 2, mpq(1), 3) == 12


def test_spacings() -> None:
    assert spacing(dp.atom_domain(T=int)) == 1
    assert spacing(dp.atom_domain(T="i8")) == 1
    assert spacing(dp.atom_domain(T=float)) == power_of_two(-1074)
    assert spacing(dp.atom_domain(T="f32")) == power_of_two(-1074)
    assert spacing(dp.atom_domain(T=Fraction)) == 0
