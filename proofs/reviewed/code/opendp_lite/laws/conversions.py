# ruff: noqa
# fmt: off
# What was read of opendp_lite.laws.conversions; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from collections.abc import Sequence
from gmpy2 import mpfr
from gmpy2 import mpq
from opendp_lite.exact.directed import context
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import Extended
import attrs
import gmpy2
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)
if not context(64, gmpy2.RoundDown).div(1, 3) < context(64, gmpy2.RoundUp).div(1, 3):
    raise ImportError('opendp_lite needs gmpy2 2.3 or later: before that, context.div does not round as its context says. Run pip install -U gmpy2.')
_PRECISION = 128
_UP, _DOWN = context(_PRECISION, gmpy2.RoundUp), context(_PRECISION, gmpy2.RoundDown)
_NEAR = context(64, gmpy2.RoundToNearest)
_UNIT, _FOUR, _EIGHT = _NEAR.div(1, 1), _NEAR.div(4, 1), _NEAR.div(8, 1)
_HALF, _CLOSE = _NEAR.div(1, 2), _NEAR.div(1, 2**12)
_SMALL, _GREAT = _NEAR.div(1, 2**64), _NEAR.div(2**4096, 1)
_LEAST_EXPONENT, _LARGEST_EXPONENT = mpq(-1500), mpq(64)
_ROUNDS = 50
_LEAST, _LARGEST = power_of_two(-64), power_of_two(4096)
_SHORT = context(32, gmpy2.RoundToNearest)


# === Profile with Callable, mpq, Extended, attrs, opendp_lite.exact.rationals.Extended
@attrs.frozen(eq=False)
class Profile:
    delta: Callable[[Extended], mpq]
    epsilon: Callable[[mpq], Extended]

    def __call__(self, epsilon: Extended) -> mpq:
        return self.delta(epsilon)


# === pure_to_concentrated with mpq, Extended, math,
#    opendp_lite.exact.rationals.Extended, _ZERO
def pure_to_concentrated(epsilon: Extended) -> Extended:
    if isinstance(epsilon, float):
        return math.inf
    loss = mpq(epsilon)
    part = _most_part(-loss)
    most = _rounded_up(loss * part / (_TWO - part))
    return min(most, loss * loss / 2)


# === concentrated_delta with mpq, Extended, opendp_lite.exact.rationals.Extended, _ZERO
def concentrated_delta(rho: Extended, epsilon: Extended) -> mpq:
    if isinstance(rho, float):
        return _ONE
    if rho == 0 or isinstance(epsilon, float):
        return _ZERO
    b = _order_for_delta(mpq(rho), mpq(epsilon))
    return _delta_of_order(b, (b + 1) * rho, mpq(epsilon))


# === concentrated_epsilon with mpq, Extended, math,
#    opendp_lite.exact.rationals.Extended, _ZERO
def concentrated_epsilon(rho: Extended, delta: mpq) -> Extended:
    if delta >= 1 or rho == 0:
        return _ZERO
    if delta == 0 or isinstance(rho, float):
        return math.inf
    b = _order_for_epsilon(mpq(rho), delta)
    return _epsilon_of_order(b, (b + 1) * rho, delta)


# === approximate_delta with mpq, Extended, opendp_lite.exact.rationals.Extended, _ZERO
def approximate_delta(pair: tuple[Extended, mpq], epsilon: Extended) -> mpq:
    loss, rest = pair
    if isinstance(loss, float):
        return _ONE
    if isinstance(epsilon, float) or epsilon >= loss:
        return rest
    most = _most_part(mpq(epsilon - loss))
    least = _ONE + _least_exp(-mpq(loss))
    return rest + (_ONE - rest) * _rounded_up(most / least)


# === approximate_epsilon with mpq, context, ln, Extended, gmpy2, math, ?,
#    opendp_lite.exact.rationals.Extended, _ZERO, _PRECISION, _UP
def approximate_epsilon(pair: tuple[Extended, mpq], delta: mpq) -> Extended:
    loss, rest = pair
    if delta >= 1:
        return _ZERO
    if delta < rest or isinstance(loss, float):
        return math.inf
    share = (delta - rest) / (_ONE - rest)
    factor = _least_exp(-mpq(loss))
    ratio = _ONE - share - share * factor
    if ratio <= 0:
        return _ZERO
    return max(loss + mpq(ln(ratio, _PRECISION).hi), _ZERO)


# === profile_of_concentrated with mpq, Extended, opendp_lite.exact.rationals.Extended
def profile_of_concentrated(rho: Extended, rest: mpq) -> Profile:
    return _outside(
        lambda epsilon: concentrated_delta(rho, epsilon),
        lambda delta: concentrated_epsilon(rho, delta),
        rest,
    )


# === profile_of_orders with Sequence, mpq, context, Extended, gmpy2, math, ?,
#    opendp_lite.exact.rationals.Extended, _ZERO, _NEAR, _UNIT, _HALF, _SMALL
def profile_of_orders(losses: Sequence[tuple[mpq, Extended]], rest: mpq) -> Profile:
    if any(loss == 0 for _, loss in losses):
        return profile_of_pair(_ZERO, rest)
    known = [(a - 1, mpq(e)) for a, e in losses if e != math.inf]
    if not known:
        return profile_of_pair(math.inf, rest)
    places = range(len(known))
    steep = [(float(_near(b)), float(_near(1 / b))) for b, _ in known]
    shifts = [_shift(b, loss) for b, loss in known]

    def delta(epsilon: Extended) -> mpq:
        if isinstance(epsilon, float):
            return _ZERO
        point = float(_near(mpq(epsilon)))
        i = min(places, key=lambda i: steep[i][0] * (shifts[i] - point))
        return _delta_of_order(*known[i], mpq(epsilon))

    def epsilon(delta: mpq) -> Extended:
        if delta == 0:
            return math.inf
        depth = float(_NEAR.log(_near(delta)))
        i = min(places, key=lambda i: shifts[i] - depth * steep[i][1])
        return _epsilon_of_order(*known[i], delta)

    return _outside(delta, epsilon, rest)


# === profile_of_pair with mpq, Extended, opendp_lite.exact.rationals.Extended
def profile_of_pair(loss: Extended, rest: mpq) -> Profile:
    pair = loss, rest
    return Profile(
        lambda epsilon: approximate_delta(pair, epsilon),
        lambda delta: approximate_epsilon(pair, delta),
    )


# === _outside with Callable, mpq, Extended, math, opendp_lite.exact.rationals.Extended,
#    _ZERO
def _outside(
    delta_of: Callable[[Extended], mpq],
    epsilon_of: Callable[[mpq], Extended],
    rest: mpq,
) -> Profile:
    share = _ONE - rest

    def delta(epsilon: Extended) -> mpq:
        return rest + share * delta_of(epsilon)

    def epsilon(delta: mpq) -> Extended:
        if delta >= 1:
            return _ZERO
        if delta < rest:
            return math.inf
        return epsilon_of((delta - rest) / share)

    return Profile(delta, epsilon)


# === _delta_of_order with mpq, context, gmpy2, ?, _ZERO, _PRECISION, _LEAST_EXPONENT,
#    _UP
def _delta_of_order(b: mpq, loss: mpq, epsilon: mpq) -> mpq:
    exponent = b * (loss - epsilon) - (b + 1) * _logarithm(b)
    if exponent >= _LARGEST_EXPONENT:
        return _ONE
    x = max(exponent, _LEAST_EXPONENT)
    most = _rational(_UP.exp(_UP.div(x.numerator, x.denominator)))
    return min(_rounded_up(most / b), _ONE)


# === _epsilon_of_order with mpq, context, gmpy2, ?, _PRECISION, _UP
def _epsilon_of_order(b: mpq, loss: mpq, delta: mpq) -> mpq:
    x = delta * (b + 1)
    least = _rational(_DOWN.log(_DOWN.div(x.numerator, x.denominator)))
    return _rounded_up(loss - _logarithm(b) - least / b)


# === _logarithm with mpq, context, gmpy2, ?, _PRECISION, _UP
def _logarithm(b: mpq) -> mpq:
    return _rational(_DOWN.log1p(_DOWN.div(b.denominator, b.numerator)))


# === _least_exp with mpq, context, gmpy2, ?, _ZERO, _PRECISION, _LEAST_EXPONENT, _UP
def _least_exp(x: mpq) -> mpq:
    if x <= _LEAST_EXPONENT:
        return _ZERO
    return _rational(_DOWN.exp(_DOWN.div(x.numerator, x.denominator)))


# === _most_part with mpq, context, gmpy2, ?, _PRECISION, _UP
def _most_part(x: mpq) -> mpq:
    least = _DOWN.expm1(_DOWN.div(x.numerator, x.denominator))
    return -_rational(least)


# === _rational with mpfr, mpq
def _rational(y: mpfr) -> mpq:
    return mpq(*y.as_integer_ratio())


# === _rounded_up with mpq, context, gmpy2, ?, _ZERO, _PRECISION, _UP
def _rounded_up(x: mpq) -> mpq:
    if x <= 0:
        return _ZERO
    return _rational(_UP.div(x.numerator, x.denominator))


# === _order_for_delta with mpq, context, gmpy2, ?, _ROUNDS, _NEAR, _UNIT, _HALF, _SMALL
def _order_for_delta(rho: mpq, epsilon: mpq) -> mpq:
    near = _NEAR
    r, c = _near(rho), _near(rho - epsilon)
    twice, e = near.add(r, r), near.sub(r, c)
    root = near.sqrt(near.add(near.square(e), near.mul(_EIGHT, r)))
    y = max(near.div(near.mul(_FOUR, r), near.add(e, root)), c)
    for _ in range(_ROUNDS):
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
    return _within(near.mul(b, near.add(_UNIT, growth)))


# === _order_for_epsilon with mpq, context, gmpy2, ?, _ROUNDS, _NEAR, _UNIT, _HALF,
#    _SMALL
def _order_for_epsilon(rho: mpq, delta: mpq) -> mpq:
    near = _NEAR
    r, goal = _near(rho), near.minus(near.log(_near(delta)))
    four, b = near.mul(_FOUR, r), near.sqrt(near.div(goal, r))
    for _ in range(_ROUNDS):
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
    return _within(b)


# === _shift with mpq, context, gmpy2, ?, _NEAR, _UNIT, _HALF, _SMALL
def _shift(b: mpq, loss: mpq) -> float:
    near = _NEAR
    rate = _near(b)
    spread = near.div(near.log1p(rate), rate)
    step = near.log1p(near.div(1, rate))
    return float(near.sub(near.sub(_near(loss), step), spread))


# === _near with mpfr, mpq, context, gmpy2, ?, _NEAR, _UNIT, _HALF, _SMALL
def _near(x: mpq) -> mpfr:
    return _NEAR.div(x.numerator, x.denominator)


# === _within with mpfr, mpq, context, power_of_two, gmpy2, ?, _LEAST, _NEAR, _SHORT,
#    _UNIT, _HALF, _SMALL
def _within(chosen: mpfr) -> mpq:
    b = _SHORT.div(chosen, _UNIT)
    if _SMALL <= b <= _GREAT:
        return _rational(b)
    return _LARGEST if b > _GREAT else _LEAST
