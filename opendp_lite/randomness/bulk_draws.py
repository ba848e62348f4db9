"""Coins, uniform integers and random orders for whole arrays."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from gmpy2 import mpq

from opendp_lite.randomness.bulk import run_lanes
from opendp_lite.randomness.draws import (
    decide_below,
    decide_scaled,
    sample_bernoulli_rational,
    sample_places_singly,
    sample_uniform_below,
)
from opendp_lite.randomness.lanes import (
    FEW_COINS,
    FEW_PLACES,
    Array,
    LaneBits,
    Lanes,
    is_bulk,
)
from opendp_lite.randomness.lazy import LazyUniform

_CELL_BITS = 16
_NONE = np.empty(0, dtype=np.int64)
_U64 = np.uint64
_HALF_WORD = _U64(32)


def sample_bernoullis(
    p: mpq, count: int, run: Callable[..., None] = run_lanes
) -> Array:
    """Return coins that are true with probability p each, as an array of booleans.

    >>> sample_bernoullis(mpq(1), 3), len(sample_bernoullis(mpq(1, 3), 0))
    (array([ True,  True,  True]), 0)
    """
    if not 0 <= p <= 1:  # proof: range
        raise ValueError(f"p must be between 0 and 1, got {p}")
    if not is_bulk(count, FEW_COINS):
        few = [sample_bernoulli_rational(p) for _ in range(count)]
        return np.array(few, dtype=bool)  # proof: few
    # The cells before this one are below p, and those behind it are not.
    cell = int((p.numerator << _CELL_BITS) // p.denominator)  # proof: cell
    decide = decide_below(p)
    out = np.empty(count, dtype=bool)

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        prefix = bits.integers(lanes, _CELL_BITS)  # proof: prefix
        coins = prefix < cell  # proof: before
        for i in np.flatnonzero(prefix == cell):
            with bits.lane(lanes[i]):
                coins[i] = LazyUniform(cell, _CELL_BITS).locate(decide)  # proof: in
        out[where] = coins  # proof: coins
        return _NONE

    run(count, step)
    return out


def sample_uniforms_below(
    n: int, count: int, run: Callable[..., None] = run_lanes
) -> Array:
    """Return integers that are each of 0, ..., n - 1 with probability 1/n; n <= 2^63.

    >>> sample_uniforms_below(1, 3)
    array([0, 0, 0])
    """
    if not 0 < n <= 2**63:  # proof: n-range
        raise ValueError(f"n must be positive and at most 2^63, got {n}")
    if n >= 2**32 or not is_bulk(count, FEW_COINS):
        few = [sample_uniform_below(n) for _ in range(count)]
        return np.array(few, dtype=np.int64)  # proof: one-by-one
    out = np.empty(count, dtype=np.int64)
    factor = _U64(n)
    decide = decide_scaled(n)

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        w = bits.integers(lanes, 64)  # proof: word
        upper, lower = w >> _HALF_WORD, w & _U64(2**32 - 1)  # proof: halves
        carry = lower * factor >> _HALF_WORD  # proof: carry
        least = (upper * factor + carry) >> _HALF_WORD  # proof: least
        # The cell [w, w + 1) n/2^64 ends in another integer if this is near 2^64.
        remainder = w * factor  # proof: remainder
        for i in np.flatnonzero(remainder > _U64(2**64 - n)):  # proof: undecided
            with bits.lane(lanes[i]):
                least[i] = LazyUniform(int(w[i]), 64).locate(decide)  # proof: on
        out[where] = least  # proof: uniforms
        return _NONE

    run(count, step)
    return out


_NO_LANES = np.empty(0, dtype=np.int64)
_KEYS = np.uint64


def sample_place_array(
    n: int, count: int, run: Callable[..., None] = run_lanes
) -> Array:
    """Return what `sample_places` returns, as an array of int64.

    Every row has a key, and the rows are sorted by their keys. The key and the place
    of a row share a word, so that words are sorted and nothing else is moved. Rows of
    equal keys, of which there are few, are put into a random order one by one.

    >>> sorted(sample_place_array(4, 4).tolist()), len(sample_place_array(1000, 10))
    ([0, 1, 2, 3], 10)
    """
    if not 0 <= count <= n:  # proof: range
        raise ValueError(f"count must be from 0 to n={n}, got {count}")
    if not is_bulk(n, FEW_PLACES):
        return np.array(sample_places_singly(n, count), dtype=np.int64)  # proof: few
    length = (n - 1).bit_length()  # proof: length
    words = np.empty(n, dtype=_KEYS)

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        keys = bits.integers(lanes, 64 - length).astype(_KEYS)  # proof: keys
        words[where] = keys << _KEYS(length) | lanes.astype(_KEYS)  # proof: words
        return _NO_LANES

    run(n, step)
    words.sort()  # proof: sort
    places = (words & _KEYS((1 << length) - 1)).astype(np.int64)  # proof: places
    words >>= _KEYS(length)  # proof: only-keys
    for start, end in _equal_runs(words):
        mixed = sample_places_singly(end - start, end - start)  # proof: again
        places[start:end] = places[start:end][mixed]  # proof: mixed
    return places[:count].copy()  # proof: first


def _equal_runs(words: Array) -> list[tuple[int, int]]:
    """Return where each run of two or more equal entries begins and ends."""
    same = np.flatnonzero(words[1:] == words[:-1])  # proof: same
    if same.size == 0:
        return []
    breaks = np.flatnonzero(np.diff(same) > 1)  # proof: breaks
    starts = same[np.concatenate(([0], breaks + 1))]  # proof: starts
    ends = same[np.concatenate((breaks, [same.size - 1]))] + 2  # proof: ends
    return list(zip(starts.tolist(), ends.tolist(), strict=True))
