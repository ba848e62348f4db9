"""What people bring as a frame: it is made a dict of columns once, at the door.

A data frame of pandas or Polars stands for the dict of those of its columns that are
asked for, and each column, there or in a dict, for its rows, see `columns`.
"""

from __future__ import annotations

import sys
from typing import Any

from opendp_lite.core.aliases import Data
from opendp_lite.core.values.columns import column_rows
from opendp_lite.core.values.containers import is_array

__all__ = ["frame_columns"]


def frame_columns(value: Data, names: dict[Any, bool]) -> Any:
    """Return the dict of columns that `value` stands for, or else `value` itself.

    :param value: what was passed as a frame
    :param names: the columns that are asked for, and whether arrays can hold their rows

    >>> frame_columns({"a": (1, 2), "b": [3, 4]}, {"a": True})
    {'a': [1, 2], 'b': [3, 4]}
    """
    kind = type(value)
    try:
        if kind is dict:
            # Before any is hashed again: one of another class may equal two by then.
            if not all(type(name) is str or type(name) is int for name in value):
                return value  # proof: names
            columns = {
                name: column  # proof: other
                if is_array(column) and name not in names
                else column_rows(column, names.get(name, False))  # proof: columns
                for name, column in value.items()
            }
            same = all(columns[name] is value[name] for name in value)
            return value if same else columns  # proof: same
        libraries = map(sys.modules.get, ("pandas", "polars"))
        if any(each is not None and kind is each.DataFrame for each in libraries):
            return {  # proof: frame
                name: column_rows(value[name], atoms) for name, atoms in names.items()
            }
    except Exception:  # proof: failed
        pass  # no member: the error would tell of rows
    return value
