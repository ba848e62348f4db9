"""What the functions of a release share: its numbers, read exactly, and their types."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from gmpy2 import mpq

from opendp_lite.core.aliases import Data
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.core.values.containers import is_array
from opendp_lite.core.values.type_arguments import TypeArgument, parse_atom
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rounding import to_double

__all__ = ["number_type", "release_numbers"]

_FIX = "Pass a release of counts: a list or an array of finite numbers"


def release_numbers(release: Data) -> list[mpq]:
    """Return the numbers of a list or an array that was released, exactly."""
    listed = release
    if is_array(release) and release.ndim == 1 and release.dtype.kind not in "mM":
        listed = release.tolist()  # proof: array
    if type(listed) is not list and type(listed) is not tuple:  # proof: listed
        rule = "must be a list or an array of numbers"
        raise refusal("FailedFunction", "arg", release, rule, _FIX)
    return [
        rational_argument("FailedFunction", "arg", each, fix=_FIX) for each in listed
    ]  # proof: exact


def number_type(name: str, T: TypeArgument) -> Callable[[mpq], Any]:
    """Return how an exact number becomes one of the type `T`: float or Fraction."""
    kind = parse_atom(T, name)
    if kind.T is float and not kind.single:
        return to_double  # proof: doubles
    if kind.T is Fraction:
        return to_fraction  # proof: exact
    rule = "must be float, which is rounded once, or Fraction, which is exact"
    raise refusal("MakeTransformation", name, T, rule, f"Pass {name}=float")
