"""Tradeoff functions: the definition, the fixed point, closed forms against steps."""

from __future__ import annotations

from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.measurements.canonical.canonical_sampler import (
    ApproximateTradeoff,
    Tradeoff,
    approximate_to_tradeoff,
)
from tests.randomness.canonical_laws import Stepwise
from tests.rows import for_each

PAIRS = [("1", "0"), ("1", "1e-6"), ("0.1", "0.01"), ("0", "0.05"), ("3", "1")]
PAIRS += [("0.01", "0.1"), ("50", "0.5"), ("0", "1"), ("0.5", "0.3")]
RATIONAL = [("2", "1/8"), ("3", "0"), ("1", "1/7"), ("3/2", "1"), ("101/100", "1/9")]

by_pair = pytest.mark.parametrize(("epsilon", "delta"), PAIRS)
by_ratio = pytest.mark.parametrize(("ratio", "delta"), RATIONAL)

unit = st.fractions(0, 1, max_denominator=10**6)


def rational(ratio: str, delta: str) -> ApproximateTradeoff:
    return ApproximateTradeoff(exp_epsilon=ratio, delta=delta)


def defined(ratio: Fraction, delta: Fraction, a: Fraction) -> Fraction:
    return max(Fraction(0), 1 - delta - ratio * a, (1 - delta - a) / ratio)


def agree(left: Enclosure, right: Enclosure) -> bool:
    """The two may enclose one number, and are both narrow."""
    narrow = max(left.width, right.width) <= mpq(1, 2**100)
    return bool(narrow and left.lo <= right.hi and right.lo <= left.hi)


@by_ratio
@given(a=unit)
def test_the_value_is_the_definition(ratio: str, delta: str, a: Fraction) -> None:
    value = to_mpq(defined(Fraction(ratio), Fraction(delta), a))
    assert rational(ratio, delta).value(to_mpq(a), 64) == Enclosure(value, value)


@by_pair
def test_the_value_encloses_the_definition(epsilon: str, delta: str) -> None:
    tradeoff, d = ApproximateTradeoff(epsilon, delta), to_mpq(delta)
    e = exp(to_mpq(epsilon), 300)
    for a in (mpq(0), mpq(1, 1000), mpq(1, 4), mpq(1, 2), mpq(9, 10), mpq(1)):
        steep, gentle = 1 - d - e * a, (1 - d - a) / e
        value = max(mpq(0), steep.hi, gentle.hi)
        found = tradeoff.value(a, 128)
        assert found.lo <= value + mpq(1, 2**250)
        assert value <= found.hi
        assert found.width < mpq(1, 2**50)  # e^50 has 72 bits


@by_ratio
def test_the_fixed_point_is_one(ratio: str, delta: str) -> None:
    tradeoff = rational(ratio, delta)
    c = tradeoff.fixed_point(64)
    assert c.lo == c.hi
    assert tradeoff.value(c, 64) == c
    assert tradeoff.density(64) == 1 - 2 * c


@by_pair
def test_the_fixed_point_is_enclosed(epsilon: str, delta: str) -> None:
    tradeoff = ApproximateTradeoff(epsilon, delta)
    c = tradeoff.fixed_point(256)
    assert 0 <= c.lo <= c.hi < mpq(1, 2)
    assert agree(tradeoff.value(c, 256), c)
    assert agree(Tradeoff.density(tradeoff, 256), tradeoff.density(256))


def test_e_and_its_inverse_rounded_apart_have_no_fixed_point() -> None:
    """Why neither is rounded: the two branches would meet beside the diagonal."""
    delta, up, down = Fraction(1, 10**6), Fraction(2719, 1000), Fraction(367, 1000)
    c = (1 - delta) / (1 + up)
    assert 1 - delta - up * c == c
    assert (1 - delta - c) * down != c


@by_ratio
@given(a=unit)
def test_it_is_symmetric_and_below_the_diagonal(
    ratio: str, delta: str, a: Fraction
) -> None:
    tradeoff = rational(ratio, delta)
    value = tradeoff.value(to_mpq(a), 64).lo
    assert 0 <= value <= 1 - a
    # Symmetry: f is its own generalized inverse, inf {t : f(t) <= a}.
    if value > 0:
        assert tradeoff.value(value, 64).lo <= a  # type: ignore[arg-type]
        before = mpq(value) * (1 - mpq(1, 10**9))
        assert tradeoff.value(before, 64).lo > a


@by_ratio
@given(u=st.fractions(0, Fraction(1, 2), max_denominator=1000))
def test_closed_forms_are_the_steps(ratio: str, delta: str, u: Fraction) -> None:
    tradeoff = rational(ratio, delta)
    plain = Stepwise(tradeoff)
    start = to_mpq(u)
    if u > 0 or tradeoff.bounded:
        least, most = tradeoff.steps(start, 128)
        known = plain.steps(start, 128)
        assert least <= known[0] <= known[1] <= most <= least + 1
        count = known[0]
        assert plain.raised(start, count, 64) == tradeoff.raised(start, count, 64)
        c = tradeoff.fixed_point(64).lo
        assert count == 0 or tradeoff.raised(start, count - 1, 64).lo < c
        assert tradeoff.raised(start, count, 64).lo >= c
    for count in (0, 1, 2, 5, 9):
        # What is lowered lies in the centre.
        centre = max(start, mpq(tradeoff.fixed_point(64).lo))
        assert plain.lowered(centre, count, 64) == tradeoff.lowered(centre, count, 64)


@by_pair
@pytest.mark.parametrize("u", ["1/2", "0.4", "0.01", "1e-9"])
def test_closed_forms_enclose_the_steps(epsilon: str, delta: str, u: str) -> None:
    tradeoff = ApproximateTradeoff(epsilon, delta)
    plain = Stepwise(tradeoff)
    least, most = tradeoff.steps(to_mpq(u), 400)
    assert (least, most) == plain.steps(to_mpq(u), 400)
    assert least == most
    raised = (each.raised(to_mpq(u), least, 400) for each in (tradeoff, plain))
    assert agree(*raised)
    for count in (1, 3, 20):
        lowered = (each.lowered(mpq(1, 2), count, 400) for each in (tradeoff, plain))
        assert agree(*lowered)


@by_pair
@pytest.mark.parametrize("precision", [1, 16, 24, 40])
def test_rough_steps_are_bounds(epsilon: str, delta: str, precision: int) -> None:
    tradeoff = ApproximateTradeoff(epsilon, delta)
    for u in (mpq(1, 2), mpq(3, 10), mpq(1, 1000), mpq(1, 10**9)):
        exact = tradeoff.steps(u, 400)[0]
        for each in (tradeoff, Stepwise(tradeoff)):
            least, most = each.steps(u, precision)
            assert 0 <= least <= exact <= most


@for_each(
    ("arguments", "words"),
    [
        ({}, "either epsilon or exp_epsilon"),
        ({"epsilon": 1, "exp_epsilon": 2}, "either epsilon or exp_epsilon"),
        ({"epsilon": -1}, "epsilon must be at least 0"),
        ({"exp_epsilon": "1/2"}, "exp_epsilon must be at least 1"),
        ({"epsilon": 1, "delta": 2}, "delta must be from 0 to 1"),
        ({"epsilon": 1, "delta": -1}, "delta must be from 0 to 1"),
        ({"epsilon": 0, "delta": 0}, "must not both be 0"),
        ({"exp_epsilon": 1}, "must not both be 0"),
        ({"epsilon": "inf"}, "finite"),
        ({"epsilon": 1, "delta": float("nan")}, "finite"),
    ],
)
def test_what_is_refused(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        ApproximateTradeoff(**arguments)


def test_of_a_pair_the_lesser_reading_counts() -> None:
    tradeoff, fixed_point = approximate_to_tradeoff((0.3, 0.1))
    assert repr(tradeoff) == f"ApproximateTradeoff({mpq(0.3)}, 1/10)"
    assert to_mpq(0.3) < mpq(3, 10)
    assert fixed_point(64) == tradeoff.fixed_point(64)
    assert repr(rational("2", "1/8")) == "ApproximateTradeoff(ln 2, 1/8)"


def test_an_epsilon_of_any_size_is_quick() -> None:
    for epsilon in ("1e-300", "1e6", "1e300"):
        tradeoff = ApproximateTradeoff(epsilon, "1e-9")
        assert tradeoff.fixed_point(64).width < mpq(1, 2**60)
        assert 0 < tradeoff.density(64).lo <= 1


@for_each(
    ("method", "words"),
    [
        ("value", "Unsaid does not say what its values are"),
        ("fixed_point", "Unsaid does not say what its fixed point is"),
        ("steps", "Unsaid does not say how to count steps"),
        ("variance", "Unsaid does not say what the variance is"),
        ("density", "Unsaid does not say what its fixed point is"),
        ("lowered", "Unsaid does not say what its values are"),
        ("raised", "Unsaid does not say what its values are"),
    ],
)
def test_what_a_tradeoff_of_its_own_leaves_out_is_named(
    method: str, words: str
) -> None:
    class Unsaid(Tradeoff):
        pass

    arguments = {"value": [mpq(0)], "steps": [mpq(0)]}
    arguments |= {"lowered": [mpq(0), 1], "raised": [mpq(0), 1]}  # type: ignore[list-item]
    with pytest.raises(TypeError, match=words):
        getattr(Unsaid(), method)(*arguments.get(method, []), 64)
