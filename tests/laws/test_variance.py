"""The variance of canonical noise, against closed forms and against quadrature."""

from __future__ import annotations

from typing import Any

import mpmath
import pytest
from gmpy2 import mpq

from opendp_lite.laws import variance as moments
from opendp_lite.laws.location import GaussianTradeoff, LaplaceTradeoff
from opendp_lite.laws.variance import below, enclose_variance
from opendp_lite.measurements.canonical.canonical_sampler import ApproximateTradeoff
from tests.longer import shortened
from tests.randomness.canonical_laws import noise_of
from tests.rows import for_each

CLOSED: list[Any] = [
    *(LaplaceTradeoff(mu) for mu in ("1/1000", "1/3", 1, 4, 50)),
    ApproximateTradeoff(1, 0),
    ApproximateTradeoff("1/10", "1e-6"),
    ApproximateTradeoff(0, "1/20"),
    ApproximateTradeoff(3, 1),
]


@for_each("tradeoff", CLOSED, ids=str)
def test_the_mesh_encloses_the_closed_form(tradeoff: Any) -> None:
    exact, found = tradeoff.variance(400), enclose_variance(tradeoff, 64)
    assert found.lo <= exact.lo <= exact.hi <= found.hi
    assert found.width < exact.lo / 200


def behind(tradeoff: Any, end: mpq) -> mpq:
    """At most the integral of x p(x) from there on: a sum of lower rectangles."""
    width, total = mpq(1, 4), mpq(0)
    for k in range(400):
        start = end + mpq(k) * width
        part = width * start * mpq(below(tradeoff, start + width, 96).lo)
        total += part
        if part * 2**20 < total:
            break  # what follows is less, and would not be seen
    return total


TAILS: list[Any] = [
    LaplaceTradeoff("1/10"),
    LaplaceTradeoff(1),
    GaussianTradeoff("1/4"),
]
TAILS += [ApproximateTradeoff("1/10", 0), ApproximateTradeoff("1/10", "1e-6")]


@for_each("tradeoff", TAILS, ids=str)
def test_the_bound_on_the_rest_is_not_below_it(tradeoff: Any) -> None:
    for precision in (1, 64):
        end, rest = moments._end(tradeoff, precision)
        assert behind(tradeoff, end) <= rest <= mpq(1, 2**8)


def test_the_rest_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    # A mesh that ends at 1, where p(x + 1) = p(x)/e.
    tradeoff = LaplaceTradeoff(1)
    ratio, here = mpq(37, 100), mpq(below(tradeoff, mpq(1), 64).hi)
    rest = here * (2 / (1 - ratio) + ratio / (1 - ratio) ** 2)
    monkeypatch.setattr(moments, "_end", lambda *_: (mpq(1), rest))
    exact, found = tradeoff.variance(200), enclose_variance(tradeoff, 64)
    assert found.lo + 1 < exact.lo <= exact.hi <= found.hi


def by_quadrature(gaussian: bool, mu: float) -> mpmath.mpf:
    """The integral of x^2 dF over the cells, in terms of z with G(z) = F(x)."""
    with mpmath.workdps(20):
        m = mpmath.mpf(mu)

        def cdf(z: Any) -> Any:
            if gaussian:
                return mpmath.ncdf(z)
            return mpmath.exp(z) / 2 if z < 0 else 1 - mpmath.exp(-z) / 2

        def density(z: Any) -> Any:
            return mpmath.npdf(z) if gaussian else mpmath.exp(-abs(z)) / 2

        span = 1 - 2 * cdf(-m / 2)

        def cell(n: int) -> Any:
            return mpmath.quad(
                lambda r: (n + (cdf(r) - 0.5) / span) ** 2 * density(r + n * m),
                [-m / 2, 0, m / 2],
                method="gauss-legendre",
                maxdegree=3,
            )

        # Behind z = 10, or 50 for Laplace, there is less than e^-50 of the mass.
        most = int((10 if gaussian else 50) / mu) + 2
        return cell(0) + 2 * mpmath.fsum(map(cell, range(1, most + 1)))


@for_each("mu", [0.5, 2.0, 6.0])
@for_each("kind", [GaussianTradeoff, LaplaceTradeoff])
def test_the_variance_is_that_of_quadrature(kind: Any, mu: float) -> None:
    expected = mpq(str(by_quadrature(kind is GaussianTradeoff, mu)))
    found = kind(mu).variance(64)
    slack = expected / 10**12
    assert found.lo - slack <= expected <= found.hi + slack
    assert found.width < expected / 1000


@pytest.mark.parametrize("mu", shortened(["1/1000", 1, 50], 50))
def test_more_precision_is_narrower(mu: Any) -> None:
    coarse, fine = (GaussianTradeoff(mu).variance(p) for p in (32, 64))
    assert coarse.lo <= fine.hi
    assert fine.lo <= coarse.hi
    assert fine.width < coarse.width / 16 + mpq(1, 10**12)


def test_the_scale_counts_twice() -> None:
    noise = noise_of(GaussianTradeoff(1))
    wide = type(noise)(mpq(7), mpq(3), noise.tradeoff, noise.fixed_point)
    assert wide.variance(48).lo == 9 * noise.variance(48).lo


def test_below_is_the_lower_tail() -> None:
    for tradeoff in (GaussianTradeoff(1), ApproximateTradeoff(1, "1/8")):
        for x in (mpq(0), mpq(1, 2), mpq(3, 2), mpq(7, 3)):
            found, cdf = below(tradeoff, x, 128), noise_of(tradeoff).cdf(-x, 128)
            assert found.lo <= cdf.hi
            assert cdf.lo <= found.hi
            assert found.width < mpq(1, 2**110)
