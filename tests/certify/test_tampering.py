"""Every leaf of a certificate is changed, with and without its digest; all are seen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite import certify
from opendp_lite.certify import Evidence, checking, deriving
from opendp_lite.certify.format import NOT_DERIVED, Difference, canonical, sealed
from tests.certify.pipelines import count, own, response

Path = tuple[Any, ...]


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of all leaves; an empty list or dict is one."""
    if isinstance(value, dict | list) and value:
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in pairs:
            yield from leaves(each, (*path, key))
    else:
        yield path


def changed(content: dict[str, Any], path: Path) -> dict[str, Any]:
    """The same content with another value at one leaf."""
    first, *rest = path
    value = content[first] if not rest else json.loads(json.dumps(content[first]))
    inside = given = {**content, first: value}
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = another(inside[path[-1]])
    return given


def another(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return f"{value}x" if not value.isdigit() else str(int(value) + 1)
    return {None: "x"}.get(value, "x") if value is None else ["x"]


@pytest.fixture(scope="module")
def content(evidence: Evidence) -> dict[str, Any]:
    made = certify.certificate(
        response(), 1, runs=20, name="a.py:b", comment="none", evidence=evidence
    )
    return made.content


@pytest.fixture(scope="module")
def own_content(evidence: Evidence) -> dict[str, Any]:
    return certify.certificate(own(), 1, pairs=[], evidence=evidence).content


@pytest.fixture
def remembering(monkeypatch: pytest.MonkeyPatch) -> None:
    """Derive once for the same inputs: most leaves are not inputs."""
    derive, kept = deriving.derived, dict[str, Any]()

    def derived(made: Any, *inputs: Any) -> Any:
        key = canonical([repr(made), repr(inputs[:4])])
        if key not in kept:
            kept[key] = derive(made, *inputs)
        return kept[key]

    monkeypatch.setattr(checking, "derived", derived)


def refused(given: dict[str, Any], evidence: Evidence, subject: Any = None) -> str:
    """How a certificate is found out: what it is refused for, or where it differs."""
    try:
        found = certify.check(json.dumps(given), subject, evidence=evidence)
    except dp.OpenDPException as error:
        return error.message
    return "; ".join(map(str, (*found.differences, *found.environment)))


def test_there_are_leaves_of_every_kind(content: dict[str, Any]) -> None:
    paths = list(leaves(content))
    assert {path[0] for path in paths} == content.keys()
    assert len(paths) > 200


def test_a_changed_leaf_does_not_fit_the_digest(
    content: dict[str, Any], evidence: Evidence
) -> None:
    for path in leaves(content):
        given = changed(content, path)
        message = refused(given, evidence)
        first = ("format", "format_version")
        kinds = {"its digest does not fit", "has no ", "is not a pipeline certificate"}
        assert any(each in message for each in kinds) or path[0] in first, (
            path,
            message,
        )


@pytest.mark.usefixtures("remembering")
def test_a_changed_leaf_with_a_new_digest_is_not_derived(
    content: dict[str, Any], evidence: Evidence
) -> None:
    for path in leaves(content):
        if path[0] == "digest":
            continue
        message = refused(sealed(changed(content, path)), evidence)
        # What is only told can be told anew; its kind is checked all the same.
        assert bool(message) == (path[0] not in NOT_DERIVED), (path, message)


@pytest.mark.usefixtures("remembering")
def test_the_same_where_the_subject_is_named(
    own_content: dict[str, Any], evidence: Evidence
) -> None:
    subject = own()
    for path in leaves(own_content):
        if path[0] not in ("digest", "proofs", "rests_on"):  # as above
            message = refused(sealed(changed(own_content, path)), evidence, subject)
            assert bool(message) == (path[0] not in NOT_DERIVED), (path, message)


@pytest.mark.usefixtures("remembering")
def test_a_field_more_or_less_is_seen(
    content: dict[str, Any], evidence: Evidence
) -> None:
    for key in content:
        less = {name: value for name, value in content.items() if name != key}
        assert refused(sealed(less) if key != "digest" else less, evidence)
        if isinstance(content[key], dict):
            more = {**content, key: {**content[key], "more": 1}}
            assert refused(sealed(more), evidence), key
        if isinstance(content[key], list):
            more = {**content, key: [*content[key], "more"]}
            assert refused(sealed(more), evidence), key
    assert refused(sealed({**content, "more": 1}), evidence)


def test_what_differs_is_named_old_and_new(
    content: dict[str, Any], evidence: Evidence
) -> None:
    given = deepcopy(content)
    loss = given["claim"]["d_out"]["exact"]
    given["claim"]["d_out"]["exact"] = "1/20"
    digests = given["proofs"][0]["code"]
    (function,) = digests
    before, digests[function] = digests[function], "0" * 64
    found = certify.check(json.dumps(sealed(given)), evidence=evidence)
    assert not found
    assert list(map(str, found.differences)) == [
        str(Difference("claim.d_out.exact", "1/20", loss)),
        f"proofs[0].code.{function}: {'0' * 64} -> {before}",
    ]


def test_a_smaller_scale_is_seen_in_what_it_costs(evidence: Evidence) -> None:
    given = certify.certificate(count(), 1, pairs=[], evidence=evidence).content
    given["pipeline"]["carried"]["arguments"]["measurement1"]["arguments"]["scale"] = 1
    found = certify.check(json.dumps(sealed(given)), evidence=evidence)
    fields = {each.field for each in found.differences}
    assert {"claim.d_out.exact", "claim.sentence", "pipeline.shown"} <= fields
