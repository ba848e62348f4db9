# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.sums.summands; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Bounds
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.rationals import to_mpq
from typing import Any
import math

_VARIANT = "MakeTransformation"
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.Bounds: typing.TypeAlias = collections.abc.Sequence[opendp_lite.base.aliases.ExactNumber]
_SUMMATIONS = ("Pairwise", "Sequential")


# === finite_bounds with refusal, AtomDomain, Domain, to_mpq, Any, math, _VARIANT
def finite_bounds(domain: Domain, element: AtomDomain) -> tuple[Any, Any]:
    if element.bounds is None or math.inf in map(abs, element.bounds):
        rule = "rows must have finite bounds"
        fix = "Use then_clamp(bounds=...) first, or atom_domain(bounds=...)"
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    lower, upper = element.bounds
    return to_mpq(lower), to_mpq(upper)


# === no_grid with refusal, _VARIANT
def no_grid(k: object) -> int:
    if k is not None:
        rule, fix = "only floats are rounded to a grid", "Leave k out"
        raise refusal(_VARIANT, "k", k, rule, fix)
    return 0


# === grid_exponent with integer_argument, refusal, ceil_multiple, exponent_at_least,
#    floor_multiple, Any, _VARIANT
def grid_exponent(L: Any, U: Any, one_size: bool, k: object) -> int:
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
    k = integer_argument(_VARIANT, "k", k, fix=fix, at_least=lowest)
    if k > 1023 or ceil_multiple(L, k) > floor_multiple(U, k):
        rule = "a multiple of 2^k must lie within the bounds, and k be at most 1023"
        raise refusal(_VARIANT, "k", k, rule, "Pass a smaller k")
    return k


# === known_size with refusal, VectorDomain, _VARIANT
def known_size(domain: VectorDomain) -> int:
    if domain.size is None or domain.size == 0:
        rule = "the size must be public, and at least 1"
        fix = (
            "Pass vector_domain(..., size=n) if the number n of rows may be known; "
            "else bring the rows to a size by then_resize(size, constant), or, of a "
            "mean, use dp.m.then_private_mean(...)"
        )
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    return domain.size


# === free_rows with ExactNumber, integer_argument, ?,
#    opendp_lite.base.aliases.ExactNumber, _VARIANT
def free_rows(ddof: ExactNumber, size: int) -> int:
    fix = "Pass 0 or 1; it must be less than the size"
    return size - integer_argument(
        _VARIANT, "ddof", ddof, fix=fix, at_least=0, at_most=size - 1
    )


# === interval with Bounds, OpenDPException, refusal, AtomDomain, to_mpq, Any, math, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Bounds, _VARIANT
def interval(name: str, bounds: Bounds, T: type) -> tuple[Any, Any]:
    try:
        ends = AtomDomain(bounds, False, T).bounds
    except OpenDPException:
        ends = None
    if ends is None or math.inf in map(abs, ends):
        rule = f"must be a pair of finite numbers of type {T.__name__}, in order"
        fix = "Pass (lower, upper), such as (0, 10) or (0.0, 10.0)"
        raise refusal(_VARIANT, name, bounds, rule, fix)
    return to_mpq(ends[0]), to_mpq(ends[1])


# === check_summation with refusal, _VARIANT, _SUMMATIONS
def check_summation(S: object) -> None:
    named = type(S) is str and S.partition("<")[0] in _SUMMATIONS
    if S is not None and not named:
        rule = "must be Pairwise or Sequential, such as 'Pairwise<f64>'"
        raise refusal(_VARIANT, "S", S, rule, "Leave S out: sums are exact here")
