# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/LaneBits; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.lanes:LaneBits.__init__ ===

from opendp_lite.sampling.entropy import BulkBits

class LaneBits:
    def __init__(self, stream: BulkBits) -> None:
        self._stream = stream


# === opendp_lite.sampling.lanes:LaneBits.integers ===

from typing import TypeAlias

Array: TypeAlias = "np.ndarray[Any, Any]"
Lanes: TypeAlias = "np.ndarray[Any, Any]"

class LaneBits:
    def integers(self, lanes: Lanes, bits: int) -> Array:
        size = next(each for each in (8, 16, 32, 64) if bits <= each)
        words = self._stream.words(len(lanes), f"uint{size}")
        if bits < size:
            words &= words.dtype.type((1 << bits) - 1)
        return words


# === opendp_lite.sampling.lanes:LaneBits.lane ===

from contextlib import AbstractContextManager
from contextlib import nullcontext

class LaneBits:
    def lane(self, lane: int) -> AbstractContextManager[None]:
        return nullcontext()
