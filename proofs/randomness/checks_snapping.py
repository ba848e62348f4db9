"""Exact checks of the bounds in the proofs of the sampler of the snapping mechanism."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp


def _two(exponent: int) -> Fraction:
    return Fraction(2) ** exponent


def log_series() -> None:
    """x - x^2/2 <= ln(1 + x) <= x - x^2/2 + x^3/3 for x >= 0.

    Both differences are 0 at 0 and have derivatives that are not negative.
    """
    x = sp.symbols("x", nonnegative=True)
    lower = sp.log(1 + x) - x + x**2 / 2
    upper = x - x**2 / 2 + x**3 / 3 - sp.log(1 + x)
    for difference, slope in ((lower, x**2 / (1 + x)), (upper, x**3 / (1 + x))):
        assert difference.subs(x, 0) == 0
        assert sp.simplify(sp.diff(difference, x) - slope) == 0
        assert slope.is_nonnegative


def quick_budget() -> None:
    """The errors of the quick exponential are at most 0.7 2^42 units."""
    bracket = _two(-21) / 3 + _two(-39) + _two(-64)
    allowed = Fraction(7, 10) * _two(42)
    assert 1 + _two(64) * bracket <= allowed
    assert allowed >= 32 + 1
    # What is left of the slack is enough for noise that is only close.
    assert Fraction(7, 10) * _two(-22) + _two(-95) < _two(-22)


def bulk_noise_budget() -> None:
    """The noise of a lane, in steps, is off by at most 2^-38."""
    logarithm = _two(-40) + _two(-40) + _two(-52) + _two(-100) * 18
    product = 17 * (2 * _two(-53) + _two(-106))
    assert logarithm + product + _two(-1000) <= _two(-38)
    # ln(1 + d) for |d| <= 2^-53 is at most 2^-52 in size.
    assert _two(-53) / (1 - _two(-53)) <= _two(-52)


def bulk_place_budget() -> None:
    """With N steps, the place of a lane is off by at most 2^-49 N + 2^-37."""
    # Of the clamp, the middle, and their difference, in units of the bound H.
    offset = _two(-52) + _two(-53) + _two(-52) * (1 + _two(-51))
    assert offset <= _two(-50)
    # The sum of the offset and the noise, below 2N + 1 and 17, is rounded.
    assert _two(-50) + 2 * _two(-53) <= _two(-49)
    rest = _two(-38) + _two(-170) + 18 * _two(-53)
    assert rest <= _two(-37)
    # Twice 2^-37 and a rounded difference remain below the slack.
    assert 2 * _two(-37) + _two(-54) < _two(-35)
    assert _two(-49) < _two(-48)
    # The slack is below 1/2 for N <= 2^44.
    assert _two(-35) + _two(-48) * _two(44) + _two(-50) < Fraction(1, 2)
    # An enclosure of 63 bits that begin at 2^40 is narrower than 2^-37.
    assert _two(-40) + 3 * _two(-95) + _two(-38) <= _two(-37)
