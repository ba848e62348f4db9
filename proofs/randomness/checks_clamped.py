"""Proofs by SymPy of the steps of algebra in the proof of the clamped sampler."""

from __future__ import annotations

import sympy as sp


def boundary_cells() -> None:
    """(w + 1)(1 - 1/w - t) >= w - 1 - (w + 1) t for w >= 1, the difference 1 - 1/w."""
    excess = sp.symbols("e", nonnegative=True)
    t = sp.symbols("t", real=True)
    w = 1 + excess
    difference = (w + 1) * (1 - 1 / w - t) - (w - 1 - (w + 1) * t)
    assert sp.simplify(difference - (1 - 1 / w)) == 0
    assert sp.factor(1 - 1 / w).is_nonnegative


def exponential_below_line() -> None:
    """e^t <= 1 + 2t for 0 <= t <= 1: e^t is convex, and it holds at both ends."""
    t = sp.symbols("t", real=True)
    assert sp.diff(sp.exp(t), t, 2).is_positive
    assert sp.exp(0) == 1
    assert (3 - sp.E).is_positive
