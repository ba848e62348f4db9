"""What is particular to make_noise: it chooses the law that belongs to the measure."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException
from opendp_lite.randomness.entropy import use_source
from opendp_lite.verify.contracts.checks import HashedBits
from tests.rows import for_each

INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
FRACTIONS = dp.atom_domain(T=Fraction), dp.absolute_distance(T=Fraction)
PURE, ZERO = dp.max_divergence(), dp.zero_concentrated_divergence()
CHOICES: list[Any] = [
    (PURE, dp.m.make_laplace, dp.l1_distance),
    (ZERO, dp.m.make_gaussian, dp.l2_distance),
]


@for_each("k", [None, 2])
@for_each(("measure", "make", "norm"), CHOICES)
def test_it_is_the_mechanism_of_the_measure(
    measure: Any, make: Any, norm: Any, k: int | None
) -> None:
    lists = dp.vector_domain(INTEGERS[0], size=3), norm(T=int)
    for space, x in (
        (INTEGERS, 7),
        (FLOATS, 0.3),
        (FRACTIONS, Fraction(1, 3)),
        (lists, [1, 2, 3]),
    ):
        chosen, direct = dp.m.make_noise(*space, measure, 2.5, k), make(*space, 2.5, k)
        assert chosen.output_measure == measure
        assert chosen.input_space == direct.input_space
        assert chosen.covers_rationals == direct.covers_rationals
        for d_in in (0, 1, 7, 10**30):
            assert chosen.map(d_in, exact=True) == direct.map(d_in, exact=True)
        for seed in range(16):
            released = []
            for measurement in (chosen, direct):
                with use_source(HashedBits(seed)):
                    released.append(measurement(x))
            assert released[0] == released[1]


# (scale, d_in): what OpenDP 0.16 answers, on integers, under either measure.
OPENDP: dict[tuple[float, int], tuple[float, float]] = {
    (2.0, 1): (0.5, 0.125),
    (1.0, 3): (3.0, 4.5),
    (4.0, 2): (0.5, 0.125),
}


@pytest.mark.parametrize(("scale", "d_in"), OPENDP)
def test_the_map_is_opendps(scale: float, d_in: int) -> None:
    answers = [dp.m.make_noise(*INTEGERS, m, scale).map(d_in) for m in (PURE, ZERO)]
    assert tuple(answers) == OPENDP[scale, d_in]


def test_calls_as_opendp_users_write_them() -> None:
    measurement = dp.m.make_noise(*INTEGERS, PURE, 1.0)
    same = [
        dp.m.make_noise(*INTEGERS, output_measure=PURE, scale=1.0),
        dp.m.make_noise(*INTEGERS, PURE, 1.0, None),
        INTEGERS >> dp.m.then_noise(PURE, 1.0),
        INTEGERS >> dp.m.then_noise(output_measure=PURE, scale=1.0, k=None),
        pickle.loads(pickle.dumps(measurement)),
    ]
    assert all(each == measurement for each in same)
    assert measurement != dp.m.make_noise(*INTEGERS, ZERO, 1.0)
    assert measurement != dp.m.make_laplace(*INTEGERS, 1.0)
    chain = dp.space_of(list[int]) >> dp.t.then_count() >> dp.m.then_noise(ZERO, 2.0)
    assert chain.map(1) == 0.125
    assert type(chain([3, 4, 5])) is int


def test_an_object_shows_how_it_was_made() -> None:
    assert repr(dp.m.make_noise(*INTEGERS, PURE, scale=1.0)) == (
        "make_noise(AtomDomain(T=int), AbsoluteDistance(T=int), "
        "output_measure=MaxDivergence(), scale=1.0)"
    )


@for_each(
    "measure",
    [
        "MaxDivergence",
        dp.MaxDivergence,
        None,
        1,
        dp.renyi_divergence(),
        dp.smoothed_max_divergence(),
        dp.approximate(PURE),
        dp.approximate(ZERO),
    ],
)
def test_another_measure_is_refused(measure: Any) -> None:
    with pytest.raises(OpenDPException) as caught:
        dp.m.make_noise(*INTEGERS, measure, 1.0)
    assert caught.value.variant == "MakeMeasurement"
    assert caught.value.message.startswith("output_measure=")
    assert caught.value.message.endswith(
        "must be MaxDivergence or ZeroConcentratedDivergence. "
        "Pass max_divergence() or zero_concentrated_divergence()."
    )


@pytest.mark.parametrize(("measure", "make", "norm"), CHOICES)
def test_the_metric_of_the_other_law_is_refused(
    measure: Any, make: Any, norm: Any
) -> None:
    other = dp.l2_distance if norm is dp.l1_distance else dp.l1_distance
    lists = dp.vector_domain(INTEGERS[0]), other(T=int)
    with pytest.raises(OpenDPException, match=f"and {norm.__name__}"):
        dp.m.make_noise(*lists, measure, 1.0)
