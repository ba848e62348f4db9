"""What is particular to make_gaussian: its map on a grid, its measure, its name."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException, described
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.freezing import freeze
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.roots import above, root
from opendp_lite.measurements.noise.additive import l2_sensitivity
from tests.rows import for_each

INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
FRACTIONS = dp.atom_domain(T=Fraction), dp.absolute_distance(T=Fraction)
INTEGER_LISTS = dp.vector_domain(dp.atom_domain(T=int)), dp.l2_distance(T=int)
FLOAT_LISTS = (
    dp.vector_domain(dp.atom_domain(T=float, nan=False)),
    dp.l2_distance(T=float),
)
FRACTION_LISTS = (
    dp.vector_domain(dp.atom_domain(T=Fraction)),
    dp.l2_distance(T=Fraction),
)


def sized(space: tuple[Any, Any], size: int) -> tuple[Any, Any]:
    return dp.vector_domain(space[0].element_domain, size=size), space[1]


def test_a_budget_is_the_decimal_it_prints_as() -> None:
    assert dp.m.make_gaussian(*FRACTIONS, scale=1).check("0.4", 0.08)
    assert dp.m.make_gaussian(*INTEGERS, scale=5).check(1, 0.02)
    assert not dp.m.make_gaussian(*INTEGERS, scale=4.999).check(1, 0.02)


def test_the_map_on_a_grid_of_vectors() -> None:
    """rho = (d_in + sqrt(n) (2^k - spacing))^2 / (2 b^2), here with b = 1."""
    for space, step in ((INTEGER_LISTS, 1), (FRACTION_LISTS, 0)):
        four = dp.m.make_gaussian(*sized(space, 4), scale=1, k=2)
        for d_in in (1, 2, 7):
            loss = Fraction((d_in + 2 * (4 - step)) ** 2, 2)
            assert four.map(d_in, exact=True) == loss
    three = dp.m.make_gaussian(*sized(FLOAT_LISTS, 3), scale=1, k=2)
    exact = three.map(1, exact=True)
    root = Fraction(math.isqrt(2 * exact.numerator * 10**60 // exact.denominator))
    # sqrt(2 rho) = 1 + 4 sqrt(3) = 7.9282032302755091741...
    assert abs(root / 10**30 - Fraction("7.9282032302755091741")) < Fraction(1, 10**17)
    assert dp.m.make_gaussian(*sized(FLOAT_LISTS, 0), scale=1, k=2).map(5.0) == 0


def counts(T: Any) -> Any:
    """Two counts, of which a changed row moves each by 1: sqrt(2) in L2."""
    space = dp.vector_domain(dp.atom_domain(T=int), size=3), dp.change_one_distance()
    pair = dp.vector_domain(dp.atom_domain(T=int), size=2)
    return Transformation(
        space[0],
        pair,
        lambda x: [sum(v == 0 for v in x), sum(v != 0 for v in x)],
        space[1],
        dp.l2_distance(T=T),
        lambda d: root(2 * d * d),
    )


@pytest.mark.parametrize("T", [int, float])
def test_a_loss_of_1_fits_a_budget_of_1(T: Any) -> None:
    """The square of sqrt(2) is 2, whatever was shown of sqrt(2)."""
    transformation = counts(T)
    assert transformation.map(1) == (2 if T is int else 1.4142135623730951)
    assert transformation.check(1, 2)
    if T is float:
        assert transformation.check(1, 1.4142135623730951)
        assert not transformation.check(1, 1.414213562373095)
    noisy = transformation >> dp.m.then_gaussian(scale=1)
    assert noisy.map(1, exact=True) == 1
    assert noisy.check(1, 1)
    assert not noisy.check(1, Fraction(10**30 - 1, 10**30))
    assert (transformation >> dp.m.then_gaussian(scale=2)).map(3) == 9 / 4
    # Four releases of a quarter each: the whole budget, and nothing above it.
    quarters = dp.c.make_composition(
        4 * [dp.m.make_gaussian(*transformation.output_space, 2)]
    )
    assert (transformation >> quarters).check(1, 1)


def test_a_root_of_zero_or_without_noise() -> None:
    assert (counts(float) >> dp.m.then_gaussian(scale=1)).map(0) == 0
    silent = counts(float) >> dp.m.then_gaussian(scale=0)
    assert (silent.map(0), silent.map(1)) == (0, math.inf)


@pytest.mark.parametrize("k", [0, 1, 5])
def test_a_root_on_a_grid(k: int) -> None:
    """Rounding adds sqrt(2) (2^k - 1); where nothing is rounded, nothing is added."""
    noisy = counts(int) >> dp.m.then_gaussian(scale=1, k=k)
    loss = noisy.map(1, exact=True)
    exact = Fraction(2 * 4**k, 2)  # (sqrt(2) + sqrt(2) (2^k - 1))^2 / 2
    assert exact <= loss <= exact * (1 + Fraction(1, 2**60))
    assert loss == exact or k > 0


def test_pairs_at_irrational_distances_are_judged_exactly() -> None:
    noisy = dp.m.make_gaussian(*INTEGER_LISTS, scale=1)
    assert noisy.privacy_map(INTEGER_LISTS[1].distance([0, 0], [1, 1])) == 1


def test_a_users_map_is_asked_above_the_root() -> None:
    dp.enable_features("honest-but-curious")
    try:
        space = counts(float).output_space
        asked = []

        def loss(d_in: Fraction) -> Fraction:
            asked.append(d_in)
            return d_in**2 / 2

        user = dp.m.make_user_measurement(
            *space, dp.zero_concentrated_divergence(), lambda x: 0, loss
        )
        assert 1 < user.privacy_map(root(2)) < 1 + mpq(1, 2**50)
        assert type(asked[0]) is Fraction
    finally:
        dp.disable_features("honest-but-curious")


@for_each("n", [1, 2, 3, 5, 10**6])
def test_the_root_of_the_size_is_rounded_up(n: int) -> None:
    for step in (mpq(0), mpq(1, 4)):
        bound = above(l2_sensitivity(mpq(1), 0, step, n), 0)
        root = (bound - 1) / (1 - step)
        assert root * root >= n
        assert (root - mpq(1, 2**64)) ** 2 < n


@for_each("d_in", ["1/10", "1/2", "1", "7/3"])
def test_vectors_never_part_by_more_on_the_grid(d_in: str) -> None:
    """Pairs of fractions around the points where the rounding jumps."""
    d = mpq(d_in)
    bound = above(l2_sensitivity(d, 0, mpq(0), 2), 0)
    edges = [mpq(n, 2) + mpq(e, 10**6) for n in (-1, 0, 1, 3) for e in (-1, 0, 1)]
    shares = [(mpq(3, 5) * d, mpq(4, 5) * d), (d, mpq(0))]
    for first, second in product(edges, edges):
        for a, b in shares:
            jumps = [
                nearest_multiple(x + by, 0) - nearest_multiple(x, 0)
                for x, by in ((first, a), (second, b))
            ]
            assert sum(jump * jump for jump in jumps) <= bound * bound


def test_calls_as_opendp_users_write_them() -> None:
    measurement = dp.m.make_gaussian(*INTEGERS, scale=1.0)
    assert measurement.output_measure == dp.zero_concentrated_divergence()
    same = [
        dp.m.make_gaussian(*INTEGERS, 1.0),
        dp.m.make_gaussian(*INTEGERS, 1.0, None),
        dp.m.make_gaussian(*INTEGERS, 1.0, None, "ZeroConcentratedDivergence"),
        dp.m.make_gaussian(
            input_domain=INTEGERS[0],
            input_metric=INTEGERS[1],
            scale=1.0,
            k=None,
            MO="ZeroConcentratedDivergence",
        ),
        INTEGERS >> dp.m.then_gaussian(1.0),
        INTEGERS
        >> dp.m.then_gaussian(scale=1.0, k=None, MO="ZeroConcentratedDivergence"),
        dp.space_of(int) >> dp.m.then_gaussian(scale=1.0),
    ]
    assert all(each == measurement for each in same)
    for MO in (dp.ZeroConcentratedDivergence, dp.zero_concentrated_divergence()):
        assert dp.m.make_gaussian(*INTEGERS, scale=1.0, MO=MO).map(1) == 0.5
    for T in ("i32", "u64", "f64", "f32"):
        domain = dp.atom_domain(T=T, nan=False if "f" in T else None)
        assert (
            dp.m.make_gaussian(domain, dp.absolute_distance(T=T), 2.0).map(1) == 0.125
        )
    assert dp.m.make_gaussian(*FLOATS, scale=1.0, k=-40.0).map(1.0) == 0.5
    chain = dp.space_of(list[int]) >> dp.t.then_count() >> dp.m.then_gaussian(scale=2.0)
    assert chain.map(1) == 0.125
    assert type(chain([3, 4, 5])) is int


def test_an_object_shows_how_it_was_made() -> None:
    assert repr(dp.m.make_gaussian(*INTEGERS, scale=1.0)) == (
        "make_gaussian(AtomDomain(T=int), AbsoluteDistance(T=int), scale=1.0)"
    )
    assert "k=-3" in repr(dp.m.make_gaussian(*FLOATS, scale="0.1", k=-3))


@for_each(
    "MO",
    [
        "MaxDivergence",
        dp.max_divergence(),
        dp.MaxDivergence,
        dp.approximate(dp.zero_concentrated_divergence()),
        "zeroconcentrateddivergence",
        None,
        1,
        float,
        (1.0, 2.0),
        np.array([1.0, 2.0]),
    ],
)
def test_another_measure_is_refused(MO: Any) -> None:
    rule = "Gaussian noise is measured by ZeroConcentratedDivergence"
    with pytest.raises(OpenDPException) as caught:
        dp.m.make_gaussian(*FLOATS, scale=1, MO=MO)
    assert caught.value.variant == "MakeMeasurement"
    message = caught.value.message
    assert message.startswith(f"MO={described('MO', freeze(MO))}"[:40])
    assert message.endswith(f"{rule}. Leave MO out.")


def test_missing_and_unknown_arguments_are_python_errors() -> None:
    with pytest.raises(TypeError, match="scale"):
        dp.m.make_gaussian(*INTEGERS)
    with pytest.raises(TypeError, match="sigma"):
        dp.m.make_gaussian(*INTEGERS, scale=1, sigma=2)
