"""Arrays and lists that stand for the same data, and what long lists hold.

Whether long lists of integers are within the bounds of a sized type is decided by
packing them, which takes half of the time of a look for the least and the greatest.
"""

from __future__ import annotations

from struct import error, pack_into
from typing import Any

from opendp_lite.base.aliases import Data
from opendp_lite.data.identity import key

_PACKED_ROWS = 2**12  # so many integers are arguments of one call
_BITS = (8, 16, 32, 64)
_SIGNED = zip(_BITS, "bhiq", strict=True)
_UNSIGNED = zip(_BITS, "BHIQ", strict=True)
# The codes of `struct` for integers, under the least and the greatest of these.
_CODES = {(-(1 << bits - 1), (1 << bits - 1) - 1): code for bits, code in _SIGNED} | {
    (0, (1 << bits) - 1): code for bits, code in _UNSIGNED
}


def code_of(bounds: tuple[int, int]) -> str | None:
    """Return the code of `struct` whose integers are those within the bounds, if any.

    >>> code_of((0, 255)), code_of((0, 256))
    ('B', None)
    """
    return _CODES.get(bounds)


def all_fit(values: list[int], code: str) -> bool:
    """Return whether all ints of a list are integers of this code of `struct`.

    >>> all_fit([0, 255], "B"), all_fit([0, 256], "B")
    (True, False)
    """
    memory = bytearray(8 * _PACKED_ROWS)  # no code takes more than 8 bytes
    try:
        for start in range(0, len(values), _PACKED_ROWS):
            part = values[start : start + _PACKED_ROWS]
            pack_into(f"={len(part)}{code}", memory, 0, *part)  # proof: packed
    except error:
        return False  # proof: beyond
    return True


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
