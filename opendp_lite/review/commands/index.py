"""INDEX.md: one line for every proof, generated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from opendp_lite.review.problems import Place, Problem
from opendp_lite.review.project import DOORS, Project
from opendp_lite.review.records import Review, read_reviews
from opendp_lite.review.tex.texfile import TexFile

_HEAD = """\
# Index of proofs

Written by `opendp-lite proofs build`; do not edit. *Vetted* means refereed by someone
who did not write the proof, with a note of the refereeing in `reviewed/`. *Amended*
means changed since by an author, and not read again. Reviewer and date are those of the
last reading.
"""


def index_path(project: Project) -> Path:
    """Return where the index is."""
    return project.folder / "INDEX.md"


def _cell(parts: list[str]) -> str:
    return "<br>".join(part.replace("|", "\\|") for part in parts) or "none"


def _words(macro: str) -> str:
    return re.sub(r"(?<=[a-z])([A-Z])", lambda m: f" {m.group().lower()}", macro)


def _review(review: Review | None) -> list[str]:
    if review is None:
        return ["not recorded", "", ""]
    return [review.standing, review.verdict.who, review.verdict.date]


def _proof_row(tex: TexFile, review: Review | None) -> list[str]:
    items = tex.conditions("humanverified") or ()
    subject = tex.subject.name if tex.subjects else tex.name
    return [
        f"[`{subject}`]({tex.name}.tex)",
        *_review(review),
        _cell([_words(macro) for macro, _ in tex.postconditions]),
        _cell([item.human or item.text for item in items]),
        _cell([f"`{each.name}`" for each in tex.quotes]),
        _cell(list(dict.fromkeys(f"`{each.name}`" for each in tex.checked))),
    ]


def _users(project: Project, name: str) -> list[str]:
    citing = [
        other
        for other, tex in project.files.items()
        if name.removeprefix("lemmas/") in {each.name for each in tex.lemmas}
    ]
    users = [f"`{each.rpartition('/')[2]}`" for each in citing]
    return ["every constructor", *users] if name == DOORS else users


def _lemma_row(project: Project, tex: TexFile, review: Review | None) -> list[str]:
    name = tex.name.removeprefix("lemmas/")
    return [
        f"[{name}]({tex.name}.tex)",
        *_review(review),
        _cell(_users(project, tex.name)),
        _cell(list(dict.fromkeys(f"`{each.name}`" for each in tex.checked))),
    ]


def _table(head: list[str], rows: list[list[str]]) -> Iterator[str]:
    for row in (head, ["---"] * len(head), *rows):
        yield " ".join(["|", " | ".join(row), "|"])


def index_text(project: Project) -> str:
    """Return the text of the index."""
    reviews = read_reviews(project.folder)
    proofs = project.proofs.items()
    registered = {f"{e.module}.{e.name}" for e in project.registered.values()}
    kinds: dict[str, list[list[str]]] = {"Constructors": [], "What they rest on": []}
    for name, tex in proofs:
        subject = f"{tex.subject.module}.{tex.subject.name}" if tex.subjects else ""
        kind = "Constructors" if subject in registered else "What they rest on"
        kinds[kind].append(_proof_row(tex, reviews.get(name)))
    head = ["Status", "Reviewer", "Date"]
    columns = ["Postcondition", "Human-verified", "Quoted", "Checked steps"]
    lines = [_HEAD]
    for title, rows in kinds.items():
        if rows:
            first = "Constructor" if title == "Constructors" else "Function"
            lines += [f"## {title}", "", *_table([first, *head, *columns], rows), ""]
    rows = [
        _lemma_row(project, tex, reviews.get(name))
        for name, tex in project.lemmas.items()
    ]
    if rows:
        columns = ["Used by", "Checked steps"]
        lines += ["## Lemmas", "", *_table(["Lemma", *head, *columns], rows), ""]
    return "\n".join(lines)


def write_index(project: Project) -> bool:
    """Return whether the index was stale, and was written anew.

    :param project: the package and its proofs
    """
    path, text = index_path(project), index_text(project)
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    path.write_text(text, encoding="utf-8")
    return True


def check_index(project: Project) -> Iterator[Problem]:
    """Yield a problem if the index is not what it should be."""
    path = index_path(project)
    if not path.is_file() or path.read_text(encoding="utf-8") != index_text(project):
        message = f"{path.name} is missing or stale."
        fix = "Run `opendp-lite proofs index`."
        yield Problem("index", "", message, fix, place=Place(1, file=path.name))
