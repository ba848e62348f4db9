"""Proofs by SymPy of the checked steps about accuracies."""

from __future__ import annotations

import sympy as sp


def accuracy_discrete_tail() -> None:
    """P(|Z| >= n) = 2 q^n / (1 + q), from the mass (1-q)/(1+q) q^|z|."""
    q, n = sp.symbols("q n", positive=True)
    mass = (1 - q) / (1 + q)
    # The sum of q^z over z >= n is q^n / (1 - q), for 0 < q < 1.
    geometric = q**n / (1 - q)
    assert sp.simplify(geometric - q**n - geometric.subs(n, n + 1)) == 0
    assert sp.simplify(mass * 2 * geometric - 2 * q**n / (1 + q)) == 0
    assert sp.simplify(mass * (1 + 2 * geometric.subs(n, 1)) - 1) == 0


def accuracy_concave() -> None:
    """h(t) = -ln((1 + e^-t)/2) has h(0) = 0, h' > 0 and h'' < 0."""
    t = sp.symbols("t", positive=True)
    h = -sp.log((1 + sp.exp(-t)) / 2)
    assert h.subs(t, 0) == 0
    first = sp.diff(h, t)
    assert sp.simplify(first - 1 / (1 + sp.exp(t))) == 0
    second = sp.diff(1 / (1 + sp.exp(t)), t)
    assert second.is_negative
    ratio = (sp.symbols("L", nonnegative=True) + h) / t
    numerator = t * first - h - sp.symbols("L", nonnegative=True)
    assert sp.simplify(sp.diff(ratio, t) - numerator / t**2) == 0
