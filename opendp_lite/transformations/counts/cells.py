"""Ranks of many cuts among floats, by cells, so that few rows need be compared.

A function that never decreases, computed in floats and however rounded, takes numbers
to a few thousand cells. A row in a lower cell than a cut is below it, and one in a
higher cell is above it: only rows that share a cell with a cut are compared with cuts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import attrs

from opendp_lite.base.aliases import Array
from opendp_lite.base.containers import has_nan, parts

# About so many cells for each cut, and so many at least and at most, as powers of two.
_CELLS = 96
_LEAST, _MOST = 12, 16
_SPARE = 8  # cells beyond, for what lies outside of the cuts, and for NaN
_STEPS = 2.0**52  # from here to its double the doubles are the integers
_STEPS_BITS = 0x4330000000000000  # the bits of this double


@attrs.frozen
class Cells:
    """The cell of x is clip(x, left, right) scale + shift, a number from 2^52 on."""

    left: float
    right: float
    scale: float
    shift: float
    count: int

    def places(self, entries: Array, room: Array | None = None) -> Any:
        """Return the cell of each entry of an array of float64, the last one for NaN.

        Without NaN they never decrease where the entries do not. They are in the memory
        of `room`, an array of as many float64, if it is given.
        """
        import numpy

        steps = numpy.clip(entries, self.left, self.right, out=room)  # proof: clip
        steps *= self.scale
        steps += self.shift  # proof: steps
        places = steps.view(numpy.int64)
        places -= _STEPS_BITS  # proof: bits
        if len(entries) and has_nan(entries):
            places[numpy.isnan(entries)] = self.count - 1  # proof: nan
        return places


def find_cells(cuts: Array) -> Cells | None:
    """Return cells for float64 cuts that do not decrease, or None if there are none."""
    first, last = float(cuts[0]), float(cuts[-1])
    power = min(max((_CELLS * len(cuts)).bit_length(), _LEAST), _MOST)
    if not -math.inf < first < last < math.inf:
        return None  # proof: apart
    scale = 2.0**power / (last - first)
    if not 0 < scale < math.inf:
        return None  # proof: scale
    left, right = first - 2 / scale, last + 2 / scale  # cuts are seldom at the ends
    shift = _STEPS + (3 - first * scale)  # a cell more: sums are rounded
    if not all(map(math.isfinite, (left, right, shift))):
        return None  # proof: finite
    count = 2**power + _SPARE
    lowest, highest = left * scale + shift, right * scale + shift
    if lowest < _STEPS or highest >= _STEPS + count - 1:
        return None  # proof: ends
    return Cells(left, right, scale, shift, count)


def ranks_by_cells(
    array: Array, cuts: Array, sides: Sequence[Literal["left", "right"]]
) -> list[list[int]] | None:
    """Return how many floats are below each cut ("left"), or not above ("right").

    There is a list for each of the sides; NaN is above all. The cuts are float64 and do
    not decrease. None is returned where the cuts leave no cells.
    """
    import numpy

    with numpy.errstate(all="ignore"):
        cells = find_cells(cuts)
        if cells is None:
            return None  # proof: none
        at = cells.places(cuts)  # proof: cuts
        shared = numpy.zeros(cells.count, bool)
        shared[at] = True  # proof: shared
        table = numpy.zeros(cells.count, numpy.int64)
        found = [numpy.zeros(len(cuts), numpy.int64) for _ in sides]
        room = numpy.empty(0)
        for part in parts(array):
            entries = part.astype(numpy.float64, copy=False)  # proof: entries
            if len(room) != len(entries):
                room = numpy.empty(len(entries))  # proof: room
            places = cells.places(entries, room)
            table += numpy.bincount(places, minlength=cells.count)  # proof: table
            near = entries.compress(shared.take(places, mode="wrap"))  # proof: near
            near.sort()  # proof: sorted
            for ranks, side in zip(found, sides, strict=True):
                ranks += near.searchsorted(cuts, side)  # proof: compared
    table[shared] = 0  # proof: clear
    below = numpy.cumsum(table)[at]  # proof: below
    return [(below + ranks).tolist() for ranks in found]  # proof: ranks
