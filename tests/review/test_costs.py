"""What a change costs: the table of proofs/COSTS.md is what is counted."""

from __future__ import annotations

import pytest

from tests.review.costs import HARMFUL, HARMLESS, TABLE, count, table

ARGUMENTS, GRIDS = "lemmas/exact-arguments", "lemmas/grids"
Voided = tuple[list[set[str]], list[set[str]]]


@pytest.fixture(scope="module")
def voided() -> Voided:
    return count()


def test_the_table_is_what_is_counted(voided: Voided) -> None:
    """`python -m tests.review.costs` writes it anew."""
    harmless, harmful = ([len(each) for each in some] for some in voided)
    assert TABLE.read_text(encoding="utf-8") == table(harmless, harmful)


def test_what_is_harmless_costs_no_more_than_before(voided: Voided) -> None:
    for change, some in zip(HARMLESS, voided[0], strict=True):
        assert len(some) <= change.before, change.what


def test_a_helper_costs_the_one_record_of_what_states_it(voided: Voided) -> None:
    stated = {"`integer_argument`": ARGUMENTS, "`_quotient`": GRIDS}
    for changes, some in zip((HARMLESS, HARMFUL), voided, strict=True):
        for name, lemma in stated.items():
            (found,) = [
                each
                for change, each in zip(changes, some, strict=True)
                if change.what.startswith(name)
            ]
            assert found == {lemma}, name


def test_words_names_and_comments_cost_nothing(voided: Voided) -> None:
    for change, some in zip(HARMLESS, voided[0], strict=True):
        if change.renamed or "words" in change.what or "docstring" in change.what:
            assert some == set(), change.what


def test_what_is_harmful_is_found_where_it_must_be_read(voided: Voided) -> None:
    assert len(HARMLESS) == len(HARMFUL) == 10
    for change, some in zip(HARMFUL, voided[1], strict=True):
        assert change.read in some, change.what
