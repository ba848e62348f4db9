"""Numbers with intervals: what they hold, how often, and in which direction they round.

Coverage is computed, not drawn: over all noise of a small law, with its masses.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.exact.rounding import round_down, round_up
from opendp_lite.laws.noise import GAUSSIAN, LAPLACE, Law
from opendp_lite.tables.answers import estimates
from opendp_lite.tables.answers.estimates import (
    Noise,
    mean,
    quantile_edges,
    real,
    variance,
    whole,
)

LAWS = [LAPLACE, GAUSSIAN]
SLACK = 1e-12  # of sums of doubles


def masses(law: Law, scale: float, reach: int) -> dict[int, float]:
    """The law of the noise, up to where its tails are below any double of interest."""

    def weight(z: int) -> float:
        power = abs(z) / scale if law == LAPLACE else (z / scale) ** 2 / 2
        return math.exp(-power)

    weights = {z: weight(z) for z in range(-reach, reach + 1)}
    total = sum(weights.values())
    return {z: each / total for z, each in weights.items()}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("scale", [mpq(1, 3), mpq(1), mpq(5, 2)])
@pytest.mark.parametrize("alpha", [mpq(1, 2), mpq(1, 20), mpq(1, 1000)])
def test_the_width_is_the_least_that_is_exceeded_rarely_enough(
    law: Law, scale: mpq, alpha: mpq
) -> None:
    width = int(Noise(law, scale).width(alpha))
    law_of = masses(law, float(scale), 200)
    tail = sum(p for z, p in law_of.items() if abs(z) > width)
    wider = sum(p for z, p in law_of.items() if abs(z) > width - 1)
    assert tail <= float(alpha) + SLACK
    assert width == 0 or wider > float(alpha) - SLACK


def test_no_noise_has_no_width() -> None:
    assert Noise(LAPLACE, mpq(0)).width(mpq(1, 20)) == 0


def test_integers_saturate_as_int64_and_keep_what_fits_inside() -> None:
    top, least = 2**63 - 1, -(2**63)
    assert whole(5, mpq(2)) == (5, 3, 7)
    assert whole(5, mpq(5, 2)) == (5, 3, 7)
    assert whole(2**63 + 2, mpq(5)) == (top, 2**63 - 3, top)
    assert whole(-(2**70), mpq(5)) == (least, least, least)
    assert whole(3, math.inf) == (3, least, top)
    assert all(type(each) is int for each in whole(2**80, mpq(1)))


def test_floats_are_rounded_outward() -> None:
    third = mpq(1, 3)
    value, low, high = real(1, mpq(0), third)
    assert value == 1 / 3
    assert mpq(low) < third < mpq(high)
    assert math.nextafter(low, 1) == high
    assert real(3, math.inf, mpq(1, 2)) == (1.5, -math.inf, math.inf)


def around(value: int, width: int) -> Any:
    return mpq(value), mpq(value - width), mpq(value + width)


def missed(
    make: Callable[[int, int], Any], truth: mpq, scales: tuple[float, ...]
) -> float:
    """The probability that the interval of a ratio misses its truth."""
    chance = 0.0
    laws = [masses(LAPLACE, scale, 60) for scale in scales]
    for noise in itertools.product(*(law.items() for law in laws)):
        _, low, high = make(*(z for z, _ in noise))
        if not mpq(low) <= truth <= mpq(high):
            chance += math.prod(p for _, p in noise)
    return chance


@pytest.mark.parametrize(
    ("total", "rows"), [(7, 10), (-3, 1), (0, 3), (-20, 4), (5, 1)]
)
def test_a_mean_is_covered(total: int, rows: int) -> None:
    alpha, scales = mpq(1, 5), (1.0, 0.75)
    widths = [int(Noise(LAPLACE, mpq(scale)).width(alpha / 2)) for scale in scales]
    bounds = mpq(0), mpq(10)

    def make(z: int, n: int) -> Any:
        ends = around(total + z, widths[0]), around(rows + n, widths[1])
        return mean(*ends, mpq(5), bounds)

    truth = mpq(5) + mpq(total, rows)
    assert missed(make, truth, scales) <= float(alpha) + SLACK
    for z, n in itertools.product(*(range(-w, w + 1) for w in widths)):
        value, low, high = make(z, n)
        assert 0 <= low <= value <= high <= 10
        assert mpq(low) <= truth <= mpq(high)  # noise within its widths never misses


def test_a_mean_of_no_rows_that_could_be_is_anywhere() -> None:
    bounds = mpq(0), mpq(10)
    assert mean(around(3, 1), around(-9, 2), mpq(5), bounds)[1:] == (0.0, 10.0)
    endless = mpq(3), -math.inf, math.inf
    assert mean(endless, around(9, 2), mpq(5), bounds)[1:] == (0.0, 10.0)
    assert mean(around(3, 1), endless, mpq(5), bounds)[1:] == (0.0, 10.0)


ROWS = [[0, 0, 1], [-2, 2, 2, -1], [1, 1], [2, -2]]


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("ddof", [0, 1])
def test_a_variance_is_covered_where_noise_is_within(
    rows: list[int], ddof: int
) -> None:
    n, s, q = len(rows), sum(rows), sum(y * y for y in rows)
    truth = (mpq(q) - mpq(s * s, n)) / (n - ddof)
    most = mpq(4)
    assert truth <= most * (1 + ddof)
    widths = 2, 1, 2
    for z in itertools.product(*(range(-w, w + 1) for w in widths)):
        noisy = zip((q, s, n), z, widths, strict=True)
        q_ends, s_ends, n_ends = (around(y + noise, w) for y, noise, w in noisy)
        value, low, high = variance(q_ends, s_ends, n_ends, ddof, most)
        assert 0 <= low <= high <= 4 * (1 + ddof)
        assert mpq(low) <= truth <= mpq(high)
        assert 0 <= value <= 4 * (1 + ddof)


def test_a_variance_of_endless_noise_is_anywhere() -> None:
    endless = mpq(3), -math.inf, math.inf
    for place in range(3):
        ends: list[Any] = [around(5, 1)] * 3
        ends[place] = endless
        assert variance(ends[0], ends[1], ends[2], 1, mpq(4))[1:] == (0.0, 8.0)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("bins", [(1, 1), (2, 5), (9, 1)])
@pytest.mark.parametrize("level", [mpq(1, 2), mpq(1, 10)])
@pytest.mark.parametrize("scale", [0.5, 3.0])
def test_the_tail_of_a_weighted_sum_is_bounded(
    law: Law, bins: tuple[int, int], level: mpq, scale: float
) -> None:
    """By convolution of the law of tenths: the weights are multiples of 1/10."""
    alpha, reach = mpq(1, 20), 60
    single = masses(law, scale, reach)
    total = np.ones(1)
    for weight, count in ((1 - level, bins[0]), (level, bins[1])):
        step = int(10 * weight)
        spread = np.zeros(2 * reach * step + 1)
        for z, p in single.items():
            spread[(z + reach) * step] += p
        for _ in range(count):
            total = np.convolve(total, spread)
    middle = len(total) // 2
    bound = estimates._tail(law, bins, level, alpha) * mpq(scale)
    tenths = abs(np.arange(len(total)) - middle)
    tail = total[tenths > float(10 * bound)].sum()
    assert tail <= 0.05
    assert float(bound) <= 4 * scale * math.sqrt(40 * sum(bins))  # and of use


def truths(rows: list[int], edges: list[int], level: mpq) -> tuple[list[int], int]:
    """The counts between edges, and the quantile by its definition."""
    counts = [
        sum(a <= x < b or (x == b == edges[-1]) for x in rows)
        for a, b in itertools.pairwise(edges)
    ]
    least = next(
        x for x in sorted(rows) if sum(y <= x for y in rows) >= level * len(rows)
    )
    return counts, least


def cases() -> Iterator[tuple[list[int], mpq]]:
    for rows in ([1, 1, 4, 9], [0] * 6 + [5] * 6, [9], [2, 3, 7, 7, 7]):
        for level in (mpq(1, 4), mpq(1, 2), mpq(9, 10)):
            yield rows, level


@pytest.mark.parametrize(("rows", "level"), list(cases()))
def test_a_quantile_is_covered(rows: list[int], level: mpq) -> None:
    edges, alpha, scale = [0, 3, 6, 10], mpq(1, 4), 0.5
    counts, truth = truths(rows, edges, level)
    exact = quantile_edges(counts, edges, level, Noise(LAPLACE, mpq(0)), alpha)
    assert exact[0] <= truth < exact[1] or truth == edges[-1]
    assert edges.index(exact[1]) == edges.index(exact[0]) + 1  # its very bin
    chance = 0.0
    for noise in itertools.product(masses(LAPLACE, scale, 9).items(), repeat=3):
        noisy = [count + z for count, (z, _) in zip(counts, noise, strict=True)]
        low, high = quantile_edges(
            noisy, edges, level, Noise(LAPLACE, mpq(scale)), alpha
        )
        if not low <= truth <= high:
            chance += math.prod(p for _, p in noise)
    assert chance <= float(alpha)


def test_many_rows_tell_the_bin_of_a_quantile() -> None:
    noise = Noise(LAPLACE, mpq(2))
    found = quantile_edges(
        [500, 300, 200], [0, 3, 6, 10], mpq(6, 10), noise, mpq(1, 20)
    )
    assert found == (3, 6)


NUMBERS = st.integers(-(2**80), 2**80) | st.integers(-3, 3)
WIDTHS = st.integers(0, 2**70) | st.integers(0, 3) | st.just(math.inf)


@given(st.lists(st.tuples(NUMBERS, WIDTHS), min_size=3, max_size=3), st.data())
def test_whatever_is_released_becomes_an_answer(noisy: Any, data: Any) -> None:
    """No noise makes an estimate fail: a failure would tell of the release."""
    unit = mpq(2) ** data.draw(st.integers(-60, 3))
    ends = [((y * unit), (y - w) * unit, (y + w) * unit) for y, w in noisy]
    rows = noisy[0][0], noisy[0][0] - noisy[0][1], noisy[0][0] + noisy[0][1]
    bounds, most = (mpq(-7), mpq(9)), mpq(81)
    answers = [
        mean(ends[1], rows, mpq(1), bounds),
        *(variance(ends[2], ends[1], rows, ddof, most) for ddof in (0, 1)),
        *(real(y, w, unit) for y, w in noisy),
    ]
    for value, low, high in answers:
        assert {type(value), type(low), type(high)} == {float}
        assert low <= high
    for y, w in noisy:
        value, low, high = whole(y, w)
        assert -(2**63) <= low <= value <= high < 2**63
    noise = Noise(data.draw(st.sampled_from(LAWS)), mpq(data.draw(st.integers(0, 9))))
    counts = [y for y, _ in noisy]
    low, high = quantile_edges(counts, [0, 1, 5, 9], mpq(1, 3), noise, mpq(1, 9))
    assert low < high


FAULTS: list[tuple[str, Any]] = [
    ("round_down", round_up),
    ("round_up", round_down),
]


@pytest.mark.parametrize(("name", "other"), FAULTS)
def test_ends_rounded_inward_are_found(name: str, other: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(estimates, name, other)
    with pytest.raises(AssertionError):
        test_floats_are_rounded_outward()


def test_a_mean_by_one_corner_is_found(monkeypatch: Any) -> None:
    """Planted: the ends of the sum are divided by the noisy number of rows alone."""

    def short(total: Any, rows: Any, centre: mpq, bounds: Any) -> Any:
        n = max(rows[0], 1)
        value, low, high = (centre + mpq(each) / n for each in total)
        return estimates._kept((value, low, high), bounds)

    monkeypatch.setitem(globals(), "mean", short)
    with pytest.raises(AssertionError):
        test_a_mean_is_covered(7, 10)


def test_a_quantile_without_its_tail_is_found(monkeypatch: Any) -> None:
    monkeypatch.setattr(estimates, "_sure", lambda _, n, *__: (mpq(0),) * (n - 1))
    with pytest.raises(AssertionError):
        for case in cases():
            test_a_quantile_is_covered(*case)
