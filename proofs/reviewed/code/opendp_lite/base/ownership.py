# ruff: noqa
# fmt: off
# What was read of opendp_lite.base.ownership; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from collections.abc import Iterator
from opendp_lite.base.aliases import Value
from types import FunctionType
from typing import Any
import attrs
import sys

PACKAGE = __name__.partition(".")[0]
opendp_lite.base.aliases.Value: typing.TypeAlias = typing.Any


# === _is_own_module with PACKAGE
def _is_own_module(name: object) -> bool:
    return type(name) is str and name.partition(".")[0] == PACKAGE


# === _is_held with Value, sys, opendp_lite.base.aliases.Value
def _is_held(value: object, name: Value, module: Value) -> bool:
    home = sys.modules.get(module) if _is_own_module(module) else None
    return home is not None and vars(home).get(name) is value


# === is_own_class
def is_own_class(kind: type) -> bool:
    return _is_held(kind, kind.__name__, type.__getattribute__(kind, "__module__"))


# === is_own_function with Callable, FunctionType, Any, sys
def is_own_function(function: Callable[..., Any]) -> bool:
    name: Any = getattr(function, "__module__", None)
    module = sys.modules.get(name) if _is_own_module(name) else None
    return (
        module is not None
        and type(function) is FunctionType
        and function.__globals__ is vars(module)
    )


# === foreign_part with Value, attrs, opendp_lite.base.aliases.Value
def foreign_part(value: Value) -> type | None:
    if not is_own_class(type(value)):
        return type(value)
    fields = attrs.fields(type(value)) if attrs.has(type(value)) else ()
    for part in _described_in(tuple(getattr(value, field.name) for field in fields)):
        found = foreign_part(part)
        if found is not None:
            return found
    return None


# === _described_in with Iterator, Value, opendp_lite.base.aliases.Value
def _described_in(values: tuple[Value, ...]) -> Iterator[Described]:
    for value in values:
        if type(value) is tuple:
            yield from _described_in(value)
        elif issubclass(type(value), Described):
            yield value
