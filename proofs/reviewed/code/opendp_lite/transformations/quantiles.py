# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.quantiles; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.containers import native
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import LInfDistance
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.transformations.counts.tallies import ranks
from opendp_lite.transformations.datasets import changed_rows
from opendp_lite.transformations.datasets import changes_rows
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.datasets import check_numbers
from typing import Any
import math

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_MAKE = "MakeTransformation"
_ALPHA_FIX = "Pass for example alpha=0.5 for the median"
_FINEST = 10**6


# === make_quantile_score_candidates with Iterable, Data, ExactDistance, ExactNumber,
#    AtomDomain, Domain, VectorDomain, Metric, LInfDistance, Transformation, ranks,
#    changed_rows, changes_rows, check_dataset, check_numbers, Any, math, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data
def make_quantile_score_candidates(
    input_domain: Domain,
    input_metric: Metric,
    candidates: Iterable[ExactNumber],
    alpha: ExactNumber,
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    element, n = check_numbers(domain), domain.size
    cuts = check_candidates(candidates, element)
    level = quantile_level(alpha)
    p, q = level.numerator, level.denominator

    def function(arg: Data) -> list[int]:
        size = len(arg)
        below, up_to = ranks(arg, cuts, ("left", "right"), element.T)
        return [
            abs((q - p) * less - p * (size - most))
            for less, most in zip(below, up_to, strict=True)
        ]

    def stability_map(d_in: ExactDistance) -> Any:
        changed = changes_rows(input_metric)
        if n is not None:
            return changed_rows(input_metric, n, d_in) * q
        if d_in == math.inf:
            return math.inf
        return d_in * (q if changed else max(p, q - p))

    return Transformation(
        input_domain,
        VectorDomain(AtomDomain(T=int), len(cuts)),
        function,
        input_metric,
        LInfDistance(int),
        stability_map,
        reads_floats=element.T is float,
        lower_is_better=True,
    )


# === quantile_level with Fraction, ExactNumber, rational_argument, to_fraction, ?,
#    opendp_lite.base.aliases.ExactNumber, _MAKE, _ALPHA_FIX, _FINEST
def quantile_level(alpha: ExactNumber) -> Fraction:
    exact = rational_argument(
        _MAKE, "alpha", alpha, fix=_ALPHA_FIX, at_least=0, at_most=1
    )
    return to_fraction(exact).limit_denominator(_FINEST)


# === check_candidates with Iterable, pairwise, ExactNumber, native, refusal,
#    AtomDomain, Any, ?, opendp_lite.base.aliases.ExactNumber, _MAKE
def check_candidates(
    candidates: Iterable[ExactNumber], element: AtomDomain
) -> list[Any]:
    fix = "Pass a list such as candidates=[0, 10, 20], of the type of the rows"
    T = element.T
    listed = issubclass(type(candidates), list | tuple)
    values = list(candidates) if listed else []
    if not values:
        rule = "must be a list, a tuple or an array, of at least one candidate"
        raise refusal(_MAKE, "candidates", candidates, rule, fix)
    number = AtomDomain(T=T, nan=False) if T is float else AtomDomain(T=T)
    if not all(map(number.member, values)):
        rule = f"each must be of type {T.__name__}, and not NaN"
        raise refusal(_MAKE, "candidates", candidates, rule, fix)
    cuts = [T(native(each)) for each in values]
    if any(a >= b for a, b in pairwise(cuts)):
        rule = "must be strictly increasing"
        raise refusal(_MAKE, "candidates", candidates, rule, fix)
    return cuts
