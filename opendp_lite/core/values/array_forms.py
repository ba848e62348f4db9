"""Numpy arrays and scalars that stand for the same data as a list or a number."""

from __future__ import annotations

from typing import Any

from opendp_lite.core.aliases import Data
from opendp_lite.core.values.identity import key

__all__ = ["array_forms", "scalar_forms"]

_DTYPES = {
    bool: ["bool"],
    int: ["int64", "uint64", "int8", "uint8", "int32", ">i4"],
    float: ["float64", "float32", ">f8"],
    str: ["U"],
}


def array_forms(data: list[Any], T: type) -> list[Any]:
    """Return arrays with exactly the rows of `data`, which are of type `T`.

    They are of different dtypes, of which the first is the usual one. There is none
    where no dtype holds all the rows, or where a row is of another type.
    """
    if any(type(row) is not T for row in data):
        return []
    import numpy

    forms = (_converted(numpy, data, dtype) for dtype in _DTYPES.get(T, []))
    return [form for form in forms if form is not None]


def scalar_forms(value: Data, T: type) -> list[Any]:
    """Return numpy scalars that are exactly `value`, which is of type `T`."""
    return [form[0] for form in array_forms([value], T)]


def _converted(numpy: Any, data: list[Any], dtype: str) -> Any:
    """The array, or None if the dtype cannot hold these rows exactly."""
    try:
        with numpy.errstate(all="ignore"):
            form = numpy.array(data, dtype=dtype)
    except (OverflowError, ValueError):
        return None
    return form if key(form.tolist()) == key(data) else None
