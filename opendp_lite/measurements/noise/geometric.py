"""The geometric mechanism: discrete Laplace noise on integers, clamped if asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gmpy2 import mpq

from opendp_lite.core.aliases import Bounds, Data, ExactDistance, ExactNumber
from opendp_lite.core.arguments import integer_argument, pair_argument
from opendp_lite.core.domains import AtomDomain, Domain, VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import max_divergence
from opendp_lite.core.measures.measure import MeasureArgument
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.measurements.noise.additive import (
    NumberSpace,
    check_measure,
    check_scale,
    check_space,
    in_scales,
    on_members,
    releaser,
    saturated,
)
from opendp_lite.sampling.noise.clamped_laplace import sample_discrete_laplace_within

__all__ = ["make_geometric", "then_geometric"]

_MAKE = "MakeMeasurement"


@constructor(proof="measurements/make_geometric", status="vetted")
def make_geometric(
    input_domain: Domain,
    input_metric: Metric,
    scale: ExactNumber,
    bounds: Bounds | None = None,
    MO: MeasureArgument = "MaxDivergence",
) -> Measurement:
    """Return a measurement that adds discrete Laplace noise to an integer, or to each.

    Guarantee: for x, x' at distance at most d_in (absolute for numbers, L1 for
    vectors), P(M(x) in S) <= e^epsilon P(M(x') in S) for every S, where epsilon is
    d_in / b and b is `scale`, exactly.

    * Without `bounds`: x + Z with P(Z = z) proportional to e^(-|z|/b).
    * With `bounds` (L, U): c(c(x) + Z) with c(y) = min(max(y, L), U). Two numbers are
      then at most U - L apart, so for n of them (one, or a vector of size n) epsilon
      is min(d_in, n (U - L)) / b.

    The random bits are read without regard to the data. With `bounds`, b > 0 and the
    bits of the operating system, their number is fixed as well: 68 + the bit length
    of U - L + 1 for each integer, except with probability at most 2^-64 for each, when
    more are read. Without `bounds`, it may be larger for larger noise. Nothing is
    claimed about the time that a release takes.

    Arrays come out as int64 (saturating).

    :param input_domain: atom_domain of int, or a vector of these
    :param input_metric: absolute_distance, or l1_distance for vectors
    :param scale: b >= 0, exact: int, float, Fraction, Decimal or text
    :param bounds: the integers (L, U), L <= U; none by default
    :param MO: the output measure; MaxDivergence is the only one

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> noisy = space >> dp.m.then_geometric(scale=2.0, bounds=(0, 100))
    >>> noisy.map(1)
    0.5
    >>> 0 <= noisy(99) <= 100
    True

    Proof: proofs/measurements/make_geometric.tex
    """
    _check_integers(input_domain)  # proof: integers
    space = check_space(LAPLACE, input_domain, input_metric)  # proof: space
    scale = check_scale(scale)  # proof: scale
    check_measure(LAPLACE, MO, max_divergence())  # proof: measure
    ends = _check_bounds(bounds)  # proof: bounds
    if ends is None:
        function = releaser(LAPLACE, space, scale, None)  # proof: unbounded
    else:
        function = _bounded(space, scale, ends)  # proof: bounded
    count = space.size if space.vector else 1

    def privacy_map(d_in: ExactDistance) -> Any:  # proof: map
        if ends is None or count is None:
            return in_scales(d_in, scale)  # proof: distance
        diameter = count * (ends[1] - ends[0])
        return in_scales(min(d_in, diameter), scale)  # proof: diameter

    return Measurement(
        input_domain, function, input_metric, max_divergence(), privacy_map
    )


then_geometric = then(make_geometric)


def _bounded(
    space: NumberSpace, scale: mpq, ends: tuple[int, int]
) -> Callable[[Any], Any]:
    """Return the mechanism that clamps before and after the noise."""
    lower, upper = ends

    def number(x: Data) -> int:  # proof: release
        noise = sample_discrete_laplace_within(scale, upper - lower)  # proof: noise
        clamped = min(max(int(x), lower), upper)  # proof: clamped
        return min(max(clamped + noise, lower), upper)  # proof: released

    def array(values: Data) -> Any:
        return saturated(number, values)  # proof: array

    return on_members(space, number, array)


def _check_integers(domain: object) -> None:
    atom = domain.element_domain if isinstance(domain, VectorDomain) else domain
    if not isinstance(atom, AtomDomain) or atom.T is not int:  # proof: type
        fix = (
            "Pass atom_domain(T=int), or use then_laplace for other numbers, "
            "then_gaussian under the L2 distance, then_laplace_threshold or "
            "then_gaussian_threshold for maps, then_product for tuples"
        )
        raise refusal(_MAKE, "input_domain", domain, "must hold int", fix)


def _check_bounds(bounds: Bounds | None) -> tuple[int, int] | None:
    """Return the bounds as integers; None stands for no bounds."""
    if bounds is None:
        return None
    fix = "Pass (lower, upper) with lower <= upper, such as (0, 10)"
    first, second = pair_argument(_MAKE, "bounds", bounds, fix)  # proof: pair
    lower = integer_argument(_MAKE, "bounds", first, fix=fix)  # proof: lower
    upper = integer_argument(_MAKE, "bounds", second, fix=fix)  # proof: upper
    if lower > upper:  # proof: order
        rule = "lower may not be above upper"
        raise refusal(_MAKE, "bounds", bounds, rule, fix)
    return lower, upper
