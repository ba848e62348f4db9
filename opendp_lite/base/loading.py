"""Names of a module that are loaded when they are first asked for (PEP 562).

A session uses a few of the constructors, and loading all of them would take most of the
time of an import. A module that re-exports writes each name once, where type checkers
and editors read it:

    if TYPE_CHECKING:
        from opendp_lite.core.chaining import make_chain_mt as make_chain_mt
    else:
        __getattr__, __dir__ = on_demand(__name__)

A name that is not there is answered by what serves instead, if that is known: see
`show/absent.py`, which is loaded then.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from itertools import chain
from types import ModuleType
from typing import Any, NoReturn, TypeGuard

ROOMS: list[str] = []
"""The packages that export constructors, as far as they are loaded."""


def has_constructors(module: str) -> None:
    """Add a package to those whose constructors may be named in a text.

    :param module: the name of that package, its `__name__`
    """
    ROOMS.append(module)


KINDS: list[str] = []
"""The modules outside of the core whose domains, metrics and the like have a text."""


def has_kinds(module: str) -> None:
    """Add a module to those whose domains, metrics and the like a text may name.

    :param module: the name of that module, which is loaded when a text is
    """
    KINDS.append(module)


def on_demand(module: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the functions `__getattr__` and `__dir__` of a module that re-exports.

    Its names are those that a type checker takes for exported: `name as name` and what
    `*` stands for, imported under `if TYPE_CHECKING`, and what is assigned. They are
    read from the source when one of them is first asked for.

    :param module: the name of that module, its `__name__`
    """
    this = sys.modules[module]

    @cache
    def homes() -> dict[str, tuple[str, str]]:
        with open(str(this.__file__), encoding="utf-8") as source:
            return _exports(ast.parse(source.read()))

    def load(name: str) -> Any:
        value: Any
        if name == "__all__":
            value = names()
        elif name.startswith("__") or name not in homes():
            raise _missing(this, name)
        else:
            home, there = homes()[name]
            owner = import_module(home)
            if not hasattr(owner, there):  # a module that nobody has loaded yet
                import_module(f"{home}.{there}")
            value = getattr(owner, there)
        setattr(this, name, value)  # so that Python finds it there from now on
        return value

    def names() -> list[str]:
        return sorted(name for name in homes() if not name.startswith("_"))

    return load, names


def refusing(module: str) -> Callable[[str], NoReturn]:
    """Return the function `__getattr__` of a module that has all its names already.

    :param module: the name of that module, its `__name__`
    """

    def refuse(name: str) -> NoReturn:
        raise _missing(sys.modules[module], name)

    return refuse


def _missing(module: ModuleType, name: str) -> AttributeError:
    """Return the error of a name that a module has not, with what is known of it."""
    text = f"module {module.__name__!r} has no attribute {name!r}"
    # What is private is asked for by tools, and a module within a package by Python,
    # before it is loaded.
    if name.startswith("_") or _is_module(module, name):
        return AttributeError(text)
    from opendp_lite.show.absent import hint

    told = hint(module.__name__, name, dir(module))
    if told is None:
        return AttributeError(text)
    # No object: Python would add a guess of its own.
    return AttributeError(f"{text}. {told}", name=name, obj=None)


def _is_module(package: ModuleType, name: str) -> bool:
    from importlib.machinery import PathFinder

    path = getattr(package, "__path__", None)
    full = f"{package.__name__}.{name}"
    return path is not None and PathFinder.find_spec(full, path) is not None


def _exports(tree: ast.Module) -> dict[str, tuple[str, str]]:
    """Return, for each name that a module exports, its home and its name there."""
    imported: dict[str, tuple[str, str]] = {}
    exported: dict[str, tuple[str, str]] = {}
    typed = [node.body for node in tree.body if _is_for_types(node)]
    for node in [*tree.body, *chain.from_iterable(typed)]:
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                names = [alias.name]
                if alias.name == "*":
                    names = import_module(node.module).__all__
                for name in names:
                    imported[alias.asname or name] = node.module, name
                    if alias.name in (alias.asname, "*"):
                        exported[name] = node.module, name
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
            for target in node.targets:
                exported[ast.unparse(target)] = imported[node.value.id]
    return exported


def _is_for_types(node: ast.stmt) -> TypeGuard[ast.If]:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
