"""Arguments are read once: what a constructor is given becomes plain and stays so.

A list may change after it was checked, and so may a number whose class computes its
value anew whenever it is asked. So lists and arrays become tuples, numbers and text of
derived classes become what they hold, read by the methods of the plain class, and
dictionaries are copied. Everything else is passed on as it is: the library's own
objects never change, and a function is the user's.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from opendp_lite.core.containers import is_array, native
from opendp_lite.core.errors import refusal

__all__ = ["freeze"]

_CONSTANTS = {bool, int, float, complex, str, bytes, type(None)}
_DEEPEST = 16  # no argument of a constructor nests deeper
# Where a fraction keeps its parts, whatever a derived class says of them.
_PARTS = (Fraction._numerator, Fraction._denominator)  # type: ignore[attr-defined]


def _plain(value: Any) -> Any:
    """Return a number or text of a derived class as one of the plain class."""
    kind = type(value)  # `isinstance` would ask the value, which may lie or raise
    if kind in _CONSTANTS:
        return value
    if issubclass(kind, int):
        return int.__int__(value)
    if issubclass(kind, float):
        return float.__float__(value)
    if issubclass(kind, str):
        return str.__str__(value)
    if issubclass(kind, bytes):
        return bytes(memoryview(value))
    if issubclass(kind, Decimal):
        sign, digits, exponent = Decimal.as_tuple(value)
        return Decimal((sign, digits, exponent))  # type: ignore[arg-type]
    if issubclass(kind, Fraction):
        n, d = (part.__get__(value) for part in _PARTS)
        return Fraction(_plain(native(n)), _plain(native(d)))  # proof: fraction
    return value


def freeze(value: Any, name: str = "argument", depth: int = 0) -> Any:
    """Return `value` as something that cannot change, with the same meaning.

    >>> freeze([1, [2.5, "a"]])
    (1, (2.5, 'a'))
    """
    if type(value) in _CONSTANTS:  # proof: constants
        return value
    if depth > _DEEPEST:  # proof: deep
        rule = "is nested too deeply, or contains itself"
        raise refusal("TypeParse", name, value, rule, "Pass a flat list")
    value = value.tolist() if is_array(value) else _plain(native(value))  # proof: plain
    if issubclass(type(value), list | tuple):
        return tuple(freeze(item, name, depth + 1) for item in value)  # proof: tuple
    if issubclass(type(value), dict):
        return {  # proof: dict
            freeze(key, name, depth + 1): freeze(item, name, depth + 1)
            for key, item in value.items()
        }
    return value
