# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.totals; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from fractions import Fraction
from gmpy2 import mpq
from itertools import repeat
from math import ldexp
from opendp_lite.core.values.containers import is_array
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rationals import to_mpq
from operator import add
from struct import pack
from struct import unpack
from typing import Any

_CHUNK = 2**16
_LOW = 2**32 - 1


# === integer_total with is_array, Any, _CHUNK, _LOW
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


# === rational_total with Fraction, mpq, to_fraction, to_mpq, Any
def rational_total(data: Any) -> Fraction:
    terms = list(map(to_mpq, data))
    return to_fraction(tree_sum(terms) if terms else mpq(0))


# === tree_sum with add, Any
def tree_sum(terms: list[Any]) -> Any:
    while len(terms) > 1:
        last = terms[len(terms) // 2 * 2 :]
        terms = [*map(add, terms[::2], terms[1::2]), *last]
    return terms[0]


# === grid_total with repeat, ldexp, is_array, Any, _CHUNK
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


# === _steps with ldexp, pack, unpack, Any
def _steps(y: Any, k: int, centre: int) -> int:
    middle = ldexp(1.5, 52 + k)
    bits: int = unpack("=Q", pack("=d", middle))[0]
    y += middle
    steps = int(y.view("uint64").sum()) - len(y) * (bits + centre)
    return (steps + 2**63) % 2**64 - 2**63 + len(y) * centre
