# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.threshold; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from fractions import Fraction
from gmpy2 import mpq
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import DataFunction
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.containers import native
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.map import MapDomain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.approximate import ApproximateDivergence
from opendp_lite.core.measures.approximate import approximate
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.measures.measure import MeasureArgument
from opendp_lite.core.measures.plain import MaxDivergence
from opendp_lite.core.measures.plain import ZeroConcentratedDivergence
from opendp_lite.core.measures.plain import max_divergence
from opendp_lite.core.measures.plain import zero_concentrated_divergence
from opendp_lite.core.metrics.map_differences import L01InfDistance
from opendp_lite.core.metrics.map_differences import L02InfDistance
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.roots import Rooted
from opendp_lite.exact.roots import above
from opendp_lite.exact.roots import squared
from opendp_lite.exact.rounding import round_up
from opendp_lite.exact.rounding import to_double
from opendp_lite.laws.noise import GAUSSIAN
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.laws.tails import chance_of_any
from opendp_lite.laws.tails import discrete_gaussian_tail
from opendp_lite.laws.tails import discrete_laplace_tail
from opendp_lite.laws.tails import gaussian_tail
from opendp_lite.laws.tails import laplace_tail
from opendp_lite.measurements.noise.additive import NumberSpace
from opendp_lite.measurements.noise.additive import absolute_sensitivity
from opendp_lite.measurements.noise.additive import check_grid
from opendp_lite.measurements.noise.additive import in_scales
from opendp_lite.measurements.noise.additive import l1_sensitivity
from opendp_lite.measurements.noise.additive import l2_sensitivity
from opendp_lite.measurements.noise.additive import releaser
from opendp_lite.measurements.noise.additive import spacing
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
opendp_lite.core.measures.measure.MeasureArgument: typing.TypeAlias = opendp_lite.core.measures.measure.Measure | type[opendp_lite.core.measures.measure.Measure] | str
opendp_lite.laws.noise.LAPLACE = opendp_lite.laws.noise.Law('Laplace', 1, 2)
opendp_lite.laws.noise.GAUSSIAN = opendp_lite.laws.noise.Law('Gaussian', 2, 2)
_MAKE = "MakeMeasurement"
opendp_lite.base.aliases.DataFunction: typing.TypeAlias = collections.abc.Callable[[typing.Any], typing.Any]
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
opendp_lite.exact.roots.Rooted: typing.TypeAlias = opendp_lite.exact.rationals.Extended | opendp_lite.exact.roots.Root
_SCALE_FIX = "Pass the scale of the noise, such as scale=1.0; 0 means no noise at all"
_THRESHOLD_FIX = (
    "Pass the least value to release, such as threshold=20, or the greatest of those "
    "below 0, such as threshold=-20"
)


# === make_laplace_threshold with Data, ExactDistance, ExactNumber, Domain, Measurement,
#    approximate, MeasureArgument, max_divergence, L01InfDistance, Metric, LAPLACE,
#    chance_of_any, discrete_laplace_tail, laplace_tail, NumberSpace, check_grid,
#    in_scales, l1_sensitivity, releaser, spacing, Any, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data, opendp_lite.core.measures.measure.MeasureArgument,
#    opendp_lite.laws.noise.LAPLACE
def make_laplace_threshold(
    input_domain: Domain,
    input_metric: Metric,
    scale: ExactNumber,
    threshold: ExactNumber,
    k: ExactNumber | None = None,
    MO: MeasureArgument = "Approximate<MaxDivergence>",
) -> Measurement:
    atom = _check_space(input_domain, input_metric, L01InfDistance)
    scale, threshold = _check_numbers(scale, threshold)
    _check_measure(MO, "MaxDivergence", max_divergence())
    space = NumberSpace(atom, vector=False, size=None)
    k = check_grid(k, space)
    least = _least(abs(threshold), atom.T)
    below = threshold < 0
    release = releaser(LAPLACE, space, scale, k)
    chance = _chancer(
        atom.T, scale, k, least, discrete_laplace_tail, laplace_tail
    )

    def function(arg: Data) -> dict[Any, Any]:
        return _release_map(release, least, below, arg)

    def privacy_map(d_in: ExactDistance) -> Any:
        l0, l1, linf = d_in
        if l0 == 0:
            return 0, 0
        delta = chance_of_any(l0, chance(min(linf, l1)))
        distance = min(
            _rounded_norm(l1_sensitivity, l0, l1, k, spacing(atom)),
            _times(l0, _rounded(linf, k, spacing(atom))),
        )
        return in_scales(distance, scale), delta

    measure = approximate(max_divergence())
    return Measurement(input_domain, function, input_metric, measure, privacy_map)


# === make_gaussian_threshold with mpq, Data, ExactDistance, ExactNumber, Domain,
#    Measurement, approximate, MeasureArgument, zero_concentrated_divergence,
#    L02InfDistance, Metric, squared, GAUSSIAN, chance_of_any, discrete_gaussian_tail,
#    gaussian_tail, NumberSpace, check_grid, in_scales, l2_sensitivity, releaser,
#    spacing, Any, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data,
#    opendp_lite.core.measures.measure.MeasureArgument, opendp_lite.laws.noise.GAUSSIAN
def make_gaussian_threshold(
    input_domain: Domain,
    input_metric: Metric,
    scale: ExactNumber,
    threshold: ExactNumber,
    k: ExactNumber | None = None,
    MO: MeasureArgument = "Approximate<ZeroConcentratedDivergence>",
) -> Measurement:
    atom = _check_space(input_domain, input_metric, L02InfDistance)
    scale, threshold = _check_numbers(scale, threshold)
    _check_measure(
        MO, "ZeroConcentratedDivergence", zero_concentrated_divergence()
    )
    space = NumberSpace(atom, vector=False, size=None)
    k = check_grid(k, space)
    least = _least(abs(threshold), atom.T)
    below = threshold < 0
    release = releaser(GAUSSIAN, space, scale, k)
    chance = _chancer(
        atom.T, scale, k, least, discrete_gaussian_tail, gaussian_tail
    )

    def function(arg: Data) -> dict[Any, Any]:
        return _release_map(release, least, below, arg)

    def privacy_map(d_in: ExactDistance) -> Any:
        l0, l2, linf = d_in
        if l0 == 0:
            return 0, 0
        delta = chance_of_any(l0, chance(min(linf, l2)))
        square = min(
            squared(_rounded_norm(l2_sensitivity, l0, l2, k, spacing(atom))),
            _times(l0, squared(_rounded(linf, k, spacing(atom)))),
        )
        return in_scales(square, mpq(2) * scale * scale), delta

    measure = approximate(zero_concentrated_divergence())
    return Measurement(input_domain, function, input_metric, measure, privacy_map)


# === make_noise_threshold with ExactNumber, refusal, Domain, Measurement,
#    ApproximateDivergence, Measure, MaxDivergence, ZeroConcentratedDivergence, Metric,
#    ?, opendp_lite.base.aliases.ExactNumber, _MAKE
def make_noise_threshold(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    scale: ExactNumber,
    threshold: ExactNumber,
    k: ExactNumber | None = None,
) -> Measurement:
    inner: Measure | None = None
    if type(output_measure) is ApproximateDivergence:
        inner = output_measure.inner
    if type(inner) is MaxDivergence:
        return make_laplace_threshold(input_domain, input_metric, scale, threshold, k)
    if type(inner) is ZeroConcentratedDivergence:
        return make_gaussian_threshold(input_domain, input_metric, scale, threshold, k)
    rule = "releasing keys needs a measure with delta"
    fix = "Pass approximate(max_divergence()) or approximate(zero_concentrated_...)"
    raise refusal(_MAKE, "output_measure", output_measure, rule, fix)


# === _release_map with Data, DataFunction, native, Extended, Any,
#    opendp_lite.base.aliases.Data, opendp_lite.base.aliases.DataFunction,
#    opendp_lite.exact.rationals.Extended
def _release_map(
    release: DataFunction, least: Extended, below: bool, arg: dict[Data, Data]
) -> dict[Any, Any]:
    released = {}
    for each in sorted(arg, key=native):
        value = release(arg[each])
        if (-value if below else value) >= least:
            released[native(each)] = value
    return released


# === _chancer with Callable, mpq, ceil_multiple, floor_multiple, nearest_multiple,
#    power_of_two, Enclosure, Rooted, above, to_double, Any, math,
#    opendp_lite.exact.rationals.Extended, opendp_lite.exact.roots.Rooted
def _chancer(
    T: type,
    scale: mpq,
    k: int | None,
    least: Any,
    discrete_tail: Callable[[int, mpq, int], Enclosure],
    real_tail: Callable[[mpq, int], Enclosure],
) -> Callable[[Rooted], Callable[[int], Enclosure]]:
    grid = power_of_two(0 if k is None else k)

    def chance(value: Rooted) -> Callable[[int], Enclosure]:
        if value == math.inf:
            return _point(True)
        if least == math.inf:
            return _point(False)
        x = above(value, -1074)
        if T is int:
            x = mpq(floor_multiple(x, 0))
        cut = mpq(least) if T is int else _cut(least)
        if k is None and T is not int:
            if scale == 0:
                return _point(to_double(x) >= least)
            return lambda precision: real_tail((cut - x) / scale, precision)
        first = ceil_multiple(cut, k or 0)
        if T is not int and to_double(mpq(first) * grid) < least:
            first += 1
        steps = first - nearest_multiple(x, k or 0)
        if scale == 0:
            return _point(steps <= 0)
        return lambda precision: discrete_tail(steps, scale / grid, precision)

    return chance


# === _point with Callable, Enclosure
def _point(certain: bool) -> Callable[[int], Enclosure]:
    return lambda precision: Enclosure(int(certain), int(certain))


# === _least with mpq, ceil_multiple, Extended, round_up,
#    opendp_lite.exact.rationals.Extended
def _least(threshold: mpq, T: type) -> Extended:
    return ceil_multiple(threshold, 0) if T is int else round_up(threshold)


# === _cut with mpq, math
def _cut(least: float) -> mpq:
    before = math.nextafter(least, -math.inf)
    return (mpq(before) + mpq(least)) / mpq(2)


# === _rounded with mpq, Extended, absolute_sensitivity,
#    opendp_lite.exact.rationals.Extended
def _rounded(d: Extended, k: int | None, step: mpq) -> Extended:
    return d if k is None else absolute_sensitivity(d, k, step)


# === _rounded_norm with Callable, mpq, power_of_two, Extended, Rooted, Any, math,
#    opendp_lite.exact.rationals.Extended, opendp_lite.exact.roots.Rooted
def _rounded_norm(
    sensitivity: Callable[[Any, int, mpq, int], Any],
    count: Extended,
    d: Rooted,
    k: int | None,
    step: mpq,
) -> Any:
    if k is None or d in (0, math.inf) or step >= power_of_two(k):
        return d
    if count == math.inf:
        return math.inf
    return sensitivity(d, k, step, int(count))


# === _times with mpq, Extended, math, opendp_lite.exact.rationals.Extended
def _times(count: Extended, d: Extended) -> Extended:
    if d == 0:
        return 0
    return math.inf if math.inf in (count, d) else mpq(count) * mpq(d)


# === _check_space with Fraction, refusal, AtomDomain, MapDomain, Metric, _MAKE
def _check_space(domain: object, metric: object, wanted: type[Metric]) -> AtomDomain:
    fix = (
        "Pass map_domain(atom_domain(T=str), atom_domain(T=int)), as then_count_by "
        "makes it. Use then_laplace for numbers and under the L1 distance, "
        "then_gaussian under the L2 distance, then_noisy_max for scores, then_product "
        "for tuples"
    )
    if not isinstance(domain, MapDomain):
        raise refusal(_MAKE, "input_domain", domain, "must be a map_domain", fix)
    keys, atom = domain.key_domain, domain.value_domain
    if not isinstance(keys, AtomDomain) or keys.T not in (str, int, bool):
        rule = "its keys must be str, int or bool"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    if not isinstance(atom, AtomDomain) or atom.T not in (int, float, Fraction):
        rule = "its values must be int, float or Fraction"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    if atom.nan:
        rule, fix = "must not hold NaN", "Use atom_domain(T=float, nan=False)"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    if not isinstance(metric, wanted):
        rule = f"must be {wanted.__name__} for this noise"
        fix = (
            "Use then_laplace_threshold under l01inf_distance, which then_count_by "
            "takes by default, and then_gaussian_threshold under l02inf_distance, "
            "which it takes as MO"
        )
        raise refusal(_MAKE, "input_metric", metric, rule, fix)
    return atom


# === _check_numbers with mpq, ExactNumber, rational_argument, ?,
#    opendp_lite.base.aliases.ExactNumber, _MAKE, _SCALE_FIX, _THRESHOLD_FIX
def _check_numbers(scale: ExactNumber, threshold: ExactNumber) -> tuple[mpq, mpq]:
    b: mpq = rational_argument(
        _MAKE, "scale", scale, fix=_SCALE_FIX, at_least=0
    )
    t: mpq = rational_argument(
        _MAKE, "threshold", threshold, fix=_THRESHOLD_FIX
    )
    return b, t


# === _check_measure with refusal, approximate, Measure, MeasureArgument,
#    opendp_lite.core.measures.measure.MeasureArgument, _MAKE
def _check_measure(MO: MeasureArgument, name: str, inner: Measure) -> None:
    if MO not in (f"Approximate<{name}>", approximate(inner)):
        rule = f"this noise is measured by Approximate<{name}>"
        raise refusal(_MAKE, "MO", MO, rule, "Leave MO out")
