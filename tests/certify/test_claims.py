"""The sentences of claims are true: of samples, of infinite losses, at any distance."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import opendp_lite.prelude as dp
from opendp_lite.certify.words import claim_of
from tests.certify.pipelines import gaussian, noisy


def claim(made: Any, d_in: Any) -> dict[str, Any]:
    told = made.explain(d_in)
    found: dict[str, Any] = claim_of(made, told.kind, told.d_in, told.d_out, d_in)
    return found


def test_of_a_sample_it_is_about_populations() -> None:
    dp.enable_features("honest-but-curious")
    domain = dp.vector_domain(dp.atom_domain(bounds=(0.0, 10.0)), size=100)
    mean = (domain, dp.symmetric_distance()) >> dp.t.then_mean()
    sampled = mean >> dp.m.then_laplace(scale=0.1)
    said = claim(dp.c.make_population_amplification(sampled, 1000), 2)
    assert said["formal"].startswith("Of any two populations, from one of which")
    assert said["sentence"].startswith(
        "If at most 2 rows are added or removed in the population, of which the data "
        "are a secret sample, no answer becomes more than "
    )
    assert said["protects"] == (
        "who is in the population: populations that differ by at most 2 rows added or "
        "removed, from one of which the data are a secret sample"
    )
    assert claim(sampled, 2)["formal"].startswith("Of any two inputs at distance")


def test_an_infinite_loss_is_no_guarantee() -> None:
    for made in (noisy(), dp.c.make_approximate(noisy())):
        said = claim(made, math.inf)
        assert said["sentence"].endswith(", which is no guarantee at all.")
        assert said["protects"].startswith("nothing, as the loss has no bound")
        assert "no guarantee" not in claim(made, 1)["sentence"]


def test_a_distance_in_one_direction() -> None:
    for monotonic in (True, False):
        metric = dp.linf_distance(T=int, monotonic=monotonic)
        space = dp.vector_domain(dp.atom_domain(T=int)), metric
        made = dp.m.make_noisy_max(*space, dp.max_divergence(), scale=1)
        said = claim(made, 1)["protects"]
        assert ("all in one direction" in said) == monotonic


def test_a_curve_is_told_at_the_very_distance() -> None:
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    made = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*space, scale=1))
    third = Fraction(1, 3)
    loss = made.privacy_map(made.input_metric.parse(third))
    exact = made.output_measure.present(loss, exact=True)
    assert claim(made, third)["curve"][0] == ["2", str(exact(2))]
    assert claim(gaussian(), 1)["curve"] == []
