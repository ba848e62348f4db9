# ruff: noqa
# fmt: off
# What was read of opendp_lite.sampling.lanes; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from contextlib import AbstractContextManager
from contextlib import nullcontext
from opendp_lite.sampling.entropy import BulkBits
from typing import TypeAlias

Array: TypeAlias = "np.ndarray[Any, Any]"
Lanes: TypeAlias = "np.ndarray[Any, Any]"


# === LaneBits.__init__ with BulkBits
class LaneBits:
    def __init__(self, stream: BulkBits) -> None:
        self._stream = stream


# === LaneBits.integers with TypeAlias, Array, Lanes
class LaneBits:
    def integers(self, lanes: Lanes, bits: int) -> Array:
        size = next(each for each in (8, 16, 32, 64) if bits <= each)
        words = self._stream.words(len(lanes), f"uint{size}")
        if bits < size:
            words &= words.dtype.type((1 << bits) - 1)
        return words


# === LaneBits.lane with AbstractContextManager, nullcontext
class LaneBits:
    def lane(self, lane: int) -> AbstractContextManager[None]:
        return nullcontext()
