# ruff: noqa
# fmt: off
# What was read of opendp_lite.exact.directed; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from functools import lru_cache
from gmpy2 import mpfr
from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import End
from typing import TypeAlias
from typing import cast
import attrs
import gmpy2
import math

opendp_lite.exact.intervals.End: typing.TypeAlias = gmpy2.mpq | float
Function: TypeAlias = Callable[[Rounding, int | End], mpfr]
_BIT, _SLACK = mpz(1), mpz(8)
if not context(64, gmpy2.RoundDown).div(1, 3) < context(64, gmpy2.RoundUp).div(1, 3):
    raise ImportError(
        "opendp_lite needs gmpy2 2.3 or later: before that, context.div does not round "
        "as its context says. Run pip install -U gmpy2."
    )
_WIDER = 64
_LEAST_PRECISION = 16


# === Rounding.argument with mpfr, End, attrs, opendp_lite.exact.intervals.End
@attrs.frozen
class Rounding:
    small: Context
    large: Context
    def argument(self, x: int | End) -> mpfr:
        if isinstance(x, float):
            return mpfr(x)
        n, d = x.numerator, x.denominator
        if n.bit_length() < d.bit_length():
            return self.small.div(n, d)
        return self.large.div(n, d)


# === image with Callable, mpfr, Enclosure, End, TypeAlias, Function,
#    opendp_lite.exact.intervals.End
def image(
    function: Function, lo: int | End, hi: int | End, precision: int
) -> Enclosure:
    down, up = _roundings(precision)
    return Enclosure(
        _lower_end(function(down, lo), precision),
        _upper_end(function(up, hi), precision),
    )


# === image_of_point with Callable, mpfr, mpq, mpz, Enclosure, End, TypeAlias, _BIT,
#    Function, opendp_lite.exact.intervals.End
def image_of_point(function: Function, x: int | mpq, precision: int) -> Enclosure:
    y = function(_roundings(precision)[0], x)
    if y.is_regular():
        mantissa, exponent = y.as_mantissa_exp()
        if -_exponent_limit(precision) <= exponent < 0:
            unit = _BIT << -exponent
            return Enclosure(mpq(mantissa, unit), mpq(mantissa + _SLACK, unit))
    return image(function, x, x, precision)


# === context with lru_cache, cast, gmpy2, ?
@lru_cache(maxsize=256)
def context(precision: int, direction: int) -> Context:
    made = gmpy2.context(
        precision=precision,
        round=direction,
        emin=gmpy2.get_emin_min(),
        emax=gmpy2.get_emax_max(),
    )
    return cast(Context, made)


# === _roundings with lru_cache, gmpy2, _WIDER, _LEAST_PRECISION, ?
@lru_cache(maxsize=256)
def _roundings(precision: int, decreasing: bool = False) -> tuple[Rounding, Rounding]:
    precision = max(precision, _LEAST_PRECISION)
    down, up = gmpy2.RoundDown, gmpy2.RoundUp

    def rounding(result: int, argument: int) -> Rounding:
        return Rounding(
            context(precision, result),
            context(precision, argument),
            context(precision + _WIDER, argument),
        )

    if decreasing:
        return rounding(down, up), rounding(up, down)
    return rounding(down, down), rounding(up, up)


# === _lower_end with mpfr, power_of_two, End, math, opendp_lite.exact.intervals.End
def _lower_end(y: mpfr, precision: int) -> End:
    if y.is_infinite():
        return -math.inf if y < 0 else power_of_two(_exponent_limit(precision))
    mantissa, exponent = y.as_mantissa_exp()
    return _at_most(mantissa, exponent, precision)


# === _upper_end with mpfr, power_of_two, End, math, opendp_lite.exact.intervals.End
def _upper_end(y: mpfr, precision: int) -> End:
    if y.is_infinite():
        return math.inf if y > 0 else -power_of_two(_exponent_limit(precision))
    mantissa, exponent = y.as_mantissa_exp()
    return -_at_most(-mantissa, exponent, precision)


# === _at_most with mpq, mpz, power_of_two, End, math, _BIT,
#    opendp_lite.exact.intervals.End
def _at_most(mantissa: mpz, exponent: int | mpz, precision: int) -> End:
    limit = _exponent_limit(precision)
    if -limit <= exponent < 0:
        return mpq(mantissa, _BIT << -exponent)
    if 0 <= exponent <= limit:
        return mpq(mantissa << exponent)
    if exponent > limit:
        return power_of_two(limit) if mantissa > 0 else -math.inf
    return mpq(0) if mantissa > 0 else -power_of_two(mantissa.bit_length() - limit)


# === _exponent_limit with _LEAST_PRECISION
def _exponent_limit(precision: int) -> int:
    return min(max(precision, _LEAST_PRECISION) << 17, 1 << 29)
