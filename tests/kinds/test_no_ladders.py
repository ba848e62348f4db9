"""Only a kind's own file, and checks of arguments, ask of which kind a part is.

Elsewhere in the package a ladder of `isinstance` over kinds of domains, metrics,
measures or engines would have to grow with every new kind. Constructors may ask: their
proofs are about the kinds that they name. Likewise no code lists constructors by name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from opendp_lite import combinators, measurements, transformations
from opendp_lite.base.ownership import is_own
from opendp_lite.core import domains, measures, metrics  # noqa: F401 (define the kinds)
from opendp_lite.core.domains import Domain
from opendp_lite.core.measures import Measure
from opendp_lite.core.metrics import Metric
from opendp_lite.laws.noise import Noise
from opendp_lite.sessions import user  # noqa: F401 (those of users)
from opendp_lite.tables.engines.engine import Engine
from tests.rows import for_each
from tests.test_layers import MODULES

BASES = (Domain, Metric, Measure, Engine, Noise)
CONSTRUCTORS = {"transformations", "measurements", "combinators", "tables"}
# Proofs quote these, and are about the kinds that they name; to others they say no.
PROVED = {
    "_accepts_rationals",
    "VectorDomain.member",
    "VectorDomain.contains",
    "MapDomain.__attrs_post_init__",
    "check_adds",
    "is_exclusive",
    "no_loss",
}


def kinds(base: type) -> Iterator[type]:
    """The classes that are derived from `base`, and those derived from them."""
    derived: list[type] = base.__subclasses__()
    for kind in derived:
        if is_own(kind):
            yield kind
            yield from kinds(kind)


HOME = {kind.__name__: kind.__module__ for base in BASES for kind in kinds(base)}


def ladders(module: str, source: str) -> list[str]:
    """Calls of `isinstance` and `issubclass`, and `type(x) is`, that name a kind."""
    found: list[str] = []
    if not any(name in source for name in HOME):
        return found
    for function, node in _nodes(ast.parse(source), ""):
        asked: ast.AST | None = None
        if isinstance(node, ast.Call) and len(node.args) == 2:
            if ast.unparse(node.func) in ("isinstance", "issubclass"):
                asked = node.args[1]
        elif isinstance(node, ast.Compare) and "type(" in ast.unparse(node.left):
            asked = node.comparators[0]
        elif isinstance(node, ast.MatchClass):
            asked = node.cls
        if asked is None:
            continue
        named = _words(ast.unparse(asked).replace(".", " "))
        for name in named & HOME.keys():
            other = (
                not module.startswith(HOME[name].rpartition(".")[0])
                and function not in PROVED
            )
            if other:
                found.append(f"{module}:{node.lineno} asks for a {name}")
    return found


def _words(text: str) -> set[str]:
    return set("".join(c if c.isalnum() or c == "_" else " " for c in text).split())


def _nodes(tree: ast.AST, function: str) -> Iterator[tuple[str, Any]]:
    for node in ast.iter_child_nodes(tree):
        inside = function
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            inside = f"{function}.{node.name}".strip(".")
        if isinstance(node, ast.expr | ast.MatchClass):
            yield inside, node
        yield from _nodes(node, inside)


def test_the_kinds_are_found() -> None:
    assert {"AtomDomain", "VectorDomain", "UserDomain", "BitVectorDomain"} <= set(HOME)
    assert {"L2Distance", "L02InfDistance", "DiscreteDistance"} <= set(HOME)
    assert {"MaxDivergence", "ApproximateDivergence"} <= set(HOME)


def test_no_ladders_over_kinds() -> None:
    modules = [name for name in MODULES if not CONSTRUCTORS & set(name.split("."))]
    assert len(modules) > 100
    found = {name: ladders(name, MODULES[name].read_text()) for name in modules}
    assert {name: some for name, some in found.items() if some} == {}


@for_each(
    "source",
    [
        "if isinstance(x, VectorDomain): pass",
        "if isinstance(x, (int, domain.VectorDomain)): pass",
        "if isinstance(made.metric, L1Distance | L2Distance): pass",
        "def f(x):\n    return type(x) is MaxDivergence",
        "match x:\n    case AtomDomain():\n        pass",
        "class Kind:\n    def member(self, x):\n        issubclass(x, OptionDomain)",
    ],
)
def test_planted_ladders_are_found(source: str) -> None:
    assert ladders("opendp_lite.verify.contracts.examples", source)


def test_a_kind_may_ask_for_itself_and_all_for_the_bases() -> None:
    assert not ladders("opendp_lite.core.domains", "isinstance(x, AtomDomain)")
    assert not ladders("opendp_lite.verify.x", "isinstance(x, Domain)")


def constructor_names() -> set[str]:
    """Return the names of all constructors, and of their `then_` forms."""
    names = {each for room in ROOMS for each in dir(room)}
    return {each for each in names if each.startswith(("make_", "then_"))}


ROOMS = (combinators, measurements, transformations)
CONSTRUCTOR_NAMES = constructor_names()


def listed_constructors(source: str) -> list[str]:
    """Return the names of constructors that a module has as text, and not in a message.

    What a module exports, `__all__`, is no such list.
    """
    tree = ast.parse(source)
    exported = (
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )
    skipped = {id(each) for value in exported for each in ast.walk(value)}
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in skipped:
            words = node.value.split() if isinstance(node.value, str) else []
            found += words if CONSTRUCTOR_NAMES.issuperset(words) else []
    return found


def test_no_tables_of_constructors() -> None:
    assert len(CONSTRUCTOR_NAMES) > 150
    names = {each: each.removeprefix("opendp_lite.") for each in MODULES}
    found = {
        names[each]: len(listed_constructors(path.read_text()))
        for each, path in MODULES.items()
    }
    listed = {name: n for name, n in found.items() if n}
    assert listed == {}, "ask the object, or what it is made of, and not its name"


@for_each(
    "source",
    [
        'TABLE = {"make_laplace": 1}',
        'NAMES = ("make_gaussian", "make_geometric")',
        'NAMES = "make_chain_tt make_chain_mt".split()',
        'tells("there", "make_snapping")',
        'def f(made):\n    return made.constructor.__name__ == "make_composition"',
        'match name:\n    case "then_count":\n        pass',
    ],
)
def test_planted_tables_are_found(source: str) -> None:
    assert listed_constructors(source)


def test_messages_and_exports_are_no_tables() -> None:
    assert not listed_constructors('__all__ = ["make_laplace", "then_laplace"]')
    assert not listed_constructors('fix = "Use make_laplace instead"')
    assert not listed_constructors('name = "make_mine"')
