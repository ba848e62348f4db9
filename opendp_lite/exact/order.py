"""The doubles in their order, numbered by integers."""

from __future__ import annotations

import struct

__all__ = ["double_at", "double_index"]


def double_index(value: float) -> int:
    """Return the place of a double, or infinity, in their order; that of zeros is 0.

    >>> double_index(5e-324), double_index(-0.0), double_index(-5e-324)
    (1, 0, -1)
    """
    bits: int = struct.unpack(">q", struct.pack(">d", value))[0]
    return bits if bits >= 0 else -(bits & (2**63 - 1))  # proof: sign


def double_at(index: int) -> float:
    """Return the double at that place: the inverse of :func:`double_index`.

    >>> double_at(0), double_at(double_index(-1.5))
    (0.0, -1.5)
    """
    magnitude: float = struct.unpack(">d", struct.pack(">q", abs(index)))[0]
    return -magnitude if index < 0 else magnitude  # proof: magnitude
