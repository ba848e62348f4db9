"""The names that a piece of code takes from outside: an analysis of scopes.

`uses(...)` walks a definition with Python's rules of scope and returns the dotted
names that reach the module's globals, the names that imports inside functions bring
in, and the attributes that are read from objects the walk cannot know.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import get_args

import attrs

from opendp_lite.review.code.modules import Definition, Import, import_targets

_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_SomeFunction = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
# As tuples, which are asked for every node: a union takes several times as long.
_COMPREHENSIONS = get_args(_Comprehension)
_OPENING = (*get_args(Definition), ast.Lambda)
_BINDING = (ast.NamedExpr, ast.Name, ast.Tuple, ast.List, ast.Starred)


@attrs.frozen
class Uses:
    """What a piece of code takes from outside.

    `globals` are dotted names whose root is a global name, as tuples; `imports` are
    targets of imports inside functions, with the attributes read from them;
    `attributes` are the names read from objects that are local.
    """

    globals: set[tuple[str, ...]] = attrs.field(factory=set)
    imports: set[tuple[Import, tuple[str, ...]]] = attrs.field(factory=set)
    attributes: set[str] = attrs.field(factory=set)


def dotted(node: ast.AST) -> tuple[str, ...] | None:
    """Return `a.b.c` as a tuple, or None for what is not a dotted name."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return None if before is None else (*before, node.attr)
    return None


@attrs.define
class _Scope:
    bound: dict[str, Import | None]
    is_class: bool = False
    declared_global: frozenset[str] = frozenset()


def uses(
    nodes: Iterable[ast.AST],
    module: str,
    is_package: bool,
    around: tuple[Definition, ...],
) -> Uses:
    """Return what the nodes, which stand inside the definitions `around`, use."""
    return _walk(nodes, module, is_package, around).found


def roots(
    nodes: Iterable[ast.AST], module: str, is_package: bool
) -> dict[ast.Name, Import | None]:
    """Return the names that are not local, each with an import inside that binds it."""
    return _walk(nodes, module, is_package, ()).roots


def _walk(
    nodes: Iterable[ast.AST],
    module: str,
    is_package: bool,
    around: tuple[Definition, ...],
) -> _Walker:
    walker = _Walker(module, is_package)
    for definition in around:
        walker.enter(definition)
    for node in nodes:
        walker.visit(node)
    return walker


class _Walker(ast.NodeVisitor):
    def __init__(self, module: str, is_package: bool) -> None:
        self.module = module
        self.is_package = is_package
        self.scopes: list[_Scope] = []
        self.found = Uses()
        self.roots: dict[ast.Name, Import | None] = {}

    def enter(self, node: Definition | ast.Lambda) -> None:
        """Open the scope of a definition."""
        nodes = list(_here([node.body] if isinstance(node, ast.Lambda) else node.body))
        bound: dict[str, Import | None] = {}
        shared: set[str] = set()
        outer: set[str] = set()
        if not isinstance(node, ast.ClassDef):
            bound |= dict.fromkeys(_parameters(node.args))
        for each in nodes:
            if isinstance(each, ast.expr) and not isinstance(each, _BINDING):
                continue  # most nodes are such
            if isinstance(each, ast.Import | ast.ImportFrom):
                bound |= import_targets(each, self.module, self.is_package)
            elif isinstance(each, ast.Global):
                shared |= set(each.names)
            elif isinstance(each, ast.Nonlocal):
                outer |= set(each.names)
            else:
                for name in _binds(each):
                    bound.setdefault(name)
        for name in outer | shared:
            bound.pop(name, None)
        is_class = isinstance(node, ast.ClassDef)
        self.scopes.append(_Scope(bound, is_class, frozenset(shared)))

    def look_up(self, name: str) -> tuple[bool, Import | None]:
        """Return whether a name is global, and else the import that binds it."""
        for depth, scope in enumerate(reversed(self.scopes)):
            if name in scope.declared_global:
                return True, None
            if name in scope.bound and not (scope.is_class and depth):
                return False, scope.bound[name]
        return True, None

    def visit_Name(self, node: ast.Name) -> None:
        """Note a name."""
        self._note((node.id,), node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Note a dotted name, or an attribute of an expression."""
        path = dotted(node)
        if path is None:
            self.found.attributes.add(node.attr)
            self.visit(node.value)
        else:
            root: ast.AST = node
            while isinstance(root, ast.Attribute):
                root = root.value
            self._note(path, root)

    def visit_Call(self, node: ast.Call) -> None:
        """Read `getattr(thing, "name")` as `thing.name`."""
        match node:
            case ast.Call(
                func=ast.Name("getattr"), args=[thing, ast.Constant(str(name)), *_]
            ):
                self.visit(ast.Attribute(thing, name, ast.Load()))
        self.generic_visit(node)

    def _note(self, path: tuple[str, ...], root: ast.AST) -> None:
        is_global, target = self.look_up(path[0])
        if isinstance(root, ast.Name) and (is_global or target is not None):
            self.roots[root] = target
        if is_global:
            self.found.globals.add(path)
        elif target is not None:
            self.found.imports.add((target, path[1:]))
        else:
            self.found.attributes.update(path[1:])

    def _visit_function(self, node: _SomeFunction) -> None:
        if not isinstance(node, ast.Lambda):
            for decorator in node.decorator_list:
                self.visit(decorator)
            if node.returns is not None:
                self.visit(node.returns)
        self.visit(node.args)
        self.enter(node)
        for each in [node.body] if isinstance(node, ast.Lambda) else node.body:
            self.visit(each)
        self.scopes.pop()

    visit_FunctionDef = _visit_function
    visit_AsyncFunctionDef = _visit_function
    visit_Lambda = _visit_function

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Walk what is evaluated outside, then the body in its own scope."""
        for each in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(each)
        self.enter(node)
        for statement in node.body:
            self.visit(statement)
        self.scopes.pop()

    def _visit_comprehension(self, node: _Comprehension) -> None:
        # The first iterable is evaluated outside, everything else inside.
        self.visit(node.generators[0].iter)
        targets = [name for g in node.generators for name in _binds(g.target)]
        self.scopes.append(_Scope(dict.fromkeys(targets)))
        for index, generator in enumerate(node.generators):
            self.visit(generator.target)
            if index:
                self.visit(generator.iter)
            for condition in generator.ifs:
                self.visit(condition)
        if isinstance(node, ast.DictComp):
            self.visit(node.key)
            self.visit(node.value)
        else:
            self.visit(node.elt)
        self.scopes.pop()

    visit_ListComp = _visit_comprehension
    visit_SetComp = _visit_comprehension
    visit_DictComp = _visit_comprehension
    visit_GeneratorExp = _visit_comprehension


def _parameters(arguments: ast.arguments) -> Iterator[str]:
    for each in (
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        arguments.vararg,
        arguments.kwarg,
    ):
        if each is not None:
            yield each.arg


def _here(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes of one scope: not the bodies of definitions inside it.

    A name bound by `:=` in a comprehension belongs to the scope around it.
    """
    waiting = [*body][::-1]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _COMPREHENSIONS):
            yield from (n for n in ast.walk(node) if isinstance(n, ast.NamedExpr))
            continue
        yield node
        if not isinstance(node, _OPENING):
            waiting += [*ast.iter_child_nodes(node)][::-1]


def _binds(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node itself, or a target in it, binds."""
    if isinstance(node, Definition):
        yield node.name
    elif isinstance(node, ast.NamedExpr):
        yield node.target.id
    elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
        if node.name is not None:
            yield node.name
    elif isinstance(node, ast.MatchMapping):
        if node.rest is not None:
            yield node.rest
    elif isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Load):
            yield node.id
    elif isinstance(node, ast.Tuple | ast.List | ast.Starred):
        for child in ast.iter_child_nodes(node):
            yield from _binds(child)
