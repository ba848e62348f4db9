"""Randomized response: law, privacy, map, bits, and what is refused."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.base.errors import OpenDPException, described
from opendp_lite.data.freezing import freeze
from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.measurements.responses import randomized_response
from opendp_lite.randomness.draws import sample_bernoulli_rational
from opendp_lite.randomness.entropy import use_source
from opendp_lite.verify.contracts.checks import HashedBits
from tests.rows import for_each

make = dp.m.make_randomized_response_bool


@for_each("constant_time", [False, True])
@for_each("prob", [0.5, 0.75, 0.8125, 1.0])
def test_the_law_of_a_short_probability_is_exact(
    prob: float, constant_time: bool
) -> None:
    measurement = make(prob, constant_time)
    for truth in (True, False):
        tree = verify.enumerate_tree(lambda t=truth: measurement(t), depth=4)
        assert tree.unresolved == 0
        assert tree.mass(truth) == to_mpq(prob)
        assert tree.mass(not truth) == 1 - to_mpq(prob)


@for_each("prob", [0.6, "1/2", "2/3", "0.99", Fraction(5, 7), "1e0"])
def test_the_law_is_the_stated_one(prob: Any) -> None:
    measurement = make(prob)
    p = to_mpq(prob)
    for truth in (True, False):
        certificate = verify.law(
            lambda t=truth: measurement(t), lambda y, t=truth: p if y is t else 1 - p
        )
        certificate.assert_holds()
        assert certificate.total_variation < mpq(1, 10**10)


@for_each("prob", ["0.501", 0.6, "2/3", 0.75, "0.99"])
def test_the_pair_is_as_private_as_claimed_and_no_more(prob: Any) -> None:
    certificate = verify.privacy(make(prob), True, False, depth=40)
    certificate.assert_holds()
    assert certificate.certified_delta < mpq(1, 10**10)
    assert certificate.claimed_loss - certificate.needs_epsilon < mpq(1, 10**9)


@pytest.mark.parametrize("prob", ["0.501", 0.6, "2/3", 0.75, "0.99"])
def test_a_thousandth_more_truth_is_found(
    monkeypatch: pytest.MonkeyPatch, prob: Any
) -> None:
    monkeypatch.setattr(
        randomized_response,
        "sample_bernoulli_rational",
        lambda p: sample_bernoulli_rational(p + mpq(1, 1000)),
    )
    assert verify.privacy(make(prob), True, False, depth=40).refuted


def test_the_certain_answer_and_the_coin() -> None:
    assert [make(1)(True), make(1.0, True)(False)] == [True, False]
    laws = [verify.enumerate_tree(lambda t=t: make(0.5)(t), 3) for t in (True, False)]
    assert laws[0] == laws[1]


def test_releases_are_booleans() -> None:
    for arg in (True, False, np.bool_(True), np.bool_(False)):
        assert make(1)(arg) is bool(arg)
        assert type(make(0.6)(arg)) is bool


# The map


@for_each("prob", ["0.501", 0.6, "2/3", 0.75, 0.99, "933/1000", 0.5 + 2**-53])
def test_epsilon_is_the_logarithm_of_the_odds_rounded_up(prob: Any) -> None:
    measurement = make(prob)
    p = to_mpq(prob)
    odds = p / (1 - p)
    epsilon = to_mpq(measurement.map(1, exact=True))
    assert exp(epsilon, 300).lo >= odds
    assert exp(epsilon * (1 - mpq(1, 2**100)), 300).hi <= odds
    shown = measurement.map(1)
    # It is the least double that suffices.
    assert exp(to_mpq(shown), 300).lo >= odds
    assert exp(to_mpq(math.nextafter(shown, 0.0)), 300).hi < odds
    assert measurement.check(1, shown)


def test_the_ends_of_the_map() -> None:
    for prob in (0.5, "2/3", 1):
        assert make(prob).map(0) == 0.0
    assert make(0.5).map(1) == 0.0
    assert make(0.5).map(math.inf) == 0.0
    assert make(1).map(1) == math.inf
    assert make("0.75").map(1) == make("0.75").map(2) == make("0.75").map(math.inf)
    closest = make(1 - Fraction(1, 10**400)).map(1)
    assert 921.0 < closest < 921.1


def test_probabilities_are_exact_numbers() -> None:
    spellings = [0.75, "0.75", "3/4", Fraction(3, 4), Decimal("0.75"), np.float32(0.75)]
    losses = {make(prob).map(1, exact=True) for prob in spellings}  # type: ignore[arg-type]
    assert len(losses) == 1
    assert make(0.6).map(1, exact=True) != make("0.6").map(1, exact=True)


@for_each("d_in", [-1, 0.5, math.nan, "far", None, True])
def test_what_is_no_distance_is_refused(d_in: Any) -> None:
    with pytest.raises(OpenDPException, match=r"^InvalidDistance: d_in="):
        make(0.75).map(d_in)


# Random bits


class Counted(HashedBits):
    """A string of bits that counts how many of them were read."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.read = 0

    def bits(self, count: int) -> int:
        self.read += count
        return super().bits(count)


def bits_read(measurement: Any) -> set[int]:
    counts = set()
    for seed in range(64):
        for truth in (True, False):
            source = Counted(seed)
            with use_source(source):
                measurement(truth)
            counts.add(source.read)
    return counts


@for_each(("prob", "bits"), [(0.5, 1), (0.75, 2), (0.6, 53), (1.0, 0)])
def test_constant_time_reads_the_same_number_of_bits(prob: float, bits: int) -> None:
    assert bits_read(make(prob, constant_time=True)) == {bits}


def test_otherwise_the_number_of_bits_depends_on_the_coin() -> None:
    assert len(bits_read(make(0.6))) > 1


# Calls and refusals


def test_calls_as_opendp_users_write_them() -> None:
    measurement = make(prob=0.75)
    assert measurement == make(0.75) == make(0.75, False)
    assert measurement == make(prob=0.75, constant_time=False)
    assert repr(measurement) == "make_randomized_response_bool(prob=0.75)"
    assert measurement.input_domain == dp.atom_domain(T=bool)
    assert measurement.input_metric == dp.discrete_distance()
    assert measurement.output_measure == dp.max_divergence()


@for_each(
    ("prob", "rule"),
    [
        (0.49, "must be at least 1/2"),
        (0.5 - 2**-54, "must be at least 1/2"),
        (0, "must be at least 1/2"),
        (-1, "must be at least 1/2"),
        (1 + 2**-52, "must be at most 1"),
        ("1.01", "must be at most 1"),
        (math.nan, "must be a finite number, got nan"),
        (math.inf, "must be a finite number, got inf"),
        (-math.inf, "must be a finite number, got -inf"),
        ("abc", "must be a number such as"),
        (None, "must be a number"),
        (True, "must be a number, got the truth value True"),
        ((0.75,), "must be a number"),
    ],
)
def test_a_bad_probability_is_refused(prob: Any, rule: str) -> None:
    with pytest.raises(OpenDPException) as caught:
        make(prob)
    assert caught.value.variant == "MakeMeasurement"
    message = caught.value.message
    assert message.startswith(f"prob={described('prob', freeze(prob))}: {rule}")
    assert message.endswith(
        "Pass the probability of the truth, between 1/2 (no information) and 1."
    )


def test_constant_time_is_a_truth_value_and_needs_a_float() -> None:
    for constant_time in (1, 0, None, "yes"):
        with pytest.raises(OpenDPException) as caught:
            make(0.75, constant_time)  # type: ignore[arg-type]
        assert caught.value.message == (
            f"constant_time={constant_time!r}: must be a bool. Say True or False."
        )
    for prob in ("0.75", 1, Fraction(3, 4)):
        with pytest.raises(OpenDPException) as caught:
            make(prob, constant_time=True)
        assert caught.value.message == (
            f"prob={prob!r}: must be a float when constant_time is True. "
            "Pass a float such as 0.75."
        )


def test_what_is_no_boolean_is_refused_by_its_class_alone() -> None:
    texts: dict[type, set[str]] = {}
    for value in (0, 1, 1.0, "True", "no", None, [True], [], np.int64(1), math.nan):
        with pytest.raises(OpenDPException) as caught:
            make(0.75)(value)
        assert caught.value.variant == "FailedFunction"
        texts.setdefault(type(value), set()).add(caught.value.message)
    assert {len(each) for each in texts.values()} == {1}
