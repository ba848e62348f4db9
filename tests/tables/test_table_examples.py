"""The examples about tables: they run, and what they print is so.

That of Spark is in test_spark.py, with all that needs its session.
"""

from __future__ import annotations

import logging
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

import opendp_lite.prelude as dp
from opendp_lite.testing import state_flakiness

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def _drafts() -> Iterator[None]:
    root = logging.getLogger()
    before = root.level
    dp.enable_features("contrib")
    yield
    dp.disable_features("contrib")
    root.setLevel(before)


def ran(name: str, monkeypatch: Any, capsys: Any, *given: str) -> str:
    """What an example prints."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setattr(sys, "argv", [name, *given])
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    return str(capsys.readouterr().out)


def test_the_visits_are_the_same_each_time(
    tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    paths = [str(tmp_path / name) for name in ("a.parquet", "b.parquet")]
    for path in paths:
        assert "synthetic" in ran("visits.py", monkeypatch, capsys, path, "500")
    first, second = map(pyarrow.parquet.read_table, paths)
    assert first.equals(second)
    assert first.num_rows == 500


def test_duckdb_answers_from_a_file(monkeypatch: Any, capsys: Any) -> None:
    text = ran("tables_duckdb.py", monkeypatch, capsys)
    assert "people   people           Integer Laplace  0.25  2            8" in text
    assert "keys are released from" in text
    assert "['Aarau', 'Bern', 'Chur', 'Davos', 'Engelberg', '?']" in text
    assert "shares left: []" in text
    state_flakiness("1e-12")  # 'item 1' has some 2,000 people, and noise has scale 9
    assert "'item 1'" in text


def test_both_contexts_side_by_side(monkeypatch: Any, capsys: Any) -> None:
    text = ran("opendp_tables.py", monkeypatch, capsys)
    assert text.count("    ours    [{") == text.count("    OpenDP  ") == 6
    assert "a sum: noise of scale [180.0]" in text
    assert "shares left of ours: []" in text
