"""`opendp-lite certify`: exit codes, one sentence for each mistake, and its files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from opendp_lite.certify import Evidence
from opendp_lite.certify.format import sealed
from opendp_lite.cli import main

PIPELINE = """
import opendp_lite.prelude as dp
dp.enable_features("honest-but-curious")
space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
noisy = space >> dp.m.then_laplace(scale=2)
other = space >> dp.m.then_laplace(scale=3)
def double(x): return 2 * x
own = noisy >> double
def fails(x): return 1 / 0
failing = noisy >> fails
number = 3
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, evidence: Evidence) -> Path:
    (tmp_path / "pipeline.py").write_text(PIPELINE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Evidence, "of", lambda *_: evidence)
    return tmp_path


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["certify", *arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.exit_code, " ".join(done.output.split())


def test_there_and_back(folder: Path) -> None:
    outputs = "-o", "noisy.json", "-o", "noisy.html"
    code, said = run("pipeline.py:noisy", "--d-in", "1", "--runs", "20", *outputs)
    assert code == 0
    assert "epsilon = 1/2" in said
    assert "noisy.html was written." in said
    assert (folder / "noisy.html").read_text().startswith("<!DOCTYPE html>")
    code, said = run("--verify", "noisy.json")
    assert code == 0
    assert "code, proofs and numbers are the same" in said
    code, said = run("--verify", "noisy.json", "--subject", "pipeline.py:other")
    assert code == 1
    assert "claim.d_out.exact: 1/2 -> 1/3" in said


def test_a_pair_of_ones_own(folder: Path) -> None:
    pair = "--x", "5", "--x2", "6", "--runs", "20"
    code, said = run("pipeline.py:noisy", "--d-in", "1", *pair)
    assert code == 0
    assert "-o FILE writes it" in said
    code, said = run("pipeline.py:noisy", "--d-in", "1", "--x", "5")
    assert code == 2
    assert "--x and --x2 go together" in said
    code, said = run("pipeline.py:noisy", "--d-in", "1", "--x", "5", "--x2", "9")
    assert code == 2
    assert "the two inputs are further apart" in said


def test_functions_of_ones_own(folder: Path) -> None:
    arguments = "pipeline.py:own", "--d-in", "1", "--no-bit-trees", "-o", "own.json"
    code, said = run(*arguments)
    assert code == 0
    assert "1 to be signed by a person" in said
    code, said = run("--verify", "own.json")
    assert code == 2
    assert "Name the object yourself, with --subject" in said
    code, said = run("--verify", "own.json", "--subject", "pipeline.py:own")
    assert code == 0


def test_versions_and_tampering(folder: Path) -> None:
    run("pipeline.py:noisy", "--d-in", "1", "--no-bit-trees", "-o", "a.json")
    content = json.loads((folder / "a.json").read_text())
    content["versions"]["MPFR"] = "3.0"
    (folder / "b.json").write_text(json.dumps(content))
    code, said = run("--verify", "b.json")
    assert code == 2
    assert "was changed after it was made" in said
    (folder / "b.json").write_text(json.dumps(sealed(content)))
    code, said = run("--verify", "b.json")
    assert code == 0
    assert "versions.MPFR: 3.0 -> " in said
    code, said = run("--verify", "b.json", "--strict")
    assert code == 1
    assert "--strict asks for the same" in said
    content["format_version"] = 9
    (folder / "b.json").write_text(json.dumps(sealed(content)))
    code, said = run("--verify", "b.json")
    assert code == 2
    assert "has the format version 9" in said


def test_what_is_not_reviewed(folder: Path, evidence: Evidence) -> None:
    import attrs

    key = "opendp_lite", "measurements/make_laplace"
    facts = evidence.facts(*key)
    evidence._facts[key] = attrs.evolve(facts, findings=("its code is another one",))
    try:
        arguments = "pipeline.py:noisy", "--d-in", "1", "--no-bit-trees"
        code, said = run(*arguments, "-o", "a.json")
        assert code == 1
        assert "make_laplace.tex: its code is another one" in said
        assert run(*arguments, "--allow-unreviewed")[0] == 0
        code, said = run("--verify", "a.json")
        assert code == 1
        assert "not all of it was reviewed" in said
        assert run("--verify", "a.json", "--allow-unreviewed")[0] == 0
    finally:
        evidence._facts[key] = facts
    code, said = run("--verify", "a.json", "--allow-unreviewed")
    assert code == 1
    assert "proofs[0].as_reviewed: false -> true" in said


def test_a_function_of_ones_own_that_fails(folder: Path) -> None:
    code, said = run("pipeline.py:failing", "--d-in", "1", "-o", "a.json")
    assert code == 2
    assert "ZeroDivisionError" in said
    assert not (folder / "a.json").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "pass MODULE:NAME to certify, or --verify FILE.json"),
        (
            ("pipeline.py:noisy", "--verify", "a.json"),
            "pass MODULE:NAME to certify, or",
        ),
        (
            ("pipeline.py:noisier", "--d-in", "1"),
            "has no 'noisier'. Did you mean 'noisy'",
        ),
        (("nowhere.py:noisy", "--d-in", "1"), "nowhere.py"),
        (("pipeline.py:number", "--d-in", "1"), "must be a measurement"),
        (("pipeline.py:noisy",), "d_in=None: is missing"),
        (("pipeline.py:noisy", "--d-in", "one"), "is no number"),
        (("pipeline.py:noisy", "--d-in", "-1"), "d_in=-1"),
        (("pipeline.py:noisy", "--d-in", "1/2"), "must be an integer"),
        (("pipeline.py:noisy", "--d-in", "1", "-o", "a.txt"), "must end in .json"),
        (("pipeline.py:noisy", "--d-in", "1", "--strict"), "go with --verify"),
        (("--verify", "none.json"), "none.json: cannot be read"),
        (("--verify", "pipeline.py"), "is no JSON"),
        (("--verify", "a.json", "--d-in", "1"), "and not with --verify"),
        (
            ("pipeline.py:noisy", "--d-in", "1", "--no-bit-trees", "-o", "no/a.json"),
            "cannot be written",
        ),
    ],
)
def test_mistakes(folder: Path, arguments: tuple[str, ...], words: str) -> None:
    code, said = run(*arguments)
    assert code == 2, said
    assert words in said
    assert not (folder / "a.json").exists()


def test_files_that_are_there_stay(folder: Path) -> None:
    (folder / "a.json").write_text("{}")
    arguments = "pipeline.py:noisy", "--d-in", "1", "--no-bit-trees", "-o", "a.json"
    code, said = run(*arguments)
    assert code == 2
    assert "is there already, and is not replaced" in said
    assert (folder / "a.json").read_text() == "{}"
    assert run(*arguments, "--force")[0] == 0
    assert run("--verify", "a.json")[0] == 0


def test_all_files_are_written_or_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shutil

    monkeypatch.setattr(shutil, "which", lambda name: None)
    both = "-o", "a.json", "-o", "a.pdf"
    code, said = run("pipeline.py:noisy", "--d-in", "1", "--no-bit-trees", *both)
    assert code == 2
    assert "a PDF cannot be made here" in said
    assert [each.name for each in folder.iterdir() if each.is_file()] == ["pipeline.py"]


LEAKING = """
import random, time
import numpy as np
import opendp_lite.prelude as dp
dp.enable_features("honest-but-curious")
rng = np.random.default_rng()
space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
def made(function):
    return dp.m.make_user_measurement(
        *space, dp.max_divergence(), function, lambda d: 0.1 * d
    )
leaking = made(lambda x: len(x) if random.random() < 0.05 else 0)
outside = made(lambda x: len(x) if rng.random() < 0.05 else 0)
timed = made(lambda x: len(x) if time.time() % 1 < 0.05 else 0)
"""


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("leaking", "<lambda> called random.random"),
        ("outside", "a generator numpy.random._generator.Generator was drawn from"),
        ("timed", "<lambda> called time.time"),
    ],
)
def test_what_uses_another_source_is_never_certified(
    folder: Path, name: str, source: str
) -> None:
    """The certificate, its page and `--verify` agree, in all of some runs."""
    (folder / "leaks.py").write_text(LEAKING)
    pair = "--d-in", "1", "--x", "[1]", "--x2", "[1, 2]", "--depth", "10"
    outputs = "-o", "own.json", "-o", "own.html", "--force"
    for _ in range(4):
        code, said = run(f"leaks.py:{name}", *pair, *outputs)
        assert code == 1
        assert (
            f"something else than random bits may decide what is released: {source}"
            in said
        )
        (tree,) = json.loads((folder / "own.json").read_text())["bit_trees"]["results"]
        assert (tree["verdict"], tree["sources"][0]) == ("undecided", source)
        assert (tree["certified_delta"], tree["unresolved"]) == ("1", "1")
        page = " ".join((folder / "own.html").read_text().split())
        assert "UNDECIDED" in page
        assert "every string of random bits" not in page
        assert page.count(source.replace("<", "&lt;").replace(">", "&gt;")) >= 3
        code, said = run("--verify", "own.json", "--subject", f"leaks.py:{name}")
        assert code == 1
        allowed = "--allow-unreviewed", "--subject", f"leaks.py:{name}"
        assert run("--verify", "own.json", *allowed)[0] == 1
        assert run(f"leaks.py:{name}", *pair, "--allow-unreviewed")[0] == 1
        assert "code, proofs and numbers are the same" in said
        assert source in said
    # Found by itself, a small pair says the same.
    code, said = run(f"leaks.py:{name}", "--d-in", "1", "--runs", "50")
    assert (code, source in said) == (1, True)


def test_the_command_verify_leaves_it_undecided(folder: Path) -> None:
    (folder / "leaks.py").write_text(LEAKING)
    pair = "--x", "[1]", "--x2", "[1, 2]", "--depth", "10"
    done = CliRunner().invoke(main, ["verify", "leaks.py:leaking", *pair])
    assert done.exit_code == 1
    assert "UNDECIDED" in done.output
    assert "called random.random" in done.output
