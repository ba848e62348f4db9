# ruff: noqa
# fmt: off
# What was read of opendp_lite.randomness.bulk_draws; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.randomness.bulk import run_lanes
from opendp_lite.randomness.draws import decide_below
from opendp_lite.randomness.draws import decide_scaled
from opendp_lite.randomness.draws import sample_bernoulli_rational
from opendp_lite.randomness.draws import sample_places_singly
from opendp_lite.randomness.draws import sample_uniform_below
from opendp_lite.randomness.lanes import Array
from opendp_lite.randomness.lanes import FEW_COINS
from opendp_lite.randomness.lanes import FEW_PLACES
from opendp_lite.randomness.lanes import LaneBits
from opendp_lite.randomness.lanes import Lanes
from opendp_lite.randomness.lanes import is_bulk
from opendp_lite.randomness.lazy import LazyUniform
import numpy as np

_CELL_BITS = 16
_NONE = np.empty(0, dtype=np.int64)
opendp_lite.randomness.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.randomness.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.randomness.lanes.FEW_COINS = 8
_U64 = np.uint64
_HALF_WORD = _U64(32)
_NO_LANES = np.empty(0, dtype=np.int64)
_KEYS = np.uint64
opendp_lite.randomness.lanes.FEW_PLACES = 16


# === sample_bernoullis with Callable, mpq, run_lanes, decide_below,
#    sample_bernoulli_rational, Array, FEW_COINS, LaneBits, Lanes, is_bulk, LazyUniform,
#    np, _CELL_BITS, _NONE, opendp_lite.randomness.lanes.Array,
#    opendp_lite.randomness.lanes.Lanes, opendp_lite.randomness.lanes.FEW_COINS
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


# === sample_uniforms_below with Callable, run_lanes, decide_scaled,
#    sample_uniform_below, Array, FEW_COINS, LaneBits, Lanes, is_bulk, LazyUniform, np,
#    _NONE, _U64, _HALF_WORD, opendp_lite.randomness.lanes.Array,
#    opendp_lite.randomness.lanes.Lanes, opendp_lite.randomness.lanes.FEW_COINS
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


# === sample_place_array with Callable, run_lanes, sample_places_singly, Array,
#    FEW_PLACES, LaneBits, Lanes, is_bulk, np, _NO_LANES, _KEYS,
#    opendp_lite.randomness.lanes.Array, opendp_lite.randomness.lanes.Lanes,
#    opendp_lite.randomness.lanes.FEW_PLACES
def sample_place_array(
    n: int, count: int, run: Callable[..., None] = run_lanes
) -> Array:
    if not 0 <= count <= n:
        raise ValueError(f"count must be from 0 to n={n}, got {count}")
    if not is_bulk(n, FEW_PLACES):
        return np.array(sample_places_singly(n, count), dtype=np.int64)
    length = (n - 1).bit_length()
    words = np.empty(n, dtype=_KEYS)

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        keys = bits.integers(lanes, 64 - length).astype(_KEYS)
        words[where] = keys << _KEYS(length) | lanes.astype(_KEYS)
        return _NO_LANES

    run(n, step)
    words.sort()
    places = (words & _KEYS((1 << length) - 1)).astype(np.int64)
    words >>= _KEYS(length)
    for start, end in _equal_runs(words):
        mixed = sample_places_singly(end - start, end - start)
        places[start:end] = places[start:end][mixed]
    return places[:count].copy()


# === _equal_runs with Array, np, opendp_lite.randomness.lanes.Array
def _equal_runs(words: Array) -> list[tuple[int, int]]:
    same = np.flatnonzero(words[1:] == words[:-1])
    if same.size == 0:
        return []
    breaks = np.flatnonzero(np.diff(same) > 1)
    starts = same[np.concatenate(([0], breaks + 1))]
    ends = same[np.concatenate((breaks, [same.size - 1]))] + 2
    return list(zip(starts.tolist(), ends.tolist(), strict=True))
