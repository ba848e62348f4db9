"""The form of data, which is public: what kind of container they came in."""

from __future__ import annotations

from opendp_lite.core.aliases import Data
from opendp_lite.core.ownership import class_name
from opendp_lite.core.values.containers import is_array

__all__ = ["form", "is_row_form"]

# Of these dtypes no more is said: that of text tells how long the longest row is, that
# of records what its columns are called, and others may hold objects of a user's.
_WORDS = {"U": "text", "T": "text", "S": "bytes", "V": "records", "O": "objects"}


def form(value: Data) -> str:
    """Return the class of a value and, of an array, its dtype and dimensions.

    :param value: what was passed as data; nothing inside of it is looked at

    >>> form([1, 2]), form("text"), form(None)
    ('a list', 'a str', 'None')
    """
    if value is None:
        return "None"
    if not is_array(value):
        name = class_name(type(value))
        return f"{'an' if name[:1] in 'AEIOUaeiou' else 'a'} {name}"
    dtype = value.dtype
    words = _WORDS.get(dtype.kind) or f"dtype {class_name(dtype.type)}"
    return f"a {value.ndim}-d array of {words}"


def is_row_form(value: Data) -> bool:
    """Return whether a value is a list, or an array of one dimension.

    :param value: what was passed as data; nothing inside of it is looked at
    """
    return type(value) is list or (is_array(value) and value.ndim == 1)
