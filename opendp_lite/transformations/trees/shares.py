"""Cumulative shares and quantiles, from a release of counts between edges."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

from gmpy2 import mpq

from opendp_lite.core.aliases import Data, ExactNumber
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.core.measurement import Function, proved_function
from opendp_lite.core.values.freezing import freeze
from opendp_lite.core.values.type_arguments import TypeArgument
from opendp_lite.transformations.trees.releases import number_type, release_numbers

__all__ = ["make_cdf", "make_quantiles_from_counts"]

_MAKE = "MakeTransformation"


def make_cdf(TA: TypeArgument = float) -> Function:
    """Return the function of counts that returns the share of each bin and those below.

    Negative counts, which noise makes, count as 0; if nothing is left, all bins have
    equal shares. So the shares never decrease, and the last is 1.

    Guarantee: what comes out depends on the release alone, so that it costs no privacy.

    :param TA: type of the shares: float, each rounded once, or Fraction

    >>> import opendp_lite.prelude as dp
    >>> dp.t.make_cdf()([1, -2, 2, 1])
    [0.25, 0.25, 0.75, 1.0]

    Raises `MakeTransformation` for another type.

    Proof: proofs/transformations/make_cdf.tex
    """
    as_number = number_type("TA", TA)  # proof: type

    return proved_function("transformations/make_cdf", _cdf, as_number)  # proof: made


def _cdf(as_number: Callable[[mpq], Any], arg: Data) -> list[Any]:
    shares = cumulative_shares(release_numbers(arg))  # proof: shares
    return [as_number(share) for share in shares]  # proof: typed


def cumulative_shares(counts: list[mpq]) -> list[mpq]:
    """Return for each bin the share of all counts up to it; negative ones are 0."""
    parts = [max(count, mpq(0)) for count in counts]  # proof: parts
    if not any(parts):
        parts = [mpq(1)] * len(parts)  # proof: equal
    sums = list(accumulate(parts))  # proof: sums
    return [each / sums[-1] for each in sums]  # proof: shares


def make_quantiles_from_counts(
    bin_edges: Iterable[ExactNumber],
    alphas: Iterable[ExactNumber],
    interpolation: str = "linear",
    TA: TypeArgument | None = None,
    F: TypeArgument = float,
) -> Function:
    """Return the function of counts between edges that returns their quantiles.

    Negative counts count as 0; if nothing is left, all bins have equal shares. The
    alpha-quantile lies in the first bin that is not empty and with which the share of
    the counts reaches alpha. There it is found by "linear" interpolation between the
    edges, or is the "nearest" edge by its share, the lower one of two. With one count
    more than edges, the outer two are those beyond the edges, and are left out.

    Guarantee: what comes out depends on the release alone, so that it costs no privacy.
    Quantiles never decrease where alphas increase, and lie within the edges.

    :param bin_edges: finite numbers, exact: int, float, Fraction, Decimal or text;
        strictly increasing, in a list, a tuple or an array
    :param alphas: which quantiles, from 0 to 1, exact and strictly increasing likewise
    :param interpolation: "linear" or "nearest"
    :param TA: type of the quantiles: float, each rounded once, or Fraction; None is
        Fraction if all edges are, and else float
    :param F: not needed; OpenDP has it

    >>> import opendp_lite.prelude as dp
    >>> quartiles = dp.t.make_quantiles_from_counts([0, 15, 25], [0.25, 0.5, 0.75])
    >>> quartiles([30, 10]), quartiles([99, 30, 10, 99])
    ([5.0, 10.0, 15.0], [5.0, 10.0, 15.0])

    Raises `MakeTransformation` for edges or alphas that do not increase, or are not in
    their range, and for another interpolation or type.

    Proof: proofs/transformations/make_quantiles_from_counts.tex
    """
    given = freeze(bin_edges, "bin_edges")  # proof: once
    edges = _increasing("bin_edges", given, None)  # proof: edges
    if not edges:  # proof: some
        fix = "Pass the edges of the histogram, such as [0, 10, 20]"
        raise refusal(_MAKE, "bin_edges", given, "must not be empty", fix)
    levels = _increasing("alphas", freeze(alphas, "alphas"), 1)  # proof: alphas
    method = freeze(interpolation, "interpolation")
    if type(method) is not str or method not in ("linear", "nearest"):
        rule, fix = 'must be "linear" or "nearest"', 'Pass interpolation="linear"'
        raise refusal(_MAKE, "interpolation", method, rule, fix)  # proof: interpolation
    if TA is None:
        TA = Fraction if all(type(each) is Fraction for each in given) else float
    as_number = number_type("TA", TA)  # proof: type
    proof = "transformations/make_quantiles_from_counts"
    nearest = method == "nearest"
    return proved_function(  # proof: made
        proof, _quantiles, as_number, tuple(edges), tuple(levels), nearest
    )


def _quantiles(
    as_number: Callable[[mpq], Any],
    edges: tuple[mpq, ...],
    levels: tuple[mpq, ...],
    nearest: bool,
    arg: Data,
) -> list[Any]:
    counts = release_numbers(arg)  # proof: counts
    if len(counts) == len(edges) + 1:
        counts = counts[1:-1]  # proof: outer
    if len(counts) != len(edges) - 1:  # proof: fits
        rule = "must have one count less than there are edges, or one more"
        fix = "Pass the counts between these edges"
        raise refusal("FailedFunction", "arg", arg, rule, fix)
    shares = cumulative_shares(counts)
    found = [_quantile(edges, shares, level, nearest) for level in levels]
    return [as_number(each) for each in found]  # proof: typed


def _increasing(name: str, given: object, most: int | None) -> list[mpq]:
    """Return finite numbers that increase strictly, or refuse them.

    They are given frozen, in a tuple. With `most` they must lie from 0 to that.
    """
    fix = f"Pass a list of increasing numbers as {name}"
    if type(given) is not tuple:  # proof: listed
        rule = "must be a list, a tuple or an array"
        raise refusal(_MAKE, name, given, rule, fix)
    least = None if most is None else 0
    numbers: list[mpq] = [
        rational_argument(_MAKE, name, each, fix=fix, at_least=least, at_most=most)
        for each in given
    ]  # proof: exact
    if any(a >= b for a, b in pairwise(numbers)):  # proof: increasing
        raise refusal(_MAKE, name, given, "must be strictly increasing", fix)
    return numbers


def _quantile(
    edges: tuple[mpq, ...], shares: list[mpq], level: mpq, nearest: bool
) -> mpq:
    """Return the number below which the share `level` lies."""
    left = mpq(0)
    for lower, upper, right in zip(edges, edges[1:], shares, strict=False):
        if right > left and right >= level:  # proof: bin
            if nearest:
                return upper if level - left > right - level else lower  # proof: edge
            part = (level - left) / (right - left)
            return lower + part * (upper - lower)  # proof: between
        left = right
    return edges[0]  # proof: no-bins
