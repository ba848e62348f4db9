"""When two values are the same value: by type and bits.

`0.0` is not `-0.0`, `True` is not `1`, every NaN is one canonical NaN. Rows of data
and outputs of mechanisms are compared by this key, never by `==`.
"""

from __future__ import annotations

import struct
from collections.abc import Hashable
from fractions import Fraction
from typing import Any

from opendp_lite.core.containers import is_array, native

__all__ = ["key"]


def key(value: Any) -> Hashable:
    """Return a hashable key, equal for two values exactly when they are the same.

    >>> key(0.0) == key(-0.0), key(True) == key(1), key(1) == key(1.0)
    (False, False, False)
    >>> key(float("nan")) == key(-float("nan"))
    True
    >>> key([1, 2]) == key((1, 2))
    False
    """
    value = native(value)
    if isinstance(value, float):
        return ("float", "nan" if value != value else struct.pack(">d", value))
    if value is None or isinstance(value, bool | int | str | bytes | Fraction):
        kind = bool if isinstance(value, bool) else type(value)
        return (kind.__name__, value)
    if isinstance(value, list | tuple):
        return (type(value).__name__, tuple(key(item) for item in value))
    if isinstance(value, dict):
        return ("dict", frozenset((key(k), key(v)) for k, v in value.items()))
    if is_array(value):
        rows = tuple(key(item) for item in value.ravel().tolist())
        return ("array", value.dtype.str, value.shape, rows)
    return (type(value).__qualname__, value)
