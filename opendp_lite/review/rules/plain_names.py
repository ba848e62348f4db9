"""Names mean what the text says: nothing is bound, changed or run behind its back.

What was read of a function is found by following names through assignments, imports and
definitions. Code that binds names in other ways, or that changes from elsewhere what a
name stands for, would not be seen. So in modules with quoted code there is no `global`
and nothing of `HIDING`; no module of the package does such a thing while it is loaded;
and none assigns to what it has imported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from opendp_lite.review.code.library import (
    Constant,
    External,
    Landing,
    ModuleLanding,
    Unknown,
)
from opendp_lite.review.code.modules import (
    Module,
    changed,
    import_targets,
    outside_definitions,
    root_name,
)
from opendp_lite.review.problems import Place, Problem

if TYPE_CHECKING:
    from opendp_lite.review.project import Project


HIDING = {"__import__", "eval", "exec", "globals", "import_module", "locals"}
_WHILE_LOADED = HIDING | {"delattr", "setattr", "vars"}
_ATTRIBUTES = {"__dict__", "__setattr__", "import_module", "modules"}
_PATCHING = {"delattr", "setattr"}


def check_plain(project: Project) -> Iterator[Problem]:
    """Yield where names are bound or changed in ways that the review cannot follow."""
    quoted = {each.module for tex in project.files.values() for each in tex.quotes}
    for name in project.library.names:
        module = project.library.module(name)
        if module is None:
            continue
        found = _hidden(module, name in quoted)
        found |= _patched(project, module, name in quoted)
        for line, what in sorted(found.items()):
            yield Problem(
                "not-plain",
                "",
                f"line {line} of {name} {what}, which the review cannot follow to the "
                "code that depends on it.",
                "Bind names by plain definitions, imports and assignments in their "
                "own module.",
                place=Place(line, module=name),
            )


def _hidden(module: Module, is_quoted: bool) -> dict[int, str]:
    """Return the lines that bind or read names in a way that hides them."""
    found = {}
    for statement in module.tree.body:
        for node in outside_definitions(statement):
            name = getattr(node, "id", "") if isinstance(node, ast.Name) else ""
            name = node.attr if isinstance(node, ast.Attribute) else name
            if name in (_WHILE_LOADED if isinstance(node, ast.Name) else _ATTRIBUTES):
                line = getattr(node, "lineno", 0)
                found[line] = f"uses {name} while the module is loaded"
    for node in module.nodes if is_quoted else ():
        if isinstance(node, ast.Global):
            found[node.lineno] = f"declares {', '.join(node.names)} as global"
        elif isinstance(node, ast.Name | ast.Attribute):
            name = getattr(node, "id", "") or getattr(node, "attr", "")
            if name in HIDING:
                found[node.lineno] = f"uses {name}"
    return found


def _patched(project: Project, module: Module, is_quoted: bool) -> dict[int, str]:
    """Return the lines that change what was imported.

    A function may fill a table that was imported; that is what such a table is for.
    """
    imported = _imported(project, module)
    allowed = Constant if is_quoted else Constant | External | Unknown
    found = {}
    for statement in module.tree.body:
        names = {_assigned(node) for node in outside_definitions(statement)}
        if isinstance(statement, ast.Expr):
            names |= {
                name
                for name in changed(statement)
                for each in imported.get(name, ())
                if isinstance(each, Constant | ModuleLanding)
            }
        for name in names & imported.keys():
            found[statement.lineno] = f"may change {name}, which it has imported"
    for node in module.nodes:
        name = _assigned(node)
        if any(not isinstance(each, allowed) for each in imported.get(name, ())):
            found[getattr(node, "lineno", 0)] = f"changes {name}, which it has imported"
    return found


def _imported(project: Project, module: Module) -> dict[str, set[Landing]]:
    """Return where the names land that any import of a module binds."""
    found: dict[str, set[Landing]] = {}
    for node in module.nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            targets = import_targets(node, module.name, module.is_package)
            for name, each in targets.items():
                path = (each.attribute,) if each.attribute else ()
                landings = project.library.resolve(each.module, path)
                found.setdefault(name, set()).update(landings)
    return found


def _assigned(node: ast.AST) -> str:
    """Return the name at the root of what is assigned to, or given to `setattr`."""
    if isinstance(node, ast.Call):
        is_patch = getattr(node.func, "id", "") in _PATCHING and node.args
        return (root_name(node.args[0]) or "") if is_patch else ""
    stored = isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(
        node.ctx, ast.Load
    )
    return (root_name(node) or "") if stored else ""
