"""A fixture for comparisons with OpenDP."""

from __future__ import annotations

import opendp.prelude as oracle
import pytest


@pytest.fixture(scope="module")
def opendp_contrib(contrib: None) -> None:
    """Drafts are allowed in the tests of a module, and OpenDP's as well."""
    oracle.enable_features("contrib")
