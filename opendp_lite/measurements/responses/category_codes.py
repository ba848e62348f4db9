"""Which category each row of an array is, for whole arrays at once."""

from __future__ import annotations

from typing import Any

from opendp_lite.base.aliases import Array, Data, Value

# Up to so many categories it is quicker to compare all rows with each of them.
_FEW = 32
_FEW_TEXTS = 5


def encode_categories(array: Array, values: list[Data]) -> Any:
    """Return for each row of an array which of the values it is, or -1 if none.

    The rows are those that `array.tolist()` has; the values are different, and of
    the type of the rows: bool, int or str, whether the dtype can hold them or not.

    >>> import numpy as np
    >>> encode_categories(np.array([3, 5, 7], dtype=np.int8), [5, 3, 300]).tolist()
    [1, 0, -1]

    Proof: proofs/measurements/encode_categories.tex
    """
    import numpy as np

    data = np.asarray(array)
    if data.dtype.kind == "b":
        # Any byte but 0 is True; memory that was not written as truth values has some.
        data = data.view(np.uint8) != 0  # proof: truth
    data = data.astype(data.dtype.newbyteorder("="), copy=False)  # proof: native-order
    places = {v: i for i, v in enumerate(values) if _holds(data.dtype, v)}
    if len(values) <= (_FEW_TEXTS if data.dtype.kind == "U" else _FEW):
        few = np.full(data.size, -1, dtype=np.int8)  # proof: none
        for value, i in places.items():
            equal = data == np.array(value, dtype=data.dtype)  # proof: equal
            few += equal * np.int8(i + 1)  # proof: add
        return few
    if not places:
        return np.full(data.size, -1, dtype=np.int64)  # proof: no-place
    ordered = sorted(places)  # proof: ordered
    members = np.array(ordered, dtype=data.dtype)
    at = np.searchsorted(members, data)  # proof: search
    found = members.take(at, mode="clip") == data  # proof: found
    codes = np.array([places[value] for value in ordered], dtype=np.int64)
    return np.where(found, codes.take(at, mode="clip"), -1)  # proof: code


def _holds(dtype: Any, value: Value) -> bool:
    """Whether a row of an array of this dtype can be the value."""
    import numpy as np

    if dtype.kind == "U":
        # numpy does not tell trailing NULs from the end of a text.
        fits = 4 * len(value) <= dtype.itemsize
        return bool(fits and value[-1:] != "\0")  # proof: text
    if dtype.kind == "b":
        return True  # proof: bool
    ends = np.iinfo(dtype)
    return bool(ends.min <= value <= ends.max)  # proof: range


def category_array(values: list[Data]) -> Any:
    """Return the categories as an array of bool, int64 or text; None if none is exact.

    >>> category_array([3, 5]), category_array([3, 10**40])
    (array([3, 5]), None)
    """
    import numpy as np

    dtype = np.dtype({bool: "bool", int: "int64"}.get(type(values[0]), "U1"))
    if dtype.kind == "U":
        longest = max(map(len, values))  # proof: longest
        dtype = np.dtype(f"U{longest}")
    if not all(_holds(dtype, value) for value in values):
        return None  # proof: list
    return np.array(values, dtype=dtype)  # proof: array
