# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.counts.tallies; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from bisect import bisect_left
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
from itertools import pairwise
from opendp_lite.base.aliases import Array
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.containers import all_of_type
from opendp_lite.base.containers import is_array
from opendp_lite.base.containers import parts
from opendp_lite.base.containers import rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.metric import MetricArgument
from opendp_lite.core.metrics.numbers import L1Distance
from opendp_lite.core.metrics.numbers import L2Distance
from opendp_lite.core.metrics.numbers import LInfDistance
from opendp_lite.core.spaces import metric_of
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.data.type_arguments import parse_atom
from opendp_lite.exact.roots import root
from opendp_lite.transformations.counts.cells import ranks_by_cells
from opendp_lite.transformations.datasets import changed_rows
from opendp_lite.transformations.datasets import changes_rows
from opendp_lite.transformations.datasets import read_numbers
from operator import add
from typing import Any
from typing import Literal
import math

opendp_lite.data.type_arguments.TypeArgument: typing.TypeAlias = type | str | types.GenericAlias | types.UnionType | opendp_lite.data.type_arguments.AtomType
_VARIANT = "MakeTransformation"
_EXACT = 2**53
opendp_lite.core.metrics.metric.MetricArgument: typing.TypeAlias = opendp_lite.core.metrics.metric.Metric | type[opendp_lite.core.metrics.metric.Metric] | str
_NORMS: list[tuple[type, Any]] = [
    (L1Distance, 1),
    (L2Distance, 2),
    (LInfDistance, math.inf),
]
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
_TABLE = 2**22
_Sides = Sequence[Literal["left", "right"]]
_SPAN = 2**16
_FEW = 12
_MANY = 2**14


# === count_type with refusal, AtomDomain, TypeArgument, parse_atom, Any, math,
#    opendp_lite.data.type_arguments.TypeArgument, _VARIANT, _EXACT
def count_type(name: str, TO: TypeArgument) -> tuple[AtomDomain, Any]:
    kind = parse_atom(TO, name)
    if kind.T is float and not kind.single:
        return AtomDomain(T=float, nan=False), _EXACT
    if kind.T is not int:
        rule = "a count is an integer, or a float of 64 bits"
        raise refusal(_VARIANT, name, TO, rule, f"Pass {name}=int, or float")
    output = AtomDomain(T=kind)
    return output, math.inf if output.bounds is None else output.bounds[1]


# === check_norm with refusal, Metric, MetricArgument, L1Distance, L2Distance,
#    LInfDistance, metric_of, Any, math, opendp_lite.core.metrics.metric.MetricArgument,
#    _VARIANT, _NORMS
def check_norm(MO: MetricArgument) -> tuple[Metric, Any]:
    metric = metric_of(MO, "MO")
    p = next((p for kind, p in _NORMS if type(metric) is kind), None)
    if p is None or getattr(metric, "monotonic", False):
        rule = "must be the L1, the L2 or the LInf distance, and not monotonic"
        raise refusal(_VARIANT, "MO", MO, rule, 'Pass for example "L1Distance<int>"')
    return metric, p


# === norm_map with Callable, ExactDistance, Metric, root, changed_rows, changes_rows,
#    Any, math, opendp_lite.base.aliases.ExactDistance
def norm_map(
    p: Any, bins: int, others: bool, metric: Metric, size: int | None
) -> Callable[[Any], Any]:
    def stability_map(d_in: ExactDistance) -> Any:
        m = changed_rows(metric, size, d_in)
        if bins == 0:
            return 0
        if size is None and (d_in == math.inf or not changes_rows(metric)):
            return d_in
        if bins == 1:
            return 0 if others else m
        return {1: 2 * m, 2: root(2 * m * m), math.inf: m}[p]

    return stability_map


# === merger with Callable, Iterable, Any
def merger(T: type, top: Any) -> Callable[[Iterable[Any]], Any]:
    def merge(counts: Iterable[list[Any]]) -> list[Any]:
        columns = zip(*counts, strict=True)
        return stopped([sum(map(int, each)) for each in columns], T, top)

    return merge


# === stopped with Any
def stopped(counts: list[int], T: type, top: Any) -> list[Any]:
    return [T(min(count, top)) for count in counts]


# === distinct_values with Data, is_array, read_numbers, opendp_lite.base.aliases.Data
def distinct_values(data: Data, T: type) -> int:
    array = data if is_array(data) else read_numbers(data, T)
    if array is not None and array.dtype.kind != "U":
        return _distinct_entries(array)
    values = set(_python_rows(data, T))
    unequal = len([x for x in values if x != x])
    return len(values) - max(unequal - 1, 0)


# === _distinct_entries with Array, parts, ?, _TABLE
def _distinct_entries(array: Array) -> int:
    import numpy

    if array.dtype.kind == "f":
        with numpy.errstate(all="ignore"):
            numbers = array[~numpy.isnan(array)]
        return _runs(numbers) + (len(numbers) < len(array))
    if array.dtype.kind == "b" or len(array) == 0:
        return _runs(array)
    least, greatest = int(array.min()), int(array.max())
    if greatest - least > _TABLE:
        return _runs(array)
    seen = numpy.zeros(greatest - least + 1, bool)
    for part in parts(array):
        seen[offsets(part, least)] = True
    return int(numpy.count_nonzero(seen))


# === _runs with Array, ?
def _runs(array: Array) -> int:
    import numpy

    ordered = numpy.sort(array)
    changes = int(numpy.count_nonzero(ordered[1:] != ordered[:-1]))
    return changes + (len(array) > 0)


# === offsets with Array, Any, ?
def offsets(array: Array, least: int) -> Any:
    import numpy

    if array.dtype == numpy.int64:
        entries = array.view(numpy.uint64)
    else:
        entries = array.astype(numpy.uint64)
    differences = entries - numpy.uint64(least % 2**64)
    return differences.view(numpy.int64)


# === _python_rows with Data, all_of_type, is_array, rows, Any,
#    opendp_lite.base.aliases.Data
def _python_rows(data: Data, T: type) -> list[Any]:
    plain = not is_array(data) and all_of_type(data, T)
    return data if plain else rows(data)


# === category_counts with Counter, Data, is_array, read_numbers, Any,
#    opendp_lite.base.aliases.Data
def category_counts(data: Data, categories: list[Any], T: type) -> list[int]:
    array = data if is_array(data) else read_numbers(data, T)
    if array is not None and array.dtype.kind in "iuf":
        ordered = sorted(categories)
        below, up_to = _array_ranks(array, ordered, ("left", "right"))
        found = {c: b - a for c, a, b in zip(ordered, below, up_to, strict=True)}
        return [found[each] for each in categories]
    counts = Counter(_python_rows(data, T))
    return [counts[each] for each in categories]


# === cut_counts with pairwise, Data, Any, opendp_lite.base.aliases.Data
def cut_counts(data: Data, cuts: list[Any], T: type) -> list[int]:
    (below,) = ranks(data, cuts, ("left",), T)
    return [b - a for a, b in pairwise([0, *below, len(data)])]


# === ranks with bisect_left, bisect_right, Sequence, Data, is_array, rows,
#    read_numbers, Any, Literal, opendp_lite.base.aliases.Data, _Sides
def ranks(data: Data, cuts: list[Any], sides: _Sides, T: type) -> list[list[int]]:
    array = data if is_array(data) else read_numbers(data, T)
    if array is not None:
        return _array_ranks(array, cuts, sides)
    ordered = sorted(x for x in rows(data) if x == x)
    searches = [bisect_left if side == "left" else bisect_right for side in sides]
    return [[find(ordered, cut) for cut in cuts] for find in searches]


# === _array_ranks with bisect_left, bisect_right, Sequence, Array, ranks_by_cells, Any,
#    Literal, ?, _SPAN, _FEW, _MANY, _Sides
def _array_ranks(array: Array, cuts: list[Any], sides: _Sides) -> list[list[int]]:
    import numpy

    if array.dtype.kind == "f":
        doubles, found = numpy.array(cuts, numpy.float64), None
        if len(cuts) > _FEW and len(array) > _MANY:
            found = ranks_by_cells(array, doubles, sides)
        return found or _ranks_by_order(array, doubles, sides)
    limits = numpy.iinfo(array.dtype)
    first = bisect_left(cuts, int(limits.min))
    last = bisect_right(cuts, int(limits.max))
    inner = cuts[first:last]
    if inner and inner[-1] - inner[0] <= _SPAN:
        found = _ranks_by_table(array, inner, sides)
    else:
        own = array.dtype.newbyteorder("=")
        found = _ranks_by_order(array, numpy.array(inner, own), sides)
    after = [len(array)] * (len(cuts) - last)
    return [[0] * first + ranks + after for ranks in found]


# === _ranks_by_table with Sequence, Array, parts, Literal, ?, _Sides
def _ranks_by_table(array: Array, cuts: list[int], sides: _Sides) -> list[list[int]]:
    import numpy

    limits = numpy.iinfo(array.dtype)
    least, greatest = cuts[0] - 1, cuts[-1] + 1
    low, high = max(least, int(limits.min)), min(greatest, int(limits.max))
    table = numpy.zeros(greatest - least + 1, numpy.int64)
    for part in parts(array):
        places = offsets(numpy.clip(part, low, high), least)
        table += numpy.bincount(places, minlength=len(table))
    run = [0, *numpy.cumsum(table).tolist()]
    shifts = [0 if side == "left" else 1 for side in sides]
    return [[run[c - least + shift] for c in cuts] for shift in shifts]


# === _ranks_by_order with Sequence, Array, parts, add, Literal, ?, _Sides
def _ranks_by_order(array: Array, cuts: Array, sides: _Sides) -> list[list[int]]:
    import numpy

    found = [[0] * len(cuts) for _ in sides]
    with numpy.errstate(all="ignore"):
        for part in parts(array):
            entries = part.astype(cuts.dtype, copy=False)
            more = _part_ranks(entries, cuts, sides)
            for ranks, each in zip(found, more, strict=True):
                ranks[:] = map(add, ranks, each)
    return found


# === _part_ranks with Sequence, Array, Literal, ?, _FEW, _Sides
def _part_ranks(entries: Array, cuts: Array, sides: _Sides) -> list[list[int]]:
    import numpy

    if len(cuts) > _FEW:
        ordered = numpy.sort(entries)
        return [ordered.searchsorted(cuts, side).tolist() for side in sides]
    tests = [numpy.less if side == "left" else numpy.less_equal for side in sides]
    return [
        [int(numpy.count_nonzero(test(entries, cut))) for cut in cuts]
        for test in tests
    ]
