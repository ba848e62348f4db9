"""Scales keep the loss that was asked for, and are the least doubles that do."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from tests.rows import for_each


def loss(
    scale: Any, d_in: Any, bounds: tuple[Any, Any], precision: int | None, size: int = 1
) -> Fraction:
    """The map of the mechanism, from its formula."""
    width = Fraction(bounds[1]) - Fraction(bounds[0])
    moved = size * width if d_in == math.inf else min(Fraction(d_in), size * width)
    if precision is None:
        return moved / Fraction(scale)
    eta = Fraction(1, 2**precision)
    return (moved + size * 6 * width * eta) / Fraction(scale) + 2 * size * eta


sizes = st.integers(1, 50)
ends = st.tuples(st.integers(-1000, 0), st.integers(1, 1000))
some = st.fractions(Fraction(1, 10**6), 10**6)


@given(
    epsilon=some,
    d_in=some | st.just(math.inf),
    bounds=ends,
    precision=st.none() | st.integers(118, 300),
    size=sizes,
)
def test_the_scale_keeps_the_loss_and_is_the_least(
    epsilon: Fraction, d_in: Any, bounds: Any, precision: int | None, size: int
) -> None:
    scale = dp.snapping_epsilon_to_scale(epsilon, d_in, bounds, precision, size=size)
    assert loss(scale, d_in, bounds, precision, size) <= epsilon
    below = math.nextafter(scale, 0.0)
    assert loss(below, d_in, bounds, precision, size) > epsilon


@given(
    scale=some,
    d_in=some | st.just(0) | st.just(math.inf),
    bounds=ends,
    precision=st.none() | st.integers(118, 300),
    size=sizes,
)
def test_the_loss_is_that_of_the_map(
    scale: Fraction, d_in: Any, bounds: Any, precision: int | None, size: int
) -> None:
    epsilon = dp.snapping_scale_to_epsilon(scale, d_in, bounds, precision, size=size)
    if d_in == 0:
        assert epsilon == 0.0
    else:
        exact = loss(scale, d_in, bounds, precision, size)
        assert math.nextafter(epsilon, 0.0) < exact <= epsilon


def test_there_and_back() -> None:
    for epsilon, d_in in itertools.product(["0.1", 0.3, 1, "7/3"], [1, 0.1, "1e-9"]):
        for precision in (None, 118, 200):
            scale = dp.snapping_epsilon_to_scale(epsilon, d_in, (0, 10), precision)  # type: ignore[arg-type]
            back = dp.snapping_scale_to_epsilon(scale, d_in, (0, 10), precision)  # type: ignore[arg-type]
            assert Fraction(back) <= Fraction(str(epsilon)) * (1 + Fraction(1, 2**51))


@for_each("precision", [None, 118, 200])
@for_each("size", [None, 1, 5])
def test_the_mechanism_keeps_the_budget(
    size: int | None, precision: int | None
) -> None:
    """By its own map; and with the next smaller scale it does not."""
    domain, metric = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    if size is not None:
        domain, metric = dp.vector_domain(domain, size=size), dp.l1_distance(T=float)  # type: ignore[assignment]
    budgets = [0.3, 0.1, "1/3", 1e-9, Fraction(22, 7), 50]
    for epsilon, d_in in itertools.product(budgets, [3, 0.1, "1/3", 100, math.inf]):
        n, bounds = size or 1, ("1/3", 9)
        arguments: tuple[Any, ...] = (d_in, bounds, precision)
        scale = dp.snapping_epsilon_to_scale(epsilon, *arguments, size=n)  # type: ignore[arg-type]
        made = [
            dp.m.make_snapping(domain, metric, each, bounds, precision=precision)
            for each in (scale, math.nextafter(scale, 0.0))
        ]
        assert made[0].check(d_in, epsilon)
        assert not made[1].check(d_in, epsilon)
        loss = dp.snapping_scale_to_epsilon(scale, *arguments, size=n)
        assert loss == made[0].map(d_in)


def test_vectors_of_unknown_size_are_covered_by_a_large_size() -> None:
    entries = dp.vector_domain(dp.atom_domain(T=float, nan=False))
    for size in (34, 10**9):
        scale = dp.snapping_epsilon_to_scale(0.3, 100, (0, 3), size=size)
        made = dp.m.make_snapping(entries, dp.l1_distance(T=float), scale, (0, 3))
        assert made.check(100, 0.3)
        loss = dp.snapping_scale_to_epsilon(scale, 100, (0, 3), size=size)
        assert loss == made.map(100)


def test_the_distance_is_no_more_than_the_width() -> None:
    assert dp.snapping_scale_to_epsilon(2, 100, (0, 3)) == 1.5
    assert dp.snapping_scale_to_epsilon(2, math.inf, (0, 3)) == 1.5
    assert dp.snapping_scale_to_epsilon(2, 100, (0, 3), size=4) == 6.0
    assert dp.snapping_epsilon_to_scale(1, "inf", (0, 3)) == 3.0


def test_a_float_budget_is_what_it_prints_as() -> None:
    """0.3 stores less than 3/10, and the library reads it as 3/10."""
    assert Fraction(0.3) < Fraction(3, 10)
    same = {dp.snapping_epsilon_to_scale(e, 3, (0, 9)) for e in (0.3, "0.3")}
    assert same == {10.0}


def test_the_finite_arithmetic_costs_a_little() -> None:
    exact = dp.snapping_epsilon_to_scale(1, 1, (-8, 8))
    finite = dp.snapping_epsilon_to_scale(1, 1, (-8, 8), precision=118)
    assert exact == 1.0
    assert finite == math.nextafter(1.0, 2.0)
    # Where eta is not small beside epsilon nothing is left.
    with pytest.raises(dp.OpenDPException, match="epsilon"):
        dp.snapping_epsilon_to_scale(Fraction(1, 2**117), 1, (-8, 8), precision=118)
    assert dp.snapping_epsilon_to_scale("1e-35", 1, (-8, 8), precision=118) > 1.01e35
    # A size of more digits than Python prints is refused in a sentence too.
    with pytest.raises(dp.OpenDPException, match="costs at any scale"):
        dp.snapping_epsilon_to_scale(1, 1, (-8, 8), precision=118, size=10**5000)


def test_extremes() -> None:
    assert dp.snapping_epsilon_to_scale(1e300, 1e-300, (0, 1)) == 5e-324
    assert dp.snapping_epsilon_to_scale(1e-300, 1, (0, 1)) == 1e300
    assert dp.snapping_scale_to_epsilon(1e-300, 1e300, (0, 1e308)) == math.inf
    assert dp.snapping_scale_to_epsilon(1e300, 1e-300, (0, 1)) == 5e-324
    assert dp.snapping_scale_to_epsilon(10**400, 1, (0, 1)) == 5e-324
    with pytest.raises(dp.OpenDPException, match="beyond the largest double"):
        dp.snapping_epsilon_to_scale("1e-310", 1, (0, 1))


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("epsilon", {"epsilon": 0}, "epsilon=0: must be above 0 and finite"),
    ("epsilon", {"epsilon": -1}, "must be above 0 and finite"),
    ("epsilon", {"epsilon": math.inf}, "must be above 0 and finite"),
    ("epsilon", {"epsilon": math.nan}, "must be a number, got nan"),
    ("epsilon", {"epsilon": None}, "of type NoneType"),
    ("epsilon", {"d_in": 0}, "at distance 0 every scale"),
    ("scale", {"scale": 0}, "scale=0: must be above 0"),
    ("scale", {"scale": math.inf}, "must be a finite number"),
    ("both", {"d_in": -1}, "must be at least 0"),
    ("both", {"d_in": math.nan}, "got nan"),
    ("both", {"d_in": "far"}, "must be a number such as"),
    ("both", {"bounds": (1, 0)}, "must be less than"),
    ("both", {"bounds": "ab"}, "must be a pair"),
    ("both", {"bounds": (0, math.inf)}, "finite"),
    ("both", {"precision": 117}, "must be at least 118"),
    ("both", {"precision": 118.5}, "must be an integer"),
    ("both", {"precision": 10**9}, "must be at most"),
    ("both", {"precision": "fine"}, "must be a number such as"),
    ("both", {"size": 0}, "must be at least 1"),
    ("both", {"size": 1.5}, "must be an integer"),
]


@for_each(("which", "bad", "text"), REFUSED)
def test_refusals(which: str, bad: dict[str, Any], text: str) -> None:
    good = {"d_in": 1, "bounds": (0, 10)}
    if which != "scale":
        with pytest.raises(dp.OpenDPException, match=text) as caught:
            dp.snapping_epsilon_to_scale(**{"epsilon": 1, **good, **bad})
        assert caught.value.variant == "InvalidDistance"
    if which != "epsilon":
        with pytest.raises(dp.OpenDPException, match=text) as caught:
            dp.snapping_scale_to_epsilon(**{"scale": 1, **good, **bad})
        assert caught.value.variant == "InvalidDistance"


def test_a_precision_too_coarse_for_the_scale_is_refused() -> None:
    with pytest.raises(dp.OpenDPException, match="precision"):
        dp.snapping_scale_to_epsilon("1e-300", 1, (0, 1), precision=118)
    with pytest.raises(dp.OpenDPException, match="precision"):
        dp.snapping_epsilon_to_scale("1e300", 1, (0, 1), precision=118)
