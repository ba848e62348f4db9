"""Multiplying a number by a public constant, exact."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from opendp_lite.base.aliases import Bounds, Data, ExactDistance, ExactNumber
from opendp_lite.base.arguments import check_type, rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain
from opendp_lite.core.metrics import AbsoluteDistance, Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.rationals import to_extended, to_fraction
from opendp_lite.transformations.sums.summands import interval

_VARIANT = "MakeTransformation"


@constructor(proof="transformations/make_lipschitz_float_mul", status="vetted")
def make_lipschitz_float_mul(
    input_domain: Domain, input_metric: Metric, constant: ExactNumber, bounds: Bounds
) -> Transformation:
    """Return the transformation of a number into its product with a constant.

    Guarantee: with f(x) = c min(max(x, L), U), where c is `constant` and (L, U) is
    `bounds`, |x - x'| <= d_in implies |f(x) - f(x')| <= |c| min(d_in, U - L).

    The product is an exact Fraction (float(x) rounds it), so nothing is added for
    rounding.

    :param input_domain: atom_domain of int, float (no NaN) or Fraction
    :param input_metric: absolute_distance
    :param constant: c, exact: int, float, Fraction, Decimal or text
    :param bounds: L and U, finite numbers of the type of the domain

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    >>> tenth = dp.t.make_lipschitz_float_mul(*space, "0.1", (0.0, 4.0))
    >>> tenth(2.5), tenth.map(1), tenth.map(100)
    (Fraction(1, 4), 0.1, 0.4)

    Raises `MakeTransformation` for another space, constant or bounds.

    Proof: proofs/transformations/make_lipschitz_float_mul.tex
    """
    fix = "Pass for example atom_domain(T=float, nan=False)"
    check_type(_VARIANT, "input_domain", input_domain, AtomDomain, fix)  # proof: atom
    assert isinstance(input_domain, AtomDomain)
    if not input_domain.numeric or input_domain.nan:  # proof: numbers
        rule = "must hold numbers of type int, float or Fraction, and no NaN"
        raise refusal(_VARIANT, "input_domain", input_domain, rule, fix)
    fix = "Pass absolute_distance(T=float), with the type of the domain"
    check_type(  # proof: metric
        _VARIANT, "input_metric", input_metric, AbsoluteDistance, fix
    )
    fix = "Pass a finite number, such as 0.5"
    c = rational_argument(_VARIANT, "constant", constant, fix=fix)  # proof: constant
    L, U = interval("bounds", bounds, input_domain.T)  # proof: bounds

    def function(arg: Data) -> Fraction:
        return to_fraction(c * min(max(to_extended(arg), L), U))  # proof: function

    def stability_map(d_in: ExactDistance) -> Any:
        return abs(c) * min(d_in, U - L)  # proof: map

    return Transformation(
        input_domain,
        AtomDomain(T=Fraction),  # proof: output
        function,
        input_metric,
        AbsoluteDistance(Fraction),
        stability_map,
    )


then_lipschitz_float_mul = then(make_lipschitz_float_mul)
