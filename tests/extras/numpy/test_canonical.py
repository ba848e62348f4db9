"""Tests and intervals from a noisy count: right, valid to the last bit, and quick."""

from __future__ import annotations

import importlib
import inspect
import json
import math
import time
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq, mpz

from opendp_lite.base.errors import OpenDPException
from opendp_lite.extras.numpy import canonical
from opendp_lite.extras.numpy.arguments import cell_argument
from opendp_lite.extras.numpy.canonical import (
    BinomialCND,
    one_sided_confidence_interval,
    one_sided_power,
    one_sided_pvalue,
    one_sided_uniformly_most_powerful_tests,
    two_sided_confidence_interval,
    two_sided_pvalue,
)
from opendp_lite.extras.numpy.noisy_binomial import NoisyBinomial
from tests.extras.numpy.reference import (
    at_least,
    exponential,
    lower_end,
    noise_cdf,
    probability,
    upper_end,
)
from tests.longer import shortened
from tests.rows import for_each

DATA = Path(__file__).parents[2] / "data" / "canonical_tests.json"
VECTORS = json.loads(DATA.read_text(encoding="utf-8"))
# (d_in, d_out), exact: rational, pure, bounded noise, no epsilon, everything at once.
LAWS = [
    (Fraction(1), (Fraction(1), Fraction(0))),
    (Fraction(1), (Fraction(1, 2), Fraction(1, 100))),
    (Fraction(2), (Fraction(1), Fraction(1, 8))),
    (Fraction(1, 2), (Fraction(1), Fraction(1, 8))),
    (Fraction(3, 10), (Fraction(2), Fraction(1, 1000))),
    (Fraction(1), (Fraction(0), Fraction(1, 16))),
    (Fraction(1), (Fraction(1), Fraction(1))),
]
THETAS = [Fraction(0), Fraction(1, 10), Fraction(1, 2), Fraction(4, 5), Fraction(1)]
PLACES = [-4.25, 0.0, 1.3, 3.7, 9.0]
SIZE = 4


def each_once(laws: Iterable[int], others: Sequence[str]) -> list[Any]:
    """All pairs of a law and a number; each law stays with one, and each number.

    The laws differ in the branches of the noise, the numbers in the place on it.
    """
    pairs = list(product(laws, others))
    step = len(others)
    rows = [(LAWS[i], Fraction(other)) for i, other in pairs]
    stays = {at for at in range(len(rows)) if at // step % step == at % step}
    left_out = [row for at, row in enumerate(rows) if at not in stays]
    return shortened(rows, *left_out, parts=2)


def right(z: float, law: Any, theta: Fraction) -> Fraction:
    """P(release >= z), exact: what a double is released for lies between middles."""
    return at_least(lower_end(z), *law, SIZE, theta)


def left(z: float, law: Any, theta: Fraction) -> Fraction:
    """P(release <= z)."""
    return 1 - at_least(upper_end(z), *law, SIZE, theta)


def close_above(found: float, exact: Fraction) -> bool:
    """Whether a double is the exact number rounded up, or next to it."""
    return (
        exact
        <= Fraction(found)
        <= exact * (1 + Fraction(1, 2**50)) + Fraction(1, 2**1073)
    )


# --- the values -----------------------------------------------------------------------


@for_each("law", LAWS)
@for_each("theta", THETAS)
def test_one_sided_values_are_those_of_the_definition(
    law: Any, theta: Fraction
) -> None:
    for z in PLACES:
        found = one_sided_pvalue(z, *law, SIZE, theta, "right")
        assert close_above(found, right(z, law, theta))
        found = one_sided_pvalue(z, *law, SIZE, theta, "left")
        assert close_above(found, left(z, law, theta))


@for_each("law", LAWS)
@for_each("theta", THETAS)
def test_two_sided_values_are_those_of_the_definition(
    law: Any, theta: Fraction
) -> None:
    mean = SIZE * theta
    for z in PLACES:
        low, high = lower_end(z), upper_end(z)
        far = max(low - mean, mean - high, Fraction(0))
        exact = at_least(mean + far, *law, SIZE, theta)
        exact += 1 - at_least(mean - far, *law, SIZE, theta)
        assert close_above(two_sided_pvalue(z, *law, SIZE, theta), exact)


def test_the_values_of_opendp() -> None:
    for row in VECTORS["pvalues"]:
        stated = row["Z"], row["d_in"], tuple(row["d_out"]), row["size"], row["theta"]
        count = BinomialCND(*stated[:4])
        assert count.p_value(row["theta"], "right") == pytest.approx(
            row["right"], rel=1e-11, abs=3e-15
        )
        assert count.p_value(row["theta"], "left") == pytest.approx(
            row["left"], rel=1e-11, abs=3e-15
        )
        assert count.p_value(row["theta"]) == pytest.approx(
            row["two"], rel=1e-11, abs=3e-15
        )


@for_each("z", [0.1, 63.2, 1 / 3, -7e-5])
def test_the_text_of_a_release_is_that_release(z: float) -> None:
    """Read from a file, it is a decimal that is no double, but was rounded to one."""
    assert cell_argument(repr(z)) == cell_argument(Decimal(repr(z))) == cell_argument(z)
    assert cell_argument(z) == (mpq(lower_end(z)), mpq(upper_end(z)))
    between = mpq(z) + mpq(1, 10**30)
    assert cell_argument(between) == cell_argument(z)


def test_the_last_doubles_stand_for_all_beyond() -> None:
    largest = math.nextafter(math.inf, 0)
    assert cell_argument(largest) == cell_argument(10**400)
    assert cell_argument(largest) == (mpq(lower_end(largest)), None)
    assert cell_argument(-largest) == (None, mpq(upper_end(-largest)))
    wide = 1e308, (0.1, 0), SIZE, 0.5
    assert one_sided_pvalue(largest, *wide, "left") == 1
    assert one_sided_pvalue(-largest, *wide, "right") == 1
    assert 0.3 < one_sided_pvalue(largest, *wide, "right") < 0.5


@for_each(
    ("z", "tail", "expected"),
    [
        (1e308, "right", 5e-324),
        (-1e308, "left", 5e-324),
        (1e308, "left", 1.0),
        (math.nextafter(math.inf, 0), "left", 1.0),
        (-math.nextafter(math.inf, 0), "right", 1.0),
        (-1e308, "right", 1.0),
        (5e-324, "right", 0.98880179869),
        (-0.0, "right", 0.98880179869),
    ],
)
def test_releases_far_away_and_next_to_zero(
    z: float, tail: str, expected: float
) -> None:
    found = one_sided_pvalue(z, 1, (1, 0), 10, 0.5, tail)
    assert found == pytest.approx(expected, rel=1e-10)


def test_a_small_value_is_right_to_the_last_digits() -> None:
    law = Fraction(1), (Fraction(1), Fraction(0))
    for z in (50.0, 200.5):
        found = one_sided_pvalue(z, *law, SIZE, Fraction(1, 2), "right")
        assert close_above(found, right(z, law, Fraction(1, 2)))
        assert 0 < found < 1e-18


# --- validity -------------------------------------------------------------------------


def least_release(accepts: Any, low: float, high: float) -> float:
    """The least double at which `accepts`, which is true from there on."""
    from opendp_lite.exact.doubles import double_at, double_index

    below, above = double_index(low), double_index(high)
    assert accepts(high)
    assert not accepts(low)
    while above - below > 1:
        middle = (below + above) // 2
        if accepts(double_at(middle)):
            above = middle
        else:
            below = middle
    return double_at(above)


@pytest.mark.parametrize(
    ("law", "theta"), each_once((0, 1, 2, 5, 6), ("1/10", "1/2", "1"))
)
def test_the_one_sided_test_has_its_size_exactly(law: Any, theta: Fraction) -> None:
    """P(p <= alpha) is alpha at the boundary, up to the last bits, and never more.

    The probability is that of the *released* doubles, in fractions.
    """
    for alpha in (Fraction(1, 1000), Fraction(1, 20), Fraction(1, 2), Fraction(9, 10)):
        first = least_release(
            lambda z, a=alpha: one_sided_pvalue(z, *law, SIZE, theta, "right") <= a,
            -60.0,
            60.0,
        )
        size = right(first, law, theta)
        assert alpha * (1 - Fraction(1, 2**40)) < size <= alpha
        for less in (Fraction(0), theta / 2):
            assert right(first, law, less) <= size

        last = -least_release(
            lambda z, a=alpha: one_sided_pvalue(-z, *law, SIZE, theta, "left") <= a,
            -60.0,
            60.0,
        )
        size = left(last, law, theta)
        assert alpha * (1 - Fraction(1, 2**40)) < size <= alpha
        assert left(last, law, (1 + theta) / 2) <= size


@pytest.mark.parametrize(
    ("law", "theta"), each_once((0, 1, 2, 5), ("0", "1/10", "1/2"))
)
def test_the_two_sided_test_has_its_size_exactly(law: Any, theta: Fraction) -> None:
    for alpha in (Fraction(1, 100), Fraction(1, 5)):

        def rejects(z: float, a: Fraction = alpha) -> bool:
            return two_sided_pvalue(z, *law, SIZE, theta) <= a

        mean = float(SIZE * theta)
        first = least_release(rejects, mean, 80.0)
        last = -least_release(lambda z, r=rejects: r(-z), -mean, 80.0)
        size = right(first, law, theta) + left(last, law, theta)
        assert alpha * (1 - Fraction(1, 2**40)) < size <= alpha


def test_the_rounding_of_the_release_matters() -> None:
    """Without the half ulp below the release, the test would exceed its size."""
    law, theta = LAWS[5], Fraction(1, 2)
    exceeded = 0
    for z in (2.1, 2.7, 3.3, 3.9, 4.2):
        unrounded = at_least(Fraction(z), *law, SIZE, theta)
        exceeded += right(z, law, theta) > unrounded
        assert one_sided_pvalue(z, *law, SIZE, theta, "right") >= right(z, law, theta)
    assert exceeded == 5


# --- intervals ------------------------------------------------------------------------


@for_each("law", LAWS)
@for_each("theta", THETAS)
def test_a_release_of_an_integer_stands_for_all_that_is_rounded_to_it(
    law: Any, theta: Fraction
) -> None:
    """P(p <= a) <= a for the integer nearest to X + d N, at each a that p attains."""
    half = Fraction(1, 2)
    for z in (-3, 2, SIZE, SIZE + 4):
        exact = at_least(z - half, *law, SIZE, theta)
        found = one_sided_pvalue(z, *law, SIZE, theta, "right")
        assert close_above(found, exact)
        assert one_sided_pvalue(np.int64(z), *law, SIZE, theta, "right") == found
        exact = 1 - at_least(z + half, *law, SIZE, theta)
        assert close_above(one_sided_pvalue(z, *law, SIZE, theta, "left"), exact)
        assert two_sided_pvalue(z, *law, SIZE, theta) >= two_sided_pvalue(
            float(z), *law, SIZE, theta
        )
        wide = two_sided_confidence_interval(z, *law, SIZE, "0.1")
        narrow = two_sided_confidence_interval(float(z), *law, SIZE, "0.1")
        assert wide[0] <= narrow[0]
        assert narrow[1] <= wide[1]


def test_an_integer_beyond_all_doubles_is_a_release() -> None:
    wide = 10**400
    law = wide, (1, 0), 10, "1/2"
    assert one_sided_pvalue(-wide, *law, "right") > 0.5
    assert one_sided_pvalue(wide, *law, "left") > 0.5


def test_the_published_intervals() -> None:
    b = 1 / exponential(Fraction(1))
    q = Fraction(1, 20)
    d_out = (1, q * (1 - b) / (2 * b * (1 - q)))
    published = VECTORS["published"]
    z, n, bound = published["lower"]
    found = BinomialCND(float(z), 1, d_out, n).confidence_interval(0.05, side="lower")
    assert round(found, 3) == bound  # type: ignore[arg-type]
    z, n, bound = published["upper"]
    found = BinomialCND(float(z), 1, d_out, n).confidence_interval(0.05, side="upper")
    assert round(found, 3) == bound  # type: ignore[arg-type]
    z, n, bounds = published["two"]
    found = BinomialCND(float(z), 1, d_out, n).confidence_interval(0.05)
    assert [round(end, 3) for end in found] == bounds  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("law", "theta"), each_once((0, 2, 5), ("1/10", "1/2", "99/100"))
)
def test_one_sided_bounds_cover_as_often_as_stated(law: Any, theta: Fraction) -> None:
    """The coverage is computed, not simulated: the bounds grow with the release."""
    alpha = Fraction(1, 10)
    first = least_release(
        lambda z: one_sided_confidence_interval(z, *law, SIZE, alpha, "lower") > theta,
        -60.0,
        60.0,
    )
    missed = right(first, law, theta)
    assert alpha * (1 - Fraction(1, 2**40)) < missed <= alpha

    last = -least_release(
        lambda z: one_sided_confidence_interval(-z, *law, SIZE, alpha, "upper") < theta,
        -60.0,
        60.0,
    )
    missed = left(last, law, theta)
    assert alpha * (1 - Fraction(1, 2**40)) < missed <= alpha


# One-sided bounds have more laws, and each of their ends is found in the same way.
@pytest.mark.parametrize(
    ("law", "theta"),
    shortened(
        [(LAWS[i], Fraction(rate)) for i in (0, 2) for rate in ("1/10", "1/2")],
        *((LAWS[i], Fraction(rate)) for i, rate in [(0, "1/10"), (0, "1/2")]),
        (LAWS[2], Fraction(1, 10)),
        parts=2,
    ),
)
def test_two_sided_intervals_cover_as_often_as_stated(
    law: Any, theta: Fraction
) -> None:
    alpha = Fraction(1, 10)

    def interval(z: float) -> tuple[float, float]:
        return two_sided_confidence_interval(z, *law, SIZE, alpha)

    low, high = -20.0, 20.0
    for _ in range(24):
        middle = (low + high) / 2
        low, high = (low, middle) if interval(middle)[0] > theta else (middle, high)
    missed = right(high, law, theta)
    nearly = right(low, law, theta)
    low, high = -20.0, 20.0
    for _ in range(24):
        middle = (low + high) / 2
        low, high = (middle, high) if interval(middle)[1] < theta else (low, middle)
    missed += left(low, law, theta)
    nearly += left(high, law, theta)
    assert missed <= alpha < nearly + Fraction(1, 10**6)


@pytest.mark.parametrize(
    ("law", "z"), each_once(range(len(LAWS)), ("-6.5", "0.7", "2.0", "5.25"))
)
def test_an_interval_holds_the_rates_that_are_not_rejected(
    law: Any, z: Fraction
) -> None:
    alpha = Fraction(1, 20)
    low, high = two_sided_confidence_interval(z, *law, SIZE, alpha)
    assert 0 <= low <= high <= 1
    for i in range(21):
        theta = Fraction(i, 20)
        rejected = two_sided_pvalue(z, *law, SIZE, theta) <= alpha
        if not low <= theta <= high:
            assert rejected
    # And no more than these, up to 1e-7.
    slack = Fraction(1, 10**7)
    if low > 0:
        assert two_sided_pvalue(z, *law, SIZE, min(low + slack, 1)) > alpha or low == 1
    if high < 1:
        assert two_sided_pvalue(z, *law, SIZE, max(high - slack, 0)) > alpha or (
            high == 0
        )


def test_rates_that_are_not_rejected_may_have_gaps() -> None:
    """With little noise p falls, for a while, as the rate grows; none is passed over.

    At n = 4 and Z = 2.2 it is about P(X >= 3) + P(X = 0) between the rates 0.28 and
    0.4: 0.34 at first, and then 0.31. Below 0.27 it is P(X >= 3) alone.
    """
    law, alpha = (Fraction(1, 50), (1, Fraction(1, 1000)), SIZE), Fraction(8, 25)
    assert two_sided_pvalue(2.2, *law, "0.26") < 0.1
    assert two_sided_pvalue(2.2, *law, "0.29") > alpha
    assert two_sided_pvalue(2.2, *law, "0.375") < alpha
    low, _ = two_sided_confidence_interval(2.2, *law, alpha)
    assert 0.26 < low < 0.29


def test_rates_that_are_hardly_rejected_take_no_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At the rate 0.286 p has a maximum: steps are small there, and grow again."""
    law, alpha = (Fraction(1, 50), (1, Fraction(1, 1000)), SIZE), Fraction("0.332078")
    p = two_sided_pvalue(2.2, *law, "0.28625")
    assert alpha - Fraction(1, 10**6) < p < alpha
    calls, enclose = [], NoisyBinomial.at_least
    monkeypatch.setattr(
        NoisyBinomial,
        "at_least",
        lambda *a: calls.append(1) or enclose(*a),  # type: ignore[func-returns-value]
    )
    low, _ = two_sided_confidence_interval(2.2, *law, alpha)
    assert 0.39 < low < 0.4
    assert len(calls) < 4000


def test_releases_beyond_the_range_of_counts() -> None:
    law = 1, (1.0, 1e-6), 10
    low = BinomialCND(-1.0, *law)
    assert low.confidence_interval(0.05)[0] == 0.0  # type: ignore[index]
    assert low.confidence_interval(0.05, "lower") == 0.0
    assert 0 < low.confidence_interval(0.05, "upper") < 0.3  # type: ignore[operator]
    assert BinomialCND(-40.0, *law).confidence_interval(0.05) == (0.0, 0.0)
    assert BinomialCND(50.0, *law).confidence_interval(0.05) == (1.0, 1.0)
    assert BinomialCND(50.0, *law).confidence_interval(0.05, "lower") == 1.0
    largest = math.nextafter(math.inf, 0)
    assert BinomialCND(largest, *law).confidence_interval(0.05) == (1.0, 1.0)
    assert BinomialCND(-largest, *law).confidence_interval(0.05) == (0.0, 0.0)
    assert BinomialCND(largest, *law).confidence_interval(0.05, "upper") == 1.0
    assert BinomialCND(-largest, *law).confidence_interval(0.05, "lower") == 0.0


# --- most powerful tests --------------------------------------------------------------


def exact_size(phi: Any, theta: Fraction) -> Fraction:
    n = len(phi) - 1
    return sum(
        (probability(n, theta, x) * Fraction(float(phi[x])) for x in range(n + 1)),
        Fraction(0),
    )


@for_each("law", LAWS)
@for_each("alpha", [Fraction(1, 100), Fraction(1, 4)])
@for_each("tail", ["left", "right"])
def test_the_most_powerful_test(law: Any, alpha: Fraction, tail: str) -> None:
    theta = Fraction(1, 3)
    phi = one_sided_uniformly_most_powerful_tests(*law, SIZE, theta, alpha, tail)
    assert alpha - Fraction(1, 2**50) < exact_size(phi, theta) <= alpha
    ordered = list(phi) if tail == "left" else list(phi)[::-1]
    assert all(a <= b for a, b in pairwise(ordered))
    # Each neighbour is as far away as privacy allows: that is what makes it optimal.
    d_in, (epsilon, delta) = law
    if d_in == 1:
        factor = exponential(epsilon)
        for a, b in pairwise(map(Fraction, ordered)):
            most = min(1, delta + factor * a, 1 - (1 - delta - a) / factor)
            assert b <= most + Fraction(1, 2**50)
            if a > 0:
                assert b > most - Fraction(1, 2**48)


def test_no_count_is_rejected_for_certain_if_none_may_be() -> None:
    phi = one_sided_uniformly_most_powerful_tests(1, (1, 0), 200, 0.5, 0.05, "left")
    assert phi[0] > 0
    assert phi[-1] == math.nextafter(1, 0)


def test_the_tests_of_opendp() -> None:
    for row in VECTORS["tests"]:
        stated = [row["d_in"], tuple(row["d_out"]), row["size"]]
        theta, alpha = row["theta"], row["alpha"]
        tests = one_sided_uniformly_most_powerful_tests
        found = tests(*stated, theta, alpha, "left")
        assert isinstance(found, np.ndarray)
        assert found == pytest.approx(np.array(row["left"]), rel=1e-9, abs=1e-14)
        # OpenDP's "right" is the complement: a test of the size 1 - alpha.
        assert exact_size(row["right"], Fraction(theta)) > 1 - Fraction(alpha) - mpq(
            1, 10**9
        )
        found = tests(*stated, theta, alpha, "right")
        assert exact_size(found, Fraction(theta)) <= Fraction(alpha)
        complement = tests(*stated, theta, 1 - Fraction(alpha), "right")
        assert complement == pytest.approx(np.array(row["right"]), rel=1e-9, abs=1e-14)


def test_no_private_test_has_more_power() -> None:
    """All private tests on a grid: at epsilon = 0 they are those with small steps."""
    law = Fraction(1), (Fraction(0), Fraction(1, 5))
    delta, n = Fraction(1, 5), 2
    null, alternative, alpha = Fraction(1, 3), Fraction(3, 4), Fraction(1, 10)
    ours = one_sided_power(*law, n, null, alpha, alternative)
    best = Fraction(0)
    # The constraints are |phi(x + 1) - phi(x)| <= delta.
    grid = [Fraction(i, 20) for i in range(21)]
    for a in grid:
        for b in grid:
            if abs(a - b) > delta:
                continue
            for c in grid:
                if abs(b - c) > delta:
                    continue
                phi = [a, b, c]
                size = sum(probability(n, null, x) * phi[x] for x in range(3))
                if size <= alpha:
                    power = sum(
                        probability(n, alternative, x) * phi[x] for x in range(3)
                    )
                    best = max(best, power)  # type: ignore[assignment]
    assert best <= Fraction(ours) + Fraction(1, 10**12)
    assert Fraction(ours) - best < Fraction(1, 20)


def test_power() -> None:
    law = 1, (1.0, 1e-6), 30
    for theta, truth, tail in ((0.5, 0.7, "left"), (0.5, 0.3, "right")):
        phi = one_sided_uniformly_most_powerful_tests(*law, theta, 0.05, tail)
        found = one_sided_power(*law, theta, 0.05, truth)
        assert found == pytest.approx(
            float(exact_size(phi, Fraction(truth))), rel=1e-12
        )
    assert one_sided_power(*law, 0.5, 0.05, 0.5) == pytest.approx(0.05, rel=1e-12)
    assert one_sided_power(*law, 0.5, 0.05, 0.5) <= 0.05
    # Small numbers are right to the last digits, too.
    assert one_sided_power(*law, 0.5, 1e-40, 0.5) == pytest.approx(
        1e-40, rel=1e-12, abs=0
    )
    powers = [one_sided_power(*law, 0.5, 0.05, p) for p in (0.5, 0.6, 0.8, 1.0)]
    assert powers == sorted(powers)


def test_a_test_rejects_as_its_p_value_says() -> None:
    count = BinomialCND(63.2, 1, (1.0, 1e-6), 100)
    p = count.p_value(0.5)
    assert count.rejects(0.5, p)
    assert not count.rejects(0.5, math.nextafter(p, 0))
    assert count.rejects(0.5, "0.01", tail="right")
    assert not count.rejects(0.5, "0.01", tail="left")


# --- errata ---------------------------------------------------------------------------


def test_the_intervals_of_opendp_cover_too_little() -> None:
    """OpenDP solves p(B n; theta = Z/n) = alpha for B: the data vary, theta does not.

    Its upper bound for a release of at most 0 is that of the noise alone, so that at
    n = 30, (3, 1e-6) a rate of 0.02 is missed with probability above 0.285, not 0.05.
    """
    law, n, alpha = (1, (3, "1e-6")), 30, Fraction(1, 20)
    # theta = 0 is the estimate, and B the bound: P(N >= 30 B) = 1/20.
    low, high = 0.0, 1.0
    for _ in range(32):
        middle = (low + high) / 2
        kept = one_sided_pvalue(middle * n, *law, n, 0, "right") > alpha
        low, high = (middle, high) if kept else (low, middle)
    assert low < 0.0167
    assert one_sided_pvalue(0.0, *law, n, "0.02", "left") > 0.27
    theirs = importlib.import_module("opendp.extras.numpy.canonical")
    upper, stated = theirs.one_sided_confidence_interval, (1.0, (3.0, 1e-6), n, 0.05)
    assert upper(0.0, *stated, "upper") == pytest.approx(low, rel=1e-6)
    assert upper(0.0086, *stated, "upper") < 0.02
    assert one_sided_pvalue(0.0086, *law, n, "0.02", "left") > 0.285
    ours = one_sided_confidence_interval(0.0, *law, n, alpha, "upper")
    assert ours > 0.07
    assert one_sided_pvalue(0.0, *law, n, ours, "left") == pytest.approx(0.05, 1e-9)


def test_the_two_sided_interval_of_opendp_covers_too_little() -> None:
    """At n = 30, (1, 1e-6) it holds 1/2 for releases from 9.323 to 20.677 alone."""
    theirs = importlib.import_module("opendp.extras.numpy.canonical")
    law, n = (1.0, (1.0, 1e-6)), 30
    for z, held in ((9.322, False), (9.324, True), (20.676, True), (20.678, False)):
        low, high = theirs.two_sided_confidence_interval(z, *law, n, 0.05)
        assert (low <= 0.5 <= high) == held
    beyond = one_sided_pvalue(9.323, *law, n, 0.5, "left")
    beyond += one_sided_pvalue(20.677, *law, n, 0.5, "right")
    assert beyond == pytest.approx(1 - 0.9361, abs=1e-4)
    with pytest.raises(ValueError, match="decision boundary"):
        theirs.two_sided_confidence_interval(4.0, *law, n, 0.05)
    assert two_sided_confidence_interval(4.0, *law, n, 0.05)[0] > 0


def test_no_epsilon_works() -> None:
    # OpenDP's formula divides 0 by 0 there.
    assert one_sided_pvalue(4.3, 1, (0, 0.1), 10, 0.3, "right") == pytest.approx(
        float(
            at_least(
                Fraction(4.3),
                Fraction(1),
                (Fraction(0), Fraction(1, 10)),
                10,
                Fraction(0.3),
            )
        ),
        rel=1e-12,
    )


# --- the machinery --------------------------------------------------------------------


@for_each("law", LAWS)
def test_an_enclosure_holds_the_tail_and_narrows(law: Any) -> None:
    d_in, (epsilon, delta) = law
    noisy = NoisyBinomial(7, mpq(d_in), mpq(epsilon), mpq(delta))
    for z in (Fraction(-3), Fraction(7, 3), Fraction(4), Fraction(19, 2)):
        for theta in (Fraction(0), Fraction(2, 7), Fraction(1)):
            exact = at_least(z, *law, 7, theta)
            slack = Fraction(1, 10**60)  # of the reference's exponential
            for precision in (8, 64, 160):
                p = noisy.at_least(mpq(theta), mpq(z), precision)
                assert p.lo <= exact + slack
                assert p.hi >= exact - slack
                assert p.width <= mpq(1, 1 << (precision - 6))
                q = noisy.at_most(mpq(theta), mpq(z), precision)
                assert q.lo <= 1 - exact + slack
                assert q.hi >= 1 - exact - slack


@for_each("law", [*LAWS, (Fraction(3, 10), (Fraction(2), Fraction(0)))])
def test_tails_lose_no_more_than_they_say(law: Any) -> None:
    d_in, (epsilon, delta) = law
    noisy = NoisyBinomial(1, mpq(d_in), mpq(epsilon), mpq(delta))
    slack = Fraction(1, 10**50)
    worst = Fraction(0)
    for first in (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(7, 5)):
        for bits in (1, 3, 6, 10, 40):
            found, lost = noisy.tails(mpq(first), 9, bits)
            assert len(found) == 9
            for i, tail in enumerate(found):
                exact = 2**bits * noise_cdf(-(first + i) / d_in, epsilon, delta)
                assert int(tail) <= exact + slack
                assert exact <= int(tail) + lost + slack
                worst = max(worst, exact - int(tail))
    assert worst > Fraction(1, 2) or delta == 1


def test_what_tails_lose_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tails that are 0, with everything lost, are right; so must the enclosure be."""
    monkeypatch.setattr(
        NoisyBinomial,
        "tails",
        lambda self, first, count, bits: ([mpz(0)] * count, 1 << bits),
    )
    law = LAWS[0]
    noisy = NoisyBinomial(4, mpq(1), mpq(1), mpq(0))
    for z in (Fraction(-9), Fraction(1, 2), Fraction(5, 2), Fraction(9)):
        p = noisy.at_least(mpq(1, 2), mpq(z), 64)
        assert p.contains(mpq(at_least(z, *law, 4, Fraction(1, 2))))


def test_a_million_records_take_no_longer_than_a_breath() -> None:
    # The number of terms grows with the root of n. The limit is generous, and is one of
    # CPU time, for machines under load; a sum over all counts would take minutes.
    start = time.process_time()
    count = BinomialCND(503_100.5, 1, (1.0, 1e-6), 10**6)
    assert count.p_value(0.5, "right") == pytest.approx(2.805337761e-10, rel=1e-9)
    assert 0.5022 < count.confidence_interval(0.05, "lower") < 0.5023  # type: ignore[operator]
    assert time.process_time() - start < 60


@pytest.mark.audit
def test_an_interval_of_a_million_records_takes_no_longer() -> None:
    start = time.process_time()
    count = BinomialCND(503_100.5, 1, (1.0, 1e-6), 10**6)
    low, high = count.confidence_interval(0.05)
    assert 0.5021 < low < 0.5022 < 0.504 < high < 0.5041
    assert time.process_time() - start < 60


# --- refusals -------------------------------------------------------------------------


GOOD = {"Z": 4.5, "d_in": 1, "d_out": (1.0, 1e-6), "size": 10, "theta": 0.5}


@for_each(
    ("name", "value", "words"),
    [
        ("Z", math.nan, "Z=nan"),
        ("Z", math.inf, "Z=inf"),
        ("Z", "many", "Z='many'"),
        ("Z", None, "Z=None"),
        ("d_in", 0, "use a binomial test"),
        ("d_in", -1, "d_in=-1: must be at least 0"),
        ("d_out", 1.0, "must be a pair"),
        ("d_out", (0, 0), "must not be (0, 0)"),
        ("d_out", (-1, 0), "must be at least 0"),
        ("d_out", (1, 2), "must be at most 1"),
        ("size", 0, "size=0: must be at least 1"),
        ("size", 2.5, "must be an integer"),
        ("theta", -0.1, "theta=-0.1: must be at least 0"),
        ("theta", 1.1, "theta=1.1: must be at most 1"),
    ],
)
def test_a_bad_argument_is_named(name: str, value: Any, words: str) -> None:
    stated = GOOD | {name: value}
    with pytest.raises(OpenDPException) as caught:
        two_sided_pvalue(**stated)  # type: ignore[arg-type]
    assert words in str(caught.value)
    with pytest.raises(OpenDPException) as caught:
        one_sided_pvalue(**stated, tail="left")  # type: ignore[arg-type]
    assert words in str(caught.value)


def test_other_bad_arguments_are_named() -> None:
    count = BinomialCND(4.5, 1, (1.0, 1e-6), 10)
    for alpha in (0, 1, -0.1, 1.5, math.nan):
        with pytest.raises(OpenDPException, match="alpha="):
            count.confidence_interval(alpha)
        with pytest.raises(OpenDPException, match="alpha="):
            one_sided_power(1, (1, 0), 10, 0.5, alpha, 0.6)
    with pytest.raises(OpenDPException, match=r'tail=.*must be "left" or "right"'):
        count.p_value(0.5, "up")  # type: ignore[arg-type]
    with pytest.raises(OpenDPException, match=r'side=.*must be "lower" or "upper"'):
        count.confidence_interval(0.05, "left")  # type: ignore[arg-type]
    with pytest.raises(OpenDPException, match="tail="):
        one_sided_uniformly_most_powerful_tests(1, (1, 0), 10, 0.5, 0.05, None)  # type: ignore[arg-type]
    with pytest.raises(OpenDPException, match="alternative="):
        one_sided_power(1, (1, 0), 10, 0.5, 0.05, 1.2)


def test_names_and_arguments_are_those_of_opendp() -> None:
    theirs = importlib.import_module("opendp.extras.numpy.canonical")
    named = {
        name: thing
        for name, thing in vars(theirs).items()
        if getattr(thing, "__module__", "") == theirs.__name__ and name[0] != "_"
    }
    assert set(named) | {"one_sided_power"} == set(canonical.__all__)
    named |= {
        method: getattr(theirs.BinomialCND, method)
        for method in ("p_value", "confidence_interval")
    }
    for name, thing in named.items():
        ours = getattr(canonical, name, None) or getattr(BinomialCND, name)
        mine, other = inspect.signature(ours), inspect.signature(thing)
        assert list(mine.parameters) == list(other.parameters)
        for argument, parameter in other.parameters.items():
            assert mine.parameters[argument].default == parameter.default


def test_it_prints_as_opendp_does() -> None:
    count = BinomialCND(estimate=4.5, d_in=1.0, d_out=(1.0, 0.0), size=10)
    assert repr(count) == (
        "BinomialCND(estimate=4.5, d_in=1.0, d_out=(1.0, 0.0), size=10)"
    )
