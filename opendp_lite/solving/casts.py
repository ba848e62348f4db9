"""Casts: a measurement, or a budget, under another measure.

A measurement is cast by the conversions of the library, one after the other. A budget
is translated the other way: what may be spent under the new measure so that the cast of
it is within the old one. Translations are found by rounded numbers, and then lowered
until the conversion itself says that they fit. If one were wrong nothing would be lost
but a query: what it costs is what its map says.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import gmpy2
from gmpy2 import mpfr, mpq

from opendp_lite.base.aliases import ExactLoss
from opendp_lite.combinators.conversion import (
    make_approximate,
    make_fix_delta,
    make_fixed_approxDP_to_approxDP,
    make_pureDP_to_zCDP,
    make_RDP_to_approxDP,
    make_zCDP_to_approxDP,
)
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import (
    Measure,
    approximate,
    max_divergence,
    renyi_divergence,
    smoothed_max_divergence,
    zero_concentrated_divergence,
)
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rounding import round_up
from opendp_lite.laws.conversions import concentrated_epsilon, pure_to_concentrated
from opendp_lite.solving.refused import ContextError, refused

PURE, CONCENTRATED = max_divergence(), zero_concentrated_divergence()
PAIR, BOTH = approximate(PURE), approximate(CONCENTRATED)
PROFILE, RENYI = smoothed_max_divergence(), renyi_divergence()

# From which measure, to which, and how. A profile becomes a pair at the query's delta.
_ARROWS: tuple[tuple[Measure, Measure, Callable[..., Measurement]], ...] = (
    (PURE, PAIR, make_approximate),
    (PURE, CONCENTRATED, make_pureDP_to_zCDP),
    (PAIR, BOTH, make_pureDP_to_zCDP),
    (CONCENTRATED, BOTH, make_approximate),
    (CONCENTRATED, PROFILE, make_zCDP_to_approxDP),
    (BOTH, PROFILE, make_zCDP_to_approxDP),
    (RENYI, PROFILE, make_RDP_to_approxDP),
    (PAIR, PROFILE, make_fixed_approxDP_to_approxDP),
    (PROFILE, PAIR, make_fix_delta),
)
CONVERSIONS = frozenset(make.__name__ for _, _, make in _ARROWS)
_ROUNDS = 60
_CLOSE = mpfr(2) ** -40  # the value is flat there
_DELTA_FIX = "Pass a delta greater than 0 to query(), such as delta=1e-9"


@lru_cache(maxsize=64)
def _path(
    start: Measure, end: Measure
) -> tuple[Callable[..., Measurement], ...] | None:
    """Return the fewest conversions from one measure to another, or None."""
    paths: dict[Measure, tuple[Callable[..., Measurement], ...]] = {start: ()}
    waiting = [start]
    for measure in waiting:  # which grows as it is gone through
        for source, target, make in _ARROWS:
            if source == measure and target not in paths:
                paths[target] = (*paths[measure], make)
                waiting.append(target)
    return paths.get(end)


def casts_to(start: Measure, end: Measure, delta: bool = True) -> bool:
    """Return whether there is a way from one measure to another.

    :param start: the measure of a measurement
    :param end: the measure that is wanted
    :param delta: whether a delta is known at which a profile can be read
    """
    path = _path(start, end)
    return path is not None and (delta or make_fix_delta not in path)


def cast(measurement: Measurement, measure: Measure, d_out: ExactLoss) -> Measurement:
    """Return the measurement with its loss counted by another measure.

    :param measurement: a measurement under any measure
    :param measure: the measure that is wanted
    :param d_out: the exact loss that is allowed under it, whose delta is used where one
        must be chosen; None if there is none
    """
    path = _path(measurement.output_measure, measure)
    if path is None:
        raise ContextError(
            "MeasureMismatch",
            f"the query counts loss by {measurement.output_measure!r}, and there is no "
            f"conversion to {measure!r}. {_advice(measurement.output_measure)}",
        )
    for make in path:
        if make is not make_fix_delta:
            measurement = make(measurement)
            continue
        if d_out is None:
            rule = "is needed to convert the loss to (epsilon, delta)"
            raise refused("delta", None, rule, _DELTA_FIX)
        if d_out[1] == 0:
            rule = "at this delta no epsilon is known, as the noise has thin tails"
            raise refused("delta", 0, rule, _DELTA_FIX)
        measurement = make(measurement, to_fraction(mpq(d_out[1])))
    return measurement


def _advice(measure: Measure) -> str:
    """Return what to do where a measurement cannot be cast."""
    if measure in (CONCENTRATED, BOTH, PAIR):
        return (
            "Gaussian noise and thresholds have no pure epsilon: give the Context and "
            "the query a delta, or use Laplace noise."
        )
    return "Use a measurement under max_divergence() or zero_concentrated_divergence()."


def translated(
    d_out: ExactLoss, measure: Measure, inner: Measure, alpha: mpq | None = None
) -> ExactLoss:
    """Return a loss under `inner` which, cast to `measure`, is at most `d_out`.

    :param d_out: the exact loss that is allowed
    :param measure: how it is counted
    :param inner: the measure that a query, or a nested Context, counts by
    :param alpha: which part of delta an approximate inner measure may spend itself
    """
    if alpha is not None and inner != BOTH:
        rule = "parts delta where the inner measure is approximate zero-concentrated"
        raise refused("alpha", round_up(alpha), rule, "Leave it out")
    if measure == inner:
        return d_out
    if (measure, inner) in ((PAIR, PURE), (BOTH, CONCENTRATED)):
        return d_out[0]
    if (measure, inner) == (CONCENTRATED, PURE):
        return _pure_of(d_out)
    if (measure, inner) == (BOTH, PURE):
        return _pure_of(d_out[0])
    if (measure, inner) == (PAIR, CONCENTRATED):
        return _concentrated_of(*d_out)
    if (measure, inner) == (PAIR, BOTH):
        if alpha is None or not 0 <= alpha < 1:
            rule = "must be at least 0 and less than 1: the part of delta for queries"
            shown = None if alpha is None else round_up(alpha)
            raise refused("alpha", shown, rule, "Pass for example alpha=0.5")
        epsilon, delta = d_out
        own = delta * alpha
        if own == 1:
            rule = "leaves nothing of delta for the conversion"
            raise refused("alpha", float(alpha), rule, "Pass a smaller one")
        return _concentrated_of(epsilon, (delta - own) / (1 - own)), own
    raise ContextError(
        "MeasureMismatch",
        f"what counts by {inner!r} cannot be asked where {measure!r} is counted: there "
        "is no conversion. Leave output_measure out, or choose another.",
    )


def _near() -> gmpy2.context:
    """Return what rounds to 64 bits, with the widest exponents; anew for each use."""
    least, most = gmpy2.get_emin_min(), gmpy2.get_emax_max()
    return gmpy2.context(precision=64, emin=least, emax=most)


@lru_cache(maxsize=256)
def _pure_of(rho: Any) -> Any:
    """Return an epsilon, nearly the largest, whose rho is at most this."""
    if rho == 0 or rho == math.inf:
        return rho
    with _near():
        goal = mpfr(rho)
        x = max(gmpy2.sqrt(2 * goal), goal)
        for _ in range(_ROUNDS):  # Newton's method for x tanh(x/2) = rho
            tanh = gmpy2.tanh(x / 2)
            step = (x * tanh - goal) / (tanh + x * (1 - tanh * tanh) / 2)
            x -= step
            if abs(step) <= x * _CLOSE:
                break
    return _lowered(_rational(x), lambda e: pure_to_concentrated(e) <= rho)


@lru_cache(maxsize=256)
def _concentrated_of(epsilon: Any, delta: Any) -> Any:
    """Return a rho, nearly the largest, whose epsilon at delta is at most this.

    The epsilon of rho is the least, over b > 0, of (b + 1) rho - ln(1 + 1/b) -
    (ln(delta) + ln(1 + b)) / b. So rho is the greatest h / b^2 for which h (2b + 1) /
    b^2 = epsilon + ln(1 + 1/b), where h is -ln(delta (1 + b)).
    """
    if delta == 0:
        rule = "at this delta no epsilon is known, as the noise has thin tails"
        raise refused("delta", 0, rule, _DELTA_FIX)
    if epsilon == math.inf or delta >= 1:
        return math.inf
    with _near():
        e, goal = mpfr(epsilon), -gmpy2.log(mpfr(delta))
        b = _order(e, goal)
        h = goal - gmpy2.log1p(b)
        rho = _rational((e + gmpy2.log1p(1 / b) - h / b) / (b + 1))
    return _lowered(rho, lambda r: concentrated_epsilon(r, delta) <= epsilon)


def _order(e: mpfr, goal: mpfr) -> mpfr:
    """Return nearly the b with h (2b + 1) / b^2 = epsilon + ln(1 + 1/b).

    The logarithm of the left side less that of the right falls in ln b: by Newton's
    method, and by halves where that leads out of what is known.
    """
    low, high = mpfr(-400), gmpy2.log(gmpy2.expm1(goal))  # of ln b; h > 0 up to there
    u = high - 1
    for _ in range(_ROUNDS):
        b = gmpy2.exp(u)
        h, right = goal - gmpy2.log1p(b), e + gmpy2.log1p(1 / b)
        value = gmpy2.log(h * (2 * b + 1)) - 2 * u - gmpy2.log(right)
        if value > 0:
            low = u
        else:
            high = u
        slope = 1 / ((b + 1) * right) + 2 * b / (2 * b + 1) - 2 - b / ((b + 1) * h)
        new = u - value / slope
        if not low < new < high:
            new = (low + high) / 2
        if abs(new - u) < _CLOSE:
            break
        u = new
    return gmpy2.exp(u)


def _rational(x: mpfr) -> mpq:
    """Return a positive number as a rational; 0 for what is none."""
    if not x.is_regular() or x < 0:
        return mpq(0)
    return mpq(*x.as_integer_ratio())


def _lowered(number: mpq, fits: Callable[[mpq], bool]) -> mpq:
    """Return the number, or one slightly less, that fits; 0 always does."""
    if fits(number):
        return number
    for bits in (62, 60, 58, 56, 54, 50, 44, 36, 24, 12, 4):
        less = number * (1 - power_of_two(-bits))
        if fits(less):
            return less
    return mpq(0)
