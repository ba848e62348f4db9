# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.terms; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Mapping
from opendp_lite.base.containers import native
from opendp_lite.base.containers import scalar_kind
from opendp_lite.base.errors import OpenDPTypeError
from opendp_lite.base.errors import refusal
from opendp_lite.base.ownership import Described
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.option import OptionDomain
from opendp_lite.core.record import ByText
from opendp_lite.core.transformation import check_own
from opendp_lite.data.freezing import freeze
from opendp_lite.tables.language import foreign
from opendp_lite.tables.written import Written
from typing import Any
from typing import ClassVar
from typing import NoReturn
from typing import TypeAlias
import attrs
import math

MAKE = "MakeTransformation"
_FILL_FIX = "Say what a missing value counts as: .fill_null(value)"
Columns: TypeAlias = Mapping[str, Domain]
_DEEPEST = 100
_HEAVIEST = 50_000
_INT64 = 2**63 - 1
_TYPES = (int, float, bool, str)


# === atom_of with AtomDomain, Domain, OptionDomain
def atom_of(domain: Domain) -> AtomDomain:
    inner = domain.element_domain if isinstance(domain, OptionDomain) else domain
    assert isinstance(inner, AtomDomain)
    return inner


# === may_be_missing with Domain, OptionDomain
def may_be_missing(domain: Domain) -> bool:
    return isinstance(domain, OptionDomain) or atom_of(domain).nan


# === present with refusal, AtomDomain, Domain, MAKE, _FILL_FIX
def present(name: str, domain: Domain) -> AtomDomain:
    if may_be_missing(domain):
        rule = "may be missing (null or NaN)"
        raise refusal(MAKE, name, domain, rule, _FILL_FIX)
    return atom_of(domain)


# === Expr with Mapping, refusal, Described, AtomDomain, Domain, ByText, Written, Any,
#    TypeAlias, attrs, Columns, MAKE, _DEEPEST, _HEAVIEST, _FILL_FIX
class Expr(Written, Described, ByText):
    weight: int
    depth: int
    constant: bool

    def domain(self, columns: Columns) -> Domain:
        raise TypeError(f"{type(self).__name__} does not say what it can be")

    def python(self, row: Mapping[str, Any]) -> Any:
        raise TypeError(f"{type(self).__name__} does not say what it means")

    def text(self) -> str:
        raise TypeError(f"{type(self).__name__} does not say how it is written")

    @property
    def parts(self) -> tuple[Expr, ...]:
        return ()

    @property
    def copies(self) -> int:
        return 1

    def __attrs_post_init__(self) -> None:
        weight = self.copies * (1 + sum(part.weight for part in self.parts))
        depth = 1 + max((part.depth for part in self.parts), default=0)
        if depth > _DEEPEST or weight > _HEAVIEST:
            rule = f"nests more than {_DEEPEST} deep, or is too large for an engine"
            fix = "Put a part of it into a column of its own, by with_columns"
            raise refusal(MAKE, "expression", type(self), rule, fix)
        object.__setattr__(self, "weight", weight)
        object.__setattr__(self, "depth", depth)
        constant = all(part.constant for part in self.parts)
        object.__setattr__(self, "constant", constant and type(self) is not Column)

    def present(self, part: Expr, columns: Columns) -> AtomDomain:
        domain = part.domain(columns)
        if may_be_missing(domain):
            rule = f"{part!r} may be missing (null or NaN)"
            unfit(self, rule, _FILL_FIX)
        return atom_of(domain)

    def __repr__(self) -> str:
        return self.text()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.text()))

    def __reduce__(self) -> Any:
        fields = attrs.fields(type(self))
        return type(self), tuple(getattr(self, each.name) for each in fields)


# === unfit with refusal, NoReturn, MAKE
def unfit(expr: Expr, rule: str, fix: str) -> NoReturn:
    raise refusal(MAKE, "expression", expr, rule, fix)


# === plain with native, scalar_kind, refusal, freeze, foreign, Any, math, MAKE, _INT64,
#    _TYPES
def plain(value: object, argument: str = "value") -> Any:
    own = freeze(value, argument)
    if scalar_kind(own) == "f":
        own = native(own)
    library = foreign(type(own))
    if library is not None:
        rule = f"is of {library}; expressions are made of dp.col(name) and plain values"
        raise refusal(MAKE, argument, value, rule, "Write dp.col(name)")
    known = any(type(own) is kind for kind in _TYPES)
    if own is not None and not known:
        rule, fix = "must be an int, a float, a bool or text", "Pass a plain value"
        raise refusal(MAKE, argument, value, rule, fix)
    if own is None or own != own:
        rule = "a missing value, None or NaN, is no value to compute with"
        fix = "Tell missing values by .is_null(), and replace them by .fill_null(value)"
        raise refusal(MAKE, argument, value, rule, fix)
    if type(own) is float and not math.isfinite(own):
        fix = "Pass a finite number, such as 1e6"
        raise refusal(MAKE, argument, value, "must be finite", fix)
    if type(own) is int and abs(own) > _INT64:
        fix = "Pass an int of at most 63 bits"
        raise refusal(MAKE, argument, value, "must be within 2^63 - 1", fix)
    if type(own) is str and any("\ud800" <= each <= "\udfff" for each in own):
        fix = "Pass text that UTF-8 can write"
        raise refusal(MAKE, argument, value, "has half a character in it", fix)
    return own


# === plain_list with refusal, freeze, Any, MAKE
def plain_list(argument: str, values: Any) -> tuple[Any, ...]:
    frozen = freeze(values, argument)
    if type(frozen) is not tuple:
        rule = "must be a list of public values"
        raise refusal(MAKE, argument, values, rule, "Pass for example [0, 18, 65]")
    return tuple(plain(each, argument) for each in frozen)


# === expression_argument with OpenDPTypeError, refusal, check_own, foreign, MAKE
def expression_argument(name: str, value: object) -> Expr:
    if not issubclass(type(value), Expr):
        library = foreign(type(value))
        of = "" if library is None else f", and not one of {library}"
        rule, fix = (
            f"must be an expression{of}",
            "Write for example dp.col('age') >= 18",
        )
        raise refusal(MAKE, name, type(value), rule, fix, OpenDPTypeError)
    assert isinstance(value, Expr)
    check_own(value)
    return value


# === _operand
def _operand(value: object) -> Expr:
    if issubclass(type(value), Expr):
        assert isinstance(value, Expr)
        return value
    return Literal(value)


# === _argument
def _argument(value: object) -> Expr:
    return expression_argument("expression", value)


# === Column with Mapping, refusal, Domain, Any, TypeAlias, attrs, Columns, MAKE
@attrs.frozen(eq=False, repr=False, slots=False)
class Column(Expr):
    name: str = attrs.field()

    @name.validator
    def _is_name(self, field: object, name: object) -> None:
        if type(name) is not str:
            raise refusal(
                MAKE, "name", name, "must be the name of a column", "Pass its text"
            )

    def domain(self, columns: Columns) -> Domain:
        if self.name not in columns:
            rule = "the table has no such column"
            unfit(self, rule, f"The columns are {', '.join(map(repr, columns))}")
        return columns[self.name]

    def python(self, row: Mapping[str, Any]) -> Any:
        value = row[self.name]
        return value if value == value else None

    def text(self) -> str:
        return f"col({self.name!r})"


# === Literal with Mapping, AtomDomain, Domain, Any, TypeAlias, attrs, Columns
@attrs.frozen(eq=False, repr=False, slots=False)
class Literal(Expr):
    value: Any = attrs.field(converter=plain)

    def domain(self, columns: Columns) -> Domain:
        T = type(self.value)
        numeric = T is int or T is float
        return AtomDomain((self.value, self.value) if numeric else None, T=T)

    def python(self, row: Mapping[str, Any]) -> Any:
        return self.value

    def text(self) -> str:
        return f"lit({self.value!r})"


# === OfOne with attrs
@attrs.frozen(eq=False, repr=False, slots=False)
class OfOne(Expr):
    x: Expr = attrs.field(converter=_argument)

    @property
    def parts(self) -> tuple[Expr, ...]:
        return (self.x,)


# === OfTwo with Mapping, refusal, AtomDomain, Domain, ClassVar, TypeAlias, attrs,
#    Columns, MAKE
@attrs.frozen(eq=False, repr=False, slots=False)
class OfTwo(Expr):
    _symbols: ClassVar[frozenset[str]] = frozenset()
    symbol: str = attrs.field()
    left: Expr = attrs.field(converter=_operand)
    right: Expr = attrs.field(converter=_operand)

    @symbol.validator
    def _is_symbol(self, field: object, symbol: object) -> None:
        if type(symbol) is not str or symbol not in self._symbols:
            fix = f"Write one of {' '.join(sorted(self._symbols))}"
            raise refusal(MAKE, "symbol", symbol, "is not in the language", fix)

    @property
    def parts(self) -> tuple[Expr, ...]:
        return self.left, self.right

    def operands(self, columns: Columns) -> tuple[AtomDomain, AtomDomain]:
        left = self.present(self.left, columns)
        right = self.present(self.right, columns)
        if left.T is not right.T:
            rule = f"{left.T.__name__} and {right.T.__name__} are not of one type"
            unfit(self, rule, "Write 1 with columns of int, and 1.0 with floats")
        return left, right

    def text(self) -> str:
        right = self.right
        shown = repr(right.value) if type(right) is Literal else repr(right)
        return f"({self.left!r} {self.symbol} {shown})"
