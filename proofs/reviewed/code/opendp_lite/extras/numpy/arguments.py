# ruff: noqa
# fmt: off
# What was read of opendp_lite.extras.numpy.arguments; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.aliases import Loss
from opendp_lite.base.aliases import Release
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.exact.rounding import to_double
from opendp_lite.extras.numpy.noisy_binomial import NoisyBinomial
from opendp_lite.measurements.canonical.canonical_noise import check_target
from typing import TypeAlias
import math
import sys

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.Loss: typing.TypeAlias = object
_VARIANT = "FailedFunction"
opendp_lite.base.aliases.Release: typing.TypeAlias = typing.Any
Cell: TypeAlias = tuple[mpq | None, mpq | None]
_HALF = mpq(1, 2)


# === law_argument with mpq, ExactNumber, Loss, integer_argument, rational_argument,
#    refusal, NoisyBinomial, check_target, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.Loss, _VARIANT
def law_argument(d_in: ExactNumber, d_out: Loss, size: ExactNumber) -> NoisyBinomial:
    fix = "Pass the d_in of make_canonical_noise, such as 1 for a count"
    scale: mpq = rational_argument(
        _VARIANT, "d_in", d_in, fix=fix, at_least=0
    )
    if scale == 0:
        rule = "must be positive: without noise, use a binomial test"
        raise refusal(_VARIANT, "d_in", d_in, rule, fix)
    epsilon, delta = check_target(d_out)
    fix = "Pass the number of records that were counted, such as size=1000"
    trials = integer_argument(
        _VARIANT, "size", size, fix=fix, at_least=1
    )
    return NoisyBinomial(trials, scale, epsilon, delta)


# === cell_argument with mpq, Release, rational_argument, to_double, TypeAlias, math,
#    sys, opendp_lite.base.aliases.Release, Cell, _VARIANT, _HALF
def cell_argument(release: Release) -> Cell:
    fix = "Pass what the measurement released"
    value: mpq = rational_argument(_VARIANT, "Z", release, fix=fix)
    nearest, largest = to_double(value), sys.float_info.max

    def middle(neighbour: float) -> mpq:
        return (mpq(nearest) + mpq(neighbour)) * _HALF

    before, after = (math.nextafter(nearest, end) for end in (-math.inf, math.inf))
    return (
        None if nearest == -largest else middle(before),
        None if nearest == largest else middle(after),
    )


# === mirrored with mpq, TypeAlias, Cell
def mirrored(cell: Cell, size: int) -> Cell:
    least, most = cell
    return (
        None if most is None else mpq(size) - most,
        None if least is None else mpq(size) - least,
    )


# === rate_argument with mpq, rational_argument, _VARIANT
def rate_argument(name: str, value: object) -> mpq:
    fix = "Pass a success rate, such as 0.5"
    rate: mpq = rational_argument(
        _VARIANT, name, value, fix=fix, at_least=0, at_most=1
    )
    return rate


# === level_argument with mpq, ExactNumber, rational_argument, refusal, ?,
#    opendp_lite.base.aliases.ExactNumber, _VARIANT
def level_argument(alpha: ExactNumber) -> mpq:
    fix = "Pass the probability of an error that is allowed, such as 0.05"
    level: mpq = rational_argument(
        _VARIANT, "alpha", alpha, fix=fix, at_least=0, at_most=1
    )
    if level in (0, 1):
        rule = "must be above 0 and below 1"
        raise refusal(_VARIANT, "alpha", alpha, rule, fix)
    return level


# === side_argument with refusal, _VARIANT
def side_argument(name: str, value: object, sides: tuple[str, str]) -> str:
    if not isinstance(value, str) or value not in sides:
        rule = f'must be "{sides[0]}" or "{sides[1]}"'
        raise refusal(_VARIANT, name, value, rule, f'Pass {name}="{sides[0]}"')
    return value
