"""Expressions: what they can be, what they mean, and what is refused."""

from __future__ import annotations

import copy
import itertools
import math
import operator
import pickle
from collections import OrderedDict
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException, OpenDPTypeError
from opendp_lite.core.domains import AtomDomain
from opendp_lite.tables import expressions, terms
from opendp_lite.tables.expressions import (
    Arithmetic,
    Column,
    Expr,
    Logic,
    atom_of,
    may_be_missing,
    present,
)
from tests.rows import for_each

INT, FLOAT, BOOL, TEXT = (dp.atom_domain(T=T) for T in (int, float, bool, str))
COLUMNS: dict[str, dp.Domain] = {
    "n": dp.option_domain(INT),
    "x": FLOAT,
    "t": dp.option_domain(TEXT),
    "b": BOOL,
    "small": dp.atom_domain(bounds=(-2, 3)),
    "unit": dp.atom_domain(bounds=(0.0, 1.0)),
    "far": dp.atom_domain(bounds=(0.0, math.inf)),
    "i64": dp.atom_domain(T="i64"),
}
ROW: dict[str, Any] = {"n": None, "x": None, "t": None, "b": True, "small": 3}
ROW |= {"unit": 0.25, "far": math.inf, "i64": 2**63 - 1}
N, X, T = dp.col("n").fill_null(0), dp.col("x").fill_null(0.5), dp.col("t")
SMALL, UNIT = dp.col("small"), dp.col("unit")


def refused(expr: Callable[[], Any], *words: str) -> None:
    """It is refused, when it is made or when it meets the columns, in these words."""
    with pytest.raises(OpenDPException) as error:
        expr().domain(COLUMNS)
    assert error.value.variant == "MakeTransformation"
    for word in words:
        assert word in str(error.value), str(error.value)


@for_each(
    ("expr", "domain", "value"),
    [
        (dp.col("n"), dp.option_domain(INT), None),
        (dp.lit(3), AtomDomain((3, 3)), 3),
        (dp.lit("é"), TEXT, "é"),
        (dp.lit(True), BOOL, True),
        (dp.col("n").fill_null(7), INT, 7),
        (dp.col("x").fill_null(-1.5), AtomDomain(T=float, nan=False), -1.5),
        (SMALL.fill_null(9), AtomDomain((-2, 9)), 3),
        (dp.col("n").is_null(), BOOL, True),
        (SMALL.is_null(), BOOL, False),
        (N.clip(1, 5), AtomDomain((1, 5)), 1),
        (X.clip(0.0, 0.25), AtomDomain((0.0, 0.25)), 0.25),
        (dp.col("far").clip(0.0, 8.0), AtomDomain((0.0, 8.0)), 8.0),
        (SMALL + 1, AtomDomain((-1, 4)), 4),
        (1 - SMALL, AtomDomain((-2, 3)), -2),
        (SMALL * SMALL, AtomDomain((-6, 9)), 9),
        (2.0 * UNIT, AtomDomain((0.0, 2.0)), 0.5),
        (0.1 + UNIT, AtomDomain((0.1, 1.1)), 0.35),
        (SMALL == 3, BOOL, True),
        (SMALL > 3, BOOL, False),
        (T.fill_null("a") != "b", BOOL, True),
        (dp.col("b") == True, BOOL, True),  # noqa: E712
        (dp.col("far") >= 1.0, BOOL, True),
        ((SMALL > 0) & ~(UNIT > 0.5), BOOL, True),
        (dp.col("b") | (SMALL > 9), BOOL, True),
        (True & dp.col("b"), BOOL, True),
        (~dp.col("b"), BOOL, False),
        (N.is_in([5, 0]), BOOL, True),
        (T.fill_null("?").is_in(("a", "b")), BOOL, False),
        (dp.col("i64").is_in([2**63 - 1]), BOOL, True),
        (SMALL.cut([0, 3, 5]), AtomDomain((0, 3)), 2),
        (dp.col("far").cut([0.0, 1e300]), AtomDomain((0, 2)), 2),
        (UNIT.cut(np.array([0.25, 0.5])), AtomDomain((0, 2)), 1),
        (SMALL + np.int64(1), AtomDomain((-1, 4)), 4),
        (np.float64(2.0) * UNIT, AtomDomain((0.0, 2.0)), 0.5),
    ],
    ids=repr,
)
def test_an_expression_has_a_domain_and_a_value_in_it(
    expr: Expr, domain: dp.Domain, value: Any
) -> None:
    assert expr.domain(COLUMNS) == domain
    got = expr.python(ROW)
    assert type(got) is type(value)
    assert got == value
    assert got is None or atom_of(domain).member(got)


@for_each(
    ("expr", "words"),
    [
        (lambda: dp.col("who"), ["col('who')", "no such column", "'small'"]),
        (lambda: dp.col(1), ["name=1"]),  # type: ignore[arg-type]
        (lambda: dp.col("n") + 1, ["col('n') may be missing", ".fill_null(value)"]),
        (lambda: dp.col("x").clip(0.0, 1.0), ["missing", ".fill_null(value)"]),
        (lambda: dp.col("x") > 1.0, ["missing", ".fill_null(value)"]),
        (lambda: dp.col("n").cut([1]), ["missing", ".fill_null(value)"]),
        (lambda: T == "a", ["missing", ".fill_null(value)"]),
        (lambda: T.is_in(["a"]), ["missing", ".fill_null(value)"]),
        (lambda: dp.col("n").fill_null(1.0), ["int", "filled by one"]),
        (lambda: dp.col("x").fill_null(1), ["float", "such as 0.0"]),
        (lambda: dp.col("n").fill_null(True), ["int", "filled by one"]),
        (lambda: dp.col("x").fill_null(math.nan), ["None or NaN", ".is_null()"]),
        (lambda: dp.col("x").fill_null(None), ["None or NaN"]),
        (lambda: dp.col("x").fill_null(math.inf), ["finite"]),
        (lambda: dp.col("n") == None, ["None", ".is_null()"]),  # noqa: E711
        (lambda: dp.lit(Fraction(1, 2)), ["int, a float, a bool or text"]),
        (lambda: dp.lit(2**63), ["2^63 - 1"]),
        (lambda: dp.lit("\ud800"), ["half a character"]),
        (lambda: dp.lit([1]), ["value=<sequence>"]),
        (lambda: N.clip(0.0, 1.0), ["bounds of int", "0 and 10"]),
        (lambda: X.clip(0, 1), ["bounds of float", "0.0 and 10.0"]),
        (lambda: N.clip(3, 2), ["lower", "above"]),
        (lambda: N.clip(0, 2**52 + 1), ["2^52", "narrower"]),
        (lambda: X.clip(0.0, math.inf), ["finite"]),
        (lambda: T.fill_null("a").clip(0, 1), ["no number"]),
        (lambda: dp.col("b").cut([1]), ["no number"]),
        (lambda: N + 1, ["finite bounds", "Clip"]),
        (lambda: dp.col("far") * 2.0, ["finite bounds", "Clip"]),
        (lambda: SMALL + 1.0, ["int and float", "1.0 with floats"]),
        (lambda: SMALL + True, ["int and bool"]),
        (lambda: dp.col("b") + True, ["bool is no number"]),
        (lambda: T.fill_null("a") + "b", ["str is no number"]),
        (lambda: N.clip(0, 2**52) + 1, ["2^52"]),
        (lambda: N.clip(0, 2**27) * N.clip(0, 2**27), ["2^52"]),
        (lambda: dp.col("i64") - dp.col("i64"), ["2^52"]),
        (lambda: X.clip(0.0, 1e300) * 1e10, ["too large for a float"]),
        (lambda: X.clip(-1.5e308, 1.5e308) + 1.5e308, ["too large"]),
        (lambda: SMALL == 1.0, ["int and float"]),
        (lambda: T.fill_null("a") < "b", ["== and != only"]),
        (lambda: dp.col("b") >= True, ["== and != only"]),
        (lambda: (SMALL > 1) & SMALL, ["col('small') is no bool", "x >= 18"]),
        (lambda: ~SMALL, ["no bool"]),
        (lambda: SMALL | (SMALL > 1), ["no bool"]),
        (lambda: N.is_in([]), ["1 to 64", "Join a public table"]),
        (lambda: N.is_in(range(65)), ["values=<range>", "list"]),
        (lambda: N.is_in(list(range(65))), ["1 to 64"]),
        (lambda: N.is_in(["a"]), ["values of int"]),
        (lambda: N.is_in([True]), ["values of int"]),
        (lambda: X.is_in([0.5]), ["ints and text", "=="]),
        (lambda: N.is_in([None]), ["None"]),
        (lambda: N.cut([]), ["edges of int"]),
        (lambda: N.cut([1.0]), ["edges of int"]),
        (lambda: N.cut([1, 1]), ["must increase"]),
        (lambda: N.cut([2, 1]), ["must increase"]),
        (lambda: X.cut([0.0, math.inf]), ["finite"]),
        (lambda: N.cut(5), ["edges=5", "list"]),
    ],
)
def test_what_does_not_fit_is_refused(
    expr: Callable[[], Any], words: list[str]
) -> None:
    refused(expr, *words)


BINARY = ["/", "//", "%", "**", "@", "^", "<<", ">>"]
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "@": operator.matmul,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}
INSTEAD = {"/": "x * 0.5", "//": "cut(edges)", "%": "cut(edges)", "**": "x * x"}


@for_each("symbol", BINARY)
def test_other_operators_are_refused_with_what_serves(symbol: str) -> None:
    for call in (
        lambda: OPERATORS[symbol](SMALL, 2),
        lambda: OPERATORS[symbol](2, SMALL),
        lambda: OPERATORS[symbol](SMALL, UNIT),
    ):
        with pytest.raises(OpenDPTypeError) as error:
            call()
        assert INSTEAD.get(symbol, "& | ~") in str(error.value)


@for_each(
    ("call", "words"),
    [
        (lambda: bool(SMALL), ["&", "|", "~", "is_in"]),
        (lambda: 0 <= SMALL <= 3, ["(a <= x) & (x <= b)"]),
        (lambda: SMALL and UNIT, ["`and`"]),
        (lambda: not SMALL, ["`not`"]),
        (lambda: SMALL in [1, 2], ["is_in"]),
        (lambda: 1 in SMALL, ["is_in"]),
        (lambda: list(SMALL), ["dp.col(name)"]),
        (lambda: SMALL[0], ["dp.col(name)"]),
        (lambda: -SMALL, ["0 - x", "0.0 - x"]),
        (lambda: abs(SMALL), ["clip"]),
        (lambda: round(SMALL), ["cut(edges)"]),
        (lambda: divmod(SMALL, 2), ["division"]),
    ],
)
def test_what_python_may_ask_is_refused_kindly(call: Any, words: list[str]) -> None:
    with pytest.raises(OpenDPTypeError) as error:
        call()
    for word in words:
        assert word in str(error.value)


@for_each(
    ("name", "word"),
    [
        ("str", "is_in"),
        ("dt", "=="),
        ("cast", "table_domain"),
        ("astype", "table_domain"),
        ("over", "group_by"),
        ("map_elements", "total"),
        ("apply", "total"),
        ("fill_nan", "fill_null"),
        ("isna", "is_null"),
        ("is_between", "(a <= x) & (x <= b)"),
        ("isin", "is_in"),
        ("min", "quantiles"),
        ("std", "variance()"),
        ("when", "cut"),
        ("alias", "with_columns"),
        ("log", "cut(edges)"),
        ("len", "dp.count()"),
        ("nothing_like_it", "fill_null, is_null, clip, cut, is_in"),
    ],
)
def test_other_methods_are_refused_with_what_serves(name: str, word: str) -> None:
    with pytest.raises(AttributeError) as error:
        getattr(SMALL, name)
    assert name in str(error.value)
    assert word in str(error.value)
    assert not hasattr(SMALL, name)


def test_expressions_of_other_libraries_are_refused_by_name() -> None:
    import pandas as pd
    import polars as pl

    refused(lambda: SMALL + pl.col("x"), "Polars", "dp.col(name)")
    refused(lambda: SMALL + pd.Series([1, 2]), "pandas", "dp.col(name)")
    with pytest.raises(OpenDPTypeError, match="not one of Polars"):
        terms.expression_argument("predicate", pl.col("x") > 1)


def test_an_array_is_no_operand_and_is_not_shown() -> None:
    with pytest.raises(OpenDPException, match=r"<sequence>|<ndarray>") as error:
        np.array([8675309]) + SMALL
    assert "8675309" not in str(error.value)


def trees() -> list[Expr]:
    leaves: list[Any] = [SMALL, dp.lit(1), SMALL.fill_null(1), SMALL.clip(0, 1)]
    pairs = itertools.product(leaves, repeat=2)
    made = [op(a, b) for a, b in pairs for op in (operator.add, operator.sub)]
    made += [a == b for a, b in itertools.product(leaves, repeat=2)]
    made += [~each for each in made[-3:]] + [SMALL.cut([1]), SMALL.cut([1, 2])]
    made += [SMALL.is_in([1]), dp.lit(1.0), dp.lit("1"), dp.lit(True), dp.lit(-0.0)]
    made += [dp.lit(0.0), dp.col("col('a')"), dp.col("a").is_null()]
    made += [~dp.col("b").is_null(), (~dp.col("b")).is_null()]
    made += [True & each for each in made[-2:]]
    return [*leaves, *made, *(a * b for a, b in itertools.pairwise(made[:6]))]


def test_the_text_tells_expressions_apart_and_can_be_read() -> None:
    texts = [repr(tree) for tree in trees()]
    assert len(set(texts)) == len(texts)
    for tree in trees():
        again = eval(repr(tree), {"col": dp.col, "lit": dp.lit})
        assert repr(again) == repr(tree)
        assert type(again) is type(tree)


def test_expressions_pickle_copy_and_are_written_as_text() -> None:
    for tree in trees():
        for again in (
            pickle.loads(pickle.dumps(tree)),
            copy.deepcopy(tree),
            dp.deserialize(dp.serialize(tree)),
        ):
            assert repr(again) == repr(tree)
            assert hash(again) == hash(tree)


def test_records_compare_expressions_by_their_text() -> None:
    dp.enable_features("contrib")
    try:
        space = dp.table_domain(COLUMNS), dp.symmetric_distance()
        one, two = (dp.t.make_table_filter(*space, k < SMALL) for k in (1, 2))
        same = dp.t.make_table_filter(*space, dp.col("small") > 1)
        assert one == same
        assert hash(one) == hash(same)
        assert one != two
        partials = [dp.t.then_table_filter(k < SMALL) for k in (1, 2, 1)]
        assert partials[0] == partials[2]
        assert hash(partials[0]) == hash(partials[2])
        assert partials[0] != partials[1]
        new = {"d": SMALL.cut([1])}
        columns = dp.t.make_table_with_columns(*space, new)
        assert columns == dp.t.make_table_with_columns(*space, dict(new))
        assert columns != dp.t.make_table_with_columns(*space, {"d": SMALL.cut([2])})
    finally:
        dp.disable_features("contrib")


def test_records_tell_the_order_of_columns_and_where_a_not_stands() -> None:
    dp.enable_features("contrib")
    try:
        space = dp.table_domain(COLUMNS), dp.symmetric_distance()
        b = dp.col("b")
        inner, outer = b & ~b.is_null(), b & (~b).is_null()
        assert inner.python(ROW) != outer.python(ROW)
        filters = [dp.t.make_table_filter(*space, each) for each in (inner, outer)]
        assert filters[0] != filters[1]
        orders: list[dict[str, Expr]] = [{"p": b, "q": b}, {"q": b, "p": b}]
        one, two = (dp.t.make_table_with_columns(*space, each) for each in orders)
        assert one.output_domain != two.output_domain
        assert one != two
        partial = dp.t.then_table_with_columns
        assert partial(orders[0]) != partial(orders[1])
        assert partial(orders[0]) == partial(dict(orders[0]))
        derived = [OrderedDict({"p": each}) for each in (b, ~b, b)]
        assert partial(derived[0]) != partial(derived[1])
        assert partial(derived[0]) == partial(derived[2])
    finally:
        dp.disable_features("contrib")


def test_a_not_that_was_made_by_hand_has_one_operand() -> None:
    """What stands on its right is no part of it: neither told, nor looked at."""
    made = Logic("~", dp.lit(True), dp.col("b"))
    assert repr(made.parts) == "(lit(True),)"
    assert made.constant
    assert repr(made) == repr(~dp.lit(True))
    assert Logic("~", dp.col("b"), dp.col("n")).domain(COLUMNS) == BOOL


def test_integers_beyond_all_doubles_are_refused_as_bounds() -> None:
    wide = COLUMNS | {"wide": dp.atom_domain(bounds=(-(10**400), 10**400), T=int)}
    for expr in (dp.col("wide") + 1, 2 * dp.col("wide"), dp.col("wide") - SMALL):
        with pytest.raises(OpenDPException, match=r"2\^52"):
            expr.domain(wide)
    assert dp.col("wide").clip(0, 1).domain(wide) == AtomDomain((0, 1))


@for_each(
    "value",
    [
        np.datetime64("2020-01-01", "ns"),
        np.datetime64("2020-01-01"),
        np.timedelta64(5, "ns"),
        np.longdouble(1),
        np.complex64(1),
        np.bytes_(b"a"),
    ],
    ids=repr,
)
def test_dates_and_others_of_numpy_are_no_numbers(value: Any) -> None:
    """As integers they would count nanoseconds, where columns count days."""
    refused(lambda: dp.lit(value), "an int, a float, a bool or text")


def test_scalars_of_numpy_are_the_values_that_they_are() -> None:
    for value, plain in (
        (np.float32(0.1), float(np.float32(0.1))),
        (np.float16(-0.0), -0.0),
        (np.float64(0.1), 0.1),
        (np.uint8(7), 7),
        (np.bool_(True), True),
        (np.str_("a"), "a"),
    ):
        assert repr(dp.lit(value)) == f"lit({plain!r})"


def test_an_expression_that_is_too_large_is_refused_at_once() -> None:
    expr: Expr = UNIT
    with pytest.raises(OpenDPException, match="with_columns"):
        for _ in range(200):
            expr = expr * expr
    expr = UNIT
    with pytest.raises(OpenDPException, match="with_columns"):
        for _ in range(200):
            expr = ~expr
    with pytest.raises(OpenDPException, match="with_columns"):
        UNIT.cut([k / 2**20 for k in range(10**5)])


class Lying(Column):
    """A column of a user's own class, which may return anything."""

    def python(self, row: Any) -> Any:
        return object()


def test_a_class_of_ones_own_needs_a_feature() -> None:
    dp.enable_features("contrib")
    try:
        space = dp.table_domain(COLUMNS), dp.symmetric_distance()
        for predicate in (Lying("b"), Lying("small") > 1, ~(Lying("small") == 1)):
            with pytest.raises(OpenDPException, match="honest-but-curious"):
                dp.t.make_table_filter(*space, predicate)
    finally:
        dp.disable_features("contrib")


def test_present_asks_for_a_fill() -> None:
    assert present("x", dp.atom_domain(bounds=(0.0, 1.0))).bounds == (0.0, 1.0)
    for domain in (dp.option_domain(INT), FLOAT):
        assert may_be_missing(domain)
        with pytest.raises(OpenDPException, match=r"\.fill_null"):
            present("x", domain)


# Bounds: every value of small operands is within what is said, and the bounds are met.


def outcomes(expr: Expr, columns: dict[str, Any]) -> list[Any]:
    domains = {name: AtomDomain((min(v), max(v))) for name, v in columns.items()}
    said = expr.domain(domains)
    rows = itertools.product(*columns.values())
    values = [expr.python(dict(zip(columns, row, strict=True))) for row in rows]
    assert all(said.member(value) for value in values), (said, values)
    return [atom_of(said).bounds, values]


@for_each("op", [operator.add, operator.sub, operator.mul])
@for_each(
    "ends",
    [
        (range(-2, 3), range(-1, 4)),
        (range(2, 4), range(-3, 0)),
        ([0.1, 0.2, 0.7], [-0.3, 1e-320, 3e200]),
        ([-1e308, 0.0, 5e-324], [-0.5, 0.5]),
    ],
)
def test_the_bounds_of_arithmetic_hold_and_are_met(op: Any, ends: Any) -> None:
    columns = dict(zip("ab", map(list, ends), strict=True))
    bounds, values = outcomes(op(dp.col("a"), dp.col("b")), columns)
    assert (min(values), max(values)) == bounds


def test_bounds_one_too_narrow_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Arithmetic.domain

    def narrow(self: Arithmetic, columns: Any) -> Any:
        low, high = atom_of(true(self, columns)).bounds or (0, 0)
        return AtomDomain((low, high - 1))

    monkeypatch.setattr(Arithmetic, "domain", narrow)
    with pytest.raises(AssertionError):
        outcomes(dp.col("a") * dp.col("b"), {"a": [-1, 2], "b": [-3, 1]})


def test_a_limit_one_too_large_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    refused(lambda: N.clip(0, 2**52) + 1, "2^52")
    monkeypatch.setattr(expressions, "_LARGEST", 2**52 + 1)
    (N.clip(0, 2**52) + 1).domain(COLUMNS)


def test_sums_at_the_limit_are_doubles() -> None:
    expr = N.clip(-(2**51), 2**51) + N.clip(-(2**51), 2**51)
    assert expr.domain(COLUMNS) == AtomDomain((-(2**52), 2**52))
    assert float(expr.python({"n": 2**60})) == 2**52
