"""Conversions between measures: the same release, another way to count its loss."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import opendp.prelude as oracle
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.exact.rationals import to_fraction

INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
SCALES = [0.0, 0.1, 0.3, 1.0, 2.0, 7.0, 1e6]


def laplace(scale: Any) -> dp.Measurement:
    return dp.m.make_laplace(*INTEGERS, scale=scale)


@pytest.mark.parametrize("name", ["make_approximate", "make_pureDP_to_zCDP"])
def test_nothing_but_measure_and_map_changes(name: str) -> None:
    for inner in (laplace(2), dp.m.make_laplace(*FLOATS, scale=1), laplace(1) >> abs):
        made = getattr(dp.c, name)(inner)
        assert made.function is inner.function
        assert made.input_space == inner.input_space
        assert made.covers_rationals is inner.covers_rationals
        assert made.output_measure != inner.output_measure


@pytest.mark.parametrize("scale", SCALES)
def test_rho_is_half_the_square_of_epsilon(scale: float) -> None:
    made = dp.c.make_pureDP_to_zCDP(laplace(scale))
    assert made.output_measure == dp.zero_concentrated_divergence()
    for d_in in (0, 1, 5, math.inf):
        epsilon = laplace(scale).map(d_in, exact=True)
        rho = math.inf if epsilon == math.inf else Fraction(epsilon) ** 2 / 2
        assert made.map(d_in, exact=True) == rho
        assert made.check(d_in, rho)


@pytest.mark.parametrize("scale", SCALES[1:])  # OpenDP fails on an infinite loss
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
        # OpenDP rounds every operation up: three of them here.
        assert ours[0].map(d_in) >= theirs[0].map(d_in) * (1 - 2**-50)
        assert ours[1].map(d_in)[0] <= theirs[1].map(d_in)[0]
        assert ours[1].map(d_in)[1] == theirs[1].map(d_in)[1] == 0


def test_both_conversions_one_after_the_other() -> None:
    made = dp.c.make_approximate(dp.c.make_pureDP_to_zCDP(laplace(1)))
    assert made.output_measure == dp.approximate(dp.zero_concentrated_divergence())
    assert made.map(1) == (0.5, 0.0)
    assert made.check(1, (0.5, 0))
    assert not made.check(1, (0.499, 0.5))


def test_explain_names_the_proof_of_what_was_converted() -> None:
    lines = dp.c.make_approximate(laplace(1)).explain().splitlines()
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
        assert claiming(coin, mpq(1, 2)).map(1) == right.map(1)
        assert verify.privacy(claiming(coin, mpq(9, 20)), x, x2, depth=depth).refuted
