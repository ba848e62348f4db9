# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.sums.totals; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from fractions import Fraction
from gmpy2 import mpq
from math import ldexp
from opendp_lite.base.aliases import Array
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import Value
from opendp_lite.base.containers import is_array
from opendp_lite.base.containers import parts
from opendp_lite.exact.doubles import double_index
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.transformations.datasets import read_numbers
from operator import add
from struct import pack
from struct import unpack
from typing import Any

opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_CHUNK = 2**16
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
_LOW = 2**32 - 1
opendp_lite.base.aliases.Value: typing.TypeAlias = typing.Any
_WIDE = 2**40
_MANY = 2**17
_DOT = 2**13


# === integer_total with Data, is_array, read_numbers, opendp_lite.base.aliases.Data,
#    _CHUNK
def integer_total(data: Data, lower: int, upper: int) -> int:
    rows = data if is_array(data) else read_numbers(data, int)
    if rows is None:
        plain = map(int, data)
        return sum(lower if x < lower else upper if x > upper else x for x in plain)
    import numpy

    limits = numpy.iinfo(rows.dtype)
    low, high = (min(max(int(end), lower), upper) for end in (limits.min, limits.max))
    if low == high:
        return low * len(rows)
    buffer = numpy.empty(min(_CHUNK, len(rows)), rows.dtype)
    total = 0
    for start in range(0, len(rows), _CHUNK):
        chunk = rows[start : start + _CHUNK]
        y = numpy.clip(chunk, low, high, out=buffer[: len(chunk)])
        total += _chunk_total(y, max(abs(low), abs(high)))
    return total


# === _chunk_total with Array, ?, _CHUNK, _LOW
def _chunk_total(chunk: Array, largest: int) -> int:
    if _CHUNK * largest < 2**63:
        return int(chunk.sum(dtype="int64"))
    high, low = int((chunk >> 32).sum()), int((chunk & _LOW).sum())
    return (high << 32) + low


# === rational_total with Fraction, mpq, Data, to_fraction, to_mpq,
#    opendp_lite.base.aliases.Data
def rational_total(data: Data) -> Fraction:
    terms = list(map(to_mpq, data))
    return to_fraction(tree_sum(terms) if terms else mpq(0))


# === tree_sum with Data, add, Any, opendp_lite.base.aliases.Data
def tree_sum(terms: list[Data]) -> Any:
    while len(terms) > 1:
        last = terms[len(terms) // 2 * 2 :]
        terms = [*map(add, terms[::2], terms[1::2]), *last]
    return terms[0]


# === grid_total with ldexp, Data, is_array, read_numbers,
#    opendp_lite.base.aliases.Data, _CHUNK
def grid_total(data: Data, a: int, b: int, k: int) -> int:
    low, high = ldexp(float(a), k), ldexp(float(b), k)
    rows = data if is_array(data) else read_numbers(data, float)
    if rows is None:
        return _list_total(map(float, data), low, high, k)
    import numpy

    largest = max(abs(a), abs(b))
    buffer = numpy.empty(min(_CHUNK, len(rows)))
    total = 0
    with numpy.errstate(all="ignore"):
        for start in range(0, len(rows), _CHUNK):
            chunk = rows[start : start + _CHUNK]
            y = buffer[: len(chunk)]
            numpy.clip(chunk, low, high, out=y, dtype="float64")
            if largest >= 2**63:
                total += _list_total(y.tolist(), low, high, k)
            elif largest < 2**51 and _CHUNK * (b - a) < 2**63 and k <= 970:
                total += _steps(y, k, (a + b) // 2)
            else:
                numpy.ldexp(y, -k, out=y)
                numpy.rint(y, out=y)
                total += _chunk_total(y.astype(numpy.int64), largest)
    return total


# === _list_total with Iterable, ldexp
def _list_total(rows: Iterable[float], low: float, high: float, k: int) -> int:
    clipped = (low if x < low else high if x > high else x for x in rows)
    return sum(round(ldexp(x, -k)) for x in clipped)


# === _steps with ldexp, Value, pack, unpack, opendp_lite.base.aliases.Value
def _steps(y: Value, k: int, centre: int) -> int:
    middle = ldexp(1.5, 52 + k)
    bits: int = unpack("=Q", pack("=d", middle))[0]
    y += middle
    steps = int(y.view("uint64").sum()) - len(y) * (bits + centre)
    return (steps + 2**63) % 2**64 - 2**63 + len(y) * centre


# === integer_spread with Array, Data, is_array, double_index, read_numbers, ?,
#    opendp_lite.base.aliases.Data, _WIDE, _MANY
def integer_spread(data: Data, lower: int, upper: int) -> int:
    rows = data if is_array(data) else read_numbers(data, int)
    if rows is None:
        return _list_spread(clipped(data, lower, upper))
    import numpy

    limits = numpy.iinfo(rows.dtype)
    low, high = (min(max(int(end), lower), upper) for end in (limits.min, limits.max))
    if low == high:
        return 0
    if high - low > _WIDE:
        return _list_spread(clipped(_values(rows), low, high))
    buffer = numpy.empty(min(_MANY, len(rows)), rows.dtype)
    start = 2.0**52
    shift = numpy.uint64((double_index(start) - low) % 2**64)

    def places(chunk: Array) -> Array:
        y = numpy.clip(chunk, low, high, out=buffer[: len(chunk)])
        return (y.astype("uint64") + shift).view("float64")

    return _array_spread(rows, places, start, 0)


# === clipped with Iterable, Iterator, Data, opendp_lite.base.aliases.Data
def clipped(rows: Iterable[Data], low: int, high: int) -> Iterator[int]:
    return (low if x < low else high if x > high else x for x in map(int, rows))


# === _values with Iterator, Array, parts, Any, ?
def _values(array: Array) -> Iterator[Any]:
    return (value for part in parts(array) for value in part.tolist())


# === _list_spread with Iterable
def _list_spread(values: Iterable[int]) -> int:
    count = total = squares = 0
    for value in values:
        count, total, squares = count + 1, total + value, squares + value * value
    return count * squares - total * total


# === _array_spread with Callable, ldexp, Array, double_index, ?, _MANY
def _array_spread(
    rows: Array, places: Callable[[Array], Array], start: float, k: int
) -> int:
    import numpy

    count = total = squares = 0
    first = double_index(start)
    with numpy.errstate(all="ignore"):
        for begin in range(0, len(rows), _MANY):
            y = places(rows[begin : begin + _MANY])
            bits = y.view("uint64")
            part = (int(bits.sum()) - len(y) * first) % 2**64
            modulo = int(numpy.einsum("i,i->", bits, bits))
            modulo -= first * (2 * part + len(y) * first)
            y -= start
            about = int(ldexp(_near_squares(y), -2 * k))
            squares += about + (modulo - about + 2**63) % 2**64 - 2**63
            total += part
            count += len(y)
    return count * squares - total * total


# === _near_squares with Array, ?, _DOT
def _near_squares(y: Array) -> float:
    total = 0.0
    for begin in range(0, len(y), _DOT):
        block = y[begin : begin + _DOT]
        total += float(block.dot(block))
    return total


# === grid_spread with ldexp, Array, Data, is_array, read_numbers, ?,
#    opendp_lite.base.aliases.Data, _WIDE, _MANY
def grid_spread(data: Data, a: int, b: int, k: int) -> int:
    rows = data if is_array(data) else read_numbers(data, float)
    if rows is None:
        return _list_spread(grid_steps(data, a, b, k))
    if b - a > _WIDE:
        return _list_spread(grid_steps(_values(rows), a, b, k))
    import numpy

    low, high = ldexp(float(a), k), ldexp(float(b), k)
    near = max(abs(a), abs(b)) < 2**51 and abs(k) <= 400
    middle = ldexp(1.5, 52 + k) if near else 2.0**52
    buffer = numpy.empty(min(_MANY, len(rows)))

    def places(chunk: Array) -> Array:
        y = buffer[: len(chunk)]
        numpy.clip(chunk, low, high, out=y, dtype="float64")
        if not near:
            numpy.rint(numpy.ldexp(y, -k, out=y), out=y)
            y -= float(a)
        y += middle
        return y

    if near:
        return _array_spread(rows, places, middle + low, k)
    return _array_spread(rows, places, middle, 0)


# === grid_steps with Iterable, Iterator, ldexp, Data, opendp_lite.base.aliases.Data
def grid_steps(rows: Iterable[Data], a: int, b: int, k: int) -> Iterator[int]:
    low, high = ldexp(float(a), k), ldexp(float(b), k)
    near = (low if x < low else high if x > high else x for x in map(float, rows))
    return (round(ldexp(x, -k)) for x in near)
