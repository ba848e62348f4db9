# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.sums.moments; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from fractions import Fraction
from gmpy2 import mpq
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import AbsoluteDistance
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.transformations.datasets import changed_rows
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.datasets import check_numbers
from opendp_lite.transformations.sums.summands import check_summation
from opendp_lite.transformations.sums.summands import finite_bounds
from opendp_lite.transformations.sums.summands import free_rows
from opendp_lite.transformations.sums.summands import grid_exponent
from opendp_lite.transformations.sums.summands import known_size
from opendp_lite.transformations.sums.summands import no_grid
from opendp_lite.transformations.sums.summing import make_sum
from opendp_lite.transformations.sums.totals import grid_spread
from opendp_lite.transformations.sums.totals import integer_spread
from opendp_lite.transformations.sums.totals import rational_total
from typing import Any
import math

opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber


# === make_mean with Fraction, mpq, Data, ExactDistance, AtomDomain, Domain, Metric,
#    AbsoluteDistance, Transformation, check_dataset, known_size, make_sum, Any,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data
def make_mean(
    input_domain: Domain, input_metric: Metric, *, k: int | None = None
) -> Transformation:
    n = known_size(check_dataset(input_domain, input_metric))
    total = make_sum(input_domain, input_metric, k=k)

    def function(arg: Data) -> Fraction:
        return Fraction(total.function(arg), n)

    def stability_map(d_in: ExactDistance) -> Any:
        return mpq(total.stability_map(d_in)) / n

    return Transformation(
        input_domain,
        AtomDomain(T=Fraction),
        function,
        input_metric,
        AbsoluteDistance(Fraction),
        stability_map,
        merge=total.merge,
        absorbs_clamp=total.absorbs_clamp,
        reads_floats=total.reads_floats,
    )


# === make_sum_of_squared_deviations with Fraction, Data, ExactDistance, AtomDomain,
#    Domain, Metric, AbsoluteDistance, Transformation, ceil_multiple, floor_multiple,
#    power_of_two, to_fraction, changed_rows, check_dataset, check_numbers,
#    check_summation, finite_bounds, grid_exponent, no_grid, grid_spread,
#    integer_spread, rational_total, Any, math, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data
def make_sum_of_squared_deviations(
    input_domain: Domain,
    input_metric: Metric,
    S: str | None = None,
    *,
    k: int | None = None,
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    element = check_numbers(domain)
    check_summation(S)
    T, n = element.T, domain.size
    L, U = finite_bounds(domain, element)
    k = grid_exponent(L, U, True, k) if T is float else no_grid(k)
    a, b = ceil_multiple(L, k), floor_multiple(U, k)
    width = U - L if T is Fraction else (b - a) * power_of_two(k)
    square = to_fraction(power_of_two(2 * k))

    def function(arg: Data) -> Fraction:
        count = len(arg)
        if count == 0:
            return Fraction(0)
        if T is Fraction:
            total = rational_total(arg)
            return rational_total([x * x for x in arg]) - total * total / count
        if T is int:
            return Fraction(integer_spread(arg, a, b), count)
        return Fraction(grid_spread(arg, a, b, k), count) * square

    def stability_map(d_in: ExactDistance) -> Any:
        if n == 0 or width == 0:
            return 0
        if n is None:
            return d_in if d_in == math.inf else d_in * width * width
        m = changed_rows(input_metric, n, d_in)
        j = min(m, n // 2)
        return width * width * j * (n - j) / n

    return Transformation(
        input_domain,
        AtomDomain(T=Fraction),
        function,
        input_metric,
        AbsoluteDistance(Fraction),
        stability_map,
        absorbs_clamp=T in (int, float),
        reads_floats=T is float,
    )


# === make_variance with Fraction, mpq, Data, ExactDistance, ExactNumber, AtomDomain,
#    Domain, Metric, AbsoluteDistance, Transformation, check_dataset, free_rows,
#    known_size, Any, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data
def make_variance(
    input_domain: Domain,
    input_metric: Metric,
    ddof: ExactNumber = 1,
    S: str | None = None,
    *,
    k: int | None = None,
) -> Transformation:
    n = known_size(check_dataset(input_domain, input_metric))
    free = free_rows(ddof, n)
    deviations = make_sum_of_squared_deviations(
        input_domain, input_metric, S, k=k
    )

    def function(arg: Data) -> Fraction:
        return Fraction(deviations.function(arg), free)

    def stability_map(d_in: ExactDistance) -> Any:
        return mpq(deviations.stability_map(d_in)) / free

    return Transformation(
        input_domain,
        AtomDomain(T=Fraction),
        function,
        input_metric,
        AbsoluteDistance(Fraction),
        stability_map,
        absorbs_clamp=deviations.absorbs_clamp,
        reads_floats=deviations.reads_floats,
    )
