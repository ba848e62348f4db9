"""What is recorded when a proof is accepted, and what is refused."""

from __future__ import annotations

import datetime
import importlib
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

import opendp_lite.prelude as dp
from opendp_lite.certify import Evidence
from opendp_lite.review import ReviewError
from opendp_lite.review.commands import accepting
from opendp_lite.review.commands.building import status_text
from opendp_lite.review.commands.index import index_text
from opendp_lite.review.commands.reporting import description
from opendp_lite.review.records import (
    Reading,
    Review,
    read_reviews,
    write_reviews,
)
from tests.review.example import LEMMA, NAME, PACKAGE, Example

TODAY = "2026-11-17"


class Clock(datetime.datetime):
    """It stands still: no midnight falls between a record and what is expected."""

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> Clock:
        assert tz is datetime.UTC
        return cls(2026, 11, 17, 23, 59, tzinfo=tz)


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(datetime=Clock, UTC=datetime.UTC)
    monkeypatch.setattr(accepting, "datetime", clock)


def test_a_change_that_was_read_is_accepted(example: Example) -> None:
    example.edit(example.code, "abs(factor) * d_in", "d_in * abs(factor)")
    example.edit(example.proof, "The constructor sees no data.", "It sees no data.")
    assert example.kinds() == {"code-changed", "text-changed"}
    (said,) = example.accept("make_multiply", author=None, reviewer="Another Reader")
    assert said == f"{NAME} is recorded as draft."
    assert example.problems() == []
    review = read_reviews(example.root / "proofs")[NAME]
    assert review.author == "Example Author"
    assert review.readings == (
        Reading("2026-11-16", "Example Reader", "draft"),
        Reading(TODAY, "Another Reader", "draft"),
    )
    assert "Another Reader" in example.read("proofs/INDEX.md")


@pytest.mark.parametrize(
    ("author", "reviewer"),
    [
        ("Example Author", "Example Author"),
        ("Example Author", "  example   AUTHOR "),
        (None, "Example Author"),
        (None, "Ex\N{ZERO WIDTH SPACE}ample Author"),
        (None, "Exámple Author <author@example.org>"),
        (None, "Somebody & AUTHOR Example"),
    ],
)
def test_nobody_reviews_their_own_proof(
    example: Example, author: str | None, reviewer: str
) -> None:
    before = example.read("proofs/reviews.toml")
    with pytest.raises(ReviewError, match="their own proof"):
        example.accept(NAME, author=author, reviewer=reviewer)
    assert example.read("proofs/reviews.toml") == before


@pytest.mark.parametrize(("author", "reviewer"), [("A, B", "B"), ("A", "B, A")])
def test_nobody_reviews_their_own_proof_the_first_time(
    example: Example, author: str, reviewer: str
) -> None:
    example.write("proofs/reviews.toml", "")
    with pytest.raises(ReviewError, match="their own proof"):
        example.accept(NAME, author=author, reviewer=reviewer)
    assert example.read("proofs/reviews.toml") == ""


@pytest.mark.parametrize("status", ["draft", "vetted"])
def test_the_first_author_stays(example: Example, tmp_path: Path, status: str) -> None:
    note = tmp_path / "note.md"
    note.write_text("Objection: none.\n")
    before = example.read("proofs/reviews.toml")
    # Of several, one is enough to refuse all.
    example.write("proofs/reviews.toml", before.replace("Example Author", "A", 1))
    before = example.read("proofs/reviews.toml")
    with pytest.raises(ReviewError) as caught:
        example.accept(LEMMA, NAME, author="A", status=status, note=note)
    assert str(caught.value) == (
        f"--author is 'A', and the record of {NAME} says that 'Example Author' wrote "
        "it: the first author stays. Leave --author out; who changed it later is "
        "recorded by --status amended. Nothing was recorded."
    )
    assert example.read("proofs/reviews.toml") == before
    assert not (example.root / f"proofs/reviewed/{LEMMA}.md").exists()


@pytest.mark.parametrize("author", [None, "Example Author", "AUTHOR Exámple <a@b.c>"])
def test_the_author_may_be_named_again(example: Example, author: str | None) -> None:
    example.accept(NAME, author=author, reviewer="Another Reader")
    review = read_reviews(example.root / "proofs")[NAME]
    assert review.author == "Example Author"
    assert review.verdict == Reading(TODAY, "Another Reader", "draft")


def test_who_amends_is_named_beside_the_author(example: Example) -> None:
    amend(example, author="Third Hand")
    review = read_reviews(example.root / "proofs")[NAME]
    assert review.author == "Example Author"
    assert review.readings[-1] == Reading(TODAY, "Third Hand", "amended")


def test_a_first_record_needs_an_author(example: Example) -> None:
    example.write("proofs/reviews.toml", "")
    with pytest.raises(ReviewError, match="--author"):
        example.accept(NAME, author=None)


def test_a_name_must_be_known(example: Example) -> None:
    with pytest.raises(ReviewError, match="no proof 'make_other'"):
        example.accept("make_other")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (
            r"\ref{scaled_distance:zero}",
            r"\ref{scaled_distance:no}",
            "no line of quoted",
        ),
        ("sees no data.", r"sees no \unfinished{x}.", "unfinished"),
        (r"\by{make_multiply:domain}", "", "does not end in"),
    ],
)
def test_a_proof_with_other_faults_is_refused(
    example: Example, old: str, new: str, complaint: str
) -> None:
    text = example.read(example.proof)
    assert old in text
    example.write(example.proof, text.replace(old, new, 1))
    before = example.read("proofs/reviews.toml")
    with pytest.raises(ReviewError, match=complaint):
        example.accept(NAME)
    assert example.read("proofs/reviews.toml") == before


def test_a_proof_whose_step_fails_is_refused(example: Example) -> None:
    example.edit(example.checks, "c**2", "c**3")
    with pytest.raises(ReviewError, match="scaled_gap"):
        example.accept(LEMMA)


def test_vetted_needs_a_note(example: Example, tmp_path: Path) -> None:
    with pytest.raises(ReviewError, match="note of the refereeing"):
        example.accept(LEMMA, status="vetted")
    with pytest.raises(ReviewError, match="cannot be read"):
        example.accept(LEMMA, status="vetted", note=tmp_path / "none.md")
    (tmp_path / "empty.md").write_text(" \n")
    with pytest.raises(ReviewError, match="is empty"):
        example.accept(LEMMA, status="vetted", note=tmp_path / "empty.md")
    with pytest.raises(ReviewError, match="one of draft, vetted, amended"):
        example.accept(LEMMA, status="good")


def test_vetted_rests_on_vetted(example: Example, tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("Objection: why the squares? Answer: both sides are nonnegative.\n")
    with pytest.raises(ReviewError, match=f"rests on {LEMMA}"):
        example.accept(NAME, status="vetted", note=note)
    example.accept(LEMMA, status="vetted", note=note)
    assert example.problems() == []
    assert "squares" in example.read(f"proofs/reviewed/{LEMMA}.md")
    (said,) = example.accept(NAME, status="vetted", note=note)
    assert 'write status="vetted" in the decorator' in said
    assert example.kinds() == {"status"}
    example.edit(example.code, 'status="draft"', 'status="vetted"')
    assert example.problems() == []
    example.remove(f"proofs/reviewed/{LEMMA}.md")
    assert example.kinds() == {"note"}
    example.accept(LEMMA)
    assert example.kinds() == {"rests-on-draft"}


def test_several_are_accepted_at_once_or_none(example: Example, tmp_path: Path) -> None:
    example.write("proofs/reviews.toml", "")
    with pytest.raises(ReviewError, match="no proof"):
        example.accept(LEMMA, "make_other")
    assert example.read("proofs/reviews.toml") == ""
    assert len(example.accept(LEMMA, NAME)) == 2
    assert example.problems() == []
    note = tmp_path / "note.md"
    note.write_text("Objection: none, after a long search.\n")
    assert len(example.accept(LEMMA, NAME, status="vetted", note=note)) == 2
    assert example.kinds() == {"status"}
    for name in (LEMMA, NAME):
        assert "long search" in example.read(f"proofs/reviewed/{name}.md")


def kept_after(example: Example, *notes: str) -> str:
    """The note that is kept when the lemma was read several times, with these notes."""
    for text in notes:
        example.write("note.md", text)
        example.accept(LEMMA, status="vetted", note=example.root / "note.md")
    return example.read(f"proofs/reviewed/{LEMMA}.md")


FIRST = "# Referee's note\n## Verdict\naccept\n"
SECOND = "# Referee's note\n## Verdict\naccept (of what changed)\n"
BOTH = f"{SECOND}\n---\n# Earlier reading\n{FIRST}"
BY_HAND = [
    f"{SECOND}\n---\n\n# Earlier reading\n\n{FIRST}",
    f"{SECOND}\n---\n# Earlier reading\n\n{FIRST}",
    f"{SECOND}---\n# Earlier reading\n{FIRST}",
    f"{SECOND}\n---\n\n# Earlier readings\n\n{FIRST}\n",
]


def test_a_new_note_is_put_on_top_of_the_kept_one(example: Example) -> None:
    assert kept_after(example, FIRST) == FIRST
    assert kept_after(example, SECOND) == BOTH
    third = "One objection, answered.\n\n"
    below = f"One objection, answered.\n\n---\n# Earlier reading\n{BOTH}"
    assert kept_after(example, third) == below
    # A note may come again: this was read after the others.
    again = f"{FIRST}\n---\n# Earlier reading\n{below}"
    assert kept_after(example, FIRST) == again


def test_each_proof_keeps_its_own_earlier_note(
    example: Example, tmp_path: Path
) -> None:
    kept_after(example, FIRST)
    note = tmp_path / "note.md"
    note.write_text(SECOND)
    example.accept(LEMMA, NAME, status="vetted", note=note)
    assert example.read(f"proofs/reviewed/{LEMMA}.md") == BOTH
    assert example.read(f"proofs/reviewed/{NAME}.md") == SECOND


@pytest.mark.parametrize("kept", [BOTH, *BY_HAND])
def test_a_note_that_is_kept_already_is_not_doubled(
    example: Example, kept: str
) -> None:
    example.write(f"proofs/reviewed/{LEMMA}.md", kept)
    # The note again, with other white space around it; and the whole of what is kept.
    assert kept_after(example, SECOND, f"\n{SECOND}\n\n", kept, BOTH) == kept


@pytest.mark.parametrize("note", [BOTH, *BY_HAND])
def test_a_note_with_the_kept_one_below_is_not_doubled(
    example: Example, note: str
) -> None:
    assert kept_after(example, FIRST, note) == note


@pytest.mark.parametrize(
    "note",
    [
        "Refused before, now\naccept\n",  # it ends in the words of the kept one
        "accept\nwith joy\n",  # it begins with them
        "New.\n\n---\n# Earlier reading\naccept, once\n",  # it kept something else
        "accept\n\n---\n# Earlier reading\nMore.\n",  # the same top, and more
    ],
)
def test_a_kept_note_is_never_lost(example: Example, note: str) -> None:
    both = f"{note}\n---\n# Earlier reading\naccept\n"
    assert kept_after(example, "accept\n", note) == both


def test_an_empty_file_is_no_earlier_note(example: Example) -> None:
    example.write(f"proofs/reviewed/{LEMMA}.md", " \n")
    assert kept_after(example, FIRST) == FIRST


def test_a_kept_note_that_cannot_be_read_stops_all(example: Example) -> None:
    before = example.read("proofs/reviews.toml")
    path = example.root / f"proofs/reviewed/{LEMMA}.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"\xff")
    with pytest.raises(UnicodeDecodeError):
        kept_after(example, FIRST)
    assert path.read_bytes() == b"\xff"
    assert example.read("proofs/reviews.toml") == before


def test_the_newest_verdict_counts_however_long_the_note(
    example: Example, tmp_path: Path
) -> None:
    """Statuses are those of the records: no words of a note, old or new, are read."""
    note = tmp_path / "note.md"
    readers = ["Old Reader", "New Reader"]
    for status, reader in zip(["draft", "vetted"] * 2, readers * 2, strict=True):
        verdict = "accept" if status == "vetted" else "refuse"
        note.write_text(f"# By {reader}\n{'Tried. ' * 50_000}\n## Verdict\n{verdict}\n")
        example.accept(LEMMA, NAME, reviewer=reader, status=status, note=note)
        other = "draft" if status == "vetted" else "vetted"
        if f'status="{other}"' in example.read(example.code):
            example.edit(example.code, f'status="{other}"', f'status="{status}"')
        assert example.problems() == []
        project = example.project()
        review = read_reviews(project.folder)[LEMMA]
        assert review.verdict == Reading(TODAY, reader, status)
        assert f"| {status} | {reader} | {TODAY} |" in index_text(project)
        assert f"  {status}; written by" in description(project, LEMMA)
        printed = status_text(project, project.files[LEMMA], review)
        assert rf"\def\odlstatus{{{status}}}" in printed
        assert rf"\def\odlreviewer{{{reader}}}" in printed
        facts = Evidence({PACKAGE: project}).facts(PACKAGE, LEMMA)
        assert (facts.status, facts.as_reviewed) == (status, status == "vetted")
    kept = example.read(f"proofs/reviewed/{LEMMA}.md")
    assert re.findall("# By (.*)", kept) == [*reversed(readers)] * 2


def amend(example: Example, name: str = NAME, author: str = "Example Author") -> None:
    example.accept(name, status="amended", author=author, reviewer=None)


def vet(example: Example, tmp_path: Path, reviewer: str = "Example Reader") -> None:
    note = tmp_path / "note.md"
    note.write_text("Objection: why? Answer: see the lemma.\n")
    example.accept(LEMMA, NAME, status="vetted", note=note, reviewer=reviewer)


def test_what_is_amended_is_not_vetted_until_it_is_read_again(
    example: Example, tmp_path: Path
) -> None:
    vet(example, tmp_path)
    example.edit(example.code, 'status="draft"', 'status="vetted"')
    example.edit(example.code, "abs(factor) * d_in", "d_in * abs(factor)")
    assert example.kinds() == {"code-changed"}
    amend(example, author="Third Hand")
    (problem,) = example.problems()
    assert problem.kind == "status"
    assert "reviews.toml says 'amended'" in problem.message
    example.edit(example.code, 'status="vetted"', 'status="amended"')
    assert example.problems() == []
    assert f"amended by Third Hand on {TODAY}" in example.read("proofs/INDEX.md")
    review = read_reviews(example.root / "proofs")[NAME]
    assert [each.what for each in review.readings] == ["draft", "vetted", "amended"]
    with pytest.raises(ReviewError, match="their own proof"):
        vet(example, tmp_path, reviewer="third hand")
    vet(example, tmp_path, reviewer="Another Reader")
    assert example.kinds() == {"status"}
    # What they amended was read by someone else since, so they may read the rest.
    vet(example, tmp_path, reviewer="Third Hand")


def test_a_draft_in_between_makes_nobody_a_reader(
    example: Example, tmp_path: Path
) -> None:
    vet(example, tmp_path)
    amend(example, author="Third Hand")
    example.accept(NAME, author=None, reviewer="Another Reader")
    with pytest.raises(ReviewError, match="their own proof"):
        vet(example, tmp_path, reviewer="Third Hand")


def test_a_record_by_hand_of_an_own_proof_is_found(
    example: Example, tmp_path: Path
) -> None:
    vet(example, tmp_path)
    example.edit(example.code, 'status="draft"', 'status="vetted"')
    assert example.problems() == []
    text = example.read("proofs/reviews.toml")
    example.write(
        "proofs/reviews.toml", text.replace("Example Reader", "example author")
    )
    found = {(p.kind, p.proof) for p in example.problems()}
    assert {("record-broken", NAME), ("record-broken", LEMMA)} <= found


def test_an_amended_constructor_asks_for_contrib(example: Example) -> None:
    example.edit(example.code, 'status="draft"', 'status="amended"')
    amend(example)
    assert example.problems() == []
    make = importlib.import_module("scaling.multiplication").make_multiply
    given = dp.atom_domain(T=int), dp.absolute_distance(T=int), 3
    with pytest.raises(dp.OpenDPException, match="contrib"):
        make(*given)
    dp.enable_features("contrib")
    assert make(*given)(2) == 6


def test_what_rests_on_something_amended_is_not_vetted(
    example: Example, tmp_path: Path
) -> None:
    vet(example, tmp_path)
    example.edit(example.code, 'status="draft"', 'status="vetted"')
    assert example.problems() == []
    example.edit(example.lemma, "Both sides", "The two sides")
    amend(example, LEMMA)
    assert example.kinds() == {"rests-on-draft"}


def test_a_change_after_an_amendment_is_found(example: Example) -> None:
    example.edit(example.proof, "sees no data", "does not see data")
    amend(example)
    example.edit(example.proof, "does not see data", "sees data")
    (problem,) = [p for p in example.problems() if p.kind == "text-changed"]
    assert f"since it was amended by Example Author on {TODAY}" in problem.message


def test_an_amendment_has_an_author_and_a_record_and_nothing_else(
    example: Example, tmp_path: Path
) -> None:
    amended = {"status": "amended", "reviewer": None}
    with pytest.raises(ReviewError, match="named by --author"):
        example.accept(NAME, status="amended")
    with pytest.raises(ReviewError, match="named by --author"):
        example.accept(NAME, author=None, **amended)  # type: ignore[arg-type]
    with pytest.raises(ReviewError, match="an amendment has none"):
        example.accept(NAME, note=tmp_path / "n", **amended)  # type: ignore[arg-type]
    example.write("proofs/reviews.toml", "")
    with pytest.raises(ReviewError, match="nothing to amend"):
        amend(example)


def test_records_are_written_as_they_are_read(tmp_path: Path) -> None:
    first, second = (
        Reading("2025-01-01", "\x7f\n", "vetted"),
        Reading("", "", "amended"),
    )
    reviews = {
        'a/"b"': Review('é "x" \\', "t", (first,)),
        "a/c": Review("a", "t", (first, second), {"m:f": "0"}, {"lemmas/x(b) y": "1"}),
    }
    write_reviews(tmp_path, reviews)
    assert read_reviews(tmp_path) == reviews
