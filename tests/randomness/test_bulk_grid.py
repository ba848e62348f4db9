"""Noise on a grid for arrays: lane by lane the release of one number."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

from opendp_lite.exact.grids import nearest_multiple, power_of_two
from opendp_lite.exact.rounding import round_nearest
from opendp_lite.laws.noise import GAUSSIAN, GEOMETRIC, LAPLACE, Law
from opendp_lite.randomness import bulk_discrete as bulk_grid
from opendp_lite.randomness.bulk import Step
from opendp_lite.randomness.bulk_discrete import add_on_grid, release_on_grid
from opendp_lite.randomness.discrete import discrete_noise
from opendp_lite.randomness.lanes import Array, LaneBits
from tests.randomness.hostile_bits import hostile_strings
from tests.randomness.lane_bits import assert_lanes_equal_single_draws
from tests.rows import for_each

LARGEST = sys.float_info.max
LEAST, MOST = -(2**63), 2**63 - 1
DOUBLES = [
    0.0,
    5e-324,
    2.0**-1022,
    1e-300,
    2.0**-60,
    0.1,
    0.25,
    0.5,
    1.0,
    1.5,
    2.5,
    3.0,
]
DOUBLES += [math.nextafter(0.5, 0), math.nextafter(0.5, 1), math.nextafter(1.5, 2)]
DOUBLES += [
    2.0**51 - 0.5,
    2.0**52 - 0.5,
    2.0**52,
    2.0**53 + 2,
    1e300,
    LARGEST,
    math.inf,
]
DOUBLES += [2.0**62 - 512, 2.0**62, 2.0**63, 1.5 * 2.0**63]
DOUBLES += [-x for x in DOUBLES]
INTEGERS = [
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    1000,
    2**31,
    2**60,
    2**61 - 1,
    2**61,
    2**62,
    MOST,
    MOST - 1,
]
INTEGERS += [-x for x in INTEGERS] + [LEAST]
NOISE = [0, 1, 5, 2**14, 2**51, 2**53 + 1, 2**54 + 2, 2**60 + 1, 2**61 - 1, 2**61]
NOISE += [-x for x in NOISE] + [-(2**61) - 1]
DOUBLE_GRIDS = [
    -1075,
    -1074,
    -1073,
    -1022,
    -60,
    -2,
    -1,
    0,
    1,
    3,
    60,
    900,
    970,
    971,
    972,
]
INTEGER_GRIDS = [-3, -1, 0, 1, 2, 5, 59, 60, 61, 62, 63, 70]


def exact(x: float, z: int, k: int) -> float | int:
    """The docstring of `release_on_grid`, in rational numbers."""
    if isinstance(x, float) and math.isinf(x):
        return x
    value = (nearest_multiple(mpq(x), k) + z) * power_of_two(k)
    if isinstance(x, float):
        return float(round_nearest(value))
    return max(LEAST, min(MOST, int(value)))


def same(a: float, b: float) -> bool:
    return type(a) is type(b) and a == b and math.copysign(1, a) == math.copysign(1, b)


@for_each("k", DOUBLE_GRIDS)
def test_one_double(k: int) -> None:
    for x, z in itertools.product(DOUBLES, NOISE):
        assert same(release_on_grid(x, z, k), exact(x, z, k)), (x, z)


@for_each("k", INTEGER_GRIDS)
def test_one_integer(k: int) -> None:
    for x, z in itertools.product(INTEGERS, NOISE):
        assert same(release_on_grid(x, z, k), exact(x, z, k)), (x, z)


@for_each("k", DOUBLE_GRIDS)
def test_doubles_that_are_certain_are_right(k: int) -> None:
    pairs = list(itertools.product(DOUBLES, NOISE))
    x = np.array([x for x, _ in pairs])
    z = np.array([z for _, z in pairs], dtype=np.int64)
    with np.errstate(all="raise"):
        result = np.full(x.size, np.nan)
        certain = bulk_grid._doubles(x, z, k, result)
    for i in np.flatnonzero(certain):
        assert same(result[i].item(), release_on_grid(*pairs[i], k)), pairs[i]
    assert certain.any() == (-1000 <= k <= 960)
    for i, (value, _) in enumerate(pairs):  # type: ignore[assignment]
        if -1000 <= k <= 960 and abs(value) < 2.0 ** (k + 61):
            assert certain[i], (value, "is decided by floats")


@for_each("k", INTEGER_GRIDS)
@for_each("dtype", [np.int16, np.int32, np.int64])
def test_integers_that_are_certain_are_right(k: int, dtype: type) -> None:
    noise = [z for z in NOISE if abs(z) <= np.iinfo(dtype).max]
    pairs = list(itertools.product(INTEGERS, noise))
    x = np.array([x for x, _ in pairs], dtype=np.int64)
    z: Any = np.array([z for _, z in pairs], dtype=dtype)
    with np.errstate(all="raise"):
        result = np.zeros_like(x)
        certain = bulk_grid._integers(x, z, k, result)
    for i in np.flatnonzero(certain):
        assert same(result[i].item(), release_on_grid(*pairs[i], k)), pairs[i]
    assert certain.any() == (0 <= k <= 61)


@for_each("scale", [mpq(1), mpq(200), mpq(2) ** 50, mpq(10) ** 30], ids=str)
@for_each("law", [LAPLACE, GAUSSIAN, GEOMETRIC], ids=lambda x: x.name)
@for_each("k", [-1074, -40, -1, 0, 7, 971])
def test_lanes_of_doubles_are_single_releases(k: int, law: Law, scale: mpq) -> None:
    noise = discrete_noise(law, scale)
    values = np.array(DOUBLES)
    assert_lanes_equal_single_draws(
        lambda run: add_on_grid(noise, values, k, run),
        lambda i: release_on_grid(DOUBLES[i], noise.sample(), k),
        [""] * len(DOUBLES),
    )


@for_each("scale", [mpq(1), mpq(200), mpq(2) ** 50, mpq(10) ** 30], ids=str)
@for_each("law", [LAPLACE, GAUSSIAN, GEOMETRIC], ids=lambda x: x.name)
@for_each("k", [-1, 0, 1, 9, 61, 70])
def test_lanes_of_integers_are_single_releases(k: int, law: Law, scale: mpq) -> None:
    noise = discrete_noise(law, scale)
    values = np.array(INTEGERS, dtype=np.int64)
    assert_lanes_equal_single_draws(
        lambda run: add_on_grid(noise, values, k, run),
        lambda i: release_on_grid(INTEGERS[i], noise.sample(), k),
        [""] * len(INTEGERS),
    )


@for_each("scale", [mpq(256), mpq(2) ** 40], ids=str)
@for_each("dtype", [np.int64, np.float64])
def test_lanes_that_are_drawn_again(dtype: type, scale: mpq) -> None:
    """What a rejected lane wrote is replaced by what it draws later."""
    noise = discrete_noise(LAPLACE, scale)
    starts, _ = hostile_strings(noise)
    values: Any = np.arange(len(starts), dtype=dtype)
    again: Any = []

    def array(run: Callable[..., None]) -> Array:
        def watched(count: int, step: Step) -> None:
            def seen(bits: LaneBits, where: slice | Array, lanes: Array) -> Array:
                again.extend([] if isinstance(where, slice) else lanes)
                return step(bits, where, lanes)

            run(count, seen)

        return add_on_grid(noise, values, 3, watched)

    assert_lanes_equal_single_draws(
        array, lambda i: release_on_grid(values[i].item(), noise.sample(), 3), starts
    )
    assert again


@for_each("count", [0, 1, 7, 8])
@for_each("dtype", [np.int64, np.float64])
def test_few_and_many(count: int, dtype: type) -> None:
    noise = discrete_noise(LAPLACE, mpq(0))
    values: Any = np.arange(count, dtype=dtype)
    values.flags.writeable = False
    with np.errstate(all="raise"):
        out = noise.add_on_grid(values, 1)
    assert out.dtype == dtype
    assert out.tolist() == [(x + 1) // 2 * 2 for x in range(count)]


@for_each(
    "values",
    [
        np.zeros(9, dtype=np.float32),
        np.zeros(9, dtype=np.dtype(np.float64).newbyteorder()),
        np.zeros((9, 9)),
        np.zeros(9, dtype=np.uint64),
    ],
    ids=lambda values: f"{values.dtype.str}-{values.ndim}",
)
def test_other_arrays_are_refused(values: Array) -> None:
    with pytest.raises(ValueError, match="array of int64 or float64"):
        discrete_noise(LAPLACE, mpq(1)).add_on_grid(values, 0)
