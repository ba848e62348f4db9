"""Lists of floats, told from all other lists and read into an array.

Of a long list a pass that asks for the types, and another one for the numbers, take
twice the time. What Python writes of objects in `pickle`, in C, tells both: a float is
a letter and eight bytes. What has a way of its own to be written is never asked for it.
"""

from __future__ import annotations

from pickle import Pickler, PicklingError
from struct import pack
from typing import Any, NoReturn

from opendp_lite.base.aliases import Value
from opendp_lite.base.containers import all_of_type

# Fewer floats are read faster in two passes.
_FEW = 2**8
# So many at a time are written: the most that are written without a break.
_ROWS = 1000
# The protocol, an empty list, its number, and the mark before what is appended to it.
_HEAD = b"\x80\x02]q\x00("
_FLOAT = b"G"  # behind it are eight bytes, the most significant one first
_STEP = 9
_END = b"e."  # all is appended, and no more is to come


class _Written(list[bytes]):
    """What was written, in the place of a file."""

    write = list.append


class _Writer(Pickler):
    """Writes Python's own numbers, text and containers, and refuses all else."""

    def reducer_override(self, value: object) -> NoReturn:
        """Refuse what would be asked how it is to be written."""
        raise PicklingError  # proof: refused


def read_doubles(values: list[Value]) -> Any:
    """Return a list of floats as a new array of float64, and None of other lists.

    They are of the very class `float`, and there is one at least. No code of other
    classes is run. The array may be one that cannot be written to.

    >>> read_doubles([0.5] * 256).shape, read_doubles([0.5] * 255 + [1])
    ((256,), None)
    """
    count = len(values)
    if not values or type(values[0]) is not float:
        return None  # proof: other
    import numpy

    if count < _FEW:
        if not all_of_type(values, float):
            return None  # proof: few-others
        return numpy.frombuffer(pack(f"={count}d", *values))  # proof: few
    written = _Written()
    writer = _Writer(written, 2)
    rows = -(-count // -(-count // _ROWS))  # of each part, the last one too
    numbers = numpy.empty(count)
    # So the last part may begin within the one before.
    for start in [*range(0, count - rows, rows), count - rows]:
        try:
            writer.dump(values[start : start + rows])  # proof: dump
        except Exception:
            return None  # proof: others
        text = b"".join(written)
        end = len(_HEAD) + _STEP * rows
        if not text.startswith(_HEAD) or text[end:] != _END:
            return None  # proof: ends
        if text[len(_HEAD) : end : _STEP] != _FLOAT * rows:
            return None  # proof: letters
        part = numpy.ndarray(rows, ">f8", text, len(_HEAD) + 1, _STEP)  # proof: part
        numbers[start : start + rows] = part  # proof: copied
        writer.clear_memo()
        written.clear()  # proof: next
    return numbers
