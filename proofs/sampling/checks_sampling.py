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


def gaussian_exponent() -> None:
    """a/t + (a - s^2/t)^2/(2 s^2) = a^2/(2 s^2) + s^2/(2 t^2)."""
    a, s, t = sp.symbols("a s t", positive=True)
    left = a / t + (a - s**2 / t) ** 2 / (2 * s**2)
    _is_zero(left - a**2 / (2 * s**2) - s**2 / (2 * t**2))


def laplace_factor() -> None:
    """(1 - q)/(1 + q) = tanh(1/(2 t)) for q = e^(-1/t), and tanh is concave on t >= 0.

    The second derivative is -2 tanh (1 - tanh^2), and 0 <= tanh < 1 there.
    """
    t = sp.symbols("t", positive=True)
    q = sp.exp(-1 / t)
    _is_zero(((1 - q) / (1 + q) - sp.tanh(1 / (2 * t))).rewrite(sp.exp))
    curvature = sp.diff(sp.tanh(t), t, 2)
    _is_zero(curvature + 2 * sp.tanh(t) * (1 - sp.tanh(t) ** 2))


def acceptance_bound() -> None:
    """e^-1 tanh(1/2) > 1/6, in rational arithmetic with enclosures of e.

    tanh(1/2) = (e - 1)/(e + 1), so the claim is 6 (e - 1) > e (e + 1), that is
    e^2 - 5 e + 6 < 0, that is (e - 2)(e - 3) < 0: it is 2 < e < 3.
    """
    e = sp.symbols("e", positive=True)
    _is_zero(e * (e + 1) - 6 * (e - 1) - (e - 2) * (e - 3))
    _is_zero((sp.tanh(sp.Rational(1, 2)) - (sp.E - 1) / (sp.E + 1)).rewrite(sp.exp))
    partial = sum(sp.Rational(1, sp.factorial(k)) for k in range(4))
    # The rest of the series of e is below 1/18, the geometric series of ratio 1/4.
    assert partial > 2
    assert partial + sp.Rational(1, 18) < 3


def normal_tangents() -> None:
    """With F = erfc and g = -F': F'' = 2 y g, g' = -2 y g, (g/2)' = -y g, and
    (g/F)' = g (g - 2 y F)/F^2.
    """
    y = sp.symbols("y", nonnegative=True)
    tail = sp.erfc(y)
    g = 2 / sp.sqrt(sp.pi) * sp.exp(-(y**2))
    _is_zero(sp.diff(tail, y) + g)
    _is_zero(sp.diff(tail, y, 2) - 2 * y * g)
    _is_zero(sp.diff(g, y) + 2 * y * g)
    _is_zero(sp.diff(g / tail, y) - g * (g - 2 * y * tail) / tail**2)


def normal_mills() -> None:
    """(g/(2y + 2))' >= -g: the sum of both is g (4 y + 2)/(2 y + 2)^2 >= 0."""
    y = sp.symbols("y", nonnegative=True)
    g = 2 / sp.sqrt(sp.pi) * sp.exp(-(y**2))
    excess = sp.diff(g / (2 * y + 2), y) + g
    _is_zero(excess - g * (4 * y + 2) / (2 * y + 2) ** 2)
    assert (g * (4 * y + 2) / (2 * y + 2) ** 2).is_nonnegative
