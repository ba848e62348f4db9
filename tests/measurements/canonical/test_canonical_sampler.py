"""Canonical noise: the vectors, the definition, inverse and moments, and sampler A.

The certificates are exact and have no flakiness.
"""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite import verify
from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import FloatFormat
from opendp_lite.measurements.canonical.canonical_sampler import (
    ApproximateTradeoff,
    CanonicalRV,
    PartialSample,
    Tradeoff,
)
from opendp_lite.randomness.entropy import use_source
from opendp_lite.verify.contracts.checks import HashedBits
from tests.laws.test_tradeoff import PAIRS, agree
from tests.longer import shortened
from tests.randomness.canonical_laws import (
    HALF,
    Remembered,
    Stepwise,
    cell_law,
    defined_cdf,
    noise,
    noise_of,
)
from tests.rows import for_each

DATA = Path(__file__).parents[2] / "data" / "canonical_vectors.json"
VECTORS = json.loads(DATA.read_text(encoding="utf-8"))
DIGITS = mpq("1e-28")

by_pair = pytest.mark.parametrize(("epsilon", "delta"), PAIRS)


def of_vector(inputs: dict[str, str]) -> ApproximateTradeoff:
    if "exp_eps" in inputs:
        return ApproximateTradeoff(exp_epsilon=inputs["exp_eps"], delta=inputs["delta"])
    return ApproximateTradeoff(inputs["eps"], inputs["delta"])


def answer(name: str, inputs: dict[str, str]) -> Enclosure:
    tradeoff = of_vector(inputs)
    if name == "cnd_fixed_point":
        return tradeoff.fixed_point(128)
    if name == "cnd_cdf":
        return noise_of(tradeoff).cdf(to_mpq(inputs["x"]), 128)
    if name == "cnd_quantile":
        return noise_of(tradeoff).quantile(to_mpq(inputs["u"]), 128)
    assert name == "cnd_support_max"
    return noise_of(tradeoff).quantile(mpq(1), 128)


@for_each("vector", VECTORS, ids=lambda each: each["id"])
def test_vectors(vector: dict[str, Any]) -> None:
    expected = to_mpq(vector["expected"])
    found = answer(vector["function"].removesuffix("_rational"), vector["inputs"])
    if vector["expected_kind"] == "exact":
        assert found == Enclosure(expected, expected)
    else:
        size = max(abs(expected), mpq(1))
        assert found.width <= DIGITS
        assert abs(found.lo - expected) <= DIGITS * size


def test_there_are_forty_vectors() -> None:
    assert len(VECTORS) == 40


@by_pair
def test_the_closed_form_is_the_definition(epsilon: str, delta: str) -> None:
    tradeoff = ApproximateTradeoff(epsilon, delta)
    for x in range(-27, 28):
        place = mpq(x, 4)
        found = noise_of(tradeoff).cdf(place, 400)
        assert agree(found, defined_cdf(tradeoff, place, 1200))


@given(
    x=st.fractions(-20, 20, max_denominator=60),
    ratio=st.fractions(1, 5, max_denominator=9),
    delta=st.fractions(0, 1, max_denominator=30),
)
def test_rational_values_are_exact(
    x: Fraction, ratio: Fraction, delta: Fraction
) -> None:
    if (ratio, delta) == (1, 0):
        return
    tradeoff = ApproximateTradeoff(exp_epsilon=ratio, delta=delta)
    variable = noise_of(tradeoff)
    place = to_mpq(x)
    found = variable.cdf(place)
    assert found == defined_cdf(tradeoff, place) == 1 - variable.cdf(-place)
    assert found.lo == found.hi
    if 0 < found.lo < 1:
        back = variable.quantile(found.lo)  # type: ignore[arg-type]
        assert back == Enclosure(place, place)
    assert Stepwise(tradeoff).lowered(HALF, 3, 64) == tradeoff.lowered(HALF, 3, 64)


@by_pair
@pytest.mark.parametrize("u", ["1e-40", "0.001", "0.3", "1/2", "0.7", "0.999"])
def test_the_quantile_inverts(epsilon: str, delta: str, u: str) -> None:
    variable, level = noise(epsilon, delta), to_mpq(u)
    place = variable.quantile(level, 400)
    assert place.width < mpq(1, 2**200)
    assert variable.cdf(place.lo, 600).lo <= level <= variable.cdf(place.hi, 600).hi  # type: ignore[arg-type]
    mirrored = -variable.quantile(1 - level, 400)
    assert agree(place, mirrored)


@by_pair
def test_general_steps_give_the_same_law(epsilon: str, delta: str) -> None:
    """The law of a tradeoff that has no closed forms."""
    tradeoff = ApproximateTradeoff(epsilon, delta)
    general = noise_of(Stepwise(tradeoff))
    closed = noise_of(tradeoff)
    for x in (mpq(-7, 3), mpq(-1, 2), mpq(0), mpq(5, 4)):
        assert agree(general.cdf(x, 900), closed.cdf(x, 300))
    for u in (mpq(1, 100), mpq(2, 5), mpq(99, 100)):
        assert agree(general.quantile(u, 900), closed.quantile(u, 300))


@pytest.mark.parametrize(
    "u",
    shortened(
        [mpq(k, 64) for k in range(65)], *(mpq(k, 64) for k in range(65) if k % 3)
    ),
)
def test_low_precisions_enclose_too(u: mpq) -> None:
    for epsilon, delta in [*PAIRS, ("1e-30", "0.01"), ("1e-9", "1e-12")]:
        variable = noise(epsilon, delta)
        exact = variable.quantile(u, 2000)
        for precision in (1, 16, 24, 32, 64):
            rough = variable.quantile(u, precision)
            assert rough.lo <= exact.lo
            assert exact.hi <= rough.hi


@for_each("epsilon", ["1", "3", "5", "8"])
@for_each("precision", [16, 24, 32, 40])
def test_where_it_is_not_known_whether_c_is_reached(
    epsilon: str, precision: int
) -> None:
    """Between the ends of c one more step may be needed, and is tried."""
    variable = noise(epsilon, "1e-6")
    c = variable.fixed_point(precision)
    for weight in range(9):
        u = (mpq(c.lo) * (8 - weight) + mpq(c.hi) * weight) / 8
        exact = variable.quantile(u, 400)
        rough = variable.quantile(u, precision)
        assert rough.lo <= exact.lo
        assert exact.hi <= rough.hi


def test_at_a_border_of_two_pieces_both_counts_of_steps_are_tried() -> None:
    """e^epsilon u + delta = c: the number of steps is known at no precision."""
    tradeoff = ApproximateTradeoff(exp_epsilon=2, delta=mpq(1, 8))
    c = mpq(tradeoff.fixed_point(64).lo)
    u = (c - mpq(1, 8)) / 2
    assert tradeoff.steps(u, 64) == (1, 2)
    expected = mpq(-3, 2)
    assert noise_of(tradeoff).quantile(u) == Enclosure(expected, expected)
    assert noise_of(tradeoff).cdf(expected) == Enclosure(u, u)


@by_pair
def test_the_support(epsilon: str, delta: str) -> None:
    variable = noise(epsilon, delta)
    lower, upper = variable.support(200)
    assert lower == -upper
    if delta == "0":
        assert upper == math.inf
        assert variable.quantile(mpq(0)) == Enclosure(-math.inf, -math.inf)
        assert variable.cdf(mpq(-50), 400).lo > 0
        return
    assert variable.cdf(mpq(upper), 200).hi == 1
    assert variable.cdf(mpq(lower), 200).lo == 0
    inside = mpq(lower) + mpq(1, 2**60)
    assert variable.cdf(inside, 400).lo > 0
    # A shift by 1 leaves delta behind.
    end = variable.quantile(mpq(0), 400)
    least, most = (variable.cdf(mpq(each) + 1, 600) for each in (end.lo, end.hi))
    assert least.lo <= to_mpq(delta) <= most.hi
    assert most.hi - least.lo < mpq(1, 2**250)


def test_limits_of_the_law() -> None:
    everything = noise(3, 1)
    assert everything.quantile(mpq(1, 3)) == Enclosure(mpq(-1, 6), mpq(-1, 6))
    flat = noise(0, "0.05")
    assert flat.support() == (mpq(-10), mpq(10))
    assert flat.cdf(mpq(-7)) == Enclosure(mpq(3, 20), mpq(3, 20))
    nothing = noise("1e6", "1e-9")
    assert nothing.support(64)[1] < mpq("1.499999999001")
    assert 0 <= nothing.cdf(mpq(-1, 2), 64).lo <= mpq(1, 2**60)
    assert nothing.cdf(mpq(1, 4), 64).contains(mpq(3, 4))


def test_shift_and_scale() -> None:
    tradeoff = ApproximateTradeoff(exp_epsilon=2, delta=mpq(1, 8))
    moved = CanonicalRV(mpq(10), mpq(3), tradeoff, tradeoff.fixed_point)
    assert moved.cdf(mpq(10) + 3 * mpq(-3, 4)).lo == mpq(23, 96)
    assert moved.quantile(mpq(1, 5)).lo == mpq(10) + 3 * mpq(-47, 50)
    unit = noise_of(tradeoff)
    assert moved.variance() == 9 * unit.variance()
    lower, upper = moved.support()
    assert lower + upper == 20
    for scale in (mpq(0), mpq(-1)):
        with pytest.raises(ValueError, match="scale must be positive"):
            CanonicalRV(mpq(0), scale, tradeoff, tradeoff.fixed_point)
    for u in (mpq(-1, 9), mpq(10, 9)):
        with pytest.raises(ValueError, match="from 0 to 1"):
            unit.quantile(u)


def summed_variance(epsilon: str, delta: str) -> Enclosure:
    """The integral of x^2, piece by piece, without a closed form."""
    variable = noise(epsilon, delta)
    precision = 300
    b = exp(-to_mpq(epsilon), precision)
    end = variable.quantile(mpq(1), precision)
    height = variable.tradeoff.density(precision)
    total, power, k = Enclosure(0, 0), Enclosure(1, 1), 0
    while mpq(2 * k - 1, 2) < end.lo:
        start, stop = (
            max(mpq(2 * k - 1, 2), mpq(0)),
            Enclosure(*2 * [mpq(2 * k + 1, 2)]),
        )
        if stop.lo > end.lo:
            stop = end
        total += power * (stop * stop * stop - start**3) * mpq(1, 3)
        power, k = power * b, k + 1
    return 2 * height * total


@for_each(("epsilon", "delta"), [p for p in PAIRS if p[1] != "0"])
def test_the_variance(epsilon: str, delta: str) -> None:
    found = noise(epsilon, delta).variance(300)
    assert agree(found, summed_variance(epsilon, delta))


@for_each("pair", [*PAIRS, ("1e-30", "0.01"), ("1e-9", "1e-12")])
def test_the_variance_at_low_precisions(pair: tuple[str, str]) -> None:
    exact = noise(*pair).variance(2000)
    for precision in (1, 16, 32, 64, 128):
        rough = noise(*pair).variance(precision)
        assert rough.lo <= exact.lo
        assert exact.hi <= rough.hi


def test_the_variance_without_delta() -> None:
    """That of discrete Laplace noise, 2b/(1 - b)^2, and of a uniform number."""
    found = noise_of(ApproximateTradeoff(exp_epsilon=3)).variance()
    assert found == Enclosure(*2 * [mpq(2, 3) / (1 - mpq(1, 3)) ** 2 + mpq(1, 12)])
    near = noise("1", "1e-300").variance(2048)
    limit = noise("1", 0).variance(2048)
    assert near.hi < limit.lo < near.hi + mpq(1, 10**200)


# Sampler A, by inversion


TOY = FloatFormat(3, -1, 0)  # 0, 1/2, ..., 7/2, 4, ..., 7 and their negatives
CASES = [("1", "0"), ("1", "1/16"), ("0", "1/4"), ("1/100", "1/8"), ("2", "1")]


@pytest.mark.parametrize(("epsilon", "delta"), CASES)
@pytest.mark.parametrize("shift", shortened([mpq(0), mpq(1, 3)], mpq(0)))
def test_inversion_has_the_law(epsilon: str, delta: str, shift: mpq) -> None:
    unit = noise(epsilon, delta)
    variable = CanonicalRV(shift, mpq(3, 4), unit.tradeoff, unit.fixed_point)
    quick = Remembered(variable)
    certificate = verify.law(
        lambda: PartialSample(quick).rounded(TOY), cell_law(variable, TOY), 16
    )
    certificate.assert_holds()
    # The tree is thin: one path for each border between two values, and the ends.
    assert certificate.total_variation < mpq(1, 2**10)


def test_another_epsilon_would_be_detected() -> None:
    right, wrong = noise("1", "1/16"), noise("0.999", "1/16")
    quick = Remembered(wrong)
    sample = lambda: PartialSample(quick).rounded(TOY)  # noqa: E731
    assert verify.law(sample, cell_law(right, TOY), 16).refuted


class Uniform:
    """A law of a user's own: the number itself."""

    def quantile(self, u: mpq, precision: int = 64) -> Enclosure:
        return Enclosure(u, u)


def test_any_law_can_be_drawn_from_its_quantile() -> None:
    third = mpq(1, 3)
    certificate = verify.law(
        lambda: PartialSample(Uniform()).greater_than(third),
        lambda answer: 1 - third if answer else third,
        20,
    )
    certificate.assert_holds()


@pytest.mark.parametrize("seed", shortened(range(16), *range(6, 16)))
def test_all_answers_are_about_one_draw(seed: int) -> None:
    variable = noise("1", "0")
    with use_source(HashedBits(seed)):
        draw = PartialSample(variable)
        signs = {t: draw.greater_than(mpq(t)) for t in range(-40, 41)}
        value = draw.value()
        toy = draw.rounded(TOY)
    for t, greater in signs.items():
        assert value >= t if greater else value <= t
    assert type(value) is float
    assert abs(to_mpq(value) - toy) <= 1 or abs(toy) == 7


def test_a_cell_with_an_infinite_end_is_not_decided() -> None:
    """The lowest cell reaches to minus infinity; no answer may come from it."""
    asked = []

    class Spy:
        def quantile(self, u: mpq, precision: int = 64) -> Enclosure:
            asked.append(u)
            return noise("1", "0").quantile(u, precision)

    with use_source(HashedBits(2)):  # begins with 150 zeros
        value = PartialSample(Spy()).value()
    assert mpq(0) in asked
    assert -400 < value < -50


def test_the_base_class_asks_for_a_tradeoff() -> None:
    with pytest.raises(TypeError, match="Tradeoff does not say"):
        noise_of(Tradeoff()).cdf(mpq(0))
