# ruff: noqa
# fmt: off
# The code that was reviewed with the proof transformations/integer_total; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.transformations.totals:integer_total ===

from opendp_lite.core.containers import is_array
from typing import Any

_CHUNK = 2**16
_LOW = 2**32 - 1

def integer_total(data: Any, largest: int) -> int:
    if not is_array(data):
        return sum(map(int, data))
    largest = min(largest, 2 ** (8 * data.dtype.itemsize))
    total = 0
    for start in range(0, len(data), _CHUNK):
        chunk = data[start : start + _CHUNK]
        if _CHUNK * largest < 2**63:
            total += int(chunk.sum(dtype="int64"))
        else:
            high, low = int((chunk >> 32).sum()), int((chunk & _LOW).sum())
            total += (high << 32) + low
    return total
