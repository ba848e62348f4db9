"""What sums and moments ask of rows and arguments: bounds, sizes, grids of floats."""

from __future__ import annotations

import math
from typing import Any

from opendp_lite.base.aliases import Bounds, ExactNumber
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.errors import OpenDPException, refusal
from opendp_lite.core.domains import AtomDomain, Domain, VectorDomain
from opendp_lite.exact.grids import ceil_multiple, exponent_at_least, floor_multiple
from opendp_lite.exact.rationals import to_mpq

_VARIANT = "MakeTransformation"
_SUMMATIONS = ("Pairwise", "Sequential")


def finite_bounds(domain: Domain, element: AtomDomain) -> tuple[Any, Any]:
    """Return the bounds of the rows as rationals, or refuse infinite or absent ones."""
    if element.bounds is None or math.inf in map(abs, element.bounds):  # proof: ends
        rule = "rows must have finite bounds"
        fix = "Use then_clamp(bounds=...) first, or atom_domain(bounds=...)"
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    lower, upper = element.bounds
    return to_mpq(lower), to_mpq(upper)


def no_grid(k: object) -> int:
    """Return 0 for rows that are not rounded, and refuse a `k` for them."""
    if k is not None:  # proof: none
        rule, fix = "only floats are rounded to a grid", "Leave k out"
        raise refusal(_VARIANT, "k", k, rule, fix)
    return 0


def grid_exponent(L: Any, U: Any, one_size: bool, k: object) -> int:
    """Return the exponent of the grid: `k` itself, checked, or the default.

    `one_size` says that neighbours have one size: then rows are compared with rows,
    never with nothing, and what counts is how far they can lie apart.
    """
    largest = max(abs(L), abs(U))
    e = exponent_at_least(largest) if largest else 0
    if k is None:
        span = U - L if one_size else largest  # proof: span
        k = finest = max(e - 54, -1074)  # proof: finest
        if span:
            k = max(exponent_at_least(span) - 40, finest)  # proof: default
        while ceil_multiple(L, k) > floor_multiple(U, k):  # proof: refine
            k -= 1
        return k
    fix = "Pass a greater k, or leave k out"
    lowest = max(-1074, e - 1022)  # no row divided by 2^k overflows  # proof: lowest
    k = integer_argument(_VARIANT, "k", k, fix=fix, at_least=lowest)
    if k > 1023 or ceil_multiple(L, k) > floor_multiple(U, k):  # proof: within
        rule = "a multiple of 2^k must lie within the bounds, and k be at most 1023"
        raise refusal(_VARIANT, "k", k, rule, "Pass a smaller k")
    return k


def known_size(domain: VectorDomain) -> int:
    """Return the number of rows, which must be public, and one at least."""
    if domain.size is None or domain.size == 0:  # proof: size
        rule = "the size must be public, and at least 1"
        fix = (
            "Pass vector_domain(..., size=n) if the number n of rows may be known; "
            "else bring the rows to a size by then_resize(size, constant), or, of a "
            "mean, use dp.m.then_private_mean(...)"
        )
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    return domain.size


def free_rows(ddof: ExactNumber, size: int) -> int:
    """Return the number by which squared deviations of `size` rows are divided."""
    fix = "Pass 0 or 1; it must be less than the size"
    return size - integer_argument(  # proof: free
        _VARIANT, "ddof", ddof, fix=fix, at_least=0, at_most=size - 1
    )


def interval(name: str, bounds: Bounds, T: type) -> tuple[Any, Any]:
    """Return the ends of an interval of numbers of type T, as rationals."""
    try:
        ends = AtomDomain(bounds, False, T).bounds  # proof: domain
    except OpenDPException:
        ends = None
    if ends is None or math.inf in map(abs, ends):  # proof: interval
        rule = f"must be a pair of finite numbers of type {T.__name__}, in order"
        fix = "Pass (lower, upper), such as (0, 10) or (0.0, 10.0)"
        raise refusal(_VARIANT, name, bounds, rule, fix)
    return to_mpq(ends[0]), to_mpq(ends[1])


def check_summation(S: object) -> None:
    """Refuse what names none of OpenDP's ways to sum floats.

    Sums are exact here, whatever the order, so it makes no difference which.
    """
    named = type(S) is str and S.partition("<")[0] in _SUMMATIONS
    if S is not None and not named:  # proof: summation
        rule = "must be Pairwise or Sequential, such as 'Pairwise<f64>'"
        raise refusal(_VARIANT, "S", S, rule, "Leave S out: sums are exact here")
