"""What was asked of a session, as a tree: each query, its distances, and its charge.

Only queries, distances and losses are read. The data of a session are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from opendp_lite.base.aliases import Distance
from opendp_lite.sessions.losses import shown_loss
from opendp_lite.sessions.queryable import Queryable
from opendp_lite.sessions.session import Entry, Session
from opendp_lite.show.explaining.deriving import parsed, step_of
from opendp_lite.show.explaining.sentences import sentence_so_far
from opendp_lite.show.explaining.showing import place_of_function
from opendp_lite.show.explaining.steps import (
    Assumption,
    At,
    Explanation,
    Step,
    mapped,
    told,
)

_SESSION = "of the compositor that opened it"
_GOES_ON = "of the measurement that released it"
_OWN = "all its answers together lose no more than the map of that measurement states"

# How a query was written, and the steps of what was opened by it.
Below = Callable[[Entry], tuple[str, list[Step]]]


def explain_session(session: Session, d_in: Distance = None) -> Explanation:
    """Return what was asked of a session, what it cost, and what is below it.

    :param session: of which nothing is asked
    :param d_in: where losses are told; the distance of the session by default
    """
    whole = session_step(session, d_in, _below)
    return Explanation("Session", whole, sentence_so_far(whole))


def explain_queryable(queryable: Queryable, transition: object = None) -> Explanation:
    """Return what is known of a release that goes on answering.

    :param queryable: what was released
    :param transition: the function that answers, if it is known
    """
    assumed = Assumption(_OWN, place_of_function(transition))
    step = Step(repr(queryable), _GOES_ON, assumptions=(assumed,))
    return Explanation("Queryable", step)


def session_step(
    session: Session, d_in: Distance, below: Below, kind: str = "Session"
) -> Step:
    """Return a session as a step, whose parts are what was asked of it.

    :param session: of which nothing is asked
    :param d_in: where losses are told; None for the distance of the session
    :param below: returns how an entry was written, and what was opened by it
    :param kind: what it is called
    """
    (domain, metric), measure = session.input_space, session.output_measure
    at, loss, note = None, None, None
    if d_in is not None:
        at = parsed(metric, d_in)
        loss, note = mapped(
            lambda _: measure.parse(session.privacy_loss(d_in, exact=True)), at, measure
        )
    elif session.d_in is not None:
        at = At(session.d_in, told(session.d_in, metric))
        spent = shown_loss(measure, session._account.spent, exact=True)
        loss, note = mapped(measure.parse, At(spent, at.told), measure)
    return Step(
        kind,
        _SESSION,
        arguments=tuple(_about(session)),
        input_domain=domain,
        input_metric=metric,
        output_measure=measure,
        d_in=None if at is None else at.told,
        d_out=None if loss is None else loss.told,
        parts=tuple(_entry(session, each, at, below) for each in session.journal()),
        notes=() if note is None else (note,),
    )


def _about(session: Session) -> Iterator[tuple[str, str]]:
    """Yield the limit of a session and what is left of it, as text."""
    measure = session.output_measure
    if session.planned is not None:
        shares = ", ".join(str(told(each, measure)) for each in session.planned)
        yield "shares", shares
    elif session.limit is not None:
        yield "limit", str(told(session.limit, measure))
        left = measure.parse(session.remaining(exact=True))
        yield "left", told(left, measure).exact  # not rounded up
    yield "queries", str(session.asked)
    if session.closed:
        yield "closed", "yes"


def _entry(session: Session, entry: Entry, at: At | None, below: Below) -> Step:
    """Return a query of a session with what it was charged."""
    text, opened = below(entry)
    charged = None if entry.loss is None else told(entry.loss, session.output_measure)
    query = step_of(entry.query, at)
    return Step(
        f"query {entry.number}{text}",
        "",  # its parts have proofs
        d_in=query.d_in,
        d_out=query.d_out,
        charged=charged,
        state=entry.state,
        parts=(query, *opened),
    )


def _below(entry: Entry) -> tuple[str, list[Step]]:
    """Return nothing that was written, and the session that was opened."""
    opened = entry.session
    return "", [] if opened is None else [session_step(opened, None, _below)]
