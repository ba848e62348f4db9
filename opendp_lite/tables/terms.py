"""What an expression is, and which public values may stand in one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, NoReturn, TypeAlias

import attrs

from opendp_lite.base.containers import is_array, native, scalar_kind
from opendp_lite.base.errors import OpenDPTypeError, refusal
from opendp_lite.base.ownership import Described
from opendp_lite.core.domains import AtomDomain, Domain, OptionDomain
from opendp_lite.core.record import ByText
from opendp_lite.core.transformation import check_own
from opendp_lite.data.columns import column_rows
from opendp_lite.data.freezing import freeze
from opendp_lite.tables.language import foreign
from opendp_lite.tables.written import Written

Columns: TypeAlias = Mapping[str, Domain]

MAKE = "MakeTransformation"
_INT64 = 2**63 - 1  # of what is only compared; the least int64 is left out
_DEEPEST = 100
_HEAVIEST = 50_000
_TYPES = (int, float, bool, str)
_FILL_FIX = "Say what a missing value counts as: .fill_null(value)"


def atom_of(domain: Domain) -> AtomDomain:
    """Return the domain of the values that are there."""
    inner = domain.element_domain if isinstance(domain, OptionDomain) else domain
    assert isinstance(inner, AtomDomain)
    return inner


def may_be_missing(domain: Domain) -> bool:
    """Return whether a value may be missing: null, or a float that is NaN."""
    return isinstance(domain, OptionDomain) or atom_of(domain).nan


def present(name: str, domain: Domain) -> AtomDomain:
    """Return the domain of the values, or refuse those that may be missing."""
    if may_be_missing(domain):  # proof: missing
        rule = "may be missing (null or NaN)"
        raise refusal(MAKE, name, domain, rule, _FILL_FIX)
    return atom_of(domain)


class Expr(Written, Described, ByText):
    """A value for each row, computed from its columns; `==` makes another one.

    Records compare expressions by their text, which says all of them.
    """

    weight: int  # how many operations an engine is told, about
    depth: int  # how many expressions lie within one another
    constant: bool  # whether it names no column

    def domain(self, columns: Columns) -> Domain:
        """Return what the expression can be on tables of these columns, or refuse."""
        raise TypeError(f"{type(self).__name__} does not say what it can be")

    def python(self, row: Mapping[str, Any]) -> Any:
        """Return the value of the expression in a row; None if it is missing."""
        raise TypeError(f"{type(self).__name__} does not say what it means")

    def text(self) -> str:
        """Return the expression as it is written; another expression has another."""
        raise TypeError(f"{type(self).__name__} does not say how it is written")

    @property
    def parts(self) -> tuple[Expr, ...]:
        """The expressions that this one is made of."""
        return ()

    @property
    def copies(self) -> int:
        """How often an engine is told what the parts are."""
        return 1

    def __attrs_post_init__(self) -> None:
        weight = self.copies * (1 + sum(part.weight for part in self.parts))
        depth = 1 + max((part.depth for part in self.parts), default=0)
        if depth > _DEEPEST or weight > _HEAVIEST:  # proof: size
            rule = f"nests more than {_DEEPEST} deep, or is too large for an engine"
            fix = "Put a part of it into a column of its own, by with_columns"
            raise refusal(MAKE, "expression", type(self), rule, fix)
        object.__setattr__(self, "weight", weight)
        object.__setattr__(self, "depth", depth)
        constant = all(part.constant for part in self.parts)
        object.__setattr__(self, "constant", constant and type(self) is not Column)

    def present(self, part: Expr, columns: Columns) -> AtomDomain:
        """Return what a part can be, or refuse one that may be missing."""
        domain = part.domain(columns)
        if may_be_missing(domain):  # proof: missing
            rule = f"{part!r} may be missing (null or NaN)"
            unfit(self, rule, _FILL_FIX)
        return atom_of(domain)

    def __repr__(self) -> str:
        return self.text()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.text()))

    def __reduce__(self) -> Any:
        fields = attrs.fields(type(self))  # type: ignore[arg-type]
        return type(self), tuple(getattr(self, each.name) for each in fields)


def unfit(expr: Expr, rule: str, fix: str) -> NoReturn:
    """Raise, because an expression does not fit the columns."""
    raise refusal(MAKE, "expression", expr, rule, fix)


def plain(value: object, argument: str = "value") -> Any:
    """Return a public value as a plain one of Python, or refuse it."""
    own = freeze(value, argument)  # proof: frozen
    if scalar_kind(own) == "f":  # of fewer than 64 bits; dates stay what they are
        own = native(own)  # proof: single
    library = foreign(type(own))
    if library is not None:
        rule = f"is of {library}; expressions are made of dp.col(name) and plain values"
        raise refusal(MAKE, argument, value, rule, "Write dp.col(name)")
    if own is not None and type(own) not in _TYPES:  # proof: types
        rule, fix = "must be an int, a float, a bool or text", "Pass a plain value"
        raise refusal(MAKE, argument, value, rule, fix)
    if own is None or own != own:  # proof: missing
        rule = "a missing value, None or NaN, is no value to compute with"
        fix = "Tell missing values by .is_null(), and replace them by .fill_null(value)"
        raise refusal(MAKE, argument, value, rule, fix)
    if type(own) is float and not math.isfinite(own):  # proof: finite
        fix = "Pass a finite number, such as 1e6"
        raise refusal(MAKE, argument, value, "must be finite", fix)
    if type(own) is int and abs(own) > _INT64:  # proof: wide
        fix = "Pass an int of at most 63 bits"
        raise refusal(MAKE, argument, value, "must be within 2^63 - 1", fix)
    if type(own) is str and any("\ud800" <= each <= "\udfff" for each in own):
        fix = "Pass text that UTF-8 can write"  # proof: halves
        raise refusal(MAKE, argument, value, "has half a character in it", fix)
    return own


def plain_list(argument: str, values: Any) -> tuple[Any, ...]:
    """Return the public values of a list as plain ones, or refuse it."""
    frozen = freeze(values, argument)
    if type(frozen) is not tuple:  # proof: list
        rule = "must be a list of public values"
        raise refusal(MAKE, argument, values, rule, "Pass for example [0, 18, 65]")
    return tuple(plain(each, argument) for each in frozen)


def public_list(values: Any) -> Any:
    """Return public values that a range, an array or a column holds, as a list.

    Everything else is returned as it is.

    >>> public_list(range(3)), public_list("text")
    ([0, 1, 2], 'text')
    """
    rows = column_rows(values, False)
    several = is_array(rows) or foreign(type(rows)) is not None
    return rows.tolist() if several and hasattr(rows, "tolist") else rows


def expression_argument(name: str, value: object) -> Expr:
    """Return the argument if it is an expression of the library, or refuse it."""
    if not isinstance(value, Expr):  # proof: expression
        library = foreign(type(value))
        of = "" if library is None else f", and not one of {library}"
        rule, fix = (
            f"must be an expression{of}",
            "Write for example dp.col('age') >= 18",
        )
        raise refusal(MAKE, name, type(value), rule, fix, OpenDPTypeError)
    check_own(value)  # proof: own
    return value


def _operand(value: object) -> Expr:
    """Return an operand: an expression, or a value as one."""
    if isinstance(value, Expr):
        return value
    return Literal(value)


def _argument(value: object) -> Expr:
    return expression_argument("expression", value)


@attrs.frozen(eq=False, repr=False, slots=False)
class Column(Expr):
    """The value of a column."""

    name: str = attrs.field()

    @name.validator
    def _is_name(self, field: object, name: object) -> None:
        if type(name) is not str:
            raise refusal(
                MAKE, "name", name, "must be the name of a column", "Pass its text"
            )

    def domain(self, columns: Columns) -> Domain:
        """Return the domain of the column."""
        if self.name not in columns:  # proof: there
            rule = "the table has no such column"
            unfit(self, rule, f"The columns are {', '.join(map(repr, columns))}")
        return columns[self.name]

    def python(self, row: Mapping[str, Any]) -> Any:
        """Return the value of the column; NaN is missing."""
        value = row[self.name]
        return value if value == value else None  # proof: value

    def text(self) -> str:
        """Return the expression as it is written."""
        return f"col({self.name!r})"


@attrs.frozen(eq=False, repr=False, slots=False)
class Literal(Expr):
    """A public value, the same in each row."""

    value: Any = attrs.field(converter=plain)

    def domain(self, columns: Columns) -> Domain:
        """Return the domain of the value alone, of numbers."""
        T = type(self.value)
        numeric = T is int or T is float
        return AtomDomain((self.value, self.value) if numeric else None, T=T)

    def python(self, row: Mapping[str, Any]) -> Any:
        """Return the value."""
        return self.value

    def text(self) -> str:
        """Return the expression as it is written."""
        return f"lit({self.value!r})"


@attrs.frozen(eq=False, repr=False, slots=False)
class OfOne(Expr):
    """An expression of one other."""

    x: Expr = attrs.field(converter=_argument)

    @property
    def parts(self) -> tuple[Expr, ...]:
        """The expression that this one is made of."""
        return (self.x,)


@attrs.frozen(eq=False, repr=False, slots=False)
class OfTwo(Expr):
    """An expression of two others, by a symbol between them."""

    _symbols: ClassVar[frozenset[str]] = frozenset()
    symbol: str = attrs.field()
    left: Expr = attrs.field(converter=_operand)
    right: Expr = attrs.field(converter=_operand)

    @symbol.validator
    def _is_symbol(self, field: object, symbol: object) -> None:
        if type(symbol) is not str or symbol not in self._symbols:  # proof: symbol
            fix = f"Write one of {' '.join(sorted(self._symbols))}"
            raise refusal(MAKE, "symbol", symbol, "is not in the language", fix)

    @property
    def parts(self) -> tuple[Expr, ...]:
        """The expressions that this one is made of."""
        return self.left, self.right

    def operands(self, columns: Columns) -> tuple[AtomDomain, AtomDomain]:
        """Return what the operands can be, of one type, or refuse them."""
        left = self.present(self.left, columns)
        right = self.present(self.right, columns)
        if left.T is not right.T:  # proof: type
            rule = f"{left.T.__name__} and {right.T.__name__} are not of one type"
            unfit(self, rule, "Write 1 with columns of int, and 1.0 with floats")
        return left, right

    def text(self) -> str:
        """Return the expression as it is written."""
        right = self.right
        shown = repr(right.value) if type(right) is Literal else repr(right)
        return f"({self.left!r} {self.symbol} {shown})"
