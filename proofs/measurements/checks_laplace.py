"""Proofs by SymPy of the checked steps about Laplace noise."""

from __future__ import annotations

import sympy as sp


def nearest_multiple() -> None:
    """(2 n + d)/(2 d) = n/d + 1/2 for integers n and d > 0."""
    n = sp.symbols("n", integer=True)
    d = sp.symbols("d", integer=True, positive=True)
    assert sp.simplify((2 * n + d) / (2 * d) - (n / d + sp.Rational(1, 2))) == 0
