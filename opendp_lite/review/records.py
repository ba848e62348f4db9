"""The records of review: reviews.toml, the reviewed code, the referee's notes.

proofs/reviews.toml                 who read what, when, and digests of what was read
proofs/reviewed/<name>.py           the code that was read, per quoted function
proofs/reviewed/<name>.md           the note of the refereeing, for a vetted proof
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import attrs

from opendp_lite.review.compare import code_digest, difference, same_code
from opendp_lite.review.problems import Problem, ReviewError
from opendp_lite.review.project import Project, read_toml
from opendp_lite.review.texfile import TexFile

__all__ = [
    "STATUSES",
    "Review",
    "check_code",
    "check_records",
    "is_current",
    "note_path",
    "read_reviewed",
    "read_reviews",
    "reviewed_path",
    "write_reviewed",
    "write_reviews",
]

STATUSES = ("draft", "vetted")
_HEADER = re.compile(r"^# === (\S+) ===$", re.MULTILINE)
_PREFACE = """\
# ruff: noqa
# fmt: off
# The code that was reviewed with the proof {name}; written by
# `opendp-lite proofs accept`, never by hand, and never run.
"""


@attrs.frozen
class Review:
    """One record. `premises` are digests of the statements that the proof rests on."""

    status: str
    author: str
    reviewer: str
    date: str
    tex: str
    code: str
    premises: dict[str, str] = attrs.field(factory=dict)


def read_reviews(folder: Path) -> dict[str, Review]:
    """Return all records by the name of the proof."""
    path = folder / "reviews.toml"
    reviews = {}
    for name, table in read_toml(path).items():
        try:
            reviews[name] = Review(**table)
        except TypeError as error:
            raise ReviewError(
                f"{path} has a broken record of {name}: {error}."
            ) from None
        if reviews[name].status not in STATUSES:
            raise ReviewError(
                f"{path} gives {name} the status {reviews[name].status!r}; it must be "
                f"one of {', '.join(STATUSES)}."
            )
    return reviews


def write_reviews(folder: Path, reviews: dict[str, Review]) -> None:
    """Write all records, in the order of their names."""
    lines = ["# Written by `opendp-lite proofs accept`: who read what, and when."]
    for name in sorted(reviews):
        fields = attrs.asdict(reviews[name])
        premises = fields.pop("premises")
        lines += ["", f"[{_quoted(name)}]"]
        lines += [f"{key} = {_quoted(value)}" for key, value in fields.items()]
        if premises:
            lines.append(f"[{_quoted(name)}.premises]")
        lines += [f"{_quoted(k)} = {_quoted(premises[k])}" for k in sorted(premises)]
    (folder / "reviews.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _quoted(text: str) -> str:
    # A JSON string is a TOML string, once DEL is escaped too.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def reviewed_path(folder: Path, name: str) -> Path:
    """Return where the reviewed code of a proof is kept."""
    return folder / "reviewed" / f"{name}.py"


def note_path(folder: Path, name: str) -> Path:
    """Return where the note of the refereeing is kept."""
    return folder / "reviewed" / f"{name}.md"


def read_reviewed(folder: Path, name: str) -> dict[str, str]:
    """Return the reviewed code of a proof, per quoted function."""
    try:
        text = reviewed_path(folder, name).read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    _, *parts = _HEADER.split(text)
    return {
        header: body.strip() + "\n"
        for header, body in zip(parts[::2], parts[1::2], strict=True)
    }


def write_reviewed(folder: Path, name: str, sections: dict[str, str]) -> None:
    """Write the reviewed code of a proof; a proof without code has no file."""
    path = reviewed_path(folder, name)
    if not sections:
        path.unlink(missing_ok=True)
        return
    blocks = [f"# === {header} ===\n\n{sections[header]}" for header in sections]
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "\n\n".join([_PREFACE.format(name=name), *blocks])
    path.write_text(text, encoding="utf-8")


def check_records(
    project: Project, reviews: dict[str, Review], rests: dict[str, set[str]]
) -> Iterator[Problem]:
    """Yield where text, code or premises part from what was reviewed."""
    for name, tex in project.files.items():
        if name not in reviews:
            yield Problem(
                "unrecorded",
                name,
                "nobody has been recorded as having read this.",
                f"When someone has, run `opendp-lite proofs accept {name} --author WHO "
                "--reviewer WHO`.",
            )
            continue
        review = reviews[name]
        yield from check_code(project, tex, review)
        if tex.digest != review.tex:
            yield Problem(
                "text-changed",
                name,
                f"the text of the proof changed since {_read_by(review)}.",
                f"Read it again (`git diff` shows what changed), then {_accept(name)}.",
            )
        yield from _check_premises(project, tex, review, rests[name])
        note = note_path(project.folder, name)
        if review.status == "vetted" and not (
            note.is_file() and note.read_text(encoding="utf-8").strip()
        ):
            message = f"it is vetted, and {note} is missing or empty."
            yield Problem("note", name, message, "Restore the note of the refereeing.")
    yield from _check_strays(project, reviews)


def _read_by(review: Review) -> str:
    return f"it was read by {review.reviewer} on {review.date}"


def _accept(name: str) -> str:
    return f"`opendp-lite proofs accept {name} --reviewer WHO`"


def check_code(project: Project, tex: TexFile, review: Review) -> Iterator[Problem]:
    """Compare the code of a proof with what was reviewed, function by function."""
    try:
        present = project.sections(tex)
    except ReviewError:
        return  # reported where quotes are checked
    recorded = read_reviewed(project.folder, tex.name)
    try:
        intact = code_digest(recorded) == review.code
    except SyntaxError:
        intact = False
    if not intact:
        path = reviewed_path(project.folder, tex.name)
        yield Problem(
            "record-broken",
            tex.name,
            f"{path} is missing or is not what reviews.toml recorded.",
            "Restore it from the history; it is never edited by hand.",
        )
        return
    for header in sorted(recorded.keys() | present.keys()):
        before, after = recorded.get(header), present.get(header)
        if before is not None and after is not None and same_code(before, after):
            continue
        function = header.partition(":")[2]
        if before is None:
            what = f"{function} is quoted now, and was not when"
        elif after is None:
            what = f"{function} is no longer quoted, and was when"
        else:
            what = f"{function}, or a constant or import that it uses, changed since"
        yield Problem(
            "code-changed",
            tex.name,
            f"{what} {_read_by(review)}.",
            "Undo the change; or read the proof against the new code, mend the proof, "
            f"then {_accept(tex.name)}.",
            difference(before or "", after or ""),
        )


def _check_premises(
    project: Project, tex: TexFile, review: Review, rests: set[str]
) -> Iterator[Problem]:
    present = project.premises(tex, rests)
    for name in sorted(present.keys() | review.premises.keys()):
        if name not in present:
            what = f"it no longer rests on {name}, and did when"
        elif name not in review.premises:
            what = f"it rests on {name}, and did not when"
        elif present[name] != review.premises[name]:
            what = f"the statement of {name}, on which it rests, changed since"
        else:
            continue
        yield Problem(
            "premise-changed",
            tex.name,
            f"{what} {_read_by(review)}.",
            f"Check that the proof still stands, then {_accept(tex.name)}.",
        )


def _check_strays(project: Project, reviews: dict[str, Review]) -> Iterator[Problem]:
    for name in reviews:
        if name not in project.files:
            message = (
                f"reviews.toml has a record of {name}, and there is no such proof."
            )
            fix = "Restore the proof, or remove its record and its reviewed code."
            yield Problem("record-stray", "", message, fix)
    folder = project.folder / "reviewed"
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        stem = name.removesuffix(path.suffix)
        if path.suffix in (".py", ".md") and stem not in reviews:
            message = f"reviewed/{name} belongs to no record in reviews.toml."
            yield Problem(
                "record-stray", "", message, "Remove it, or record its proof."
            )


def is_current(project: Project, tex: TexFile, review: Review) -> bool:
    """Return whether text and code are what was reviewed."""
    try:
        sections = project.sections(tex)
        return tex.digest == review.tex and code_digest(sections) == review.code
    except (ReviewError, SyntaxError):
        return False
