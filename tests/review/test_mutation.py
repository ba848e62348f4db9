"""No constant and no operator of proved code can change unnoticed.

For every proof on record, each constant and each operator of the code that it quotes,
and of the constants which that code uses, is changed in the syntax tree, one at a time.
Each time the review must report the change and show it.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from opendp_lite.review import Problem, Project
from opendp_lite.review.library import Library
from opendp_lite.review.modules import Module
from opendp_lite.review.records import Review, check_code, read_reviews
from opendp_lite.review.texfile import Reference
from tests.review.example import NAME, ROOT, Example
from tests.review.mutations import mutants, mutated_modules

PROOFS = ROOT / "proofs"
RECORDED = sorted(
    name for name in read_reviews(PROOFS) if not name.startswith("lemmas/")
)


def with_module(project: Project, module: Module, changed: Reference | None) -> Project:
    """The project with one module replaced.

    What was read of the proofs and of other modules is kept, and if only the function
    `changed` differs, the texts of the other functions are.
    """
    given = {
        name: each
        for name in project.library.names
        if (each := project.library.module(name)) is not None
    }
    library = Library(project.package, given | {module.name: module})
    mutated = Project(project.package, project.folder, library)
    vars(mutated)["files"] = project.files
    if changed is not None:
        mutated._texts.update(project._texts)
        del mutated._texts[changed.module, changed.name]
    return mutated


def findings(project: Project, name: str, review: Review) -> list[Problem]:
    return list(check_code(project, project.files[name], review))


def count_caught(project: Project, name: str) -> int:
    """The number of mutants, all of which the review finds."""
    review = read_reviews(project.folder)[name]
    assert findings(project, name, review) == []
    count = 0
    for changed, module in mutated_modules(project, project.files[name]):
        found = findings(with_module(project, module, changed), name, review)
        where = changed.name if changed else f"a constant of {module.name}"
        assert found, f"a change in {where} went unnoticed"
        for problem in found:
            assert problem.kind == "code-changed"
            lines = problem.detail.splitlines()
            assert any(line[:1] == "-" and line[:3] != "---" for line in lines)
            assert any(line[:1] == "+" and line[:3] != "+++" for line in lines)
        count += 1
    return count


def test_every_mutant_of_the_example_fails_the_whole_review(example: Example) -> None:
    project = example.project()
    original = example.read(example.code)
    for _, module in mutated_modules(project, project.files[NAME]):
        example.write(example.code, module.text)
        assert "code-changed" in example.kinds()
    example.write(example.code, original)
    assert example.problems() == []


def test_constants_outside_the_function_are_mutated_too(example: Example) -> None:
    code = "    return abs(factor) * d_in"
    example.edit(example.code, code, code + " + EXTRA + _ZERO")
    example.edit(
        example.code, "import math\n", "import math\nfrom scaling.extra import EXTRA\n"
    )
    example.edit(example.code, "_VARIANT =", "_ZERO = 0\n_VARIANT =")
    example.write("scaling/extra.py", "EXTRA = 0.0\n")
    example.accept(NAME)
    project = example.project()
    places = {
        module.name
        for changed, module in mutated_modules(project, project.files[NAME])
        if changed is None
    }
    assert places == {"scaling.extra", "scaling.multiplication"}
    assert count_caught(project, NAME) > 18


def test_mutants_change_one_thing_each() -> None:
    (node,) = Module(
        "m", 'def f(x):\n    """Doc."""\n    return -x < 1 + 2 and 1.0\n'
    ).tree.body
    assert sorted(ast_text(mutant) for mutant in mutants(node, [])) == sorted(
        [
            "return +x < 1 + 2 and 1.0",
            "return -x <= 1 + 2 and 1.0",
            "return -x < 2 + 2 and 1.0",
            "return -x < 1 - 2 and 1.0",
            "return -x < 1 + 3 and 1.0",
            "return -x < 1 + 2 or 1.0",
            "return -x < 1 + 2 and 1",
        ]
    )


def ast_text(node: object) -> str:
    assert isinstance(node, ast.FunctionDef)
    return ast.unparse(node.body[-1])


@cache
def library() -> Project:
    """The proofs of this library, read once."""
    return Project("opendp_lite", PROOFS)


@pytest.mark.parametrize("name", [NAME, *RECORDED])
def test_every_mutant_of_proved_code_is_caught(example: Example, name: str) -> None:
    project = library() if name in RECORDED else example.project()
    assert count_caught(project, name) >= 1


def test_what_is_on_record_is_mutated() -> None:
    if (PROOFS / "reviews.toml").exists():
        assert RECORDED
    assert set(RECORDED) <= {
        path.relative_to(PROOFS).as_posix().removesuffix(".tex")
        for path in Path(PROOFS).rglob("*.tex")
    }
