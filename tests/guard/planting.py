"""Plant a fault in the shipped code, in place, and take it out again.

A fault is a change of the text of one function. The changed text is compiled, and its
code object is put into the function that is there, so that whoever holds the function
runs the fault, however it was imported.
"""

from __future__ import annotations

import gc
import importlib
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import attrs

import opendp_lite
from opendp_lite.randomness.discrete import discrete_noise

__all__ = ["Fault", "planted"]

_PACKAGE = str(Path(opendp_lite.__file__).parent)


@attrs.frozen
class Fault:
    """A change of the shipped code, and the sentence that says what it does.

    `code` is the qualified name of what is compiled anew; it is the function itself,
    or the closure that the decorator made of it.
    """

    says: str
    module: str
    code: str
    old: str
    new: str

    @property
    def function(self) -> str:
        """The outermost definition that holds the code, as proofs quote it."""
        return self.code.partition(".<locals>")[0]

    def text(self) -> str:
        """The text of the module with the fault."""
        source = inspect.getsource(importlib.import_module(self.module))
        assert source.count(self.old) >= 1, f"{self.says}: the code is not there"
        node = _lines_of(source, self.function)
        start, end = node
        part = source[start:end]
        assert part.count(self.old) == 1, f"{self.says}: {part.count(self.old)} places"
        return source[:start] + part.replace(self.old, self.new) + source[end:]


def _lines_of(source: str, name: str) -> tuple[int, int]:
    """Where a definition begins and ends in the text."""
    import ast

    body: Any = ast.parse(source).body
    found: Any = None
    for part in name.split("."):
        found = next(each for each in body if getattr(each, "name", None) == part)
        body = found.body
    lines = source.splitlines(keepends=True)
    start = sum(map(len, lines[: found.lineno - 1]))
    return start, sum(map(len, lines[: found.end_lineno]))


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


@cache
def _functions() -> dict[tuple[str, str], list[FunctionType]]:
    """The functions of the package by the code that they run, looked for once.

    The faults lie in functions that are made when their modules are loaded.
    """
    found: dict[tuple[str, str], list[FunctionType]] = {}
    gc.unfreeze()  # what is left out of searches is not listed
    for each in gc.get_objects():
        if type(each) is FunctionType:  # `isinstance` asks the object, which may lie
            code = each.__code__
            if code.co_filename.startswith(_PACKAGE):
                found.setdefault((code.co_qualname, code.co_filename), []).append(each)
    return found


@contextmanager
def planted(fault: Fault) -> Iterator[None]:
    """Run the shipped code with a fault for the length of a `with` block."""
    file = inspect.getsourcefile(importlib.import_module(fault.module))
    assert file is not None
    compiled = compile(fault.text(), file, "exec", dont_inherit=True)
    name = fault.code
    [changed] = [each for each in _codes(compiled) if each.co_qualname == name]
    if (name, file) not in _functions():
        _functions.cache_clear()  # its module was loaded since
    targets = _functions().get((name, file))
    assert targets, f"{fault.says}: nothing runs {name}"
    before = [each.__code__ for each in targets]
    discrete_noise.cache_clear()
    try:
        for each in targets:
            each.__code__ = changed
        yield
    finally:
        for each, code in zip(targets, before, strict=True):
            each.__code__ = code
        discrete_noise.cache_clear()
