"""Previews, journals, text and pictures: all of what is spent, and none of the data."""

from __future__ import annotations

import pickle
import sys
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite.context.journal import brief, shown_exact, shown_short
from tests.context.opened import INTEGERS, LOSSES, ROWS, SECRET, opened
from tests.rows import for_each


def asked(**loss: Any) -> dp.Context:
    """A context that was asked three queries: answered, failed, and a nested one."""
    context = opened(**loss)
    context.query(epsilon=0.25).count().laplace().release()

    def fail(release: Any) -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        (context.query(epsilon=0.125).count().laplace() >> fail).release()
    inner = context.query(epsilon=0.5).clamp((0, 10)).sum().compositor().release()
    inner.query(epsilon=0.25).laplace().release()
    return context


def test_a_preview_spends_nothing_and_says_what_will_be() -> None:
    context = opened(epsilon=1.0)
    query = context.query(epsilon=0.1).count().laplace()
    told = query.preview(alpha=0.05)
    assert repr(told) == (
        "Preview(loss=0.1, left=0.9, param=10.0, accuracy=30.0, answered=True)"
    )
    assert told.accuracy == query.resolve().accuracy(0.05)
    assert query.preview(alpha=0.5).accuracy < told.accuracy
    assert context.remaining_privacy_loss() == 1.0
    assert context.journal() == []
    query.release()
    assert context.remaining_privacy_loss() == told.left


def test_a_preview_counts_as_the_context_does() -> None:
    """The query may count by another measure; what is left is not of that one."""
    budgets: list[dict[str, Any]] = [{"rho": 0.5}, {"epsilon": 1.0, "delta": 1e-6}]
    for budget in budgets:
        context = opened(**budget)
        query = context.query(epsilon=0.1).count().laplace()
        told = query.preview()
        query.release()
        assert told.loss == context.current_privacy_loss()
        assert told.left == context.remaining_privacy_loss()


def test_a_preview_of_what_would_be_refused_says_why() -> None:
    told = opened(epsilon=1.0).query(epsilon=2.0).count().laplace().preview()
    assert (told.answered, told.left, told.loss) == (False, None, 2.0)
    assert "Nothing was spent" in str(told.reason)
    assert "reason='the query loses 2.0" in repr(told)
    for alpha in (0, 2, "no"):
        with pytest.raises(dp.OpenDPException, match="alpha"):
            opened(epsilon=1.0).query(epsilon=1).count().laplace().preview(alpha)


def test_a_preview_never_looks_at_data(monkeypatch: Any) -> None:
    context = opened(epsilon=1.0)
    context.queryable._data = object()  # whoever looked at it would fail
    for query in (
        context.query(epsilon=0.1).clamp((0, 9)).sum().laplace(),
        context.query(epsilon=0.1).compositor(),
    ):
        assert query.preview().answered
        assert query.preview().loss == 0.1


@for_each(("measure", "budget", "part"), LOSSES, ids=str)
def test_a_preview_tells_the_accuracy_through_every_cast(
    measure: Any, budget: Any, part: Any
) -> None:
    context = opened(**budget)
    query = context.query(**part).count().laplace()
    assert query.preview().accuracy > 0
    selection = context.query(**part).private_quantile(
        dp.max_divergence(), [0, 50, 100], 0.5
    )
    assert selection.preview().accuracy is None


def test_the_journal_tells_all_of_it() -> None:
    before = datetime.now(UTC)
    context = asked(epsilon=1.0)
    journal = context.journal()
    told = [(e.number, e.loss, e.state, e.text) for e in journal]
    assert told[0] == (0, Fraction(1, 4), "released", "count().laplace(scale=4.0)")
    assert told[1][:3] == (1, Fraction(1, 8), "failed")
    assert told[2][1:3] == (Fraction(1, 2), "released")
    assert told[2][3] == "clamp(bounds=(0, 10)).sum().compositor()"
    assert sum(entry.loss for entry in journal) == Fraction(7, 8)
    children = journal[2].children
    assert children is not None
    assert [(e.loss, e.text) for e in children] == [
        (Fraction(1, 4), "laplace(scale=40.0)")
    ]
    for entry in (*journal, *children):
        assert before <= entry.time <= datetime.now(UTC)
        assert entry.answer is None
    assert "2.0  1/4   released  laplace(scale=40.0)" in repr(journal)
    assert "JournalEntry(0, count().laplace(scale=4.0), 1/4, released)" in repr(
        journal[0]
    )


def test_what_was_asked_of_the_session_itself_is_in_the_journal() -> None:
    context = opened(epsilon=1.0)
    context.queryable(context.query(epsilon=0.5).count().laplace().resolve())
    entry = context.journal()[0]
    assert (entry.loss, entry.time) == (Fraction(1, 2), None)


def test_the_same_query_again_is_another_entry() -> None:
    context = opened(epsilon=1.0, keep=True)
    query = context.query(epsilon=0.25).count().laplace()
    answers = [query.release() for _ in range(4)]
    with pytest.raises(dp.OpenDPException):
        query.release()
    assert [entry.answer for entry in context.journal()] == answers
    assert len({entry.time for entry in context.journal()}) == 4


def test_answers_are_kept_on_demand_only() -> None:
    for keep in (False, True):
        context = opened(epsilon=1e6, keep=keep)
        answer = context.query(epsilon=1e5).count().laplace().release()
        inner = context.query(epsilon=1e5).compositor().release()
        inner.query(epsilon=1e5).count().laplace().release()
        first, second = context.journal()
        assert first.answer == (answer if keep else None)
        assert second.children is not None
        assert second.children[0].answer == (8 if keep else None)


def test_a_journal_with_answers_can_be_stored() -> None:
    context = opened(epsilon=1.0, keep=True)
    answer = context.query(epsilon=0.5).count().laplace().release()
    nested = context.query(epsilon=0.5).compositor().release()
    below = nested.query(epsilon=0.5).count().laplace().release()
    journal = pickle.loads(pickle.dumps(context.journal()))
    assert str(SECRET).encode() not in pickle.dumps(journal)
    assert [entry.answer for entry in journal] == [answer, None]
    assert journal[1].children[0].answer == below


def test_no_text_has_data() -> None:
    kept = opened(epsilon=1e9, keep=True)
    kept.query(epsilon=1e6).clamp((0, 10**9)).sum().laplace().release()
    for context in (asked(epsilon=1.0), opened(epsilon=1.0, evenly=2), kept):
        for text in (
            repr(context),
            context._repr_html_(),
            repr(context.journal()),
            context.journal()._repr_html_(),
            repr(context.journal()[:1]),
            str(vars(context).keys()),
        ):
            assert str(SECRET) not in text
            assert str(sum(ROWS)) not in text


def test_the_text_of_a_context_says_what_is_spent_by_what() -> None:
    context = asked(epsilon=1.0)
    assert repr(context) == (
        "Context(\n"
        "    domain:  VectorDomain(AtomDomain(T=int))\n"
        "    unit:    SymmetricDistance(), d_in=1\n"
        "    measure: MaxDivergence()\n"
        "    budget:  1\n"
        "    spent:   0.875\n"
        "    left:    0.125\n"
        "    no.  loss  state     query\n"
        "    0    1/4   released  count().laplace(scale=4.0)\n"
        "    1    1/8   failed    count().laplace(scale=8.0) >> asked.<locals>.fail\n"
        "    2    1/2   released  clamp(bounds=(0, 10)).sum().compositor()\n"
        "    2.0  1/4   released  laplace(scale=40.0)\n"
        ")"
    )
    by_rho = opened(epsilon=1.0, delta=1e-6).query(epsilon=0.5, delta=1e-7)
    nested = by_rho.compositor(2, output_measure=dp.zero_concentrated_divergence())
    told = brief(nested.resolve())
    assert told == "compositor(shares) by ZeroConcentratedDivergence()"
    html = context._repr_html_()
    assert "<b>Context</b>" in html
    assert "0.125" in html
    assert "count().laplace(scale=4.0)" in html


def test_long_journals_and_plans_are_shortened() -> None:
    context = opened(epsilon=1.0, evenly=100)
    for _ in range(15):
        context.query().count().laplace().release()
    text = repr(context)
    assert "and 5 before" in text
    assert text.count("laplace") == 10
    assert "[0.01, 0.01, 0.01, 0.01, 0.01, 0.01, ...] (85)" in text
    outer = opened(epsilon=1.0)
    inner = outer.query(epsilon=1.0).compositor(10).release()
    for _ in range(10):
        inner.query().count().laplace().release()
    assert "and 7 more" in repr(outer)
    assert "and 7 more" in outer._repr_html_()
    assert repr(outer.journal()).count("laplace") == 10
    assert "budget:  inf" in repr(opened(epsilon=10**400))


def test_numbers_are_short() -> None:
    assert shown_exact((Fraction(1, 3), Fraction(1, 10**20))) == "(1/3, 1e-20)"
    assert shown_exact(Fraction(10**400, 3)) == "inf"
    assert shown_short([(0.5, 1e-6)]) == "[(0.5, 1e-06)]"
    space = INTEGERS, dp.symmetric_distance()
    mine = dp.m.make_user_measurement(
        *space, dp.max_divergence(), lambda x: 0, lambda d: 0
    )
    assert brief(mine).startswith("user_measurement(")
    counts = space >> dp.t.then_histogram([*range(100)]) >> dp.m.then_laplace(1)
    assert brief(counts) == "histogram(edges=(0, 1, ..., 99)).laplace(scale=1)"


# --- pictures ---


@pytest.mark.parametrize(("measure", "budget", "part"), LOSSES, ids=str)
def test_a_picture_shows_every_query(
    measure: Any, budget: Any, part: Any, tmp_path: Path
) -> None:
    context = opened(**budget)
    figure = context.plot()  # of none
    for _ in range(3):
        context.query(**part).count().laplace().release()
    figure = context.plot()
    names = [axis.get_ylabel() for axis in figure.axes]
    first = "epsilon" if "epsilon" in budget else "rho"
    assert names == [f"{each} spent" for each in (first, *[*budget][1:])]
    axis = figure.axes[0]
    spent = [bar for bar in axis.patches if bar.get_zorder() > 0]
    tops = [bar.get_y() + bar.get_height() for bar in spent]
    whole = context.current_privacy_loss()
    assert max(tops) == pytest.approx(whole[0] if len(names) == 2 else whole)
    assert len(spent) == 3
    lines = [line.get_ydata()[0] for line in axis.lines]
    assert lines == [budget[first]]
    assert figure.axes[-1].get_xticklabels()[0].get_text() == "count.laplace"
    figure.savefig(tmp_path / "budget.png")
    assert (tmp_path / "budget.png").stat().st_size > 5_000


def test_pictures_of_failures_huge_budgets_and_many_queries() -> None:
    failed = asked(epsilon=1.0).plot()
    legend = [text.get_text() for text in failed.axes[0].get_legend().get_texts()]
    assert legend == ["released", "reserved", "failed"]
    huge = asked(epsilon=10**400).plot()
    assert not huge.axes[0].lines
    many = opened(epsilon=1.0, evenly=30)
    for _ in range(30):
        many.query().count().laplace().release()
    labels = [each.get_text() for each in many.plot().axes[0].get_xticklabels()]
    assert not any("laplace" in label for label in labels)


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ValueError, match=r"opendp-lite\[plots\]"):
        opened(epsilon=1.0).plot()
