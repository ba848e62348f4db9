"""Bounds on divergences are on the right side, and tight, where the value is known."""

from __future__ import annotations

import math

import pytest
from flint import arb, ctx
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from opendp_lite.core.measures import (
    max_divergence,
    renyi_divergence,
    zero_concentrated_divergence,
)
from opendp_lite.verify.divergences import (
    capped,
    concentrated,
    divergence,
    hockey_stick,
    needed_epsilon,
    needed_rho,
    renyi,
)
from tests.rows import for_each

Law = dict[int, mpq]
NEAR = mpq(1, 2**60)
USUAL = settings().max_examples  # more in the audit
laws = st.lists(st.integers(1, 40), min_size=3, max_size=3).map(
    lambda weights: {i: mpq(w, sum(weights)) for i, w in enumerate(weights)}
)


def real(x: mpq) -> arb:
    return arb(int(x.numerator)) / int(x.denominator)


def renyi_oracle(p: Law, q: Law, alpha: mpq) -> arb:
    a = real(alpha)
    total = sum((real(p[y]) ** a * real(q[y]) ** (1 - a) for y in p), arb(0))
    return total.log() / (a - 1)


@given(laws, laws, st.sampled_from([mpq(33, 32), mpq(2), mpq(7, 2), mpq(50)]))
def test_renyi_is_a_tight_upper_bound(p: Law, q: Law, alpha: mpq) -> None:
    ctx.prec = 400
    bound, value = renyi(p, q, alpha), renyi_oracle(p, q, alpha)
    assert real(mpq(bound)) + arb(2) ** -300 > value
    assert real(mpq(bound)) - value < arb(2) ** -60


@given(laws, laws, st.sampled_from([mpq(0), mpq(1, 10), mpq(1)]))
def test_hockey_stick_is_a_tight_upper_bound(p: Law, q: Law, epsilon: mpq) -> None:
    ctx.prec = 400
    factor = real(epsilon).exp()
    exact = arb(0)
    for y in p:
        exact += max(arb(0), real(p[y]) - factor * real(q[y]))
    bound = real(hockey_stick(p, q, epsilon))
    assert bound + arb(2) ** -300 > exact
    assert bound - exact < arb(2) ** -100


def test_hockey_stick_at_its_ends() -> None:
    p, q = {0: mpq(1, 2), 1: mpq(1, 2)}, {0: mpq(1)}
    assert hockey_stick(p, q, 0) == mpq(1, 2)
    assert hockey_stick(p, q, math.inf) == mpq(1, 2)
    assert hockey_stick(q, p, math.inf) == 0


def test_renyi_where_the_other_law_vanishes() -> None:
    p, q = {0: mpq(1, 2), 1: mpq(1, 2)}, {0: mpq(1)}
    assert renyi(p, q, 2) == math.inf
    assert concentrated(p, q) == math.inf
    assert math.isfinite(renyi(q, p, 2))
    with pytest.raises(ValueError, match="alpha=1"):
        renyi(p, q, 1)


ORDERS = [mpq(round(1000 * 1.05**i), 1000) for i in range(1, 180)]


@settings(max_examples=USUAL // 4)
@given(laws, laws)
def test_rho_covers_every_order(p: Law, q: Law) -> None:
    ctx.prec = 200
    rho = concentrated(p, q)
    # Orders that are not on the mesh.
    for alpha in (mpq(1001, 1000), mpq(101, 100), mpq(17, 10), mpq(9), mpq(12345, 7)):
        assert renyi_oracle(p, q, alpha) < real(mpq(rho) * alpha) + arb(2) ** -100
    # And it is the supremum of D_alpha / alpha, up to the mesh.
    least = max(mpq(renyi(p, q, alpha)) / alpha for alpha in ORDERS)
    assert rho <= least * mpq(33, 32) * mpq(21, 20) + NEAR


@settings(max_examples=USUAL // 2)
@given(laws, laws, st.sampled_from([mpq(0), mpq(1, 100), mpq(1, 5)]))
def test_what_is_needed_is_below_what_suffices(p: Law, q: Law, delta: mpq) -> None:
    needed = needed_epsilon(p, q, mpq(0), delta)
    if needed > 0:
        # At any smaller epsilon the claimed delta is exceeded.
        assert hockey_stick(p, q, needed - NEAR) > delta  # type: ignore[arg-type]
    assert hockey_stick(p, q, mpq(needed) + NEAR) <= delta
    assert needed_epsilon(p, q, mpq(1, 50), delta) <= needed
    assert needed_rho(p, q, mpq(0), mpq(0)) <= concentrated(p, q) + NEAR
    assert needed_rho(p, q, mpq(1, 50), mpq(0)) <= needed_rho(p, q, mpq(0), mpq(0))


def test_what_is_needed_without_overlap_is_infinite() -> None:
    p, q = {0: mpq(1)}, {1: mpq(1)}
    assert needed_epsilon(p, q, mpq(0), mpq(0)) == math.inf
    assert needed_rho(p, q, mpq(0), mpq(0)) == math.inf
    assert needed_rho(p, q, mpq(0), mpq(1, 2)) == math.inf
    assert needed_epsilon(p, q, mpq(0), mpq(1)) == 0
    assert needed_rho(p, q, mpq(0), mpq(1)) == 0


def test_an_event_shows_more_than_its_outcomes() -> None:
    # 100 outcomes, each hidden in the unresolved mass of the other law.
    p = {i: mpq(1, 100) for i in range(100)}
    q = {i: mpq(1, 400) for i in range(100)}
    single = max(needed_epsilon({i: p[i]}, {i: q[i]}, mpq(1, 10), mpq(0)) for i in p)
    assert single == 0
    assert needed_epsilon(p, q, mpq(1, 10), mpq(0)) > 1


def test_nothing_is_needed_where_nothing_was_resolved() -> None:
    q = {0: mpq(1)}
    for delta in (mpq(0), mpq(1, 2)):
        assert needed_epsilon({}, q, mpq(0), delta) == 0
        assert needed_rho({}, q, mpq(0), delta) == 0


def test_needed_rho_is_tight_for_a_gaussian() -> None:
    from opendp_lite.exact.enclosures import exp

    # D_alpha of two unit Gaussians at distance 1 is alpha / 2.
    def masses(shift: int) -> Law:
        raw = {x: exp(-mpq((x - shift) ** 2, 2), 64).lo for x in range(-12, 14)}
        whole = sum(raw.values())
        return {x: mpq(mass) / whole for x, mass in raw.items()}

    p, q = masses(0), masses(1)
    assert abs(needed_rho(p, q, mpq(0), mpq(0)) - mpq(1, 2)) < mpq(1, 100)
    assert mpq(1, 2) < concentrated(p, q) < mpq(53, 100)
    # A small delta does not change much: all outcomes count, not one event.
    with_delta = needed_rho(p, q, mpq(0), mpq(1, 10**6))
    assert mpq(49, 100) < with_delta < mpq(1, 2)


DELTAS = st.sampled_from([mpq(1, 1000), mpq(1, 20), mpq(1, 3), mpq(9, 10)])


@given(laws, laws, DELTAS)
def test_what_is_taken_off_is_where_the_ratio_is_greatest(
    p: Law, q: Law, delta: mpq
) -> None:
    part = capped(p, q, delta)
    assert sum(part.values()) == 1 - delta
    assert all(0 <= part[y] <= p[y] for y in p)
    lowest = min(part[y] / q[y] for y in p if part[y] < p[y])
    assert all(part[y] / q[y] <= lowest for y in p)


def test_what_is_taken_off_at_the_ends() -> None:
    p, q = {0: mpq(1, 4), 1: mpq(3, 4)}, {1: mpq(1)}
    assert capped(p, q, mpq(0)) == p
    assert capped(p, q, mpq(1, 8)) == p  # nothing helps against an infinite ratio
    assert capped(p, q, mpq(1, 4)) == {0: 0, 1: mpq(3, 4)}
    assert capped(p, q, mpq(1, 2)) == {0: 0, 1: mpq(1, 2)}
    assert capped(p, q, mpq(1)) == {0: 0, 1: 0}


@settings(max_examples=2 * USUAL // 3)
@given(laws, laws, laws, laws, DELTAS)
def test_a_true_claim_is_never_below_what_is_needed(
    p: Law, q: Law, r: Law, s: Law, delta: mpq
) -> None:
    """With probability delta anything may be released, on both sides."""

    def mixed(law: Law, other: Law) -> Law:
        return {y: (1 - delta) * law[y] + delta * other[y] for y in law}

    claimed = concentrated(p, q) + NEAR
    left, right = mixed(p, r), mixed(q, s)
    assert needed_rho(left, right, mpq(0), delta) <= claimed
    assert needed_rho(left, right, mpq(1, 50), delta) <= claimed
    # What was not resolved may be anywhere.
    seen = {y: mass * mpq(29, 30) for y, mass in left.items()}
    found = {y: mass * mpq(49, 50) for y, mass in right.items()}
    assert needed_rho(seen, found, mpq(1, 50), delta) <= claimed


@for_each("delta", [mpq(0), mpq(1, 1000)])
@for_each("outcome", [0, 1, 2])
def test_equal_laws_need_nothing_wherever_the_unresolved_mass_is(
    outcome: int, delta: mpq
) -> None:
    law = {0: mpq(1, 2), 1: mpq(2, 5), 2: mpq(1, 10)}
    found = law | {outcome: law[outcome] - mpq(1, 50)}
    assert needed_rho(law, found, mpq(1, 50), delta) == 0
    assert needed_rho(found, law, mpq(0), delta) == 0
    assert needed_rho(law, found, mpq(0), delta) > 0


def test_divergence_by_measure() -> None:
    p, q = {0: mpq(3, 4), 1: mpq(1, 4)}, {0: mpq(1, 4), 1: mpq(3, 4)}
    assert divergence(max_divergence(), p, q) == max_divergence().divergence(p, q)
    assert divergence(zero_concentrated_divergence(), p, q) == concentrated(p, q)
    with pytest.raises(TypeError, match="RenyiDivergence"):
        divergence(renyi_divergence(), p, q)
