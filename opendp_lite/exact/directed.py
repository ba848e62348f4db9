"""Directed rounding with MPFR: rationals in, rational ends out.

Two rules keep the ends certain. Operations on an mpfr are methods of a context made
here, never operators or functions of gmpy2, which round by whatever context is
current. And an mpfr leaves the package only as a rational.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Protocol, TypeAlias, cast

import attrs
import gmpy2
from gmpy2 import mpfr, mpq, mpz

from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure, End

_Number: TypeAlias = int | mpz | mpfr


class Context(Protocol):
    """The operations of a gmpy2 context used here, all of them on real numbers."""

    def abs(self, x: mpfr, /) -> mpfr: ...
    def add(self, x: mpfr, y: mpfr, /) -> mpfr: ...
    def const_pi(self) -> mpfr: ...
    def div(self, x: _Number, y: _Number, /) -> mpfr: ...
    def erf(self, x: mpfr, /) -> mpfr: ...
    def erfc(self, x: mpfr, /) -> mpfr: ...
    def exp(self, x: mpfr, /) -> mpfr: ...
    def expm1(self, x: mpfr, /) -> mpfr: ...
    def log(self, x: mpfr, /) -> mpfr: ...
    def log1p(self, x: mpfr, /) -> mpfr: ...
    def minus(self, x: mpfr, /) -> mpfr: ...
    def mul(self, x: mpfr, y: mpfr, /) -> mpfr: ...
    def sqrt(self, x: mpfr, /) -> mpfr: ...
    def square(self, x: mpfr, /) -> mpfr: ...
    def sub(self, x: mpfr, y: mpfr, /) -> mpfr: ...


# A large argument is converted with more bits than the result has, because exp and
# erfc magnify its relative error, by up to 2 x^2.
_WIDER = 64

_LEAST_PRECISION = 16
_BIT, _SLACK = mpz(1), mpz(8)


@attrs.frozen
class Rounding:
    """How a result is rounded, and how the argument it is computed from."""

    result: Context
    small: Context
    large: Context

    def argument(self, x: int | End) -> mpfr:
        """x as an mpfr, rounded in the direction for arguments.

        A quotient of integers is rounded once. 64 bits are added if |x| >= 1.
        """
        if isinstance(x, float):
            return mpfr(x)  # an infinity
        n, d = x.numerator, x.denominator
        if n.bit_length() < d.bit_length():
            return self.small.div(n, d)
        return self.large.div(n, d)


Function: TypeAlias = Callable[[Rounding, int | End], mpfr]
"""A real function, evaluated at a rational with the rounding asked for."""


def image(
    function: Function, lo: int | End, hi: int | End, precision: int
) -> Enclosure:
    """Return the interval of all f(x), lo <= x <= hi, for an increasing f."""
    down, up = _roundings(precision)
    return Enclosure(
        _lower_end(function(down, lo), precision),
        _upper_end(function(up, hi), precision),
    )


def image_of_decreasing(
    function: Function, lo: int | End, hi: int | End, precision: int
) -> Enclosure:
    """Return the interval of all f(x), lo <= x <= hi, for a decreasing f."""
    down, up = _roundings(precision, decreasing=True)
    return Enclosure(
        _lower_end(function(down, hi), precision),
        _upper_end(function(up, lo), precision),
    )


def image_of_point(function: Function, x: int | mpq, precision: int) -> Enclosure:
    r"""Return an interval around f(x), for an increasing f, by a single evaluation.

    f must be evaluated at an argument t (not always x itself) with
    :math:`|t f'(t) / f(t)| \le 2` where |t| < 1 and :math:`\le 2^{60}` elsewhere.

    Proof. Let a be t rounded down to p bits, or to p + 64 bits where |t| >= 1, and y
    be f(a) rounded down to p bits. The relative error of a is below 2^(1-p) or
    2^(-63-p), so f(t) exceeds f(a) by less than a part of 2^(2-p), up to terms of
    order 2^(-2p), that is by less than 5 ulp of y, since |y| <= 2^p ulp; and f(a)
    exceeds y by less than 1 ulp. So f(t) lies between y and y + 8 ulp.
    """
    y = function(_roundings(precision)[0], x)
    if y.is_regular():  # neither 0 nor infinite
        mantissa, exponent = y.as_mantissa_exp()
        if -_exponent_limit(precision) <= exponent < 0:
            unit = _BIT << -exponent
            return Enclosure(mpq(mantissa, unit), mpq(mantissa + _SLACK, unit))
    return image(function, x, x, precision)


@lru_cache(maxsize=256)
def context(precision: int, direction: int) -> Context:
    """Return the context of that precision and direction, with the widest exponents."""
    made = gmpy2.context(
        precision=precision,
        round=direction,
        emin=gmpy2.get_emin_min(),
        emax=gmpy2.get_emax_max(),
    )
    return cast(Context, made)


if not context(64, gmpy2.RoundDown).div(1, 3) < context(64, gmpy2.RoundUp).div(1, 3):
    # Before 2.3 the method rounds by the current context, and no end is certain.
    raise ImportError(  # pragma: no cover
        "opendp_lite needs gmpy2 2.3 or later: before that, context.div does not round "
        "as its context says. Run pip install -U gmpy2."
    )


@lru_cache(maxsize=256)
def _roundings(precision: int, decreasing: bool = False) -> tuple[Rounding, Rounding]:
    """The roundings for the lower and the upper end of a monotone function.

    The lower end of an increasing function comes from an argument rounded down, of
    a decreasing one from an argument rounded up.
    """
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


def _lower_end(y: mpfr, precision: int) -> End:
    """A rational (or -inf) that is at most y: y itself unless it is extreme.

    Outside of about 2^(+-2^17 precision) the rational would take megabytes, so the
    end becomes a power of two, 0 or -inf. Higher precisions reach further.
    """
    if y.is_infinite():
        return -math.inf if y < 0 else power_of_two(_exponent_limit(precision))
    mantissa, exponent = y.as_mantissa_exp()
    return _at_most(mantissa, exponent, precision)


def _upper_end(y: mpfr, precision: int) -> End:
    """A rational (or inf) that is at least y: y itself unless it is extreme."""
    if y.is_infinite():
        return math.inf if y > 0 else -power_of_two(_exponent_limit(precision))
    mantissa, exponent = y.as_mantissa_exp()
    return -_at_most(-mantissa, exponent, precision)


def _at_most(mantissa: mpz, exponent: int | mpz, precision: int) -> End:
    """An end that is at most mantissa * 2^exponent."""
    limit = _exponent_limit(precision)
    if -limit <= exponent < 0:
        return mpq(mantissa, _BIT << -exponent)
    if 0 <= exponent <= limit:
        return mpq(mantissa << exponent)
    if exponent > limit:
        return power_of_two(limit) if mantissa > 0 else -math.inf
    return mpq(0) if mantissa > 0 else -power_of_two(mantissa.bit_length() - limit)


def _exponent_limit(precision: int) -> int:
    """The largest size of an exponent in an end, inside the range of MPFR (2^30)."""
    return min(max(precision, _LEAST_PRECISION) << 17, 1 << 29)
