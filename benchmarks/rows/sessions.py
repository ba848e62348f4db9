"""Many queries through one budget: what a query costs besides its noise."""

from __future__ import annotations

from typing import Any

from benchmarks.harness import OURS, Call, Contender, Goal, Row
from benchmarks.peers import load

__all__ = ["MANY", "QUERIES", "SOLVED", "rows"]

QUERIES, SOLVED, MANY = 500, 20, 100_000
_MADE = "make_privacy_filter, one session for all"


def asked(name: str) -> Call:
    """Open a session and ask it, through the same lines of either library."""
    dp = load(name)
    space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    odometer = dp.c.make_fully_adaptive_composition(*space, dp.max_divergence())
    filtering = dp.c.make_privacy_filter(odometer, d_in=1, d_out=1e9)
    query = dp.m.make_laplace(*space, scale=1e3)

    def call() -> Any:
        session = filtering(3)
        return [session(query) for _ in range(QUERIES)]

    return call


def opened(name: str) -> Call:
    """Open a Context with a budget of 1."""
    dp = load(name)
    domain = dp.vector_domain(dp.atom_domain(T=int))
    return lambda: dp.Context.compositor(
        data=[1, 2, 3],
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=1.0),
        domain=domain,
    )


def queried(name: str) -> Call:
    """Open a Context and ask it for counts, whose scale is to be found."""
    new_context = opened(name)

    def call() -> Any:
        context = new_context()
        return [
            context.query(epsilon=2.0**-10).count().laplace().release()
            for _ in range(SOLVED)
        ]

    return call


def many() -> Call:
    """Open a Context, and ask it a hundred thousand times: no time grows."""
    new_context = opened(OURS)

    def call() -> Any:
        context = new_context()
        query = context.query(epsilon=2.0**-20).count().laplace()
        for _ in range(MANY):
            query.release()
        return context.remaining_privacy_loss()

    return call


def rows() -> list[Row]:
    """Three rows: times are for one query."""
    solved = "Context.query().count().laplace().release(), the scale solved for"
    return [
        Row(
            "session-filter",
            f"a query through a privacy filter, {QUERIES} in a session",
            "query",
            (
                Contender(OURS, lambda: asked(OURS), QUERIES, note=_MADE),
                Contender("OpenDP", lambda: asked("OpenDP"), QUERIES, note=_MADE),
            ),
            (Goal(("OpenDP",), 10),),
            "Laplace 1000, int",
        ),
        Row(
            "session-context",
            f"a query through a Context, its scale solved for, {SOLVED} in a budget",
            "query",
            (
                Contender(OURS, lambda: queried(OURS), SOLVED, note=solved),
                Contender("OpenDP", lambda: queried("OpenDP"), SOLVED, note=solved),
            ),
            (Goal(("OpenDP",), 20),),
            "a count, Laplace 1024, int",
        ),
        Row(
            "session-many",
            f"a query through a Context, {MANY:,} in a budget",
            "query",
            (Contender(OURS, many, MANY, note="one query, released again and again"),),
            (),
            "a count, Laplace 2^20, int",
        ),
    ]
