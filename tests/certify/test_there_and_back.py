"""Certificates of pipelines of every kind, derived, written, and derived anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite import certify
from opendp_lite.certify import Evidence
from tests.certify.pipelines import PIPELINES, count, double, noisy, own, table_query


@pytest.mark.parametrize("name", PIPELINES)
def test_there_and_back(name: str, evidence: Evidence) -> None:
    make, d_in, claim = PIPELINES[name]
    made = certify.certificate(make(), d_in, pairs=[], evidence=evidence)
    assert claim in made.claim
    assert made.findings == ()
    found = certify.check(made.to_json(), evidence=evidence)
    assert found.same
    assert bool(found)
    assert found.environment == ()
    assert found.claim == made.claim


def test_what_a_certificate_says_of_a_chain(evidence: Evidence) -> None:
    content = certify.certificate(count(), 3, pairs=[], evidence=evidence).content
    assert [step["link"] for step in content["steps"]] == [
        "then_count()",
        "then_laplace(scale=2)",
    ]
    assert [step["d_out"]["exact"] for step in content["steps"]] == ["3", "3/2"]
    assert content["claim"]["protects"].endswith("at most 3 rows added or removed")
    paths = [each["path"] for each in content["proofs"]]
    assert paths == [
        "proofs/transformations/make_count.tex",
        "proofs/measurements/make_laplace.tex",
        "proofs/core/make_chain_mt.tex",
    ]
    laplace = content["proofs"][1]
    assert laplace["status"] == "vetted"
    assert laplace["as_reviewed"]
    assert laplace["readings"][-1]["what"] == "vetted"
    function = "opendp_lite.measurements.noise.laplace_gaussian:make_laplace"
    assert list(laplace["code"]) == [function]
    assert r"\validMeasurement{make_laplace}" in laplace["theorem"]["tex"]
    # What draws the noise is not quoted by that proof, but it rests on it.
    assert {"opendp_lite:randomness/draw_discrete", "opendp_lite:lemmas/doors"} <= (
        content["rests_on"].keys()
    )


def test_the_digests_are_those_of_the_records(evidence: Evidence) -> None:
    content = certify.certificate(noisy(), 1, pairs=[], evidence=evidence).content
    review = evidence.facts("opendp_lite", "measurements/make_laplace").review
    assert review is not None
    assert content["proofs"][0]["text"] == review.tex
    assert content["proofs"][0]["code"] == review.code
    assert content["proofs"][0]["premises"] == review.premises


def test_points_of_a_curve(evidence: Evidence) -> None:
    make, d_in, _ = PIPELINES["conversion"]
    content = certify.certificate(make(), d_in, pairs=[], evidence=evidence).content
    points = content["claim"]["curve"]
    assert [at for at, _ in points] == ["2", "4", "8"]
    profile = make().map(d_in)
    assert all(float(dp_delta) > 0 for _, dp_delta in _floats(points))
    assert float(_floats(points)[0][1]) <= profile.delta(2.0)


def _floats(points: list[list[str]]) -> list[tuple[float, float]]:
    from fractions import Fraction

    return [(float(at), float(Fraction(value))) for at, value in points]


def test_bit_trees_say_what_they_say_and_no_more(evidence: Evidence) -> None:
    made = certify.certificate(noisy(), 1, runs=1000, evidence=evidence)
    (tree,) = made.content["bit_trees"]["results"]
    assert tree["verdict"] == "holds"
    assert "of other pairs it says nothing" in tree["says"]
    assert (tree["x"], tree["x2"], tree["distance"]) == ("0", "1", "1")
    assert certify.check(made.to_json(), evidence=evidence)
    few = certify.certificate(noisy(), 1, runs=4, evidence=evidence)
    (tree,) = few.content["bit_trees"]["results"]
    assert tree["verdict"] == "undecided"
    assert few.findings == ()


def test_small_pairs_are_as_different_as_can_be(evidence: Evidence) -> None:
    clamped = PIPELINES["long chain"][0]()
    made = certify.certificate(clamped, 1, runs=300, evidence=evidence)
    (pair,) = made.content["bit_trees"]["pairs"]
    rows = [sum(min(max(row, 0), 10) for row in each) for each in pair]
    assert abs(rows[0] - rows[1]) == 10  # all that one row can do


def test_a_refuted_claim_is_a_finding(evidence: Evidence) -> None:
    dp.enable_features("honest-but-curious")
    space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    true = noisy(1)
    false = dp.m.make_user_measurement(
        *space, dp.max_divergence(), true.function, lambda d: d / 4
    )
    made = certify.certificate(false, 1, pairs=[(0, 1)], runs=400, evidence=evidence)
    (finding,) = made.findings
    assert "REFUTES the claim" in finding


def test_functions_of_ones_own_need_a_subject(evidence: Evidence) -> None:
    made = certify.certificate(own(), 1, pairs=[], evidence=evidence)
    assert made.content["pipeline"]["carried"] is None
    places = made.content["told"]["places"]
    assert places
    assert all("pipelines.py:" in each for each in places)
    text = made.to_json()
    with pytest.raises(dp.OpenDPException, match="Name the object yourself"):
        certify.check(text, evidence=evidence)
    assert certify.check(text, own(), evidence=evidence)


def other(x: int) -> int:
    return 2 * x + 1


def test_another_function_is_noticed(evidence: Evidence) -> None:
    text = certify.certificate(own(), 1, pairs=[], evidence=evidence).to_json()
    other.__qualname__ = double.__qualname__  # all that a pipeline shows of it
    found = certify.check(text, own(other), evidence=evidence)
    assert [each.field for each in found.differences] == ["functions[0].source"]


def test_another_subject_is_noticed(evidence: Evidence) -> None:
    text = certify.certificate(count(), 1, pairs=[], evidence=evidence).to_json()
    assert certify.check(text, count(), evidence=evidence)
    found = certify.check(text, count(1), evidence=evidence)
    fields = {each.field for each in found.differences}
    assert {"claim.d_out.exact", "pipeline.shown", "steps[1].link"} <= fields
    assert "claim.d_out.exact: 1/2 -> 1" in map(str, found.differences)


def test_a_context_is_its_accountant_and_what_was_asked(evidence: Evidence) -> None:
    context = dp.Context.compositor(
        data=[1, 2, 3],
        domain=dp.vector_domain(dp.atom_domain(T=int)),
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=1.0),
    )
    context.query(epsilon=0.25).count().laplace().release()
    made = certify.certificate(context, evidence=evidence)
    assert made.claim.startswith(
        "If one row is added or removed, no series of answers becomes more than 2.72 "
        "times as likely: "
    )
    (asked,) = made.content["told"]["asked"]
    assert asked.startswith("query 0: ")
    assert asked.endswith("charged 1/4 = 0.25, released")
    assert certify.check(made.to_json(), evidence=evidence)


def test_engines_are_named_for_tables_only(evidence: Evidence) -> None:
    table = certify.certificate(table_query(), evidence=evidence)
    assert "no small pair" in table.content["bit_trees"]["none"]  # tables have no text
    assert certify.check(table.to_json(), evidence=evidence)
    assert table.content["versions"]["duckdb"] is not None
    plain = certify.certificate(noisy(), 1, pairs=[], evidence=evidence)
    versions = plain.content["versions"]
    assert "duckdb" not in versions
    assert {"Python", "gmpy2", "GMP", "MPFR", "numpy", "cryptography"} < set(versions)
    assert all(versions.values())
    assert "OpenSSL" in str(versions["OpenSSL"])


def test_other_versions_are_no_differences(evidence: Evidence) -> None:
    content = certify.certificate(noisy(), 1, pairs=[], evidence=evidence).content
    given = {**content, "versions": {**content["versions"], "numpy": "1.0"}}
    from opendp_lite.certify.format import sealed

    found = certify.check(json.dumps(sealed(given)), evidence=evidence)
    assert found.same
    (change,) = found.environment
    assert (change.field, change.old) == ("versions.numpy", "1.0")
    assert "The environment differs" in repr(found)


def test_files(tmp_path: Path, evidence: Evidence) -> None:
    made = certify.certificate(noisy(), 1, pairs=[], name="a:b", evidence=evidence)
    path = tmp_path / "certificate.json"
    made.save(path)
    assert certify.check(path, evidence=evidence)
    assert certify.check(str(path), evidence=evidence)
    assert certify.loaded(path).content == made.content
    with pytest.raises(dp.OpenDPException, match=r"must end in \.json, \.html, \.pdf"):
        made.save(tmp_path / "certificate.txt")


@pytest.mark.parametrize(
    ("subject", "d_in", "words"),
    [
        (lambda: 3, 1, "subject='int': must be a measurement"),
        (count, None, "d_in=None: is missing"),
        (count, "one", "d_in='one': must be a number"),
        (count, 0.5, "must be an integer"),
        (count, -1, "d_in=-1"),
        (PIPELINES["session"][0], 2, "there is no guarantee to certify at d_in=2"),
    ],
)
def test_mistakes(subject: Any, d_in: Any, words: str, evidence: Evidence) -> None:
    with pytest.raises(dp.OpenDPException) as caught:
        certify.certificate(subject(), d_in, pairs=[], evidence=evidence)
    assert words in str(caught.value)
