"""The clamp binds no more often than was asked for: by the exact law of the index.

A clamp binds if the snapped number lies outside of the bounds. Its probability is
computed by FLINT from the edges of the lattice, for numbers over the whole range.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import flint
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from tests.rows import for_each

VECTORS = json.loads(
    (Path(__file__).parents[2] / "data/snapping_utility_vectors.json").read_text()
)


@pytest.fixture(autouse=True)
def high_precision() -> Iterator[None]:
    before = flint.ctx.prec
    flint.ctx.prec = 600
    yield
    flint.ctx.prec = before


def ball(x: Any) -> arb:
    x = Fraction(x)
    return arb(x.numerator) / arb(x.denominator)


@functools.cache
def power_at_least(x: Fraction) -> Fraction:
    power = Fraction(1)
    while power < x:
        power *= 2
    while power / 2 >= x:
        power /= 2
    return power


def worst(bound: Any, scale: Any, inner: Fraction) -> arb:
    """The greatest P(|snap(x + Y)| > bound) for x = k inner/16, k from 0 to 16.

    Y is beyond the first edge outside of the bounds, on the side of x or on the other:
    (e^((x - edge)/scale) + e^((-x - edge)/scale)) / 2, which is that of -x as well.
    """
    bound, scale = Fraction(bound), Fraction(scale)
    step = power_at_least(scale)
    edge = (math.floor(bound / step) + Fraction(1, 2)) * step
    # The first multiples outside of the bounds are the ones beyond the edges.
    assert edge - step / 2 <= bound < edge + step / 2
    assert inner <= edge
    near = far = ball(-edge / scale).exp() / 2
    further = ball(inner / scale / 16).exp()
    chances = []
    for _ in range(17):
        chances.append(near + far)
        near, far = near * further, far / further
    return max(chances, key=lambda p: p.mid())


def vectors(function: str) -> Any:
    chosen = [v for v in VECTORS if v["function"] == function]
    assert chosen
    return pytest.mark.parametrize("vector", chosen, ids=lambda v: v["id"])


@vectors("choose_B")
def test_the_bounds_of_the_source(vector: dict[str, Any]) -> None:
    given = vector["inputs"]
    bound = dp.snapping_bounds(
        given["B_prime"], given["gamma"], epsilon=given["eps"], precision=118
    )
    expected = Fraction(vector["expected"])
    assert math.nextafter(bound, 0.0) < expected <= bound
    # The exact arithmetic needs about half of the room.
    exact = dp.snapping_bounds(given["B_prime"], given["gamma"], epsilon=given["eps"])
    room = expected - Fraction(given["B_prime"])
    assert Fraction(45, 100) < (exact - Fraction(given["B_prime"])) / room
    assert (exact - Fraction(given["B_prime"])) / room < Fraction(60, 100)


@vectors("choose_B_from_accuracy")
def test_the_bounds_of_the_source_from_an_accuracy(vector: dict[str, Any]) -> None:
    given = vector["inputs"]
    bound = dp.snapping_bounds(
        given["B_prime"],
        given["gamma"],
        accuracy=given["accuracy"],
        alpha=given["alpha"],
        precision=118,
    )
    expected = Fraction(vector["expected"])
    assert math.nextafter(bound, 0.0) < expected <= bound


EPSILONS = [1e-300, 1e-150, 1e-5, 0.1, 1, 1.0000001, 3, 1e5, 1e150, 1e300]
SHARES = ["1e-300", "1e-9", "0.05", "0.5", "0.9", "0.99999999999999999999", 1]


@for_each("epsilon", EPSILONS)
def test_the_clamp_seldom_binds(epsilon: float) -> None:
    scale = dp.snapping_epsilon_to_scale(epsilon, 1, (-(10**400), 10**400))
    for share, ratio in itertools.product(SHARES, [0, "1e-9", "0.3", "0.49", 1, 77]):
        inner = Fraction(ratio) * Fraction(scale)  # type: ignore[call-overload]
        bound = dp.snapping_bounds(inner, share, epsilon=epsilon)  # type: ignore[arg-type]
        assert worst(bound, scale, inner) <= ball(share)
        # A smaller scale, for which less noise is added, binds no more often.
        assert worst(bound, scale * 0.7, inner) <= ball(share)


@pytest.mark.parametrize("steps", [1, 3, 20])
def test_the_room_is_what_is_needed(steps: int) -> None:
    """At levels where the bound is just below a multiple of the step, one step less
    binds too often, and the bound itself nearly as often as is allowed."""
    share = Fraction(str(math.e ** (0.501 - steps)))
    bound = dp.snapping_bounds(0, share, epsilon=1)
    assert ball(share) * ball("0.998") < worst(bound, 1, Fraction(0)) <= ball(share)
    if steps > 1:
        assert worst(bound - 1, 1, Fraction(0)) > ball(share)


@given(
    epsilon=st.fractions(Fraction(1, 100), 100, max_denominator=1000),
    inner=st.fractions(0, 100, max_denominator=50),
    share=st.fractions(Fraction(1, 10**6), 1, max_denominator=10**6),
    d_in=st.fractions(Fraction(1, 100), 100, max_denominator=100),
    extra=st.integers(0, 100),
)
def test_the_clamp_seldom_binds_in_finite_arithmetic(
    epsilon: Fraction, inner: Fraction, share: Fraction, d_in: Fraction, extra: int
) -> None:
    bound = dp.snapping_bounds(
        inner, share, epsilon=epsilon, d_in=d_in, precision=118 + extra
    )
    scale = dp.snapping_epsilon_to_scale(epsilon, d_in, (-bound, bound), 118 + extra)
    assert worst(bound, scale, inner) <= ball(share)
    # The source's reason: k is at least twice the scale, rounded as it is.
    k = d_in * (2 + 24 * Fraction(1, 2**52)) / (epsilon - Fraction(1, 2**117))
    assert 2 * Fraction(scale) <= k


@given(
    accuracy=st.fractions(Fraction(1, 100), 100, max_denominator=1000),
    alpha=st.fractions(Fraction(1, 1000), Fraction(999, 1000), max_denominator=1000),
    inner=st.fractions(0, 100, max_denominator=50),
    share=st.fractions(Fraction(1, 10**6), 1, max_denominator=10**6),
    precision=st.sampled_from([None, 118, 150]),
)
def test_the_clamp_seldom_binds_at_an_accuracy(
    accuracy: Fraction,
    alpha: Fraction,
    inner: Fraction,
    share: Fraction,
    precision: int | None,
) -> None:
    bound = dp.snapping_bounds(
        inner, share, accuracy=accuracy, alpha=alpha, precision=precision
    )
    scale = dp.accuracy_to_snapping_scale(accuracy, (-(10**9), 10**9), alpha)
    assert worst(bound, scale, inner) <= ball(share)
    if accuracy < 2 * Fraction(bound):
        bounds = (-bound, bound)
        assert dp.accuracy_to_snapping_scale(accuracy, bounds, alpha) == scale


def test_a_coarse_precision_is_refused_and_the_next_is_named() -> None:
    with pytest.raises(dp.OpenDPException, match="must be at least 153") as caught:
        dp.snapping_bounds(1e30, "0.05", epsilon=1, precision=118)
    assert caught.value.variant == "InvalidDistance"
    bound = dp.snapping_bounds(1e30, "0.05", epsilon=1, precision=153)
    assert Fraction(bound) / 2**153 <= Fraction(1, 2**53)
    assert Fraction(bound) / 2**152 > Fraction(1, 2**53)
    # The precision that belongs to the bound is fine enough.
    p = dp.snapping_precision(epsilon=1, half_width=bound, d_in=1)
    assert dp.snapping_bounds(1e30, "0.05", epsilon=1, precision=p) == bound


def test_at_gamma_1_nothing_is_added_for_the_noise() -> None:
    assert dp.snapping_bounds(5, 1, epsilon=1) == 5.5
    assert dp.snapping_bounds(0, 1, epsilon=2) == 0.25
    almost = dp.snapping_bounds(5, 1 - Fraction(1, 10**30), epsilon=1)
    assert almost == math.nextafter(5.5, 6.0)
    finite = dp.snapping_bounds(5, 1, epsilon=1, precision=118)
    assert 6.0 < finite < 6.000000000001


GOOD = {"statistic_bound": 5, "gamma": "0.05", "epsilon": 1}
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"statistic_bound": -1}, "must be at least 0"),
    ({"statistic_bound": math.inf}, "finite"),
    ({"statistic_bound": 10**400}, "bounds beyond the largest double"),
    ({"statistic_bound": 10**400, "precision": 118}, "bounds beyond the largest"),
    ({"gamma": 0}, "gamma=0: must be above 0"),
    ({"gamma": "1.01"}, "must be at most 1"),
    ({"gamma": math.nan}, "got nan"),
    ({"epsilon": 0}, "must be above 0 and finite"),
    ({"epsilon": math.inf}, "must be above 0 and finite"),
    ({"epsilon": "1e-400"}, "beyond the largest double"),
    ({"epsilon": None}, "epsilon=None: must be given alone"),
    ({"accuracy": 3}, "must be given alone"),
    ({"alpha": 0.05}, "must be given alone"),
    ({"accuracy": 3, "alpha": 0.05}, "must be given alone"),
    ({"epsilon": None, "accuracy": 3}, "must be given alone"),
    ({"epsilon": None, "alpha": 0.05}, "must be given alone"),
    ({"epsilon": None, "accuracy": 0, "alpha": 0.05}, "accuracy=0: must be above 0"),
    ({"epsilon": None, "accuracy": "1e-400", "alpha": 0.05}, "must be greater"),
    ({"epsilon": None, "accuracy": 3, "alpha": 1}, "must be below 1"),
    ({"d_in": 0}, "d_in=0: must be above 0"),
    ({"d_in": math.inf}, "finite"),
    ({"precision": 117}, "must be at least 118"),
    ({"precision": 200.5}, "must be an integer"),
    ({"epsilon": Fraction(1, 2**117), "precision": 118}, "a loss above 2"),
    ({"epsilon": "1e-40", "precision": 118}, "a loss above 2"),
    ({"epsilon": 1e300, "d_in": 1e-10, "precision": 118}, "at most 2"),
    (
        {"epsilon": None, "accuracy": 1e40, "alpha": 0.05, "precision": 118},
        "a loss above 2",
    ),
]


@for_each(("bad", "text"), REFUSED)
def test_refusals(bad: dict[str, Any], text: str) -> None:
    with pytest.raises(dp.OpenDPException, match=text) as caught:
        dp.snapping_bounds(**{**GOOD, **bad})
    assert caught.value.variant == "InvalidDistance"
