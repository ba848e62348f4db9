"""Proofs, and the files of the library, are read once for all tests of certificates.

Tests of what is read ask for the fixture `files_read_anew`.
"""

from __future__ import annotations

import pytest

from opendp_lite.certify import Evidence
from opendp_lite.certify import deriving as versions


@pytest.fixture(scope="session")
def evidence() -> Evidence:
    return Evidence()


@pytest.fixture(scope="session")
def _digest_of_files() -> str:
    return versions._files()


@pytest.fixture
def files_read_anew() -> None:
    """Read all files of the library for each certificate, as users do."""


@pytest.fixture(autouse=True)
def _files_are_read_once(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    _digest_of_files: str,
) -> None:
    if "files_read_anew" not in request.fixturenames:
        monkeypatch.setattr(versions, "_files", lambda: _digest_of_files)
