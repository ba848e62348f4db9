"""The page for those who come from OpenDP is what the installed OpenDP makes of it."""

from __future__ import annotations

import importlib
import inspect
import re

import pytest

import opendp_lite.prelude as dp
from docs.tools import moving
from tests.show.test_absent import OPENDP
from tests.test_repository import ROOT

PAGE = moving.PAGE.read_text(encoding="utf-8")
DIFFERENCES = (ROOT / "docs" / "differences.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| (\w+) \| (.*?) ?\|$", PAGE, re.MULTILINE)


def test_the_page_is_current() -> None:
    assert moving.page(PAGE) == PAGE, "run python -m docs.tools.moving"


def test_a_page_that_is_not_current_is_noticed() -> None:
    assert moving.page(PAGE.replace("| same |", "| better |", 1)) == PAGE
    assert moving.page(PAGE + "| `make_nothing` | same | |\n") == PAGE


def test_every_name_of_opendp_has_a_row() -> None:
    shown = {name for name, _, _ in ROWS}
    pairs = {name.replace("make_", "then_", 1) for name in shown}
    assert {name for _, name in OPENDP} <= shown | pairs
    assert len(ROWS) > 300


def test_what_is_there_takes_the_arguments_of_opendp() -> None:
    tried = 0
    for module, names in moving.names().items():
        for name in names:
            theirs = getattr(importlib.import_module(module), name)
            _, state, _ = moving.row(module, name)
            _, ours = moving._found(module, name)
            if state != "absent" and inspect.isfunction(theirs) and callable(ours):
                tried += 1
                assert moving.accepts(theirs, ours), name
    assert tried > 100


def test_another_order_of_arguments_is_found() -> None:
    def ours(b: int, a: int) -> None: ...

    def theirs(a: int, b: int) -> None: ...

    assert not moving.accepts(theirs, ours)
    assert moving.accepts(theirs, lambda a, b, c: None)


def test_every_difference_has_an_anchor_of_its_own() -> None:
    anchors = re.findall(r"\{: #([\w-]+) \}", moving.anchored(DIFFERENCES))
    assert len(anchors) == len(set(anchors)) > 10
    linked = set(re.findall(r"differences\.md#([\w-]+)", PAGE))
    assert linked <= set(anchors)
    for number in re.findall(r"\(#(\d+)", DIFFERENCES):
        assert f"#{number}" in PAGE


def test_every_entry_is_used_and_its_numbers_are_those_of_the_differences() -> None:
    shown = {name for name, state, _ in ROWS if state == "better"}
    assert set(moving.BETTER) <= shown
    for name, (words, title) in moving.BETTER.items():
        if title is not None:
            for number in re.findall(r"\d\.\d\d+", words):
                assert number in DIFFERENCES, name


def test_what_is_said_of_an_absent_name_is_what_is_said_when_it_is_asked_for() -> None:
    said = {name: words for name, state, words in ROWS if state == "absent"}
    with pytest.raises(AttributeError) as error:
        _ = dp.m.make_report_noisy_max_gumbel  # type: ignore[attr-defined]
    assert said["make_report_noisy_max_gumbel"] in str(error.value)
    assert all(words.endswith(".") for words in said.values())
