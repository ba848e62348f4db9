"""Names of a module that are loaded when they are first asked for (PEP 562).

A session uses a few of the constructors, and loading all of them would take most of the
time of an import.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["on_demand"]


def on_demand(
    module: str, homes: Mapping[str, Iterable[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the functions `__getattr__` and `__dir__` of a module that re-exports.

    :param module: the name of that module, its `__name__`
    :param homes: for each module that is loaded on demand, the names taken from it
    """
    home_of = {name: home for home, names in homes.items() for name in names}
    this = sys.modules[module]

    def load(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        value = getattr(import_module(home_of[name]), name)
        setattr(this, name, value)  # so that Python finds it there from now on
        return value

    def names() -> list[str]:
        return sorted({*vars(this), *home_of})

    return load, names
