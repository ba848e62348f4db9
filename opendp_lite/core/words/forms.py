"""The form of data, which is public: what kind of container they came in."""

from __future__ import annotations

from opendp_lite.core.aliases import Data
from opendp_lite.core.values.containers import is_array

__all__ = ["form", "is_row_form"]


def form(value: Data) -> str:
    """Return the class of a value and, of an array, its dtype and dimensions.

    :param value: what was passed as data; nothing inside of it is looked at

    >>> form([1, 2]), form("text"), form(None)
    ('a list', 'a str', 'None')
    """
    if value is None:
        return "None"
    if not is_array(value):
        name = type(value).__name__
        return f"{'an' if name[:1] in 'AEIOUaeiou' else 'a'} {name}"
    dtype = "records" if value.dtype.kind == "V" else f"dtype {value.dtype}"
    return f"an array of {dtype} and {value.ndim} dimensions"


def is_row_form(value: Data) -> bool:
    """Return whether a value is a list, or an array of one dimension.

    :param value: what was passed as data; nothing inside of it is looked at
    """
    return type(value) is list or (is_array(value) and value.ndim == 1)
