# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.counts.cells; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Sequence
from opendp_lite.base.aliases import Array
from opendp_lite.base.containers import has_nan
from opendp_lite.base.containers import parts
from typing import Any
from typing import Literal
import attrs
import math

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
_STEPS_BITS = 0x4330000000000000
_CELLS = 96
_LEAST, _MOST = 12, 16
_SPARE = 8
_STEPS = 2.0**52


# === Cells with Array, has_nan, Any, attrs, ?, _STEPS_BITS
@attrs.frozen
class Cells:
    left: float
    right: float
    scale: float
    shift: float
    count: int

    def places(self, entries: Array, room: Array | None = None) -> Any:
        import numpy

        steps = numpy.clip(entries, self.left, self.right, out=room)
        steps *= self.scale
        steps += self.shift
        places = steps.view(numpy.int64)
        places -= _STEPS_BITS
        if len(entries) and has_nan(entries):
            places[numpy.isnan(entries)] = self.count - 1
        return places


# === find_cells with Array, math, ?, _CELLS, _LEAST, _SPARE, _STEPS
def find_cells(cuts: Array) -> Cells | None:
    first, last = float(cuts[0]), float(cuts[-1])
    power = min(max((_CELLS * len(cuts)).bit_length(), _LEAST), _MOST)
    if not -math.inf < first < last < math.inf:
        return None
    scale = 2.0**power / (last - first)
    if not 0 < scale < math.inf:
        return None
    left, right = first - 2 / scale, last + 2 / scale
    shift = _STEPS + (3 - first * scale)
    if not all(map(math.isfinite, (left, right, shift))):
        return None
    count = 2**power + _SPARE
    lowest, highest = left * scale + shift, right * scale + shift
    if lowest < _STEPS or highest >= _STEPS + count - 1:
        return None
    return Cells(left, right, scale, shift, count)


# === ranks_by_cells with Sequence, Array, parts, Literal, ?
def ranks_by_cells(
    array: Array, cuts: Array, sides: Sequence[Literal["left", "right"]]
) -> list[list[int]] | None:
    import numpy

    with numpy.errstate(all="ignore"):
        cells = find_cells(cuts)
        if cells is None:
            return None
        at = cells.places(cuts)
        shared = numpy.zeros(cells.count, bool)
        shared[at] = True
        table = numpy.zeros(cells.count, numpy.int64)
        found = [numpy.zeros(len(cuts), numpy.int64) for _ in sides]
        room = numpy.empty(0)
        for part in parts(array):
            entries = part.astype(numpy.float64, copy=False)
            if len(room) != len(entries):
                room = numpy.empty(len(entries))
            places = cells.places(entries, room)
            table += numpy.bincount(places, minlength=cells.count)
            near = entries.compress(shared.take(places, mode="wrap"))
            near.sort()
            for ranks, side in zip(found, sides, strict=True):
                ranks += near.searchsorted(cuts, side)
    table[shared] = 0
    below = numpy.cumsum(table)[at]
    return [(below + ranks).tolist() for ranks in found]
