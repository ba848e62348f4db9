"""Recording that a proof was read: by whom, against which code, with what result."""

from __future__ import annotations

import datetime
from pathlib import Path

from opendp_lite.review.compare import code_digest
from opendp_lite.review.index import write_index
from opendp_lite.review.problems import Problem, ReviewError
from opendp_lite.review.project import Project
from opendp_lite.review.records import (
    STATUSES,
    Review,
    note_path,
    read_reviews,
    write_reviewed,
    write_reviews,
)
from opendp_lite.review.reviewing import check, premises

__all__ = ["accept"]

# What a new record settles, and what does not concern the proof alone.
_SETTLED = {"unrecorded", "code-changed", "text-changed", "premise-changed"}
_SETTLED |= {"record-broken", "note", "status", "rests-on-draft"}
_ELSEWHERE = {"lemma-unused", "proof-orphan"}


def accept(
    project: Project,
    names: list[str],
    reviewer: str,
    author: str | None = None,
    status: str = "draft",
    note: Path | None = None,
) -> list[str]:
    """Record the review of proofs, and return a sentence about each.

    Nothing is recorded unless all of them can be.
    """
    names = [project.full_name(name) for name in names]
    reviews = read_reviews(project.folder)
    problems = check(project)
    rests, foundations = premises(project)
    said = _note_text(status, note, names)
    new: dict[str, Review] = {}
    for name in names:
        _check_text_and_code(name, problems)
        wrote = author or (reviews[name].author if name in reviews else None)
        _check_people(name, reviewer, wrote)
        tex = project.files[name]
        new[name] = Review(
            status,
            _clean(wrote or ""),
            _clean(reviewer),
            datetime.datetime.now(datetime.UTC).date().isoformat(),
            tex.digest,
            code_digest(project.sections(tex)),
            project.premises(tex, rests[name]),
        )
    reviews |= new
    for name in names:
        _check_foundations(name, reviews, foundations[name])
    for name in names:
        write_reviewed(project.folder, name, project.sections(project.files[name]))
        if said is not None:
            path = note_path(project.folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(said, encoding="utf-8")
    write_reviews(project.folder, reviews)
    write_index(project)
    return [_sentence(project, name, status) for name in names]


def _clean(person: str) -> str:
    return " ".join(person.split())


def _note_text(status: str, note: Path | None, names: list[str]) -> str | None:
    if status not in STATUSES:
        raise ReviewError(f"the status must be one of {', '.join(STATUSES)}.")
    if note is None:
        if status == "vetted":
            raise ReviewError(
                "`vetted` needs the note of the refereeing: objections and answers, in "
                "a file that --note names. Nothing was recorded."
            )
        return None
    if len(names) > 1:
        raise ReviewError("a note is about one proof: accept them one by one.")
    try:
        text = note.read_text(encoding="utf-8")
    except OSError as error:
        raise ReviewError(f"the note cannot be read: {error}.") from None
    if not text.strip():
        raise ReviewError(f"the note {note} is empty. Write what was objected to.")
    return text


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


def _check_people(name: str, reviewer: str, author: str | None) -> None:
    if author is None or not author.strip():
        raise ReviewError(f"{name} has no record yet: name who wrote it, by --author.")
    if not reviewer.strip():
        raise ReviewError("name who read it, by --reviewer.")
    authors = {_clean(each).casefold() for each in author.split(",")}
    if {_clean(each).casefold() for each in reviewer.split(",")} & authors:
        raise ReviewError(
            f"{reviewer} wrote {name}, and nobody reviews their own proof. Let someone "
            "else read it. Nothing was recorded."
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
