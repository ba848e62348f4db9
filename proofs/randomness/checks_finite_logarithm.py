"""Proofs by SymPy of the checked steps about the finite arithmetic of the logarithm."""

from __future__ import annotations

import sympy as sp

# e = 2^-w with w >= 10; so e = 1/(d + 1024) with d >= 0, or e = 0 in the limit.
d = sp.symbols("d", nonnegative=True)
e = 1 / (d + 1024)


def finite_upper() -> None:
    """1 - (1 + e)^-2 <= 2e for e > 0."""
    x = sp.symbols("x", positive=True)
    difference = 2 * x - (1 - (1 + x) ** -2)
    numerator = sp.expand(sp.cancel(difference * (1 + x) ** 2))
    assert numerator == 2 * x**3 + 3 * x**2
    assert numerator.is_positive


def finite_lower() -> None:
    """(1 - e)^-2 - 1 <= 2e + 4e^2 for 0 < e <= 2^-10."""
    x = sp.symbols("x", positive=True)
    difference = 2 * x + 4 * x**2 - ((1 - x) ** -2 - 1)
    numerator = sp.expand(sp.cancel(difference * (1 - x) ** 2))
    assert sp.expand(numerator - x**2 * (1 - 6 * x + 4 * x**2)) == 0
    rest = sp.together((1 - 6 * x + 4 * x**2).subs(x, e))
    above, below = (sp.expand(part) for part in sp.fraction(rest))
    assert all(c > 0 for c in sp.Poly(above, d).coeffs())
    assert all(c > 0 for c in sp.Poly(below, d).coeffs())


def finite_close() -> None:
    """2e + e^2 <= 3e and (2e + e^2) 2e + 2e <= 3e for 0 < e <= 2^-10."""
    for difference in (3 - (2 + e), 3 - ((2 + e) * 2 * e + 2)):  # both divided by e
        above, below = (
            sp.expand(part) for part in sp.fraction(sp.together(difference))
        )
        assert all(c > 0 for c in sp.Poly(above, d).coeffs())
        assert all(c > 0 for c in sp.Poly(below, d).coeffs())
