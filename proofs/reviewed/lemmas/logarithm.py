# ruff: noqa
# fmt: off
# The code that was reviewed with the proof lemmas/logarithm; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.exact.elementary:ln ===

from opendp_lite.exact.directed import image
from opendp_lite.exact.directed import image_of_point
from opendp_lite.exact.intervals import Argument
from opendp_lite.exact.intervals import Enclosure

_ZERO_POINT, _ONE_POINT = Enclosure(0, 0), Enclosure(1, 1)
opendp_lite.exact.intervals.Argument: typing.TypeAlias = int | gmpy2.mpq | opendp_lite.exact.intervals.Enclosure

def ln(x: Argument, precision: int) -> Enclosure:
    if isinstance(x, Enclosure):
        if x.hi <= 0:
            raise ValueError("ln needs a positive argument")
        return image(_ln, max(x.lo, 0), x.hi, precision)
    if x <= 0:
        raise ValueError("ln needs a positive argument")
    return image_of_point(_ln, x, precision) if x != 1 else _ZERO_POINT


# === opendp_lite.exact.elementary:_ln ===

from gmpy2 import mpfr
from gmpy2 import mpq
from opendp_lite.exact.directed import Rounding
from opendp_lite.exact.intervals import End

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)
opendp_lite.exact.intervals.End: typing.TypeAlias = gmpy2.mpq | float

def _ln(rounding: Rounding, x: int | End) -> mpfr:
    if _HALF < x < _TWO:
        return rounding.result.log1p(rounding.argument(mpq(x) - _ONE))
    return rounding.result.log(rounding.argument(x))


# === opendp_lite.exact.directed:image_of_point ===

from collections.abc import Callable
from gmpy2 import mpfr
from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import End
from typing import TypeAlias

_BIT, _SLACK = mpz(1), mpz(8)
Function: TypeAlias = Callable[[Rounding, int | End], mpfr]
opendp_lite.exact.intervals.End: typing.TypeAlias = gmpy2.mpq | float

def image_of_point(function: Function, x: int | mpq, precision: int) -> Enclosure:
    y = function(_roundings(precision)[0], x)
    if y.is_regular():
        mantissa, exponent = y.as_mantissa_exp()
        if -_exponent_limit(precision) <= exponent < 0:
            unit = _BIT << -exponent
            return Enclosure(mpq(mantissa, unit), mpq(mantissa + _SLACK, unit))
    return image(function, x, x, precision)


# === opendp_lite.exact.directed:image ===

from collections.abc import Callable
from gmpy2 import mpfr
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import End
from typing import TypeAlias

Function: TypeAlias = Callable[[Rounding, int | End], mpfr]
opendp_lite.exact.intervals.End: typing.TypeAlias = gmpy2.mpq | float

def image(
    function: Function, lo: int | End, hi: int | End, precision: int
) -> Enclosure:
    down, up = _roundings(precision)
    return Enclosure(
        _lower_end(function(down, lo), precision),
        _upper_end(function(up, hi), precision),
    )


# === opendp_lite.exact.directed:Rounding.argument ===

from gmpy2 import mpfr
from opendp_lite.exact.intervals import End
import attrs

opendp_lite.exact.intervals.End: typing.TypeAlias = gmpy2.mpq | float

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


# === opendp_lite.exact.directed:_roundings ===

from functools import lru_cache
import gmpy2

_WIDER = 64
_LEAST_PRECISION = 16
if not context(64, gmpy2.RoundDown).div(1, 3) < context(64, gmpy2.RoundUp).div(1, 3):
    raise ImportError(
        "opendp_lite needs gmpy2 2.3 or later: before that, context.div does not round "
        "as its context says. Run pip install -U gmpy2."
    )

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


# === opendp_lite.exact.directed:_lower_end ===

from gmpy2 import mpfr
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import End
import math

opendp_lite.exact.intervals.End: typing.TypeAlias = gmpy2.mpq | float

def _lower_end(y: mpfr, precision: int) -> End:
    if y.is_infinite():
        return -math.inf if y < 0 else power_of_two(_exponent_limit(precision))
    mantissa, exponent = y.as_mantissa_exp()
    return _at_most(mantissa, exponent, precision)


# === opendp_lite.exact.directed:_upper_end ===

from gmpy2 import mpfr
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import End
import math

opendp_lite.exact.intervals.End: typing.TypeAlias = gmpy2.mpq | float

def _upper_end(y: mpfr, precision: int) -> End:
    if y.is_infinite():
        return math.inf if y > 0 else -power_of_two(_exponent_limit(precision))
    mantissa, exponent = y.as_mantissa_exp()
    return -_at_most(-mantissa, exponent, precision)


# === opendp_lite.exact.directed:_at_most ===

from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import End
import math

_BIT, _SLACK = mpz(1), mpz(8)
opendp_lite.exact.intervals.End: typing.TypeAlias = gmpy2.mpq | float

def _at_most(mantissa: mpz, exponent: int, precision: int) -> End:
    limit = _exponent_limit(precision)
    if -limit <= exponent < 0:
        return mpq(mantissa, _BIT << -exponent)
    if 0 <= exponent <= limit:
        return mpq(mantissa << exponent)
    if exponent > limit:
        return power_of_two(limit) if mantissa > 0 else -math.inf
    return mpq(0) if mantissa > 0 else -power_of_two(mantissa.bit_length() - limit)


# === opendp_lite.exact.directed:_exponent_limit ===

_LEAST_PRECISION = 16

def _exponent_limit(precision: int) -> int:
    return min(max(precision, _LEAST_PRECISION) << 17, 1 << 29)
