"""What the reviewer reads in a .tex file."""

from __future__ import annotations

import re

import pytest

from opendp_lite.review.tex.texfile import PARTS, TexFile, macros, strip_comments
from tests.review.example import ROOT
from tests.rows import for_each

TEXT = r"""
\proofof{p.m}{C.g}
\begin{document}
\summary{Say it.}
\begin{compilerverified}
  \item \fn{x} is an \fn{int}, 5\% of it. \by{type}
  \item It holds. \by{C.g:a}\by{C.g:b}
  \item It holds, % \by{C.g:no}
  \item It \by{C.g:c} holds.
\end{compilerverified}
\begin{humanverified}
  \item \human{f is {pure}
    and total} because.
\end{humanverified}
\code{p.m}{C.g} \code {p.n} {h}
\uses{p.k}{K.member}
\begin{postcondition}\validSampler{C.g}{the law $\mathrm{L}$.}\end{postcondition}
\begin{proof}[Exact  law] See \linelabel{C.g:d}, \ref{eq:one}, \cref{h:e,h:f},
  \lemma{one} and \lemma{two}. \checked{step-one}
  \begin{equation}\label{eq:one} x \end{equation}
\end{proof}
\begin{proof} More. % \checked{no}
\end{proof}
\unfinished{say
  more}
\end{document}
\lemma{hidden} \ref{hidden:x}
"""


@pytest.fixture
def tex() -> TexFile:
    return TexFile("a/g", TEXT)


def test_subject_quotes_and_uses(tex: TexFile) -> None:
    assert (tex.subject.module, tex.subject.name) == ("p.m", "C.g")
    assert [(q.module, q.name, q.line) for q in tex.quotes] == [
        ("p.m", "C.g", 15),
        ("p.n", "h", 15),
    ]
    assert [(u.module, u.name) for u in tex.uses] == [("p.k", "K.member")]


def test_references(tex: TexFile) -> None:
    names = ["C.g:a", "C.g:b", "C.g:c", "C.g:d", "h:e", "h:f"]
    assert sorted(each.name for each in tex.labels) == names
    assert [each.name for each in tex.lemmas] == ["one", "two"]
    assert [(each.name, each.line) for each in tex.checked] == [("step-one", 19)]


def test_conditions(tex: TexFile) -> None:
    items = tex.conditions("compilerverified")
    assert items is not None
    assert [item.by for item in items] == [("type",), ("C.g:a", "C.g:b"), (), ()]
    assert items[0].names == {"x", "int"}
    assert [item.line for item in items] == [6, 7, 8, 9]
    humans = tex.conditions("humanverified")
    assert humans is not None
    assert [item.human for item in humans] == ["f is {pure} and total"]
    assert tex.conditions("nothing") is None


def test_statement_and_proofs(tex: TexFile) -> None:
    assert tex.postconditions == (("validSampler", "C.g"),)
    assert tex.proof_titles == ("Exact law", "")
    assert [each.name for each in tex.unfinished] == ["say more"]


def test_the_names_in_a_claim() -> None:
    text = (
        r"\fn{no} \begin{lemmastatement} \fn{f} and $\fn{ C.g }(x)$, \fn{h(x)}"
        "\n% \\fn{hidden}\n"
        r"\end{lemmastatement} \begin{postcondition} \fn{k} \end{postcondition}"
        r"\begin{lemmastatement} \fn{_l} \end{lemmastatement} \fn{no}"
    )
    assert TexFile("lemmas/a", text).named == {"f", "C.g", "h(x)", "_l"}
    assert TexFile("a/b", text).named == {"k"}
    assert TexFile("a/b", "nothing").claim == ""


def test_comments_and_line_breaks_do_not_count() -> None:
    digest = TexFile("a", "One  two.\n\\end{document}").digest
    assert TexFile("b", "One % why\ntwo.\n\\end{document} z").digest == digest
    assert TexFile("a", "One three.\n\\end{document}").digest != digest


@for_each(
    "text",
    [
        r"\input{other}",
        r"\include{other}",
        r"\lstinputlisting{x.py}",
        r"\begin{lstlisting}",
        r"\begin{verbatim}",
        r"\begin{algorithmic}",
        r"\iffalse",
        r"\if00 hidden",
        r"\ifx a b",
        r"\endinput",
        r"\verb|%| seen",
        r"\lstinline|%| seen",
        r"\url{a",
        r"\catcode`\%=12",
        r"seen ^^25 unseen",
        r"\end{document} more",
        r"\begin{comment}",
        r"\fn{rest \& mask}",
        r"\fn{{int} \% 2}",
        r"\fn{make\_laplace}",
        r"\fn{\{int\}}",
    ],
)
def test_what_evades_the_review_is_forbidden(text: str) -> None:
    assert len(TexFile("a", f"x\n{text}\n").forbidden) == 1
    assert TexFile("a", f"% {text}\n").forbidden == ()


@for_each(
    "text",
    [
        r"a \iff b",
        r"\end{document}",
        r"\fn{a & b}",
        r"\fn{{int}} 5\%",
        r"\fn{a_b} \& \fn{c}",
        r"\fn{[0-9]+\.?}",
    ],
)
def test_a_backslash_is_forbidden_only_where_it_would_be_printed(text: str) -> None:
    assert TexFile("a", f"x\n{text}\n").forbidden == ()


@for_each(
    ("text", "expected"),
    [
        ("a % b", "a "),
        (r"a \% b", r"a \% b"),
        (r"a \\% b", r"a \\"),
        (r"a \\\% b", r"a \\\% b"),
        ("% a\nb", "\nb"),
    ],
)
def test_comments(text: str, expected: str) -> None:
    assert strip_comments(text) == expected


def test_the_style_file_has_the_statements_and_their_parts() -> None:
    style = (ROOT / "proofs" / "opendp-lite.sty").read_text(encoding="utf-8")
    stated = {}
    for definition in style.split(r"\newcommand{")[1:]:
        name = definition.partition("}")[0]
        if name.startswith("\\valid"):
            stated[name[1:]] = tuple(re.findall(r"\\odl@clause\{(.*?)\}", definition))
    assert stated == PARTS


def test_the_style_file_has_every_macro_that_is_read() -> None:
    style = (ROOT / "proofs" / "opendp-lite.sty").read_text(encoding="utf-8")
    for macro in (
        "proofof lemmaof summary code uses by human lemma checked linelabel "
        "unfinished fn odlstatus odlauthor odlreviewer odldate"
    ).split():
        assert rf"{{\{macro}}}" in style
    for (
        environment
    ) in "compilerverified humanverified postcondition lemmastatement".split():
        assert rf"\newenvironment{{{environment}}}" in style


def test_macros_have_balanced_arguments() -> None:
    text = r"\x{a{b}\}c} \xy{no} \x[o] {d} \x e"
    assert [arguments for _, arguments in macros(text, "x", 1)] == [
        (r"a{b}\}c",),
        ("d",),
    ]
