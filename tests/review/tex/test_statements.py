"""The library's own statements: what is changed in a helper reaches its users."""

from __future__ import annotations

import re

import pytest

from opendp_lite.review.code.library import Library
from opendp_lite.review.code.modules import Module
from opendp_lite.review.commands.reviewing import premises, statement_digests
from opendp_lite.review.project import Project
from opendp_lite.review.records import check_code, read_reviews
from opendp_lite.review.rules.callees import Callees, Claims
from tests.review.example import ROOT, with_text

PROOFS = ROOT / "proofs"
INTEGER = "opendp_lite.base.arguments.integer_argument"
STATING = "lemmas/exact-arguments"
USERS = [
    "extras/numpy/BinomialCND",
    "measurements/make_geometric",
    "measurements/precision_argument",
    "transformations/make_b_ary_tree",
]


def test_a_change_of_a_helper_reaches_the_one_place_that_states_it(
    library: Project,
) -> None:
    """`integer_argument` accepts halves."""
    name = "opendp_lite.base.arguments"
    module = library.library.module(name)
    assert module is not None
    halves = module.text.replace("number.denominator != 1:", "2 % number.denominator:")
    assert halves != module.text
    changed = Project(
        "opendp_lite", PROOFS, Library("opendp_lite", {name: Module(name, halves)})
    )
    review = read_reviews(PROOFS)[STATING]
    reported = [
        problem.message
        for problem in check_code(changed, changed.files[STATING], review)
    ]
    assert any(message.startswith("_whole, or") for message in reported)
    assert Claims(library).stating(INTEGER) == [STATING]


Names = dict[str, set[str]]


@pytest.fixture(scope="module")
def resting(library: Project) -> tuple[Names, Names]:
    """What some proofs refer to, and what their truth rests on."""
    return premises(library, USERS)


@pytest.mark.parametrize("user", USERS)
def test_who_does_not_quote_it_rests_on_the_statement(
    library: Project, resting: tuple[Names, Names], user: str
) -> None:
    quoted = {f"{each.module}.{each.name}" for each in library.files[user].quotes}
    assert INTEGER not in quoted
    rests, foundations = resting
    assert STATING in rests[user]
    assert STATING in foundations[user]
    said = r"it is an integer and lies between"
    weaker = with_text(library, STATING, said, "it is twice an integer, between")
    before, after = (
        statement_digests(each, [user])[user] for each in (library, weaker)
    )
    changed = {key for key in before if before[key] != after[key]}
    assert changed & {STATING, f"{STATING}(f)"}


def test_without_the_statement_its_users_are_reported(library: Project) -> None:
    silent = with_text(library, STATING, r"\fn{integer_argument}", "the function")
    callees = Callees(silent)
    reported = {p.proof for p in callees.check() if INTEGER in p.detail}
    assert set(USERS) <= reported
    assert reported.isdisjoint(
        name
        for name, tex in library.files.items()
        if INTEGER in {f"{each.module}.{each.name}" for each in tex.quotes}
    )


# No record has the digest of a symbol: who lets \\R mean something else changes what
# every proof states, and has to say so here, and to read all that use it.
SYMBOLS = r"""
\newcommand{\N}{\mathbb{N}}
\newcommand{\Z}{\mathbb{Z}}
\newcommand{\Q}{\mathbb{Q}}
\newcommand{\R}{\mathbb{R}}
\newcommand{\Rbar}{\overline{\mathbb{R}}}
\DeclareMathOperator{\Prob}{Pr}
\DeclareMathOperator{\Ex}{E}
\newcommand{\eps}{\varepsilon}
\newcommand{\din}{d_{\mathrm{in}}}
\newcommand{\dout}{d_{\mathrm{out}}}
\newcommand{\dd}{\mathop{}\!\mathrm{d}}
\newcommand{\given}{\mid}
\DeclarePairedDelimiter{\abs}{\lvert}{\rvert}
\DeclarePairedDelimiter{\norm}{\lVert}{\rVert}
\DeclarePairedDelimiter{\floor}{\lfloor}{\rfloor}
\DeclarePairedDelimiter{\ceil}{\lceil}{\rceil}
\newcommand{\ind}[1]{\mathbf{1}_{#1}}
\DeclareMathOperator{\RN}{RN}
\DeclareMathOperator{\TV}{TV}
\newcommand{\Renyi}[1]{D_{#1}}
"""
_DEFINES = r"(?:command|Operator|Delimiter|def|let)\*?\s*\{?"


def test_the_symbols_of_the_style_mean_what_they_did() -> None:
    style = (PROOFS / "opendp-lite.sty").read_text(encoding="utf-8")
    symbols = SYMBOLS.strip().splitlines()
    lines = style[style.index(symbols[0]) :].splitlines()
    starts = (r"\newcommand", r"\Declare")
    assert [line for line in lines if line.startswith(starts)] == symbols
    for line in symbols:
        name = line.split("{")[1].rstrip("}")
        again = re.findall(rf"{_DEFINES}{re.escape(name)}(?![a-zA-Z])", style)
        assert len(again) == 1, name
