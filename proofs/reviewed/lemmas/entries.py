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

def _parsed(value: object) -> mpq | float:
    if isinstance(value, mpq):
        return value
    if isinstance(value, float):
        return _from_binary(float(value))
    if isinstance(value, bool):
        raise TypeError(f"must be a number, got the truth value {value}")
    if isinstance(value, int):
        return mpq(int(value))
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, Fraction):
        return mpq(int(value.numerator), int(value.denominator))
    if isinstance(value, Decimal):
        return _from_decimal(value)
    if isinstance(value, mpz):
        return mpq(value)
    if isinstance(value, mpfr):
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

import sys

def _is_numpy(value: object, kind: str) -> bool:
    return isinstance(value, getattr(sys.modules.get("numpy"), kind, ()))
