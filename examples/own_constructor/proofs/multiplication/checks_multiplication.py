"""The steps of algebra in the proofs of this package, proved by SymPy."""

from __future__ import annotations

from sympy import expand, symbols


def scaled_gap() -> None:
    """Prove (c x - c y)^2 = c^2 (x - y)^2 as polynomials."""
    c, x, y = symbols("c x y", real=True)
    assert expand((c * x - c * y) ** 2 - c**2 * (x - y) ** 2) == 0
