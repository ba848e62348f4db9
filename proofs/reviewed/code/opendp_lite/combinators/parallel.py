# ruff: noqa
# fmt: off
# What was read of opendp_lite.combinators.parallel; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections import Counter
from collections.abc import Callable
from collections.abc import Sequence
from gmpy2 import mpq
from itertools import accumulate
from itertools import pairwise
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.arguments import check_type
from opendp_lite.base.containers import is_array
from opendp_lite.base.containers import scalar_kind
from opendp_lite.base.errors import refusal
from opendp_lite.core.chaining import make_chain_tt
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.frame import FrameDomain
from opendp_lite.core.domains.option import OptionDomain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.metrics.counting import ChangeOneDistance
from opendp_lite.core.metrics.counting import HammingDistance
from opendp_lite.core.metrics.counting import InsertDeleteDistance
from opendp_lite.core.metrics.counting import SymmetricDistance
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.record import _record_of
from opendp_lite.core.registry import Partial
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.rationals import Extended
from opendp_lite.sessions.losses import check_adds
from opendp_lite.transformations.datasets import changed_rows
from opendp_lite.transformations.datasets import changes_rows
from opendp_lite.transformations.frames import make_frame_column
from opendp_lite.transformations.rows.binning import make_find_bin
from opendp_lite.transformations.rows.casting import make_cast
from opendp_lite.transformations.rows.casting import make_cast_default
from opendp_lite.transformations.rows.imputing import make_impute_constant
from opendp_lite.transformations.rows.imputing import make_is_null
from opendp_lite.transformations.rows.matching import make_find
from opendp_lite.transformations.rows.matching import make_index
from opendp_lite.transformations.rows.matching import make_is_equal
from opendp_lite.transformations.rows.rowwise import make_row_by_row
from operator import add
from typing import Any
import math

opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_MAKE = "MakeMeasurement"
_METRICS = (
    SymmetricDistance,
    InsertDeleteDistance,
    ChangeOneDistance,
    HammingDistance,
)
_FARTHEST = 4096
_LIST_FIX = "Pass a list of measurements, one for each block"
_BY_FIX = (
    'Pass a list of categories, such as ["a", "b"], a transformation of the rows into '
    "the numbers of their blocks, such as make_find_bin(...), or a function of a row"
)
_ROW_BY_ROW = (
    make_cast,
    make_cast_default,
    make_find,
    make_find_bin,
    make_frame_column,
    make_impute_constant,
    make_index,
    make_is_equal,
    make_is_null,
    make_row_by_row,
)
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float


# === make_parallel_composition with Counter, Callable, Sequence, Data, ExactDistance,
#    check_type, Domain, FrameDomain, VectorDomain, Measurement, ChangeOneDistance,
#    HammingDistance, InsertDeleteDistance, SymmetricDistance, Metric, Transformation,
#    check_adds, changed_rows, changes_rows, Any,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data, _MAKE,
#    _METRICS, _FARTHEST
def make_parallel_composition(
    input_domain: Domain,
    input_metric: Metric,
    by: Transformation | Sequence[object] | Callable[[Any], Any],
    measurements: Sequence[Measurement],
) -> Measurement:
    fix = "Pass for example vector_domain(atom_domain(T=str))"
    kinds = VectorDomain, FrameDomain
    check_type(_MAKE, "input_domain", input_domain, kinds, fix)
    fix = "Pass for example symmetric_distance()"
    check_type(_MAKE, "input_metric", input_metric, _METRICS, fix)
    size = input_domain.size if isinstance(input_domain, VectorDomain) else None
    components = _check_blocks(measurements, input_domain, input_metric)
    measure = components[0].output_measure
    approximate = check_adds(measure)
    blocks = len(components)
    different = {id(each): each for each in components}.values()
    counts = list(Counter(map(id, components)).values())
    places = _check_by(by, input_domain, input_metric, blocks)
    one_size = size is not None or changes_rows(input_metric)

    def function(arg: Data) -> list[Any]:
        found = _blocks(places.function(arg), blocks)
        parts = _divided(arg, found, blocks)
        return [
            each.function(part) for each, part in zip(components, parts, strict=True)
        ]

    def privacy_map(d_in: ExactDistance) -> Any:
        apart = d_in
        if one_size:
            apart = 2 * changed_rows(input_metric, size, d_in)
        tried = [apart] if apart > _FARTHEST else range(apart + 1)
        losses = [
            [each.privacy_map(d) for d in tried] for each in different
        ]
        if not approximate:
            return _largest(losses, counts)
        epsilon = _largest([[loss for loss, _ in table] for table in losses], counts)
        delta = _largest([[delta for _, delta in table] for table in losses], counts)
        return epsilon, min(delta, 1)

    return Measurement(input_domain, function, input_metric, measure, privacy_map)


# === _block_space with Domain, VectorDomain, HammingDistance, InsertDeleteDistance,
#    SymmetricDistance, Metric
def _block_space(domain: Domain, metric: Metric) -> tuple[Domain, Metric]:
    if isinstance(domain, VectorDomain):
        domain = VectorDomain(domain.element_domain)
    if isinstance(metric, InsertDeleteDistance | HammingDistance):
        return domain, InsertDeleteDistance()
    return domain, SymmetricDistance()


# === _check_blocks with Sequence, check_type, refusal, Domain, Measurement, Metric,
#    _MAKE, _LIST_FIX
def _check_blocks(
    measurements: Sequence[Measurement], domain: Domain, metric: Metric
) -> tuple[Measurement, ...]:
    listed = issubclass(type(measurements), list | tuple)
    if not listed or not measurements:
        rule = "must be a list that holds at least one measurement"
        raise refusal(_MAKE, "measurements", measurements, rule, _LIST_FIX)
    components = tuple(measurements)
    rows_of_block, distance = _block_space(domain, metric)
    for index, each in enumerate(components):
        name = f"measurements[{index}]"
        check_type(_MAKE, name, each, Measurement, _LIST_FIX)
        if each.interactive:
            rule = (
                "goes on answering: what it may lose it may lose at distance 0 too, so "
                "that nothing would be gained by blocks"
            )
            fix = "Open a session on all rows, and ask it for parallel compositions"
            raise refusal(_MAKE, name, each, rule, fix)
        if each.exclusive:
            rule = "must be all that is released from its sample"
            fix = "Compose first, and amplify the whole"
            raise refusal(_MAKE, name, each, rule, fix)
        fix = f"Build it on ({rows_of_block!r}, {distance!r}), the space of a block"
        if not each.input_domain.contains(rows_of_block):
            rule = f"takes {each.input_domain!r}; a block has no public size"
            raise refusal("DomainMismatch", name, each, rule, fix)
        if not distance.matches(each.input_metric):
            rule = f"measures by {each.input_metric!r}; a block gains and loses rows"
            raise refusal("MetricMismatch", name, each, rule, fix)
        if each.output_measure != components[0].output_measure:
            rule = "measures loss by another measure than measurements[0]"
            fix = "Convert by make_pureDP_to_zCDP or make_approximate"
            raise refusal("MeasureMismatch", name, each, rule, fix)
    return components


# === _check_by with refusal, AtomDomain, Domain, OptionDomain, VectorDomain,
#    Measurement, Metric, Partial, Transformation, make_find, make_row_by_row, Any,
#    _MAKE, _BY_FIX
def _check_by(by: Any, domain: Domain, metric: Metric, blocks: int) -> Transformation:
    if issubclass(type(by), list | tuple):
        if len(by) != blocks:
            rule = f"must have as many categories as there are measurements, {blocks}"
            fix = "Pass one measurement for each category"
            raise refusal(_MAKE, "by", by, rule, fix)
        return make_find(domain, metric, by)
    objects = Transformation, Measurement, Partial
    if callable(by) and not issubclass(type(by), objects):
        number = OptionDomain(AtomDomain(T=int))
        own = _numbered(by)
        return make_row_by_row(domain, metric, number, own, None)
    if not _is_row_by_row(by):
        rule = "must be made of transformations that work row by row"
        raise refusal(_MAKE, "by", by, rule, _BY_FIX)
    if not by.input_domain.contains(domain):
        rule = f"takes {by.input_domain!r}, and the data are of {domain!r}"
        raise refusal("DomainMismatch", "by", by, rule, "Build it on the input space")
    output = by.output_domain
    row = output.element_domain if isinstance(output, VectorDomain) else output
    atom = row.element_domain if isinstance(row, OptionDomain) else row
    if not isinstance(atom, AtomDomain) or atom.T not in (int, bool):
        rule = "must put out the number of a block for each row, an int or a bool"
        raise refusal(_MAKE, "by", by, rule, _BY_FIX)
    return by


# === _numbered with Callable, Data, scalar_kind, Any, opendp_lite.base.aliases.Data
def _numbered(by: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def number(row: Data) -> Any:
        found = by(row)
        truth = type(found) is bool or scalar_kind(found) == "b"
        return int(found) if truth else found

    return number


# === _is_row_by_row with make_chain_tt, _record_of, make_frame_column, make_find_bin,
#    make_cast, make_cast_default, make_impute_constant, make_is_null, make_find,
#    make_index, make_is_equal, make_row_by_row, _ROW_BY_ROW
def _is_row_by_row(made: object) -> bool:
    record = _record_of(made)
    if record is None:
        return False
    if record.constructor is make_chain_tt:
        return all(_is_row_by_row(link) for _, link in record.arguments)
    return any(record.constructor is each for each in _ROW_BY_ROW)


# === _blocks with Data, is_array, Any, opendp_lite.base.aliases.Data
def _blocks(found: Data, blocks: int) -> Any:
    if is_array(found):
        places = found.astype("int64")
        places[(places < 0) | (places >= blocks)] = blocks
        return places
    known = {j: j for j in range(blocks)}
    return [known.get(each, blocks) for each in found]


# === _divided with pairwise, Data, is_array, Any, opendp_lite.base.aliases.Data
def _divided(arg: Data, found: Data, blocks: int) -> list[Any]:
    if type(arg) is dict:
        columns = {name: _divided(arg[name], found, blocks) for name in arg}
        return [{name: columns[name][j] for name in arg} for j in range(blocks)]
    if is_array(arg):
        import numpy

        places = numpy.array(found, dtype=numpy.min_scalar_type(blocks))
        order = places.argsort(kind="stable")
        ends = places[order].searchsorted(numpy.arange(blocks + 1))
        return [arg[order[i:j]] for i, j in pairwise(ends.tolist())]
    parts: list[list[Any]] = [[] for _ in range(blocks + 1)]
    for row, place in zip(arg, found, strict=True):
        parts[place].append(row)
    return parts[:blocks]


# === _largest with Counter, Sequence, mpq, accumulate, pairwise, Extended, math,
#    opendp_lite.exact.rationals.Extended
def _largest(tables: Sequence[Sequence[Extended]], counts: Sequence[int]) -> Extended:
    if any(loss == math.inf for table in tables for loss in table):
        return math.inf
    rising: Counter[tuple[mpq, ...]] = Counter()
    for table, count in zip(tables, counts, strict=True):
        rising[tuple(accumulate(map(mpq, table), max))] += count
    least, last = mpq(0), len(tables[0]) - 1
    best, falling, others = [mpq(0)] * (last + 1), [], []
    for rise, count in rising.items():
        least += count * rise[0]
        gains = [loss - rise[0] for loss in rise]
        steps = [after - before for before, after in pairwise(gains)]
        if all(before <= after for before, after in pairwise(steps)):
            best = list(map(max, best, gains))
        elif all(before >= after for before, after in pairwise(steps)):
            falling += [(step, count) for step in steps]
        else:
            others.append((gains, count))
    if falling:
        sums = _largest_first(falling, last)
        best = sums if best[last] == 0 else _convolved(best, sums)
    for gains, count in others:
        while count:
            if count % 2:
                best = _convolved(best, gains)
            count //= 2
            gains = _convolved(gains, gains) if count else gains
    return least + best[last]


# === _largest_first with mpq
def _largest_first(steps: list[tuple[mpq, int]], last: int) -> list[mpq]:
    sums = [mpq(0)]
    for step, count in sorted(steps, reverse=True):
        for _ in range(min(count, last + 1 - len(sums))):
            sums.append(sums[-1] + step)
    return sums


# === _convolved with mpq, add
def _convolved(first: list[mpq], second: list[mpq]) -> list[mpq]:
    return [max(map(add, first, second[s::-1])) for s in range(len(first))]
