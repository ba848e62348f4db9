"""The records of review: who read what, and whether it is still what was read.

proofs/reviews.toml          of each proof: who wrote it, who read it when, and digests
                             of the text, of each quoted function, of each premise
proofs/reviewed/<name>.md    the notes of the refereeing of a proof, the newest on top

The code that was read is in the history of git: see `history`.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from pathlib import Path

import attrs

from opendp_lite.review.code.compare import Reviewed, difference
from opendp_lite.review.code.library import Library
from opendp_lite.review.history import RECORDS
from opendp_lite.review.problems import Place, Problem, ReviewError
from opendp_lite.review.project import Project, read_toml
from opendp_lite.review.tex.texfile import TexFile


def line_place(folder: Path, file: str, text: str) -> Place:
    """Return the first line of a file that holds a text, else its beginning.

    :param folder: the folder of the proofs
    :param file: the path of the file, relative to it
    :param text: what is looked for
    """
    path = folder / file
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    number = next((at for at, each in enumerate(lines, 1) if text in each), 1)
    return Place(number, file=file)


def definition_place(library: Library, module: str, name: str) -> Place | None:
    """Return the line on which a function is defined, if it is there."""
    found = library.module(module)
    if found is None or name not in found.definitions:
        return None
    return Place(found.definitions[name][0][-1].lineno, module=module)


def changed_place(library: Library, header: str, difference: str) -> Place | None:
    """Return the first line of a function that a difference has as new.

    Where none is new, as something was removed, it is the line of the definition. A
    function that is gone has no place but its proof.

    :param library: the package
    :param header: the function, as `module:name`
    :param difference: the lines of a unified difference
    """
    name, _, function = header.partition(":")
    place = definition_place(library, name, function)
    module = library.module(name)
    if module is None or place is None:
        return None
    node = module.definitions[function][0][-1]
    new = {line[1:].strip() for line in difference.splitlines() if line[:1] == "+"}
    inside = range(node.lineno, (node.end_lineno or node.lineno) + 1)
    # A constant that the function uses stands outside of it.
    outside = [at for at in range(1, len(module.lines) + 1) if at not in inside]
    for number in [*inside, *outside]:
        line = module.lines[number - 1].partition("  #")[0].strip()
        if line and line in new:
            return Place(number, module=name)
    return place


def cited_place(tex: TexFile, premises: Iterable[str]) -> Place | None:
    """Return the first line of a proof that cites one of some premises, if one does.

    :param tex: the proof
    :param premises: names of lemmas, perhaps with the letter of a part behind
    """
    names = {each.partition("(")[0] for each in premises}
    lines = [each.line for each in tex.lemmas if f"lemmas/{each.name}" in names]
    return Place(min(lines)) if lines else None


FORMAT = 2
"""Of reviews.toml; in the first, which had no number, digests were of another kind."""
VOID = " of old names"
"""Behind the digest of code that was changed already when its names changed."""
AMENDED = "amended"
STATUSES = ("draft", "vetted", AMENDED)


@attrs.frozen
class Reading:
    """One entry of a record: when, who, and what came of it.

    `what` is the verdict of a reader; or `amended`, and then `who` is an author, who
    changed text or code after the verdict.
    """

    date: str
    who: str
    what: str


@attrs.frozen
class Review:
    """One record.

    `code` leads from each quoted function to the digest of its text, and `premises`
    from each statement that the proof rests on to its digest.
    """

    author: str
    tex: str
    readings: tuple[Reading, ...]
    code: dict[str, str] = attrs.field(factory=dict)
    premises: dict[str, str] = attrs.field(factory=dict)

    @property
    def status(self) -> str:
        """What the last reading came to, or that the proof was amended since."""
        return self.readings[-1].what

    @property
    def verdict(self) -> Reading:
        """The last reading by somebody else than an author."""
        return [each for each in self.readings if each.what != AMENDED][-1]

    @property
    def amendments(self) -> list[Reading]:
        """The amendments since the proof was last vetted, or since it was begun."""
        since = takewhile(lambda each: each.what != "vetted", reversed(self.readings))
        return [each for each in since if each.what == AMENDED]

    @property
    def standing(self) -> str:
        """The status, and of an amendment who made it when."""
        last = self.readings[-1]
        is_amended = last.what == AMENDED
        return f"amended by {last.who} on {last.date}" if is_amended else last.what


def people(*names: str) -> set[frozenset[str]]:
    """Return the people that are named, however they are spelt.

    Case, accents, punctuation, the order of names and an address do not count.

    >>> people("Zoë A. Doe, B") == people("b & DOE,", "a. zoe")
    False
    >>> people("Zoë A. Doe, B") == people("b & DOE Zoe A <z@example.org>")
    True
    """
    found = set()
    for each in re.split(r"[,;&/+]|\band\b", ", ".join(names)):
        plain = unicodedata.normalize("NFKD", re.sub(r"<[^>]*>|\([^)]*\)", " ", each))
        letters = "".join(c if c.isalnum() or c.isspace() else "" for c in plain)
        found.add(frozenset(letters.casefold().split()))
    return found - {frozenset()}


def read_reviews(folder: Path) -> dict[str, Review]:
    """Return all records by the name of the proof."""
    path = folder / RECORDS
    reviews = {}
    for name, table in read_toml(path).items():
        if name == "format":
            continue
        try:
            readings = tuple(Reading(**each) for each in table.pop("readings"))
            reviews[name] = Review(readings=readings, **table)
            assert reviews[name].verdict
        except (AttributeError, IndexError, KeyError, TypeError) as error:
            raise ReviewError(
                f"{path} has a broken record of {name}: {error!r}."
            ) from None
        for each in readings:
            if each.what not in STATUSES:
                raise ReviewError(
                    f"{path} gives {name} the status {each.what!r}; it must be one of "
                    f"{', '.join(STATUSES)}."
                )
    return reviews


def check_format(folder: Path) -> Iterator[Problem]:
    """Yield that the records are of another format, if there are any."""
    written = read_toml(folder / RECORDS)
    if written and written.get("format") != FORMAT:
        yield Problem(
            "record-format",
            "",
            f"{RECORDS} was written by another version, whose digests of code mean "
            "nothing to this one.",
            "See with that version that `check` finds nothing, then record all proofs "
            "again by `opendp-lite proofs accept`, which keeps the earlier readings.",
            place=Place(1, file=RECORDS),
        )


def write_reviews(folder: Path, reviews: Mapping[str, Review]) -> None:
    """Write all records, in the order of their names."""
    lines = ["# Written by `opendp-lite proofs accept`: who read what, and when."]
    lines += [f"format = {FORMAT}"]
    for name in sorted(reviews):
        review = reviews[name]
        lines += ["", f"[{_quoted(name)}]"]
        lines += [f"author = {_quoted(review.author)}", f"tex = {_quoted(review.tex)}"]
        lines += ["readings = [", *map(_reading, review.readings), "]"]
        for title in ("code", "premises"):
            table: dict[str, str] = getattr(review, title)
            lines += [f"[{_quoted(name)}.{title}]"] if table else []
            lines += [f"{_quoted(k)} = {_quoted(table[k])}" for k in sorted(table)]
    (folder / RECORDS).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _reading(reading: Reading) -> str:
    fields = attrs.asdict(reading).items()
    return f"  {{ {', '.join(f'{key} = {_quoted(value)}' for key, value in fields)} }},"


def _quoted(text: str) -> str:
    # A JSON string is a TOML string, once DEL is escaped too.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def note_path(folder: Path, name: str) -> Path:
    """Return where the note of the refereeing is kept."""
    return folder / "reviewed" / f"{name}.md"


def check_records(
    project: Project,
    reviews: Mapping[str, Review],
    premises: Mapping[str, dict[str, str]],
    with_code: bool = True,
) -> Iterator[Problem]:
    """Yield where text, code or premises part from what was reviewed.

    `premises` leads from each proof that is looked at to what it rests on now.
    """
    for name in premises:
        if name not in reviews:
            yield Problem(
                "unrecorded",
                name,
                "nobody has been recorded as having read this.",
                f"When someone has, run `opendp-lite proofs accept {name} --author WHO "
                "--reviewer WHO`.",
            )
            continue
        review, tex = reviews[name], project.files[name]
        if with_code:
            yield from check_code(project, tex, review)
        if tex.digest != review.tex:
            yield Problem(
                "text-changed",
                name,
                f"the text of the proof changed since {_read_by(review)}.",
                f"Read it again (`git diff` shows what changed), then {_accept(name)}.",
            )
        yield from check_premises(tex, review, premises[name])
        reader = review.verdict.who
        if review.status == "vetted" and people(reader) & people(review.author):
            message = f"{reader} is recorded as its author and as its reader."
            fix = "Let someone else read it; a record is never written by hand."
            place = line_place(project.folder, RECORDS, f'["{name}"]')
            yield Problem("record-broken", name, message, fix, place=place)
        note = note_path(project.folder, name)
        if review.status == "vetted" and not (
            note.is_file() and note.read_text(encoding="utf-8").strip()
        ):
            message = f"it is vetted, and {note} is missing or empty."
            yield Problem("note", name, message, "Restore the note of the refereeing.")


def _read_by(review: Review) -> str:
    if review.status == AMENDED:
        return f"it was {review.standing}"
    return f"it was read by {review.verdict.who} on {review.verdict.date}"


def _accept(name: str) -> str:
    return f"`opendp-lite proofs accept {name} --reviewer WHO`"


def check_code(
    project: Project, tex: TexFile, review: Review, shown: bool = True
) -> Iterator[Problem]:
    """Compare the code of a proof with what was reviewed, function by function.

    Unless the differences are to be shown, nothing is looked for in git.
    """
    sections: dict[str, Reviewed] = {}
    present: dict[str, str] = {}
    broken: set[str] = set()
    for each in tex.quotes:
        header = f"{each.module}:{each.name}"
        try:
            present[header] = project.reviewed(each).digest
            sections[header] = project.reviewed(each)
        except ReviewError as error:
            broken.add(header)
            try:
                project.quote(each)
            except ReviewError:
                continue  # reported where quotes are checked
            message = f"{each.name} cannot be compared with what was read: {error}"
            fix = "Change what it says there."
            yield Problem("quote", tex.name, message, fix, place=Place(each.line))
    for header in sorted((review.code.keys() | present.keys()) - broken):
        if review.code.get(header) == present.get(header):
            continue
        function = header.partition(":")[2]
        if header not in review.code:
            before, what = "", f"{function} is quoted now, and was not when"
        else:
            what = f"{function} is no longer quoted, and was when"
            if header in present:
                what = (
                    f"{function}, or a constant or import that it uses, changed since"
                )
            digest = review.code[header].removesuffix(VOID)
            before = (project.history.text(header, digest) if shown else None) or ""
        detail = difference(before, sections[header].text if header in sections else "")
        if header in review.code and not before:
            detail = lost(function)
        yield Problem(
            "code-changed",
            tex.name,
            f"{what} {_read_by(review)}.",
            "Undo the change; or read the proof against the new code, mend the proof, "
            f"then {_accept(tex.name)}.",
            detail,
            changed_place(project.library, header, detail),
        )


def lost(function: str) -> str:
    """Return why it is not shown what somebody read of a function."""
    return (
        f"The history of git that is here lacks what was read of {function} (a wheel "
        "has none, and a shallow clone little), so the difference cannot be shown."
    )


def check_premises(
    tex: TexFile, review: Review, present: Mapping[str, str]
) -> Iterator[Problem]:
    """Yield where what a proof rests on now is not what it was recorded to rest on."""
    name, before = tex.name, review.premises
    changes = {
        "it no longer rests on {}, and did when": before.keys() - present.keys(),
        "it rests on {}, and did not when": present.keys() - before.keys(),
        "the statement of {}, on which it rests, changed since": {
            key for key in before.keys() & present.keys() if before[key] != present[key]
        },
    }
    for what, keys in changes.items():
        if keys:
            yield Problem(
                "premise-changed",
                name,
                f"{what.format(', '.join(sorted(keys)))} {_read_by(review)}.",
                f"Check that the proof still stands, then {_accept(name)}.",
                place=cited_place(tex, keys),
            )


def check_strays(project: Project, reviews: Mapping[str, Review]) -> Iterator[Problem]:
    """Yield records without a proof, and what is kept without a record."""
    for name in reviews:
        if name not in project.files:
            message = (
                f"reviews.toml has a record of {name}, and there is no such proof."
            )
            fix = "Restore the proof, or remove its record and what is kept of it."
            place = line_place(project.folder, RECORDS, f'["{name}"]')
            yield Problem("record-stray", "", message, fix, place=place)
    for stray in _strays(project.folder, reviews):
        message = f"{stray} is kept, and belongs to no record in reviews.toml."
        yield Problem("record-stray", "", message, "Remove it, or record its proof.")


def _strays(folder: Path, reviews: Mapping[str, Review]) -> list[str]:
    known = {note_path(folder, name) for name in reviews}
    files = {path for path in (folder / "reviewed").rglob("*") if path.is_file()}
    return [str(path) for path in sorted(files - known)]


def is_current(project: Project, tex: TexFile, review: Review) -> bool:
    """Return whether text and code are what was reviewed."""
    try:
        present = project.digests(tex)
    except ReviewError:
        return False
    return tex.digest == review.tex and present == review.code
