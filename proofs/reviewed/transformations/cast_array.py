# ruff: noqa
# fmt: off
# The code that was reviewed with the proof transformations/cast_array; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.transformations.conversions:cast_array ===

from fractions import Fraction
from opendp_lite.core.carrier import AtomType
from typing import Any

_WIDTHS = {"b": "U5", "i": "U20", "u": "U20", "f": "U24"}
_INT64 = (-(2**63), 2**63 - 1)

def cast_array(array: Any, target: AtomType) -> Any:
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


# === opendp_lite.transformations.conversions:_float_array ===

from typing import Any

def _float_array(array: Any, single: bool) -> Any:
    import numpy

    if not single:
        return array
    nearest = array.astype(numpy.float32).astype(numpy.float64)
    nearest[numpy.isinf(nearest) & numpy.isfinite(array)] = 0.0
    return nearest


# === opendp_lite.transformations.conversions:_int_array ===

from typing import Any

def _int_array(array: Any, lower: int, upper: int) -> Any:
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
