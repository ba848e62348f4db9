"""Ctrl-C during a query about a table: heard at once, and nothing but the answer lost.

The slow queries below would take minutes, so a test ends soon only if they are stopped,
or left to a thread of their own.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import duckdb
import narwhals.stable.v2 as nw
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import opendp_lite.prelude as dp
from opendp_lite.tables.cells import Plan
from opendp_lite.tables.engines import selftest, waiting
from opendp_lite.tables.engines.door import enter
from opendp_lite.tables.engines.duckdb import DuckDBEngine
from opendp_lite.tables.engines.engine import asked
from opendp_lite.tables.engines.waiting import allow_stop, wait_for

SLOW = (
    "SELECT (a.range * 7919 + b.range) % 97 AS x "
    "FROM range(10000000) AS a, range(10000000) AS b"
)
SOON = 5  # seconds: far less than the queries take, and enough for a busy machine
X = dp.col("x").fill_null(0).clip(0, 96)


@pytest.fixture(autouse=True)
def _interruptible(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process that a shell starts in the background ignores Ctrl-C, and so do we.

    That engines are tested before their first query is not the subject here.
    """
    monkeypatch.setattr(selftest, "require_tested", lambda *_: None)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def opened(data: Any, **loss: Any) -> dp.Context:
    return dp.Context.compositor(
        data=data,
        domain=dp.table_domain({"x": dp.option_domain(dp.atom_domain(T=int))}),
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(**loss or {"epsilon": 1.0}),
    )


def total(context: dp.Context) -> Any:
    return context.table(epsilon=0.25).agg(s=X.sum()).release()


def interrupt(
    question: Callable[[], object], running: threading.Event, times: int = 1
) -> KeyboardInterrupt:
    """Press Ctrl-C while a question is answered; return what it raises, soon after."""
    pressed, over = list[float](), threading.Event()

    def press() -> None:
        assert running.wait(60)
        for _ in range(times):
            if not over.wait(0.2):
                pressed.append(time.monotonic())
                os.kill(os.getpid(), signal.SIGINT)

    presser = threading.Thread(target=press)
    presser.start()
    try:
        with pytest.raises(KeyboardInterrupt) as caught:
            question()
        assert len(pressed) == times
        assert time.monotonic() - pressed[-1] < SOON
    finally:
        over.set()
        presser.join()
    return caught.value


@pytest.fixture
def running(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Is set as soon as an engine computes."""
    began, fetch = threading.Event(), DuckDBEngine.fetch_arrow

    def fetching(self: Any, frame: Any) -> Any:
        began.set()
        return fetch(self, frame)

    monkeypatch.setattr(DuckDBEngine, "fetch_arrow", fetching)
    return began


def check_interrupted(
    context: dp.Context, running: threading.Event, times: int = 1
) -> None:
    """Interrupt a query, and check that only its answer is lost."""
    error = interrupt(lambda: total(context), running, times)
    assert "Its charge was kept" in str(error)
    assert error.__context__ is None
    (entry,) = context.journal()
    assert (entry.state, context.current_privacy_loss()) == ("failed", 0.25)
    assert not context.queryable.closed


def test_a_relation_of_a_users_connection(running: threading.Event) -> None:
    connection = duckdb.connect()
    connection.execute(f"CREATE VIEW rows AS {SLOW}")
    context = opened(connection.table("rows"))
    check_interrupted(context, running)
    # The view is another one now, so that the next query takes no time.
    connection.execute("CREATE OR REPLACE VIEW rows AS SELECT 7::BIGINT AS x")
    start = time.monotonic()
    assert total(context)["s"]
    assert time.monotonic() - start < SOON  # the connection is free
    assert context.current_privacy_loss() == 0.5


def test_a_file_that_the_librarys_own_connection_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, running: threading.Event
) -> None:
    pq.write_table(pa.table({"x": [1, 2, None]}), tmp_path / "rows.parquet")
    context = opened(str(tmp_path / "rows.parquet"))
    fetch = DuckDBEngine.fetch_arrow

    def slowly(self: Any, frame: Any) -> Any:
        """As if the file were long."""
        return fetch(self, nw.from_native(self.connection.sql(SLOW).sum("x")))

    with monkeypatch.context() as patch:
        patch.setattr(DuckDBEngine, "fetch_arrow", slowly)
        check_interrupted(context, running)
    assert total(context)["s"]
    assert context.current_privacy_loss() == 0.5


def waits(began: threading.Event, end: threading.Event) -> pl.LazyFrame:
    """A lazy frame that Polars cannot stop, until it is let go."""

    def wait(column: pl.Series) -> pl.Series:
        began.set()
        assert end.wait(120)
        return column

    frame = pl.LazyFrame({"x": [1, 2, None]})
    return frame.with_columns(pl.col("x").map_batches(wait, return_dtype=pl.Int64))


def test_polars_is_left_to_finish() -> None:
    began, end = threading.Event(), threading.Event()
    context = opened(waits(began, end))
    check_interrupted(context, began)
    end.set()
    assert isinstance(total(context), pl.DataFrame)
    assert context.current_privacy_loss() == 0.5


def test_a_second_ctrl_c_ends_the_wait_for_an_engine_that_does_not_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(waiting, "_GRACE", 120)
    began, end = threading.Event(), threading.Event()
    context = opened(waits(began, end))
    interrupt(lambda: total(context), began, times=2)
    end.set()
    assert [entry.state for entry in context.journal()] == ["failed"]
    total(context)
    assert context.current_privacy_loss() == 0.5


def test_rows_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    context, began = opened({"x": [1, 2, None]}), threading.Event()

    def meaning(self: Any, rows: Any) -> Any:
        began.set()
        while True:
            len(rows)

    with monkeypatch.context() as patch:
        patch.setattr(Plan, "meaning", meaning)
        check_interrupted(context, began)
    assert total(context)["s"]
    assert context.current_privacy_loss() == 0.5


def test_a_table_is_opened_interruptibly(running: threading.Event) -> None:
    relation = duckdb.connect().sql(SLOW)
    bounded = {"x": dp.atom_domain(T=int, bounds=(0, 96))}
    interrupt(lambda: enter(relation, bounded), running)


def test_a_query_of_another_thread_on_the_same_connection_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ctrl-C is for the main thread, whose query waits for that of the other one."""
    connection, inside, go_on = duckdb.connect(), threading.Event(), threading.Event()
    began, alone = threading.Event(), DuckDBEngine.answer_alone

    def answer_alone(self: Any, question: Callable[[], Any]) -> Any:
        began.set()
        return alone(self, question)

    monkeypatch.setattr(DuckDBEngine, "answer_alone", answer_alone)

    def wait(x: int) -> int:
        inside.set()
        assert go_on.wait(120)
        return x

    connection.create_function("wait", wait, ["BIGINT"], "BIGINT")
    relation = connection.sql("SELECT wait(range) AS x FROM range(9999)")
    table = enter(relation, {"x": dp.option_domain(dp.atom_domain(T=int))})
    answers: list[Any] = []
    other = threading.Thread(target=lambda: answers.append(table.rows()))
    other.start()
    assert inside.wait(60)
    began.clear()
    interrupt(table.rows, began)
    assert not answers
    go_on.set()
    other.join(60)
    assert [len(rows) for rows in answers] == [9999]
    assert len(table.rows()) == 9999


@pytest.mark.parametrize("known", [True, False])
def test_a_query_that_waits_for_another_is_not_begun_after_it_was_interrupted(
    monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    """Nobody waits for its answer, and the next query would have to."""
    connection, end = duckdb.connect(), threading.Event()
    inside, waiting_for = threading.Event(), threading.Event()
    if not known:  # as before DuckDB 2.0
        init = DuckDBEngine.__init__
        monkeypatch.setattr(DuckDBEngine, "__init__", lambda self, _: init(self))
    rows: list[int] = []

    def wait(x: int) -> int:
        rows.append(x)
        inside.set()
        assert end.wait(120)
        return x

    connection.create_function("wait", wait, ["BIGINT"], "BIGINT")
    relation = connection.sql("SELECT wait(range) AS x FROM range(3)")
    table = enter(relation, {"x": dp.option_domain(dp.atom_domain(T=int))})
    interrupt(table.rows, inside)
    waiting_for.set()
    interrupt(table.rows, waiting_for)
    end.set()
    assert len(table.rows()) == 3
    # One call was interrupted, one ran: DuckDB may have stopped the first early.
    assert 3 < len(rows) <= 6


def test_an_interruption_before_the_charge_says_nothing_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    context = opened({"x": [1]})

    def interrupted(self: Any, query: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(type(context.queryable), "_admit", interrupted)
    with pytest.raises(KeyboardInterrupt) as caught:
        total(context)
    assert caught.value.args == ()
    assert context.journal() == []


# --- the wait itself ------------------------------------------------------------------


def test_answers_and_errors_pass_through_a_thread() -> None:
    threads: list[Any] = []

    def question() -> str:
        threads.append(threading.current_thread())
        return "answer"

    def fails() -> None:
        raise ValueError("engine")

    before = threading.active_count()
    assert wait_for(question) == asked(question) == "answer"
    with pytest.raises(ValueError, match="engine"):
        wait_for(fails)
    assert threading.main_thread() not in threads
    assert threading.active_count() == before
    # Python interrupts the main thread only, so that others need no help.
    other = threading.Thread(target=lambda: wait_for(question))
    other.start()
    other.join()
    assert threads[-1] is other


def test_where_there_can_be_no_more_threads_a_question_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def start(self: Any) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(dp.OpenDPException, match="FailedEngine"):
        asked(lambda: "answer")


def test_whatever_a_handler_raises_ends_the_wait() -> None:
    class TimedOut(Exception):
        pass

    def handler(*_: object) -> None:
        raise TimedOut

    end = threading.Event()
    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(TimedOut):
            wait_for(lambda: end.wait(120))
    finally:
        signal.signal(signal.SIGALRM, before)
        end.set()


def test_nothing_is_stopped_but_what_runs() -> None:
    """An abandoned question begins no other query, and is stopped until it ends."""
    began, end, over = threading.Event(), threading.Event(), threading.Event()
    stops: list[str] = []

    def stop() -> None:
        stops.append("running")
        if len(stops) == 3:
            end.set()
        raise RuntimeError("an engine that cannot be reached")

    def question() -> None:
        began.set()
        try:
            with allow_stop(lambda: stops.append("over")):
                pass
            with allow_stop(stop):
                assert end.wait(120)
            with allow_stop(lambda: stops.append("never")):
                stops.append("began")
        finally:
            over.set()

    interrupt(lambda: wait_for(question), began)
    assert over.wait(60)
    assert stops == ["running"] * 3


def test_no_step_of_the_wait_turns_an_interruption_into_something_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A lock that stays held would keep the thread, and with it the process, for ever.

    Steps are bytecodes of the main thread, in Python's module of threads as well. Those
    of `__init__` are left out: where it ends an `except` block, no signal is handled,
    and a trace that raises there leaves its error as the context of later ones.
    """
    monkeypatch.setattr(waiting, "_GRACE", 0.001)
    files = {waiting.__file__, threading.__file__}
    step, raised = 0, True

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal left
        code = frame.f_code
        if code.co_filename in files and code.co_name != "__init__":
            frame.f_trace_opcodes = True
            if event == "opcode":
                left -= 1
                if left == 0:
                    raise KeyboardInterrupt
        return trace

    before = threading.active_count()
    while raised:
        step += 1
        left, outer = step, sys.gettrace()
        sys.settrace(trace)
        try:
            assert wait_for(lambda: "answer") == "answer"
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(outer)
        raised = left <= 0
        start = time.monotonic()
        while threading.active_count() > before:
            assert time.monotonic() - start < SOON, f"step {step} leaves a thread"
            time.sleep(0.001)
    assert step > 50
