"""Proofs by SymPy of the steps of algebra in the proofs about canonical noise."""

from __future__ import annotations

import sympy as sp


def _is_zero(expression: sp.Expr) -> None:
    """Assert that an expression is 0 for all values of its symbols."""
    assert sp.simplify(expression) == 0, f"{expression} is not shown to be 0"


def _fixed_point() -> tuple[sp.Symbol, sp.Symbol, sp.Expr]:
    b, delta = sp.symbols("b delta", positive=True)
    return b, delta, (1 - delta) / (1 + 1 / b)


def canonical_constants() -> None:
    """delta + z c = 1 - c, and 1 - 2c = (1 - b + 2 delta b)/(1 + b), with z = 1/b."""
    b, delta, c = _fixed_point()
    _is_zero(delta + c / b - (1 - c))
    _is_zero(1 - 2 * c - (1 - b + 2 * delta * b) / (1 + b))


def canonical_steps() -> None:
    """(c + kappa)/(u + kappa) = b h/((1 - b) u + delta b), kappa = delta/(z - 1)."""
    b, delta, c = _fixed_point()
    u = sp.symbols("u", nonnegative=True)
    kappa, h = delta / (1 / b - 1), 1 - 2 * c
    _is_zero((c + kappa) / (u + kappa) - b * h / ((1 - b) * u + delta * b))


def canonical_squares() -> None:
    """The sum of k^2 b^k over k = 1, ..., m, by induction on m; g = 1 - b."""
    b = sp.symbols("b", positive=True)
    m = sp.symbols("m", integer=True, nonnegative=True)
    g = 1 - b

    def closed(count: sp.Expr) -> sp.Expr:
        last = 2 + (2 * count - 1) * g + count**2 * g**2
        return b * (2 - g - b**count * last) / g**3

    _is_zero(closed(sp.Integer(0)))
    _is_zero(closed(m + 1) - closed(m) - (m + 1) ** 2 * b ** (m + 1))


def canonical_edge() -> None:
    """The integral of x^2 from s to s + r is r^3/3 + r^2 s + r s^2."""
    s, r, x = sp.symbols("s r x", real=True)
    _is_zero(sp.integrate(x**2, (x, s, s + r)) - (r**3 / 3 + r**2 * s + r * s**2))


def canonical_variance() -> None:
    """Without delta: 2 h (sum of b^k (k^2 + 1/12), k >= 1) + h/12 = 2b/(1-b)^2 + 1/12.

    The sum of k^2 b^k is b (1 + b)/(1 - b)^3, the limit of the closed form.
    """
    b = sp.symbols("b", positive=True)
    h = (1 - b) / (1 + b)
    sums = b * (1 + b) / (1 - b) ** 3 + b / (12 * (1 - b))
    _is_zero(2 * h * sums + h / 12 - (2 * b / (1 - b) ** 2 + sp.Rational(1, 12)))
