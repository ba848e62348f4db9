"""What stubs/gmpy2.pyi says of the types of results is what gmpy2 does."""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import gmpy2
import pytest
from gmpy2 import mpfr, mpq, mpz, xmpz

STUB = ast.parse((Path(__file__).parents[2] / "stubs" / "gmpy2.pyi").read_text())
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
ALIASES = {
    node.target.id: ast.unparse(node.value).split(" | ")
    for node in STUB.body
    if isinstance(node, ast.AnnAssign)
    and isinstance(node.target, ast.Name)
    and node.value is not None
}
NUMBERS: list[Any] = [3, mpz(3), xmpz(3), mpq(3, 2), Fraction(3, 2), mpfr(1.5), 1.5]
OPERATORS: dict[str, Any] = {
    name: getattr(operator, f"{name}_" if name in ("and", "or") else name)
    for name in "add sub mul truediv floordiv mod pow lshift rshift and or xor".split()
} | {"divmod": divmod}


def overloads(kind: str, method: str) -> Iterator[tuple[list[str], str]]:
    """The types that a method of two numbers takes, and the type that it returns."""
    for node in CLASSES[kind].body:
        if isinstance(node, ast.FunctionDef) and node.name == method:
            annotation = node.args.args[-1:] or node.args.posonlyargs[-1:]
            assert annotation[0].annotation is not None
            named = ast.unparse(annotation[0].annotation).split(" | ")
            assert node.returns is not None
            taken = [each for name in named for each in ALIASES.get(name, [name])]
            yield taken, ast.unparse(node.returns)


def shown(value: object) -> str:
    if isinstance(value, tuple):
        return f"tuple[{', '.join(map(shown, value))}]"
    return type(value).__name__


def cases() -> Iterator[tuple[str, str, Any, Any, str]]:
    for left in (mpz(3), mpq(3, 2), mpfr(1.5)):
        for name in OPERATORS:
            for side in ("", "r"):
                stated = list(overloads(shown(left), f"__{side}{name}__"))
                for right in NUMBERS:
                    for taken, returned in stated:
                        if shown(right) in taken:
                            yield name, side, left, right, returned
                            break


CASES = list(cases())


def test_operations_have_the_stated_types() -> None:
    assert len(CASES) > 150
    wrong = []
    for name, side, left, right, returned in CASES:
        pair = (right, left) if side else (left, right)
        found = shown(OPERATORS[name](*pair))
        if found != returned:
            wrong.append((name, *map(shown, pair), found, returned))
    assert wrong == []


@pytest.mark.parametrize("number", [mpz(3), mpq(3, 2), mpfr(1.5)], ids=shown)
def test_methods_have_the_stated_types(number: Any) -> None:
    for node in CLASSES[shown(number)].body:
        if isinstance(node, ast.FunctionDef) and node.name != "__new__":
            assert hasattr(number, node.name), node.name
            parameters = [*node.args.posonlyargs, *node.args.args]
            if len(parameters) == 1 and node.name != "__hash__":
                value = getattr(number, node.name)
                value = value() if callable(value) else value
                assert node.returns is not None
                assert shown(value) == ast.unparse(node.returns), node.name


def test_every_name_is_one_of_gmpy2() -> None:
    for node in STUB.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name[0] != "_":
            assert hasattr(gmpy2, node.name)
    for node in CLASSES["context"].body:
        if isinstance(node, ast.FunctionDef):
            assert hasattr(gmpy2.context, node.name), node.name
