# ruff: noqa
# fmt: off
# What was read of opendp_lite.data.type_arguments; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from fractions import Fraction
from opendp_lite.base.errors import refusal
from typing import Any
import types

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
_ATOMS = _NAMED | {atom: atom for atom in _NAMED.values()}
_FIX = "Pass one of bool, int, float, str, Fraction, or a name such as 'i32' or 'f64'"


# === _sized
def _sized(bits: int, signed: bool) -> AtomType:
    top = 1 << (bits - signed)
    return AtomType(int, (-top if signed else 0, top - 1))


# === parse_atom with Fraction, refusal, Any, types, _NAMED, _ATOMS, _FIX
def parse_atom(descriptor: object, argument: str = "T") -> AtomType:
    try:
        return _ATOMS[descriptor]
    except Exception:
        if not isinstance(descriptor, str | type | types.GenericAlias):
            descriptor = type(descriptor)
        raise refusal(
            "TypeParse", argument, descriptor, "is not an element type", _FIX
        ) from None
