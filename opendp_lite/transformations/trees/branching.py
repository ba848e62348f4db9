"""How many children a node of a tree of counts should have."""

from __future__ import annotations

from opendp_lite.core.arguments import integer_argument
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.intervals import Enclosure

__all__ = ["choose_branching_factor"]

_PRECISION = 128
# From e^5 on the formula increases with b: its derivative has the sign of more than
# h^2 ((h - 2/3) - (3 h - 4/3) / ln b), and 3 h - 4/3 <= 5 (h - 2/3) for h >= 1.
_MOST = 149


def choose_branching_factor(size_guess: int) -> int:
    """Return the branching factor that makes range queries of a tree most accurate.

    It is the b from 2 to n, where n is `size_guess`, that makes (b - 1) h^3 -
    2 (b + 1) h^2 / 3 least, with h = ln n / ln b: formula (3) of Qardaji, Yang and Li,
    "Understanding hierarchical methods for differentially private histograms" (2013).
    The choice is about accuracy alone; every factor is equally private.

    :param size_guess: about how many leaves there are, at least 1

    >>> choose_branching_factor(1000)
    26

    Raises `MakeTransformation` for what is no positive integer.
    """
    fix = "Pass about how many leaves there are, such as size_guess=1000"
    n = integer_argument(
        "MakeTransformation", "size_guess", size_guess, fix=fix, at_least=1
    )
    if n <= 2:
        return 2
    spreads = {b: _spread(n, b) for b in range(2, min(n, _MOST) + 1)}
    return min(spreads, key=lambda b: spreads[b].hi)


def _spread(n: int, b: int) -> Enclosure:
    h = ln(n, _PRECISION) / ln(b, _PRECISION)
    return (b - 1) * h * h * h - (b + 1) * h * h * 2 / 3
