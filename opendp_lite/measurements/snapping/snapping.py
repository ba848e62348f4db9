"""The snapping mechanism: Laplace noise, rounded to a lattice and clamped."""

from __future__ import annotations

import math
from typing import Any

from opendp_lite.base.aliases import (
    Bounds,
    Data,
    DataFunction,
    ExactDistance,
    ExactNumber,
)
from opendp_lite.base.containers import all_of_type, is_array
from opendp_lite.core.domains import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import max_divergence
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.measurements.noise.additive import (
    NumberSpace,
    as_float64,
    check_space,
    in_scales,
)
from opendp_lite.measurements.snapping.arguments import lattice_argument
from opendp_lite.measurements.snapping.finite_logarithm import FiniteLogarithm
from opendp_lite.measurements.snapping.lattice import Lattice
from opendp_lite.measurements.snapping.precision import check_precision, finite_loss
from opendp_lite.measurements.snapping.sampler import ExactLogarithm, Snapping
from opendp_lite.measurements.snapping.snapping_law import SnappedNoise
from opendp_lite.randomness.lanes import FEW_REALS

_MAKE = "MakeMeasurement"


@constructor(proof="measurements/make_snapping", status="vetted")
def make_snapping(
    input_domain: Domain,
    input_metric: Metric,
    scale: ExactNumber,
    bounds: Bounds,
    *,
    precision: int | None = None,
) -> Measurement:
    """Return a measurement that adds Laplace noise, rounds to a lattice and clamps.

    A number x is clamped to [L, U], `bounds`. Laplace noise of the scale lambda,
    `scale`, is added, and the sum is rounded to the nearest m + j Lambda, clamped again
    and released as a double. Here m is the middle of [L, U] and Lambda the least power
    of two that is at least lambda. Vectors have independent noise for each entry.

    Guarantee: for x, x' at distance at most d_in (absolute for numbers, L1 for
    vectors), P(M(x) in S) <= e^epsilon P(M(x') in S) for every S. For n entries (one,
    or a vector of size n) epsilon is min(d_in, n (U - L)) / lambda, exactly, and
    d_in / lambda for a vector of unknown size.

    With `precision` p the noise is computed in Mironov's finite arithmetic, with
    words of p + 6 bits. For n entries it adds n (12 h/lambda + 2)/2^p to epsilon,
    unless d_in is 0; h is half of U - L. The default arithmetic is exact and costs
    nothing.

    Infinite numbers are clamped as others are. Arrays come out as float64.

    :param input_domain: atom_domain of int, float (nan=False) or Fraction, or a vector
        of these
    :param input_metric: absolute_distance, or l1_distance for vectors
    :param scale: lambda > 0, exact: int, float, Fraction, Decimal or text
    :param bounds: (L, U), exact, L < U, with a double between them
    :param precision: p >= 118 for finite arithmetic; the default is exact

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    >>> noisy = space >> dp.m.then_snapping(scale=2.0, bounds=(0.0, 10.0))
    >>> noisy.map(1.0), noisy.map(1000.0)
    (0.5, 5.0)
    >>> noisy(3.3) in (0.0, 1.0, 3.0, 5.0, 7.0, 9.0, 10.0)
    True

    Proof: proofs/measurements/make_snapping.tex
    """
    space = check_space(LAPLACE, input_domain, input_metric)  # proof: space
    lattice = lattice_argument(_MAKE, scale, bounds)  # proof: lattice
    if precision is None:
        noise: Any = ExactLogarithm(lattice.scale)  # proof: exact
    else:
        precision = check_precision(precision, lattice, space)  # proof: precision
        noise = FiniteLogarithm(lattice.scale, precision)  # proof: finite
    function = _releaser(space, Snapping(lattice, noise))  # proof: function
    count = space.size if space.vector else 1

    def privacy_map(d_in: ExactDistance) -> Any:  # proof: map
        if count is None:
            return in_scales(d_in, lattice.scale)  # proof: unsized
        if precision is not None:
            return finite_loss(lattice, precision, count, d_in)  # proof: loss
        diameter = count * (lattice.upper - lattice.lower)
        return in_scales(min(d_in, diameter), lattice.scale)  # proof: diameter

    return Measurement(
        input_domain,
        function,
        input_metric,
        max_divergence(),
        privacy_map,
        covers_rationals=space.atom.T is float,  # proof: rationals
        noise=SnappedNoise(lattice, precision, space),
    )


then_snapping = then(make_snapping)


def _releaser(space: NumberSpace, snapping: Snapping) -> DataFunction:
    """Return the function that releases a number, or each of a vector."""

    def release_number(x: Data) -> float:
        if isinstance(x, float) or x in (math.inf, -math.inf):
            return snapping.release(float(x))  # proof: double
        return snapping.release_rational(to_mpq(x))  # proof: rational

    def release_vector(arg: Data) -> Any:
        if is_array(arg):
            if not _become_doubles(arg, snapping.lattice):
                released = [release_number(x) for x in arg.tolist()]
                return as_float64(released)  # proof: array
            import numpy

            return snapping.add(numpy.asarray(arg, numpy.float64))  # proof: bulk
        if len(arg) >= FEW_REALS and all_of_type(arg, float):
            return snapping.add(as_float64(arg)).tolist()  # proof: floats
        return [release_number(x) for x in arg]  # proof: list

    return release_vector if space.vector else release_number


def _become_doubles(values: Data, lattice: Lattice) -> bool:
    """Whether clamping is the same after the entries became doubles.

    It is for floats. Integers beyond 2^53 may be rounded, so the bounds must not be.
    """
    widest = max(abs(lattice.lower), abs(lattice.upper))
    return bool(values.dtype.kind == "f" or widest <= 2**53)  # proof: dtype
