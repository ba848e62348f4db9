"""A tradeoff of the user's own: its fixed point, its noise, and what is refused."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from gmpy2 import mpq

from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import FloatFormat
from opendp_lite.laws.location import GaussianTradeoff
from opendp_lite.laws.user_tradeoff import UserTradeoff
from opendp_lite.measurements.canonical.canonical_sampler import (
    ApproximateTradeoff,
    PartialSample,
)
from opendp_lite.randomness.entropy import use_source
from opendp_lite.verify import law
from opendp_lite.verify.contracts.checks import HashedBits
from tests.longer import shortened
from tests.randomness.canonical_laws import Remembered, cell_law, noise_of
from tests.rows import for_each

Values = Callable[[Any, int], Any]
HALF = Fraction(1, 2)


def exactly(f: Callable[[Fraction], Any]) -> Values:
    """Rational values, as points."""
    return lambda a, precision: (f(a), f(a))


def widely(f: Callable[[Fraction], Any]) -> Values:
    """The same as intervals, never points, whatever the value is."""

    def values(a: Fraction, precision: int) -> Any:
        slack = Fraction(1, 2**precision)
        return f(a) - slack, f(a) + slack

    return values


def pair(ratio: Fraction, delta: Fraction) -> Callable[[Fraction], Fraction]:
    """That of (epsilon, delta), where e^epsilon is rational."""
    return lambda a: max(Fraction(0), 1 - delta - ratio * a, (1 - delta - a) / ratio)


def two(a: Fraction, precision: int) -> tuple[Fraction, Fraction]:
    """e^epsilon = 2 and delta = 1/8."""
    f = pair(Fraction(2), Fraction(1, 8))(a)
    return f, f


def normal(a: Fraction, precision: int) -> tuple[Any, Any]:
    """Gaussian with mu = 1, as a user may write it."""
    found = GaussianTradeoff(1).value(to_mpq(a), precision)
    return found.lo, found.hi


def quarter(precision: int) -> Fraction:
    """A guess."""
    return Fraction(1, 4)


TWO = ApproximateTradeoff(exp_epsilon=2, delta="1/8")


# The fixed point


@for_each("spread", [exactly, widely])
@for_each(
    ("ratio", "delta", "c"),
    [
        (3, 0, mpq(1, 4)),  # the first place that is tried
        (2, "1/8", mpq(7, 24)),
        (1, "1/2", mpq(1, 4)),
        (7, 0, mpq(1, 8)),  # tried in the second round
        (1, 1, mpq(0)),  # an end
        (10**6, 0, mpq(1, 10**6 + 1)),
    ],
)
@for_each("precision", [16, 64, 300])
def test_the_fixed_point_is_found_also_where_it_is_hit(
    spread: Any, ratio: Any, delta: Any, c: mpq, precision: int
) -> None:
    f = pair(Fraction(ratio), Fraction(delta))
    found = UserTradeoff(spread(f)).fixed_point(precision)
    assert found.contains(c)
    assert found.width <= mpq(2, 2**precision)


@for_each("guess", [None, "7/24", 0.3, 0, 1, -5, "1e-9", quarter])
def test_a_wrong_guess_changes_nothing(guess: Any) -> None:
    calls = []

    def counted(a: Fraction, precision: int) -> Any:
        calls.append(a)
        return widely(pair(Fraction(2), Fraction(1, 8)))(a, precision)

    tradeoff = UserTradeoff(counted, guess)
    calls.clear()
    found = tradeoff.fixed_point(100)
    assert found.contains(mpq(7, 24))
    assert found.width <= mpq(2, 2**100)
    assert len(calls) <= (3 if guess == "7/24" else 104)
    # It is found once.
    calls.clear()
    assert tradeoff.fixed_point(100) is found
    assert calls == []


def test_an_irrational_fixed_point() -> None:
    found = UserTradeoff(normal).fixed_point(160)
    c = GaussianTradeoff(1).fixed_point(160)
    assert found.lo <= c.hi
    assert c.lo <= found.hi
    assert found.width < mpq(1, 2**150)


def test_the_users_function_is_given_short_numbers() -> None:
    # f(a) = 1/(8a) in the middle: exact iterates would double their length each time.
    def values(a: Fraction, precision: int) -> Any:
        assert a.denominator.bit_length() <= 2 * precision + 1
        top, bottom = Fraction(1, 4), HALF
        f = 1 - 2 * a if a < top else 1 / (8 * a) if a < bottom else (1 - a) / 2
        return f, f

    tradeoff = UserTradeoff(values)
    noise = noise_of(tradeoff)
    assert noise.quantile(mpq(1, 2**40), 200).width < mpq(1, 2**100)
    assert noise.cdf(mpq(-20), 200).width < mpq(1, 2**100)


# Values


@pytest.mark.parametrize("spread", [exactly, widely])
def test_values_on_intervals(spread: Any) -> None:
    tradeoff = UserTradeoff(spread(pair(Fraction(2), Fraction(1, 8))))
    for lo, hi in [(0, 0), (0, 1), (mpq(1, 7), mpq(1, 3)), (mpq(7, 8), 1)]:
        found = tradeoff.value(Enclosure(lo, hi), 96)  # type: ignore[arg-type]
        least, most = TWO.value(hi, 96).lo, TWO.value(lo, 96).hi  # type: ignore[arg-type]
        assert found.lo <= least <= most <= found.hi
        assert found.width - (most - least) < mpq(1, 2**90)
    assert tradeoff.value(Enclosure(-1, 2), 64).contains(mpq(7, 8))
    assert tradeoff.value(1, 64) == Enclosure(0, 0)


@for_each(
    ("values", "bounded"),
    [
        (two, True),
        (normal, False),
        (exactly(pair(Fraction(3), Fraction(0))), False),
        (widely(pair(Fraction(3), Fraction(0))), False),
    ],
)
def test_whether_the_noise_is_bounded(values: Values, bounded: bool) -> None:
    tradeoff = UserTradeoff(values)
    assert tradeoff.bounded is bounded
    lowest, _ = noise_of(tradeoff).support()
    assert (lowest == float("-inf")) is not bounded


def test_it_is_a_value() -> None:
    assert UserTradeoff(two) == UserTradeoff(two)
    assert UserTradeoff(two) != UserTradeoff(normal)
    assert UserTradeoff(two) != UserTradeoff(two, quarter)
    again = pickle.loads(pickle.dumps(UserTradeoff(two, quarter)))
    assert again == UserTradeoff(two, quarter)
    assert hash(again) == hash(UserTradeoff(two, quarter))
    assert repr(again) == "UserTradeoff(values=two, guess=quarter)"
    # What was computed is no part of it.
    again.fixed_point(64)
    assert again == UserTradeoff(two, quarter)


def test_what_is_unpickled_is_looked_at_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    # A function is found again by its name, and may have been rewritten.
    made = UserTradeoff(two)
    made.fixed_point(64)
    stored = pickle.dumps(made)
    halved = exactly(pair(Fraction(1), HALF))
    monkeypatch.setattr(f"{__name__}.two", halved)
    assert pickle.loads(stored).fixed_point(64).contains(mpq(1, 4))
    monkeypatch.setattr(f"{__name__}.two", exactly(lambda a: 1 - a))
    with pytest.raises(ValueError, match="below 1/2 at 1/2"):
        pickle.loads(stored)


@for_each("guess", ["x", float("nan"), True, [1], lambda p: "x"])
def test_a_guess_that_is_no_number_is_refused(guess: Any) -> None:
    with pytest.raises(ValueError, match="a number as its guess"):
        UserTradeoff(two, guess)


def test_steps_are_counted_also_where_little_is_known() -> None:
    # At the precision 8 two steps cannot be told from four.
    tradeoff = UserTradeoff(widely(pair(Fraction(11, 10), Fraction(0))))
    exact = ApproximateTradeoff(exp_epsilon="11/10", delta=0)
    for u in (mpq(1, 3), mpq(1, 10), mpq(2, 5), exact.fixed_point(64).lo):
        least, most = tradeoff.steps(u, 8)  # type: ignore[arg-type]
        assert least <= exact.steps(u, 200)[0] <= exact.steps(u, 200)[1] <= most  # type: ignore[arg-type]
        assert most <= least + 1
        image = noise_of(tradeoff).quantile(u, 8)  # type: ignore[arg-type]
        assert image.lo <= noise_of(exact).quantile(u, 200).lo  # type: ignore[arg-type]
        assert image.hi >= noise_of(exact).quantile(u, 200).hi  # type: ignore[arg-type]


# Noise


@pytest.mark.parametrize("spread", [exactly, widely])
def test_the_noise_is_that_of_the_closed_form(spread: Any) -> None:
    mine = noise_of(UserTradeoff(spread(pair(Fraction(2), Fraction(1, 8)))))
    theirs = noise_of(TWO)
    for x in (mpq(-9, 4), mpq(-3, 4), mpq(0), mpq(8, 5), mpq(5)):
        found = mine.cdf(x, 200)
        assert found.contains(theirs.cdf(x, 200).lo)
        assert found.width < mpq(1, 2**180)
    for u in (mpq(0), mpq(1, 100), mpq(7, 24), mpq(1, 2), mpq(9, 10)):
        found = mine.quantile(u, 200)
        assert found.contains(theirs.quantile(u, 200).lo)
        assert found.width < mpq(1, 2**180)


@pytest.mark.parametrize(
    "values", shortened([two, normal], normal), ids=["two", "normal"]
)
def test_the_law_of_a_rounded_draw(values: Values) -> None:
    fmt = FloatFormat(2, -2, 1)
    known = TWO if values is two else GaussianTradeoff(1)
    quick = Remembered(noise_of(UserTradeoff(values)))
    certificate = law(
        lambda: PartialSample(quick).rounded(fmt), cell_law(noise_of(known), fmt), 15
    )
    certificate.assert_holds()


@pytest.mark.parametrize("draws", shortened([3, 10], 10))
def test_draws_are_those_of_the_closed_form(draws: int) -> None:
    mine = UserTradeoff(widely(pair(Fraction(2), Fraction(1, 8))))
    for seed in range(draws):
        drawn = []
        for tradeoff in (mine, TWO):
            with use_source(HashedBits(seed)):
                drawn.append(PartialSample(noise_of(tradeoff)).value())
        assert drawn[0] == drawn[1]


def test_the_variance() -> None:
    found, exact = UserTradeoff(two).variance(48), TWO.variance(128)
    assert found.lo <= exact.lo <= exact.hi <= found.hi
    assert found.width < exact.lo / 50


# Refusals


@for_each(
    ("values", "words"),
    [
        (exactly(lambda a: 1 - 2 * a), "negative, but is at 9/16"),
        (exactly(lambda a: 2 - a), "above 1 - a, but is at a = 0"),
        (exactly(lambda a: 1 - a + a * (1 - a)), "above 1 - a"),
        (
            exactly(lambda a: Fraction(1, 4) if a < HALF else (1 - a) * HALF + a / 8),
            "above 1 - a",
        ),
        (
            exactly(lambda a: min((1 - a) * (1 - a), Fraction(1, 100) * a)),
            "must not rise, but does from 0",
        ),
        (
            exactly(lambda a: (1 - a) * HALF if a < HALF else (1 - a) * (1 - a)),
            "must be convex, but is above a chord at",
        ),
        (exactly(lambda a: (1 - a) * (1 - a)), r"symmetric, but f\(f\(a\)\) is not a"),
        (exactly(lambda a: (1 - a) / 2), r"symmetric"),
        (exactly(lambda a: 1 - a), "below 1/2 at 1/2"),
        (lambda a, precision: (0, 1 - a), "as narrowly as is asked"),
        (lambda a, precision: (1, 0), "two numbers in order"),
        (lambda a, precision: 0, "two numbers in order"),
        (lambda a, precision: (0, 0, 0), "two numbers in order"),
        (lambda a, precision: ("x", 0), "two numbers in order"),
        (lambda a, precision: (float("nan"), 0), "two numbers in order"),
        (lambda a, precision: (0, float("inf")), "two numbers in order"),
    ],
)
def test_what_is_certainly_no_tradeoff_is_refused(values: Values, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        UserTradeoff(values)


@for_each(
    "values",
    [
        two,
        normal,
        exactly(pair(Fraction(1), Fraction(1))),
        exactly(pair(Fraction(1), Fraction(1, 10**6))),
        exactly(pair(Fraction(10**9), Fraction(0))),
        widely(pair(Fraction(1001, 1000), Fraction(0))),
        widely(pair(Fraction(1), Fraction(1))),
    ],
)
def test_what_is_one_is_not_refused(values: Values) -> None:
    tradeoff = UserTradeoff(values)
    assert tradeoff.density(16).lo > 0
    assert tradeoff.density(96).lo > 0
