# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.responses.category_codes; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Array
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import Value
from typing import Any

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_FEW = 32
_FEW_TEXTS = 5
opendp_lite.base.aliases.Value: typing.TypeAlias = typing.Any


# === encode_categories with Array, Data, Any, ?, opendp_lite.base.aliases.Data, _FEW,
#    _FEW_TEXTS
def encode_categories(array: Array, values: list[Data]) -> Any:
    import numpy as np

    data = np.asarray(array)
    if data.dtype.kind == "b":
        data = data.view(np.uint8) != 0
    data = data.astype(data.dtype.newbyteorder("="), copy=False)
    places = {v: i for i, v in enumerate(values) if _holds(data.dtype, v)}
    if len(values) <= (_FEW_TEXTS if data.dtype.kind == "U" else _FEW):
        few = np.full(data.size, -1, dtype=np.int8)
        for value, i in places.items():
            equal = data == np.array(value, dtype=data.dtype)
            few += equal * np.int8(i + 1)
        return few
    if not places:
        return np.full(data.size, -1, dtype=np.int64)
    ordered = sorted(places)
    members = np.array(ordered, dtype=data.dtype)
    at = np.searchsorted(members, data)
    found = members.take(at, mode="clip") == data
    codes = np.array([places[value] for value in ordered], dtype=np.int64)
    return np.where(found, codes.take(at, mode="clip"), -1)


# === _holds with Value, Any, opendp_lite.base.aliases.Value
def _holds(dtype: Any, value: Value) -> bool:
    import numpy as np

    if dtype.kind == "U":
        fits = 4 * len(value) <= dtype.itemsize
        return bool(fits and value[-1:] != "\0")
    if dtype.kind == "b":
        return True
    ends = np.iinfo(dtype)
    return bool(ends.min <= value <= ends.max)


# === category_array with Data, Any, opendp_lite.base.aliases.Data
def category_array(values: list[Data]) -> Any:
    import numpy as np

    dtype = np.dtype({bool: "bool", int: "int64"}.get(type(values[0]), "U1"))
    if dtype.kind == "U":
        longest = max(map(len, values))
        dtype = np.dtype(f"U{longest}")
    if not all(_holds(dtype, value) for value in values):
        return None
    return np.array(values, dtype=dtype)
