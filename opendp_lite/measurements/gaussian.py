"""The Gaussian mechanism: exact on integers, floats and rationals."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from gmpy2 import mpq

from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.containers import is_array
from opendp_lite.core.domain import AtomDomain, Domain, VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import (
    ZeroConcentratedDivergence,
    zero_concentrated_divergence,
)
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.metric import AbsoluteDistance, L2Distance, Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.exact.grids import nearest_multiple, power_of_two
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import to_double
from opendp_lite.measurements.grid import (
    absolute_sensitivity,
    l2_sensitivity,
    spacing,
)
from opendp_lite.measurements.laplace import _check_grid, _release_array
from opendp_lite.sampling.discrete_gaussian import sample_discrete_gaussian
from opendp_lite.sampling.gaussian import sample_gaussian_rounded

__all__ = ["make_gaussian", "then_gaussian"]

_MAKE = "MakeMeasurement"
_SCALE_FIX = "Pass the scale of the noise, such as scale=1.0; 0 means no noise at all"


@constructor(proof="measurements/make_gaussian", status="vetted")
def make_gaussian(
    input_domain: Domain,
    input_metric: Metric,
    scale: Any,
    k: int | None = None,
    MO: Any = "ZeroConcentratedDivergence",
) -> Measurement:
    """Return a measurement that adds Gaussian noise to a number, or each of a vector.

    Guarantee: for x, x' at distance at most d_in (absolute for numbers, L2 for
    vectors), D_alpha(M(x) || M(x')) <= rho alpha for every alpha > 1, where rho is
    (d_in / b)^2 / 2 and b is `scale`, exactly.

    * Integers: x + Z with Z discrete Gaussian, P(Z = z) proportional to
      e^(-z^2/(2 b^2)).
    * Floats and Fractions: the double nearest to x + Y, with Y a *real* Gaussian
      of scale b; no grid, so nothing is added to rho. Sums beyond the largest double
      are released as that; an infinite x is released as it is.
    * With `k`, x is rounded to the nearest multiple of 2^k and the noise is discrete
      Gaussian on those multiples; d_in is then rounded up to what it can become on the
      grid: by up to 2^k for a number, by sqrt(n) 2^k for n of them. An
      unsized vector is refused there, unless nothing is rounded.

    Arrays come out as int64 (saturating) or float64.

    :param input_domain: atom_domain of int, float (nan=False) or Fraction, or a vector
        of these
    :param input_metric: absolute_distance, or l2_distance for vectors
    :param scale: b >= 0, exact: int, float, Fraction, Decimal or text
    :param k: exponent of the grid, of size at most 2^16; none by default
    :param MO: the output measure; ZeroConcentratedDivergence is the only one

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> noisy = space >> dp.m.then_gaussian(scale=2.0)
    >>> noisy.map(1)
    0.125
    >>> isinstance(noisy(100), int)
    True

    Proof: proofs/measurements/make_gaussian.tex
    """
    atom, size = _check_space(input_domain, input_metric)  # proof: space
    scale = rational_argument(  # proof: scale
        _MAKE, "scale", scale, fix=_SCALE_FIX, at_least=0
    )
    _check_measure(MO)
    k = _check_grid(  # proof: grid
        k, atom, size, isinstance(input_domain, VectorDomain)
    )
    release = _releaser(atom.T, scale, k)

    def function(arg: Any) -> Any:  # proof: function
        if is_array(arg):  # proof: array
            return _release_array(release, arg, atom.T)
        return [release(x) for x in arg] if isinstance(arg, list) else release(arg)

    def sensitivity(d_in: Any) -> Any:  # proof: sensitivity
        if k is None:
            return d_in
        if isinstance(input_domain, VectorDomain):
            return l2_sensitivity(d_in, k, spacing(atom), size or 0)
        return absolute_sensitivity(d_in, k, spacing(atom))

    def privacy_map(d_in: Any) -> Any:  # proof: map
        distance = sensitivity(d_in)
        if distance == 0:  # proof: zero-distance
            return 0
        if distance == math.inf or scale == 0:  # proof: infinite-loss
            return math.inf
        ratio = mpq(distance) / scale
        return ratio * ratio / mpq(2)  # proof: loss

    return Measurement(
        input_domain,
        function,
        input_metric,
        zero_concentrated_divergence(),
        privacy_map,
        covers_rationals=k is None and atom.T is float,  # proof: rationals
    )


then_gaussian = then(make_gaussian)


def _releaser(T: type, scale: mpq, k: int | None) -> Callable[[Any], Any]:
    """Return the mechanism for one number of type `T`."""
    grid = power_of_two(0 if k is None else k)

    def integer(x: Any) -> int:  # proof: integer
        return int(x) + sample_discrete_gaussian(scale)

    def real(x: Any) -> float:  # proof: real
        if x in (math.inf, -math.inf):  # proof: infinite
            return float(x)
        return to_double(sample_gaussian_rounded(to_mpq(x), scale))  # proof: noisy

    def on_grid(x: Any) -> Any:  # proof: on-grid
        if x in (math.inf, -math.inf):
            return float(x)
        assert k is not None
        multiple = nearest_multiple(to_mpq(x), k) + sample_discrete_gaussian(
            scale / grid  # proof: grid-noise
        )
        value = mpq(multiple) * grid  # proof: value
        return int(value) if T is int else to_double(value)  # proof: rounded

    if k is not None:
        return on_grid
    return integer if T is int else real


def _check_space(domain: Any, metric: Any) -> tuple[AtomDomain, int | None]:
    """Return the domain of the numbers and the size of a vector of them."""
    fix = "Pass atom_domain(T=int) and absolute_distance(T=int), or a vector and L2"
    wanted: type[Metric]
    if isinstance(domain, VectorDomain):
        atom, size, wanted = domain.element_domain, domain.size, L2Distance
    else:
        atom, size, wanted = domain, None, AbsoluteDistance
    if not isinstance(atom, AtomDomain) or atom.T not in (int, float, Fraction):
        rule = "must hold int, float or Fraction"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)  # proof: numbers
    if atom.nan:  # proof: nan
        rule = "must not hold NaN"
        fix = "Use atom_domain(T=float, nan=False), after make_impute_constant"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    if not isinstance(metric, wanted):  # proof: metric
        rule = f"must be {wanted.__name__} for this domain"
        raise refusal(_MAKE, "input_metric", metric, rule, fix)
    return atom, size


def _check_measure(MO: Any) -> None:
    if MO not in (
        "ZeroConcentratedDivergence",
        ZeroConcentratedDivergence,
        zero_concentrated_divergence(),
    ):  # proof: measure
        rule, fix = (
            "Gaussian noise is measured by ZeroConcentratedDivergence",
            "Leave MO out",
        )
        raise refusal(_MAKE, "MO", MO, rule, fix)
