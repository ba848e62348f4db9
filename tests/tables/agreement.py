"""Whether an engine says of a table what Python says: shown by comparing all of it."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import opendp_lite.prelude as dp
from opendp_lite.tables.cells import Plan
from opendp_lite.tables.engines.door import enter
from opendp_lite.tables.engines.engine import Table
from opendp_lite.tables.expressions import Expr
from opendp_lite.tables.steps import as_steps
from tests.tables.samples import (
    COLUMNS,
    columns_of,
    random_number,
    random_predicate,
    random_rows,
)

PUBLIC: dict[str, list[Any]] = {
    "g": ["a", "A", "\u00e9", "", "absent"],
    "weight": [0.1, None, float("inf"), -0.0, 5e-324],
    "word": ["A", "a", None, "\U0001f600", ""],
}
BROUGHT = {
    "weight": dp.option_domain(dp.atom_domain(T=float)),
    "word": dp.option_domain(dp.atom_domain(T=str)),
}


def random_expressions(rng: random.Random) -> dict[str, Expr]:
    made = {f"e{i}": random_number(rng, rng.choice([int, float]), 2) for i in range(4)}
    made |= {f"p{i}": random_predicate(rng, 2) for i in range(4)}
    return made | {"a": dp.col("a").fill_null(3), "kept": dp.col("s")}


def widened(table: Table, new: dict[str, Expr]) -> Table:
    columns = dict(table.columns)
    found = columns | {name: each.domain(columns) for name, each in new.items()}
    frame = table.engine.with_columns(table, new)
    return Table(table.engine, frame, tuple(found.items()))


def filtered(table: Table, predicate: Expr) -> Table:
    return Table(table.engine, table.engine.filter(table, predicate), table.columns)


def joined(table: Table, how: str) -> Table:
    frame = table.engine.join_public(table, ["g"], PUBLIC, how)
    return Table(table.engine, frame, (*table.columns, *BROUGHT.items()))


def in_order(table: Table) -> list[dict[str, Any]]:
    return sorted(table.rows(), key=lambda row: int(row["row"]))


def row_disagreements(rows: list[Any], frame: Any) -> list[str]:
    """As `disagreements`, of the rows as they are."""
    ours, theirs = enter(columns_of(rows), COLUMNS), enter(frame, COLUMNS)
    return ["rows"] if in_order(ours) != in_order(theirs) else []


def disagreements(rng: random.Random, rows: list[Any], frame: Any) -> list[str]:
    """Return what an engine and Python disagree about: nothing, or the first thing.

    :param rows: rows of `samples`
    :param frame: the same rows, as a frame of some kind
    """
    if found := row_disagreements(rows, frame):
        return found
    ours, theirs = enter(columns_of(rows), COLUMNS), enter(frame, COLUMNS)
    new = random_expressions(rng)
    ours, theirs = widened(ours, new), widened(theirs, new)
    for mine, other in zip(in_order(ours), in_order(theirs), strict=True):
        for name in mine:
            if mine[name] != other[name] or type(mine[name]) is not type(other[name]):
                return [f"{new.get(name, name)!r}: {mine[name]!r}, not {other[name]!r}"]
    predicate = dp.col("p0")
    ours, theirs = filtered(ours, predicate), filtered(theirs, predicate)
    if in_order(ours) != in_order(theirs):
        return ["filter"]
    for how in ("left", "inner"):
        if in_order(joined(ours, how)) != in_order(joined(theirs, how)):
            return [f"{how} join"]
    return []


def random_plan(rng: random.Random, columns: Any) -> Plan:
    """Return a random group-by; steps are coarse sometimes, so that there are ties."""
    sums = []
    for i in range(2):
        T = rng.choice([int, float])
        k = rng.choice([None, 0, -1, 3]) if T is float else None
        value = random_number(rng, T, 1)
        sums.append(as_steps(f"s{i}", value, columns, k))
    by = tuple(rng.sample(["g", "h", "b"], rng.randrange(0, 3)))
    values: dict[str, list[Any]] = {
        "g": ["a", "A", "\u00e9", "absent"],
        "h": [0, 1, -5],
        "b": [True, False],
    }
    every = list(product(*(values[name] for name in by)))
    keys = tuple(rng.sample(every, rng.randrange(1, len(every) + 1)))
    distinct = rng.choice([None, None, "text"])
    return Plan(
        columns,
        by,
        () if distinct else tuple(sums),
        rng.choice([None, "id", "name"]),
        rng.randrange(1, 4),
        rng.randrange(1, 3),
        rng.randrange(10**6),
        keys if by and rng.random() < 0.5 else None,
        distinct,
    )


def plan_disagreements(
    rng: random.Random, rows: list[Any], frame: Any, plans: int = 3
) -> list[str]:
    """As `disagreements`, of the totals of random group-bys."""
    new = {
        "h": dp.col("G").fill_null(-5),
        "b": dp.col("b").fill_null(False),
        "text": dp.col("s").fill_null("?"),
    }
    ours = widened(enter(columns_of(rows), COLUMNS), new)
    theirs = widened(enter(frame, COLUMNS), new)
    for _ in range(plans):
        plan = random_plan(rng, dict(ours.columns))
        mine = ours.engine.totals(ours, plan)
        other = theirs.engine.totals(theirs, plan)
        if mine != other:
            return [f"{plan!r}: {mine!r}, not {other!r}"]
    return []


def random_table(seed: int, size: int = 40) -> tuple[random.Random, list[Any]]:
    rng = random.Random(seed)
    return rng, random_rows(rng, size)
