# ruff: noqa
# fmt: off
# What was read of opendp_lite.sampling.bulk_coins; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.sampling.bernoulli import decide_below
from opendp_lite.sampling.bernoulli import sample_bernoulli_rational
from opendp_lite.sampling.bulk import run_lanes
from opendp_lite.sampling.lanes import Array
from opendp_lite.sampling.lanes import FEW_COINS
from opendp_lite.sampling.lanes import LaneBits
from opendp_lite.sampling.lanes import Lanes
from opendp_lite.sampling.lanes import is_bulk
from opendp_lite.sampling.lazy import LazyUniform
from opendp_lite.sampling.uniform import decide_scaled
from opendp_lite.sampling.uniform import sample_uniform_below
import numpy as np

_CELL_BITS = 16
_NONE = np.empty(0, dtype=np.int64)
opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.lanes.FEW_COINS = 8
_U64 = np.uint64
_HALF_WORD = _U64(32)


# === sample_bernoullis with Callable, mpq, decide_below, sample_bernoulli_rational,
#    run_lanes, Array, FEW_COINS, LaneBits, Lanes, is_bulk, LazyUniform, np, _CELL_BITS,
#    _NONE, opendp_lite.sampling.lanes.Array, opendp_lite.sampling.lanes.Lanes,
#    opendp_lite.sampling.lanes.FEW_COINS
def sample_bernoullis(
    p: mpq, count: int, run: Callable[..., None] = run_lanes
) -> Array:
    if not 0 <= p <= 1:
        raise ValueError(f"p must be between 0 and 1, got {p}")
    if not is_bulk(count, FEW_COINS):
        few = [sample_bernoulli_rational(p) for _ in range(count)]
        return np.array(few, dtype=bool)
    cell = int((p.numerator << _CELL_BITS) // p.denominator)
    decide = decide_below(p)
    out = np.empty(count, dtype=bool)

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        prefix = bits.integers(lanes, _CELL_BITS)
        coins = prefix < cell
        for i in np.flatnonzero(prefix == cell):
            with bits.lane(lanes[i]):
                coins[i] = LazyUniform(cell, _CELL_BITS).locate(decide)
        out[where] = coins
        return _NONE

    run(count, step)
    return out


# === sample_uniforms_below with Callable, run_lanes, Array, FEW_COINS, LaneBits, Lanes,
#    is_bulk, LazyUniform, decide_scaled, sample_uniform_below, np, _NONE, _U64,
#    _HALF_WORD, opendp_lite.sampling.lanes.Array, opendp_lite.sampling.lanes.Lanes,
#    opendp_lite.sampling.lanes.FEW_COINS
def sample_uniforms_below(
    n: int, count: int, run: Callable[..., None] = run_lanes
) -> Array:
    if not 0 < n <= 2**63:
        raise ValueError(f"n must be positive and at most 2^63, got {n}")
    if n >= 2**32 or not is_bulk(count, FEW_COINS):
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
