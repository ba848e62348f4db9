"""Certificates that cannot be read: one sentence each, and nothing in them is run."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite import certify
from opendp_lite.certify import Evidence
from opendp_lite.certify.format import differences, sealed
from tests.certify.pipelines import noisy
from tests.rows import for_each


@pytest.fixture(scope="module")
def content(evidence: Evidence) -> dict[str, Any]:
    return certify.certificate(noisy(), 1, pairs=[], evidence=evidence).content


def said(given: Any) -> str:
    """What a certificate is refused for, before anything is derived."""
    with pytest.raises(dp.OpenDPException) as caught:
        certify.check(given if isinstance(given, str | Path) else json.dumps(given))
    return caught.value.message


@for_each(
    "text",
    [
        "{",
        '{"a": 1, "a": 1}',
        '{"a": NaN}',
        "[1]",
        "{}",
        '{"format": "another"}',
        "[" * 100000,
    ],
)
def test_what_is_no_certificate(text: str) -> None:
    message = said(text)
    assert "is no JSON" in message or "is not a pipeline certificate" in message


@pytest.mark.parametrize("version", [0, 1, 2, 4, "3", True, 3.0, None])
def test_another_format(content: dict[str, Any], version: Any) -> None:
    message = said(sealed({**content, "format_version": version}))
    assert "this version of opendp_lite reads 3" in message


def test_a_name_that_stands_twice(content: dict[str, Any]) -> None:
    text = json.dumps(content)
    assert "is no JSON" in said(f'{{"format": "x", {text[1:]}')


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert "no such file" in said(tmp_path / "none.json")
    assert "cannot be read" in said(tmp_path)
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe{")
    assert "no text in UTF-8" in said(tmp_path / "bytes.json")
    (tmp_path / "page.html").write_text("<html>")
    assert "not its HTML or PDF" in said(tmp_path / "page.html")


def test_a_file_that_is_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("opendp_lite.certify.format._MOST_BYTES", 10)
    (tmp_path / "large.json").write_text("{" + " " * 20)
    assert "is larger than" in said(tmp_path / "large.json")


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("depth", 10**9, "asks for depth=1000000000 of a bit tree"),
        ("runs", 10**9, "asks for runs=1000000000"),
        ("runs", -1, "asks for runs=-1"),
        ("depth", True, "has no bit_trees.depth, or one of another kind"),
        ("pairs", [[0, 1]] * 17, "asks for pairs=17"),
        ("pairs", [[0]], "has bit_trees.pairs of another kind"),
        ("pairs", [[0, {"type": "os.system"}]], "bit_trees.pairs that cannot be made"),
    ],
)
def test_bit_trees_that_would_never_end(
    content: dict[str, Any], key: str, value: Any, words: str
) -> None:
    given = {**content, "bit_trees": {**content["bit_trees"], key: value}}
    assert words in said(sealed(given))


def test_loading_never_imports(
    content: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    evidence: Evidence,
) -> None:
    mark = tmp_path / "mark"
    (tmp_path / "leaves_a_mark.py").write_text(
        f"open({str(mark)!r}, 'w').close()\ndef make_x(): open({str(mark)!r}, 'w')\n"
        "x = make_x\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    told = {**content["told"], "subject": "leaves_a_mark:x"}
    text = json.dumps(sealed({**content, "told": told}))
    assert certify.check(text, evidence=evidence)
    for named in ("leaves_a_mark:make_x", "leaves_a_mark.make_x", "make_x"):
        carried: dict[str, Any] = {"constructor": named, "arguments": {}}
        pipeline = {**content["pipeline"], "carried": carried}
        message = said(sealed({**content, "pipeline": pipeline}))
        assert "a constructor that is not the library's is named" in message
    proofs = [{**content["proofs"][0], "package": "leaves_a_mark"}]
    text = json.dumps(sealed({**content, "proofs": proofs}))
    found = certify.check(text, evidence=evidence)
    assert not found.same
    assert "leaves_a_mark" not in sys.modules
    assert not mark.exists()


def test_carried_values_are_pipelines(content: dict[str, Any]) -> None:
    pipeline = {**content["pipeline"], "carried": {"tuple": [1]}}
    assert "must be a measurement" in said(sealed({**content, "pipeline": pipeline}))


def test_differences_tell_types_apart() -> None:
    assert not list(differences({"a": [1, None]}, {"a": [1, None]}))
    assert [each.field for each in differences({"a": 1}, {"a": True})] == ["a"]
    assert [each.field for each in differences({"a": 1}, {"a": 1.0})] == ["a"]
    assert [each.field for each in differences([1], [1, 2])] == ["[1]"]
