"""Random tables and expressions mean the same on every engine: what Python says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.tables.agreement import (
    disagreements,
    plan_disagreements,
    random_table,
    row_disagreements,
)
from tests.tables.samples import COLUMNS, INPUTS, arrow

pytestmark = pytest.mark.usefixtures("tried_once")
SIZES = (0, 1, 40)


ENGINES = ("DuckDB", "Polars")


@pytest.mark.parametrize("kind", ENGINES)
def test_engines_say_what_python_says(kind: str, tmp_path: Path) -> None:
    for seed in range(3):
        rng, rows = random_table(seed, SIZES[seed])
        frame = INPUTS[kind](arrow(rows), tmp_path)
        assert disagreements(rng, rows, frame) == []
        plans = 3 if len(rows) > 1 else 1
        assert plan_disagreements(rng, rows, frame, plans) == []


# Of these an engine knows more than of the others: what files tell, and categories.
ASKED_ALL = ("Parquet, several", "Polars, categories")


@pytest.mark.parametrize("kind", [each for each in INPUTS if each not in ENGINES])
def test_other_frames_are_tables_of_these_engines(kind: str, tmp_path: Path) -> None:
    """Of every size they have their rows; the rest is asked of two kinds with rows.

    They differ in how they come in. From then on they are the engines' own, and all is
    asked of all kinds in the audit.
    """
    for seed in range(3):
        rng, rows = random_table(seed, SIZES[seed])
        frame = INPUTS[kind](arrow(rows), tmp_path)
        assert row_disagreements(rows, frame) == []
    if kind in ASKED_ALL:
        assert disagreements(rng, rows, frame) == []
        assert plan_disagreements(rng, rows, frame, 1) == []


@pytest.mark.audit
@pytest.mark.parametrize("kind", INPUTS)
@pytest.mark.parametrize("seed", range(43))
def test_many_tables(kind: str, seed: int, tmp_path: Path) -> None:
    rng, rows = random_table(seed, SIZES[seed] if seed < 3 else 80)
    frame = INPUTS[kind](arrow(rows), tmp_path)
    assert disagreements(rng, rows, frame) == []
    assert plan_disagreements(rng, rows, frame) == []


def test_a_row_that_differs_is_seen(tmp_path: Path) -> None:
    for name, wrong in {"a": 5, "x": 0.25, "s": "b", "b": None}.items():
        rng, rows = random_table(1)
        others = [dict(row) for row in rows]
        others[7][name] = wrong if rows[7][name] != wrong else True
        frame: Any = INPUTS["Polars"](arrow(others), tmp_path)
        assert list(frame.columns) == list(COLUMNS)
        assert disagreements(rng, rows, frame) == ["rows"]
