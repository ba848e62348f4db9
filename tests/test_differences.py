"""The page of differences from OpenDP shows what happens, with both libraries."""

from __future__ import annotations

import doctest

import opendp_lite.prelude as dp
from opendp_lite.base.features import GLOBAL_FEATURES
from opendp_lite.testing import state_flakiness
from tests.test_repository import ROOT

PAGE = (ROOT / "docs" / "differences.md").read_text(encoding="utf-8")


def run(text: str) -> doctest.TestResults:
    before = set(GLOBAL_FEATURES)
    test = doctest.DocTestParser().get_doctest(text, {}, "differences.md", None, 0)
    try:
        return doctest.DocTestRunner(verbose=False).run(test)
    finally:
        dp.disable_features(*(GLOBAL_FEATURES - before))


def test_the_page_shows_what_happens() -> None:
    # 64 of 4000 where 146 are due; no (2, 1, 0) in 500 orders of three rows.
    state_flakiness("1e-11")
    results = run(PAGE)
    assert results.attempted > 50
    assert results.failed == 0


def test_a_page_that_shows_something_else_is_found() -> None:
    first, _, sums = PAGE.partition("## Where OpenDP claims too little")
    sums = sums.partition("## Where OpenDP claims too much")[2]
    sums = sums.partition("## Looked for, and the same in both")[0]
    assert run(first + sums).failed == 0
    assert run(first + sums.replace("Fraction(1, 8)", "Fraction(1, 9)")).failed == 1


def test_the_issue_of_each_is_named() -> None:
    for number in (2911, 2922, 2924, 2926, 2927, 2945, 2949):
        assert f"(#{number})" in PAGE
    assert "(#2932, #2933)" in PAGE
    for claim in ("0.0134", "0.0364", "(-0.5, 0.5)", "must have a size"):
        assert claim in PAGE
