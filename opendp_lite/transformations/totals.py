"""Exact totals of rows: integers, rationals, and floats rounded to a grid.

No total depends on the order of the rows, none overflows and none is rounded. What
decides how a total is computed is public: bounds, grid, container and dtype.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import repeat
from math import ldexp
from typing import Any

from gmpy2 import mpq

from opendp_lite.core.containers import is_array
from opendp_lite.exact.rationals import to_fraction, to_mpq

__all__ = ["grid_total", "integer_total", "rational_total"]

# 2^13 rows of at most 2^40 steps add up to at most 2^53, below which float64 counts
# exactly; and 64 KiB of rows stay in the cache.
_CHUNK = 2**13
_LOW = 2**32 - 1


def integer_total(data: Any, largest: int) -> int:
    """Return the sum of integers, each of magnitude at most `largest`."""
    if not is_array(data):
        return sum(map(int, data))  # proof: list
    largest = min(largest, 2 ** (8 * data.dtype.itemsize))  # proof: width
    total = 0
    for start in range(0, len(data), _CHUNK):
        chunk = data[start : start + _CHUNK]
        if _CHUNK * largest < 2**63:
            total += int(chunk.sum(dtype="int64"))  # proof: int64
        else:
            high, low = int((chunk >> 32).sum()), int((chunk & _LOW).sum())
            total += (high << 32) + low  # proof: halves
    return total


def rational_total(data: Any) -> Fraction:
    """Return the sum of a list of Fractions and ints."""
    return to_fraction(sum(map(to_mpq, data), mpq(0)))  # proof: sum


def grid_total(data: Any, a: int, b: int, k: int) -> int:
    """Return the sum of rint(clip(x / 2^k, a, b)) over the floats x.

    For every x, |x| < 2^(1023+k), so that x / 2^k is finite; a and b are floats.
    """
    lower, upper = float(a), float(b)  # proof: ends
    if not is_array(data):
        steps = map(ldexp, data, repeat(-k))  # proof: ldexp
        clipped = (lower if y < lower else upper if y > upper else y for y in steps)
        return sum(map(round, clipped))  # proof: list
    import numpy

    largest = max(abs(a), abs(b))
    buffer = numpy.empty(min(_CHUNK, len(data)))
    total = 0
    with numpy.errstate(all="ignore"):
        for start in range(0, len(data), _CHUNK):
            chunk = data[start : start + _CHUNK]
            if largest >= 2**63:
                total += grid_total(chunk.tolist(), a, b, k)  # proof: by-rows
                continue
            y = buffer[: len(chunk)]
            y[:] = chunk  # proof: copy
            numpy.ldexp(y, -k, out=y)  # proof: scale
            numpy.clip(y, lower, upper, out=y)  # proof: clip
            numpy.rint(y, out=y)  # proof: rint
            if _CHUNK * largest <= 2**53:
                total += int(y.sum())  # proof: float64
            else:
                total += integer_total(y.astype(numpy.int64), largest)  # proof: int64
    return total
