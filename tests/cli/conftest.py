from __future__ import annotations

from pathlib import Path

import pytest

from tests.jobs.described import LINES, edited, written


@pytest.fixture
def job(tmp_path: Path) -> str:
    return edited(tmp_path)


@pytest.fixture
def data(tmp_path: Path) -> str:
    return written(tmp_path, "data.csv", LINES)
