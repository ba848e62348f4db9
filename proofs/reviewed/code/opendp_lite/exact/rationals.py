# ruff: noqa
# fmt: off
# What was read of opendp_lite.exact.rationals; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from decimal import Decimal
from fractions import Fraction
from gmpy2 import mpfr
from gmpy2 import mpq
from gmpy2 import mpz
from typing import Any
from typing import cast
import math
import re
import sys

_DECIMAL = re.compile(
    r"(?P<sign>[-+]?)(?=\.?[0-9])(?P<whole>[0-9]*)(?:\.(?P<part>[0-9]*))?"
    r"(?:[eE](?P<exponent>[-+]?[0-9]+))?"
)
_QUOTIENT = re.compile(r"(?P<numerator>[-+]?[0-9]+) */ *(?P<denominator>[0-9]+)")
_NON_FINITE = re.compile(r"[-+]?(?:inf(?:inity)?|nan)", re.ASCII | re.IGNORECASE)
_LARGEST_EXPONENT = 1_000_000


# === to_mpq with mpq
def to_mpq(value: object) -> mpq:
    number = _parsed(value)
    if isinstance(number, float):
        raise ValueError(f"must be a finite number, got {number}")
    return number


# === to_extended with mpq, math
def to_extended(value: object) -> mpq | float:
    number = _parsed(value)
    if isinstance(number, float) and math.isnan(number):
        raise ValueError("must be a number, got nan")
    return number


# === to_loss with mpq, Any
def to_loss(value: Any) -> mpq | float:
    stored = to_extended(value)
    if isinstance(stored, float):
        return stored
    if issubclass(type(value), float):
        return max(stored, _from_text(float.__repr__(value)))
    if _is_numpy(value, "floating"):
        return max(stored, _from_text(str(value)))
    return stored


# === to_target with mpq, Any
def to_target(value: Any) -> mpq:
    stored = to_mpq(value)
    if issubclass(type(value), float):
        return min(stored, to_mpq(float.__repr__(value)))
    if _is_numpy(value, "floating"):
        return min(stored, to_mpq(str(value)))
    return stored


# === to_fraction with Fraction, mpq, cast
def to_fraction(x: int | mpq) -> Fraction:
    parts = _Lowest(int(x.numerator), int(x.denominator))
    return Fraction(cast("numbers.Rational", parts))


# === _parsed with Decimal, Fraction, mpfr, mpq, mpz, Any
def _parsed(value: Any) -> mpq | float:
    kind = type(value)
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
        return mpq(int(value.numerator), int(value.denominator))
    if issubclass(kind, Decimal):
        return _from_decimal(value)
    if issubclass(kind, mpz):
        return mpq(value)
    if issubclass(kind, mpfr):
        return _from_binary(value)
    return _from_numpy(value)


# === _from_binary with mpfr, mpq, math
def _from_binary(value: float | mpfr) -> mpq | float:
    if -math.inf < value < math.inf:
        return mpq(*value.as_integer_ratio())
    return float(value)


# === _from_text with mpq, mpz, re, _DECIMAL, _QUOTIENT, _NON_FINITE
def _from_text(text: str) -> mpq | float:
    stripped = text.strip()
    if match := _DECIMAL.fullmatch(stripped):
        part = match["part"] or ""
        digits = mpz(match["sign"].replace("+", "") + match["whole"] + part)
        return _scaled(digits, int(mpz(match["exponent"] or 0)) - len(part), text)
    if match := _QUOTIENT.fullmatch(stripped):
        denominator = mpz(match["denominator"])
        if denominator == 0:
            raise ValueError(f"must not have the denominator 0, got {_shown(text)}")
        return mpq(mpz(match["numerator"].replace("+", "")), denominator)
    if _NON_FINITE.fullmatch(stripped):
        return float(stripped)
    raise ValueError(
        f'must be a number such as "0.1", "1/3" or "1e-5", got {_shown(text)}'
    )


# === _from_decimal with Decimal, mpq, mpz, math
def _from_decimal(value: Decimal) -> mpq | float:
    if value.is_nan():
        return math.nan
    if value.is_infinite():
        return math.inf if value > 0 else -math.inf
    sign, digits, exponent = value.as_tuple()
    magnitude = mpz("".join(map(str, digits)))
    return _scaled(-magnitude if sign else magnitude, int(exponent), str(value))


# === _scaled with mpq, mpz, _LARGEST_EXPONENT
def _scaled(digits: mpz, exponent: int, text: str) -> mpq:
    if digits == 0:
        return mpq(0)
    if abs(exponent) > _LARGEST_EXPONENT:
        raise ValueError(
            f"must have a decimal exponent of at most {_LARGEST_EXPONENT} in size, "
            f"got {_shown(text)}"
        )
    if exponent >= 0:
        return mpq(digits * mpz(10) ** mpz(exponent))
    return mpq(digits, mpz(10) ** mpz(-exponent))


# === _from_numpy with mpq
def _from_numpy(value: object) -> mpq | float:
    if _is_numpy(value, "integer") and not _is_numpy(value, "timedelta64"):
        return mpq(value.__index__())
    if _is_numpy(value, "floating"):
        return _from_binary(value)
    raise TypeError(f"must be a number, got a value of type {type(value).__name__}")


# === _is_numpy with Any, sys
def _is_numpy(value: object, kind: str) -> bool:
    numpy: Any = sys.modules.get("numpy")
    if not issubclass(type(value), getattr(numpy, kind, ())):
        return False
    named: type = numpy.generic.dtype.__get__(value).type
    return named is type(value)


# === _shown
def _shown(text: str) -> str:
    if len(text) <= 60:
        return repr(text)
    return f"{text[:40]!r}... of {len(text)} characters"
