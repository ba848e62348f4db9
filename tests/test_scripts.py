"""Every example runs as a script, with warnings as errors, and says something.

Here they share a process; `make audit` gives each of them its own. Those that other
tests run, and of which they look at more, are named with the file that does.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.test_repository import ROOT

FOLDER = ROOT / "examples"
ELSEWHERE = {
    "adaptive_session.py": "context/test_examples.py",
    "demo.py": "context/test_examples.py",
    "one_budget.py": "context/test_examples.py",
    "opendp_context.py": "context/test_examples.py",
    "opendp_tables.py": "tables/test_table_examples.py",
    "tables_duckdb.py": "tables/test_table_examples.py",
    "tables_spark.py": "tables/engines/test_spark.py",
    "test_private_mean.py": "testing/test_plugin.py",
}
HERE = sorted({path.name for path in FOLDER.glob("*.py")} - set(ELSEWHERE))


def test_the_others_are_run_where_it_is_said() -> None:
    for name, file in ELSEWHERE.items():
        assert (FOLDER / name).is_file()
        assert f'"{name}"' in (ROOT / "tests" / file).read_text(encoding="utf-8")


def unchanged(path: Path, text: str, **_: Any) -> None:
    """Compare what an example writes about the repository; nothing is written."""
    assert path.read_text(encoding="utf-8") == text, path.name


@pytest.mark.parametrize("name", HERE)
def test_it_runs(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.setattr(sys, "argv", [name])
    monkeypatch.setattr(Path, "write_text", unchanged)
    runpy.run_path(str(FOLDER / name), run_name="__main__")
    assert capsys.readouterr().out
