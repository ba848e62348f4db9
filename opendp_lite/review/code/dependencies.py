"""What a function of the package reaches outside itself.

Every dotted name is resolved through the globals of the function's module, and every
constant that it lands on is followed in turn, in whichever module of the package it
stands.
"""

from __future__ import annotations

import ast
import builtins
from functools import cached_property

from opendp_lite.review.code.library import (
    Constant,
    Defined,
    Landing,
    Library,
    ModuleLanding,
    Unknown,
)
from opendp_lite.review.code.modules import Definition, Import, Module
from opendp_lite.review.code.names import Uses, uses

_MODULE_NAMES = {"__name__", "__file__", "__doc__", "__package__", "__spec__"}
_KNOWN = set(dir(builtins)) | _MODULE_NAMES


class Dependencies:
    """The landings of all names in one definition, and in the constants it uses.

    `defined` are functions and classes of the package; `constants` are statements at
    the top of modules of the package; `attributes` are names read from objects that
    the reviewer cannot know; `unknown` are names that are bound nowhere.
    """

    def __init__(
        self,
        library: Library,
        module: Module,
        node: ast.AST,
        around: tuple[Definition, ...] = (),
    ) -> None:
        self.library = library
        self.home = module
        self.defined: set[Defined] = set()
        self.attributes: set[str] = set()
        self.unknown: set[str] = set()
        self._statements: dict[tuple[str, int, int], tuple[Module, ast.stmt]] = {}
        self._elsewhere: set[str] = set()
        self._names: set[str] = set()
        self._add(module, uses([node], module.name, module.is_package, around))
        # `f = wrap(f)` or `C.method = g` below a definition changes what it is.
        outermost = [*around, node][0]
        if isinstance(outermost, Definition):
            self._follow_constant(Constant(module.name, outermost.name))

    @property
    def constants(self) -> list[tuple[Module, ast.stmt]]:
        """The statements that bind the constants, by module and line."""
        return [self._statements[key] for key in sorted(self._statements)]

    def _add(self, module: Module, taken: Uses) -> None:
        self.attributes |= taken.attributes
        for path in taken.globals:
            if path[0] in _KNOWN and not module.bindings(path[0]):
                continue
            landings = self.library.resolve(module.name, path)
            if module is self.home:
                self._names.add(path[0])
                for first in self.library.resolve(module.name, path[:1]):
                    if isinstance(first, ModuleLanding):
                        self._note_origin(first.module, path, path[1:], landings)
            self._follow(landings, path)
        for target, rest in taken.imports:
            step = (target.attribute,) if target.attribute else ()
            path = (*step, *rest)
            landings = self.library.resolve(target.module, path)
            if self.library.owns(target.module):
                self._note_origin(target.module, path, path, landings)
            self._follow(landings, path)

    def _note_origin(
        self,
        module: str,
        written: tuple[str, ...],
        path: tuple[str, ...],
        landings: set[Landing],
    ) -> None:
        """Note where a dotted name comes from, if not from the module that it names."""
        for landing in landings:
            if isinstance(landing, Unknown | ModuleLanding):
                continue
            source, thing = landing.name.rpartition(".")[::2]
            if isinstance(landing, Defined | Constant):
                source = landing.module
                thing = getattr(landing, "qualname", landing.name)
            if f"{'.'.join([module, *path])}.".startswith(f"{source}.{thing}."):
                continue
            # The method of a class has the name that was written last.
            thing = thing.partition(".")[0]
            head = f"from {source} import {thing}" if source else f"import {thing}"
            self._elsewhere.add(f"{head} as {'__'.join(written)}")

    def _follow(self, landings: set[Landing], path: tuple[str, ...]) -> None:
        for landing in landings:
            if isinstance(landing, Defined):
                self.defined.add(landing)
            elif isinstance(landing, Unknown):
                self.unknown.add(landing.name)
            elif isinstance(landing, Constant):
                self.attributes.update(path[1:])
                self._follow_constant(landing)

    def _follow_constant(self, landing: Constant) -> None:
        module = self.library.module(landing.module)
        assert module is not None
        for statement in module.bindings(landing.name):
            if isinstance(statement, Import | Definition):
                continue
            key = (module.name, statement.lineno, statement.col_offset)
            if key not in self._statements:
                self._statements[key] = (module, statement)
                self._add(module, uses([statement], module.name, module.is_package, ()))

    @cached_property
    def imports(self) -> list[str]:
        """The imports of the home module that are used, resolved to their origins."""
        written = set(self._elsewhere)
        for name in self._names:
            bound = self.home.bindings(name)
            if bound and not any(isinstance(each, Import) for each in bound):
                continue
            for landing in self.library.resolve(self.home.name, (name,)):
                if isinstance(landing, Unknown):
                    continue
                source, thing = self._origin(name, landing)
                head = f"from {source} import {thing}" if source else f"import {thing}"
                written.add(head if thing == name else f"{head} as {name}")
        return sorted(written)

    def _origin(self, name: str, landing: Landing) -> tuple[str, str]:
        """Return the module and the name to import from it, or "" and a module."""
        if isinstance(landing, Defined):
            return landing.module, landing.qualname
        if isinstance(landing, Constant):
            return landing.module, landing.name
        if isinstance(landing, ModuleLanding):
            return "", landing.module
        for each in self.home.bindings(name):
            if isinstance(each, Import) and each.attribute is None:
                return "", landing.name
        source, _, thing = landing.name.rpartition(".")
        return source, thing
