"""Every constructor rests on the lemma about the doors, where a project has one."""

from __future__ import annotations

from opendp_lite.review.commands.index import index_text
from opendp_lite.review.commands.reviewing import premises
from tests.review.example import LEMMA, NAME, Example, only

DOORS = "lemmas/doors"


def add_doors(example: Example) -> None:
    text = example.read(example.lemma)
    text = text.replace(r"\lemmaof{scaled-distance}", r"\lemmaof{doors}")
    example.write(f"proofs/{DOORS}.tex", text.replace(r"\checked{scaled-gap}", ""))


def test_a_constructor_rests_on_the_doors(example: Example) -> None:
    add_doors(example)
    assert example.found() == {
        ("unrecorded", DOORS),
        ("premise-changed", NAME),
        ("index", ""),
    }
    rests, foundations = premises(example.project())
    assert DOORS in rests[NAME]
    assert DOORS in foundations[NAME]
    assert DOORS not in rests[LEMMA] | foundations[LEMMA]


def test_the_index_says_who_rests_on_the_doors(example: Example) -> None:
    add_doors(example)
    (row,) = [
        line for line in index_text(example.project()).splitlines() if "[doors]" in line
    ]
    assert "| every constructor |" in row


def test_a_change_of_what_the_doors_do_voids_the_constructors(
    example: Example,
) -> None:
    add_doors(example)
    example.accept(DOORS, NAME)
    assert example.problems() == []
    path = f"proofs/{DOORS}.tex"
    example.edit(path, "For all real numbers", "For some real numbers")
    problem = only(example.problems(), "premise-changed", NAME)
    assert f"the statement of {DOORS}" in problem.message


def test_a_constructor_is_not_vetted_before_the_doors_are(example: Example) -> None:
    add_doors(example)
    example.accept(DOORS, NAME)
    example.edit(example.code, '"draft"', '"vetted"')
    text = example.read("proofs/reviews.toml")
    head, mark, tail = text.partition(f'["{NAME}"]')
    example.write(
        "proofs/reviews.toml", head + mark + tail.replace('"draft"', '"vetted"')
    )
    drafts = [p.message for p in example.problems() if p.kind == "rests-on-draft"]
    assert f"it is vetted, and rests on {DOORS}, which is not." in drafts


def test_who_cites_a_part_of_the_doors_rests_on_all_of_them(example: Example) -> None:
    add_doors(example)
    path = f"proofs/{DOORS}.tex"
    parts = r"\begin{parts}\item One. \item Two. \end{parts}\end{lemmastatement}"
    example.edit(path, r"\end{lemmastatement}", parts)
    cited = r"By \lemma{doors}~(a), the constructor sees no data."
    example.edit(example.proof, "The constructor sees no data.", cited)
    example.accept(DOORS, NAME)
    assert example.problems() == []
    example.edit(path, r"\item Two.", r"\item Three.")
    only(example.problems(), "premise-changed", NAME)
