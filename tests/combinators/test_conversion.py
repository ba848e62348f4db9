"""Conversions between measures: the same release, another way to count its loss."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import opendp.prelude as oracle
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.exact.rationals import to_fraction
from tests.rows import for_each

INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
SCALES = [0.0, 0.1, 0.3, 1.0, 2.0, 7.0, 1e6]


def laplace(scale: Any) -> dp.Measurement:
    return dp.m.make_laplace(*INTEGERS, scale=scale)


RENYI = dp.renyi_divergence()


def own(measure: Any, privacy_map: Any) -> dp.Measurement:
    return dp.m.make_user_measurement(*INTEGERS, measure, abs, privacy_map, TO=int)


@pytest.mark.parametrize("name", ["make_approximate", "make_pureDP_to_zCDP"])
def test_nothing_but_measure_and_map_changes(name: str) -> None:
    for inner in (laplace(2), dp.m.make_laplace(*FLOATS, scale=1), laplace(1) >> abs):
        made = getattr(dp.c, name)(inner)
        assert made.function is inner.function
        assert made.input_space == inner.input_space
        assert made.covers_rationals is inner.covers_rationals
        assert made.output_measure != inner.output_measure


@for_each(
    ("make", "measure"),
    [
        (dp.c.make_approximate, dp.max_divergence()),
        (dp.c.make_pureDP_to_zCDP, dp.max_divergence()),
        (dp.c.make_zCDP_to_approxDP, dp.zero_concentrated_divergence()),
        (dp.c.make_RDP_to_approxDP, RENYI),
        (dp.c.make_fixed_approxDP_to_approxDP, dp.approximate(dp.max_divergence())),
        (lambda each: dp.c.make_fix_delta(each, 1e-6), dp.smoothed_max_divergence()),
    ],
)
@for_each("name", ["covers_rationals", "interactive", "exclusive"])
def test_what_is_said_of_the_release_is_passed_on(
    make: Any, measure: Any, name: str
) -> None:
    """None of the library's is exclusive under every measure: these are made by hand.

    A conversion that forgot one of these would let a compositor take the release.
    """
    for said in (False, True):
        fields: dict[str, Any] = {name: said}
        inner = dp.Measurement(
            INTEGERS[0], abs, INTEGERS[1], measure, lambda d_in: d_in, **fields
        )
        made = make(inner)
        assert made.function is abs
        assert not made.opens_session
        for each in ("covers_rationals", "interactive", "exclusive"):
            assert getattr(made, each) is (said and each == name)


@for_each("scale", SCALES)
def test_rho_is_epsilon_times_a_hyperbolic_tangent(scale: float) -> None:
    made = dp.c.make_pureDP_to_zCDP(laplace(scale))
    assert made.output_measure == dp.zero_concentrated_divergence()
    for d_in in (0, 1, 5, math.inf):
        epsilon, rho = laplace(scale).map(d_in, exact=True), made.map(d_in, exact=True)
        if epsilon == math.inf:
            assert rho == math.inf
        else:
            size = Fraction(epsilon)
            exactly = float(size) * math.tanh(float(size) / 2)
            assert float(rho) == pytest.approx(exactly, rel=1e-15)
            assert rho <= min(size, size * size / 2)
        assert made.check(d_in, rho)


@for_each("scale", SCALES[1:])  # OpenDP fails on an infinite loss
def test_the_map_is_never_above_opendps(scale: float) -> None:
    oracle.enable_features("contrib")
    space = oracle.atom_domain(T=int), oracle.absolute_distance(T=int)
    peer = oracle.m.make_laplace(*space, scale=scale)
    ours, theirs = (
        (c.make_pureDP_to_zCDP(each), c.make_approximate(each))
        for c, each in ((dp.c, laplace(scale)), (oracle.c, peer))
    )
    for d_in in (0, 1, 2, 7):
        assert ours[0].map(d_in) <= theirs[0].map(d_in)
        assert ours[1].map(d_in)[0] <= theirs[1].map(d_in)[0]
        assert ours[1].map(d_in)[1] == theirs[1].map(d_in)[1] == 0


@pytest.mark.parametrize("scale", [0.3, 1.0, 10.0])
def test_profiles_are_never_above_opendps(scale: float) -> None:
    """Nor much below, where the formula is the same."""
    oracle.enable_features("contrib")
    space = oracle.atom_domain(T=int), oracle.absolute_distance(T=int)
    mine, theirs = (
        (
            c.make_zCDP_to_approxDP(m.make_gaussian(*each, scale=scale)),
            c.make_fixed_approxDP_to_approxDP(
                c.make_approximate(m.make_laplace(*each, scale=scale))
            ),
        )
        for c, m, each in ((dp.c, dp.m, INTEGERS), (oracle.c, oracle.m, space))
    )
    for d_in in (1, 2):
        ours, peer = mine[0].map(d_in), theirs[0].map(d_in)
        for epsilon in (0.01, 0.5, 2.0, 9.0):
            found, other = ours.delta(epsilon), peer.delta(epsilon)
            assert found <= other
            # Near 1 OpenDP's search stops before the best order.
            assert found >= other * (1 - 1e-6) - 1e-300 or other > 0.9
        for delta in (1e-12, 1e-6, 0.1):
            found, other = ours.epsilon(delta), peer.epsilon(delta)
            assert other * (1 - 1e-6) <= found <= other
        ours, peer = mine[1].map(d_in), theirs[1].map(d_in)
        for epsilon in (0.01, 0.5, 2.0, 9.0):
            assert ours.delta(epsilon) <= peer.delta(epsilon)
    for each, other in zip(mine, theirs, strict=True):
        loss = dp.c.make_fix_delta(each, delta=1e-6).map(1)
        assert loss[0] <= oracle.c.make_fix_delta(other, delta=1e-6).map(1)[0]
        assert loss[1] == 1e-6


def test_gaussian_noise_is_asked_for_by_epsilon_and_delta() -> None:
    def made(scale: float) -> dp.Measurement:
        noisy = dp.m.make_gaussian(*FLOATS, scale=scale)
        return dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(noisy), delta=1e-6)

    for budget in ((0.1, 1e-6), (1.0, 1e-6), (5.221534444530169, 1e-6)):
        scale = dp.binary_search_param(made, d_in=1.0, d_out=budget, T=float)
        assert made(scale).check(1.0, budget)
        assert not made(math.nextafter(scale, 0)).check(1.0, budget)
        if budget[0] > 5:
            assert scale == pytest.approx(1)
    assert not made(1000.0).check(1.0, (10.0, 1e-7))


def test_ten_tenths_of_a_delta_fit() -> None:
    noisy = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*INTEGERS, scale=100))
    tenth = dp.c.make_fix_delta(noisy, delta=1e-7)
    loss = dp.c.make_composition([tenth] * 10).map(1, exact=True)
    assert loss[1] <= Fraction(1, 10**6)
    assert dp.c.make_composition([tenth] * 10).check(1, (loss[0], 1e-6))


@for_each("delta", [1e-9, 1e-8, 1e-7, 1e-6, 0.3, np.float64(0.1)])
def test_a_float_at_which_a_profile_ends_is_reached(delta: Any) -> None:
    """Losses are read up and deltas that are asked for down: here they must meet."""
    pair = own(dp.approximate(dp.max_divergence()), lambda d_in: (1.0, delta))
    step = own(
        dp.smoothed_max_divergence(), lambda d_in: lambda e: 1 if e < 1 else delta
    )
    for profile in (dp.c.make_fixed_approxDP_to_approxDP(pair), step):
        made = dp.c.make_fix_delta(profile, delta)
        epsilon, reached = made.map(1, exact=True)
        assert 1 <= epsilon <= 1 + Fraction(1, 2**50)
        assert reached == pair.map(1, exact=True)[1]
        assert made.check(1, (1.0000001, delta))
        less = dp.c.make_fix_delta(profile, Fraction(delta) / 2)
        assert less.map(1)[0] == math.inf


def test_a_delta_that_is_out_of_reach_stays_as_it_was_read() -> None:
    never = own(dp.smoothed_max_divergence(), lambda d_in: lambda epsilon: 0.5)
    for delta in (1e-8, 1e-6):
        assert dp.c.make_fix_delta(never, delta).map(1) == (math.inf, delta)


def test_deltas_above_one_say_nothing() -> None:
    """Sums of deltas are cut at 1, and a profile of 1 promises nothing."""
    noisy = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*INTEGERS, scale=1))
    much = dp.c.make_fix_delta(noisy, delta="0.7")
    both = dp.c.make_composition([much, much])
    profile = dp.c.make_fixed_approxDP_to_approxDP(both).map(1)
    assert profile.delta(0.5) == profile.delta(100) == 1
    assert (profile.epsilon(0.9), profile.epsilon(1)) == (math.inf, 0)


def test_certificates_find_a_profile_that_is_too_small() -> None:
    """The pair (ln 3, 0) is attained by a coin at every epsilon."""
    coin = dp.m.make_randomized_response_bool(0.75)
    made = dp.c.make_fixed_approxDP_to_approxDP(dp.c.make_approximate(coin))
    less = dp.Measurement(
        made.input_domain,
        made.function,
        made.input_metric,
        made.output_measure,
        lambda d_in: lambda epsilon: made.privacy_map(d_in)(epsilon) * mpq(99, 100),
    )
    for epsilon in (0, "1/2", 1):
        right = verify.privacy(made, True, False, depth=4, epsilon=epsilon)
        assert right.holds
        assert verify.privacy(less, True, False, depth=4, epsilon=epsilon).refuted


def test_both_conversions_one_after_the_other() -> None:
    rho = dp.c.make_pureDP_to_zCDP(laplace(1))
    made = dp.c.make_approximate(rho)
    assert made.output_measure == dp.approximate(dp.zero_concentrated_divergence())
    assert made.map(1) == (rho.map(1), 0.0) == (0.4621171572600098, 0.0)
    assert made.check(1, (0.4622, 0))
    assert not made.check(1, (0.462, 0.5))


def test_explain_names_the_proof_of_what_was_converted() -> None:
    lines = str(dp.c.make_approximate(laplace(1)).explain()).splitlines()
    assert [line.split()[-2] for line in lines] == [
        "proofs/combinators/make_approximate.tex",
        "proofs/measurements/make_laplace.tex",
    ]


def claiming(inner: dp.Measurement, share: mpq) -> dp.Measurement:
    """The conversion with rho = share epsilon^2 in its map."""
    return dp.Measurement(
        inner.input_domain,
        inner.function,
        inner.input_metric,
        dp.zero_concentrated_divergence(),
        lambda d_in: share * inner.privacy_map(d_in) ** 2,
    )


def test_certificates_find_a_rho_that_is_too_small() -> None:
    """Near a fair coin the bound is almost reached, so 0.45 epsilon^2 is refuted."""
    coin = dp.m.make_randomized_response_bool(0.53125)
    pairs = [(True, False, 8), (False, True, 8)]
    for x, x2, depth in pairs:
        right = dp.c.make_pureDP_to_zCDP(coin)
        certificate = verify.privacy(right, x, x2, depth=depth)
        assert certificate.holds
        needed = to_fraction(mpq(certificate.needs_rho))
        assert needed > Fraction(94, 100) * right.map(1, exact=True)
        assert claiming(coin, mpq(1, 2)).map(1) > right.map(1)
        assert verify.privacy(claiming(coin, mpq(9, 20)), x, x2, depth=depth).refuted


def test_a_renyi_curve_becomes_a_profile() -> None:
    asked: list[Any] = []

    def curve(order: Any) -> Any:
        asked.append(order)
        return order / 2

    made = dp.c.make_RDP_to_approxDP(own(RENYI, lambda d_in: curve))
    assert made.output_measure == dp.smoothed_max_divergence()
    profile = made.map(1)
    best = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*INTEGERS, scale=1)).map(1)
    assert {type(order) for order in asked} == {Fraction}
    assert len(asked) == 128
    for delta in (1e-3, 1e-6, 1e-9):
        assert best.epsilon(delta) <= profile.epsilon(delta)
        assert profile.epsilon(delta) <= best.epsilon(delta) * 1.002
    assert (profile.epsilon(0), profile.epsilon(1)) == (math.inf, 0)
    assert len(asked) == 128  # once an order, not once a question
    fixed = dp.c.make_fix_delta(made, 1e-6)
    assert fixed.map(1) == (profile.epsilon(1e-6), 1e-6)


def test_orders_are_the_users_to_choose() -> None:
    made = own(RENYI, lambda d_in: lambda order: order / 2)
    two = dp.c.make_RDP_to_approxDP(made, orders=[2]).map(1)
    # e^(2 - 1)(1 - eps) (1/2)^2
    assert 0.25 <= two.delta(1) <= 0.25 * (1 + 1e-15)
    assert two.epsilon("1/4") == pytest.approx(1, rel=1e-15)
    more = dp.c.make_RDP_to_approxDP(made, orders=np.array([2.0, 5.0])).map(1)
    assert more.delta(1) <= two.delta(1)
    assert more.delta(4) < two.delta(4)


def test_a_renyi_curve_outside_of_a_part() -> None:
    pair = own(dp.approximate(RENYI), lambda d_in: (lambda order: order / 2, 1e-3))
    whole = own(RENYI, lambda d_in: lambda order: order / 2)
    outside, inside = (
        dp.c.make_RDP_to_approxDP(each).map(1, exact=True) for each in (pair, whole)
    )
    rest = Fraction(1, 10**3)
    assert outside.delta(2) == pytest.approx(rest + (1 - rest) * inside.delta(2))
    assert outside.epsilon("1/2000") == math.inf
    assert outside.epsilon("1/100") > inside.epsilon("1/100")


def test_a_curve_that_raises_is_the_maps_error() -> None:
    def curve(order: Any) -> Any:
        if order > 100:
            raise ZeroDivisionError("beyond what is known")
        return order

    made = dp.c.make_RDP_to_approxDP(own(RENYI, lambda d_in: curve))
    with pytest.raises((ZeroDivisionError, dp.OpenDPException), match="beyond what"):
        made.map(1)
    dp.c.make_RDP_to_approxDP(own(RENYI, lambda d_in: curve), [2, 3]).map(1)


def test_pairs_become_pairs_of_the_same_delta() -> None:
    laplace_pair = dp.c.make_approximate(laplace(1))
    made = dp.c.make_pureDP_to_zCDP(laplace_pair)
    assert made.output_measure == dp.approximate(dp.zero_concentrated_divergence())
    rho = dp.c.make_pureDP_to_zCDP(laplace(1)).map(1, exact=True)
    assert made.map(1, exact=True) == (rho, 0)
    profile = dp.c.make_fixed_approxDP_to_approxDP(laplace_pair)
    part = dp.c.make_pureDP_to_zCDP(dp.c.make_fix_delta(profile, "1/10"))
    loss = part.map(1, exact=True)
    assert loss[1] == Fraction(1, 10)
    assert 0 < loss[0] < rho
    # Beside Gaussian noise it now adds up.
    noisy = dp.c.make_approximate(dp.m.make_gaussian(*INTEGERS, scale=1))
    both = dp.c.make_composition([part, noisy]).map(1, exact=True)
    assert both == (loss[0] + Fraction(1, 2), Fraction(1, 10))


def test_a_pair_splits_into_laws_that_are_close() -> None:
    """The laws of part (h) of the lemma, for random pairs of laws on few points."""
    rng = np.random.default_rng(14)
    for _ in range(300):
        p, q = (rng.integers(0, 30, size=4) + 1e-9 for _ in range(2))
        p, q, E = p / p.sum(), q / q.sum(), float(rng.choice([1.0, 1.5, 4.0]))
        d = max(np.maximum(p - E * q, 0).sum(), np.maximum(q - E * p, 0).sum())
        p0, q0 = np.minimum(p, E * q), np.minimum(q, E * p)
        if p0.sum() < q0.sum():
            p0, q0 = q0, p0
            p, q = q, p
        least = np.minimum(p0, q0)
        m = q0.sum()
        gap = p0.sum() - least.sum()
        share = (m - least.sum()) / gap if gap > 0 else 0
        p1 = share * p0 + (1 - share) * least
        assert -1e-12 <= share <= 1 + 1e-12
        assert m >= 1 - d - 1e-12
        assert abs(p1.sum() - m) < 1e-12
        assert (p1 <= E * q0 + 1e-12).all()
        assert (q0 <= E * p1 + 1e-12).all()
        assert (p1 <= p + 1e-12).all()


def test_gaussian_noise_is_searched_for_as_the_docstring_says() -> None:
    def noisy(scale: float) -> dp.Measurement:
        zCDP = dp.m.make_gaussian(*INTEGERS, scale)
        return dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(zCDP), delta=1e-6)

    chain = dp.binary_search_chain(noisy, d_in=1, d_out=(1.0, 1e-6))
    scale = dp.binary_search_param(noisy, d_in=1, d_out=(1.0, 1e-6))
    assert chain.map(1) == noisy(scale).map(1) == (1.0, 1e-6)
    assert chain.scale == scale == pytest.approx(4.53, abs=0.01)
    assert chain.accuracy(0.05) == dp.m.make_gaussian(*INTEGERS, scale).accuracy(0.05)
    # A delta that the chain does not reach cannot be searched for.
    with pytest.raises(dp.OpenDPException):
        dp.binary_search_chain(noisy, d_in=1, d_out=(1.0, 1e-7))
