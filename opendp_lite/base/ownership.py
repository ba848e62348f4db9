"""Whether a class or a function is the library's own, or somebody else's.

What the proofs say is said of the library's classes and constructors. A class that is
derived from one of them may do anything, and a function that names a proof of the
library is not what that proof quotes: both are told apart here, by identity and not by
name, because names can be set.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import wraps
from types import FunctionType
from typing import Any

import attrs

from opendp_lite.base.aliases import Value

PACKAGE = __name__.partition(".")[0]


def class_name(kind: type) -> str:
    """Return the name of a class as plain text, which runs no code of the class.

    >>> class_name(int)
    'int'
    """
    own = vars(type)["__name__"]  # a metaclass may have another
    return str.__str__(own.__get__(kind))


def _is_own_module(name: object) -> bool:
    # Not `isinstance`: text of a derived class may say what it likes of its parts.
    return type(name) is str and name.partition(".")[0] == PACKAGE


def _is_held(value: object, name: Value, module: Value) -> bool:
    """Return whether a module of the library, of this name, holds the very object."""
    home = sys.modules.get(module) if _is_own_module(module) else None
    return home is not None and vars(home).get(name) is value


def is_own_class(kind: type) -> bool:
    """Return whether a class is one of the library's, not one derived from it.

    >>> from opendp_lite.core.domains import AtomDomain
    >>> is_own_class(AtomDomain), is_own_class(type("AtomDomain", (AtomDomain,), {}))
    (True, False)
    """
    return _is_held(kind, kind.__name__, type.__getattribute__(kind, "__module__"))


def is_own_constructor(make: Callable[..., Any]) -> bool:
    """Return whether a function is the one that a module of the library holds.

    >>> from opendp_lite.core.chaining import make_chain_tt
    >>> is_own_constructor(make_chain_tt), is_own_constructor(lambda: None)
    (True, False)
    """
    return _is_held(make, make.__name__, make.__module__)


def is_own_function(function: Callable[..., Any]) -> bool:
    """Return whether a function was written in a module of the library.

    >>> is_own_function(is_own_class), is_own_function(lambda: None)
    (True, False)
    """
    name: Any = getattr(function, "__module__", None)
    module = sys.modules.get(name) if _is_own_module(name) else None
    return (
        module is not None
        and type(function) is FunctionType
        and function.__globals__ is vars(module)
    )


def foreign_part(value: Value) -> type | None:
    """Return a class that is not the library's, of `value` or of a part of it.

    Parts are the fields of a domain, a metric or a measure, and what tuples in them
    hold, as far as they are such.
    """
    if not is_own_class(type(value)):
        return type(value)
    fields = attrs.fields(type(value)) if attrs.has(type(value)) else ()
    for part in _described_in(tuple(getattr(value, field.name) for field in fields)):
        found = foreign_part(part)
        if found is not None:
            return found
    return None


def _described_in(values: tuple[Value, ...]) -> Iterator[Described]:
    """Yield the domains, metrics and measures in a tuple, and in tuples in it."""
    for value in values:
        if type(value) is tuple:
            yield from _described_in(value)
        elif issubclass(type(value), Described):
            yield value


class Described:
    """The base of domains, metrics and measures: a derived class prints as unproved."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        text = vars(cls).get("__repr__")
        if text is not None and not hasattr(text, "_tells_own"):
            cls.__repr__ = _telling(text)  # type: ignore[method-assign]

    def taken_on_trust(self) -> tuple[str, Callable[..., Any] | None] | None:
        """Return what a person answers for, and a function that it is about, if any.

        Of kinds that the library knows it is None.
        """
        return None


def _telling(text: Callable[[Any], str]) -> Callable[[Any], str]:
    @wraps(text)
    def described(self: Any) -> str:
        kind = type(self)
        if is_own_class(kind):
            return text(self)
        return f"{kind.__name__}(unproved, {text(self)})"

    described._tells_own = True  # type: ignore[attr-defined]
    return described
