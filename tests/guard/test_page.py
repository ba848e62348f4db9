"""SECURITY.md says of every planted fault which check sees it, and it is so."""

from __future__ import annotations

import pytest

from tests.guard.checks import CHECKS
from tests.guard.faults import FAULTS
from tests.guard.page import PAGE, row, rows_of, table
from tests.guard.planting import Fault

STATED = rows_of(PAGE.read_text(encoding="utf-8"))


def test_every_fault_has_its_row() -> None:
    assert [line.split(" | ")[0] for line in STATED] == [
        f"| {fault.says}" for fault in FAULTS
    ]
    assert rows_of(table(STATED)) == STATED


@pytest.mark.parametrize("fault", FAULTS, ids=[each.says for each in FAULTS])
def test_the_page_says_what_the_checks_see(fault: Fault) -> None:
    """If it differs, run `python -m tests.guard.page`, and read what changed."""
    assert row(fault) in STATED


def test_without_a_fault_no_check_sees_one() -> None:
    fault = FAULTS[0]
    harmless = Fault("nothing", fault.module, fault.code, fault.old, fault.old)
    assert [check for check, sees in CHECKS.items() if sees(harmless)] == []


def test_every_fault_is_seen_by_the_review() -> None:
    """All that is planted lies in code that some proof quotes."""
    assert [line for line in STATED if line.split(" | ")[1] != "sees"] == []
