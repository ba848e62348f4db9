"""What the notes about snapping get wrong about utility: their formulas, and ours.

Each test states the printed formula (notes of August 2019, September 2019 and August
2020), shows by the exact law of the mechanism that it fails, and that ours holds. The
number 1 is the sensitivity, as in the notes; lambda is 1/epsilon'. Printed formulas are
evaluated in ball arithmetic.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import flint
import pytest
from flint import arb

import opendp_lite.prelude as dp


@pytest.fixture(autouse=True)
def high_precision() -> Iterator[None]:
    before = flint.ctx.prec
    flint.ctx.prec = 300
    yield
    flint.ctx.prec = before


def ball(x: Any) -> arb:
    x = Fraction(x)
    return arb(x.numerator) / arb(x.denominator)


def near(x: arb, digits: str) -> bool:
    """Whether the digits are those of x, rounded."""
    places = len(digits.partition(".")[2])
    return bool(abs(x - ball(digits)) <= ball(Fraction(1, 2 * 10**places)))


def laplace(t: arb | Fraction | str, scale: Any = 1) -> arb:
    """F(t) = P(Y < t), as (6.2) defines it."""
    x = (t if isinstance(t, arb) else ball(t)) / ball(scale)
    return x.exp() / 2 if x < 0 else 1 - (-x).exp() / 2


def probability(law: dict[float, Any], event: Any) -> arb:
    ends = [p.lo for value, p in law.items() if event(value)]
    return sum((arb(int(p.numerator)) / arb(int(p.denominator)) for p in ends), arb(0))


def failure(bound: Any, x: str, a: arb, scale: Any = 1) -> arb:
    """P(N > a): how likely the release is further than a from x, for bounds (-B, B)."""
    law = dp.snapping_distribution(scale, (-Fraction(bound), Fraction(bound)), x)
    return probability(law, lambda value: abs(ball(value) - ball(x)) > a)


def test_the_accuracy_of_2019_uses_f_where_it_needs_1_less_f() -> None:
    """September 2019, GetAccuracy2: a = (1/2 - ln(1 - alpha)) / epsilon'."""
    alpha = ball("0.05")
    printed = ball("0.5") - (1 - alpha).log()
    assert near(printed, "0.5513")
    # It is to be exceeded with probability 0.05.
    assert near(failure(100, "0", printed), "0.607")
    assert near(failure(100, "0.44", printed), "0.666")
    worst = (-ball("0.5")).exp() * (1 - printed).cosh()
    assert near(worst, "0.669")
    assert near(failure(100, "0.4487", printed), "0.669")
    ours = dp.snapping_scale_to_accuracy(1, (-100, 100), "0.05")
    assert near(ball(ours), "3.496")
    for k in range(0, 101, 4):
        assert failure(100, f"{k / 100}", ball(ours)) <= alpha


def test_the_lower_bound_of_p_u_is_an_upper_bound() -> None:
    """P_U = 1 - F(B - f - Lambda/2) >= 1 - F(B - f - lambda) = P_U^-, it is said."""
    p_u, printed = 1 - laplace("7.5"), 1 - laplace("7")
    assert near(p_u, "0.000277")
    assert near(printed, "0.000456")
    assert p_u < printed
    # What 8 really has, for the number 0 and the bound 8, is P_U at most.
    law = dp.snapping_distribution(1, (-8, 8), 0)
    assert probability(law, lambda value: value == 8) <= p_u


def get_accuracy(f: str, bound: str, alpha: str) -> tuple[int, arb]:
    """GetAccuracy as printed, with epsilon' = 1: the case and the accuracy."""
    level, b, x = ball(alpha), ball(bound), ball(f)
    p_lower, p_upper = laplace(-b - x + 1), 1 - laplace(b - x - 1)
    below = 1 - (1 - (b - x)).exp()
    if p_lower >= level:
        return 1, b + x
    if below >= 1 + p_lower - level:
        return 2, 1 - (level - p_lower).log()
    if below + p_upper >= 1 + p_lower - level:
        return 3, b - x
    return 4, 1 - (level - p_lower + p_upper).log()


@pytest.mark.parametrize(
    ("f", "printed", "failed"),
    [("9.9", "1.166", "0.123"), ("9.5", "1.292", "0.184"), ("9", "1.598", "0.112")],
)
def test_case_4_of_get_accuracy_does_not_hold(
    f: str, printed: str, failed: str
) -> None:
    """All three notes; B = 10, alpha = 0.05, epsilon' = 1."""
    case, a = get_accuracy(f, "10", "0.05")
    assert case == 4
    assert near(a, printed)
    assert near(failure(10, f, a), failed)
    assert failure(10, f, a) > 2 * ball("0.05")
    ours = dp.snapping_scale_to_accuracy(1, (-10, 10), "0.05")
    assert failure(10, f, ball(ours)) <= ball("0.05")


def test_get_accuracy_tells_what_the_data_are() -> None:
    """It depends on f(D), and tells neighbours apart; ours has no such argument."""
    answers = [get_accuracy(f, "10", "0.05")[1] for f in ("7", "8", "9")]
    assert answers[0] > answers[1] > answers[2]
    assert near(answers[0] - answers[1], "0.687")


def test_the_last_inequality_of_6_5_is_reversed() -> None:
    """c/(a - lambda') <= c/(a - 1/epsilon), each times 1 + 12 B eta and plus 2 eta.

    Here eta is large, so that it shows: eta = 2^-10, B = 8, epsilon = 1, a = 5.
    """
    eta, a, c = Fraction(1, 2**10), 5, ball(20).log()
    factor = 1 + 12 * 8 * eta
    scale = factor / (1 - 2 * eta)
    left = ball(factor / (a - scale)) * c + ball(2 * eta)
    right = ball(factor / (a - 1)) * c + ball(2 * eta)
    assert near(left, "0.841")
    assert near(right, "0.821")
    assert left > right
    # So a scale from the right side may miss the accuracy; the greatest one does not.
    chosen = dp.accuracy_to_snapping_scale(5, (-8, 8), "0.05")
    assert dp.snapping_scale_to_accuracy(chosen, (-8, 8), "0.05") <= 5


def clamped_mean(bound: Fraction, x: Fraction) -> arb:
    """E clamp_B(x + Y*) - x, with Y* Laplace noise of scale 1 around -1/2: Bias+.

    B less the integral over [-B, B] of P(x + Y* < z) = F(z - x + 1/2), less x.
    """
    low, high = -bound - x + Fraction(1, 2), bound - x + Fraction(1, 2)

    def antiderivative(t: Fraction) -> arb:
        """Of F: e^t/2 below 0, t + e^-t/2 above."""
        return ball(t).exp() / 2 if t < 0 else ball(t) + ball(-t).exp() / 2

    return ball(bound) - (antiderivative(high) - antiderivative(low)) - ball(x)


def printed_bias(bound: Fraction, x: Fraction) -> arb:
    """Bias+ as printed, with the factor 1 - p_L - p_U before the integral."""
    p_lower = laplace(-bound - x + Fraction(1, 2))
    p_upper = 1 - laplace(bound - x + Fraction(1, 2))
    ends = p_lower * ball(-bound - x) + p_upper * ball(bound - x)
    # The integral of y f(y) over the inside is what is left of the mean.
    integral = clamped_mean(bound, x) - ends
    return ends + (1 - p_lower - p_upper) * integral


def test_bias_plus_is_a_lower_bound() -> None:
    """August 2020, 6.4: called an upper bound of the bias."""
    for x in ("0", "0.3", "2", "5", "7.9"):
        bias = dp.snapping_bias(1, (-8, 8), x)
        assert clamped_mean(Fraction(8), Fraction(x)) < ball(bias.lower)
    assert near(clamped_mean(Fraction(8), Fraction(0)), "-0.500")
    assert dp.snapping_bias(1, (-8, 8), 0) == (0.0, 0.0)


def test_the_factor_in_bias_plus_must_go() -> None:
    """With it the number is not the mean that is meant, at B = 2 and f = 1."""
    bound, x = Fraction(2), Fraction(1)
    meant, printed = clamped_mean(bound, x), printed_bias(bound, x)
    assert near(meant, "-0.571")
    assert near(printed, "-0.485")
    # By Riemann sums: the mean of the clamped noise is the one without the factor.
    steps = 20_000
    lower = sum(
        (1 - laplace(Fraction(4 * k, steps) - 2 - x + Fraction(1, 2)))
        for k in range(1, steps + 1)
    )
    integral = lower * ball(Fraction(4, steps)) - 2 - ball(x)
    assert abs(integral - meant) < ball("0.0002")
    bias = dp.snapping_bias(1, (-2, 2), 1)
    assert near(ball(bias.lower), "-0.153")


def test_the_bias_is_not_always_toward_0() -> None:
    """It is said that it almost always is. Snapping moves 0.6 away from 0, even 7.6."""
    away = dp.snapping_bias(1, (-8, 8), "0.6")
    assert away.lower > 0
    assert near(ball(away.lower), "0.00567")
    assert dp.snapping_bias(1, (-100, 100), "7.6").lower > 0.005
    assert dp.snapping_bias(1, (-8, 8), "-0.6").upper < 0
    # About half of all places, if the bounds are far.
    places = [Fraction(k, 25) for k in range(1, 250)]
    outward = [x for x in places if dp.snapping_bias(1, (-100, 100), x).lower > 0]
    assert 115 < len(outward) < 125


def test_choosing_b_shifts_the_lower_tail_the_wrong_way() -> None:
    """6.5.1 bounds the lower tail by Laplace noise around +Lambda/2; -Lambda/2 it is.

    lambda = Lambda = 1, B' = 1, ln(1/gamma) = 1.4, so B = 2.9.
    """
    bound, share = Fraction(29, 10), ball(-Fraction(14, 10)).exp()
    law = dp.snapping_distribution(1, (-bound, bound), 1)
    lower = probability(law, lambda value: Fraction(value) == min(map(Fraction, law)))
    upper = probability(law, lambda value: Fraction(value) == max(map(Fraction, law)))
    printed = laplace(-bound - 1 - Fraction(1, 2))
    assert near(lower, "0.0151")
    assert near(printed, "0.0061")
    assert lower > printed
    assert lower <= laplace(-bound - 1 + Fraction(1, 2))
    # The conclusion survives.
    assert near(share, "0.247")
    assert lower + upper <= share


def test_the_room_is_nothing_at_gamma_1() -> None:
    """(6.6) takes B - B' - Lambda/2 to be positive always; at gamma = 1 it is 0."""
    assert dp.snapping_bounds(3, 1, epsilon=1) - 3 - 0.5 == 0


@pytest.mark.parametrize("size", [3, 5, 7])
def test_the_variance_of_an_odd_number_of_rows(size: int) -> None:
    """7.2: (b - a)^2/4 for odd n, with one row in the middle. At an end it is more."""
    half = size // 2
    rows = [Fraction(-1)] * (half + 1) + [Fraction(3)] * half
    mean = sum(rows) / size
    variance = sum((row - mean) ** 2 for row in rows) / (size - 1)
    printed = Fraction(16, 4)
    assert variance == Fraction(size + 1, 4 * size) * 16 > printed
    _, ours = dp.variance_bounds(-1, 3, size)
    assert ours >= variance > math.nextafter(ours, 0.0)
    _, both = dp.covariance_bounds((-1, 3), (-1, 3), size)
    assert both == ours


def test_no_other_rows_have_a_greater_variance() -> None:
    """Three rows on a grid of the range; 16/3 is the most, and 4 is passed."""
    grid = [Fraction(k, 4) for k in range(-4, 13)]
    most = max(
        sum((row - Fraction(sum(rows)) / 3) ** 2 for row in rows) / 2
        for rows in itertools.combinations_with_replacement(grid, 3)
    )
    assert most == Fraction(16, 3)
