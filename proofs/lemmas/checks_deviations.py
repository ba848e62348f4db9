"""Proofs of the steps of algebra in the lemma about squared deviations."""

from __future__ import annotations

import sympy as sp

# n rows, p of them in z, the others in y; X and Q are sums and sums of squares.
n, p, Y, Z, Q = sp.symbols("n p Y Z Q", positive=True)
JOINED = Q - (Y + Z) ** 2 / n + Y**2 / (n - p)  # S(y, z) - S(y)


def deviations_joined() -> None:
    """S(y, z) - S(y) = S(z) + p (n - p) / n (mean y - mean z)^2."""
    alone = Q - Z**2 / p
    apart = p * (n - p) / n * (Y / (n - p) - Z / p) ** 2
    assert sp.simplify(JOINED - alone - apart) == 0


def deviations_convex() -> None:
    """S(y, z) - S(y) is convex in each entry t of z, and in the sum Y of y."""
    t, q, s = sp.symbols("t q s", real=True)
    entry = JOINED.subs({Q: q + t**2, Z: s + t})
    assert sp.simplify(sp.diff(entry, t, 2) - 2 * (n - 1) / n) == 0
    assert sp.simplify(sp.diff(JOINED, Y, 2) - 2 * p / (n * (n - p))) == 0


def deviations_corner() -> None:
    """q ones among n - q zeros: S = q (n - q) / n; one more adds n - 2 q - 1 to it."""
    q = sp.symbols("q", nonnegative=True)
    assert sp.simplify(q - q**2 / n - q * (n - q) / n) == 0
    assert sp.expand((q + 1) * (n - q - 1) - q * (n - q) - (n - 2 * q - 1)) == 0


def spread_moved() -> None:
    """r sum (v - c)^2 - (sum (v - c))^2 is the same for every c."""
    r, c = sp.symbols("r c", real=True)
    moved = r * (Q - 2 * c * Z + r * c**2) - (Z - r * c) ** 2
    assert sp.expand(moved - (r * Q - Z**2)) == 0


def spread_numbered() -> None:
    """Sum (f + v)^2 = sum v^2 + f (2 sum v + m f), for m numbers v."""
    f, v, m = sp.symbols("f v m", real=True)
    assert sp.expand((f + v) ** 2 - (v**2 + 2 * f * v + f**2)) == 0
    assert sp.expand(Q + 2 * f * Z + m * f**2 - (Q + f * (2 * Z + m * f))) == 0


def covariance_affine() -> None:
    """The difference of two co-moments is affine in the sums of y and in each entry."""
    S, T, R, u, v = sp.symbols("S T R u v", real=True)
    first, second = sp.symbols("k s t", real=True), sp.symbols("K A B", real=True)

    def moment(k: sp.Expr, s: sp.Expr, t: sp.Expr) -> sp.Expr:
        return R + k - (S + s) * (T + t) / n

    difference = sp.expand(moment(*first) - moment(*second))
    assert not difference.has(R)
    for a, b in ((S, S), (S, T), (T, T)):
        assert sp.simplify(sp.diff(difference, a, b)) == 0
    k, s, t = first
    entry = moment(k + u * v, s + u, t + v)
    assert sp.simplify(sp.diff(entry, u, 2)) == 0
    assert sp.simplify(sp.diff(entry, v, 2)) == 0


def covariance_reflected() -> None:
    """1 - u for u in all n rows changes the sign of the co-moment."""
    k, s, t = sp.symbols("k s t", real=True)
    assert sp.simplify((t - k) - (n - s) * t / n + (k - s * t / n)) == 0


def covariance_least() -> None:
    """p (s + t - p) - s t = -(p - s) (p - t), and 4 a b <= (a + b)^2."""
    s, t = sp.symbols("s t", real=True)
    assert sp.expand(p * (s + t - p) - s * t + (p - s) * (p - t)) == 0
    assert sp.expand((s + t) ** 2 - 4 * s * t - (s - t) ** 2) == 0
