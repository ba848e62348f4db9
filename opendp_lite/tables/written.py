"""How expressions are written: methods and operators, and what is said of all others.

Nothing here is part of a proof: a constructor is given an expression, whichever way it
was written, and that expression is what it checks, computes and records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from opendp_lite.base.errors import OpenDPTypeError
from opendp_lite.tables import language

if TYPE_CHECKING:
    from opendp_lite.tables.aggregates import Aggregate
    from opendp_lite.tables.expressions import Expr


def _refuse_operator(text: str) -> NoReturn:
    raise OpenDPTypeError("MakeTransformation", text)


def _aggregate(kind: str, expr: Any, options: dict[str, Any]) -> Aggregate:
    from opendp_lite.tables.aggregates import aggregate

    return aggregate(kind, expr, **options)


def _list_edges(edges: Any) -> Any:
    """Return the edges of a range, an array or a column as a list, if they increase.

    Otherwise its class is named and no value: it may be data, passed by mistake.
    """
    from opendp_lite.tables.aggregates import check_edges
    from opendp_lite.tables.terms import public_list

    return edges if public_list(edges) is edges else list(check_edges(edges))


class Written:
    """The methods and operators of expressions, each of which makes another one."""

    __array_ufunc__: ClassVar[None] = None  # so that numpy leaves operators to us
    _nodes: ClassVar[dict[str, type]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        Written._nodes.setdefault(cls.__name__, cls)

    def _node(self, name: str, *parts: object) -> Expr:
        made: Expr = self._nodes[name](*parts)
        return made

    def fill_null(self, value: object) -> Expr:
        """Return the value, or another where it is missing (for floats also NaN).

        :param value: what a missing value counts as, of the column's type
        """
        return self._node("FillNull", self, value)

    def is_null(self) -> Expr:
        """Return whether the value is missing (for floats also NaN)."""
        return self._node("IsNull", self)

    def clip(self, lower_bound: object, upper_bound: object) -> Expr:
        """Return the value, or the bound that it lies beyond.

        :param lower_bound: the least value, of the column's type
        :param upper_bound: the greatest value, of the column's type
        """
        return self._node("Clip", self, lower_bound, upper_bound)

    def cut(self, edges: object) -> Expr:
        """Return how many of the increasing edges are at or below the value.

        :param edges: public numbers of the column's type, each above the one before
        """
        return self._node("Cut", self, _list_edges(edges))

    def is_in(self, values: object) -> Expr:
        """Return whether the value is one of a few.

        :param values: 1 to 64 public values of the column's type, int or text
        """
        return self._node("IsIn", self, values)

    def __add__(self, other: object) -> Expr:
        return self._node("Arithmetic", "+", self, other)

    def __radd__(self, other: object) -> Expr:
        return self._node("Arithmetic", "+", other, self)

    def __sub__(self, other: object) -> Expr:
        return self._node("Arithmetic", "-", self, other)

    def __rsub__(self, other: object) -> Expr:
        return self._node("Arithmetic", "-", other, self)

    def __mul__(self, other: object) -> Expr:
        return self._node("Arithmetic", "*", self, other)

    def __rmul__(self, other: object) -> Expr:
        return self._node("Arithmetic", "*", other, self)

    def __eq__(self, other: object) -> Expr:  # type: ignore[override]
        return self._node("Compare", "==", self, other)

    def __ne__(self, other: object) -> Expr:  # type: ignore[override]
        return self._node("Compare", "!=", self, other)

    def __lt__(self, other: object) -> Expr:
        return self._node("Compare", "<", self, other)

    def __le__(self, other: object) -> Expr:
        return self._node("Compare", "<=", self, other)

    def __gt__(self, other: object) -> Expr:
        return self._node("Compare", ">", self, other)

    def __ge__(self, other: object) -> Expr:
        return self._node("Compare", ">=", self, other)

    def __and__(self, other: object) -> Expr:
        return self._node("Logic", "&", self, other)

    def __rand__(self, other: object) -> Expr:
        return self._node("Logic", "&", other, self)

    def __or__(self, other: object) -> Expr:
        return self._node("Logic", "|", self, other)

    def __ror__(self, other: object) -> Expr:
        return self._node("Logic", "|", other, self)

    def __invert__(self) -> Expr:
        return self._node("Logic", "~", self, True)

    # Aggregates, which `Context.table()` releases.

    def sum(self, **options: Any) -> Aggregate:
        """Return the aggregate of the sum of the values in a group."""
        return _aggregate("sum", self, options)

    def mean(self, **options: Any) -> Aggregate:
        """Return the aggregate of the mean of the values in a group."""
        return _aggregate("mean", self, options)

    def variance(self, **options: Any) -> Aggregate:
        """Return the aggregate of the variance of the values in a group."""
        return _aggregate("variance", self, options)

    def quantiles(self, alphas: object, edges: object, **options: Any) -> Aggregate:
        """Return the aggregate of quantiles of the values in a group."""
        options = {"alphas": alphas, "edges": edges, **options}
        return _aggregate("quantiles", self, options)

    def histogram(self, edges: object, **options: Any) -> Aggregate:
        """Return the aggregate of the counts between edges, in a group."""
        return _aggregate("histogram", self, {"edges": edges, **options})

    def n_unique(self, **options: Any) -> Aggregate:
        """Return the aggregate of the number of different values in a group."""
        return _aggregate("n_unique", self, options)

    def misfits(self, **options: Any) -> Aggregate:
        """Return the aggregate of the number of rows whose text did not fit a column.

        The table has to declare the column by `declare_misfits`.
        """
        return _aggregate("misfits", self, options)

    # What is not.

    if not TYPE_CHECKING:  # type checkers and editors then say so themselves

        def __getattr__(self, name: str) -> NoReturn:
            raise AttributeError(language.absent(name), name=name, obj=None)

    def __bool__(self) -> bool:
        _refuse_operator(language.TRUTH)

    def __contains__(self, item: object) -> bool:
        _refuse_operator(language.TRUTH)

    def __iter__(self) -> NoReturn:
        _refuse_operator(language.ITERATION)

    def __truediv__(self, other: object) -> NoReturn:
        _refuse_operator(language.DIVISION)

    __rtruediv__ = __floordiv__ = __rfloordiv__ = __truediv__
    __mod__ = __rmod__ = __divmod__ = __rdivmod__ = __truediv__

    def __pow__(self, other: object) -> NoReturn:
        _refuse_operator(language.POWER)

    __rpow__ = __pow__

    def __neg__(self) -> NoReturn:
        _refuse_operator(language.NEGATION)

    __pos__ = __neg__

    def __abs__(self) -> NoReturn:
        _refuse_operator(language.absent("abs"))

    __round__ = __floor__ = __ceil__ = __trunc__ = __abs__

    def __xor__(self, other: object) -> NoReturn:
        _refuse_operator(language.LOGIC)

    __rxor__ = __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __xor__
    __matmul__ = __rmatmul__ = __xor__

    def __getitem__(self, item: object) -> NoReturn:
        _refuse_operator(language.ITERATION)
