"""Read JSON strictly, for files whose content decides something."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, NoReturn

from opendp_lite.base.errors import shown


def parse_json(text: str) -> Any:
    """Return the value that a JSON text states; raise ValueError if readers may differ.

    Readers differ about a name that stands twice in one object, about NaN and
    infinities, which JSON does not have, and about integers of thousands of digits.
    Deep nesting raises RecursionError.

    :param text: the whole text

    >>> parse_json('{"a": [1, 0.5]}')
    {'a': [1, 0.5]}
    >>> parse_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
        ...
    ValueError: the name 'a' stands twice
    """
    return json.loads(
        text,
        object_pairs_hook=_object,
        parse_constant=_refuse_number,
        parse_float=_finite,
        parse_int=_integer,
    )


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict[str, Any]()
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the name {shown(name)} stands twice")
        found[name] = value
    return found


def _finite(digits: str) -> float:
    """Return a float; float() would read 1e999 as an infinity."""
    number = float(digits)
    return number if math.isfinite(number) else _refuse_number(digits)


def _integer(digits: str) -> int:
    """Return an int; of a long text int() would speak of Python's own settings."""
    try:
        return int(digits)
    except ValueError:
        raise ValueError(f"an integer has {len(digits)} digits, too many") from None


def _refuse_number(text: str) -> NoReturn:
    raise ValueError(f"the number {shown(text)} is not finite")


def has_fields(value: object, fields: Mapping[str, type]) -> bool:
    """Return whether `value` is a dict of exactly these fields, each of its exact type.

    :param value: what a text states
    :param fields: the type of each field; True is no int

    >>> has_fields({"n": 1}, {"n": int}), has_fields({"n": True}, {"n": int})
    (True, False)
    """
    if type(value) is not dict or value.keys() != fields.keys():
        return False
    return all(type(value[name]) is kind for name, kind in fields.items())
