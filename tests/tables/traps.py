"""The ways in which engines part, each as a small table, and what must be said of it.

A trap is a case in which legal code of Narwhals means different things on different
engines. What the library tells engines must not: `check` asks it of a frame.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pyarrow as pa
import pyarrow.parquet as pq

import opendp_lite.prelude as dp
from opendp_lite.tables.cells import Plan
from opendp_lite.tables.engines.door import enter
from opendp_lite.tables.engines.engine import Table
from opendp_lite.tables.expressions import Expr
from opendp_lite.tables.steps import as_steps

INT = dp.option_domain(dp.atom_domain(T=int))
FLOAT = dp.option_domain(dp.atom_domain(T=float))
BOOL = dp.option_domain(dp.atom_domain(T=bool))
TEXT = dp.option_domain(dp.atom_domain(T=str))
x = dp.col("x")


@attrs.frozen
class Trap:
    """A column as it is stored, and what an expression is of it, row by row."""

    name: str
    stored: Any
    domain: Any
    expr: Expr
    expected: list[Any]


def table_of(trap: Trap) -> Any:
    return pa.table({"row": pa.array(range(len(trap.stored))), "x": trap.stored})


def said(frame: Any, domain: Any, expr: Expr) -> list[Any]:
    """Return what the engine of a frame says of an expression, in the order of rows."""
    columns = {"row": dp.atom_domain(T=int), "x": domain}
    table = enter(frame, columns)
    made = Table(
        table.engine,
        table.engine.with_columns(table, {"y": expr}),
        (*table.columns, ("y", expr.domain(columns))),
    )
    rows = sorted(made.rows(), key=lambda row: int(row["row"]))
    return [row["y"] for row in rows]


def totals(frame: Any, columns: Any, plan: Callable[[Any], Plan]) -> dict[Any, Any]:
    table = enter(frame, columns)
    return table.engine.totals(table, plan(columns))


def summed(expr: Expr, k: int | None = None) -> Callable[[Any], Plan]:
    return lambda columns: Plan(columns, (), (as_steps("s", expr, columns, k),))


def lying(path: Path, kind: Any) -> None:
    """Write 1, 2 and 300 into a file that tells that 2 is the greatest."""
    plain: Any = {"use_dictionary": False, "compression": "none"}
    column = pa.array([1, 2, 300], kind)
    table = pa.table({"row": pa.array([0, 1, 2], pa.int64()), "x": column})
    pq.write_table(table, path, **plain)
    told = bytearray(path.read_bytes())
    footer = len(told) - 8 - int.from_bytes(told[-8:-4], "little")
    size = kind.bit_width // 8
    old, new = ((300).to_bytes(size, "little"), (2).to_bytes(size, "little"))
    assert old in told[footer:]
    told[footer:] = told[footer:].replace(old, new)
    path.write_bytes(told)
    bounds = pq.read_metadata(path).row_group(0).column(1).statistics
    assert bounds.max_raw == 2


nan, inf = math.nan, math.inf
REAL = pa.array([1.5, nan, None, -0.0, inf], pa.float64())
BIG = pa.array([2**63 - 1, -(2**63), 2**53 + 1, None])
TRAPS = [
    Trap("NaN > 1", REAL, FLOAT, x.fill_null(0.0) > dp.lit(1.0), [1, 0, 0, 0, 1]),
    Trap("not", REAL, FLOAT, ~(x.fill_null(0.0) > dp.lit(1.0)), [0, 1, 1, 1, 0]),
    Trap("is_null of NaN", REAL, FLOAT, x.is_null(), [0, 1, 1, 0, 0]),
    Trap(
        "clip of NaN",
        REAL,
        FLOAT,
        x.fill_null(-0.25).clip(-1.0, 2.0),
        [1.5, -0.25, -0.25, 0.0, 2.0],
    ),
    Trap("groups of 0.0", REAL, FLOAT, x.fill_null(9.0).cut((0.0,)), [1] * 5),
    Trap("cut of NaN", REAL, FLOAT, x.fill_null(-1.0).cut((0.0, 2.0)), [1, 0, 0, 1, 2]),
    Trap(
        "int8 127 + 1",
        pa.array([127, None], pa.int8()),
        INT,
        x.fill_null(0).clip(-200, 200) + dp.lit(1),
        [128, 1],
    ),
    Trap(
        "int8 127 + 127",
        pa.array([127, -128], pa.int8()),
        dp.atom_domain(T=int, bounds=(-128, 127)),
        x + x,
        [254, -256],
    ),
    Trap(
        "uint8 0 - 1",
        pa.array([0, 255], pa.uint8()),
        INT,
        x.fill_null(0).clip(0, 300) - dp.lit(1),
        [-1, 254],
    ),
    Trap(
        "float32 3e38 * 2",
        pa.array([2.0**127], pa.float32()),
        FLOAT,
        x.fill_null(0.0).clip(-1e39, 1e39) * dp.lit(2.0),
        [2.0**128],
    ),
    Trap(
        "64 bits",
        BIG,
        INT,
        x.fill_null(7).clip(-(2**52), 2**52),
        [2**52, -(2**52), 2**52, 7],
    ),
    Trap(
        "equal beyond 2^53",
        pa.array([2**53 + 1, 2**53]),
        INT,
        x.fill_null(0) == dp.lit(2**53),
        [0, 1],
    ),
    Trap(
        "not of null",
        pa.array([True, None, False]),
        BOOL,
        ~(x.fill_null(False) == dp.lit(True)),
        [0, 1, 1],
    ),
    Trap(
        "text by bytes",
        pa.array(["a", "A", "a ", "\u00e9", "e\u0301", None]),
        TEXT,
        x.fill_null("?").is_in(["a", "\u00e9"]),
        [1, 0, 0, 1, 0, 0],
    ),
    Trap(
        "days",
        pa.array([datetime.date(1969, 12, 31), datetime.date(2024, 2, 29), None]),
        INT,
        x.fill_null(0),
        [-1, 19782, 0],
    ),
]
