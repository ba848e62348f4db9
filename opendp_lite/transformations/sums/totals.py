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

from opendp_lite.base.aliases import Array, Data, Value
from opendp_lite.base.containers import is_array, parts
from opendp_lite.exact.doubles import double_index
from opendp_lite.exact.rationals import to_fraction, to_mpq
from opendp_lite.transformations.datasets import read_numbers

# Half a megabyte stays in the cache, and 2^16 rows of less than 2^47 steps add up to
# less than 2^63.
_CHUNK = 2**16
_LOW = 2**32 - 1
# The squares of up to 2^17 numbers up to 2^40 add up to 2^97, of which floats tell all
# but about 2^62: within that, what is left of the sum modulo 2^64 names one integer.
_WIDE = 2**40
_MANY = 2**17
# Beyond 10,000 entries some BLAS start threads, which cost more than they save.
_DOT = 2**13


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
    buffer = numpy.empty(min(_MANY, len(rows)), rows.dtype)
    start = 2.0**52
    shift = numpy.uint64((double_index(start) - low) % 2**64)

    def places(chunk: Array) -> Array:
        y = numpy.clip(chunk, low, high, out=buffer[: len(chunk)])  # proof: clip
        return (y.astype("uint64") + shift).view("float64")  # proof: places

    return _array_spread(rows, places, start, 0)


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


def _array_spread(
    rows: Array, places: Callable[[Array], Array], start: float, k: int
) -> int:
    """Return n sum(v^2) - sum(v)^2 of the n integers v that `places` makes of the rows.

    `places` makes of a slice an array of the floats start + v 2^k, with v from 0 to
    2^40, which is overwritten. Between 2^(52+k) and 2^(53+k), where they lie, floats
    are 2^k apart, and their bits number them. As |k| <= 400, no square of a v 2^k is
    too small for a float, and no sum of them too large.
    """
    import numpy

    count = total = squares = 0
    first = double_index(start)
    with numpy.errstate(all="ignore"):  # some BLAS report what did not happen
        for begin in range(0, len(rows), _MANY):
            y = places(rows[begin : begin + _MANY])  # proof: slice
            bits = y.view("uint64")  # C wraps these, and not numbers with a sign
            part = (int(bits.sum()) - len(y) * first) % 2**64  # proof: part
            modulo = int(numpy.einsum("i,i->", bits, bits))  # proof: modulo
            modulo -= first * (2 * part + len(y) * first)  # proof: first
            y -= start  # proof: floats
            about = int(ldexp(_near_squares(y), -2 * k))  # proof: about
            squares += about + (modulo - about + 2**63) % 2**64 - 2**63  # proof: exact
            total += part  # proof: total
            count += len(y)
    return count * squares - total * total  # proof: spread


def _near_squares(y: Array) -> float:
    """Return the sum of the squares of floats, which every product and sum rounds."""
    total = 0.0
    for begin in range(0, len(y), _DOT):
        block = y[begin : begin + _DOT]  # proof: block
        total += float(block.dot(block))  # proof: dot
    return total


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
    near = max(abs(a), abs(b)) < 2**51 and abs(k) <= 400  # proof: near
    middle = ldexp(1.5, 52 + k) if near else 2.0**52  # proof: middle
    buffer = numpy.empty(min(_MANY, len(rows)))

    def places(chunk: Array) -> Array:
        y = buffer[: len(chunk)]
        numpy.clip(chunk, low, high, out=y, dtype="float64")  # proof: clip
        if not near:
            numpy.rint(numpy.ldexp(y, -k, out=y), out=y)  # proof: rint
            y -= float(a)  # proof: shift
        y += middle  # proof: round
        return y

    if near:
        return _array_spread(rows, places, middle + low, k)  # proof: grid
    return _array_spread(rows, places, middle, 0)  # proof: far


def grid_steps(rows: Iterable[Data], a: int, b: int, k: int) -> Iterator[int]:
    """Return the rint(clip(x / 2^k, a, b)) of floats x, one after the other."""
    low, high = ldexp(float(a), k), ldexp(float(b), k)  # proof: ends
    near = (low if x < low else high if x > high else x for x in map(float, rows))
    return (round(ldexp(x, -k)) for x in near)  # proof: nearest
