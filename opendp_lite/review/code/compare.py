"""The reviewed text of a function, and whether two texts are the same program.

The reviewed text is what the meaning of a function depends on within its module:
the imports it uses, resolved to where things are defined; the constants it uses, those
of other modules of the package included; and the function without docstrings and
comments. A method stands in its class, with the fields that it reads.

Two texts are compared by their syntax trees, serialised by a walk of our own: positions
and empty fields do not count, constants count by type and value, and nothing depends
on the version of Python that wrote or reads the text. The words of refusals do not
count either: see `words`.
"""

from __future__ import annotations

import ast
import copy
import difflib
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from textwrap import indent
from typing import Any

from opendp_lite.review.code.dependencies import Dependencies
from opendp_lite.review.code.library import (
    Constant,
    Defined,
    Library,
    ModuleLanding,
    Unknown,
)
from opendp_lite.review.code.modules import Definition, Module, bindings, changed
from opendp_lite.review.code.names import dotted
from opendp_lite.review.code.quoting import (
    find,
    registration_decorators,
    without_registration,
)
from opendp_lite.review.code.slices import bare_source, statement_source
from opendp_lite.review.code.words import blank_words
from opendp_lite.review.problems import ReviewError

MAKING = ("__init__", "__new__", "__attrs_post_init__", "__post_init__")
"""The methods that make an object, from all fields of its class."""
_SKIPPED = {"ctx", "type_comment", "type_params", "kind"}


def canonical(node: object) -> str:
    """Return a text that is the same for the same program, in every Python.

    Docstrings do not count.

    >>> canonical(ast.parse("x = 1")) == canonical(ast.parse("x  =  (1)  # one"))
    True
    >>> canonical(ast.parse("x = 1")) == canonical(ast.parse("x = 1.0"))
    False
    """
    if isinstance(node, ast.Constant):
        return f"{type(node.value).__name__}:{node.value!a}"
    if isinstance(node, list):
        return f"[{', '.join([canonical(each) for each in node])}]"
    if not isinstance(node, ast.AST):
        return ascii(node)
    written = []
    for name in _written(node._fields):
        value: Any = getattr(node, name, None)
        if name == "values" and isinstance(node, ast.JoinedStr):
            value = _merged(node.values)
        elif name == "body" and _has_docstring(node):
            value = value[1:] or [ast.Pass()]
        if value is not None and value != []:
            written.append(f"{name}={canonical(value)}")
    return f"{type(node).__name__}({', '.join(written)})"


def _has_docstring(node: ast.AST) -> bool:
    return isinstance(node, Definition) and ast.get_docstring(node, False) is not None


@cache
def _written(fields: tuple[str, ...]) -> list[str]:
    return sorted(set(fields) - _SKIPPED)


def _merged(values: Sequence[ast.expr]) -> list[ast.expr]:
    """Join neighbouring pieces of text in an f-string; Pythons cut them differently."""
    merged: list[ast.expr] = []
    for value in values:
        last = merged[-1] if merged else None
        if not isinstance(value, ast.Constant):
            merged.append(value)
        elif isinstance(last, ast.Constant):
            merged[-1] = ast.Constant(str(last.value) + str(value.value))
        elif value.value != "":
            merged.append(value)
    return merged


@lru_cache(maxsize=4096)
def _canonical_text(text: str) -> str:
    tree = ast.parse(text)
    blank_words(tree)
    return canonical(tree)


def same_code(text: str, other: str) -> bool:
    """Return whether two texts are the same program."""
    return _canonical_text(text) == _canonical_text(other)


def code_digest(sections: dict[str, str]) -> str:
    """Return the digest of named pieces of code."""
    parts = [f"{name}\n{_canonical_text(sections[name])}" for name in sections]
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()


def difference(recorded: str, present: str) -> str:
    """Return the unified diff from the recorded text to the present one."""
    lines = difflib.unified_diff(
        recorded.splitlines(), present.splitlines(), "reviewed", "present", lineterm=""
    )
    return "\n".join(lines)


def reviewed_text(library: Library, module_name: str, name: str) -> str:
    """Return the reviewed text of a function, method or class of the package."""
    module = library.module(module_name)
    if module is None:
        raise ReviewError(f"the package {library.package} has no module {module_name}.")
    path = find(module, name)
    for depth, node in enumerate(path[:-1], start=1):
        if not isinstance(node, ast.ClassDef):
            path = path[:depth]  # what is inside depends on the variables around it
            break
    body = _definition(library, module, path)
    shown = ast.parse(body).body[-1]
    reach = Dependencies(library, module, shown, _scopes_around(path))
    constants = [_constant(library, module, *each) for each in reach.constants]
    constants += _inherited(library, module, path)
    return assembled(reach.imports, constants, body)


def _inherited(
    library: Library, module: Module, path: tuple[Definition, ...]
) -> Iterator[str]:
    """Yield what a method reads of the classes from which its own is derived."""
    owner, node = path[-2] if len(path) > 1 else None, path[-1]
    waiting = [(module, owner)] if isinstance(owner, ast.ClassDef) else []
    read = {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}
    for here, each in waiting:
        for base in each.bases:
            for landing in library.resolve(here.name, dotted(base) or ("object",)):
                if not isinstance(landing, Defined):
                    continue
                home = library.module(landing.module)
                assert home is not None
                found = home.definitions[landing.qualname][0][-1]
                if isinstance(found, ast.ClassDef) and (home, found) not in waiting:
                    waiting.append((home, found))
    for home, each in waiting[1:]:
        for statement in each.body:
            if isinstance(statement, ast.Assign | ast.AnnAssign) and (
                statement.value is not None
                and _touches(home, statement, read, node.name in MAKING)
            ):
                names = ", ".join(name for name, _ in bindings(statement, home))
                where = ast.parse(f"{home.name}.{each.name}.{names} = 0").body[0]
                assert isinstance(where, ast.Assign)
                where.value, where.lineno = statement.value, statement.lineno
                yield _full(library, home, where)


def assembled(imports: list[str], constants: list[str], definition: str) -> str:
    """Return the text of a definition below its imports and constants."""
    blocks = ["\n".join(imports), "\n".join(constants), definition]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _definition(library: Library, module: Module, path: tuple[Definition, ...]) -> str:
    """Write a definition without docstrings, comments and registration.

    A method stands in its class, with the fields that it reads.
    """
    node = path[-1]
    registering = registration_decorators(node, library, module.name)
    text = bare_source(module, node, registering)
    original = without_registration(node, library, module.name)
    if canonical(ast.parse(text).body[0]) != canonical(original):
        # Moving code to the margin changes a string that runs over several lines.
        raise ReviewError(
            f"{node.name} of {module.name} holds a string of several lines that moves "
            "with the code. Write it in one line, or as a constant of the module."
        )
    if len(path) < 2 or not isinstance(path[-2], ast.ClassDef):
        return text
    owner = copy.copy(path[-2])
    read = {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}
    read |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    fields = [
        statement_source(module, statement)
        for statement in owner.body
        if not isinstance(statement, Definition)
        and _touches(module, statement, read | {node.name}, node.name in MAKING)
    ]
    owner.body = [ast.Pass()]
    head = ast.unparse(owner).removesuffix("\n    pass")
    return "\n".join([head, *(indent(part, "    ") for part in [*fields, text])])


def _touches(
    module: Module, statement: ast.stmt, names: set[str], any_name: bool
) -> bool:
    """Return whether a statement of a class binds or changes one of some names."""
    touched = {name for name, _ in bindings(statement, module)}
    touched = touched.union(changed(statement)) - {"__slots__"}
    return bool(touched if any_name else touched & names)


def _scopes_around(path: tuple[Definition, ...]) -> tuple[Definition, ...]:
    """Return the definitions whose scopes lie around what is shown."""
    around = path[:-1]
    if around and isinstance(around[-1], ast.ClassDef):
        around = around[:-1]
    return around


def _constant(library: Library, home: Module, module: Module, node: ast.stmt) -> str:
    """Write a constant; one of another module than `home` has full dotted names."""
    if module is home:
        return statement_source(module, node)
    return _full(library, module, node)


def _full(library: Library, module: Module, node: ast.stmt) -> str:
    if any(isinstance(each, ast.JoinedStr) for each in ast.walk(node)):
        # Pythons write f-strings in ways that others cannot read.
        raise ReviewError(
            f"line {node.lineno} of {module.name} is a constant made by an f-string. "
            "Write it another way, because it is used by reviewed code elsewhere."
        )
    renamed = _FullNames(library, module).visit(copy.deepcopy(node))
    return ast.unparse(ast.fix_missing_locations(renamed))


class _FullNames(ast.NodeTransformer):
    """Replace each global name by the dotted name of what it stands for."""

    def __init__(self, library: Library, module: Module) -> None:
        self.library = library
        self.module = module

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Write out one name, unless it is a builtin or stands for several things."""
        landings = self.library.resolve(self.module.name, (node.id,))
        if len(landings) != 1 or isinstance(landing := landings.pop(), Unknown):
            return node
        if isinstance(landing, Constant):
            name = f"{landing.module}.{landing.name}"
        elif isinstance(landing, ModuleLanding):
            name = landing.module
        else:
            name = landing.name
        written = ast.parse(name, mode="eval").body
        assert isinstance(written, ast.Name | ast.Attribute)
        written.ctx = node.ctx
        return written
