"""Coins and uniform integers for whole arrays."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from gmpy2 import mpq

from opendp_lite.sampling.bernoulli import decide_below, sample_bernoulli_rational
from opendp_lite.sampling.bulk import run_lanes
from opendp_lite.sampling.lanes import FEW_COINS, Array, LaneBits, Lanes, is_bulk
from opendp_lite.sampling.lazy import LazyUniform
from opendp_lite.sampling.uniform import decide_scaled, sample_uniform_below

__all__ = ["sample_bernoullis", "sample_uniforms_below"]

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
