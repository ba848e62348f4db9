"""The Context: one data set, one budget, and the queries that are asked of it.

Nothing here decides privacy. A Context holds a session, and asks it: what a query costs
is what its map says, and whether it is answered the session decides, see
`sessions/session.py`. Were all else in this package wrong, noise would be
larger than it needs to be, or a query be refused; the budget would hold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NoReturn

import attrs

from opendp_lite.base.aliases import Data, Distance, ExactNumber, Loss
from opendp_lite.base.arguments import check_type, pair_argument
from opendp_lite.base.errors import OpenDPException, write_number
from opendp_lite.context.journal import Journal, JournalEntry, shown_short
from opendp_lite.context.opening import check_first, inferred_domain, opened
from opendp_lite.context.queries import Query
from opendp_lite.core.domains import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import Measure
from opendp_lite.core.metrics import Metric
from opendp_lite.sessions.losses import shown_left, shown_loss
from opendp_lite.sessions.session import Entry, Session
from opendp_lite.solving.casts import casts_to
from opendp_lite.solving.refused import (
    INTERRUPTED,
    ContextError,
    mismatch_error,
    refused,
)
from opendp_lite.solving.shares import accountant_of, exact_loss
from opendp_lite.solving.units import loss_of, parse_budget, parse_unit
from opendp_lite.tables.answers.outputs import output_of

if TYPE_CHECKING:
    from opendp_lite.show.explaining.steps import Explanation
    from opendp_lite.show.pictures.figures import ThemeName
    from opendp_lite.tables.questions.queries import TableQuery


_SHOWN, _BELOW = 10, 3  # entries in the text of a Context, and below one of them
_UNIT_FIX = "Pass for example unit_of(contributions=1)"
_LOSS_FIX = "Pass for example loss_of(epsilon=1.0)"


@attrs.frozen
class _Note:
    """What a Context adds to an entry of the journal of its session."""

    time: datetime
    child: Context | None
    answer: Any
    told: str | None


class Context:
    """Answers queries about one data set within one budget: `Context.compositor(...)`.

    :param accountant: the compositor that opened the session; it has a limit
    :param queryable: the session, which has the data and charges for queries
    :param d_in: how far neighbours are apart
    :param keep: whether the journal is to keep answers
    """

    accountant: Measurement
    queryable: Session

    def __init__(
        self,
        accountant: Measurement,
        queryable: Session,
        d_in: Distance,
        keep: bool = False,
    ) -> None:
        fix = "Use Context.compositor"
        check_type("Context", "accountant", accountant, Measurement, fix)
        check_type("Context", "queryable", queryable, Session, fix)
        self.accountant, self.queryable, self.d_in = accountant, queryable, d_in
        distance = parse_unit(queryable.input_space[1], d_in, "d_in")
        promised = accountant.privacy_map(distance)
        if queryable.limit != promised or queryable.output_measure.no_promise(promised):
            rule = "must have a finite limit, the one that the accountant states"
            raise refused("queryable", queryable, rule, fix)
        check_type("Context", "keep", keep, bool, "Pass True or False")
        self._keep, self._notes = keep, dict[int, _Note]()
        self._inferred = False
        self._output: Any = None  # makes frames of the kind of the data
        self._above: Context | None = None

    @staticmethod
    def compositor(
        data: Data,
        privacy_unit: tuple[Metric, Distance],
        privacy_loss: tuple[Measure, Loss],
        split_evenly_over: int | None = None,
        split_by_weights: Sequence[ExactNumber] | None = None,
        domain: Domain | None = None,
        margins: object = None,
        *,
        keep: bool = False,
    ) -> Context:
        """Return a Context with the data and a budget.

        The budget is parted among a number of queries, exactly; or, if it is not to be
        parted, each query says what it may lose, and is answered as long as the sum
        stays within the budget. A unit or a budget that promises nothing is refused,
        such as an infinite loss or a distance of 0.

        If no domain is given, it is inferred from the types of the data: of their first
        row, where they are a list. The types are then taken for public, and the text of
        the Context says so.

        :param data: a list, an array, a column of pandas or Polars, a number, ...; for
            a table_domain a frame, Parquet paths, or a dict of columns
        :param privacy_unit: what `unit_of` returns: a metric and a distance
        :param privacy_loss: what `loss_of` returns: a measure and the budget
        :param split_evenly_over: how many queries share the budget alike
        :param split_by_weights: a weight for each query
        :param domain: describes the data; inferred by default
        :param margins: refused: public keys of a table are passed to `group_by`
        :param keep: whether the journal is to keep the answers

        >>> import opendp_lite.prelude as dp
        >>> context = dp.Context.compositor(
        ...     data=[23, 25, 31, 40],
        ...     privacy_unit=dp.unit_of(contributions=1),
        ...     privacy_loss=dp.loss_of(epsilon=1.0),
        ...     domain=dp.vector_domain(dp.atom_domain(T=int)))
        >>> context.query(epsilon=0.1).count().laplace().preview(alpha=0.05)
        Preview(loss=0.1, left=0.9, param=10.0, accuracy=30.0, answered=True)
        >>> for _ in range(10):
        ...     answer = context.query(epsilon=0.1).count().laplace().release()
        >>> context.remaining_privacy_loss(), len(context.journal())
        (0.0, 10)
        """
        if margins is not None:
            rule = "is not needed: a table is declared by domain=table_domain({...})"
            fix = "Leave it out, and pass public keys to group_by, see Context.table"
            raise refused("margins", margins, rule, fix)
        metric, d_in = pair_argument("Context", "privacy_unit", privacy_unit, _UNIT_FIX)
        check_first("privacy_unit", metric, Metric, _UNIT_FIX)
        measure, loss = pair_argument(
            "Context", "privacy_loss", privacy_loss, _LOSS_FIX
        )
        check_first("privacy_loss", measure, Measure, _LOSS_FIX)
        parse_unit(metric, d_in, "privacy_unit[1]")
        limit = parse_budget(measure, loss, "privacy_loss[1]")
        inferred = domain is None
        if domain is None:
            domain = metric.measured(inferred_domain(data))
        check_type("Context", "domain", domain, Domain, "Pass a domain")
        shares = split_evenly_over, split_by_weights
        accountant = accountant_of((domain, metric), d_in, measure, limit, *shares)
        context = Context(accountant, opened(accountant, data), d_in, keep)
        context._inferred = inferred
        context._output = output_of(data)
        return context

    # --- asking -----------------------------------------------------------------------

    def __call__(self, query: Measurement) -> Any:
        """Return a release of a measurement on the space of the Context, charged for.

        :param query: under the measure of the Context
        """
        return self._ask(query, None)

    def _ask(
        self, query: Any, wrap: Callable[[Any], Any] | None, told: str | None = None
    ) -> Any:
        """Ask the session, and note when, and what was opened by it.

        An engine that fails is outside of what is proved: what it was asked stays
        charged, and the whole tree of contexts on its table closes. Ctrl-C is no
        failure: what was charged stays charged, and the contexts stay open.
        """
        time, start = datetime.now(UTC), self.queryable.asked
        query, child, answer = _own(query), None, None
        try:
            answer = self.queryable.ask(query)
            if wrap is not None:
                answer = wrap(answer)
            if isinstance(answer, Context):
                child = answer
                child._keep, child._output = self._keep, self._output
                child._above = self
            return answer
        except OpenDPException as error:
            if error.variant == "FailedEngine":
                self._close_all()
            raise
        except KeyboardInterrupt as interruption:
            if self._entry(query, start) is not None:
                interruption.args = (INTERRUPTED,)
            raise
        finally:
            kept = answer if self._keep and child is None else None
            if (entry := self._entry(query, start)) is not None:
                self._notes[entry.number] = _Note(time, child, kept, told)

    def _close_all(self) -> None:
        """Close the first context, and so all below it."""
        context = self
        while context._above is not None:
            context = context._above
        context.close()

    def _entry(self, query: object, start: int) -> Entry | None:
        """Return the entry of a query that was asked after `start` others.

        A query that was refused has none.
        """
        if self.queryable.asked == start:
            return None
        entries = self.queryable.journal(start)
        return next((each for each in entries if each.query is query), None)

    def query(
        self,
        epsilon: ExactNumber | None = None,
        delta: ExactNumber | None = None,
        rho: ExactNumber | None = None,
    ) -> Query:
        """Return a query, to which links are added by its methods.

        Where the budget was parted it may lose the next share; which that is, threads
        that ask at the same time have to agree on among themselves. Otherwise it may
        lose what is said here, as in `loss_of`; a float means the lesser of its binary
        value and the decimal it prints as, so that ten tenths fit into 1. If nothing is
        said, all parameters have to be given.

        :param epsilon: of pure differential privacy, or, with a delta, of approximate
        :param delta: the probability of the events that are left out
        :param rho: of zero-concentrated differential privacy
        """
        given = {"epsilon": epsilon, "delta": delta, "rho": rho}
        named = {name: each for name, each in given.items() if each is not None}
        measure, space = self.output_measure, self.queryable.input_space
        shares, used = self.queryable.planned, self.queryable.asked
        if shares is not None:
            if named:
                raise ContextError(
                    "Context",
                    f"{', '.join(named)}: the budget of this Context was parted when "
                    "it was made, and a query may lose the next share. Leave it out.",
                )
            if used == len(shares):
                raise ContextError(
                    "Context",
                    "Privacy allowance has been exhausted: all queries that were "
                    "planned have been asked. Plan for more of them beforehand.",
                )
            return Query(space, measure, self.d_in, exact_loss(shares[used]), self)
        if not named:
            return Query(space, measure, self.d_in, None, self)
        own, loss = loss_of(**named)
        if not casts_to(own, measure, delta=False):
            raise mismatch_error(self.output_measure, own, "delta" in named)
        return Query(space, own, self.d_in, loss, self)

    def table(
        self,
        epsilon: ExactNumber | None = None,
        delta: ExactNumber | None = None,
        rho: ExactNumber | None = None,
        *,
        rows: int | None = None,
        groups: int | None = None,
    ) -> TableQuery:
        """Return a query about the table: see `TableQuery`.

        The loss is given as in `query`. `rows` and `groups` say how much of a
        person counts, as in `TableQuery.group_by`, which may give those that are left
        out here.

        :param epsilon: of pure differential privacy, or, with a delta, of approximate
        :param delta: the probability of the events that are left out
        :param rho: of zero-concentrated differential privacy
        :param rows: how many rows of a person count in each group
        :param groups: in how many groups a person counts
        """
        from opendp_lite.tables.questions.queries import TableQuery

        query = self.query(epsilon, delta, rho)
        return TableQuery.of(query, self._output, rows, groups)

    def deserialize_polars_plan(self, serialized_plan: bytes) -> NoReturn:
        """Refuse: plans of Polars are not in the closed language of tables.

        :param serialized_plan: not looked at
        """
        rule = "is a plan of Polars, which may do more than is proved here"
        raise refused("serialized_plan", None, rule, "Write it anew by Context.table")

    # --- what was spent, and what is left ---------------------------------------------

    @property
    def output_measure(self) -> Measure:
        """How loss is counted."""
        return self.queryable.output_measure

    @property
    def query_space(self) -> tuple[Domain, Metric]:
        """The space that queries begin with: domain and metric of the data."""
        return self.queryable.input_space

    @property
    def d_out(self) -> Any:
        """The whole budget, of which queries take what they say; else None."""
        if self.queryable.planned is not None:
            return None
        return shown_left(self.output_measure, self.queryable.limit)

    @property
    def d_mids(self) -> Any:
        """A list of the shares that were not used; None if nothing was planned."""
        return None if self.queryable.planned is None else self.queryable.remaining()

    @property
    def d_mids_consumed(self) -> list[Any]:
        """A list of what was charged, for one query after the other."""
        measure = self.output_measure
        return [shown_loss(measure, each.loss) for each in self.queryable.journal()]

    def current_privacy_loss(self) -> Any:
        """Return what was spent: a loss, or a list of the shares that were used."""
        if self.queryable.planned is not None:
            return self.d_mids_consumed
        return self.queryable.privacy_loss(self.d_in)

    def remaining_privacy_loss(self) -> Any:
        """Return what is left: a loss, or a list of the shares that were not used."""
        return self.queryable.remaining()

    def journal(self) -> Journal:
        """Return what was asked, with the exact loss of each; never data.

        Answers are kept only where the Context was made with keep=True.
        """
        return Journal(map(self._told, self.queryable.journal()))

    def explain(self, d_in: Distance = None) -> Explanation:
        """Return what was asked as a tree: proofs, distances and charges; never data.

        :param d_in: where losses are told; the distance of the Context by default
        """
        from opendp_lite.show.explaining.contexts import explain_context

        return explain_context(self, d_in)

    def _told(self, entry: Any) -> JournalEntry:
        """Return an entry of the session with what was noted of it here."""
        note = self._notes.get(entry.number)
        child = None if note is None else note.child
        return JournalEntry(
            entry.number,
            entry.query,
            exact_loss(entry.loss),
            entry.state,
            None if note is None else note.time,
            None if child is None else child.journal(),
            None if note is None else note.answer,
            None if note is None else note.told,
        )

    def close(self) -> None:
        """End the Context, and all that were opened by its queries.

        What was not spent goes back to the Context above, where that is a filter of the
        same measure.
        """
        self.queryable.close()

    def __enter__(self) -> Context:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- showing ----------------------------------------------------------------------

    def plot(self, theme: ThemeName = "light") -> Any:
        """Return a picture, a figure of matplotlib: what each query took of the budget.

        The extra `plots` is needed.

        :param theme: "light" or "dark"
        """
        from opendp_lite.show.pictures.budgets import budget_picture

        return budget_picture(self, theme)

    def _about(self) -> list[tuple[str, str]]:
        """Return what a Context tells of itself, by name, as text."""
        domain, metric = self.queryable.input_space
        how = " (inferred from the types of the data)" if self._inferred else ""
        rows = [
            ("domain", f"{domain!r}{how}"),
            ("unit", f"{metric!r}, d_in={write_number(self.d_in)}"),
            ("measure", repr(self.output_measure)),
            ("budget", shown_short(self.queryable.limit)),
            ("spent", shown_short(self.current_privacy_loss())),
            ("left", shown_short(self.queryable.remaining())),
        ]
        return rows + ([("closed", "yes")] if self.queryable.closed else [])

    def _latest(self) -> tuple[Journal, str]:
        """Return the last few entries, and what is said of those before."""
        start = max(0, self.queryable.asked - _SHOWN)
        entries = Journal(map(self._told, self.queryable.journal(start)))
        return entries, f"and {start} before" if start else ""

    def __repr__(self) -> str:
        try:
            return self._text()
        except OpenDPException as error:  # in another process, say
            return f"Context({error.message})"

    def _text(self) -> str:
        lines = [f"{name + ':':8} {text}" for name, text in self._about()]
        entries, before = self._latest()
        if entries:
            lines += [*([before] if before else []), *entries.text(_BELOW).splitlines()]
        return "Context(\n" + "".join(f"    {line}\n" for line in lines) + ")"

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from opendp_lite.show.texts import table

        entries, before = self._latest()
        return table("Context", [*self._about(), *entries.cells("", _BELOW)], before)


def _own(query: Any) -> Any:
    """Return a query as an object of its own, by which its entry is known.

    Several threads may ask the same query, and their answers may come in any order.
    """
    if not isinstance(query, Measurement):
        return query  # which the session refuses
    record = query.record
    return attrs.evolve(query) if record is None else query._with_record(record)
