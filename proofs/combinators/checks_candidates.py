"""Proofs by SymPy of the checked steps about private selection."""

from __future__ import annotations

import sympy as sp


def selection_series() -> None:
    """The sum of the probabilities to stop at the n-th try is 1/(g + (1 - g) p)."""
    g, p = sp.symbols("g p", positive=True)
    again = (1 - g) * (1 - p)
    assert sp.expand(1 - again - (g + (1 - g) * p)) == 0


def selection_delta() -> None:
    """The bound of an event, with b = e^epsilon, d = delta, and equality at each step.

    N <= b N' + d and Z' <= b Z + (1 - g) d; of these N' <= Z' and Z >= g are used.
    """
    b, d, g, n, z = sp.symbols("b d g n z", positive=True)
    other = b * z + (1 - g) * d  # the largest divisor of x'
    excess = (b * n + d) / z - b**2 * n / other
    split = d / z + b * (1 - g) * d / z * (n / other)
    assert sp.simplify(excess - split) == 0
    least = (d / z + b * (1 - g) * d / z).subs(z, g)
    assert sp.simplify(least - d * (1 + (1 - g) * b) / g) == 0
