"""Proofs of the steps of algebra in the proofs of the clamp and of the sums."""

from __future__ import annotations

from itertools import product


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
