"""`links.pyi` lists the methods of queries, with the types of their constructors."""

from __future__ import annotations

import ast
import inspect
from typing import Any

import opendp_lite.prelude as dp
from opendp_lite.context import methods
from tests.context import links
from tests.rows import for_each


def read(text: str) -> tuple[Any, ...]:
    """Return what a stub says, however it is formatted."""
    tree = ast.parse(text)
    imports = {
        (node.module, alias.name)
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    (owner,) = (node for node in tree.body if isinstance(node, ast.ClassDef))
    return ast.get_docstring(tree), imports, ast.dump(owner)


SHIPPED = links.STUB.read_text(encoding="utf-8")


def test_the_stub_is_what_the_constructors_say() -> None:
    assert read(SHIPPED) == read(links.stub()), "run python -m tests.context.links"


@for_each(
    ("old", "new"),
    [
        ("def count(self, TO: TypeArgument = int)", "def count(self)"),
        ("def drop_null(", "def drop_nulls("),
        ("clamp(self, bounds: Bounds)", "clamp(self, bounds: Any)"),
        ("import Query", "import Queries"),
        ("solves for it", "solves it"),
    ],
)
def test_a_stub_that_says_something_else_is_found(old: str, new: str) -> None:
    planted = SHIPPED.replace(old, new)
    assert planted != SHIPPED
    assert read(planted) != read(links.stub())


def test_it_has_all_methods_that_stand_for_constructors() -> None:
    owner = next(n for n in ast.parse(SHIPPED).body if isinstance(n, ast.ClassDef))
    listed = {node.name for node in owner.body if isinstance(node, ast.FunctionDef)}
    assert listed == {*methods._homes()}
    assert not listed & {*vars(dp.Query)}


def test_a_number_or_the_measure_may_be_left_out() -> None:
    """One form for each number, and each also without the measure."""

    def make_it(
        output_measure: dp.Measure, low: int, k: str, high: int, T: type
    ) -> Any: ...

    parameters = [*inspect.signature(make_it).parameters.values()]
    signature = inspect.Signature(parameters)
    made = methods.Method("it", make_it, "alone", signature)
    heads = [each.partition(" -> ")[0] for each in links.definitions(made)]
    start, rest = "    @overload\n    def it(self, ", "k: str, high: int, T: type)"
    measure = "output_measure: dp.Measure, "
    assert heads == [
        f"{start}{measure}low: int, {rest}",
        f"{start}{measure}*, {rest}",
        f"{start}{measure}low: int, k: str, *, T: type)",
        f"{start}low: int, {rest}",
        f"{start}*, {rest}",
        f"{start}low: int, k: str, *, T: type)",
    ]
