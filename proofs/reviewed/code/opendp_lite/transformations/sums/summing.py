# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.sums.summing; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from fractions import Fraction
from opendp_lite.core.aliases import Data
from opendp_lite.core.aliases import ExactDistance
from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.errors import refusal
from opendp_lite.core.metrics.absolute import AbsoluteDistance
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.transformations.datasets import changes_rows
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.datasets import check_numbers
from opendp_lite.transformations.sums.totals import grid_total
from opendp_lite.transformations.sums.totals import integer_total
from opendp_lite.transformations.sums.totals import rational_total
from typing import Any
import math

opendp_lite.core.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any


# === make_sum with Fraction, Data, ExactDistance, AtomDomain, Domain, AbsoluteDistance,
#    Metric, Transformation, ceil_multiple, floor_multiple, power_of_two, changes_rows,
#    check_dataset, check_numbers, grid_total, integer_total, rational_total, Any, math,
#    opendp_lite.core.aliases.ExactDistance, opendp_lite.core.aliases.Data
def make_sum(
    input_domain: Domain, input_metric: Metric, *, k: int | None = None
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    element = check_numbers(domain)
    T, n = element.T, domain.size
    L, U = _finite_bounds(domain, element)
    changed = changes_rows(input_metric)
    k = _grid_exponent(L, U, n is not None or changed, k) if T is float else _no_grid(k)
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
            return (min(d_in, n) if changed else min(d_in, 2 * n) // 2) * width
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
        additive=True,
        absorbs_clamp=T in (int, float),
    )


# === _finite_bounds with AtomDomain, Domain, refusal, to_mpq, Any, math
def _finite_bounds(domain: Domain, element: AtomDomain) -> tuple[Any, Any]:
    if element.bounds is None or math.inf in map(abs, element.bounds):
        rule = "rows must have finite bounds"
        fix = "Use then_clamp(bounds=...) first, or atom_domain(bounds=...)"
        raise refusal("MakeTransformation", "input_domain", domain, rule, fix)
    lower, upper = element.bounds
    return to_mpq(lower), to_mpq(upper)


# === _no_grid with refusal
def _no_grid(k: object) -> int:
    if k is not None:
        rule, fix = "only floats are rounded to a grid", "Leave k out"
        raise refusal("MakeTransformation", "k", k, rule, fix)
    return 0


# === _grid_exponent with integer_argument, refusal, ceil_multiple, exponent_at_least,
#    floor_multiple, Any
def _grid_exponent(L: Any, U: Any, one_size: bool, k: object) -> int:
    largest = max(abs(L), abs(U))
    e = exponent_at_least(largest) if largest else 0
    if k is None:
        span = U - L if one_size else largest
        k = finest = max(e - 54, -1074)
        if span:
            k = max(exponent_at_least(span) - 40, finest)
        while ceil_multiple(L, k) > floor_multiple(U, k):
            k -= 1
        return k
    fix = "Pass a greater k, or leave k out"
    lowest = max(-1074, e - 1022)
    k = integer_argument("MakeTransformation", "k", k, fix=fix, at_least=lowest)
    if k > 1023 or ceil_multiple(L, k) > floor_multiple(U, k):
        rule = "a multiple of 2^k must lie within the bounds, and k be at most 1023"
        raise refusal("MakeTransformation", "k", k, rule, "Pass a smaller k")
    return k
