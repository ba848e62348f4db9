"""Proofs of the steps of algebra in the proofs of the clamp and of the sums."""

from __future__ import annotations

from itertools import product

import sympy as sp


def clamp_image() -> None:
    """c(l) <= c(u), and v clamped to [c(l), c(u)] is c(v), for c the clamp to [p, q].

    Hypotheses and claim compare p, q, l, u, v and what min and max select of them, so
    they depend only on how the five numbers are ordered, ties included. Every such
    order occurs among the tuples of five numbers from 0, ..., 4: take the ranks.
    """

    def clamp(x: int, low: int, high: int) -> int:
        return min(max(x, low), high)

    orders = 0
    for p, q, least, v, most in product(range(5), repeat=5):
        if p <= q and least <= v <= most:
            orders += 1
            low, high = clamp(least, p, q), clamp(most, p, q)
            assert low <= high
            assert clamp(v, low, high) == clamp(v, p, q)
    assert orders == 15 * 35  # pairs and triples in order


def half_distance() -> None:
    """floor(min(d, 2n)/2) = min(floor(d/2), n) for integers d, n >= 0.

    With d = 2 h + i, i in {0, 1}, floor(d/2) is h. Either h = n + s or n = h + 1 + s
    with an integer s >= 0.
    """
    h, n, s = sp.symbols("h n s", integer=True, nonnegative=True)
    for i in (0, 1):
        assert sp.floor((2 * h + i) / 2) == h
        # h = n + s: 2 n is the lesser of d and 2 n, and n the lesser of h and n.
        d = 2 * (n + s) + i
        assert sp.expand(d - 2 * n).is_nonnegative
        assert sp.floor(sp.Rational(1, 2) * 2 * n) == n
        assert sp.expand((n + s) - n).is_nonnegative
        # n = h + 1 + s: d is the lesser, and h the lesser of h and n.
        d, above = 2 * h + i, h + 1 + s
        assert sp.expand(2 * above - d).is_nonnegative
        assert sp.floor(d / 2) == h
        assert sp.expand(above - h).is_nonnegative
