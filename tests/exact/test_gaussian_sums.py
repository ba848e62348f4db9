"""Sums of e^(-z^2/(2 s^2)) against ball arithmetic, term by term and in total."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import flint
import pytest
from flint import arb
from gmpy2 import mpq

from opendp_lite.exact import gaussian_sums
from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.gaussian_sums import gaussian_sum, pi, relative_gaussian_sum
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from tests.rows import for_each


@pytest.fixture(autouse=True)
def high_precision() -> Iterator[None]:
    before = flint.ctx.prec
    flint.ctx.prec = 1500
    yield
    flint.ctx.prec = before


def ball(x: mpq) -> arb:
    return arb(int(x.numerator)) / arb(int(x.denominator))


@cache
def directly(start: int, scale: mpq) -> arb:
    """The sum to far beyond 1000 bits of its first term."""
    rate, total, z = 1 / (2 * ball(scale * scale)), arb(0), start
    while (z * z - start * start) < 2200 * scale * scale:
        total += (-rate * z * z).exp()
        z += 1
    return total


def holds(enclosure: Enclosure, value: arb) -> bool:
    # The direct sum leaves out less than 2^-1400 of what it is.
    slack = value * arb(2) ** -1200
    return bool(
        ball(mpq(enclosure.lo)) <= value + slack
        and value - slack <= ball(mpq(enclosure.hi))
    )


@for_each("precision", [64, 128, 512])
@for_each("scale", ["1/7", "0.5", "1", "3.7", "8", "20.3", "60"])
@for_each("start", [1, 2, 9, 50, 300])
def test_the_sum_lies_in_the_enclosure(start: int, scale: str, precision: int) -> None:
    s = mpq(scale)
    enclosure = gaussian_sum(start, s, precision)
    assert holds(enclosure, directly(start, s))
    if mpq(start * start) < mpq(precision << 12) * s * s:
        assert mpq(enclosure.width) <= mpq(enclosure.lo) * power_of_two(6 - precision)


def test_what_is_left_out_is_counted() -> None:
    """One term is added here, without an error, and the sum is more than that."""
    s = mpq(1, 7)
    relative = directly(1, s) / (-1 / (2 * ball(s * s))).exp()
    enclosure = relative_gaussian_sum(1, s, 64)
    assert holds(enclosure, relative)
    assert enclosure.lo == 1 < enclosure.hi < 1 + power_of_two(-63)
    assert not holds(Enclosure(1, 1), relative)


@for_each("scale", ["7", "10.5", "30"])
@for_each("start", [1, 5, 40])
def test_both_ways_agree(start: int, scale: str) -> None:
    s = mpq(scale)
    terms = gaussian_sums._term_by_term(start, s * s, 64)
    integral = gaussian_sums._integral(start, s, 64)
    integral += gaussian_sums._correction(start, s, 64)
    assert terms.lo <= integral.hi
    assert integral.lo <= terms.hi


@for_each("scale", ["41.7", "1e3", "123456.789", "1e17", "1e300"])
@for_each("multiple", ["0", "0.3", "2", "37"])
@for_each("precision", [64, 256, 1200])
def test_sums_differ_by_their_terms(scale: str, multiple: str, precision: int) -> None:
    s = mpq(scale) if "e" not in scale else mpq(int(float(scale)))
    start = int(s * mpq(multiple)) + 1
    between = gaussian_sum(start, s, precision) - gaussian_sum(start + 20, s, precision)
    terms = Enclosure(0, 0)
    for z in range(start, start + 20):
        terms += exp(-mpq(z * z) / (2 * s * s), precision)
    assert between.lo <= terms.hi
    assert terms.lo <= between.hi


@for_each("scale", ["0.6", "1", "2.5", "30", "1000"])
def test_the_whole_is_that_of_poisson_summation(scale: str) -> None:
    s = mpq(scale)
    dual = arb(1)
    for k in range(1, 40):
        dual += 2 * (-2 * (arb.pi() * ball(s) * k) ** 2).exp()
    whole = ball(s) * (2 * arb.pi()).sqrt() * dual
    assert holds(1 + 2 * gaussian_sum(1, s, 300), whole)


def test_the_bound_of_the_error_is_needed() -> None:
    """Without it the correction is not an enclosure: the test would notice."""
    s, start = mpq(60), 70
    correction = gaussian_sums._correction(start, s, 64)
    middle = (mpq(correction.lo) + mpq(correction.hi)) / 2
    exact = gaussian_sums._correction(start, s, 400)
    assert correction.lo <= exact.lo
    assert exact.hi <= correction.hi
    assert not exact.contains(middle)


def test_far_in_the_tail_the_integral_is_between_simple_bounds() -> None:
    """Beyond e^(-2^22) at 64 bits by the bounds of Mills' ratio, else by erfc."""
    s, start = mpq(10) ** 9, 3 * 10**12
    crude = gaussian_sums._integral(start, s, 64)
    fine = gaussian_sums._integral(start, s, 128)
    assert crude.lo < fine.lo < fine.hi < crude.hi
    assert mpq(crude.width) < mpq(crude.lo) / 10**6
    assert mpq(fine.width) < mpq(fine.lo) * power_of_two(-120)


def test_tiny_sums_are_enclosed_without_their_digits() -> None:
    tiny = gaussian_sum(1, mpq(1, 10**400), 64)
    assert tiny.lo == 0
    assert 0 < tiny.hi < power_of_two(-100_000)
    assert gaussian_sum(1, mpq(1, 100), 64).lo > 0


def test_coefficients_and_pi() -> None:
    for k in range(1, 60):
        number = flint.fmpq.bernoulli(2 * k) / flint.fmpz.fac_ui(2 * k)  # type: ignore[arg-type]
        ours = gaussian_sums._bernoulli(k)
        assert (ours.numerator, ours.denominator) == (int(number.p), int(number.q))
    for precision in (64, 300, 1000):
        enclosure = pi(precision)
        assert ball(mpq(enclosure.lo)) < arb.pi() < ball(mpq(enclosure.hi))
        assert enclosure.width <= power_of_two(2 - precision)
