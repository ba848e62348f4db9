"""The command: what it prints and how it exits."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from opendp_lite.cli import main
from tests.review.example import LEMMA, NAME, PACKAGE, ROOT, Example, forget


def run(example: Example, command: str, *arguments: str) -> Result:
    forget()
    options = ["--package", PACKAGE, "--proofs", str(example.root / "proofs")]
    return CliRunner().invoke(main, ["proofs", command, *options, *arguments])


def test_check_passes(example: Example) -> None:
    result = run(example, "check")
    assert (result.exit_code, result.output) == (
        0,
        "1 proof, 1 lemma, 1 checked step: in order.\n",
    )


def test_check_says_what_changed_and_what_to_do(example: Example) -> None:
    example.commit()
    example.edit(example.code, "factor * int(arg)", "factor - int(arg)")
    result = run(example, "check")
    assert result.exit_code == 1
    assert "make_multiply, or a constant or import that it uses, changed" in (
        result.output
    )
    assert "    -        return factor * int(arg)\n" in result.output
    assert "    +        return factor - int(arg)\n" in result.output
    assert "What to do: Undo the change; or read the proof" in result.output
    assert "1 finding, see above." in result.output


@pytest.mark.parametrize("options", [[], ["--fresh"], [LEMMA]], ids=str)
def test_check_without_sympy_says_what_to_install(
    example: Example, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    monkeypatch.setitem(sys.modules, "sympy", None)
    result = run(example, "check", *options)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == (
        "Error: checks of algebra need sympy: pip install 'opendp-lite[cli]'\n"
    )


def test_a_proof_without_algebra_is_checked_without_sympy(
    example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sympy", None)
    assert run(example, "check", "make_multiply").exit_code == 0


def installed(extras: set[str]) -> set[str]:
    """What `pip install '.[...]'` brings: always, and by extras, which name others."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    optional = pyproject["project"]["optional-dependencies"]
    always = pyproject["project"]["dependencies"]
    found = {re.split(r"[^\w-]", each)[0] for each in always}
    for wanted in (each for extra in extras for each in optional[extra]):
        name, own = re.match(r"([\w-]+)(?:\[([^]]*)\])?", wanted).groups()  # type: ignore[union-attr]
        found |= installed(set(own.split(","))) if name == "opendp-lite" else {name}
    return found


def test_what_the_pages_install_is_all_that_the_command_needs() -> None:
    pages = ["README.md", *(f"docs/{n}.md" for n in ("index", "first-release"))]
    for page in [*pages, "docs/guides/command.md", "docs/tutorial.md"]:
        text = (ROOT / page).read_text(encoding="utf-8")
        (extras,) = re.findall(r"^pip install '[\w.-]*\[(.*?)\]'", text, re.MULTILINE)
        assert {"click", "rich", "sympy"} <= installed(set(extras.split(","))), page


def test_check_of_one_proof_shows_only_that(example: Example) -> None:
    example.edit(example.lemma, "Both sides", "The two sides")
    assert run(example, "check", "make_multiply").exit_code == 0
    result = run(example, "check", "scaled-distance")
    assert result.exit_code == 1
    assert "the text of the proof changed" in result.output


def test_show(example: Example) -> None:
    result = run(example, "show", "make_multiply")
    assert result.exit_code == 0
    assert "draft; written by Example Author\n" in result.output
    assert "read (draft) by Example Reader on 2026-11-16\n" in result.output
    assert "return factor * int(arg)  <- make_multiply:product" in result.output
    assert "rests on: lemmas/scaled-distance" in result.output


def test_index(example: Example) -> None:
    assert run(example, "index").output == "The index is up to date.\n"
    example.remove("proofs/INDEX.md")
    assert run(example, "index").output == "The index was written.\n"
    assert run(example, "check").exit_code == 0


def test_accept(example: Example) -> None:
    refused = run(example, "accept", NAME, "--reviewer", "Example Author")
    assert refused.exit_code == 2
    assert "nobody reviews their own proof" in refused.output
    example.edit(example.code, "factor * int(arg)", "int(arg) * factor")
    assert run(example, "accept", NAME, "--reviewer", "B").exit_code == 0
    assert run(example, "check").exit_code == 0
    refused = run(example, "accept", NAME)
    assert refused.exit_code == 2
    assert "name who read it, by --reviewer" in refused.output
    refused = run(example, "accept", NAME, "--reviewer", "B", "--author", "C")
    assert refused.exit_code == 2
    assert "the first author stays" in refused.output


def test_new_begins_a_proof_that_is_refused_until_it_is_finished(
    example: Example,
) -> None:
    result = run(example, "new", "scaling.multiplication", "make_multiply")
    assert result.exit_code == 2
    assert "exists already" in result.output
    example.remove(example.proof)
    assert run(example, "new", "scaling.multiplication", "make_multiply").exit_code == 0
    result = run(example, "check")
    assert result.exit_code == 1
    assert "is unfinished" in result.output
    result = run(example, "new", "scaling.multiplication", "make_nothing")
    assert result.exit_code == 2
    assert "defines no make_nothing" in result.output


@pytest.mark.parametrize("command", ["check", "build", "show", "accept"])
@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--package", "no_such_package"], "there is no package"),
        (["--package", PACKAGE, "--proofs", "no_such_folder"], "there is no folder"),
        (["--package", PACKAGE, "make_nothing"], "there is no proof 'make_nothing'"),
        (["--package", PACKAGE, "--proofs", "README.md"], "is a file"),
    ],
)
def test_what_is_not_there_is_said(
    example: Example,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    options: list[str],
    complaint: str,
) -> None:
    monkeypatch.chdir(example.root)
    names = [] if "make_nothing" in options else [NAME]
    result = CliRunner().invoke(main, ["proofs", command, *options, *names])
    assert result.exit_code == 2
    assert complaint in result.output
    assert "Traceback" not in result.output


def test_a_broken_file_is_a_mistake(example: Example) -> None:
    (example.root / example.proof).write_bytes(b"\xff\xfe")
    result = run(example, "check")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is not UTF-8" in result.stderr
    example.remove(example.proof)
    example.write(example.trusted, "trusted = [")
    result = run(example, "check")
    assert result.exit_code == 2
    assert "is not valid TOML" in result.stderr


def test_the_proofs_of_the_library_are_found_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["proofs", "show", "make_laplace"])
    assert result.exit_code == 0
    assert result.output.startswith("measurements/make_laplace\n")
    result = CliRunner().invoke(main, ["proofs", "check", "lemmas/roots"])
    assert result.output == "lemmas/roots: in order.\n"
    # Commands that write look for no other place than this one.
    result = CliRunner().invoke(main, ["proofs", "accept", "make_laplace"])
    assert result.exit_code == 2
    assert "there is no folder proofs." in result.output


def test_the_proofs_of_another_package_are_not_passed_over(
    example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(example.root)
    for command in ("check", "build"):
        result = CliRunner().invoke(main, ["proofs", command])
        assert result.exit_code == 2
        assert "name its package by --package" in result.output
    result = CliRunner().invoke(main, ["proofs", "show", "lemmas/roots"])
    assert result.exit_code == 0


@pytest.mark.usefixtures("loaded_before")
def test_a_pdf_is_made_and_opened(
    example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def launch(url: str) -> int:
        assert Path(url).read_bytes().startswith(b"%PDF")
        opened.append(url)
        return len(opened) - 1

    monkeypatch.setattr("click.launch", launch)
    result = run(example, "show", "scaled-distance", "--open")
    assert (result.exit_code, result.stdout) == (0, f"{opened[0]}\n")
    assert opened[0].endswith("lemmas-scaled-distance.pdf")
    result = run(example, "show", "scaled-distance", "--open")
    assert (result.exit_code, result.stdout) == (2, f"{opened[0]}\n")
    assert "no program to open it with" in result.stderr


def test_without_tex_it_says_what_to_install_and_where_the_text_is(
    example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    result = run(example, "show", "scaled-distance", "--open")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "apt install texlive-latex-recommended" in result.stderr
    assert f"The text of the proof is {example.root / example.lemma}" in result.stderr


def test_the_installed_command_reviews_the_package_of_its_folder(
    example: Example,
) -> None:
    program = "from opendp_lite.cli import main; main(prog_name='opendp-lite')"
    command = [sys.executable, "-B", "-c", program, "proofs"]
    done = subprocess.run(
        [*command, "check", "--package", PACKAGE, LEMMA],
        cwd=example.root,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{LEMMA}: in order.\n"


def test_the_command_is_declared() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'opendp-lite = "opendp_lite.cli:main"' in text
