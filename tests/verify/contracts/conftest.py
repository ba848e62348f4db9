"""A fault that was found is not made smaller here: that it is found is what is tested.

Tests of what a person is shown of it ask for the fixture `shrunk`.
"""

from __future__ import annotations

from typing import Any

import hypothesis
import pytest

from opendp_lite.verify.contracts import examples


@pytest.fixture
def shrunk() -> None:
    """Ask for smaller and smaller cases of a fault, as users do."""


@pytest.fixture(autouse=True)
def _as_found(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = examples.settings

    def settings(count: int) -> Any:
        return hypothesis.settings(usual(count), phases=[hypothesis.Phase.generate])

    if "shrunk" not in request.fixturenames:
        monkeypatch.setattr(examples, "settings", settings)
