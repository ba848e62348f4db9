"""Randomized response on categories: law, privacy, map, bits, and OpenDP's answers."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import opendp.prelude as oracle
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.base.errors import OpenDPException
from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.measurements.responses import randomized_response
from opendp_lite.randomness.draws import sample_bernoulli_rational, sample_uniform_below
from opendp_lite.randomness.entropy import use_source
from opendp_lite.testing import state_flakiness
from opendp_lite.verify.contracts.checks import HashedBits
from tests.rows import for_each

make = dp.m.make_randomized_response
ABC = ["a", "b", "c"]


def stated(categories: list[Any], p: mpq, x: Any, y: Any) -> mpq:
    """The law that the docstring states."""
    k = len(categories)
    if x not in categories:
        return mpq(1, k)
    return p if x == y else (1 - p) / (k - 1)


@for_each(
    ("categories", "prob"),
    [
        (ABC, "2/3"),
        (ABC, Fraction(1, 3)),
        (ABC, 1),
        ([4, 7], 0.75),
        ([5, 4, 3, 2, 1], "0.3"),
        ([True, False], "3/5"),
    ],
)
def test_the_law_is_the_stated_one(categories: list[Any], prob: Any) -> None:
    measurement = make(categories, prob)
    outside = {str: "outside", int: -1, bool: True}[type(categories[0])]
    for x in [*categories, outside]:
        certificate = verify.law(
            lambda x=x: measurement(x),
            lambda y, x=x: stated(categories, to_mpq(prob), x, y),
            depth=16,
        )
        certificate.assert_holds()
        assert certificate.total_variation < mpq(1, 1000)


def test_a_dyadic_law_is_exact() -> None:
    measurement = make([1, 2, 3, 4, 5], 0.5)
    for x in range(1, 6):
        tree = verify.enumerate_tree(lambda x=x: measurement(x), depth=3)
        assert tree.unresolved == 0
        masses = [tree.mass(y) for y in range(1, 6)]
        expected = [mpq(1, 2) if y == x else mpq(1, 8) for y in range(1, 6)]
        assert masses == expected


@pytest.mark.parametrize("prob", ["0.4", "2/3", "0.9"])
def test_the_pair_is_as_private_as_claimed_and_no_more(prob: Any) -> None:
    certificate = verify.privacy(make(ABC, prob), "a", "c", depth=18)
    certificate.assert_holds()
    assert certificate.claimed_loss - certificate.needs_epsilon < mpq(1, 50)


@pytest.mark.parametrize("prob", ["0.4", "2/3", "0.9"])
def test_a_hundredth_more_truth_is_found(
    monkeypatch: pytest.MonkeyPatch, prob: Any
) -> None:
    monkeypatch.setattr(
        randomized_response,
        "sample_bernoulli_rational",
        lambda p: sample_bernoulli_rational(p + mpq(1, 100)),
    )
    assert verify.privacy(make(ABC, prob), "a", "b", depth=18).refuted


def test_lies_that_are_not_uniform_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    # One of the lies is never told.
    monkeypatch.setattr(
        randomized_response,
        "sample_uniform_below",
        lambda n: max(sample_uniform_below(n), 1),
    )
    assert verify.privacy(make(ABC, "2/3"), "a", "b", depth=16).refuted


def test_outside_values_are_answered_alike() -> None:
    measurement = make(ABC, "2/3")
    trees = [
        verify.enumerate_tree(lambda x=x: measurement(x), depth=12)
        for x in ("", "d", "A", "a ", "\udc80")
    ]
    assert all(tree == trees[0] for tree in trees)
    # Also where the truth is certain: there no finite loss is claimed. One of three
    # is missing in 200 answers with probability below 1e-34.
    state_flakiness("1e-34")
    assert {make(ABC, 1)("z") for _ in range(200)} == set(ABC)
    assert make(ABC, 1).map(1) == math.inf


# The map


@for_each(
    ("k", "prob"),
    [(2, 0.75), (3, 0.4), (3, 0.99), (10, 0.9), (5, 0.2), (7, "1/6"), (1000, 0.001)],
)
def test_epsilon_is_the_logarithm_of_the_odds_rounded_up(k: int, prob: Any) -> None:
    measurement = make(list(range(k)), prob)
    p = to_mpq(prob)
    odds = p * (k - 1) / (1 - p)
    epsilon = to_mpq(measurement.map(1, exact=True))
    assert exp(epsilon, 400).lo >= odds
    assert exp(epsilon * (1 - mpq(1, 2**100)), 400).hi <= odds
    shown = measurement.map(1)
    # It is the least double that suffices.
    assert exp(to_mpq(shown), 400).lo >= odds
    assert exp(to_mpq(math.nextafter(shown, 0.0)), 400).hi < odds


def test_the_ends_of_the_map() -> None:
    for k in (2, 3, 7, 1000):
        uniform = make(list(range(k)), Fraction(1, k))
        assert uniform.map(1) == uniform.map(math.inf) == 0.0
    assert make(ABC, "2/3").map(0) == 0.0
    assert make(ABC, "2/3").map(1) == make(ABC, "2/3").map(5)
    assert make([1, 0], "0.9").map(1) == dp.m.make_randomized_response_bool("0.9").map(
        1
    )


# OpenDP


@pytest.fixture
def _contrib() -> Any:
    oracle.enable_features("contrib")
    yield
    oracle.disable_features("contrib")


PROBABILITIES = [(2, 0.5), (2, 0.75), (3, 0.5), (3, 0.99), (3, 0.4), (100, 0.5)]
# Here OpenDP rounds up at several steps, and we at one.
ROUNDED_ONCE = [(4, 0.25), (5, 0.2), (10, 0.9), (1000, 0.001)]


@pytest.mark.usefixtures("_contrib")
def test_the_map_is_opendps_or_smaller_by_its_roundings() -> None:
    for k, prob in PROBABILITIES:
        theirs = oracle.m.make_randomized_response(list(range(k)), prob)
        for d_in in (0, 1, 2):
            assert make(list(range(k)), prob).map(d_in) == theirs.map(d_in)
    for k, prob in ROUNDED_ONCE:
        theirs = oracle.m.make_randomized_response(list(range(k)), prob)
        ours = make(list(range(k)), prob).map(1)
        assert theirs.map(1) - 3e-15 < ours < theirs.map(1)


@pytest.mark.usefixtures("_contrib")
def test_values_outside_are_handled_as_in_opendp() -> None:
    """With the truth certain OpenDP answers members truly and others uniformly.

    200 uniform answers miss one of three categories with probability below 1e-34.
    """
    state_flakiness("2e-34")
    theirs = oracle.m.make_randomized_response(ABC, 1.0)
    ours = make(ABC, 1.0)
    for each in (ours, theirs):
        assert [each(x) for x in ABC] == ABC
        assert {each("z") for _ in range(200)} == set(ABC)


@pytest.mark.usefixtures("_contrib")
def test_what_opendp_refuses_is_refused() -> None:
    for categories, prob in [(ABC, 0.33), (ABC, 1.01), (["a"], 0.9), ([1.0, 2.0], 0.9)]:
        with pytest.raises(oracle.OpenDPException):
            oracle.m.make_randomized_response(categories, prob)
        with pytest.raises(OpenDPException):
            make(categories, prob)  # type: ignore[arg-type]


# Random bits


class Counted(HashedBits):
    """A string of bits that notes how many were asked for at a time."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.granularity = 64
        self.asked: list[int] = []

    def bits(self, count: int) -> int:
        self.asked.append(count)
        return super().bits(count)


def test_the_number_of_draws_does_not_tell_who_was_honest() -> None:
    measurement = make(ABC, "2/3")
    asked, answers = set(), set()
    for seed in range(200):
        for x in ("a", "c", "z"):
            source = Counted(seed)
            with use_source(source):
                answers.add((x, measurement(x)))
            asked.add(tuple(source.asked))
    assert len(answers) == 9
    assert asked == {(64, 64)}


# Calls and refusals


def test_calls_as_opendp_users_write_them() -> None:
    measurement = make(ABC, 0.99)
    assert measurement == make(categories=ABC, prob=0.99) == make(tuple(ABC), 0.99)
    assert measurement.input_domain == dp.atom_domain(T=str)
    assert measurement.input_metric == dp.discrete_distance()
    assert measurement.output_measure == dp.max_divergence()
    assert make([1, 2], 0.6, T="u8").input_domain == dp.atom_domain(T="u8")
    assert make([1, 2], 0.6, "u8") != make([1, 2], 0.6)


def test_arrays_and_numpy_scalars_are_what_they_stand_for() -> None:
    for categories in (np.array([3, 5]), [np.int8(3), np.uint64(5)], [3, 5]):
        measurement = make(categories, 1)
        for x in (3, 5, np.int16(3), np.int64(5)):
            assert measurement(x) == x
            assert type(measurement(x)) is int
    texts = make(np.array(["a", "b"]), 1)
    assert [type(texts(x)) for x in ("a", np.str_("b"))] == [str, str]
    assert make([True, False], 1)(np.bool_(True)) is True


def test_categories_that_change_later_change_nothing() -> None:
    categories = ["a", "b"]
    measurement = make(categories, 1)
    categories[0] = "z"
    assert measurement("a") == "a"
    assert measurement == make(["a", "b"], 1)


def test_what_is_no_member_is_refused_by_its_class_alone() -> None:
    texts: dict[type, set[str]] = {}
    for value in (1, 2, None, b"a", ["a"], [], math.nan, True):
        with pytest.raises(OpenDPException) as caught:
            make(ABC, 0.75)(value)
        assert caught.value.variant == "FailedFunction"
        texts.setdefault(type(value), set()).add(caught.value.message)
    assert {len(each) for each in texts.values()} == {1}
