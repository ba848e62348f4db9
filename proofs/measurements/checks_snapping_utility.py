"""Proofs by SymPy and enclosures of the checked steps about the utility of snapping."""

from __future__ import annotations

import sympy as sp
from gmpy2 import mpq

from opendp_lite.exact.enclosures import exp


def snapping_band() -> None:
    """With t = (a - g)/c, g = 2^(k-1): c t + g = a; and t > g means a > g (c + 1)."""
    a, c, g, t = sp.symbols("a c g t", positive=True)
    scale = (a - g) / c
    assert sp.simplify(c * scale + g - a) == 0
    # c (t - g) = a - g (c + 1), and c > 0.
    assert sp.simplify(c * (scale - g) - (a - g * (c + 1))) == 0
    # For t at most (a - g)/c, c t + g is at most a: the difference is c ((a-g)/c - t).
    assert sp.simplify(a - (c * t + g) - c * (scale - t)) == 0


def snapping_cells() -> None:
    """The three forms of F(high) - F(low), and the two of F."""
    low, high = sp.symbols("low high", real=True)
    half = sp.Rational(1, 2)
    left = lambda t: sp.exp(t) / 2  # noqa: E731
    right = lambda t: 1 - sp.exp(-t) / 2  # noqa: E731
    across = -half * ((sp.exp(low) - 1) + (sp.exp(-high) - 1))
    assert sp.expand(across - (right(high) - left(low))) == 0
    below = -half * sp.exp(high) * (sp.exp(low - high) - 1)
    assert sp.simplify(sp.expand(below - (left(high) - left(low)))) == 0
    above = -half * sp.exp(-low) * (sp.exp(low - high) - 1)
    assert sp.simplify(sp.expand(above - (right(high) - right(low)))) == 0
    assert sp.simplify(half - half * (sp.exp(-high) - 1) - right(high)) == 0


def snapping_geometric() -> None:
    """The sum of q^i over i from 0 to n - 1 is (q^n - 1)/(q - 1), by induction."""
    q = sp.symbols("q", positive=True)
    n = sp.symbols("n", integer=True, positive=True)
    closed = (q**n - 1) / (q - 1)
    assert sp.simplify(closed.subs(n, 1) - 1) == 0
    step = closed.subs(n, n + 1) - closed - q**n
    assert sp.simplify(sp.expand(step * (q - 1))) == 0


def snapping_binding() -> None:
    """e^(1/100) (1 + 1/e)/2 < 0.7 < e^(-1/100)."""
    surplus = exp(mpq(1, 100), 96)
    whole = exp(mpq(-1), 96) + 1
    assert surplus.hi * whole.hi / 2 < mpq(7, 10)
    assert exp(mpq(-1, 100), 96).lo > mpq(7, 10)


def snapping_cosh() -> None:
    """e^-t cosh(t) = (1 + e^(-2t))/2."""
    t = sp.symbols("t", real=True)
    product = sp.exp(-t) * (sp.exp(t) + sp.exp(-t)) / 2
    assert sp.simplify(sp.expand(product) - (1 + sp.exp(-2 * t)) / 2) == 0


def snapping_room() -> None:
    """(1 + 6 x)(1 + x) <= 1 + 12 x for x = 2^-52."""
    x = sp.Rational(1, 2**52)
    assert (1 + 6 * x) * (1 + x) <= 1 + 12 * x


def statistic_two_values() -> None:
    """k times b and n - k times a: the sum of squares about the mean."""
    a, b, k, n = sp.symbols("a b k n")
    mean = (k * b + (n - k) * a) / n
    total = k * (b - mean) ** 2 + (n - k) * (a - mean) ** 2
    assert sp.simplify(total - k * (n - k) / n * (b - a) ** 2) == 0


def statistic_share() -> None:
    """floor(n/2) ceil(n/2)/(n (n - 1)): n/(4 (n - 1)) if even, (n + 1)/(4 n) if odd."""
    i = sp.symbols("i", integer=True, positive=True)
    even, odd = 2 * i, 2 * i + 1
    assert sp.simplify(i * i / (even * (even - 1)) - even / (4 * (even - 1))) == 0
    assert sp.simplify(i * (i + 1) / (odd * (odd - 1)) - (odd + 1) / (4 * odd)) == 0


def statistic_products() -> None:
    """The sum of products about the means, for x = a or b and y = c or d, is of the
    size that the variance has: with equal signs in all rows, and opposite ones."""
    a, b, c, d, k, n = sp.symbols("a b c d k n")
    mean_x = (k * b + (n - k) * a) / n
    same = (k * d + (n - k) * c) / n
    total = k * (b - mean_x) * (d - same) + (n - k) * (a - mean_x) * (c - same)
    assert sp.simplify(total - k * (n - k) / n * (b - a) * (d - c)) == 0
    other = (k * c + (n - k) * d) / n
    total = k * (b - mean_x) * (c - other) + (n - k) * (a - mean_x) * (d - other)
    assert sp.simplify(total + k * (n - k) / n * (b - a) * (d - c)) == 0
