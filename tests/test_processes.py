"""What is not told by processes of pytest-xdist is missed by nobody."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tests.processes import _send

ROOT = Path(__file__).resolve().parent.parent

TESTS = """
import os, warnings
import pytest

@pytest.fixture
def broken():
    raise ValueError("at the beginning")

@pytest.fixture
def late():
    yield
    raise ValueError("at the end")

@pytest.fixture
def absent():
    pytest.skip("not today")

@pytest.mark.parametrize("row", range(5))
def test_passes(row):
    pass

def test_fails():
    print("what it printed")
    assert 2 + 2 == 5

def test_begins_in_vain(broken):
    pass

def test_ends_badly(late):
    pass

def test_is_left_out(absent):
    pass

def test_warns():
    warnings.warn("beware")

def test_dies():
    os._exit(1)
"""


def said(folder: Path, *plugins: str) -> tuple[int, str, list[str]]:
    """The exit code of a run in two processes, what it shows, and its summary."""
    (folder / "test_example.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-ra", "-n2", "-p", "no:cacheprovider"]
    variables = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    variables["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    run = subprocess.run(
        [*command, *(f"-p{each}" for each in ["xdist", "xdist.looponfail", *plugins])],
        cwd=folder,
        env={**variables, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    *_, summary = run.stdout.partition("short test summary info")
    # How long it took, and which of the processes ran what, is by chance.
    lines = re.sub(r" in [\d.]+s|'gw\d+'", "", summary).splitlines()
    return run.returncode, run.stdout, sorted(lines)


def test_what_matters_is_told(tmp_path: Path) -> None:
    code, shown, _ = said(tmp_path, "tests.processes")
    assert code == 1
    assert "2 failed, 7 passed, 1 skipped, 1 warning, 2 errors" in shown
    for each in ("at the beginning", "at the end", "not today", "what it printed"):
        assert each in shown


@pytest.mark.audit
def test_the_report_is_the_same(tmp_path: Path) -> None:
    code, _, summary = said(tmp_path)
    assert (code, summary) == said(tmp_path, "tests.processes")[::2]


Event: TypeAlias = tuple[str, dict[str, Any]]
EVENTS: list[Event] = [
    ("logstart", {}),
    ("logfinish", {}),
    ("workerfinished", {"x": 1}),
]


def reports() -> Iterator[Event]:
    for when in ("setup", "call", "teardown"):
        for outcome in ("passed", "failed", "skipped"):
            yield "testreport", {"data": {"when": when, "outcome": outcome}}


def test_only_what_goes_on_is_not_told() -> None:
    told: list[object] = []
    every = [*EVENTS, *reports()]
    for event, details in every:
        _send(lambda *event, **kwargs: told.append((*event, kwargs)), event, **details)
    left_out = [each for each in every if each not in told]
    assert left_out == [
        *EVENTS[:2],
        ("testreport", {"data": {"when": "setup", "outcome": "passed"}}),
    ]
