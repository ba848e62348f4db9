"""Proofs by SymPy of the checked steps about conversions between measures."""

from __future__ import annotations

import sympy as sp


def two_point_moment() -> None:
    """The moment of the law on the two ends is a quotient of hyperbolic cosines.

    In r = e^(epsilon/2) > 1 and s = e^(alpha epsilon) every term is rational.
    """
    r, s = sp.symbols("r s", positive=True)
    span = r**2 - r**-2
    moment = (r**2 - 1) / span / s + (1 - r**-2) / span * s
    # cosh((alpha - 1/2) epsilon) and cosh(epsilon / 2)
    above, below = (s / r + r / s) / 2, (r + 1 / r) / 2
    assert sp.simplify(moment - above / below) == 0


def log_cosh_growth() -> None:
    """u^2/2 - ln cosh u has the derivative u - tanh u, and that tanh(u)^2."""
    u = sp.symbols("u", nonnegative=True)
    slope = u - sp.tanh(u)
    g = u**2 / 2 - sp.log(sp.cosh(u))
    assert sp.simplify((sp.diff(g, u) - slope).rewrite(sp.exp)) == 0
    assert slope.subs(u, 0) == 0
    assert sp.simplify(sp.diff(slope, u) - sp.tanh(u) ** 2) == 0
    assert (sp.tanh(u) ** 2).is_nonnegative


def difference_of_squares() -> None:
    """((alpha - 1/2)^2 - 1/4) epsilon^2 / 2 is alpha (alpha - 1) epsilon^2 / 2."""
    alpha, epsilon = sp.symbols("alpha epsilon", positive=True)
    half = sp.Rational(1, 2)
    left = half * (alpha - half) ** 2 * epsilon**2 - half * (half * epsilon) ** 2
    assert sp.expand(left - half * alpha * (alpha - 1) * epsilon**2) == 0
