# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.reading; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.aliases import Data
from struct import error
from struct import pack_into
from typing import Any

opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any
_FEW = 2**8
_ROWS = 2**12
_CODES = {int: "q", float: "d"}


# === read_numbers with Data, error, pack_into, Any, opendp_lite.core.aliases.Data,
#    _FEW, _ROWS, _CODES
def read_numbers(data: list[Data], T: type) -> Any:
    code = _CODES.get(T)
    if code is None or len(data) < _FEW:
        return None
    import numpy

    numbers: Any = numpy.empty(len(data), code)
    try:
        for start in range(0, len(numbers), _ROWS):
            count = min(_ROWS, len(numbers) - start)
            part = data[start : start + count]
            pack_into(f"{count}{code}", numbers, 8 * start, *part)
    except error:
        return None
    return numbers
