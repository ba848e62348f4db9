"""Parallel composition: each block of a public partition of the rows is released alone.

A row lies in one block at most. So neighbours differ in few blocks, and what the others
lose at distance 0 is all that they add.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from operator import add
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Data, ExactDistance
from opendp_lite.base.arguments import check_type
from opendp_lite.base.containers import is_array, scalar_kind
from opendp_lite.base.errors import refusal
from opendp_lite.core.chaining import make_chain_tt
from opendp_lite.core.domains import (
    AtomDomain,
    Domain,
    FrameDomain,
    OptionDomain,
    VectorDomain,
)
from opendp_lite.core.measurement import Measurement, Part
from opendp_lite.core.metrics import (
    ChangeOneDistance,
    HammingDistance,
    InsertDeleteDistance,
    Metric,
    SymmetricDistance,
)
from opendp_lite.core.record import _record_of
from opendp_lite.core.registry import Partial, constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.rationals import Extended
from opendp_lite.sessions.losses import check_adds
from opendp_lite.transformations.datasets import changed_rows, changes_rows
from opendp_lite.transformations.frames import make_frame_column
from opendp_lite.transformations.rows.binning import make_find_bin
from opendp_lite.transformations.rows.casting import make_cast, make_cast_default
from opendp_lite.transformations.rows.imputing import make_impute_constant, make_is_null
from opendp_lite.transformations.rows.matching import (
    make_find,
    make_index,
    make_is_equal,
)
from opendp_lite.transformations.rows.rowwise import make_row_by_row

_MAKE = "MakeMeasurement"
_METRICS = (
    SymmetricDistance,
    InsertDeleteDistance,
    ChangeOneDistance,
    HammingDistance,
)
# What these make of a data set, they make of each of its rows alone.
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
# Beyond this distance losses are not tabulated.
_FARTHEST = 4096
_LIST_FIX = "Pass a list of measurements, one for each block"
_BY_FIX = (
    'Pass a list of categories, such as ["a", "b"], a transformation of the rows into '
    "the numbers of their blocks, such as make_find_bin(...), or a function of a row"
)


@constructor(proof="combinators/make_parallel_composition", status="vetted")
def make_parallel_composition(
    input_domain: Domain,
    input_metric: Metric,
    by: Transformation | Sequence[object] | Callable[[Any], Any],
    measurements: Sequence[Measurement],
) -> Measurement:
    """Return the measurement that releases each block of a partition of the rows.

    The release is the list [M0(x0), M1(x1), ...], where xj holds the rows of x that
    `by` sends to the block j, in their order. Rows sent elsewhere are left out.

    Guarantee: let D be d_in, but 2 d_in where rows are changed, as a changed row may
    leave one block for another (of public sizes, twice the number of rows that can
    differ). The list loses at most the maximum of map0(d0) + map1(d1) + ... over all
    d0 + d1 + ... <= D, where mapj is the map of the j-th measurement; beyond D = 4096,
    the sum of all mapj(D). Pairs (epsilon, delta) are bounded part by part.

    :param input_domain: vector_domain, or frame_domain
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param by: to which block a row belongs: a list of categories, the j-th for the
        rows of this value; a transformation of the input space that works row by row
        and puts out integers or bools (False is 0), such as make_find_bin, or a chain
        of such; or a function from a row to an integer or a bool, of which nobody but
        you can verify that it looks at the row alone and always answers alike
    :param measurements: one for each block. A block has no public size, and rows that
        change are added to it or removed: each measures by symmetric_distance where
        the whole is measured by that or by change_one_distance, and else by
        insert_delete_distance. All have one output measure.

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    >>> count = space >> dp.t.then_count() >> dp.m.then_laplace(scale=2)
    >>> both = space >> dp.c.then_parallel_composition(["a", "b"], [count, count])
    >>> both.map(1), len(both(["a", "b", "c", "a"]))
    (0.5, 2)

    Proof: proofs/combinators/make_parallel_composition.tex
    """
    fix = "Pass for example vector_domain(atom_domain(T=str))"
    kinds = VectorDomain, FrameDomain
    check_type(_MAKE, "input_domain", input_domain, kinds, fix)  # proof: domain
    fix = "Pass for example symmetric_distance()"
    check_type(_MAKE, "input_metric", input_metric, _METRICS, fix)  # proof: metric
    size = input_domain.size if isinstance(input_domain, VectorDomain) else None
    components = _check_blocks(measurements, input_domain, input_metric)  # proof: parts
    measure = components[0].output_measure
    approximate = check_adds(measure)  # proof: measure
    blocks = len(components)
    different = {id(each): each for each in components}.values()  # proof: different
    counts = list(Counter(map(id, components)).values())  # proof: counts
    places = _check_by(by, input_domain, input_metric, blocks)  # proof: by
    one_size = size is not None or changes_rows(input_metric)  # proof: one-size

    def function(arg: Data) -> list[Any]:
        found = _blocks(places.function(arg), blocks)  # proof: found
        parts = _divided(arg, found, blocks)  # proof: divided
        return [  # proof: function
            each.function(part) for each, part in zip(components, parts, strict=True)
        ]

    def block_distance(d_in: ExactDistance) -> Any:
        if one_size:
            return 2 * changed_rows(input_metric, size, d_in)  # proof: apart
        return d_in

    def privacy_map(d_in: ExactDistance) -> Any:
        apart = block_distance(d_in)
        tried = [apart] if apart > _FARTHEST else range(apart + 1)  # proof: tried
        losses = [  # proof: losses
            [each.privacy_map(d) for d in tried] for each in different
        ]
        if not approximate:
            return _largest(losses, counts)  # proof: largest
        epsilon = _largest([[loss for loss, _ in table] for table in losses], counts)
        delta = _largest([[delta for _, delta in table] for table in losses], counts)
        return epsilon, min(delta, 1)  # proof: pair

    def parts(d_in: ExactDistance | None) -> list[Part]:
        apart = None if d_in is None else block_distance(d_in)
        note = "the blocks share this distance: their distances add up to it at most"
        return [(each, apart, note) for each in components]

    return Measurement(
        input_domain,
        function,
        input_metric,
        measure,
        privacy_map,
        noise=tuple(each.noise for each in components),
        parts=parts,
    )


then_parallel_composition = then(make_parallel_composition)


def _block_space(domain: Domain, metric: Metric) -> tuple[Domain, Metric]:
    """Return the space of one block: any number of rows, added and removed."""
    if isinstance(domain, VectorDomain):
        domain = VectorDomain(domain.element_domain)  # proof: unsized
    if isinstance(metric, InsertDeleteDistance | HammingDistance):  # proof: ordered
        return domain, InsertDeleteDistance()
    return domain, SymmetricDistance()


def _check_blocks(
    measurements: Sequence[Measurement], domain: Domain, metric: Metric
) -> tuple[Measurement, ...]:
    """Return the measurements of the blocks, under one measure, or refuse them."""
    listed = isinstance(measurements, list | tuple)
    if not listed or not measurements:  # proof: list
        rule = "must be a list that holds at least one measurement"
        raise refusal(_MAKE, "measurements", measurements, rule, _LIST_FIX)
    components = tuple(measurements)  # proof: copy
    rows_of_block, distance = _block_space(domain, metric)  # proof: space
    for index, each in enumerate(components):
        name = f"measurements[{index}]"
        check_type(_MAKE, name, each, Measurement, _LIST_FIX)  # proof: kind
        if each.interactive:  # proof: value
            rule = (
                "goes on answering: what it may lose it may lose at distance 0 too, so "
                "that nothing would be gained by blocks"
            )
            fix = "Open a session on all rows, and ask it for parallel compositions"
            raise refusal(_MAKE, name, each, rule, fix)
        if each.exclusive:  # proof: exclusive
            rule = "must be all that is released from its sample"
            fix = "Compose first, and amplify the whole"
            raise refusal(_MAKE, name, each, rule, fix)
        fix = f"Build it on ({rows_of_block!r}, {distance!r}), the space of a block"
        if not each.input_domain.contains(rows_of_block):  # proof: contains
            rule = f"takes {each.input_domain!r}; a block has no public size"
            raise refusal("DomainMismatch", name, each, rule, fix)
        if not distance.matches(each.input_metric):  # proof: matches
            rule = f"measures by {each.input_metric!r}; a block gains and loses rows"
            raise refusal("MetricMismatch", name, each, rule, fix)
        if each.output_measure != components[0].output_measure:  # proof: same-measure
            rule = "measures loss by another measure than measurements[0]"
            fix = "Convert by make_pureDP_to_zCDP or make_approximate"
            raise refusal("MeasureMismatch", name, each, rule, fix)
    return components


def _check_by(by: Any, domain: Domain, metric: Metric, blocks: int) -> Transformation:
    """Return the transformation of rows into the numbers of their blocks."""
    if isinstance(by, list | tuple):
        if len(by) != blocks:  # proof: as-many
            rule = f"must have as many categories as there are measurements, {blocks}"
            fix = "Pass one measurement for each category"
            raise refusal(_MAKE, "by", by, rule, fix)
        return make_find(domain, metric, by)  # proof: categories
    objects = Transformation, Measurement, Partial
    if callable(by) and not isinstance(by, objects):
        number = OptionDomain(AtomDomain(T=int))
        own = _numbered(by)  # proof: numbered
        return make_row_by_row(domain, metric, number, own, None)  # proof: own
    if not _is_row_by_row(by):  # proof: row-by-row
        rule = "must be made of transformations that work row by row"
        raise refusal(_MAKE, "by", by, rule, _BY_FIX)
    if not by.input_domain.contains(domain):  # proof: takes
        rule = f"takes {by.input_domain!r}, and the data are of {domain!r}"
        raise refusal("DomainMismatch", "by", by, rule, "Build it on the input space")
    output = by.output_domain
    row = output.element_domain if isinstance(output, VectorDomain) else output
    atom = row.element_domain if isinstance(row, OptionDomain) else row
    if not isinstance(atom, AtomDomain) or atom.T not in (int, bool):  # proof: integers
        rule = "must put out the number of a block for each row, an int or a bool"
        raise refusal(_MAKE, "by", by, rule, _BY_FIX)
    return by  # type: ignore[no-any-return]


def _numbered(by: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return the function with the block 0 in the place of False, and 1 of True."""

    def number(row: Data) -> Any:
        found = by(row)  # proof: asked
        truth = type(found) is bool or scalar_kind(found) == "b"
        return int(found) if truth else found  # proof: truth

    return number


def _is_row_by_row(made: object) -> bool:
    """Return whether this is a transformation of each row alone, by its record."""
    record = _record_of(made)
    if record is None:  # proof: unproved
        return False
    if record.constructor is make_chain_tt:  # proof: chain
        return all(_is_row_by_row(link) for _, link in record.arguments)
    return any(record.constructor is each for each in _ROW_BY_ROW)  # proof: listed


def _blocks(found: Data, blocks: int) -> Any:
    """Return the block of each row, and `blocks` for those that are in none."""
    if is_array(found):
        places = found.astype("int64")  # proof: array
        places[(places < 0) | (places >= blocks)] = blocks  # proof: array-outside
        return places
    known = {j: j for j in range(blocks)}
    return [known.get(each, blocks) for each in found]  # proof: known


def _divided(arg: Data, found: Data, blocks: int) -> list[Any]:
    """Return the rows of each block, in their order, in the form that `arg` has."""
    if type(arg) is dict:
        columns = {name: _divided(arg[name], found, blocks) for name in arg}
        return [{name: columns[name][j] for name in arg} for j in range(blocks)]
    if is_array(arg):
        import numpy

        # Numbers of few bits are sorted in linear time.
        places = numpy.array(found, dtype=numpy.min_scalar_type(blocks))  # proof: small
        order = places.argsort(kind="stable")  # proof: order
        ends = places[order].searchsorted(numpy.arange(blocks + 1))  # proof: ends
        return [arg[order[i:j]] for i, j in pairwise(ends.tolist())]  # proof: taken
    parts: list[list[Any]] = [[] for _ in range(blocks + 1)]
    for row, place in zip(arg, found, strict=True):
        parts[place].append(row)  # proof: append
    return parts[:blocks]


def _largest(tables: Sequence[Sequence[Extended]], counts: Sequence[int]) -> Extended:
    """Return the largest sum of entries, one of each table, at places that add up to D.

    Tables have the places 0, ..., D, and places may add up to less. Each counts as
    often as `counts` says.
    """
    if any(loss == math.inf for table in tables for loss in table):  # proof: infinite
        return math.inf
    rising: Counter[tuple[mpq, ...]] = Counter()
    for table, count in zip(tables, counts, strict=True):
        rising[tuple(accumulate(map(mpq, table), max))] += count  # proof: rising
    least, last = mpq(0), len(tables[0]) - 1
    best, falling, others = [mpq(0)] * (last + 1), [], []
    for rise, count in rising.items():
        least += count * rise[0]  # proof: least
        gains = [loss - rise[0] for loss in rise]  # proof: gains
        steps = [after - before for before, after in pairwise(gains)]
        if all(before <= after for before, after in pairwise(steps)):  # proof: convex
            best = list(map(max, best, gains))
        elif all(before >= after for before, after in pairwise(steps)):
            falling += [(step, count) for step in steps]  # proof: concave
        else:
            others.append((gains, count))
    if falling:
        sums = _largest_first(falling, last)
        best = sums if best[last] == 0 else _convolved(best, sums)  # proof: falling
    for gains, count in others:
        while count:  # proof: powers
            if count % 2:
                best = _convolved(best, gains)
            count //= 2
            gains = _convolved(gains, gains) if count else gains
    return least + best[last]  # proof: sum


def _largest_first(steps: list[tuple[mpq, int]], last: int) -> list[mpq]:
    """Return the sums of the 0, ..., `last` largest steps, each of them so often."""
    sums = [mpq(0)]
    for step, count in sorted(steps, reverse=True):  # proof: sorted
        for _ in range(min(count, last + 1 - len(sums))):  # proof: often
            sums.append(sums[-1] + step)
    return sums


def _convolved(first: list[mpq], second: list[mpq]) -> list[mpq]:
    """Return the largest sum of an entry of each, at places that add up to 0, 1, ..."""
    return [max(map(add, first, second[s::-1])) for s in range(len(first))]
