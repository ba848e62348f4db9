"""Proofs are read once for all tests of certificates."""

from __future__ import annotations

import pytest

from opendp_lite.certify import Evidence


@pytest.fixture(scope="session")
def evidence() -> Evidence:
    return Evidence()
