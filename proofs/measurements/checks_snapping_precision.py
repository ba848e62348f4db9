"""A proof by SymPy of the checked step about the precision of snapping."""

from __future__ import annotations

import sympy as sp


def snapping_share() -> None:
    """(1 - 2^-6)/(1 + 12 2^-58) > 0.98."""
    share = (1 - sp.Rational(1, 2**6)) / (1 + sp.Rational(12, 2**58))
    assert share > sp.Rational("0.98")
