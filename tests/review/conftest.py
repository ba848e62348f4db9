"""Fixtures: the example package, and small packages written by a test."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any

import pytest

from opendp_lite.review.code.library import Library
from opendp_lite.review.commands import building as latex
from opendp_lite.review.commands import reviewing as answers
from opendp_lite.review.project import Project
from tests.review.example import ORIGINAL, PACKAGE, Example, forget, own_project


@pytest.fixture(scope="session")
def library() -> Project:
    """The library itself and its proofs, which nobody changes: see `with_text`."""
    return own_project()


_FILES, _HEADER = answers._files, answers._header


@cache
def _own_files(root: Path) -> list[tuple[str, bytes]]:
    """All files of the library as one, which has their digest."""
    digest = hashlib.sha256(repr(list(_FILES("opendp_lite", root))).encode())
    return [("opendp_lite:", digest.digest())]


_HEADERS: dict[Path, str] = {}


def _header(installed: Distribution) -> str:
    """What names a distribution, read once from where it is."""
    path = getattr(installed, "_path")  # noqa: B009
    if path not in _HEADERS:
        _HEADERS[path] = _HEADER(installed)
    return _HEADERS[path]


@pytest.fixture
def unchanging_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library, and what is installed, are read once for the digests of answers.

    They do not change while tests run; where tests/review/commands/test_answer_cache.py
    changes a copy of the library, it reads its files each time.
    """

    def files(title: str, root: Path, without: str = "__pycache__") -> Iterable[Any]:
        kept = title == "opendp_lite"
        return _own_files(root) if kept else _FILES(title, root, without)

    monkeypatch.setattr(answers, "_files", files)
    monkeypatch.setattr(answers, "_header", _header)


@pytest.fixture
def example(
    unchanging_library: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Example]:
    # Two versions of a file of one size within a second have the same bytecode.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    copy = Example(tmp_path / "copy")
    monkeypatch.syspath_prepend(str(copy.root))
    yield copy
    forget()


@pytest.fixture
def package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[dict[str, str]], Library]:
    """Write a package `planted` from texts, and return it as a library."""

    def write(files: dict[str, str]) -> Library:
        root = tmp_path / "planted"
        for name, text in {"__init__.py": "", **files}.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))
        return Library("planted")

    return write


@pytest.fixture(scope="session")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library's style as a format of TeX."""
    environment = latex._environment(Project(PACKAGE, ORIGINAL / "proofs"))
    made = latex._loaded_style(tmp_path_factory.mktemp("style"), environment)
    assert made is not None
    return made


@pytest.fixture
def loaded_before(loaded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No document loads the style, as if it were one of several.

    What is wrong with a document is found in its log, which is the same.
    """
    run = latex._run
    monkeypatch.setattr(
        latex,
        "_run",
        lambda job, environment, _: run(job, environment, loaded),
    )
