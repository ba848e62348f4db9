# ruff: noqa
# fmt: off
# What was read of opendp_lite.sampling.noise.bulk_grid; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rounding import to_double
from opendp_lite.sampling.bulk import check_array
from opendp_lite.sampling.bulk import run_lanes
from opendp_lite.sampling.lanes import Array
from opendp_lite.sampling.lanes import LaneBits
from opendp_lite.sampling.lanes import Lanes
from opendp_lite.sampling.lanes import is_bulk
from opendp_lite.sampling.noise.bulk_discrete import draw_discrete
from opendp_lite.sampling.noise.bulk_discrete import saturated
from opendp_lite.sampling.noise.discrete import DiscreteNoise
import math
import numpy as np

opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'


# === release_on_grid with mpq, nearest_multiple, power_of_two, to_double, saturated,
#    math
def release_on_grid(x: int | float, noise: int, k: int) -> int | float:
    if isinstance(x, float) and math.isinf(x):
        return x
    value = mpq(nearest_multiple(mpq(x), k) + noise) * power_of_two(k)
    if isinstance(x, float):
        return to_double(value)
    return saturated(int(value))


# === add_on_grid with Callable, check_array, run_lanes, Array, LaneBits, Lanes,
#    is_bulk, draw_discrete, DiscreteNoise, np, opendp_lite.sampling.lanes.Array,
#    opendp_lite.sampling.lanes.Lanes
def add_on_grid(
    noise: DiscreteNoise, values: Array, k: int, run: Callable[..., None] = run_lanes
) -> Array:
    check_array(values, np.int64, np.float64)
    if not is_bulk(values.size, noise.few):
        drawn = zip(values.tolist(), noise.samples(values.size), strict=True)
        few = [release_on_grid(x, z, k) for x, z in drawn]
        return np.array(few, dtype=values.dtype)
    out = np.empty(values.size, dtype=values.dtype)
    release = _integers if values.dtype == np.int64 else _doubles

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        z, rejected = draw_discrete(noise, bits, lanes)
        x, result = values[where], out[where]
        if z.dtype == object:
            certain = np.zeros(len(lanes), dtype=bool)
        else:
            certain = release(x, z, k, result)
        for i in np.flatnonzero(~certain):
            result[i] = release_on_grid(x[i].item(), int(z[i]), k)
        out[where] = result
        return rejected

    run(values.size, step)
    return out


# === _integers with Array, np, opendp_lite.sampling.lanes.Array
def _integers(x: Array, z: Array, k: int, out: Array) -> Array:
    if not 0 <= k <= 61:
        return np.zeros(x.size, dtype=bool)
    half = (1 << k) >> 1
    limit = 2**62 >> k
    m = ((x + half) >> k) + z
    np.left_shift(m, k, out=out)
    small = (x > -(2**61)) & (x < 2**61)
    return small & (m > -limit) & (m < limit)


# === _doubles with Array, np, opendp_lite.sampling.lanes.Array
def _doubles(x: Array, z: Array, k: int, out: Array) -> Array:
    if not -1000 <= k <= 960:
        return np.zeros(x.size, dtype=bool)
    with np.errstate(over="ignore", under="ignore"):
        halves = x * 2.0 ** (1 - k)
    np.floor(halves, out=halves)
    certain = np.abs(halves) < 2.0**62
    if not certain.all():
        halves[~certain] = 0.0
    steps = halves.astype(np.int64)
    steps += 1
    steps >>= 1
    steps += z
    np.multiply(steps, 2.0**k, out=out)
    return certain
