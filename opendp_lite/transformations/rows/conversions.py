"""Total casts between bool, int, float, str and Fraction.

A cast is a fixed function of one value and never fails: what has no meaning in the new
type becomes its default (False, 0, 0.0, "" or Fraction(0)), or None in `partial_cast`.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from gmpy2 import mpq, mpz

from opendp_lite.base.aliases import Array, Data
from opendp_lite.data.type_arguments import AtomType
from opendp_lite.exact.rationals import to_fraction, to_mpq

# Text longer than this is no number, whatever limit the interpreter is set to.
_LONGEST = 4300
_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)
# No part can begin where the one before it could go on: a search takes linear time.
_FLOAT = re.compile(
    r"[+-]?(?:inf|infinity|nan"
    r"|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?)",
    re.ASCII | re.IGNORECASE,
)
_RATIONAL = re.compile(
    r"[+-]?(?:[0-9]+/0*[1-9][0-9]*"
    r"|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]{1,4})?)",
    re.ASCII | re.IGNORECASE,
)
# The widest text of a bool, of an integer of 64 bits and of a float.
_WIDTHS = {"b": "U5", "i": "U20", "u": "U20", "f": "U24"}
_INT64 = (-(2**63), 2**63 - 1)


def row_cast(target: AtomType) -> Callable[[Any], Any]:
    """Return the total cast of one value to `target`; None becomes the default."""
    convert, default = _CASTS[target.T], target.T()  # proof: convert

    def cast(value: Data) -> Any:
        if value is None:
            return default  # proof: none
        result = convert(value)
        if target.single:
            return _nearest_single(result)  # proof: single
        if target.bounds is not None:
            lower, upper = target.bounds
            return result if lower <= result <= upper else default  # proof: bounds
        return result

    return cast


def _to_bool(value: Data) -> bool:
    """Whether text is not empty or a number is not zero; NaN is not zero."""
    return bool(value != ("" if isinstance(value, str) else 0))


def _to_int(value: Data) -> int:
    """The integer that text in ASCII digits says; a number without its fraction."""
    if isinstance(value, str):
        if len(value) > _LONGEST or not _INTEGER.fullmatch(value):  # proof: text
            return 0
        return int(mpz(value.removeprefix("+")))  # proof: digits
    if isinstance(value, float) and not math.isfinite(value):
        return 0  # proof: not-finite
    return int(value)  # proof: cut


def _to_float(value: Data) -> float:
    """The nearest double; text is a decimal number, "inf" or "nan" in any case."""
    if isinstance(value, str) and not _FLOAT.fullmatch(value):  # proof: text
        return 0.0
    try:
        return float(value)  # proof: nearest
    except (OverflowError, ValueError):  # a large number; text of 10^9 digits
        return 0.0  # proof: too-large


def _to_str(value: Data) -> str:
    """The decimal digits; "true" or "false"; "NaN"; numerator/denominator."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "NaN" if value != value else float.__repr__(value)  # proof: shortest
    # Not by str(int), which refuses many digits.
    return str(mpq(value.numerator, value.denominator))  # proof: digits


def _to_fraction(value: Data) -> Fraction:
    """The exact value; text is a decimal number or a quotient of integers."""
    if isinstance(value, str):
        if len(value) > _LONGEST or not _RATIONAL.fullmatch(value):  # proof: text
            return Fraction(0)
        return to_fraction(to_mpq(value))  # proof: stated
    if isinstance(value, float) and not math.isfinite(value):
        return Fraction(0)  # proof: not-finite
    return Fraction(value)  # proof: exact


_CASTS: dict[type, Callable[[Any], Any]] = {
    bool: _to_bool,
    int: _to_int,
    float: _to_float,
    str: _to_str,
    Fraction: _to_fraction,
}


def _nearest_single(value: float) -> float:
    """The nearest binary32 value, and 0.0 where a finite value passes the greatest."""
    if value != value:  # Python 3.14.0 packs some NaNs as an infinity
        return value  # proof: nan
    try:
        single: float = struct.unpack("<f", struct.pack("<f", value))[0]  # proof: pack
    except OverflowError:
        return 0.0  # proof: too-large
    return single


# What text must look like to mean a number; other types give a meaning to all text.
_NUMERALS = {int: _INTEGER, float: _FLOAT, Fraction: _RATIONAL}


def partial_cast(target: AtomType) -> Callable[[Any], Any]:
    """Return the cast of one value to `target`; None where it has no meaning, or NaN.

    It has none where `row_cast` returns its default, but would not for a near value.
    """
    cast, T = row_cast(target), target.T  # proof: cast
    wide = row_cast(AtomType(T))  # proof: wide
    numeral = _NUMERALS.get(T)

    def partial(value: Data) -> Any:
        if value is None or numeral is None:
            return None if value is None else cast(value)  # proof: all
        if isinstance(value, str):
            if T is not float and len(value) > _LONGEST:  # proof: longest
                return None
            if not numeral.fullmatch(value):  # proof: numeral
                return None
            try:
                value = float(value) if T is float else wide(value)  # proof: stated
            except ValueError:  # text of 10^9 digits
                return None  # proof: digits
        result = cast(value)  # proof: result
        if result != result:
            return None  # proof: nan
        # A number that is not small becomes 0 only for want of a meaning.
        return result if result != 0 or abs(value) < 1 else None  # proof: zero

    return partial


def cast_array(array: Array, target: AtomType) -> Any:
    """Return a new array with the rows of `array` cast as `row_cast` does.

    Integers become int64, and those that int64 does not hold become 0. Fractions
    have no array: they are returned in a list.
    """
    import numpy

    kind, T = array.dtype.kind, target.T
    if T is Fraction:
        return list(map(row_cast(target), array.tolist()))  # proof: fractions
    if T is str:
        if kind == "U":
            return array.copy()  # proof: copy
        texts = list(map(row_cast(target), array.tolist()))
        return numpy.array(texts, dtype=_WIDTHS[kind])  # proof: widths
    lower, upper = target.bounds or _INT64
    lower, upper = max(lower, _INT64[0]), min(upper, _INT64[1])  # proof: range
    if kind == "U":
        if T is int:
            target = AtomType(int, (lower, upper))
        values = list(map(row_cast(target), array.tolist()))  # proof: values
        return numpy.array(values, dtype={bool: "?", int: "i8", float: "f8"}[T])
    with numpy.errstate(all="ignore"):  # proof: silent
        if T is bool:
            return array != 0  # proof: bool
        if T is float:
            floats = array.astype(numpy.float64)  # proof: float
            return _float_array(floats, target.single)
        return _int_array(array, lower, upper)


def _float_array(array: Array, single: bool) -> Any:
    """Return the array itself, or its nearest binary32 values."""
    import numpy

    if not single:
        return array
    nearest = array.astype(numpy.float32).astype(numpy.float64)  # proof: nearest
    nearest[numpy.isinf(nearest) & numpy.isfinite(array)] = 0.0  # proof: too-large
    return nearest


def _int_array(array: Array, lower: int, upper: int) -> Any:
    """Return the rows without their fractions as int64; 0 for those out of range."""
    import numpy

    if array.dtype.kind == "f":
        array = numpy.trunc(array.astype(numpy.float64))  # proof: trunc
        # Ends of integer types are powers of two: as floats they are exact.
        fits = (array >= float(lower)) & (array < float(upper + 1))  # proof: floats
        array[~fits] = 0.0
        return array.astype(numpy.int64)
    result = array.astype(numpy.int64)  # proof: int64
    if array.dtype.kind in "iu":
        info = numpy.iinfo(array.dtype)
        low, high = max(lower, info.min), min(upper, info.max)  # proof: ends
        result[~((array >= low) & (array <= high))] = 0  # proof: integers
    return result
