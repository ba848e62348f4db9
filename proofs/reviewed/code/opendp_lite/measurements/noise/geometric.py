# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.noise.geometric; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from functools import lru_cache
from gmpy2 import mpq
from opendp_lite.base.aliases import Bounds
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.arguments import pair_argument
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.measure import MeasureArgument
from opendp_lite.core.measures.plain import max_divergence
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.elementary import log1p
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.laws.weights import bound_exponential
from opendp_lite.measurements.noise.additive import NumberSpace
from opendp_lite.measurements.noise.additive import check_measure
from opendp_lite.measurements.noise.additive import check_scale
from opendp_lite.measurements.noise.additive import check_space
from opendp_lite.measurements.noise.additive import in_scales
from opendp_lite.measurements.noise.additive import on_members
from opendp_lite.measurements.noise.additive import releaser
from opendp_lite.measurements.noise.additive import saturated
from opendp_lite.randomness.lazy import LazyUniform
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
opendp_lite.core.measures.measure.MeasureArgument: typing.TypeAlias = opendp_lite.core.measures.measure.Measure | type[opendp_lite.core.measures.measure.Measure] | str
opendp_lite.laws.noise.LAPLACE = opendp_lite.laws.noise.Law('Laplace', 1, 2)
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_MAKE = "MakeMeasurement"


# === sample_discrete_laplace_within with mpq, bound_exponential, LazyUniform
def sample_discrete_laplace_within(scale: mpq, limit: int) -> int:
    if scale < 0:
        raise ValueError(f"scale must be non-negative, got {scale}")
    if limit < 0:
        raise ValueError(f"limit must be non-negative, got {limit}")
    if scale == 0:
        return 0
    numerator, denominator = int(scale.numerator), int(scale.denominator)

    def decide(prefix: int, length: int) -> int | None:
        split, offset = _split_and_offset(scale, length)
        if prefix + 1 <= split[0]:
            sign, tail = 1, prefix
        elif prefix >= split[1]:
            sign, tail = -1, (1 << length) - 1 - prefix
        else:
            return None
        precision = length + 32
        lo, hi = bound_exponential(tail, length, precision)
        divisor = denominator << precision
        least = min((lo - offset[1]) * numerator // divisor, limit)
        if hi is None:
            most = limit
        else:
            most = min((hi - offset[0]) * numerator // divisor, limit)
        return sign * least if least == most else None

    first = 68 + (limit + 1).bit_length()
    return LazyUniform().locate(decide, first)


# === _split_and_offset with lru_cache, mpq, exp, log1p, power_of_two, Enclosure
@lru_cache(maxsize=256)
def _split_and_offset(
    scale: mpq, length: int
) -> tuple[tuple[int, int], tuple[int, int]]:
    precision = length + 32
    if scale * precision <= 1:
        q = Enclosure(0, power_of_two(-precision))
    else:
        q = exp(mpq(-1) / scale, precision)
    split = (1 << length) / (1 + q)
    offset = (1 << precision) * log1p(q, precision)
    return _integers_around(split), _integers_around(offset)


# === _integers_around with mpq, ceil_multiple, floor_multiple, Enclosure
def _integers_around(x: Enclosure) -> tuple[int, int]:
    return floor_multiple(mpq(x.lo), 0), ceil_multiple(mpq(x.hi), 0)


# === make_geometric with Bounds, ExactDistance, ExactNumber, Domain, Measurement,
#    MeasureArgument, max_divergence, Metric, LAPLACE, check_measure, check_scale,
#    check_space, in_scales, releaser, Any, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.Bounds, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.core.measures.measure.MeasureArgument, opendp_lite.laws.noise.LAPLACE
def make_geometric(
    input_domain: Domain,
    input_metric: Metric,
    scale: ExactNumber,
    bounds: Bounds | None = None,
    MO: MeasureArgument = "MaxDivergence",
) -> Measurement:
    _check_integers(input_domain)
    space = check_space(LAPLACE, input_domain, input_metric)
    scale = check_scale(scale)
    check_measure(LAPLACE, MO, max_divergence())
    ends = _check_bounds(bounds)
    if ends is None:
        function = releaser(LAPLACE, space, scale, None)
    else:
        function = _bounded(space, scale, ends)
    count = space.size if space.vector else 1

    def privacy_map(d_in: ExactDistance) -> Any:
        if ends is None or count is None:
            return in_scales(d_in, scale)
        diameter = count * (ends[1] - ends[0])
        return in_scales(min(d_in, diameter), scale)

    return Measurement(
        input_domain, function, input_metric, max_divergence(), privacy_map
    )


# === _bounded with Callable, mpq, Data, NumberSpace, on_members, saturated, Any,
#    opendp_lite.base.aliases.Data
def _bounded(
    space: NumberSpace, scale: mpq, ends: tuple[int, int]
) -> Callable[[Any], Any]:
    lower, upper = ends

    def number(x: Data) -> int:
        noise = sample_discrete_laplace_within(scale, upper - lower)
        clamped = min(max(int(x), lower), upper)
        return min(max(clamped + noise, lower), upper)

    def array(values: Data) -> Any:
        return saturated(number, values)

    return on_members(space, number, array)


# === _check_integers with refusal, AtomDomain, VectorDomain, _MAKE
def _check_integers(domain: object) -> None:
    atom = domain.element_domain if isinstance(domain, VectorDomain) else domain
    if not isinstance(atom, AtomDomain) or atom.T is not int:
        fix = (
            "Pass atom_domain(T=int), or use then_laplace for other numbers, "
            "then_gaussian under the L2 distance, then_laplace_threshold or "
            "then_gaussian_threshold for maps, then_product for tuples"
        )
        raise refusal(_MAKE, "input_domain", domain, "must hold int", fix)


# === _check_bounds with Bounds, integer_argument, pair_argument, refusal, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Bounds, _MAKE
def _check_bounds(bounds: Bounds | None) -> tuple[int, int] | None:
    if bounds is None:
        return None
    fix = "Pass (lower, upper) with lower <= upper, such as (0, 10)"
    first, second = pair_argument(_MAKE, "bounds", bounds, fix)
    lower = integer_argument(_MAKE, "bounds", first, fix=fix)
    upper = integer_argument(_MAKE, "bounds", second, fix=fix)
    if lower > upper:
        rule = "lower may not be above upper"
        raise refusal(_MAKE, "bounds", bounds, rule, fix)
    return lower, upper
