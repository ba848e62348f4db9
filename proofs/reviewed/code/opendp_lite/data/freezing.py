# ruff: noqa
# fmt: off
# What was read of opendp_lite.data.freezing; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from decimal import Decimal
from fractions import Fraction
from opendp_lite.base.aliases import Value
from opendp_lite.base.containers import is_array
from opendp_lite.base.containers import scalar_kind
from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.errors import refusal
from operator import index
from typing import Any

opendp_lite.base.aliases.Value: typing.TypeAlias = typing.Any
_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_CONSTANTS = {id(kind) for kind in _PLAIN}
_PARTS = (Fraction._numerator, Fraction._denominator)
_DEEPEST = 16


# === _python with Value, scalar_kind, Any, opendp_lite.base.aliases.Value
def _python(value: Value) -> Any:
    kind = scalar_kind(value)
    if kind is None or kind in "mMV" or (kind == "f" and value.itemsize < 8):
        return value
    return value.item()


# === _plain with Decimal, Fraction, Value, index, Any, opendp_lite.base.aliases.Value,
#    _PLAIN, _CONSTANTS, _PARTS
def _plain(value: Value) -> Any:
    kind = type(value)
    if id(kind) in _CONSTANTS:
        return value
    if issubclass(kind, int):
        return int.__int__(value)
    if issubclass(kind, float):
        return float.__float__(value)
    if issubclass(kind, complex):
        return complex.__complex__(value)
    if issubclass(kind, str):
        return str.__str__(value)
    if issubclass(kind, bytes):
        return bytes.__bytes__(value)
    if issubclass(kind, Decimal):
        sign, digits, exponent = Decimal.as_tuple(value)
        return Decimal((sign, digits, exponent))
    if issubclass(kind, Fraction):
        n, d = (part.__get__(value) for part in _PARTS)
        return Fraction(_plain(index(n)), _plain(index(d)))
    return value


# === freeze with Value, is_array, OpenDPException, refusal, Any,
#    opendp_lite.base.aliases.Value, _PLAIN, _CONSTANTS, _DEEPEST
def freeze(value: Value, name: str = "argument", depth: int = 0) -> Any:
    if id(type(value)) in _CONSTANTS:
        return value
    if depth > _DEEPEST:
        raise OpenDPException(
            "TypeParse",
            f"{name}=<{type(value).__name__}>: is nested too deeply, or contains "
            "itself. Pass a flat list.",
        )
    if is_array(value) and value.dtype.kind not in "mMV":
        return freeze(value.tolist(), name, depth + 1)
    value = _plain(_python(value))
    if issubclass(type(value), list | tuple):
        return tuple(freeze(item, name, depth + 1) for item in value)
    if issubclass(type(value), dict):
        items = [
            (freeze(key, name, depth + 1), freeze(item, name, depth + 1))
            for key, item in value.items()
        ]
        frozen = dict(items)
        if len(frozen) < len(items):
            rule = "has two keys that stand for the same value"
            raise refusal("TypeParse", name, value, rule, "Pass each key once")
        return frozen
    return value
