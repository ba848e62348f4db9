"""Proofs by SymPy of the checked steps about tradeoffs of a law and its shift."""

from __future__ import annotations

import sympy as sp


def location_laplace_profile() -> None:
    """The gain at the best a, in the middle branch."""
    mu, epsilon = sp.symbols("mu epsilon", positive=True)
    a = sp.exp(-(mu + epsilon) / 2) / 2
    slope = sp.exp(-mu) / (4 * a**2)
    assert sp.simplify(slope - sp.exp(epsilon)) == 0
    gain = 1 - sp.exp(-mu) / (4 * a) - sp.exp(epsilon) * a
    assert sp.simplify(gain - (1 - sp.exp((epsilon - mu) / 2))) == 0


def location_laplace_moments() -> None:
    """A and B: antiderivatives that vanish at 0, evaluated at -1/2 and 1/2."""
    w, s = sp.symbols("w s", positive=True)
    mu = sp.symbols("mu", positive=True)
    # Left of 0 the integrands are polynomials.
    low = sp.Rational(1, 2) + s * w
    left_a = sp.integrate(low, (w, -sp.Rational(1, 2), 0))
    left_b = sp.integrate(w * low, (w, -sp.Rational(1, 2), 0))
    # Right of 0, with ln(1 - 2 s w) at w = 1/2 being ln(1 - s) = -mu/2.
    log = sp.log(1 - 2 * s * w)
    right_a, right_b = -log / (4 * s), -w / (4 * s) - log / (8 * s**2)
    high = 1 / (2 - 4 * s * w)
    assert sp.simplify(sp.diff(right_a, w) - high) == 0
    assert sp.simplify(sp.diff(right_b, w) - w * high) == 0
    assert right_a.subs(w, 0) == 0
    assert right_b.subs(w, 0) == 0
    half = {w: sp.Rational(1, 2)}
    known = {sp.log(1 - s): -mu / 2}
    a = left_a + right_a.subs(half).subs(known)
    b = left_b + right_b.subs(half).subs(known)
    assert sp.simplify(a - (2 - s + mu / s) / 8) == 0
    stated = s / 24 - sp.Rational(1, 16) - (2 - mu / s) / (16 * s)
    assert sp.simplify(b - stated) == 0


def moments_centroid() -> None:
    """The integral of x^2 over that of x, between two ends."""
    x, a, b = sp.symbols("x a b", positive=True)
    mass = sp.integrate(x, (x, a, b))
    second = sp.integrate(x**2, (x, a, b))
    place = sp.Rational(2, 3) * (a**2 + a * b + b**2) / (a + b)
    assert sp.simplify(second / mass - place) == 0
    assert sp.simplify(mass - (b**2 - a**2) / 2) == 0
