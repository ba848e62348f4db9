"""Conversions between measures: upper bounds, close to the best, at every size."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction
from importlib import util
from pathlib import Path
from typing import Any

import gmpy2
import mpmath
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.exact.rationals import to_mpq
from opendp_lite.laws.conversions import (
    ORDERS,
    Profile,
    _delta_of_order,
    _epsilon_of_order,
    approximate_delta,
    approximate_epsilon,
    concentrated_delta,
    concentrated_epsilon,
    profile_of_concentrated,
    profile_of_orders,
    profile_of_pair,
    pure_to_concentrated,
)
from tests.rows import for_each

VECTORS = json.loads(
    (Path(__file__).parent.parent / "data" / "conversions.json").read_text()
)["vectors"]
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "pure_to_zcdp": pure_to_concentrated,
    "zcdp_delta": concentrated_delta,
    "zcdp_epsilon": concentrated_epsilon,
    "optimal_composition_delta": approximate_delta,
}
SLACK = mpq(1, 10**9)
TINY = mpq(1, 2**1900)


def exact(x: Any) -> Any:
    return mpq(Fraction(x))


def arguments(row: dict[str, Any]) -> list[Any]:
    given = row["arguments"]
    if "terms" in given:
        term = given["terms"][0]
        return [(exact(term["epsilon"]), exact(term["delta"])), exact(given["epsilon"])]
    return [exact(value) for value in given.values()]


@for_each("row", VECTORS, ids=lambda row: f"{row['function']}-{row['id']}")
def test_vectors(row: dict[str, Any]) -> None:
    found = FUNCTIONS[row["function"]](*arguments(row))
    assert exact(row["lower"]) <= found <= exact(row["upper"]) * (1 + SLACK)


def best_delta(rho: Any, epsilon: Any) -> Any:
    """The minimum over all orders, by bisection of the derivative; 60 digits."""
    with mpmath.workdps(60):
        r, e = (mpmath.mpf(x.numerator) / x.denominator for x in (rho, epsilon))

        def slope(t: Any) -> Any:
            b = mpmath.exp(t)
            return (2 * b + 1) * r - e - mpmath.log1p(1 / b)

        low, high = mpmath.mpf(-400), mpmath.mpf(400)
        for _ in range(180):
            middle = (low + high) / 2
            low, high = (middle, high) if slope(middle) < 0 else (low, middle)
        b = mpmath.exp(low)
        power = b * ((b + 1) * r - e) - (b + 1) * mpmath.log1p(1 / b)
        return mpmath.exp(power) / b


LOSSES = [mpq(1, 10**9), mpq(1, 1000), mpq(1, 7), mpq(1), mpq(13, 2), mpq(60)]
EPSILONS = [mpq(0), mpq(1, 10**9), mpq(1, 100), mpq(1, 3), mpq(2), mpq(17), mpq(59)]


def as_real(x: Any) -> Any:
    return mpmath.mpf(int(x.numerator)) / int(x.denominator)


@for_each("rho", LOSSES, ids=str)
def test_delta_is_the_best_of_all_orders(rho: mpq) -> None:
    with mpmath.workdps(50):
        for epsilon in EPSILONS:
            best = best_delta(rho, epsilon)
            if best > mpmath.mpf(2) ** -2000:
                ratio = as_real(concentrated_delta(rho, epsilon)) / best
                assert 1 - mpmath.mpf(10) ** -30 <= ratio <= 1 + mpmath.mpf(10) ** -15
            else:
                # Of exp nothing is asked below -1500: a bound, not the best one.
                assert 0 < concentrated_delta(rho, epsilon) < TINY


@for_each("rho", LOSSES, ids=str)
@for_each("delta", ["0.9", "1/3", "1e-6", "1e-40", "1e-300"])
def test_epsilon_and_delta_are_inverse(rho: mpq, delta: str) -> None:
    """The delta at the epsilon of delta is delta: both are best, up to 1e-9."""
    allowed = exact(delta)
    epsilon = concentrated_epsilon(rho, allowed)
    if epsilon == 0:
        assert concentrated_delta(rho, 0) <= allowed * (1 + SLACK)
    else:
        found = concentrated_delta(rho, epsilon)
        assert found <= allowed * (1 + SLACK)
        assert found >= allowed * (1 - SLACK)


def test_ends() -> None:
    inf = math.inf
    assert pure_to_concentrated(inf) == inf
    assert pure_to_concentrated(0) == 0
    assert concentrated_delta(inf, 1) == concentrated_delta(inf, inf) == 1
    assert concentrated_delta(0, 0) == concentrated_delta(mpq(1), inf) == 0
    assert concentrated_epsilon(0, mpq(0)) == concentrated_epsilon(inf, mpq(1)) == 0
    assert concentrated_epsilon(mpq(1), mpq(0)) == inf
    assert concentrated_epsilon(inf, mpq(1, 2)) == inf
    assert approximate_delta((inf, mpq(0)), 1) == 1
    assert approximate_delta((mpq(1), mpq(1, 3)), inf) == mpq(1, 3)
    assert approximate_epsilon((inf, mpq(0)), mpq(1, 2)) == inf
    assert approximate_epsilon((mpq(2), mpq(1, 3)), mpq(1, 4)) == inf
    assert approximate_epsilon((mpq(2), mpq(1, 3)), mpq(1, 3)) == 2
    assert approximate_epsilon((inf, mpq(1)), mpq(1)) == 0


SIZES = [mpq(1, 10**2000), mpq(1, 10**40), mpq(1), mpq(10) ** 40, mpq(10) ** 2000]


@for_each("size", SIZES, ids=["e-2000", "e-40", "1", "e40", "e2000"])
@for_each("other", SIZES, ids=["e-2000", "e-40", "1", "e40", "e2000"])
def test_sizes(size: mpq, other: mpq) -> None:
    """Nothing raises or takes long, and what can be told without computing holds."""
    rho = pure_to_concentrated(size)
    assert 0 < rho <= min(size, size * size / 2) * (1 + SLACK)
    delta = concentrated_delta(size, other)
    assert 0 < delta <= 1
    if size >= 10 * (other + 10):
        assert delta > mpq(9, 10)
    if other >= 10**6 * (size + 1):
        assert delta < TINY
    assert 0 <= approximate_delta((size, mpq(0)), other) <= 1
    if other <= 1:
        epsilon = concentrated_epsilon(size, other * mpq(999, 1000))
        assert 0 <= epsilon < math.inf
        assert 0 <= approximate_epsilon((size, mpq(0)), other) <= size


def hockey_stick(p: list[Any], q: list[Any], factor: Any) -> Any:
    return sum(max(a - factor * b, mpmath.mpf(0)) for a, b in zip(p, q, strict=True))


@given(
    st.fractions(Fraction(1, 100), 6),
    st.fractions(0, Fraction(9, 10)),
    st.fractions(0, 8),
)
def test_the_pair_of_four_points_attains_the_profile(
    loss: Fraction, rest: Fraction, epsilon: Fraction
) -> None:
    """No smaller delta, nor epsilon, will do for (loss, rest): an extreme example."""
    with mpmath.workdps(50):
        top, d = mpmath.exp(as_real(loss)), as_real(rest)
        p = [d, (1 - d) * top / (1 + top), (1 - d) / (1 + top), 0 * d]
        needed = hockey_stick(p, p[::-1], mpmath.exp(as_real(epsilon)))
        found = approximate_delta((mpq(loss), mpq(rest)), mpq(epsilon))
        assert -(10**-35) <= as_real(found) - needed <= 1e-30
        back = approximate_epsilon((mpq(loss), mpq(rest)), max(found, mpq(rest)))
        expected = min(epsilon, loss)
        assert -1e-25 <= as_real(back) - as_real(expected) <= 1e-25


@given(st.fractions(Fraction(1, 1000), 30))
def test_rho_is_attained_near_order_one(epsilon: Fraction) -> None:
    """Randomized response has D_1 = epsilon tanh(epsilon / 2): no less will do."""
    with mpmath.workdps(50):
        e = as_real(epsilon)
        p = mpmath.exp(e) / (1 + mpmath.exp(e))
        needed = p * e - (1 - p) * e
        rho = as_real(pure_to_concentrated(mpq(epsilon)))
        assert needed * (1 - mpmath.mpf(10) ** -40) <= rho <= needed * (1 + SLACK_REAL)


SLACK_REAL = mpmath.mpf(10) ** -30


@pytest.mark.parametrize("gap", [mpq(1, 10**9), mpq(1, 10**30), mpq(1, 10**300)])
def test_a_small_part_has_a_small_error(gap: mpq) -> None:
    """1 - e^(epsilon - e) is about the gap; 1 less a bound of e^x would be 2^-128."""
    loss = mpq(7, 2)
    with mpmath.workdps(400):
        part = -mpmath.expm1(-as_real(gap)) / (1 + mpmath.exp(-as_real(loss)))
        found = as_real(approximate_delta((loss, mpq(0)), loss - gap))
        assert 1 <= found / part <= 1 + mpmath.mpf(10) ** -35


def test_planted_faults_are_seen() -> None:
    """The vectors tell apart what was often claimed: no factor, a wrong sign, d."""
    rho, epsilon = mpq(1, 2), mpq(4)
    row = next(r for r in VECTORS if r["id"] == 8)
    with mpmath.workdps(40):
        lower = as_real(exact(row["lower"]))
        # Bun and Steinke's, without the factor of Canonne, Kamath and Steinke
        older = mpmath.exp(-((as_real(epsilon) - 0.5) ** 2) / 2)
        assert older > lower * (1 + mpmath.mpf(10) ** -9)
        # too small: (1 - 1/a)^(a + 1)
        a = mpmath.mpf("4.737")
        less = mpmath.exp((a - 1) * (a * as_real(rho) - as_real(epsilon)))
        less *= (1 - 1 / a) ** (a + 1) / (a - 1)
        assert less < lower


def test_denominators_stay_short() -> None:
    """Sums of many different losses would grow otherwise, and a session slow down."""
    losses = [mpq(1, n) for n in (3, 7, 11, 13)]
    values = [pure_to_concentrated(loss) for loss in losses]
    values += [concentrated_delta(loss, mpq(1, 5)) for loss in losses]
    values += [concentrated_epsilon(loss, mpq(1, 10**6)) for loss in losses]
    values += [approximate_delta((loss, mpq(0)), mpq(1, 100)) for loss in losses]
    for value in values:
        assert int(mpq(value).denominator).bit_count() == 1


def test_a_part_left_out() -> None:
    rho, rest = mpq(1, 2), mpq(1, 10**3)
    profile = profile_of_concentrated(rho, rest)
    inner = concentrated_delta(rho, mpq(2))
    assert isinstance(profile, Profile)
    assert profile(mpq(2)) == profile.delta(mpq(2)) == rest + (1 - rest) * inner
    assert profile.epsilon(rest) == profile.epsilon(mpq(1, 2000)) == math.inf
    allowed = mpq(1, 100)
    assert profile.epsilon(allowed) == concentrated_epsilon(
        rho, (allowed - rest) / (1 - rest)
    )
    assert profile.epsilon(mpq(1)) == 0
    everything = profile_of_concentrated(rho, mpq(1))
    assert everything(mpq(5)) == 1
    assert everything.epsilon(mpq(999, 1000)) == math.inf
    pair = profile_of_pair(to_mpq(1), rest)
    assert pair(mpq(1)) == rest
    assert pair.epsilon(rest) == 1
    assert profile_of_pair(to_mpq(1), mpq(1))(0) == 1


# Roundings: the values of one formula at one order, with more digits than ours


def numbers(seed: int) -> list[mpq]:
    """Rationals between 0 and 1 that no float is, and that nobody chose."""
    return [mpq(pow(seed, n, 10007), 10007) for n in range(1, 201)]


def test_one_order_is_rounded_up() -> None:
    """A single rounding in the wrong direction is seen: 2^-128 is far above 1e-90."""
    with mpmath.workdps(100):
        for x, y, z in zip(numbers(5), numbers(7), numbers(11), strict=True):
            order, loss, epsilon = 8 * x, 3 * y, 3 * y + 40 * z
            b, e, eps = (as_real(value) for value in (order, loss, epsilon))
            step = mpmath.log1p(1 / b)
            needed = mpmath.exp(b * (e - eps) - (b + 1) * step) / b
            found = as_real(_delta_of_order(order, loss, epsilon))
            assert min(needed, 1) <= found <= needed * (1 + SLACK_REAL)
            delta = z**9 / 1000
            needed = e - step - mpmath.log(as_real(delta) * (b + 1)) / b
            found = as_real(_epsilon_of_order(order, loss, delta))
            assert max(needed, 0) <= found <= max(needed, 0) + (e + 1 / b) * SLACK_REAL


def test_pairs_are_rounded_up() -> None:
    with mpmath.workdps(100):
        for x, y, z in zip(numbers(5), numbers(7), numbers(11), strict=True):
            loss, rest = 5 * x, z / 2
            top, d = mpmath.exp(as_real(loss)), as_real(rest)
            share = (top - mpmath.exp(as_real(loss * y))) / (top + 1)
            needed = d + (1 - d) * share
            found = as_real(approximate_delta((loss, rest), loss * y))
            assert needed <= found <= needed * (1 + SLACK_REAL)
            needed = mpmath.log(top - as_real(y / 2) * (top + 1))
            epsilon = approximate_epsilon((loss, rest), rest + (1 - rest) * y / 2)
            assert max(needed, 0) <= as_real(epsilon) <= max(needed, 0) + SLACK_REAL


# Renyi curves, by a ladder of orders


def gaussian_curve(rho: mpq, orders: Any = ORDERS) -> list[Any]:
    return [(order, order * rho) for order in orders]


@for_each("rho", [mpq(1, 1000), mpq(1, 7), mpq(1), mpq(13, 2)], ids=str)
def test_the_ladder_is_near_the_best_order_and_never_below(rho: mpq) -> None:
    profile = profile_of_orders(gaussian_curve(rho), mpq(0))
    for epsilon in (mpq(1, 3), mpq(2), mpq(17)):
        best = concentrated_delta(rho, epsilon)
        assert best <= profile(epsilon) * (1 + SLACK)
        if best > mpq(1, 10**12):
            assert profile(epsilon) <= best * mpq(21, 20)
    for delta in (mpq(1, 10), mpq(1, 10**6), mpq(1, 10**40)):
        best = mpq(concentrated_epsilon(rho, delta))
        assert best * (1 - SLACK) <= profile.epsilon(delta) <= best * mpq(101, 100)


@given(
    st.lists(
        st.tuples(st.fractions(Fraction(101, 100), 200), st.fractions(0, 50)),
        min_size=1,
        max_size=4,
    ),
    st.fractions(0, 20),
    st.fractions(Fraction(1, 10**9), Fraction(99, 100)),
)
def test_the_best_rung_is_chosen(
    rungs: list[tuple[Fraction, Fraction]], epsilon: Fraction, delta: Fraction
) -> None:
    losses: list[Any] = [(mpq(a), mpq(e)) for a, e in rungs]
    whole = profile_of_orders(losses, mpq(0))
    each = [profile_of_orders([one], mpq(0)) for one in losses]
    least = min(one(mpq(epsilon)) for one in each)
    assert least <= whole(mpq(epsilon)) <= least * (1 + SLACK)
    best = min(one.epsilon(mpq(delta)) for one in each)
    assert best <= whole.epsilon(mpq(delta)) <= best * (1 + SLACK) + SLACK


@given(
    st.fractions(Fraction(51, 100), Fraction(99, 100)),
    st.fractions(Fraction(101, 100), 40),
    st.fractions(0, 5),
)
def test_one_order_is_enough_for_a_coin(
    p: Fraction, order: Fraction, epsilon: Fraction
) -> None:
    """The Renyi divergence of a coin, rounded down, gives a delta that is needed."""
    with mpmath.workdps(40):
        heads, tails, a = as_real(p), as_real(1 - p), as_real(order)
        moment = heads**a * tails ** (1 - a) + tails**a * heads ** (1 - a)
        loss = mpq(
            Fraction(str(mpmath.log(moment) / (a - 1) * (1 - mpmath.mpf("1e-30"))))
        )
        found = profile_of_orders([(mpq(order), loss)], mpq(0))
        needed = hockey_stick(
            [heads, tails], [tails, heads], mpmath.exp(as_real(epsilon))
        )
        assert as_real(found(mpq(epsilon))) >= needed * (1 - mpmath.mpf(10) ** -25)


def test_ends_of_a_ladder() -> None:
    inf, half = math.inf, mpq(1, 2)
    profile = profile_of_orders([(mpq(2), inf), (mpq(3), mpq(1))], mpq(0))
    assert profile(inf) == profile.epsilon(mpq(1)) == 0
    assert profile.epsilon(mpq(0)) == inf
    assert profile(mpq(1)) == profile_of_orders([(mpq(3), mpq(1))], mpq(0))(mpq(1))
    unknown = profile_of_orders([(mpq(2), inf)], mpq(0))
    assert (unknown(mpq(9)), unknown.epsilon(half)) == (1, inf)
    equal = profile_of_orders([(mpq(2), mpq(1)), (mpq(3), 0)], mpq(1, 10))
    assert equal(mpq(0)) == mpq(1, 10)
    assert (equal.epsilon(mpq(1, 10)), equal.epsilon(mpq(1, 11))) == (0, inf)
    part = profile_of_orders([(mpq(3), mpq(1))], mpq(1, 10))
    assert part(mpq(2)) == mpq(1, 10) + mpq(9, 10) * profile(mpq(2))
    assert profile_of_orders([], mpq(0))(mpq(1)) == 1
    assert profile_of_orders([(mpq(3), mpq(1))], mpq(1))(mpq(1)) == 1


@for_each("size", SIZES, ids=["e-2000", "e-40", "1", "e40", "e2000"])
@for_each("loss", SIZES, ids=["e-2000", "e-40", "1", "e40", "e2000"])
def test_orders_of_any_size(size: mpq, loss: mpq) -> None:
    """Floats that choose overflow, and nothing raises."""
    profile = profile_of_orders([(1 + size, loss), (mpq(2), loss)], mpq(0))
    for other in SIZES:
        assert 0 < profile(other) <= 1
        if other < 1:
            assert 0 <= profile.epsilon(other) < math.inf


def test_the_ladder_is_rational_and_above_one() -> None:
    assert len(ORDERS) == len(set(ORDERS)) == 128
    assert list(ORDERS) == sorted(ORDERS)
    assert (ORDERS[0], ORDERS[-1]) == (mpq(17, 16), mpq(3841))


def test_the_module_may_be_loaded_in_any_context() -> None:
    """In one with few exponents, bounds of orders were made 0 and infinite."""
    found = util.find_spec("opendp_lite.laws.conversions")
    assert found is not None
    assert found.loader is not None
    anew = util.module_from_spec(found)
    with gmpy2.context(precision=2, emin=-5, emax=5):
        found.loader.exec_module(anew)
    for rho in (mpq(1, 10**3000), mpq(1, 2), mpq(10) ** 3000):
        for loss in (mpq(1, 10**3000), mpq(1), mpq(10) ** 3000):
            delta = concentrated_delta(rho, loss)
            assert anew.concentrated_delta(rho, loss) == delta
        for delta in (mpq(1, 10**9), 1 - mpq(1, 10**300)):
            epsilon = concentrated_epsilon(rho, delta)
            assert anew.concentrated_epsilon(rho, delta) == epsilon


# What another library says


PEER = json.loads(
    (Path(__file__).parent.parent / "data" / "dp_accounting.json").read_text()
)


@for_each("row", PEER["rows"], ids=str)
def test_never_above_dp_accounting_and_never_below_the_truth(
    row: dict[str, Any],
) -> None:
    rho = 1 / (2 * to_mpq(row["sigma"]) ** 2)
    orders = [to_mpq(order) for order in PEER["orders"]]
    ladder = profile_of_orders(gaussian_curve(rho, orders), mpq(0))
    if "delta" in row:
        delta = to_mpq(row["delta"])
        found, best = ladder.epsilon(delta), concentrated_epsilon(rho, delta)
        assert to_mpq(row["gaussian"]) <= best + SLACK
    else:
        epsilon = to_mpq(row["epsilon"])
        found, best = ladder(epsilon), concentrated_delta(rho, epsilon)
    # Their numbers are floats, rounded to nearest: equal up to that.
    assert abs(found - to_mpq(row["ladder"])) <= SLACK * to_mpq(row["ladder"])
    # What underflows is 0 there.
    assert best <= max(to_mpq(row["best"]), mpq(1, 2**1074)) * (1 + SLACK)
