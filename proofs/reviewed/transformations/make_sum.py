# ruff: noqa
# fmt: off
# The code that was reviewed with the proof transformations/make_sum; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.transformations.summing:make_sum ===

from fractions import Fraction
from gmpy2 import mpq
from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.metric import AbsoluteDistance
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.transformations.datasets import changes_rows
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.datasets import check_numbers
from opendp_lite.transformations.totals import grid_total
from opendp_lite.transformations.totals import integer_total
from opendp_lite.transformations.totals import rational_total
from typing import Any
import math

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

    def function(arg: Any) -> Any:
        if T is int:
            return integer_total(arg, largest)
        if T is Fraction:
            return rational_total(arg)
        return to_fraction(mpq(grid_total(arg, a, b, k)) * g)

    def stability_map(d_in: Any) -> Any:
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
        absorbs_clamp=T is float,
    )


# === opendp_lite.transformations.summing:_finite_bounds ===

from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.atom import Domain
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rationals import to_mpq
from typing import Any
import math

def _finite_bounds(domain: Domain, element: AtomDomain) -> tuple[Any, Any]:
    if element.bounds is None or math.inf in map(abs, element.bounds):
        rule = "rows must have finite bounds"
        fix = "Use then_clamp(bounds=...) first, or atom_domain(bounds=...)"
        raise refusal("MakeTransformation", "input_domain", domain, rule, fix)
    lower, upper = element.bounds
    return to_mpq(lower), to_mpq(upper)


# === opendp_lite.transformations.summing:_no_grid ===

from opendp_lite.core.errors import refusal

def _no_grid(k: object) -> int:
    if k is not None:
        rule, fix = "only floats are rounded to a grid", "Leave k out"
        raise refusal("MakeTransformation", "k", k, rule, fix)
    return 0


# === opendp_lite.transformations.summing:_grid_exponent ===

from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.errors import refusal
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.grids import floor_multiple
from typing import Any

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


# === opendp_lite.transformations.totals:rational_total ===

from fractions import Fraction
from gmpy2 import mpq
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rationals import to_mpq
from typing import Any

def rational_total(data: Any) -> Fraction:
    terms = list(map(to_mpq, data))
    return to_fraction(tree_sum(terms) if terms else mpq(0))


# === opendp_lite.transformations.totals:tree_sum ===

from operator import add
from typing import Any

def tree_sum(terms: list[Any]) -> Any:
    while len(terms) > 1:
        last = terms[len(terms) // 2 * 2 :]
        terms = [*map(add, terms[::2], terms[1::2]), *last]
    return terms[0]


# === opendp_lite.transformations.datasets:check_dataset ===

from opendp_lite.core.arguments import check_type
from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import ChangeOneDistance
from opendp_lite.core.distance import HammingDistance
from opendp_lite.core.distance import InsertDeleteDistance
from opendp_lite.core.distance import Metric
from opendp_lite.core.distance import SymmetricDistance
from opendp_lite.core.domain import VectorDomain

_VARIANT = "MakeTransformation"
_ROW_METRICS = (
    SymmetricDistance,
    InsertDeleteDistance,
    ChangeOneDistance,
    HammingDistance,
)

def check_dataset(input_domain: Domain, input_metric: Metric) -> VectorDomain:
    fix = "Pass for example vector_domain(atom_domain(T=int))"
    check_type(
        _VARIANT, "input_domain", input_domain, VectorDomain, fix
    )
    fix = "Pass for example symmetric_distance()"
    check_type(
        _VARIANT, "input_metric", input_metric, _ROW_METRICS, fix
    )
    assert isinstance(input_domain, VectorDomain)
    return input_domain


# === opendp_lite.transformations.datasets:check_numbers ===

from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.domain import OptionDomain
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.errors import refusal

_VARIANT = "MakeTransformation"

def check_numbers(domain: VectorDomain) -> AtomDomain:
    element = domain.element_domain
    fix = "Use then_cast_default(TOA=float) first"
    if isinstance(element, OptionDomain):
        rule, fix = (
            "rows may not be missing (None)",
            "Use then_impute_constant(...) first",
        )
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    if not isinstance(element, AtomDomain) or not element.numeric:
        rule = "rows must be numbers of type int, float or Fraction"
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    if element.nan:
        rule = "rows may not be NaN"
        fix = "Use then_impute_constant(...) first, or say nan=False in atom_domain"
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    return element


# === opendp_lite.transformations.datasets:changes_rows ===

from opendp_lite.core.distance import ChangeOneDistance
from opendp_lite.core.distance import HammingDistance
from opendp_lite.core.distance import Metric

def changes_rows(metric: Metric) -> bool:
    return isinstance(metric, ChangeOneDistance | HammingDistance)


# === opendp_lite.exact.grids:power_of_two ===

from gmpy2 import mpq
from gmpy2 import mpz

def power_of_two(k: int) -> mpq:
    return mpq(mpz(1) << k) if k >= 0 else mpq(1, mpz(1) << -k)


# === opendp_lite.exact.grids:exponent_at_least ===

from gmpy2 import mpq

def exponent_at_least(x: mpq) -> int:
    if x <= 0:
        raise ValueError("must be positive")
    n, d = x.numerator, x.denominator
    k = n.bit_length() - d.bit_length()
    reached = n <= d << k if k >= 0 else n << -k <= d
    return k if reached else k + 1


# === opendp_lite.exact.grids:floor_multiple ===

from gmpy2 import mpq

def floor_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(n // d)


# === opendp_lite.exact.grids:ceil_multiple ===

from gmpy2 import mpq

def ceil_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(-(-n // d))


# === opendp_lite.exact.grids:_quotient ===

from gmpy2 import mpq
from gmpy2 import mpz

def _quotient(x: mpq, k: int) -> tuple[mpz, mpz]:
    n, d = x.numerator, x.denominator
    return (n, d << k) if k >= 0 else (n << -k, d)


# === opendp_lite.exact.rationals:to_fraction ===

from fractions import Fraction
from gmpy2 import mpq
from typing import cast

def to_fraction(x: int | mpq) -> Fraction:
    parts = _Lowest(int(x.numerator), int(x.denominator))
    return Fraction(cast("numbers.Rational", parts))
