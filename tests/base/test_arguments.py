"""Checks that many constructors share."""

from __future__ import annotations

import math
from typing import Any

import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.base.arguments import pair_argument
from opendp_lite.measurements.noise.additive import in_scales
from tests.rows import for_each


@pytest.mark.parametrize("pair", [(1, "2"), [1, "2"]])
def test_a_pair_is_taken_apart(pair: Any) -> None:
    assert pair_argument("MakeDomain", "bounds", pair, "Pass two") == (1, "2")


@for_each(
    "value",
    [None, 7, (1,), (1, 2, 3), [], "ab", {1: 2, 3: 4}, {1, 2}, range(2)],
)
def test_what_is_no_pair_is_refused(value: Any) -> None:
    with pytest.raises(dp.OpenDPException) as caught:
        pair_argument("MakeDomain", "bounds", value, "Pass two")
    assert caught.value.variant == "MakeDomain"
    assert "must be a pair. Pass two" in caught.value.message


@for_each(
    ("distance", "scale", "ratio"),
    [
        (0, 0, 0),
        (0, 3, 0),
        (mpq(1, 2), 0, math.inf),
        (math.inf, 3, math.inf),
        (2, 3, mpq(2, 3)),
    ],
)
def test_distances_in_scales(distance: Any, scale: int, ratio: Any) -> None:
    assert in_scales(distance, mpq(scale)) == ratio


# More than a double holds: a factor of an infinite distance that is multiplied first
# would overflow.
HUGE = 10**400


@pytest.mark.parametrize("scale", [0, 1])
@pytest.mark.parametrize("measure", [dp.max_divergence()])
def test_a_huge_number_of_answers_has_a_loss(scale: int, measure: dp.Measure) -> None:
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    several = dp.m.make_sparse_vector(*space, measure, 0, scale, k=HUGE)
    top = dp.m.make_noisy_top_k(*space, measure, k=HUGE, scale=scale)
    for made in (several, top):
        assert made.map(0, exact=True) == 0
        assert made.map(math.inf) == math.inf
        loss = made.map(1, exact=True)
        assert loss == math.inf if scale == 0 else loss > HUGE


@pytest.mark.parametrize(
    "measure", [dp.max_divergence(), dp.zero_concentrated_divergence()]
)
def test_losses_of_selections_are_exact(measure: dp.Measure) -> None:
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    best = dp.m.make_noisy_max(*space, measure, scale=3)
    three = dp.m.make_noisy_top_k(*space, measure, k=3, scale=3)
    loss = mpq(2, 3) if measure == dp.max_divergence() else mpq(4, 9) / 8
    assert best.privacy_map(1) == loss
    assert three.privacy_map(1) == 3 * loss
    for made in (best, three):
        for d_in in (0, 1, mpq(1, 2)):
            assert not isinstance(made.privacy_map(d_in), float)
        assert made.privacy_map(0) == 0
        assert made.privacy_map(math.inf) == math.inf
