"""The parts of a combinator are asked at the distances that its map asks them at.

`test_explaining` compares the distances that `explain` tells with those that maps are
asked at; here the losses of the parts at these distances make up that of the whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite.core.measurement import Measurement
from tests.rows import for_each

ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
SIZED = dp.vector_domain(dp.atom_domain(T=int), size=5)
INT = dp.atom_domain(T=int), dp.absolute_distance(T=int)
PURE = dp.max_divergence()


@pytest.fixture(autouse=True)
def _trusting() -> Iterator[None]:
    dp.enable_features("contrib", "honest-but-curious")
    yield
    dp.disable_features("contrib", "honest-but-curious")


def count(scale: Any = 3) -> dp.Measurement:
    made: dp.Measurement = ROWS >> dp.t.then_count() >> dp.m.then_laplace(scale=scale)
    return made


def keyed() -> dp.Measurement:
    """A measurement whose losses are pairs."""
    space = dp.map_domain(dp.atom_domain(T=str), INT[0]), dp.l01inf_distance(INT[1])
    return dp.m.make_laplace_threshold(*space, 1, 4)


def profile() -> dp.Measurement:
    return dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*INT, 3))


def product(*parts: Any) -> dp.Measurement:
    space = dp.product_domain([INT[0]] * 3), dp.product_distance([INT[1]] * 3)
    return dp.c.make_product(*space, parts)


def sized(metric: Any) -> dp.Measurement:
    space = SIZED, metric
    inner = space >> dp.t.then_clamp((0, 9)) >> dp.t.then_sum()
    made: dp.Measurement = inner >> dp.m.then_laplace(scale=7)
    return made


def added(losses: list[Any]) -> Any:
    return sum(losses)


def added_pairs(losses: list[Any]) -> Any:
    return sum(loss for loss, _ in losses), sum(delta for _, delta in losses)


def alone(losses: list[Any]) -> Any:
    (loss,) = losses
    return loss


def with_no_delta(losses: list[Any]) -> Any:
    return alone(losses), 0


LAPLACE = dp.m.make_laplace(*INT, 4)
WHOLES: dict[str, tuple[Callable[[], Any], Callable[[list[Any]], Any], list[Any]]] = {
    "make_composition": (
        lambda: dp.c.make_composition([count(3), count("7/2"), count(3)]),
        added,
        [0, 1, 5],
    ),
    "make_composition, pairs": (
        lambda: dp.c.make_composition([keyed()] * 2),
        added_pairs,
        [(1, 1, 1), (2, 3, 2)],
    ),
    "make_basic_composition": (
        lambda: dp.c.make_composition([dp.c.make_composition([count()] * 2), count()]),
        added,
        [1],
    ),
    "make_product": (
        lambda: product(dp.m.then_laplace(2), None, dp.m.then_laplace(3)),
        added,
        [(1, 0, 0), (1, 100, 3), (0, 7, 0)],
    ),
    "make_parallel_composition": (
        lambda: ROWS >> dp.c.then_parallel_composition([1, 2], [count(3), count(5)]),
        max,  # all rows that differ may lie in the block of the greatest loss
        [0, 1, 6],
    ),
    "make_parallel_composition, changed": (
        lambda: dp.c.make_parallel_composition(
            ROWS[0], dp.change_one_distance(), [1, 2], [count(3), count(5)]
        ),
        max,
        [0, 1, 6],
    ),
    "make_parallel_composition, of a public size": (
        lambda: dp.c.make_parallel_composition(
            SIZED, ROWS[1], [1, 2], [count(3), count(5)]
        ),
        max,
        [0, 1, 2, 7, 100],
    ),
    "make_approximate": (lambda: dp.c.make_approximate(LAPLACE), with_no_delta, [0, 3]),
}


def parts_at(whole: Any, d_in: Any) -> list[Any]:
    """The parts, at an exact distance of the whole, as its metric reads it."""
    return list(whole.parts(None if d_in is None else whole.input_metric.parse(d_in)))


@for_each("name", WHOLES)
def test_losses_of_the_parts_make_up_that_of_the_whole(name: str) -> None:
    make, claim, distances = WHOLES[name]
    whole = make()
    for d_in in distances:
        losses = [part.privacy_map(d) for part, d, _ in parts_at(whole, d_in)]
        assert claim(losses) == whole.privacy_map(whole.input_metric.parse(d_in))


AMPLIFIED = {"symmetric": dp.symmetric_distance(), "changed": dp.change_one_distance()}


@for_each("name", AMPLIFIED)
def test_samples_are_apart_by_the_rows_that_populations_can_change(name: str) -> None:
    """Under the symmetric distance each changed row counts twice."""
    twofold = 2 if name == "symmetric" else 1
    inner = sized(AMPLIFIED[name])
    whole = dp.c.make_population_amplification(inner, 8)
    for d_in in range(20):
        ((part, apart, _),) = parts_at(whole, d_in)
        assert part is inner
        assert apart == twofold * min(d_in // twofold, 5)
        loss, most = whole.privacy_map(d_in), part.privacy_map(apart)
        assert (loss == 0) is (apart == 0)
        assert loss <= most
        # Of more than 3 changed rows in 8 every sample of 5 has one.
        assert (loss == most) is (apart == 0 or d_in // twofold > 3)


ONE: dict[str, tuple[Callable[[Any], Any], Callable[[], Any]]] = {
    "make_pureDP_to_zCDP": (dp.c.make_pureDP_to_zCDP, lambda: LAPLACE),
    "make_zCDP_to_approxDP": (
        dp.c.make_zCDP_to_approxDP,
        lambda: dp.m.make_gaussian(*INT, 3),
    ),
    "make_RDP_to_approxDP": (
        dp.c.make_RDP_to_approxDP,
        lambda: dp.m.make_user_measurement(
            *INT, dp.renyi_divergence(), len, lambda d: lambda alpha: alpha * d
        ),
    ),
    "make_fix_delta": (lambda made: dp.c.make_fix_delta(made, 1e-6), profile),
    "make_fixed_approxDP_to_approxDP": (
        dp.c.make_fixed_approxDP_to_approxDP,
        lambda: dp.c.make_approximate(LAPLACE),
    ),
    "make_poisson_subsample": (
        lambda made: dp.c.make_poisson_subsample(made, "1/2"),
        count,
    ),
    "make_select_private_candidate": (
        lambda made: dp.c.make_select_private_candidate(made, "1/2", 1),
        count,
    ),
}


@for_each("name", ONE)
def test_one_part_is_asked_at_the_distance_of_the_whole(name: str) -> None:
    make, inner = ONE[name]
    part = inner()
    whole = make(part)
    for d_in in (None, 0, 3):
        assert parts_at(whole, d_in) == [(part, d_in, "")]


def test_a_filter_has_its_odometer() -> None:
    odometer = dp.c.make_fully_adaptive_composition(*ROWS, PURE)
    whole = dp.c.make_privacy_filter(odometer, 2, 1)
    assert parts_at(whole, None) == [(odometer, None, "")]
    assert parts_at(whole, 1) == [(odometer, 1, "")]


@for_each("name", WHOLES)
def test_without_a_distance_the_same_parts_have_none(name: str) -> None:
    make, _, distances = WHOLES[name]
    whole = make()
    known, unknown = parts_at(whole, distances[0]), parts_at(whole, None)
    assert [part for part, _, _ in known] == [part for part, _, _ in unknown]
    assert {d for _, d, _ in unknown} == {None}


def test_an_infinite_distance_is_one_too() -> None:
    whole = dp.c.make_composition([LAPLACE] * 2)
    assert [d for _, d, _ in parts_at(whole, math.inf)] == [math.inf] * 2


CHAINS = {"make_chain_tt", "make_chain_mt", "make_chain_pm", "make_chain_proved"}
SESSIONS = {"make_adaptive_composition", "make_fully_adaptive_composition"}
TOLD = {"make_population_amplification", "make_privacy_filter"}


def test_every_combinator_is_among_these() -> None:
    names = {name for name in dir(dp.c) if name.startswith("make_")}
    known = {name.partition(",")[0] for name in WHOLES} | set(ONE) | TOLD
    assert names - CHAINS - SESSIONS - known == {"make_sequential_composition"} & names


def test_chains_and_single_measurements_state_no_parts() -> None:
    """A chain is its links, which `explain` reads from its record."""
    for made in (count(), LAPLACE, LAPLACE >> abs):
        assert isinstance(made, Measurement)
        assert made.parts is None
