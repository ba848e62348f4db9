# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.sums.summing; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from fractions import Fraction
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.ball import BallDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import AbsoluteDistance
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.transformations.datasets import changed_rows
from opendp_lite.transformations.datasets import changes_rows
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.datasets import check_numbers
from opendp_lite.transformations.sums.summands import finite_bounds
from opendp_lite.transformations.sums.summands import grid_exponent
from opendp_lite.transformations.sums.summands import no_grid
from opendp_lite.transformations.sums.totals import grid_total
from opendp_lite.transformations.sums.totals import integer_total
from opendp_lite.transformations.sums.totals import rational_total
from opendp_lite.transformations.sums.vector_sums import vector_sum
from typing import Any
import math

opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any


# === make_sum with Fraction, Data, ExactDistance, AtomDomain, BallDomain, Domain,
#    VectorDomain, Metric, AbsoluteDistance, Transformation, ceil_multiple,
#    floor_multiple, power_of_two, changed_rows, changes_rows, check_dataset,
#    check_numbers, finite_bounds, grid_exponent, no_grid, grid_total, integer_total,
#    rational_total, vector_sum, Any, math, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data
def make_sum(
    input_domain: Domain, input_metric: Metric, *, k: int | None = None
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    if isinstance(domain.element_domain, VectorDomain | BallDomain):
        return vector_sum(domain, input_metric, k)
    element = check_numbers(domain)
    T, n = element.T, domain.size
    L, U = finite_bounds(domain, element)
    changed = changes_rows(input_metric)
    one_size = n is not None or changed
    k = grid_exponent(L, U, one_size, k) if T is float else no_grid(k)
    g = power_of_two(k)
    a, b = ceil_multiple(L, k), floor_multiple(U, k)
    if T is int:
        L, U = a, b
    elif T is float:
        L, U = a * g, b * g
    largest, width = max(abs(L), abs(U)), U - L

    def function(arg: Data) -> Any:
        if T is int:
            return integer_total(arg, L, U)
        if T is Fraction:
            return rational_total(arg)
        steps = grid_total(arg, a, b, k)
        return Fraction(steps << k) if k >= 0 else Fraction(steps, 1 << -k)

    def stability_map(d_in: ExactDistance) -> Any:
        if n is not None:
            return changed_rows(input_metric, n, d_in) * width
        if d_in == math.inf:
            return math.inf if largest != 0 else 0
        return d_in * (width if changed else largest)

    output_type = int if T is int else Fraction
    return Transformation(
        input_domain,
        AtomDomain(T=output_type),
        function,
        input_metric,
        AbsoluteDistance(output_type),
        stability_map,
        merge=sum,
        absorbs_clamp=T in (int, float),
        reads_floats=T is float,
    )
