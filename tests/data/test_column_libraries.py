"""Columns of pandas, Polars and PyArrow, of every type that people have."""

from __future__ import annotations

import datetime
import math
from array import array
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import opendp_lite.prelude as dp
from opendp_lite.core.domains import Domain
from opendp_lite.data import columns
from opendp_lite.data.identity import key
from tests.interpreter import loaded_after, printed_by
from tests.rows import for_each

NAN = math.nan
DOMAINS: dict[type, Domain] = {
    T: dp.vector_domain(dp.atom_domain(T=T)) for T in (int, float, bool, str)
}
OPTIONS: dict[type, Domain] = {
    T: dp.vector_domain(dp.option_domain(dp.atom_domain(T=T))) for T in DOMAINS
}


def pandas_of(dtype: str) -> Any:
    return lambda rows: pd.Series(rows, dtype=dtype)


def polars_of(dtype: Any) -> Any:
    return lambda rows: pl.Series(rows, dtype=dtype)


def arrow_of(dtype: Any) -> Any:
    return lambda rows: pa.array(rows, type=dtype)


def chunked_of(dtype: Any) -> Any:
    return lambda rows: pa.chunked_array([rows[:1], rows[1:]], type=dtype)


# What makes a column of a type, the type of its rows, and the dtype of its array.
NUMBERS: list[tuple[Any, type, str]] = [
    (pandas_of("int64"), int, "int64"),
    (pandas_of("uint8"), int, "uint8"),
    (pandas_of("Int64"), int, "int64"),
    (pandas_of("UInt16"), int, "uint16"),
    (pandas_of("int32[pyarrow]"), int, "int32"),
    (pandas_of("float64"), float, "float64"),
    (pandas_of("float32"), float, "float32"),
    (pandas_of("Float64"), float, "float64"),
    (pandas_of("Float32"), float, "float32"),
    (pandas_of("double[pyarrow]"), float, "float64"),
    (pandas_of("bool"), bool, "bool"),
    (pandas_of("boolean"), bool, "bool"),
    (pandas_of("bool[pyarrow]"), bool, "bool"),
    (polars_of(pl.Int64), int, "int64"),
    (polars_of(pl.UInt64), int, "uint64"),
    (polars_of(pl.Int8), int, "int8"),
    (polars_of(pl.Float64), float, "float64"),
    (polars_of(pl.Float32), float, "float32"),
    (polars_of(pl.Boolean), bool, "bool"),
    (arrow_of(pa.int64()), int, "int64"),
    (arrow_of(pa.uint8()), int, "uint8"),
    (arrow_of(pa.float64()), float, "float64"),
    (arrow_of(pa.float32()), float, "float32"),
    (arrow_of(pa.bool_()), bool, "bool"),
    (chunked_of(pa.int64()), int, "int64"),
    (chunked_of(pa.float64()), float, "float64"),
]
TEXTS: list[Any] = [
    pandas_of("str"),
    pandas_of("string"),
    pandas_of("string[pyarrow]"),
    pandas_of("object"),
    pandas_of("category"),
    polars_of(pl.String),
    polars_of(pl.Categorical),
    polars_of(pl.Enum(["a", "ß", ""])),
    arrow_of(pa.string()),
    arrow_of(pa.large_string()),
    chunked_of(pa.string()),
    lambda rows: pa.array(rows, type=pa.string()).dictionary_encode(),
]
ROWS: dict[type, list[Any]] = {
    int: [0, 7, 100],
    float: [0.5, -0.0, 3.0],
    bool: [True, False, True],
}


@for_each(("make", "T", "dtype"), NUMBERS)
def test_numbers_become_arrays_of_one_dtype(make: Any, T: type, dtype: str) -> None:
    for rows in (ROWS[T], ROWS[T][:1], []):
        taken = DOMAINS[T].received(make(rows))
        assert type(taken) is np.ndarray
        assert (taken.dtype, taken.shape) == (np.dtype(dtype), (len(rows),))
        assert key(taken.tolist()) == key(rows)
        assert DOMAINS[T].member(taken)


@for_each("dtype", [np.float64, "Float64", "double[pyarrow]", pl.Float64, pa.float64()])
def test_edge_values_of_floats_are_kept(dtype: Any) -> None:
    rows = [-0.0, math.inf, -math.inf, 5e-324, 1.7976931348623157e308]
    makes = {pl.Float64: polars_of, pa.float64(): arrow_of}
    taken = DOMAINS[float].received(makes.get(dtype, pandas_of)(dtype)(rows))
    assert key(taken.tolist()) == key(rows)


@for_each(
    "make",
    [
        *(pandas_of("int64"), pandas_of("Int64"), pandas_of("int64[pyarrow]")),
        *(polars_of(pl.Int64), arrow_of(pa.int64())),
    ],
)
def test_both_ends_of_int64_are_kept(make: Any) -> None:
    rows = [-(2**63), 2**63 - 1]
    assert DOMAINS[int].received(make(rows)).tolist() == rows


@pytest.mark.parametrize("make", [pandas_of("UInt64"), polars_of(pl.UInt64)])
def test_the_end_of_uint64_is_kept(make: Any) -> None:
    rows = [0, 2**64 - 1]
    assert DOMAINS[int].received(make(rows)).tolist() == rows


NULLABLE = [
    each
    for i, each in enumerate(NUMBERS)
    if i not in (0, 1, 10)  # int64, uint8 and bool of numpy cannot miss a row
]


@for_each(("make", "T", "dtype"), NULLABLE)
def test_a_missing_number_is_nan_among_floats_and_else_refused(
    make: Any, T: type, dtype: str
) -> None:
    rows = [*ROWS[T], None]
    column = make(rows)
    taken = DOMAINS[T].received(column)
    if T is float:
        assert key(taken.tolist()) == key([*ROWS[T], NAN])
        assert taken.dtype == np.dtype(dtype)  # as if no row were missing
        assert DOMAINS[T].member(taken)
    else:
        assert taken is column
        assert not DOMAINS[T].member(taken)
    assert key(OPTIONS[T].received(column)) == key(rows)
    assert OPTIONS[T].member(OPTIONS[T].received(column))


def test_nan_is_missing_where_its_library_says_so() -> None:
    options = OPTIONS[float]
    assert options.received(pd.Series([0.5, NAN])) == [0.5, None]
    assert key(options.received(pl.Series([0.5, NAN]))) == key([0.5, NAN])
    assert key(options.received(pa.array([0.5, NAN]))) == key([0.5, NAN])


@for_each("make", TEXTS)
def test_text_becomes_a_list(make: Any) -> None:
    for rows in (["a", "ß", "a", ""], ["a"], []):
        taken = DOMAINS[str].received(make(rows))
        assert type(taken) is list
        assert key(taken) == key(rows)
        assert DOMAINS[str].member(taken)
    gone = make(["a", None, "ß"])
    assert not DOMAINS[str].member(DOMAINS[str].received(gone))
    assert OPTIONS[str].received(gone) == ["a", None, "ß"]


def test_objects_of_pandas_are_a_list_whatever_they_are() -> None:
    for T, rows in {**ROWS, str: ["a", "b"]}.items():
        taken = DOMAINS[T].received(pd.Series(rows, dtype=object))
        assert type(taken) is list
        assert key(taken) == key(rows)
    mixed = DOMAINS[int].received(pd.Series([1, "a"], dtype=object))
    assert not DOMAINS[int].member(mixed)


# Not those in two pieces, nor truth values that Arrow and Polars keep as bits.
WHOLE = [each for each in NUMBERS[:-2] if each[1] is not bool]
WHOLE += [(pandas_of("bool"), bool, "bool"), (pandas_of("boolean"), bool, "bool")]


@for_each(("make", "T", "dtype"), WHOLE)
def test_numbers_are_not_copied(make: Any, T: type, dtype: str) -> None:
    column = make(ROWS[T])
    first, second = (DOMAINS[T].received(column) for _ in range(2))
    assert np.shares_memory(first, second)
    assert first.dtype == np.dtype(dtype)


@for_each(
    "value",
    [
        pd.DataFrame({"a": [1, 2]}),
        pl.DataFrame({"a": [1, 2]}),
        pl.LazyFrame({"a": [1, 2]}),
        pa.table({"a": [1, 2]}),
        pd.Index([1, 2]),
        pd.array([1, 2], dtype="Int64"),
        pa.scalar(1),
        pl.Series([1], dtype=pl.Int128),
        type("Derived", (pd.Series,), {})([1, 2]),
        type("Derived", (pl.Series,), {})([1, 2]),
    ],
    ids=lambda each: type(each).__name__,
)
def test_what_is_no_column_is_refused_and_told_what_to_pass(value: Any) -> None:
    assert DOMAINS[int].received(value) is value
    count = dp.t.make_count(DOMAINS[int], dp.symmetric_distance())
    with pytest.raises(dp.OpenDPException, match=r"Of a data frame.* pass one column"):
        count(value)


def test_a_derived_array_of_arrow_is_refused() -> None:
    class Derived(pa.ExtensionArray):
        """It may give out other rows each time."""

    class Kind(pa.ExtensionType):
        def __init__(self) -> None:
            super().__init__(pa.int64(), "planted")

        def __arrow_ext_serialize__(self) -> bytes:
            return b""

        def __arrow_ext_class__(self) -> type:
            return Derived

    stored = pa.array([1, 2])
    value = pa.ExtensionArray.from_storage(Kind(), stored)
    assert type(value) is Derived
    assert columns._series(value) is None
    assert columns._series(stored) is not None
    assert OPTIONS[int].received(value) is value


class Planted(pa.ExtensionType):
    """A type of one's own, whose rows are what one says."""

    def __init__(self) -> None:
        super().__init__(pa.int64(), "planted.rows")

    def __arrow_ext_serialize__(self) -> bytes:
        return b""

    def __arrow_ext_scalar_class__(self) -> type:
        return PlantedRow


class PlantedRow(pa.ExtensionScalar):
    def as_py(self, **_: Any) -> int:
        return 99


class PlantedRows(pd.api.extensions.ExtensionArray):
    """Rows of one's own that call themselves integers of pandas."""

    dtype = pd.Int64Dtype()
    nbytes = 16

    def __init__(self, rows: Any) -> None:
        self.rows: Any = np.asarray(rows)

    @classmethod
    def _from_sequence(cls, rows: Any, **_: Any) -> Any:
        return cls(rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: Any) -> Any:
        return self.rows[place] if np.isscalar(place) else type(self)(self.rows[place])

    def isna(self) -> Any:
        return np.zeros(len(self.rows), bool)

    def copy(self) -> Any:
        return self

    def to_numpy(self, *_: Any, **__: Any) -> Any:
        return np.array([7] * 1000)


@pytest.mark.parametrize("T", [int, float])
def test_rows_of_a_type_of_ones_own_are_refused(T: type) -> None:
    stored = pa.ExtensionArray.from_storage(Planted(), pa.array([1, 2]))
    assert type(stored) is pa.ExtensionArray  # of PyArrow itself
    planted = pd.Series(PlantedRows([1, 2]))
    assert str(planted.dtype) == "Int64"  # of pandas itself
    inside = pd.Categorical.from_codes([0, 1], pd.Index(PlantedRows([1, 2])))
    coded = pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int32()), stored)
    listed = pa.ListArray.from_arrays(pa.array([0, 1, 2], pa.int32()), stored)
    for value in (stored, planted, pd.Series(inside), coded, listed):
        for domain in (DOMAINS[T], OPTIONS[T], dp.vector_domain(DOMAINS[T])):
            assert domain.received(value) is value


@for_each(
    "value",
    [
        pl.Series([[1, 2], [3]]),
        pl.Series([[1, 2]], dtype=pl.Array(pl.Int64, 2)),
        pl.Series([{"a": 1}]),
        pa.array([[1, 2], [3]]),
        pa.array([{"a": 1}]),
        pa.RunEndEncodedArray.from_arrays([2, 3], [7, 8]),
        pd.Series([[1, 2]], dtype=pd.ArrowDtype(pa.list_(pa.int64()))),
    ],
    ids=lambda each: f"{type(each).__module__}.{type(each).__name__}",
)
def test_rows_with_other_types_inside_are_refused(value: Any) -> None:
    for atoms in (True, False):
        assert columns.column_rows(value, atoms) is value


@for_each(
    "make",
    [
        lambda rows: pd.Series(pd.Categorical(rows, categories=[2**53 + 1, 2])),
        lambda rows: pd.Series(rows, dtype="Int64"),
        lambda rows: pd.Series(rows, dtype="int64[pyarrow]"),
        lambda rows: pa.array(rows, pa.int64()).dictionary_encode(),
        polars_of(pl.Int64),
        arrow_of(pa.int64()),
    ],
)
def test_a_missing_row_changes_no_other(make: Any) -> None:
    whole, gone = [2**53 + 1, 2], [2**53 + 1, None]
    assert key(OPTIONS[int].received(make(whole))) == key(whole)
    assert key(OPTIONS[int].received(make(gone))) == key(gone)


@for_each(
    "make",
    [
        *(pandas_of("float16"), pandas_of("halffloat[pyarrow]")),
        *(polars_of(pl.Float16), arrow_of(pa.float16()), chunked_of(pa.float16())),
    ],
)
def test_narrow_floats_have_one_dtype_whatever_is_missing(make: Any) -> None:
    for rows in ([1.5, 2.0], [1.5, NAN], [], [1.5, None]):
        taken = DOMAINS[float].received(make([np.float16(x) if x else x for x in rows]))
        assert taken.dtype == np.float16
        assert key(taken.tolist()) == key([NAN if x is None else x for x in rows])


@for_each("kind", [pa.int64(), pa.float32(), pa.bool_(), pa.string()])
def test_columns_without_chunks_are_empty(kind: Any) -> None:
    T = {pa.float32(): float, pa.bool_(): bool, pa.string(): str}.get(kind, int)
    taken = DOMAINS[T].received(pa.chunked_array([], type=kind))
    assert (len(taken), DOMAINS[T].member(taken)) == (0, True)


def test_the_order_of_bytes_and_strides_change_no_row() -> None:
    strided = pd.DataFrame(np.arange(6).reshape(3, 2))[1]
    assert DOMAINS[int].received(strided).tolist() == [1, 3, 5]
    for dtype in (">f8", ">i4"):
        other = pd.Series(np.array([1, 2], dtype=dtype))
        taken = DOMAINS[float].received(other)
        assert DOMAINS[float].member(taken)
        assert list(taken) == [1, 2]


@for_each(
    "column",
    [
        pd.Series(pd.to_datetime(["2020-01-01"])),
        pd.Series([1j]),
        pd.Series([Decimal("1.5")]),
        pl.Series([datetime.date(2020, 1, 1)]),
        pl.Series([Decimal("1.5")]),
        pl.Series([{"a": 1}]),
        pl.Series([[1]]),
        pl.Series([b"1"]),
        pa.array([b"1"]),
        pa.array([{"a": 1}]),
        pa.array([datetime.timedelta(1)]),
        pa.nulls(2),
    ],
)
def test_other_types_are_refused(column: Any) -> None:
    for domain in DOMAINS.values():
        count = dp.t.make_count(domain, dp.symmetric_distance())
        with pytest.raises(dp.OpenDPException, match="is not a member"):
            count(column)


MONTHS = pd.period_range("2020-01", periods=2, freq="M")
MONTHS_IN_ARROW = pa.array(pd.Series(MONTHS))
EXTENDED: list[tuple[Any, str]] = [
    (pd.Series(MONTHS), "PeriodDtype"),
    (pd.Series(MONTHS).astype("category"), "PeriodDtype"),
    (pd.Series(pd.interval_range(0, 2)), "IntervalDtype"),
    (pd.Series(pd.arrays.SparseArray([0, 777])), "SparseDtype"),
    (pd.Series(pd.arrays.SparseArray([0.5, 777.0])), "SparseDtype"),
    (pd.Series(pd.arrays.ArrowExtensionArray(MONTHS_IN_ARROW)), "ArrowPeriodType"),
    (MONTHS_IN_ARROW, "ArrowPeriodType"),
    (pa.chunked_array([MONTHS_IN_ARROW]), "ArrowPeriodType"),
    (pa.array([True]).cast(pa.bool8()), "Bool8Type"),
    (pl.from_arrow(pa.table({"x": MONTHS_IN_ARROW}))["x"], "Extension"),
]


@for_each(("column", "name"), EXTENDED, ids=lambda each: type(each).__name__)
def test_extension_types_are_refused_by_name(column: Any, name: str) -> None:
    """A period of pandas is stored as a number, in a unit that only its type knows."""
    for domain in (*DOMAINS.values(), *OPTIONS.values()):
        assert domain.received(column) is column
        count = dp.t.make_count(domain, dp.symmetric_distance())
        with pytest.raises(dp.OpenDPException) as caught:
            count(column)
        assert f"Columns of the type {name} are not read. Convert" in str(caught.value)
        assert "777" not in str(caught.value)


def test_what_a_refusal_of_an_extension_type_advises_is_read() -> None:
    months, sparse = pd.Series(MONTHS), pd.Series(pd.arrays.SparseArray([0, 7]))
    cuts = pd.Series(pd.interval_range(0, 2))
    for domain, column, rows in (
        (DOMAINS[str], months.astype(str), ["2020-01", "2020-02"]),
        (DOMAINS[int], months.dt.year, [2020, 2020]),
        (DOMAINS[str], cuts.astype(str), ["(0, 1]", "(1, 2]"]),
        (DOMAINS[int], sparse.sparse.to_dense(), [0, 7]),
    ):
        assert columns.extension_type(column) is None
        assert list(domain.received(column)) == rows


def test_a_type_that_cannot_be_found_out_is_none_that_is_read() -> None:
    class Raising(PlantedRows):
        @property
        def dtype(self) -> Any:
            raise ValueError("row 3 is secret")

    planted = pd.Series(PlantedRows([1, 2]))
    assert columns.extension_type(planted) == "Int64Dtype"
    planted.array.__class__ = Raising
    assert columns.extension_type(planted) == "Series"


def test_what_a_library_raises_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise ValueError("row 3 is secret")

    monkeypatch.setattr(columns, "_series_rows", broken)
    count = dp.t.make_count(DOMAINS[int], dp.symmetric_distance())
    with pytest.raises(dp.OpenDPException) as caught:
        count(pd.Series([1]))
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    ("rows", "missing"),
    [
        (np.array([1.5]), 0),
        (np.array([1], dtype=object), 0),
        ([1], 0),
        (np.array([1]), 1),  # a library that puts some number where one is missing
    ],
)
def test_an_array_of_another_kind_or_with_a_row_missing_is_refused(
    rows: Any, missing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Planted:
        dtype = "Int64"

        def null_count(self) -> int:
            return missing

        def to_numpy(self) -> Any:
            return rows

    monkeypatch.setattr(columns, "_array_kinds", lambda _: "iu")
    value = object()
    assert columns._series_rows(Planted(), value, True) is value


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_real_job(library: str) -> None:
    incomes = [1000.0, 2500.0, None, 99_999.0]
    column: Any = {
        "pandas": lambda: pd.DataFrame({"income": incomes})["income"],
        "polars": lambda: pl.DataFrame({"income": incomes})["income"],
        "pyarrow": lambda: pa.table({"income": incomes})["income"],
    }[library]()
    space = dp.space_of(column, infer=True)
    assert space[0] == DOMAINS[float]
    total = (
        space
        >> dp.t.then_impute_constant(0.0)
        >> dp.t.then_clamp((0.0, 5000.0))
        >> dp.t.then_sum()
    )
    assert total(column) == 8500
    assert (total >> dp.m.then_laplace(scale=0.0))(column) == 8500.0


# Each column, after what any other value that is refused is told.
WITHOUT_NARWHALS = """
import sys, pandas, polars, pyarrow
sys.modules['narwhals'] = None
import opendp_lite.prelude as dp
space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
count = dp.t.make_count(*space)
assert count((1, 2)) == 2
series = pandas.Series([1, 2]), polars.Series([1, 2]), pyarrow.array([1, 2])
for refused in ({'secret': 1}, *series):
    try:
        count(refused)
    except dp.OpenDPException as error:
        print(error)
try:
    dp.space_of(polars.Series([1]), infer=True)
except dp.OpenDPException as error:
    print(error)
"""


@pytest.fixture(scope="module")
def told_without_narwhals() -> dict[str, str]:
    """What a process that has no narwhals says of columns."""
    said = printed_by(WITHOUT_NARWHALS).splitlines()
    names = ["plain", "pandas", "polars", "pyarrow", "example"]
    return dict(zip(names, said, strict=True))


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_without_narwhals_columns_are_refused_and_told_what_to_do(
    library: str, told_without_narwhals: dict[str, str]
) -> None:
    told, plain = told_without_narwhals[library], told_without_narwhals["plain"]
    assert "pip install 'opendp-lite[tables]'" in told
    assert "their .to_numpy() or .to_list()" in told
    # It tells of what is installed, and of the class of the data only.
    assert told.partition(" was passed")[2] == plain.partition(" was passed")[2]
    count = dp.t.make_count(DOMAINS[int], dp.symmetric_distance())
    with pytest.raises(dp.OpenDPException) as caught:
        count({"secret": 1})
    assert "pip install" not in str(caught.value)


@for_each(
    "example",
    [
        *(
            pd.DataFrame({"a": [1]}),
            pd.Index([1]),
            pl.Series([[1]]),
            pa.table({"a": [1]}),
        ),
        *(pd.Series([1, None], dtype="Int64"), iter([1]), {1}, np.ma.array([1])),
        pd.Series(pd.to_datetime(["2020-01-01"])),
    ],
    ids=lambda each: type(each).__name__,
)
def test_examples_that_are_no_columns_are_told_what_to_pass(example: Any) -> None:
    with pytest.raises(dp.OpenDPException) as caught:
        dp.space_of(example, infer=True)
    assert caught.value.variant == "TypeParse"
    for told in (".tolist() or .to_numpy()", "list[int]"):
        assert told in str(caught.value)
    assert "pip install" not in str(caught.value)


def test_examples_without_narwhals_are_told_what_to_install(
    told_without_narwhals: dict[str, str],
) -> None:
    told = told_without_narwhals["example"]
    assert "run pip install 'opendp-lite[tables]'." in told


def test_what_is_to_be_passed_without_narwhals_is_taken() -> None:
    count = dp.t.make_count(DOMAINS[int], dp.symmetric_distance())
    for column in (pd.Series([1, 2]), pl.Series([1, 2])):
        assert count(column.to_numpy()) == count(column.to_list()) == 2
    assert count(pa.array([1, 2]).to_numpy()) == 2
    assert count(pa.chunked_array([[1], [2]]).to_numpy()) == 2


def test_narwhals_is_loaded_for_a_column_and_not_before() -> None:
    more = loaded_after(
        "import polars\n"
        "import opendp_lite.prelude as dp\n"
        "space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()\n"
        "count = dp.t.make_count(*space)\n"
        "assert count([1, 2]) == 2\n"
        "assert 'narwhals' not in sys.modules\n"
        "assert count(polars.Series([1, 2, 3])) == 3\n"
    )
    assert "narwhals" in more
    assert "pandas" not in more


# Refusals


INTEGERS = [
    *(np.arange(2), np.arange(2, dtype="uint8"), array("q", [0, 1])),
    *(pd.Series([0, 1]), pd.Series([0, None], dtype="Int64")),
    *(pl.Series([0, 1]), pl.Series([0, None], dtype=pl.Int8), pa.array([0, 1])),
]


@for_each("column", INTEGERS, ids=type)
def test_a_column_of_integers_is_told_how_to_become_floats(column: Any) -> None:
    """By its type alone: a row that is missing does not change the text."""
    with pytest.raises(TypeError, match=r"pass data\.astype\(float\), of Polars"):
        DOMAINS[float].admitted(column)
    with pytest.raises(TypeError) as caught:
        DOMAINS[bool].admitted(column)
    assert "astype" not in str(caught.value)


@for_each("rows", [np.array([0.5]), pd.Series(["a"]), [0.5], "ab"])
def test_other_columns_are_not_told_of_integers(rows: Any) -> None:
    with pytest.raises(TypeError) as caught:
        dp.vector_domain(dp.atom_domain(T=float), size=7).admitted(rows)
    assert "astype" not in str(caught.value)
