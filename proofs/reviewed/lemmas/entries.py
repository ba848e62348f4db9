# ruff: noqa
# fmt: off
# The code that was reviewed with the proof lemmas/entries; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.core.containers:is_array ===

def is_array(value: object) -> bool:
    numpy = _numpy()
    return numpy is not None and type(value) in (numpy.ndarray, numpy.memmap)


# === opendp_lite.core.containers:native ===

from typing import Any

def native(value: Any) -> Any:
    return value.item() if scalar_kind(value) is not None else value


# === opendp_lite.core.containers:scalar_kind ===

def scalar_kind(value: object) -> str | None:
    numpy = _numpy()
    if numpy is None or not issubclass(type(value), numpy.generic):
        return None
    dtype = numpy.generic.dtype.__get__(value)
    if dtype.type is not type(value) or (dtype.kind in "iuf" and dtype.itemsize > 8):
        return None
    return str(dtype.kind)


# === opendp_lite.core.containers:_numpy ===

from typing import Any
import sys

def _numpy() -> Any:
    return sys.modules.get("numpy")


# === opendp_lite.core.containers:rows ===

from typing import Any

def rows(data: Any) -> list[Any]:
    return list(data.tolist()) if is_array(data) else [native(row) for row in data]


# === opendp_lite.exact.rationals:to_mpq ===

from gmpy2 import mpq

def to_mpq(value: object) -> mpq:
    number = _parsed(value)
    if isinstance(number, float):
        raise ValueError(f"must be a finite number, got {number}")
    return number


# === opendp_lite.exact.rationals:_parsed ===

from decimal import Decimal
from fractions import Fraction
from gmpy2 import mpfr
from gmpy2 import mpq
from gmpy2 import mpz
from typing import Any

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


# === opendp_lite.exact.rationals:_from_binary ===

from gmpy2 import mpfr
from gmpy2 import mpq
import math

def _from_binary(value: float | mpfr) -> mpq | float:
    if -math.inf < value < math.inf:
        return mpq(*value.as_integer_ratio())
    return float(value)


# === opendp_lite.exact.rationals:_from_numpy ===

from gmpy2 import mpq

def _from_numpy(value: object) -> mpq | float:
    if _is_numpy(value, "integer") and not _is_numpy(value, "timedelta64"):
        return mpq(value.__index__())
    if _is_numpy(value, "floating"):
        return _from_binary(value)
    raise TypeError(f"must be a number, got a value of type {type(value).__name__}")


# === opendp_lite.exact.rationals:_is_numpy ===

from typing import Any
import sys

def _is_numpy(value: object, kind: str) -> bool:
    numpy: Any = sys.modules.get("numpy")
    if not issubclass(type(value), getattr(numpy, kind, ())):
        return False
    named: type = numpy.generic.dtype.__get__(value).type
    return named is type(value)
