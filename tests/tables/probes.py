"""Whether an engine has a trap: asked of the engine itself, by nothing of ours."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import narwhals.stable.v2 as nw
import pyarrow as pa

from tests.tables import checks
from tests.tables.places import Place, rows_of
from tests.tables.samples import connected
from tests.tables.traps import lying

column = nw.col("x")


def always(place: Place) -> bool:
    return True


def is_not(expected: Any, array: Any, *exprs: Any) -> Callable[[Place], bool]:
    """Return the probe that an engine says of a column what is not expected."""
    return lambda place: place.told(array, *exprs) != expected


def sum_is_not(expected: Any, array: Any, expr: Any) -> Callable[[Place], bool]:
    def probe(place: Place) -> bool:
        found = place.total(array, expr)
        return type(found) is not type(expected) or bool(found != expected)

    return probe


def exactly(expected: int, array: Any, expr: Any) -> Callable[[Place], bool]:
    return lambda place: place.total(array, expr) != expected


def groups(place: Place) -> bool:
    """Zeros are one group, and all that is missing is another: as Python has it?"""
    array = pa.array([0.0, -0.0, math.nan, math.nan, None])
    frame = nw.from_native(place.frame(pa.table({"x": array}))).lazy()
    found = rows_of(frame.group_by("x").agg(nw.len().alias("n")))
    return {row["x"]: row["n"] for row in found} != {0.0: 2, None: 3}


def computes_all(place: Place) -> bool:
    """Is a cast computed where the condition before it does not hold?"""
    frame = nw.from_native(place.frame(checks.GUARDED)).lazy()
    guarded = (nw.col("s") == nw.lit("ok")) & (column.cast(nw.Int64) < 9)
    try:
        return len(rows_of(frame.select(y=guarded))) != 3
    except Exception:
        return True


def caseless(place: Place) -> bool:
    frame = nw.from_native(place.caseless()).lazy()
    return len(rows_of(frame.group_by("x").agg(nw.len().alias("n")))) == 1


def by_name(place: Place) -> bool:
    table = pa.table({name: [i] for i, name in enumerate(checks.NAMES)})
    frame = nw.from_native(place.frame(table)).lazy()
    for i, name in enumerate(checks.NAMES):
        try:
            if rows_of(frame.select(y=nw.col(name))) != [{"y": i}]:
                return True
        except Exception:
            return True
    return False


def scans(place: Place) -> bool:
    """Does an engine by itself look for keys in a list, row by row?"""
    frame = nw.from_native(place.frame(checks.KEYED)).lazy()
    return checks.grows(place, lambda keys: frame.filter(column.is_in(keys)))


def swallows(place: Place) -> bool:
    path = place.folder / "probe.csv"
    path.write_text(checks.OPEN)
    return len(connected().read_csv(str(path)).fetchall()) != 4


def believes(place: Place) -> bool:
    """Is a NaN of a file at most 8, if the file tells that its greatest is 2.5?"""
    table = pa.table({"row": range(3), "x": [0.5, 2.5, math.nan]})
    frame = nw.from_native(place.written(table)).lazy()
    found = rows_of(frame.select("row", y=column <= nw.lit(8.0, nw.Float64)))
    return [row["y"] for row in found if row["row"] == 2] != [False]


def believes_integers(place: Place) -> bool:
    path = place.folder / "probe.parquet"
    lying(path, pa.int64())
    frame = nw.from_native(place.file(path)).lazy()
    top = nw.lit(50, nw.Int64)
    found = rows_of(frame.select(y=nw.when(column > top).then(top).otherwise(column)))
    return sorted(row["y"] for row in found) != [1, 2, 50]


def tells(place: Place) -> bool:
    frame = nw.from_native(place.failing()).lazy()
    try:
        rows_of(frame)
    except BaseException as error:
        return "777" in str(error)
    return False


def counts_in_32_bits(place: Place) -> bool:
    frame = nw.from_native(place.frame(pa.table({"x": [1]}))).lazy()
    return frame.select(n=nw.len()).collect_schema()["n"] != nw.Int64


def logs(place: Place) -> bool:
    """Does PySpark log what an error says?"""
    return any("777" in text for text in checks.logged(place.failing().collect))
