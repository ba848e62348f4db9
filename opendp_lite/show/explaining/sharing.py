"""At which distance a combinator asks the maps of its parts.

The layers above know, and enter it when they are loaded: by `asks_alike` the argument
whose parts are asked at the distance of the whole, and by `asks_apart` the name of a
function that tells the distances, which is loaded when it is first asked for.
Constructors are named, and none but the library's own is looked up. Of the parts of all
others no distance is told.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.ownership import is_own
from opendp_lite.core.record import Record

_ALIKE: dict[str, str] = {}
_APART: dict[str, tuple[str, str, str]] = {}


def asks_alike(argument: str, *constructors: str) -> None:
    """Add that the parts in an argument are asked at the distance of the whole.

    :param argument: the name of an object, or of several
    :param constructors: their names
    """
    _ALIKE.update(dict.fromkeys(constructors, argument))


def asks_apart(distances: str, argument: str, constructor: str, note: str = "") -> None:
    """Add which function tells the distances of the parts in an argument.

    :param distances: "module:function"; of the arguments, by name, and of the distance
    :param argument: the name of an object, or of several
    :param constructor: its name
    :param note: a sentence about these distances
    """
    _APART[constructor] = distances, argument, note


def distances_of(record: Record, value: ExactDistance) -> tuple[str | None, Any, str]:
    """Return the name of an argument, the distance of each part in it, and a note.

    :param record: how the whole was made
    :param value: the exact distance of the whole
    """
    name = record.constructor.__name__
    if not is_own(record.constructor):
        return None, None, ""
    given = dict(record.arguments)
    if name in _APART:
        where, argument, note = _APART[name]
        module, _, function = where.partition(":")
        found = getattr(import_module(module), function)(given, value)
        return argument, found, note
    argument = _ALIKE.get(name, "")
    if argument not in given:
        return None, None, ""
    parts = given[argument]
    return argument, (value,) * len(parts) if type(parts) is tuple else value, ""
