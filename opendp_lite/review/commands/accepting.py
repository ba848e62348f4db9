"""Recording that a proof was read: by whom, against which code, with what result."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

from opendp_lite.review.commands.index import write_index
from opendp_lite.review.commands.reviewing import check, premises, statement_digests
from opendp_lite.review.problems import Problem, ReviewError
from opendp_lite.review.project import Project
from opendp_lite.review.records import (
    AMENDED,
    STATUSES,
    Reading,
    Review,
    note_path,
    people,
    read_reviews,
    write_reviews,
)

# What a new record settles, and what does not concern the proof alone.
_SETTLED = {"unrecorded", "code-changed", "text-changed", "premise-changed"}
_SETTLED |= {"record-broken", "note", "status", "rests-on-draft"}
_ELSEWHERE = {"lemma-unused", "proof-orphan"}

# What stands between a note and the one before it; by hand it was spaced otherwise.
_EARLIER = "\n\n---\n# Earlier reading\n"
_EARLIER_BY_HAND = re.compile(r"\n\s*---\s*\n# Earlier readings?\s*\n")


def accept(
    project: Project,
    names: list[str],
    reviewer: str | None,
    author: str | None = None,
    status: str = "draft",
    note: Path | None = None,
) -> list[str]:
    """Return a sentence about each proof whose reading, or amending, was recorded.

    Nothing is recorded unless all can be. A note is kept on top of the earlier ones.

    :param project: the package and its proofs
    :param names: names of proofs, such as measurements/make_laplace
    :param reviewer: who read them, if anybody other than the author did
    :param author: who wrote them, the first time; or who amended them
    :param status: draft, amended or vetted
    :param note: the file with the objections and their answers
    """
    names = [project.full_name(name) for name in names]
    reviews = read_reviews(project.folder)
    problems = check(project)
    foundations = premises(project, names)[1]
    said = _note_text(status, note)
    notes: dict[Path, str] = {}
    for name in names:
        _check_text_and_code(name, problems)
        old, tex = reviews.get(name), project.files[name]
        wrote, reading = _reading(name, old, reviewer, author, status)
        reviews[name] = Review(
            wrote,
            tex.digest,
            (*(old.readings if old else ()), reading),
            project.digests(tex),
            statement_digests(project, [name])[name],
        )
    for name in names:
        _check_foundations(name, reviews, foundations[name])
        if said is not None:
            path = note_path(project.folder, name)
            notes[path] = _on_top(said, path)
    for path, text in notes.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    write_reviews(project.folder, reviews)
    write_index(project)
    return [_sentence(project, name, status) for name in names]


def _reading(
    name: str,
    old: Review | None,
    reviewer: str | None,
    author: str | None,
    status: str,
) -> tuple[str, Reading]:
    """Return who wrote a proof, and the new entry of its record."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    if status == AMENDED:
        if old is None:
            raise ReviewError(
                f"{name} has no record yet, so there is nothing to amend."
            )
        if reviewer is not None or author is None or not author.strip():
            raise ReviewError(
                "who amends a proof is named by --author, and nobody has read it yet: "
                "leave --reviewer out."
            )
        return old.author, Reading(today, _clean(author), AMENDED)
    if old and author and people(author) != people(old.author):
        raise ReviewError(
            f"--author is {author!r}, and the record of {name} says that "
            f"{old.author!r} wrote it: the first author stays. Leave --author out; who "
            "changed it later is recorded by --status amended. Nothing was recorded."
        )
    wrote = old.author if old else author
    if wrote is None or not wrote.strip():
        raise ReviewError(f"{name} has no record yet: name who wrote it, by --author.")
    if reviewer is None or not reviewer.strip():
        raise ReviewError("name who read it, by --reviewer.")
    wrote = _clean(wrote)
    writers = [wrote, *(each.who for each in (old.amendments if old else ()))]
    if people(reviewer) & people(*writers):
        raise ReviewError(
            f"{reviewer} wrote or amended {name}, and nobody reviews their own proof. "
            "Let someone else read it. Nothing was recorded."
        )
    return wrote, Reading(today, _clean(reviewer), status)


def _clean(person: str) -> str:
    return " ".join(person.split())


def _note_text(status: str, note: Path | None) -> str | None:
    if status not in STATUSES:
        raise ReviewError(f"the status must be one of {', '.join(STATUSES)}.")
    if note is None:
        if status == "vetted":
            raise ReviewError(
                "`vetted` needs the note of the refereeing: objections and answers, in "
                "a file that --note names. Nothing was recorded."
            )
        return None
    if status == AMENDED:
        raise ReviewError("the note is of the refereeing; an amendment has none.")
    try:
        text = note.read_text(encoding="utf-8")
    except OSError as error:
        raise ReviewError(f"the note cannot be read: {error}.") from None
    if not text.strip():
        raise ReviewError(f"the note {note} is empty. Write what was objected to.")
    return text


def _on_top(said: str, path: Path) -> str:
    """Return a note with the kept one below it; nothing that is there is doubled."""
    kept = path.read_text(encoding="utf-8") if path.is_file() else ""
    if not kept.strip():
        return said
    new, old = (
        [each.strip() for each in _EARLIER_BY_HAND.split(text)] for text in (said, kept)
    )
    if old[: len(new)] == new:
        return kept
    if new[-len(old) :] == old:
        return said
    return f"{said.rstrip()}{_EARLIER}{kept}"


def _check_text_and_code(name: str, problems: list[Problem]) -> None:
    concern = [
        problem
        for problem in problems
        if (problem.proof == name and problem.kind not in _SETTLED | _ELSEWHERE)
        or (problem.proof == "" and problem.kind == "check-failed")
    ]
    if concern:
        listed = "\n".join(str(problem) for problem in concern)
        raise ReviewError(
            f"{name} cannot be accepted while this is wrong with it:\n{listed}"
        )


def _check_foundations(name: str, reviews: dict[str, Review], below: set[str]) -> None:
    weak = [
        each
        for each in sorted(below)
        if each not in reviews or reviews[each].status != "vetted"
    ]
    if reviews[name].status == "vetted" and weak:
        raise ReviewError(
            f"{name} cannot be vetted: it rests on {', '.join(weak)}, not vetted "
            "themselves. Let these be refereed first. Nothing was recorded."
        )


def _sentence(project: Project, name: str, status: str) -> str:
    text = f"{name} is recorded as {status}."
    tex = project.files[name]
    if not tex.is_lemma:
        subject = f"{tex.subject.module}.{tex.subject.name}"
        entry = project.registered.get(subject)
        if entry is not None and entry.status != status:
            text += f' Now write status="{status}" in the decorator of {entry.name}.'
    return text
