"""Where the library's proofs are, and that a wheel has all of them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from opendp_lite.review import Project, ReviewError, shipped
from opendp_lite.review.code.library import Library
from opendp_lite.review.commands.building import pdf_path
from tests.review.example import ROOT, Example

# Written where proofs are built or costs are counted; nobody reads them in a wheel.
LEFT_OUT = {"build", "COSTS.md"}


def force_included() -> dict[str, str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    table: dict[str, str] = wheel["force-include"]
    return table


def test_in_the_repository_they_are_beside_the_package() -> None:
    assert shipped.proofs_folder() == ROOT / "proofs"
    assert not shipped.SHIPPED.exists()


def test_the_wheel_takes_every_file_of_the_proofs() -> None:
    table = force_included()
    assert "proofs" not in table  # the folder `build` would come with it
    present = {path.name for path in shipped.proofs_folder().iterdir()} - LEFT_OUT
    assert {f"proofs/{name}" for name in present} == table.keys()
    at = shipped.SHIPPED.relative_to(ROOT).as_posix()
    assert table == {name: name.replace("proofs", at, 1) for name in table}


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example's proofs as if they were this library's, in a wheel."""
    root = Example(tmp_path / "site").root
    (root / "proofs" / "opendp-lite.sty").write_text("", encoding="utf-8")
    monkeypatch.setattr(shipped, "SHIPPED", root.resolve() / "proofs")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return shipped.SHIPPED


def test_the_copy_in_a_wheel_goes_first(installed: Path) -> None:
    assert shipped.proofs_folder() == installed
    assert shipped.is_shipped(installed)
    assert not shipped.is_shipped(ROOT / "proofs")


def test_nothing_is_made_inside_of_a_wheel(installed: Path, tmp_path: Path) -> None:
    project = Project("scaling", installed)
    assert project.build.is_relative_to(tmp_path / "cache" / "opendp-lite")
    assert pdf_path(project, "a/b").parent == project.build
    other = Project("scaling", ROOT / "proofs")
    assert other.build == ROOT / "proofs" / "build"


def test_a_cache_that_others_write_into_is_refused(
    installed: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "cache" / "opendp-lite"
    assert Project("scaling", installed).build.is_relative_to(folder)
    assert folder.stat().st_mode & 0o077 == 0
    folder.chmod(0o770)
    with pytest.raises(ReviewError, match="into which nobody else can write"):
        pdf_path(Project("scaling", installed), "a/b")
    folder.rmdir()
    (tmp_path / "planted").mkdir(mode=0o700)
    folder.symlink_to(tmp_path / "planted")
    with pytest.raises(ReviewError, match="set XDG_CACHE_HOME"):
        pdf_path(Project("scaling", installed), "a/b")


def test_without_proofs_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipped, "SHIPPED", tmp_path / "a")
    monkeypatch.setattr(shipped, "_PACKAGE", tmp_path / "b" / "opendp_lite")
    with pytest.raises(ReviewError, match="Install it again"):
        shipped.proofs_folder()


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, "home/.cache"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, "home/.cache"),
        ("linux", {"XDG_CACHE_HOME": "{}/mine"}, "mine"),
        ("darwin", {}, "home/Library/Caches"),
        ("win32", {"LOCALAPPDATA": "{}/local"}, "local"),
        ("win32", {}, "home/AppData/Local"),
    ],
)
def test_the_cache_is_where_the_system_has_it(
    platform: str,
    variables: dict[str, str],
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value.format(tmp_path))
    folder = shipped.cache_folder()
    assert folder.parent == tmp_path / expected / "opendp-lite"


def test_what_a_wheel_carries_is_no_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path.resolve() / "planted"
    (root / "proofs" / "lemmas").mkdir(parents=True)
    carried = ("proofs/checks_x.py", "proofs/lemmas/checks_y.py")
    for name in ("__init__.py", "real.py", *carried):
        (root / name).write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    everything = Library("planted").names
    assert "planted.proofs.checks_x" in everything
    monkeypatch.setattr("opendp_lite.review.code.library.SHIPPED", root / "proofs")
    assert Library("planted").names == ["planted", "planted.real"]
