"""How much data the rows take."""

from __future__ import annotations

from attrs import frozen

__all__ = ["FULL", "QUICK", "Sizes", "count"]


@frozen
class Sizes:
    """Entries of a vector of noise (ours and OpenDP's), candidates, rows of a sum,
    booleans of a column, rows of a table.

    OpenDP takes microseconds for an entry: its vectors are shorter, and its time for
    one entry does not depend on their length.
    """

    entries: int
    peer_entries: int
    candidates: int
    data: int
    booleans: int
    tables: int


FULL = Sizes(10**6, 10**4, 10**5, 10**7, 10**6, 10**7)
QUICK = Sizes(10**4, 10**3, 10**4, 10**5, 10**4, 10**6)


def count(number: int) -> str:
    """A power of ten as such, 1e6, and other numbers in full."""
    digits = str(number)
    if len(digits) > 3 and set(digits[1:]) == {"0"}:
        return f"{digits[0]}e{len(digits) - 1}"
    return digits
