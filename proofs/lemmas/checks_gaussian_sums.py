"""Proofs by SymPy of the checked steps about sums of Gaussian terms."""

from __future__ import annotations

import sympy as sp


def sums_ln_two() -> None:
    """ln 2 < 7/10, that is 2 < e^(7/10): the first four terms of the series suffice."""
    x = sp.Rational(7, 10)
    assert sum(x**k / sp.factorial(k) for k in range(4)) > 2


def sums_mills() -> None:
    """The derivative of -v/(v^2+1) e^(-v^2/2), and 1 - 2/(v^2+1)^2 <= 1."""
    v = sp.symbols("v", positive=True)
    weight = sp.exp(-(v**2) / 2)
    derivative = sp.diff(-v / (v**2 + 1) * weight, v)
    factor = 1 - 2 / (v**2 + 1) ** 2
    assert sp.simplify(derivative - factor * weight) == 0
    assert (1 - factor).is_positive


def sums_root_pi() -> None:
    """sqrt(pi/2) < 1.26, that is pi < 2 * 1.26^2, since pi < 22/7."""
    # 22/7 - pi is the integral of x^4 (1-x)^4 / (1+x^2) over [0, 1], which is positive.
    x = sp.symbols("x", nonnegative=True)
    integrand = x**4 * (1 - x) ** 4 / (1 + x**2)
    assert (
        sp.simplify(sp.integrate(integrand, (x, 0, 1)) - (sp.Rational(22, 7) - sp.pi))
        == 0
    )
    assert sp.Rational(22, 7) < 2 * sp.Rational(126, 100) ** 2
