"""Proofs by SymPy of the steps about the sparse vector technique."""

from __future__ import annotations

import sympy as sp


def bulk_powers() -> None:
    """1 <= c <= (1.2501/16)(17 t + 1) implies t >= 0.694 and c ln 2 <= t."""
    t = sp.symbols("t", positive=True)
    factor = sp.Rational(12501, 10000) / 16
    least = sp.solve(sp.Eq(factor * (17 * t + 1), 1), t)[0]
    assert least >= sp.Rational(694, 1000)
    slope = factor * (17 + 1 / sp.Rational(694, 1000))
    assert slope <= sp.Rational(1441, 1000)
    # ln 2 < 1/1.4426 as e^(1/1.4426) > 2, already for a part of the series.
    x = 1 / sp.Rational(14426, 10000)
    assert sum(x**j / sp.factorial(j) for j in range(12)) > 2
    assert sp.Rational(1441, 1000) < sp.Rational(14426, 10000)
