"""Mutants of proved code: every constant and every operator, changed one at a time."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from textwrap import indent

from opendp_lite.review import Project
from opendp_lite.review.modules import Definition, Module
from opendp_lite.review.quoting import find, registration_decorators
from opendp_lite.review.texfile import Reference, TexFile

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


def mutants(node: ast.stmt, without: list[ast.expr]) -> Iterator[ast.stmt]:
    """Copies of a statement, each with one constant or operator changed."""
    skipped = _docstrings(node) | {id(e) for d in without for e in ast.walk(d)}
    nodes = list(ast.walk(node))
    for index, each in enumerate(nodes):
        if id(each) in skipped:
            continue
        if isinstance(each, ast.Constant):
            mutant = copy.deepcopy(node)
            target = list(ast.walk(mutant))[index]
            assert isinstance(target, ast.Constant)
            target.value = changed(each.value)  # type: ignore[assignment]
            yield mutant
            continue
        for field, value in ast.iter_fields(each):
            for at, operator in enumerate(
                value if isinstance(value, list) else [value]
            ):
                if type(operator) not in OPERATORS:
                    continue
                mutant = copy.deepcopy(node)
                target = list(ast.walk(mutant))[index]
                other = OPERATORS[type(operator)]()
                if isinstance(value, list):
                    getattr(target, field)[at] = other
                else:
                    setattr(target, field, other)
                yield mutant


def spliced(module: Module, node: ast.stmt, mutant: ast.stmt) -> Module:
    """The module with one statement replaced."""
    first, last = node.lineno, node.end_lineno or node.lineno
    if isinstance(node, Definition):
        first = min([first, *(each.lineno for each in node.decorator_list)])
    text = indent(ast.unparse(ast.fix_missing_locations(mutant)), " " * node.col_offset)
    lines = [*module.lines[: first - 1], text, *module.lines[last:]]
    return Module(module.name, "\n".join(lines), module.is_package)


def mutated_modules(
    project: Project, tex: TexFile
) -> Iterator[tuple[Reference | None, Module]]:
    """The modules of a proof's code, one change in each: in a function it quotes, which
    is told, or in a constant, wherever it stands, that such a function uses."""
    constants: dict[tuple[str, int], tuple[Module, ast.stmt]] = {}
    for reference in tex.quotes:
        module = project.library.module(reference.module)
        assert module is not None
        node = find(module, reference.name)[-1]
        without = registration_decorators(node, project.library, module.name)
        for mutant in mutants(node, without):
            yield reference, spliced(module, node, mutant)
        for home, statement in project.reach(reference).constants:
            constants[home.name, statement.lineno] = (home, statement)
    for home, statement in constants.values():
        for mutant in mutants(statement, []):
            yield None, spliced(home, statement, mutant)
