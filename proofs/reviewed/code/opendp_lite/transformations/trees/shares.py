# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.trees.shares; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from collections.abc import Iterable
from fractions import Fraction
from gmpy2 import mpq
from itertools import accumulate
from itertools import pairwise
from opendp_lite.core.aliases import Data
from opendp_lite.core.aliases import ExactNumber
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.core.measurement import Function
from opendp_lite.core.measurement import proved_function
from opendp_lite.core.values.freezing import freeze
from opendp_lite.core.values.type_arguments import TypeArgument
from opendp_lite.transformations.trees.releases import number_type
from opendp_lite.transformations.trees.releases import release_numbers
from typing import Any

opendp_lite.core.values.type_arguments.TypeArgument: typing.TypeAlias = type | str | types.GenericAlias | types.UnionType | opendp_lite.core.values.type_arguments.AtomType
opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.core.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.core.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.core.aliases.NumpyNumber, opendp_lite.core.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.core.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.core.aliases.NumpyNumber
_MAKE = "MakeTransformation"


# === make_cdf with Function, proved_function, TypeArgument, number_type,
#    opendp_lite.core.values.type_arguments.TypeArgument
def make_cdf(TA: TypeArgument = float) -> Function:
    as_number = number_type("TA", TA)

    return proved_function("transformations/make_cdf", _cdf, as_number)


# === _cdf with Callable, mpq, Data, release_numbers, Any, opendp_lite.core.aliases.Data
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
#    Function, proved_function, freeze, TypeArgument, number_type, ?,
#    opendp_lite.core.aliases.ExactNumber,
#    opendp_lite.core.values.type_arguments.TypeArgument, _MAKE
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


# === _quantiles with Callable, mpq, Data, refusal, release_numbers, Any,
#    opendp_lite.core.aliases.Data
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
