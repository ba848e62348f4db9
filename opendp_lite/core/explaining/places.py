"""Places in a user's code: where a constructor was called, where a function stands.

A place is told as an import would find the file, such as "survey/pipeline.py:12": the
same on every machine, and without the names of its directories.
"""

from __future__ import annotations

import sys
from pathlib import PurePath
from types import FrameType, FunctionType, MethodType

from opendp_lite.core.ownership import PACKAGE

__all__ = ["place_of_call", "place_of_function"]


def place_of_call() -> str | None:
    """Return where the library was called: the innermost frame outside of it."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        # Code that attrs has generated has no module of its own.
        module = frame.f_globals.get("__name__")
        if type(module) is str and module.partition(".")[0] != PACKAGE:
            return _place(module, frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return None


def place_of_function(function: object) -> str | None:
    """Return where a function is defined; None of one that is not written in Python.

    :param function: anything that can be called

    >>> place_of_function(place_of_call).partition(":")[0]
    'opendp_lite/core/explaining/places.py'
    >>> place_of_function(len) is None
    True
    """
    if type(function) is MethodType:
        function = function.__func__
    if type(function) is not FunctionType:
        return None
    module, code = function.__globals__.get("__name__"), function.__code__
    return _place(module, code.co_filename, code.co_firstlineno)


def _place(module: object, file: str, line: int) -> str:
    """Return a line of a file, which is named as its module is."""
    if file.startswith("<"):
        return f"{file}:{line}"  # what was typed in, or a doctest
    path = PurePath(file)
    names = module.split(".") if type(module) is str else []
    found = path.with_suffix("").parts
    for parts in (names, [*names, "__init__"]):
        if list(found[-len(parts) :]) == parts:
            return f"{'/'.join((*parts[:-1], path.name))}:{line}"
    return f"{path.name}:{line}"
