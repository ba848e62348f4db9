"""Run a job: open the data, say what it would cost, release, and record all of it.

Nothing here decides privacy: a Context is asked, and charges. What is checked here is
that all queries fit before the first one is released, so that a job is not broken off.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from fractions import Fraction
from types import FrameType
from typing import Any, TypeAlias

import attrs

from opendp_lite.base.errors import OpenDPException, write_number
from opendp_lite.context.contexts import Context
from opendp_lite.context.queries import Query
from opendp_lite.core.domains import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.jobs.previews import Item, JobPreview, loss_names, plain
from opendp_lite.jobs.records import Record, record_of
from opendp_lite.jobs.shapes import JobError
from opendp_lite.jobs.sources import parquet_of
from opendp_lite.sessions.losses import added, no_loss
from opendp_lite.solving.casts import cast
from opendp_lite.solving.shares import exact_loss
from opendp_lite.tables.lines import unmarked_columns
from opendp_lite.tables.questions.queries import TableQuery

_INTERRUPT = ("SIGINT",)
_DEFAULTS = (signal.SIG_DFL, signal.default_int_handler)
_current: list[Hold] = []


class Hold:
    """Whether an interruption is raised at once, or waits until that is allowed."""

    def __init__(self) -> None:
        self._open = self._waiting = False

    def allow(self) -> None:
        """Raise interruptions from now on, and the one that waits."""
        self._open = True
        if self.taken():
            self._open = False
            raise KeyboardInterrupt

    def refuse(self) -> None:
        """Let interruptions wait from now on."""
        self._open = False

    @contextmanager
    def allowed(self) -> Iterator[None]:
        """Raise interruptions within."""
        self.allow()
        try:
            yield
        finally:
            self.refuse()

    def taken(self) -> bool:
        """Return whether an interruption waits, which it then does no longer."""
        waiting, self._waiting = self._waiting, False
        return waiting

    def _come(self, number: int, frame: FrameType | None) -> None:
        if not self._open:
            self._waiting = True
            return
        self._open = False  # another one waits until this one is dealt with
        raise KeyboardInterrupt


@contextmanager
def held(*signals: str) -> Iterator[Hold]:
    """Yield a hold on interruptions, and raise one that still waits in the end.

    Only what has no handler of a program's own is held, and by the main thread alone.
    Within another of these, that one goes on.

    :param signals: names of signals to hold; SIGINT by default
    """
    if threading.current_thread() is not threading.main_thread():
        yield Hold()
        return
    if _current:
        yield _current[-1]
        return
    hold, before = Hold(), {}
    known = [getattr(signal, name, None) for name in signals or _INTERRUPT]
    _current.append(hold)
    try:
        for each in known:
            if each is not None and signal.getsignal(each) in _DEFAULTS:
                before[each] = signal.signal(each, hold._come)
        yield hold
    finally:
        hold.refuse()
        for each, handler in before.items():
            signal.signal(each, handler)
        _current.pop()
    if hold.taken():
        raise KeyboardInterrupt


Progress: TypeAlias = Callable[[int, int, str], None]
"""Is told how many steps are done, of how many, and what comes now."""

_QUERIES_FIX = "Return a dict such as {'people': context.table(epsilon=1).agg(...)}"


def _quiet(done: int, total: int, text: str) -> None:
    """Tell nobody."""


class Stopped(JobError):
    """A job that was broken off after something was charged; `record` has all of it."""

    def __init__(self, message: str, record: Record) -> None:
        super().__init__(message)
        self.record = record


@attrs.frozen(eq=False)
class Job:
    """A release as a file describes it: made by `jobs.read`.

    `columns` are those that the data must have, `limit` is what all releases that are
    counted in a ledger may lose together, and `alpha` how rarely an interval may miss
    the number of the bounded data.
    `misfits` says whether queries count the values that do not fit their columns; it is
    None for a job in Python, which may.
    """

    file: str
    text: str = attrs.field(repr=False)
    sha256: str
    title: str = ""
    columns: Mapping[str, Domain] | None = None
    separator: str = ","
    header: bool = True
    alpha: Fraction = Fraction(1, 20)
    limit: Mapping[str, Fraction] | None = None
    needs_data: bool = True
    misfits: bool | None = None
    _open: Callable[[str | None], tuple[Any, Any]] = attrs.field(kw_only=True)

    def preview(self, data: str | None = None) -> JobPreview:
        """Return what the job would cost, and how accurate it would be.

        Nothing is spent, and no row is looked at.

        :param data: path of the data; a job in TOML needs none
        """
        with self.opened(data) as opened:
            return opened.preview

    def release(self, data: str, progress: Progress | None = None) -> Record:
        """Return the record of the release: all queries of the job are asked once.

        :param data: path of a Parquet file, or of a text file with a row in each line
        :param progress: is told how far it is
        """
        with self.opened(data, progress) as opened:
            return opened.release()

    @contextmanager
    def opened(
        self, data: str | None, progress: Progress | None = None
    ) -> Iterator[Opened]:
        """Open the data, check that all fits, and close everything in the end.

        Lines of text are copied into a Parquet file in a temporary folder of this user,
        which is removed in the end.

        :param data: path of the data; None for an empty table, if the job is in TOML
        :param progress: is told how far it is
        """
        if data is None and self.needs_data:
            raise JobError(
                f"{self.file}: a job in Python opens the data itself. Pass the path of "
                "the data."
            )
        told = _quiet if progress is None else progress
        with parquet_of(data, self, told) as (place, kind):
            told(0, 0, "opening the data")
            context, queries = self._open(place)
            with context:
                opened = Opened(self, context, tuple(queries), data, kind, told)
                opened.check()
                yield opened


@attrs.frozen(eq=False)
class Opened:
    """A job with its data: it is previewed, and released once."""

    job: Job
    context: Context
    queries: Sequence[tuple[str, Query | TableQuery]]
    data: str | None
    kind: str
    _progress: Progress
    _known: dict[str, Any] = attrs.field(factory=dict, init=False)

    @property
    def preview(self) -> JobPreview:
        """What the job would cost, query by query; made once."""
        if "preview" not in self._known:
            items = tuple(self._item(*each) for each in self.queries)
            measure = self.context.output_measure
            total = no_loss(measure)
            for item in items:
                total = added(total, item.loss)
            left = self.context.queryable.remaining(exact=True)
            alpha = float(self.job.alpha)
            offer = self._misfits_offer()
            told = JobPreview(items, measure, total, left, alpha, self.unit, offer)
            self._known["preview"] = told
        found: JobPreview = self._known["preview"]
        return found

    @property
    def unit(self) -> str:
        """What is protected, in words."""
        context = self.context
        return f"{context.query_space[1]!r}, d_in={write_number(context.d_in)}"

    def _misfits_offer(self) -> str | None:
        """Return how to count values that do not fit, if text is read and none does."""
        job = self.job
        names, who = unmarked_columns(job.columns or {}, *self.context.query_space)
        if self.kind != "csv" or not names:
            return None
        loss = f"{loss_names(self.context.output_measure)[0]} = 0.01"
        rows = "" if who is None else " and rows = 1"
        fix = f"write [misfits] and {loss}{rows} below it"
        if job.misfits is None:
            given = loss.replace(" ", "") + ("" if who is None else ", rows=1")
            fix = "declare the table by declare_misfits(COLUMNS), and ask for "
            fix += f"context.table({given}).count_misfits()"
        return (
            f"values of {', '.join(names)} that do not fit their column become "
            f"missing, and nobody sees how many: to count them, {fix}"
        )

    def exact_loss(self) -> dict[str, Fraction]:
        """Return what the whole job loses, as exact numbers by name."""
        loss = exact_loss(self.preview.loss)
        numbers = loss if type(loss) is tuple else (loss,)
        return dict(zip(loss_names(self.preview.measure), numbers, strict=False))

    def _item(self, name: str, query: Any) -> Item:
        """Return what is known of a query before it is asked."""
        try:
            told = query.preview(alpha=self.job.alpha)
            made = cast(query.resolve(), self.context.output_measure, None)
            if not isinstance(made, Measurement):
                raise JobError("it opens a session, and a job asks for answers alone.")
            metric = self.context.query_space[1]
            loss = made.privacy_map(metric.parse(self.context.d_in))
        except OpenDPException as error:
            raise JobError(f"{self.job.file}: {name}: {error.message}") from None
        return Item(name, repr(query), told, loss, self.context.output_measure)

    def check(self) -> None:
        """Refuse a job whose queries do not all fit into the budget."""
        preview, shares = self.preview, self.context.queryable.planned
        if shares is not None:
            losses = [item.loss for item in preview.items]
            due = shares[self.context.queryable.asked :]
            fits = len(losses) <= len(due) and all(
                map(preview.measure.at_most, losses, due)
            )
        else:
            fits = preview.measure.at_most(preview.loss, self.context.queryable.limit)
        if not fits:
            raise JobError(
                f"{self.job.file}: the queries would lose {preview.told_loss} in all, "
                "which does not fit into the budget. Give each a smaller loss or "
                "share, or allow more."
            )

    def release(self) -> Record:
        """Return the record of all queries, each asked once.

        What fails after something was charged raises `Stopped`, which has the record.
        Ctrl-C is heard while a query is asked, and waits at all other times.
        """
        with held() as hold:
            return self._released(hold)

    def _released(self, hold: Hold) -> Record:
        time, entries = datetime.now(UTC), list[dict[str, Any]]()
        session, items = self.context.queryable, self.preview.items
        error: BaseException | None = None
        for place, (item, (name, query)) in enumerate(
            zip(items, self.queries, strict=True)
        ):
            start, answer = session.asked, None
            try:
                with hold.allowed():
                    self._progress(place, len(items), name)
                    answer = plain(self._answer(query))
                state = "released"
            except BaseException as caught:
                error = caught
                state = "failed" if session.asked > start else "refused"
            charged = [each.loss for each in self.context.journal()[start:]]
            entries.append(item.entry(state, charged, answer))
            if error is not None:
                break
        entries += [each.entry("not asked", [], None) for each in items[len(entries) :]]
        if error is not None and session.asked == 0:
            raise error  # nothing was charged
        with suppress(Exception):  # of who is told; the record goes before
            self._progress(len(items), len(items), "done")
        record = record_of(self, time, entries)
        if error is None and hold.taken():
            error = KeyboardInterrupt()
        if error is None:
            return record
        raise Stopped(_stopped(self.job.file, error), record) from error

    def _answer(self, query: Any) -> Any:
        if isinstance(query, TableQuery):
            return query.release(alpha=self.job.alpha)
        return query.release()


def _stopped(file: str, error: BaseException) -> str:
    told = error.message if isinstance(error, OpenDPException) else type(error).__name__
    return f"{file}: broken off: {told.rstrip('.')}. What was charged stays charged."


def check_context(place: str, context: Any) -> None:
    """Refuse what is no Context.

    :param place: the file
    :param context: what its function `context` returned
    """
    if not isinstance(context, Context):
        kind = type(context).__name__
        raise JobError(
            f"{place}: context(data) returned {kind}. Return what "
            "dp.Context.compositor(...) returns."
        )


def named_queries(
    place: str, context: Context, queries: Any
) -> list[tuple[str, Query | TableQuery]]:
    """Return the queries of a Python file, or refuse what is none.

    :param place: the file
    :param context: what its function `context` returned
    :param queries: what its function `queries` returned
    """
    if type(queries) is not dict or not queries:
        kind = type(queries).__name__
        raise JobError(
            f"{place}: queries(context) returned {kind}, and is to return a dict of "
            f"names and queries. {_QUERIES_FIX}."
        )
    for name, query in queries.items():
        if type(name) is not str or not isinstance(query, Query | TableQuery):
            kind = type(query).__name__
            raise JobError(
                f"{place}: queries(context)[{name!r}] is {kind}, and no query that "
                f"was not released yet. {_QUERIES_FIX}."
            )
        inner = query._query if isinstance(query, TableQuery) else query
        if inner._context is not context:
            raise JobError(
                f"{place}: queries(context)[{name!r}] belongs to another Context. "
                "Build all queries from the one that is passed."
            )
    if context.queryable.asked:
        raise JobError(
            f"{place}: something was released while the job was opened. Return "
            "queries, and leave their release to the job."
        )
    return list(queries.items())
