from __future__ import annotations

from collections.abc import Iterator

import pytest

from opendp_lite.core.features import (
    GLOBAL_FEATURES,
    disable_features,
    enable_features,
)


@pytest.fixture(autouse=True)
def _features_as_they_were() -> Iterator[None]:
    before = set(GLOBAL_FEATURES)
    yield
    GLOBAL_FEATURES.clear()
    GLOBAL_FEATURES.update(before)


@pytest.fixture
def honest() -> Iterator[None]:
    """What takes code or claims on trust is allowed for the length of a test."""
    enable_features("honest-but-curious")
    yield
    disable_features("honest-but-curious")
