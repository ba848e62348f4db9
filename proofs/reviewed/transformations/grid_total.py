# ruff: noqa
# fmt: off
# The code that was reviewed with the proof transformations/grid_total; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.transformations.totals:grid_total ===

from itertools import repeat
from math import ldexp
from opendp_lite.core.containers import is_array
from typing import Any

_CHUNK = 2**16

def grid_total(data: Any, a: int, b: int, k: int) -> int:
    lower, upper = float(a), float(b)
    if not is_array(data):
        steps = map(ldexp, data, repeat(-k))
        clipped = (lower if y < lower else upper if y > upper else y for y in steps)
        return sum(map(round, clipped))
    import numpy

    largest = max(abs(a), abs(b))
    low, high = ldexp(lower, k), ldexp(upper, k)
    buffer = numpy.empty(min(_CHUNK, len(data)))
    total = 0
    with numpy.errstate(all="ignore"):
        for start in range(0, len(data), _CHUNK):
            chunk = data[start : start + _CHUNK]
            y = buffer[: len(chunk)]
            numpy.clip(chunk, low, high, out=y, dtype="float64")
            if largest >= 2**63:
                total += grid_total(y.tolist(), a, b, k)
            elif largest < 2**51 and _CHUNK * (b - a) < 2**63 and k <= 970:
                total += _steps(y, k, (a + b) // 2)
            else:
                numpy.ldexp(y, -k, out=y)
                numpy.rint(y, out=y)
                total += integer_total(y.astype(numpy.int64), largest)
    return total


# === opendp_lite.transformations.totals:_steps ===

from math import ldexp
from struct import pack
from struct import unpack
from typing import Any

def _steps(y: Any, k: int, centre: int) -> int:
    middle = ldexp(1.5, 52 + k)
    bits: int = unpack("=Q", pack("=d", middle))[0]
    y += middle
    steps = int(y.view("uint64").sum()) - len(y) * (bits + centre)
    return (steps + 2**63) % 2**64 - 2**63 + len(y) * centre
