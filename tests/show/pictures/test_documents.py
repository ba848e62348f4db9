"""The pictures of the documentation: written by their script, and always the same."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from tests.test_repository import ROOT


@pytest.fixture(scope="module")
def script() -> Any:
    spec = importlib.util.spec_from_file_location(
        "docs_pictures", ROOT / "docs" / "pictures.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_picture_is_there_on_light_and_on_dark_paper(script: Any) -> None:
    there = {path.name for path in script.ASSETS.glob("*.svg")}
    assert set(script.files()) <= there
    assert {name.rpartition("-")[2] for name in script.files()} == {
        "light.svg",
        "dark.svg",
    }


@pytest.mark.parametrize("name", ["counts-dark.svg", "budget-light.svg"])
def test_the_same_file_is_written_again(script: Any, name: str, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        script.write(folder, name)
    text = (first / name).read_text(encoding="utf-8")
    assert text == (second / name).read_text(encoding="utf-8")
    assert "dc:date" not in text
    paper = {"dark": "#161b22", "light": "#ffffff"}[name[:-4].rpartition("-")[2]]
    assert paper in text
