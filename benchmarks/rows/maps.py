"""Privacy maps, and the search for a parameter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.harness import OURS, Call, Contender, Goal, Row
from benchmarks.peers import load

__all__ = ["rows"]


def mechanism(dp: Any, law: str) -> Callable[[float], Any]:
    """Noise on one float, as a function of the scale."""
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    make = getattr(dp.m, f"make_{law}")
    return lambda scale: make(*space, scale=scale)


def map_of(name: str, law: str) -> Call:
    """The map of noise on one float."""
    measurement = mechanism(load(name), law)(10.0)
    return lambda: measurement.map(1.0)


def map_of_chain(name: str) -> Call:
    """The map of clamp + sum + Laplace."""
    dp = load(name)
    measurement = (
        (dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance())
        >> dp.t.then_clamp((0, 100))
        >> dp.t.then_sum()
        >> dp.m.then_laplace(scale=100.0)
    )
    return lambda: measurement.map(1)


def search(name: str, law: str) -> Call:
    """The least scale that loses at most 0.7 at distance 1."""
    dp = load(name)
    make = mechanism(dp, law)
    return lambda: dp.binary_search_param(make, d_in=1.0, d_out=0.7)


def pair(key: str, title: str, build: Callable[[str], Call], note: str) -> Row:
    """A row of the two libraries that have the work."""
    return Row(
        key,
        title,
        "call",
        (
            Contender(OURS, lambda: build(OURS)),
            Contender("OpenDP", lambda: build("OpenDP")),
        ),
        (Goal(("OpenDP",), 20),),
        note,
    )


def rows() -> list[Row]:
    """Maps and searches."""
    at = "one float, scale 10, at d_in = 1"
    to = "one float, d_in = 1, d_out = 0.7"
    return [
        pair("map-laplace", ".map(), Laplace", lambda dp: map_of(dp, "laplace"), at),
        pair("map-gaussian", ".map(), Gaussian", lambda dp: map_of(dp, "gaussian"), at),
        pair("map-chain", ".map(), clamp + sum + Laplace", map_of_chain, "integers"),
        pair(
            "search-laplace",
            "binary_search_param, Laplace",
            lambda dp: search(dp, "laplace"),
            to,
        ),
        pair(
            "search-gaussian",
            "binary_search_param, Gaussian",
            lambda dp: search(dp, "gaussian"),
            to,
        ),
    ]
