"""Proofs by SymPy of the checked steps about randomized response."""

from __future__ import annotations

import sympy as sp


def response_odds() -> None:
    """(1 - p)/p <= 1 <= p/(1 - p) for 1/2 <= p < 1.

    p = (1 + u)/(2 + u) runs over [1/2, 1) as u runs over [0, oo): u = (2 p - 1)/(1 - p)
    is its inverse, and not negative there.
    """
    u = sp.symbols("u", nonnegative=True)
    p = (1 + u) / (2 + u)
    share = sp.symbols("p", positive=True)
    assert sp.simplify(p.subs(u, (2 * share - 1) / (1 - share)) - share) == 0
    odds = sp.simplify(p / (1 - p))
    assert sp.expand(odds - 1) == u
    assert u.is_nonnegative
    assert sp.simplify(1 - 1 / odds).is_nonnegative
