# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.values.frames; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.aliases import Data
from opendp_lite.core.values.columns import column_rows
from opendp_lite.core.values.containers import is_array
from typing import Any
import sys

opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any


# === frame_columns with Data, column_rows, is_array, Any, sys,
#    opendp_lite.core.aliases.Data
def frame_columns(value: Data, names: dict[Any, bool]) -> Any:
    kind = type(value)
    try:
        if kind is dict:
            if not all(type(name) is str or type(name) is int for name in value):
                return value
            columns = {
                name: column
                if is_array(column) and name not in names
                else column_rows(column, names.get(name, False))
                for name, column in value.items()
            }
            same = all(columns[name] is value[name] for name in value)
            return value if same else columns
        libraries = map(sys.modules.get, ("pandas", "polars"))
        if any(each is not None and kind is each.DataFrame for each in libraries):
            return {
                name: column_rows(value[name], atoms) for name, atoms in names.items()
            }
    except Exception:
        pass
    return value
