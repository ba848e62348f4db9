r"""New names for modules, functions and proofs, in code and in TeX.

Code is compared by what its names stand for: every global name is replaced by its full
dotted name, through imports or within its own module, then by the new one, and then by
the place where the package defines it. Two texts are the same if nothing else is
different.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator

import attrs

from opendp_lite.review.code.compare import canonical
from opendp_lite.review.code.library import Constant, Defined, Library
from opendp_lite.review.code.modules import Definition, Import, import_targets
from opendp_lite.review.code.names import dotted, roots
from opendp_lite.review.code.words import blank_words
from opendp_lite.review.problems import ReviewError

_PAIR = re.compile(r"(\\(?:code|uses|proofof)\s*)\{([^}]*)\}(\s*)\{([^}]*)\}")
_LEMMA = re.compile(r"(\\(?:lemma|lemmaof)\s*)\{([^}]*)\}")
_NAMED = re.compile(r"(\\(?:fn|valid[A-Z]\w*)\s*)\{([^}]*)\}")
_FILE = re.compile(r"(\\fn\s*\{)([a-z_0-9/]+)\.py\}")
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
        parts = name.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            header = f"{'.'.join(parts[:cut])}:{'.'.join(parts[cut:])}"
            for end in range(len(parts), cut, -1):
                new = self.functions.get(header)
                if new is not None:
                    return ".".join([new.replace(":", "."), *parts[end:]])
                header = header.rpartition(".")[0]
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
        raw = _FILE.sub(self._file, raw)
        short: dict[str, str] = {}
        for old in functions:
            before, after = old.partition(":")[2], self.header(old).partition(":")[2]
            if short.setdefault(before, after) != after:
                raise ReviewError(
                    f"{before} is the name of two functions that get different names, "
                    f"{short[before]} and {after}. Move one after the other."
                )
        if short:  # all at once, so that two functions may change places
            names = "|".join(map(re.escape, sorted(short, key=len, reverse=True)))
            begins = re.compile(rf"(?<![\w.])({names})(?=(?:\.[\w.]+)?:[a-z0-9-])")
            is_it = re.compile(rf"^\s*({names})(?=\s*$|\.)")
            for macro, name in ((_LABELS, begins), (_NAMED, is_it)):
                raw = macro.sub(_inside(name, short), raw)
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

    def _file(self, match: re.Match[str]) -> str:
        """Return the file of a module, which the package's folder is left out of."""
        macro, path = match.groups()
        old = path.replace("/", ".")
        for package in {name.partition(".")[0] for name in self.modules}:
            new = self.modules.get(f"{package}.{old}", f"{package}.{old}")
            path = new.removeprefix(f"{package}.").replace(".", "/")
        return f"{macro}{path}.py}}"

    def touches(self, library: Library, header: str, text: str) -> bool:
        """Return whether something that a recorded text names has a new name."""
        if self.header(header) != header:
            return True
        if not self.may_touch(text):
            return False
        nothing = Renaming({}, {}, {})
        before = nothing.meaning(library, header, text, follow=False)
        return self.meaning(library, header, text, follow=False) != before

    def meaning(
        self, library: Library, header: str, text: str, follow: bool = True
    ) -> str:
        """Return what a recorded text says under the new names.

        `library` is the package with the new names. Names are followed to where it
        defines what they stand for, unless `follow` is false.
        """
        tree = ast.parse(text)
        blank_words(tree)
        new_name = self.header(header).partition(":")[2]
        origins = self._origins(library, header, tree, follow)
        # Of each module its constants in their order, whatever the modules are called.
        constants = [
            (origins.group(node), canonical(origins.visit(node)))
            for node in tree.body[:-1]
            if not isinstance(node, ast.Import | ast.ImportFrom)
        ]
        written = [each for _, each in sorted(constants, key=lambda pair: pair[0])]
        definition = tree.body[-1]
        node: ast.AST = definition
        for name in new_name.split("."):
            if not isinstance(node, Definition):
                break
            node.name = name
            node = node.body[-1]
        written += [*origins.unnamed(), canonical(origins.visit(definition))]
        return "\n".join(written)

    def names(self, library: Library, header: str, text: str) -> set[str]:
        """Return the full old names of a recorded text, and of what it uses."""
        used = self._origins(library, header, ast.parse(text)).used
        return {header.replace(":", "."), *used}

    def _origins(
        self, library: Library, header: str, tree: ast.Module, follow: bool = True
    ) -> _Origins:
        module = library.module(self.header(header).partition(":")[0])
        home, is_package = header.partition(":")[0], bool(module and module.is_package)
        return _Origins(self, library, home, is_package, tree, follow)

    def with_new_imports(
        self, library: Library, header: str, text: str, present: str
    ) -> str:
        """Return a recorded text with its imports as the present code writes them.

        What the present code does not import is imported by its full new name.
        """
        new_module = self.header(header).partition(":")[0]
        module = library.module(new_module)
        is_package = bool(module and module.is_package)
        lines = {
            (name, _home(library, full)): line
            for name, full, line in _imports(present, new_module, is_package)
        }
        home = header.partition(":")[0]
        for name, full, line in _imports(text, home, is_package):
            place = _home(library, self.full_name(full))
            if (name, place) in lines:
                text = text.replace(line, lines[name, place], 1)
            elif place != full:
                begin, _, last = place.rpartition(".")
                named = "" if last == name else f" as {name}"
                text = text.replace(line, f"from {begin} import {last}{named}", 1)
        return text


def _by_prefix(table: dict[str, str], name: str, dot: str) -> str:
    """Return a name with the longest beginning that has a new name replaced."""
    old, end = name, len(name)
    while old not in table:
        end = name.rfind(dot, 0, end)
        if end < 0:
            return name
        old = name[:end]
    return table[old] + name[end:]


def _home(library: Library, name: str) -> str:
    """Return the full name that a thing has where the package defines it."""
    module, within = library.split(name)
    if module is None:
        return name
    first, *rest = within.split(".")
    landings = library.resolve(module.name, (first,))
    landing = landings.pop() if len(landings) == 1 else None
    if isinstance(landing, Constant):
        return ".".join([landing.module, landing.name, *rest])
    return ".".join([landing.name, *rest]) if isinstance(landing, Defined) else name


def _imports(text: str, home: str, is_package: bool) -> Iterator[tuple[str, str, str]]:
    """Yield name, full name and line of the imports of one name atop a text."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Import | ast.ImportFrom) and len(node.names) == 1:
            for name, full in _targets(node, home, is_package).items():
                yield name, full, ast.unparse(node)


def _targets(
    node: ast.Import | ast.ImportFrom, home: str, is_package: bool
) -> dict[str, str]:
    """Return the names that an import binds, and their full names."""
    targets = import_targets(node, home, is_package)
    return {name: _full(each) for name, each in targets.items()}


def _inside(
    name: re.Pattern[str], new: dict[str, str]
) -> Callable[[re.Match[str]], str]:
    """Return what replaces names in the argument of a macro."""

    def replaced(match: re.Match[str]) -> str:
        inside = name.sub(lambda found: new[found.group(1)], match.group(2))
        return f"{match.group(1)}{{{inside}}}"

    return replaced


def _full(target: Import) -> str:
    return f"{target.module}.{target.attribute}" if target.attribute else target.module


class _Origins(ast.NodeTransformer):
    """Replaces each global name by the full new name of what it stands for."""

    def __init__(
        self,
        renaming: Renaming,
        library: Library,
        home: str,
        is_package: bool,
        tree: ast.Module,
        follow: bool,
    ) -> None:
        self.renaming = renaming
        self.library = library
        self.home = home
        self.is_package = is_package
        self.follow = follow
        self._roots = roots(tree.body, home, is_package)
        self._imported: dict[str, str] = {}
        for node in tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                self._imported |= _targets(node, home, is_package)

    @property
    def used(self) -> set[str]:
        """The full old names of what is used.

        A name that nothing imports is the own module's if this has such a name; if not,
        it is a builtin, or the root of a dotted name that was written out.
        """
        found = set(self._imported.values())
        for node, target in self._roots.items():
            own = f"{self.home}.{node.id}"
            module, name = self.library.split(self.renaming.full_name(own))
            if target is not None:
                found.add(_full(target))
            elif module and module.bindings(name) and node.id not in self._imported:
                found.add(own)
        return found

    def unnamed(self) -> list[str]:
        """Return the imports that no name stands for: where dotted names come from."""
        named = {node.id for node in self._roots}
        return sorted(
            f"from {self._new_name(full)}"
            for name, full in self._imported.items()
            if name not in named
        )

    def group(self, node: ast.stmt) -> str:
        """Return the module of a constant, which may be the own one."""
        for each in ast.walk(node):
            path = dotted(each)
            if path is not None:
                own = [self.home] if len(path) == 1 else []
                full = self._new_name(".".join([*own, *path]))
                module = self.library.split(full)[0]
                return module.name if module is not None else ""
        return ""

    def _written(self, path: tuple[str, ...], node: ast.AST) -> ast.Name | None:
        """Return the name to write for a dotted one; None if it is local."""
        while isinstance(node, ast.Attribute):
            node = node.value
        if not isinstance(node, ast.Name) or node not in self._roots:
            return None
        target = self._roots[node]
        root = self._imported.get(path[0]) if target is None else _full(target)
        if root is None:
            own = self.renaming.full_name(f"{self.home}.{path[0]}")
            module, name = self.library.split(own)
            if module is not None and module.bindings(name.partition(".")[0]):
                root = f"{self.home}.{path[0]}"
            elif path[0] == self.library.package.partition(".")[0]:
                root = path[0]
        if root is None:
            return None
        return ast.Name(self._new_name(".".join([root, *path[1:]])), ast.Load())

    def _new_name(self, full: str) -> str:
        new = self.renaming.full_name(full)
        return _home(self.library, new) if self.follow else new

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Write out a name."""
        return self._written((node.id,), node) or node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Write out a dotted name."""
        path = dotted(node)
        return (self._written(path, node) if path else None) or self.generic_visit(node)

    def _visit_import(self, node: ast.Import | ast.ImportFrom) -> ast.AST:
        targets = _targets(node, self.home, self.is_package)
        names = sorted(map(self._new_name, targets.values()))
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
