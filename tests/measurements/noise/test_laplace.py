"""What is particular to make_laplace: its map on a grid, its measure, its name."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException, described
from opendp_lite.data.freezing import freeze
from tests.rows import for_each

INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
FRACTIONS = dp.atom_domain(T=Fraction), dp.absolute_distance(T=Fraction)
INTEGER_LISTS = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
FLOAT_LISTS = (
    dp.vector_domain(dp.atom_domain(T=float, nan=False)),
    dp.l1_distance(T=float),
)
FRACTION_LISTS = (
    dp.vector_domain(dp.atom_domain(T=Fraction)),
    dp.l1_distance(T=Fraction),
)


def sized(space: tuple[Any, Any], size: int) -> tuple[Any, Any]:
    return dp.vector_domain(space[0].element_domain, size=size), space[1]


def test_a_budget_is_the_decimal_it_prints_as() -> None:
    assert dp.m.make_laplace(*INTEGERS, scale=10).check(1, 0.1)
    assert dp.m.make_laplace(*INTEGERS, scale=10).check(3, 0.3)
    assert not dp.m.make_laplace(*INTEGERS, scale=9.999).check(1, 0.1)


def test_the_map_on_a_grid_of_vectors() -> None:
    integers = dp.m.make_laplace(*sized(INTEGER_LISTS, 3), scale=1, k=2)
    losses = [integers.map(d_in, exact=True) for d_in in range(9)]
    assert losses == [0, 4, 8, 12, 12, 12, 12, 16, 16]
    floats = dp.m.make_laplace(*sized(FLOAT_LISTS, 3), scale=1, k=2)
    assert floats.map(5e-324) == 4.0
    assert floats.map(1e-323) == 8.0
    assert floats.map(4.0, exact=True) == 12
    assert floats.map(math.nextafter(4.0, 5.0), exact=True) == 16
    fractions = dp.m.make_laplace(*sized(FRACTION_LISTS, 3), scale=1, k=2)
    assert fractions.map(Fraction(1, 10**400), exact=True) == 12
    assert fractions.map(4, exact=True) == 12
    assert fractions.map("4.1", exact=True) == 16
    empty = dp.m.make_laplace(*sized(FLOAT_LISTS, 0), scale=1, k=2)
    assert empty.map(5.0) == 0.0


def test_calls_as_opendp_users_write_them() -> None:
    measurement = dp.m.make_laplace(*INTEGERS, scale=1.0)
    assert measurement.output_measure == dp.max_divergence()
    same = [
        dp.m.make_laplace(*INTEGERS, 1.0),
        dp.m.make_laplace(*INTEGERS, 1.0, None),
        dp.m.make_laplace(*INTEGERS, 1.0, None, "MaxDivergence"),
        dp.m.make_laplace(
            input_domain=INTEGERS[0],
            input_metric=INTEGERS[1],
            scale=1.0,
            k=None,
            MO="MaxDivergence",
        ),
        INTEGERS >> dp.m.then_laplace(1.0),
        INTEGERS >> dp.m.then_laplace(scale=1.0, k=None, MO="MaxDivergence"),
        dp.space_of(int) >> dp.m.then_laplace(scale=1.0),
    ]
    assert all(each == measurement for each in same)
    for MO in (dp.MaxDivergence, dp.max_divergence()):
        assert dp.m.make_laplace(*INTEGERS, scale=1.0, MO=MO).map(1) == 1.0
    for T in ("i32", "u64", "f64", "f32"):
        domain = dp.atom_domain(T=T, nan=False if "f" in T else None)
        assert dp.m.make_laplace(domain, dp.absolute_distance(T=T), 2.0).map(1) == 0.5
    assert dp.m.make_laplace(*FLOATS, scale=1.0, k=-40.0).map(1.0) == 1.0
    chain = dp.space_of(list[int]) >> dp.t.then_count() >> dp.m.then_laplace(scale=2.0)
    assert chain.map(1) == 0.5
    assert type(chain([3, 4, 5])) is int


def test_an_object_shows_how_it_was_made() -> None:
    assert repr(dp.m.make_laplace(*INTEGERS, scale=1.0)) == (
        "make_laplace(AtomDomain(T=int), AbsoluteDistance(T=int), scale=1.0)"
    )
    assert "k=-3" in repr(dp.m.make_laplace(*FLOATS, scale="0.1", k=-3))


@for_each(
    "MO",
    [
        "ZeroConcentratedDivergence",
        dp.zero_concentrated_divergence(),
        dp.ZeroConcentratedDivergence,
        dp.approximate(dp.max_divergence()),
        "maxdivergence",
        None,
        1,
        float,
        (1.0, 2.0),
        np.array([1.0, 2.0]),
    ],
)
def test_another_measure_is_refused(MO: Any) -> None:
    rule = "Laplace noise is measured by MaxDivergence"
    with pytest.raises(OpenDPException) as caught:
        dp.m.make_laplace(*FLOATS, scale=1, MO=MO)
    assert caught.value.variant == "MakeMeasurement"
    message = caught.value.message
    assert message.startswith(f"MO={described('MO', freeze(MO))}"[:40])
    assert message.endswith(f"{rule}. Leave MO out.")


def test_missing_and_unknown_arguments_are_python_errors() -> None:
    with pytest.raises(TypeError, match="scale"):
        dp.m.make_laplace(*INTEGERS)
    with pytest.raises(TypeError, match="sigma"):
        dp.m.make_laplace(*INTEGERS, scale=1, sigma=2)
