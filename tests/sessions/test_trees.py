"""Trees of sessions: reservations, refunds, and releases that go on answering."""

from __future__ import annotations

import threading
from fractions import Fraction
from typing import Any

import pytest

import opendp_lite.prelude as dp
from tests.sessions.opened import (
    APPROXIMATE,
    BOTH,
    CONCENTRATED,
    INTEGERS,
    PURE,
    answered,
    counter,
    filtered,
    filtering,
    laplace,
    odometer,
    planning,
    user,
)


def refund_of(query: dp.Measurement, root: Any, use: Any = None) -> Any:
    """What a session gets back when the one that it was asked for is closed."""
    child = root(query)
    before = root.remaining(exact=True)
    child(laplace(10) if use is None else use)
    child.close()
    return root.remaining(exact=True) - before


def test_children_interleave_and_give_back() -> None:
    root = filtered(1)
    one, two = root(filtering("0.5")), root(planning(["0.1", "0.2"]))
    assert root.remaining() == 0.2
    for session, scale in ((one, 10), (two, 10), (one, 10), (two, 5)):
        session(laplace(scale))
    assert not answered(two, laplace(100))
    assert root.journal()[0].session == one
    one.close()
    assert root.remaining() == 0.5  # 1 - 0.2 - 0.3
    assert not answered(one, laplace(100))
    two.close()
    assert root.remaining() == 0.5
    assert answered(root, laplace(2))
    assert not answered(root, laplace(10**6))


def test_a_child_is_charged_whole_when_it_is_opened() -> None:
    root = filtered(1)
    root(filtering("0.75"))
    assert root.remaining() == 0.25
    with pytest.raises(dp.OpenDPException, match="Nothing was spent"):
        root(filtering("0.5"))
    assert root.remaining() == 0.25


def test_what_is_below_is_closed_first_and_gives_back_all_the_way_up() -> None:
    root = filtered(1)
    child = root(filtering("0.75"))
    grandchild = child(filtering("0.5"))
    grandchild(laplace(10))
    child.close()
    assert grandchild.closed
    assert not answered(grandchild, laplace(100))
    assert root.remaining(exact=True) == 1 - laplace(10).map(1, exact=True)
    grandchild.close()
    child.close()
    assert root.remaining() == 0.9


def test_the_root_closes_everything() -> None:
    root = filtered(1)
    child = root(filtering("0.5"))
    root.close()
    assert not answered(child, laplace(10))


def test_however_deep_they_are_sessions_are_closed() -> None:
    root = filtered(1)
    nodes = [root, root(filtering(1))]
    for _ in range(2000):
        nodes.append(nodes[-1](filtering(1)))
    nodes[-1](user(0.25))
    nodes[1].close()
    assert all(each.closed for each in nodes[1:])
    assert not root.closed
    assert root.remaining() == 0.75


def test_a_child_on_transformed_data_gives_back() -> None:
    rows = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    root = filtered(1, data=[1, 2, 3], space=rows)
    count = rows >> dp.t.then_count()
    child = root(count >> filtering("0.5"))
    assert isinstance(child(laplace(10)), int)
    child.close()
    assert root.remaining() == 0.9


def test_nothing_goes_back_where_it_must_not() -> None:
    half = filtering("0.5")
    assert refund_of(half, filtered(1)) == Fraction(2, 5)
    # from behind a post-processor, which may have kept the session
    assert refund_of(half >> (lambda session: session), filtered(1)) == 0
    # from a session of the user's own
    assert refund_of(user("0.5", filtering("0.5")), filtered(1)) == 0
    # to a share
    planned = planning([1, 1])(0)
    child = planned(half)
    child.close()
    assert planned.remaining() == [1.0]
    assert planned.privacy_loss(1) == 1.0


def test_nothing_goes_back_from_behind_a_conversion() -> None:
    root = filtered((1, 0), APPROXIMATE)
    child = root(dp.c.make_approximate(filtering("0.5")))
    child(laplace(10))
    child.close()
    assert root.remaining() == (0.5, 0.0)
    root, converted = filtered(1, CONCENTRATED), dp.c.make_pureDP_to_zCDP(filtering(1))
    child = root(converted)
    assert child.output_measure == PURE
    child.close()
    assert root.remaining(exact=True) == 1 - converted.map(1, exact=True)


def test_nothing_goes_back_from_behind_a_profile() -> None:
    root = filtered((10, "1e-6"), APPROXIMATE)
    inner = filtering("0.5", CONCENTRATED)
    converted = dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(inner), "1e-6")
    child = root(converted)
    assert child.output_measure == CONCENTRATED
    child.close()
    spent = converted.map(1, exact=True)
    assert 5.2215 < spent[0] < 5.2216
    assert root.remaining(exact=True) == (10 - spent[0], 0)


def test_nothing_goes_back_twice_nor_from_a_strangers_session() -> None:
    """A measurement that says it opens a session, and returns one of another time."""
    root, stranger = filtered(1), filtered(1)
    lying = dp.Measurement(
        *(INTEGERS[0], lambda x: stranger, INTEGERS[1], PURE, lambda d: 1),
        interactive=True,
        opens_session=True,
    )
    assert root(lying) is stranger
    stranger.close()
    assert root.remaining() == 0


def test_a_session_that_was_opened_while_the_one_above_was_closed_is_closed() -> None:
    root = filtered(1)
    child = root(filtering("0.5"))
    inside, go_on, found = threading.Event(), threading.Event(), []

    def waits(x: Any) -> Any:
        inside.set()
        assert go_on.wait(30)
        return x

    slow = dp.t.make_user_transformation(*INTEGERS, *INTEGERS, waits, lambda d_in: d_in)
    worker = threading.Thread(
        target=lambda: found.append(child(slow >> filtering("0.25")))
    )
    worker.start()
    assert inside.wait(30)
    child.close()
    go_on.set()
    worker.join(30)
    assert found[0].closed
    assert root.remaining() == 0.75  # the quarter stays charged


def test_an_odometer_charges_children_by_their_maps() -> None:
    root = odometer()(0)
    child = root(filtering("0.5"))
    child(laplace(10))
    assert root.privacy_loss(1) == 0.5
    with pytest.raises(dp.OpenDPException, match="FailedMap"):
        root.privacy_loss(2)
    child.close()
    assert root.privacy_loss(1) == 0.5


def test_children_of_approximate_zero_concentrated_privacy() -> None:
    """Inside an odometer, OpenDP's fail at the first query."""
    gauss = dp.c.make_approximate(dp.c.make_pureDP_to_zCDP(laplace(10)))
    for root in (odometer(BOTH)(0), filtered((1, "1e-6"), BOTH)):
        one = root(planning([("0.1", 1e-7)], BOTH))
        two = root(filtering(("0.1", 1e-7), BOTH))
        for session in (two, one, two, root, two):
            assert isinstance(session(gauss), int)


def test_stateful_children_are_asked_in_turns() -> None:
    for measure, loss, limit in (
        (PURE, 1, 4),
        (CONCENTRATED, 1, 4),
        (APPROXIMATE, (1, "0.1"), (4, "0.5")),
        (BOTH, (1, 0), (4, "0.5")),
    ):
        root = filtered(limit, measure)
        one, two = root(counter(loss, measure)), root(counter(loss, measure))
        assert [one("a"), two("b"), one("c"), two("d")] == [1, 1, 2, 2]
        assert answered(root, user(loss, measure=measure))
        assert one("e") == 3


def test_where_no_theorem_holds_a_child_closes_when_something_else_is_asked() -> None:
    loss, nothing = ("0.1", "0.1"), (0, 0)
    leaky, free = counter(loss, BOTH), counter(("0.1", 0), BOTH)
    plain = user(nothing, measure=BOTH)

    def ask_root(root: Any, other: Any) -> None:
        root(plain)

    def ask_other(root: Any, other: Any) -> None:
        other("question")

    def ask_member(root: Any, other: Any) -> None:
        root.journal()[1].session(plain)

    def open_another(root: Any, other: Any) -> None:
        root(free)

    for meanwhile in (ask_root, ask_other, ask_member, open_another):
        root = filtered((4, "0.9"), BOTH)
        other = root(free)
        root(filtering(("0.1", 0), BOTH))
        child = root(leaky)
        assert [child("a"), child("b")] == [1, 2]
        meanwhile(root, other)
        with pytest.raises(dp.OpenDPException, match="no theorem"):
            child("c")
        # What has no delta goes on, before and after.
        assert other("d") >= 1
        assert answered(root, plain)


def test_refusals_and_questions_that_cost_nothing_close_nothing() -> None:
    root = filtered((1, "0.5"), BOTH)
    child = root(counter((1, "0.1"), BOTH))
    assert child("a") == 1
    assert not answered(root, user((1, 0), measure=BOTH))
    root.preview(user((0, 0), measure=BOTH))
    root.privacy_loss(1)
    root.remaining()
    with pytest.raises(dp.OpenDPException):
        root(3)
    assert child("b") == 2


def test_nobody_escapes_the_turns_by_wrapping() -> None:
    """A post-processor may hide a queryable in what it returns."""
    plain = user((0, 0), measure=BOTH)
    for wrapped, unwrap in (
        (counter(("0.1", "0.1"), BOTH) >> (lambda q: {"inside": q}), "inside"),
        (user(("0.1", "0.1"), lambda x: [counter(1)(x)], BOTH), 0),
    ):
        root = filtered((1, 1), BOTH)
        child = root(wrapped)[unwrap]
        assert child("a") == 1
        root(plain)
        with pytest.raises(dp.OpenDPException, match="no theorem"):
            child("b")


def test_sessions_behind_a_conversion_count_as_stateful() -> None:
    """And all that is opened within them, however deep."""
    inner = user(("0.1", "0.1"), filtering(("0.1", "0.1"), BOTH), BOTH)
    plain = user((0, 0), measure=BOTH)
    root = filtered((1, 1), BOTH)
    child = root(inner)
    grandchild = child(filtering(("0.05", 0), BOTH))
    queryable = grandchild(counter((0, 0), BOTH))
    for each in (child, grandchild, child):
        assert answered(each, plain)
    assert queryable("a") == 1
    root(plain)
    for each in (child, grandchild):
        with pytest.raises(dp.OpenDPException, match="no theorem"):
            each(plain)
    with pytest.raises(dp.OpenDPException, match="no theorem"):
        queryable("b")
    # Without a delta it goes on, and closes others in the tree above.
    free = root(dp.c.make_approximate(filtering("0.1", CONCENTRATED)))
    other = root(counter(("0.1", "0.1"), BOTH))
    assert other("a") == 1
    free(user(0, measure=CONCENTRATED))
    with pytest.raises(dp.OpenDPException, match="no theorem"):
        other("b")


def test_a_question_far_below_closes_what_is_exclusive_above() -> None:
    """It takes a turn in all trees above it, not only in the nearest."""
    root = filtered((1, 1), BOTH)
    behind = root(filtering(("0.1", 0), BOTH) >> (lambda release: release))
    below = behind(counter((0, 0), BOTH))
    deeper = behind(filtering((0, 0), BOTH) >> (lambda release: release))
    for act in (lambda: below("more"), lambda: deeper(user((0, 0), measure=BOTH))):
        other = root(counter(("0.1", "0.1"), BOTH))
        assert other("a") == 1
        act()
        with pytest.raises(dp.OpenDPException, match="no theorem"):
            other("b")


def test_in_an_odometer_all_that_goes_on_answering_closes() -> None:
    """Whether a delta is 0 depends on the distance, which nobody has said yet."""
    for loss in ((0, 0), ("0.1", "0.1")):
        root = odometer(BOTH)(0)
        child = root(counter(loss, BOTH))
        assert child("a") == 1
        root(user((0, 0), measure=BOTH))
        with pytest.raises(dp.OpenDPException, match="no theorem"):
            child("b")


def test_a_share_with_a_delta_closes_nothing_that_has_none() -> None:
    root = planning([("0.1", "0.1"), ("0.1", "0.1")], BOTH)(0)
    child = root(counter(("0.1", 0), BOTH))
    assert child("a") == 1
    root(user((0, 0), measure=BOTH))
    assert child("b") == 2


def test_a_queryable_made_by_an_answer_belongs_to_the_same_release() -> None:
    def nested(x: Any) -> Any:
        return dp.new_queryable(lambda q, _: dp.new_queryable(lambda q, _: (q, x)))

    root = filtered((1, 1), BOTH)
    inner = root(user(("0.1", "0.1"), nested, BOTH, TO="Queryable"))("open")
    assert inner("a") == ("a", 0)
    root(user((0, 0), measure=BOTH))
    with pytest.raises(dp.OpenDPException, match="no theorem"):
        inner("b")


def test_threads_open_ask_and_close_sessions_of_one_tree() -> None:
    """What is left at the end is the limit without what was answered, exactly."""
    limit, rounds = 60, 30
    root, one, five = filtered(limit), user(1), filtering(5)
    counts = [0] * 8

    def work(own: int) -> None:
        for turn in range(rounds):
            try:
                child = root(five)
            except dp.OpenDPException:
                counts[own] += answered(root, one)
                continue
            with child:
                for _ in range((own + turn) % 7):
                    counts[own] += answered(child, one)

    workers = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for each in workers:
        each.start()
    for each in workers:
        each.join(60)
    assert not any(each.is_alive() for each in workers)
    assert 0 < sum(counts) <= limit
    assert root.remaining(exact=True) == limit - sum(counts)


def test_a_queryable_answers_one_thread_at_a_time() -> None:
    inside, most = [0], [0]

    def answer(query: Any, internal: bool) -> int:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        threading.Event().wait(0.001)
        inside[0] -= 1
        return 0

    queryable = dp.new_queryable(answer)
    workers = [
        threading.Thread(target=lambda: [queryable(1) for _ in range(10)])
        for _ in range(8)
    ]
    for each in workers:
        each.start()
    for each in workers:
        each.join(30)
    assert most == [1]


def test_a_queryable_that_asks_itself_is_refused() -> None:
    queryable: Any = dp.new_queryable(lambda query, _: queryable(query))
    with pytest.raises(dp.OpenDPException, match="while it answers"):
        queryable(1)
    with pytest.raises(dp.OpenDPException, match="while it answers"):
        queryable(1)


def test_a_queryable_is_made_of_a_function() -> None:
    with pytest.raises(dp.OpenDPException, match="transition"):
        dp.new_queryable(3)  # type: ignore[arg-type]
    assert "Queryable" in repr(dp.new_queryable(lambda q, _: q))
