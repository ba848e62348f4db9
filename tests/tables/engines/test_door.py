"""Tables are opened by names and types, and others refused by these, never by rows."""

from __future__ import annotations

import datetime
import decimal
import math
import pickle
import re
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException, OpenDPTypeError
from opendp_lite.tables.engines.door import enter
from opendp_lite.tables.engines.engine import Table, asked
from tests.rows import for_each
from tests.tables.samples import connected
from tests.tables.traps import lying

INT = dp.option_domain(dp.atom_domain(T=int))
FLOAT = dp.option_domain(dp.atom_domain(T=float))
BOOL = dp.option_domain(dp.atom_domain(T=bool))
TEXT = dp.option_domain(dp.atom_domain(T=str))


def values(data: Any, domain: Any, name: str = "x") -> list[Any]:
    rows = enter(data, {name: domain}).rows()
    return sorted((row[name] for row in rows), key=lambda v: (v is None, v or 0))


STORED: list[tuple[str, Any, Any, list[Any]]] = [
    ("uint8", pa.array([200, None], pa.uint8()), INT, [200, None]),
    ("int16", pa.array([-7], pa.int16()), INT, [-7]),
    ("uint32", pa.array([2**32 - 1], pa.uint32()), INT, [2**32 - 1]),
    ("float32", pa.array([0.1], pa.float32()), FLOAT, [float(np.float32(0.1))]),
    ("chunks", pa.chunked_array([[1], [2, None]]), INT, [1, 2, None]),
    ("dictionary", pa.array(["b", "a"]).dictionary_encode(), TEXT, ["a", "b"]),
    ("large text", pa.array(["a"], pa.large_string()), TEXT, ["a"]),
    ("days", pa.array([datetime.date(1969, 12, 31), None]), INT, [-1, None]),
    ("first day", pa.array([datetime.date(1, 1, 1)]), INT, [-719162]),
    ("last day", pa.array([datetime.date(9999, 12, 31)]), INT, [2932896]),
    ("NaN", pa.array([math.nan, None, 1.0]), FLOAT, [1.0, None, None]),
]


def frames(array: Any, folder: Path) -> dict[str, Any]:
    table = pa.table({"x": array})
    path = folder / "x.parquet"
    pq.write_table(table, path)
    return {
        "PyArrow": table,
        "Parquet": path,
        "pattern": str(folder / "*.parquet"),
        "list": [str(path)],
        "pandas": table.to_pandas(types_mapper=pd.ArrowDtype),
        "Polars": pl.from_arrow(table),
        "lazy": pl.from_arrow(table).lazy(),
        "DuckDB": connected().from_arrow(table),
    }


@pytest.mark.parametrize(
    ("array", "domain", "expected"),
    [case[1:] for case in STORED],
    ids=[case[0] for case in STORED],
)
def test_however_a_column_is_stored(
    array: Any, domain: Any, expected: list[Any], tmp_path: Path
) -> None:
    for kind, frame in frames(array, tmp_path).items():
        assert values(frame, domain) == expected, kind


UTC = datetime.datetime(2024, 1, 1, 23, 30, tzinfo=datetime.UTC)
DECIMAL = "is decimal, and is declared as {}. Cast it to float64"
TIME = "is datetime, and is declared as int. Time stamps cannot be declared"
MISFITS: list[tuple[str, Any, Any, str]] = [
    (
        "uint64",
        pa.array([1], pa.uint64()),
        INT,
        "is uint64, and is declared as int. Cast it",
    ),
    ("float as int", pa.array([1.0]), INT, "is float64, and is declared as int"),
    (
        "int as float",
        pa.array([1]),
        FLOAT,
        "is int64, and is declared as float. Change its line to 'x': "
        "option_domain(atom_domain(T=int)), or cast it to float64.",
    ),
    (
        "int that is there",
        pa.array([1]),
        dp.atom_domain(T=float, nan=False),
        "Change its line to 'x': atom_domain(T=int), or cast it to float64.",
    ),
    ("int as text", pa.array([777]), TEXT, "is int64, and is declared as str"),
    ("text as int", pa.array(["777"]), INT, "is string, and is declared as int"),
    ("int as bool", pa.array([1]), BOOL, "is int64, and is declared as bool"),
    ("bool as int", pa.array([True]), INT, "is boolean, and is declared as int"),
    (
        "days as text",
        pa.array([UTC.date()]),
        TEXT,
        "to 'x': option_domain(atom_domain(T=int))",
    ),
    ("decimal", pa.array([decimal.Decimal("7.77")]), FLOAT, DECIMAL.format("float")),
    ("whole decimal", pa.array([decimal.Decimal("777")]), INT, DECIMAL.format("int")),
    ("zone", pa.array([UTC], pa.timestamp("us", tz="Europe/Berlin")), INT, TIME),
    ("time", pa.array([UTC.replace(tzinfo=None)]), INT, TIME),
    ("bytes", pa.array([b"777"]), TEXT, "is binary, and is declared as str"),
    ("list", pa.array([[777]]), INT, "is list, and is declared as int"),
]


@pytest.mark.parametrize(
    ("array", "domain", "told"), [c[1:] for c in MISFITS], ids=[c[0] for c in MISFITS]
)
def test_another_type_is_refused_by_name_and_type(
    array: Any, domain: Any, told: str, tmp_path: Path
) -> None:
    said = set()
    for frame in frames(array, tmp_path).values():
        with pytest.raises(OpenDPTypeError) as caught:
            enter(frame, {"x": domain})
        assert caught.value.variant == "FailedFunction"
        said.add(str(caught.value))
    (text,) = said
    assert "777" not in text
    assert text.startswith(
        "FailedFunction: the table is not a member of its domain. Nothing was computed "
        "or released. The column 'x' "
    )
    assert told in text


@for_each(
    ("frame", "told"),
    [
        (
            pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["x", "x"]),
            "The column 'x' is there 2 times. The names of the columns are 'x', 'x'.",
        ),
        (
            pd.DataFrame([[1, 2]], columns=["x", "x"]),
            "The column 'x' is there 2 times. The names of the columns are 'x', 'x'.",
        ),
        (pl.DataFrame({"X": [1]}), "not there. Did you mean 'X'?"),
        (pl.LazyFrame({"X": [1]}), "not there. Did you mean 'X'?"),
        (pa.table({"X": [1]}), "not there. Did you mean 'X'?"),
        (connected().sql("SELECT 1 AS X"), "not there. Did you mean 'X'?"),
        ({"X": [1]}, "not there. Did you mean 'X'?"),
        ({"year": [1]}, "is not there. The names of the columns are 'year'."),
        (pd.DataFrame({1: [1]}), "The names of the columns are no texts."),
    ],
)
def test_columns_that_are_missing_or_there_twice(frame: Any, told: str) -> None:
    with pytest.raises(OpenDPTypeError) as caught:
        enter(frame, {"x": INT})
    assert told in str(caught.value)
    assert len(str(caught.value)) < 250


def test_a_text_names_at_most_four_columns_and_twelve_that_are_there() -> None:
    wanted = {f"wanted {i}": INT for i in range(6)}
    frame = pl.DataFrame({f"q{i}": [1] for i in range(20)})
    with pytest.raises(OpenDPTypeError) as caught:
        enter(frame, wanted)
    text = str(caught.value)
    assert "'wanted 3'" in text
    assert "'wanted 4'" not in text
    assert "'q11' and 8 more." in text
    assert "'q12'" not in text


def test_neighbours_of_one_form_get_one_text() -> None:
    """What rows hold is no part of a text that is made from names and types."""
    columns = {"a": TEXT, "b": FLOAT, "c": INT}
    told = set()
    for values in (["x"], [777], [None], [b"x"], ["x"] * 3, []):
        objects = pd.Series(values, dtype=object)
        ints = pd.Series([1] * len(values), dtype="int64")
        frame = pd.DataFrame({"a": objects, "b": ints, "c": ints})
        with pytest.raises(OpenDPTypeError) as caught:
            enter(frame, columns)
        told.add(str(caught.value))
    (text,) = told
    assert "The column 'b' is int64, and is declared as float." in text
    assert "'a'" not in text
    assert "'c'" not in text


def test_categories_are_no_part_of_a_text() -> None:
    """Which categories there are, and whether they can be read, depends on rows."""
    told: dict[str, set[str]] = {}
    for values in (["x"], ["x", 777], [None], [b"\xff"], [7.5], ["y"]):
        column = pd.Series(values, dtype=object).astype("category")
        with pytest.raises(OpenDPTypeError, match="is declared as int") as caught:
            enter(pd.DataFrame({"x": column}), {"x": INT})
        kind = str(column.dtype.categories.dtype)
        told.setdefault(kind, set()).add(str(caught.value))
    for bad in (b"ok", b"\xff\xfe"):
        ends, data = np.array([0, len(bad)], "int32").tobytes(), pa.py_buffer(bad)
        texts = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(ends), data])
        named = pa.DictionaryArray.from_arrays(pa.array([0], pa.int32()), texts)
        with pytest.raises(OpenDPTypeError, match="is declared as int") as caught:
            enter(pa.table({"x": named}), {"x": INT})
        told.setdefault("Arrow", set()).add(str(caught.value))
    assert [len(texts) for texts in told.values()] == [1] * len(told)
    assert len(told) >= 3


def test_values_are_refused_by_constant_text() -> None:
    told = set()
    for wrong in ({"x": [2**63]}, {"x": ["777"]}, {"x": 777}, {"x": [UTC]}):
        with pytest.raises(OpenDPTypeError) as caught:
            enter(wrong, {"x": INT})
        told.add(str(caught.value))
    for rows in ([777, 1], ["a", 777]):
        with pytest.raises(OpenDPTypeError) as caught:
            enter(pd.DataFrame({"x": pd.Series(rows, dtype=object)}), {"x": TEXT})
        told.add(str(caught.value))
    assert len(told) == 2  # one for each declaration
    assert not any("777" in text for text in told)


def test_names_of_what_is_no_column_are_not_shown() -> None:
    with pytest.raises(OpenDPTypeError) as caught:
        enter({"Miller": 777, "Meier": None, "ages": [31]}, {"age": INT})
    assert "Did you mean 'ages'?" in str(caught.value)
    assert "Miller" not in str(caught.value)
    assert "Meier" not in str(caught.value)


def test_categories_are_not_shown() -> None:
    frame = pl.DataFrame({"x": pl.Series(["u777"], dtype=pl.Enum(["u777"]))})
    for each in (frame, frame.to_pandas(), frame.to_arrow()):
        with pytest.raises(OpenDPTypeError, match="declared as int") as caught:
            enter(each, {"x": INT})
        assert "777" not in str(caught.value)


def test_names_by_case_and_patterns(tmp_path: Path) -> None:
    names = ["x", "X", "^x.*$", "*", "c0", 'a"b', "a`b", "c1", " ", "select"]
    table = pa.table({name: [i] for i, name in enumerate(names)})
    path = tmp_path / "names.parquet"
    pq.write_table(table, path)
    wanted = dict.fromkeys([*names[3:], *names[:3]], INT)
    expected = {name: names.index(name) for name in wanted}
    for frame in (table, path, table.to_pandas(), pl.from_arrow(table)):
        assert enter(frame, wanted).rows() == [expected]


def test_columns_that_are_not_declared_are_left_out(tmp_path: Path) -> None:
    table = pa.table({"odd": [[{"a": 1}]], "x": [5], "big": pa.array([1], pa.uint64())})
    path = tmp_path / "more.parquet"
    pq.write_table(table, path)
    for frame in (table, path, pl.from_arrow(table), {"x": [5], "y": [object()]}):
        assert enter(frame, {"x": INT}).rows() == [{"x": 5}]


PANDAS: list[tuple[str, Any, Any, list[Any] | None]] = [
    ("nullable", pd.array([1, None], dtype="Int64"), INT, [1, None]),
    ("floats are no ints", np.array([1.0, np.nan]), INT, None),
    ("objects are no ints", np.array([1, None], dtype=object), INT, None),
    ("objects are no bools", np.array([True, None], dtype=object), BOOL, None),
    ("nullable bools", pd.array([True, None], dtype="boolean"), BOOL, [True, None]),
    ("text of objects", np.array(["a", None], dtype=object), TEXT, ["a", None]),
    ("other objects", np.array(["a", 777], dtype=object), TEXT, None),
    ("text", pd.array(["a", None], dtype="string"), TEXT, ["a", None]),
    ("categories", pd.Categorical(["a", None, "a"]), TEXT, ["a", "a", None]),
    ("categories of ints", pd.Categorical([777, 1]), TEXT, None),
    ("NaN", np.array([np.nan, 1.0]), FLOAT, [1.0, None]),
    ("times", pd.to_datetime(["2024-01-01"]), INT, None),
]


@for_each(
    ("column", "domain", "expected"),
    [c[1:] for c in PANDAS],
    ids=[c[0] for c in PANDAS],
)
def test_dtypes_of_pandas(column: Any, domain: Any, expected: list[Any] | None) -> None:
    frame = pd.DataFrame({"x": pd.Series(column, dtype=getattr(column, "dtype", None))})
    if expected is not None:
        assert values(frame, domain) == expected
        return
    with pytest.raises(OpenDPTypeError, match="'x'") as caught:
        enter(frame, {"x": domain})
    assert "777" not in str(caught.value)


MONTHS = pd.period_range("2020-01", periods=2, freq="M")
MONTHS_IN_ARROW = pa.array(pd.Series(MONTHS))
CODES = pa.array([0, 1, 0], pa.int32())
EXTENDED: dict[str, tuple[Any, str]] = {
    "periods": (pd.DataFrame({"x": MONTHS}), "PeriodDtype"),
    "days": (pd.DataFrame({"x": MONTHS.asfreq("D")}), "PeriodDtype"),
    "categories": (
        pd.DataFrame({"x": pd.Series(MONTHS).astype("category")}),
        "PeriodDtype",
    ),
    "intervals": (pd.DataFrame({"x": pd.interval_range(0, 2)}), "IntervalDtype"),
    "sparse": (pd.DataFrame({"x": pd.arrays.SparseArray([0, 777])}), "SparseDtype"),
    "Arrow in pandas": (
        pd.DataFrame({"x": pd.arrays.ArrowExtensionArray(MONTHS_IN_ARROW)}),
        "ArrowPeriodType",
    ),
    "Arrow": (pa.table({"x": MONTHS_IN_ARROW}), "ArrowPeriodType"),
    "dictionary": (
        pa.table({"x": pa.DictionaryArray.from_arrays(CODES, MONTHS_IN_ARROW)}),
        "ArrowPeriodType",
    ),
    "bool8": (pa.table({"x": pa.array([True]).cast(pa.bool8())}), "Bool8Type"),
    "Polars": (pl.from_arrow(pa.table({"x": MONTHS_IN_ARROW})), "Extension"),
    "column of a dict": ({"x": pd.Series(MONTHS)}, "PeriodDtype"),
}


@for_each("kind", EXTENDED)
def test_columns_of_extension_types_are_refused_by_name(kind: str) -> None:
    """A period entered as an integer: of months, of quarters or of days."""
    frame, name = EXTENDED[kind]
    for domain in (INT, FLOAT, BOOL, TEXT):
        with pytest.raises(OpenDPTypeError) as caught:
            enter(frame, {"x": domain})
        text = str(caught.value)
        assert f"The column 'x' is of the type {name}, which is not read." in text
        assert ".astype(str)" in text
        assert "777" not in text


def test_columns_of_extension_types_that_are_not_declared_are_left_out() -> None:
    frame = pd.DataFrame({"month": MONTHS, "x": [1, 2]})
    assert values(frame, INT) == [1, 2]
    assert values(frame.assign(x=frame.month.dt.year), INT) == [2020, 2020]
    assert values(frame.assign(x=frame.month.astype(str)), TEXT)[0] == "2020-01"


def test_run_ends_of_integers_are_read() -> None:
    """What only says how the same values are stored is no extension type."""
    ends = pa.RunEndEncodedArray.from_arrays([2, 3], [7, 8])
    assert values(pa.table({"x": ends}), INT) == [7, 7, 8]


def test_what_is_no_table_is_told_by_its_form() -> None:
    class Derived(pd.DataFrame):
        pass

    for thing in (5, None, [], [1], ["a", 1], object(), Derived({"x": [1]}), {1, 2}):
        with pytest.raises(OpenDPTypeError, match="which is no table"):
            enter(thing, {"x": INT})


def test_files_that_are_not_there_or_differ(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": [1]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"x": ["1"]}), tmp_path / "b.parquet")
    (tmp_path / "c.csv").write_text("x\n777\n")
    (tmp_path / "visits").mkdir()
    (tmp_path / "d.pq").write_text("777")
    told = {
        "none.parquet": "there is no file at '{}'. Pass the path of a Parquet file",
        "none/*.parquet": "no file matches '{}'. Pass the path",
        "c.csv": "'{}' is a text file, and tables are read from Parquet files. Write",
        "visits": "this path is a folder. Pass a pattern, such as",
        "d.pq": "no table of Parquet files can be read under '{}'. Pass",
        "none": "there is no file at this path. Pass",
    }
    for path, text in told.items():
        with pytest.raises(OpenDPException) as caught:
            enter(tmp_path / path, {"x": INT})
        assert text.format(tmp_path / path) in str(caught.value)
        assert caught.value.__context__ is None
    for data in ("age,city\n31,Bern", "Miller, 31", ["Meier", "Miller"]):
        with pytest.raises(OpenDPException, match="no file at this path") as none:
            enter(data, {"x": INT})
        words = set(re.findall(r"\w+", str(none.value)))
        assert not words & {"Miller", "Meier", "Bern"}
    with pytest.raises(OpenDPException, match=r"is a text file.* by csv_to_parquet"):
        dp.Context.compositor(
            data=str(tmp_path / "c.csv"),
            domain=dp.table_domain({"x": INT}),
            privacy_unit=dp.unit_of(contributions=1),
            privacy_loss=dp.loss_of(epsilon=1.0),
        )
    with pytest.raises(OpenDPException, match="same columns, with the same types"):
        enter(str(tmp_path / "*.parquet"), {"x": INT})


def test_a_file_that_is_named_twice_is_there_twice(tmp_path: Path) -> None:
    a, b = tmp_path / "a.parquet", tmp_path / "b.parquet"
    nested = pa.array([{"y": 1, "z": [2]}])
    pq.write_table(pa.table({"n": nested, "x": [1], "w": ["a"]}), a)
    pq.write_table(pa.table({"n": nested, "x": [2], "w": ["b"]}), b)
    found = [row["x"] for row in enter([a, b, a], {"x": INT}).rows()]
    assert sorted(found) == [1, 1, 2]
    with pytest.raises(OpenDPTypeError, match="'schema' is not there"):
        enter([a, a], {"schema": INT})  # the name of the root, which is no column


@pytest.mark.parametrize("kind", [pa.int64(), pa.int32(), pa.date32()], ids=str)
def test_bounds_that_a_file_tells_are_not_believed(tmp_path: Path, kind: Any) -> None:
    """DuckDB would let 300 through a clip to 50 if a file said that 2 is greatest."""
    path = tmp_path / "a.parquet"
    lying(path, kind)
    clipped = dp.col("x").fill_null(0).clip(0, 50)
    for source in (path, connected().read_parquet(str(path))):
        table = enter(source, {"x": INT})
        frame = table.engine.with_columns(table, {"x": clipped})
        rows = table.engine.rows(Table(table.engine, frame, table.columns))
        assert sorted(row["x"] for row in rows) == [1, 2, 50]
        with pytest.raises(OpenDPTypeError, match="does not hold of every row"):
            enter(source, {"x": dp.atom_domain(T=int, bounds=(0, 10))})


def test_names_of_folders_are_no_columns(tmp_path: Path) -> None:
    folder = tmp_path / "x=777"
    folder.mkdir()
    pq.write_table(pa.table({"y": [1]}), folder / "a.parquet")
    with pytest.raises(OpenDPTypeError, match="'x' is not there"):
        enter(str(tmp_path / "*" / "*.parquet"), {"x": INT, "y": INT})


CLAIMS: list[tuple[Any, list[Any], bool]] = [
    (dp.atom_domain(T=int), [1, 2], True),
    (dp.atom_domain(T=int), [1, None], False),
    (dp.atom_domain(T=int, bounds=(0, 5)), [0, 5], True),
    (dp.atom_domain(T=int, bounds=(0, 5)), [6], False),
    (dp.atom_domain(T=int, bounds=(0, 5)), [-1], False),
    (dp.option_domain(dp.atom_domain(T=int, bounds=(0, 5))), [None, 5], True),
    (dp.option_domain(dp.atom_domain(T=int, bounds=(0, 5))), [None, 6], False),
    (dp.atom_domain(T=int, bounds=(-(2**70), 2**70)), [2**63 - 1, -(2**63)], True),
    (dp.atom_domain(T=int, bounds=(2**64, 2**65)), [5], False),
    (dp.atom_domain(T=int, bounds=(2**63, 2**65)), [2**63 - 1], False),
    (dp.atom_domain(T=int, bounds=(-(2**65), -(2**64))), [5], False),
    (dp.atom_domain(T=int, bounds=(-(2**65), -(2**64))), [], True),
    (dp.option_domain(dp.atom_domain(T=int, bounds=(2**63, 2**64))), [None], True),
    (dp.atom_domain(T=float, nan=False), [1.0, math.inf], True),
    (dp.atom_domain(T=float, nan=False), [1.0, math.nan], False),
    (dp.atom_domain(T=float, nan=False), [1.0, None], False),
    (dp.atom_domain(T=float), [math.nan, None], True),
    (dp.atom_domain(T=float, bounds=(0.0, 2.0)), [0.0, -0.0, 2.0], True),
    (dp.atom_domain(T=float, bounds=(0.0, 2.0)), [math.nan], False),
    (dp.atom_domain(T=float, bounds=(0.0, 2.0)), [-5e-324], False),
    (dp.option_domain(dp.atom_domain(T=float, bounds=(0.0, 2.0))), [math.nan], True),
    (dp.option_domain(dp.atom_domain(T=float, bounds=(0.0, 2.0))), [math.inf], False),
    (dp.atom_domain(T=str), ["", "a"], True),
    (dp.atom_domain(T=str), ["a", None], False),
    (dp.atom_domain(T=bool), [True, None], False),
    (dp.atom_domain(T=bool), [], True),
]


@for_each(("domain", "column", "fits"), CLAIMS)
def test_claims_are_looked_at(domain: Any, column: list[Any], fits: bool) -> None:
    atom = getattr(domain, "element_domain", domain)
    kind = {int: pa.int64(), float: pa.float64(), str: pa.string(), bool: pa.bool_()}
    table = pa.table({"x": pa.array(column, kind[atom.T], from_pandas=False)})
    for frame in (table, pl.from_arrow(table), {"x": column}):
        if fits:
            assert len(enter(frame, {"x": domain}).rows()) == len(column)
            continue
        with pytest.raises(OpenDPTypeError, match="not a member of its domain"):
            enter(frame, {"x": domain})


def test_text_that_is_no_unicode_is_refused() -> None:
    offsets, data = pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xfe")
    broken = pa.Array.from_buffers(pa.string(), 1, [None, offsets, data])
    for frame in (pa.table({"x": broken}), {"x": ["\ud800"]}):
        with pytest.raises(OpenDPTypeError, match="'x' once"):
            enter(frame, {"x": TEXT})


def test_dictionaries_of_columns() -> None:
    day = datetime.date(1970, 1, 2)
    fits = {"x": (1, None), "y": np.array([1.5, math.nan]), "d": [day, 7]}
    rows = enter(fits, {"x": INT, "y": FLOAT, "d": INT}).rows()
    assert rows == [{"x": 1, "y": 1.5, "d": 1}, {"x": None, "y": None, "d": 7}]
    assert enter({"x": [3, 2**53]}, {"x": FLOAT}).rows()[1] == {"x": 2.0**53}
    for wrong in (
        {"x": [2**63]},
        {"x": [True]},
        {"x": [1.0]},
        {"x": ["777"]},
        {"x": 777},
        {"x": [UTC]},
    ):
        with pytest.raises(OpenDPTypeError, match="'x' once") as caught:
            enter(wrong, {"x": INT})
        assert "777" not in str(caught.value)
    with pytest.raises(OpenDPTypeError):
        enter({"x": [1], "y": [1, 2]}, {"x": INT, "y": INT})
    with pytest.raises(OpenDPTypeError):
        enter({"x": [2**53 + 1]}, {"x": FLOAT})


def test_a_table_shows_columns_and_no_rows() -> None:
    for frame in (pl.DataFrame({"x": [777]}), {"x": [777]}):
        table = enter(frame, {"x": INT})
        assert "777" not in repr(table)
        assert "OptionDomain(AtomDomain(T=int))" in repr(table)
        with pytest.raises(TypeError, match="cannot be copied or pickled"):
            pickle.dumps(table)


def test_what_an_engine_says_stays_inside() -> None:
    def panics() -> None:
        raise pl.exceptions.PanicException("row 777")

    def fails() -> None:
        raise duckdb.ConversionException("row 777")

    def stops() -> None:
        raise KeyboardInterrupt

    for question in (panics, fails):
        with pytest.raises(OpenDPException) as caught:
            asked(question)
        assert caught.value.variant == "FailedEngine"
        assert "777" not in str(caught.value)
        assert caught.value.__context__ is None
    with pytest.raises(KeyboardInterrupt):
        asked(stops)


def test_what_is_passed_on_brings_no_context() -> None:
    def interrupted() -> None:
        try:
            raise duckdb.ConversionException("row 777")
        except duckdb.ConversionException as error:
            raise KeyboardInterrupt from error

    with pytest.raises(KeyboardInterrupt) as caught:
        asked(interrupted)
    assert caught.value.__context__ is caught.value.__cause__ is None


def test_a_relation_that_is_no_longer_there_says_nothing() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE secret AS SELECT 1 AS x")
    dropped = connection.table("secret")
    connection.execute("DROP TABLE secret")
    other = duckdb.connect()
    closed = other.sql("SELECT 1 AS x")
    other.close()
    for relation in (dropped, closed):
        with pytest.raises(OpenDPException) as caught:
            enter(relation, {"x": INT})
        assert caught.value.variant == "FailedEngine"
        assert caught.value.__context__ is None


def test_a_lazy_frame_that_fails_says_nothing() -> None:
    def wrong(column: Any) -> Any:
        raise ValueError(f"row {column[0]}")

    lazy = pl.LazyFrame({"x": [777]}).with_columns(
        pl.col("x").map_batches(wrong, return_dtype=pl.Int64)
    )
    table = enter(lazy, {"x": INT})
    assert isinstance(table, Table)
    with pytest.raises(OpenDPException) as caught:
        table.rows()
    assert caught.value.variant == "FailedEngine"
    assert "777" not in str(caught.value)


def test_a_connection_of_the_users_is_left_as_it_was() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t AS SELECT 'a' AS x")
    table = enter(connection.table("t"), {"x": TEXT})
    frame = table.engine.join_public(table, ["x"], {"x": ["a"], "y": [1]}, "inner")
    assert table.engine.rows(Table(table.engine, frame, (*table.columns, ("y", INT))))
    assert connection.execute("SHOW TABLES").fetchall() == [("t",)]
    views = "SELECT view_name FROM duckdb_views() WHERE NOT internal"
    assert connection.execute(views).fetchall() == []


def test_a_name_that_is_no_text_is_not_shown() -> None:
    fields = [pa.field("x", pa.int64()), pa.field(b"\xff", pa.int64())]
    table = pa.Table.from_arrays(
        [pa.array([1]), pa.array([2])], schema=pa.schema(fields)
    )
    with pytest.raises(OpenDPException) as caught:
        enter(table, {"x": dp.option_domain(dp.atom_domain(T="i64"))})
    assert "ff" not in str(caught.value)
    assert caught.value.__context__ is None
