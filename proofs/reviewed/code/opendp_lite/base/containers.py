# ruff: noqa
# fmt: off
# What was read of opendp_lite.base.containers; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterator
from functools import cache
from math import isnan
from opendp_lite.base.aliases import Array
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import Value
from typing import Any
import sys

opendp_lite.base.aliases.Value: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
_PART = 2**17
_SHORT = 2**12


# === _numpy with Any, sys
def _numpy() -> Any:
    return sys.modules.get("numpy")


# === is_array
def is_array(value: object) -> bool:
    numpy = _numpy()
    kind = type(value)
    return numpy is not None and (kind is numpy.ndarray or kind is numpy.memmap)


# === _letters with cache, Any
@cache
def _letters(numpy: Any) -> dict[int, str]:
    dtypes = map(numpy.dtype, numpy.typecodes["All"])
    return {
        id(each.type): str(each.kind)
        for each in dtypes
        if each.kind not in "iuf" or each.itemsize <= 8
    }


# === scalar_kind
def scalar_kind(value: object) -> str | None:
    numpy, own = _numpy(), type(value)
    if numpy is None or not issubclass(own, numpy.generic):
        return None
    return _letters(numpy).get(id(own))


# === native with Value, Any, opendp_lite.base.aliases.Value
def native(value: Value) -> Any:
    return value.item() if scalar_kind(value) is not None else value


# === rows with Data, Any, opendp_lite.base.aliases.Data
def rows(data: Data) -> list[Any]:
    if type(data) is dict:
        entries = zip(*map(rows, data.values()), strict=True)
        return [dict(zip(data, row, strict=True)) for row in entries]
    return list(data.tolist()) if is_array(data) else [native(row) for row in data]


# === all_of_type with Data, opendp_lite.base.aliases.Data
def all_of_type(values: list[Data], kind: type) -> bool:
    type_of = type
    for value in values:
        if type_of(value) is not kind:
            return False
    return True


# === parts with Iterator, Array, Any, ?, _PART
def parts(array: Array) -> Iterator[Any]:
    for start in range(0, max(len(array), 1), _PART):
        yield array[start : start + _PART]


# === all_binary32 with Array, ?
def all_binary32(array: Array) -> bool:
    numpy, step = _numpy(), 1 << 20
    with numpy.errstate(all="ignore"):
        for start in range(0, array.size, step):
            part = array[start : start + step]
            if not ((part.astype(numpy.float32) == part) | (part != part)).all():
                return False
    return True


# === all_characters with Array, sys, ?
def all_characters(array: Array) -> bool:
    numpy, step = _numpy(), 1 << 20
    code = numpy.dtype("u4").newbyteorder(array.dtype.byteorder)
    for start in range(0, array.size if array.dtype.itemsize else 0, step):
        part = numpy.ascontiguousarray(array[start : start + step])
        if part.view(code).max() > sys.maxunicode:
            return False
    return True


# === array_extremes with Array, Any, ?
def array_extremes(array: Array) -> tuple[Any, Any, bool]:
    if array.dtype.kind != "f":
        return int(array.min()), int(array.max()), False
    numpy = _numpy()
    with numpy.errstate(all="ignore"):
        least, greatest = array.min(), array.max()
        some_nan = bool(numpy.isnan(least))
        if some_nan and (numbers := array[~numpy.isnan(array)]).size:
            least, greatest = numbers.min(), numbers.max()
    return float(least), float(greatest), some_nan


# === has_nan with isnan, Array, ?, _SHORT
def has_nan(array: Array) -> bool:
    if array.size < _SHORT:
        return isnan(array.item(array.argmax()))
    numpy = _numpy()
    with numpy.errstate(all="ignore"):
        return bool(numpy.isnan(array.min()))
