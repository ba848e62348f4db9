"""Proofs of the constants in the privacy of snapping in finite arithmetic.

All claims are for e = 2^-w with w >= 10, so 0 < e <= 2^-10; what is compared grows with
e, or is a polynomial in e with coefficients of one sign, so the greatest e decides.
"""

from __future__ import annotations

import sympy as sp
from gmpy2 import mpq

from opendp_lite.exact.enclosures import exp, ln
from opendp_lite.exact.intervals import Enclosure

_LARGEST = sp.Rational(1, 1024)  # e at w = 10
_TAU = mpq("0.0118")


def snapping_tau() -> None:
    """(2 + 4e)/256 + 4e + 4e^2 <= 0.0118 for 0 < e <= 2^-10, and it bounds tau."""
    e = sp.symbols("e", positive=True)
    bound = (2 + 4 * e) / 256 + 4 * e + 4 * e**2
    tau = (2 * e + 4 * e**2) * (1 / (256 * e) + 1) + 2 * e  # 2h/lambda <= 2^-8/e
    assert sp.expand(bound - tau) == 0
    assert sp.diff(bound, e).is_positive
    assert bound.subs(e, _LARGEST) <= sp.Rational("0.0118")


def _coth(x: mpq) -> Enclosure:
    """(e^(2x) + 1)/(e^(2x) - 1)."""
    square = exp(2 * x, 128)
    return (square + 1) / (square - 1)


def snapping_coth() -> None:
    """coth(1/2 - 0.0118) <= 2.21 and 2.16 < coth(1/2) < 2.17; coth decreases."""
    x = sp.symbols("x", positive=True)
    # The derivative is -1/sinh^2, and ln sinh has the derivative coth.
    derivative = sp.diff(sp.coth(x), x)
    assert sp.simplify(derivative + 1 / sp.sinh(x) ** 2) == 0
    assert sp.simplify(sp.diff(sp.log(sp.sinh(x)), x) - sp.coth(x)) == 0
    assert _coth(mpq(1, 2) - _TAU).hi <= mpq("2.21")
    c = _coth(mpq(1, 2))
    assert mpq("2.16") < c.lo
    assert c.hi < mpq("2.17")


def snapping_complement() -> None:
    """-ln(1 - c(e^t - 1)) <= 2.21 t at t = 0.0118, where c = coth(1/2); convexity."""
    x, t, c = sp.symbols("x t c", positive=True)
    outer = -sp.log(1 - x)
    assert sp.simplify(sp.diff(outer, x) - 1 / (1 - x)) == 0
    assert sp.simplify(sp.diff(outer, x, 2) - 1 / (1 - x) ** 2) == 0
    assert sp.diff(c * (sp.exp(t) - 1), t, 2).is_positive
    rest = 1 - _coth(mpq(1, 2)) * (exp(_TAU, 128) - 1)
    assert rest.lo > 0
    assert (-ln(rest, 128)).hi <= mpq("2.21") * _TAU
    # (1 + e^-r)/(1 - e^-r) is coth(r/2).
    r = sp.symbols("r", positive=True)
    quotient = (1 + sp.exp(-r)) / (1 - sp.exp(-r))
    assert sp.simplify((quotient - sp.coth(r / 2)).rewrite(sp.exp)) == 0


def snapping_surplus() -> None:
    """4.42 tau as it is written, and 4.42 * 4 (1 + 2e)/64 <= 0.28."""
    e, k = sp.symbols("e k", positive=True)  # k is h/lambda
    tau = (2 * e + 4 * e**2) * (2 * k + 1) + 2 * e
    assert sp.expand(tau - 4 * e * ((1 + 2 * e) * k + 1 + e)) == 0
    larger = (1 + 2 * e) * (k + 1) - ((1 + 2 * e) * k + 1 + e)
    assert sp.expand(larger) == e
    factor = sp.Rational("4.42") * 4 * (1 + 2 * e) / 64
    assert sp.diff(factor, e).is_positive
    assert factor.subs(e, _LARGEST) <= sp.Rational("0.28")
