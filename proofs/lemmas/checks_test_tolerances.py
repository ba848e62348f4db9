"""Proofs by SymPy of the checked steps about tolerances of tests."""

from __future__ import annotations

import sympy as sp


def test_tolerance_mean_inequality() -> None:
    """2 sqrt(q) <= 1 + q, the difference being a square."""
    root = sp.symbols("r", positive=True)
    assert sp.expand(1 + root**2 - 2 * root - (1 - root) ** 2) == 0


def test_tolerance_convex() -> None:
    """The second derivative of e^(-y^2/(2 s^2)) is (y^2 - s^2)/s^4 times it."""
    s, y, above = sp.symbols("s y d", positive=True)
    g = sp.exp(-(y**2) / (2 * s**2))
    second = sp.diff(g, y, 2)
    assert sp.simplify(second - g * (y**2 - s**2) / s**4) == 0
    assert sp.expand((y**2 - s**2).subs(y, s + above)).is_positive
