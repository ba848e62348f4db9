"""The repository keeps its promises: what it shows runs, what it names exists."""

from __future__ import annotations

import io
import os
import re
import subprocess
import tomllib
from code import InteractiveConsole
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import opendp_lite
from benchmarks.rows import FULL, all_rows
from opendp_lite.testing import state_flakiness
from tests.rows import for_each

ROOT = Path(__file__).resolve().parent.parent

# A clone may belong to someone else, as it does in a container.
GIT = ["git", "-c", "safe.directory=*"]

# Spelled so that this file does not find itself.
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:home|tmp|root|work)(?=/)")


def shown_blocks(markdown: str) -> list[tuple[str, str]]:
    """Every ```python block, with the ```text block that follows it at once, or ""."""
    found = re.findall(
        r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?",
        markdown,
        re.MULTILINE | re.DOTALL,
    )
    return [(code, shown) for code, shown in found]


NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def printed_blocks(markdown: str) -> list[tuple[str, str]]:
    """What each Python block is shown to print, and what it prints now.

    The blocks run in order and in one namespace, line by line, as when they are pasted
    into Python: there a line that is not indented ends no loop, but a blank line does.
    """
    console = InteractiveConsole()
    found = []
    for code, shown in shown_blocks(markdown):
        told = io.StringIO()
        with redirect_stdout(told), redirect_stderr(told):
            for line in [*code.splitlines(), ""]:
                console.push(line)
        found.append((shown, told.getvalue()))
    return found


def are_alike(shown: str, printed: str) -> bool:
    """Whether two texts differ in the numbers of releases alone, and in these by noise.

    The words are the same but for spaces, and no number is far from the one shown: of
    README's counts the noise has a scale of at most 8, of its means less than 0.1.
    """
    words = [" ".join(NUMBER.sub("#", text).split()) for text in (shown, printed)]
    pairs = zip(NUMBER.findall(shown), NUMBER.findall(printed), strict=False)
    return words[0] == words[1] and all(
        abs(float(old) - float(new)) <= (400 if float(old) > 1000 else 2)
        for old, new in pairs
    )


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


def test_the_readme_can_be_pasted_and_shows_what_happens() -> None:
    # A count 400 away from one that is within 24 of the truth is 47 scales away.
    state_flakiness("1e-15")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert ">>> " not in readme
    results = printed_blocks(readme)
    assert len(results) >= 2
    for shown, printed in results:
        assert shown
        assert are_alike(shown, printed), printed


def test_the_count_of_the_readme_has_six_lines() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "## A count in six lines" in readme
    code, _ = shown_blocks(readme)[0]
    assert len([line for line in code.splitlines() if line]) == 6


@for_each(
    ("code", "shown", "right"),
    [
        ("print('x', 5001)", "x 5001", True),
        ("print('x', 5001)", "x 5011", True),
        ("print('x', 5001)", "x 5500", False),
        ("print('x', 5001)", "y 5001", False),
        ("print(nowhere)", "5001", False),
        ("for x in [1]:\n    print(x)\n\nprint(2)", "1\n2", True),
        ("for x in [1]:\n    print(x)\nprint(2)", "1\n2", False),
    ],
)
def test_a_readme_that_shows_something_else_is_found(
    code: str, shown: str, right: bool
) -> None:
    page = f"```python\n{code}\n```\n\n```text\n{shown}\n```\n"
    assert [are_alike(*each) for each in printed_blocks(page)] == [right]


def speeds(readme: str) -> dict[str, list[str]]:
    """The rows of README's table of speed: what is measured, and the times."""
    _, _, part = readme.partition("| median time |")
    rows = [line.split("|")[1:-1] for line in part.partition("\n\n")[0].splitlines()]
    return {row[0].strip(): [each.strip() for each in row[1:]] for row in rows[2:]}


def test_the_speeds_of_the_readme_were_measured() -> None:
    """Each time stands in the results that are kept, in the row of that name."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    kept = (ROOT / "benchmarks" / "results" / "latest.md").read_text(encoding="utf-8")
    names = ["", "OpenDP ", "PyDP ", "diffprivlib "]
    found = speeds(readme)
    assert len(found) >= 5
    for name, (*times, key) in found.items():
        row = re.sub(r",? (?:of|a row of|an entry of) 1e\d.*", "", name)
        (line,) = [each for each in kept.splitlines() if each.startswith(f"| {row} (")]
        for peer, time in zip(names, times, strict=True):
            words = rf"\| {time}/" if not peer else rf" {peer}{time}[,;]"
            assert bool(time) == (f" {peer}" in line if peer else True), (name, peer)
            assert not time or re.search(words, line), (name, peer, time)
        rows = [each.key for each in all_rows(FULL)]
        assert any(each.startswith(key.strip("`")) for each in rows)


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
    wanted = set("help demo test proofs docs bench audit release format clean".split())
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
