"""Contracts of which `make test` runs a part, and `make audit` all."""

from __future__ import annotations

from typing import Any

import attrs

from opendp_lite.verify import Contract

__all__ = ["shorter"]

FEWEST = 10
"""Examples that a contract keeps if half of its own are as many."""


def shorter(
    terms: Contract, *left_out: Any, depth: int | None = None, one_in: int = 4
) -> Contract:
    """Return the contract with a part of its examples, and with smaller laws.

    Certificates and couplings that are named last are left out, and trees that would be
    deeper than `depth` are not. `tests/contracts/test_coverage.py` has all contracts as
    they are, in the audit.

    :param depth: of the trees of all that stay, at most
    :param one_in: of how many examples one stays: 4, or 2 where a quarter of them would
        run less of the constructor's own code than half
    """
    half, part = -(-terms.examples // 2), -(-terms.examples // one_in)
    return attrs.evolve(
        terms,
        examples=max(part, min(half, FEWEST)),
        certificates=_kept(terms.certificates, left_out, depth),
        couplings=_kept(terms.couplings, left_out, depth),
    )


def _kept(rows: Any, left_out: tuple[Any, ...], depth: int | None) -> list[Any]:
    kept = [
        (arguments, x, x2, own if depth is None else min(own, depth))
        for row in rows
        for arguments, x, x2, own in [row]
        if not any(row is each for each in left_out)
    ]
    assert kept or not rows
    return kept
