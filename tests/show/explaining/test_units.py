"""Explanations and certificates of tables speak the units of the columns."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite.certify import certificate
from opendp_lite.show.explaining.steps import Explanation

ROWS = {"id": [1, 1, 2], "town": ["A", "B", "A"], "spend": [9.5, 20.0, 1.25]}
DOMAIN = dp.table_domain(
    {
        "id": dp.atom_domain(T="i64"),
        "town": dp.atom_domain(T=str),
        "spend": dp.atom_domain(T=float, nan=False),
    }
)
SPEND = dp.col("spend").clip(0.0, 64.0)


def opened(unit: Any = None, **loss: Any) -> dp.Context:
    return dp.Context.compositor(
        data=ROWS,
        domain=DOMAIN,
        privacy_unit=unit or dp.unit_of(contributions=1, identifier="id"),
        privacy_loss=dp.loss_of(**loss),
    )


def units(told: Explanation) -> list[str]:
    """All that an explanation says in units of columns, from the data outward."""
    return [said for step in told.whole.walk() for said in step.units]


def test_a_scale_is_told_in_the_unit_of_the_column_and_on_the_grid() -> None:
    query = opened(epsilon=1.0).table(epsilon="1/2", rows=2)
    query = query.agg(people=dp.people(), revenue=SPEND.sum())
    assert units(query.explain()) == [
        "people: differs by at most 1",
        "rows: differs by at most 2",
        "revenue: differs by at most 128 = 2199023255552 units of 2^-34",
        "people: scale 4",
        "revenue: scale 512 = 8796093022208 units of 2^-34",
    ]
    assert [row.scale for row in query.preview().rows] == [4, 512]
    assert [row.sensitivity for row in query.preview().rows] == [1, 128]
    assert query.explain().sentence == (
        "If one person with all rows is added or removed, no answer becomes more than "
        "1.65 times as likely: pure differential privacy with epsilon = 1/2 = 0.5."
    )
    text = str(query.explain())
    assert "\n      units  revenue: scale 512 = 8796093022208 units of 2^-34\n" in text
    assert "revenue: scale 512 = 8796093022208 units of 2^-34" in (
        query.explain()._repr_html_()
    )
    made = query.resolve()
    assert units(made.explain(1)) == units(query.explain())
    assert units(made.explain())[
        -1
    ] == "revenue: scale 512 = 8796093022208 units of " + ("2^-34")


def test_without_an_identifier_there_are_rows_and_no_person() -> None:
    context = opened(dp.unit_of(contributions=1), epsilon=1.0)
    query = context.table(epsilon="1/2").agg(rows=dp.count(), revenue=SPEND.sum(k=-2))
    told = query.explain()
    assert units(told) == [
        "rows: differs by at most 1",
        "revenue: differs by at most 64 = 256 units of 2^-2",
        "rows: scale 4",
        "revenue: scale 256 = 1024 units of 2^-2",
    ]
    sentence = told.sentence or ""
    assert sentence.startswith("If one row is added or removed, no answer becomes")
    assert "person" not in sentence


def test_scales_that_are_long_are_rounded_up_and_said_to_be() -> None:
    query = opened(rho=1.0).table(rho="1/3", rows=2).agg(revenue=SPEND.sum())
    (said,) = [each for each in units(query.explain()) if "scale" in each]
    own, _, steps = said.partition(" = ")
    assert own.startswith("revenue: scale ")
    assert own.endswith(" (rounded up)")
    number = Fraction(own.split()[2])
    (row,) = query.preview().rows
    assert row.scale <= number <= row.scale * (1 + 1e-5)
    assert Fraction(steps.split()[0]) >= number * 2**34 * (1 - Fraction(1, 10**5))


def test_keys_that_are_not_public_have_their_scales_in_units() -> None:
    context = opened(epsilon=1.0, delta=1e-6)
    query = context.table(epsilon="1/2", delta=1e-7, rows=2, groups=2)
    query = query.group_by("town").agg(n=dp.people(), revenue=SPEND.sum())
    assert units(query.explain()) == [
        "people: scale 8",
        "revenue: scale 1024 = 17592186044416 units of 2^-34",
    ]


def test_several_passes_and_what_is_no_table() -> None:
    query = opened(epsilon=1.0).table(epsilon="1/2", rows=1, groups=1)
    query = query.agg(people=dp.people(), spend=SPEND.histogram([10.0, 20.0]))
    assert "rows: scale 4" in units(query.explain())
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    noisy = space >> dp.t.then_count() >> dp.m.then_laplace(scale=2)
    assert units(noisy.explain(1)) == []


def test_a_users_own_constructor_may_mean_anything_by_sums() -> None:
    dp.enable_features("contrib", "honest-but-curious")
    from opendp_lite.core.registry import constructor

    @constructor()
    def make_own(
        input_domain: dp.Domain, input_metric: dp.Metric, sums: dict[str, int]
    ) -> dp.Measurement:
        return dp.m.make_user_measurement(
            input_domain, input_metric, dp.max_divergence(), len, lambda d_in: d_in
        )

    space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    assert units(make_own(*space, {"a": 1}).explain(1)) == []


@pytest.mark.parametrize("form", ["html", "json"])
def test_certificates_speak_both_units_and_end_with_digests(form: str) -> None:
    query = opened(epsilon=1.0).table(epsilon="1/2", rows=2).agg(revenue=SPEND.sum())
    made = certificate(query, pairs=[])
    assert made.claim == query.explain().sentence
    if form == "json":
        assert "revenue: scale 256 = 4398046511104 units of 2^-34" in made.to_json()
        return
    html = made.to_html()
    assert "revenue: scale 256 = 4398046511104 units of 2^-34" in html
    before, _, digests = html.partition("Digests</h")
    assert made.digest in digests
    assert made.digest not in before
    for each in made.content["proofs"]:
        assert each["text"] in digests
        assert each["text"] not in before
    for each in made.content["rests_on"].values():
        assert each["text"][:12] not in before
