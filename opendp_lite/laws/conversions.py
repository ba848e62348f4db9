"""Conversions of privacy loss: what holds under one measure, said under another.

A formula with a free order holds at every order. So the order is chosen by rounded
numbers, and then the formula is evaluated with exact ones and with certain bounds of
exp and ln: every value is an upper bound.

Proof: proofs/lemmas/conversions.tex
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import attrs
import gmpy2
from gmpy2 import mpfr, mpq

from opendp_lite.exact.directed import context
from opendp_lite.exact.enclosures import ln
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import Extended

_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)
_PRECISION = 128
# Of exp nothing is asked beyond these.
_LEAST_EXPONENT, _LARGEST_EXPONENT = mpq(-1500), mpq(64)
# Orders that are chosen are 1 + b, where b lies between these.
_LEAST, _LARGEST = power_of_two(-64), power_of_two(4096)
_ROUNDS = 50
_UP, _DOWN = context(_PRECISION, gmpy2.RoundUp), context(_PRECISION, gmpy2.RoundDown)
_NEAR = context(64, gmpy2.RoundToNearest)
_SHORT = context(32, gmpy2.RoundToNearest)
# Not made by mpfr(...): in the context that is current they may be 0 or infinite.
_UNIT, _FOUR, _EIGHT = _NEAR.div(1, 1), _NEAR.div(4, 1), _NEAR.div(8, 1)
_HALF, _CLOSE = _NEAR.div(1, 2), _NEAR.div(1, 2**12)
_SMALL, _GREAT = _NEAR.div(1, 2**64), _NEAR.div(2**4096, 1)
# A ladder of orders, eight to the octave: 1 + b for b from 1/16 to below 4096.
ORDERS = tuple(
    1 + mpq(8 + i, 8) * power_of_two(k) for k in range(-4, 12) for i in range(8)
)


@attrs.frozen(eq=False)
class Profile:
    """A profile delta(epsilon) that knows its inverse: both are upper bounds.

    `delta` is asked at an epsilon in [0, inf], `epsilon` at a delta in [0, 1].
    """

    delta: Callable[[Extended], mpq]
    epsilon: Callable[[mpq], Extended]

    def __call__(self, epsilon: Extended) -> mpq:
        """Return delta(epsilon)."""
        return self.delta(epsilon)


def pure_to_concentrated(epsilon: Extended) -> Extended:
    """Return a rho that suffices for epsilon: epsilon tanh(epsilon / 2), rounded up.

    >>> pure_to_concentrated(0)
    mpq(0,1)
    """
    if isinstance(epsilon, float):  # proof: infinite
        return math.inf
    loss = mpq(epsilon)
    part = _most_part(-loss)  # proof: part
    most = _rounded_up(loss * part / (_TWO - part))  # proof: most
    return min(most, loss * loss / 2)  # proof: least


def concentrated_delta(rho: Extended, epsilon: Extended) -> mpq:
    """Return a delta that suffices at epsilon for a loss of rho.

    >>> float(concentrated_delta(mpq(1, 2), 4))
    0.0001957954169577216
    """
    if isinstance(rho, float):  # proof: infinite
        return _ONE
    if rho == 0 or isinstance(epsilon, float):  # proof: none
        return _ZERO
    b = _order_for_delta(mpq(rho), mpq(epsilon))  # proof: order
    return _delta_of_order(b, (b + 1) * rho, mpq(epsilon))  # proof: value


def concentrated_epsilon(rho: Extended, delta: mpq) -> Extended:
    """Return an epsilon at which delta suffices for a loss of rho.

    >>> float(concentrated_epsilon(mpq(1, 2), mpq(1, 10**6)))
    5.221534444530169
    """
    if delta >= 1 or rho == 0:  # proof: none
        return _ZERO
    if delta == 0 or isinstance(rho, float):  # proof: infinite
        return math.inf
    b = _order_for_epsilon(mpq(rho), delta)  # proof: order
    return _epsilon_of_order(b, (b + 1) * rho, delta)  # proof: value


def approximate_delta(pair: tuple[Extended, mpq], epsilon: Extended) -> mpq:
    """Return a delta that suffices at epsilon for a loss of (e, d), in both orders.

    >>> approximate_delta((1, mpq(1, 10)), 1)
    mpq(1,10)
    """
    loss, rest = pair
    if isinstance(loss, float):  # proof: infinite
        return _ONE
    if isinstance(epsilon, float) or epsilon >= loss:  # proof: beyond
        return rest
    most = _most_part(mpq(epsilon - loss))  # proof: most
    least = _ONE + _least_exp(-mpq(loss))  # proof: least
    return rest + (_ONE - rest) * _rounded_up(most / least)  # proof: value


def approximate_epsilon(pair: tuple[Extended, mpq], delta: mpq) -> Extended:
    """Return an epsilon at which delta suffices for a loss of (e, d), in both orders.

    >>> approximate_epsilon((1, mpq(1, 10)), mpq(1, 10))
    mpq(1,1)
    """
    loss, rest = pair
    if delta >= 1:  # proof: none
        return _ZERO
    if delta < rest or isinstance(loss, float):  # proof: infinite
        return math.inf
    share = (delta - rest) / (_ONE - rest)  # proof: share
    factor = _least_exp(-mpq(loss))  # proof: factor
    ratio = _ONE - share - share * factor  # proof: ratio
    if ratio <= 0:  # proof: all
        return _ZERO
    return max(loss + mpq(ln(ratio, _PRECISION).hi), _ZERO)  # proof: value


def profile_of_concentrated(rho: Extended, rest: mpq) -> Profile:
    """Return the profile of a loss of rho outside of a part of mass `rest`.

    `rest` is between 0 and 1.
    """
    return _outside(
        lambda epsilon: concentrated_delta(rho, epsilon),  # proof: delta
        lambda delta: concentrated_epsilon(rho, delta),  # proof: epsilon
        rest,
    )


def profile_of_orders(losses: Sequence[tuple[mpq, Extended]], rest: mpq) -> Profile:
    """Return the profile of Renyi losses outside of a part of mass `rest`.

    `losses` are pairs of an order, which is greater than 1, and the loss of that order.
    The one that seems best is used: floats choose it, and decide nothing else.
    """
    if any(loss == 0 for _, loss in losses):  # proof: equal
        return profile_of_pair(_ZERO, rest)
    known = [(a - 1, mpq(e)) for a, e in losses if e != math.inf]  # proof: known
    if not known:  # proof: nothing
        return profile_of_pair(math.inf, rest)
    places = range(len(known))
    steep = [(float(_near(b)), float(_near(1 / b))) for b, _ in known]
    shifts = [_shift(b, loss) for b, loss in known]

    def delta(epsilon: Extended) -> mpq:
        if isinstance(epsilon, float):  # proof: void
            return _ZERO
        point = float(_near(mpq(epsilon)))
        i = min(places, key=lambda i: steep[i][0] * (shifts[i] - point))
        return _delta_of_order(*known[i], mpq(epsilon))  # proof: delta

    def epsilon(delta: mpq) -> Extended:
        if delta == 0:  # proof: infinite
            return math.inf
        depth = float(_NEAR.log(_near(delta)))
        i = min(places, key=lambda i: shifts[i] - depth * steep[i][1])
        return _epsilon_of_order(*known[i], delta)  # proof: epsilon

    return _outside(delta, epsilon, rest)  # proof: profile


def profile_of_pair(loss: Extended, rest: mpq) -> Profile:
    """Return the profile of a loss of (loss, rest), where `rest` is between 0 and 1."""
    pair = loss, rest
    return Profile(
        lambda epsilon: approximate_delta(pair, epsilon),  # proof: delta
        lambda delta: approximate_epsilon(pair, delta),  # proof: epsilon
    )


def _outside(
    delta_of: Callable[[Extended], mpq],
    epsilon_of: Callable[[mpq], Extended],
    rest: mpq,
) -> Profile:
    """The profile of what has these two functions outside of a part of mass `rest`."""
    share = _ONE - rest

    def delta(epsilon: Extended) -> mpq:
        return rest + share * delta_of(epsilon)  # proof: delta

    def epsilon(delta: mpq) -> Extended:
        if delta >= 1:  # proof: none
            return _ZERO
        if delta < rest:  # proof: little
            return math.inf
        return epsilon_of((delta - rest) / share)  # proof: share

    return Profile(delta, epsilon)  # proof: profile


def _delta_of_order(b: mpq, loss: mpq, epsilon: mpq) -> mpq:
    """A delta in [0, 1] that suffices at epsilon for a loss of the order 1 + b."""
    exponent = b * (loss - epsilon) - (b + 1) * _logarithm(b)  # proof: exponent
    if exponent >= _LARGEST_EXPONENT:  # proof: one
        return _ONE
    x = max(exponent, _LEAST_EXPONENT)  # proof: least
    most = _rational(_UP.exp(_UP.div(x.numerator, x.denominator)))  # proof: most
    return min(_rounded_up(most / b), _ONE)  # proof: value


def _epsilon_of_order(b: mpq, loss: mpq, delta: mpq) -> mpq:
    """An epsilon at which delta > 0 suffices for a loss of the order 1 + b."""
    x = delta * (b + 1)
    least = _rational(_DOWN.log(_DOWN.div(x.numerator, x.denominator)))  # proof: least
    return _rounded_up(loss - _logarithm(b) - least / b)  # proof: value


def _logarithm(b: mpq) -> mpq:
    """A rational that is at most ln(1 + 1/b), for b > 0."""
    return _rational(_DOWN.log1p(_DOWN.div(b.denominator, b.numerator)))  # proof: lower


def _least_exp(x: mpq) -> mpq:
    """A rational in [0, 1] that is at most e^x, for x <= 0."""
    if x <= _LEAST_EXPONENT:  # proof: tiny
        return _ZERO
    return _rational(_DOWN.exp(_DOWN.div(x.numerator, x.denominator)))  # proof: lower


def _most_part(x: mpq) -> mpq:
    """A rational in [0, 1] that is at least 1 - e^x, for x <= 0.

    Where x is small so is the error: 1 less a bound of e^x would keep that of e^x.
    """
    least = _DOWN.expm1(_DOWN.div(x.numerator, x.denominator))
    return -_rational(least)  # proof: upper


def _rational(y: mpfr) -> mpq:
    """The number y, which is finite, as a rational."""
    return mpq(*y.as_integer_ratio())  # proof: rational


def _rounded_up(x: mpq) -> mpq:
    """x, or 0 if that is more, rounded up to 128 bits: sums keep short denominators."""
    if x <= 0:  # proof: none
        return _ZERO
    return _rational(_UP.div(x.numerator, x.denominator))  # proof: up


def _order_for_delta(rho: mpq, epsilon: mpq) -> mpq:
    """A b near the root of (2b + 1) rho - epsilon - ln(1 + 1/b), for rho > 0.

    Halley's method for y = ln(1 + 1/b). It begins below the root, where 1/y - 1/2
    stands for b; the last step is done in b, without an exponential.
    """
    near = _NEAR
    r, c = _near(rho), _near(rho - epsilon)
    twice, e = near.add(r, r), near.sub(r, c)
    root = near.sqrt(near.add(near.square(e), near.mul(_EIGHT, r)))
    y = max(near.div(near.mul(_FOUR, r), near.add(e, root)), c)
    for _ in range(_ROUNDS):  # proof: rounds
        b = near.div(_UNIT, near.expm1(y))
        drift = near.mul(twice, b)
        next_b = near.add(b, _UNIT)
        fall = near.mul(drift, next_b)
        slope = near.add(_UNIT, fall)
        step = near.div(near.sub(near.sub(y, c), drift), slope)
        middle = near.add(b, _HALF)
        bend = near.add(_UNIT, near.div(near.mul(near.mul(step, fall), middle), slope))
        if bend > _HALF:
            step = near.div(step, bend)
        y = near.sub(y, step)
        if near.abs(step) <= near.mul(_CLOSE, y):
            break
    growth = near.mul(near.mul(step, next_b), near.add(_UNIT, near.mul(step, middle)))
    return _within(near.mul(b, near.add(_UNIT, growth)))  # proof: chosen


def _order_for_epsilon(rho: mpq, delta: mpq) -> mpq:
    """A b near the root of rho b^2 + ln(1 + b) + ln(delta), for rho > 0.

    In each round the logarithm is replaced by its tangent, and the root is that of a
    quadratic: from the second round on it comes nearer from below.
    """
    near = _NEAR
    r, goal = _near(rho), near.minus(near.log(_near(delta)))
    four, b = near.mul(_FOUR, r), near.sqrt(near.div(goal, r))
    for _ in range(_ROUNDS):  # proof: rounds
        slope = near.div(_UNIT, near.add(_UNIT, b))
        rest = near.add(near.sub(goal, near.log1p(b)), near.mul(b, slope))
        if rest > 0:
            root = near.sqrt(near.add(near.square(slope), near.mul(four, rest)))
            new = near.div(near.add(rest, rest), near.add(slope, root))
        else:
            new = near.expm1(goal)
        step, b = near.sub(new, b), new
        if near.abs(step) <= near.mul(_CLOSE, b):
            break
    return _within(b)  # proof: chosen


def _shift(b: mpq, loss: mpq) -> float:
    """About the epsilon at which delta is 1 by the order 1 + b, for a choice."""
    near = _NEAR
    rate = _near(b)
    spread = near.div(near.log1p(rate), rate)
    step = near.log1p(near.div(1, rate))
    return float(near.sub(near.sub(_near(loss), step), spread))


def _near(x: mpq) -> mpfr:
    """A number of MPFR near to x, for a choice."""
    return _NEAR.div(x.numerator, x.denominator)


def _within(chosen: mpfr) -> mpq:
    """A rational of few bits near to what was chosen: always within the bounds."""
    b = _SHORT.div(chosen, _UNIT)  # proof: short
    if _SMALL <= b <= _GREAT:  # proof: bounds
        return _rational(b)
    return _LARGEST if b > _GREAT else _LEAST  # proof: ends
