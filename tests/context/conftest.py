from __future__ import annotations

from collections.abc import Iterator

import pytest

import opendp_lite.prelude as dp


@pytest.fixture(autouse=True)
def _drafts_and_functions_are_trusted() -> Iterator[None]:
    """Compositors are drafts, and some queries are followed by users' functions."""
    dp.enable_features("contrib", "honest-but-curious")
    yield
    dp.disable_features("contrib", "honest-but-curious")
