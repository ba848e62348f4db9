"""The Laplace mechanism: exact on integers, floats and rationals."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from gmpy2 import mpq

from opendp_lite.core.arguments import integer_argument, rational_argument
from opendp_lite.core.containers import is_array, native
from opendp_lite.core.domain import AtomDomain, Domain, VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import MaxDivergence, max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.metric import AbsoluteDistance, L1Distance, Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.exact.grids import nearest_multiple, power_of_two
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import to_double
from opendp_lite.measurements.grid import (
    absolute_sensitivity,
    l1_sensitivity,
    spacing,
)
from opendp_lite.sampling.discrete_laplace import sample_discrete_laplace
from opendp_lite.sampling.laplace import sample_laplace_rounded

__all__ = ["make_laplace", "then_laplace"]

_MAKE = "MakeMeasurement"
_SCALE_FIX = "Pass the scale of the noise, such as scale=1.0; 0 means no noise at all"


@constructor(proof="measurements/make_laplace", status="vetted")
def make_laplace(
    input_domain: Domain,
    input_metric: Metric,
    scale: Any,
    k: int | None = None,
    MO: Any = "MaxDivergence",
) -> Measurement:
    """Return a measurement that adds Laplace noise to a number, or to each of a vector.

    Guarantee: for x, x' at distance at most d_in (absolute for numbers, L1 for
    vectors), P(M(x) in S) <= e^epsilon P(M(x') in S) for every S, where epsilon is
    d_in / b and b is `scale`, exactly.

    * Integers: x + Z with Z discrete Laplace, P(Z = z) proportional to e^(-|z|/b).
    * Floats and Fractions: the double nearest to x + Y, with Y a *real* Laplace of
      scale b; no grid, so nothing is added to epsilon. Sums beyond the largest double
      are released as that; an infinite x is released as it is.
    * With `k`, x is rounded to the nearest multiple of 2^k and the noise is discrete
      Laplace on those multiples; d_in is then rounded up to what it can become on the
      grid. An unsized vector is refused there, unless nothing is rounded.

    Arrays come out as int64 (saturating) or float64.

    :param input_domain: atom_domain of int, float (nan=False) or Fraction, or a vector
        of these
    :param input_metric: absolute_distance, or l1_distance for vectors
    :param scale: b >= 0, exact: int, float, Fraction, Decimal or text
    :param k: exponent of the grid, of size at most 2^16; none by default
    :param MO: the output measure; MaxDivergence is the only one

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> noisy = space >> dp.m.then_laplace(scale=2.0)
    >>> noisy.map(1)
    0.5
    >>> isinstance(noisy(100), int)
    True

    Proof: proofs/measurements/make_laplace.tex
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
            return l1_sensitivity(d_in, k, spacing(atom), size or 0)
        return absolute_sensitivity(d_in, k, spacing(atom))

    def privacy_map(d_in: Any) -> Any:  # proof: map
        distance = sensitivity(d_in)
        if distance == 0:  # proof: zero-distance
            return 0
        if distance == math.inf or scale == 0:  # proof: infinite-loss
            return math.inf
        return mpq(distance) / scale  # proof: loss

    return Measurement(
        input_domain,
        function,
        input_metric,
        max_divergence(),
        privacy_map,
        covers_rationals=k is None and atom.T is float,  # proof: rationals
    )


then_laplace = then(make_laplace)


def _releaser(T: type, scale: mpq, k: int | None) -> Callable[[Any], Any]:
    """Return the mechanism for one number of type `T`."""
    grid = power_of_two(0 if k is None else k)

    def integer(x: Any) -> int:  # proof: integer
        return int(x) + sample_discrete_laplace(scale)

    def real(x: Any) -> float:  # proof: real
        if x in (math.inf, -math.inf):  # proof: infinite
            return float(x)
        return to_double(sample_laplace_rounded(to_mpq(x), scale))  # proof: noisy

    def on_grid(x: Any) -> Any:  # proof: on-grid
        if x in (math.inf, -math.inf):
            return float(x)
        assert k is not None
        multiple = nearest_multiple(to_mpq(x), k) + sample_discrete_laplace(
            scale / grid  # proof: grid-noise
        )
        value = mpq(multiple) * grid  # proof: value
        return int(value) if T is int else to_double(value)  # proof: rounded

    if k is not None:
        return on_grid
    return integer if T is int else real


def _release_array(release: Callable[[Any], Any], array: Any, T: type) -> Any:
    """Release each entry of an array; integers saturate at the ends of int64."""
    import numpy

    released = [release(native(x)) for x in array]  # proof: entries
    if T is not int:
        return numpy.array(released, dtype=numpy.float64)
    ends = -(2**63), 2**63 - 1  # proof: saturate
    return numpy.array([min(max(y, ends[0]), ends[1]) for y in released], numpy.int64)


def _check_space(domain: Any, metric: Any) -> tuple[AtomDomain, int | None]:
    """Return the domain of the numbers and the size of a vector of them."""
    fix = "Pass atom_domain(T=int) and absolute_distance(T=int), or a vector and L1"
    wanted: type[Metric]
    if isinstance(domain, VectorDomain):
        atom, size, wanted = domain.element_domain, domain.size, L1Distance
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
    if MO not in ("MaxDivergence", MaxDivergence, max_divergence()):  # proof: measure
        rule, fix = "Laplace noise is measured by MaxDivergence", "Leave MO out"
        raise refusal(_MAKE, "MO", MO, rule, fix)


def _check_grid(k: Any, atom: AtomDomain, size: int | None, vector: bool) -> int | None:
    """Return the exponent of the grid; None stands for no grid."""
    if k is None:
        return None
    fix = "Leave k out: without a grid nothing is lost"
    exponent = integer_argument(  # proof: range
        _MAKE, "k", k, fix=fix, at_least=-(2**16), at_most=2**16
    )
    if atom.T is int and exponent < 0:  # proof: integers
        raise refusal(_MAKE, "k", k, "must be at least 0 on integers", fix)
    if vector and size is None and spacing(atom) < power_of_two(exponent):
        rule = (
            "rounding costs up to one grid step for each entry, and a vector of "
            "unknown size may have any number of them"
        )
        fix = "Leave k out, or use vector_domain(..., size=n)"
        raise refusal(_MAKE, "k", k, rule, fix)  # proof: unsized
    return exponent
