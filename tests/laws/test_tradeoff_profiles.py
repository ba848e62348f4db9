"""Privacy profiles: closed forms, and the search that any tradeoff has."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from gmpy2 import mpq

from opendp_lite.exact.enclosures import exp, ln
from opendp_lite.exact.intervals import Argument, Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.laws import tradeoff_profiles as profiles
from opendp_lite.laws.location import GaussianTradeoff, LaplaceTradeoff
from opendp_lite.laws.tradeoff_profiles import delta_at, search_profile
from opendp_lite.laws.user_tradeoff import UserTradeoff
from opendp_lite.measurements.canonical.canonical_sampler import (
    ApproximateTradeoff,
    Tradeoff,
)
from tests.longer import shortened
from tests.randomness.tradeoff_oracles import arb, ends, flint_precision, phi

KNOWN: list[Any] = [
    GaussianTradeoff(1),
    GaussianTradeoff("1/10"),
    GaussianTradeoff(6),
    LaplaceTradeoff(1),
    LaplaceTradeoff("1/10"),
    LaplaceTradeoff(6),
    ApproximateTradeoff(1, "1e-6"),
    ApproximateTradeoff("0.1", 0),
    ApproximateTradeoff(0, "0.05"),
    ApproximateTradeoff(5, 1),
    ApproximateTradeoff(exp_epsilon=2, delta="1/8"),
]
EPSILONS = [mpq(0), mpq(1, 100), mpq(1, 10), mpq(1), mpq(7, 3), mpq(6), mpq(30)]

by_known = pytest.mark.parametrize("tradeoff", KNOWN, ids=str)


def gains(tradeoff: Tradeoff, epsilon: mpq) -> list[Enclosure]:
    """1 - f(a) - e^epsilon a on a mesh, finer near 0."""
    power = exp(epsilon, 200)
    places = [mpq(k, 16) for k in range(17)]
    places += [mpq(3, 4) ** k for k in range(40)]
    return [1 - tradeoff.value(a, 100) - power * a for a in places]


@by_known
def test_no_place_gains_more(tradeoff: Any) -> None:
    for epsilon in EPSILONS[::2]:
        delta = delta_at(tradeoff, epsilon)
        assert 0 <= delta <= 1
        best = max(gain.lo for gain in gains(tradeoff, epsilon))
        assert best <= delta
        # And the mesh comes near: the profile is not much too large.
        assert delta - max(best, 0) < mpq(1, 20)


@by_known
def test_it_falls_and_ends_at_what_f_leaves_at_0(tradeoff: Any) -> None:
    found = [delta_at(tradeoff, epsilon) for epsilon in EPSILONS]
    assert found == sorted(found, reverse=True)
    last = delta_at(tradeoff, math.inf)
    assert last == getattr(tradeoff, "delta", 0)
    assert last <= delta_at(tradeoff, mpq(10**9)) <= last + mpq(1, 2**2048)


# A search knows nothing of the curve: one Gaussian stays, and small and large Laplace.
@pytest.mark.parametrize("tradeoff", shortened(KNOWN, KNOWN[1], KNOWN[2]), ids=str)
def test_the_search_finds_the_closed_form(tradeoff: Any) -> None:
    for epsilon in (mpq(0), mpq(7, 3)):
        exact, found = delta_at(tradeoff, epsilon), search_profile(tradeoff, epsilon)
        assert exact * (1 - mpq(1, 2**60)) <= found
        assert found <= exact + mpq(1, 2**60)


def test_the_search_goes_far_enough() -> None:
    # The best place, 5/16, is beyond half of the least power of two above e^-0.7.
    tradeoff = ApproximateTradeoff(exp_epsilon="2.2")
    exact = delta_at(tradeoff, mpq("0.7"))
    assert 0 <= search_profile(tradeoff, mpq("0.7")) - exact < mpq(1, 2**80)


def test_a_gaussian_by_arb() -> None:
    for mu, epsilon in [("1e-30", "0"), ("1", "1"), ("1/3", "4"), ("50", "1000")]:
        found = delta_at(GaussianTradeoff(mu), mpq(epsilon))
        with flint_precision(3000):
            m, e = arb(mu), arb(epsilon)
            exact = ends(phi(m / 2 - e / m) - e.exp() * phi(-m / 2 - e / m))
        assert exact.lo <= found <= exact.hi * (1 + mpq(1, 2**60))


def test_the_corners_of_the_pair() -> None:
    tradeoff = ApproximateTradeoff(1, "1/100")
    assert delta_at(tradeoff, mpq(1)) == mpq(1, 100)
    assert delta_at(tradeoff, mpq(2)) == mpq(1, 100)
    assert delta_at(tradeoff, mpq(99, 100)) > mpq(1, 100)
    assert delta_at(ApproximateTradeoff(1, 0), mpq(1)) == 0
    # With e^epsilon = 2: at epsilon = 0 it is 1 - 2c.
    rational = ApproximateTradeoff(exp_epsilon=2, delta="1/8")
    assert delta_at(rational, mpq(0)) == 1 - 2 * mpq(7, 24)
    assert delta_at(rational, mpq("0.6931")) > mpq(1, 8)
    assert delta_at(rational, mpq("0.6932")) == mpq(1, 8)


@pytest.mark.parametrize("size", [10**6, 10**30, 10**300])
def test_a_pair_that_asks_for_next_to_nothing_is_quick(size: int) -> None:
    # The fixed point is about e^(-size): it is not computed.
    tradeoff = ApproximateTradeoff(size, "1/8")
    found = delta_at(tradeoff, mpq(size - 1))
    exact = 1 - mpq(7, 8) * exp(mpq(-1), 128)
    assert exact.lo <= found <= exact.hi * (1 + mpq(1, 2**60))
    assert 1 - mpq(1, 2**60) < delta_at(tradeoff, mpq(1)) <= 1


def test_what_is_negligible_is_not_computed_further() -> None:
    assert delta_at(GaussianTradeoff(1), mpq(10**6)) == mpq(1, 2**2048)
    assert delta_at(LaplaceTradeoff(2), mpq(2)) == 0


class Vague(Tradeoff):
    """(epsilon, delta) with e^epsilon = 2, enclosed to 2^-40 only, never as a point."""

    def value(self, a: Argument, precision: int) -> Enclosure:
        exact = ApproximateTradeoff(exp_epsilon=2).value(a, precision)
        slack = mpq(1, 2**40)
        return Enclosure(max(exact.lo - slack, mpq(0)), exact.hi + slack)  # type: ignore[arg-type]


@pytest.mark.parametrize("epsilon", [mpq(0), mpq(1, 2), mpq("0.6931471805599453")])
def test_the_search_allows_for_what_is_not_known(epsilon: mpq) -> None:
    exact = delta_at(ApproximateTradeoff(exp_epsilon=2), epsilon)
    found = search_profile(Vague(), epsilon)
    assert exact <= found <= exact + mpq(1, 2**36)


class Lopsided(Tradeoff):
    """e^epsilon = 3/2, with lower ends that are right and upper ends that are not."""

    def value(self, a: Argument, precision: int) -> Enclosure:
        exact = ApproximateTradeoff(exp_epsilon="3/2").value(a, precision)
        return Enclosure(exact.lo, exact.hi + mpq(1, 2**20))  # type: ignore[arg-type]


def test_the_search_allows_for_what_it_cuts_off() -> None:
    # g rises so slowly to its top at 2/5 that the top is cut off unseen.
    epsilon = ln(mpq(3, 2), 64).lo - mpq(1, 2**22)
    exact = delta_at(ApproximateTradeoff(exp_epsilon="3/2"), epsilon)  # type: ignore[arg-type]
    assert exact <= search_profile(Lopsided(), epsilon) <= exact + mpq(1, 2**18)  # type: ignore[arg-type]


def test_a_search_that_trusts_middles_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Were the chord left out, what is beyond it could be missed.
    monkeypatch.setattr(profiles, "_most", lambda delta: max(delta.lo, mpq(0)))
    assert search_profile(Vague(), mpq(0)) < mpq(1, 3)


def test_a_large_epsilon_is_taken_as_a_smaller_one() -> None:
    class Counted(ApproximateTradeoff):
        longest = 0

        def pair(self, a: Fraction, precision: int) -> tuple[mpq, mpq]:
            type(self).longest = max(self.longest, a.denominator.bit_length())
            exact = self.value(to_mpq(a), precision)
            return exact.lo, exact.hi  # type: ignore[return-value]

    plain = UserTradeoff(Counted(exp_epsilon=2, delta="1/8").pair)
    assert 0 <= delta_at(plain, mpq(10**9)) - mpq(1, 8) < mpq(1, 2**80)
    assert 1000 < Counted.longest < 6200
