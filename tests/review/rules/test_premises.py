"""Which parts of a lemma a proof uses, and what their digests hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from opendp_lite.review import Project
from opendp_lite.review.rules.premises import (
    citations,
    premise_digest,
    statement,
    used_parts,
)
from opendp_lite.review.tex.texfile import TexFile
from tests.review.example import NAME, ROOT, Example
from tests.rows import for_each

LEMMA = r"""
\lemmaof{x}
\begin{document}
\summary{It says something.}
\section*{Terms} A term is a word.
\begin{lemmastatement}
Let $y$ be real.
\begin{parts}
\item \fn{f} returns $f(c)$.
\item As in (a), \fn{g} returns $y$, if
  \begin{itemize} \item one, or \item two \end{itemize}
  holds.
\item \fn{f} and \fn{C.h} return nothing.
\end{parts}
Here is more.
\begin{parts}[resume]
\item By (b) and (c), nothing is left.
\end{parts}
What was said of (a) holds always.
\end{lemmastatement}
\section*{Code}
\code{p.m}{f} \uses{p.m}{C.h}
\section*{Trusted} Memory is large.
\begin{proof}[Part (a)] Clearly. \end{proof}
\begin{remark} By the way. \end{remark}
\begin{example} For instance. \end{example}
\end{document}
"""
LETTERS = ["a", "b", "c", "d"]


def lemma(old: str = "", new: str = "") -> TexFile:
    assert old in LEMMA
    return TexFile("lemmas/x", LEMMA.replace(old, new, 1))


def changed(old: str, new: str = "other") -> list[str]:
    """The parts whose digests a change of the text changes; "" is the whole."""
    before, after = lemma(), lemma(old, new)
    return [
        letter
        for letter in ["", *LETTERS]
        if premise_digest(before, letter) != premise_digest(after, letter)
    ]


def test_a_statement_is_cut_into_its_parts() -> None:
    parts = statement(lemma()).parts
    assert list(parts) == LETTERS
    assert [" ".join(text.split())[:6] for text in parts.values()] == [
        r"\fn{f}",
        "As in ",
        r"\fn{f}",
        "By (b)",
    ]
    assert statement(lemma()).naming("f") == {"a", "c"}
    assert statement(lemma()).naming("C.h") == {"c"}
    assert statement(lemma()).naming("h") == set()


@for_each(
    ("old", "parts"),
    [
        ("$f(c)$", ["", "a", "b", "d"]),  # (b) mentions (a), and (d) mentions (b)
        ("one, or", ["", "b", "d"]),
        ("nothing.", ["", "c", "d"]),
        ("is left", ["", "d"]),
        ("a word", ["", *LETTERS]),
        ("$y$ be real", ["", *LETTERS]),
        ("Here is more", ["", *LETTERS]),
        ("holds always", ["", *LETTERS]),
        ("Memory is large", ["", *LETTERS]),
        ("Clearly", []),
        ("By the way", []),
        ("For instance", []),
        ("It says something", []),
    ],
)
def test_what_a_change_changes(old: str, parts: list[str]) -> None:
    assert changed(old) == parts


def test_quoted_code_is_no_premise() -> None:
    assert changed(r"\code{p.m}{f}", r"\code{p.m}{g} \code{p.n}{f}") == []
    assert changed(r"\uses{p.m}{C.h}", "") == []


def test_terms_are_what_stands_around_the_parts() -> None:
    for old, counts in (("a word", True), ("is left", False), ("$y$ be real", True)):
        after = premise_digest(lemma(old, "other"), "terms")
        assert (after != premise_digest(lemma(), "terms")) == counts


def test_a_part_that_moves_is_another_part() -> None:
    assert changed(r"\item \fn{f} and", r"\item New. \item \fn{f} and") == [
        "",
        "c",
        "d",
    ]


def test_letters_in_formulas_are_no_mentions() -> None:
    assert "c" not in changed("$f(c)$", "$f(c)+1$")
    assert changed("nothing.") == ["", "c", "d"]


def test_two_lists_with_the_same_letters_are_one_statement() -> None:
    twice = lemma("[resume]", "")
    assert statement(twice).parts == {}
    assert "is left" in statement(twice).around


def test_the_statement_of_a_proof_is_whole() -> None:
    text = (
        r"\begin{compilerverified}\item A.\end{compilerverified}"
        r"\begin{postcondition}\begin{parts}\item P.\end{parts}\end{postcondition}"
        r"\begin{proof} Q. \end{proof}"
    )
    proof = TexFile("a/b", text)
    assert statement(proof).parts == {}
    for old, counts in (("A.", True), ("P.", True), ("Q.", False)):
        after = TexFile("a/b", text.replace(old, "other"))
        assert (premise_digest(proof) != premise_digest(after)) == counts


@for_each(
    ("text", "used"),
    [
        (r"By \lemma{x}~(b) it holds.", ["b"]),
        (r"By \lemma{x} (b), it holds.", ["b"]),
        (r"(\lemma{x}~(b)). See (c).", ["b"]),
        (r"By \lemma{x}~(a) and (c) it holds.", ["a", "c"]),
        (r"By \lemma{x}~(a), (b) and~(d) it holds.", ["a", "b", "d"]),
        (r"By \lemma{x}, parts (a) to (c), it holds.", ["a", "b", "c"]),
        (r"By \lemma{x}~(a) to~(c) it holds.", ["a", "b", "c"]),
        (r"By \lemma{x}~(a) it holds, by~(c) it does not.", ["a", "c"]),
        (r"By \lemma{x}~(a) and \lemma{y}~(c) it holds.", ["a"]),
        (r"By \lemma{x}~(a) $f(c)$ holds.", ["a"]),
        (r"By \lemma{x}~(a) it holds. By its part (d) it ends.", ["a", "d"]),
        (r"By \lemma{x}~(a) it holds. Parts~(b) and (c) say more.", ["a", "b", "c"]),
        (r"By \lemma{x}~(a) it holds. See part (d) of the proof of \fn{f}.", ["a"]),
        (r"By \lemma{x}~(a) it holds. By part (d) of its proof, too.", ["a"]),
        (r"By \lemma{x}~(a) it holds. The proof of \fn{f}, part (d).", ["a"]),
        (r"\begin{proof}[Part (d)] By \lemma{x}~(a).\end{proof}", ["a"]),
        (r"By \lemma{x}~(a) it holds, by \lemma{x}~(b) it ends.", ["a", "b"]),
        (r"The terms are those of \lemma{x}: words.", ["terms"]),
        (r"Here are the terms of \lemma{x}. Part (b) is ours.", ["terms"]),
        (r"By the terms of \lemma{x}, and by~(b), it holds.", ["b"]),
        (r"The terms of \lemma{x}. By \lemma{x}~(a).", ["a"]),
        (r"The terms of \lemma{x}. By \lemma{x} it holds.", []),
        (r"The terms of \lemma{y} and \lemma{x}.", []),
        (r"By \lemma{x} it holds.", []),
        (r"By \lemma{x} for this $b$, and by its part (c), it holds.", []),
        (r"By \lemma{x}~(a). In terms of \lemma{x} it ends.", []),
        (r"By \lemma{x}~(z) it holds.", []),
    ],
)
def test_what_a_citation_uses(text: str, used: list[str]) -> None:
    assert used_parts(TexFile("a/b", text), lemma()) == used


def test_what_code_calls_is_used_too() -> None:
    cited = TexFile("a/b", r"By \lemma{x}~(b) it holds.")
    assert used_parts(cited, lemma(), ["f"]) == ["a", "b", "c"]
    assert used_parts(cited, lemma(), ["C.h"]) == ["b", "c"]
    assert used_parts(cited, lemma(), ["k"]) == ["b"]
    terms = TexFile("a/b", r"Terms are those of \lemma{x}.")
    assert used_parts(terms, lemma(), ["C.h"]) == ["c"]
    uncut = r"\begin{lemmastatement} It holds. \end{lemmastatement}"
    assert used_parts(terms, TexFile("lemmas/x", uncut)) == []
    whole = TexFile("a/b", r"By \lemma{x} it holds.")
    assert used_parts(whole, lemma(), ["f"]) == []


def test_a_citation_has_a_line() -> None:
    (one, other) = citations(TexFile("a/b", "\\lemma{x}~(a)\n\\lemma{x}\n"))
    assert (one.line, one.letters, other.line, other.letters) == (
        1,
        frozenset("a"),
        2,
        frozenset(),
    )


PARTS = r"\begin{parts}\item One: $1=1$. \item Two: $2=2$.\end{parts}"


def with_parts(example: Example) -> None:
    end = r"\end{lemmastatement}"
    example.edit(example.lemma, end, f"{PARTS}{end}")
    cited = r"By \lemma{scaled-distance}~(a)"
    example.edit(example.proof, r"By \lemma{scaled-distance}", cited)
    example.accept("lemmas/scaled-distance", NAME)
    assert example.problems() == []


def test_a_change_of_another_part_voids_nothing(example: Example) -> None:
    with_parts(example)
    example.edit(example.lemma, "2=2", "2<3")
    assert {(p.kind, p.proof) for p in example.problems()} == {
        ("text-changed", "lemmas/scaled-distance")
    }


@pytest.mark.parametrize("old", ["1=1", "For all real numbers"])
def test_a_change_of_the_part_that_is_used_is_found(example: Example, old: str) -> None:
    with_parts(example)
    example.edit(example.lemma, old, "other")
    (problem,) = [p for p in example.problems() if p.proof == NAME]
    assert problem.kind == "premise-changed"
    assert "the statement of lemmas/scaled-distance(a), on which" in problem.message


def test_a_citation_of_another_part_is_a_change(example: Example) -> None:
    with_parts(example)
    example.edit(example.proof, "~(a)", "~(b)")
    messages = [p.message for p in example.problems() if p.kind == "premise-changed"]
    assert len(messages) == 2
    assert "no longer rests on lemmas/scaled-distance(a)" in messages[0]
    assert "it rests on lemmas/scaled-distance(b)" in messages[1]


def test_the_lemmas_of_the_library_are_cut_into_all_their_parts() -> None:
    """Every item at the top of a list of parts has a letter; nothing is left out."""
    lemmas = Project("opendp_lite", Path(ROOT / "proofs")).lemmas
    cut = {name: statement(tex).parts for name, tex in lemmas.items()}
    assert any(cut.values())
    for name, parts in cut.items():
        claimed = lemmas[name].claim
        assert bool(parts) == (r"\begin{parts}" in claimed), name
        nested = claimed.count(r"\item") - sum(
            text.count(r"\item") for text in parts.values()
        )
        outside = statement(lemmas[name]).around.count(r"\item")
        assert nested >= len(parts), name
        assert nested <= len(parts) + outside, name


def test_an_aside_in_a_statement_is_part_of_it() -> None:
    before = lemma("Let $y$ be real.", r"\begin{remark} $y<5$ \end{remark}")
    after = lemma("Let $y$ be real.", r"\begin{remark} $y<3$ \end{remark}")
    assert premise_digest(before, "a") != premise_digest(after, "a")


def test_a_statement_in_an_aside_is_a_statement() -> None:
    begin, end = r"\begin{lemmastatement}", r"\end{lemmastatement}"
    hidden = LEMMA.replace(begin, rf"\begin{{remark}}{begin}")
    hidden = hidden.replace(end, rf"{end}\end{{remark}}")
    before = TexFile("lemmas/x", hidden)
    after = TexFile("lemmas/x", hidden.replace("be real", "be whole"))
    assert list(statement(before).parts) == LETTERS
    assert premise_digest(before, "a") != premise_digest(after, "a")


@for_each(
    "letters", ["(a) to (c)", "(a)--(c)", "(a)~through~(c)", "(a)-(c)", "(a) up to (c)"]
)
def test_a_range_has_what_lies_between(letters: str) -> None:
    tex = TexFile("p/y", rf"By \lemma{{x}}~{letters}, it holds.")
    assert used_parts(tex, lemma()) == ["a", "b", "c"]


def test_every_postcondition_of_a_proof_is_a_premise() -> None:
    post = r"\begin{{postcondition}}{}\end{{postcondition}}"
    one = TexFile("p/y", post.format("One.") + post.format("Two."))
    other = TexFile("p/y", post.format("One.") + post.format("Three."))
    assert premise_digest(one) != premise_digest(other)
