"""What a change costs: the table of proofs/COSTS.md is what is counted.

Four changes that reach much of the library are counted by `make audit`, and taken here
to cost what is stated: two that many modules see, and the two renamings, which let
`proofs move` carry all records. That no record is lost is shown for the example in
tests/review/commands/test_moving.py, and that changed constants are seen in
tests/review/test_mutation.py.
"""

from __future__ import annotations

import pytest

from tests.review.costs import HARMFUL, HARMLESS, TABLE, Change, count, table

ARGUMENTS, GRIDS = "lemmas/exact-arguments", "lemmas/grids"
Voided = list[tuple[Change, set[str]]]


CHANGES = [*HARMLESS, *HARMFUL]


@pytest.fixture(scope="module")
def voided() -> Voided:
    """The records that each change voids which is counted here."""
    changes = [each for each in CHANGES if each.stated is None]
    return list(zip(changes, count(changes), strict=True))


def test_the_table_is_what_is_counted(voided: Voided) -> None:
    """`python -m tests.review.costs` writes it anew."""
    found = {change.what: len(some) for change, some in voided}
    assert len(found) == 16
    counts = [each.stated or found.get(each.what, 0) for each in CHANGES]
    assert TABLE.read_text(encoding="utf-8") == table(counts)


@pytest.mark.audit
def test_the_whole_table_is_what_is_counted() -> None:
    found = count(CHANGES)
    assert TABLE.read_text(encoding="utf-8") == table([len(each) for each in found])
    for change, some in zip(CHANGES, found, strict=True):
        assert change.stated in (None, len(some)), change.what
        assert change.read is None or change.read in some, change.what


def test_what_is_harmless_costs_no_more_than_before(voided: Voided) -> None:
    for change, some in voided:
        assert change in HARMFUL or len(some) <= change.before, change.what


def test_a_helper_costs_the_one_record_of_what_states_it(voided: Voided) -> None:
    stated = {"`integer_argument`": ARGUMENTS, "`_quotient`": GRIDS}
    for changes in (HARMLESS, HARMFUL):
        for name, lemma in stated.items():
            (found,) = [
                each
                for change, each in voided
                if change in changes and change.what.startswith(name)
            ]
            assert found == {lemma}, name


def test_words_and_comments_cost_nothing(voided: Voided) -> None:
    for change, some in voided:
        if change in HARMLESS and {"words", "docstring"} & set(change.what.split()):
            assert some == set(), change.what


def test_what_is_harmful_is_found_where_it_must_be_read(voided: Voided) -> None:
    assert len(HARMLESS) == len(HARMFUL) == 10
    for change, some in voided:
        assert change in HARMLESS or change.read in some, change.what
