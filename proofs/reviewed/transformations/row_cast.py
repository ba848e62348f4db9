# ruff: noqa
# fmt: off
# The code that was reviewed with the proof transformations/row_cast; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.transformations.conversions:row_cast ===

from collections.abc import Callable
from fractions import Fraction
from opendp_lite.core.carrier import AtomType
from typing import Any

_CASTS: dict[type, Callable[[Any], Any]] = {
    bool: _to_bool,
    int: _to_int,
    float: _to_float,
    str: _to_str,
    Fraction: _to_fraction,
}

def row_cast(target: AtomType) -> Callable[[Any], Any]:
    convert, default = _CASTS[target.T], target.T()

    def cast(value: Any) -> Any:
        if value is None:
            return default
        result = convert(value)
        if target.single:
            return _nearest_single(result)
        if target.bounds is not None:
            lower, upper = target.bounds
            return result if lower <= result <= upper else default
        return result

    return cast


# === opendp_lite.transformations.conversions:_to_bool ===

from typing import Any

def _to_bool(value: Any) -> bool:
    return bool(value != ("" if isinstance(value, str) else 0))


# === opendp_lite.transformations.conversions:_to_int ===

from gmpy2 import mpz
from typing import Any
import math
import re

_LONGEST = 4300
_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)

def _to_int(value: Any) -> int:
    if isinstance(value, str):
        if len(value) > _LONGEST or not _INTEGER.fullmatch(value):
            return 0
        return int(mpz(value.removeprefix("+")))
    if isinstance(value, float) and not math.isfinite(value):
        return 0
    return int(value)


# === opendp_lite.transformations.conversions:_to_float ===

from typing import Any
import re

_FLOAT = re.compile(
    r"[+-]?(?:inf|infinity|nan"
    r"|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?)",
    re.ASCII | re.IGNORECASE,
)

def _to_float(value: Any) -> float:
    if isinstance(value, str) and not _FLOAT.fullmatch(value):
        return 0.0
    try:
        return float(value)
    except (OverflowError, ValueError):
        return 0.0


# === opendp_lite.transformations.conversions:_to_str ===

from gmpy2 import mpq
from typing import Any

def _to_str(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "NaN" if value != value else float.__repr__(value)
    return str(mpq(value.numerator, value.denominator))


# === opendp_lite.transformations.conversions:_to_fraction ===

from fractions import Fraction
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rationals import to_mpq
from typing import Any
import math
import re

_LONGEST = 4300
_RATIONAL = re.compile(
    r"[+-]?(?:[0-9]+/0*[1-9][0-9]*"
    r"|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]{1,4})?)",
    re.ASCII | re.IGNORECASE,
)

def _to_fraction(value: Any) -> Fraction:
    if isinstance(value, str):
        if len(value) > _LONGEST or not _RATIONAL.fullmatch(value):
            return Fraction(0)
        return to_fraction(to_mpq(value))
    if isinstance(value, float) and not math.isfinite(value):
        return Fraction(0)
    return Fraction(value)


# === opendp_lite.transformations.conversions:_nearest_single ===

import struct

def _nearest_single(value: float) -> float:
    if value != value:
        return value
    try:
        single: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return 0.0
    return single


# === opendp_lite.exact.rationals:_from_text ===

from gmpy2 import mpq
from gmpy2 import mpz
import re

_DECIMAL = re.compile(
    r"(?P<sign>[-+]?)(?=\.?[0-9])(?P<whole>[0-9]*)(?:\.(?P<part>[0-9]*))?"
    r"(?:[eE](?P<exponent>[-+]?[0-9]+))?"
)
_QUOTIENT = re.compile(r"(?P<numerator>[-+]?[0-9]+) */ *(?P<denominator>[0-9]+)")
_NON_FINITE = re.compile(r"[-+]?(?:inf(?:inity)?|nan)", re.IGNORECASE)

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


# === opendp_lite.exact.rationals:_scaled ===

from gmpy2 import mpq
from gmpy2 import mpz

_LARGEST_EXPONENT = 1_000_000

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
