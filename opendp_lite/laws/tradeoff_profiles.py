r"""Privacy profiles of tradeoffs: the delta that goes with an epsilon.

A mechanism that is f-differentially private is (epsilon, delta)-differentially private
for

.. math:: \delta(\epsilon) = \sup_a (1 - f(a) - e^\epsilon a),

and for no less, if it attains f.
"""

from __future__ import annotations

from collections.abc import Callable

from gmpy2 import mpq, mpz

from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.grids import exponent_at_least, power_of_two
from opendp_lite.exact.intervals import Enclosure, decide, lower_bound
from opendp_lite.exact.rationals import Extended
from opendp_lite.laws.location import LocationTradeoff
from opendp_lite.laws.tradeoff import ApproximateTradeoff, EnclosedPowers, Tradeoff

_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)
_PRECISION = 192
_DEPTH = 96
_SHARE = power_of_two(-64)
_NEGLIGIBLE = power_of_two(-2048)
# Beyond this the profile of a user's own is taken at this.
_LARGEST = mpq(4096)


def delta_at(tradeoff: Tradeoff, epsilon: Extended) -> mpq:
    """Return a delta that suffices at epsilon >= 0: the least one, rounded up.

    >>> from opendp_lite.laws.location import LaplaceTradeoff
    >>> delta_at(LaplaceTradeoff(1), mpq(1))
    mpq(0,1)
    """
    if isinstance(epsilon, float):  # proof: infinite
        return _most(_ONE - tradeoff.value(_ZERO, _PRECISION))
    if isinstance(tradeoff, LocationTradeoff):
        return _rounded_up(lambda p: tradeoff.profile(mpq(epsilon), p))  # proof: shift
    if isinstance(tradeoff, ApproximateTradeoff):
        return _rounded_up(
            lambda p: approximate_profile(tradeoff, mpq(epsilon), p)
        )  # proof: pair
    return search_profile(tradeoff, min(mpq(epsilon), _LARGEST))  # proof: search


def approximate_profile(
    tradeoff: ApproximateTradeoff, epsilon: mpq, precision: int
) -> Enclosure:
    """Enclose the profile of (epsilon', delta') at epsilon."""
    delta = tradeoff.delta
    if tradeoff.exponential.logarithm(precision).hi <= epsilon:
        return Enclosure(delta, delta)  # proof: beyond
    powers, b = tradeoff.exponential, tradeoff.constants(precision).b
    if isinstance(powers, EnclosedPowers):
        # No large power is made, and none that is all but 0.
        rest = EnclosedPowers(powers.epsilon - epsilon)
        ratio = rest.power(-1, precision)  # proof: difference
    else:
        ratio = exp(epsilon, precision) * b  # proof: quotient
    centre = _ONE - (ratio + b) / (b + 1) * (_ONE - delta)  # proof: centre
    return Enclosure(max(delta, centre.lo), max(delta, centre.hi))  # proof: corner


def search_profile(tradeoff: Tradeoff, epsilon: mpq) -> mpq:
    """Bound the profile from above by a search that uses values of f only.

    g(a) = 1 - f(a) - e^epsilon a is concave. Of an interval that holds the best a, each
    round cuts off the outer thirds in which g is no greater than at their inner ends,
    or hardly greater: a chord bounds it there.
    """
    factor = max(_ONE, lower_bound(lambda p: exp(epsilon, p), _PRECISION))
    # Beyond 1 / factor g is negative.
    unit = power_of_two(exponent_at_least(_ONE / factor) - _DEPTH)  # proof: unit

    def gain(k: int) -> Enclosure:
        a = unit * mpz(k)
        return _ONE - tradeoff.value(a, _PRECISION) - factor * a  # proof: gain

    x, y = 0, 1 << _DEPTH  # proof: start
    most = _most(gain(x))
    while y - x > 2:  # proof: narrow
        third = (y - x) // 3
        left, right = gain(x + third), gain(y - third)
        rises, falls = left.hi <= right.lo, right.hi <= left.lo
        if rises or not falls:
            most, x = max(most, _beyond(left, right)), x + third  # proof: left
        if falls or not rises:
            most, y = max(most, _beyond(right, left)), y - third  # proof: right
    last = gain(y) + factor * unit * mpz(y - x)  # proof: last
    return max(most, _most(last))


def _beyond(near: Enclosure, far: Enclosure) -> mpq:
    """Bound where the line through two values, seen from the far one, leads."""
    return _most(near * _TWO - far)


def _most(delta: Enclosure) -> mpq:
    """The upper end, brought between 0 and 1."""
    return mpq(min(max(delta.hi, _ZERO), _ONE))


def _rounded_up(enclose: Callable[[int], Enclosure]) -> mpq:
    """The number that is enclosed, between 0 and 1, rounded up by little of it."""

    def test(delta: Enclosure) -> mpq | None:
        most = _most(delta)
        if most <= _NEGLIGIBLE:  # proof: negligible
            return _ZERO if most == 0 else _NEGLIGIBLE
        # This ends: a profile is positive below some epsilon, and 0 is a point.
        return most if most - max(delta.lo, _ZERO) <= most * _SHARE else None

    return decide(enclose, test, 128)  # proof: refine
