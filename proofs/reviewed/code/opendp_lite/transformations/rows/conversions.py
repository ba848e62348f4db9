# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.rows.conversions; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from fractions import Fraction
from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.base.aliases import Array
from opendp_lite.base.aliases import Data
from opendp_lite.data.type_arguments import AtomType
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rationals import to_mpq
from typing import Any
import math
import re
import struct

opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_CASTS: dict[type, Callable[[Any], Any]] = {
    bool: _to_bool,
    int: _to_int,
    float: _to_float,
    str: _to_str,
    Fraction: _to_fraction,
}
_LONGEST = 4300
_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)
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
_NUMERALS = {int: _INTEGER, float: _FLOAT, Fraction: _RATIONAL}
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
_WIDTHS = {"b": "U5", "i": "U20", "u": "U20", "f": "U24"}
_INT64 = (-(2**63), 2**63 - 1)


# === row_cast with Callable, Fraction, Data, AtomType, Any,
#    opendp_lite.base.aliases.Data, _CASTS
def row_cast(target: AtomType) -> Callable[[Any], Any]:
    convert, default = _CASTS[target.T], target.T()

    def cast(value: Data) -> Any:
        if value is None:
            return default
        result = convert(value)
        if target.single:
            return _nearest_single(result)
        if target.bounds is not None:
            lower, upper = target.bounds
            return result if lower <= result <= upper else default
        return result

    return cast


# === _to_bool with Data, opendp_lite.base.aliases.Data
def _to_bool(value: Data) -> bool:
    return bool(value != ("" if isinstance(value, str) else 0))


# === _to_int with mpz, Data, math, re, opendp_lite.base.aliases.Data, _LONGEST,
#    _INTEGER
def _to_int(value: Data) -> int:
    if isinstance(value, str):
        if len(value) > _LONGEST or not _INTEGER.fullmatch(value):
            return 0
        return int(mpz(value.removeprefix("+")))
    if isinstance(value, float) and not math.isfinite(value):
        return 0
    return int(value)


# === _to_float with Data, re, opendp_lite.base.aliases.Data, _FLOAT
def _to_float(value: Data) -> float:
    if isinstance(value, str) and not _FLOAT.fullmatch(value):
        return 0.0
    try:
        return float(value)
    except (OverflowError, ValueError):
        return 0.0


# === _to_str with mpq, Data, opendp_lite.base.aliases.Data
def _to_str(value: Data) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "NaN" if value != value else float.__repr__(value)
    return str(mpq(value.numerator, value.denominator))


# === _to_fraction with Fraction, Data, to_fraction, to_mpq, math, re,
#    opendp_lite.base.aliases.Data, _LONGEST, _RATIONAL
def _to_fraction(value: Data) -> Fraction:
    if isinstance(value, str):
        if len(value) > _LONGEST or not _RATIONAL.fullmatch(value):
            return Fraction(0)
        return to_fraction(to_mpq(value))
    if isinstance(value, float) and not math.isfinite(value):
        return Fraction(0)
    return Fraction(value)


# === _nearest_single with struct
def _nearest_single(value: float) -> float:
    if value != value:
        return value
    try:
        single: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return 0.0
    return single


# === partial_cast with Callable, Fraction, Data, AtomType, Any, re,
#    opendp_lite.base.aliases.Data, _LONGEST, _INTEGER, _FLOAT, _RATIONAL, _NUMERALS
def partial_cast(target: AtomType) -> Callable[[Any], Any]:
    cast, T = row_cast(target), target.T
    wide = row_cast(AtomType(T))
    numeral = _NUMERALS.get(T)

    def partial(value: Data) -> Any:
        if value is None or numeral is None:
            return None if value is None else cast(value)
        if isinstance(value, str):
            if T is not float and len(value) > _LONGEST:
                return None
            if not numeral.fullmatch(value):
                return None
            try:
                value = float(value) if T is float else wide(value)
            except ValueError:
                return None
        result = cast(value)
        if result != result:
            return None
        return result if result != 0 or abs(value) < 1 else None

    return partial


# === cast_array with Fraction, Array, AtomType, Any, ?, _WIDTHS, _INT64
def cast_array(array: Array, target: AtomType) -> Any:
    import numpy

    kind, T = array.dtype.kind, target.T
    if T is Fraction:
        return list(map(row_cast(target), array.tolist()))
    if T is str:
        if kind == "U":
            return array.copy()
        texts = list(map(row_cast(target), array.tolist()))
        return numpy.array(texts, dtype=_WIDTHS[kind])
    lower, upper = target.bounds or _INT64
    lower, upper = max(lower, _INT64[0]), min(upper, _INT64[1])
    if kind == "U":
        if T is int:
            target = AtomType(int, (lower, upper))
        values = list(map(row_cast(target), array.tolist()))
        return numpy.array(values, dtype={bool: "?", int: "i8", float: "f8"}[T])
    with numpy.errstate(all="ignore"):
        if T is bool:
            return array != 0
        if T is float:
            floats = array.astype(numpy.float64)
            return _float_array(floats, target.single)
        return _int_array(array, lower, upper)


# === _float_array with Array, Any, ?
def _float_array(array: Array, single: bool) -> Any:
    import numpy

    if not single:
        return array
    nearest = array.astype(numpy.float32).astype(numpy.float64)
    nearest[numpy.isinf(nearest) & numpy.isfinite(array)] = 0.0
    return nearest


# === _int_array with Array, Any, ?
def _int_array(array: Array, lower: int, upper: int) -> Any:
    import numpy

    if array.dtype.kind == "f":
        array = numpy.trunc(array.astype(numpy.float64))
        fits = (array >= float(lower)) & (array < float(upper + 1))
        array[~fits] = 0.0
        return array.astype(numpy.int64)
    result = array.astype(numpy.int64)
    if array.dtype.kind in "iu":
        info = numpy.iinfo(array.dtype)
        low, high = max(lower, info.min), min(upper, info.max)
        result[~((array >= low) & (array <= high))] = 0
    return result
