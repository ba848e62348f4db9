"""Proofs by SymPy of the steps of algebra about selection."""

from __future__ import annotations

import sympy as sp


def cumulant_variance() -> None:
    """(ln M)'' = M''/M - (M'/M)^2, the variance under the tilted law.

    With M(a) the sum of p e^(a l), M' and M'' are the sums of l p e^(a l) and
    l^2 p e^(a l): divided by M, the first two moments of l under that law.
    """
    a, p, loss = sp.symbols("a p loss", real=True)
    term = p * sp.exp(a * loss)
    assert sp.simplify(sp.diff(term, a) - loss * term) == 0
    assert sp.simplify(sp.diff(term, a, 2) - loss**2 * term) == 0
    mass = sp.Function("M", positive=True)(a)
    second = sp.diff(sp.log(mass), a, 2)
    variance = sp.diff(mass, a, 2) / mass - (sp.diff(mass, a) / mass) ** 2
    assert sp.simplify(second - variance) == 0
