"""Type arguments: `int`, "i32", `list[float]`, "Vec<f64>", `dict[str, int]`, ...

A carrier type is parsed into a small tree of `AtomType`, `("Vec", t)`,
`("Option", t)` and `("HashMap", k, v)`, from which domains are built.
"""

from __future__ import annotations

import types
import typing
from fractions import Fraction
from typing import Any, TypeAlias

import attrs

from opendp_lite.base.errors import refusal

DEEPEST = 64
"""How deep types, domains and so data may nest: whatever walks them returns."""


@attrs.frozen
class AtomType:
    """An element type: a Python type, with the bounds or width its name implies."""

    T: type
    bounds: tuple[int, int] | None = None
    single: bool = False


TypeArgument: TypeAlias = type | str | types.GenericAlias | types.UnionType | AtomType
"""A type as OpenDP's users write it: `int`, "i32", `list[float]`, "Vec<f64>", ..."""


def _sized(bits: int, signed: bool) -> AtomType:
    top = 1 << (bits - signed)
    return AtomType(int, (-top if signed else 0, top - 1))


_NAMED: dict[Any, AtomType] = {
    **{T: AtomType(T) for T in (bool, int, float, str, Fraction)},
    **{T.__name__: AtomType(T) for T in (bool, int, float, str, Fraction)},
    "String": AtomType(str),
    "f64": AtomType(float),
    "f32": AtomType(float, single=True),
    **{f"i{bits}": _sized(bits, True) for bits in (8, 16, 32, 64, 128)},
    **{f"u{bits}": _sized(bits, False) for bits in (8, 16, 32, 64, 128)},
    "isize": _sized(64, True),
    "usize": _sized(64, False),
}
# An element type names itself, but only one of these: all of them hold 0.
_ATOMS = _NAMED | {atom: atom for atom in _NAMED.values()}
_FIX = (
    "Pass one of bool, int, float, str, Fraction, or a name such as 'i32' or 'f64'; "
    "dates of a table are declared as T=int and count as days since 1970-01-01, and "
    "time stamps cannot be declared"
)


def parse_atom(descriptor: object, argument: str = "T") -> AtomType:
    """Return the element type that `descriptor` names.

    >>> parse_atom("u8")
    AtomType(T=<class 'int'>, bounds=(0, 255), single=False)
    """
    try:
        return _ATOMS[descriptor]
    except Exception:  # also what a method of another class raises
        # What is neither text nor a type may be data, which is never shown.
        if not isinstance(descriptor, str | type | types.GenericAlias):
            descriptor = type(descriptor)
        raise refusal(
            "TypeParse", argument, descriptor, "is not an element type", _FIX
        ) from None


def parse_carrier(descriptor: object, depth: int = 0) -> Any:
    """Return the tree of a carrier type given as a Python type or as Rust text.

    `depth` is the number of types that it is inside of.

    >>> parse_carrier("Vec<Option<f64>>")[0]
    'Vec'
    >>> parse_carrier(dict[str, int]) == parse_carrier("HashMap<String, int>")
    True
    """
    if isinstance(descriptor, str):
        return _parse_text(descriptor.replace(" ", ""), depth)
    _check_depth(type(descriptor), depth)
    origin, arguments = typing.get_origin(descriptor), typing.get_args(descriptor)
    if origin is list and len(arguments) == 1:
        return ("Vec", parse_carrier(arguments[0], depth + 1))
    if origin is dict and len(arguments) == 2:
        return ("HashMap", *(parse_carrier(each, depth + 1) for each in arguments))
    if origin in (typing.Union, types.UnionType) and type(None) in arguments:
        inner = [each for each in arguments if each is not type(None)]
        if len(inner) == 1:
            return ("Option", parse_carrier(inner[0], depth + 1))
    return parse_atom(descriptor)


def _check_depth(shown: object, depth: int) -> None:
    if depth > DEEPEST:
        rule = f"nests more than {DEEPEST} deep"
        raise refusal("TypeParse", "T", shown, rule, "Pass a flatter type")


def _parse_text(text: str, depth: int) -> Any:
    _check_depth(text, depth)
    head, bracket, rest = text.partition("<")
    if not bracket:
        return parse_atom(text)
    wanted = {"Vec": 1, "Option": 1, "HashMap": 2}.get(head)
    parts = _split(rest.removesuffix(">")) if rest.endswith(">") else []
    if wanted is None or len(parts) != wanted:
        rule = "must be a Vec<T>, Option<T> or HashMap<K, V>"
        raise refusal("TypeParse", "T", text, rule, "Write for example 'Vec<f64>'")
    return (head, *(_parse_text(part, depth + 1) for part in parts))


def _split(text: str) -> list[str]:
    """Split at the commas that are outside angle brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "<") - (character == ">")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts
