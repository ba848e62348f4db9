# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.trees.releases; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from collections.abc import Iterable
from fractions import Fraction
from gmpy2 import mpq
from itertools import accumulate
from itertools import pairwise
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.containers import is_array
from opendp_lite.base.errors import refusal
from opendp_lite.core.measurement import Function
from opendp_lite.core.measurement import proved_function
from opendp_lite.data.freezing import freeze
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.data.type_arguments import parse_atom
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rounding import to_double
from typing import Any

opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_FIX = "Pass a release of counts: a list or an array of finite numbers"
opendp_lite.data.type_arguments.TypeArgument: typing.TypeAlias = type | str | types.GenericAlias | types.UnionType | opendp_lite.data.type_arguments.AtomType
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
_MAKE = "MakeTransformation"


# === release_numbers with mpq, Data, rational_argument, is_array, refusal,
#    opendp_lite.base.aliases.Data, _FIX
def release_numbers(release: Data) -> list[mpq]:
    listed = release
    if is_array(release) and release.ndim == 1 and release.dtype.kind not in "mM":
        listed = release.tolist()
    if type(listed) is not list and type(listed) is not tuple:
        rule = "must be a list or an array of numbers"
        raise refusal("FailedFunction", "arg", release, rule, _FIX)
    return [
        rational_argument("FailedFunction", "arg", each, fix=_FIX) for each in listed
    ]


# === number_type with Callable, Fraction, mpq, refusal, TypeArgument, parse_atom,
#    to_fraction, to_double, Any, opendp_lite.data.type_arguments.TypeArgument
def number_type(name: str, T: TypeArgument) -> Callable[[mpq], Any]:
    kind = parse_atom(T, name)
    if kind.T is float and not kind.single:
        return to_double
    if kind.T is Fraction:
        return to_fraction
    rule = "must be float, which is rounded once, or Fraction, which is exact"
    raise refusal("MakeTransformation", name, T, rule, f"Pass {name}=float")


# === make_consistent_b_ary_tree with integer_argument, Function, proved_function,
#    TypeArgument, opendp_lite.data.type_arguments.TypeArgument
def make_consistent_b_ary_tree(
    branching_factor: int, TIA: TypeArgument = int, TOA: TypeArgument = float
) -> Function:
    fix = "Pass the number that make_b_ary_tree was given, such as 16"
    b = integer_argument(
        "MakeTransformation",
        "branching_factor",
        branching_factor,
        fix=fix,
        at_least=2,
    )
    as_number = number_type("TOA", TOA)
    proof = "transformations/make_consistent_b_ary_tree"
    return proved_function(proof, _consistent, as_number, b)


# === _consistent with Callable, mpq, Data, Any, opendp_lite.base.aliases.Data
def _consistent(as_number: Callable[[mpq], Any], b: int, arg: Data) -> list[Any]:
    nodes = release_numbers(arg)
    return [as_number(leaf) for leaf in _leaves(nodes, b)]


# === _leaves with mpq, Any
def _leaves(nodes: list[mpq], b: int) -> list[mpq]:
    if not nodes:
        return []
    layers = _layers(nodes, b)
    means, variances = [layers[-1]], [[mpq(1)] * len(layers[-1])]
    for layer in reversed(layers[:-1]):
        sums: list[Any] = [sum(each) for each in _groups(means[0], b)]
        spreads: list[Any] = [sum(each) for each in _groups(variances[0], b)]
        up = zip(layer, sums, spreads, strict=True)
        means.insert(0, [(w * y + t) / (w + 1) for y, t, w in up])
        variances.insert(0, [w / (w + 1) for w in spreads])
    found = means[0]
    for z, variance in zip(means[1:], variances[1:], strict=True):
        groups = zip(found, _groups(z, b), _groups(variance, b), strict=True)
        found = [leaf for group in groups for leaf in _shared(*group)]
    return found


# === _shared with mpq, Any
def _shared(total: Any, means: list[mpq], variances: list[mpq]) -> list[mpq]:
    gap = (total - sum(means)) / sum(variances)
    return [z + gap * v for z, v in zip(means, variances, strict=True)]


# === _layers with mpq
def _layers(nodes: list[mpq], b: int) -> list[list[mpq]]:
    starts, width = [0], 1
    while starts[-1] + width < len(nodes):
        starts.append(starts[-1] + width)
        width *= b
    held = len(nodes) - starts[-1]
    layers = [nodes[starts[-1] :]]
    for start in reversed(starts[:-1]):
        held = -(-held // b)
        layers.insert(0, nodes[start : start + held])
    return layers


# === _groups with mpq
def _groups(layer: list[mpq], b: int) -> list[list[mpq]]:
    return [layer[i : i + b] for i in range(0, len(layer), b)]


# === make_cdf with Function, proved_function, TypeArgument,
#    opendp_lite.data.type_arguments.TypeArgument
def make_cdf(TA: TypeArgument = float) -> Function:
    as_number = number_type("TA", TA)

    return proved_function("transformations/make_cdf", _cdf, as_number)


# === _cdf with Callable, mpq, Data, Any, opendp_lite.base.aliases.Data
def _cdf(as_number: Callable[[mpq], Any], arg: Data) -> list[Any]:
    shares = cumulative_shares(release_numbers(arg))
    return [as_number(share) for share in shares]


# === cumulative_shares with mpq, accumulate
def cumulative_shares(counts: list[mpq]) -> list[mpq]:
    parts = [max(count, mpq(0)) for count in counts]
    if not any(parts):
        parts = [mpq(1)] * len(parts)
    sums = list(accumulate(parts))
    return [each / sums[-1] for each in sums]


# === make_quantiles_from_counts with Iterable, Fraction, ExactNumber, refusal,
#    Function, proved_function, freeze, TypeArgument, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.data.type_arguments.TypeArgument,
#    _MAKE
def make_quantiles_from_counts(
    bin_edges: Iterable[ExactNumber],
    alphas: Iterable[ExactNumber],
    interpolation: str = "linear",
    TA: TypeArgument | None = None,
    F: TypeArgument = float,
) -> Function:
    given = freeze(bin_edges, "bin_edges")
    edges = _increasing("bin_edges", given, None)
    if not edges:
        fix = "Pass the edges of the histogram, such as [0, 10, 20]"
        raise refusal(_MAKE, "bin_edges", given, "must not be empty", fix)
    levels = _increasing("alphas", freeze(alphas, "alphas"), 1)
    method = freeze(interpolation, "interpolation")
    if type(method) is not str or method not in ("linear", "nearest"):
        rule, fix = 'must be "linear" or "nearest"', 'Pass interpolation="linear"'
        raise refusal(_MAKE, "interpolation", method, rule, fix)
    if TA is None:
        TA = Fraction if all(type(each) is Fraction for each in given) else float
    as_number = number_type("TA", TA)
    proof = "transformations/make_quantiles_from_counts"
    nearest = method == "nearest"
    return proved_function(
        proof, _quantiles, as_number, tuple(edges), tuple(levels), nearest
    )


# === _quantiles with Callable, mpq, Data, refusal, Any, opendp_lite.base.aliases.Data
def _quantiles(
    as_number: Callable[[mpq], Any],
    edges: tuple[mpq, ...],
    levels: tuple[mpq, ...],
    nearest: bool,
    arg: Data,
) -> list[Any]:
    counts = release_numbers(arg)
    if len(counts) == len(edges) + 1:
        counts = counts[1:-1]
    if len(counts) != len(edges) - 1:
        rule = "must have one count less than there are edges, or one more"
        fix = "Pass the counts between these edges"
        raise refusal("FailedFunction", "arg", arg, rule, fix)
    shares = cumulative_shares(counts)
    found = [_quantile(edges, shares, level, nearest) for level in levels]
    return [as_number(each) for each in found]


# === _increasing with mpq, pairwise, rational_argument, refusal, _MAKE
def _increasing(name: str, given: object, most: int | None) -> list[mpq]:
    fix = f"Pass a list of increasing numbers as {name}"
    if type(given) is not tuple:
        rule = "must be a list, a tuple or an array"
        raise refusal(_MAKE, name, given, rule, fix)
    least = None if most is None else 0
    numbers: list[mpq] = [
        rational_argument(_MAKE, name, each, fix=fix, at_least=least, at_most=most)
        for each in given
    ]
    if any(a >= b for a, b in pairwise(numbers)):
        raise refusal(_MAKE, name, given, "must be strictly increasing", fix)
    return numbers


# === _quantile with mpq
def _quantile(
    edges: tuple[mpq, ...], shares: list[mpq], level: mpq, nearest: bool
) -> mpq:
    left = mpq(0)
    for lower, upper, right in zip(edges, edges[1:], shares, strict=False):
        if right > left and right >= level:
            if nearest:
                return upper if level - left > right - level else lower
            part = (level - left) / (right - left)
            return lower + part * (upper - lower)
        left = right
    return edges[0]
