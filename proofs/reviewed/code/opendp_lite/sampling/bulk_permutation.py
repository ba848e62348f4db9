# ruff: noqa
# fmt: off
# What was read of opendp_lite.sampling.bulk_permutation; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from opendp_lite.sampling.bulk import run_lanes
from opendp_lite.sampling.lanes import Array
from opendp_lite.sampling.lanes import FEW_PLACES
from opendp_lite.sampling.lanes import LaneBits
from opendp_lite.sampling.lanes import Lanes
from opendp_lite.sampling.lanes import is_bulk
from opendp_lite.sampling.permutation import sample_places_singly
import numpy as np

_NONE = np.empty(0, dtype=np.int64)
_U64 = np.uint64
opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.lanes.FEW_PLACES = 16


# === sample_place_array with Callable, run_lanes, Array, FEW_PLACES, LaneBits, Lanes,
#    is_bulk, sample_places_singly, np, _NONE, _U64, opendp_lite.sampling.lanes.Array,
#    opendp_lite.sampling.lanes.Lanes, opendp_lite.sampling.lanes.FEW_PLACES
def sample_place_array(
    n: int, count: int, run: Callable[..., None] = run_lanes
) -> Array:
    if not 0 <= count <= n:
        raise ValueError(f"count must be from 0 to n={n}, got {count}")
    if not is_bulk(n, FEW_PLACES):
        return np.array(sample_places_singly(n, count), dtype=np.int64)
    length = (n - 1).bit_length()
    words = np.empty(n, dtype=_U64)

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        keys = bits.integers(lanes, 64 - length).astype(_U64)
        words[where] = keys << _U64(length) | lanes.astype(_U64)
        return _NONE

    run(n, step)
    words.sort()
    places = (words & _U64((1 << length) - 1)).astype(np.int64)
    words >>= _U64(length)
    for start, end in _equal_runs(words):
        mixed = sample_places_singly(end - start, end - start)
        places[start:end] = places[start:end][mixed]
    return places[:count].copy()


# === _equal_runs with Array, np, opendp_lite.sampling.lanes.Array
def _equal_runs(words: Array) -> list[tuple[int, int]]:
    same = np.flatnonzero(words[1:] == words[:-1])
    if same.size == 0:
        return []
    breaks = np.flatnonzero(np.diff(same) > 1)
    starts = same[np.concatenate(([0], breaks + 1))]
    ends = same[np.concatenate((breaks, [same.size - 1]))] + 2
    return list(zip(starts.tolist(), ends.tolist(), strict=True))
