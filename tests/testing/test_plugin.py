"""The pytest plugin, run by pytest in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

TESTS = """
import opendp_lite.prelude as dp
import pytest
from opendp_lite.testing import assert_close, state_flakiness

SPACE = dp.atom_domain(T=int), dp.absolute_distance(T=int)
NOISY = SPACE >> dp.m.then_laplace(scale=2)

@pytest.fixture
def release():
    state_flakiness("1e-24")
    return NOISY(5)

def test_default(release):
    assert_close(release, 5, NOISY)

def test_stated():
    assert_close(NOISY(5), 5, NOISY, "1e-20")
    assert_close(NOISY(5), 5, NOISY, "1e-20")

def test_without():
    pass
"""


def run(tmp_path: Path, *options: str, text: str = TESTS) -> tuple[int, str]:
    (tmp_path / "test_example.py").write_text(text)
    # The plugin is named, and others are left out, whether it is installed or not.
    environment = os.environ | {
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONPATH": str(ROOT),
    }
    environment.pop("PYTEST_ADDOPTS", None)
    command = [sys.executable, "-m", "pytest", "-p", "opendp_lite.testing.plugin"]
    finished = subprocess.run(
        [*command, "-p", "no:cacheprovider", *options, str(tmp_path)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return finished.returncode, finished.stdout + finished.stderr


def test_the_total_is_reported(tmp_path: Path) -> None:
    code, output = run(tmp_path, "--junitxml=junit.xml")
    assert code == 0, output
    # 2e-20 + 1e-23 + 1e-24, in three digits, rounded up.
    assert "with probability at most 2.01E-20 (assertions: 4, tests: 2)." in output
    report = (tmp_path / "junit.xml").read_text()
    assert 'name="dp_flakiness" value="1/50000000000000000000 2"' in report


def test_the_total_is_reported_over_processes(tmp_path: Path) -> None:
    code, output = run(tmp_path, "-p", "xdist", "-n", "2", "--dp-flakiness=1e-19")
    assert code == 0, output
    assert "at most 1.21E-19 (assertions: 4, tests: 2)." in output


def test_the_default_can_be_set(tmp_path: Path) -> None:
    code, output = run(tmp_path, "--dp-flakiness=1e-3", "-k", "default")
    assert code == 0, output
    assert "at most 0.00101 (assertions: 2, tests: 1)." in output


def test_the_limit_fails_the_run(tmp_path: Path) -> None:
    code, output = run(tmp_path, "--dp-flakiness-limit=1e-20")
    assert code == 1, output
    assert "3 passed" in output
    assert "That is above --dp-flakiness-limit=1E-20." in output
    code, output = run(tmp_path, "--dp-flakiness-limit=1e-19")
    assert code == 0, output


def test_a_run_without_noise_says_nothing(tmp_path: Path) -> None:
    code, output = run(tmp_path, text="def test_sum():\n    assert 1 + 1 == 2\n")
    assert code == 0, output
    assert "probability" not in output


@pytest.mark.parametrize("option", ["--dp-flakiness", "--dp-flakiness-limit"])
@pytest.mark.parametrize("value", ["2", "0", "text"])
def test_a_bad_option_is_named(tmp_path: Path, option: str, value: str) -> None:
    code, output = run(tmp_path, f"{option}={value}")
    assert code == 4, output
    assert f"{option}='{value}': must be" in output


def test_the_example_reports_its_flakiness() -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    environment.pop("PYTEST_ADDOPTS", None)
    finished = subprocess.run(
        [sys.executable, "-W", "error", "examples/test_private_mean.py"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "at most 1.01E-17 (assertions: 4, tests: 3)." in finished.stdout


def test_the_plugin_is_registered_under_the_name_of_its_module() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    name = "opendp_lite.testing.plugin"
    assert project["entry-points"]["pytest11"] == {name: name}
