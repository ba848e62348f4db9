"""The geometric mechanism: discrete Laplace noise on integers, clamped if asked."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import (
    Bounds,
    Data,
    DataFunction,
    ExactDistance,
    ExactNumber,
)
from opendp_lite.base.arguments import integer_argument, pair_argument
from opendp_lite.base.containers import is_array
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain, VectorDomain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import MaxDivergence, max_divergence
from opendp_lite.core.measures.measure import MeasureArgument
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.exact.enclosures import exp, log1p
from opendp_lite.exact.grids import ceil_multiple, floor_multiple, power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.laws.weights import bound_exponential
from opendp_lite.measurements.noise.added_noise import AddedNoise
from opendp_lite.measurements.noise.additive import (
    NumberSpace,
    check_measure,
    check_scale,
    check_space,
    clamp_to_int64,
    in_scales,
    releaser,
)
from opendp_lite.randomness.lazy import LazyUniform


def sample_discrete_laplace_within(scale: mpq, limit: int) -> int:
    """Return min(max(X, -m), m), where m is `limit` and X is discrete Laplace.

    P(X = x) = (1 - q)/(1 + q) q^|x| for all integers x, with q = e^(-1/scale). X is a
    function of one uniform U. The sign comes first: X >= 0 where U < 1/(1 + q). There
    V = (1 + q) U is uniform, and X = floor(-scale ln V) is geometric. Elsewhere
    V = (1 + q)(1 - U) is uniform below q, and -X = floor(-scale ln V) >= 1.

    What lies beyond m need not be told apart, so at most 6 m + 10 cells of 2^-n are
    undecided after n bits. With the bits of the operating system and scale > 0, exactly
    n = 68 + bit_length(m + 1) bits are read, except with probability at most 2^-64.
    At scale 0 it is 0, and no bit is read.

    >>> abs(sample_discrete_laplace_within(mpq(100), 3)) <= 3
    True
    """
    if scale < 0:  # proof: range
        raise ValueError(f"scale must be non-negative, got {scale}")
    if limit < 0:  # proof: limit
        raise ValueError(f"limit must be non-negative, got {limit}")
    if scale == 0:  # proof: zero
        return 0
    numerator, denominator = int(scale.numerator), int(scale.denominator)

    def decide(prefix: int, length: int) -> int | None:
        split, offset = _split_and_offset(scale, length)
        if prefix + 1 <= split[0]:  # proof: nonnegative
            sign, tail = 1, prefix
        elif prefix >= split[1]:  # proof: negative
            # The bits of 1 - U.
            sign, tail = -1, (1 << length) - 1 - prefix  # proof: mirrored
        else:
            return None
        precision = length + 32
        lo, hi = bound_exponential(tail, length, precision)
        divisor = denominator << precision
        least = min((lo - offset[1]) * numerator // divisor, limit)  # proof: least
        if hi is None:  # proof: unbounded
            most = limit
        else:
            most = min((hi - offset[0]) * numerator // divisor, limit)  # proof: most
        return sign * least if least == most else None

    first = 68 + (limit + 1).bit_length()  # proof: first
    return LazyUniform().locate(decide, first)


@lru_cache(maxsize=256)
def _split_and_offset(
    scale: mpq, length: int
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Integers that enclose 2^length/(1 + q), and 2^(length+32) ln(1 + q)."""
    precision = length + 32
    if scale * precision <= 1:  # then q < 2^(-1/scale) <= 2^-precision
        q = Enclosure(0, power_of_two(-precision))  # proof: tiny
    else:
        q = exp(mpq(-1) / scale, precision)  # proof: ratio
    split = (1 << length) / (1 + q)  # proof: split
    offset = (1 << precision) * log1p(q, precision)  # proof: offset
    return _integers_around(split), _integers_around(offset)


def _integers_around(x: Enclosure) -> tuple[int, int]:
    return floor_multiple(mpq(x.lo), 0), ceil_multiple(mpq(x.hi), 0)


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
    check_measure(LAPLACE, MO, MaxDivergence)  # proof: measure
    ends = _check_bounds(bounds)  # proof: bounds
    if ends is None:
        function = releaser(LAPLACE, space, scale, None)  # proof: unbounded
    else:
        function = _bounded_releaser(space, scale, ends)  # proof: bounded
    count = space.size if space.vector else 1

    def privacy_map(d_in: ExactDistance) -> Any:  # proof: map
        if ends is None or count is None:
            return in_scales(d_in, scale)  # proof: distance
        diameter = count * (ends[1] - ends[0])
        return in_scales(min(d_in, diameter), scale)  # proof: diameter

    return Measurement(
        input_domain,
        function,
        input_metric,
        max_divergence(),
        privacy_map,
        noise=AddedNoise(LAPLACE, space, scale, bounds=ends),
    )


then_geometric = then(make_geometric)


def _bounded_releaser(
    space: NumberSpace, scale: mpq, ends: tuple[int, int]
) -> DataFunction:
    """Return the function that clamps each number before and after the noise."""
    lower, upper = ends

    def release_number(x: Data) -> int:  # proof: release
        noise = sample_discrete_laplace_within(scale, upper - lower)  # proof: noise
        clamped = min(max(int(x), lower), upper)  # proof: clamped
        return min(max(clamped + noise, lower), upper)  # proof: released

    def release_vector(arg: Data) -> Any:
        released = [release_number(x) for x in arg]  # proof: entries
        return clamp_to_int64(released) if is_array(arg) else released  # proof: vector

    return release_vector if space.vector else release_number


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
