"""The methods of queries that stand for constructors, which are found by their names.

Type checkers and editors read `links.pyi` instead, where each has its types.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any

from opendp_lite.context.methods import (
    method_named,
    method_names,
    missing_name,
)


class Links:
    """Has a method for each constructor of the library, and for what is registered."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = None if name.startswith("_") else method_named(name)
        if function is None:
            raise missing_name(name, "" if name.startswith("_") else self._hint())
        return MethodType(function, self)

    def _hint(self) -> str:
        """Return how to ask about the data instead, or no text."""
        return ""

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *method_names()]
