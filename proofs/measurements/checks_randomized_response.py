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


def response_categories() -> None:
    """p - 1/k = (k p - 1)/k and 1/k - q = (k p - 1)/(k (k - 1)), q = (1 - p)/(k - 1).

    Also p/q = p (k - 1)/(1 - p). The factors k and k - 1 are positive for k >= 2.
    """
    p = sp.symbols("p", positive=True)
    k = sp.symbols("k", integer=True, positive=True)
    q = (1 - p) / (k - 1)
    assert sp.simplify(p - 1 / k - (k * p - 1) / k) == 0
    assert sp.simplify(1 / k - q - (k * p - 1) / (k * (k - 1))) == 0
    assert sp.simplify(p / q - p * (k - 1) / (1 - p)) == 0


def response_any() -> None:
    """With s = (k p - 1)/(k - 1): s + (1 - s)/k = p and (1 - s)/k = (1 - p)/(k - 1).

    Also 1 - s = k (1 - p)/(k - 1), so that s <= 1 for p <= 1.
    """
    p = sp.symbols("p", positive=True)
    k = sp.symbols("k", integer=True, positive=True)
    s = (k * p - 1) / (k - 1)
    assert sp.simplify(s + (1 - s) / k - p) == 0
    assert sp.simplify((1 - s) / k - (1 - p) / (k - 1)) == 0
    assert sp.simplify(1 - s - k * (1 - p) / (k - 1)) == 0


def response_flips() -> None:
    """(1 - f/2)/(f/2) = (2 - f)/f, which is 1 + 2 (1 - f)/f, at least 1 for 0 < f <= 1.

    f = 1/(1 + u) runs over (0, 1] as u runs over [0, oo).
    """
    f = sp.symbols("f", positive=True)
    u = sp.symbols("u", nonnegative=True)
    odds = (1 - f / 2) / (f / 2)
    assert sp.simplify(odds - (2 - f) / f) == 0
    assert sp.simplify(odds - 1 - 2 * (1 - f) / f) == 0
    assert sp.simplify((2 * (1 - f) / f).subs(f, 1 / (1 + u))).is_nonnegative


def response_gap() -> None:
    """p - q = 1 - k q = (k p - 1)/(k - 1) and 1/k - q = (p - q)/k, q = (1-p)/(k-1)."""
    p = sp.symbols("p", positive=True)
    k = sp.symbols("k", integer=True, positive=True)
    q = (1 - p) / (k - 1)
    assert sp.simplify(p - q - (k * p - 1) / (k - 1)) == 0
    assert sp.simplify(1 - k * q - (p - q)) == 0
    assert sp.simplify(1 / k - q - (p - q) / k) == 0


def response_variance() -> None:
    """The numerator of the variance is p q at t = 0 and (1 - p)(1 - q) at t = 1.

    It is linear in t.
    """
    p, q, t = sp.symbols("p q t", real=True)
    numerator = q * (1 - q) + (t - q) * (1 - p - q)
    assert sp.degree(sp.expand(numerator), t) == 1
    assert sp.expand(numerator.subs(t, 0) - p * q) == 0
    assert sp.expand(numerator.subs(t, 1) - (1 - p) * (1 - q)) == 0


def response_moments() -> None:
    """s p (1-p) + (1-s) q (1-q) = q (1-q) + s (p-q)(1-p-q)."""
    p, q, s = sp.symbols("p q s", real=True)
    left = s * p * (1 - p) + (1 - s) * q * (1 - q)
    assert sp.expand(left - q * (1 - q) - s * (p - q) * (1 - p - q)) == 0


def response_bits() -> None:
    """(t (1 - f/2) + (n - t) f/2 - n f/2)/(1 - f) = t."""
    f, n, t = sp.symbols("f n t", real=True)
    mean = t * (1 - f / 2) + (n - t) * f / 2
    assert sp.expand(mean - n * f / 2 - t * (1 - f)) == 0
