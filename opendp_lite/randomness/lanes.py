"""Random bits for many lanes at once: each lane reads a string of bits of its own.

An array is drawn lane by lane, all lanes together. A lane is one entry; it reads the
next bits of its own string, as one draw would. With the bits of the operating system
the strings are cut from one stream as they are asked for, so that all bits of all lanes
are fair and independent. A test can put other strings in their place.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from struct import Struct
from typing import TYPE_CHECKING, Any, TypeAlias

from opendp_lite.randomness.entropy import BulkBits, granularity, random_rows

if TYPE_CHECKING:
    import numpy as np


Array: TypeAlias = "np.ndarray[Any, Any]"
Lanes: TypeAlias = "np.ndarray[Any, Any]"

# From how many on an array takes less time than as many single draws, as measured.
FEW_CELLS = 160  # integers from a table, where no look-up of all comes first
FEW_TRIALS = 96  # integers by blocks
FEW_REALS = 48
FEW_SNAPPED = 16
FEW_COINS = 8
FEW_PLACES = 16  # rows to be put in order

# From how many to how many integers from a table take less time by one look-up of all.
_SHORT = range(40, 3 * 2**9 + 1)  # at the end are 3 KiB of random bits

_SIZES = (*[8] * 9, *[16] * 8, *[32] * 16, *[64] * 32)
_SAME: AbstractContextManager[None] = nullcontext()


class LaneBits:
    """The random bits of the lanes 0, 1, 2, ... of one array."""

    def __init__(self, stream: BulkBits) -> None:
        self._stream = stream

    def integers(self, lanes: Lanes, bits: int) -> Array:
        """The next `bits` bits of each lane, 0 to 64, as unsigned integers."""
        size = _SIZES[bits]  # proof: size
        words = self._stream.words(len(lanes), f"uint{size}")  # proof: words
        if bits < size:
            words &= words.dtype.type((1 << bits) - 1)  # proof: mask
        return words

    def words(self, lanes: Lanes) -> tuple[Array, Array, Array]:
        """The next 16, 16 and 64 bits of each lane, by one request for all."""
        count = len(lanes)
        drawn = self._stream.words(6 * count, "uint16")  # proof: request
        # The longest are in front, where an array of 64 bits may begin.
        place = drawn[: 4 * count].view("uint64")  # proof: long
        return drawn[4 * count : 5 * count], drawn[5 * count :], place  # proof: short

    def rows(self, lanes: list[int], layout: Struct) -> Iterator[tuple[Any, ...]]:
        """The next bits of each of a list of lanes, in the parts of a layout."""
        rows = random_rows(layout, len(lanes))  # proof: rows
        assert rows is not None  # no array is drawn bit by bit
        return rows

    def lane(self, lane: int) -> AbstractContextManager[None]:
        """While this is entered, `random_bits` reads the string of one lane."""
        return _SAME  # proof: same


def is_bulk(count: int, few: int) -> bool:
    """Return whether to draw this many numbers as an array: not a few, nor bit by bit.

    `few` is one of the numbers above, that of what is drawn.
    """
    return count >= few and granularity() > 1  # proof: bulk


def is_short(count: int) -> bool:
    """Return whether to look this many numbers up in a table together."""
    return count in _SHORT and granularity() > 1  # proof: short
