# ruff: noqa
# fmt: off
# What was read of opendp_lite.data.doubles; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Value
from opendp_lite.base.containers import all_of_type
from pickle import Pickler
from pickle import PicklingError
from struct import pack
from typing import Any
from typing import NoReturn

opendp_lite.base.aliases.Value: typing.TypeAlias = typing.Any
_FEW = 2**8
_ROWS = 1000
_HEAD = b"\x80\x02]q\x00("
_FLOAT = b"G"
_STEP = 9
_END = b"e."


# === _Written
class _Written(list[bytes]):
    write = list.append


# === _Writer with Pickler, PicklingError, NoReturn
class _Writer(Pickler):
    def reducer_override(self, value: object) -> NoReturn:
        raise PicklingError


# === read_doubles with Value, all_of_type, pack, Any, opendp_lite.base.aliases.Value,
#    _FEW, _ROWS, _HEAD, _FLOAT, _STEP, _END
def read_doubles(values: list[Value]) -> Any:
    count = len(values)
    if not values or type(values[0]) is not float:
        return None
    import numpy

    if count < _FEW:
        if not all_of_type(values, float):
            return None
        return numpy.frombuffer(pack(f"={count}d", *values))
    written = _Written()
    writer = _Writer(written, 2)
    rows = -(-count // -(-count // _ROWS))
    numbers = numpy.empty(count)
    for start in [*range(0, count - rows, rows), count - rows]:
        try:
            writer.dump(values[start : start + rows])
        except Exception:
            return None
        text = b"".join(written)
        end = len(_HEAD) + _STEP * rows
        if not text.startswith(_HEAD) or text[end:] != _END:
            return None
        if text[len(_HEAD) : end : _STEP] != _FLOAT * rows:
            return None
        part = numpy.ndarray(rows, ">f8", text, len(_HEAD) + 1, _STEP)
        numbers[start : start + rows] = part
        writer.clear_memo()
        written.clear()
    return numbers
