"""Proofs by SymPy of the checked steps about the enclosure of the logarithm."""

from __future__ import annotations

import sympy as sp


def logarithm_condition() -> None:
    """The condition number of ln(1 + a) at w = -ln(1 + a), as an integral, and 1/ln 2.

    The integrand e^(w s) increases with w for s in [0, 1], so the integral at
    w <= ln 2 is at most that at w = ln 2.
    """
    w = sp.symbols("w", real=True, nonzero=True)
    s = sp.symbols("s", positive=True)
    a = sp.exp(-w) - 1
    condition = a / ((1 + a) * -w)  # ln(1 + a) is -w
    closed = (sp.exp(w) - 1) / w
    assert sp.simplify(condition - closed) == 0
    integral = sp.integrate(sp.exp(w * s), (s, 0, 1))
    assert sp.simplify(integral - closed) == 0
    assert sp.diff(sp.exp(w * s), w).is_positive
    assert sp.simplify(sp.integrate(2**s, (s, 0, 1)) - 1 / sp.log(2)) == 0
    # 1/ln 2 < 3/2 is e^2 < 8. In e, the sum of all 1/k!, the terms from k = 4 on are
    # at most (1/24)(1 + 1/4 + 1/16 + ...) = 1/18.
    first = sum(sp.Rational(1, sp.factorial(k)) for k in range(4))
    assert (first + sp.Rational(1, 18)) ** 2 < 8
