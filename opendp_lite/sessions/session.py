"""Sessions: many questions about one data set, within one limit.

A session holds the data, knows what its queries may cost, and answers measurements. All
compositors release one. It does four things, in this order:

1. *Refuse* what can be refused. A refusal changes nothing.
2. *Charge* the loss, exactly, under the one lock of the tree.
3. *Run* the measurement, outside of the lock: long queries of several threads overlap.
4. *Settle*: note whether it was released or failed. What was charged stays charged: an
   exception is an answer, it can carry the noisy value.

A session that is asked for within another one is below it in a tree. The one above has
reserved its whole limit, so that it asks nobody.

Proof: proofs/lemmas/sessions.tex
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import attrs

from opendp_lite.base.aliases import Data, Distance, ExactDistance, ExactLoss, Value
from opendp_lite.base.errors import OpenDPException, refusal, write_number
from opendp_lite.core.domains import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import Measure
from opendp_lite.core.metrics import Metric
from opendp_lite.sessions.losses import (
    added,
    is_exclusive,
    no_loss,
    reduced,
    shown_left,
    shown_loss,
    write_left,
    write_loss,
)
from opendp_lite.sessions.queryable import Queryable
from opendp_lite.sessions.trees import (
    OPENED,
    Link,
    Tree,
    check_alone,
    check_process,
    check_turn,
    take_turn,
)

if TYPE_CHECKING:
    from opendp_lite.show.explaining.steps import Explanation


_SAME_FIX = "Build the query on the session's own input_space and output_measure"


@attrs.define(eq=False)
class Entry:
    """What was asked of a session, and what it was charged: never data, no answer.

    `loss` is exact, and None in an odometer, where it depends on the distance.
    """

    number: int
    query: Measurement
    loss: Any
    state: Literal["charged", "released", "failed"] = "charged"
    session: Session | None = None


@attrs.frozen
class _Account:
    """What a session has spent, and for what; a session replaces it by one assignment.

    An interruption comes before or after that assignment, so that what is spent and
    the journal agree. The list `entries` may hold one entry more, which an interrupted
    charge left: only the first `length` count.
    """

    spent: ExactLoss
    entries: list[Entry] = attrs.field(factory=list)
    length: int = 0


@attrs.frozen
class Preview:
    """What a query would cost and leave, and whether it would be answered."""

    loss: Any
    left: Any
    answered: bool
    reason: str | None = None


class Session(Queryable):
    """Answers measurements on one data set: `session(query)`; see the module.

    It has a `limit` (a filter), a list of shares (adaptive composition), or neither (an
    odometer). `d_in` is the distance at which losses are counted; an odometer has none.
    Compositors make sessions; the data are not to change while one is open.
    """

    __slots__ = (
        *("_account", "_children", "_closed", "_data", "_entry", "_parent", "_tree"),
        *("_d_in", "_limit", "_measure", "_shares", "_space", "_sums"),
    )

    def __init__(
        self,
        data: Data,
        input_space: tuple[Domain, Metric],
        output_measure: Measure,
        d_in: ExactDistance = None,
        limit: ExactLoss = None,
        shares: Sequence[ExactLoss] | None = None,
    ) -> None:
        self._data, self._space = data, input_space
        self._measure, self._d_in, self._limit = output_measure, d_in, limit
        self._shares = None if shares is None else tuple(shares)
        self._account = _Account(no_loss(output_measure))
        self._tree = Tree(OPENED.get())  # proof: tree
        self._closed = False
        self._parent: Session | None = None
        self._entry: Entry | None = None
        self._children: list[Session] = []
        self._sums: dict[Any, tuple[int, ExactLoss]] = {}

    # --- refuse, charge, run, settle --------------------------------------------------

    def ask(self, query: Value) -> Any:
        """Return a release of `query`, a measurement on the session's space.

        What does not fit is refused, which costs nothing; everything else is charged
        before the data are looked at, and stays charged whatever is raised.
        """
        loss = self._admit(query)  # proof: admit
        check_alone(self._tree)  # proof: alone
        with self._tree.lock:  # proof: lock
            due, spent = self._due(loss)  # proof: due
            entry, link = self._charge(query, loss, due, spent)  # proof: charge
        return self._run(query, entry, link)  # proof: run

    def _admit(self, query: Value) -> ExactLoss:
        """Return the loss of a query, or refuse what is no query of this session."""
        if not isinstance(query, Measurement):  # proof: kind
            rule = f"must be a Measurement, not a {type(query).__name__}"
            fix = "Write space >> then_...(); bound an odometer by make_privacy_filter"
            raise refusal("FailedFunction", "query", query, rule, fix)
        if query.exclusive:  # proof: exclusive
            rule = "must be all that is released from its sample, and a session asks on"
            fix = "Compose first, by make_composition, and amplify the whole"
            raise refusal("FailedFunction", "query", query, rule, fix)
        domain, metric = self._space
        if query.input_domain != domain:  # proof: domain
            rule = f"takes {query.input_domain!r}, the session holds {domain!r}"
            raise refusal("DomainMismatch", "query", query, rule, _SAME_FIX)
        if not metric.matches(query.input_metric):  # proof: metric
            rule = f"measures by {query.input_metric!r}, the session by {metric!r}"
            raise refusal("MetricMismatch", "query", query, rule, _SAME_FIX)
        if query.output_measure != self._measure:  # proof: measure
            rule = (
                f"counts loss by {query.output_measure!r}, the session by "
                f"{self._measure!r}"
            )
            fix = "Convert it, for example by make_approximate or make_pureDP_to_zCDP"
            raise refusal("MeasureMismatch", "query", query, rule, fix)
        check_process(self._tree.process)  # proof: process
        return (
            None if self._d_in is None else query.privacy_map(self._d_in)
        )  # proof: map

    def _due(self, loss: ExactLoss) -> tuple[ExactLoss, ExactLoss]:
        """Return what is to be charged, and what is spent then, or refuse.

        The lock is held. An odometer charges nothing: its loss depends on the distance.
        """
        if self._closed:  # proof: closed
            rule = "this session is closed. Ask the session above it, or open another."
            raise OpenDPException("FailedFunction", rule)
        check_turn(self._tree.link)  # proof: turn
        if self._limit is None:  # proof: unlimited
            return loss, self._account.spent
        if self._shares is not None:
            loss = self._share_due(loss)  # proof: share
        spent = added(self._account.spent, loss)  # proof: sum
        if not self._measure.at_most(spent, self._limit):  # proof: fits
            rest = reduced(self._limit, self._account.spent)
            left = write_left(self._measure, rest)
            raise OpenDPException(
                "FailedFunction",
                f"the query loses {write_loss(self._measure, loss)} at "
                f"d_in={self._shown_distance()}, and {left} of the limit is left. "
                "Nothing was spent: ask for less, with more noise.",
            )
        return loss, spent

    def _share_due(self, loss: ExactLoss) -> ExactLoss:
        """Return the next share, if there is one and the loss fits it, or refuse."""
        assert self._shares is not None
        number = self._account.length
        if number == len(self._shares):  # proof: planned
            raise OpenDPException(
                "FailedFunction",
                f"all {len(self._shares)} queries that were planned have been asked. "
                "Give d_mids more shares, or use make_privacy_filter.",
            )
        share = self._shares[number]
        if not self._measure.at_most(loss, share):  # proof: fits
            raise OpenDPException(
                "FailedFunction",
                f"the query loses {write_loss(self._measure, loss)} at "
                f"d_in={self._shown_distance()}, and its share is "
                f"{write_left(self._measure, share)}. Nothing was spent: ask "
                "for less, with more noise.",
            )
        return share

    def _charge(
        self, query: Measurement, loss: ExactLoss, due: ExactLoss, spent: ExactLoss
    ) -> tuple[Entry, Link]:
        """Charge what is due, and note it. The lock is held."""
        entries, number = self._account.entries, self._account.length
        del entries[number:]  # proof: left
        entry = Entry(number, query, due)
        entries.append(entry)  # proof: noted
        self._account = _Account(spent, entries, number + 1)  # proof: spent
        take_turn(self._tree.link)  # proof: above
        self._tree.turn += 1  # proof: turn
        alone = is_exclusive(self._measure, loss)  # proof: alone
        link = Link(self._tree, self._tree.turn if alone else None)  # proof: link
        return entry, link

    def _run(self, query: Measurement, entry: Entry, link: Link) -> Any:
        """Make the release, and settle its entry, whatever happens."""
        state: Literal["released", "failed"] = "failed"
        before = OPENED.get()
        try:
            OPENED.set(link)  # proof: opened
            answer = query.function(self._data)  # proof: function
            state = "released"
        finally:
            entry.state = state  # proof: settle
            OPENED.set(before)  # proof: back
        if query.opens_session and type(answer) is Session:  # proof: session
            answer._join(self, entry, link)
        return answer

    # --- trees ------------------------------------------------------------------------

    def _join(self, parent: Session, entry: Entry, link: Link) -> None:
        """Become a node of the tree of the session that was asked for this one."""
        if self._tree.link is not link:  # proof: new
            return
        with parent._tree.lock:
            self._tree = parent._tree  # proof: tree
            self._closed = parent._closed  # proof: closed
            self._parent, self._entry = parent, entry
            parent._children.append(self)
            entry.session = self  # proof: last

    def close(self) -> None:
        """End this session and all below it; what was not spent goes back above.

        It goes back to a filter only, for a session that was asked for as it is: not to
        a share, and not from behind a conversion.
        """
        check_process(self._tree.process)  # proof: process
        check_alone(self._tree)  # proof: alone
        with self._tree.lock:  # proof: lock
            self._close()

    def _close(self) -> None:
        """Close what is below first, however deep it is. The lock is held."""
        nodes = [] if self._closed else [self]  # proof: once
        for node in nodes:  # which grows as it is gone through
            nodes += [
                each for each in node._children if not each._closed
            ]  # proof: below
        for node in reversed(nodes):  # proof: first
            node._closed = True  # proof: closed
            if node._parent is not None and node._entry is not None:
                used = node._account.spent
                node._parent._take_back(node._entry, used)  # proof: back

    def _take_back(self, entry: Entry, used: ExactLoss) -> None:
        """Charge for a session that was closed what it used. The lock is held."""
        if self._limit is None or self._shares is not None:  # proof: filter
            return
        if self._measure.at_most(used, entry.loss):  # proof: less
            account = self._account
            rest = reduced(account.spent, entry.loss)  # proof: rest
            entries = account.entries[: account.length]
            entries[entry.number] = attrs.evolve(entry, loss=used)  # proof: lower
            spent = added(rest, used)
            self._account = _Account(spent, entries, account.length)  # proof: spent

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- questions that cost nothing --------------------------------------------------

    def preview(self, query: Measurement) -> Preview:
        """Return what a query would cost and leave, without asking it."""
        loss = self._admit(query)
        measure, left, reason = self._measure, None, None
        with self._tree.lock:
            try:
                _, spent = self._due(loss)
            except OpenDPException as error:
                reason = error.message
            else:
                if self._limit is not None:
                    left = shown_left(measure, reduced(self._limit, spent))
        shown = None if loss is None else shown_loss(measure, loss)
        return Preview(shown, left, reason is None, reason)

    def privacy_loss(self, d_in: Distance, *, exact: bool = False) -> Any:
        """Return the loss so far at a distance: rounded up, or exact numbers.

        For each distance the map of every query is evaluated once.
        """
        check_process(self._tree.process)
        d = self._space[1].parse(d_in)  # proof: parse
        measure = self._measure
        with self._tree.lock:
            if self._d_in is not None and d == self._d_in:  # proof: same
                return shown_loss(measure, self._account.spent, exact)
            done, loss = self._sums.get(d, (0, no_loss(measure)))  # proof: known
            entries = self._account.entries[done : self._account.length]
        for entry in entries:
            loss = added(loss, entry.query.privacy_map(d))  # proof: add
        with self._tree.lock:
            self._sums[d] = done + len(entries), loss  # proof: keep
        return shown_loss(measure, loss, exact)  # proof: shown

    def remaining(self, *, exact: bool = False) -> Any:
        """Return what is left: a loss, a list of shares, or None without a limit."""
        check_process(self._tree.process)
        measure = self._measure
        with self._tree.lock:
            if self._shares is not None:
                shares = self._shares[self._account.length :]
                return [shown_left(measure, each, exact) for each in shares]
            if self._limit is None:
                return None
            left = reduced(self._limit, self._account.spent)
            return shown_left(measure, left, exact)

    def journal(self, start: int = 0) -> list[Entry]:
        """Return what was asked, in order, with what it was charged.

        :param start: how many entries are left out
        """
        check_process(self._tree.process)
        with self._tree.lock:
            entries = self._account.entries[start : self._account.length]
            return [attrs.evolve(entry) for entry in entries]

    def explain(self, d_in: Distance = None) -> Explanation:
        """Return what was asked as a tree: each query, its proofs and its charge.

        :param d_in: where losses are told; the distance of the session by default

        >>> import opendp_lite.prelude as dp
        >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
        >>> odometer = dp.c.make_fully_adaptive_composition(*space, dp.max_divergence())
        >>> session = dp.c.make_privacy_filter(odometer, d_in=1, d_out=1)(100)
        >>> answer = session(space >> dp.m.then_laplace(scale=4))
        >>> print(str(session.explain()).splitlines()[1])
        Session: d_in = 1, d_out = 1/4 = 0.25
        """
        from opendp_lite.show.explaining.asked import explain_session

        return explain_session(self, d_in)

    @property
    def asked(self) -> int:
        """How many queries were charged for."""
        return self._account.length

    @property
    def planned(self) -> tuple[ExactLoss, ...] | None:
        """The exact shares, used ones included; None if there is no such list."""
        return self._shares

    @property
    def limit(self) -> Any:
        """The exact limit on the sum of the losses at `d_in`, or None."""
        return self._limit

    @property
    def d_in(self) -> Any:
        """The exact distance at which losses are counted, or None."""
        return self._d_in

    @property
    def output_measure(self) -> Measure:
        """How losses are counted."""
        return self._measure

    @property
    def input_space(self) -> tuple[Domain, Metric]:
        """The domain and the metric that every query has."""
        return self._space

    @property
    def closed(self) -> bool:
        """Whether the session has ended."""
        return self._closed

    def _shown_distance(self) -> str:
        return write_number(self._space[1].present(self._d_in))

    def __repr__(self) -> str:
        measure, account = self._measure, self._account
        parts = [repr(measure)]
        if self._d_in is not None:
            parts.append(f"d_in={self._shown_distance()}")
            parts.append(f"spent={write_loss(measure, account.spent)}")
        if self._shares is not None:
            parts.append(f"{len(self._shares) - account.length} shares left")
        elif self._limit is not None:
            left = reduced(self._limit, account.spent)
            parts.append(f"left={write_left(measure, left)}")
        parts.append(f"queries={account.length}")
        return f"Session({', '.join(parts)}{', closed' if self._closed else ''})"
