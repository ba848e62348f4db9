# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.sums.covariance; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from collections.abc import Iterable
from fractions import Fraction
from opendp_lite.base.aliases import Bounds
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.containers import is_array
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import AbsoluteDistance
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.transformations.datasets import changed_rows
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.datasets import check_numbers
from opendp_lite.transformations.sums.summands import free_rows
from opendp_lite.transformations.sums.summands import grid_exponent
from opendp_lite.transformations.sums.summands import interval
from opendp_lite.transformations.sums.summands import known_size
from opendp_lite.transformations.sums.totals import clipped
from opendp_lite.transformations.sums.totals import grid_steps
from opendp_lite.transformations.sums.totals import tree_sum
from operator import mul
from typing import Any

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.Bounds: typing.TypeAlias = collections.abc.Sequence[opendp_lite.base.aliases.ExactNumber]
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any


# === make_covariance with Fraction, Bounds, Data, ExactDistance, ExactNumber,
#    AtomDomain, Domain, Metric, AbsoluteDistance, Transformation, to_fraction,
#    changed_rows, check_dataset, free_rows, known_size, tree_sum, mul, Any, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Bounds,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data
def make_covariance(
    input_domain: Domain,
    input_metric: Metric,
    bounds_0: Bounds,
    bounds_1: Bounds,
    ddof: ExactNumber = 1,
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    T = _type_of_pairs(domain)
    n = known_size(domain)
    free = free_rows(ddof, n)
    first, unit_0, width_0 = _column("bounds_0", bounds_0, T)
    second, unit_1, width_1 = _column("bounds_1", bounds_1, T)

    def function(arg: Data) -> Fraction:
        u = list(first(_entries(arg, 0)))
        v = list(second(_entries(arg, 1)))
        joint = n * tree_sum(list(map(mul, u, v))) - tree_sum(u) * tree_sum(v)
        return to_fraction(unit_0 * unit_1 * joint / (n * free))

    def stability_map(d_in: ExactDistance) -> Any:
        m = changed_rows(input_metric, n, d_in)
        j = min(m, n // 2)
        return width_0 * width_1 * (j * (n - j) + m * m // 4) / (n * free)

    return Transformation(
        input_domain,
        AtomDomain(T=Fraction),
        function,
        input_metric,
        AbsoluteDistance(Fraction),
        stability_map,
    )


# === _type_of_pairs with refusal, VectorDomain, check_numbers
def _type_of_pairs(domain: VectorDomain) -> type:
    row = domain.element_domain
    if not isinstance(row, VectorDomain) or row.size != 2:
        rule = "each row must be a pair of numbers"
        fix = (
            "Pass vector_domain(vector_domain(atom_domain(T=float), size=2), size=n), "
            "in a Context as its domain=..."
        )
        raise refusal("MakeTransformation", "input_domain", domain, rule, fix)
    return check_numbers(row).T


# === _entries with Data, is_array, Any, opendp_lite.base.aliases.Data
def _entries(rows: Data, i: int) -> list[Any]:
    if is_array(rows):
        return list(rows[:, i].tolist())
    return [row[i] for row in rows]


# === _column with Callable, Iterable, Fraction, Bounds, Data, ceil_multiple,
#    floor_multiple, power_of_two, to_mpq, grid_exponent, interval, clipped, grid_steps,
#    Any, ?, opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Bounds,
#    opendp_lite.base.aliases.Data
def _column(name: str, bounds: Bounds, T: type) -> tuple[Callable[..., Any], Any, Any]:
    L, U = interval(name, bounds, T)

    def rationals(entries: Iterable[Data]) -> Any:
        return (min(max(to_mpq(x), L), U) for x in entries)

    if T is Fraction:
        return rationals, power_of_two(0), U - L
    k = grid_exponent(L, U, True, None) if T is float else 0
    a, b = ceil_multiple(L, k), floor_multiple(U, k)

    def steps(entries: Iterable[Data]) -> Any:
        if T is int:
            return clipped(entries, a, b)
        return grid_steps(entries, a, b, k)

    return steps, power_of_two(k), (b - a) * power_of_two(k)
