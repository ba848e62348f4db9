"""Random bits for many lanes at once: each lane reads a string of bits of its own.

An array is drawn lane by lane, all lanes together. A lane is one entry; it reads the
next bits of its own string, as one draw would. With the bits of the operating system
the strings are cut from one stream as they are asked for, so that all bits of all lanes
are fair and independent. A test can put other strings in their place.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TypeAlias

from opendp_lite.sampling.entropy import BulkBits

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Array", "LaneBits", "Lanes"]

Array: TypeAlias = "np.ndarray[Any, Any]"
Lanes: TypeAlias = "np.ndarray[Any, Any]"

_SIZES = (*[8] * 9, *[16] * 8, *[32] * 16, *[64] * 32)


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

    def lane(self, lane: int) -> AbstractContextManager[None]:
        """While this is entered, `random_bits` reads the string of one lane."""
        return nullcontext()  # proof: same
