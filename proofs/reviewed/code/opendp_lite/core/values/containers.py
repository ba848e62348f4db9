# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.values.containers; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterator
from typing import Any
import sys

_PART = 2**17


# === _numpy with Any, sys
def _numpy() -> Any:
    return sys.modules.get("numpy")


# === is_array
def is_array(value: object) -> bool:
    numpy = _numpy()
    return numpy is not None and type(value) in (numpy.ndarray, numpy.memmap)


# === scalar_kind
def scalar_kind(value: object) -> str | None:
    numpy = _numpy()
    if numpy is None or not issubclass(type(value), numpy.generic):
        return None
    dtype = numpy.generic.dtype.__get__(value)
    if dtype.type is not type(value) or (dtype.kind in "iuf" and dtype.itemsize > 8):
        return None
    return str(dtype.kind)


# === native with Any
def native(value: Any) -> Any:
    return value.item() if scalar_kind(value) is not None else value


# === rows with Any
def rows(data: Any) -> list[Any]:
    return list(data.tolist()) if is_array(data) else [native(row) for row in data]


# === parts with Iterator, Any, _PART
def parts(array: Any) -> Iterator[Any]:
    for start in range(0, max(len(array), 1), _PART):
        yield array[start : start + _PART]


# === all_binary32 with Any
def all_binary32(array: Any) -> bool:
    numpy, step = _numpy(), 1 << 20
    with numpy.errstate(all="ignore"):
        for start in range(0, array.size, step):
            part = array[start : start + step]
            if not ((part.astype(numpy.float32) == part) | (part != part)).all():
                return False
    return True


# === all_characters with Any, sys
def all_characters(array: Any) -> bool:
    numpy, step = _numpy(), 1 << 20
    code = numpy.dtype("u4").newbyteorder(array.dtype.byteorder)
    for start in range(0, array.size if array.dtype.itemsize else 0, step):
        part = numpy.ascontiguousarray(array[start : start + step])
        if part.view(code).max() > sys.maxunicode:
            return False
    return True


# === array_extremes with Any
def array_extremes(array: Any) -> tuple[Any, Any, bool]:
    if array.dtype.kind != "f":
        return int(array.min()), int(array.max()), False
    numpy = _numpy()
    with numpy.errstate(all="ignore"):
        least, greatest = array.min(), array.max()
        some_nan = bool(numpy.isnan(least))
        if some_nan and (numbers := array[~numpy.isnan(array)]).size:
            least, greatest = numbers.min(), numbers.max()
    return float(least), float(greatest), some_nan


# === has_nan with Any
def has_nan(array: Any) -> bool:
    numpy = _numpy()
    with numpy.errstate(all="ignore"):
        return bool(numpy.isnan(array.min()))
