# ruff: noqa
# fmt: off
# What was read of opendp_lite.laws.conversions; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from collections.abc import Sequence
from gmpy2 import mpfr
from gmpy2 import mpq
from opendp_lite.exact.directed import context
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.elementary import expm1
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import Extended
import attrs
import gmpy2
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)
_PRECISION = 128
if not context(64, gmpy2.RoundDown).div(1, 3) < context(64, gmpy2.RoundUp).div(1, 3):
    raise ImportError('opendp_lite needs gmpy2 2.3 or later: before that, context.div does not round as its context says. Run pip install -U gmpy2.')
_LEAST_EXPONENT, _LARGEST_EXPONENT = mpq(-1500), mpq(64)
_ROUNDS = 50
_CLOSE = mpfr("0x1p-18")
_UNIT, _FOUR, _EIGHT, _SIXTEEN = mpfr(1), mpfr(4), mpfr(8), mpfr(16)
_LEAST, _LARGEST = power_of_two(-64), power_of_two(4096)


# === Profile with Callable, mpq, Extended, attrs, opendp_lite.exact.rationals.Extended
@attrs.frozen(eq=False)
class Profile:
    delta: Callable[[Extended], mpq]
    epsilon: Callable[[mpq], Extended]

    def __call__(self, epsilon: Extended) -> mpq:
        return self.delta(epsilon)


# === pure_to_concentrated with mpq, expm1, Extended, math,
#    opendp_lite.exact.rationals.Extended, _ZERO, _PRECISION
def pure_to_concentrated(epsilon: Extended) -> Extended:
    if isinstance(epsilon, float):
        return math.inf
    loss = mpq(epsilon)
    part = -mpq(expm1(-loss, _PRECISION).lo)
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
    most = _ONE - _least_exp(mpq(epsilon - loss))
    least = _ONE + _least_exp(-mpq(loss))
    return rest + (_ONE - rest) * _rounded_up(most / least)


# === approximate_epsilon with mpq, ln, Extended, math,
#    opendp_lite.exact.rationals.Extended, _ZERO, _PRECISION
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
#    opendp_lite.exact.rationals.Extended, _ZERO
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
        depth = float(context(64, gmpy2.RoundToNearest).log(_near(delta)))
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
    def delta(epsilon: Extended) -> mpq:
        return rest + (_ONE - rest) * delta_of(epsilon)

    def epsilon(delta: mpq) -> Extended:
        if delta >= 1:
            return _ZERO
        if delta < rest:
            return math.inf
        return epsilon_of((delta - rest) / (_ONE - rest))

    return Profile(delta, epsilon)


# === _delta_of_order with mpq, context, gmpy2, ?, _ZERO, _PRECISION, _LEAST_EXPONENT
def _delta_of_order(b: mpq, loss: mpq, epsilon: mpq) -> mpq:
    up = context(_PRECISION, gmpy2.RoundUp)
    exponent = b * (loss - epsilon) - (b + 1) * _logarithm(b)
    if exponent >= _LARGEST_EXPONENT:
        return _ONE
    x = max(exponent, _LEAST_EXPONENT)
    most = _rational(up.exp(up.div(x.numerator, x.denominator)))
    return min(_rounded_up(most / b), _ONE)


# === _epsilon_of_order with mpq, context, gmpy2, ?, _PRECISION
def _epsilon_of_order(b: mpq, loss: mpq, delta: mpq) -> mpq:
    down = context(_PRECISION, gmpy2.RoundDown)
    x = delta * (b + 1)
    least = _rational(down.log(down.div(x.numerator, x.denominator)))
    return _rounded_up(loss - _logarithm(b) - least / b)


# === _logarithm with mpq, context, gmpy2, ?, _PRECISION
def _logarithm(b: mpq) -> mpq:
    down = context(_PRECISION, gmpy2.RoundDown)
    return _rational(down.log1p(down.div(b.denominator, b.numerator)))


# === _rational with mpfr, mpq
def _rational(y: mpfr) -> mpq:
    return mpq(*y.as_integer_ratio())


# === _rounded_up with mpq, ceil_multiple, exponent_at_least, power_of_two, _ZERO,
#    _PRECISION
def _rounded_up(x: mpq) -> mpq:
    if x <= 0:
        return _ZERO
    k = exponent_at_least(x) - _PRECISION
    return mpq(ceil_multiple(x, k)) * power_of_two(k)


# === _least_exp with mpq, exp, _ZERO, _PRECISION, _LEAST_EXPONENT
def _least_exp(x: mpq) -> mpq:
    if x <= _LEAST_EXPONENT:
        return _ZERO
    return mpq(exp(x, _PRECISION).lo)


# === _order_for_delta with mpfr, mpq, context, gmpy2, ?, _ROUNDS, _CLOSE, _UNIT
def _order_for_delta(rho: mpq, epsilon: mpq) -> mpq:
    near = context(64, gmpy2.RoundToNearest)
    r, c = _near(rho), _near(rho - epsilon)
    root = near.sqrt(near.add(near.square(c), near.mul(_EIGHT, r)))
    if c > 0:
        inverse = near.div(near.add(root, c), 2)
    else:
        inverse = near.div(near.mul(_FOUR, r), near.sub(root, c))
    y = max(near.log1p(inverse), c)
    for _ in range(_ROUNDS):
        b = near.div(1, near.expm1(y))
        drift = near.mul(near.add(r, r), b)
        slope = near.add(_UNIT, near.mul(drift, near.add(b, _UNIT)))
        step = near.div(near.sub(near.sub(y, c), drift), slope)
        y = near.sub(y, step)
        if near.abs(step) <= near.mul(_CLOSE, y):
            break
    return _within(near.div(1, near.expm1(y)))


# === _order_for_epsilon with mpfr, mpq, context, gmpy2, ?, _ROUNDS, _CLOSE, _UNIT
def _order_for_epsilon(rho: mpq, delta: mpq) -> mpq:
    near = context(64, gmpy2.RoundToNearest)
    r, goal = _near(rho), near.minus(near.log(_near(delta)))
    b = min(near.sqrt(near.div(goal, r)), near.expm1(goal))
    for _ in range(_ROUNDS):
        value = near.sub(near.add(near.mul(r, near.square(b)), near.log1p(b)), goal)
        slope = near.add(near.mul(near.add(r, r), b), near.div(1, near.add(b, _UNIT)))
        new = max(near.sub(b, near.div(value, slope)), near.div(b, _SIXTEEN))
        step, b = near.sub(new, b), new
        if near.abs(step) <= near.mul(_CLOSE, b):
            break
    return _within(b)


# === _shift with mpq, context, gmpy2, ?
def _shift(b: mpq, loss: mpq) -> float:
    near = context(64, gmpy2.RoundToNearest)
    rate = _near(b)
    spread = near.div(near.log1p(rate), rate)
    step = near.log1p(near.div(1, rate))
    return float(near.sub(near.sub(_near(loss), step), spread))


# === _near with mpfr, mpq, context, gmpy2, ?
def _near(x: mpq) -> mpfr:
    return context(64, gmpy2.RoundToNearest).div(x.numerator, x.denominator)


# === _within with mpfr, mpq, context, power_of_two, gmpy2, ?, _LEAST
def _within(chosen: mpfr) -> mpq:
    b = context(32, gmpy2.RoundToNearest).div(chosen, 1)
    if not b.is_regular() or b < 0:
        return _LEAST
    mantissa, exponent = b.as_mantissa_exp()
    if exponent > 4096:
        return _LARGEST
    if exponent < -256:
        return _LEAST
    number = mpq(mantissa) * power_of_two(int(exponent))
    return min(max(number, _LEAST), _LARGEST)
