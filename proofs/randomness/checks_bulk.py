"""Exact checks of the bounds on floating-point errors in the proofs of bulk draws."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp


def _two(exponent: int) -> Fraction:
    return Fraction(2) ** exponent


def exp_near_one() -> None:
    """|e^t - 1| <= |t| + t^2 for |t| <= 1.

    For t >= 0 let g = t + t^2 - e^t + 1. g' is 0 at 0, positive at 1 and concave, so it
    is not negative between, and g grows from g(0) = 0. For t = -r, r >= 0, the
    difference r + r^2 - 1 + e^(-r) is 0 at 0 and has the derivative
    1 + 2r - e^(-r), which is 0 at 0 and grows.
    """
    t = sp.symbols("t", nonnegative=True)
    g = t + t**2 - sp.exp(t) + 1
    slope = sp.diff(g, t)
    assert g.subs(t, 0) == 0
    assert slope.subs(t, 0) == 0
    assert slope.subs(t, 1).is_positive
    assert sp.diff(slope, t, 2).is_negative
    h = t + t**2 - 1 + sp.exp(-t)
    slope = sp.diff(h, t)
    assert h.subs(t, 0) == 0
    assert slope.subs(t, 0) == 0
    assert sp.diff(slope, t).is_positive


def exp_budget() -> None:
    """The errors of the loss and of numpy's exp are below 2^-37 p + 2^-999."""
    t = _two(-48) * (1 + _two(10))
    assert t < Fraction(101, 100) * _two(-38)
    assert t + t * t <= Fraction(102, 100) * _two(-38)
    factor = Fraction(128, 100) * _two(-38)
    assert Fraction(102, 100) * _two(-38) + _two(-40) <= factor
    inverse = Fraction(1001, 1000)
    assert 1 / (1 - _two(-40)) <= inverse
    # factor * inverse * (p + 2^-1000) + 2^-1000 <= 2^-37 p + 2^-999, for all p >= 0.
    assert factor * inverse <= _two(-37)
    assert factor * inverse * _two(-1000) + _two(-1000) <= _two(-999)
    # p <= e + 2^-40 e + 2^-1000 with e <= 1.
    assert 1 + _two(-40) + _two(-1000) <= 1 + _two(-39)


def slack_budget() -> None:
    """The slack is at least 2^-37 p + 2^-50 - 2^-102, and leaves room on both sides."""
    kept = 1 - _two(-53)
    assert kept * _two(-36) >= _two(-37)
    assert kept * (_two(-50) - _two(-1022)) >= _two(-50) - _two(-102)
    most = 1 + _two(-39)
    assert (1 + _two(-53)) * ((1 + _two(-53)) * _two(-36) * most + _two(-50)) <= _two(
        -35
    )
    assert most + _two(-35) < 2
    assert _two(-53) + _two(-64) < _two(-52)
    assert -_two(-50) + _two(-102) + 2 * _two(-52) + _two(-999) < 0


def loss_budget() -> None:
    """Four roundings, and a place that is known to 2^-64."""
    assert (1 + _two(-53)) ** 4 - 1 <= _two(-50)
    assert 1 - (1 - _two(-53)) ** 4 <= _two(-50)
    assert (1 + _two(-53)) ** 2 - 1 <= _two(-51)
    assert 1 - (1 - _two(-53)) ** 2 <= _two(-51)
    shift = _two(-64) * 2 * (_two(14) + 1)
    bound = Fraction(101, 100)
    assert 1 / (1 - _two(-50)) <= bound
    assert (1 / (1 - _two(-51))) <= bound
    # shift < 2^-48.9, as tenth powers.
    assert shift**10 < _two(-489)
    # 2^-50 L + 2^-51 L' + shift, with L <= 1.01 x and L' <= 1.01 (L + 2^-48).
    of_x = _two(-50) * bound + _two(-51) * bound * bound
    assert of_x <= _two(-49)
    assert _two(-51) * bound * _two(-48) <= _two(-97)
    # 2^-97 + 2^-48.9 <= 2^-48, as tenth powers.
    assert _two(-489) <= (_two(-48) - _two(-97)) ** 10


def halves_of_a_product() -> None:
    """(h n + c) stays below 2^64 for h, n, c < 2^32."""
    most = 2**32 - 1
    assert most * most + most < 2**64
