"""Many queries through one privacy filter: what a query costs besides its noise."""

from __future__ import annotations

from typing import Any

from benchmarks.harness import OURS, Call, Contender, Goal, Row
from benchmarks.peers import load

__all__ = ["QUERIES", "rows"]

QUERIES = 500
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


def rows() -> list[Row]:
    """One row: times are for one query."""
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
        )
    ]
