"""What engines are told of expressions: the same function, by comparisons and CASE.

The wide agreement, on random tables and all inputs, is in `test_agreement`; here each
node is tried on every nasty value, on two engines, and its form is looked at.
"""

from __future__ import annotations

import math
from typing import Any

import polars as pl
import pytest

import opendp_lite.prelude as dp
from opendp_lite.tables import translate
from opendp_lite.tables.engines.door import enter
from opendp_lite.tables.engines.engine import Table
from opendp_lite.tables.expressions import Expr, Literal
from tests.tables.samples import FLOATS, INTS

ROWS = [
    {"x": x, "n": n, "k": k}
    for k, (x, n) in enumerate((x, n) for x in FLOATS for n in INTS)
]
COLUMNS = {
    "x": dp.option_domain(dp.atom_domain(T=float)),
    "n": dp.option_domain(dp.atom_domain(T=int)),
    "k": dp.atom_domain(T=int),
}
X, N = dp.col("x"), dp.col("n")
NODES = {
    "fill": X.fill_null(-0.0),
    "int fill": N.fill_null(5),
    "gone": X.is_null(),
    "int gone": N.is_null(),
    "fused": X.fill_null(7.5).clip(-1.0, 2.0),
    "fused low": X.fill_null(-9.0).clip(-0.0, 2.0),
    "fused between": X.fill_null(0.25).clip(-1.0, 1e308),
    "int fused": N.fill_null(-3).clip(-7, 120),
    "int fused far": N.fill_null(2**60).clip(-(2**52), 2**52),
    "clip": X.fill_null(0.5).clip(-1.0, 9.0).clip(0.0, 2.0),
    "int clip": (N.fill_null(1).clip(-9, 9) + 1).clip(0, 3),
    "cut": X.fill_null(0.0).cut([-1e308, -0.5, 0.0, 5e-324, 0.1, 2.5, 1e300]),
    "int cut": N.fill_null(0).cut([-(2**31), 0, 1, 7, 2**53 + 1, 2**63 - 1]),
    "one cut": N.fill_null(0).cut([1]),
    "in": N.fill_null(-1).is_in([0, 7, 2**63 - 1, 7]),
    "many": N.fill_null(-1).is_in(list(range(2, 66))),
    "arithmetic": X.fill_null(0.1).clip(-3.0, 3.0) * 0.1 - 0.3,
    "compare": X.fill_null(0.0) == 0.0,
    "logic": ~(X.is_null() | (N.fill_null(0) > 0)) & (N.fill_null(0) != 7),
    "wide": N.fill_null(0) >= 2**53 + 1,
    "constant": dp.lit(3).clip(0, 2) * 2 - 1,
    "constants": (dp.lit(1).fill_null(2) + dp.lit(1)) * N.fill_null(0).clip(0, 9),
    "true": dp.lit("a").is_in(["a"]) & ~dp.lit(1.5).is_null() & X.is_null(),
    "constant cut": N.fill_null(0) >= dp.lit(5).cut([1, 2, 9]),
}


def data(engine: str) -> Any:
    columns = {name: [row[name] for row in ROWS] for name in COLUMNS}
    if engine == "Python":
        return columns
    frame = pl.DataFrame(
        columns, schema={"x": pl.Float64, "n": pl.Int64, "k": pl.Int64}
    )
    return frame if engine == "Polars" else frame.to_arrow()


def values(engine: str, new: dict[str, Expr]) -> list[dict[str, Any]]:
    table = enter(data(engine), COLUMNS)
    domains = COLUMNS | {name: each.domain(COLUMNS) for name, each in new.items()}
    frame = table.engine.with_columns(table, new)
    made = Table(table.engine, frame, tuple(domains.items()))
    return sorted(made.rows(), key=lambda row: int(row["k"]))


def shown(rows: list[dict[str, Any]]) -> list[str]:
    """Rows as text, which tells types, signs of zeros, and all bits of floats."""
    return [repr(list(row.items())) for row in rows]


@pytest.mark.parametrize("engine", ["Polars", "DuckDB"])
def test_every_node_means_the_same(engine: str) -> None:
    assert shown(values(engine, NODES)) == shown(values("Python", NODES))


def depth(name: str) -> int:
    """How deep CASE nests in what Polars is told."""
    import narwhals.stable.v2 as nw

    frame = nw.from_native(pl.LazyFrame({"c0": [1.0], "c1": [1], "c2": [1]}))
    names = {"x": "c0", "n": "c1", "k": "c2"}
    expr = translate.translated(NODES[name], COLUMNS, names).alias("e")
    native = frame.select(expr).to_native()
    text = str(native.explain(optimized=False))
    deepest = now = 0
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        now += (word == "(") - (word == ")")
        deepest = max(deepest, now)
    return deepest


def test_long_lists_do_not_nest_deeply() -> None:
    assert depth("many") <= 20
    assert depth("int cut") <= 20


def test_many_edges_are_a_balanced_tree() -> None:
    edges = [float(k) for k in range(150)]
    new: dict[str, Expr] = {"e": X.fill_null(-1.0).clip(-5.0, 5000.0).cut(edges)}
    assert shown(values("DuckDB", new)) == shown(values("Python", new))


def test_the_operand_of_a_cut_is_told_once() -> None:
    edges = [float(k) for k in range(150)]
    clipped = X.fill_null(-1.0).clip(-5.0, 5000.0)
    table = enter(data("Polars"), COLUMNS)
    frame = table.engine.with_columns(table, {"e": (clipped * clipped).cut(edges)})
    told = str(frame.to_native().explain(optimized=False))
    once = table.engine.with_columns(table, {"e": clipped * clipped})
    few = str(once.to_native().explain(optimized=False)).count('col("c0")')
    assert 0 < told.count('col("c0")') <= few


MUTANTS: dict[str, Any] = {
    "fill without NaN": ("_is_there", lambda expr, columns, x: ~x.is_null()),
    "clip that takes NaN for large": (
        "_clipped",
        lambda x, low, high, fill: translate._if(
            x > translate._literal(high), translate._literal(high), x
        ),
    ),
    "an edge that is not in its interval": (
        "_tree",
        lambda x, edges, low, high: translate._if(
            x > translate._literal(edges[0]),
            translate._literal(1),
            translate._literal(0),
        ),
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_planted_fault_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, what = MUTANTS[name]
    monkeypatch.setattr(translate, where, what)
    assert shown(values("Polars", NODES)) != shown(values("Python", NODES))


def test_a_literal_has_the_dtype_of_its_type() -> None:
    new: dict[str, Expr] = {
        f"e{i}": Literal(value) for i, value in enumerate([1, 1.0, True, "1"])
    }
    for engine in ("Polars", "DuckDB"):
        row = values(engine, new)[0]
        assert [type(row[name]) for name in new] == [int, float, bool, str]
    assert math.copysign(1, values("DuckDB", {"e": dp.lit(-0.0)})[0]["e"]) == -1
