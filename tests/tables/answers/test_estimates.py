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

import opendp_lite.prelude as dp
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rounding import round_down, round_up
from opendp_lite.laws.noise import GAUSSIAN, LAPLACE, Law
from opendp_lite.tables.aggregates import centred
from opendp_lite.tables.answers import estimates
from opendp_lite.tables.answers import quantiles as quantiles_module
from opendp_lite.tables.answers.estimates import (
    Noise,
    bins,
    down,
    mean,
    mean_accuracy,
    real,
    up,
    variance,
    whole,
)
from opendp_lite.tables.answers.quantiles import quantiles
from opendp_lite.tables.steps import as_steps
from tests.rows import for_each

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


@for_each("law", LAWS)
@for_each("scale", [mpq(1, 3), mpq(1), mpq(5, 2)])
@for_each("alpha", [mpq(1, 2), mpq(1, 20), mpq(1, 1000)])
def test_the_width_is_the_least_that_is_exceeded_rarely_enough(
    law: Law, scale: mpq, alpha: mpq
) -> None:
    width = Noise(law, scale).width(alpha)
    assert type(width) is int
    law_of = masses(law, float(scale), 200)
    tail = sum(p for z, p in law_of.items() if abs(z) > width)
    wider = sum(p for z, p in law_of.items() if abs(z) > width - 1)
    assert tail <= float(alpha) + SLACK
    assert width == 0 or wider > float(alpha) - SLACK


def test_no_noise_has_no_width() -> None:
    assert Noise(LAPLACE, mpq(0)).width(mpq(1, 20)) == 0


def test_integers_saturate_as_int64_and_keep_what_fits_inside() -> None:
    top, least = 2**63 - 1, -(2**63)
    assert whole(2)(5) == (5, 3, 7)
    assert whole(5)(2**63 + 2) == (top, 2**63 - 3, top)
    assert whole(5)(-(2**70)) == (least, least, least)
    assert whole(None)(3) == (3, least, top)
    assert bins(1)([5, 2**63]) == (5, 4, 6, top, top, top)
    assert all(type(each) is int for each in whole(1)(2**80))


def test_floats_are_rounded_outward() -> None:
    third = mpq(1, 3)
    value, low, high = real(0, third)(1)
    assert value == 1 / 3
    assert mpq(low) < third < mpq(high)
    assert math.nextafter(low, 1) == high
    assert real(None, mpq(1, 2))(3) == (1.5, -math.inf, math.inf)
    assert real(1, mpq(2) ** 971)(2**60)[1:] == (1.7976931348623157e308, math.inf)


INTEGERS = st.integers(-(2**1200), 2**1200) | st.integers(-9, 9)


@given(INTEGERS, st.integers(1, 2**1300) | st.integers(1, 9))
def test_quotients_are_rounded_as_rationals_are(n: int, d: int) -> None:
    exact = mpq(n, d)
    assert (down(n, d), up(n, d)) == (round_down(exact), round_up(exact))


def missed(
    make: Callable[..., Any],
    exact: tuple[int, ...],
    truth: Any,
    scales: tuple[float, ...],
    law: Law = LAPLACE,
    reach: int = 60,
) -> float:
    """The probability that an interval of noisy integers misses its truth."""
    chance = 0.0
    laws = [masses(law, scale, reach) for scale in scales]
    for noise in itertools.product(*(law.items() for law in laws)):
        noisy = (number + z for number, (z, _) in zip(exact, noise, strict=True))
        _, low, high = make(*noisy)
        if not low <= truth <= high:
            chance += math.prod(p for _, p in noise)
    return chance


def widths_of(
    alpha: mpq, scales: tuple[float, ...], law: Law = LAPLACE
) -> tuple[Any, ...]:
    return tuple(Noise(law, mpq(scale)).width(alpha / len(scales)) for scale in scales)


@for_each("law", LAWS)
@for_each("alpha", [mpq(1, 2), mpq(1, 20)])
def test_a_count_and_a_sum_are_covered(law: Law, alpha: mpq) -> None:
    """And no wider than they need be: one step less would miss too often."""
    (width,) = widths_of(alpha, (1.5,), law)
    unit = mpq(1, 1024)
    for make, truth in ((whole, 7), (lambda w: real(w, unit), 7 * unit)):
        assert missed(make(width), (7,), truth, (1.5,), law) <= float(alpha) + SLACK
        assert missed(make(width - 1), (7,), truth, (1.5,), law) > float(alpha)


@pytest.mark.parametrize(
    ("total", "rows"), [(7, 10), (-3, 1), (0, 3), (-20, 4), (5, 1)]
)
def test_a_mean_is_covered(total: int, rows: int) -> None:
    alpha, scales = mpq(1, 5), (0.75, 1.0)
    widths: Any = widths_of(alpha, scales)
    make = mean(widths, mpq(1), mpq(5), (mpq(0), mpq(10)))
    truth = mpq(5) + mpq(total, rows)
    chance = missed(make, (rows, total), truth, scales, reach=30)
    assert chance <= float(alpha) + SLACK
    for n, z in itertools.product(*(range(-w, w + 1) for w in widths)):
        value, low, high = make(rows + n, total + z)
        assert 0 <= low <= value <= high <= 10
        assert mpq(low) <= truth <= mpq(high)  # noise within its widths never misses


@for_each("law", LAWS)
@for_each(("rows", "scales"), [(12, (0.75, 1.0)), (30, (1.5, 2.0)), (12, (0.0, 2.0))])
@for_each("alpha", [mpq(1, 2), mpq(1, 20)])
def test_the_accuracy_of_a_mean_is_missed_rarely(
    law: Law, rows: int, scales: tuple[float, float], alpha: mpq
) -> None:
    """For each exact sum, by the law of both noises, and where noise is within widths.

    More rows than those told of are no farther off.
    """
    bounds, centre, size, unit = (mpq(0), mpq(10)), mpq(5), mpq(5), mpq(1)
    parts = sum(scale > 0 for scale in scales)
    widths: Any = tuple(Noise(law, mpq(s)).width(alpha / parts) for s in scales)
    accuracy = mean_accuracy(widths, unit, size, bounds, rows)
    make = mean((0, 0), unit, centre, bounds)
    laws = [masses(law, s, 30) if s > 0 else {0: 1.0} for s in scales]
    most = 0.0
    for n, total in itertools.product((rows, rows + 5), (-5, 0, 2, 5)):
        truth, chance = centre + total, 0.0
        for (z, p), (t, q) in itertools.product(*(each.items() for each in laws)):
            off = abs(mpq(make(n + z, total * n + t)[0]) - truth)
            chance += p * q if off > accuracy + mpq(SLACK) else 0.0
            if abs(z) <= widths[0] and abs(t) <= widths[1] and n == rows:
                most = max(most, float(off))
        assert chance <= float(alpha) + SLACK
    assert most <= float(accuracy) + SLACK
    beside, apart = widths
    inner = abs(mpq(make(rows - beside, 2 * rows + apart)[0]) - 7)
    least = mean_accuracy(widths, unit, mpq(2), bounds, rows)
    assert abs(inner - min(least, mpq(3))) < 1e-12  # attained for rows at 2


def test_the_accuracy_of_a_mean_is_at_most_the_distance_of_its_bounds() -> None:
    bounds = mpq(-4), mpq(10)
    for widths, rows in (((9, 1), 9), ((None, 1), 9), ((1, None), 9), ((1, 999), 9)):
        found = mean_accuracy(widths, mpq(1), mpq(7), bounds, rows)
        assert found == 14
    assert mean_accuracy((0, 6), mpq(1, 2), mpq(7), bounds, 12) == mpq(1, 4)


def test_a_mean_of_no_rows_that_could_be_is_anywhere() -> None:
    bounds = mpq(0), mpq(10)
    for widths, rows in (((2, 1), -9), ((2, None), 9), ((None, 1), 9)):
        assert mean(widths, mpq(1), mpq(5), bounds)(rows, 3)[1:] == (0.0, 10.0)


ROWS = [[0, 0, 1], [-2, 2, 2, -1], [1, 1], [2, -2]]


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("ddof", [0, 1])
def test_a_variance_is_covered(rows: list[int], ddof: int) -> None:
    n, s, q = len(rows), sum(rows), sum(y * y for y in rows)
    truth = (mpq(q) - mpq(s * s, n)) / (n - ddof)
    most, units = mpq(4), (mpq(1), mpq(1))
    assert truth <= most * (1 + ddof)
    widths = 2, 1, 2
    make = variance(widths, units, ddof, most)
    for z in itertools.product(*(range(-w, w + 1) for w in widths)):
        value, low, high = make(n + z[0], s + z[1], q + z[2])
        assert 0 <= low <= value <= high <= 4 * (1 + ddof)
        assert mpq(low) <= truth <= mpq(high)
    alpha, scales = mpq(1, 2), (0.5, 0.75, 0.5)
    given: Any = widths_of(alpha, scales)
    chance = missed(
        variance(given, units, ddof, most), (n, s, q), truth, scales, reach=9
    )
    assert chance <= float(alpha)  # far beyond reach is e^-12 of it


FLOATS = [(0.1, 0.7), (-1.0, math.nextafter(1.0, 0.0)), (1e15, 1e15 + 3.0), (-0.1, 1e3)]


@for_each("bounds", FLOATS)
@for_each("ddof", [0, 1])
def test_middles_that_are_rounded_leave_intervals_honest(
    bounds: tuple[float, float], ddof: int
) -> None:
    """Sums are made as an engine makes them, around a middle that no double is."""
    low, high = bounds
    column = dp.col("x").clip(low, high)
    columns = {"x": dp.atom_domain(T=float, nan=False)}
    around = centred("x", column, columns)
    squared, most = around.squares("x")
    first = as_steps("x", around.beside, columns)
    second = as_steps("x_squares", squared, columns)
    units = power_of_two(first.k), power_of_two(second.k)
    middle = mean((1, 1), units[0], mpq(around.centre), around.bounds)
    spread = variance((1, 1, 1), units, ddof, most)
    for rows in (
        [high] * 3,
        [low] * 3,
        [low, high],
        [low, low / 2 + high / 2, high, high],
    ):
        n, values = len(rows), [{"x": x} for x in rows]
        s, q = (sum(map(each.python, values)) for each in (first, second))
        mean_truth = mpq(around.centre) + s * units[0] / n
        mean_truth = min(max(mean_truth, mpq(low)), mpq(high))
        spread_truth = (q * units[1] - (s * units[0]) ** 2 / n) / (n - ddof)
        spread_truth = max(spread_truth, mpq(0))
        for z in itertools.product((-1, 0, 1), repeat=3):
            _, least, greatest = middle(n + z[0], s + z[1])
            assert mpq(least) <= mean_truth <= mpq(greatest)
            _, least, greatest = spread(n + z[0], s + z[1], q + z[2])
            assert mpq(least) <= spread_truth <= mpq(greatest)
        # And the rows as they are differ from the rounded ones by a step each.
        assert abs(mean_truth - sum(map(mpq, rows)) / n) <= units[0]


def test_a_variance_of_endless_noise_is_anywhere() -> None:
    for place in range(3):
        widths: list[Any] = [1] * 3
        widths[place] = None
        make = variance((*widths,), (mpq(1), mpq(1)), 1, mpq(4))
        assert make(5, 5, 5)[1:] == (0.0, 8.0)


@for_each("law", LAWS)
@for_each("bins", [(1, 1), (2, 5), (9, 1)])
@for_each("level", [mpq(1, 2), mpq(1, 10)])
@for_each("scale", [0.5, 3.0])
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
    bound = quantiles_module._tail(law, bins, level, alpha) * mpq(scale)
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
    _, low, high = quantiles([level], edges, Noise(LAPLACE, mpq(0)), alpha)(counts)
    assert low <= truth < high or truth == edges[-1]
    assert edges.index(high) == edges.index(low) + 1  # its very bin
    make = quantiles([level], edges, Noise(LAPLACE, mpq(scale)), alpha)
    exact = tuple(counts)
    chance = missed(lambda *c: make(c), exact, truth, (scale,) * 3, reach=9)
    assert chance <= float(alpha)


def test_many_rows_tell_the_bin_of_a_quantile() -> None:
    make = quantiles([mpq(6, 10)], [0, 3, 6, 10], Noise(LAPLACE, mpq(2)), mpq(1, 20))
    assert make([500, 300, 200])[1:] == (3.0, 6.0)


COUNTS = st.integers(-9, 9) | st.integers(-(2**70), 2**70)


@given(st.lists(COUNTS, min_size=4, max_size=4), st.booleans())
def test_quantiles_are_those_of_their_constructor(counts: Any, real: bool) -> None:
    edges: list[Any] = [-3.5, 0.1, 2.0, 7.25, 1e9] if real else [-3, 0, 2, 7, 2**52]
    levels = [mpq(1, 10), mpq(1, 3), mpq(99, 100)]
    made = quantiles(levels, edges, Noise(LAPLACE, mpq(1)), mpq(1, 9))(counts)
    theirs = dp.t.make_quantiles_from_counts(edges, [str(each) for each in levels])
    assert list(made[::3]) == theirs(counts)


NUMBERS = st.integers(-(2**80), 2**80) | st.integers(-3, 3) | INTEGERS
WIDTHS = st.integers(0, 2**70) | st.integers(0, 3) | st.none()


@given(st.lists(st.tuples(NUMBERS, WIDTHS), min_size=3, max_size=3), st.data())
def test_whatever_is_released_becomes_an_answer(noisy: Any, data: Any) -> None:
    """No noise makes an estimate fail: a failure would tell of the release."""
    unit = mpq(2) ** data.draw(st.integers(-60, 3))
    (n, w), (s, around), (q, apart) = noisy
    bounds, most = (mpq(-7), mpq(9)), mpq(81)
    answers = [
        mean((w, around), unit, mpq(1), bounds)(n, s),
        *(
            variance((w, around, apart), (unit, unit / 2), ddof, most)(n, s, q)
            for ddof in (0, 1)
        ),
        *(real(width, unit)(y) for y, width in noisy),
    ]
    for value, low, high in answers:
        assert {type(value), type(low), type(high)} == {float}
        assert low <= value <= high
    for y, width in noisy:
        value, low, high = whole(width)(y)
        assert -(2**63) <= low <= value <= high < 2**63
    noise = Noise(data.draw(st.sampled_from(LAWS)), mpq(data.draw(st.integers(0, 9))))
    counts = [y for y, _ in noisy]
    made = quantiles([mpq(1, 3), mpq(1, 2)], [0, 1, 5, 9], noise, mpq(1, 9))(counts)
    for value, low, high in (made[:3], made[3:]):
        assert 0 <= low < high <= 9
        assert 0 <= value <= 9


FAULTS: list[tuple[str, Any]] = [("down", up), ("up", down)]


@pytest.mark.parametrize(("name", "other"), FAULTS)
def test_ends_rounded_inward_are_found(name: str, other: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(estimates, name, other)
    with pytest.raises(AssertionError):
        test_floats_are_rounded_outward()


def test_a_mean_by_one_corner_is_found(monkeypatch: Any) -> None:
    """Planted: the ends of the sum are divided by the noisy number of rows alone."""

    original = mean
    monkeypatch.setitem(
        globals(), "mean", lambda w, *given: original((0, w[1]), *given)
    )
    with pytest.raises(AssertionError):
        test_a_mean_is_covered(7, 10)


def test_a_variance_with_one_number_of_rows_is_found(monkeypatch: Any) -> None:
    original = variance
    monkeypatch.setitem(
        globals(), "variance", lambda w, *given: original((0, *w[1:]), *given)
    )
    with pytest.raises(AssertionError):
        test_a_variance_is_covered(ROWS[1], 1)


def test_a_quantile_without_its_tail_is_found(monkeypatch: Any) -> None:
    monkeypatch.setattr(
        quantiles_module, "_sure", lambda _, n, *__: ((0, 0),) * (n - 1)
    )
    with pytest.raises(AssertionError):
        for case in cases():
            test_a_quantile_is_covered(*case)
