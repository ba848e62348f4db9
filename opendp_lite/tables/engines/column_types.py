"""The names and the types of the columns of a table, at whose rows nothing looks.

Names, types and paths are public. Refusals and drafts of domains are made from them.
"""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from typing import Any

from opendp_lite.base.aliases import Data
from opendp_lite.base.containers import is_array
from opendp_lite.core.domains import AtomDomain, OptionDomain
from opendp_lite.tables.engines.engine import asked
from opendp_lite.tables.engines.sources import loaded_class, opened
from opendp_lite.tables.language import foreign

OBJECT = "object"
"""Stands for the type of a column of pandas that holds objects of Python."""

_TEXT = {"x": OptionDomain(AtomDomain(T=str))}
_NAMES_SHOWN = 12
_NEAR = 0.6  # how near a name must be to be suggested in place of another


def column_types(
    data: Data, wanted: Collection[str] | None = None
) -> list[tuple[Any, Any]]:
    """Return the name and the type of each column, in order; no row is looked at.

    A type is a class of Narwhals, or OBJECT, or None if the type says nothing: that of
    an extension type, of a column of a dictionary, and of a column that is not wanted.
    Frames of pandas and tables of PyArrow are opened without their rows.

    :param data: a frame, a path or a list of paths, or a dictionary of columns
    :param wanted: the names of the columns whose types are wanted; by default all

    >>> column_types({"age": [31], "note": 7})
    [('age', None)]
    """
    kind = type(data)
    due = [] if wanted is None else wanted
    if kind is dict:
        names = [n for n, each in data.items() if _is_column(each) or _is_in(n, due)]
        return [(name, None) for name in names]
    if kind is loaded_class("pandas", "DataFrame"):
        names, empty = list(data.columns), data.iloc[:0]
        frames: Any = (_alone(empty.iloc[:, i]) for i in range(len(names)))
    elif kind is loaded_class("pyarrow", "Table"):
        names = asked(lambda: list(data.column_names))
        empty = data.schema.empty_table()
        frames = (empty.select([i]).rename_columns(["x"]) for i in range(len(names)))
    else:
        found = asked(lambda: opened(data, {}))
        names = [] if found is None else found[2]
        return list(zip(names, _schema(found, range(len(names))), strict=True))
    types = [
        _type_of(frame) if wanted is None or _is_in(name, due) else None
        for name, frame in zip(names, frames, strict=True)
    ]
    return list(zip(names, types, strict=True))


def _is_column(value: object) -> bool:
    """Return whether a value of a dictionary is a column, whose name is then shown."""
    kind = type(value)
    return kind in (list, tuple, range) or is_array(value) or foreign(kind) is not None


def _is_in(name: object, names: Collection[str]) -> bool:
    """Return whether a name, which may be any object, is one of some texts."""
    return type(name) is str and name in names


def _schema(found: Any, places: Collection[int]) -> list[Any]:
    """Return the types of the columns at these places of an opened frame."""
    if found is None or not places:
        return []
    engine, native, names = found
    frame = asked(lambda: engine.chosen(native, names, list(places)), engine)
    schema = asked(lambda: dict(frame.collect_schema()), engine)
    return [schema[f"c{i}"].base_type() for i in range(len(places))]


def _alone(column: Any) -> Any:
    """Return a column of pandas without rows as a frame; of categories, their dtype.

    Which categories there are may depend on the rows, and their dtype is public.
    """
    import pandas

    if type(column.dtype) is pandas.CategoricalDtype:
        column = column.dtype.categories[:0]
    return pandas.DataFrame({"x": column})


def _type_of(frame: Any) -> Any:
    """Return the type of the one column of a frame without rows."""
    if type(frame) is loaded_class("pandas", "DataFrame"):
        dtype = frame.dtypes.iloc[0]
        if dtype == object:  # noqa: E721
            return OBJECT
    (kind,) = _schema(asked(lambda: opened(frame, _TEXT)), [0]) or [None]
    return kind


def show_names(names: Collection[Any]) -> str:
    """Return the names that are text, in quotes, and how many more there are.

    >>> show_names(["age", 7, "city"])
    "'age', 'city'"
    """
    texts = [repr(name) for name in names if type(name) is str]
    more = len(texts) - _NAMES_SHOWN
    listed = ", ".join(texts[:_NAMES_SHOWN])
    return listed if more <= 0 else f"{listed} and {more} more"


def similar_name(name: str, names: Collection[Any]) -> str | None:
    """Return the name that was probably meant by one that is not among `names`.

    >>> similar_name("bodymass", ["year", "body_mass_g"]), similar_name("x", ["year"])
    ('body_mass_g', None)
    """
    lowered = {each.lower(): each for each in names if type(each) is str}
    near = get_close_matches(name.lower(), lowered, 1, _NEAR)
    return lowered[near[0]] if near else None


def type_word(kind: Any) -> str:
    """Return the name of a type of columns, such as int64.

    >>> type_word(OBJECT)
    'object'
    """
    return str(OBJECT if kind is OBJECT else kind.__name__.lower())


_ADVICE = {
    OBJECT: "It holds objects of Python. Convert it, in pandas by .astype('Int64'), "
    ".astype('float64'), .astype('boolean') or, of dates, .astype('date32[pyarrow]').",
    "datetime": "Time stamps cannot be declared. Pass dates, which are declared as "
    "T=int and count as days since 1970-01-01, or seconds since 1970 as integers.",
    "time": "Times cannot be declared. Pass seconds as integers, declared as T=int.",
    "duration": "Durations cannot be declared. Pass seconds as integers, declared as "
    "T=int.",
    "uint64": "Cast it to int64, and declare T=int.",
    "decimal": "Cast it to float64 and declare T=float, or to int64 and declare T=int.",
}
_OTHER_ADVICE = (
    "Such a column cannot be declared. Cast it to int64, float64, bool or text, or "
    "leave it out of the domain."
)


def type_advice(kind: Any) -> str:
    """Return what to do with a column of a type that no declaration fits."""
    return _ADVICE.get(type_word(kind), _OTHER_ADVICE)
