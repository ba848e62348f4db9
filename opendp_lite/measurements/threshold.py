"""Noisy values of the keys of a map, and only of those at or beyond a threshold.

Beyond is away from 0: a negative threshold releases values at or below it.

Which keys a map has is as secret as its values. A key that only one of two neighbours
has is released with a small probability only, if its value is far below the threshold:
this is where delta comes from.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Data, DataFunction, ExactDistance, ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.containers import native
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain, MapDomain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import (
    ApproximateDivergence,
    MaxDivergence,
    Measure,
    ZeroConcentratedDivergence,
    approximate,
    max_divergence,
    zero_concentrated_divergence,
)
from opendp_lite.core.measures.measure import MeasureArgument
from opendp_lite.core.metrics import L01InfDistance, L02InfDistance, Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.exact.grids import (
    ceil_multiple,
    floor_multiple,
    nearest_multiple,
    power_of_two,
)
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.roots import Rooted, above, squared
from opendp_lite.exact.rounding import round_up, to_double
from opendp_lite.laws.noise import GAUSSIAN, LAPLACE
from opendp_lite.laws.tails import (
    chance_of_any,
    discrete_gaussian_tail,
    discrete_laplace_tail,
    gaussian_tail,
    laplace_tail,
)
from opendp_lite.measurements.noise.added_noise import AddedNoise
from opendp_lite.measurements.noise.additive import (
    NumberSpace,
    absolute_sensitivity,
    check_grid,
    in_scales,
    l1_sensitivity,
    l2_sensitivity,
    releaser,
    spacing,
)

_MAKE = "MakeMeasurement"
_SCALE_FIX = "Pass the scale of the noise, such as scale=1.0; 0 means no noise at all"
_THRESHOLD_FIX = (
    "Pass the least value to release, such as threshold=20, or the greatest of those "
    "below 0, such as threshold=-20"
)


@constructor(proof="measurements/make_laplace_threshold", status="vetted")
def make_laplace_threshold(
    input_domain: Domain,
    input_metric: Metric,
    scale: ExactNumber,
    threshold: ExactNumber,
    k: ExactNumber | None = None,
    MO: MeasureArgument = "Approximate<MaxDivergence>",
) -> Measurement:
    """Return a measurement that releases the keys whose noisy value is large enough.

    Laplace noise is added to every value of a map. A key is released, with its noisy
    value, if that is at or above `threshold`, or, if `threshold` is negative, at or
    below it. The keys come out in sorted order.

    Guarantee: let x, x' be within d_in = (l0, l1, linf): they differ in at most l0
    keys, by at most linf in each and l1 in all; a key that only one of them has is one
    of these, and counts as 0 in the other. Then P(M(x) in S) <= e^epsilon P(M(x') in S)
    + delta for every S, where with b = `scale`

    * epsilon is min(l1, l0 linf) / b, exactly (with `k`, of the distances that rounding
      can make of them);
    * delta is 1 - (1 - p)^l0, rounded up to a double, where p is the probability that
      the value linf (l1, if that is less) is released at the threshold |`threshold`|:
      its noisy value is *at* or above that. With l1 >= l0 linf two maps attain
      1 - (1 - p)^l0, if linf is a value (-linf at a negative threshold) and there are
      l0 keys; but on a grid a tie at -linf may be released more rarely.

    The noise is that of `make_laplace`: discrete on integers; on floats and Fractions
    real, added exactly and rounded once to a double, which is then compared with the
    threshold. Infinite values are released as they are, or not. With `k` values are
    rounded to multiples of 2^k and the noise is discrete on those.

    :param input_domain: map_domain from atom_domain of str, int or bool to atom_domain
        of int, float (nan=False) or Fraction
    :param input_metric: l01inf_distance(absolute_distance)
    :param scale: b >= 0, exact: int, float, Fraction, Decimal or text
    :param threshold: of any sign, exact likewise; it need not be a whole number
    :param k: exponent of the grid, of size at most 2^16; none by default
    :param MO: the output measure; Approximate<MaxDivergence> is the only one

    >>> import opendp_lite.prelude as dp
    >>> counts = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int))
    >>> metric = dp.l01inf_distance(dp.absolute_distance(T=int))
    >>> noisy = dp.m.make_laplace_threshold(counts, metric, scale=1, threshold=30)
    >>> noisy.map((1, 1, 1))
    (1.0, 1.8595...e-13)
    >>> list(noisy({"rare": 1, "b": 1000, "a": 2000}))
    ['a', 'b']

    Proof: proofs/measurements/make_laplace_threshold.tex
    """
    atom = _check_space(input_domain, input_metric, L01InfDistance)  # proof: space
    scale, threshold = _check_numbers(scale, threshold)  # proof: numbers
    _check_measure(MO, "MaxDivergence", max_divergence())  # proof: measure
    space = NumberSpace(atom, vector=False, size=None)  # proof: values
    k = check_grid(k, space)  # proof: grid
    least = _least(abs(threshold), atom.T)  # proof: least
    below = threshold < 0  # proof: below
    release = releaser(LAPLACE, space, scale, k)  # proof: release
    chance = _chancer(  # proof: chance
        atom.T, scale, k, least, discrete_laplace_tail, laplace_tail
    )

    def function(arg: Data) -> dict[Any, Any]:  # proof: function
        return _release_map(release, least, below, arg)

    def privacy_map(d_in: ExactDistance) -> Any:  # proof: map
        l0, l1, linf = d_in
        if l0 == 0:  # proof: same
            return 0, 0
        delta = chance_of_any(l0, chance(min(linf, l1)))  # proof: delta
        distance = min(  # proof: distance
            _rounded_norm(l1_sensitivity, l0, l1, k, spacing(atom)),
            _times(l0, _rounded(linf, k, spacing(atom))),
        )
        return in_scales(distance, scale), delta  # proof: loss

    measure = approximate(max_divergence())
    return Measurement(
        input_domain,
        function,
        input_metric,
        measure,
        privacy_map,
        noise=AddedNoise(LAPLACE, space, scale, k, keyed=True),
    )


then_laplace_threshold = then(make_laplace_threshold)


@constructor(proof="measurements/make_gaussian_threshold", status="vetted")
def make_gaussian_threshold(
    input_domain: Domain,
    input_metric: Metric,
    scale: ExactNumber,
    threshold: ExactNumber,
    k: ExactNumber | None = None,
    MO: MeasureArgument = "Approximate<ZeroConcentratedDivergence>",
) -> Measurement:
    """Return a measurement that releases the keys whose noisy value is large enough.

    Gaussian noise is added to every value of a map. A key is released, with its noisy
    value, if that is at or above `threshold`, or, if `threshold` is negative, at or
    below it. The keys come out in sorted order.

    Guarantee: let x, x' be within d_in = (l0, l2, linf): they differ in at most l0
    keys, by at most linf in each and l2 in the L2 norm; a key that only one of them has
    is one of these, and counts as 0 in the other. Then up to events of probability
    delta D_alpha(M(x) || M(x')) <= rho alpha for every alpha > 1 (delta-approximate
    rho-zCDP), where with b = `scale`

    * rho is min(l2^2, l0 linf^2) / (2 b^2), exactly (with `k`, of the distances that
      rounding can make of them);
    * delta is 1 - (1 - p)^l0, rounded up to a double, where p is the probability that
      the value linf (l2, if that is less) is released at the threshold |`threshold`|:
      its noisy value is *at* or above that. With l2^2 >= l0 linf^2 two maps attain
      1 - (1 - p)^l0, if linf is a value (-linf at a negative threshold) and there are
      l0 keys; but on a grid a tie at -linf may be released more rarely.

    The noise is that of `make_gaussian`: discrete on integers; on floats and Fractions
    real, added exactly and rounded once to a double, which is then compared with the
    threshold. Infinite values are released as they are, or not. With `k` values are
    rounded to multiples of 2^k and the noise is discrete on those.

    :param input_domain: map_domain from atom_domain of str, int or bool to atom_domain
        of int, float (nan=False) or Fraction
    :param input_metric: l02inf_distance(absolute_distance)
    :param scale: b >= 0, exact: int, float, Fraction, Decimal or text
    :param threshold: of any sign, exact likewise; it need not be a whole number
    :param k: exponent of the grid, of size at most 2^16; none by default
    :param MO: the output measure; Approximate<ZeroConcentratedDivergence> is the only
        one

    >>> import opendp_lite.prelude as dp
    >>> counts = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int))
    >>> metric = dp.l02inf_distance(dp.absolute_distance(T=int))
    >>> noisy = dp.m.make_gaussian_threshold(counts, metric, scale=2, threshold=30)
    >>> noisy.map((1, 1, 1))
    (0.125, 4.41514419234208e-47)
    >>> list(noisy({"rare": 1, "b": 1000, "a": 2000}))
    ['a', 'b']

    Proof: proofs/measurements/make_gaussian_threshold.tex
    """
    atom = _check_space(input_domain, input_metric, L02InfDistance)  # proof: space
    scale, threshold = _check_numbers(scale, threshold)  # proof: numbers
    _check_measure(  # proof: measure
        MO, "ZeroConcentratedDivergence", zero_concentrated_divergence()
    )
    space = NumberSpace(atom, vector=False, size=None)  # proof: values
    k = check_grid(k, space)  # proof: grid
    least = _least(abs(threshold), atom.T)  # proof: least
    below = threshold < 0  # proof: below
    release = releaser(GAUSSIAN, space, scale, k)  # proof: release
    chance = _chancer(  # proof: chance
        atom.T, scale, k, least, discrete_gaussian_tail, gaussian_tail
    )

    def function(arg: Data) -> dict[Any, Any]:  # proof: function
        return _release_map(release, least, below, arg)

    def privacy_map(d_in: ExactDistance) -> Any:  # proof: map
        l0, l2, linf = d_in
        if l0 == 0:  # proof: same
            return 0, 0
        delta = chance_of_any(l0, chance(min(linf, l2)))  # proof: delta
        square = min(  # proof: distance
            squared(_rounded_norm(l2_sensitivity, l0, l2, k, spacing(atom))),
            _times(l0, squared(_rounded(linf, k, spacing(atom)))),
        )
        return in_scales(square, mpq(2) * scale * scale), delta  # proof: loss

    measure = approximate(zero_concentrated_divergence())
    return Measurement(
        input_domain,
        function,
        input_metric,
        measure,
        privacy_map,
        noise=AddedNoise(GAUSSIAN, space, scale, k, keyed=True),
    )


then_gaussian_threshold = then(make_gaussian_threshold)


@constructor(proof="measurements/make_noise_threshold", status="vetted")
def make_noise_threshold(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    scale: ExactNumber,
    threshold: ExactNumber,
    k: ExactNumber | None = None,
) -> Measurement:
    """Return `make_laplace_threshold` or `make_gaussian_threshold`, by the measure.

    Guarantee: that of `make_laplace_threshold` for approximate(max_divergence()), and
    that of `make_gaussian_threshold` for approximate(zero_concentrated_divergence()).

    :param input_domain: map_domain from atom_domain of str, int or bool to atom_domain
        of int, float (nan=False) or Fraction
    :param input_metric: l01inf_distance(...) for Laplace noise, l02inf_distance(...)
        for Gaussian noise
    :param output_measure: approximate(max_divergence()) or
        approximate(zero_concentrated_divergence())
    :param scale: at least 0, exact: int, float, Fraction, Decimal or text
    :param threshold: of any sign, exact likewise; it need not be a whole number
    :param k: exponent of the grid, of size at most 2^16; none by default

    >>> import opendp_lite.prelude as dp
    >>> counts = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int))
    >>> metric = dp.l01inf_distance(dp.absolute_distance(T=int))
    >>> measure = dp.approximate(dp.max_divergence())
    >>> noisy = (counts, metric) >> dp.m.then_noise_threshold(measure, 1, 30)
    >>> noisy.map((1, 1, 1))
    (1.0, 1.8595...e-13)

    Proof: proofs/measurements/make_noise_threshold.tex
    """
    inner: Measure | None = None
    if type(output_measure) is ApproximateDivergence:
        inner = output_measure.inner  # proof: inner
    if type(inner) is MaxDivergence:  # proof: laplace
        return make_laplace_threshold(input_domain, input_metric, scale, threshold, k)
    if type(inner) is ZeroConcentratedDivergence:  # proof: gaussian
        return make_gaussian_threshold(input_domain, input_metric, scale, threshold, k)
    rule = "releasing keys needs a measure with delta"
    fix = "Pass approximate(max_divergence()) or approximate(zero_concentrated_...)"
    raise refusal(_MAKE, "output_measure", output_measure, rule, fix)  # proof: others


then_noise_threshold = then(make_noise_threshold)


def _release_map(
    release: DataFunction, least: Extended, below: bool, arg: dict[Data, Data]
) -> dict[Any, Any]:
    """Release the keys whose noisy value is at least `least`, in sorted order.

    With `below` these are the keys whose noisy value, negated, is at least that.
    """
    released = {}
    for each in sorted(arg, key=native):  # proof: sorted
        value = release(arg[each])  # proof: value
        if (-value if below else value) >= least:  # proof: at-or-beyond
            released[native(each)] = value  # proof: key
    return released


def _chancer(
    T: type,
    scale: mpq,
    k: int | None,
    least: Any,
    discrete_tail: Callable[[int, mpq, int], Enclosure],
    real_tail: Callable[[mpq, int], Enclosure],
) -> Callable[[Rooted], Callable[[int], Enclosure]]:
    """Return the function from a value to the chance that its key is released."""
    grid = power_of_two(0 if k is None else k)

    def chance(value: Rooted) -> Callable[[int], Enclosure]:
        if value == math.inf:  # proof: unbounded
            return _point(True)
        if least == math.inf:  # proof: unreachable
            return _point(False)
        x = above(value, -1074)  # proof: value
        if T is int:  # proof: whole
            x = mpq(floor_multiple(x, 0))
        cut = mpq(least) if T is int else _cut(least)  # proof: cut
        if k is None and T is not int:
            if scale == 0:  # proof: no-noise
                return _point(to_double(x) >= least)
            return lambda precision: real_tail((cut - x) / scale, precision)
        first = ceil_multiple(cut, k or 0)  # proof: first
        if T is not int and to_double(mpq(first) * grid) < least:  # proof: tie
            first += 1
        steps = first - nearest_multiple(x, k or 0)  # proof: steps
        if scale == 0:  # proof: no-noise-on-grid
            return _point(steps <= 0)
        return lambda precision: discrete_tail(steps, scale / grid, precision)

    return chance


def _point(certain: bool) -> Callable[[int], Enclosure]:
    return lambda precision: Enclosure(int(certain), int(certain))


def _least(threshold: mpq, T: type) -> Extended:
    """The least value of a release at or above a threshold that is not negative."""
    return ceil_multiple(threshold, 0) if T is int else round_up(threshold)


def _cut(least: float) -> mpq:
    """The middle of a double and the one before: from there on RN is at least it."""
    before = math.nextafter(least, -math.inf)
    return (mpq(before) + mpq(least)) / mpq(2)


def _rounded(d: Extended, k: int | None, step: mpq) -> Extended:
    """The distance of two values on the grid, if there is one."""
    return d if k is None else absolute_sensitivity(d, k, step)


def _rounded_norm(
    sensitivity: Callable[[Any, int, mpq, int], Any],
    count: Extended,
    d: Rooted,
    k: int | None,
    step: mpq,
) -> Any:
    """The distance on the grid of maps that differ in `count` keys, at distance d."""
    if k is None or d in (0, math.inf) or step >= power_of_two(k):  # proof: unrounded
        return d
    if count == math.inf:  # proof: any-number
        return math.inf
    return sensitivity(d, k, step, int(count))  # proof: rounded


def _times(count: Extended, d: Extended) -> Extended:
    if d == 0:  # proof: zero
        return 0
    return math.inf if math.inf in (count, d) else mpq(count) * mpq(d)


def _check_space(domain: object, metric: object, wanted: type[Metric]) -> AtomDomain:
    """Return the domain of the values."""
    fix = (
        "Pass map_domain(atom_domain(T=str), atom_domain(T=int)), as then_count_by "
        "makes it. Use then_laplace for numbers and under the L1 distance, "
        "then_gaussian under the L2 distance, then_noisy_max for scores, then_product "
        "for tuples"
    )
    if not isinstance(domain, MapDomain):  # proof: map
        raise refusal(_MAKE, "input_domain", domain, "must be a map_domain", fix)
    keys, atom = domain.key_domain, domain.value_domain
    if not isinstance(keys, AtomDomain) or keys.T not in (str, int, bool):
        rule = "its keys must be str, int or bool"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)  # proof: keys
    if not isinstance(atom, AtomDomain) or atom.T not in (int, float, Fraction):
        rule = "its values must be int, float or Fraction"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)  # proof: values
    if atom.nan:  # proof: nan
        rule, fix = "must not hold NaN", "Use atom_domain(T=float, nan=False)"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    if not isinstance(metric, wanted):  # proof: metric
        rule = f"must be {wanted.__name__} for this noise"
        fix = (
            "Use then_laplace_threshold under l01inf_distance, which then_count_by "
            "takes by default, and then_gaussian_threshold under l02inf_distance, "
            "which it takes as MO"
        )
        raise refusal(_MAKE, "input_metric", metric, rule, fix)
    return atom


def _check_numbers(scale: ExactNumber, threshold: ExactNumber) -> tuple[mpq, mpq]:
    """Return scale and threshold as exact numbers; the scale is not negative."""
    b: mpq = rational_argument(  # proof: scale
        _MAKE, "scale", scale, fix=_SCALE_FIX, at_least=0
    )
    t: mpq = rational_argument(  # proof: threshold
        _MAKE, "threshold", threshold, fix=_THRESHOLD_FIX
    )
    return b, t


def _check_measure(MO: MeasureArgument, name: str, inner: Measure) -> None:
    if MO not in (f"Approximate<{name}>", approximate(inner)):  # proof: measure
        rule = f"this noise is measured by Approximate<{name}>"
        raise refusal(_MAKE, "MO", MO, rule, "Leave MO out")
