"""Releases with the bits of the operating system have the stated laws.

Three statistics of N = 25,000 releases. Each raises a false alarm with probability at
most ALARM = 5e-11, and misses the stated effect with probability at most MISS = 1e-11,
by bounds that hold at every N (no normal approximation):

* the mean size of the noise, by Chernoff's bound for exponential and geometric
  variables, finds a scale that is 10 % off, up or down;
* the share of nonnegative noise, by Chernoff's bound for coins, finds a share that is
  off by 0.045;
* the whole distribution function, by the Dvoretzky-Kiefer-Wolfowitz inequality with
  Massart's constant, finds a distance of 0.05.

Ten statistics must be quiet and nine must see a planted mutant, so all tests here
together fail by chance with probability below 1e-9. Each states its share to the
report of flakiness at the end of the run. That no noise is larger than it may be, and
that there is some, is asserted too, at 1e-23.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import attrs
import numpy as np
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.laws.noise import Law
from opendp_lite.measurements.noise import additive
from opendp_lite.measurements.responses import randomized_response
from opendp_lite.randomness.discrete import discrete_noise
from opendp_lite.randomness.draws import sample_bernoulli_rational
from opendp_lite.randomness.real import real_noise
from opendp_lite.testing import assert_close, assert_noisy, state_flakiness
from tests.randomness.integer_noise import sample_geometric

N = 25_000
ALARM = 5e-11
MISS = 1e-11
SCALE = mpq(5, 2)
RATIO = math.exp(-1 / 2.5)  # q of the discrete law
PROB = 0.75


def exponential_rate(mean: float, expected: float) -> float:
    """I with P(mean of n is at least this far out) <= e^(-n I), exponential."""
    return mean / expected - 1 - math.log(mean / expected)


def geometric_rate(mean: float, expected: float) -> float:
    """The same for geometric variables on 0, 1, 2, ..."""
    odds = mean * math.log(mean / expected)
    return odds - (1 + mean) * math.log((1 + mean) / (1 + expected))


def coin_rate(share: float, expected: float) -> float:
    """The same for coins: the relative entropy."""
    return share * math.log(share / expected) + (1 - share) * math.log(
        (1 - share) / (1 - expected)
    )


Rate = Callable[[float, float], float]


def alarms(rate: Rate, found: float, expected: float) -> bool:
    """Whether so great a deviation, up or down, has probability at most ALARM."""
    return 2 * math.exp(-N * rate(found, expected)) <= ALARM


def largest_quiet(rate: Rate, expected: float, towards: float) -> float:
    """The value nearest to `towards` that raises no alarm."""
    quiet, loud = expected, towards
    for _ in range(60):
        middle = (quiet + loud) / 2
        if alarms(rate, middle, expected):
            loud = middle
        else:
            quiet = middle
    return quiet


def distance_to(law: Callable[[float], float], noise: list[float]) -> float:
    """sup |F_N - F| for a distribution function that is continuous or of integers."""
    ordered = sorted(noise)
    worst = 0.0
    for place, value in enumerate(ordered):
        if place + 1 == N or ordered[place + 1] > value:
            worst = max(worst, abs((place + 1) / N - law(value)))
        if place == 0 or ordered[place - 1] < value:
            before = value - 1 if isinstance(value, int) else value
            worst = max(worst, abs(place / N - law(before)))
    return worst


def law_alarms(law: Callable[[float], float], noise: list[float]) -> bool:
    return 2 * math.exp(-2 * N * distance_to(law, noise) ** 2) <= ALARM


def integer_noise() -> list[float]:
    space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    measurement = dp.m.make_laplace(*space, scale=SCALE)
    return [measurement(1000) - 1000 for _ in range(N)]


def test_arrays_get_noise_that_is_neither_too_large_nor_absent() -> None:
    """Detects an entry beyond 64 scales (Laplace) or 12 (Gaussian), or no noise."""
    for T, norm, make in (
        (int, dp.l1_distance(T=int), dp.m.make_laplace),
        (int, dp.l2_distance(T=int), dp.m.make_gaussian),
        (float, dp.l1_distance(T=float), dp.m.make_laplace),
        (float, dp.l2_distance(T=float), dp.m.make_gaussian),
    ):
        entry = dp.atom_domain(T=int) if T is int else dp.atom_domain(T=T, nan=False)
        measurement = make(dp.vector_domain(entry, size=N), norm, scale=SCALE)
        data = np.full(N, 1000, T)
        assert_close(measurement(data), data, measurement)
        assert_noisy(measurement(data), data, measurement)


def float_noise() -> list[float]:
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    measurement = dp.m.make_laplace(*space, scale=SCALE)
    # The difference is exact up to 2^-44, which no statistic here can see.
    return [measurement(1000.0) - 1000.0 for _ in range(N)]


def integer_law(z: float) -> float:
    tail = RATIO ** (z + 1 if z >= 0 else -z) / (1 + RATIO)
    return 1 - tail if z >= 0 else tail


def float_law(y: float) -> float:
    tail = math.exp(-abs(y) / 2.5) / 2
    return 1 - tail if y >= 0 else tail


def integer_alarms(noise: list[float]) -> list[bool]:
    # The size of nonnegative noise z is z, that of negative noise is -1 - z.
    sizes = [z if z >= 0 else -1 - z for z in noise]
    share = sum(z >= 0 for z in noise) / N
    return [
        alarms(geometric_rate, sum(sizes) / N, RATIO / (1 - RATIO)),
        alarms(coin_rate, share, 1 / (1 + RATIO)),
        law_alarms(integer_law, noise),
    ]


def float_alarms(noise: list[float]) -> list[bool]:
    share = sum(y >= 0 for y in noise) / N
    return [
        alarms(exponential_rate, math.fsum(map(abs, noise)) / N, 2.5),
        alarms(coin_rate, share, 0.5),
        law_alarms(float_law, noise),
    ]


def test_the_stated_effects_are_detected_at_this_size() -> None:
    for factor in (0.9, 1.1):
        for rate, expected, mutant in (
            (exponential_rate, 2.5, 2.5 * factor),
            (
                geometric_rate,
                1 / math.expm1(1 / 2.5),
                1 / math.expm1(1 / (2.5 * factor)),
            ),
        ):
            limit = largest_quiet(rate, expected, mutant)
            assert math.exp(-N * rate(limit, mutant)) < MISS
    for expected in (0.5, 1 / (1 + RATIO), PROB):
        for mutant in (expected - 0.045, expected + 0.045):
            limit = largest_quiet(coin_rate, expected, mutant)
            assert math.exp(-N * coin_rate(limit, mutant)) < MISS
    quiet = math.sqrt(math.log(2 / ALARM) / (2 * N))
    assert 2 * math.exp(-2 * N * (0.05 - quiet) ** 2) < MISS


def test_integers_get_noise_of_the_stated_law() -> None:
    state_flakiness(3 * ALARM)
    assert integer_alarms(integer_noise()) == [False, False, False]


def test_floats_get_noise_of_the_stated_law() -> None:
    state_flakiness(3 * ALARM)
    assert float_alarms(float_noise()) == [False, False, False]


@pytest.mark.parametrize("factor", [mpq(9, 10), mpq(11, 10)])
def test_a_scale_that_is_ten_percent_off_is_found(
    monkeypatch: pytest.MonkeyPatch, factor: mpq
) -> None:
    monkeypatch.setattr(
        additive,
        "discrete_noise",
        lambda law, scale: discrete_noise(law, scale * factor),
    )
    monkeypatch.setattr(
        additive, "real_noise", lambda law, scale: real_noise(law, scale * factor)
    )
    state_flakiness(2 * MISS)
    assert integer_alarms(integer_noise())[0]
    assert float_alarms(float_noise())[0]


def test_a_sign_with_the_wrong_share_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    # The sizes have the right law; integers get a fair sign, which is wrong there
    # (1/(1 + q) is 0.599), and floats the sign of the integers, which is wrong here.
    @attrs.frozen
    class Fair:
        law: Law
        scale: mpq

        def sample(self) -> int:
            size = sample_geometric(self.scale)
            return size if sample_bernoulli_rational(mpq(1, 2)) else -1 - size

        def add_to_list(self, values: list[int]) -> list[int]:
            return [x + self.sample() for x in values]

    @attrs.frozen
    class Unfair:
        law: Law
        scale: mpq

        def release(self, x: float) -> float:
            noise = abs(real_noise(self.law, self.scale).release(0.0))
            nonnegative = discrete_noise(self.law, self.scale).sample() >= 0
            return x + noise if nonnegative else x - noise

    monkeypatch.setattr(additive, "discrete_noise", Fair)
    monkeypatch.setattr(additive, "real_noise", Unfair)
    state_flakiness(2 * ALARM + 4 * MISS)
    assert integer_alarms(integer_noise()) == [False, True, True]
    assert float_alarms(float_noise()) == [False, True, True]


@pytest.mark.parametrize("constant_time", [False, True])
def test_randomized_response_tells_the_truth_as_often_as_stated(
    constant_time: bool,
) -> None:
    measurement = dp.m.make_randomized_response_bool(PROB, constant_time)
    state_flakiness(ALARM)
    share = sum(measurement(False) is False for _ in range(N)) / N
    assert not alarms(coin_rate, share, PROB)


def test_a_truth_that_is_told_too_often_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        randomized_response,
        "sample_bernoulli_rational",
        lambda p: sample_bernoulli_rational(p + mpq(45, 1000)),
    )
    measurement = dp.m.make_randomized_response_bool(PROB)
    state_flakiness(MISS)
    share = sum(measurement(False) is False for _ in range(N)) / N
    assert alarms(coin_rate, share, PROB)
