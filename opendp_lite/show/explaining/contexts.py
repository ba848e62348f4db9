"""What was asked of a Context, as a tree, and what a query would do: `explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from opendp_lite.base.aliases import Distance
from opendp_lite.context.journal import brief
from opendp_lite.sessions.session import Entry
from opendp_lite.show.explaining.asked import session_step
from opendp_lite.show.explaining.deriving import explanation, parsed, step_of
from opendp_lite.show.explaining.sentences import sentence_so_far
from opendp_lite.show.explaining.steps import Assumption, Explanation, Step

if TYPE_CHECKING:
    from opendp_lite.context.contexts import Context
    from opendp_lite.context.queries import Query


_INFERRED = (
    "the domain was inferred from the types of the data, which are taken for public"
)


def explain_context(context: Context, d_in: Distance = None) -> Explanation:
    """Return how a Context counts, and what was asked of it.

    :param context: of which nothing is asked
    :param d_in: where losses are told; the distance of the Context by default
    """
    whole = _step(context, context.d_in if d_in is None else d_in)
    metric = context.query_space[1]
    at = parsed(metric, context.d_in if d_in is None else d_in)
    parts = step_of(context.accountant, at), *whole.parts
    assumed = (Assumption(_INFERRED),) if context._inferred else ()
    whole = attrs.evolve(whole, parts=parts, assumptions=assumed)
    return Explanation("Context", whole, sentence_so_far(whole))


def explain_query(query: Query, d_in: Distance, kind: str) -> Explanation:
    """Return what the measurement of a query does, and what it costs.

    :param query: whose free parameter is solved for
    :param d_in: the distance of the data; that of the query by default
    :param kind: what it is called, or how it was written
    """
    made: Any = query.resolve(allow_transformations=True)
    found = explanation(made, query._d_in if d_in is None else d_in)
    return attrs.evolve(found, kind=kind)


def _step(context: Context, d_in: Distance) -> Step:
    """Return a Context as a step; below each query is the Context that it opened."""

    def below(entry: Entry) -> tuple[str, list[Step]]:
        note = context._notes.get(entry.number)
        written = None if note is None else note.told
        text = f": {brief(entry.query) if written is None else written}"
        child = None if note is None else note.child
        return text, [] if child is None else [_step(child, child.d_in)]

    return session_step(context.queryable, d_in, below, "Context")
