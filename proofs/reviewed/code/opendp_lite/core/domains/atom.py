# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.domains.atom; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from fractions import Fraction
from opendp_lite.base.aliases import Array
from opendp_lite.base.aliases import Bounds
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.aliases import Value
from opendp_lite.base.arguments import pair_argument
from opendp_lite.base.containers import all_binary32
from opendp_lite.base.containers import all_characters
from opendp_lite.base.containers import all_of_type
from opendp_lite.base.containers import array_extremes
from opendp_lite.base.containers import has_nan
from opendp_lite.base.containers import native
from opendp_lite.base.containers import scalar_kind
from opendp_lite.base.errors import refusal
from opendp_lite.base.errors import shown
from opendp_lite.core.domains.domain import Domain
from opendp_lite.data.arrays import all_fit
from opendp_lite.data.arrays import code_of
from opendp_lite.data.type_arguments import AtomType
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.data.type_arguments import parse_atom
from opendp_lite.exact.rationals import to_extended
from opendp_lite.exact.rationals import to_fraction
from typing import Any
import attrs
import math
import struct

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.Bounds: typing.TypeAlias = collections.abc.Sequence[opendp_lite.base.aliases.ExactNumber]
opendp_lite.data.type_arguments.TypeArgument: typing.TypeAlias = type | str | types.GenericAlias | types.UnionType | opendp_lite.data.type_arguments.AtomType
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_EXACT_INTEGERS = 2**53
_ARRAY_KINDS = {bool: "b", int: "iu", float: "f", str: "U", Fraction: ""}
_MANY = 2**8
opendp_lite.base.aliases.Value: typing.TypeAlias = typing.Any
_PLAIN_TYPES: dict[type, set[type]] = {
    bool: {bool},
    int: {int},
    float: {float, int},
    str: {str},
    Fraction: {Fraction, int},
}
_BOUNDS_FIX = (
    "Pass (lower, upper) with lower <= upper, such as (0, 10); a type is passed by "
    "name, as in T=int"
)


# === AtomDomain.__init__ with Bounds, refusal, Domain, TypeArgument, Any, attrs, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Bounds,
#    opendp_lite.data.type_arguments.TypeArgument
@attrs.frozen(init=False, repr=False)
class AtomDomain(Domain):
    T: type
    bounds: tuple[Any, Any] | None
    nan: bool
    single: bool
    def __init__(
        self,
        bounds: Bounds | None = None,
        nan: bool | None = None,
        T: TypeArgument | None = None,
    ):
        element = _element_type(bounds, T)
        if nan is not None and not isinstance(nan, bool):
            rule = "must be True, False or None"
            raise refusal("MakeDomain", "nan", nan, rule, "Say nan=False")
        if nan and element.T is not float:
            rule = f"only floats can be NaN, and T is {element.T.__name__}"
            raise refusal("MakeDomain", "nan", nan, rule, "Leave nan out")
        own = _parse_bounds(bounds, element)
        implied = nan if nan is not None else own is None
        self.__attrs_init__(
            T=element.T,
            bounds=own,
            nan=element.T is float and implied,
            single=element.single,
        )


# === AtomDomain.__attrs_post_init__ with refusal, Domain, Any, attrs
@attrs.frozen(init=False, repr=False)
class AtomDomain(Domain):
    T: type
    bounds: tuple[Any, Any] | None
    nan: bool
    single: bool
    def __attrs_post_init__(self) -> None:
        if type(self.nan) is not bool:
            rule, fix = "must be True, False or None", "Say nan=False"
            raise refusal("MakeDomain", "nan", self.nan, rule, fix)


# === AtomDomain.member with Fraction, Data, native, scalar_kind, Domain, Any, attrs,
#    opendp_lite.base.aliases.Data, _EXACT_INTEGERS, _ARRAY_KINDS
@attrs.frozen(init=False, repr=False)
class AtomDomain(Domain):
    T: type
    bounds: tuple[Any, Any] | None
    nan: bool
    single: bool
    def member(self, value: Data) -> bool:
        T, bounds = self.T, self.bounds
        if T is float and type(value) is int:
            if not -_EXACT_INTEGERS <= value <= _EXACT_INTEGERS:
                return False
            value = float(value)
        elif type(value) is not T or T is Fraction:
            kind = scalar_kind(value)
            if kind is not None and kind not in _ARRAY_KINDS[T]:
                return False
            value = native(value)
            if not _is_plain(value, T) or not _of_integers(value):
                return False
        if T is float:
            if value != value:
                return self.nan
            if self.single and not _is_single(value):
                return False
        return bounds is None or bounds[0] <= value <= bounds[1]


# === AtomDomain.all_members with Fraction, Data, Domain, all_fit, code_of, Any, attrs,
#    opendp_lite.base.aliases.Data, _EXACT_INTEGERS, _MANY
@attrs.frozen(init=False, repr=False)
class AtomDomain(Domain):
    T: type
    bounds: tuple[Any, Any] | None
    nan: bool
    single: bool
    def all_members(self, values: list[Data]) -> bool:
        kinds = _kinds(values, self.T)
        if not values or self.single or not kinds or Fraction in kinds:
            return all(map(self.member, values))
        if self.T is float and int in kinds:
            integers = values if len(kinds) == 1 else [*filter(_is_int, values)]
            if min(integers) < -_EXACT_INTEGERS or max(integers) > _EXACT_INTEGERS:
                return False
        if float in kinds and not self.nan and _some_nan(values):
            return False
        if self.bounds is None:
            return True
        lower, upper = self.bounds
        if self.T is int and (code := code_of(self.bounds)) and len(values) >= _MANY:
            return all_fit(values, code)
        if self.nan:
            return all(lower <= x <= upper or x != x for x in values)
        return bool(lower <= min(values) and max(values) <= upper)


# === AtomDomain.all_array_members with Fraction, Array, all_binary32, all_characters,
#    array_extremes, has_nan, Domain, Any, attrs, ?, _ARRAY_KINDS
@attrs.frozen(init=False, repr=False)
class AtomDomain(Domain):
    T: type
    bounds: tuple[Any, Any] | None
    nan: bool
    single: bool
    def all_array_members(self, array: Array) -> bool:
        if array.dtype.kind not in _ARRAY_KINDS[self.T] or (
            array.dtype.kind == "f" and array.dtype.char not in "efd"
        ):
            return False
        if self.T is str:
            return all_characters(array)
        if array.size == 0 or self.T is bool:
            return True
        if self.single and array.dtype.itemsize > 4 and not all_binary32(array):
            return False
        if self.bounds is None:
            return self.T is int or self.nan or not has_nan(array)
        if self.T is int and self._holds_all_of(array.dtype):
            return True
        least, greatest, some_nan = array_extremes(array)
        if some_nan and not self.nan:
            return False
        if least != least:
            return True
        return bool(self.bounds[0] <= least and greatest <= self.bounds[1])


# === AtomDomain._holds_all_of with Domain, Any, attrs
@attrs.frozen(init=False, repr=False)
class AtomDomain(Domain):
    bounds: tuple[Any, Any] | None
    def _holds_all_of(self, dtype: Any) -> bool:
        assert self.bounds is not None
        signed = dtype.kind == "i"
        top = 1 << 8 * dtype.itemsize - signed
        return bool(
            self.bounds[0] <= (-top if signed else 0) and top - 1 <= self.bounds[1]
        )


# === AtomDomain.contains with Domain, Any, attrs
@attrs.frozen(init=False, repr=False)
class AtomDomain(Domain):
    T: type
    bounds: tuple[Any, Any] | None
    nan: bool
    single: bool
    def contains(self, other: Domain) -> bool:
        if not isinstance(other, AtomDomain) or other.T is not self.T:
            return False
        if (other.nan and not self.nan) or (self.single and not other.single):
            return False
        if self.bounds is None:
            return True
        if other.bounds is None:
            return False
        return bool(
            self.bounds[0] <= other.bounds[0] and other.bounds[1] <= self.bounds[1]
        )


# === AtomDomain.numeric with Fraction, Domain, attrs
@attrs.frozen(init=False, repr=False)
class AtomDomain(Domain):
    T: type
    @property
    def numeric(self) -> bool:
        return self.T in (int, float, Fraction)


# === AtomDomain.holds_numbers with Domain, attrs
@attrs.frozen(init=False, repr=False)
class AtomDomain(Domain):
    nan: bool
    @property
    def holds_numbers(self) -> bool:
        return self.numeric and not self.nan


# === AtomDomain.atom_type with Domain, attrs
@attrs.frozen(init=False, repr=False)
class AtomDomain(Domain):
    T: type
    @property
    def atom_type(self) -> type:
        return self.T


# === AtomDomain.without_nan with Domain, Any, attrs
@attrs.frozen(init=False, repr=False)
class AtomDomain(Domain):
    T: type
    bounds: tuple[Any, Any] | None
    nan: bool
    single: bool
    def without_nan(self) -> AtomDomain:
        if not self.nan:
            return self
        return AtomDomain(self.bounds, False, "f32" if self.single else self.T)


# === _of_integers with Fraction, Value, opendp_lite.base.aliases.Value
def _of_integers(value: Value) -> bool:
    return type(value) is not Fraction or (
        type(value.numerator) is int and type(value.denominator) is int
    )


# === _is_plain with Fraction, _PLAIN_TYPES
def _is_plain(value: object, T: type) -> bool:
    return any(type(value) is kind for kind in _PLAIN_TYPES[T])


# === _kinds with Fraction, all_of_type, Any, _PLAIN_TYPES
def _kinds(values: list[Any], T: type) -> set[type]:
    if all_of_type(values, T):
        return {T}
    found = set(map(id, map(type, values)))
    kinds = {kind for kind in _PLAIN_TYPES[T] if id(kind) in found}
    return kinds if len(kinds) == len(found) else set()


# === _is_int
def _is_int(value: object) -> bool:
    return type(value) is int


# === _some_nan with Data, math, opendp_lite.base.aliases.Data
def _some_nan(values: list[Data]) -> bool:
    total = sum(values)
    return total != total and any(map(math.isnan, values))


# === _is_single with struct
def _is_single(value: float) -> bool:
    try:
        return bool(struct.unpack(">f", struct.pack(">f", value))[0] == value)
    except OverflowError:
        return False


# === _element_type with Fraction, Bounds, pair_argument, native, refusal, AtomType,
#    TypeArgument, parse_atom, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.Bounds, _BOUNDS_FIX,
#    opendp_lite.data.type_arguments.TypeArgument
def _element_type(bounds: Bounds | None, T: TypeArgument | None) -> AtomType:
    if T is not None:
        return parse_atom(T)
    if bounds is None:
        rule = "is needed when the bounds do not tell it"
        fix = "Pass T=int, float, bool, str or Fraction"
        raise refusal("MakeDomain", "T", T, rule, fix)
    pair = pair_argument("MakeDomain", "bounds", bounds, _BOUNDS_FIX)
    kinds = [type(native(bound)) for bound in pair]
    for kind in (float, Fraction, int, str):
        if kind in kinds:
            return AtomType(kind)
    rule = "must be two numbers of type int, float or Fraction"
    raise refusal("MakeDomain", "bounds", bounds, rule, "Pass for example (0, 10)")


# === _parse_bounds with Bounds, pair_argument, refusal, AtomType, Any, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Bounds, _BOUNDS_FIX
def _parse_bounds(bounds: Bounds | None, element: AtomType) -> tuple[Any, Any] | None:
    if bounds is None:
        return element.bounds
    pair = pair_argument("MakeDomain", "bounds", bounds, _BOUNDS_FIX)
    if element.T in (bool, str):
        rule = f"only numbers have bounds, and T is {element.T.__name__}"
        raise refusal("MakeDomain", "bounds", bounds, rule, "Leave bounds out")
    lower, upper = (_parse_bound(bounds, bound, element) for bound in pair)
    if lower > upper:
        raise refusal(
            "MakeDomain", "bounds", bounds, "lower may not be above upper", _BOUNDS_FIX
        )
    if element.bounds is not None:
        low, high = element.bounds
        if lower < low or upper > high:
            rule = f"must be within the type's range {element.bounds}"
            raise refusal("MakeDomain", "bounds", bounds, rule, "Use T=int or narrower")
    return lower, upper


# === _parse_bound with Fraction, Bounds, ExactNumber, refusal, shown, AtomType,
#    to_extended, to_fraction, Any, math, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.Bounds
def _parse_bound(bounds: Bounds, bound: ExactNumber, element: AtomType) -> Any:
    fix = "Pass finite numbers of the element type, such as (0, 10)"
    try:
        exact = to_extended(bound)
    except (TypeError, ValueError) as error:
        raise refusal("MakeDomain", "bounds", bounds, str(error), fix) from None
    if isinstance(exact, float):
        if element.T is float:
            return exact
        rule = f"bounds of {element.T.__name__} must be finite"
        raise refusal("MakeDomain", "bounds", bounds, rule, fix)
    if element.T is Fraction:
        return to_fraction(exact)
    if element.T is int:
        if exact.denominator != 1:
            raise refusal("MakeDomain", "bounds", bounds, "must be integers", fix)
        return int(exact)
    try:
        value = int(exact.numerator) / int(exact.denominator)
    except OverflowError:
        value = math.inf
    if to_extended(value) != exact or (element.single and not _is_single(value)):
        rule = f"{shown(bound)} is not exactly a float of this type"
        fix = "Pass the float you mean, or use T=Fraction"
        raise refusal("MakeDomain", "bounds", bounds, rule, fix)
    return value + 0.0
