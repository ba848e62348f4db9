"""Proofs by SymPy of the steps of algebra that the samplers' proofs mark as checked."""

from __future__ import annotations

import sympy as sp


def _is_zero(expression: sp.Expr) -> None:
    """Assert that an expression is 0 for all values of its symbols."""
    assert sp.simplify(expression) == 0, f"{expression} is not shown to be 0"


def _increases_from_zero(function: sp.Expr, t: sp.Symbol) -> None:
    """Assert that a function of t >= 0 is 0 at 0 and has a derivative >= 0."""
    assert t.is_nonnegative
    assert function.subs(t, 0) == 0
    derivative = sp.factor(sp.diff(function, t))
    assert derivative.is_nonnegative, f"the sign of {derivative} is not known"


def log_below_line() -> None:
    """ln(1 + t) <= t for t >= 0: the difference is 0 at 0 and does not decrease."""
    t = sp.symbols("t", nonnegative=True)
    _increases_from_zero(t - sp.log(1 + t), t)


def log_above_line() -> None:
    """-ln v >= 1 - v for 0 < v <= 1: with v = 1/(1 + t), t >= 0 runs over all v.

    Then -ln v = ln(1 + t) and 1 - v = t/(1 + t).
    """
    t = sp.symbols("t", nonnegative=True)
    v = 1 / (1 + t)
    _is_zero(1 - v - t / (1 + t))
    _is_zero(sp.exp(sp.log(1 + t)) * v - 1)
    _increases_from_zero(sp.log(1 + t) - t / (1 + t), t)


def split_width() -> None:
    """1/(1 + a) - 1/(1 + b) = (b - a)/((1 + a)(1 + b)) <= b - a for 0 <= a <= b."""
    a, width = sp.symbols("a d", nonnegative=True)
    b = a + width
    difference = 1 / (1 + a) - 1 / (1 + b)
    _is_zero(difference - (b - a) / ((1 + a) * (1 + b)))
    rest = sp.factor(width - difference)
    numerator, denominator = sp.fraction(rest)
    assert sp.expand(numerator).is_nonnegative
    assert sp.expand(denominator).is_positive


def two_sided_cells() -> None:
    """(q^k - q^(k+1))/(1 + q) = (1 - q)/(1 + q) q^k, for k >= 0."""
    q = sp.symbols("q", positive=True)
    k = sp.symbols("k", nonnegative=True)
    _is_zero((q**k - q ** (k + 1)) / (1 + q) - (1 - q) / (1 + q) * q**k)
