# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.noise.additive; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from fractions import Fraction
from gmpy2 import mpq
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import DataFunction
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.containers import all_of_type
from opendp_lite.base.containers import is_array
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.measures.measure import MeasureArgument
from opendp_lite.core.metrics.numbers import AbsoluteDistance
from opendp_lite.core.metrics.numbers import L1Distance
from opendp_lite.core.metrics.numbers import L2Distance
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.roots import Rooted
from opendp_lite.exact.roots import above
from opendp_lite.exact.rounding import divide_to_double
from opendp_lite.exact.rounding import to_double
from opendp_lite.laws.noise import Law
from opendp_lite.randomness.discrete import DiscreteNoise
from opendp_lite.randomness.discrete import discrete_noise
from opendp_lite.randomness.lanes import FEW_REALS
from opendp_lite.randomness.real import RealNoise
from opendp_lite.randomness.real import real_noise
from typing import Any
import attrs
import math

_SPACINGS = {int: mpq(1), float: power_of_two(-1074), Fraction: mpq(0)}
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
opendp_lite.exact.roots.Rooted: typing.TypeAlias = opendp_lite.exact.rationals.Extended | opendp_lite.exact.roots.Root
_MAKE = "MakeMeasurement"
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.core.measures.measure.MeasureArgument: typing.TypeAlias = opendp_lite.core.measures.measure.Measure | type[opendp_lite.core.measures.measure.Measure] | str
opendp_lite.randomness.lanes.FEW_REALS = 48
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.DataFunction: typing.TypeAlias = collections.abc.Callable[[typing.Any], typing.Any]
_Releases = tuple[Callable[[Any], Any], ...]
_INFINITE = (math.inf, -math.inf)
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any


# === spacing with Fraction, mpq, AtomDomain, power_of_two, _SPACINGS
def spacing(domain: AtomDomain) -> mpq:
    return _SPACINGS[domain.T]


# === absolute_sensitivity with mpq, ceil_multiple, power_of_two, Extended, math,
#    opendp_lite.exact.rationals.Extended
def absolute_sensitivity(d_in: Extended, k: int, step: mpq) -> Extended:
    if d_in == math.inf or step >= power_of_two(k):
        return d_in
    return mpq(ceil_multiple(mpq(d_in), k)) * power_of_two(k)


# === l1_sensitivity with mpq, ceil_multiple, floor_multiple, power_of_two, Extended,
#    math, opendp_lite.exact.rationals.Extended
def l1_sensitivity(d_in: Extended, k: int, step: mpq, size: int) -> Extended:
    grid = power_of_two(k)
    if d_in == math.inf or step >= grid:
        return d_in
    if d_in == 0 or size == 0:
        return 0
    if mpq(d_in) < mpq(size) * step:
        return mpq(floor_multiple(mpq(d_in) / step, 0)) * grid
    rest = mpq(d_in) - mpq(size - 1) * step
    return mpq(size - 1 + ceil_multiple(rest, k)) * grid


# === l2_sensitivity with mpq, power_of_two, Rooted, above, math,
#    opendp_lite.exact.rationals.Extended, opendp_lite.exact.roots.Rooted
def l2_sensitivity(d_in: Rooted, k: int, step: mpq, size: int) -> Rooted:
    grid = power_of_two(k)
    if d_in == math.inf or step >= grid:
        return d_in
    if d_in == 0 or size == 0:
        return 0
    root = math.isqrt((size << 128) - 1) + 1
    distance = above(d_in, k - 64)
    return distance + mpq(root, 1 << 64) * (grid - step)


# === NumberSpace with AtomDomain, attrs
@attrs.frozen
class NumberSpace:
    atom: AtomDomain
    vector: bool
    size: int | None


# === check_space with Fraction, refusal, AtomDomain, VectorDomain, AbsoluteDistance,
#    L1Distance, L2Distance, Law, Any, _MAKE
def check_space(law: Law, domain: Any, metric: object) -> NumberSpace:
    norm = L1Distance if law.power == 1 else L2Distance
    fix = (
        "Pass atom_domain(T=int) and absolute_distance(T=int), or "
        f"vector_domain(atom_domain(T=int)) and l{law.power}_distance(T=int), which "
        "counts take as MO. Use then_laplace under the L1 distance, then_gaussian "
        "under the L2 distance, then_noisy_max for scores, then_laplace_threshold or "
        "then_gaussian_threshold for maps, then_product for tuples"
    )
    vector = isinstance(domain, VectorDomain)
    atom = domain.element_domain if vector else domain
    if not isinstance(atom, AtomDomain) or atom.T not in (int, float, Fraction):
        rule = "must hold int, float or Fraction"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    if atom.nan:
        rule = "must not hold NaN"
        fix = "Use atom_domain(T=float, nan=False), after make_impute_constant"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    wanted = norm if vector else AbsoluteDistance
    if not isinstance(metric, wanted):
        rule = f"must be {wanted.__name__} for this domain"
        raise refusal(_MAKE, "input_metric", metric, rule, fix)
    return NumberSpace(atom, vector, domain.size if vector else None)


# === check_scale with mpq, ExactNumber, rational_argument, ?,
#    opendp_lite.base.aliases.ExactNumber, _MAKE
def check_scale(scale: ExactNumber) -> mpq:
    fix = "Pass the scale of the noise, such as scale=1.0; 0 means no noise at all"
    number: mpq = rational_argument(
        _MAKE, "scale", scale, fix=fix, at_least=0
    )
    return number


# === check_measure with refusal, Measure, MeasureArgument, Law,
#    opendp_lite.core.measures.measure.MeasureArgument, _MAKE
def check_measure(law: Law, MO: MeasureArgument, measure: Measure) -> None:
    kind = type(measure)
    if MO not in (kind.__name__, kind, measure):
        rule = f"{law.name} noise is measured by {kind.__name__}"
        raise refusal(_MAKE, "MO", MO, rule, "Leave MO out")


# === check_grid with ExactNumber, integer_argument, refusal, power_of_two, ?,
#    opendp_lite.base.aliases.ExactNumber, _MAKE
def check_grid(k: ExactNumber | None, space: NumberSpace) -> int | None:
    if k is None:
        return None
    fix = "Leave k out: without a grid nothing is lost"
    exponent = integer_argument(
        _MAKE, "k", k, fix=fix, at_least=-(2**16), at_most=2**16
    )
    if space.atom.T is int and exponent < 0:
        rule = "must be at least 0 on integers"
        raise refusal(_MAKE, "k", k, rule, fix)
    rounds = spacing(space.atom) < power_of_two(exponent)
    if space.vector and space.size is None and rounds:
        rule = (
            "rounding costs up to one grid step for each entry, and a vector of "
            "unknown size may have any number of them"
        )
        fix = "Leave k out, or use vector_domain(..., size=n)"
        raise refusal(_MAKE, "k", k, rule, fix)
    return exponent


# === releaser with Callable, mpq, power_of_two, Law, discrete_noise, real_noise, Any
def releaser(
    law: Law, space: NumberSpace, scale: mpq, k: int | None
) -> Callable[[Any], Any]:
    whole = space.atom.T is int
    if k is None and whole:
        return on_members(
            space,
            *_integers(discrete_noise(law, scale)),
        )
    if k is None:
        return on_members(space, *_reals(real_noise(law, scale)))
    noise = discrete_noise(law, scale / power_of_two(k))
    choose = _integers_on_grid if whole else _reals_on_grid
    return on_members(space, *choose(noise, k))


# === list_length with FEW_REALS, opendp_lite.randomness.lanes.FEW_REALS
def list_length(space: NumberSpace) -> int | None:
    floats = space.vector and space.atom.T is float
    return FEW_REALS if floats else None


# === on_members with Callable, Data, DataFunction, all_of_type, is_array, FEW_REALS,
#    Any, opendp_lite.base.aliases.Data, opendp_lite.base.aliases.DataFunction,
#    opendp_lite.randomness.lanes.FEW_REALS
def on_members(
    space: NumberSpace,
    number: DataFunction,
    array: DataFunction,
    several: Callable[[list[Any]], list[Any]] | None = None,
) -> Callable[[Any], Any]:
    if not space.vector:
        return number

    def function(arg: Data) -> Any:
        if is_array(arg):
            return array(arg)
        if several is not None:
            return several(arg)
        if len(arg) >= FEW_REALS and all_of_type(arg, float):
            return array(_as_float64(arg)).tolist()
        return [number(x) for x in arg]

    return function


# === _integers with Callable, Data, DiscreteNoise, Any, opendp_lite.base.aliases.Data,
#    _Releases
def _integers(noise: DiscreteNoise) -> _Releases:
    sample = noise.sample

    def number(x: Data) -> int:
        return int(x) + sample()

    def array(values: Data) -> Any:
        if not _fits_int64(values):
            return saturated(number, values)
        return noise.add(_as_int64(values))

    return number, array, noise.add_to_list


# === _integers_on_grid with Callable, Data, DiscreteNoise, Any,
#    opendp_lite.base.aliases.Data, _Releases
def _integers_on_grid(noise: DiscreteNoise, k: int) -> _Releases:
    sample, step = noise.sample, 1 << k

    def multiple(x: Data) -> int:
        return (2 * int(x) + step) // (2 * step)

    def number(x: Data) -> int:
        return (multiple(x) + sample()) * step

    def several(values: list[Data]) -> list[int]:
        sums = noise.add_to_list([multiple(x) for x in values])
        return [y * step for y in sums]

    def array(values: Data) -> Any:
        if not _fits_int64(values):
            return saturated(number, values)
        return noise.add_on_grid(_as_int64(values), k)

    return number, array, several


# === _reals with Callable, Fraction, Data, all_of_type, divide_to_double, FEW_REALS,
#    RealNoise, Any, opendp_lite.base.aliases.Data, _Releases,
#    opendp_lite.randomness.lanes.FEW_REALS
def _reals(noise: RealNoise) -> _Releases:
    release = noise.release

    def number(x: Data) -> float:
        if type(x) is float:
            return release(x)
        if isinstance(x, Fraction | int):
            return noise.draw(
                *x.as_integer_ratio(), divide_to_double
            )
        return release(float(x))

    def array(values: Data) -> Any:
        return noise.add(_as_float64(values))

    def several(values: list[Data]) -> list[float]:
        if len(values) >= FEW_REALS:
            from opendp_lite.data.doubles import read_doubles

            if (doubles := read_doubles(values)) is not None:
                released: list[float] = noise.add(doubles).tolist()
                return released
        if all_of_type(values, float):
            return noise.releases(values)
        return [number(x) for x in values]

    return number, array, several


# === _reals_on_grid with Callable, mpq, Data, nearest_multiple, power_of_two, to_mpq,
#    to_double, DiscreteNoise, Any, math, opendp_lite.base.aliases.Data, _INFINITE,
#    _Releases
def _reals_on_grid(noise: DiscreteNoise, k: int) -> _Releases:
    sample, step = noise.sample, power_of_two(k)

    def number(x: Data) -> float:
        if x in _INFINITE:
            return float(x)
        multiple = nearest_multiple(to_mpq(x), k) + sample()
        return to_double(mpq(multiple) * step)

    def array(values: Data) -> Any:
        return noise.add_on_grid(_as_float64(values), k)

    return number, array


# === saturated with Callable, Data, Any, opendp_lite.base.aliases.Data
def saturated(release: Callable[[Any], int], values: Data) -> Any:
    import numpy

    released = [release(x) for x in values.tolist()]
    ends = -(2**63), 2**63 - 1
    clamped = [min(max(y, ends[0]), ends[1]) for y in released]
    return numpy.array(clamped, numpy.int64)


# === _fits_int64 with Data, opendp_lite.base.aliases.Data
def _fits_int64(values: Data) -> bool:
    return bool(values.dtype.kind == "i" or values.dtype.itemsize < 8)


# === _as_int64 with Data, Any, opendp_lite.base.aliases.Data
def _as_int64(values: Data) -> Any:
    import numpy

    return numpy.asarray(values, numpy.int64)


# === _as_float64 with Data, Any, opendp_lite.base.aliases.Data
def _as_float64(values: Data) -> Any:
    import numpy

    return numpy.asarray(values, numpy.float64)


# === sensitivity with ExactDistance, Law, opendp_lite.base.aliases.ExactDistance
def sensitivity(
    law: Law, space: NumberSpace, k: int | None, d_in: ExactDistance
) -> ExactDistance:
    if k is None:
        return d_in
    step = spacing(space.atom)
    if not space.vector:
        return absolute_sensitivity(d_in, k, step)
    bound = l1_sensitivity if law.power == 1 else l2_sensitivity
    return bound(d_in, k, step, space.size or 0)


# === in_scales with mpq, Extended, math, opendp_lite.exact.rationals.Extended
def in_scales(distance: Extended, scale: mpq) -> Extended:
    if distance == 0:
        return 0
    if distance == math.inf or scale == 0:
        return math.inf
    return mpq(distance) / scale
