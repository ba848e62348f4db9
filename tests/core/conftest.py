from __future__ import annotations

from collections.abc import Iterator

import pytest

from opendp_lite.core.features import disable_features, enable_features


@pytest.fixture
def honest() -> Iterator[None]:
    """What takes code or claims on trust is allowed for the length of a test."""
    enable_features("honest-but-curious")
    yield
    disable_features("honest-but-curious")
