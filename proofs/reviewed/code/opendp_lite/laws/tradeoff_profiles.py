# ruff: noqa
# fmt: off
# What was read of opendp_lite.laws.tradeoff_profiles; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import decide
from opendp_lite.exact.intervals import lower_bound
from opendp_lite.exact.rationals import Extended
from opendp_lite.laws.location import LocationTradeoff
from opendp_lite.laws.tradeoff import ApproximateTradeoff
from opendp_lite.laws.tradeoff import EnclosedPowers
from opendp_lite.laws.tradeoff import Tradeoff

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)
_PRECISION = 192
_LARGEST = mpq(4096)
_DEPTH = 96
_SHARE = power_of_two(-64)
_NEGLIGIBLE = power_of_two(-2048)


# === delta_at with mpq, Extended, LocationTradeoff, ApproximateTradeoff, Tradeoff,
#    opendp_lite.exact.rationals.Extended, _ZERO, _PRECISION, _LARGEST
def delta_at(tradeoff: Tradeoff, epsilon: Extended) -> mpq:
    if isinstance(epsilon, float):
        return _most(_ONE - tradeoff.value(_ZERO, _PRECISION))
    if isinstance(tradeoff, LocationTradeoff):
        return _rounded_up(lambda p: tradeoff.profile(mpq(epsilon), p))
    if isinstance(tradeoff, ApproximateTradeoff):
        return _rounded_up(
            lambda p: approximate_profile(tradeoff, mpq(epsilon), p)
        )
    return search_profile(tradeoff, min(mpq(epsilon), _LARGEST))


# === approximate_profile with mpq, exp, Enclosure, ApproximateTradeoff, EnclosedPowers,
#    _ZERO
def approximate_profile(
    tradeoff: ApproximateTradeoff, epsilon: mpq, precision: int
) -> Enclosure:
    delta = tradeoff.delta
    if tradeoff.exponential.logarithm(precision).hi <= epsilon:
        return Enclosure(delta, delta)
    powers, b = tradeoff.exponential, tradeoff.constants(precision).b
    if isinstance(powers, EnclosedPowers):
        rest = EnclosedPowers(powers.epsilon - epsilon)
        ratio = rest.power(-1, precision)
    else:
        ratio = exp(epsilon, precision) * b
    centre = _ONE - (ratio + b) / (b + 1) * (_ONE - delta)
    return Enclosure(max(delta, centre.lo), max(delta, centre.hi))


# === search_profile with mpq, mpz, exp, exponent_at_least, power_of_two, Enclosure,
#    lower_bound, Tradeoff, _ZERO, _PRECISION, _DEPTH
def search_profile(tradeoff: Tradeoff, epsilon: mpq) -> mpq:
    factor = max(_ONE, lower_bound(lambda p: exp(epsilon, p), _PRECISION))
    unit = power_of_two(exponent_at_least(_ONE / factor) - _DEPTH)

    def gain(k: int) -> Enclosure:
        a = unit * mpz(k)
        return _ONE - tradeoff.value(a, _PRECISION) - factor * a

    x, y = 0, 1 << _DEPTH
    most = _most(gain(x))
    while y - x > 2:
        third = (y - x) // 3
        left, right = gain(x + third), gain(y - third)
        rises, falls = left.hi <= right.lo, right.hi <= left.lo
        if rises or not falls:
            most, x = max(most, _beyond(left, right)), x + third
        if falls or not rises:
            most, y = max(most, _beyond(right, left)), y - third
    last = gain(y) + factor * unit * mpz(y - x)
    return max(most, _most(last))


# === _beyond with mpq, Enclosure, _ZERO
def _beyond(near: Enclosure, far: Enclosure) -> mpq:
    return _most(near * _TWO - far)


# === _most with mpq, Enclosure, _ZERO
def _most(delta: Enclosure) -> mpq:
    return mpq(min(max(delta.hi, _ZERO), _ONE))


# === _rounded_up with Callable, mpq, power_of_two, Enclosure, decide, _ZERO, _SHARE,
#    _NEGLIGIBLE
def _rounded_up(enclose: Callable[[int], Enclosure]) -> mpq:
    def test(delta: Enclosure) -> mpq | None:
        most = _most(delta)
        if most <= _NEGLIGIBLE:
            return _ZERO if most == 0 else _NEGLIGIBLE
        return most if most - max(delta.lo, _ZERO) <= most * _SHARE else None

    return decide(enclose, test, 128)
