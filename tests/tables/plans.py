"""Random rows and plans, with what is nasty in either."""

from __future__ import annotations

import random
from typing import Any

import opendp_lite.prelude as dp
from opendp_lite.tables.cells import Plan
from opendp_lite.tables.expressions import col
from opendp_lite.tables.planning import make_plan

__all__ = ["COLUMNS", "random_plan", "random_row"]

WHOLE = dp.atom_domain(T="i64")
COLUMNS = {
    "id": dp.option_domain(WHOLE),
    "name": dp.option_domain(dp.atom_domain(T=str)),
    "g": dp.atom_domain(T=str),
    "h": WHOLE,
    "b": dp.atom_domain(T=bool),
    "x": dp.option_domain(dp.atom_domain(T=float)),
    "a": dp.option_domain(WHOLE),
}
SUMS = {
    "x": col("x").fill_null(0.0).clip(-3.3, 7.7),
    "w": col("x").fill_null(0.0).clip(-2.0, 7.5),
    "a": col("a").fill_null(1).clip(-(2**49), 2**49),
    "p": col("a").fill_null(1).clip(2, 5),
}


def random_row(rng: random.Random) -> dict[str, Any]:
    return {
        "id": rng.choice([None, rng.randrange(-3, 4), -(2**63), 2**63 - 1]),
        "name": rng.choice([None, "", "é", "u1", "u2", "😀"]),
        "g": rng.choice(["a", "A", "a ", "é", ""]),
        "h": rng.randrange(-1, 2),
        "b": rng.random() < 0.5,
        "x": rng.choice([None, 0.5, 1.5, -0.5, rng.uniform(-9, 9), 1e300]),
        "a": rng.choice([None, 2**62, -(2**62), rng.randrange(-200, 200)]),
    }


def random_plan(rng: random.Random, rows: list[dict[str, Any]]) -> Plan:
    by = tuple(rng.sample(["g", "h", "b"], rng.randrange(0, 4)))
    met = sorted({tuple(row[name] for name in by) for row in rows})
    keys = tuple(rng.sample(met, (len(met) + 1) // 2)) or None
    unit = rng.choice([None, "id", "name"])
    others = [name for name in ("g", "h", "b") if name not in by]
    distinct = rng.choice([None, None, *others])
    bounds = {"groups": rng.randrange(1, 4)} if unit else {}
    if unit and not distinct:
        bounds["rows"] = rng.randrange(1, 3)
    return make_plan(
        (COLUMNS, unit),
        by,
        rng.choice([None, keys]),
        sums=None if distinct else SUMS,
        k=None if distinct else {"x": rng.choice([None, 0, -1, -30])},
        salt=rng.randrange(-(10**12), 10**12),
        distinct=distinct,
        **bounds,
    )
