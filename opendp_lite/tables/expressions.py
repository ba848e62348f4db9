"""A closed language of row-wise expressions, with one meaning on every engine.

A node says two things: `domain(columns)`, what it can be, or a refusal (public, before
any data are seen), and `python(row)`, its meaning. What engines are told stands in
`translate.py`. Rules that make the two agree:

* numbers are int64 or float64; a float that is null or NaN is *missing*, one thing,
  which is None in a row of Python;
* only `fill_null` and `is_null` take what may be missing, everything else refuses it,
  so that no three-valued logic and no order of NaN is ever met;
* every step is total by itself; none relies on a filter or a branch before it;
* what is computed with integers stays within 2^52, by interval arithmetic on public
  bounds, so that nothing overflows and every integer is also a double.

Proof: proofs/lemmas/table-expressions.tex
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import attrs

from opendp_lite.core.domains import AtomDomain, Domain
from opendp_lite.tables.terms import (
    Column,
    Columns,
    Expr,
    Literal,
    OfOne,
    OfTwo,
    atom_of,
    expression_argument,
    may_be_missing,
    plain,
    plain_list,
    present,
    unfit,
)

__all__ = [
    "Arithmetic",
    "Clip",
    "Column",
    "Columns",
    "Compare",
    "Cut",
    "Expr",
    "FillNull",
    "IsIn",
    "IsNull",
    "Literal",
    "Logic",
    "atom_of",
    "col",
    "expression_argument",
    "lit",
    "may_be_missing",
    "present",
]

_LARGEST = 2**52  # of what is computed; every integer up to it is a double
_MOST_VALUES = 64
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


def _values(values: object) -> tuple[Any, ...]:
    return plain_list("values", values)


def _edges(values: object) -> tuple[Any, ...]:
    return plain_list("edges", values)


@attrs.frozen(eq=False, repr=False, slots=False)
class FillNull(OfOne):
    """The value, or another where it is missing (null; for floats also NaN)."""

    value: Any = attrs.field(converter=plain)

    def domain(self, columns: Columns) -> Domain:
        """Return the domain of the values that are there and of the one for others."""
        inner = atom_of(self.x.domain(columns))
        if type(self.value) is not inner.T:  # proof: type
            rule = f"a {inner.T.__name__} that is missing is filled by one"
            unfit(self, rule, f"Pass a {inner.T.__name__}, such as {inner.T()!r}")
        if inner.bounds is None:
            return AtomDomain(T=inner.T, nan=False)  # proof: whole
        low, high = inner.bounds
        bounds = min(low, self.value), max(high, self.value)
        return AtomDomain(bounds, T=inner.T)  # proof: hull

    def python(self, row: Mapping[str, Any]) -> Any:
        """Return the value, or the other."""
        value = self.x.python(row)
        return self.value if value is None else value

    def text(self) -> str:
        """Return the expression as it is written."""
        return f"{self.x!r}.fill_null({self.value!r})"

    @property
    def copies(self) -> int:
        """Once in the question, once in the answer."""
        return 2


@attrs.frozen(eq=False, repr=False, slots=False)
class IsNull(OfOne):
    """Whether the value is missing (null; for floats also NaN)."""

    def domain(self, columns: Columns) -> Domain:
        """Return the domain of bools, whatever the values are."""
        self.x.domain(columns)
        return AtomDomain(T=bool)

    def python(self, row: Mapping[str, Any]) -> Any:
        """Return whether the value is missing."""
        return self.x.python(row) is None

    def text(self) -> str:
        """Return the expression as it is written."""
        return f"{self.x!r}.is_null()"


@attrs.frozen(eq=False, repr=False, slots=False)
class Clip(OfOne):
    """The number, or the bound that it lies beyond."""

    lower: Any = attrs.field(converter=plain)
    upper: Any = attrs.field(converter=plain)

    def domain(self, columns: Columns) -> Domain:
        """Return the domain of the numbers between the bounds."""
        inner = self.present(self.x, columns)
        T, bounds = inner.T, (self.lower, self.upper)
        if T not in (int, float):  # proof: numbers
            unfit(self, f"{self.x!r} is no number", "Clip a column of int or float")
        if any(type(bound) is not T for bound in bounds):  # proof: type
            rule = f"bounds of {T.__name__} must be of this type"
            unfit(self, rule, "Write 0 and 10 for ints, 0.0 and 10.0 for floats")
        if self.lower > self.upper:  # proof: order
            rule = "the lower bound may not be above the upper"
            unfit(self, rule, "Pass the lower bound first")
        if T is int and max(map(abs, bounds)) > _LARGEST:  # proof: within
            unfit(self, "bounds must be within 2^52", "Pass narrower bounds")
        return AtomDomain(bounds, T=T)

    def python(self, row: Mapping[str, Any]) -> Any:
        """Return the number or the bound."""
        x = self.x.python(row)
        return self.lower if x < self.lower else self.upper if x > self.upper else x

    def text(self) -> str:
        """Return the expression as it is written."""
        return f"{self.x!r}.clip({self.lower!r}, {self.upper!r})"

    @property
    def copies(self) -> int:
        """Twice in questions, and once in the answer."""
        return 3


@attrs.frozen(eq=False, repr=False, slots=False)
class Arithmetic(OfTwo):
    """The sum, the difference or the product of two numbers of one type."""

    _symbols = frozenset(_ARITHMETIC)

    def domain(self, columns: Columns) -> Domain:
        """Return the domain between the least and the greatest result."""
        left, right = self.operands(columns)  # proof: operands
        T, compute = left.T, _ARITHMETIC[self.symbol]
        if T not in (int, float):  # proof: numbers
            rule = f"a {T.__name__} is no number"
            unfit(self, rule, "Compute with int or float; cut and is_in make others")
        ends = [*(left.bounds or [math.inf]), *(right.bounds or [math.inf])]
        if math.inf in map(abs, ends):  # proof: finite
            rule = "both operands must have finite bounds"
            unfit(self, rule, "Clip them first: .clip(lower_bound, upper_bound)")
        exact = [Fraction(end) for end in ends]
        first, second = exact[:2], exact[2:]
        corners = [compute(a, b) for a in first for b in second]  # proof: corners
        low, high = min(corners), max(corners)
        if T is int and max(map(abs, [*exact, low, high])) > _LARGEST:  # proof: within
            rule = "an operand or the result may pass 2^52"
            unfit(self, rule, "Clip to narrower bounds")
        try:
            # Rounding is monotone: the rounded corners bound every rounded result.
            return AtomDomain((T(low), T(high)), T=T)  # proof: rounded
        except OverflowError:  # proof: overflow
            rule = "the result may be too large for a float"
        unfit(self, rule, "Clip to narrower bounds")

    def python(self, row: Mapping[str, Any]) -> Any:
        """Return the result, of floats rounded to the nearest."""
        return _ARITHMETIC[self.symbol](self.left.python(row), self.right.python(row))


@attrs.frozen(eq=False, repr=False, slots=False)
class Compare(OfTwo):
    """Whether a comparison of two values of one type holds."""

    _symbols = frozenset(_ORDER)

    def domain(self, columns: Columns) -> Domain:
        """Return the domain of bools."""
        left, _ = self.operands(columns)
        if left.T in (str, bool) and self.symbol not in ("==", "!="):  # proof: order
            rule = "text and bools are compared by == and != only"
            unfit(self, rule, "Write == or !=; of text also .is_in([...])")
        return AtomDomain(T=bool)

    def python(self, row: Mapping[str, Any]) -> Any:
        """Return whether it holds."""
        return _ORDER[self.symbol](self.left.python(row), self.right.python(row))


@attrs.frozen(eq=False, repr=False, slots=False)
class Logic(OfTwo):
    """Whether both hold, whether one of two holds, or (`~`, of one) whether not."""

    _symbols = frozenset("&|~")

    def domain(self, columns: Columns) -> Domain:
        """Return the domain of bools."""
        for part in self.parts:
            if self.present(part, columns).T is not bool:  # proof: bools
                unfit(self, f"{part!r} is no bool", "Compare first, as in x >= 18")
        return AtomDomain(T=bool)

    def python(self, row: Mapping[str, Any]) -> Any:
        """Return whether it holds."""
        left = self.left.python(row)
        if self.symbol == "~":
            return not left
        right = self.right.python(row)
        return (left and right) if self.symbol == "&" else (left or right)

    def text(self) -> str:
        """Return the expression as it is written."""
        return f"(~{self.left!r})" if self.symbol == "~" else super().text()

    @property
    def parts(self) -> tuple[Expr, ...]:
        """The expressions that this one is made of; `~` has no second one."""
        return (self.left,) if self.symbol == "~" else super().parts  # proof: one


@attrs.frozen(eq=False, repr=False, slots=False)
class IsIn(OfOne):
    """Whether a value is one of a few; of many, join a public table."""

    values: tuple[Any, ...] = attrs.field(converter=_values)

    def domain(self, columns: Columns) -> Domain:
        """Return the domain of bools."""
        inner = self.present(self.x, columns)
        if inner.T not in (int, str):  # proof: listed
            unfit(self, "only ints and text are listed", "Compare by == or <= instead")
        if not 0 < len(self.values) <= _MOST_VALUES:  # proof: few
            rule = f"1 to {_MOST_VALUES} values are listed"
            unfit(self, rule, "Join a public table with the values, how='inner'")
        if any(type(each) is not inner.T for each in self.values):  # proof: type
            rule = f"values of {inner.T.__name__} must be of this type"
            unfit(self, rule, "Pass values of the column's type")
        return AtomDomain(T=bool)

    def python(self, row: Mapping[str, Any]) -> Any:
        """Return whether it is listed."""
        return self.x.python(row) in self.values

    def text(self) -> str:
        """Return the expression as it is written."""
        return f"{self.x!r}.is_in({list(self.values)!r})"

    @property
    def copies(self) -> int:
        """Once for each value."""
        return max(len(self.values), 1)


@attrs.frozen(eq=False, repr=False, slots=False)
class Cut(OfOne):
    """How many of the increasing public edges are at or below the number: 0, 1, ..."""

    edges: tuple[Any, ...] = attrs.field(converter=_edges)

    def domain(self, columns: Columns) -> Domain:
        """Return the domain of the counts."""
        inner = self.present(self.x, columns)
        if inner.T not in (int, float):  # proof: numbers
            unfit(self, f"{self.x!r} is no number", "Cut a column of int or float")
        typed = all(type(each) is inner.T for each in self.edges)
        if not self.edges or not typed:  # proof: type
            rule = f"edges of {inner.T.__name__} must be some of this type"
            unfit(self, rule, "Write [0, 18] for ints and [0.0, 18.0] for floats")
        pairs = zip(self.edges, self.edges[1:], strict=False)
        if any(a >= b for a, b in pairs):  # proof: increase
            unfit(self, "edges must increase", "Sort them, and leave out the doubles")
        return AtomDomain((0, len(self.edges)), T=int)

    def python(self, row: Mapping[str, Any]) -> Any:
        """Return the count."""
        x = self.x.python(row)
        return sum(edge <= x for edge in self.edges)

    def text(self) -> str:
        """Return the expression as it is written."""
        return f"{self.x!r}.cut({list(self.edges)!r})"

    @property
    def copies(self) -> int:
        """Once for each edge."""
        return max(len(self.edges), 1)


def col(name: str) -> Column:
    """Return the expression of a column: its value in each row.

    :param name: the name of the column, as it is declared

    >>> (col("age").fill_null(0).clip(0, 120) >= 18)
    (col('age').fill_null(0).clip(0, 120) >= 18)
    """
    return Column(name)


def lit(value: object) -> Literal:
    """Return the expression of a public value, the same in each row.

    :param value: an int, a finite float, a bool or text

    >>> lit(1) - col("share").fill_null(0).clip(0, 1)
    (lit(1) - col('share').fill_null(0).clip(0, 1))
    """
    return Literal(value)
