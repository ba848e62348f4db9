"""Leaves, shares and quantiles, computed from the release of a tree or of counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Data, ExactNumber
from opendp_lite.base.arguments import integer_argument, rational_argument
from opendp_lite.base.containers import is_array
from opendp_lite.base.errors import refusal
from opendp_lite.core.measurement import Function, proved_function
from opendp_lite.data.freezing import freeze
from opendp_lite.data.type_arguments import TypeArgument, parse_atom
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rounding import to_double

_FIX = "Pass a release of counts: a list or an array of finite numbers"


def release_numbers(release: Data) -> list[mpq]:
    """Return the numbers of a list or an array that was released, exactly."""
    listed = release
    if is_array(release) and release.ndim == 1 and release.dtype.kind not in "mM":
        listed = release.tolist()  # proof: array
    if type(listed) is not list and type(listed) is not tuple:  # proof: listed
        rule = "must be a list or an array of numbers"
        raise refusal("FailedFunction", "arg", release, rule, _FIX)
    return [
        rational_argument("FailedFunction", "arg", each, fix=_FIX) for each in listed
    ]  # proof: exact


def number_type(name: str, T: TypeArgument) -> Callable[[mpq], Any]:
    """Return how an exact number becomes one of the type `T`: float or Fraction."""
    kind = parse_atom(T, name)
    if kind.T is float and not kind.single:
        return to_double  # proof: doubles
    if kind.T is Fraction:
        return to_fraction  # proof: exact
    rule = "must be float, which is rounded once, or Fraction, which is exact"
    raise refusal("MakeTransformation", name, T, rule, f"Pass {name}=float")


def make_consistent_b_ary_tree(
    branching_factor: int, TIA: TypeArgument = int, TOA: TypeArgument = float
) -> Function:
    """Return the function of a noisy tree that returns the leaves of the nearest one.

    A tree is consistent if each node is the sum of its children. Of all consistent
    trees the one is taken that is nearest in the sum of squares over all nodes, those
    without a leaf left aside. It is computed exactly; each leaf is rounded once.

    Guarantee: what comes out depends on the release alone, so that it costs no privacy.

    :param branching_factor: b, as given to `make_b_ary_tree`, at least 2
    :param TIA: not needed; OpenDP has it
    :param TOA: type of the leaves: float, or Fraction for the exact ones

    >>> import opendp_lite.prelude as dp
    >>> leaves = dp.t.make_consistent_b_ary_tree(branching_factor=2)
    >>> leaves([12, 3, 6])
    [4.0, 7.0]

    Raises `MakeTransformation` where b is less than 2, and for another type.

    Proof: proofs/transformations/make_consistent_b_ary_tree.tex
    """
    fix = "Pass the number that make_b_ary_tree was given, such as 16"
    b = integer_argument(  # proof: branching
        "MakeTransformation",
        "branching_factor",
        branching_factor,
        fix=fix,
        at_least=2,
    )
    as_number = number_type("TOA", TOA)  # proof: type
    proof = "transformations/make_consistent_b_ary_tree"
    return proved_function(proof, _consistent, as_number, b)  # proof: made


def _consistent(as_number: Callable[[mpq], Any], b: int, arg: Data) -> list[Any]:
    nodes = release_numbers(arg)  # proof: numbers
    return [as_number(leaf) for leaf in _leaves(nodes, b)]  # proof: leaves


def _leaves(nodes: list[mpq], b: int) -> list[mpq]:
    """Return the leaves of the nearest consistent tree, in two passes."""
    if not nodes:
        return []  # proof: none
    layers = _layers(nodes, b)
    means, variances = [layers[-1]], [[mpq(1)] * len(layers[-1])]  # proof: bottom
    for layer in reversed(layers[:-1]):  # proof: up
        sums: list[Any] = [sum(each) for each in _groups(means[0], b)]
        spreads: list[Any] = [sum(each) for each in _groups(variances[0], b)]
        up = zip(layer, sums, spreads, strict=True)
        means.insert(0, [(w * y + t) / (w + 1) for y, t, w in up])  # proof: mean
        variances.insert(0, [w / (w + 1) for w in spreads])  # proof: variance
    found = means[0]  # proof: root
    for z, variance in zip(means[1:], variances[1:], strict=True):  # proof: down
        groups = zip(found, _groups(z, b), _groups(variance, b), strict=True)
        found = [leaf for group in groups for leaf in _shared(*group)]  # proof: next
    return found


def _shared(total: Any, means: list[mpq], variances: list[mpq]) -> list[mpq]:
    """Return the means, moved by their variances so that they add up to the total."""
    gap = (total - sum(means)) / sum(variances)
    return [z + gap * v for z, v in zip(means, variances, strict=True)]  # proof: shares


def _layers(nodes: list[mpq], b: int) -> list[list[mpq]]:
    """Return the layers of a tree, of each only the nodes that have a leaf."""
    starts, width = [0], 1
    while starts[-1] + width < len(nodes):  # proof: deeper
        starts.append(starts[-1] + width)
        width *= b
    held = len(nodes) - starts[-1]  # proof: leaves
    layers = [nodes[starts[-1] :]]
    for start in reversed(starts[:-1]):
        held = -(-held // b)  # proof: parents
        layers.insert(0, nodes[start : start + held])  # proof: layer
    return layers


def _groups(layer: list[mpq], b: int) -> list[list[mpq]]:
    """Return the nodes of a layer, those with one parent together."""
    return [layer[i : i + b] for i in range(0, len(layer), b)]  # proof: groups


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
