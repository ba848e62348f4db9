# ruff: noqa
# fmt: off
# The code that was reviewed with the proof transformations/grid_total; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.transformations.totals:grid_total ===

from itertools import repeat
from math import ldexp
from opendp_lite.core.containers import is_array
from typing import Any

_CHUNK = 2**13

def grid_total(data: Any, a: int, b: int, k: int) -> int:
    lower, upper = float(a), float(b)
    if not is_array(data):
        steps = map(ldexp, data, repeat(-k))
        clipped = (lower if y < lower else upper if y > upper else y for y in steps)
        return sum(map(round, clipped))
    import numpy

    largest = max(abs(a), abs(b))
    buffer = numpy.empty(min(_CHUNK, len(data)))
    total = 0
    with numpy.errstate(all="ignore"):
        for start in range(0, len(data), _CHUNK):
            chunk = data[start : start + _CHUNK]
            if largest >= 2**63:
                total += grid_total(chunk.tolist(), a, b, k)
                continue
            y = buffer[: len(chunk)]
            y[:] = chunk
            numpy.ldexp(y, -k, out=y)
            numpy.clip(y, lower, upper, out=y)
            numpy.rint(y, out=y)
            if _CHUNK * largest <= 2**53:
                total += int(y.sum())
            else:
                total += integer_total(y.astype(numpy.int64), largest)
    return total
