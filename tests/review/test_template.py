"""Proofs in a user's CI: the action, the hook, and the template that uses both."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

import opendp_lite
from opendp_lite.cli import main
from opendp_lite.review.commands import reviewing as answers
from opendp_lite.review.commands.reviewing import inputs_digest
from opendp_lite.verify import ContractBroken
from tests.review.example import ORIGINAL, PACKAGE, ROOT, Example, forget

FILES = answers._files
FOLDER = ".github/actions/check-proofs"
USED = f"OWNER/opendp-lite/{FOLDER}"
_INPUT = re.compile(r"\$\{\{ *inputs\.([\w-]+) *\}\}")


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


ACTION = load(ROOT / FOLDER / "action.yml")
WORKFLOW = load(ORIGINAL / ".github" / "workflows" / "proofs.yml")
HOOKS = load(ROOT / ".pre-commit-hooks.yaml")


def step(
    number: int, folder: Path, inputs: dict[str, str], **more: str
) -> subprocess.CompletedProcess[str]:
    """Run the script of a step as GitHub does, with what is given to the action."""
    found = ACTION["runs"]["steps"][number]
    defaults = {k: v["default"] for k, v in ACTION["inputs"].items() if "default" in v}
    given = defaults | {"python": sys.executable} | inputs

    def filled(text: str) -> str:
        text = _INPUT.sub(lambda match: given[match.group(1)], text)
        text = text.replace("${{ github.action_path }}", str(ROOT / FOLDER))
        assert "${{" not in text
        return text

    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", found["run"]],
        cwd=folder / filled(found["working-directory"]),
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "GITHUB_WORKSPACE": str(folder),
            **{name: filled(value) for name, value in found["env"].items()},
            **more,
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_action_is_well_formed() -> None:
    assert ACTION["runs"]["using"] == "composite"
    assert ACTION["name"]
    assert ACTION["description"]
    assert all(each["description"] for each in ACTION["inputs"].values())
    used = set()
    for each in ACTION["runs"]["steps"]:
        assert each["shell"] == "bash"
        assert "${{" not in each["run"]  # a value is data, and never a part of a script
        for name in re.findall(r"\$\{?([A-Z]+)\b", each["run"]):
            assert name in each["env"]
        values = [each["working-directory"], *each["env"].values()]
        used |= {name for value in values for name in _INPUT.findall(value)}
    assert used == ACTION["inputs"].keys()
    for name, each in ACTION["inputs"].items():
        assert each.get("required", False) is ("default" not in each), name


def test_the_action_annotates_what_it_finds_and_believes_no_answer_that_was_kept(
    example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = step(1, example.root, {"package": PACKAGE})
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout.endswith(" in order.\n")
    # An answer that a review without --fresh would believe: nothing is wrong.
    monkeypatch.setattr(answers, "_files", FILES)
    kept = example.root / "proofs" / "build" / "answer.json"
    answer = json.loads(kept.read_text(encoding="utf-8"))
    assert answer == {"inputs": inputs_digest(example.project()), "problems": []}
    example.edit(example.code, "abs(factor) * d_in", "factor * d_in")
    answer["inputs"] = inputs_digest(example.project())
    kept.write_text(json.dumps(answer), encoding="utf-8")
    assert example.problems() == []
    inputs = {"package": PACKAGE, "working-directory": example.root.name}
    bad = step(1, example.root.parent, inputs)
    assert bad.returncode == 1
    place = f"file={example.root.name}/{example.code},line="
    assert bad.stdout.startswith(f"::error {place}")
    wrong = step(1, example.root, {"package": "no; such $(package)"})
    assert wrong.returncode == 2
    assert "there is no package 'no; such $(package)'" in wrong.stderr


def test_the_action_installs_what_is_missing(tmp_path: Path) -> None:
    assert step(0, tmp_path, {"package": PACKAGE}).returncode == 0
    # A Python that can do nothing but tell how it was called.
    fake = tmp_path / "fake python"
    fake.write_text(
        '#!/bin/sh\nfor each in "$@"; do printf "[%s]" "$each"; done >> calls\n'
        'echo >> calls\ncase "$*" in -c*opendp_lite"$KNOWN"*) exit 1;; esac\n'
    )
    fake.chmod(0o755)
    inputs = {"package": PACKAGE, "python": str(fake), "install": ".[dev]\nother\n"}
    # Nothing of the library is there, so that of the action is installed before what
    # asks for it: no index has it.
    assert step(0, tmp_path, inputs).returncode == 0
    library = ROOT / FOLDER / ".." / ".." / ".."
    _, first, second, *_ = (tmp_path / "calls").read_text().splitlines()
    assert first == f"[-m][pip][install][--quiet][{library}[cli,proofs]]"
    assert second == "[-m][pip][install][--quiet][.[dev]][other]"
    assert library.resolve() == ROOT
    # The library is there without its extras, which are added to it.
    assert step(0, tmp_path, inputs, KNOWN=",").returncode == 0
    last = (tmp_path / "calls").read_text().splitlines()[-1]
    assert last == "[-m][pip][install][--quiet][opendp-lite[cli,proofs]]"


def test_the_hook_runs_the_check(
    example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    (hook,) = HOOKS
    assert hook["id"] == "opendp-lite-proofs"
    assert hook["language"] == "python"
    assert hook["pass_filenames"] is False
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = extras["project"]["optional-dependencies"]
    assert hook["additional_dependencies"] == wanted["cli"]
    assert {*wanted["proofs"]} < {*wanted["cli"]}  # for `review` without the command
    for name in (Example.code, Example.proof, Example.trusted, "proofs/references.bib"):
        assert re.search(hook["files"], name)
    (repository,) = load(ORIGINAL / ".pre-commit-config.yaml")["repos"]
    (used,) = repository["hooks"]
    assert used["id"] == hook["id"]
    assert repository["rev"] == f"v{opendp_lite.__version__}"
    program, *words = hook["entry"].split()
    assert program == "opendp-lite"
    monkeypatch.chdir(example.root)
    forget()
    result = CliRunner().invoke(main, [*words, *used["args"]])
    assert result.exit_code == 0
    assert result.output.endswith("in order.\n")


def test_workflows_fetch_the_history_from_which_differences_are_shown() -> None:
    own = load(ROOT / ".github" / "workflows" / "test.yml")
    for workflow in (own, WORKFLOW):
        for job in workflow["jobs"].values():
            (first, *_) = job["steps"]
            assert first["uses"].startswith("actions/checkout@")
            assert first["with"]["fetch-depth"] == 0


def test_the_template_uses_the_action_rightly() -> None:
    (job,) = WORKFLOW["jobs"].values()
    (used,) = [each for each in job["steps"] if USED in each.get("uses", "")]
    assert used["uses"] == f"{USED}@v{opendp_lite.__version__}"
    assert used["with"].keys() <= ACTION["inputs"].keys()
    assert used["with"]["package"] == PACKAGE
    text = (ORIGINAL / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    assert project["name"] == PACKAGE
    assert used["with"]["install"] == ".[dev]"
    assert "opendp-lite[cli,proofs]" in project["optional-dependencies"]["dev"]


def test_the_tests_of_the_template_pass_and_can_fail(example: Example) -> None:
    (job,) = WORKFLOW["jobs"].values()
    assert job["steps"][-1]["run"] == "python -m pytest"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    environment = {"PATH": "", "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    good = subprocess.run(
        command,
        cwd=example.root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (good.returncode, good.stdout[-20:].count("passed")) == (0, 1)
    example.edit(example.code, "abs(factor) * d_in", "factor * d_in")
    forget()
    tests = run_path(str(example.root / "tests" / "test_multiplication.py"))
    with pytest.raises(ContractBroken):
        tests["test_the_contract_is_kept"]()
