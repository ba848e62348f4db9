"""Proofs by enclosures of numbers that the levels of scores rest on."""

from __future__ import annotations

from gmpy2 import mpq

from opendp_lite.exact.enclosures import exp


def far() -> None:
    """e^45 > 2^64."""
    assert exp(mpq(45), 96).lo > 2**64


def factor() -> None:
    """e^16 > 2^23 e^(1/20), so that (23/16) ln 2 < 1 - 1/320."""
    assert exp(mpq(16) - mpq(1, 20), 96).lo > 2**23
