# ruff: noqa
# fmt: off
# What was read of opendp_lite.sampling.lanes; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from contextlib import AbstractContextManager
from contextlib import nullcontext
from opendp_lite.sampling.entropy import BulkBits
from opendp_lite.sampling.entropy import granularity
from typing import TypeAlias

Array: TypeAlias = "np.ndarray[Any, Any]"
Lanes: TypeAlias = "np.ndarray[Any, Any]"
_SIZES = (*[8] * 9, *[16] * 8, *[32] * 16, *[64] * 32)


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


# === LaneBits.lane with AbstractContextManager, nullcontext
class LaneBits:
    def lane(self, lane: int) -> AbstractContextManager[None]:
        return nullcontext()


# === is_bulk with granularity
def is_bulk(count: int, few: int) -> bool:
    return count >= few and granularity() > 1
