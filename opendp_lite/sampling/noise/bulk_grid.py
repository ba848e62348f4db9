"""Integer noise on the multiples of 2^k, for whole arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from gmpy2 import mpq

from opendp_lite.exact.grids import nearest_multiple, power_of_two
from opendp_lite.exact.rounding import to_double
from opendp_lite.sampling.bulk import check_array, run_lanes
from opendp_lite.sampling.lanes import Array, LaneBits, Lanes, is_bulk
from opendp_lite.sampling.noise.bulk_discrete import draw_discrete, saturated

if TYPE_CHECKING:
    from opendp_lite.sampling.noise.discrete import DiscreteNoise

__all__ = ["add_on_grid", "release_on_grid"]


def release_on_grid(x: int | float, noise: int, k: int) -> int | float:
    """Return (floor(x/2^k + 1/2) + noise) 2^k, as a number of the type of x.

    An integer is rounded towards 0, which matters for k < 0 only, and saturates at the
    ends of int64; a double is rounded to the nearest and saturates at the largest; an
    infinite x is returned as it is. x is not nan.

    >>> release_on_grid(5, 1, 2), release_on_grid(0.3, 0, -1)
    (8, 0.5)
    """
    if isinstance(x, float) and math.isinf(x):
        return x  # proof: infinite
    value = mpq(nearest_multiple(mpq(x), k) + noise) * power_of_two(k)  # proof: value
    if isinstance(x, float):
        return to_double(value)  # proof: double
    return saturated(int(value))  # proof: integer


def add_on_grid(
    noise: DiscreteNoise, values: Array, k: int, run: Callable[..., None] = run_lanes
) -> Array:
    """Return `release_on_grid` of each x of an int64 or float64 array."""
    check_array(values, np.int64, np.float64)  # proof: array
    if not is_bulk(values.size, noise.few):
        drawn = zip(values.tolist(), noise.samples(values.size), strict=True)
        few = [release_on_grid(x, z, k) for x, z in drawn]
        return np.array(few, dtype=values.dtype)  # proof: few
    out = np.empty(values.size, dtype=values.dtype)
    release = _integers if values.dtype == np.int64 else _doubles  # proof: kind

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        z, rejected = draw_discrete(noise, bits, lanes)  # proof: draw
        x, result = values[where], out[where]
        if z.dtype == object:
            certain = np.zeros(len(lanes), dtype=bool)  # proof: python
        else:
            certain = release(x, z, k, result)  # proof: release
        for i in np.flatnonzero(~certain):
            result[i] = release_on_grid(x[i].item(), int(z[i]), k)  # proof: one
        out[where] = result  # proof: out
        return rejected

    run(values.size, step)
    return out


def _integers(x: Array, z: Array, k: int, out: Array) -> Array:
    """Write releases of int64; say where they are certain: where none passes 2^61."""
    if not 0 <= k <= 61:
        return np.zeros(x.size, dtype=bool)  # proof: far
    half = (1 << k) >> 1
    limit = 2**62 >> k
    m = ((x + half) >> k) + z  # proof: nearest
    np.left_shift(m, k, out=out)  # proof: shifted
    small = (x > -(2**61)) & (x < 2**61)  # proof: small
    return small & (m > -limit) & (m < limit)  # proof: fits


def _doubles(x: Array, z: Array, k: int, out: Array) -> Array:
    """Write releases of float64; say where they are certain."""
    if not -1000 <= k <= 960:
        return np.zeros(x.size, dtype=bool)  # proof: far-grid
    with np.errstate(over="ignore", under="ignore"):
        halves = x * 2.0 ** (1 - k)  # proof: halves
    np.floor(halves, out=halves)  # proof: floor
    certain = np.abs(halves) < 2.0**62  # proof: exact-halves
    if not certain.all():
        halves[~certain] = 0.0  # proof: others
    steps = halves.astype(np.int64)
    steps += 1
    steps >>= 1  # proof: nearest-step
    steps += z  # proof: sum
    np.multiply(steps, 2.0**k, out=out)  # proof: result
    return certain
