"""Exact checks of the algebra in the lemmas about the snapping mechanism."""

from __future__ import annotations

import sympy as sp


def log_laplace_concave() -> None:
    """F'/F is 1 below 0, and 1/(2e^y - 1) above, which is 1 at 0 and decreases."""
    y = sp.symbols("y", real=True)
    below = sp.exp(y) / 2
    assert sp.simplify(sp.diff(below, y) / below) == 1
    p = sp.symbols("p", positive=True)
    above = 1 - sp.exp(-p) / 2
    slope = sp.diff(above, p) / above
    assert sp.simplify(slope - 1 / (2 * sp.exp(p) - 1)) == 0
    # With t = e^p - 1 > 0 the slope is 1/(1 + 2t): positive, below 1, decreasing.
    t = sp.symbols("t", positive=True)
    in_t = sp.simplify((1 / (2 * sp.exp(p) - 1)).subs(p, sp.log(1 + t)))
    assert sp.simplify(in_t - 1 / (1 + 2 * t)) == 0
    assert sp.diff(1 / (1 + 2 * t), t).is_negative
    assert (1 / (1 + 2 * t)).subs(t, 0) == 1


def snapping_loss_below() -> None:
    """2 - e^-x < e^x for x > 0: with t = e^x - 1 > 0, e^x + e^-x - 2 = t^2/(1 + t)."""
    t = sp.symbols("t", positive=True)
    difference = (1 + t) + 1 / (1 + t) - 2
    assert sp.simplify(difference - t**2 / (1 + t)) == 0
    assert (t**2 / (1 + t)).is_positive
