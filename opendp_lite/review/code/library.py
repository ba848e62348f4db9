"""The package as a set of texts, and where a dotted name lands in it.

`Library.resolve` follows imports from module to module of the package until it lands
on a definition, on a constant, on a module, or outside the package.
"""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import attrs

from opendp_lite.review.code.modules import Definition, Import, Module
from opendp_lite.review.problems import ReviewError
from opendp_lite.review.shipped import SHIPPED


@attrs.frozen
class Defined:
    """A landing on a function or class of the package."""

    module: str
    qualname: str

    @property
    def name(self) -> str:
        """The full dotted name."""
        return f"{self.module}.{self.qualname}"


@attrs.frozen
class Constant:
    """A landing on a global of the package that is neither function nor class."""

    module: str
    name: str


@attrs.frozen
class ModuleLanding:
    """A landing on a module of the package."""

    module: str


@attrs.frozen
class External:
    """A landing outside the package."""

    name: str


@attrs.frozen
class Unknown:
    """A name that is bound nowhere the reviewer can see."""

    name: str


Landing: TypeAlias = Defined | Constant | ModuleLanding | External | Unknown


@attrs.frozen(slots=False, eq=False)
class Library:
    """The modules of one package, read from its files or from given texts."""

    package: str
    given: Mapping[str, Module] = attrs.field(factory=dict)
    _cache: dict[str, Module | None] = attrs.field(factory=dict, init=False)

    @cached_property
    def root(self) -> Path:
        """The folder (or the one file) of the package."""
        try:
            spec = importlib.util.find_spec(self.package)
        except (ImportError, ValueError):
            spec = None
        if spec is None or spec.origin is None:
            raise ReviewError(
                f"there is no package {self.package!r} on the path. Run the command in "
                "the folder that holds it, or install it."
            )
        origin = Path(spec.origin)
        return origin.parent if origin.name == "__init__.py" else origin

    def owns(self, module: str) -> bool:
        """Return whether a module's name lies within the package."""
        return module == self.package or module.startswith(f"{self.package}.")

    def module(self, name: str) -> Module | None:
        """Return a module of the package, or None if there is none of that name."""
        if name in self.given:
            return self.given[name]
        if name not in self._cache:
            self._cache[name] = self._read(name)
        return self._cache[name]

    def file(self, name: str) -> Path | None:
        """Return the file of a module of the package, or None if there is none."""
        if not self.owns(name):
            return None
        if self.root.is_file():
            return self.root if name == self.package else None
        path = self.root.joinpath(*name.split(".")[self.package.count(".") + 1 :])
        for file in (path / "__init__.py", path.with_name(f"{path.name}.py")):
            if file.is_file():
                return file
        return None

    def _read(self, name: str) -> Module | None:
        file = self.file(name)
        if file is None:
            return None
        text = file.read_text(encoding="utf-8")
        return Module(name, text, file.name == "__init__.py")

    @cached_property
    def names(self) -> list[str]:
        """The names of all modules of the package."""
        if self.root.is_file():
            return [self.package]
        found, root = [], self.root.resolve()
        for path in sorted(root.rglob("*.py")):
            if path.is_relative_to(SHIPPED):
                continue  # checks of proofs: not modules of the package
            parts = path.relative_to(root).with_suffix("").parts
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            found.append(".".join([self.package, *parts]))
        return found

    def split(self, name: str) -> tuple[Module | None, str]:
        """Return the module of a definition's full name, and its name within that."""
        parts = name.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            module = self.module(".".join(parts[:cut]))
            if module is not None:
                return module, ".".join(parts[cut:])
        return None, name

    def closure(self, names: set[str]) -> set[str]:
        """Return the given modules of the package and all that they import."""
        reached: set[str] = set()
        waiting = [name for name in names if self.module(name)]
        while waiting:
            name = waiting.pop()
            if name in reached:
                continue
            reached.add(name)
            module = self.module(name)
            assert module is not None
            waiting += [each for each in module.imported if self.module(each)]
        return reached

    def resolve(self, module: str, path: tuple[str, ...]) -> set[Landing]:
        """Return where the dotted name `path` in the globals of `module` may land."""
        return self._resolve(module, path, frozenset())

    def _resolve(
        self, module: str, path: tuple[str, ...], seen: frozenset[tuple[str, str]]
    ) -> set[Landing]:
        if not self.owns(module):
            return {External(".".join([module, *path]))}
        if not path:
            return {ModuleLanding(module)}
        here, (name, *rest) = self.module(module), path
        key = (module, name)
        bound = here.bindings(name) if here else []
        if key in seen:
            bound = []
        landings: set[Landing] = set()
        for what in bound:
            if isinstance(what, Import):
                step = (what.attribute,) if what.attribute else ()
                landings |= self._resolve(what.module, (*step, *rest), seen | {key})
            elif isinstance(what, Definition):
                landings.add(self._member(module, what, tuple(rest)))
            else:
                landings.add(Constant(module, name))
        if not bound and self.module(f"{module}.{name}"):
            return self._resolve(f"{module}.{name}", tuple(rest), seen)
        if not bound and here and key not in seen:
            for star in here.stars:
                landings |= {
                    landing
                    for landing in self._resolve(star, path, seen | {key})
                    if not isinstance(landing, Unknown | External)
                }
        return landings or {Unknown(f"{module}.{name}")}

    def _member(self, module: str, node: Definition, rest: tuple[str, ...]) -> Landing:
        """Land on a definition, or on the method of a class, inherited or its own."""
        if rest and isinstance(node, ast.ClassDef):
            here = self.module(module)
            if here and f"{node.name}.{rest[0]}" in here.definitions:
                return Defined(module, f"{node.name}.{rest[0]}")
            for base in node.bases:
                path = tuple(ast.unparse(base).split("."))
                for landing in self.resolve(module, (*path, rest[0])):
                    if isinstance(landing, Defined) and "." in landing.qualname:
                        return landing
        return Defined(module, node.name)
