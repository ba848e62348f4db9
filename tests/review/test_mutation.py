"""No constant and no operator of proved code can change unnoticed.

For every function that a proof on record quotes, each constant and each operator of its
code, and of the constants which it uses, is changed in the syntax tree, one at a time.
Each time the review of each proof that quotes it must report the change and show it.
Of the library's, `make test` takes one function of each module, and one of its changes:
the first in the first module, the second in the second, and so on in turns.
`make audit` takes all.
"""

from __future__ import annotations

import ast
from contextlib import closing
from pathlib import Path

import attrs
import pytest

from opendp_lite.review import Problem, Project
from opendp_lite.review.code.library import Library
from opendp_lite.review.code.modules import Module
from opendp_lite.review.records import Review, check_code, read_reviews
from opendp_lite.review.tex.texfile import Reference, TexFile
from tests.review.example import (
    NAME,
    ROOT,
    Committed,
    Example,
    own_project,
    sharing,
)
from tests.review.mutations import (
    OPERATORS,
    count_mutants,
    mutants,
    mutated_modules,
    outline,
)

PROOFS = ROOT / "proofs"
REVIEWS = read_reviews(PROOFS)
RECORDED = sorted(name for name in REVIEWS if not name.startswith("lemmas/"))


def in_memory(project: Project) -> Project:
    """The project with all of its modules read."""
    modules = {
        name: module
        for name in project.library.names
        if (module := project.library.module(name)) is not None
    }
    return Project(project.package, project.folder, Library(project.package, modules))


LIBRARY = sharing(in_memory(own_project()))


Quoted = dict[str, dict[Reference, dict[str, Review]]]


def quoted(project: Project, reviews: dict[str, Review]) -> Quoted:
    """The functions that proofs on record quote, by module, each with its records."""
    found: Quoted = {}
    for name, review in reviews.items():
        tex = project.files.get(name)
        for each in tex.quotes if tex is not None and not tex.is_lemma else ():
            function = Reference(each.name, 0, each.module)
            found.setdefault(each.module, {}).setdefault(function, {})[name] = review
    return found


QUOTED = quoted(LIBRARY, REVIEWS)


def with_module(project: Project, module: Module, changed: Reference) -> Project:
    """The project with one module replaced, as one function sees it.

    What was read of the proofs and of other modules is kept, and so are the texts of
    all other functions.
    """
    modules = {**project.library.given, module.name: module}
    library = Library(project.package, modules)
    replaced = Project(project.package, project.folder, library)
    vars(replaced).update(files=project.files, history=Committed(project))
    replaced._reviewed.update(project._reviewed)
    replaced._reviewed.pop((changed.module, changed.name), None)
    return replaced


def findings(
    project: Project, name: str, review: Review, function: Reference
) -> list[Problem]:
    """What the review of a proof says of one function, as if it quoted no other.

    Functions are compared one by one; the texts of the others would only take time.
    """
    header = f"{function.module}:{function.name}"
    code = {name: digest for name, digest in review.code.items() if name == header}
    alone = TexFile(name, f"\\code{{{function.module}}}{{{function.name}}}")
    assert len(alone.quotes) == len(code) == 1
    return list(check_code(project, alone, attrs.evolve(review, code=code)))


def count_caught(
    project: Project,
    reference: Reference,
    reviews: dict[str, Review],
    place: int | None = None,
) -> int:
    """The number of mutants of a function, all found in each proof that quotes it.

    With `place`, only one is tried, if there is any: the one at that place, in turns.
    """
    module = project.library.module(reference.module)
    assert module is not None
    outlined = with_module(project, outline(module, reference.name), reference)
    for name, review in reviews.items():
        assert findings(outlined, name, review, reference) == []
    count = 0
    number = count_mutants(outlined, reference)
    if place is None or not number:
        made = mutated_modules(outlined, reference)
    else:
        made = mutated_modules(outlined, reference, place % number, number)
    with closing(made) as mutated_one_by_one:
        for mutant in mutated_one_by_one:
            mutated = with_module(outlined, mutant, reference)
            for name, review in reviews.items():
                where = f"{reference.name} or a constant of {mutant.name}"
                found = findings(mutated, name, review, reference)
                assert len(found) == 1, f"a change in {where} went unnoticed in {name}"
                assert found[0].kind == "code-changed"
                lines = found[0].detail.splitlines()
                assert any(line[:1] == "-" and line[:3] != "---" for line in lines)
                assert any(line[:1] == "+" and line[:3] != "+++" for line in lines)
            count += 1
    assert bool(count) == bool(number)
    return count


def count_all_caught(project: Project) -> int:
    """The number of mutants of all code that the example's proof quotes."""
    return sum(
        count_caught(in_memory(project), function, reviews)
        for functions in quoted(project, read_reviews(project.folder)).values()
        for function, reviews in functions.items()
    )


def test_every_mutant_of_the_example_fails_the_whole_review(example: Example) -> None:
    project = example.project()
    original = example.read(example.code)
    for reference in project.files[NAME].quotes:
        for module in mutated_modules(project, reference):
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
    changes = [
        [line for line in module.lines if line not in original.lines]
        for reference in project.files[NAME].quotes
        for module in mutated_modules(project, reference)
        if (original := project.library.module(module.name)) is not None
    ]
    assert ["EXTRA = 0"] in changes
    assert ["_ZERO = 1"] in changes
    assert count_all_caught(project) > 18


# Each operator that can be changed, and each kind of constant.
KINDS = [
    "1 + 2 - 3 * 4 // 5 / 6 % 7 ** 8 << 9 >> 10 & 11 | 12 ^ 13",
    "factor and not d_in or +d_in or ~d_in or -d_in",
    "factor == 1.5 != 2.0 < 3 <= 4 > 5 >= 6",
    "factor is None is not True in 'a' not in b'b'",
]


def test_each_kind_of_change_is_caught(example: Example) -> None:
    trees = [each for kind in KINDS for each in ast.walk(ast.parse(kind))]
    assert OPERATORS.keys() <= {type(each) for each in trees}
    code = "    return abs(factor) * d_in"
    lines = "\n".join(f"    given = {kind}" for kind in KINDS)
    example.edit(example.code, code, f"{lines}\n{code}")
    example.accept(NAME)
    assert count_all_caught(example.project()) > 50


def test_mutants_change_one_thing_each() -> None:
    (node,) = Module(
        "m", 'def f(x):\n    """Doc."""\n    return -x < 1 + 2 and 1.0\n'
    ).tree.body
    assert sorted(ast_text(mutant) for mutant in mutants(node)) == sorted(
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


def test_what_was_mutated_is_restored() -> None:
    """After the last mutant, and after any one, of constants and of operators."""
    (node,) = Module("m", "def f(x):\n    return -x < 1 + 2 and 1.0\n").tree.body
    original = ast_text(node)
    count = len([ast_text(mutant) for mutant in mutants(node)])
    assert ast_text(node) == original
    for last in range(1, count + 1):
        found = mutants(node)
        assert all(ast_text(next(found)) != original for _ in range(last))
        found.close()
        assert ast_text(node) == original


def ast_text(node: object) -> str:
    assert isinstance(node, ast.FunctionDef)
    return ast.unparse(node.body[-1])


def test_every_mutant_of_the_example_is_caught(example: Example) -> None:
    assert count_all_caught(example.project()) >= 1


@pytest.mark.parametrize(("place", "module"), list(enumerate(QUOTED)), ids=QUOTED)
def test_mutants_of_proved_code_are_caught(place: int, module: str) -> None:
    functions = list(QUOTED[module].items())
    function, reviews = functions[place % len(functions)]
    count_caught(LIBRARY, function, reviews, place)


@pytest.mark.audit
@pytest.mark.parametrize("module", QUOTED)
def test_every_mutant_of_proved_code_is_caught(module: str) -> None:
    for function, reviews in QUOTED[module].items():
        count_caught(LIBRARY, function, reviews)


# Their own code calls others and returns; what could be mutated is stated elsewhere.
ONLY_CALLS = {
    "laws/approximate_to_tradeoff",
    "transformations/make_identity",
    "transformations/make_split_lines",
}


def test_every_proof_has_mutants() -> None:
    without = {
        name
        for name in RECORDED
        if not any(has_mutants(each) for each in LIBRARY.files[name].quotes)
    }
    assert without == ONLY_CALLS


def has_mutants(function: Reference) -> bool:
    with closing(mutated_modules(LIBRARY, function)) as found:
        return next(found, None) is not None


def test_what_is_on_record_is_mutated() -> None:
    if (PROOFS / "reviews.toml").exists():
        assert RECORDED
    assert set(RECORDED) <= {
        path.relative_to(PROOFS).as_posix().removesuffix(".tex")
        for path in Path(PROOFS).rglob("*.tex")
    }
