"""Lists and numpy arrays as data: the only place in core that looks at arrays.

If numpy was never imported nothing can be an array, so numpy is looked up in
`sys.modules` and never imported here.
"""

from __future__ import annotations

import sys
from typing import Any

__all__ = [
    "all_binary32",
    "array_extremes",
    "is_array",
    "native",
    "rows",
    "scalar_kind",
]


def _numpy() -> Any:
    return sys.modules.get("numpy")


def is_array(value: object) -> bool:
    """Return whether `value` is a numpy array (of any shape and dtype).

    Other subclasses, such as masked arrays, follow rules of their own and are not.
    """
    numpy = _numpy()
    return numpy is not None and type(value) in (numpy.ndarray, numpy.memmap)


def scalar_kind(value: object) -> str | None:
    """Return numpy's kind letter if `value` is a numpy scalar, else None.

    Scalars wider than 64 bits have no kind here: they are nobody's members.
    """
    numpy = _numpy()
    # `isinstance` would ask the value, and a value may lie or raise.
    if numpy is None or not issubclass(type(value), numpy.generic):
        return None
    dtype = value.dtype  # type: ignore[attr-defined]
    if dtype.kind in "iuf" and dtype.itemsize > 8:
        return None
    return str(dtype.kind)


def native(value: Any) -> Any:
    """Return the Python number, bool or str that a numpy scalar stands for."""
    return value.item() if scalar_kind(value) is not None else value


def rows(data: Any) -> list[Any]:
    """Return the rows of a list or array as a list of Python values."""
    return list(data.tolist()) if is_array(data) else [native(row) for row in data]


def all_binary32(array: Any) -> bool:
    """Return whether every element of a float array is a binary32 value or NaN."""
    numpy, step = _numpy(), 1 << 20
    with numpy.errstate(all="ignore"):
        for start in range(0, array.size, step):
            part = array[start : start + step]
            if not ((part.astype(numpy.float32) == part) | (part != part)).all():
                return False
    return True


def array_extremes(array: Any) -> tuple[Any, Any, bool]:
    """Return (least, greatest, any NaN) of a nonempty numeric array, ignoring NaN.

    Integers come back as exact Python ints. All-NaN arrays give NaN extremes.
    """
    numpy = _numpy()
    if array.dtype.kind != "f":
        return int(array.min()), int(array.max()), False
    least, greatest = numpy.fmin.reduce(array), numpy.fmax.reduce(array)
    return float(least), float(greatest), bool(numpy.isnan(array.min()))
