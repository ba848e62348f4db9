"""The pytest plugin, run by pytest in a process of its own.

Most runs share one process, in turn: to load the library takes longer than they do.
"""

from __future__ import annotations

import json
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
    return 7  # no draw: the default of a run may be one in a thousand

def test_default(release):
    assert_close(release, 5, NOISY)

def test_stated():
    assert_close(NOISY(5), 5, NOISY, "1e-20")
    assert_close(NOISY(5), 5, NOISY, "1e-20")

def test_without():
    pass
"""


PLAIN = """
def test_sum():
    assert 1 + 1 == 2
"""

# One run after the other; what each returns, and what it says.
IN_TURN = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout

import pytest

found = []
for arguments in json.loads(sys.argv[1]):
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = pytest.main(arguments)
    found.append([int(code), said.getvalue()])
print(json.dumps(found))
"""

BAD = [
    f"{option}={value}"
    for option in ("--dp-flakiness", "--dp-flakiness-limit")
    for value in ("2", "0", "text")
]
RUNS = {
    "junit": ["--junitxml=junit.xml", "test_example.py"],
    "default": ["--dp-flakiness=1e-3", "-k", "default", "test_example.py"],
    "low limit": ["--dp-flakiness-limit=1e-20", "test_example.py"],
    "high limit": ["--dp-flakiness-limit=1e-19", "test_example.py"],
    "plain": ["test_plain.py"],
    "example": [str(ROOT / "examples" / "test_private_mean.py")],
    **{option: [option, "test_example.py"] for option in BAD},
}

# The plugin is named, and others are left out, whether it is installed or not.
OPTIONS = ["-p", "opendp_lite.testing.plugin", "-p", "no:cacheprovider"]


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_example.py").write_text(TESTS)
    (folder / "test_plain.py").write_text(PLAIN)
    environment = os.environ | {
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONPATH": str(ROOT),
    }
    environment.pop("PYTEST_ADDOPTS", None)
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("plugin")


Runs = dict[str, tuple[int, str]]


@pytest.fixture(scope="module")
def runs(folder: Path) -> Runs:
    """The exit code and the output of each run."""
    arguments = [[*OPTIONS, *each] for each in RUNS.values()]
    finished = run(folder, "-c", IN_TURN, json.dumps(arguments))
    assert finished.returncode == 0, finished.stdout + finished.stderr
    found = json.loads(finished.stdout)
    return {name: tuple(each) for name, each in zip(RUNS, found, strict=True)}


def test_the_total_is_reported(runs: Runs, folder: Path) -> None:
    code, output = runs["junit"]
    assert code == 0, output
    # 2e-20 + 1e-23 + 1e-24, in three digits, rounded up.
    assert "with probability at most 2.01E-20 (assertions: 4, tests: 2)." in output
    report = (folder / "junit.xml").read_text()
    assert 'name="dp_flakiness" value="1/50000000000000000000 2"' in report


def test_the_total_is_reported_over_processes(tmp_path: Path) -> None:
    options = ["-p", "xdist", "-n", "2", "--dp-flakiness=1e-19", "test_example.py"]
    finished = run(tmp_path, "-m", "pytest", *OPTIONS, *options)
    output = finished.stdout + finished.stderr
    assert finished.returncode == 0, output
    assert "at most 1.21E-19 (assertions: 4, tests: 2)." in output


def test_the_default_can_be_set(runs: Runs) -> None:
    code, output = runs["default"]
    assert code == 0, output
    assert "at most 0.00101 (assertions: 2, tests: 1)." in output


def test_the_limit_fails_the_run(runs: Runs) -> None:
    code, output = runs["low limit"]
    assert code == 1, output
    assert "3 passed" in output
    assert "That is above --dp-flakiness-limit=1E-20." in output
    code, output = runs["high limit"]
    assert code == 0, output
    # The default of another run is forgotten.
    assert "with probability at most 2.01E-20 (assertions: 4, tests: 2)." in output


def test_a_run_without_noise_says_nothing(runs: Runs) -> None:
    code, output = runs["plain"]
    assert code == 0, output
    assert "1 passed" in output
    assert "probability" not in output


@pytest.mark.parametrize("given", BAD)
def test_a_bad_option_is_named(runs: Runs, given: str) -> None:
    code, output = runs[given]
    option, value = given.split("=")
    assert code == 4, output
    assert f"{option}='{value}': must be" in output


def test_the_example_reports_its_flakiness(runs: Runs) -> None:
    code, output = runs["example"]
    assert code == 0, output
    assert "at most 1.01E-17 (assertions: 4, tests: 3)." in output


# In a process of its own the example is run by `make audit` alone.
@pytest.mark.audit
def test_the_example_says_so_when_it_is_run_alone() -> None:
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
