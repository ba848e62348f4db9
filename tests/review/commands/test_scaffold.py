"""The beginning of a proof, from a signature."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from opendp_lite.review import Project
from opendp_lite.review.code.library import Library
from opendp_lite.review.commands.reviewing import check
from opendp_lite.review.commands.scaffold import new_proof, skeleton
from opendp_lite.review.tex.texfile import TexFile
from tests.review.example import NAME, Example

Package = Callable[[dict[str, str]], Library]


def begun(package: Package, tmp_path: Path, source: str, name: str) -> TexFile:
    library = package({"family/m.py": source, "family/__init__.py": ""})
    project = Project("planted", tmp_path, library)
    return TexFile(f"family/{name}", skeleton(project, "planted.family.m", name))


@pytest.mark.parametrize(
    ("returned", "statement"),
    [
        ("Measurement", "validMeasurement"),
        ("dp.Transformation", "validTransformation"),
        ("Function", "validPostprocessor"),
        ("int", "validFunction"),
    ],
)
def test_the_statement_follows_from_the_annotation(
    package: Package, tmp_path: Path, returned: str, statement: str
) -> None:
    tex = begun(package, tmp_path, f"def f(x) -> {returned}: ...\n", "f")
    assert tex.postconditions == ((statement, "f"),)


@pytest.mark.parametrize(
    ("made", "statement"),
    [
        ("dp.Transformation(a)", "validTransformation"),
        ("Measurement(a)", "validMeasurement"),
        ("Odometer(a)", "validOdometer"),
        ("a", "validFunction"),
        ("sorted(a)", "validFunction"),
    ],
)
def test_without_annotations_the_statement_follows_from_what_is_returned(
    package: Package, tmp_path: Path, made: str, statement: str
) -> None:
    source = f"def make_f(a, b):\n    if a:  # proof: a\n        return {made}\n"
    tex = begun(package, tmp_path, source, "make_f")
    assert tex.postconditions == ((statement, "make_f"),)
    items = tex.conditions("compilerverified")
    assert items is not None
    assert [sorted(item.names) for item in items] == [["a"], ["b"]]


def test_a_line_that_is_too_wide_for_the_page_does_not_prevent_the_beginning(
    package: Package, tmp_path: Path
) -> None:
    wide = f"    x = '{'x' * 80}'\n"
    source = f"def f(a: int) -> int:\n{wide}    return a  # proof: wide\n"
    source += "def g():\n    return 1  # proof: other\n"
    tex = begun(package, tmp_path, source, "f")
    assert len(wide) == 91
    assert "labels in the code: f:wide\n" in tex.raw


def test_a_sampler_is_known_by_its_name(package: Package, tmp_path: Path) -> None:
    tex = begun(package, tmp_path, "def sample_x(x) -> int: ...\n", "sample_x")
    assert tex.postconditions == (("validSampler", "sample_x"),)


def test_conditions_follow_from_the_parameters(
    package: Package, tmp_path: Path
) -> None:
    source = "def f(a: int, b: Any, c, *, d: str = ''):\n    return a  # proof: x\n"
    tex = begun(package, tmp_path, source, "f")
    items = tex.conditions("compilerverified")
    assert items is not None
    assert [(sorted(item.names), item.by) for item in items] == [
        (["a", "int"], ("type",)),
        (["b"], ("f:LABEL",)),
        (["c"], ("f:LABEL",)),
        (["d", "str"], ("type",)),
    ]
    assert "f:x" in tex.raw


def test_the_path_is_the_family_or_what_the_registry_says(
    package: Package, tmp_path: Path, example: Example
) -> None:
    library = package({"family/m.py": "def f(): ...\n", "family/__init__.py": ""})
    project = Project("planted", tmp_path / "proofs", library)
    path = new_proof(project, "planted.family.m", "f")
    assert path == tmp_path / "proofs" / "family" / "f.tex"
    example.remove(example.proof)
    path = new_proof(example.project(), "scaling.multiplication", "make_multiply")
    assert path == example.root / "proofs" / f"{NAME}.tex"


def test_what_is_begun_has_the_form_and_is_unfinished(example: Example) -> None:
    example.remove(example.proof)
    new_proof(example.project(), "scaling.multiplication", "make_multiply")
    kinds = {p.kind for p in check(example.project()) if p.proof == NAME}
    assert "unfinished" in kinds
    assert not kinds & {"form", "part-unproved", "by-missing", "human-verified"}
