"""Assumptions about what is trusted are named by every proof that reaches it.

An entry of trusted.toml may carry the names of what is assumed of it, such as E3 for
the stream of bits of a bulk draw. A proof whose code calls it, or rests on a proof or
lemma whose code does, is true under this assumption only, so its text must say (E3).
"""

from __future__ import annotations

from collections.abc import Iterator

from opendp_lite.review.problems import Problem
from opendp_lite.review.project import Project

__all__ = ["check_assumptions"]


def check_assumptions(
    project: Project, rests: dict[str, set[str]], trusts: dict[str, set[str]]
) -> Iterator[Problem]:
    """Yield the proofs that do not name an assumption under which they hold.

    `rests` leads from a file to those that state what its code calls, and `trusts` to
    the trusted names that its code calls.
    """
    assumed = {
        name: entry.assumptions
        for entry in project.trusted.values()
        for name in entry.covers
    }
    for name, tex in project.proofs.items():
        for assumption, chain in sorted(_reached(name, rests, trusts, assumed).items()):
            if f"({assumption})" not in tex.text:
                *through, callee = chain
                way = f" through {', '.join(through)}" if through else ""
                yield Problem(
                    "assumption",
                    name,
                    f"its code reaches {callee}{way}, of which ({assumption}) is "
                    "assumed, and the text does not say so.",
                    f"Name ({assumption}) where the proof says what it trusts, and "
                    "where it is stated.",
                )


def _reached(
    start: str,
    rests: dict[str, set[str]],
    trusts: dict[str, set[str]],
    assumed: dict[str, tuple[str, ...]],
) -> dict[str, list[str]]:
    """Return each assumption that is reached, with a shortest way to it."""
    found: dict[str, list[str]] = {}
    ways = {start: list[str]()}
    waiting = [start]
    for name in waiting:
        for callee in sorted(trusts[name]):
            for assumption in assumed[callee]:
                found.setdefault(assumption, [*ways[name], callee])
        for other in sorted(rests[name] - ways.keys()):
            ways[other] = [*ways[name], other]
            waiting.append(other)
    return found
