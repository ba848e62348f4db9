"""Proofs by SymPy of the checked steps about conversions between measures."""

from __future__ import annotations

import sympy as sp


def two_point_moment() -> None:
    """The moment of the law on the two ends is a quotient of hyperbolic cosines.

    In r = e^(epsilon/2) > 1 and s = e^(alpha epsilon) every term is rational.
    """
    r, s = sp.symbols("r s", positive=True)
    span = r**2 - r**-2
    moment = (r**2 - 1) / span / s + (1 - r**-2) / span * s
    # cosh((alpha - 1/2) epsilon) and cosh(epsilon / 2)
    above, below = (s / r + r / s) / 2, (r + 1 / r) / 2
    assert sp.simplify(moment - above / below) == 0


def tanh_quotient() -> None:
    """tanh(v)/v has the derivative (2v - sinh 2v)/(2 v^2 cosh(v)^2), which is <= 0."""
    v = sp.symbols("v", positive=True)
    slope = (2 * v - sp.sinh(2 * v)) / (2 * v**2 * sp.cosh(v) ** 2)
    difference = sp.diff(sp.tanh(v) / v, v) - slope
    assert sp.simplify(difference.rewrite(sp.exp)) == 0
    assert sp.limit(sp.tanh(v) / v, v, 0) == 1
    # sinh w - w is 0 at 0, and its derivative is 2 sinh(w/2)^2.
    gap = sp.sinh(v) - v
    assert gap.subs(v, 0) == 0
    square = 2 * sp.sinh(v / 2) ** 2
    assert sp.simplify((sp.diff(gap, v) - square).rewrite(sp.exp)) == 0


def log_cosh_slope() -> None:
    """The derivative of ln cosh(u eps) - (u^2 - 1/4) eps tanh(eps/2) in u."""
    u, epsilon = sp.symbols("u epsilon", positive=True)
    rate = sp.tanh(epsilon / 2)
    h = sp.log(sp.cosh(u * epsilon)) - (u**2 - sp.Rational(1, 4)) * epsilon * rate
    slope = 2 * u * epsilon * (sp.tanh(u * epsilon) / (2 * u) - rate)
    assert sp.simplify((sp.diff(h, u) - slope).rewrite(sp.exp)) == 0
    half = sp.Rational(1, 2)
    assert sp.simplify(h.subs(u, half) - sp.log(sp.cosh(epsilon / 2))) == 0


def order_product() -> None:
    """(alpha - 1/2)^2 - 1/4 is alpha (alpha - 1)."""
    alpha = sp.symbols("alpha")
    half = sp.Rational(1, 2)
    assert sp.expand((alpha - half) ** 2 - half**2 - alpha * (alpha - 1)) == 0


def tanh_part() -> None:
    """tanh(eps/2) is t/(2 - t) with t = 1 - e^(-eps), which increases in t."""
    epsilon, t = sp.symbols("epsilon t", real=True)
    part = 1 - sp.exp(-epsilon)
    value = sp.tanh(epsilon / 2).rewrite(sp.exp)
    assert sp.simplify(value - part / (2 - part)) == 0
    assert sp.simplify(sp.diff(t / (2 - t), t) - 2 / (2 - t) ** 2) == 0


def best_ratio() -> None:
    """(t0 - c) t0^(-a) at t0 = a c / (a - 1) is c^(1-a) (1 - 1/a)^a / (a - 1)."""
    c, b = sp.symbols("c b", positive=True)
    a = 1 + b
    t0 = a * c / b
    assert sp.simplify(1 / (t0 - c) - a / t0) == 0
    t = sp.symbols("t", positive=True)
    # The sign of 1/(t - c) - a/t, for t > c, is that of t0 - t.
    numerator = sp.simplify((1 / (t - c) - a / t) * t * (t - c))
    assert sp.simplify(numerator - b * (t0 - t)) == 0
    left = sp.log(t0 - c) - a * sp.log(t0)
    right = (1 - a) * sp.log(c) + a * sp.log(b / a) - sp.log(b)
    assert sp.simplify(sp.expand_log(left - right, force=True).simplify()) == 0


def order_shift() -> None:
    """With alpha = 1 + b, (1 - 1/alpha)^alpha is (1 + 1/b)^(-(b + 1))."""
    b = sp.symbols("b", positive=True)
    assert sp.simplify((1 - 1 / (1 + b)) * (1 + 1 / b) - 1) == 0


def order_solved() -> None:
    """The least epsilon at which D is delta, by the logarithm of D."""
    b, loss, epsilon, delta = sp.symbols("b e epsilon delta", positive=True)
    logarithm = b * (loss - epsilon) - (b + 1) * sp.log(1 + 1 / b) - sp.log(b)
    (solved,) = sp.solve(logarithm - sp.log(delta), epsilon)
    stated = loss - sp.log(1 + 1 / b) - sp.log(delta * (b + 1)) / b
    difference = sp.expand_log(sp.expand_log(solved - stated, force=True), force=True)
    together = difference.subs(sp.log(1 + 1 / b), sp.log(b + 1) - sp.log(b))
    assert sp.simplify(together) == 0


def pair_corner() -> None:
    """The weighted sum of the two inequalities of a pair (e, d)."""
    big, x, d, q = sp.symbols("E x d q", positive=True)
    weight = (x * big - 1) / (big**2 - 1)
    assert sp.simplify(weight * big + (1 - weight) / big - x) == 0
    total = weight * (big * q + d) + (1 - weight) * (1 - (1 - d - q) / big)
    assert sp.simplify(total - x * q - d - (1 - d) * (big - x) / (big + 1)) == 0
    # The weight lies between 0 and 1, as 1 <= x <= E.
    assert sp.factor(1 - weight - big * (big - x) / (big**2 - 1)) == 0
