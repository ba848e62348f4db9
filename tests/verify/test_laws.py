"""A law certificate holds for the stated law and fails for every other one."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from gmpy2 import mpq

from opendp_lite.base.errors import OpenDPException
from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.randomness.draws import (
    sample_bernoulli_exp,
    sample_bernoulli_rational,
    sample_uniform_below,
)
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.verify import LawCertificate, law
from tests.randomness.integer_noise import sample_discrete_laplace
from tests.rows import for_each


def discrete_laplace(scale: mpq) -> Callable[[int], Callable[[int], Enclosure]]:
    def pmf(x: int) -> Callable[[int], Enclosure]:
        def enclose(precision: int) -> Enclosure:
            q = exp(-1 / scale, precision)
            return (1 - q) / (1 + q) * exp(-abs(x) / scale, precision)

        return enclose

    return pmf


@pytest.mark.parametrize("scale", [mpq(1, 3), mpq(1), mpq(5, 2)])
def test_the_stated_law_holds(scale: mpq) -> None:
    certificate = law(
        partial(sample_discrete_laplace, scale), discrete_laplace(scale), depth=26
    )
    assert certificate.holds
    assert certificate
    assert certificate.total_variation == certificate.unresolved < mpq(1, 10**5)
    assert certificate.excess <= 0
    certificate.assert_holds()


@pytest.mark.parametrize("percent", [-20, -10, -5, -1, 1, 5, 10, 20])
def test_a_scale_that_is_off_is_found(percent: int) -> None:
    scale = mpq(100 + percent, 100)
    sampler = partial(sample_discrete_laplace, scale)
    assert law(sampler, discrete_laplace(scale), depth=26).holds
    certificate = law(sampler, discrete_laplace(mpq(1)), depth=26)
    assert certificate.refuted
    assert certificate.total_variation > certificate.unresolved
    assert certificate.excess > 0
    with pytest.raises(AssertionError, match="LawCertificate: REFUTED\n"):
        certificate.assert_holds()


@for_each(
    "mutant",
    [
        lambda z: -z - 1,  # wrong sign
        lambda z: z + 1,  # off by one
        lambda z: z if any(random_bits(1) for _ in range(10)) else 0,  # rarely no noise
        lambda z: max(z, -4),  # a clipped tail
    ],
)
def test_a_mutated_sampler_is_found(mutant: Callable[[int], int]) -> None:
    sampler = partial(sample_discrete_laplace, mpq(1))
    stated = discrete_laplace(mpq(1))
    found = law(lambda: mutant(sampler()), stated, depth=32, runs=1000)
    assert found.refuted
    assert not found


def test_exact_probabilities_may_be_of_any_rational_type() -> None:
    for stated in (mpq(1, 4), Fraction(1, 4)):
        assert law(partial(random_bits, 2), lambda y, p=stated: p, depth=2).holds
    assert law(lambda: 7, lambda y: 1, depth=0).holds


def test_a_law_that_does_not_sum_to_one_is_found() -> None:
    assert law(partial(random_bits, 2), lambda y: mpq(1, 3), depth=2).refuted


def test_an_irrational_probability_is_decided() -> None:
    def coin() -> bool:
        return sample_bernoulli_exp(mpq(1, 2))

    def pmf(y: bool) -> Callable[[int], Enclosure]:
        def enclose(precision: int) -> Enclosure:
            p = exp(mpq(-1, 2), precision)
            return p if y else 1 - p

        return enclose

    assert law(coin, pmf, depth=40).holds
    near = partial(sample_bernoulli_rational, mpq("0.60653"))
    assert law(near, pmf, depth=40).refuted


def test_the_bound_on_total_variation_is_right_when_the_law_is_wrong() -> None:
    certificate = law(partial(random_bits, 1), lambda y: mpq(3 - 2 * y, 4), depth=1)
    assert certificate.refuted
    assert certificate.total_variation == certificate.excess == mpq(1, 4)


def test_what_is_not_resolved_is_undecided() -> None:
    """Whatever law is stated, at depth 0 it is neither refuted nor certified."""
    for stated in (mpq(1, 3), mpq(0)):
        sampler = partial(sample_uniform_below, 3)
        certificate = law(sampler, lambda y, p=stated: p, depth=0)
        assert certificate.verdict == "undecided"
        assert not certificate
        assert certificate.total_variation == 1
        with pytest.raises(AssertionError, match=r"needs more than depth=0 bits"):
            certificate.assert_holds()


def test_the_mass_that_may_stay_open_is_an_argument() -> None:
    sampler = partial(sample_uniform_below, 3)

    def verdict(depth: int, cap: Any = None) -> str:
        return law(sampler, lambda y: mpq(1, 3), depth=depth, cap=cap).verdict

    # Two of the intervals of this depth are cut.
    assert [verdict(depth) for depth in (10, 11)] == ["undecided", "holds"]
    assert [verdict(10, cap) for cap in ("1/512", "1/513")] == ["holds", "undecided"]
    assert verdict(2, 1) == "holds"
    for cap in (-1, "1.1", math.nan, "x", True):
        with pytest.raises(OpenDPException, match="cap="):
            verdict(2, cap)


def test_budgets_are_passed_on() -> None:
    sampler = partial(sample_uniform_below, 3)
    assert law(sampler, lambda y: mpq(1, 3), depth=40, runs=7).paths == 7


def test_enclosures_that_stay_wide_are_an_error() -> None:
    def stuck(precision: int) -> Enclosure:
        return Enclosure(0, 1)

    with pytest.raises(ArithmeticError, match="narrow"):
        law(partial(random_bits, 1), lambda y: stuck, depth=1)


def test_a_pmf_of_another_kind_is_an_error() -> None:
    def half(precision: int) -> Any:
        return 0.5

    with pytest.raises(TypeError, match="Enclosure"):
        law(partial(random_bits, 1), lambda y: half, depth=1)


def test_certificates_compare_by_value_and_print_as_a_table() -> None:
    def certify() -> LawCertificate:
        return law(partial(random_bits, 2), lambda y: mpq(1, 4), depth=2)

    assert certify() == certify()
    assert str(certify()).splitlines() == [
        "LawCertificate: holds",
        "  total variation  <= 0",
        "  unresolved mass  <= 0",
        "  worst outcome       0",
        "  outside by       <= 0",
        "  outcomes, paths     4, 4",
    ]
