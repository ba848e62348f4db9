"""The finite arithmetic against a slow one, and the law that is proved of it."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import gmpy2
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.exact.rationals import to_fraction, to_mpq
from opendp_lite.measurements.snapping.finite_logarithm import FiniteLogarithm
from tests.longer import shortened
from tests.randomness.finite_laws import (
    FiniteLaw,
    exponential,
    finite_law,
    logarithm,
    magnitude,
)
from tests.rows import for_each

SCALES = [Fraction(1), Fraction(3, 2), Fraction(101, 100), Fraction(1, 3), Fraction(10)]


def point(noise: FiniteLogarithm, n: int, exponent: int) -> Fraction:
    """M for u = n/2^exponent, found with all bits of the word known."""
    extra = noise.word
    low, high = noise.magnitudes(n << extra, exponent + extra)
    assert low == high
    assert isinstance(low, type(mpq()))
    return to_fraction(low)


# Values


@for_each("scale", SCALES)
@for_each("precision", [4, 5, 7])
def test_every_short_number_has_the_value_of_the_slow_arithmetic(
    precision: int, scale: Fraction
) -> None:
    noise = FiniteLogarithm(to_mpq(scale), precision)
    for length in range(1, 9):
        for n in range(1, 1 << length):
            slow = magnitude(Fraction(n, 1 << length), scale, precision + 6)
            assert point(noise, n, length) == slow


scales = st.one_of(
    st.sampled_from(SCALES),
    st.floats(min_value=5e-324, max_value=1e308).map(Fraction),
    st.builds(Fraction, st.integers(1, 10**30), st.integers(1, 10**30)),
    st.integers(-3000, 3000).map(lambda k: Fraction(2) ** k / 3),
)


@given(
    data=st.data(),
    scale=scales,
    precision=st.sampled_from([4, 5, 10, 58, 118, 119, 200]),
    length=st.integers(1, 2500),
)
def test_numbers_of_any_length_have_the_value_of_the_slow_arithmetic(
    data: st.DataObject, scale: Fraction, precision: int, length: int
) -> None:
    top = (1 << length) - 1
    n = data.draw(
        st.one_of(
            st.integers(1, top),
            st.integers(1, 3).map(lambda k: min(k, top)),
            st.integers(0, 3).map(lambda k: max(top - k, 1)),
            st.integers(1, 1 << 150).map(lambda k: min(k, top)),
            st.integers(0, length - 1).map(lambda k: top ^ (1 << k) or 1),
        )
    )
    noise = FiniteLogarithm(to_mpq(scale), precision)
    slow = magnitude(Fraction(n, 1 << length), scale, precision + 6)
    assert point(noise, n, length) == slow


@for_each("scale", [Fraction(1), Fraction(1, 3), Fraction(5e-324)])
@for_each("precision", [4, 118])
def test_the_extremes(precision: int, scale: Fraction) -> None:
    noise, word = FiniteLogarithm(to_mpq(scale), precision), precision + 6
    # Next to 1, and as near to it as bits can tell: cut off, both are 1 - 2^-w.
    nearest_one = magnitude(1 - Fraction(1, 2**word), scale, word)
    assert nearest_one > 0
    for length in (word, 5000):
        assert noise.magnitudes((1 << length) - 1, length) == (nearest_one, nearest_one)
    # Far below the least double.
    for length in (1074, 1075, 20_000):
        assert point(noise, 1, length) == magnitude(Fraction(1, 2**length), scale, word)
    assert point(noise, 1, 20_000) > 13_800 * scale  # 20000 ln 2 = 13862.9...


# One rounding of the product, ties to even


def test_the_product_with_a_rational_is_rounded_once() -> None:
    """Rounding the scale first, or the product before the quotient, would differ."""
    scale, precision, word = Fraction(10**6 + 3, 3 * 10**5 + 7), 4, 10
    noise = FiniteLogarithm(to_mpq(scale), precision)
    nearest = gmpy2.context(precision=word, round=gmpy2.RoundToNearest)
    by_rounded_scale = by_two_roundings = 0
    for n in range(512, 1024):
        m = point(noise, n, 10)
        assert m == magnitude(Fraction(n, 1024), scale, word)
        size = to_mpq(point(FiniteLogarithm(mpq(1), precision), n, 10))
        rounded_scale = nearest.div(scale.numerator, scale.denominator)
        by_rounded_scale += (
            mpq(nearest.mul(rounded_scale, nearest.div(*_ratio(size)))) != m
        )
        product = nearest.div(*_ratio(size * scale.numerator))
        by_two_roundings += mpq(nearest.div(product, scale.denominator)) != m
    assert by_rounded_scale > 50
    assert by_two_roundings > 50


def _ratio(x: mpq) -> tuple[int, int]:
    return int(x.numerator), int(x.denominator)


def test_ties_go_to_the_even_number() -> None:
    scale, word = Fraction(3, 2), 10
    noise, plain = FiniteLogarithm(mpq(3, 2), 4), FiniteLogarithm(mpq(1), 4)
    up = down = 0
    for n in range(512, 1024):
        exact = point(plain, n, 10) * scale
        m = point(noise, n, 10)
        unit = Fraction(2) ** (math.frexp(m)[1] - word)
        if abs(m - exact) == unit / 2:
            assert (m / unit) % 2 == 0
            up, down = up + (m > exact), down + (m < exact)
    assert up > 20
    assert down > 20


# Ends of intervals


@pytest.mark.parametrize("scale", shortened([Fraction(1), Fraction(1, 3)], Fraction(1)))
def test_the_ends_are_the_least_and_the_greatest_value(scale: Fraction) -> None:
    noise, word = FiniteLogarithm(to_mpq(scale), 4), 10
    for length in range(12):
        for prefix in {*range(1, min(1 << length, 40)), (1 << length) - 1} - {0}:
            missing = max(word - prefix.bit_length(), 0)
            strings = range(prefix << missing, (prefix + 1) << missing)
            values = [point(noise, n, length + missing) for n in strings]
            assert noise.magnitudes(prefix, length) == (min(values), max(values))
            assert values == sorted(values, reverse=True)


@for_each("length", [0, 1, 2, 64, 3000])
@for_each("precision", [4, 118])
def test_nothing_bounds_the_noise_from_above_at_prefix_0(
    precision: int, length: int
) -> None:
    noise, word = FiniteLogarithm(mpq(1, 3), precision), precision + 6
    low, high = noise.magnitudes(0, length)
    top = Fraction(2**word - 1, 2 ** (word + length))
    assert low == magnitude(top, Fraction(1, 3), word)
    assert high == math.inf


@given(
    string=st.integers(0, 2**300 - 1),
    precision=st.sampled_from([4, 9, 118]),
    scale=scales,
)
def test_the_ends_close_in_as_bits_are_read(
    string: int, precision: int, scale: Fraction
) -> None:
    noise = FiniteLogarithm(to_mpq(scale), precision)
    ends = [noise.magnitudes(string >> (300 - n), n) for n in range(0, 301, 7)]
    for (low, high), (lower, higher) in pairwise(ends):
        assert 0 < low <= lower <= higher <= high
    known = (string >> 6).bit_length() >= precision + 6
    assert not known or ends[-1][0] == ends[-1][1]


def test_the_context_of_the_caller_decides_nothing() -> None:
    noise = FiniteLogarithm(mpq(10**9, 7), 118)
    places = [(n, 70) for n in (0, 1, 2**69 + 12345, 2**70 - 1)] + [(2**200 // 3, 1500)]
    expected = [noise.magnitudes(*place) for place in places]
    for rounding in (gmpy2.RoundUp, gmpy2.RoundDown, gmpy2.RoundToZero):
        with gmpy2.context(precision=4, round=rounding, emin=-5, emax=5):
            assert [noise.magnitudes(*place) for place in places] == expected


@pytest.mark.parametrize(
    ("scale", "precision", "message"),
    [(mpq(0), 118, "scale"), (mpq(-1), 118, "scale"), (mpq(1), 3, "precision")],
)
def test_what_is_refused(scale: mpq, precision: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        FiniteLogarithm(scale, precision)


# Closeness to the real noise


@given(string=st.integers(1, 2**64 - 1), precision=st.sampled_from([96, 97, 118, 150]))
def test_close_noise_is_close_to_the_real_one(string: int, precision: int) -> None:
    noise = FiniteLogarithm(mpq(7, 3), precision)
    assert noise.close
    u = Fraction(string, 2**64)
    size = [-end for end in logarithm(u, 300)]
    off = max(abs(point(noise, string, 64) - Fraction(7, 3) * each) for each in size)
    assert off <= Fraction(1, 2**100) * (1 + min(size)) * Fraction(7, 3)


def test_coarse_noise_is_not_called_close() -> None:
    assert not FiniteLogarithm(mpq(1), 95).close
    # Nor is it: cut off, u may lose a part of 2^(1-w).
    noise = FiniteLogarithm(mpq(1), 93)
    worst = 2**300 + 2**202 - 1
    low, _ = noise.magnitudes(worst, 301)
    size = -logarithm(Fraction(worst, 2**301), 400)[0]
    assert to_fraction(mpq(low)) - size > Fraction(1, 2**100) * (1 + size)


# The law


def check_law(
    law: FiniteLaw, scale: Fraction, word: int, reach: Fraction
) -> list[float]:
    """P(s M < y) = e^(y/scale + xi)/2 with xi within the bounds, for every y < 0.

    Between two values of M the probability is constant, so that xi is greatest just
    below one of them and least just at it. Returns both extremes, as shares of the
    bound tau for the reach, which is the greatest |y|/scale that matters.
    """
    e = Fraction(1, 2**word)
    tau = (2 * e + 4 * e * e) * reach + 2 * e
    least, greatest = 0.0, 0.0
    for m, at_least in zip(law.values[1:], law.at_least[1:], strict=True):
        a = m / scale
        if a > reach:
            continue
        own = (2 * e + 4 * e * e) * a  # the proof bounds xi at y itself by this + 2e
        more = law.more_than(m)
        low, high = (
            law_end + a
            for law_end in (logarithm(more, 100)[0], logarithm(at_least, 100)[1])
        )
        assert -own <= low
        assert high <= own + 2 * e
        least, greatest = min(least, float(low / tau)), max(greatest, float(high / tau))
    return [least, greatest]


@pytest.mark.parametrize("scale", shortened(SCALES, SCALES[2], SCALES[4]))
@pytest.mark.parametrize("word", shortened([9, 10], 10))  # as of 11 to 13 bits
def test_the_law_is_within_what_is_proved(word: int, scale: Fraction) -> None:
    extremes = check_law(finite_law(scale, word, 7), scale, word, Fraction(4))
    # The bound is not idle: more than a quarter is used on either side.
    assert extremes[0] < -0.25
    assert extremes[1] > 0.25


@pytest.mark.audit
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("word", [11, 12, 13])
def test_finer_laws_are_within_what_is_proved(word: int, scale: Fraction) -> None:
    extremes = check_law(finite_law(scale, word, 13), scale, word, Fraction(8))
    assert extremes[0] < -0.25
    assert extremes[1] > 0.25


def test_the_enumerated_law_is_nearly_that_of_laplace() -> None:
    """The reference itself: P(s M < -1) is e^-1/2 to about 2^-w, on both sides."""
    law = finite_law(Fraction(1), 10, 7)
    low, high = exponential(Fraction(-1))
    assert abs(law.below(Fraction(-1)) - low / 2) < Fraction(1, 2**10)
    assert abs(1 - law.below(Fraction(1)) - high / 2) < Fraction(1, 2**10)
    assert law.below(Fraction(0)) == Fraction(1, 2)
