"""A module as text: its definitions, comments and docstrings, and its global names.

Nothing is imported here. A global name is bound by a definition, by an import, or by
another statement, which makes it a constant.
"""

from __future__ import annotations

import ast
import builtins
import io
import tokenize
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TypeAlias

import attrs

from opendp_lite.review.problems import ReviewError

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@attrs.frozen
class Import:
    """A name bound by an import: a module, or an attribute of one."""

    module: str
    attribute: str | None = None


def root_name(node: ast.AST) -> str | None:
    """Return the name at the root of `a.b[c].d`, or of a call on it."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def import_targets(
    node: ast.Import | ast.ImportFrom, module: str, is_package: bool
) -> dict[str, Import]:
    """Return what an import binds: local name to target, dots resolved."""
    if isinstance(node, ast.Import):
        return {
            alias.asname or alias.name.split(".")[0]: Import(
                alias.name if alias.asname else alias.name.split(".")[0]
            )
            for alias in node.names
        }
    base = node.module or ""
    if node.level:
        parts = module.split(".")
        parts = parts[: len(parts) - node.level + is_package]
        base = ".".join([*parts, *([node.module] if node.module else [])])
    return {
        alias.asname or alias.name: Import(base, alias.name) for alias in node.names
    }


@attrs.frozen(slots=False, eq=False)
class Module:
    """One module: its text, its tree, and what its global names are bound to."""

    name: str
    text: str
    is_package: bool = False

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree."""
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of the tree; to list them takes time, and several rules ask."""
        return list(ast.walk(self.tree))

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return self.text.split("\n")

    @cached_property
    def definitions(self) -> dict[str, list[tuple[Definition, ...]]]:
        """Qualified name to definitions, each with those around it, outermost first.

        Overloads are left out: the method that follows them takes their name.
        """
        found: dict[str, list[tuple[Definition, ...]]] = {}

        def collect(node: ast.AST, around: tuple[Definition, ...]) -> None:
            overloads = self._overloads(node) if isinstance(node, ast.ClassDef) else []
            for child in ast.iter_child_nodes(node):
                if isinstance(child, Definition):
                    path = (*around, child)
                    if child in overloads:
                        continue
                    found.setdefault(".".join(d.name for d in path), []).append(path)
                    collect(child, path)
                elif isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
                    collect(child, around)

        collect(self.tree, ())
        return found

    @cached_property
    def _globals(self) -> dict[str, list[Import | Definition | ast.stmt]]:
        bound: dict[str, list[Import | Definition | ast.stmt]] = {}
        importing: dict[str, list[ast.stmt]] = {}
        for statement in self.tree.body:
            for name, what in bindings(statement, self):
                entries = bound.setdefault(name, [])
                if what not in entries:
                    entries.append(what)
                if isinstance(what, Import):
                    importing.setdefault(name, []).append(statement)
        for name, statements in importing.items():
            # Which of several imports counts depends on their order and conditions.
            if name != "*" and len(bound[name]) > 1:
                bound[name] += [s for s in statements if s not in bound[name]]
        for statement in self.tree.body:
            for name in changed(statement):
                entries = bound.get(name, [])
                if statement not in entries and any(
                    not isinstance(each, Import) for each in entries
                ):
                    entries.append(statement)
            for name in _passed(statement):
                entries = bound.get(name, [])
                if statement not in entries and not any(
                    isinstance(each, Import | Definition) for each in entries
                ):
                    entries.append(statement)
        return bound

    def bindings(self, name: str) -> list[Import | Definition | ast.stmt]:
        """Return all that a global name is bound to."""
        return self._globals.get(name, [])

    @cached_property
    def stars(self) -> list[str]:
        """The modules from which everything is imported."""
        return [
            each.module
            for each in self._globals.get("*", [])
            if isinstance(each, Import)
        ]

    @cached_property
    def imported(self) -> set[str]:
        """The modules named by any import, at the top or inside a function."""
        names = set()
        for node in _statements(self.tree):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                for target in import_targets(node, self.name, self.is_package).values():
                    names |= {target.module, f"{target.module}.{target.attribute}"}
        return names

    def _overloads(self, owner: ast.ClassDef) -> list[ast.stmt]:
        """Return the methods of a class that only say what types another one takes.

        Each has the decorator `overload` of the module `typing` alone, which puts in
        its place a function that raises, and the next statement defines the same name
        anew, without reading it in its decorators or its parameters. A class that
        stands inside of another definition has none, and a class that binds the name
        `overload` itself has none.
        """
        imported = self.bindings("overload") == [Import("typing", "overload")]
        bound = {name for each in owner.body for name, _ in bindings(each, self)}
        if not imported or owner not in self.tree.body or "overload" in bound:
            return []
        return [
            node
            for node, following in pairwise(owner.body)
            if isinstance(node, ast.FunctionDef)
            and isinstance(following, ast.FunctionDef)
            and node.name == following.name
            and [ast.unparse(each) for each in node.decorator_list] == ["overload"]
            and not _reads_before(following, node.name)
        ]

    @cached_property
    def methods(self) -> dict[str, set[str]]:
        """Name of a method or property to the qualified names that it may mean."""
        found: dict[str, set[str]] = {}
        for qualname, paths in self.definitions.items():
            for path in paths:
                if len(path) > 1 and isinstance(path[-2], ast.ClassDef):
                    found.setdefault(path[-1].name, set()).add(qualname)
        return found


def _reads_before(node: ast.FunctionDef, name: str) -> bool:
    """Return whether a definition reads a name before it binds its own."""
    return any(
        isinstance(each, ast.Name) and each.id == name
        for part in (*node.decorator_list, node.args)
        for each in ast.walk(part)
    )


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all statements in a node; expressions hold none."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield child
            yield from _statements(child)


def outside_definitions(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the nodes of a statement that run when the module is imported."""
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, Definition | ast.Lambda):
            stack.extend(ast.iter_child_nodes(node))


def bindings(
    statement: ast.stmt, module: Module
) -> Iterator[tuple[str, Import | Definition | ast.stmt]]:
    """Yield what one top-level statement binds, name by name."""
    for node in outside_definitions(statement):
        if isinstance(node, ast.Import | ast.ImportFrom):
            targets = import_targets(node, module.name, module.is_package)
            yield from targets.items()
        elif isinstance(node, Definition):
            yield node.name, node
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, statement
        elif isinstance(node, ast.MatchAs | ast.MatchStar | ast.MatchMapping):
            name = node.rest if isinstance(node, ast.MatchMapping) else node.name
            if name is not None:
                yield name, statement


def changed(statement: ast.stmt) -> Iterator[str]:
    """Yield the names whose values a top-level statement may change in place.

    `TABLE[k] = v` and `TABLE.limit = v` do, and `TABLE.update(...)` may; so may a call
    that is made for its effect, such as `fill(TABLE)`.
    """
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        yield from (n.id for n in ast.walk(statement) if isinstance(n, ast.Name))
    for node in outside_definitions(statement):
        stored = isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(
            node.ctx, ast.Load
        )
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        root = root_name(node) if stored or called else None
        if root is not None:
            yield root


def _passed(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a top-level statement gives to functions.

    These may change a table in place. A function or a class is seldom given away for
    that: `then_x = then(make_x)` leaves `make_x` alone.
    """
    for node in outside_definitions(statement):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in vars(builtins):
                continue
            for each in [*node.args, *(k.value for k in node.keywords)]:
                if isinstance(each, ast.Name):
                    yield each.id


@lru_cache(maxsize=256)
def comments(text: str) -> dict[int, tuple[int, str]]:
    """Return line number to column and text of each comment.

    >>> comments("x = '#'  # why")
    {1: (9, '# why')}
    """
    return {
        token.start[0]: (token.start[1], token.string)
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    }


def definition_lines(
    module: Module, node: Definition, without: Iterable[ast.expr] = ()
) -> Iterator[tuple[int, str]]:
    """Yield number and text of the lines of a definition, docstrings left out.

    The decorators in `without` are left out too. Where a docstring is all that a body
    has, `pass` stands for it.
    """
    source = module.lines
    dropped, passes = _docstrings(module, node)
    for decorator in without:
        dropped |= set(range(decorator.lineno, (decorator.end_lineno or 0) + 1))
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    for number in range(first, (node.end_lineno or node.lineno) + 1):
        if number in passes:
            yield number, passes[number]
        elif number - 1 in dropped and not source[number - 1].strip():
            dropped.add(number)  # the blank lines after a docstring go with it
        elif number not in dropped:
            yield number, source[number - 1]


def _docstrings(module: Module, node: Definition) -> tuple[set[int], dict[int, str]]:
    dropped: set[int] = set()
    passes: dict[int, str] = {}
    for each in ast.walk(node):
        if not isinstance(each, Definition) or ast.get_docstring(each, False) is None:
            continue
        string = each.body[0]
        start, end = string.lineno, string.end_lineno or string.lineno
        before = module.lines[start - 1].encode()[: string.col_offset].decode()
        after = module.lines[end - 1].encode()[string.end_col_offset :].decode()
        if before.strip() or after.strip():
            raise ReviewError(
                f"line {start} of {module.name}, in {node.name}, has a docstring and "
                "something else on one line. Put the docstring on lines of its own."
            )
        dropped |= set(range(start, end + 1))
        if len(each.body) == 1:
            passes[start] = f"{before}pass"
    return dropped, passes


def _without_comments(module: Module, lines: Iterable[tuple[int, str]]) -> list[str]:
    kept = []
    for number, line in lines:
        # Most lines have none, and then the module need not be cut into tokens.
        column, text = (
            comments(module.text).get(number, (0, "")) if "#" in line else (0, "")
        )
        if text and line[column:].startswith(text):
            line = line[:column].rstrip()
            if not line:
                continue
        kept.append(line)
    return kept


def _dedent(lines: list[str], columns: int) -> str:
    cut = [line[columns:] if not line[:columns].strip() else line for line in lines]
    return "\n".join(cut)


def bare_source(
    module: Module, node: Definition, without: Iterable[ast.expr] = ()
) -> str:
    """Return a definition without docstrings and comments, at the left margin."""
    lines = _without_comments(module, definition_lines(module, node, without))
    return _dedent(lines, node.col_offset)


def statement_source(module: Module, node: ast.stmt) -> str:
    """Return a statement without comments, at the left margin."""
    numbers = range(node.lineno, (node.end_lineno or node.lineno) + 1)
    lines = [(number, module.lines[number - 1]) for number in numbers]
    return _dedent(_without_comments(module, lines), node.col_offset)
