from __future__ import annotations

import sys

import pytest


@pytest.fixture
def no_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever loads matplotlib is told that it is missing, and not what was wrong."""
    for name in ("matplotlib.figure", "matplotlib.backends.backend_agg"):
        monkeypatch.setitem(sys.modules, name, None)
