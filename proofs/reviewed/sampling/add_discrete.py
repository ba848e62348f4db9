# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/add_discrete; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.bulk_discrete:add_discrete ===

from collections.abc import Callable
from opendp_lite.sampling.bulk import check_array
from opendp_lite.sampling.bulk import is_bulk
from opendp_lite.sampling.bulk import run_lanes
from opendp_lite.sampling.discrete import DiscreteNoise
from opendp_lite.sampling.lanes import Array
from opendp_lite.sampling.lanes import LaneBits
from opendp_lite.sampling.lanes import Lanes
import numpy as np

opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'

def add_discrete(
    noise: DiscreteNoise,
    values: Array,
    run: Callable[..., None] = run_lanes,
) -> Array:
    check_array(values, np.int64)
    if not is_bulk(values.size):
        sums = [saturated(int(x) + noise.sample()) for x in values]
        return np.array(sums, dtype=np.int64)
    out = np.empty(values.size, dtype=np.int64)

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        x, rejected = draw_discrete(noise, bits, lanes)
        out[where] = _saturating_sum(values[where], x, out[where])
        return rejected

    run(values.size, step)
    return out


# === opendp_lite.sampling.bulk_discrete:saturated ===

_LEAST, _MOST = -(2**63), 2**63 - 1

def saturated(x: int) -> int:
    return min(max(x, _LEAST), _MOST)


# === opendp_lite.sampling.bulk_discrete:_saturating_sum ===

from opendp_lite.sampling.lanes import Array
import numpy as np

_LEAST, _MOST = -(2**63), 2**63 - 1
_HALF = 2**62
opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'

def _saturating_sum(a: Array, b: Array, total: Array) -> Array:
    if b.dtype == object:
        sums = [saturated(int(x) + y) for x, y in zip(a, b, strict=True)]
        return np.array(sums, dtype=np.int64)
    np.add(a, b, out=total)
    if a.size and int(a.min()) >= -_HALF and int(a.max()) < _HALF:
        return total
    wrapped = ((a ^ total) & (b ^ total)) < 0
    total[wrapped] = np.where(b[wrapped] < 0, _LEAST, _MOST)
    return total


# === opendp_lite.sampling.bulk:check_array ===

from opendp_lite.sampling.lanes import Array

opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'

def check_array(values: Array, *types: type) -> None:
    if values.ndim != 1 or values.dtype not in types:
        names = " or ".join(each.__name__ for each in types)
        raise ValueError(f"values must be a one-dimensional array of {names}")


# === opendp_lite.sampling.bulk:is_bulk ===

from opendp_lite.sampling.entropy import granularity

_FEW = 8

def is_bulk(count: int) -> bool:
    return count >= _FEW and granularity() > 1
