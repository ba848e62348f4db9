# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.sums.scaling; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from fractions import Fraction
from opendp_lite.base.aliases import Bounds
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import check_type
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import AbsoluteDistance
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.rationals import to_extended
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.transformations.sums.summands import interval
from typing import Any

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.Bounds: typing.TypeAlias = collections.abc.Sequence[opendp_lite.base.aliases.ExactNumber]
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_VARIANT = "MakeTransformation"


# === make_lipschitz_float_mul with Fraction, Bounds, Data, ExactDistance, ExactNumber,
#    check_type, rational_argument, refusal, AtomDomain, Domain, Metric,
#    AbsoluteDistance, Transformation, to_extended, to_fraction, interval, Any, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Bounds,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data, _VARIANT
def make_lipschitz_float_mul(
    input_domain: Domain, input_metric: Metric, constant: ExactNumber, bounds: Bounds
) -> Transformation:
    fix = "Pass for example atom_domain(T=float, nan=False)"
    check_type(_VARIANT, "input_domain", input_domain, AtomDomain, fix)
    assert isinstance(input_domain, AtomDomain)
    if not input_domain.numeric or input_domain.nan:
        rule = "must hold numbers of type int, float or Fraction, and no NaN"
        raise refusal(_VARIANT, "input_domain", input_domain, rule, fix)
    fix = "Pass absolute_distance(T=float), with the type of the domain"
    check_type(
        _VARIANT, "input_metric", input_metric, AbsoluteDistance, fix
    )
    fix = "Pass a finite number, such as 0.5"
    c = rational_argument(_VARIANT, "constant", constant, fix=fix)
    L, U = interval("bounds", bounds, input_domain.T)

    def function(arg: Data) -> Fraction:
        return to_fraction(c * min(max(to_extended(arg), L), U))

    def stability_map(d_in: ExactDistance) -> Any:
        return abs(c) * min(d_in, U - L)

    return Transformation(
        input_domain,
        AtomDomain(T=Fraction),
        function,
        input_metric,
        AbsoluteDistance(Fraction),
        stability_map,
    )
