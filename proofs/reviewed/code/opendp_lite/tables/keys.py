# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.keys; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Mapping
from collections.abc import Sequence
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.map import MapDomain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.approximate import ApproximateDivergence
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.measures.plain import MaxDivergence
from opendp_lite.core.measures.plain import ZeroConcentratedDivergence
from opendp_lite.core.measures.plain import max_divergence
from opendp_lite.core.metrics.counting import ChangeOneDistance
from opendp_lite.core.metrics.map_differences import L01InfDistance
from opendp_lite.core.metrics.map_differences import L02InfDistance
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import AbsoluteDistance
from opendp_lite.core.metrics.numbers import L1Distance
from opendp_lite.core.metrics.numbers import L2Distance
from opendp_lite.laws.noise import GAUSSIAN
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.measurements.noise.laplace_gaussian import make_noise
from opendp_lite.measurements.noise.release_accuracy import noise_accuracy
from opendp_lite.measurements.threshold import make_noise_threshold
from opendp_lite.sessions.losses import total
from opendp_lite.tables.cells import Plan
from opendp_lite.tables.engines.engine import Table
from opendp_lite.tables.planning import key_column
from opendp_lite.tables.planning import make_plan
from opendp_lite.tables.planning import spread
from opendp_lite.tables.planning import table_space
from opendp_lite.tables.terms import Expr
from typing import Any
import json
import math

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
_MAKE = "MakeMeasurement"
_BY_FIX = "Pass the columns whose values are the keys, such as ['product']"
_SCALES_FIX = "Pass a scale for each of people, rows and sums, such as [2.0, None, 9.0]"
opendp_lite.laws.noise.LAPLACE = opendp_lite.laws.noise.Law('Laplace', 1, 2)
opendp_lite.laws.noise.GAUSSIAN = opendp_lite.laws.noise.Law('Gaussian', 2, 2)


# === make_table_threshold with Mapping, Sequence, ExactDistance, ExactNumber, Domain,
#    Measurement, Measure, Metric, total, Table, Expr, Any, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.ExactDistance
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
    plan = hidden_plan(
        input_domain, input_metric, by, sums, rows=rows, groups=groups, salt=salt, k=k
    )
    p = _check_measure(output_measure)
    spots, units = hidden_units(plan, input_metric, p)
    listed, others = _mechanisms(
        output_measure, scales, threshold, len(units)
    )
    first = 1 if plan.identifier is None else 0
    blank = (0,) * (2 + len(plan.sums))

    def function(arg: Table) -> tuple[list[tuple[Any, ...]], list[Any]]:
        totals = arg.engine.totals(arg, plan)
        counts = {_text(key): each[first] for key, each in totals.items()}
        survived = listed.function(counts)
        keys = sorted(map(_key, survived))
        vectors: list[Any] = [[survived[_text(key)] for key in keys]]
        for place, each in enumerate(others, first + 1):
            vector = [totals.get(key, blank)[place] for key in keys]
            vectors.append(None if each is None else each.function(vector))
        return keys, vectors

    def privacy_map(d_in: ExactDistance) -> Any:
        triple = spots * d_in, _moved(p, spots, d_in), d_in
        loss, delta = listed.privacy_map(triple)
        losses = [
            each.privacy_map(_moved(p, unit, d_in))
            for each, unit in zip(others, units[1:], strict=True)
            if each is not None
        ]
        return total([loss, *losses]), delta

    return Measurement(
        input_domain, function, input_metric, output_measure, privacy_map
    )


# === hidden_plan with refusal, Domain, Metric, Plan, key_column, make_plan,
#    table_space, Any, _MAKE, _BY_FIX
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
    space = table_space(input_domain, input_metric)
    if not issubclass(type(by), list | tuple) or len(by) == 0:
        raise refusal(_MAKE, "by", by, "must be a list of at least one column", _BY_FIX)
    names = tuple(by)
    if any(type(name) is not str for name in names):
        raise refusal(_MAKE, "by", by, "must hold the names of columns", _BY_FIX)
    for name in names:
        key_column("by", name, space[0])
    if len(set(names)) < len(names):
        raise refusal(_MAKE, "by", by, "names a column twice", "Name each once")
    return make_plan(
        space, names, None, sums=sums, k=k, rows=rows, groups=groups, salt=salt
    )


# === hidden_units with ChangeOneDistance, Metric, Plan
def hidden_units(plan: Plan, input_metric: Metric, p: int) -> tuple[int, list[int]]:
    changes = issubclass(type(input_metric), ChangeOneDistance)
    sized = [(each.low, each.high, plan.rows) for each in plan.sums]
    parts = [(1, 1, 1), (1, 1, plan.rows), *sized]
    if plan.identifier is not None:
        spots = plan.groups
        tops = [m * max(abs(low), abs(high)) for low, high, m in parts]
        return spots, [spots * top**p for top in tops]
    rows = [(max(abs(low), abs(high)), high - low) for low, high, _ in parts[1:]]
    if not changes:
        return 1, [largest**p for largest, _ in rows]
    return 2, [
        max(2 * largest**p, width**p) for largest, width in rows
    ]


# === _moved with ExactDistance, spread, Any, math,
#    opendp_lite.base.aliases.ExactDistance
def _moved(p: int, unit: int, d_in: ExactDistance) -> Any:
    if d_in == math.inf:
        return math.inf if unit else 0
    return spread(p, unit, d_in)


# === _check_measure with refusal, ApproximateDivergence, Measure, MaxDivergence,
#    ZeroConcentratedDivergence, _MAKE
def _check_measure(measure: Measure) -> int:
    if type(measure) is ApproximateDivergence:
        for p, inner in ((1, MaxDivergence), (2, ZeroConcentratedDivergence)):
            if type(measure.inner) is inner:
                return p
    rule = "releasing keys needs a measure with delta"
    fix = "Pass approximate(max_divergence()) or approximate(zero_concentrated_...)"
    raise refusal(_MAKE, "output_measure", measure, rule, fix)


# === _mechanisms with ExactNumber, rational_argument, refusal, AtomDomain, MapDomain,
#    VectorDomain, Measurement, max_divergence, L01InfDistance, L02InfDistance,
#    AbsoluteDistance, L1Distance, L2Distance, make_noise, make_noise_threshold, Any, ?,
#    opendp_lite.base.aliases.ExactNumber, _MAKE, _SCALES_FIX
def _mechanisms(
    measure: Any, scales: object, threshold: ExactNumber, count: int
) -> tuple[Measurement, list[Measurement | None]]:
    if type(scales) is not tuple or len(scales) != count:
        rule = f"must be a list of {count}, in the order of people, rows and sums"
        raise refusal(_MAKE, "scales", scales, rule, _SCALES_FIX)
    if scales[0] is None:
        rule = "the first is compared with the threshold, and needs noise"
        raise refusal(_MAKE, "scales", scales, rule, _SCALES_FIX)
    fix = "Pass how many there must be, such as threshold=20"
    least = rational_argument(_MAKE, "threshold", threshold, fix=fix, at_least=0)
    if least == 0:
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
    return listed, others


# === threshold_accuracy with ExactNumber, AtomDomain, max_divergence, GAUSSIAN,
#    LAPLACE, noise_accuracy, Any, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.laws.noise.LAPLACE, opendp_lite.laws.noise.GAUSSIAN
def threshold_accuracy(given: dict[str, Any], alpha: ExactNumber) -> list[Any]:
    laplace = given["output_measure"].inner == max_divergence()
    law, number = LAPLACE if laplace else GAUSSIAN, AtomDomain(T=int)
    return [
        None if scale is None else noise_accuracy(law, number, scale, None, alpha)
        for scale in given["scales"]
    ]


# === _text with Any, json
def _text(key: tuple[Any, ...]) -> str:
    return json.dumps(key, ensure_ascii=False)


# === _key with Any, json
def _key(text: str) -> tuple[Any, ...]:
    return tuple(json.loads(text))
