# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.counts.keys; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections import Counter
from collections.abc import Callable
from collections.abc import Iterable
from fractions import Fraction
from opendp_lite.base.aliases import Array
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.containers import all_of_type
from opendp_lite.base.containers import is_array
from opendp_lite.base.containers import parts
from opendp_lite.base.containers import rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.map import MapDomain
from opendp_lite.core.metrics.map_differences import L01InfDistance
from opendp_lite.core.metrics.map_differences import L02InfDistance
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.metric import MetricArgument
from opendp_lite.core.metrics.numbers import AbsoluteDistance
from opendp_lite.core.spaces import metric_of
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.exact.roots import root
from opendp_lite.transformations.counts.tallies import count_type
from opendp_lite.transformations.counts.tallies import offsets
from opendp_lite.transformations.datasets import atom_of
from opendp_lite.transformations.datasets import changed_rows
from opendp_lite.transformations.datasets import changes_rows
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.datasets import read_numbers
from typing import Any
import math

opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.core.metrics.metric.MetricArgument: typing.TypeAlias = opendp_lite.core.metrics.metric.Metric | type[opendp_lite.core.metrics.metric.Metric] | str
opendp_lite.data.type_arguments.TypeArgument: typing.TypeAlias = type | str | types.GenericAlias | types.UnionType | opendp_lite.data.type_arguments.AtomType
_MAKE = "MakeTransformation"
_METRICS = (L01InfDistance, L02InfDistance)
_SPAN = 2**16
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
_SLACK = 2**10
_GUESS = 2**62
_CHARACTERS = 8


# === make_count_by with Data, ExactDistance, refusal, Domain, MapDomain,
#    L02InfDistance, Metric, MetricArgument, Transformation, TypeArgument, root,
#    count_type, atom_of, changed_rows, changes_rows, check_dataset, Any, math,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data,
#    opendp_lite.core.metrics.metric.MetricArgument,
#    opendp_lite.data.type_arguments.TypeArgument, _MAKE
def make_count_by(
    input_domain: Domain,
    input_metric: Metric,
    TV: TypeArgument = int,
    MO: MetricArgument | None = None,
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    atom, n = atom_of(domain), domain.size
    if atom.nan:
        rule = "rows may not be NaN, which is no key"
        fix = "Use then_impute_constant(...) first, or say nan=False in atom_domain"
        raise refusal(_MAKE, "input_domain", input_domain, rule, fix)
    output, top = count_type("TV", TV)
    metric = _check_metric(MO, output.T)
    squares = isinstance(metric, L02InfDistance)

    def function(arg: Data) -> dict[Any, Any]:
        return _stopped(key_counts(arg, atom.T), output.T, top)

    def stability_map(d_in: ExactDistance) -> Any:
        if n is None and (d_in == math.inf or not changes_rows(input_metric)):
            return d_in, d_in, d_in
        m = changed_rows(input_metric, n, d_in)
        return 2 * m, root(2 * m * m) if squares else 2 * m, m

    return Transformation(
        input_domain,
        MapDomain(domain.element_domain, output),
        function,
        input_metric,
        metric,
        stability_map,
        merge=_merger(output.T, top),
    )


# === _check_metric with refusal, L01InfDistance, L02InfDistance, Metric,
#    MetricArgument, AbsoluteDistance, metric_of,
#    opendp_lite.core.metrics.metric.MetricArgument, _MAKE, _METRICS
def _check_metric(MO: MetricArgument | None, T: type) -> Metric:
    metric = L01InfDistance(AbsoluteDistance(T)) if MO is None else metric_of(MO, "MO")
    if not any(type(metric) is kind for kind in _METRICS):
        rule = "must be L01InfDistance or L02InfDistance"
        fix = "Leave it out, or pass l02inf_distance(absolute_distance(T=int))"
        raise refusal(_MAKE, "MO", MO, rule, fix)
    return metric


# === _stopped with Any
def _stopped(counts: dict[Any, int], T: type, top: Any) -> dict[Any, Any]:
    return {key: T(min(count, top)) for key, count in counts.items()}


# === _merger with Callable, Iterable, Any
def _merger(T: type, top: Any) -> Callable[[Iterable[Any]], Any]:
    def merge(maps: Iterable[dict[Any, Any]]) -> dict[Any, Any]:
        total: dict[Any, int] = {}
        for each in list(maps):
            _add(total, each.keys(), map(int, each.values()))
        return _stopped(total, T, top)

    return merge


# === key_counts with Fraction, Data, is_array, Any, opendp_lite.base.aliases.Data
def key_counts(data: Data, T: type) -> dict[Any, int]:
    array = is_array(data)
    counts = _entry_counts(data) if array else _row_counts(data, T)
    if T is float:
        return {_double(key): count for key, count in counts.items()}
    if T is Fraction:
        return {_fraction(key): count for key, count in counts.items()}
    return dict(counts)


# === _row_counts with Counter, Data, all_of_type, rows, offsets, read_numbers, Any,
#    opendp_lite.base.aliases.Data, _SPAN
def _row_counts(data: list[Data], T: type) -> dict[Any, int]:
    numbers = read_numbers(data, T) if T is int else None
    if numbers is not None:
        least, greatest = int(numbers.min()), int(numbers.max())
        if greatest - least <= _SPAN:
            keys, counts = _table_counts(offsets(numbers, least), least)
            return dict(zip(keys, counts, strict=True))
    return Counter(data if all_of_type(data, T) else rows(data))


# === _double with Any
def _double(key: Any) -> Any:
    return None if key is None else float(key) + 0.0


# === _fraction with Fraction, Any
def _fraction(key: Any) -> Any:
    return None if key is None else Fraction(key)


# === _entry_counts with Array, parts, Any, ?, _SLACK
def _entry_counts(array: Array) -> dict[Any, int]:
    import numpy

    if array.dtype.kind == "b":
        true = int(numpy.count_nonzero(array))
        both = {True: true, False: len(array) - true}
        return {key: count for key, count in both.items() if count}
    total: dict[Any, int] = {}
    guess = 0
    for part in parts(array):
        keys, counts = _part_counts(part, guess)
        _add(total, keys, counts)
        if array.dtype == numpy.int64 and keys:
            guess = keys[0] - _SLACK
    return total


# === _add with Iterable, Any
def _add(total: dict[Any, int], keys: Iterable[Any], counts: Iterable[int]) -> None:
    for key, count in zip(keys, counts, strict=True):
        total[key] = total.get(key, 0) + count


# === _part_counts with Array, offsets, Any, ?, _SPAN, _GUESS
def _part_counts(part: Array, guess: int) -> tuple[list[Any], list[int]]:
    import numpy

    if part.dtype.kind == "U":
        return _text_counts(part)
    if part.dtype == numpy.int64 and len(part) and abs(guess) <= _GUESS:
        places = part - numpy.int64(guess)
        if int(places.view(numpy.uint64).max()) <= _SPAN:
            return _table_counts(places, guess)
    if part.dtype.kind != "f" and len(part):
        least, greatest = int(part.min()), int(part.max())
        if greatest - least <= _SPAN:
            return _table_counts(offsets(part, least), least)
    return _sorted_counts(part)


# === _table_counts with Array, ?
def _table_counts(places: Array, least: int) -> tuple[list[int], list[int]]:
    import numpy

    table = numpy.bincount(places)
    found = numpy.flatnonzero(table)
    keys = [least + place for place in found.tolist()]
    return keys, table[found].tolist()


# === _sorted_counts with Array, Any, ?
def _sorted_counts(part: Array) -> tuple[list[Any], list[int]]:
    import numpy

    ordered, new = numpy.sort(part), numpy.ones(len(part), bool)
    new[1:] = ordered[1:] != ordered[:-1]
    firsts = numpy.flatnonzero(new)
    counts = numpy.diff(firsts, append=len(part))
    return ordered[firsts].tolist(), counts.tolist()


# === _text_counts with Counter, Array, ?, _CHARACTERS
def _text_counts(part: Array) -> tuple[list[str], list[int]]:
    import numpy

    width = part.dtype.itemsize // 4
    if 0 < width <= _CHARACTERS and len(part):
        bits = 64 // width
        own = numpy.ascontiguousarray(part, part.dtype.newbyteorder("="))
        codes = own.view(numpy.uint32).reshape(-1, width)
        if int(codes.max()) < 1 << bits:
            words = codes[:, 0].astype(numpy.uint64)
            for column in range(1, width):
                words = words << numpy.uint64(bits) | codes[:, column]
            found, counts = _sorted_counts(words)
            return [_text(word, width, bits) for word in found], counts
    listed = Counter(part.tolist())
    return list(listed.keys()), list(listed.values())


# === _text
def _text(word: int, width: int, bits: int) -> str:
    shifts = range(bits * (width - 1), -1, -bits)
    letters = [chr(word >> shift & ((1 << bits) - 1)) for shift in shifts]
    return "".join(letters).rstrip("\0")
