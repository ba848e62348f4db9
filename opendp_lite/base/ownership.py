"""Whether a class or a function is the library's own, or somebody else's.

The proofs speak of the library's classes and constructors. A class that is derived from
one of them may do anything, and a function that names a proof of the library is not
what that proof quotes. Python writes into each class and function, when it makes it,
the module in which it stands, and this name decides. The library does not detect that
somebody has set this name by hand: see SECURITY.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from types import FunctionType
from typing import Any, ClassVar

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


def is_own(made: type | Callable[..., Any]) -> bool:
    """Return whether a class or a constructor stands in a module of the library.

    A class that a user derives from one of the library's does not. Neither does a class
    or a function that names no module, as some do that `exec` has made.

    >>> from opendp_lite.core.chaining import make_chain_tt
    >>> from opendp_lite.core.domains import AtomDomain
    >>> is_own(AtomDomain), is_own(make_chain_tt), is_own(int)
    (True, True, False)
    """
    return str(getattr(made, "__module__", None)).partition(".")[0] == PACKAGE


def is_own_function(function: Callable[..., Any]) -> bool:
    """Return whether a function was written in a module of the library.

    `functools.wraps` gives a function the name of another one's module. So the module
    whose variables the function reads must be the library's, too.

    >>> is_own_function(is_own), is_own_function(attrs.has)
    (True, False)
    """
    return (
        isinstance(function, FunctionType)
        and is_own(function)
        and str(function.__globals__.get("__name__")).partition(".")[0] == PACKAGE
    )


def described_in(value: Value) -> Iterator[Described]:
    """Yield the domains, metrics and measures in the fields of a value, in order.

    Those that stand in tuples are among them.
    """
    fields = attrs.fields(type(value)) if attrs.has(type(value)) else ()
    waiting = [getattr(value, field.name) for field in reversed(fields)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting.extend(reversed(part))
        elif isinstance(part, Described):
            yield part


class Described:
    """The base of domains, metrics and measures: a derived class prints as unproved.

    Whether a class is the library's own is decided once, when the class is made. The
    answer counts only in the namespace of the class itself: it is not inherited.
    """

    _own: ClassVar[bool]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._own = is_own(cls)
        text = vars(cls).get("__repr__")
        if text is not None and not hasattr(text, "_tells_own"):
            cls.__repr__ = _telling(text)  # type: ignore[method-assign]

    @property
    def foreign_part(self) -> type | None:
        """A class that is not the library's, of this object or of a part; or None.

        Neither the object nor its parts change, so the answer is computed once. It is
        kept without a lock, which a forked process might inherit and never get.
        """
        known = self.__dict__
        if "_foreign" not in known:
            found: type | None = type(self)
            if vars(found).get("_own"):
                parts = (part.foreign_part for part in described_in(self))
                found = next((each for each in parts if each is not None), None)
            known["_foreign"] = found
        answer: type | None = known["_foreign"]
        return answer

    def taken_on_trust(self) -> tuple[str, Callable[..., Any] | None] | None:
        """Return what a person answers for, and a function that it is about, if any.

        It is None for the kinds that the library knows.
        """
        return None


def _telling(text: Callable[[Any], str]) -> Callable[[Any], str]:
    @wraps(text)
    def described(self: Any) -> str:
        kind = type(self)
        if vars(kind).get("_own"):
            return text(self)
        return f"{kind.__name__}(unproved, {text(self)})"

    described._tells_own = True  # type: ignore[attr-defined]
    return described
