from __future__ import annotations

from collections.abc import Iterator

import pytest

import opendp_lite.prelude as dp


@pytest.fixture(autouse=True)
def _post_processors_are_trusted() -> Iterator[None]:
    """Some components are followed by a function, which a person must vouch for."""
    dp.enable_features("honest-but-curious")
    yield
    dp.disable_features("honest-but-curious")
