"""Expressions as text: the closed language of tables, read and never evaluated.

Text is parsed by Python's own grammar, and each node of the tree is one that is listed
here or refused. What is built are calls of `dp.col` and of the methods of expressions,
by names that stand in a table: no name of the text is ever looked up in Python.
"""

from __future__ import annotations

import ast
import operator
import warnings
from collections.abc import Callable
from inspect import signature
from typing import Any

from opendp_lite.base.aliases import Value
from opendp_lite.base.errors import OpenDPException, shown
from opendp_lite.jobs.shapes import JobError, Named, near
from opendp_lite.tables import language
from opendp_lite.tables.aggregates import Aggregate, count, people
from opendp_lite.tables.expressions import Expr, col, lit

_LONGEST = 4_000  # characters; more is no expression that a person reads
_DEEPEST = 150  # nodes within one another; expressions stop at 100 by themselves
_FORM = "Write for example spend.fill_null(0).clip(0, 200)"

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "col": col,
    "lit": lit,
    "people": people,
    "count": count,
}
_METHODS: dict[str, Callable[..., Any]] = {
    name: getattr(Expr, name)
    for name in (
        *("fill_null", "is_null", "clip", "cut", "is_in", "sum", "mean", "variance"),
        *("quantiles", "histogram", "n_unique", "misfits"),
    )
}
_OPERATORS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
# What is refused with the sentence that the same text has in Python.
_REFUSED: dict[type[ast.AST], str] = {
    **dict.fromkeys((ast.Div, ast.FloorDiv, ast.Mod), language.DIVISION),
    **dict.fromkeys((ast.BitXor, ast.LShift, ast.RShift), language.LOGIC),
    ast.MatMult: language.LOGIC,
    ast.Pow: language.POWER,
    **dict.fromkeys((ast.BoolOp, ast.Not, ast.In, ast.NotIn), language.TRUTH),
    **dict.fromkeys((ast.IfExp, ast.Is, ast.IsNot), language.TRUTH),
    **dict.fromkeys((ast.Subscript, ast.Starred), language.ITERATION),
}


def parsed(text: str) -> Expr | Aggregate:
    """Return the expression or the aggregate that a text describes, or refuse it.

    A name is a column; one that is no word of Python is written `col("my column")`.
    There are numbers, text, `True`, `False`, lists of these, `+ - *`, comparisons,
    `& | ~`, the methods of expressions and aggregates, `people()` and `count()`.

    :param text: the expression, as it would stand after `dp.` in Python

    >>> parsed("spend.fill_null(0.0).clip(0.0, 200.0).mean()")
    col('spend').fill_null(0.0).clip(0.0, 200.0).mean()
    >>> parsed("(age.fill_null(0) >= 18) & ~member.is_null()")
    ((col('age').fill_null(0) >= 18) & (~col('member').is_null()))
    """
    if type(text) is not str:
        raise JobError(f"{shown(text)}: an expression is text. {_FORM}.")
    if len(text) > _LONGEST:
        raise JobError(
            f"{shown(text)}: an expression has at most {_LONGEST} characters. Put a "
            "part of it into a column of its own."
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text := text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if tree is None:
        raise JobError(f"{shown(text)}: cannot be read as an expression. {_FORM}.")
    found = _Reader(text).value(tree.body, 0)
    if isinstance(found, Expr | Aggregate):
        return found
    raise JobError(
        f"{shown(text)}: is a value, and no expression of the columns. {_FORM}; a "
        "value that is the same in each row is lit(1)."
    )


class _Reader:
    """Builds what a tree describes; `text` is what errors name."""

    def __init__(self, text: str) -> None:
        self.text = text

    def refused(self, told: str) -> JobError:
        return JobError(f"{shown(self.text)}: {told}")

    def value(self, node: ast.AST, depth: int) -> Any:
        """Return an expression, an aggregate, or a plain value."""
        if depth > _DEEPEST:
            raise self.refused(
                "nests too deep. Put a part of it into a column of its own."
            )
        kind = type(node)
        if kind in _REFUSED:
            raise self.refused(_REFUSED[kind])
        build = _BUILD.get(kind)
        if build is None:
            word = kind.__name__
            raise self.refused(f"{word} is not in the language. {_FORM}.")
        return build(self, node, depth + 1)

    def name(self, node: ast.Name, depth: int) -> Any:
        # Python's grammar takes letters that look alike for one another.
        if ast.get_source_segment(self.text, node) != node.id:
            raise self.refused(
                f"a name is read as {node.id!r}, which is not how it is written. "
                'Write it as col("...").'
            )
        return col(node.id)

    def constant(self, node: ast.Constant, depth: int) -> Any:
        if type(node.value) not in (int, float, bool, str):
            raise self.refused(
                f"{shown(node.value)} is no value to compute with. Write a number, "
                "text, True or False; missing values are told by is_null()."
            )
        return node.value

    def items(self, node: ast.List | ast.Tuple, depth: int) -> Any:
        found = [self.value(each, depth) for each in node.elts]
        if any(isinstance(each, Expr | Aggregate) for each in found):
            raise self.refused("a list holds public values, and no expressions.")
        return found

    def unary(self, node: ast.UnaryOp, depth: int) -> Any:
        kind = type(node.op)
        if kind in _REFUSED:
            raise self.refused(_REFUSED[kind])
        inner = self.value(node.operand, depth)
        if kind is ast.Invert:
            if not isinstance(inner, Expr):
                raise self.refused("~ is for expressions that are bool.")
            return self.called(operator.invert, (inner,), {})
        if type(inner) not in (int, float):
            raise self.refused(language.NEGATION)
        return -inner if kind is ast.USub else inner

    def binary(self, node: ast.BinOp, depth: int) -> Any:
        left, right = self.value(node.left, depth), self.value(node.right, depth)
        return self.operated(node.op, left, right)

    def compared(self, node: ast.Compare, depth: int) -> Any:
        if len(node.ops) != 1:
            raise self.refused(language.TRUTH)
        left = self.value(node.left, depth)
        return self.operated(node.ops[0], left, self.value(node.comparators[0], depth))

    def operated(self, symbol: ast.AST, left: Value, right: Value) -> Any:
        """Return what an operator makes of two operands, as Python would."""
        kind = type(symbol)
        if kind in _REFUSED:
            raise self.refused(_REFUSED[kind])
        for each in (left, right):
            if isinstance(each, Aggregate):
                raise self.refused(
                    "an aggregate is the last step: noise is added to it, and what is "
                    "released can be computed with afterwards."
                )
            if isinstance(each, list):
                raise self.refused("a list is for cut, is_in and edges alone.")
        if not isinstance(left, Expr) and not isinstance(right, Expr):
            raise self.refused("two plain values are not computed. Write the result.")
        return self.called(_OPERATORS[kind], (left, right), {})

    def call(self, node: ast.Call, depth: int) -> Any:
        """Return what a method of an expression makes, or `col`, `lit` and the like."""
        function, first = self.function(node.func, depth)
        args = [*first, *(self.value(each, depth) for each in node.args)]
        named: dict[str, Any] = {}
        for each in node.keywords:
            if each.arg is None:
                raise self.refused("** is not in the language. Write each argument.")
            named[each.arg] = self.value(each.value, depth)
        given = [*args[len(first) :], *named.values()]
        if any(isinstance(each, Expr | Aggregate) for each in given):
            raise self.refused("arguments of methods are public values.")
        return self.called(function, tuple(args), named)

    def function(
        self, node: ast.AST, depth: int
    ) -> tuple[Callable[..., Any], list[Any]]:
        """Return what is called, and the expression that it is a method of."""
        if isinstance(node, ast.Attribute) and not _is_prelude(node):
            inner = self.value(node.value, depth)
            if isinstance(inner, Expr) and node.attr in _METHODS:
                return _METHODS[node.attr], [inner]
            if not isinstance(inner, Expr):
                raise self.refused(f"{node.attr}() is a method of expressions.")
            raise self.refused(_unknown(node.attr, _METHODS, language.absent))
        name = node.attr if isinstance(node, ast.Attribute) else ""
        name = node.id if isinstance(node, ast.Name) else name
        if name not in _FUNCTIONS:
            raise self.refused(_unknown(name, _FUNCTIONS, _no_function))
        return _FUNCTIONS[name], []

    def called(
        self, function: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]
    ) -> Any:
        """Return the result of a call of the library, whose errors name the text."""
        try:
            if function in _METHODS.values() or function in _FUNCTIONS.values():
                signature(function).bind(*args, **named)
            return function(*args, **named)
        except OpenDPException as error:
            raise self.refused(error.message) from None
        except TypeError as error:
            raise self.refused(f"{function.__name__}(): {error}.") from None

    def attribute(self, node: ast.Attribute, depth: int) -> Any:
        raise self.refused(
            f"{node.attr!r} is not called. A method has parentheses, as in "
            'is_null(); a column with a dot in its name is col("a.b").'
        )


def _is_prelude(node: ast.Attribute) -> bool:
    """Whether it is `dp.col`, `dp.people` or the like, as one writes it in Python."""
    inner = node.value
    return isinstance(inner, ast.Name) and inner.id == "dp" and node.attr in _FUNCTIONS


def _unknown(name: str, known: Named, otherwise: Callable[[str], str]) -> str:
    told = near(name, known, "")
    return f"there is no {name!r}. {told}" if told.endswith("?") else otherwise(name)


def _no_function(name: str) -> str:
    return (
        f"{name or 'this'!r} cannot be called. There are col, lit, people and count, "
        "and the methods of expressions."
    )


_BUILD: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Name: _Reader.name,
    ast.Constant: _Reader.constant,
    ast.List: _Reader.items,
    ast.Tuple: _Reader.items,
    ast.UnaryOp: _Reader.unary,
    ast.BinOp: _Reader.binary,
    ast.Compare: _Reader.compared,
    ast.Call: _Reader.call,
    ast.Attribute: _Reader.attribute,
}
