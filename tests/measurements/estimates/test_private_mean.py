from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.data.identity import visible
from opendp_lite.measurements.estimates.private_mean import mean_accuracy
from opendp_lite.testing import state_flakiness
from tests.longer import shortened
from tests.rows import for_each
from tests.transformations.small_data import data_sets

PURE, CONCENTRATED = dp.max_divergence(), dp.zero_concentrated_divergence()
METRICS = [
    dp.symmetric_distance(),
    dp.insert_delete_distance(),
    dp.change_one_distance(),
    dp.hamming_distance(),
]


pytestmark = pytest.mark.usefixtures("contrib")


def made(bounds: Any, scale: Any = 0, metric: Any = METRICS[0], **more: Any) -> Any:
    """The measurement; without noise, if nothing else is said."""
    measure = more.pop("measure", PURE)
    domain = dp.vector_domain(dp.atom_domain(bounds=bounds), more.pop("size", None))
    return dp.m.make_private_mean(domain, metric, measure, scale, **more)


def test_without_noise_it_is_the_mean_the_sum_and_the_count() -> None:
    estimate = made((0, 10))([1, 2, 9])
    assert (estimate.mean, estimate.sum, estimate.count) == (4.0, 12.0, 3.0)
    assert estimate.interval(0.05) == (4.0, 4.0)
    assert repr(estimate) == "MeanEstimate(mean=4.0, sum=12.0, count=3.0)"


@for_each(
    ("bounds", "rows", "mean"),
    [
        ((-1.0, 1.0), [0.5, -0.0, 0.25], 0.25),
        ((2.0**50, 2.0**50 + 1), [2.0**50 + 0.5, 2.0**50 + 1], 2.0**50 + 0.75),
        ((-(2.0**990), 2.0**990), [2.0**990] * 2, 2.0**990),
        ((-5e-324, 5e-324), [5e-324], 5e-324),
        ((-(2**63), 2**64), [2**64, 2**64], 2.0**64),
        ((0, 10**30), [10**30, 0], 5e29),
        ((-7, 3), [], -2.0),
    ],
)
def test_lists_and_arrays(bounds: Any, rows: Any, mean: float) -> None:
    measured = made(bounds)
    assert measured(rows).mean == mean
    kind = float if isinstance(bounds[0], float) else int
    if all(-(2**63) <= x < 2**63 for x in rows):
        assert measured(np.array(rows, kind)) == measured(rows)


@for_each(
    ("above", "below", "mean", "count"),
    [
        (-3, 5, 0.0, 0.2),
        (5, -3, 10.0, 0.2),
        (-3, -5, 5.0, -0.8),
        (0, 0, 5.0, 0.0),
        (3, 1, 7.5, 0.4),
    ],
)
def test_the_mean_stays_within_the_bounds(
    above: int, below: int, mean: float, count: float
) -> None:
    bounds = Fraction(0), Fraction(10)
    estimate = dp.m.MeanEstimate(above, below, bounds, 10, Fraction(20), False)
    assert (estimate.mean, estimate.count) == (mean, count)
    lower, upper = estimate.interval(0.05)
    assert 0.0 <= lower <= mean <= upper <= 10.0


def losses(measured: Any, data: list[list[int]], p: int) -> dict[Any, Any]:
    """For each distance of two data sets, the p-th power of how far shares move."""
    shares = [(e.above, e.below) for e in map(measured, data)]
    found: dict[Any, Any] = {}
    for (x, left), (y, right) in product(zip(data, shares, strict=True), repeat=2):
        d = measured.input_metric.distance(x, y)
        apart = sum(abs(a - b) ** p for a, b in zip(left, right, strict=True))
        found[d] = max(found.get(d, 0), apart)
    return found


@for_each("metric", METRICS, ids=repr)
@for_each("size", [None, 3])
@for_each("measure", [PURE, CONCENTRATED], ids=repr)
def test_the_map_is_the_supremum(metric: Any, size: Any, measure: Any) -> None:
    """By all data sets of up to three rows, which add at most three to one another."""
    p = 1 if measure == PURE else 2
    data = data_sets([0, 1, 3], [3] if size else range(4))
    noisy = made((0, 3), 1, metric, size=size, measure=measure)
    found = losses(made((0, 3), 0, metric, size=size, measure=measure), data, p)
    worst = 0
    for d in sorted(each for each in found if each != math.inf):
        worst = max(worst, found[d])
        loss = noisy.privacy_map(int(d))
        power = loss * 3 if p == 1 else loss * 2 * 9
        assert power == worst if size or d <= 3 else power >= worst, (d, metric)


def test_a_row_costs_what_a_count_costs() -> None:
    count = (
        (dp.vector_domain(dp.atom_domain(bounds=(0, 9))), METRICS[0])
        >> dp.t.then_count()
        >> dp.m.then_laplace(scale=2)
    )
    assert made((0, 9), 2).map(1) == count.map(1) == 0.5


def test_a_budget_is_met_by_a_search() -> None:
    rows = dp.vector_domain(dp.atom_domain(T=float, nan=False)), METRICS[0]

    def pipeline(scale: float) -> Any:
        clamped = rows >> dp.t.then_clamp((0.0, 100.0))
        return clamped >> dp.m.then_private_mean(PURE, scale)

    scale = dp.binary_search_param(pipeline, d_in=1, d_out=0.5)
    assert pipeline(scale).map(1) == 0.5
    assert scale == pytest.approx(2)
    assert "make_private_mean.tex" in str(pipeline(scale).explain())


def test_a_mean_without_a_size_is_refused_and_names_this() -> None:
    rows = dp.vector_domain(dp.atom_domain(bounds=(0.0, 1.0))), METRICS[0]
    for then in (dp.t.then_mean, dp.t.then_variance):
        with pytest.raises(dp.OpenDPException, match=r"dp\.m\.then_private_mean"):
            rows >> then()


@pytest.mark.parametrize("measure", [PURE, CONCENTRATED], ids=repr)
# 20 of 20 is 0 of 20 with the two counts exchanged.
@pytest.mark.parametrize("ones", shortened([0, 3, 20], 20))
def test_the_interval_holds_the_mean(measure: Any, ones: int) -> None:
    """Exactly: the mass of the pairs of noise whose interval misses is at most alpha.

    The noise of these laws is at most 40 but for e^-20, or 1e-43, which is added.
    """
    rows, alpha, reach = 20, Fraction(1, 10), 40
    steps = range(-reach, reach + 1)
    gaussian = measure == CONCENTRATED
    weights = [math.exp(-z * z / 8 if gaussian else -abs(z) / 2) for z in steps]
    total = sum(weights)
    masses = dict(zip(steps, (w / total for w in weights), strict=True))
    mean, missed = ones / rows, 0.0
    for z, y in product(steps, repeat=2):
        estimate = dp.m.MeanEstimate(
            ones + z,
            rows - ones + y,
            (Fraction(0), Fraction(1)),
            1,
            Fraction(2),
            gaussian,
        )
        lower, upper = interval(estimate, alpha)
        if not lower <= mean <= upper:
            missed += masses[z] * masses[y]
    assert missed + 1e-8 <= alpha
    # It is not empty of content: half of the accuracy would miss more often.
    assert missed > 0 or ones in (0, 20)


ACCURACIES: dict[Any, Any] = {}


def interval(estimate: Any, alpha: Fraction) -> tuple[float, float]:
    """As the method; the accuracy, which is the same for all, is computed once."""
    from opendp_lite.measurements.estimates import mean_estimate

    name = "discrete_" + ("gaussian" if estimate.gaussian else "laplacian")
    name += "_scale_to_accuracy"
    slow = getattr(mean_estimate, name)

    def quick(scale: Any, level: Any) -> float:
        kept = name, scale, level
        if kept not in ACCURACIES:
            ACCURACIES[kept] = slow(scale, level)
        return float(ACCURACIES[kept])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mean_estimate, name, quick)
        lower, upper = estimate.interval(alpha)
    return lower, upper


@for_each("measure", [PURE, CONCENTRATED], ids=repr)
@for_each(
    ("bounds", "k", "steps", "ends"),
    [((0, 3), None, 3, (0, 3)), ((-0.75, 1.2), -1, 3, (Fraction(-1, 2), 1))],
)
def test_an_estimate_tells_its_noise(
    measure: Any, bounds: Any, k: Any, steps: int, ends: Any
) -> None:
    """The scale is in steps: an interval for noise of scale s alone would be wrong."""
    estimate = made(bounds, "2/5", measure=measure, k=k)([bounds[0]])
    assert (estimate.steps, estimate.bounds) == (steps, ends)
    assert estimate.scale == Fraction(2, 5) * steps
    assert estimate.gaussian is (measure == CONCENTRATED)


@for_each("gaussian", [False, True])
@for_each("alpha", ["1/2", "1/10", "1/1000"])
def test_the_interval_spends_half_of_its_level_on_each_total(
    gaussian: bool, alpha: str
) -> None:
    """By the definition: t from the weights of the noise, and all shares of a box."""
    s, level, above, below = 2, Fraction(alpha), 31, 17
    estimate = dp.m.MeanEstimate(
        above, below, (Fraction(0), Fraction(1)), 1, Fraction(s), gaussian
    )
    sizes = range(200)
    weights = [math.exp(-z * z / (2 * s * s) if gaussian else -z / s) for z in sizes]
    total = 2 * math.fsum(weights) - weights[0]

    def tail(n: int) -> float:
        """P(|Z| >= n), of n from 1 on."""
        return 2 * math.fsum(weights[n:]) / total

    # Beyond t, for Laplace noise; for Gaussian noise, from t on.
    t = next(n for n in sizes[1:] if tail(n) <= level / 2) - (not gaussian)
    box = [
        Fraction(a, a + b)
        for a in range(max(above - t, 0), above + t + 1)
        for b in range(max(below - t, 0), below + t + 1)
        if a + b
    ]
    lower, upper = estimate.interval(alpha)
    assert lower <= min(box) < math.nextafter(lower, 2)
    assert math.nextafter(upper, -1) < max(box) <= upper


def test_a_tenth_of_the_scale_would_miss() -> None:
    """A planted fault: the interval of an estimate that understates its noise."""
    bounds = Fraction(0), Fraction(1)
    missed = 0
    for z in (-6, 6):
        told = dp.m.MeanEstimate(10 + z, 10 - z, bounds, 1, Fraction(1, 5), False)
        lower, upper = told.interval("0.1")
        missed += not lower <= 0.5 <= upper
    assert missed == 2


def test_noise_is_there_and_of_its_scale() -> None:
    """Noise of twenty times the scale would miss but for a chance of 1e-9.

    Two hundred intervals are wrong with a chance of 2e-10 together. Of two releases
    both parts agree with a chance of 1/40,000: fifty of them never do.
    """
    measured, data = made((0, 1), 50), np.array([0, 1] * 50_000)
    state_flakiness(mpq(3, 10**10))
    releases = [measured(data) for _ in range(200)]
    for estimate in releases:
        lower, upper = estimate.interval(Fraction(1, 10**12))
        assert 0.4 < lower <= 0.5 <= upper < 0.6
    assert len({visible(each) for each in releases}) > 150


@for_each("alpha", [0, 1, -0.1, 2, math.nan, None, "x"])
def test_levels_are_checked(alpha: Any) -> None:
    with pytest.raises(dp.OpenDPException, match="alpha"):
        made((0, 1))([1]).interval(alpha)


def test_without_bounds_on_the_noise_the_interval_is_everything() -> None:
    bounds = Fraction(1, 10), Fraction(3, 10)
    estimate = dp.m.MeanEstimate(3, 4, bounds, 2, Fraction(10**400), False)
    lower, upper = estimate.interval(0.05)
    assert mpq(lower) <= mpq(1, 10)
    assert mpq(3, 10) <= mpq(upper)
    assert (lower, upper) == pytest.approx((0.1, 0.3))


def test_estimates_are_compared_by_their_fields() -> None:
    left, right = (made((0, 1))([x]) for x in (0, 1))
    assert visible(left) == visible(made((0, 1))([0]))
    assert visible(left) != visible(right)
    with pytest.raises(AttributeError):
        left.above = 3
    with pytest.raises(AttributeError):
        left.more = 3


def test_a_class_of_ones_own_may_show_more() -> None:
    class Derived(dp.m.MeanEstimate):
        more = 3

    told = made((0, 1))([1])
    fields = told.above, told.below, told.bounds, told.steps, told.scale, told.gaussian
    with pytest.raises(TypeError, match="Derived cannot be compared"):
        visible(Derived(*fields))


@for_each("measure", [PURE, CONCENTRATED])
@for_each("ones", [0, 1, 3, 7])
def test_the_accuracy_is_missed_rarely_by_the_law_of_both_totals(
    measure: Any, ones: int
) -> None:
    """For 7 rows, at 0 or 10, and noise of both totals; and it is nearly attained."""
    rows, scale, alpha = 7, 0.6, 0.2
    measured = made((0, 10), scale, measure=measure)
    accuracy = mean_accuracy(measured, alpha, rows)
    assert accuracy is not None

    def weight(z: int) -> float:
        x = abs(z) / (10 * scale)
        return math.exp(-x if measure == PURE else -x * x / 2)

    weights = {z: weight(z) for z in range(-90, 91)}
    whole, chance = sum(weights.values()), 0.0
    bounds, gaussian = (Fraction(0), Fraction(10)), measure == CONCENTRATED
    for (a, p), (b, q) in product(weights.items(), weights.items()):
        totals = ones * 10 + a, (rows - ones) * 10 + b
        told = dp.m.MeanEstimate(*totals, bounds, 10, Fraction(6), gaussian)
        if abs(told.mean - 10 * ones / rows) > accuracy + 1e-12:
            chance += p * q / whole**2
    assert chance <= alpha
    assert chance > 0 or ones in (0, 7)


@for_each("bounds", [(0, 10), (0.0, 10.0), (-7, 3)])
def test_the_accuracy_falls_with_the_rows_and_ends_at_the_bounds(bounds: Any) -> None:
    measured = made(bounds, 2)
    found: list[Any] = [mean_accuracy(measured, 0.05, n) for n in (1, 100, 1000, 2000)]
    assert found[0] == pytest.approx(10, rel=1e-6)
    near = 2 * 10 * math.log(1 / 0.025)  # as Laplace noise of 20 steps of 1
    assert found[1] == pytest.approx(near / 100, rel=0.02)
    assert found[2] == pytest.approx(2 * found[3])
    assert mean_accuracy(made(bounds, 0), 0.05, 1) == 0


def test_only_a_private_mean_tells_the_accuracy_of_a_mean() -> None:
    count = METRICS[0], dp.vector_domain(dp.atom_domain(T=int))
    noisy = count[::-1] >> dp.t.then_count() >> dp.m.then_laplace(1)
    assert mean_accuracy(noisy, 0.05, 100) is None
    rows = dp.vector_domain(dp.atom_domain(T=int))
    chain = (
        (rows, METRICS[0])
        >> dp.t.then_clamp((0, 10))
        >> dp.m.then_private_mean(PURE, scale=2)
    )
    assert mean_accuracy(chain, 0.05, 100) == mean_accuracy(made((0, 10), 2), 0.05, 100)
    for alpha in (0, 1.5, "no"):
        with pytest.raises(dp.OpenDPException, match="alpha"):
            mean_accuracy(chain, alpha, 100)
