# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/sample_uniforms_below; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.bulk_coins:sample_uniforms_below ===

from collections.abc import Callable
from opendp_lite.sampling.bulk import is_bulk
from opendp_lite.sampling.bulk import run_lanes
from opendp_lite.sampling.lanes import Array
from opendp_lite.sampling.lanes import LaneBits
from opendp_lite.sampling.lanes import Lanes
from opendp_lite.sampling.lazy import LazyUniform
from opendp_lite.sampling.uniform import decide_scaled
from opendp_lite.sampling.uniform import sample_uniform_below
import numpy as np

_NONE = np.empty(0, dtype=np.int64)
_U64 = np.uint64
_HALF_WORD = _U64(32)
opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'

def sample_uniforms_below(
    n: int, count: int, run: Callable[..., None] = run_lanes
) -> Array:
    if not 0 < n <= 2**63:
        raise ValueError(f"n must be positive and at most 2^63, got {n}")
    if n >= 2**32 or not is_bulk(count):
        few = [sample_uniform_below(n) for _ in range(count)]
        return np.array(few, dtype=np.int64)
    out = np.empty(count, dtype=np.int64)
    factor = _U64(n)
    decide = decide_scaled(n)

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        w = bits.integers(lanes, 64)
        upper, lower = w >> _HALF_WORD, w & _U64(2**32 - 1)
        carry = lower * factor >> _HALF_WORD
        least = (upper * factor + carry) >> _HALF_WORD
        remainder = w * factor
        for i in np.flatnonzero(remainder > _U64(2**64 - n)):
            with bits.lane(lanes[i]):
                least[i] = LazyUniform(int(w[i]), 64).locate(decide)
        out[where] = least
        return _NONE

    run(count, step)
    return out


# === opendp_lite.sampling.uniform:decide_scaled ===

from collections.abc import Callable

def decide_scaled(n: int) -> Callable[[int, int], int | None]:
    def decide(prefix: int, length: int) -> int | None:
        least = prefix * n >> length
        most = (prefix + 1) * n - 1 >> length
        return least if least == most else None

    return decide


# === opendp_lite.sampling.bulk:is_bulk ===

from opendp_lite.sampling.entropy import granularity

_FEW = 8

def is_bulk(count: int) -> bool:
    return count >= _FEW and granularity() > 1


# === opendp_lite.sampling.lazy:LazyUniform.__init__ ===

class LazyUniform:
    def __init__(self, prefix: int = 0, length: int = 0) -> None:
        if length < 0 or not 0 <= prefix < 1 << length:
            raise ValueError(f"prefix must have at most length={length} bits")
        self.prefix = prefix
        self.length = length
