"""What trusted.toml says: every entry is there, is needed, and gives its reason.

An entry of a class covers the making of its objects, and of its methods those that it
lists; the reason must say something about each of these, so it names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from opendp_lite.review.code.quoting import find
from opendp_lite.review.places import line_place
from opendp_lite.review.problems import Problem, ReviewError
from opendp_lite.review.project import TRUSTED, Project, Trusted

__all__ = ["check_trusted"]


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
