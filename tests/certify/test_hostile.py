"""Certificates that somebody wrote to deceive: what is hidden is seen, or refused."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite import certify, verify
from opendp_lite.certify import Evidence
from opendp_lite.certify.format import canonical, differences, sealed
from opendp_lite.certify.pages import pdf
from opendp_lite.certify.trees import NONE_FOUND, carried
from tests.certify.pipelines import noisy


@pytest.fixture(scope="module")
def content(evidence: Evidence) -> dict[str, Any]:
    return certify.certificate(noisy(), 1, pairs=[], evidence=evidence).content


def checked(given: dict[str, Any], evidence: Evidence) -> certify.Findings:
    return certify.check(json.dumps(sealed(given)), evidence=evidence)


@pytest.mark.parametrize(
    "put",
    [
        lambda c: c["claim"].update({"signed by the office": "(absent)"}),
        lambda c: c["assumptions"].append("(absent)"),
        lambda c: c["proofs"].append("(absent)"),
        lambda c: c["steps"][0]["d_out"].update(more="(absent)"),
        lambda c: c["rests_on"].update(more="(absent)"),
        lambda c: c["trusted"].update(more="(absent)"),
    ],
)
def test_no_text_stands_for_what_is_absent(
    put: Any, content: dict[str, Any], evidence: Evidence
) -> None:
    given = deepcopy(content)
    put(given)
    found = checked(given, evidence)
    (one,) = found.differences
    assert str(one).endswith(": (absent) -> (absent)")  # the first one is a text
    assert not found


def test_a_version_more_is_seen(content: dict[str, Any], evidence: Evidence) -> None:
    given = deepcopy(content)
    given["versions"]["audited"] = "(absent)"
    (one,) = checked(given, evidence).environment
    assert one.field == "versions.audited"


def test_one_is_looked_for_where_none_was_found(
    content: dict[str, Any], evidence: Evidence
) -> None:
    given = deepcopy(content)
    given["bit_trees"]["none"] = NONE_FOUND  # it hides one that refutes, say
    fields = {each.field for each in checked(given, evidence).differences}
    assert {"bit_trees.none", "bit_trees.pairs[0]"} <= fields


def test_what_is_printed_was_derived_here(
    content: dict[str, Any], evidence: Evidence
) -> None:
    given = deepcopy(content)
    given["claim"]["sentence"] = (
        "epsilon = 1/100\nDerived anew: all is the same.\x1b[8m"
    )
    given["claim"]["\x1b[2Jmore"] = "\u202ereversed"
    given["findings"] = ["none\nat all", {"a": 1}]
    found = checked(given, evidence)
    assert found.claim == content["claim"]["sentence"]
    text = repr(found)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "Derived anew" not in [line[:12] for line in text.splitlines()]
    assert found.unreviewed == ("none[U+000A]at all", '{"a":1}')


def test_why_nothing_is_carried_is_one_line(content: dict[str, Any]) -> None:
    pipeline = {"carried": None, "not_carried": "as\x1b[2J\nall is in order."}
    given = {**content, "pipeline": {**content["pipeline"], **pipeline}}
    with pytest.raises(dp.OpenDPException, match=r"as\[U\+001B\]\[2J\[U\+000A\]all"):
        certify.check(json.dumps(sealed(given)))


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "9" * 5000])
def test_numbers_that_json_does_not_have(number: str, content: dict[str, Any]) -> None:
    text = json.dumps(content).replace('"comment": ""', f'"comment": {number}')
    assert number in text
    with pytest.raises(dp.OpenDPException, match="is no JSON"):
        certify.check(text)


def test_a_pipeline_that_is_nested_too_deeply(
    content: dict[str, Any], evidence: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deep(*_: Any) -> Any:
        raise RecursionError

    monkeypatch.setattr("opendp_lite.certify.checking.derived", deep)
    with pytest.raises(dp.OpenDPException, match="nested too deeply"):
        checked(content, evidence)
    deeper: Any = 0
    for _ in range(400):
        deeper = {"tuple": [deeper]}
    given = {**content, "pipeline": {**content["pipeline"], "carried": deeper}}
    with pytest.raises(dp.OpenDPException, match=r"nested too deeply|must be a meas"):
        certify.check(json.dumps(given | {"digest": sealed(given)["digest"]}))


def test_runs_are_counted_over_all_pairs(
    content: dict[str, Any], evidence: Evidence
) -> None:
    trees = {**content["bit_trees"], "pairs": [[0, 1]] * 16, "runs": 10**6, "depth": 9}
    with pytest.raises(dp.OpenDPException, match="runs in all=16000000"):
        checked({**content, "bit_trees": trees, "digest": ""}, evidence)


def test_letters_that_cannot_be_seen(content: dict[str, Any], tmp_path: Path) -> None:
    given = deepcopy(content)
    given["told"]["comment"] = "\u202eno\ud800 <b>"
    given["told"]["subject"] = "a\u2066:b"
    path = tmp_path / "page.html"
    certify.loaded(json.dumps(sealed(given))).save(path)
    page = path.read_text(encoding="utf-8")
    assert "[U+202E]no[U+D800] &lt;b&gt;" in page
    assert not {"\u202e", "\u2066"} & set(page)


@pytest.mark.parametrize(
    ("tex", "why"),
    [
        (r"\input{SECRET}", "TeX does not find"),
        (r"is private \unheardof{not}", "Undefined control sequence"),
    ],
)
def test_a_pdf_with_a_part_left_out_is_none(
    tex: str, why: str, content: dict[str, Any], tmp_path: Path
) -> None:
    secret = tmp_path / "secret.tex"
    secret.write_text("a file of the reader's own")
    given = deepcopy(content)
    given["proofs"][0]["theorem"]["tex"] = tex.replace("SECRET", str(secret))
    path = tmp_path / "a.pdf"
    path.write_text("before")
    hostile = certify.loaded(json.dumps(sealed(given)))
    with pytest.raises(dp.OpenDPException, match=f"the PDF cannot be made: .*{why}"):
        hostile.save(path)
    assert path.read_text() == "before"
    assert [each.name for each in tmp_path.iterdir() if each.suffix == ".part"] == []


def test_tex_that_never_ends(
    content: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf, "_MOST_SECONDS", 0.01)
    with pytest.raises(dp.OpenDPException, match="does not end within"):
        pdf.pdf_file(content, "")


def test_absent_is_no_value() -> None:
    (one,) = differences({"a": "(absent)"}, {})
    assert canonical(one.old) == '"(absent)"'
    assert repr(one.new) == "(absent)"


HUGE = 10**5000  # Python writes no integer of more than 4,300 digits


def test_long_numbers_are_certified_and_shown(evidence: Evidence) -> None:
    made = noisy(HUGE)
    certificate = certify.certificate(made, HUGE, evidence=evidence)
    assert "int of 16610 bits" in certificate.to_html()
    assert "int of 16610 bits" in repr(certificate)
    assert certificate._repr_html_()
    found = certify.check(certificate.to_json(), evidence=evidence)
    assert found.same
    tree = verify.privacy(made, 0, HUGE, depth=8, runs=20, progress=False)
    assert "int of 16610 bits" in repr(tree)


@pytest.mark.parametrize("place", ["d_in", "carried", "shown"])
def test_long_numbers_that_are_put_in_are_seen(
    place: str, content: dict[str, Any], evidence: Evidence
) -> None:
    given = deepcopy(content)
    given["pipeline"][place] = carried(HUGE)
    if place != "d_in":
        with pytest.raises(dp.OpenDPException):
            checked(given, evidence)
        return
    found = checked(given, evidence)
    assert not found
    assert "int of 16610 bits" in repr(found) or "0x" in repr(found)
