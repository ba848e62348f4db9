# ruff: noqa
# fmt: off
# What was read of opendp_lite.sessions.session; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Sequence
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import Distance
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactLoss
from opendp_lite.base.aliases import Value
from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.sessions.losses import added
from opendp_lite.sessions.losses import is_exclusive
from opendp_lite.sessions.losses import no_loss
from opendp_lite.sessions.losses import reduced
from opendp_lite.sessions.losses import shown_left
from opendp_lite.sessions.losses import shown_loss
from opendp_lite.sessions.queryable import Queryable
from opendp_lite.sessions.trees import Link
from opendp_lite.sessions.trees import OPENED
from opendp_lite.sessions.trees import Tree
from opendp_lite.sessions.trees import check_alone
from opendp_lite.sessions.trees import check_process
from opendp_lite.sessions.trees import check_turn
from opendp_lite.sessions.trees import take_turn
from typing import Any
from typing import Literal
import attrs

opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.ExactLoss: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.sessions.trees.OPENED: contextvars.ContextVar[opendp_lite.sessions.trees.Link | None] = contextvars.ContextVar('OPENED', default=None)
opendp_lite.sessions.queryable.Queryable.__deepcopy__, __copy__, __reduce_ex__ = _refuse_copy
opendp_lite.base.aliases.Value: typing.TypeAlias = typing.Any
_SAME_FIX = "Build the query on the session's own input_space and output_measure"
opendp_lite.base.aliases.Distance: typing.TypeAlias = object


# === Session.__init__ with Sequence, Data, ExactDistance, ExactLoss, Domain, Measure,
#    Metric, no_loss, Queryable, OPENED, Tree, Any,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.ExactLoss,
#    opendp_lite.base.aliases.Data, opendp_lite.sessions.trees.OPENED,
#    opendp_lite.sessions.queryable.Queryable.__deepcopy__
class Session(Queryable):
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
        self._tree = Tree(OPENED.get())
        self._closed = False
        self._parent: Session | None = None
        self._entry: Entry | None = None
        self._children: list[Session] = []
        self._sums: dict[Any, tuple[int, ExactLoss]] = {}


# === Session.ask with Value, Queryable, check_alone, Any,
#    opendp_lite.base.aliases.Value
class Session(Queryable):
    def ask(self, query: Value) -> Any:
        loss = self._admit(query)
        check_alone(self._tree)
        with self._tree.lock:
            due, spent = self._due(loss)
            entry, link = self._charge(query, loss, due, spent)
        return self._run(query, entry, link)


# === Session._admit with ExactLoss, Value, refusal, Measurement, Queryable,
#    check_process, opendp_lite.base.aliases.ExactLoss, opendp_lite.base.aliases.Value,
#    _SAME_FIX
class Session(Queryable):
    def _admit(self, query: Value) -> ExactLoss:
        if not issubclass(type(query), Measurement):
            rule = f"must be a Measurement, not a {type(query).__name__}"
            fix = "Write space >> then_...(); bound an odometer by make_privacy_filter"
            raise refusal("FailedFunction", "query", query, rule, fix)
        if query.exclusive:
            rule = "must be all that is released from its sample, and a session asks on"
            fix = "Compose first, by make_composition, and amplify the whole"
            raise refusal("FailedFunction", "query", query, rule, fix)
        domain, metric = self._space
        if query.input_domain != domain:
            rule = f"takes {query.input_domain!r}, the session holds {domain!r}"
            raise refusal("DomainMismatch", "query", query, rule, _SAME_FIX)
        if not metric.matches(query.input_metric):
            rule = f"measures by {query.input_metric!r}, the session by {metric!r}"
            raise refusal("MetricMismatch", "query", query, rule, _SAME_FIX)
        if query.output_measure != self._measure:
            rule = (
                f"counts loss by {query.output_measure!r}, the session by "
                f"{self._measure!r}"
            )
            fix = "Convert it, for example by make_approximate or make_pureDP_to_zCDP"
            raise refusal("MeasureMismatch", "query", query, rule, fix)
        check_process(self._tree.process)
        return (
            None if self._d_in is None else query.privacy_map(self._d_in)
        )


# === Session._due with ExactLoss, OpenDPException, added, reduced, shown_left,
#    shown_loss, Queryable, check_turn, opendp_lite.base.aliases.ExactLoss
class Session(Queryable):
    def _due(self, loss: ExactLoss) -> tuple[ExactLoss, ExactLoss]:
        if self._closed:
            rule = "this session is closed. Ask the session above it, or open another."
            raise OpenDPException("FailedFunction", rule)
        check_turn(self._tree.link)
        if self._limit is None:
            return loss, self._account.spent
        if self._shares is not None:
            loss = self._share_due(loss)
        spent = added(self._account.spent, loss)
        if not self._measure.at_most(spent, self._limit):
            rest = reduced(self._limit, self._account.spent)
            left = shown_left(self._measure, rest)
            raise OpenDPException(
                "FailedFunction",
                f"the query loses {shown_loss(self._measure, loss)} at "
                f"d_in={self._shown_distance()}, and {left} of the limit is left. "
                "Nothing was spent: ask for less, with more noise.",
            )
        return loss, spent


# === Session._share_due with ExactLoss, OpenDPException, shown_left, shown_loss,
#    Queryable, opendp_lite.base.aliases.ExactLoss
class Session(Queryable):
    def _share_due(self, loss: ExactLoss) -> ExactLoss:
        assert self._shares is not None
        number = self._account.length
        if number == len(self._shares):
            raise OpenDPException(
                "FailedFunction",
                f"all {len(self._shares)} queries that were planned have been asked. "
                "Give d_mids more shares, or use make_privacy_filter.",
            )
        share = self._shares[number]
        if not self._measure.at_most(loss, share):
            raise OpenDPException(
                "FailedFunction",
                f"the query loses {shown_loss(self._measure, loss)} at "
                f"d_in={self._shown_distance()}, and its share is "
                f"{shown_left(self._measure, share)}. Nothing was spent: ask "
                "for less, with more noise.",
            )
        return share


# === Session._charge with ExactLoss, Measurement, is_exclusive, Queryable, Link,
#    take_turn, opendp_lite.base.aliases.ExactLoss
class Session(Queryable):
    def _charge(
        self, query: Measurement, loss: ExactLoss, due: ExactLoss, spent: ExactLoss
    ) -> tuple[Entry, Link]:
        entries, number = self._account.entries, self._account.length
        del entries[number:]
        entry = Entry(number, query, due)
        entries.append(entry)
        self._account = _Account(spent, entries, number + 1)
        take_turn(self._tree.link)
        self._tree.turn += 1
        alone = is_exclusive(self._measure, loss)
        link = Link(self._tree, self._tree.turn if alone else None)
        return entry, link


# === Session._run with Measurement, Queryable, Link, OPENED, Any, Literal,
#    opendp_lite.sessions.trees.OPENED
class Session(Queryable):
    def _run(self, query: Measurement, entry: Entry, link: Link) -> Any:
        state: Literal["released", "failed"] = "failed"
        before = OPENED.get()
        try:
            OPENED.set(link)
            answer = query.function(self._data)
            state = "released"
        finally:
            entry.state = state
            OPENED.set(before)
        if query.opens_session and type(answer) is Session:
            answer._join(self, entry, link)
        return answer


# === Session._join with Queryable, Link
class Session(Queryable):
    def _join(self, parent: Session, entry: Entry, link: Link) -> None:
        if self._tree.link is not link:
            return
        with parent._tree.lock:
            self._tree = parent._tree
            self._closed = parent._closed
            self._parent, self._entry = parent, entry
            parent._children.append(self)
            entry.session = self


# === Session.close with Queryable, check_alone, check_process
class Session(Queryable):
    def close(self) -> None:
        check_process(self._tree.process)
        check_alone(self._tree)
        with self._tree.lock:
            self._close()


# === Session._close with Queryable
class Session(Queryable):
    def _close(self) -> None:
        nodes = [] if self._closed else [self]
        for node in nodes:
            nodes += [
                each for each in node._children if not each._closed
            ]
        for node in reversed(nodes):
            node._closed = True
            if node._parent is not None and node._entry is not None:
                used = node._account.spent
                node._parent._take_back(node._entry, used)


# === Session._take_back with ExactLoss, added, reduced, Queryable, attrs,
#    opendp_lite.base.aliases.ExactLoss
class Session(Queryable):
    def _take_back(self, entry: Entry, used: ExactLoss) -> None:
        if self._limit is None or self._shares is not None:
            return
        if self._measure.at_most(used, entry.loss):
            account = self._account
            rest = reduced(account.spent, entry.loss)
            entries = account.entries[: account.length]
            entries[entry.number] = attrs.evolve(entry, loss=used)
            spent = added(rest, used)
            self._account = _Account(spent, entries, account.length)


# === Session.privacy_loss with Distance, added, no_loss, shown_loss, Queryable,
#    check_process, Any, opendp_lite.base.aliases.Distance
class Session(Queryable):
    def privacy_loss(self, d_in: Distance, *, exact: bool = False) -> Any:
        check_process(self._tree.process)
        d = self._space[1].parse(d_in)
        measure = self._measure
        with self._tree.lock:
            if self._d_in is not None and d == self._d_in:
                return shown_loss(measure, self._account.spent, exact)
            done, loss = self._sums.get(d, (0, no_loss(measure)))
            entries = self._account.entries[done : self._account.length]
        for entry in entries:
            loss = added(loss, entry.query.privacy_map(d))
        with self._tree.lock:
            self._sums[d] = done + len(entries), loss
        return shown_loss(measure, loss, exact)
