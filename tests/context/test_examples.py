"""The examples of the Context: they run, and what they print is so."""

from __future__ import annotations

import logging
import re
import runpy
import sys
from pathlib import Path
from typing import Any

import opendp.prelude as theirs
import pytest

import opendp_lite.prelude as dp
from opendp_lite.testing import state_flakiness
from tests.longer import shortened

EXAMPLES = Path(__file__).parents[2] / "examples"


def ran(name: str, monkeypatch: Any, capsys: Any) -> str:
    """What an example prints."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setattr(sys, "argv", [name])
    root = logging.getLogger()
    before = root.level
    try:
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    finally:
        root.setLevel(before)
    return str(capsys.readouterr().out)


def number(text: str, title: str) -> int:
    """The first number after a title."""
    found = re.search(rf"{re.escape(title)}\D*?(-?[\d,]+)", text)
    assert found is not None
    return int(found[1].replace(",", ""))


def test_one_budget_and_ten_questions(monkeypatch: Any, capsys: Any) -> None:
    text = ran("one_budget.py", monkeypatch, capsys)
    state_flakiness("1e-13")  # noise of scale 10 beyond 300, at most e^-30
    assert abs(number(text, "how many people") - 2000) < 300
    assert "spent 1, shares left: []" in text
    assert "Privacy allowance has been exhausted" in text
    assert text.count("1/10  released") == 10


def test_an_analyst_adapts(monkeypatch: Any, capsys: Any) -> None:
    text = ran("adaptive_session.py", monkeypatch, capsys)
    assert "left: (0.35, 5e-07)" in text
    assert "spent:   (0.65, 5e-07)" in text
    assert "answered: False" in text
    assert "and 21 more" in text
    near = re.search(r"each within (\d+); it were (\d+)", text)
    assert near is not None
    assert int(near[1]) < 0.6 * int(near[2])


def test_the_demonstration(monkeypatch: Any, capsys: Any) -> None:
    text = ran("demo.py", monkeypatch, capsys)
    for heading in ("One budget", "Before anything", "Releases", "The journal"):
        assert heading in text
    assert "epsilon = 1/10" in text
    assert "proofs/measurements/make_laplace.tex" in text
    assert "0.15 of the limit is left. Nothing was spent" in text
    assert "spent 0.85, left 0.15" in text
    assert "holds" in text
    assert len(re.findall(r"^\d +\S+ +released", text, re.MULTILINE)) == 4


def test_the_lines_of_opendp_run_here(monkeypatch: Any, capsys: Any) -> None:
    text = ran("opendp_context.py", monkeypatch, capsys)
    row = next(line for line in text.splitlines() if line.startswith("queries of 0.1"))
    assert row.split()[-1] == "10"


# What OpenDP does takes it long, and changes with its version alone, never with ours.
@pytest.mark.parametrize(
    "library", shortened([dp, theirs], theirs), ids=lambda each: each.__name__
)
def test_forty_lines_of_opendp_hold_in_both(library: Any) -> None:
    script = runpy.run_path(str(EXAMPLES / "opendp_context.py"))["script"]
    seen = script(library)
    assert seen["truth in a response, epsilon 1/2"] == 0.6224593312018545
    scale = seen["scale of a cast to (1/4, 5e-7)"]
    assert (scale is None) == (library is theirs)
    assert seen["queries of 0.1 within 1"] == (10 if library is dp else 9)
