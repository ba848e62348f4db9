"""Arguments are read once: what a constructor is given becomes plain and stays so.

A list may change after it was checked, and so may a number whose class computes its
value anew whenever it is asked. So lists and arrays become tuples, numbers and text of
derived classes become what they hold, read by the methods of the plain class, and
dictionaries are copied. Everything else is passed on as it is: the library's own
objects never change, and a function is the user's. So are dates, which are no numbers
but would become some, and records of numpy, which nothing in the library takes.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from operator import index
from typing import Any

from opendp_lite.base.aliases import Value
from opendp_lite.base.containers import is_array, scalar_kind
from opendp_lite.base.errors import OpenDPException, refusal

_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_CONSTANTS = {id(kind) for kind in _PLAIN}  # a metaclass may say that it is equal
_DEEPEST = 16  # no argument of a constructor nests deeper
# Where a fraction keeps its parts, whatever a derived class says of them.
_PARTS = (Fraction._numerator, Fraction._denominator)  # type: ignore[attr-defined]


def _python(value: Value) -> Any:
    """Return a scalar of numpy as the Python value that it is, if it is one.

    A float of less than 64 bits stays what it is: where a privacy loss is due, it is
    read as the decimal that it prints as, and as a double it would print as another.
    """
    kind = scalar_kind(value)
    if kind is None or kind in "mMV" or (kind == "f" and value.itemsize < 8):
        return value
    return value.item()  # proof: item


def _plain(value: Value) -> Any:
    """Return a number or text of a derived class as one of the plain class."""
    kind = type(value)  # `isinstance` would ask the value, which may lie or raise
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
        return Decimal((sign, digits, exponent))  # type: ignore[arg-type]
    if issubclass(kind, Fraction):
        n, d = (part.__get__(value) for part in _PARTS)
        return Fraction(_plain(index(n)), _plain(index(d)))  # proof: fraction
    return value


def freeze(value: Value, name: str = "argument", depth: int = 0) -> Any:
    """Return `value` as something that cannot change, with the same meaning.

    >>> freeze([1, [2.5, "a"]])
    (1, (2.5, 'a'))
    """
    if id(type(value)) in _CONSTANTS:  # proof: constants
        return value
    if depth > _DEEPEST:  # proof: deep
        # Not the value: so deep inside it may be a row, and not the argument.
        raise OpenDPException(
            "TypeParse",
            f"{name}=<{type(value).__name__}>: is nested too deeply, or contains "
            "itself. Pass a flat list.",
        )
    if is_array(value) and value.dtype.kind not in "mMV":
        return freeze(value.tolist(), name, depth + 1)  # proof: array
    value = _plain(_python(value))  # proof: plain
    if issubclass(type(value), list | tuple):
        return tuple(freeze(item, name, depth + 1) for item in value)  # proof: tuple
    if issubclass(type(value), dict):
        items = [
            (freeze(key, name, depth + 1), freeze(item, name, depth + 1))
            for key, item in value.items()
        ]
        frozen = dict(items)  # proof: dict
        if len(frozen) < len(items):  # proof: keys
            rule = "has two keys that stand for the same value"
            raise refusal("TypeParse", name, value, rule, "Pass each key once")
        return frozen
    return value
