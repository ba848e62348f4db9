from __future__ import annotations

from collections.abc import Iterator

import pytest

import opendp_lite.prelude as dp


@pytest.fixture(autouse=True)
def _functions_are_trusted() -> Iterator[None]:
    """Queries here are users' own or post-processed."""
    dp.enable_features("honest-but-curious")
    yield
    dp.disable_features("honest-but-curious")
