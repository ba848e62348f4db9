# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.trees.releases; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from fractions import Fraction
from gmpy2 import mpq
from opendp_lite.core.aliases import Data
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.core.values.containers import is_array
from opendp_lite.core.values.type_arguments import TypeArgument
from opendp_lite.core.values.type_arguments import parse_atom
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rounding import to_double
from typing import Any

opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any
_FIX = "Pass a release of counts: a list or an array of finite numbers"
opendp_lite.core.values.type_arguments.TypeArgument: typing.TypeAlias = type | str | types.GenericAlias | types.UnionType | opendp_lite.core.values.type_arguments.AtomType


# === release_numbers with mpq, Data, rational_argument, refusal, is_array,
#    opendp_lite.core.aliases.Data, _FIX
def release_numbers(release: Data) -> list[mpq]:
    listed = release
    if is_array(release) and release.ndim == 1 and release.dtype.kind not in "mM":
        listed = release.tolist()
    if type(listed) is not list and type(listed) is not tuple:
        rule = "must be a list or an array of numbers"
        raise refusal("FailedFunction", "arg", release, rule, _FIX)
    return [
        rational_argument("FailedFunction", "arg", each, fix=_FIX) for each in listed
    ]


# === number_type with Callable, Fraction, mpq, refusal, TypeArgument, parse_atom,
#    to_fraction, to_double, Any, opendp_lite.core.values.type_arguments.TypeArgument
def number_type(name: str, T: TypeArgument) -> Callable[[mpq], Any]:
    kind = parse_atom(T, name)
    if kind.T is float and not kind.single:
        return to_double
    if kind.T is Fraction:
        return to_fraction
    rule = "must be float, which is rounded once, or Fraction, which is exact"
    raise refusal("MakeTransformation", name, T, rule, f"Pass {name}=float")
