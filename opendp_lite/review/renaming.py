r"""New names for modules, functions and proofs, in code and in TeX.

Code is compared by what its names stand for: every global name is replaced by its full
dotted name, through imports or within its own module, and then by the new one. Two
texts are the same if nothing else is different.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable

import attrs

from opendp_lite.review.compare import canonical
from opendp_lite.review.library import Library
from opendp_lite.review.modules import Definition, import_targets
from opendp_lite.review.names import dotted, uses
from opendp_lite.review.problems import ReviewError
from opendp_lite.review.words import blank_words

__all__ = ["Renaming", "renaming"]

_PAIR = re.compile(r"(\\(?:code|uses|proofof)\s*)\{([^}]*)\}(\s*)\{([^}]*)\}")
_LEMMA = re.compile(r"(\\(?:lemma|lemmaof)\s*)\{([^}]*)\}")
_NAMED = re.compile(r"(\\(?:fn|valid[A-Z]\w*)\s*)\{([^}]*)\}")
_LABELS = re.compile(
    r"(\\(?:ref|linelabel|by|pageref|autoref|[cC]ref|nameref)\s*)\{([^}]*)\}"
)


@attrs.frozen
class Renaming:
    """Old names to new ones: of modules and packages, of functions, of proofs.

    Functions are named `module:function`; proofs and their folders have a slash.
    """

    modules: dict[str, str]
    functions: dict[str, str]
    proofs: dict[str, str]

    def reversed(self) -> Renaming:
        """Return the renaming from the new names to the old ones."""
        tables = (self.modules, self.functions, self.proofs)
        return Renaming(*({new: old for old, new in t.items()} for t in tables))

    def header(self, header: str) -> str:
        """Return the new name of `module:function`; a method goes with its class."""
        module, _, name = header.partition(":")
        parts = name.split(".")
        for cut in range(len(parts), 0, -1):
            new = self.functions.get(f"{module}:{'.'.join(parts[:cut])}")
            if new is not None:
                return ".".join([new, *parts[cut:]])
        return f"{_by_prefix(self.modules, module, '.')}:{name}"

    def full_name(self, name: str) -> str:
        """Return the new full name of a definition, a constant or a module."""
        for old, new in self.functions.items():
            dotted_old = old.replace(":", ".")
            if name == dotted_old or name.startswith(f"{dotted_old}."):
                return new.replace(":", ".") + name.removeprefix(dotted_old)
        return _by_prefix(self.modules, name, ".")

    def may_touch(self, text: str) -> bool:
        """Return whether the last part of some old name occurs in a text."""
        return any(
            re.split("[.:]", old)[-1] in text
            for old in (*self.modules, *self.functions)
        )

    def proof(self, name: str) -> str:
        """Return the new name of a proof, or of a premise, which may end in a part."""
        stem, bracket, part = name.partition("(")
        return _by_prefix(self.proofs, stem, "/") + bracket + part

    def tex(self, raw: str, functions: Iterable[str]) -> str:
        r"""Return TeX with the new names.

        Of the `functions` whose names change it rewrites labels and ``\fn`` as well.
        """
        raw = _PAIR.sub(self._pair, raw)
        raw = _LEMMA.sub(self._lemma, raw)
        for old in functions:
            before, after = old.partition(":")[2], self.header(old).partition(":")[2]
            begins = re.compile(
                rf"(?<![\w.]){re.escape(before)}(?=(?:\.[\w.]+)?:[a-z0-9-])"
            )
            is_it = re.compile(rf"^\s*{re.escape(before)}(?=\s*$|\.)")
            for macro, name in ((_LABELS, begins), (_NAMED, is_it)):
                raw = macro.sub(_inside(name, after), raw)
        return raw

    def _pair(self, match: re.Match[str]) -> str:
        macro, module, space, name = match.groups()
        new = self.header(f"{module.strip()}:{name.strip()}")
        new_module, _, new_name = new.partition(":")
        return f"{macro}{{{new_module}}}{space}{{{new_name}}}"

    def _lemma(self, match: re.Match[str]) -> str:
        names = [self.proof(f"lemmas/{n.strip()}") for n in match.group(2).split(",")]
        inside = ",".join(name.removeprefix("lemmas/") for name in names)
        return f"{match.group(1)}{{{inside}}}"

    def meaning(self, library: Library, header: str, text: str) -> str:
        """Return what a recorded text says under the new names.

        `library` is the package with the new names.
        """
        tree = ast.parse(text)
        blank_words(tree)
        new_module, _, new_name = self.header(header).partition(":")
        module = library.module(new_module)
        home, is_package = header.partition(":")[0], bool(module and module.is_package)
        origins = _Origins(self, library, home, is_package, tree)
        written = [
            canonical(origins.visit(node))
            for node in tree.body[:-1]
            if not isinstance(node, ast.Import | ast.ImportFrom)
        ]
        definition = tree.body[-1]
        node: ast.AST = definition
        for name in new_name.split("."):
            if not isinstance(node, Definition):
                break
            node.name = name
            node = node.body[-1]
        return "\n".join([*sorted(written), canonical(origins.visit(definition))])


def _by_prefix(table: dict[str, str], name: str, dot: str) -> str:
    """Return a name with the longest beginning that has a new name replaced."""
    for old in sorted(table, key=len, reverse=True):
        if name == old or name.startswith(f"{old}{dot}"):
            return table[old] + name.removeprefix(old)
    return name


def _inside(name: re.Pattern[str], new: str) -> Callable[[re.Match[str]], str]:
    """Return what replaces a name in the argument of a macro."""
    return lambda match: f"{match.group(1)}{{{name.sub(new, match.group(2))}}}"


class _Origins(ast.NodeTransformer):
    """Replaces each global name by the full new name of what it stands for."""

    def __init__(
        self,
        renaming: Renaming,
        library: Library,
        home: str,
        is_package: bool,
        tree: ast.Module,
    ) -> None:
        self.renaming = renaming
        self.library = library
        self.home = home
        self.is_package = is_package
        found = uses(tree.body, home, is_package, ())
        self._globals = {path[0] for path in found.globals}
        self._imported: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                self._imported |= self._targets(node)

    def _targets(self, node: ast.Import | ast.ImportFrom) -> dict[str, str]:
        targets = import_targets(node, self.home, self.is_package)
        return {
            name: f"{each.module}.{each.attribute}" if each.attribute else each.module
            for name, each in targets.items()
        }

    def _written(self, path: tuple[str, ...]) -> ast.Name | None:
        """Return the name to write for a dotted one; None if it is local."""
        root = self._imported.get(path[0])
        if root is None and path[0] in self._globals:
            own = self.renaming.full_name(f"{self.home}.{path[0]}")
            module, name = self.library.split(own)
            if module is not None and module.bindings(name.partition(".")[0]):
                root = f"{self.home}.{path[0]}"
            elif path[0] == self.library.package.partition(".")[0]:
                root = path[0]
        if root is None:
            return None
        full = self.renaming.full_name(".".join([root, *path[1:]]))
        return ast.Name(full, ast.Load())

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Write out a name."""
        return self._written((node.id,)) or node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Write out a dotted name."""
        path = dotted(node)
        return (self._written(path) if path else None) or self.generic_visit(node)

    def _visit_import(self, node: ast.Import | ast.ImportFrom) -> ast.AST:
        names = sorted(map(self.renaming.full_name, self._targets(node).values()))
        return ast.Expr(ast.Constant(f"import {', '.join(names)}"))

    visit_Import = _visit_import
    visit_ImportFrom = _visit_import


def renaming(names: Iterable[str]) -> Renaming:
    """Read OLD NEW OLD NEW ...: modules, `module:function`, or proofs with a slash."""
    given = list(names)
    if not given or len(given) % 2:
        raise ReviewError("give the names in pairs: OLD NEW, and perhaps more pairs.")
    found = Renaming({}, {}, {})
    for old, new in zip(given[::2], given[1::2], strict=True):
        kinds = {(":" in name, "/" in name) for name in (old, new)}
        if len(kinds) > 1 or kinds == {(True, True)}:
            raise ReviewError(
                f"{old} and {new} must both be modules, functions or proofs."
            )
        is_function, is_proof = kinds.pop()
        table = found.proofs if is_proof else found.functions if is_function else None
        table = found.modules if table is None else table
        table[old.strip("/").removesuffix(".tex")] = new.strip("/").removesuffix(".tex")
    return found
