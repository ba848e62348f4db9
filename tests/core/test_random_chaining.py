"""Chains with random transformations: which are random, and which are refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import Measure
from opendp_lite.core.transformation import Transformation
from tests.rows import for_each


def lists() -> Any:
    return dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()


def passing(random: bool) -> Transformation:
    """The identity, which may say that it is random."""
    domain, metric = lists()
    return Transformation(
        domain, domain, list, metric, metric, lambda d_in: d_in, random=random
    )


def test_a_chain_is_random_if_a_link_is() -> None:
    still, moving = passing(False), passing(True)
    assert not (still >> still).random
    assert all(each.random for each in (moving >> still, still >> moving))
    assert (moving >> still >> still).random


@pytest.fixture
def _own_parts() -> Iterator[None]:
    dp.enable_features("honest-but-curious")
    yield
    dp.disable_features("honest-but-curious")


MIXING: list[Any] = [
    dp.max_divergence(),
    dp.zero_concentrated_divergence(),
    dp.approximate(dp.max_divergence()),
    dp.approximate(dp.zero_concentrated_divergence()),
    dp.renyi_divergence(),
    dp.smoothed_max_divergence(),
    dp.approximate(dp.renyi_divergence()),
]


def ending(measure: Any) -> Measurement:
    domain, metric = lists()
    return Measurement(domain, len, metric, measure, lambda d_in: d_in)


@for_each("measure", MIXING, ids=repr)
def test_measures_that_mix(measure: Any) -> None:
    assert measure.processed
    chained = passing(True) >> ending(measure)
    assert chained([1, 2]) == 2
    assert chained.output_measure == measure


@pytest.mark.usefixtures("_own_parts")
def test_a_measure_of_ones_own_is_refused_after_a_random_transformation() -> None:
    """That mixing adds no loss is not known of it, approximate or not."""
    own = dp.user_divergence("own")
    for measure in (own, dp.approximate(own), dp.approximate(dp.approximate(own))):
        assert not measure.processed
        with pytest.raises(OpenDPException, match="mixture") as refused:
            passing(True) >> ending(measure)
        assert refused.value.variant == "MeasureMismatch"
        assert "output_measure" in str(refused.value)
        with pytest.raises(OpenDPException, match="mixture"):
            (passing(True) >> passing(False)) >> ending(measure)
        assert (passing(False) >> ending(measure))([1]) == 1


def test_a_measure_of_another_class_does_not_mix_unless_it_says_so() -> None:
    class Own(Measure):
        pass

    class Saying(Own):
        @property
        def processed(self) -> bool:
            return True

    for measure in (Saying(), dp.approximate(Saying())):
        with pytest.raises(OpenDPException, match=r"Saying.* needs the feature"):
            ending(measure)
    dp.enable_features("honest-but-curious")
    own, saying = ending(Own()), ending(Saying())
    assert not own.output_measure.processed
    with pytest.raises(OpenDPException, match="mixture"):
        passing(True) >> own
    chained = passing(True) >> saying
    assert chained([1, 2]) == 2
    assert "unproved" in repr(chained)
    dp.disable_features("honest-but-curious")
    with pytest.raises(OpenDPException, match=r"Saying.* needs the feature"):
        passing(True) >> saying
