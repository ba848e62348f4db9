"""Proofs by SymPy of the steps of algebra that the lemmas mark as checked."""

from __future__ import annotations

import sympy as sp


def _is_zero(expression: sp.Expr) -> None:
    """Assert that an expression is 0 for all values of its symbols."""
    assert sp.simplify(expression) == 0, f"{expression} is not shown to be 0"


def geometric_sum() -> None:
    """The sum of e^(i eps) over i < k: by induction on k, and k at eps = 0."""
    k, eps = sp.symbols("k epsilon", positive=True)
    ratio = sp.exp(eps)

    def closed(count: sp.Expr) -> sp.Expr:
        return (ratio**count - 1) / (ratio - 1)

    _is_zero(closed(sp.Integer(0)))
    _is_zero(closed(k + 1) - closed(k) - sp.exp(k * eps))
    # At eps = 0 each of the k terms is 1, and the closed form has that limit.
    assert sp.limit(closed(k), eps, 0) == k


def concentrated_triangle() -> None:
    """The choice of s turns the bound into (sqrt(rho1) + sqrt(rho2))^2 alpha."""
    order_above_1, root1, root2 = sp.symbols("a r1 r2", positive=True)
    alpha = 1 + order_above_1
    rho1, rho2 = root1**2, root2**2
    beta = root2 / root1
    s = 1 + beta * (alpha - 1) / alpha
    t = s / (s - 1)
    _is_zero(1 / s + 1 / t - 1)
    _is_zero(t * (alpha - 1 / s) - (t * (alpha - 1) + 1))
    bound = (s * alpha - 1) / (alpha - 1) * rho1 * alpha + (t * (alpha - 1) + 1) * rho2
    _is_zero(bound - (root1 + root2) ** 2 * alpha)
    # Both exponents exceed 1, as Hoelder's inequality needs.
    assert sp.simplify(s - 1).is_positive
    assert sp.simplify(t - 1).is_positive


def expected_bits() -> None:
    """The sum of t C theta^(n0 + j t) over j >= 0, for 0 < theta < 1 and t >= 1.

    With x = theta^t in (0, 1) and A = t C theta^n0 the terms are A x^j.
    """
    first = sp.symbols("A", positive=True)
    _geometric_series(first)


def discrete_laplace_mass() -> None:
    """The masses (1 - q)/(1 + q) q^|z| add up to 1 over all integers, 0 < q < 1."""
    odds = sp.symbols("z", positive=True)
    q = odds / (1 + odds)
    tail = _geometric_series(q)  # q + q^2 + ..., on either side of 0
    _is_zero((1 - q) / (1 + q) * (1 + 2 * tail) - 1)


def _geometric_series(first: sp.Expr) -> sp.Expr:
    """Return the sum of first x^j over j >= 0, x = z/(1 + z), after proving it.

    As z runs over the positive numbers, x runs over (0, 1). The sum of the first m
    terms is first (1 - p)/(1 - x) with p = x^m: by induction on m, where p is 1 at
    m = 0 and becomes p x with one term more. And p tends to 0, since x is e^(-c) with
    c = ln(1 + 1/z) > 0.
    """
    odds, power, c, m = sp.symbols("z p c m", positive=True)
    x = odds / (1 + odds)

    def partial(p: sp.Expr) -> sp.Expr:
        return first * (1 - p) / (1 - x)

    _is_zero(partial(sp.Integer(1)))
    _is_zero(partial(power * x) - partial(power) - first * power)
    _is_zero(sp.exp(-sp.log(1 + 1 / odds)) - x)
    assert sp.limit(sp.exp(-c * m), m, sp.oo) == 0
    return partial(sp.Integer(0))


def real_laplace_mass() -> None:
    """The density e^(-|t|)/2 integrates to 1, and e^(-|t|/b)/(2b) does for b > 0."""
    t = sp.symbols("t", nonnegative=True)
    b = sp.symbols("b", positive=True)
    half = sp.integrate(sp.exp(-t) / 2, (t, 0, sp.oo))
    assert 2 * half == 1
    scaled = sp.integrate(sp.exp(-t / b) / (2 * b), (t, 0, sp.oo))
    _is_zero(2 * scaled - 1)


def gaussian_square() -> None:
    """alpha t^2 + (1 - alpha)(t - m)^2, completed to a square."""
    alpha, t, m = sp.symbols("alpha t m", real=True)
    left = alpha * t**2 + (1 - alpha) * (t - m) ** 2
    _is_zero(left - (t - (1 - alpha) * m) ** 2 + alpha * (alpha - 1) * m**2)
