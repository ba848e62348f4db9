"""The reviewed text of a function, and what the function means.

The reviewed text is what the meaning of a function depends on within its module:
the imports it uses, resolved to where things are defined; the constants it uses, those
of other modules of the package included; and the function without docstrings and
comments. A method stands in its class, with the fields that it reads.

The meaning is the syntax tree of this text, in which each name that is not local is
replaced by the full name of what it stands for. So the names of imports do not count.
The tree is serialised by a walk of our own: positions and empty fields do not count,
constants count by type and value, and nothing depends on the version of Python that
reads the text. The words of refusals do not count either: see `words`.
"""

from __future__ import annotations

import ast
import copy
import difflib
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from textwrap import indent
from typing import Any

import attrs

from opendp_lite.review.code.dependencies import Dependencies
from opendp_lite.review.code.library import (
    Constant,
    Defined,
    Library,
    ModuleLanding,
    Unknown,
)
from opendp_lite.review.code.modules import (
    Definition,
    Module,
    bare_source,
    bindings,
    changed,
    import_targets,
    root_name,
    statement_source,
)
from opendp_lite.review.code.names import FullNames, dotted
from opendp_lite.review.code.quoting import (
    find,
    registration_decorators,
    without_registration,
)
from opendp_lite.review.code.words import blank_words
from opendp_lite.review.problems import ReviewError

MAKING = ("__init__", "__new__", "__attrs_post_init__", "__post_init__")
"""The methods that make an object, from all fields of its class."""
_SKIPPED = {"ctx", "type_comment", "type_params", "kind"}
_NOTHING: Mapping[ast.AST, str] = {}


def canonical(node: object, written: Mapping[ast.AST, str] = _NOTHING) -> str:
    """Return a text that is the same for the same program, in every Python.

    Docstrings do not count. What is to be written for some nodes may be given.

    >>> canonical(ast.parse("x = 1")) == canonical(ast.parse("x  =  (1)  # one"))
    True
    >>> canonical(ast.parse("x = 1")) == canonical(ast.parse("x = 1.0"))
    False
    """
    if isinstance(node, ast.Constant):
        return f"{type(node.value).__name__}:{node.value!a}"
    if isinstance(node, list):
        return f"[{', '.join([canonical(each, written) for each in node])}]"
    if not isinstance(node, ast.AST):
        return ascii(node)
    if node in written:
        return written[node]
    fields = []
    for name in _written(node._fields):
        value: Any = getattr(node, name, None)
        if name == "values" and isinstance(node, ast.JoinedStr):
            value = _merged(node.values)
        elif name == "body" and _has_docstring(node):
            value = value[1:] or [ast.Pass()]
        if value is not None and value != []:
            fields.append(f"{name}={canonical(value, written)}")
    return f"{type(node).__name__}({', '.join(fields)})"


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


def difference(recorded: str, present: str) -> str:
    """Return the unified diff from the recorded text to the present one."""
    lines = difflib.unified_diff(
        recorded.splitlines(), present.splitlines(), "reviewed", "present", lineterm=""
    )
    return "\n".join(lines)


@attrs.frozen(slots=False, eq=False)
class Reviewed:
    """A function, method or class of the package, and all that is read of it."""

    library: Library
    module: str
    name: str

    @cached_property
    def _parts(self) -> tuple[list[str], list[_Constant], str]:
        """The imports, the constants, behind them inherited fields, the function."""
        library, module = self.library, self.library.module(self.module)
        if module is None:
            raise ReviewError(
                f"the package {library.package} has no module {self.module}."
            )
        path = find(module, self.name)
        for depth, node in enumerate(path[:-1], start=1):
            if not isinstance(node, ast.ClassDef):
                path = path[:depth]  # what is inside depends on the variables around it
                break
        body = _definition(library, module, path)
        shown = ast.parse(body).body[-1]
        reach = Dependencies(library, module, shown, _scopes_around(path))
        constants = [
            _Constant(
                _constant(library, module, *each), _bound(*each), each[0] is module
            )
            for each in reach.constants
        ]
        fields = [*_inherited(library, module, path)]
        constants += _behind(library, fields, reach)
        constants += [_field(library, *each) for each in fields]
        return reach.imports, constants, body

    @cached_property
    def text(self) -> str:
        """The reviewed text: the function below the imports and constants it uses."""
        imports, constants, body = self._parts
        sources = "\n".join(each.source for each in constants)
        blocks = ["\n".join(imports), sources, body]
        return "\n\n".join(block for block in blocks if block) + "\n"

    @cached_property
    def digest(self) -> str:
        """The digest of what the function means."""
        return self.digest_under(str)

    def digest_under(self, former: Callable[[str], str]) -> str:
        """Return the digest that the function had under other names.

        :param former: the full name that something had, from the one that it has
        """
        return hashlib.sha256(self._meaning(former).encode()).hexdigest()

    def _meaning(self, former: Callable[[str], str]) -> str:
        """Return what the text says, in full names.

        Of each module its constants stand in their order, whatever modules are called.
        """
        imports, named_constants, _ = self._parts
        tree = ast.parse(self.text)
        blank_words(tree)
        head, rest = tree.body[: len(imports)], tree.body[len(imports) :]
        full_name = former(f"{self.module}.{self.name}")
        *constants, definition = rest
        origins = [
            each
            for each in named_constants
            for _ in (ast.parse(each.source).body if ";" in each.source else [each])
        ]
        pairs = list(zip(origins, constants, strict=True))
        own = [node for each, node in pairs if each.is_own]
        written_out = [node for each, node in pairs if not each.is_own]
        texts = [*own, definition], written_out
        names = FullNames(self.library, self.module, head, *texts, former)
        node: ast.AST = definition
        new = self.name.split(".")
        for name, old in zip(new, full_name.split(".")[-len(new) :], strict=True):
            if isinstance(node, Definition) and node.name == name:
                node.name = old
                node = node.body[-1]
        # Inherited fields stay in the order in which Python looks for them.
        ordered = sorted(
            pairs,
            key=lambda pair: (
                pair[0].is_inherited,
                "" if pair[0].is_inherited else former(pair[0].name).rpartition(".")[0],
            ),
        )
        written = [canonical(each, names.written) for _, each in ordered]
        last = canonical(definition, names.written)
        return "\n".join([full_name, *written, *names.unnamed, last])


@attrs.frozen
class _Constant:
    """A constant or an inherited field, and its full name.

    `is_own` says that it stands in the module of the function, as it is written there.
    All others are written out with full names, so nothing in that module changes what
    their names stand for.
    """

    source: str
    name: str
    is_own: bool = False
    is_inherited: bool = False


def _bound(module: Module, node: ast.stmt) -> str:
    """Return the full name of a constant that a statement binds or changes."""
    names = [name for name, _ in bindings(node, module)] or ["", *changed(node)]
    return f"{module.name}.{names[-1]}"


def _inherited(
    library: Library, module: Module, path: tuple[Definition, ...]
) -> Iterator[tuple[Module, ast.ClassDef, ast.Assign | ast.AnnAssign]]:
    """Yield what a method reads of the classes from which its own is derived.

    Each is a statement, with its module and its class.
    """
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
        for statement in _fields(home, each):
            if statement.value is not None and _touches(
                home, statement, read, node.name in MAKING
            ):
                yield home, each, statement


def _field(
    library: Library,
    home: Module,
    owner: ast.ClassDef,
    statement: ast.Assign | ast.AnnAssign,
) -> _Constant:
    """Write out a field that is inherited, with the full name of its class."""
    names = ", ".join(name for name, _ in bindings(statement, home))
    where = ast.parse(f"{home.name}.{owner.name}.{names} = 0").body[0]
    assert isinstance(where, ast.Assign)
    assert statement.value is not None
    where.value, where.lineno = statement.value, statement.lineno
    source = _written_out(library, home, where)
    return _Constant(source, f"{home.name}.{owner.name}", is_inherited=True)


def _behind(
    library: Library,
    fields: Iterable[tuple[Module, ast.ClassDef, ast.stmt]],
    reach: Dependencies,
) -> Iterator[_Constant]:
    """Yield the constants that inherited fields use, and that the function does not."""
    known = [statement for _, statement in reach.constants]
    for home, _, field in fields:
        for module, statement in Dependencies(library, home, field).constants:
            if statement not in known:
                known.append(statement)
                source = _written_out(library, module, statement)
                yield _Constant(source, _bound(module, statement))


def _fields(
    module: Module, owner: ast.ClassDef
) -> Iterator[ast.Assign | ast.AnnAssign]:
    """Yield the statements that bind the fields of a class.

    The body of a class may assign values to names, under no condition, and no value
    may read another field. But a field may be another name of a method. The review
    refuses every other statement, because it could not follow what binds the field.
    """
    kept = [each for each in owner.body if not isinstance(each, Definition)]
    methods = {each.name for each in owner.body if isinstance(each, Definition)}
    targets = {each: _targets(each) for each in kept}
    bound = methods.union(*(map(root_name, found) for found in targets.values()))
    for each in kept:
        value = getattr(each, "value", None)
        if isinstance(each, ast.Pass) or (
            isinstance(each, ast.Expr) and isinstance(value, ast.Constant)
        ):
            continue
        nodes = [] if value is None else [*ast.walk(value)]
        read = {n.id for n in nodes if isinstance(n, ast.Name)}
        if (
            not isinstance(each, ast.Assign | ast.AnnAssign)
            or not all(isinstance(target, ast.Name) for target in targets[each])
            or any(isinstance(n, ast.NamedExpr) for n in nodes)
            or read & (bound - methods if isinstance(value, ast.Name) else bound)
        ):
            raise ReviewError(
                f"line {each.lineno} of {module.name}, in the class {owner.name}, "
                "binds fields in a way that the review cannot follow. Give each a "
                "value by an assignment of its own, under no condition, that reads no "
                "other field."
            )
        yield each


def _targets(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, ast.AnnAssign) else []


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
    plain_fields = _fields(module, path[-2])
    owner = copy.copy(path[-2])
    read = {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}
    read |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    fields = [
        statement_source(module, statement)
        for statement in plain_fields
        if _touches(module, statement, read | {node.name}, node.name in MAKING)
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
    return _written_out(library, module, node)


def _written_out(library: Library, module: Module, node: ast.stmt) -> str:
    if any(isinstance(each, ast.JoinedStr) for each in ast.walk(node)):
        # Pythons write f-strings in ways that others cannot read.
        raise ReviewError(
            f"line {node.lineno} of {module.name} is a constant made by an f-string. "
            "Write it another way, because it is used by reviewed code elsewhere."
        )
    renamed = _WrittenOut(library, module).visit(copy.deepcopy(node))
    return ast.unparse(ast.fix_missing_locations(renamed))


class _WrittenOut(ast.NodeTransformer):
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

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        """Write out the module, which may be relative to where the import stands."""
        targets = import_targets(node, self.module.name, self.module.is_package)
        (module,) = {each.module for each in targets.values()}
        return ast.ImportFrom(module, node.names, 0)
