"""Group-bys whose keys are unknown: those that enough people have are released."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from opendp_lite.base.aliases import ExactDistance, ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain, MapDomain, VectorDomain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import (
    ApproximateDivergence,
    MaxDivergence,
    Measure,
    ZeroConcentratedDivergence,
    max_divergence,
)
from opendp_lite.core.metrics import (
    AbsoluteDistance,
    ChangeOneDistance,
    L01InfDistance,
    L02InfDistance,
    L1Distance,
    L2Distance,
    Metric,
)
from opendp_lite.core.registry import constructor, then
from opendp_lite.laws.noise import UNRELEASED
from opendp_lite.measurements.noise.laplace_gaussian import make_noise
from opendp_lite.measurements.threshold import make_noise_threshold
from opendp_lite.sessions.losses import total
from opendp_lite.tables.cells import Plan
from opendp_lite.tables.engines.engine import Table
from opendp_lite.tables.expressions import Expr
from opendp_lite.tables.planning import key_column, make_plan, spread, table_space

_MAKE = "MakeMeasurement"
_BY_FIX = "Pass the columns whose values are the keys, such as ['product']"
_SCALES_FIX = "Pass a scale for each of people, rows and sums, such as [2.0, None, 9.0]"


@constructor(proof="tables/make_table_threshold", status="vetted")
def make_table_threshold(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    by: Sequence[str],
    sums: Mapping[str, Expr],
    scales: Sequence[ExactNumber | None],
    threshold: ExactNumber,
    *,
    rows: int = 1,
    groups: int = 1,
    salt: int = 0,
    k: Mapping[str, int] | None = None,
) -> Measurement:
    """Return a measurement of a table by keys that are not known beforehand.

    For each key in the table there are the number of people (where the metric has an
    identifier), the number of rows, and the sums, bounded as `make_table_group_by`
    bounds them. Noise is added to the first of these, and the keys are released for
    which it is then at or above `threshold`; the others are added noise to, and
    released for these keys. The release is the list of the keys, tuples in increasing
    order, and a list of as many numbers for each of people, rows and sums, or of None.

    Guarantee: let x, x' be within d_in. Let n be `groups` with an identifier, 1 under
    the symmetric and 2 under the change-one distance. The first number loses what
    `make_laplace_threshold` or `make_gaussian_threshold` says at (n d_in, n d_in, d_in)
    (in L2 sqrt(n) d_in): an epsilon, or a rho, and a delta. To that each of the others
    adds what Laplace noise loses in L1, or Gaussian noise in L2, at the distance that
    `make_table_group_by` says, with as many keys as one likes, exactly.

    :param input_domain: table_domain of declared columns
    :param input_metric: symmetric_id_distance(...), symmetric_distance() or
        change_one_distance()
    :param output_measure: approximate(max_divergence()) for Laplace noise, or
        approximate(zero_concentrated_divergence()) for Gaussian noise
    :param by: the columns whose values are the keys, of int, bool or text, never
        missing; at least one
    :param sums: a dict of names and expressions with finite bounds
    :param scales: of the noise of people, rows and each sum, or of rows and each sum if
        there is no identifier, exact; None for what is not released, not of the first
    :param threshold: above 0, exact; it need not be a whole number
    :param rows: how many rows of a person count under one key
    :param groups: how many keys of a person count
    :param salt: any integer; another one chooses other keys of a person
    :param k: a dict of names of sums of floats and exponents of their grids, as in
        `make_table_group_by`

    >>> import opendp_lite.prelude as dp
    >>> domain = dp.table_domain({
    ...     "id": dp.atom_domain(T="i64"), "item": dp.atom_domain(T=str)
    ... })
    >>> space = domain, dp.symmetric_id_distance("id")
    >>> items = space >> dp.m.then_table_threshold(
    ...     dp.approximate(dp.max_divergence()), ["item"], {}, [1, None], 30)
    >>> items.map(1)
    (1.0, 1.8595...e-13)
    >>> people = [*range(2000), 2000]
    >>> keys, (counts, _) = items({"id": people, "item": ["tea"] * 2000 + ["yak"]})
    >>> keys, len(counts)
    ([('tea',)], 1)

    Raises `MakeMeasurement` or `MakeTransformation` for another space or measure,
    columns that are no keys, sums without finite bounds, scales that are too many or
    too few, and a threshold that is not above 0.

    Proof: proofs/tables/make_table_threshold.tex
    """
    plan = hidden_plan(  # proof: plan
        input_domain, input_metric, by, sums, rows=rows, groups=groups, salt=salt, k=k
    )
    p = _check_measure(output_measure)  # proof: measure
    spots, units = hidden_units(plan, input_metric, p)  # proof: units
    listed, others = _mechanisms(  # proof: noise
        output_measure, scales, threshold, len(units)
    )
    first = 1 if plan.identifier is None else 0  # proof: first
    blank = (0,) * (2 + len(plan.sums))

    def function(arg: Table) -> tuple[list[tuple[Any, ...]], list[Any]]:
        totals = arg.engine.totals(arg, plan)  # proof: totals
        counts = {_text(key): each[first] for key, each in totals.items()}
        survived = listed.function(counts)  # proof: survived
        keys = sorted(map(_key, survived))  # proof: keys
        vectors: list[Any] = [[survived[_text(key)] for key in keys]]  # proof: listed
        for place, each in enumerate(others, first + 1):
            vector = [totals.get(key, blank)[place] for key in keys]  # proof: vector
            vectors.append(None if each is None else each.function(vector))
        return keys, vectors  # proof: released

    def privacy_map(d_in: ExactDistance) -> Any:
        triple = spots * d_in, _moved(p, spots, d_in), d_in  # proof: triple
        loss, delta = listed.privacy_map(triple)  # proof: delta
        losses = [
            each.privacy_map(_moved(p, unit, d_in))  # proof: losses
            for each, unit in zip(others, units[1:], strict=True)
            if each is not None
        ]
        return total([loss, *losses]), delta  # proof: loss

    return Measurement(
        input_domain,
        function,
        input_metric,
        output_measure,
        privacy_map,
        noise=(
            listed.noise,
            *(UNRELEASED if each is None else each.noise for each in others),
        ),
    )


then_table_threshold = then(make_table_threshold)


def hidden_plan(
    input_domain: Domain,
    input_metric: Metric,
    by: Any,
    sums: object,
    *,
    rows: object = 1,
    groups: object = 1,
    salt: object = 0,
    k: object = None,
) -> Plan:
    """Return the plan of a group-by whose keys are unknown, or refuse its arguments."""
    space = table_space(input_domain, input_metric)  # proof: space
    if not isinstance(by, list | tuple) or len(by) == 0:  # proof: listed
        raise refusal(_MAKE, "by", by, "must be a list of at least one column", _BY_FIX)
    names = tuple(by)
    if any(type(name) is not str for name in names):  # proof: text
        raise refusal(_MAKE, "by", by, "must hold the names of columns", _BY_FIX)
    for name in names:
        key_column("by", name, space[0])  # proof: columns
    if len(set(names)) < len(names):  # proof: once
        raise refusal(_MAKE, "by", by, "names a column twice", "Name each once")
    return make_plan(  # proof: plan
        space, names, None, sums=sums, k=k, rows=rows, groups=groups, salt=salt
    )


def hidden_units(plan: Plan, input_metric: Metric, p: int) -> tuple[int, list[int]]:
    """Return how many keys a person or row moves, and how far it moves each vector.

    The vectors are those of people, if there is an identifier, of rows and of sums,
    over as many keys as one likes; how far is in Lp, to the power of p.
    """
    changes = isinstance(input_metric, ChangeOneDistance)
    sized = [(each.low, each.high, plan.rows) for each in plan.sums]
    parts = [(1, 1, 1), (1, 1, plan.rows), *sized]  # proof: parts
    if plan.identifier is not None:
        spots = plan.groups
        tops = [m * max(abs(low), abs(high)) for low, high, m in parts]
        return spots, [spots * top**p for top in tops]  # proof: people
    rows = [(max(abs(low), abs(high)), high - low) for low, high, _ in parts[1:]]
    if not changes:
        return 1, [largest**p for largest, _ in rows]  # proof: rows
    return 2, [
        max(2 * largest**p, width**p) for largest, width in rows
    ]  # proof: changed


def _moved(p: int, unit: int, d_in: ExactDistance) -> Any:
    """Return how far d_in people or rows move a vector in Lp."""
    if d_in == math.inf:
        return math.inf if unit else 0  # proof: infinite
    return spread(p, unit, d_in)  # proof: spread


def _check_measure(measure: Measure) -> int:
    """Return the power of the distances: 1 for Laplace, 2 for Gaussian noise."""
    if type(measure) is ApproximateDivergence:
        for p, inner in ((1, MaxDivergence), (2, ZeroConcentratedDivergence)):
            if type(measure.inner) is inner:  # proof: powers
                return p
    rule = "releasing keys needs a measure with delta"
    fix = "Pass approximate(max_divergence()) or approximate(zero_concentrated_...)"
    raise refusal(_MAKE, "output_measure", measure, rule, fix)  # proof: others


def _mechanisms(
    measure: Any, scales: object, threshold: ExactNumber, count: int
) -> tuple[Measurement, list[Measurement | None]]:
    """Return what releases the keys, and the noise of each of the other vectors."""
    if type(scales) is not tuple or len(scales) != count:  # proof: listed
        rule = f"must be a list of {count}, in the order of people, rows and sums"
        raise refusal(_MAKE, "scales", scales, rule, _SCALES_FIX)
    if scales[0] is None:  # proof: first
        rule = "the first is compared with the threshold, and needs noise"
        raise refusal(_MAKE, "scales", scales, rule, _SCALES_FIX)
    fix = "Pass how many there must be, such as threshold=20"
    least = rational_argument(_MAKE, "threshold", threshold, fix=fix, at_least=0)
    if least == 0:  # proof: threshold
        raise refusal(_MAKE, "threshold", threshold, "must be above 0", fix)
    number, inner = AtomDomain(T=int), measure.inner
    laplace = inner == max_divergence()
    keyed = (L01InfDistance if laplace else L02InfDistance)(AbsoluteDistance(int))
    metric = (L1Distance if laplace else L2Distance)(int)
    counts = MapDomain(AtomDomain(T=str), number)
    listed = make_noise_threshold(counts, keyed, measure, scales[0], threshold)
    vectors = VectorDomain(number)
    others = [
        None if scale is None else make_noise(vectors, metric, inner, scale)
        for scale in scales[1:]
    ]
    return listed, others  # proof: made


def _text(key: tuple[Any, ...]) -> str:
    """Return a key as text, from which `_key` makes it again.

    >>> _text((True, 3, "tea"))
    '[true, 3, "tea"]'
    """
    return json.dumps(key, ensure_ascii=False)  # proof: text


def _key(text: str) -> tuple[Any, ...]:
    """Return the key of a text."""
    return tuple(json.loads(text))  # proof: key
