"""The code that runs: whether it is that of its files, and functions of a user's own.

Digests are computed from the files of a package. A module that was changed after it was
loaded, or a function that somebody replaced, would run and not be in them: so what is
loaded is compared with what its file compiles to.

A person answers for what a function of the user's own does. Its digest tells whether
it is still the one that was signed for, by its text alone: what it calls is not looked
at.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import sys
from collections.abc import Iterator
from functools import lru_cache
from textwrap import dedent
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import attrs

from opendp_lite.base.aliases import Value
from opendp_lite.core.record import Made, foreign_functions
from opendp_lite.review.code.compare import canonical
from opendp_lite.review.code.library import Library

# Under pytest the asserts of a plugin's package say more when they fail. No text of
# Python has this name.
_REWRITTEN = "@pytest_ar"
_FIELDS = (
    "co_name",
    "co_argcount",
    "co_posonlyargcount",
    "co_kwonlyargcount",
    "co_flags",
    "co_code",
    "co_names",
    "co_varnames",
    "co_freevars",
    "co_cellvars",
    "co_exceptiontable",
)


@attrs.frozen
class Running:
    """What of a package is loaded, compared with its files."""

    library: Library

    def is_of_file(self, module: str, name: str) -> bool:
        """Return whether a function or class that is loaded is what its file says.

        What is not loaded does not run, and is of its file.

        :param module: the name of its module
        :param name: its name therein, such as "function" or "Class.method"
        """
        home, text = sys.modules.get(module), self.library.module(module)
        if home is None or text is None:
            return True
        compiled = _compiled(text.text, str(getattr(home, "__file__", module)))
        found, path = _found(home, name.split("."))
        expected = list(_codes(compiled, path))
        if isinstance(found, type):
            return all(
                _same(_plain(vars(found).get(code.co_name)), code)
                for body in expected
                for code in _nested(body)
                if isinstance(_plain(vars(found).get(code.co_name)), FunctionType)
            )
        return _same(found, *expected)


def _same(function: Any, *expected: CodeType) -> bool:
    """Return whether a function has one of some codes; a name may be bound twice."""
    if not isinstance(function, FunctionType):
        return False
    if _REWRITTEN in function.__code__.co_names:
        return True
    return any(_told(function.__code__) == _told(each) for each in expected)


def _told(code: CodeType) -> tuple[Any, ...]:
    """Return what a code does; `==` of codes also sees how often they have run."""
    fields = tuple(getattr(code, name) for name in _FIELDS)
    return *fields, tuple(map(_constant, code.co_consts))


def _constant(value: Value) -> Any:
    """Return a constant with its type: 1 is not 1.0, and 0.0 is not -0.0."""
    if isinstance(value, CodeType):
        return _told(value)
    if isinstance(value, tuple):
        return tuple(map(_constant, value))
    if isinstance(value, frozenset):
        return frozenset(map(_constant, value))
    return type(value), repr(value)


@lru_cache(maxsize=512)
def _compiled(text: str, path: str) -> CodeType:
    return compile(text, path, "exec", dont_inherit=True)


def _nested(code: CodeType) -> Iterator[CodeType]:
    return (each for each in code.co_consts if isinstance(each, CodeType))


def _codes(code: CodeType, path: list[str]) -> Iterator[CodeType]:
    """Yield the codes of what a dotted name stands for in a compiled module."""
    first, *rest = path
    for each in _nested(code):
        if each.co_name == first:
            yield from _codes(each, rest) if rest else (each,)


def _found(home: ModuleType, path: list[str]) -> tuple[Any, list[str]]:
    """Return what a dotted name stands for, and the name; or the function around it.

    What is defined inside of a function is a part of its code.
    """
    found: Any = home
    for depth, part in enumerate(path):
        if isinstance(found, FunctionType):
            return found, path[:depth]
        found = _plain(getattr(found, "__dict__", {}).get(part))
    return found, path


def _plain(found: Value) -> Any:
    """Return the function within a decorator, a property or a method of a class."""
    while not isinstance(found, type):
        for name in ("__wrapped__", "__func__", "fget", "func"):
            inner = getattr(found, name, None)
            if inner is not None and inner is not found:
                found = inner
                break
        else:
            break
    return found


def own_functions(made: Made) -> list[dict[str, Any]]:
    """Return the functions of the user's own that a pipeline was made of.

    `source` is the digest of a function's text, whatever its comments and its layout;
    of one that is built into Python its name; None where there is no text, as of what
    was typed in, or of an object that can be called.

    :param made: the pipeline
    """
    found: dict[tuple[str, str | None], None] = {}
    for name, function in foreign_functions(made):
        called = getattr(function, "__qualname__", type(function).__qualname__)
        found[f"{name}={called}", _digest(function)] = None
    return [{"name": name, "source": source} for name, source in found]


def _digest(function: Any) -> str | None:
    home = getattr(function, "__self__", None)
    if isinstance(function, BuiltinFunctionType) and isinstance(home, ModuleType):
        return f"{function.__module__}.{function.__qualname__}"
    if not isinstance(function, FunctionType):
        return None
    try:
        lines = dedent(inspect.getsource(function))
    except (OSError, TypeError):
        return None
    try:
        text = canonical(ast.parse(lines))
    except SyntaxError:  # a lambda in the middle of a statement
        text = " ".join(lines.split())
    return hashlib.sha256(text.encode()).hexdigest()
