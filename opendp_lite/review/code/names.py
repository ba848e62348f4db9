"""The names that a piece of code takes from outside: an analysis of scopes.

`uses(...)` walks a definition with Python's rules of scope and returns the dotted
names that reach the module's globals, the names that imports inside functions bring
in, and the attributes that are read from objects the walk cannot know. `FullNames` says
what such names stand for.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import get_args

import attrs

from opendp_lite.review.code.library import (
    Constant,
    Library,
    ModuleLanding,
    Unknown,
)
from opendp_lite.review.code.modules import Definition, Import, import_targets

_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_SomeFunction = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
# As tuples, which are asked for every node: a union takes several times as long.
_COMPREHENSIONS = get_args(_Comprehension)
_OPENING = (*get_args(Definition), ast.Lambda)
_IMPORTS = (ast.Import, ast.ImportFrom)
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


def _bound_names(node: ast.AST) -> Iterator[str]:
    """Yield the names that one node binds otherwise than by an import."""
    if isinstance(node, ast.arguments):
        yield from _parameters(node)
    elif isinstance(node, ast.Global | ast.Nonlocal):
        yield from node.names
    elif not isinstance(node, ast.Tuple | ast.List | ast.Starred):
        yield from _binds(node)


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
        self.outer: dict[ast.AST, Import | None] = {}
        """The dotted names that are not local; if imported inside, with the import."""
        self.imports: list[ast.AST] = []

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
            if isinstance(each, _IMPORTS):
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
            self._note(path, node)

    def _visit_import(self, node: ast.AST) -> None:
        self.imports.append(node)

    visit_Import = _visit_import
    visit_ImportFrom = _visit_import

    def visit_Call(self, node: ast.Call) -> None:
        """Read `getattr(thing, "name")` as `thing.name`."""
        match node:
            case ast.Call(
                func=ast.Name("getattr"), args=[thing, ast.Constant(str(name)), *_]
            ):
                self.visit(ast.Attribute(thing, name, ast.Load()))
        self.generic_visit(node)

    def _note(self, path: tuple[str, ...], node: ast.AST) -> None:
        is_global, target = self.look_up(path[0])
        if is_global or target is not None:
            self.outer[node] = target
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


class FullNames:
    """The names to write in the nodes of a reviewed text: what they stand for.

    They stand in angle brackets, so that no local name is like them. A name that an
    import inside a function binds is replaced likewise, unless it may stand for
    something else there, or something else for the same.

    :param head: the imports of the text
    :param own: what stands as it does in the module `home`
    :param written_out: what has full names already; `home` has no part in these
    """

    def __init__(
        self,
        library: Library,
        home: str,
        head: list[ast.stmt],
        own: list[ast.stmt],
        written_out: list[ast.stmt],
        former: Callable[[str], str],
    ) -> None:
        module = library.module(home)
        assert module is not None
        self.library = library
        self.module = module
        self.former = former
        self.imported: dict[str, set[str]] = {}
        for alias, full in self._targets(head):
            self.imported.setdefault(alias, set()).add(full)
        walker = _walk(own, home, module.is_package, ())
        elsewhere = _walk(written_out, home, module.is_package, ())
        imports = [*elsewhere.imports, *walker.imports]
        self.plain = self._replaceable(imports, [*written_out, *own])
        self.written = {each: self._import(each) for each in imports}
        for node, target in elsewhere.outer.items():
            name = self._absolute(node, target)
            if name is not None:
                self.written[node] = name
        named = set()
        for node, target in walker.outer.items():
            path = dotted(node)
            assert path is not None
            named.add(path[0])
            name = self._name(path, target)
            if name is not None:
                self.written[node] = name
        self.unnamed = sorted(
            f"from {self._standing(full, ())} as {self._origin(alias)}"
            for alias in self.imported.keys() - named
            for full in self.imported[alias]
        )
        """The imports that say where dotted names come from."""

    def _targets(self, nodes: Sequence[ast.AST]) -> Iterator[tuple[str, str]]:
        """Yield the names that imports bind, each with a full name."""
        for node in nodes:
            if isinstance(node, _IMPORTS):
                module = self.module
                found = import_targets(node, module.name, module.is_package)
                for alias, each in found.items():
                    yield alias, _full(each)

    def _replaceable(
        self, imports: Sequence[ast.AST], text: Iterable[ast.AST]
    ) -> set[str]:
        """Return the names of inner imports that stand for one thing each."""
        targets = self._targets(imports)
        pairs = {(alias, _home(self.library, full)) for alias, full in targets}
        if not pairs:
            return set()
        aliases, fulls = zip(*pairs, strict=True)
        once = {a for a, full in pairs if aliases.count(a) == fulls.count(full) == 1}
        nodes = (node for part in text for node in ast.walk(part))
        return once.difference(name for node in nodes for name in _bound_names(node))

    def _import(self, node: ast.AST) -> str:
        """Return what is written for an import that the text holds."""
        parts = []
        for alias, full in self._targets([node]):
            place = _home(self.library, full)
            same = alias in self.plain and alias == place.rpartition(".")[2]
            name = self.former(place)
            parts.append(name if same else f"{name} as {alias}")
        if isinstance(node, ast.Import):
            parts += [self.former(each.name) for each in node.names]
        return f"import {', '.join(parts)}"

    def _name(self, path: tuple[str, ...], target: Import | None) -> str | None:
        """Return what is written for a dotted name; None if it stays as it is."""
        first, *rest = path
        if target is not None:
            if first not in self.plain:
                return None
            full = _full(target)
            return f"<import {self._standing(full, ())} {self._standing(full, rest)}>"
        bound = self.module.bindings(first)
        is_own = bound and not any(isinstance(each, Import) for each in bound)
        found = None if is_own else self.imported.get(first)
        if found is None and bound:
            found = {f"{self.module.name}.{first}"}
        elif found is None and first == self.library.package.partition(".")[0]:
            found = {first}
        if found is None:
            return None
        return f"<{'|'.join(sorted(self._standing(each, rest) for each in found))}>"

    def _absolute(self, node: ast.AST, target: Import | None) -> str | None:
        """Return what is written for a name that has its full name in the text.

        A name without a dot stands for what Python has under it, whatever the module of
        the function binds.
        """
        path = dotted(node)
        assert path is not None
        if target is not None:
            return self._name(path, target)
        if path[0] != self.library.package.partition(".")[0]:
            return None
        return f"<{self._standing('.'.join(path), ())}>"

    def _standing(self, full: str, rest: Sequence[str]) -> str:
        return self.former(_home(self.library, ".".join([full, *rest])))

    def _origin(self, alias: str) -> str:
        """Return the dotted name that `a__b` stands for, its root written in full."""
        first, *rest = alias.split("__")
        return ".".join([self._name((first,), None) or first, *rest])


def _full(target: Import) -> str:
    return f"{target.module}.{target.attribute}" if target.attribute else target.module


def _home(library: Library, name: str) -> str:
    """Return the full name that a thing has where it is defined."""
    module, within = library.split(name)
    if module is None:
        return name
    first, *rest = within.split(".")
    landings = library.resolve(module.name, (first,))
    landing = landings.pop() if len(landings) == 1 else None
    if landing is None or isinstance(landing, Unknown):
        return name
    if isinstance(landing, ModuleLanding):
        place = ".".join([landing.module, *rest])
        return name if place == name else _home(library, place)
    home = f"{landing.module}." if isinstance(landing, Constant) else ""
    return ".".join([f"{home}{landing.name}", *rest])
