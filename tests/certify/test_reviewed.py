"""Code and proofs that are not what was reviewed: said in plain words, and noticed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from opendp_lite import certify
from opendp_lite.certify import Evidence
from opendp_lite.certify.running import Running
from opendp_lite.measurements.noise import laplace_gaussian as laplace
from opendp_lite.review.code.library import Library
from opendp_lite.review.code.modules import Module
from opendp_lite.review.project import Project
from tests.certify.pipelines import noisy

ROOT = Path(__file__).resolve().parents[2]
OWN = "opendp_lite"
PROOF = "measurements/make_laplace"
NAME = f"{OWN}.measurements.noise.laplace_gaussian:make_laplace"


def with_text(evidence: Evidence, module: str, text: str) -> Evidence:
    """Evidence of the package with one module of another text, and nothing derived.

    The other modules and the proofs are what was read already.
    """
    own = evidence.all_projects[OWN]
    kept = {name: each for name, each in own.library._cache.items() if each is not None}
    library = Library(OWN, {**kept, module: Module(module, text)})
    project = Project(OWN, own.folder, library)
    vars(project)["files"] = own.files
    return Evidence({OWN: project})


def with_change(evidence: Evidence, old: str, new: str, *proofs: str) -> Evidence:
    """The same evidence, with a module whose text was changed, for some proofs."""
    evidence.closure(OWN, [PROOF])
    module = laplace.__name__
    text = Path(str(laplace.__file__)).read_text()
    assert old in text
    changed = with_text(evidence, module, text.replace(old, new))
    kept = {key: each for key, each in evidence._facts.items() if key[1] not in proofs}
    changed._facts.update(kept)
    changed._trusted[OWN] = evidence.trusted(OWN)
    return changed


def test_changed_code_is_said_and_noticed(evidence: Evidence) -> None:
    text = certify.certificate(noisy(), 1, pairs=[], evidence=evidence).to_json()
    old = "return in_scales(sensitivity("
    source = Path(str(laplace.__file__)).read_text()
    old = next(line for line in source.splitlines() if "# proof: map" in line)
    changed = with_change(evidence, old, f"{old}\n        d_in = d_in / 2", PROOF)
    made = certify.certificate(noisy(), 1, pairs=[], evidence=changed)
    first, second = made.findings
    assert first.startswith(
        f"proofs/{PROOF}.tex: make_laplace, or a constant or import"
    )
    assert "changed since it was read by" in first
    assert "make_laplace as it runs here is not what the file" in second
    assert not made.content["proofs"][0]["as_reviewed"]
    found = certify.check(text, evidence=changed)
    fields = [each.field for each in found.differences]
    assert f"proofs[0].code.{NAME}" in fields
    assert "proofs[0].as_reviewed" in fields


def test_comments_and_words_are_no_change(evidence: Evidence) -> None:
    source = Path(str(laplace.__file__)).read_text()
    line = next(line for line in source.splitlines() if "# proof: map" in line)
    changed = with_change(evidence, line, f"{line}\n        # said better", PROOF)
    assert certify.certificate(noisy(), 1, pairs=[], evidence=changed).findings == ()


def test_a_function_that_somebody_replaced_is_noticed(
    evidence: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = Running(evidence.all_projects[OWN].library)
    module, name = NAME.split(":")
    assert running.is_of_file(module, name)
    monkeypatch.setattr(laplace, name, lambda *args, **kwargs: None)
    assert not running.is_of_file(module, name)


def test_methods_and_classes_that_somebody_replaced(
    evidence: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    from opendp_lite.core.domains.atom import AtomDomain

    running = Running(evidence.all_projects[OWN].library)
    home = AtomDomain.__module__
    assert running.is_of_file(home, "AtomDomain.member")
    assert running.is_of_file(home, "AtomDomain")
    monkeypatch.setattr(AtomDomain, "member", lambda self, value: True)
    assert not running.is_of_file(home, "AtomDomain.member")
    assert not running.is_of_file(home, "AtomDomain")
    assert running.is_of_file(home, "AtomDomain.contains")


def test_what_is_not_loaded_does_not_run(evidence: Evidence) -> None:
    running = Running(evidence.all_projects[OWN].library)
    assert running.is_of_file("opendp_lite.nowhere", "anything")


def test_a_changed_premise_is_said(evidence: Evidence) -> None:
    facts = evidence.facts(OWN, PROOF)
    assert facts.review is not None
    import attrs

    review = attrs.evolve(
        facts.review,
        premises=facts.review.premises | {"lemmas/doors": "0" * 64},
        tex="1" * 64,
    )
    fresh = Evidence(evidence.all_projects)
    fresh._reviews[OWN][PROOF] = review
    said = fresh.facts(OWN, PROOF).findings
    assert said[0].startswith("its text changed since ")
    assert said[1].startswith(
        "the statement of lemmas/doors, on which it rests, changed"
    )
    del fresh._facts[OWN, PROOF], fresh._reviews[OWN][PROOF]
    assert fresh.facts(OWN, PROOF).findings == ("nobody is recorded as having read it",)


def python(*arguments: str, folder: Path) -> tuple[int, str]:
    path = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    program = [sys.executable, *arguments]
    done = subprocess.run(
        program, cwd=folder, env=path, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def run(*arguments: str, folder: Path) -> tuple[int, str]:
    return python("-m", "opendp_lite.cli", "certify", *arguments, folder=folder)


IN_TURN = """
import json, sys
from click.testing import CliRunner
from opendp_lite.cli import main
given = json.loads(sys.argv[1])
done = [CliRunner().invoke(main, ["certify", *each]) for each in given]
print(json.dumps([[each.exit_code, each.output] for each in done]))
"""


def run_in_turn(*commands: tuple[str, ...], folder: Path) -> list[Any]:
    """The same of several commands, for which one process imports what they need."""
    code, said = python("-c", IN_TURN, json.dumps(commands), folder=folder)
    assert code == 0, said
    return list(json.loads(said))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package of a user's own with its proofs, and a pipeline of it."""
    folder = tmp_path / "own"
    shutil.copytree(ROOT / "examples" / "own_constructor", folder)
    (folder / "pipeline.py").write_text(
        "import opendp_lite.prelude as dp\nfrom scaling import make_multiply\n"
        "dp.enable_features('contrib')\n"
        "space = dp.atom_domain(T=int), dp.absolute_distance(T=int)\n"
        "times = make_multiply(*space, 3)\n"
    )
    return folder


def test_a_package_of_ones_own(package: Path) -> None:
    own = ("--package", "scaling", "--proofs", "proofs")
    arguments = "pipeline.py:times", "--d-in", "2"
    check = "--verify", "times.json", "--subject", "pipeline.py:times"
    without, draft, verified = run_in_turn(
        arguments,
        (*arguments, "-o", "times.json", *own),
        (*check, *own, "--allow-unreviewed"),
        folder=package,
    )
    code, said = without
    assert code == 1
    assert "proved elsewhere" in said
    code, said = draft
    assert code == 1
    assert "make_multiply.tex: it is draft, and not vetted" in said
    code, said = verified
    assert code == 0
    assert "code, proofs and numbers are the same" in said
    source = package / "scaling" / "multiplication.py"
    text = source.read_text()
    source.write_text(text.replace("factor * int(arg)", "factor * int(arg) + 1"))
    code, said = run(*check, *own, "--allow-unreviewed", folder=package)
    assert code == 1
    assert "proofs[0].code.scaling.multiplication:make_multiply: " in said


def test_a_folder_that_is_not_there(package: Path) -> None:
    given: Any = "pipeline.py:times", "--d-in", "2", "--package", "scaling"
    code, said = run(*given, "--proofs", "nowhere", folder=package)
    assert code == 2
    assert "there is no folder nowhere" in said


SAMPLER = "randomness/draw_discrete"


def planted(evidence: Evidence, module: str, old: str, new: str) -> Evidence:
    """Evidence of a package in which one module was changed; the rest is kept."""
    path = Path(str(import_module(module).__file__))
    text = path.read_text()
    assert text.count(old) == 1
    evidence.closure(OWN, [PROOF])
    changed = with_text(evidence, module, text.replace(old, new))
    changed._facts.update(
        (key, each)
        for key, each in evidence._facts.items()
        if not any(header.startswith(f"{module}:") for header in each.code)
    )
    return changed


def test_a_change_of_a_sampler_that_is_used_indirectly(evidence: Evidence) -> None:
    from opendp_lite.review.commands.reviewing import check

    text = certify.certificate(noisy(), 1, pairs=[], evidence=evidence).to_json()
    tex = evidence.facts(OWN, SAMPLER).tex
    assert tex is not None
    module, name = tex.subject.module, tex.subject.name
    changed = planted(evidence, module, f"def {name}(", f"def {name}(unused=None, *, ")
    changed._trusted[OWN] = evidence.trusted(OWN)
    found = certify.check(text, evidence=changed)
    fields = [each.field for each in found.differences]
    assert f"rests_on.{OWN}:{SAMPLER}.code" in fields
    assert f"rests_on.{OWN}:{SAMPLER}.as_reviewed" in fields
    said = certify.certificate(noisy(), 1, pairs=[], evidence=changed).findings
    problems = check(changed.all_projects[OWN], only=[SAMPLER])
    told = {each.message.rstrip(".") for each in problems if "changed" in each.message}
    assert told
    assert told <= {each.removeprefix(f"proofs/{SAMPLER}.tex: ") for each in said}


def test_a_record_that_hides_what_the_proof_rests_on(evidence: Evidence) -> None:
    import attrs

    review = evidence.facts(OWN, PROOF).review
    assert review is not None
    fresh = Evidence(evidence.all_projects)
    fresh._reviews[OWN][PROOF] = attrs.evolve(review, premises={})
    facts = fresh.facts(OWN, PROOF)
    (said,) = facts.findings
    assert said.startswith("it rests on ")
    assert ", and did not when it was read by " in said
    assert facts.premises == review.premises
    del fresh._facts[OWN, PROOF], fresh._reviews[OWN][PROOF]
    assert fresh.facts(OWN, PROOF).premises == review.premises


def test_a_call_of_what_nobody_proved(evidence: Evidence) -> None:
    source = Path(str(laplace.__file__)).read_text()
    line = next(line for line in source.splitlines() if "# proof: map" in line)
    call = "        _unheard_of(d_in)\n"
    end = "\n\ndef _unheard_of(d: object) -> object:\n    return d\n"
    module = laplace.__name__
    text = source.replace(line, f"{line}\n{call}") + end
    changed = with_text(evidence, module, text)
    said = changed.facts(OWN, PROOF).findings
    assert any("_unheard_of" in each for each in said)


def test_a_change_of_code_that_is_trusted(evidence: Evidence) -> None:
    from opendp_lite.exact import enclosures

    text = certify.certificate(noisy(), 1, pairs=[], evidence=evidence).to_json()
    module = enclosures.__name__
    changed = planted(evidence, module, "def exp(", "def exp(more=0, *, ")
    changed._facts.update(evidence._facts)
    found = certify.check(text, evidence=changed)
    assert [each.field for each in found.differences] == [f"trusted.{OWN}"]


def test_a_decorator_that_says_something_else(
    evidence: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    import attrs

    from opendp_lite.core.registry import REGISTRY
    from opendp_lite.transformations import make_user_transformation as make

    name = f"{make.__module__}:{make.__name__}"
    entry = REGISTRY[name]
    assert entry.proof is not None
    assert evidence.facts(OWN, entry.proof).findings == ()
    hidden = attrs.evolve(entry, human_verified=(), status="draft")
    monkeypatch.setitem(REGISTRY, name, hidden)
    first, second = Evidence(evidence.all_projects).facts(OWN, entry.proof).findings
    assert "for a person to verify, and the decorator" in first
    assert second.endswith("says that it is draft, and its record says vetted")


def test_a_record_of_no_refereeing(
    evidence: Evidence, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import attrs

    review = evidence.facts(OWN, PROOF).review
    assert review is not None
    fresh = Evidence(evidence.all_projects)
    reader = review.verdict.who
    fresh._reviews[OWN][PROOF] = attrs.evolve(review, author=f"another, {reader}")
    monkeypatch.setattr(
        "opendp_lite.certify.evidence.note_path", lambda *_: tmp_path / "none.md"
    )
    assert fresh.facts(OWN, PROOF).findings == (
        f"{reader} is recorded as its author and as its reader",
        "it is vetted, and the note of the refereeing is missing or empty",
    )


def test_a_proof_of_another_constructor(
    evidence: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    from opendp_lite.certify.evidence import ProofFacts

    other = property(lambda self: ("somewhere:make_laplace",))
    monkeypatch.setattr(ProofFacts, "about", other)
    said = certify.certificate(noisy(), 1, pairs=[], evidence=evidence).findings
    assert f"proofs/{PROOF}.tex: it is not about {NAME}" in said


class Doubling:
    def __call__(self, x: int) -> int:
        return 2 * x


@pytest.mark.parametrize(
    ("function", "source"),
    [(Doubling(), None), ([1, 2].__getitem__, None), (round, "builtins.round")],
)
def test_what_is_called_and_has_no_text(
    function: Any, source: str | None, evidence: Evidence
) -> None:
    import opendp_lite.prelude as dp

    dp.enable_features("honest-but-curious")
    made = noisy() >> function
    found = certify.certificate(made, 1, pairs=[], evidence=evidence)
    (one,) = found.content["functions"]
    assert one["source"] == source
    said = [each for each in found.findings if "no text of it is known" in each]
    assert bool(said) == (source is None)


@pytest.mark.usefixtures("files_read_anew")
def test_every_file_of_the_library_is_in_the_versions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from opendp_lite.certify import deriving as versions

    before = versions.versions()["opendp_lite, all files"]
    read = Library.module

    def changed(self: Library, name: str) -> Module | None:
        found = read(self, name)
        if name != "opendp_lite.cli.subjects" or found is None:
            return found
        return Module(name, f"{found.text}\n")

    monkeypatch.setattr(Library, "module", changed)
    assert versions.versions()["opendp_lite, all files"] != before
