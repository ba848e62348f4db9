# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.sums.vector_sums; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterable
from fractions import Fraction
from math import ldexp
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.containers import is_array
from opendp_lite.base.containers import parts
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.ball import BallDomain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import L1Distance
from opendp_lite.core.metrics.numbers import L2Distance
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.transformations.datasets import changed_rows
from opendp_lite.transformations.datasets import changes_rows
from opendp_lite.transformations.sums.summands import no_grid
from opendp_lite.transformations.sums.totals import integer_total
from opendp_lite.transformations.sums.totals import rational_total
from typing import Any
import math

opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_MAKE = "MakeTransformation"


# === vector_sum with Iterable, Fraction, Data, ExactDistance, is_array, refusal,
#    AtomDomain, BallDomain, VectorDomain, Metric, L1Distance, L2Distance,
#    Transformation, floor_multiple, power_of_two, to_fraction, to_mpq, changed_rows,
#    changes_rows, no_grid, integer_total, rational_total, Any, math,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data, _MAKE
def vector_sum(domain: VectorDomain, metric: Metric, k: object) -> Transformation:
    ball = domain.element_domain
    if not isinstance(ball, BallDomain):
        rule = "rows that are vectors must have a bounded norm"
        fix = "Use then_clip_rows(norm=...) first, or rows of ball_domain(...)"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    T, n, columns = ball.element_domain.T, domain.size, ball.size or 0
    norm = to_mpq(ball.norm)
    exponent = _grid(norm, k) if T is float else no_grid(k)
    unit = to_fraction(power_of_two(exponent))
    most = floor_multiple(norm, 0)

    def total(column: Data) -> Any:
        if T is int:
            return integer_total(column, -most, most)
        if T is Fraction:
            return rational_total(column)
        return truncated_total(column, exponent) * unit

    def function(arg: Data) -> Any:
        if is_array(arg):
            return [total(arg[:, j]) for j in range(columns)]
        return [total([row[j] for row in arg]) for j in range(columns)]

    def merge(sums: Iterable[list[Any]]) -> Any:
        return list(map(sum, zip(*sums, strict=True)))

    def stability_map(d_in: ExactDistance) -> Any:
        if n is not None:
            return changed_rows(metric, n, d_in) * 2 * norm
        if d_in == math.inf:
            return math.inf if norm else 0
        return d_in * (2 * norm if changes_rows(metric) else norm)

    output_type = int if T is int else Fraction
    distance = L1Distance if ball.p == 1 else L2Distance
    return Transformation(
        domain,
        VectorDomain(AtomDomain(T=output_type), columns),
        function,
        metric,
        distance(output_type),
        stability_map,
        merge=merge,
    )


# === _grid with integer_argument, exponent_at_least, Any, _MAKE
def _grid(norm: Any, k: object) -> int:
    e = min(exponent_at_least(norm), 1024) if norm else 0
    if k is None:
        return max(e - 40, -1074)
    fix = "Pass a k with 2^k of 2^-45 of the norm at least, or leave k out"
    lowest = max(e - 45, -1074)
    return integer_argument(
        _MAKE, "k", k, fix=fix, at_least=lowest, at_most=1023
    )


# === truncated_total with ldexp, Data, is_array, parts, opendp_lite.base.aliases.Data
def truncated_total(data: Data, k: int) -> int:
    if not is_array(data):
        return sum(int(ldexp(float(x), -k)) for x in data)
    import numpy

    total = 0
    with numpy.errstate(all="ignore"):
        for part in parts(data):
            steps = numpy.ldexp(part.astype("float64"), -k)
            total += int(steps.astype("int64").sum())
    return total
