"""Long lists of numbers, read once into an array, with which all else is quick."""

from __future__ import annotations

from struct import error, pack_into
from typing import Any

from opendp_lite.core.aliases import Data

__all__ = ["read_numbers"]

# Fewer rows of a list are handled faster as they are.
_FEW = 2**8
# So many rows at a time are arguments of one call.
_ROWS = 2**12
_CODES = {int: "q", float: "d"}  # of struct and of numpy: int64 and float64


def read_numbers(data: list[Data], T: type) -> Any:
    """Return a long list of ints or floats as a new array of int64 or float64.

    It is None if the list is short, if T is another type, and if a row is None or an
    integer beyond int64.
    """
    code = _CODES.get(T)
    if code is None or len(data) < _FEW:
        return None  # proof: short
    import numpy

    numbers: Any = numpy.empty(len(data), code)
    try:
        for start in range(0, len(numbers), _ROWS):
            count = min(_ROWS, len(numbers) - start)
            part = data[start : start + count]
            pack_into(f"{count}{code}", numbers, 8 * start, *part)  # proof: packed
    except error:
        return None  # proof: beyond
    return numbers
