"""Mutants of proved code: every constant and every operator, changed one at a time."""

from __future__ import annotations

import ast
from collections.abc import Generator, Iterable
from itertools import islice
from textwrap import indent
from typing import TypeAlias, TypeGuard

from opendp_lite.review import Project
from opendp_lite.review.code.modules import Definition, Module
from opendp_lite.review.code.quoting import find, registration_decorators
from opendp_lite.review.code.words import words
from opendp_lite.review.tex.texfile import Reference

_REFUSAL = ast.parse("from opendp_lite.base.errors import refusal").body[0]

Mutants: TypeAlias = Generator[ast.stmt, None, None]

OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.USub: ast.UAdd,
    ast.UAdd: ast.USub,
    ast.Invert: ast.USub,
    ast.Not: ast.USub,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


def changed(value: object) -> object:
    """Another constant; 1 for 1.0 where that is all that can be changed."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case float():
            return int(value) if value == int(value) else value + 1
        case str():
            return value + "x"
        case bytes():
            return value + b"x"
        case None:
            return False
    return None


def _docstrings(node: ast.AST) -> set[int]:
    return {
        id(each.body[0].value)
        for each in ast.walk(node)
        if isinstance(each, Definition)
        and each.body
        and isinstance(each.body[0], ast.Expr)
        and isinstance(each.body[0].value, ast.Constant)
    }


def mutants(node: ast.stmt, without: Iterable[ast.expr] = ()) -> Mutants:
    """The statement with one constant or operator changed, each in turn.

    It is changed in place, because a copy for each change takes long. It is as it was
    when all have been seen, or when the iterator is closed before. The words of
    refusals, which are no part of a program's behaviour, stay as they are.
    """
    skipped = _docstrings(node) | {id(e) for d in without for e in ast.walk(d)}
    skipped |= {id(each) for each in words(ast.Module([_REFUSAL, node], []))}
    for each in list(ast.walk(node)):
        if id(each) in skipped:
            continue
        if isinstance(each, ast.Constant):
            value = each.value
            each.value = changed(value)  # type: ignore[assignment]
            try:
                yield node
            finally:
                each.value = value
            continue
        for field, value in ast.iter_fields(each):
            many = value if isinstance(value, list) else [value]
            for at, operator in enumerate(many):
                if type(operator) not in OPERATORS:
                    continue
                others = list(many)
                others[at] = OPERATORS[type(operator)]()
                setattr(each, field, others if value is many else others[0])
                try:
                    yield node
                finally:
                    setattr(each, field, value)


def is_class(node: ast.stmt) -> TypeGuard[ast.ClassDef]:
    return isinstance(node, ast.ClassDef)


def outline(module: Module, name: str) -> Module:
    """The module with a bare name for each definition beside the function `name`.

    Nothing that the function depends on within its module is left out: the fields of
    the classes that its class is derived from count.
    """
    lines = list(module.lines)
    path: list[ast.stmt] = [*find(module, name)]
    classes = {each.name: each for each in module.tree.body if is_class(each)}
    above = [each for each in path if is_class(each)]
    while above:
        bases = [classes.get(ast.unparse(each)) for each in above.pop().bases]
        new = [each for each in bases if each is not None and each not in path]
        above, path = above + new, new + path
    beside: list[ast.stmt] = list(module.tree.body)
    for node in path[:-1]:
        beside += node.body if isinstance(node, ast.ClassDef) else []
    for node in sorted(beside, key=lambda each: each.lineno, reverse=True):
        if isinstance(node, Definition) and node not in path:
            decorators = (each.lineno for each in node.decorator_list)
            first, last = min([node.lineno, *decorators]), node.end_lineno
            lines[first - 1 : last] = [f"{' ' * node.col_offset}def {node.name}(): ..."]
    return Module(module.name, "\n".join(lines), module.is_package)


def spliced(module: Module, node: ast.stmt, mutant: ast.stmt) -> Module:
    """The module with one statement replaced."""
    first, last = node.lineno, node.end_lineno or node.lineno
    if isinstance(node, Definition):
        first = min([first, *(each.lineno for each in node.decorator_list)])
    text = indent(ast.unparse(mutant), " " * node.col_offset)
    lines = [*module.lines[: first - 1], text, *module.lines[last:]]
    return Module(module.name, "\n".join(lines), module.is_package)


def count_mutants(project: Project, reference: Reference) -> int:
    """The number of modules that `mutated_modules` yields."""
    return sum(1 for _ in _mutated(project, reference))


def mutated_modules(
    project: Project, reference: Reference, first: int = 0, step: int = 1
) -> Generator[Module, None, None]:
    """The modules of a function's code, one change in each: in the function, or in a
    constant, wherever it stands, that it uses.

    With `step`, only one of so many is made, beginning with the one after `first`.
    """
    for each in islice(_mutated(project, reference), first, None, step):
        yield spliced(*each)


def _mutated(
    project: Project, reference: Reference
) -> Generator[tuple[Module, ast.stmt, ast.stmt], None, None]:
    """The modules, the statements in them, and these with one change each."""
    module = project.library.module(reference.module)
    assert module is not None
    node = find(module, reference.name)[-1]
    without = registration_decorators(node, project.library, module.name)
    for mutant in mutants(node, without):
        yield module, node, mutant
    for home, statement in project.dependencies(reference).constants:
        for mutant in mutants(statement):
            yield home, statement, mutant
