"""The domain of single values."""

from __future__ import annotations

import math
import struct
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import attrs

from opendp_lite.base.aliases import Array, Bounds, Data, ExactNumber, Value
from opendp_lite.base.arguments import pair_argument
from opendp_lite.base.containers import (
    all_binary32,
    all_characters,
    all_of_type,
    array_extremes,
    has_nan,
    native,
    scalar_kind,
)
from opendp_lite.base.errors import refusal, shown
from opendp_lite.data.arrays import all_fit, code_of, scalar_forms
from opendp_lite.data.edge_values import FAR, beside, edges, made_once, spread
from opendp_lite.data.identity import key
from opendp_lite.data.type_arguments import AtomType, TypeArgument, parse_atom
from opendp_lite.exact.rationals import to_extended, to_fraction

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy
from opendp_lite.core.domains.domain import Domain

_EXACT_INTEGERS = 2**53
_MANY = 2**8  # fewer integers are compared with bounds faster than they are packed
_BOUNDS_FIX = (
    "Pass (lower, upper) with lower <= upper, such as (0, 10); a type is passed by "
    "name, as in T=int"
)
_ARRAY_KINDS = {bool: "b", int: "iu", float: "f", str: "U", Fraction: ""}
_ARRAY_WORDS = {
    int: "integers",
    float: "floats (at most 64 bits)",
    bool: "bool",
    str: "str",
}
_PLAIN_TYPES: dict[type, set[type]] = {
    bool: {bool},
    int: {int},
    float: {float, int},
    str: {str},
    Fraction: {Fraction, int},
}


@attrs.frozen(init=False, repr=False)
class AtomDomain(Domain):
    """Single values of type `T`, within closed `bounds` if given.

    For floats `nan` says whether NaN is a member; it is by default unless there are
    bounds. `single` restricts floats to binary32 values (T="f32"). Infinities are
    members of an unbounded float domain. Integers up to 2^53 are members of float
    domains, integers of `Fraction` domains; booleans are never numbers. Members are
    of the very type, or numpy scalars of its kind: a subclass may compute as it likes.
    """

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

    def __attrs_post_init__(self) -> None:
        if type(self.nan) is not bool:
            rule, fix = "must be True, False or None", "Say nan=False"
            raise refusal("MakeDomain", "nan", self.nan, rule, fix)

    def member(self, value: Data) -> bool:
        """Return whether `value` has the type, is within the bounds, and so on."""
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

    def all_members(self, values: list[Data]) -> bool:
        """As `member` for each; quick for lists of plain numbers."""
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

    def all_array_members(self, array: Array) -> bool:
        """Return whether every element of an array of one dimension is a member."""
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

    def _holds_all_of(self, dtype: Any) -> bool:
        """Return whether the bounds hold every integer of a numpy dtype."""
        assert self.bounds is not None
        signed = dtype.kind == "i"
        top = 1 << 8 * dtype.itemsize - signed
        return bool(
            self.bounds[0] <= (-top if signed else 0) and top - 1 <= self.bounds[1]
        )

    def rule(self) -> str:
        """Return the rule as constant text."""
        names = {int: "an int (not a bool)", Fraction: "a Fraction or int"}
        text = names.get(self.T, f"a {self.T.__name__}")
        if self.T is float:
            text += " or an int up to 2^53, " + (
                "NaN allowed" if self.nan else "no NaN"
            )
        if self.single:
            text += ", a binary32 value"
        if self.bounds is not None:
            text += f", from {shown(self.bounds[0])} to {shown(self.bounds[1])}"
        return text

    def contains(self, other: Domain) -> bool:
        """Return whether type, width, NaN and bounds of `other` fit inside."""
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

    @property
    def numeric(self) -> bool:
        """Whether members are numbers that can be added."""
        return self.T in (int, float, Fraction)

    @property
    def holds_numbers(self) -> bool:
        """Whether all members are numbers, and none is NaN."""
        return self.numeric and not self.nan

    @property
    def holds_text(self) -> bool:
        """Whether members are texts."""
        return self.T is str

    @property
    def atom_type(self) -> type:
        """The type of the values."""
        return self.T

    @property
    def array_words(self) -> str | None:
        """Arrays of their dtypes; there are none of Fractions."""
        words = _ARRAY_WORDS.get(self.T)
        return words and f"1-d numpy array of {words}"

    @property
    def usual_metric(self) -> str | None:
        """Numbers are at an absolute distance."""
        return "AbsoluteDistance" if self.numeric else None

    def without_nan(self) -> AtomDomain:
        """Return the same domain without NaN."""
        if not self.nan:
            return self
        return AtomDomain(self.bounds, False, "f32" if self.single else self.T)

    def row_hint(self, expected: Domain) -> str | None:
        """Return the step that brings values of this domain into `expected`."""
        if not isinstance(expected, AtomDomain):
            return None
        if self.T is not expected.T:
            return f"Insert then_cast_default(TOA={expected.T.__name__})."
        if self.nan and not expected.nan:
            return "Insert then_impute_constant(...) to replace NaN."
        if expected.bounds is not None:
            return f"Insert then_clamp(bounds={shown(expected.bounds)})."
        return None

    def members(self) -> SearchStrategy[Any]:
        """Return a strategy of values of all sizes, and of those at the edges."""
        name = type(self), self.T, key(self.bounds), self.nan, self.single
        return made_once(name, self._new_members)

    def _new_members(self) -> SearchStrategy[Any]:
        from hypothesis import strategies as st

        values = spread(self.T, self.bounds, self.nan, self.single).filter(self.member)
        special = [] if self.T is bool else self._edges()
        return st.sampled_from(special) | values if special else values

    def _edges(self) -> list[Any]:
        return [x for x in edges(self.T, self.bounds) if self.member(x)]

    def extremes(self) -> list[Any]:
        """Return the values at the edges, and numbers beyond all of them."""
        if self.T is bool:
            return [False, True]
        return [*self._edges(), *filter(self.member, FAR)]

    def outside(self) -> list[Any]:
        """Return numbers next to the bounds, and NaN where it is no member."""
        beyond = [] if self.bounds is None else [self.bounds[0] - 1, self.bounds[1] + 1]
        nan = [math.nan] if self.T is float else []
        return [value for value in [*beyond, *nan] if not self.member(value)]

    def moved(self, x: Data) -> SearchStrategy[Any]:
        """Return a strategy of numbers near `x`, and of any values else."""
        from hypothesis import strategies as st

        if not self.numeric:
            return super().moved(x)
        return st.sampled_from([near for near in beside(x) if self.member(near)])

    def forms(self, value: Data) -> list[Any]:
        """Return numpy scalars that are exactly `value`."""
        return [form for form in scalar_forms(value, self.T) if self.member(form)]

    @property
    def carrier_type(self) -> str:
        """The type of the members, as text."""
        return "f32" if self.single else self.T.__name__

    def __repr__(self) -> str:
        parts = [] if self.bounds is None else [f"bounds={shown(self.bounds)}"]
        parts += [f"nan={self.nan}"] if self.T is float else []
        name = "'f32'" if self.single else self.T.__name__
        return f"AtomDomain({', '.join([*parts, f'T={name}'])})"

    def __reduce__(self) -> Any:
        T = "f32" if self.single else self.T
        return AtomDomain, (self.bounds, self.nan if self.T is float else None, T)


def _of_integers(value: Value) -> bool:
    """Whether a fraction has ints as its parts; one of numpy's would overflow."""
    return type(value) is not Fraction or (
        type(value.numerator) is int and type(value.denominator) is int
    )


def _is_plain(value: object, T: type) -> bool:
    """Whether the type of a value is one of those that serve for T, by identity."""
    return any(type(value) is kind for kind in _PLAIN_TYPES[T])


def _kinds(values: list[Any], T: type) -> set[type]:
    """The types in a list, if all of them serve for T, else none; by identity."""
    if all_of_type(values, T):  # almost always, and found out faster
        return {T}
    found = set(map(id, map(type, values)))
    kinds = {kind for kind in _PLAIN_TYPES[T] if id(kind) in found}
    return kinds if len(kinds) == len(found) else set()


def _is_int(value: object) -> bool:
    return type(value) is int


def _some_nan(values: list[Data]) -> bool:
    """Whether a NaN is among floats and ints up to 2^53: then their sum is one."""
    total = sum(values)
    return total != total and any(map(math.isnan, values))


def _is_single(value: float) -> bool:
    try:
        return bool(struct.unpack(">f", struct.pack(">f", value))[0] == value)
    except OverflowError:
        return False


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


def _parse_bounds(bounds: Bounds | None, element: AtomType) -> tuple[Any, Any] | None:
    """Return the bounds as two values of the element type, or None."""
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


def _parse_bound(bounds: Bounds, bound: ExactNumber, element: AtomType) -> Any:
    """Return one bound as a value of the element type; never rounded."""
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


def atom_domain(
    bounds: Bounds | None = None, nan: bool | None = None, T: TypeArgument | None = None
) -> AtomDomain:
    """Return the domain of single values.

    :param bounds: the least and the greatest member; no bounds by default
    :param nan: whether NaN is a member, for floats; by default unless there are bounds
    :param T: type of the members, such as int or "f32"; that of the bounds by default

    >>> atom_domain(bounds=(0, 10))
    AtomDomain(bounds=(0, 10), T=int)
    >>> atom_domain(T=float).member(float("nan"))
    True
    >>> atom_domain(T=float, nan=False).member(float("nan"))
    False
    """
    return AtomDomain(bounds=bounds, nan=nan, T=T)
