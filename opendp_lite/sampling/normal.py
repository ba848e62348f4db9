"""The size of a standard normal variable, bounded from a prefix of a uniform U.

|Z| = sqrt(2) y with erfc(y) = U. For y >= 0 the function erfc is convex and its
logarithm is concave, so that from one evaluation at any point, however it was guessed,
the tangent of erfc gives a lower bound of y, and that of ln erfc an upper one.
"""

from __future__ import annotations

from functools import lru_cache

import attrs
import gmpy2
from gmpy2 import mpfr

from opendp_lite.exact.directed import Context, context

__all__ = ["bound_normal"]


def bound_normal(prefix: int, length: int, precision: int) -> tuple[int, int | None]:
    """Integers lo <= 2^p z <= hi for all z >= 0 with P(|Z| > z) = u in the cell.

    Z is a standard normal variable. The cell is w/2^n <= u <= (w+1)/2^n, u > 0, where
    w is ``prefix``, n is ``length``, and p, which is ``precision``, is at least n + 8.
    At w = 0 nothing bounds z, and hi is None.

    >>> bound_normal(0, 0, 32)
    (0, None)
    >>> lo, hi = bound_normal(2**39 // 5, 39, 64)
    >>> round(lo / 2**64, 9), round(hi / 2**64, 9)
    (1.281551566, 1.281551566)
    """
    at = _arithmetic(precision)
    down, up = at.down, at.up
    u = up.div(prefix + 1, 1 << length)  # proof: tail
    width = up.div(1, 1 << min(length, 32 + length // 2))
    y = _guess(u, length)  # proof: guess
    started = False
    while True:
        value = down.erfc(y)  # proof: value
        value_up = up.mul(value, at.above)
        power = down.exp(at.wide.square(y))  # proof: power
        steep = down.mul(at.half_sqrt_pi, power)  # proof: steep
        steep_up = up.mul(at.half_sqrt_pi_up, up.mul(power, at.above))
        run = down.mul(value, steep)  # proof: run
        run_up = up.mul(value_up, steep_up)
        rise = down.sub(value, u)  # proof: rise
        left = down.add(y, down.mul(rise, steep if rise >= 0 else steep_up))
        ratio = up.log(up.div(value_up, u))  # proof: ratio
        right = up.add(y, up.mul(ratio, run_up if ratio >= 0 else run))
        if up.sub(right, left) <= width or (started and right >= y):  # proof: stop
            break
        y, started = right, True  # proof: next
    lo = _floor(down.mul(left, at.root), precision) if left > 0 else 0  # proof: lower
    if prefix == 0:  # proof: unbounded
        return lo, None
    ratio = up.add(ratio, up.div(1, prefix))  # proof: longer
    right = up.add(y, up.mul(ratio, run_up if ratio >= 0 else run))
    return lo, _floor(up.mul(right, at.root_up), precision) + 1  # proof: upper


@attrs.frozen
class _Arithmetic:
    """Directed arithmetic of one precision, with the constants of the normal law."""

    down: Context
    up: Context
    wide: Context
    above: mpfr
    half_sqrt_pi: mpfr
    half_sqrt_pi_up: mpfr
    root: mpfr
    root_up: mpfr


@lru_cache(maxsize=256)
def _arithmetic(precision: int) -> _Arithmetic:
    down = context(precision, gmpy2.RoundDown)
    up = context(precision, gmpy2.RoundUp)
    unit = 1 << (precision - 1)
    return _Arithmetic(
        down,
        up,
        context(2 * max(precision, 64), gmpy2.RoundDown),  # proof: wide
        up.div(unit + 1, unit),  # proof: above
        down.div(down.sqrt(down.const_pi()), 2),  # proof: half-sqrt-pi
        up.div(up.sqrt(up.const_pi()), 2),
        down.sqrt(down.div(2, 1)),  # proof: root
        up.sqrt(up.div(2, 1)),
    )


def _floor(x: mpfr, precision: int) -> int:
    """The greatest integer that is at most 2^precision x."""
    mantissa, exponent = x.as_mantissa_exp()
    shift = exponent + precision
    return int(mantissa << shift if shift >= 0 else mantissa >> -shift)  # proof: shift


# The polynomials of Giles, "Approximating the erfinv function" (2010), in Horner order.
# They are right to 21 bits or more. Nothing that is certified depends on them.
_MIDDLE = (
    2.81022636e-08,
    3.43273939e-07,
    -3.5233877e-06,
    -4.39150654e-06,
    0.00021858087,
    -0.00125372503,
    -0.00417768164,
    0.246640727,
    1.50140941,
)
_TAIL = (
    -0.000200214257,
    0.000100950558,
    0.00134934322,
    -0.00367342844,
    0.00573950773,
    -0.0076224613,
    0.00943887047,
    1.00167406,
    2.83297682,
)


def _guess(u: mpfr, length: int) -> mpfr:
    """About the y >= 0 with erfc(y) = u; certain are 0 <= y <= n, and y = 0 at u = 1.

    One step of Newton's method for ln erfc improves what the polynomials give.
    """
    near = context(64, gmpy2.RoundToNearest)
    if u == 1:  # proof: whole
        return near.div(0, 1)
    head = near.sub(near.div(1, 1), u)
    size = near.minus(near.log(near.mul(u, near.add(near.div(1, 1), head))))
    if size < 16:
        t = float(size) - 2.5 if size < 5 else float(near.sqrt(size)) - 3.0
        polynomial = 0.0
        for coefficient in _MIDDLE if size < 5 else _TAIL:
            polynomial = polynomial * t + coefficient
        y = near.mul(head, near.div(*polynomial.as_integer_ratio()))
    else:
        y = near.sqrt(size)
    value = near.erfc(y)
    slope = near.mul(value, near.exp(near.square(y)))
    step = near.mul(near.log(near.div(value, u)), slope)
    y = near.add(y, near.mul(step, _arithmetic(64).half_sqrt_pi))
    return y if 0 < y <= length else near.div(1, 1)  # proof: range
