"""Lists, numpy arrays and lines of text as data: only here does `base` look at arrays.

If numpy was never imported nothing can be an array, so numpy is looked up in
`sys.modules` and never imported here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from math import isnan
from typing import Any

from opendp_lite.base.aliases import Array, Data, Value

# A megabyte of float64: a part, and what is computed from it, stay in the cache.
_PART = 2**17
# Fewer entries are searched faster by `argmax`, which may make a copy of them.
_SHORT = 2**12


def _numpy() -> Any:
    return sys.modules.get("numpy")


def is_array(value: object) -> bool:
    """Return whether `value` is a numpy array (of any shape and dtype).

    Other subclasses, such as masked arrays, follow rules of their own and are not.
    """
    numpy, kind = sys.modules.get("numpy"), type(value)
    return numpy is not None and (kind is numpy.ndarray or kind is numpy.memmap)


@cache
def _letters(numpy: Any) -> dict[int, str]:
    """The kinds of numpy's own classes of scalars, by identity; not of wide numbers."""
    dtypes = map(numpy.dtype, numpy.typecodes["All"])
    return {
        id(each.type): str(each.kind)
        for each in dtypes
        if each.kind not in "iuf" or each.itemsize <= 8
    }


def scalar_kind(value: object) -> str | None:
    """Return numpy's kind letter if `value` is a numpy scalar, else None.

    Integers and floats wider than 64 bits have no kind here, nor have scalars of
    classes that are not numpy's own, which may compute as they like: they are nobody's
    members. Text has a kind at every length.
    """
    numpy, own = sys.modules.get("numpy"), type(value)
    if numpy is None or not issubclass(own, numpy.generic):  # almost always
        return None
    # By identity: a metaclass may lie or raise, and numpy raises without a dtype.
    return _letters(numpy).get(id(own))


def native(value: Value) -> Any:
    """Return the Python number, bool or str that a numpy scalar stands for."""
    return value.item() if scalar_kind(value) is not None else value


def rows(data: Data) -> list[Any]:
    """Return the rows of a list or array as a list of Python values.

    Those of a frame, a dict of columns, are the dicts of the entries of the columns.
    """
    if type(data) is dict:
        entries = zip(*map(rows, data.values()), strict=True)
        return [dict(zip(data, row, strict=True)) for row in entries]
    return list(data.tolist()) if is_array(data) else [native(row) for row in data]


def all_of_type(values: list[Data], kind: type) -> bool:
    """Return whether every element of a list is of this very type.

    Types are told by identity: a metaclass may say that its classes equal others.
    """
    # Neither `all` of what a map or a generator yields, nor a look at what `type`
    # means for each element: both take more time.
    type_of = type
    for value in values:  # noqa: SIM110
        if type_of(value) is not kind:
            return False
    return True


def parts(array: Array) -> Iterator[Any]:
    """Yield the parts of a one-dimensional array in their order, at least one."""
    for start in range(0, max(len(array), 1), _PART):  # proof: parts
        yield array[start : start + _PART]


def all_binary32(array: Array) -> bool:
    """Return whether every element of a float array is a binary32 value or NaN."""
    numpy, step = _numpy(), 1 << 20
    with numpy.errstate(all="ignore"):
        for start in range(0, array.size, step):
            part = array[start : start + step]
            if not ((part.astype(numpy.float32) == part) | (part != part)).all():
                return False
    return True


def all_characters(array: Array) -> bool:
    """Return whether an array of text has no number that is not a character's.

    Memory that was not written as text may have one; there Python cannot read it.
    """
    numpy, step = _numpy(), 1 << 20
    code = numpy.dtype("u4").newbyteorder(array.dtype.byteorder)
    for start in range(0, array.size if array.dtype.itemsize else 0, step):
        part = numpy.ascontiguousarray(array[start : start + step])
        if part.view(code).max() > sys.maxunicode:
            return False
    return True


def array_extremes(array: Array) -> tuple[Any, Any, bool]:
    """Return (least, greatest, any NaN) of a nonempty numeric array, ignoring NaN.

    Integers come back as exact Python ints. All-NaN arrays give NaN extremes.
    """
    if array.dtype.kind != "f":
        return int(array.min()), int(array.max()), False
    numpy = _numpy()
    with numpy.errstate(all="ignore"):
        least, greatest = array.min(), array.max()
        some_nan = bool(numpy.isnan(least))
        # Not fmin and fmax: they may forget what came before a signaling NaN.
        if some_nan and (numbers := array[~numpy.isnan(array)]).size:
            least, greatest = numbers.min(), numbers.max()
    return float(least), float(greatest), some_nan


def has_nan(array: Array) -> bool:
    """Return whether a nonempty float array has a NaN, which its extremes then are."""
    if array.size < _SHORT:
        return isnan(array.item(array.argmax()))
    numpy = _numpy()
    with numpy.errstate(all="ignore"):
        return bool(numpy.isnan(array.min()))


def text_lines(text: str) -> list[str]:
    r"""Return the lines of a text, without their ends.

    A line ends at "\n" or "\r\n" and nowhere else (`str.splitlines` also cuts at "\v",
    "\x1c", "\u2028" and others); what follows the last is a line unless it is empty.

    >>> text_lines("a\r\nb\n\nc\vd")
    ['a', 'b', '', 'c\x0bd']
    """
    *ended, last = text.split("\n")  # proof: cut
    lines = [line[:-1] if line.endswith("\r") else line for line in ended]  # proof: end
    return [*lines, last] if last else lines  # proof: last
