# ruff: noqa
# fmt: off
# What was read of opendp_lite.randomness.lanes; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterator
from contextlib import AbstractContextManager
from contextlib import nullcontext
from opendp_lite.randomness.entropy import BulkBits
from opendp_lite.randomness.entropy import granularity
from opendp_lite.randomness.entropy import random_rows
from struct import Struct
from typing import Any
from typing import TypeAlias

Array: TypeAlias = "np.ndarray[Any, Any]"
Lanes: TypeAlias = "np.ndarray[Any, Any]"
_SIZES = (*[8] * 9, *[16] * 8, *[32] * 16, *[64] * 32)
_SAME: AbstractContextManager[None] = nullcontext()
_SHORT = range(40, 3 * 2**9 + 1)


# === LaneBits.__init__ with BulkBits
class LaneBits:
    def __init__(self, stream: BulkBits) -> None:
        self._stream = stream


# === LaneBits.integers with TypeAlias, Array, Lanes, _SIZES
class LaneBits:
    def integers(self, lanes: Lanes, bits: int) -> Array:
        size = _SIZES[bits]
        words = self._stream.words(len(lanes), f"uint{size}")
        if bits < size:
            words &= words.dtype.type((1 << bits) - 1)
        return words


# === LaneBits.words with TypeAlias, Array, Lanes
class LaneBits:
    def words(self, lanes: Lanes) -> tuple[Array, Array, Array]:
        count = len(lanes)
        drawn = self._stream.words(6 * count, "uint16")
        place = drawn[: 4 * count].view("uint64")
        return drawn[4 * count : 5 * count], drawn[5 * count :], place


# === LaneBits.rows with Iterator, random_rows, Struct, Any
class LaneBits:
    def rows(self, lanes: list[int], layout: Struct) -> Iterator[tuple[Any, ...]]:
        rows = random_rows(layout, len(lanes))
        assert rows is not None
        return rows


# === LaneBits.lane with AbstractContextManager, nullcontext, _SAME
class LaneBits:
    def lane(self, lane: int) -> AbstractContextManager[None]:
        return _SAME


# === is_bulk with granularity
def is_bulk(count: int, few: int) -> bool:
    return count >= few and granularity() > 1


# === is_short with granularity, _SHORT
def is_short(count: int) -> bool:
    return count in _SHORT and granularity() > 1
