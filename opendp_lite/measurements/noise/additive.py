"""Noise that is added to numbers, on a grid too: what all laws have in common.

A number x is rounded to the multiple 2^k floor(x/2^k + 1/2). Two numbers that differ
by t grid steps are rounded to multiples at most ceil(t) steps apart.

A constructor checks its arguments (`check_space`, `check_scale`, `check_measure`,
`check_grid`), takes its function from `releaser`, and its map from `sensitivity` and
`in_scales`; the law of the noise is an argument of all of these.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import Data, DataFunction, ExactDistance, ExactNumber
from opendp_lite.base.arguments import integer_argument, rational_argument
from opendp_lite.base.containers import all_of_type, is_array
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, VectorDomain
from opendp_lite.core.measures import Measure
from opendp_lite.core.measures.measure import MeasureArgument
from opendp_lite.core.metrics import AbsoluteDistance, L1Distance, L2Distance
from opendp_lite.exact.grids import (
    ceil_multiple,
    floor_multiple,
    nearest_multiple,
    power_of_two,
)
from opendp_lite.exact.rationals import Extended, to_mpq
from opendp_lite.exact.roots import Rooted, above
from opendp_lite.exact.rounding import divide_to_double, to_double
from opendp_lite.laws.noise import Law
from opendp_lite.randomness.discrete import DiscreteNoise, discrete_noise
from opendp_lite.randomness.lanes import FEW_REALS
from opendp_lite.randomness.real import RealNoise, real_noise

_SPACINGS = {int: mpq(1), float: power_of_two(-1074), Fraction: mpq(0)}


def spacing(domain: AtomDomain) -> mpq:
    """Return the number of which all members are multiples; 0 if there is none."""
    return _SPACINGS[domain.T]


def absolute_sensitivity(d_in: Extended, k: int, step: mpq) -> Extended:
    """Return the distance on the grid of numbers at distance `d_in`.

    `step` is the spacing of the numbers; where it is a multiple of the grid's,
    nothing is rounded.
    """
    if d_in == math.inf or step >= power_of_two(k):  # proof: unrounded
        return d_in
    return mpq(ceil_multiple(mpq(d_in), k)) * power_of_two(k)  # proof: steps


def l1_sensitivity(d_in: Extended, k: int, step: mpq, size: int) -> Extended:
    """Return the L1 distance on the grid of `size` numbers at L1 distance `d_in`.

    Each number that differs at all differs by at least `step`, and costs at most one
    grid step more than its share of the distance.
    """
    grid = power_of_two(k)
    if d_in == math.inf or step >= grid:  # proof: unrounded
        return d_in
    if d_in == 0 or size == 0:  # proof: zero
        return 0
    if mpq(d_in) < mpq(size) * step:  # proof: few
        return mpq(floor_multiple(mpq(d_in) / step, 0)) * grid
    rest = mpq(d_in) - mpq(size - 1) * step  # proof: rest
    return mpq(size - 1 + ceil_multiple(rest, k)) * grid  # proof: steps


def l2_sensitivity(d_in: Rooted, k: int, step: mpq, size: int) -> Rooted:
    """Return a bound of the L2 distance on the grid at the L2 distance `d_in`.

    It is d_in + sqrt(size) (2^k - step), with the square root of the size rounded up to
    a multiple of 2^-64 and, if d_in is a root, that to a multiple of 2^(k-64). Where
    nothing is rounded to the grid it is d_in itself.
    """
    grid = power_of_two(k)
    if d_in == math.inf or step >= grid:  # proof: unrounded
        return d_in
    if d_in == 0 or size == 0:  # proof: zero
        return 0
    root = math.isqrt((size << 128) - 1) + 1  # proof: root
    distance = above(d_in, k - 64)  # proof: distance
    return distance + mpq(root, 1 << 64) * (grid - step)  # proof: steps


_MAKE = "MakeMeasurement"
_INFINITE = (math.inf, -math.inf)


@attrs.frozen
class NumberSpace:
    """The domain of a number, and whether the members are vectors, of which size."""

    atom: AtomDomain
    vector: bool
    size: int | None


def check_space(law: Law, domain: Any, metric: object) -> NumberSpace:
    """Return the space of numbers under the absolute distance, or of vectors.

    The metric of vectors is the L1 distance for Laplace noise and the L2 distance for
    Gaussian noise.
    """
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
        raise refusal(_MAKE, "input_domain", domain, rule, fix)  # proof: numbers
    if atom.nan:
        rule = "must not hold NaN"
        fix = "Use atom_domain(T=float, nan=False), after make_impute_constant"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)  # proof: nan
    wanted = norm if vector else AbsoluteDistance
    if not isinstance(metric, wanted):
        rule = f"must be {wanted.__name__} for this domain"
        raise refusal(_MAKE, "input_metric", metric, rule, fix)  # proof: metric
    return NumberSpace(atom, vector, domain.size if vector else None)


def check_scale(scale: ExactNumber) -> mpq:
    """Return the scale of the noise as an exact number that is not negative."""
    fix = "Pass the scale of the noise, such as scale=1.0; 0 means no noise at all"
    number: mpq = rational_argument(  # proof: range
        _MAKE, "scale", scale, fix=fix, at_least=0
    )
    return number


def check_measure(law: Law, MO: MeasureArgument, kind: type[Measure]) -> None:
    """Refuse an MO that is not `kind`, its name, or the measure of this class."""
    if MO not in (kind.__name__, kind, kind()):
        rule = f"{law.name} noise is measured by {kind.__name__}"
        raise refusal(_MAKE, "MO", MO, rule, "Leave MO out")  # proof: measure


def check_grid(k: ExactNumber | None, space: NumberSpace) -> int | None:
    """Return the exponent of the grid; None stands for no grid."""
    if k is None:
        return None
    fix = "Leave k out: without a grid nothing is lost"
    exponent = integer_argument(  # proof: range
        _MAKE, "k", k, fix=fix, at_least=-(2**16), at_most=2**16
    )
    if space.atom.T is int and exponent < 0:
        rule = "must be at least 0 on integers"
        raise refusal(_MAKE, "k", k, rule, fix)  # proof: integers
    rounds = spacing(space.atom) < power_of_two(exponent)
    if space.vector and space.size is None and rounds:
        rule = (
            "rounding costs up to one grid step for each entry, and a vector of "
            "unknown size may have any number of them"
        )
        fix = "Leave k out, or use vector_domain(..., size=n)"
        raise refusal(_MAKE, "k", k, rule, fix)  # proof: unsized
    return exponent


def releaser(law: Law, space: NumberSpace, scale: mpq, k: int | None) -> DataFunction:
    """Return the function that adds noise to a number, or to each of a vector.

    An integer x is released as x + Z, exactly, and another number as the double
    nearest to x + Y, saturated, where Z is discrete and Y real noise of the law and
    `scale`. With `k`, x is rounded to a multiple of 2^k first, and the noise is
    discrete on those multiples. Arrays become int64, saturated, or float64.
    """
    whole = space.atom.T is int
    if k is None and whole:
        noise = discrete_noise(law, scale)  # proof: integers
        return _integer_releaser(noise, space.vector)
    if k is None:
        return _real_releaser(real_noise(law, scale), space.vector)  # proof: reals
    noise = discrete_noise(law, scale / power_of_two(k))  # proof: steps
    if whole:
        return _integer_grid_releaser(noise, k, space.vector)
    return _real_grid_releaser(noise, k, space.vector)


def list_length(space: NumberSpace) -> int | None:
    """Return from how many floats on a list is released as an array is, or None."""
    floats = space.vector and space.atom.T is float
    return FEW_REALS if floats else None  # proof: floats


def _integer_releaser(noise: DiscreteNoise, vector: bool) -> DataFunction:
    """Return the function that releases an integer x as x + Z; `noise` draws Z."""

    def release_number(x: Data) -> int:
        return int(x) + noise.sample()  # proof: sum

    def release_vector(arg: Data) -> Any:
        if not is_array(arg):
            return noise.add_to_list(arg)  # proof: list
        if _fits_int64(arg):
            return noise.add(_as_int64(arg))  # proof: bulk
        return clamp_to_int64([release_number(x) for x in arg.tolist()])  # proof: wide

    return release_vector if vector else release_number


def _integer_grid_releaser(noise: DiscreteNoise, k: int, vector: bool) -> DataFunction:
    """Return the function that rounds an integer to a multiple of 2^k and adds Z 2^k.

    `noise` draws Z.
    """
    step = 1 << k

    def count_steps(x: Data) -> int:
        return (2 * int(x) + step) // (2 * step)  # proof: multiple

    def release_number(x: Data) -> int:
        return (count_steps(x) + noise.sample()) * step  # proof: sum

    def release_vector(arg: Data) -> Any:
        if not is_array(arg):
            sums = noise.add_to_list([count_steps(x) for x in arg])  # proof: sums
            return [y * step for y in sums]  # proof: list
        if _fits_int64(arg):
            return noise.add_on_grid(_as_int64(arg), k)  # proof: bulk
        return clamp_to_int64([release_number(x) for x in arg.tolist()])  # proof: wide

    return release_vector if vector else release_number


def _real_releaser(noise: RealNoise, vector: bool) -> DataFunction:
    """Return the function that adds `noise` to x and releases the nearest double."""

    def release_number(x: Data) -> float:
        if type(x) is float:
            return noise.release(x)  # proof: double
        if isinstance(x, Fraction | int):
            n, d = x.as_integer_ratio()
            return noise.draw(n, d, divide_to_double)  # proof: rational
        return noise.release(float(x))  # proof: numpy-double

    def release_vector(arg: Data) -> Any:
        if is_array(arg):
            return noise.add(as_float64(arg))  # proof: bulk
        if all_of_type(arg, float):
            return noise.releases(arg)  # proof: floats
        return [release_number(x) for x in arg]  # proof: list

    return release_vector if vector else release_number


def _real_grid_releaser(noise: DiscreteNoise, k: int, vector: bool) -> DataFunction:
    """Return the function that rounds a number to a multiple of 2^k and adds Z 2^k.

    `noise` draws Z. The function releases the double nearest to the sum.
    """
    step = power_of_two(k)

    def release_number(x: Data) -> float:
        if x in _INFINITE:
            return float(x)  # proof: infinite
        multiple = nearest_multiple(to_mpq(x), k) + noise.sample()  # proof: multiple
        return to_double(mpq(multiple) * step)  # proof: sum

    def release_vector(arg: Data) -> Any:
        if is_array(arg):
            return noise.add_on_grid(as_float64(arg), k)  # proof: bulk
        if len(arg) >= FEW_REALS and all_of_type(arg, float):
            return noise.add_on_grid(as_float64(arg), k).tolist()  # proof: floats
        return [release_number(x) for x in arg]  # proof: list

    return release_vector if vector else release_number


def clamp_to_int64(values: list[int]) -> Any:
    """Return integers as an array of int64, each clamped to the range of int64."""
    import numpy

    least, most = -(2**63), 2**63 - 1
    clamped = [min(max(x, least), most) for x in values]  # proof: clamped
    return numpy.array(clamped, numpy.int64)


def _fits_int64(values: Data) -> bool:
    """Whether all integers of the dtype are int64; the values have no part in it."""
    return bool(values.dtype.kind == "i" or values.dtype.itemsize < 8)  # proof: dtype


def _as_int64(values: Data) -> Any:
    import numpy

    return numpy.asarray(values, numpy.int64)  # proof: integers


def as_float64(values: Data) -> Any:
    """Return an array of floats, or a list of Python floats, as an array of float64."""
    import numpy

    return numpy.asarray(values, numpy.float64)  # proof: doubles


def sensitivity(
    law: Law, space: NumberSpace, k: int | None, d_in: ExactDistance
) -> ExactDistance:
    """Return a bound on the distance to which rounding takes members at `d_in`."""
    if k is None:
        return d_in  # proof: unrounded
    step = spacing(space.atom)
    if not space.vector:
        return absolute_sensitivity(d_in, k, step)  # proof: number
    # Without a size nothing is rounded (`check_grid`), and none is needed.
    bound = l1_sensitivity if law.power == 1 else l2_sensitivity
    return bound(d_in, k, step, space.size or 0)  # proof: vector


def in_scales(distance: Extended, scale: mpq) -> Extended:
    """Return distance/scale: 0 at the distance 0, and else infinite at the scale 0."""
    if distance == 0:
        return 0  # proof: zero
    if distance == math.inf or scale == 0:
        return math.inf  # proof: infinite
    return mpq(distance) / scale  # proof: quotient
