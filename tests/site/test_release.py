"""A version is published as these files, and some states of the clone forbid it."""

from __future__ import annotations

import doctest
import os
import subprocess
import zipfile
from pathlib import Path

import pytest

from docs.tools import release
from tests.rows import for_each
from tests.test_repository import ROOT, tracked_files

WORKFLOW = "uses: OWNER/opendp-lite/.github/actions/check-proofs@v1.5.0\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A small repository, of which version 1.5.0 can be released."""
    texts = {
        "pyproject.toml": '[project]\nversion = "1.5.0"\n',
        "opendp_lite/__init__.py": '__version__ = "1.5.0"\n',
        "CHANGELOG.md": "# Changelog\n\n## [1.5.0] - 2026-01-01\n",
        "ci.yml": WORKFLOW,
        "proofs/lemmas/small.tex": "x",
        "proofs/build/lemmas-small.pdf": "%PDF",
        "proofs/build/lemmas-small/copy.tex": "x",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def objections(root: Path, owner: str = "someone") -> list[str]:
    return list(release.objections(root, ["ci.yml", "CHANGELOG.md"], owner))


def test_a_good_repository_can_be_released(repository: Path) -> None:
    assert objections(repository) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("opendp_lite/__init__.py", "1.5.0", "1.4.0", "does not have the version"),
        ("CHANGELOG.md", "[1.5.0]", "[Unreleased]", "no section ## [1.5.0]"),
        ("ci.yml", "@v1.5.0", "@v1.4.0", "the tag of another version, 1.4.0"),
        ("proofs/build/lemmas-small.pdf", "", None, "lemmas/small has no PDF"),
    ],
)
def test_what_forbids_a_release_is_named(
    repository: Path, name: str, old: str, new: str | None, words: str
) -> None:
    path = repository / name
    if new is None:
        path.unlink()
    else:
        path.write_text(path.read_text().replace(old, new))
    (found,) = objections(repository)
    assert words in found


@for_each("owner", ["", "two words", "a/b", "-a", "x" * 40, "OWNER'; rm"])
def test_an_account_is_needed(owner: str) -> None:
    found = list(release.objections(ROOT, [], owner))
    assert any("make release OWNER=account" in each for each in found)


def test_nothing_of_this_repository_names_another_version() -> None:
    names = [path.relative_to(ROOT).as_posix() for path in tracked_files()]
    found = release.objections(ROOT, names, "someone")
    assert [each for each in found if "version" in each] == []


def test_the_account_is_written_where_it_belongs() -> None:
    assert release.filled(WORKFLOW, "someone") == WORKFLOW.replace("OWNER", "someone")
    assert release.filled("`OWNER`", "someone") == "`OWNER`"
    assert doctest.testmod(release).failed == 0


def test_the_proofs_become_one_archive(repository: Path, tmp_path: Path) -> None:
    archive = tmp_path / "proofs.zip"
    assert release.pack_proofs(repository, archive) == 1
    assert zipfile.ZipFile(archive).namelist() == ["proofs/lemmas/small.pdf"]


def test_make_release_refuses_before_anything_is_installed() -> None:
    environment = {"PATH": os.environ["PATH"]}
    done = subprocess.run(
        ["make", "release"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == (
        "Say which account publishes the repository: make release OWNER=account\n"
    )
