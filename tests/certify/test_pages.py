"""A certificate as HTML and PDF: all that it says is there, and can be read."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from html import escape, unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import opendp_lite.prelude as dp
from opendp_lite import certify
from opendp_lite.certify import Evidence
from opendp_lite.certify.pages.document import Banner, Table, blocks
from opendp_lite.certify.pages.pdf import pdf_file, tex_source
from opendp_lite.certify.pages.prose import (
    Macro,
    claim_html,
    mathml,
    own_definitions,
    prose,
)
from tests.certify.pipelines import PIPELINES, count, own
from tests.rows import for_each


@pytest.fixture(scope="module")
def made(evidence: Evidence) -> Any:
    return certify.certificate(
        own(), 1, runs=20, name="a.py:b", comment="<&>", evidence=evidence
    )


def parsed(html: str) -> Any:
    """A page as XML, which its tags must be."""
    body = html.partition("<body>")[2].partition("</body>")[0]
    closed = re.sub(r"<(br|col)\b([^>]*)>", r"<\1\2/>", body)
    return ElementTree.fromstring(f"<div>{closed}</div>")


def words(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", html))


def test_every_claim_is_shown_as_html(evidence: Evidence) -> None:
    style = evidence.style_text
    proofs = evidence.all_projects["opendp_lite"].proofs
    assert len(proofs) > 150
    for name in proofs:
        theorem = evidence_of(evidence, name)
        html = claim_html(theorem["tex"], theorem["definitions"], style)
        assert 'class="tex"' not in html, name  # what could not be shown
        parsed(f"<body><p>{html}</p></body>")


def evidence_of(evidence: Evidence, name: str) -> dict[str, Any]:
    """The theorem of a proof, without its code, which takes long to read."""
    from opendp_lite.certify.evidence import ProofFacts

    tex = evidence.all_projects["opendp_lite"].files[name]
    return ProofFacts(name, "", {}, {}, "", None, (), tex).theorem()


@for_each(("runs", "whole"), [(2, True), (1, False)])
def test_every_string_is_said_where_all_were_run(
    runs: int, whole: bool, evidence: Evidence
) -> None:
    coin = dp.m.make_randomized_response_bool(prob="3/4")
    made = certify.certificate(
        coin, 1, pairs=[(False, True)], depth=2, runs=2 * runs, evidence=evidence
    )
    page = words(made.to_html())
    assert ("on every string of random bits" in page) == whole
    assert (f"at most 2 bits and {2 * runs} runs" in page) != whole
    assert "This search does not see everything" in page


def test_the_page_says_all(made: Any) -> None:
    html = made.to_html()
    parsed(html)
    said = words(html)
    content = made.content
    assert made.claim in said
    assert content["digest"] in said
    assert "<&>" in said
    for each in content["proofs"]:
        assert each["path"] in said
        assert each["text"] in said
        assert all(digest in said for digest in each["code"].values())
    for each, place in zip(
        content["assumptions"], content["told"]["places"], strict=True
    ):
        assert each["text"] in said
        assert place in said
    assert html.count("<span>signature</span>") == len(content["assumptions"]) > 1
    for name, version in content["versions"].items():
        assert name in said
        assert str(version) in said
    assert "--subject MODULE:NAME" in said
    assert "undecided" in said
    assert "For all arguments that meet the preconditions" in said
    assert "prefers-color-scheme: dark" in html
    assert "http" not in html


def test_what_is_amiss_is_seen_first(made: Any) -> None:
    findings = {**made.content, "findings": ["the code is another one"]}
    _, banner, *_ = blocks(findings)
    given = "the code is another one"
    text = "Not all of this is what somebody has reviewed and vetted:"
    assert banner == Banner(text, "amiss", (given,))
    _, banner, *_ = blocks(made.content)
    assert isinstance(banner, Banner)
    assert banner.kind == "order"


def test_no_assumption_is_said_as_well(evidence: Evidence) -> None:
    plain = certify.certificate(count(), 1, pairs=[], evidence=evidence)
    assert "nothing in this pipeline rests on the word of a person" in plain.to_html()
    assert "whoever releases answers for it" in words(plain.to_html())
    assert "There is none: none was asked for." in words(plain.to_html())


def test_long_numbers_are_rounded_up_in_tables(evidence: Evidence) -> None:
    make, d_in, _ = PIPELINES["fixed delta"]
    made = certify.certificate(make(), d_in, pairs=[], evidence=evidence)
    (table,) = [
        each
        for each in blocks(made.content)
        if isinstance(each, Table) and each.head[0] == "step"
    ]
    pair = made.content["claim"]["d_out"]["float"]
    assert table.rows[0][3] == f"≤ ({pair[0]}, {pair[1]})"
    assert table.rows[0][1] == "`make_fix_delta(delta=1e-06, ...)`"
    assert [row[0] for row in table.rows] == ["1", "1.1", "1.1.1", "1.1.1.1", "1.1.1.2"]
    exact = made.content["claim"]["d_out"]["exact"]
    assert f"{exact}, rounded up ({pair[0]}, {pair[1]})" in words(made.to_html())


def test_the_pdf_is_made(made: Any, tmp_path: Path) -> None:
    made.save(tmp_path / "certificate.pdf")
    content = (tmp_path / "certificate.pdf").read_bytes()
    assert content.startswith(b"%PDF")
    assert len(content) > 50_000


def test_text_of_users_is_text_in_tex(made: Any) -> None:
    told = {**made.content["told"], "comment": r"\input{/etc/passwd} 50% $x_1$ ∑ {"}
    source = tex_source({**made.content, "told": told})
    assert r"\textbackslash{}input\{/etc/passwd\} 50\% \$x\_1\$ [U+2211] \{" in source
    assert r"\input" not in source


def test_without_tex_a_sentence_names_the_packages(
    made: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(dp.OpenDPException, match="texlive-latex-extra"):
        pdf_file(made.content, made.style)


def test_tex_that_stops_is_told(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(command: list[str], cwd: Path, **_: Any) -> Any:
        (cwd / "certificate.log").write_text("! Undefined control sequence.\n")
        return subprocess.CompletedProcess(command, 1)

    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(subprocess, "run", stopped)
    with pytest.raises(dp.OpenDPException, match="Undefined control sequence"):
        pdf_file(made.content, made.style)


@for_each(
    ("tex", "shown"),
    [
        (r"\tfrac12", "<mn>1</mn><mn>2</mn></mfrac>"),
        ("2^{10}", "<msup><mn>2</mn><mrow><mn>10</mn></mrow></msup>"),
        ("2^10", "<msup><mn>2</mn><mn>1</mn></msup><mn>0</mn>"),
        (r"\twice y", "<mi>y</mi><mi>y</mi>"),
        (r"\le\name", "<mo>≤</mo><mi>n</mi>"),
        (r"\mathcal S", "<mi>𝒮</mi>"),
        (r"a<b", "<mo>&lt;</mo>"),
        (r"\bigl\{a\bigr\rfloor", ">{</mo><mi>a</mi><mo"),
        (r"\lvert a", '<mo lspace="0" rspace="0" stretchy="false">|</mo><mi>a</mi>'),
        (r"\text{if $\bar{x}$ is \fn{a_b}}", "<mtext>\u00a0is\u00a0a_b</mtext>"),
        (r"\begin{aligned}1&2\\3\end{aligned}", "</mtd></mtr><mtr><mtd"),
        (r"x\label{x}", "<mrow><mi>x</mi></mrow></math>"),
        (r"\text{<b>&#60;b></b>}", "<mtext>&lt;b&gt;&lt;b&gt;&lt;/b&gt;</mtext>"),
    ],
)
def test_formulas(tex: str, shown: str) -> None:
    macros = {"twice": Macro(1, "#1#1"), "name": Macro(0, "n")}
    assert shown in (mathml(tex, macros) or "")


@for_each(
    "tex",
    [
        *(r"\unheard", "{", r"\frac1", "}", "&", "x}{y", r"\begin{tikz}x\end{tikz}"),
        *(r"\loop", r"\grow", r"\href{https://a}{b}", r"\style{color:red}{b}"),
    ],
)
def test_formulas_that_cannot_be_shown(tex: str) -> None:
    endless = {"loop": Macro(0, r"\loop"), "grow": Macro(0, r"\grow\grow")}
    assert mathml(tex, endless) is None
    assert prose(f"${tex}$", {}).startswith(f'<code class="tex">{escape(tex)}')


def test_formulas_stay_tex_where_latex2mathml_is_missing(
    made: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "latex2mathml" not in words(made.to_html())
    for name in ("latex2mathml", "latex2mathml.converter"):
        monkeypatch.setitem(sys.modules, name, None)
    html = made.to_html()
    parsed(html)
    assert '<code class="tex">' in html
    assert "<math" not in html
    assert words(html).count("pip install 'opendp-lite[cli]'") == 1  # what is missing
    assert words(html).count("In a clone of opendp_lite") == 1  # how to check it
    assert words(html).count("pip install '.[cli]'") == 1


def test_words_of_the_style_file_are_put_in_place() -> None:
    style = r"\newcommand{\validX}[2]{For \fn{#1}: \odl@here{#2}}"
    style += r"\newcommand{\odl@here}[1]{\ifstrempty{#1}{nothing}{\emph{#1}}}"
    assert claim_html(r"\validX{f}{so}", [], style) == "For <code>f</code>: <em>so</em>"
    assert claim_html(r"\validX{f}{}", [], style).endswith("nothing")
    assert claim_html(r"\validY{f}", [], style).startswith('<code class="tex">')


def test_macros_of_a_proof_of_its_own() -> None:
    head = r"\DeclareMathOperator{\rint}{rint} \newcommand{\pair}[2]{(#1,#2)}"
    assert own_definitions(head) == [
        r"\newcommand{\pair}[2]{(#1,#2)}",
        r"\newcommand{\rint}{\operatorname{rint}}",
    ]
