"""Exact totals of rows: integers, rationals, and floats rounded to a grid.

No total depends on the order of the rows, none overflows and none is rounded. A long
list is read once, into an array.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from fractions import Fraction
from math import ldexp
from operator import add
from struct import pack, unpack
from typing import Any

from gmpy2 import mpq

from opendp_lite.core.aliases import Array, Data, Value
from opendp_lite.core.values.containers import is_array
from opendp_lite.exact.rationals import to_fraction, to_mpq

__all__ = ["grid_total", "integer_total", "rational_total", "tree_sum"]

# Half a megabyte stays in the cache, and 2^16 rows of less than 2^47 steps add up to
# less than 2^63.
_CHUNK = 2**16
_LOW = 2**32 - 1
# Fewer rows of a list are added up faster as they are.
_FEW = 2**8


def integer_total(data: Data, lower: int, upper: int) -> int:
    """Return the sum of integers, of which each is brought into the bounds first."""
    rows = data if is_array(data) else _read(data, "q")  # proof: read
    if rows is None:
        plain = map(int, data)  # proof: list
        return sum(lower if x < lower else upper if x > upper else x for x in plain)
    import numpy

    limits = numpy.iinfo(rows.dtype)
    low, high = (min(max(int(end), lower), upper) for end in (limits.min, limits.max))
    if low == high:
        return low * len(rows)  # proof: one
    buffer = numpy.empty(min(_CHUNK, len(rows)), rows.dtype)
    total = 0
    for start in range(0, len(rows), _CHUNK):
        chunk = rows[start : start + _CHUNK]
        y = numpy.clip(chunk, low, high, out=buffer[: len(chunk)])  # proof: clip
        total += _chunk_total(y, max(abs(low), abs(high)))  # proof: chunk
    return total


def _chunk_total(chunk: Array, largest: int) -> int:
    """Return the sum of at most 2^16 integers of magnitude at most `largest`."""
    if _CHUNK * largest < 2**63:
        return int(chunk.sum(dtype="int64"))  # proof: int64
    high, low = int((chunk >> 32).sum()), int((chunk & _LOW).sum())
    return (high << 32) + low  # proof: halves


def _read(data: list[Data], code: str) -> Any:
    """Return a long list of numbers as an array of int64 ("q") or float64 ("d").

    It is None if the list is short, or has an integer beyond int64.
    """
    if len(data) < _FEW:
        return None  # proof: short
    import numpy

    try:
        return numpy.frombuffer(array(code, data), code)  # proof: array
    except OverflowError:
        return None  # proof: beyond


def rational_total(data: Data) -> Fraction:
    """Return the sum of a list of Fractions and ints.

    Denominators multiply as rows are added. So rows are added in pairs, the sums in
    pairs, and so on: few additions are of long numbers.
    """
    terms = list(map(to_mpq, data))  # proof: terms
    return to_fraction(tree_sum(terms) if terms else mpq(0))  # proof: sum


def tree_sum(terms: list[Data]) -> Any:
    """Return the sum of the terms, of which there is one at least, as a tree.

    >>> tree_sum(["a", "b", "c", "d", "e"])
    'abcde'
    """
    while len(terms) > 1:
        last = terms[len(terms) // 2 * 2 :]  # proof: last
        terms = [*map(add, terms[::2], terms[1::2]), *last]  # proof: pairs
    return terms[0]


def grid_total(data: Data, a: int, b: int, k: int) -> int:
    """Return the sum of rint(clip(x / 2^k, a, b)) over the floats x.

    a and b, and a 2^k and b 2^k, are floats. x may be any float, and infinite, but not
    NaN.
    """
    low, high = ldexp(float(a), k), ldexp(float(b), k)  # proof: bounds
    rows = data if is_array(data) else _read(data, "d")  # proof: read
    if rows is None:
        return _list_total(map(float, data), low, high, k)  # proof: list
    import numpy

    largest = max(abs(a), abs(b))
    buffer = numpy.empty(min(_CHUNK, len(rows)))
    total = 0
    with numpy.errstate(all="ignore"):
        for start in range(0, len(rows), _CHUNK):
            chunk = rows[start : start + _CHUNK]
            y = buffer[: len(chunk)]
            numpy.clip(chunk, low, high, out=y, dtype="float64")  # proof: clip
            if largest >= 2**63:
                total += _list_total(y.tolist(), low, high, k)  # proof: by-rows
            elif largest < 2**51 and _CHUNK * (b - a) < 2**63 and k <= 970:
                total += _steps(y, k, (a + b) // 2)  # proof: steps
            else:
                numpy.ldexp(y, -k, out=y)  # proof: scale
                numpy.rint(y, out=y)  # proof: rint
                total += _chunk_total(y.astype(numpy.int64), largest)  # proof: int64
    return total


def _list_total(rows: Iterable[float], low: float, high: float, k: int) -> int:
    """Return the sum of rint(clip(x, low, high) / 2^k) over the floats x."""
    clipped = (low if x < low else high if x > high else x for x in rows)
    return sum(round(ldexp(x, -k)) for x in clipped)  # proof: rows


def _steps(y: Value, k: int, centre: int) -> int:
    """Return the sum of rint(x / 2^k), |x / 2^k| < 2^51, over at most 2^16 floats x.

    The doubles from 2^52 to 2^53 steps of the grid are the multiples of 2^k there, and
    their bits number them. So a sum with 1.5 2^52 steps is rounded to the grid, and its
    bits count the steps. They are added up modulo 2^64, as steps from `centre`, which
    is so near to all of them that the sum is less than 2^63. The x are in the float64
    array `y`, which is overwritten.
    """
    middle = ldexp(1.5, 52 + k)  # proof: middle
    bits: int = unpack("=Q", pack("=d", middle))[0]  # proof: bits
    y += middle  # proof: round
    steps = int(y.view("uint64").sum()) - len(y) * (bits + centre)  # proof: count
    return (steps + 2**63) % 2**64 - 2**63 + len(y) * centre  # proof: modulo
