"""The wheel, built and installed away from the repository: what it holds and does."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.test_repository import ROOT, tracked_files

pytestmark = pytest.mark.audit


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    subprocess.run([*command, "-w", str(folder), str(ROOT)], check=True)
    (built,) = folder.glob("opendp_lite-*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel; what it needs is taken from this one."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=os.name != "nt")
    context = venv.EnvBuilder().ensure_directories(folder)
    executable = Path(context.env_exe)
    command = [sys.executable, "-m", "pip", "--python", str(executable), "install"]
    options = ["--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
    subprocess.run([*command, *options, str(wheel)], check=True)
    # Behind what is installed there, and without the links of this environment.
    (site,) = folder.rglob("site-packages")
    others = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    (site / "others.pth").write_text("\n".join(dict.fromkeys(others)))
    return executable


def test_the_wheel_holds_the_package_and_its_proofs_and_nothing_else(
    wheel: Path,
) -> None:
    packed = {
        name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name
    }
    tracked = {path.relative_to(ROOT).as_posix() for path in tracked_files()}
    code = {name for name in tracked if name.startswith("opendp_lite/")}
    proofs = {f"opendp_lite/{name}" for name in tracked if name.startswith("proofs/")}
    assert packed == code | proofs - {"opendp_lite/proofs/COSTS.md"}
    assert "opendp_lite/py.typed" in packed


def test_the_proofs_are_shown_checked_and_built_from_the_wheel(
    python: Path, tmp_path: Path
) -> None:
    site = next(python.parents[1].rglob("site-packages"))
    cache = tmp_path / "cache"

    def run(*arguments: str, path: str = os.environ["PATH"]) -> tuple[int, str, str]:
        done = subprocess.run(
            [str(python), "-m", "opendp_lite.cli", "proofs", *arguments],
            cwd=tmp_path,
            env={"PATH": path, "XDG_CACHE_HOME": str(cache)},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    before = {path for path in site.rglob("*") if path.suffix != ".pyc"}
    code, shown, _ = run("show", "make_laplace")
    assert (code, shown[:26]) == (0, "measurements/make_laplace\n")
    assert "def make_laplace(" in shown
    code, said, _ = run("check")
    assert (code, said.endswith(" in order.\n")) == (0, True)
    code, said, _ = run("build", "make_laplace")
    assert (code, said.startswith("1 of 1 built")) == (0, True)
    (pdf,) = cache.rglob("*/proofs/measurements-make_laplace.pdf")
    assert pdf.read_bytes().startswith(b"%PDF")
    assert run("show", "make_laplace", "--open")[1] == f"{pdf}\n"
    code, _, said = run("show", "make_gaussian", "--open", path="")
    assert code == 2
    text = site / "opendp_lite" / "proofs" / "measurements" / "make_gaussian.tex"
    assert said.endswith(f"The text of the proof is {text}\n")
    assert {path for path in site.rglob("*") if path.suffix != ".pyc"} - before == set()
