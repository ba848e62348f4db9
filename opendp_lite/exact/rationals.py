"""Conversions of numbers into exact rationals, and back into fractions.

A message of these functions is a clause without a subject ("must be a finite
number, got nan"), so that a caller can put the name of an argument before it.
"""

from __future__ import annotations

import math
import numbers
import re
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias, cast

from gmpy2 import mpfr, mpq, mpz

Extended: TypeAlias = int | mpq | float
"""An exact number, or an infinity. A float here is only +inf (-inf where said)."""

_DECIMAL = re.compile(
    r"(?P<sign>[-+]?)(?=\.?[0-9])(?P<whole>[0-9]*)(?:\.(?P<part>[0-9]*))?"
    r"(?:[eE](?P<exponent>[-+]?[0-9]+))?"
)
_QUOTIENT = re.compile(r"(?P<numerator>[-+]?[0-9]+) */ *(?P<denominator>[0-9]+)")
_NON_FINITE = re.compile(r"[-+]?(?:inf(?:inity)?|nan)", re.ASCII | re.IGNORECASE)

# A power of ten beyond this would fill the memory: "1e999999999" is a slip of the
# pen or an attack, never a parameter.
_LARGEST_EXPONENT = 1_000_000


def to_mpq(value: object) -> mpq:
    """Return the rational number that ``value`` is, exactly.

    An int, Fraction, Decimal, mpz, mpq, or finite float (mpfr and numpy's integer
    and floating scalars too) means its exact value, so a float means the dyadic
    rational that it stores. A string is a decimal or a quotient of integers.

    Raises TypeError for any other type, bool among them, and ValueError for nan,
    an infinity, and text that is no number.

    >>> to_mpq("0.1"), to_mpq("1/3"), to_mpq("1e-2"), to_mpq(0.5)
    (mpq(1,10), mpq(1,3), mpq(1,100), mpq(1,2))
    >>> to_mpq(0.1) == to_mpq("0.1")
    False
    """
    number = _parsed(value)
    if isinstance(number, float):
        raise ValueError(f"must be a finite number, got {number}")
    return number


def to_extended(value: object) -> mpq | float:
    """Return what :func:`to_mpq` returns, but an infinity as a float.

    >>> to_extended("-inf"), to_extended(3)
    (-inf, mpq(3,1))
    """
    number = _parsed(value)
    if isinstance(number, float) and math.isnan(number):
        raise ValueError("must be a number, got nan")
    return number


def to_loss(value: Any) -> mpq | float:
    r"""Return the privacy loss or budget that ``value`` states; infinity is allowed.

    A float means :math:`\max(b, t)`, with b the value it stores and t the decimal
    it prints as, so that 0.3 is 3/10 and that a loss which was rounded up to a
    float is never less than the loss. Everything else is as in
    :func:`to_extended`.

    >>> to_loss(0.3), to_loss(0.1) == to_mpq(0.1), to_loss("0.1")
    (mpq(3,10), True, mpq(1,10))
    """
    stored = to_extended(value)
    if isinstance(stored, float):
        return stored
    if isinstance(value, float):
        return max(stored, _from_text(float.__repr__(value)))
    if _is_numpy(value, "floating"):
        return max(stored, _from_text(str(value)))
    return stored


def to_target(value: Any) -> mpq:
    r"""Return the privacy loss that ``value`` asks for, where the loss sets the noise.

    A float means :math:`\min(b, t)`, with b the value it stores and t the decimal it
    prints as. So the loss is at most what either reading allows, and ten releases
    that were asked for as 0.1 fit into a budget of 1. Everything else is as in
    :func:`to_mpq`.

    >>> to_target(0.1), to_target(0.3) == to_mpq(0.3), to_target("0.3")
    (mpq(1,10), True, mpq(3,10))
    """
    stored = to_mpq(value)
    if isinstance(value, float):
        return min(stored, to_mpq(float.__repr__(value)))  # proof: double
    if _is_numpy(value, "floating"):
        return min(stored, to_mpq(str(value)))  # proof: numpy
    return stored


def to_fraction(x: int | mpq) -> Fraction:
    """Return the same number as a fraction of the standard library.

    >>> to_fraction(mpq(2, 6))
    Fraction(1, 3)
    """
    # A pair would be reduced again, by a gcd in quadratic time; a rational is copied.
    parts = _Lowest(int(x.numerator), int(x.denominator))
    return Fraction(cast("numbers.Rational", parts))


@numbers.Rational.register
class _Lowest(NamedTuple):
    """A quotient in lowest terms, with a positive denominator."""

    numerator: int
    denominator: int


def _parsed(value: Any) -> mpq | float:
    """The number, as a float if it is nan or an infinity."""
    kind = type(value)  # `isinstance` would ask the value, which may lie
    if issubclass(kind, mpq):
        number: mpq = value
        return number
    if issubclass(kind, float):
        return _from_binary(float(value))
    if issubclass(kind, bool):
        raise TypeError(f"must be a number, got the truth value {value}")
    if issubclass(kind, int):
        return mpq(int(value))
    if issubclass(kind, str):
        return _from_text(value)
    if issubclass(kind, Fraction):
        # A fraction made from integers of numpy holds those.
        return mpq(int(value.numerator), int(value.denominator))
    if issubclass(kind, Decimal):
        return _from_decimal(value)
    if issubclass(kind, mpz):
        return mpq(value)
    if issubclass(kind, mpfr):
        return _from_binary(value)
    return _from_numpy(value)


def _from_binary(value: float | mpfr) -> mpq | float:
    """A binary floating-point number of any width."""
    if -math.inf < value < math.inf:  # false for nan too
        return mpq(*value.as_integer_ratio())
    return float(value)


def _from_text(text: str) -> mpq | float:
    """A decimal, a quotient of integers, "inf" or "nan"; of any number of digits."""
    stripped = text.strip()
    if match := _DECIMAL.fullmatch(stripped):  # proof: decimal
        part = match["part"] or ""
        digits = mpz(match["sign"].replace("+", "") + match["whole"] + part)
        return _scaled(digits, int(mpz(match["exponent"] or 0)) - len(part), text)
    if match := _QUOTIENT.fullmatch(stripped):  # proof: quotient
        denominator = mpz(match["denominator"])
        if denominator == 0:
            raise ValueError(f"must not have the denominator 0, got {_shown(text)}")
        return mpq(mpz(match["numerator"].replace("+", "")), denominator)
    if _NON_FINITE.fullmatch(stripped):
        return float(stripped)
    raise ValueError(
        f'must be a number such as "0.1", "1/3" or "1e-5", got {_shown(text)}'
    )


def _from_decimal(value: Decimal) -> mpq | float:
    """A Decimal, which may be an infinity or one of its two kinds of nan."""
    if value.is_nan():
        return math.nan
    if value.is_infinite():
        return math.inf if value > 0 else -math.inf
    sign, digits, exponent = value.as_tuple()
    magnitude = mpz("".join(map(str, digits)))
    return _scaled(-magnitude if sign else magnitude, int(exponent), str(value))


def _scaled(digits: mpz, exponent: int, text: str) -> mpq:
    """digits * 10^exponent; the text is for the message."""
    if digits == 0:
        return mpq(0)
    if abs(exponent) > _LARGEST_EXPONENT:  # proof: limit
        raise ValueError(
            f"must have a decimal exponent of at most {_LARGEST_EXPONENT} in size, "
            f"got {_shown(text)}"
        )
    if exponent >= 0:
        return mpq(digits * mpz(10) ** mpz(exponent))
    return mpq(digits, mpz(10) ** mpz(-exponent))


def _from_numpy(value: object) -> mpq | float:
    """A scalar of numpy, or a refusal."""
    # A timedelta64 is, to numpy, an integer; here it is not a number.
    if _is_numpy(value, "integer") and not _is_numpy(value, "timedelta64"):
        return mpq(value.__index__())  # type: ignore[attr-defined]
    if _is_numpy(value, "floating"):
        return _from_binary(value)  # type: ignore[arg-type]
    raise TypeError(f"must be a number, got a value of type {type(value).__name__}")


def _is_numpy(value: object, kind: str) -> bool:
    """Whether value is a numpy scalar of that kind, and of a class of numpy's own.

    A class derived from one of these may say another number whenever it is asked.
    Where numpy was never imported nothing can be one, so numpy is not loaded here.
    """
    numpy: Any = sys.modules.get("numpy")
    if not isinstance(value, getattr(numpy, kind, ())):
        return False
    named: type = numpy.generic.dtype.__get__(value).type
    return named is type(value)


def _shown(text: str) -> str:
    """The text as it stands in a message, not too long."""
    if len(text) <= 60:
        return repr(text)
    return f"{text[:40]!r}... of {len(text)} characters"
