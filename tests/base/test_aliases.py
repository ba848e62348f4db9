"""Parameters say what may be passed: `Any` is rare, and hints can be read."""

from __future__ import annotations

import ast
import inspect
import itertools
import typing
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from gmpy2 import mpfr, mpq, mpz

import opendp_lite
import opendp_lite.prelude as dp
from opendp_lite.base import aliases
from opendp_lite.exact.rationals import to_mpq
from tests.rows import for_each

PACKAGE = Path(opendp_lite.__file__).parent

# Greatest shares of parameters whose annotation says `Any`, in percent.
LIMITS = {"": 8, "core": 12}


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions that are defined somewhere; they are statements, in statements."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from functions(node)


@cache
def share(source: str) -> tuple[int, int]:
    """How many parameters say `Any` (or nothing at all), and how many there are.

    The parameters of lambdas cannot be annotated, and are left out.
    """
    vague = total = 0
    for function in functions(ast.parse(source)):
        for node in ast.iter_child_nodes(function.args):
            if isinstance(node, ast.arg) and node.arg not in ("self", "cls"):
                total += 1
                vague += node.annotation is None or any(
                    isinstance(each, ast.Name) and each.id == "Any"
                    for each in ast.walk(node.annotation)
                )
    return vague, total


def shares(sources: list[str]) -> tuple[int, int]:
    """How many parameters of all of them say `Any`, and how many there are."""
    found = [share(source) for source in sources]
    return sum(vague for vague, _ in found), sum(total for _, total in found)


@pytest.mark.parametrize("part", LIMITS)
def test_few_parameters_are_of_any_type(part: str) -> None:
    sources = [path.read_text() for path in (PACKAGE / part).rglob("*.py")]
    vague, total = shares(sources)
    assert total > 100
    assert 100 * vague < LIMITS[part] * total


def test_a_vague_parameter_is_counted() -> None:
    assert shares(["def f(self, a: int, b: Any, *c: list[Any], d): ..."]) == (3, 4)
    assert shares(["def g(a: int = (lambda y: y)(1)): ..."]) == (0, 1)


@for_each("module", [dp, dp.c, dp.m, dp.t], ids=lambda m: m.__name__)
def test_hints_can_be_read(module: object) -> None:
    for name in dir(module):
        value = getattr(module, name)
        if inspect.isfunction(value) and not name.startswith("then_"):
            assert "return" in typing.get_type_hints(value)


@for_each(
    "number",
    [
        *(1, 1.0, "1", "2/2", Fraction(1), Decimal(1), mpz(1), mpq(1), mpfr(1)),
        *(np.int8(1), np.float32(1), np.float64(1)),
    ],
    ids=lambda number: type(number).__name__,
)
def test_exact_numbers_are_read(number: aliases.ExactNumber) -> None:
    assert to_mpq(number) == 1


def stated(source: str) -> dict[str, str]:
    """What the aliases of a module stand for, where types are checked."""
    nodes = ast.parse(source).body
    nodes += [each for node in nodes if isinstance(node, ast.If) for each in node.body]
    return {
        node.target.id: ast.unparse(node.value)
        for node in nodes
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and node.value is not None
    }


def disagreements(stub: str) -> set[str]:
    """The aliases of which the stub says something else than the module."""
    told, meant = stated(stub), stated(inspect.getsource(aliases))
    meant = {n: v.replace("mpz | mpq | mpfr", "_GmpyNumber") for n, v in meant.items()}
    assert {*meant} == {*aliases.__all__}
    return {name for name, _ in told.items() ^ meant.items()}


def test_the_stub_has_a_protocol_for_gmpy2_and_is_else_the_module() -> None:
    stub = Path(aliases.__file__).with_suffix(".pyi").read_text()
    assert disagreements(stub) == set()
    assert disagreements(stub.replace("| str ", "")) == {"ExactNumber"}
    assert disagreements(stub.replace("Loss: TypeAlias = object\n", "")) == {"Loss"}
    classes = [n.name for n in ast.parse(stub).body if isinstance(n, ast.ClassDef)]
    assert classes == ["_GmpyNumber"]  # private: nobody can import it


def test_numbers_of_gmpy2_have_what_the_protocol_asks_for() -> None:
    for number in (mpz(3), mpq(3, 2), mpfr(1.5)):
        top, bottom = number.as_integer_ratio()
        assert float(number) == top / bottom
    for other in ([1], (1,), {1}, {1: 1}, np.ones(2), "1", None):
        assert not hasattr(other, "as_integer_ratio")


def test_every_name_is_explained() -> None:
    statements = ast.parse(inspect.getsource(aliases)).body
    explained = {
        before.target.id
        for before, after in itertools.pairwise(statements)
        if isinstance(before, ast.AnnAssign)
        and isinstance(before.target, ast.Name)
        and isinstance(after, ast.Expr)
    }
    assert set(aliases.__all__) == explained | {"Array", "NumpyNumber"}
