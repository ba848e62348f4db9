"""Proofs by SymPy of the checked steps about amplification by sampling."""

from __future__ import annotations

import sympy as sp
from gmpy2 import mpq

from opendp_lite.exact.enclosures import ln


def overlap_parts() -> None:
    """P - vP' is gamma times a mean of Q - uQ' and Q - uK, v = 1 + gamma (u - 1)."""
    g, u, k, q, other = sp.symbols("gamma u K Q Q'", positive=True)
    v = 1 + g * (u - 1)
    left = (1 - g) * k + g * q - v * ((1 - g) * k + g * other)
    right = g * (v / u * (q - u * other) + (1 - v / u) * (q - u * k))
    assert sp.simplify(left - right) == 0
    assert sp.expand((1 - g) * (1 - v) + g * (u - v)) == 0


def negligible_exponential() -> None:
    """e^-1024 is less than 2^-1400, as 1024 is more than 1400 ln 2."""
    assert 1400 * mpq(ln(2, 64).hi) < 1024


def large_loss() -> None:
    """1 + gamma (e^eps - 1) is e^eps (gamma + (1 - gamma) e^-eps)."""
    g, epsilon = sp.symbols("gamma epsilon", positive=True)
    inside = g + (1 - g) * sp.exp(-epsilon)
    assert sp.simplify(1 + g * (sp.exp(epsilon) - 1) - sp.exp(epsilon) * inside) == 0


def share_concave() -> None:
    """The second derivative of ln(n - l - t) - ln(n - t), where 0 < l and t < n - l."""
    n, gap, t = sp.symbols("n l t", positive=True)
    f = sp.log(n - gap - t) - sp.log(n - t)
    shown = -gap * (2 * n - gap - 2 * t) / ((n - gap - t) ** 2 * (n - t) ** 2)
    assert sp.simplify(sp.diff(f, t, 2) - shown) == 0
    # 2n - l - 2t is (n - l - t) + (n - t), and both are positive.
    assert sp.expand((n - gap - t) + (n - t) - (2 * n - gap - 2 * t)) == 0


def share_area() -> None:
    """x ln x has the derivative ln x + 1."""
    x = sp.symbols("x", positive=True)
    assert sp.simplify(sp.diff(x * sp.log(x), x) - (sp.log(x) + 1)) == 0
