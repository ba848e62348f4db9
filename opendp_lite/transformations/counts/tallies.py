"""What counts of rows share: how they are taken, joined, and how far they spread."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from operator import add
from typing import Any, Literal

from opendp_lite.base.aliases import Array, Data, ExactDistance
from opendp_lite.base.containers import all_of_type, is_array, parts, rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain
from opendp_lite.core.metrics import L1Distance, L2Distance, LInfDistance, Metric
from opendp_lite.core.metrics.metric import MetricArgument
from opendp_lite.core.spaces import metric_of
from opendp_lite.data.type_arguments import TypeArgument, parse_atom
from opendp_lite.exact.roots import root
from opendp_lite.transformations.counts.cells import ranks_by_cells
from opendp_lite.transformations.datasets import (
    changed_rows,
    changes_rows,
    read_numbers,
)

_VARIANT = "MakeTransformation"
_NORMS: dict[type, Any] = {L1Distance: 1, L2Distance: 2, LInfDistance: math.inf}
# A table of this many values is small; beyond it rows are sorted.
_TABLE = 2**22
# A table of the integers from one cut to another is small, if they are not farther.
_SPAN = 2**16
# So few cuts are compared with every row; for more of them rows are put into cells, or
# sorted.
_FEW = 12
# So many floats at least are worth a table of cells.
_MANY = 2**14
_EXACT = 2**53  # up to here every integer is a double
_Sides = Sequence[Literal["left", "right"]]


def count_type(name: str, TO: TypeArgument) -> tuple[AtomDomain, Any]:
    """Return the domain of counts of type `TO`, and the count at which they stop."""
    kind = parse_atom(TO, name)
    if kind.T is float and not kind.single:
        return AtomDomain(T=float, nan=False), _EXACT  # proof: doubles
    if kind.T is not int:  # proof: integers
        rule = "a count is an integer, or a float of 64 bits"
        raise refusal(_VARIANT, name, TO, rule, f"Pass {name}=int, or float")
    output = AtomDomain(T=kind)
    return output, math.inf if output.bounds is None else output.bounds[1]


def check_norm(MO: MetricArgument) -> tuple[Metric, Any]:
    """Return the metric of vectors of counts, and p for the Lp distance that it is."""
    metric = metric_of(MO, "MO")
    p = _NORMS.get(type(metric))
    if p is None or getattr(metric, "monotonic", False):  # proof: norm
        rule = "must be the L1, the L2 or the LInf distance, and not monotonic"
        raise refusal(_VARIANT, "MO", MO, rule, 'Pass for example "L1Distance<int>"')
    return metric, p


def norm_map(
    p: Any, bins: int, others: bool, metric: Metric, size: int | None
) -> Callable[[Any], Any]:
    """Return the map of the counts in bins; `others` says that no row is left out."""

    def stability_map(d_in: ExactDistance) -> Any:
        m = changed_rows(metric, size, d_in)  # proof: rows
        if bins == 0:
            return 0  # proof: none
        if size is None and (d_in == math.inf or not changes_rows(metric)):
            return d_in  # proof: added
        if bins == 1:
            return 0 if others else m  # proof: one
        return {1: 2 * m, 2: root(2 * m * m), math.inf: m}[p]  # proof: changed

    return stability_map


def merger(T: type, top: Any) -> Callable[[Iterable[Any]], Any]:
    """Return the function that joins the counts of the parts, entry by entry."""

    def merge(counts: Iterable[list[Any]]) -> list[Any]:
        columns = zip(*counts, strict=True)  # proof: columns
        return stopped([sum(map(int, each)) for each in columns], T, top)  # proof: sums

    return merge


def stopped(counts: list[int], T: type, top: Any) -> list[Any]:
    """Return the counts as numbers of type `T`, none above `top`."""
    return [T(min(count, top)) for count in counts]  # proof: stop


def distinct_values(data: Data, T: type) -> int:
    """Return how many different values a list or an array of atoms of type T has.

    Numbers are compared by value; all NaNs are one value.
    """
    array = data if is_array(data) else read_numbers(data, T)  # proof: read
    if array is not None and array.dtype.kind != "U":
        return _distinct_entries(array)  # proof: array
    values = set(_python_rows(data, T))  # proof: values
    unequal = len([x for x in values if x != x])  # proof: nan
    return len(values) - max(unequal - 1, 0)  # proof: once


def _distinct_entries(array: Array) -> int:
    import numpy

    if array.dtype.kind == "f":
        with numpy.errstate(all="ignore"):
            numbers = array[~numpy.isnan(array)]  # proof: numbers
        return _runs(numbers) + (len(numbers) < len(array))  # proof: floats
    if array.dtype.kind == "b" or len(array) == 0:
        return _runs(array)  # proof: few
    least, greatest = int(array.min()), int(array.max())
    if greatest - least > _TABLE:
        return _runs(array)  # proof: wide
    seen = numpy.zeros(greatest - least + 1, bool)
    for part in parts(array):
        seen[offsets(part, least)] = True  # proof: seen
    return int(numpy.count_nonzero(seen))  # proof: table


def _runs(array: Array) -> int:
    """Return how many different entries an array without NaN has."""
    import numpy

    ordered = numpy.sort(array)  # proof: sorted
    changes = int(numpy.count_nonzero(ordered[1:] != ordered[:-1]))  # proof: changes
    return changes + (len(array) > 0)  # proof: runs


def offsets(array: Array, least: int) -> Any:
    """Return by how much each integer, none of them less, is above `least`: int64."""
    import numpy

    # Modulo 2^64, where int64 and uint64 are alike.
    if array.dtype == numpy.int64:
        entries = array.view(numpy.uint64)  # proof: same-bits
    else:
        entries = array.astype(numpy.uint64)
    differences = entries - numpy.uint64(least % 2**64)
    return differences.view(numpy.int64)  # proof: differences


def _python_rows(data: Data, T: type) -> list[Any]:
    """Return the rows as Python values: a list of type T itself, or a new list."""
    plain = not is_array(data) and all_of_type(data, T)
    return data if plain else rows(data)  # proof: python


def category_counts(data: Data, categories: list[Any], T: type) -> list[int]:
    """Return how many rows equal each of the categories, which differ."""
    array = data if is_array(data) else read_numbers(data, T)  # proof: read
    if array is not None and array.dtype.kind in "iuf":
        ordered = sorted(categories)  # proof: ordered
        below, up_to = _array_ranks(array, ordered, ("left", "right"))
        found = {c: b - a for c, a, b in zip(ordered, below, up_to, strict=True)}
        return [found[each] for each in categories]  # proof: between
    counts = Counter(_python_rows(data, T))  # proof: counter
    return [counts[each] for each in categories]  # proof: looked-up


def cut_counts(data: Data, cuts: list[Any], T: type) -> list[int]:
    """Return how many rows are below the first cut, then between cuts, then the rest.

    A row that equals a cut is above it, and NaN is above all. Cuts do not decrease.
    """
    (below,) = ranks(data, cuts, ("left",), T)  # proof: below
    return [b - a for a, b in pairwise([0, *below, len(data)])]  # proof: between


def ranks(data: Data, cuts: list[Any], sides: _Sides, T: type) -> list[list[int]]:
    """Return how many rows are below each cut ("left"), or not above ("right").

    There is a list for each of the sides. The rows are numbers of type T, and the cuts
    do not decrease. NaN is above all.
    """
    array = data if is_array(data) else read_numbers(data, T)  # proof: read
    if array is not None:
        return _array_ranks(array, cuts, sides)  # proof: array
    ordered = sorted(x for x in rows(data) if x == x)  # proof: ordered
    searches = [bisect_left if side == "left" else bisect_right for side in sides]
    return [[find(ordered, cut) for cut in cuts] for find in searches]  # proof: found


def _array_ranks(array: Array, cuts: list[Any], sides: _Sides) -> list[list[int]]:
    """As `ranks`, for an array of numbers."""
    import numpy

    if array.dtype.kind == "f":
        doubles, found = numpy.array(cuts, numpy.float64), None
        if len(cuts) > _FEW and len(array) > _MANY:
            found = ranks_by_cells(array, doubles, sides)  # proof: cells
        return found or _ranks_by_order(array, doubles, sides)  # proof: floats
    limits = numpy.iinfo(array.dtype)
    first = bisect_left(cuts, int(limits.min))  # proof: too-low
    last = bisect_right(cuts, int(limits.max))  # proof: too-high
    inner = cuts[first:last]  # proof: inner
    if inner and inner[-1] - inner[0] <= _SPAN:
        found = _ranks_by_table(array, inner, sides)  # proof: table
    else:
        own = array.dtype.newbyteorder("=")
        found = _ranks_by_order(array, numpy.array(inner, own), sides)  # proof: order
    after = [len(array)] * (len(cuts) - last)
    return [[0] * first + ranks + after for ranks in found]  # proof: ends


def _ranks_by_table(array: Array, cuts: list[int], sides: _Sides) -> list[list[int]]:
    """As `ranks`, for integers, by a table of those from the first cut to the last."""
    import numpy

    limits = numpy.iinfo(array.dtype)
    least, greatest = cuts[0] - 1, cuts[-1] + 1  # these stand for all beyond, too
    low, high = max(least, int(limits.min)), min(greatest, int(limits.max))
    table = numpy.zeros(greatest - least + 1, numpy.int64)
    for part in parts(array):
        places = offsets(numpy.clip(part, low, high), least)  # proof: places
        table += numpy.bincount(places, minlength=len(table))  # proof: table
    run = [0, *numpy.cumsum(table).tolist()]  # proof: run
    shifts = [0 if side == "left" else 1 for side in sides]
    return [[run[c - least + shift] for c in cuts] for shift in shifts]  # proof: read


def _ranks_by_order(array: Array, cuts: Array, sides: _Sides) -> list[list[int]]:
    """As `ranks`, for cuts in an array of float64, or of the type of the integers."""
    import numpy

    found = [[0] * len(cuts) for _ in sides]
    with numpy.errstate(all="ignore"):
        for part in parts(array):
            entries = part.astype(cuts.dtype, copy=False)  # proof: entries
            more = _part_ranks(entries, cuts, sides)
            for ranks, each in zip(found, more, strict=True):
                ranks[:] = map(add, ranks, each)  # proof: total
    return found


def _part_ranks(entries: Array, cuts: Array, sides: _Sides) -> list[list[int]]:
    import numpy

    if len(cuts) > _FEW:
        ordered = numpy.sort(entries)  # proof: sorted
        return [ordered.searchsorted(cuts, side).tolist() for side in sides]
    tests = [numpy.less if side == "left" else numpy.less_equal for side in sides]
    return [
        [int(numpy.count_nonzero(test(entries, cut))) for cut in cuts]  # proof: few
        for test in tests
    ]
