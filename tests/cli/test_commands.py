"""The command: help, mistakes without a traceback, explain, verify, completion."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from opendp_lite.cli import main
from opendp_lite.cli.subjects import Mistake, data_of, distance_of, mistakes, subject
from tests.jobs.described import written
from tests.rows import for_each
from tests.test_repository import ROOT

PIPELINE = """\
import math
import opendp_lite.prelude as dp
from opendp_lite import verify
from hypothesis import strategies as st

space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
total = space >> dp.t.then_clamp((0, 1)) >> dp.t.then_sum() >> dp.m.then_laplace(1)
real = dp.vector_domain(dp.atom_domain(T=float, nan=True)), dp.symmetric_distance()
rows = real >> dp.t.then_count() >> dp.m.then_laplace(scale=1)
number = 3

class Rooms:
    total = total

dp.enable_features("honest-but-curious")
liar = dp.m.make_user_measurement(
    dp.atom_domain(T=int), dp.absolute_distance(T=int), dp.max_divergence(),
    lambda x: x, lambda d: 0.0)

failing = dp.m.make_user_measurement(
    dp.atom_domain(T=int), dp.absolute_distance(T=int), dp.max_divergence(),
    lambda x: 1 // 0, lambda d: 0.0)
class Own:
    def explain(self):
        return "mine"
own = Own()

domain = dp.vector_domain(dp.atom_domain(T=int))
arguments = {"input_domain": domain, "input_metric": dp.symmetric_distance()}
KEPT = verify.Contract(
    dp.t.make_clamp,
    arguments=st.just({**arguments, "bounds": (0, 1)}),
    refusals=[({**arguments, "bounds": (2, 1)}, "MakeDomain", "bounds")],
    examples=2)
BROKEN = verify.Contract(
    dp.t.make_clamp,
    arguments=st.just({**arguments, "bounds": (0, 1)}),
    refusals=[({**arguments, "bounds": (0, 2)}, "MakeDomain", "bounds")],
    examples=2)
"""


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> str:
    return written(tmp_path_factory.mktemp("cli"), "a_pipeline.py", PIPELINE)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


@for_each("name", ["explain", "verify", "release", "completion"])
def test_help_tells_exit_codes(name: str) -> None:
    for option in ("-h", "--help"):
        result = run(name, option)
        assert result.exit_code == 0
        assert "Exit codes:" in result.output
        assert "opendp-lite " in result.output


def test_the_help_lists_all_commands() -> None:
    text = run("-h").output
    for name in ("proofs", "explain", "verify", "release", "completion", "Exit codes"):
        assert name in text


# explain


def test_explain(pipeline: str) -> None:
    result = run("explain", f"{pipeline}:total", "--d-in", "1")
    assert result.exit_code == 0
    assert "proofs/measurements/make_laplace.tex (vetted)" in result.output
    assert "d_out = 1" in result.output
    inside = run("explain", f"{pipeline}:Rooms.total", "--d-in", "1")
    assert inside.output == result.output


def test_explain_as_json_and_html(pipeline: str) -> None:
    told = run("explain", f"{pipeline}:total", "--d-in", "2", "--format", "json")
    assert told.exit_code == 0
    assert json.loads(told.output)
    page = run("explain", f"{pipeline}:total", "--d-in", "2", "--format", "html")
    assert page.exit_code == 0
    assert page.output.lstrip().startswith("<")


@pytest.mark.parametrize(
    ("name", "options", "told"),
    [
        ("totl", [], "has no 'totl'. Did you mean 'total'?"),
        ("total.x", [], "has no 'total.x'."),
        ("number", [], "is of type int, which cannot be explained"),
        ("own", [], "is of type Own, which cannot be explained"),
        ("Rooms", [], "is of type type, which cannot be explained"),
        ("total", ["--d-in", "0.5"], "d_in=Fraction(1, 2): must be an integer"),
        ("total", ["--d-in", "-1"], "d_in=-1"),
        ("total", ["--d-in", "many"], "--d-in='many': is no number"),
        ("total", ["--d-in", "1/0"], "--d-in='1/0': is no number"),
        ("total", ["--format", "pdf"], "'pdf' is not one of"),
    ],
)
def test_mistakes_of_explain(
    pipeline: str, name: str, options: list[str], told: str
) -> None:
    result = run("explain", f"{pipeline}:{name}", *options)
    assert result.exit_code == 2
    assert told in result.stderr
    assert "Traceback" not in result.output


@for_each(
    ("text", "told"),
    [
        ("count", "'count': names no object. Write MODULE:NAME"),
        (":count", "names no object"),
        ("a:", "names no object"),
        ("no_such_module:a", "there is no module 'no_such_module', here or installed"),
        ("opendp_lite.nothing:a", "there is no module 'opendp_lite.nothing'"),
        ("none/file.py:a", "none/file.py: there is no such file"),
        ("folder/file.txt:a", "folder/file.txt: there is no such file"),
        ("..relative:a", "could not be run"),
    ],
)
def test_subjects_that_are_not_there(text: str, told: str) -> None:
    with pytest.raises(Mistake) as caught:
        subject(text)
    assert told in caught.value.message
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a = 1\n1 / 0\n", "line 2: could not be run: ZeroDivisionError: division"),
        ("a = (\n", "line 1: could not be run: SyntaxError"),
        ("import nothing_at_all\n", "line 1: could not be run: ModuleNotFoundError"),
        ("raise SystemExit\n", "line 1: could not be run: SystemExit"),
        (
            "import opendp_lite.prelude as dp\ndp.m.make_laplace(1)\n",
            "line 2: could not",
        ),
    ],
)
def test_files_that_fail(tmp_path: Path, text: str, told: str) -> None:
    path = written(tmp_path, "failing.py", text)
    with pytest.raises(Mistake) as caught:
        subject(f"{path}:a")
    assert told in caught.value.message
    assert "failing" not in sys.modules


def test_a_file_finds_its_neighbours_and_is_run_once(tmp_path: Path) -> None:
    written(tmp_path, "a_neighbour_of_it.py", "value = []\n")
    path = written(tmp_path, "json.py", "from a_neighbour_of_it import value\n")
    found = subject(f"{path}:value")
    assert subject(f"{path}:value") is found
    assert subject("a_neighbour_of_it:value") is found
    assert sys.modules["json"].__file__ != path  # the name of a module that there is


# verify


def test_verify_holds(pipeline: str) -> None:
    pair = ["--x", "[1, 0, 1]", "--x2", "[1, 0]", "--depth", "20"]
    result = run("verify", f"{pipeline}:total", *pair)
    assert result.exit_code == 0
    assert "holds for this pair at d_in=1" in result.output


def test_verify_refutes_and_is_undecided(pipeline: str) -> None:
    result = run("verify", f"{pipeline}:liar", "--x", "0", "--x2", "1")
    assert (result.exit_code, "REFUTED" in result.output) == (1, True)
    pair = ["--x", "[1]", "--x2", "[]", "--depth", "2"]
    result = run("verify", f"{pipeline}:total", *pair)
    assert (result.exit_code, "UNDECIDED" in result.output) == (1, True)
    capped = run("verify", f"{pipeline}:total", *pair, "--cap", "1")
    assert capped.exit_code == 0


def test_verify_reads_nan_and_infinity(pipeline: str) -> None:
    pair = ["--x", "[nan, -inf]", "--x2", "[NaN]", "--depth", "16", "--cap", "0.01"]
    assert run("verify", f"{pipeline}:rows", *pair).exit_code == 0


@pytest.mark.parametrize(
    ("name", "options", "told"),
    [
        ("total", [], "--x: is missing"),
        ("total", ["--x", "[1]"], "--x2: is missing"),
        ("total", ["--x", "[1", "--x2", "[1]"], "--x: cannot be read. Write JSON"),
        ("total", ["--x", "[1]", "--x2", "word"], "--x2: cannot be read. Write JSON"),
        ("total", ["--x", "[0.5]", "--x2", "[1]"], "not a member of VectorDomain"),
        ("total", ["--x", "[1,1]", "--x2", "[]", "--d-in", "1"], "are further apart"),
        ("total", ["--x", "[1]", "--x2", "[]", "--d-in", "x"], "--d-in='x': is no"),
        ("total", ["--x", "[1]", "--x2", "[]", "--cap", "2"], "cap=2"),
        ("total", ["--x", "[1]", "--x2", "[]", "--depth", "0"], "--depth"),
        ("number", ["--x", "1", "--x2", "1"], "must be a Measurement"),
        ("failing", ["--x", "0", "--x2", "1"], "could not be run: ZeroDivisionError"),
        ("KEPT", ["--x", "1"], "is a contract, with inputs of its own"),
    ],
)
def test_mistakes_of_verify(
    pipeline: str, name: str, options: list[str], told: str
) -> None:
    result = run("verify", f"{pipeline}:{name}", *options)
    assert result.exit_code == 2
    assert told in result.stderr
    assert "Traceback" not in result.output


def test_a_contract_is_run(pipeline: str) -> None:
    kept = run("verify", f"{pipeline}:KEPT")
    assert (kept.exit_code, kept.output) == (
        0,
        f"{pipeline}:KEPT: the contract is kept.\n",
    )
    assert run("verify", f"{pipeline}:BROKEN").exit_code == 1


# completion


@pytest.mark.parametrize(
    ("shell", "told"),
    [
        ("bash", "complete -o nosort"),
        ("zsh", "#compdef"),
        ("fish", "complete --no-files"),
    ],
)
def test_completion_says_how_to_enable_it(shell: str, told: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert result.output.startswith("# To enable it: ")
    assert told in result.output
    assert "_OPENDP_LITE_COMPLETE" in result.output


def test_an_unknown_shell() -> None:
    assert run("completion", "tcsh").exit_code == 2


@for_each(
    ("words", "told"),
    [
        ("opendp-lite re", "plain,release"),
        ("opendp-lite release --pre", "plain,--preview"),
        ("opendp-lite release vi", "file,vi"),
        ("opendp-lite explain pipe", "file,pipe"),
        ("opendp-lite explain x --format j", "plain,json"),
    ],
)
def test_words_are_completed(words: str, told: str) -> None:
    told_words = {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    variables = {"_OPENDP_LITE_COMPLETE": "bash_complete", **told_words}
    result = CliRunner().invoke(main, [], env=variables, prog_name="opendp-lite")
    assert told in result.output.splitlines()


# the whole


def test_an_unknown_command_and_its_neighbour() -> None:
    result = run("relase")
    assert result.exit_code == 2
    assert "there is no command 'relase'. Did you mean 'release'?" in result.stderr
    assert "See opendp-lite -h." in run("xyz").stderr


def test_ctrl_c_ends_without_a_traceback(
    pipeline: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pressed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("opendp_lite.verify.privacy", pressed)
    result = run("verify", f"{pipeline}:total", "--x", "[1]", "--x2", "[]")
    assert result.exit_code == 130
    assert result.stderr.endswith("aborted\n")


def test_the_module_is_the_command() -> None:
    command = [sys.executable, "-m", "opendp_lite.cli", "explain", "a"]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("Error: 'a': names no object.")


def test_the_module_completes_words_too() -> None:
    words = {"COMP_WORDS": "opendp-lite ver", "COMP_CWORD": "1"}
    told = {**os.environ, **words, "_OPENDP_LITE_COMPLETE": "bash_complete"}
    command = [sys.executable, "-m", "opendp_lite.cli"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, env=told, check=False)
    assert done.stdout.split() == [b"plain,verify"]


def test_files_that_cannot_be_read_are_mistakes(tmp_path: Path) -> None:
    with pytest.raises(Mistake, match="cannot be opened: no such file"), mistakes():
        (tmp_path / "none").read_text()
    (tmp_path / "bytes").write_bytes(b"\xff")
    with pytest.raises(Mistake, match="is not UTF-8"), mistakes():
        (tmp_path / "bytes").read_text(encoding="utf-8")
    with pytest.raises(BrokenPipeError), mistakes():
        raise BrokenPipeError(32, "Broken pipe")


def test_values_on_the_command_line() -> None:
    assert (distance_of("3"), distance_of(None)) == (3, None)
    assert str(distance_of("0.1")) == "1/10"
    assert distance_of("inf") == float("inf")
    assert data_of('["nan", "inf \\" nan"]', "--x") == ["nan", 'inf " nan']
    nan, low, high = data_of("[NaN, -Infinity, inf]", "--x")
    assert nan != nan
    assert (low, high) == (float("-inf"), float("inf"))


RELEASING = """
import opendp_lite.prelude as dp
space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
noisy = dp.m.make_laplace(*space, scale=1)
{}
"""


@pytest.mark.parametrize(
    "line", ["noisy(1)", "try:\n    noisy(1)\nexcept RuntimeError:\n    pass"]
)
def test_a_module_that_makes_a_release_is_refused(tmp_path: Path, line: str) -> None:
    """It would make one more for each command that names it."""
    path = tmp_path / "releasing.py"
    path.write_text(RELEASING.format(line))
    with pytest.raises(Mistake, match="makes a release when it is loaded"):
        subject(f"{path}:noisy")
    other = tmp_path / "waiting.py"
    other.write_text(RELEASING.format("def release():\n    return noisy(1)"))
    assert isinstance(subject(f"{other}:release")(), int)
