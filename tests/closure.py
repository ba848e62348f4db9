"""What a file of tests can depend on, found from the syntax of the repository.

The closure of a file holds every module of the repository that it can load: what it
imports, wherever the import stands, what these import, and the packages above them. A
name that a package loads on demand counts where it is named: `dp.m.make_laplace` brings
the module of `make_laplace`, and not the other measurements. Where it cannot be seen
which names are asked for, because the package is passed on, taken by `getattr` or
imported by a star, it brings all of them. The same holds for names in texts.

A text that ends in the name of a file of data brings that file.
"""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator
from contextlib import suppress
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path
from typing import Any, TypeGuard

__all__ = ["Module", "Repository"]

_PLAIN = {"__name__", "__doc__", "__file__", "__version__"}
_LOADER = "on_demand"


class Module:
    """One source file: what it imports, re-exports and names."""

    def __init__(self, path: str, source: str, around: Module | None = None) -> None:
        """Read the file.

        :param path: the file, with slashes
        :param source: its text
        :param around: the module whose names are known already, for doctests
        """
        self.name = _dotted_name(path)
        self.is_package = path.endswith("__init__.py")
        # Local name -> dotted names.
        self.bound: dict[str, set[str]] = dict(around.bound) if around else {}
        self.stars: set[str] = set()  # modules whose names are this one's too
        self.lazy: dict[str, str] = {}  # name -> the module it is loaded from
        self.used: set[str] = set()  # dotted names; `.*` stands for all there is
        self.texts: set[str] = set()
        self.examples = ""  # doctests, as a program
        self.names_itself = False  # by `__file__`, to find other files
        tree = ast.parse(source)
        nodes = list(_running(tree))
        for node in nodes:
            self._read_import(node)
        self._read_aliases(nodes)
        for node in nodes:
            if isinstance(node, ast.Call) and _last(node.func) == _LOADER:
                self._read_exports(tree)
        for node in nodes:
            if isinstance(node, ast.Attribute):
                root, *rest = _chain(node)
                if isinstance(root, ast.Name):
                    self._use(root.id, ".".join(rest))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                self.texts.add(node.value)
                self._read_examples(node.value)
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                self._read_examples(str(node.value.value))
            elif isinstance(node, ast.Name):  # without an attribute, see _running
                self._use(node.id, "*")
                self.names_itself |= node.id == "__file__"

    def _read_examples(self, text: str) -> None:
        if ">>>" in text:
            # What is no example for doctest is none here: pytest complains of it.
            with suppress(ValueError):
                found = doctest.DocTestParser().get_examples(text)
                self.examples += "".join(f"{each.source}\n" for each in found)

    def _use(self, local: str, rest: str) -> None:
        self.used |= {f"{dotted}.{rest}" for dotted in self.bound.get(local, ())}

    def _read_import(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for each in node.names:
                self.used.add(each.name)
                local = each.asname or each.name.split(".")[0]
                full = each.name if each.asname else local
                self.bound.setdefault(local, set()).add(full)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = self.name.split(".")
                above = above[: len(above) - node.level + self.is_package]
                base = ".".join([*above, *([base] if base else [])])
            for each in node.names:
                self.used.add(f"{base}.{each.name}")
                if each.name == "*":
                    self.stars.add(base)
                else:
                    local = each.asname or each.name
                    self.bound.setdefault(local, set()).add(f"{base}.{each.name}")

    def _read_exports(self, tree: ast.Module) -> None:
        """Read what `on_demand` reads: the imports for type checkers, and aliases."""
        typed = [node for node in tree.body if _is_for_types(node)]
        for node in (each for branch in typed for each in branch.body):
            if isinstance(node, ast.ImportFrom) and node.module:
                names = {each.asname or each.name for each in node.names}
                self.lazy |= dict.fromkeys(names - {"*"}, node.module)
                self.stars |= {node.module} if "*" in names else set()
        for alias in filter(_is_alias, ast.walk(tree)):
            if alias.value.id in self.lazy:
                home = self.lazy[alias.value.id]
                self.lazy |= {target.id: home for target in alias.targets}

    def _read_aliases(self, nodes: list[ast.AST]) -> None:
        """Let `m = measurements` stand for what `measurements` stands for."""
        aliases = [node for node in nodes if _is_alias(node)]
        for node in aliases * len(aliases):  # one may stand for another
            for dotted in [self.bound.get(node.value.id, set())]:
                for target in node.targets:
                    self.bound[target.id] = self.bound.get(target.id, set()) | dotted


def _is_alias(node: ast.AST) -> TypeGuard[Any]:
    """Whether names are assigned a name, and nothing else."""
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Name)
        and all(isinstance(target, ast.Name) for target in node.targets)
    )


def _is_for_types(node: ast.AST) -> TypeGuard[ast.If]:
    """Whether it is `if TYPE_CHECKING`."""
    return isinstance(node, ast.If) and _last(node.test) == "TYPE_CHECKING"


def _last(node: ast.expr) -> str:
    """Return `c` of a.b.c, and of c alone."""
    return getattr(node, "id", getattr(node, "attr", ""))


def _chain(node: ast.expr) -> list[Any]:
    """Return the root of `root.a.b` and the names after it."""
    names: list[Any] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return [node, *reversed(names)]


def _running(tree: ast.AST) -> Iterator[ast.AST]:
    """Nodes of code that runs: no docstrings, tables, or imports for type checkers.

    Of a chain of attributes only the whole is given.
    """
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.Attribute):
            root = _chain(node)[0]
            if not isinstance(root, ast.Name):
                waiting.append(root)
        elif _is_for_types(node):
            waiting += node.orelse
        elif _is_alias(node):
            pass
        elif not (isinstance(node, ast.Call) and _last(node.func) == _LOADER):
            children = list(ast.iter_child_nodes(node))
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                children = []
            waiting += children


class Repository:
    """The files of a repository, and what of it a file of tests depends on."""

    def __init__(self, root: Path) -> None:
        """Read the list of files.

        :param root: the folder; the folders that its .gitignore names are left out
        """
        self.root = root.resolve()
        self._modules: dict[str, Module] = {}
        self._known: dict[str, tuple[set[str], set[str]]] = {}

    @cached_property
    def _ignored(self) -> list[str]:
        listed = self.root / ".gitignore"
        text = listed.read_text(encoding="utf-8") if listed.is_file() else ""
        return [".git", *(n[:-1] for n in text.split("\n") if n.endswith("/"))]

    def is_ignored(self, folder: str) -> bool:
        """Whether a folder of this name is no part of the repository."""
        return any(fnmatch(folder, pattern) for pattern in self._ignored)

    @cached_property
    def files(self) -> dict[str, bytes]:
        """The contents of every file, by its path with slashes."""
        found, waiting = {}, [self.root]
        while waiting:
            for path in waiting.pop().iterdir():
                if path.is_dir():
                    waiting += [] if self.is_ignored(path.name) else [path]
                elif path.is_file():
                    found[path.relative_to(self.root).as_posix()] = path.read_bytes()
        return dict(sorted(found.items()))

    @cached_property
    def modules(self) -> dict[str, str]:
        """The path of every module, by its dotted name."""
        return {_dotted_name(path): path for path in self.files if path[-3:] == ".py"}

    @cached_property
    def _data(self) -> dict[str, set[str]]:
        """The files that are not modules, by their names without folders."""
        found: dict[str, set[str]] = {}
        for path in self.files:
            if not path.endswith(".py"):
                found.setdefault(path.split("/")[-1], set()).add(path)
        return found

    @cached_property
    def _dotted(self) -> re.Pattern[str]:
        tops = sorted({re.escape(name.split(".")[0]) for name in self.modules})
        return re.compile(rf"\b(?:{'|'.join(tops)})(?:\.\w+)+")

    def module(self, name: str) -> Module:
        """Return what is known of a module of the repository."""
        if name not in self._modules:
            path = self.modules[name]
            self._modules[name] = Module(path, self.files[path].decode())
        return self._modules[name]

    def closure(self, path: str) -> set[str]:
        """Return the files that the tests in a file can depend on.

        :param path: the file, relative to the root, with slashes; its doctests count
        """
        name = _dotted_name(path)
        module = self.module(name)
        folders = path.split("/")[:-1]
        above = [".".join([*folders[:i], "conftest"]) for i in range(len(folders) + 1)]
        files, waiting = self._named(Module(path, module.examples, module))
        files |= {path}
        waiting |= {name, *above}
        seen = set(waiting)
        while waiting:
            more, links = self._links(waiting.pop())
            files |= more
            waiting |= links - seen
            seen |= links
        return files

    def looks_around(self, path: str) -> bool:
        """Whether a module has `__file__`, to find other files, and names no data."""
        name = _dotted_name(path)
        if name not in self.modules:
            return False
        module = self.module(name)
        return module.names_itself and not self._named(module)[0]

    def _links(self, dotted: str) -> tuple[set[str], set[str]]:
        """Return the files and the further names that a dotted name brings."""
        if dotted not in self._known:
            parts = dotted.split(".")
            for depth in range(len(parts), 0, -1):
                name = ".".join(parts[:depth])
                if name in self.modules:
                    break
            else:  # no module of the repository
                name, depth = "", len(parts)
            if depth < len(parts):
                found = set[str](), {name} | self._looked_up(name, parts[depth:])
            elif name:
                files, links = self._named(self.module(name))
                found = files | {self.modules[name]}, links | {name.rpartition(".")[0]}
            else:
                # A folder without an __init__.py may stand between two with one.
                found = set(), {dotted.rpartition(".")[0]} - {""}
            self._known[dotted] = found
        return self._known[dotted]

    def _named(self, module: Module) -> tuple[set[str], set[str]]:
        """Return the data and the dotted names that a module names."""
        files, links = set[str](), set(module.used)
        for text in module.texts:
            files |= self._data.get(re.split(r"[/\\]", text)[-1], set())
            links |= {f"{dotted}.*" for dotted in self._dotted.findall(text)}
        return files, links

    def _looked_up(self, name: str, rest: list[str]) -> set[str]:
        """Return the dotted names that the attributes `rest` of a module stand for."""
        module, (first, *after) = self.module(name), rest
        if first == "*" or (first.startswith("__") and first not in _PLAIN):
            bound = {each for names in module.bound.values() for each in names}
            return {*module.lazy.values(), *(f"{n}.*" for n in bound | module.stars)}
        if first in module.lazy:
            return {".".join([module.lazy[first], *rest])}
        if first in module.bound:
            return {".".join([each, *after]) for each in module.bound[first]}
        return {".".join([star, *rest]) for star in module.stars}


def _dotted_name(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
