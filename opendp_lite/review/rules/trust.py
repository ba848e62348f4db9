"""What trusted.toml says: each entry is needed, and its assumptions are named.

An entry of trusted.toml may carry the names of what is assumed of it, such as E3 for
the stream of bits of a bulk draw. A proof whose code calls it, or rests on a proof or
lemma whose code does, is true under this assumption only, so its text must say (E3).

An entry of a class covers the making of its objects, and of its methods those that it
lists; the reason must say something about each of these, so it names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from opendp_lite.review.code.quoting import find
from opendp_lite.review.problems import Problem, ReviewError
from opendp_lite.review.project import TRUSTED, Project, Trusted
from opendp_lite.review.records import line_place


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


def check_trusted(project: Project, trusts: dict[str, set[str]]) -> Iterator[Problem]:
    """Yield what is wrong with the entries, given what each file takes on trust."""
    used = set().union(*trusts.values())
    for entry in project.trusted.values():
        yield from _check_reason(project, entry)
        for name in entry.covers:
            if not _exists(project, name):
                message = (
                    f"trusted.toml names {name}, which the package does not define."
                )
                yield _finding(project, entry, message, "Correct or remove the entry.")
            elif name not in used and (name != entry.name or not entry.methods):
                message = f"no quoted code needs {name}, which trusted.toml names."
                yield _finding(project, entry, message, "Remove the entry.")


def _finding(project: Project, entry: Trusted, message: str, fix: str) -> Problem:
    place = line_place(project.folder, TRUSTED, f'"{entry.name}"')
    return Problem("trusted", "", message, fix, place=place)


def _check_reason(project: Project, entry: Trusted) -> Iterator[Problem]:
    if not entry.reason.strip():
        message = f"trusted.toml gives no reason for {entry.name}."
        yield _finding(project, entry, message, "Say why it needs no proof.")
    words = set(re.findall(r"\w+", entry.reason))
    for method in entry.methods:
        if method not in words:
            message = (
                f"trusted.toml lists the method {method} of {entry.name}, and the "
                "reason does not name it."
            )
            fix = "Say in the reason why this method needs no proof."
            yield _finding(project, entry, message, fix)


def _exists(project: Project, name: str) -> bool:
    parts = name.split(".")
    for cut in range(1, len(parts)):
        module = project.library.module(".".join(parts[:cut]))
        if module is not None:
            try:
                return bool(find(module, ".".join(parts[cut:])))
            except ReviewError:
                continue
    return False
