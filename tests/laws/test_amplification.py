"""Shares of samples and amplified losses: exact, or certified bounds, and quick."""

from __future__ import annotations

import math
import time
from fractions import Fraction
from typing import Any

from gmpy2 import mpq

from opendp_lite.exact.enclosures import expm1, ln
from opendp_lite.laws.amplification import (
    _area,
    amplified_epsilon,
    poisson_share,
    population_share,
)
from tests.rows import for_each

HIDDEN = mpq(1, 10**30)


def drawn(population: int, size: int, rows: int) -> mpq:
    """The probability that one of the rows is drawn, by binomials."""
    missed = math.comb(population - rows, size)
    return 1 - mpq(missed, math.comb(population, size))


@for_each("rate", ["0", "1/3", "0.01", "1/2", "999/1000", "1"])
def test_shares_of_few_rows_are_exact(rate: str) -> None:
    q = mpq(Fraction(rate))
    for rows in range(12):
        assert poisson_share(q, rows) == 1 - (1 - q) ** rows
    assert poisson_share(q, math.inf) == (q > 0)


def test_shares_of_samples_are_exact() -> None:
    for population in range(13):
        for size in range(population + 1):
            for rows in range(population + 1):
                found = population_share(population, size, rows)
                assert found == drawn(population, size, rows)
    assert population_share(10**9, 100, 1) == mpq(1, 10**7)
    assert population_share(10**9, 10**8, 1) == mpq(1, 10)


@for_each(
    ("rate", "rows"),
    [("1/3", 4000), ("0.01", 700), ("1e-9", 5000), ("1e-300", 100), ("0.999999", 900)],
)
def test_shares_of_many_rows_are_certain_and_tight(rate: str, rows: int) -> None:
    q = mpq(Fraction(rate))
    exact, found = 1 - (1 - q) ** rows, poisson_share(q, rows)
    assert exact <= found <= min(exact * (1 + HIDDEN), mpq(1))


@for_each(
    ("population", "size", "rows"),
    [
        (2000, 1000, 1000),
        (3000, 1000, 1000),
        (1000, 450, 450),
        (10**4, 400, 500),
        (10**5, 300, 10**4),
        (10**6, 10**3, 10**3),
        (10**9, 200, 10**4),
        (10**12, 150, 300),
        (10**60, 50, 100),  # here the precision has to grow with the population
    ],
)
def test_shares_of_large_samples_are_certain_and_tight(
    population: int, size: int, rows: int
) -> None:
    exact = drawn(population, size, rows)
    for found in (
        population_share(population, size, rows),
        population_share(population, rows, size),
    ):
        assert exact <= found <= min(exact * (1 + mpq(1, 10**10)), mpq(1))
        assert found != exact  # these are not among the exact ones


@for_each(
    ("share", "arguments"),
    [
        (poisson_share, (mpq(0.01), 10**30)),
        (poisson_share, (mpq(1, 10**2000), 10**1000)),
        (poisson_share, (mpq(10**4000 - 1, 10**4000), 10**6)),
        (population_share, (10**15, 10**12, 10**13)),
        (population_share, (10**300, 10**200, 10**250)),
        (population_share, (10**2000, 1, 1)),
        (population_share, (10**7, 10**6, 10**6)),
    ],
)
def test_huge_numbers_take_no_time(share: Any, arguments: Any) -> None:
    start = time.process_time()
    found = share(*arguments)
    assert time.process_time() - start < 10  # by binomials it would take years
    assert 0 < found <= 1


def test_shares_grow_with_the_rows() -> None:
    for rate in (mpq(1, 7), mpq(0.01), mpq(1, 10**20)):
        steps = [0, 1, 2, 60, 70, 80, 4000, 5000, 10**6, 10**40, math.inf]
        shares = [poisson_share(rate, rows) for rows in steps]
        assert shares == sorted(shares)
    few = [0, 1, 2, 100, 130, 140, 150, 10**4, 10**6, 10**9]
    shares = [population_share(10**9, 10**5, rows) for rows in few]
    assert shares == sorted(shares)


def amplified(epsilon: Any, share: Any, precision: int = 512) -> Any:
    return ln(1 + share * expm1(epsilon, precision), precision)


@for_each("share", ["1/10", "0.999", "1e-9", "1e-40", "1e-300"])
@for_each("epsilon", ["1e-30", "1/1000", "1", "50", "1024", "1025", "1e4"])
def test_the_loss_is_certain_and_tight(epsilon: str, share: str) -> None:
    e, g = mpq(Fraction(epsilon)), mpq(Fraction(share))
    exact, found = (
        amplified(e, g, 20_000 if e > 1000 else 1024),
        amplified_epsilon(e, g),
    )
    assert exact.lo <= found <= min(exact.hi * (1 + HIDDEN) + HIDDEN, e)
    if e < 1000:
        assert found <= exact.hi * (1 + HIDDEN)


def test_the_ends() -> None:
    assert amplified_epsilon(math.inf, mpq(0)) == 0
    assert amplified_epsilon(math.inf, mpq(1, 2)) == math.inf
    assert amplified_epsilon(3, mpq(1)) == 3
    assert amplified_epsilon(0, mpq(1, 2)) == 0
    # Where so little is seen that the bound of e^-epsilon shows it still is one.
    assert amplified_epsilon(2000, mpq(1, 2**3000)) <= 2000 - 970
    assert amplified_epsilon(10**40, mpq(1, 2)) < 10**40


@for_each("epsilon", [1025, 1030, 2000])
@for_each("bits", [1400, 1500, 3000])
def test_the_loss_is_certain_where_almost_nothing_is_seen(
    epsilon: int, bits: int
) -> None:
    """Without its bound of e^-epsilon the loss would be shown too small, or below 0."""
    share = mpq(1, 2**bits)
    assert amplified(mpq(epsilon), share, 20_000).lo <= amplified_epsilon(
        epsilon, share
    )


@for_each("epsilon", ["1/3", "50", "1025", "1e6"])
def test_the_loss_is_never_more_than_without_a_sample(epsilon: str) -> None:
    e = mpq(Fraction(epsilon))
    for bits in (100, 127, 200, 2000):
        assert amplified_epsilon(e, 1 - mpq(1, 2**bits)) <= e


@for_each(("end", "width"), [("7/2", 3), ("2001/2", 999), ("1e30", 10**9), ("1e30", 5)])
def test_areas_lie_between_their_bounds(end: str, width: int) -> None:
    """Bounds that are computed with more bits lie within."""
    e = mpq(Fraction(end))
    (least, most), (low, high) = _area(e, width, 64), _area(e, width, 1024)
    assert least <= low < high <= most
