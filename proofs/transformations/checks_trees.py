"""Proof of the step of algebra in the proof of the consistent tree."""

from __future__ import annotations

from sympy import cancel, symbols


def two_squares() -> None:
    """(s - y)^2 + (s - T)^2 / W is one square and a constant."""
    s, y, total, spread = symbols("s y T W")
    left = (s - y) ** 2 + (s - total) ** 2 / spread
    mean = (spread * y + total) / (spread + 1)
    right = (spread + 1) / spread * (s - mean) ** 2 + (y - total) ** 2 / (spread + 1)
    assert cancel(left - right) == 0
