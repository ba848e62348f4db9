# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/bound_normal; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.normal:bound_normal ===

def bound_normal(prefix: int, length: int, precision: int) -> tuple[int, int | None]:
    at = _arithmetic(precision)
    down, up = at.down, at.up
    u = up.div(prefix + 1, 1 << length)
    width = up.div(1, 1 << min(length, 32 + length // 2))
    y = _guess(u, length)
    started = False
    while True:
        value = down.erfc(y)
        value_up = up.mul(value, at.above)
        power = down.exp(at.wide.square(y))
        steep = down.mul(at.half_sqrt_pi, power)
        steep_up = up.mul(at.half_sqrt_pi_up, up.mul(power, at.above))
        run = down.mul(value, steep)
        run_up = up.mul(value_up, steep_up)
        rise = down.sub(value, u)
        left = down.add(y, down.mul(rise, steep if rise >= 0 else steep_up))
        ratio = up.log(up.div(value_up, u))
        right = up.add(y, up.mul(ratio, run_up if ratio >= 0 else run))
        if up.sub(right, left) <= width or (started and right >= y):
            break
        y, started = right, True
    lo = _floor(down.mul(left, at.root), precision) if left > 0 else 0
    if prefix == 0:
        return lo, None
    ratio = up.add(ratio, up.div(1, prefix))
    right = up.add(y, up.mul(ratio, run_up if ratio >= 0 else run))
    return lo, _floor(up.mul(right, at.root_up), precision) + 1


# === opendp_lite.sampling.normal:_arithmetic ===

from functools import lru_cache
from opendp_lite.exact.directed import context
import gmpy2

if not context(64, gmpy2.RoundDown).div(1, 3) < context(64, gmpy2.RoundUp).div(1, 3):
    raise ImportError('opendp_lite needs gmpy2 2.3 or later: before that, context.div does not round as its context says. Run pip install -U gmpy2.')

@lru_cache(maxsize=256)
def _arithmetic(precision: int) -> _Arithmetic:
    down = context(precision, gmpy2.RoundDown)
    up = context(precision, gmpy2.RoundUp)
    unit = 1 << (precision - 1)
    return _Arithmetic(
        down,
        up,
        context(2 * max(precision, 64), gmpy2.RoundDown),
        up.div(unit + 1, unit),
        down.div(down.sqrt(down.const_pi()), 2),
        up.div(up.sqrt(up.const_pi()), 2),
        down.sqrt(down.div(2, 1)),
        up.sqrt(up.div(2, 1)),
    )


# === opendp_lite.sampling.normal:_floor ===

from gmpy2 import mpfr

def _floor(x: mpfr, precision: int) -> int:
    mantissa, exponent = x.as_mantissa_exp()
    shift = exponent + precision
    return int(mantissa << shift if shift >= 0 else mantissa >> -shift)


# === opendp_lite.sampling.normal:_guess ===

from gmpy2 import mpfr
from opendp_lite.exact.directed import context
import gmpy2

if not context(64, gmpy2.RoundDown).div(1, 3) < context(64, gmpy2.RoundUp).div(1, 3):
    raise ImportError('opendp_lite needs gmpy2 2.3 or later: before that, context.div does not round as its context says. Run pip install -U gmpy2.')
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
    near = context(64, gmpy2.RoundToNearest)
    if u == 1:
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
    return y if 0 < y <= length else near.div(1, 1)


# === opendp_lite.exact.directed:context ===

from functools import lru_cache
from typing import cast
import gmpy2

if not context(64, gmpy2.RoundDown).div(1, 3) < context(64, gmpy2.RoundUp).div(1, 3):
    raise ImportError(
        "opendp_lite needs gmpy2 2.3 or later: before that, context.div does not round "
        "as its context says. Run pip install -U gmpy2."
    )

@lru_cache(maxsize=256)
def context(precision: int, direction: int) -> Context:
    made = gmpy2.context(
        precision=precision,
        round=direction,
        emin=gmpy2.get_emin_min(),
        emax=gmpy2.get_emax_max(),
    )
    return cast(Context, made)
