"""Exact totals of rows and of their squares: integers, rationals, floats on a grid.

No total depends on the order of the rows, none overflows and none is rounded. A long
list is read once, into an array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import ldexp
from operator import add
from struct import pack, unpack
from typing import Any

from gmpy2 import mpq

from opendp_lite.core.aliases import Array, Data, Value
from opendp_lite.core.values.containers import is_array, parts
from opendp_lite.exact.rationals import to_fraction, to_mpq
from opendp_lite.transformations.reading import read_numbers

__all__ = [
    "clipped",
    "grid_spread",
    "grid_steps",
    "grid_total",
    "integer_spread",
    "integer_total",
    "rational_total",
    "tree_sum",
]

# Half a megabyte stays in the cache, and 2^16 rows of less than 2^47 steps add up to
# less than 2^63.
_CHUNK = 2**16
_LOW = 2**32 - 1
# The squares of up to 2^16 numbers of this size add up to 2^96, of which floats tell
# all but 2^60: within that, what is left of the sum modulo 2^64 names one integer.
_WIDE = 2**40


def integer_total(data: Data, lower: int, upper: int) -> int:
    """Return the sum of integers, of which each is brought into the bounds first."""
    rows = data if is_array(data) else read_numbers(data, int)  # proof: read
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
    rows = data if is_array(data) else read_numbers(data, float)  # proof: read
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


def integer_spread(data: Data, lower: int, upper: int) -> int:
    """Return n times the sum of the squares, less the square of the sum, of n integers.

    Each is brought into the bounds first. This is n times the sum of their squared
    deviations from the mean, and moving all of them alike does not change it.
    """
    rows = data if is_array(data) else read_numbers(data, int)  # proof: read
    if rows is None:
        return _list_spread(clipped(data, lower, upper))  # proof: list
    import numpy

    limits = numpy.iinfo(rows.dtype)
    low, high = (min(max(int(end), lower), upper) for end in (limits.min, limits.max))
    if low == high:
        return 0  # proof: one
    if high - low > _WIDE:
        return _list_spread(clipped(_values(rows), low, high))  # proof: wide
    buffer = numpy.empty(min(_CHUNK, len(rows)), rows.dtype)
    least = numpy.uint64(low % 2**64)

    def steps(chunk: Array) -> Array:
        y = numpy.clip(chunk, low, high, out=buffer[: len(chunk)])  # proof: clip
        return (y.astype("uint64") - least).view("int64")  # proof: steps

    return _array_spread(rows, steps)


def clipped(rows: Iterable[Data], low: int, high: int) -> Iterator[int]:
    """Return the integers, each brought into the bounds."""
    return (low if x < low else high if x > high else x for x in map(int, rows))


def _values(array: Array) -> Iterator[Any]:
    """Return the entries of an array as Python numbers, few of them at a time."""
    return (value for part in parts(array) for value in part.tolist())


def _list_spread(values: Iterable[int]) -> int:
    """Return n sum(v^2) - sum(v)^2 of n integers."""
    count = total = squares = 0
    for value in values:
        count, total, squares = count + 1, total + value, squares + value * value
    return count * squares - total * total  # proof: rows


def _array_spread(rows: Array, steps: Callable[[Array], Array]) -> int:
    """Return n sum(v^2) - sum(v)^2 of the n integers that `steps` makes of the rows.

    `steps` makes of a slice an array of int64, of numbers from 0 to 2^40.
    """
    import numpy

    count = total = squares = 0
    buffer = numpy.empty(min(_CHUNK, len(rows)))
    for start in range(0, len(rows), _CHUNK):
        y = steps(rows[start : start + _CHUNK])  # proof: slice
        z = buffer[: len(y)]
        z[:] = y  # proof: floats
        z *= z
        about = int(z.sum())  # proof: about
        bits = y.view("uint64")  # C wraps these, and not numbers with a sign
        modulo = int(numpy.dot(bits, bits))  # proof: modulo
        squares += about + (modulo - about + 2**63) % 2**64 - 2**63  # proof: squares
        total += int(y.sum())  # proof: total
        count += len(y)
    return count * squares - total * total  # proof: spread


def grid_spread(data: Data, a: int, b: int, k: int) -> int:
    """Return n sum(s^2) - sum(s)^2 of the s = rint(clip(x / 2^k, a, b)) of n floats x.

    As for `grid_total`, a and b, and a 2^k and b 2^k, are floats, and x is not NaN.
    """
    rows = data if is_array(data) else read_numbers(data, float)  # proof: read
    if rows is None:
        return _list_spread(grid_steps(data, a, b, k))  # proof: list
    if b - a > _WIDE:
        return _list_spread(grid_steps(_values(rows), a, b, k))  # proof: wide
    import numpy

    low, high = ldexp(float(a), k), ldexp(float(b), k)  # proof: bounds
    near = max(abs(a), abs(b)) < 2**51 and k <= 970  # proof: near
    middle = ldexp(1.5, 52 + k) if near else 0.0  # proof: middle
    bits: int = unpack("=q", pack("=d", middle))[0] + a  # proof: bits
    buffer = numpy.empty(min(_CHUNK, len(rows)))

    def steps(chunk: Array) -> Array:
        y = buffer[: len(chunk)]
        with numpy.errstate(all="ignore"):
            numpy.clip(chunk, low, high, out=y, dtype="float64")  # proof: clip
            if near:
                y += middle  # proof: round
                counted = y.view("int64")
                counted -= bits  # proof: count
                return counted
            numpy.rint(numpy.ldexp(y, -k, out=y), out=y)  # proof: rint
            y -= float(a)  # proof: shift
            return y.astype("int64")  # proof: far

    return _array_spread(rows, steps)


def grid_steps(rows: Iterable[Data], a: int, b: int, k: int) -> Iterator[int]:
    """Return the rint(clip(x / 2^k, a, b)) of floats x, one after the other."""
    low, high = ldexp(float(a), k), ldexp(float(b), k)  # proof: ends
    near = (low if x < low else high if x > high else x for x in map(float, rows))
    return (round(ldexp(x, -k)) for x in near)  # proof: nearest
