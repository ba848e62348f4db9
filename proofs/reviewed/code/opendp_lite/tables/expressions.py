# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.expressions; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from collections.abc import Mapping
from fractions import Fraction
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.tables.terms import Columns
from opendp_lite.tables.terms import Expr
from opendp_lite.tables.terms import OfOne
from opendp_lite.tables.terms import OfTwo
from opendp_lite.tables.terms import atom_of
from opendp_lite.tables.terms import plain
from opendp_lite.tables.terms import plain_list
from opendp_lite.tables.terms import unfit
from typing import Any
import attrs
import math
import operator

opendp_lite.tables.terms.Columns: typing.TypeAlias = collections.abc.Mapping[str, opendp_lite.core.domains.domain.Domain]
_LARGEST = 2**52
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
_ORDER: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_MOST_VALUES = 64


# === _values with plain_list, Any
def _values(values: object) -> tuple[Any, ...]:
    return plain_list("values", values)


# === _edges with plain_list, Any
def _edges(values: object) -> tuple[Any, ...]:
    return plain_list("edges", values)


# === FillNull with Mapping, AtomDomain, Domain, Columns, OfOne, atom_of, plain, unfit,
#    Any, attrs, opendp_lite.tables.terms.Columns
@attrs.frozen(eq=False, repr=False, slots=False)
class FillNull(OfOne):
    value: Any = attrs.field(converter=plain)

    def domain(self, columns: Columns) -> Domain:
        inner = atom_of(self.x.domain(columns))
        if type(self.value) is not inner.T:
            rule = f"a {inner.T.__name__} that is missing is filled by one"
            unfit(self, rule, f"Pass a {inner.T.__name__}, such as {inner.T()!r}")
        if inner.bounds is None:
            return AtomDomain(T=inner.T, nan=False)
        low, high = inner.bounds
        bounds = min(low, self.value), max(high, self.value)
        return AtomDomain(bounds, T=inner.T)

    def python(self, row: Mapping[str, Any]) -> Any:
        value = self.x.python(row)
        return self.value if value is None else value

    def text(self) -> str:
        return f"{self.x!r}.fill_null({self.value!r})"

    @property
    def copies(self) -> int:
        return 2


# === IsNull with Mapping, AtomDomain, Domain, Columns, OfOne, Any, attrs,
#    opendp_lite.tables.terms.Columns
@attrs.frozen(eq=False, repr=False, slots=False)
class IsNull(OfOne):
    def domain(self, columns: Columns) -> Domain:
        self.x.domain(columns)
        return AtomDomain(T=bool)

    def python(self, row: Mapping[str, Any]) -> Any:
        return self.x.python(row) is None

    def text(self) -> str:
        return f"{self.x!r}.is_null()"


# === Clip with Mapping, AtomDomain, Domain, Columns, OfOne, plain, unfit, Any, attrs,
#    _LARGEST, opendp_lite.tables.terms.Columns
@attrs.frozen(eq=False, repr=False, slots=False)
class Clip(OfOne):
    lower: Any = attrs.field(converter=plain)
    upper: Any = attrs.field(converter=plain)

    def domain(self, columns: Columns) -> Domain:
        inner = self.present(self.x, columns)
        T, bounds = inner.T, (self.lower, self.upper)
        if T not in (int, float):
            unfit(self, f"{self.x!r} is no number", "Clip a column of int or float")
        if any(type(bound) is not T for bound in bounds):
            rule = f"bounds of {T.__name__} must be of this type"
            unfit(self, rule, "Write 0 and 10 for ints, 0.0 and 10.0 for floats")
        if self.lower > self.upper:
            rule = "the lower bound may not be above the upper"
            unfit(self, rule, "Pass the lower bound first")
        if T is int and max(map(abs, bounds)) > _LARGEST:
            unfit(self, "bounds must be within 2^52", "Pass narrower bounds")
        return AtomDomain(bounds, T=T)

    def python(self, row: Mapping[str, Any]) -> Any:
        x = self.x.python(row)
        return self.lower if x < self.lower else self.upper if x > self.upper else x

    def text(self) -> str:
        return f"{self.x!r}.clip({self.lower!r}, {self.upper!r})"

    @property
    def copies(self) -> int:
        return 3


# === Arithmetic with Callable, Mapping, Fraction, AtomDomain, Domain, Columns, OfTwo,
#    unfit, Any, attrs, math, operator, _LARGEST, _ARITHMETIC,
#    opendp_lite.tables.terms.Columns
@attrs.frozen(eq=False, repr=False, slots=False)
class Arithmetic(OfTwo):
    _symbols = frozenset(_ARITHMETIC)

    def domain(self, columns: Columns) -> Domain:
        left, right = self.operands(columns)
        T, compute = left.T, _ARITHMETIC[self.symbol]
        if T not in (int, float):
            rule = f"a {T.__name__} is no number"
            unfit(self, rule, "Compute with int or float; cut and is_in make others")
        ends = [*(left.bounds or [math.inf]), *(right.bounds or [math.inf])]
        if math.inf in map(abs, ends):
            rule = "both operands must have finite bounds"
            unfit(self, rule, "Clip them first: .clip(lower_bound, upper_bound)")
        exact = [Fraction(end) for end in ends]
        first, second = exact[:2], exact[2:]
        corners = [compute(a, b) for a in first for b in second]
        low, high = min(corners), max(corners)
        if T is int and max(map(abs, [*exact, low, high])) > _LARGEST:
            rule = "an operand or the result may pass 2^52"
            unfit(self, rule, "Clip to narrower bounds")
        try:
            return AtomDomain((T(low), T(high)), T=T)
        except OverflowError:
            rule = "the result may be too large for a float"
        unfit(self, rule, "Clip to narrower bounds")

    def python(self, row: Mapping[str, Any]) -> Any:
        return _ARITHMETIC[self.symbol](self.left.python(row), self.right.python(row))


# === Compare with Callable, Mapping, AtomDomain, Domain, Columns, OfTwo, unfit, Any,
#    attrs, operator, _ORDER, opendp_lite.tables.terms.Columns
@attrs.frozen(eq=False, repr=False, slots=False)
class Compare(OfTwo):
    _symbols = frozenset(_ORDER)

    def domain(self, columns: Columns) -> Domain:
        left, _ = self.operands(columns)
        if left.T in (str, bool) and self.symbol not in ("==", "!="):
            rule = "text and bools are compared by == and != only"
            unfit(self, rule, "Write == or !=; of text also .is_in([...])")
        return AtomDomain(T=bool)

    def python(self, row: Mapping[str, Any]) -> Any:
        return _ORDER[self.symbol](self.left.python(row), self.right.python(row))


# === Logic with Mapping, AtomDomain, Domain, Columns, Expr, OfTwo, unfit, Any, attrs,
#    opendp_lite.tables.terms.Columns
@attrs.frozen(eq=False, repr=False, slots=False)
class Logic(OfTwo):
    _symbols = frozenset("&|~")

    def domain(self, columns: Columns) -> Domain:
        for part in self.parts:
            if self.present(part, columns).T is not bool:
                unfit(self, f"{part!r} is no bool", "Compare first, as in x >= 18")
        return AtomDomain(T=bool)

    def python(self, row: Mapping[str, Any]) -> Any:
        left = self.left.python(row)
        if self.symbol == "~":
            return not left
        right = self.right.python(row)
        return (left and right) if self.symbol == "&" else (left or right)

    def text(self) -> str:
        return f"(~{self.left!r})" if self.symbol == "~" else super().text()

    @property
    def parts(self) -> tuple[Expr, ...]:
        return (self.left,) if self.symbol == "~" else super().parts


# === IsIn with Mapping, AtomDomain, Domain, Columns, OfOne, unfit, Any, attrs,
#    _MOST_VALUES, opendp_lite.tables.terms.Columns
@attrs.frozen(eq=False, repr=False, slots=False)
class IsIn(OfOne):
    values: tuple[Any, ...] = attrs.field(converter=_values)

    def domain(self, columns: Columns) -> Domain:
        inner = self.present(self.x, columns)
        if inner.T not in (int, str):
            unfit(self, "only ints and text are listed", "Compare by == or <= instead")
        if not 0 < len(self.values) <= _MOST_VALUES:
            rule = f"1 to {_MOST_VALUES} values are listed"
            unfit(self, rule, "Join a public table with the values, how='inner'")
        if any(type(each) is not inner.T for each in self.values):
            rule = f"values of {inner.T.__name__} must be of this type"
            unfit(self, rule, "Pass values of the column's type")
        return AtomDomain(T=bool)

    def python(self, row: Mapping[str, Any]) -> Any:
        return self.x.python(row) in self.values

    def text(self) -> str:
        return f"{self.x!r}.is_in({list(self.values)!r})"

    @property
    def copies(self) -> int:
        return max(len(self.values), 1)


# === Cut with Mapping, AtomDomain, Domain, Columns, OfOne, unfit, Any, attrs,
#    opendp_lite.tables.terms.Columns
@attrs.frozen(eq=False, repr=False, slots=False)
class Cut(OfOne):
    edges: tuple[Any, ...] = attrs.field(converter=_edges)

    def domain(self, columns: Columns) -> Domain:
        inner = self.present(self.x, columns)
        if inner.T not in (int, float):
            unfit(self, f"{self.x!r} is no number", "Cut a column of int or float")
        typed = all(type(each) is inner.T for each in self.edges)
        if not self.edges or not typed:
            rule = f"edges of {inner.T.__name__} must be some of this type"
            unfit(self, rule, "Write [0, 18] for ints and [0.0, 18.0] for floats")
        pairs = zip(self.edges, self.edges[1:], strict=False)
        if any(a >= b for a, b in pairs):
            unfit(self, "edges must increase", "Sort them, and leave out the doubles")
        return AtomDomain((0, len(self.edges)), T=int)

    def python(self, row: Mapping[str, Any]) -> Any:
        x = self.x.python(row)
        return sum(edge <= x for edge in self.edges)

    def text(self) -> str:
        return f"{self.x!r}.cut({list(self.edges)!r})"

    @property
    def copies(self) -> int:
        return max(len(self.edges), 1)
