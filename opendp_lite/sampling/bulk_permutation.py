"""Random orders of many rows, by sorting random keys."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from opendp_lite.sampling.bulk import run_lanes
from opendp_lite.sampling.lanes import FEW_PLACES, Array, LaneBits, Lanes, is_bulk
from opendp_lite.sampling.permutation import sample_places_singly

__all__ = ["sample_place_array"]

_NONE = np.empty(0, dtype=np.int64)
_U64 = np.uint64


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
    words = np.empty(n, dtype=_U64)

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        keys = bits.integers(lanes, 64 - length).astype(_U64)  # proof: keys
        words[where] = keys << _U64(length) | lanes.astype(_U64)  # proof: words
        return _NONE

    run(n, step)
    words.sort()  # proof: sort
    places = (words & _U64((1 << length) - 1)).astype(np.int64)  # proof: places
    words >>= _U64(length)  # proof: only-keys
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
