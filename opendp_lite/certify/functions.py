"""Functions of a user's own in a pipeline: their names, and digests of their sources.

A person answers for what they do. The digest tells whether a function is still the one
that was signed for, by its text alone: what it calls is not looked at.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
from textwrap import dedent
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from opendp_lite.core.record import Made, foreign_functions
from opendp_lite.review.code.compare import canonical


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
