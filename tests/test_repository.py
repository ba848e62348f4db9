"""The repository keeps its promises: what it shows runs, what it names exists."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import tomllib
from pathlib import Path

import opendp_lite
from tests.rows import for_each

ROOT = Path(__file__).resolve().parent.parent

# A clone may belong to someone else, as it does in a container.
GIT = ["git", "-c", "safe.directory=*"]

# Spelled so that this file does not find itself.
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:home|tmp|root|work)(?=/)")


def python_blocks(markdown: str) -> list[str]:
    """The text inside every ```python fence."""
    return re.findall(r"^```python\n(.*?)^```", markdown, re.MULTILINE | re.DOTALL)


def run_examples(markdown: str) -> doctest.TestResults:
    """Run the Python blocks, which are doctests, in order and in one namespace."""
    text = "\n".join(python_blocks(markdown))
    test = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    return runner.run(test)


def tracked_files() -> list[Path]:
    """Files that git tracks or would track; without git, all that are not hidden."""
    if not (ROOT / ".git").exists():
        return [
            path
            for path in ROOT.rglob("*")
            if path.is_file()
            and not any(
                part[0] == "." or part == "__pycache__"
                for part in path.relative_to(ROOT).parts
            )
        ]
    listing = subprocess.run(
        [*GIT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    paths = [ROOT / name for name in listing.stdout.split("\0") if name]
    return [path for path in paths if path.is_file()]


def machine_paths(text: str) -> list[str]:
    """Lines that name a directory which exists on one machine only."""
    return [line for line in text.splitlines() if MACHINE_PATH.search(line)]


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def test_the_readme_shows_what_happens() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = python_blocks(readme)
    assert blocks
    assert all(block.startswith(">>> ") for block in blocks)
    results = run_examples(readme)
    assert results.attempted >= 5
    assert results.failed == 0


def test_a_readme_that_shows_something_else_is_found() -> None:
    planted = "Text.\n\n```python\n>>> x = 1\n>>> x + 1\n{}\n```\n\nMore text.\n"
    assert run_examples(planted.format(2)) == (0, 2)
    assert run_examples(planted.format(3)) == (1, 2)


def test_no_machine_path_is_tracked() -> None:
    found = {}
    for path in tracked_files():
        try:
            lines = machine_paths(path.read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            continue
        if lines:
            found[str(path.relative_to(ROOT))] = lines
    assert found == {}


@for_each("directory", ["home", "tmp", "root", "work"])
def test_a_machine_path_is_found(directory: str) -> None:
    assert machine_paths(f"open('/{directory}/someone/file')")
    assert machine_paths(f"https://example.org/{directory}/page") == []


def test_tracked_files_include_this_one() -> None:
    assert Path(__file__).resolve() in tracked_files()


def test_the_version_is_stated_once_in_two_places() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == opendp_lite.__version__


def test_the_makefile_has_its_targets() -> None:
    wanted = set("help demo test proofs docs bench audit format clean".split())
    assert make_targets() == wanted


def test_continuous_integration_runs_make_test() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert script.read_text().splitlines()[-1] == "exec make test"
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text()
    assert "run: .ci/run" in workflow


@for_each(
    "name",
    ["CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "SECURITY.md", "examples/demo.py"],
)
def test_the_file_exists(name: str) -> None:
    assert (ROOT / name).is_file()
