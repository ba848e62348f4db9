"""Conversions of privacy loss: what holds under one measure, said under another.

A formula with a free order holds at every order. So the order is chosen by rounded
numbers, and then the formula is evaluated with exact ones and with certain bounds of
exp and ln: every value is an upper bound.

Proof: proofs/lemmas/conversions.tex
"""

from __future__ import annotations

import math
from collections.abc import Callable

import attrs
import gmpy2
from gmpy2 import mpfr, mpq

from opendp_lite.exact.directed import context
from opendp_lite.exact.enclosures import exp, expm1, ln
from opendp_lite.exact.grids import ceil_multiple, exponent_at_least, power_of_two
from opendp_lite.exact.rationals import Extended

__all__ = [
    "Profile",
    "approximate_delta",
    "approximate_epsilon",
    "concentrated_delta",
    "concentrated_epsilon",
    "profile_of_concentrated",
    "profile_of_pair",
    "pure_to_concentrated",
]

_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)
_PRECISION = 128
# A delta that is less than this is not computed.
_NEGLIGIBLE = power_of_two(-2048)
_LEAST_EXPONENT, _LARGEST_EXPONENT = -1500, 64
# Orders are 1 + b, where b lies between these.
_LEAST, _LARGEST = power_of_two(-64), power_of_two(4096)
_ROUNDS = 50
_CLOSE = mpfr("0x1p-18")
_UNIT, _FOUR, _EIGHT, _SIXTEEN = mpfr(1), mpfr(4), mpfr(8), mpfr(16)


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
    part = -mpq(expm1(-loss, _PRECISION).lo)  # proof: part
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
    logarithm = mpq(ln(_ONE + _ONE / b, _PRECISION).lo)  # proof: logarithm
    exponent = b * ((b + 1) * rho - epsilon) - (b + 1) * logarithm  # proof: exponent
    if exponent >= _LARGEST_EXPONENT:  # proof: one
        return _ONE
    if exponent <= _LEAST_EXPONENT:  # proof: negligible
        return _NEGLIGIBLE
    value = _rounded_up(mpq(exp(exponent, _PRECISION).hi) / b)  # proof: value
    return min(max(value, _NEGLIGIBLE), _ONE)  # proof: within


def concentrated_epsilon(rho: Extended, delta: mpq) -> Extended:
    """Return an epsilon at which delta suffices for a loss of rho.

    >>> float(concentrated_epsilon(mpq(1, 2), mpq(1, 10**6)))
    5.221534444530169
    """
    if delta >= 1 or rho == 0:  # proof: none
        return _ZERO
    if delta == 0 or isinstance(rho, float):  # proof: infinite
        return math.inf
    b = _order_for_epsilon(mpq(rho), mpq(delta))  # proof: order
    logarithm = mpq(ln(_ONE + _ONE / b, _PRECISION).lo)  # proof: logarithm
    share = mpq(ln(delta * (b + 1), _PRECISION).lo) / b  # proof: share
    return _rounded_up((b + 1) * rho - logarithm - share)  # proof: value


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
    most = _ONE - _least_exp(mpq(epsilon - loss))  # proof: most
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

    def delta(epsilon: Extended) -> mpq:
        return rest + (_ONE - rest) * concentrated_delta(rho, epsilon)  # proof: delta

    def epsilon(delta: mpq) -> Extended:
        if delta >= 1:  # proof: none
            return _ZERO
        if delta < rest:  # proof: little
            return math.inf
        return concentrated_epsilon(rho, (delta - rest) / (_ONE - rest))  # proof: share

    return Profile(delta, epsilon)  # proof: profile


def profile_of_pair(loss: Extended, rest: mpq) -> Profile:
    """Return the profile of a loss of (loss, rest), where `rest` is between 0 and 1."""
    pair = loss, rest
    return Profile(
        lambda epsilon: approximate_delta(pair, epsilon),  # proof: delta
        lambda delta: approximate_epsilon(pair, delta),  # proof: epsilon
    )


def _rounded_up(x: mpq) -> mpq:
    """x, or 0 if that is more, rounded up to 128 bits: sums keep short denominators."""
    if x <= 0:  # proof: none
        return _ZERO
    k = exponent_at_least(x) - _PRECISION  # proof: grid
    return mpq(ceil_multiple(x, k)) * power_of_two(k)  # proof: up


def _least_exp(x: mpq) -> mpq:
    """A rational in [0, 1] that is at most e^x, for x <= 0."""
    if x <= _LEAST_EXPONENT:  # proof: tiny
        return _ZERO
    return mpq(exp(x, _PRECISION).lo)  # proof: lower


def _order_for_delta(rho: mpq, epsilon: mpq) -> mpq:
    """A b near the root of (2b + 1) rho - epsilon - ln(1 + 1/b), for rho > 0.

    Newton's method for y = ln(1 + 1/b), in which the function is concave: it begins
    below the root, and so never passes it.
    """
    near = context(64, gmpy2.RoundToNearest)
    gap = rho - epsilon
    r = near.div(rho.numerator, rho.denominator)
    c = near.div(gap.numerator, gap.denominator)
    root = near.sqrt(near.add(near.square(c), near.mul(_EIGHT, r)))
    if c > 0:
        inverse = near.div(near.add(root, c), 2)
    else:
        inverse = near.div(near.mul(_FOUR, r), near.sub(root, c))
    y = max(near.log1p(inverse), c)
    for _ in range(_ROUNDS):  # proof: rounds
        b = near.div(1, near.expm1(y))
        drift = near.mul(near.add(r, r), b)
        slope = near.add(_UNIT, near.mul(drift, near.add(b, _UNIT)))
        step = near.div(near.sub(near.sub(y, c), drift), slope)
        y = near.sub(y, step)
        if near.abs(step) <= near.mul(_CLOSE, y):
            break
    return _within(near.div(1, near.expm1(y)))  # proof: chosen


def _order_for_epsilon(rho: mpq, delta: mpq) -> mpq:
    """A b near the root of rho b^2 + ln(1 + b) + ln(delta), for rho > 0."""
    near = context(64, gmpy2.RoundToNearest)
    r = near.div(rho.numerator, rho.denominator)
    goal = near.minus(near.log(near.div(delta.numerator, delta.denominator)))
    b = min(near.sqrt(near.div(goal, r)), near.expm1(goal))
    for _ in range(_ROUNDS):  # proof: rounds
        value = near.sub(near.add(near.mul(r, near.square(b)), near.log1p(b)), goal)
        slope = near.add(near.mul(near.add(r, r), b), near.div(1, near.add(b, _UNIT)))
        new = max(near.sub(b, near.div(value, slope)), near.div(b, _SIXTEEN))
        step, b = near.sub(new, b), new
        if near.abs(step) <= near.mul(_CLOSE, b):
            break
    return _within(b)  # proof: chosen


def _within(b: mpfr) -> mpq:
    """The number b as a rational, or one that is near to it: always within bounds."""
    if not b.is_regular() or b < 0:  # proof: regular
        return _LEAST
    mantissa, exponent = b.as_mantissa_exp()
    if exponent > 4096:  # proof: large
        return _LARGEST
    if exponent < -256:  # proof: small
        return _LEAST
    number = mpq(mantissa) * power_of_two(int(exponent))
    return min(max(number, _LEAST), _LARGEST)  # proof: bounds
