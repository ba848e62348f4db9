"""Leaks of OpenDP's table layer that are known by number, and what they become here.

Each is run on the example of the issue, on every input that needs no server. They are
about engines and the library together: what a column may hold, what a row becomes, what
is added up. Either the step is refused before anything runs, or it means one thing.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pytest

import opendp_lite.prelude as dp
from opendp_lite.testing import state_flakiness

FLOAT = dp.option_domain(dp.atom_domain(T=float))
I64, TEXT = dp.atom_domain(T="i64"), dp.atom_domain(T=str)
ROWS, CHANGES = dp.symmetric_distance(), dp.change_one_distance()
NAN = math.nan

pytestmark = pytest.mark.usefixtures("tried_once")


INPUTS: dict[str, Callable[[pa.Table], Any]] = {
    "python": lambda table: table.to_pydict(),
    "polars": pl.from_arrow,
    "lazy": lambda table: pl.DataFrame(table).lazy(),
    "pandas": lambda table: table.to_pandas(types_mapper=_arrow_dtype),
    "duckdb": lambda table: table,  # of PyArrow, which DuckDB reads
}


def _arrow_dtype(kind: Any) -> Any:
    import pandas as pd

    return pd.ArrowDtype(kind)


@pytest.fixture(autouse=True)
def _contrib() -> Iterator[None]:
    dp.enable_features("contrib")
    yield
    dp.disable_features("contrib")


@pytest.fixture(params=INPUTS)
def given(request: pytest.FixtureRequest) -> Any:
    """Return what makes a frame of one kind from columns and their types."""
    make = INPUTS[request.param]

    def frame(columns: dict[str, Any], **types: Any) -> Any:
        arrays = {n: pa.array(v, types.get(n)) for n, v in columns.items()}
        return make(pa.table(arrays))

    frame.kind = request.param  # type: ignore[attr-defined]
    return frame


def totals(domain: Any, metric: Any, sums: dict[str, Any], **more: Any) -> Any:
    keys = more.pop("keys", {})
    return dp.t.make_table_group_by(domain, metric, keys, sums, **more)


def refused(call: Callable[[], Any], *words: str) -> None:
    with pytest.raises((dp.OpenDPException, AttributeError)) as caught:
        call()
    for word in words:
        assert word in str(caught.value), word


def test_2935_a_nan_is_not_taken_for_0_without_a_word(given: Any) -> None:
    """What is missing counts as what the query says, and NaN reaches no noise."""
    domain = dp.table_domain({"x": FLOAT})
    x = dp.col("x")
    refused(lambda: totals(domain, ROWS, {"x": x.clip(0.0, 1.0)}), "fill_null")
    one = totals(domain, ROWS, {"x": x.fill_null(1.0).clip(0.0, 1.0)}, k={"x": 0})
    frame = given({"x": [NAN, None, 0.0]}, x=pa.float64())
    assert one(frame) == ([3], [2])
    vector = dp.vector_domain(dp.atom_domain(T=float, nan=False))
    noise = dp.m.make_laplace(vector, dp.l1_distance(T=float), scale=1)
    refused(lambda: noise([NAN]), "not a member")


def test_2936_nothing_is_filled_with_nan() -> None:
    domain = dp.table_domain({"x": FLOAT, "y": FLOAT})
    for fill in (NAN, -NAN):
        with pytest.raises(dp.OpenDPException, match=r"fill_null|NaN|nan"):
            filled = dp.col("x").fill_null(fill).clip(0.0, 1.0)
            totals(domain, ROWS, {"x": filled})
    with pytest.raises(dp.OpenDPException):  # nor with a column that may be NaN
        totals(domain, ROWS, {"x": dp.col("x").fill_null(dp.col("y")).clip(0.0, 1.0)})


def test_2937_dates_before_1970_are_negative_and_sums_do_not_wrap(given: Any) -> None:
    """A sum of days of 2024 above 2^31 is that sum, and 1960 lies before 1970."""
    domain = dp.table_domain({"d": I64})
    low, high = -36524, 20453
    made = totals(domain, ROWS, {"d": dp.col("d").clip(low, high)})
    assert made.map(1) == (1, 36524)
    n = 9 if given.kind == "python" else 108_883  # Python has integers of any size
    day, early = datetime.date(2024, 1, 1), datetime.date(1960, 1, 1)
    days = [(each - datetime.date(1970, 1, 1)).days for each in (day, early)]
    assert days == [19723, -3653]
    values: list[Any] = [day] * n + [early]
    if given.kind == "python":  # a dict has its days as integers
        frame: Any = {"d": [days[0]] * n + [days[1]]}
    else:
        frame = given({"d": values}, d=pa.date32())
    assert made(frame) == ([n + 1], [n * 19723 - 3653])
    assert 108_883 * 19723 > 2**31


def test_2938_there_is_no_cast_that_could_give_null() -> None:
    """And rows are counted whatever they hold, at the distance of rows."""
    refused(lambda: dp.col("x").fill_null(0.0).cast("i64"), "cast")  # type: ignore[attr-defined]
    domain = dp.table_domain({"x": FLOAT})
    assert totals(domain, ROWS, {}).map(1) == (1,)
    refused(lambda: totals(domain, ROWS, {"x": dp.col("x")}), "fill_null")


def test_2939_a_cut_takes_nothing_that_may_be_missing(given: Any) -> None:
    """The 16 rows are 16 rows: NaN is filled, and lies in a bin."""
    domain = dp.table_domain({"x": FLOAT})
    refused(
        lambda: dp.t.make_table_with_columns(
            domain, ROWS, {"b": dp.col("x").cut([1.5])}
        ),
        "fill_null",
    )
    binned = (domain, CHANGES) >> dp.t.then_table_with_columns(
        {"b": dp.col("x").fill_null(0.0).cut([1.5])}
    )
    whole = binned >> dp.t.then_table_group_by({"b": [0, 1]}, {})
    free = binned >> dp.t.then_table_group_by({}, {})
    for missing in (NAN, None):
        frame = given({"x": [missing] + [1.0] * 14 + [2.0]}, x=pa.float64())
        assert whole(frame) == ([15, 1],)
        assert free(frame) == ([16],)
    assert free.map(1) == (0,)  # the number of rows is known, and is all rows
    assert whole.map(1) == (2,)


def test_2941_floats_of_32_bits_are_added_as_exact_steps(given: Any) -> None:
    """No running sum overflows: 4e38 is no infinity on the way to -3e38."""
    big = 2.0**126
    domain = dp.table_domain({"x": FLOAT})
    x = dp.col("x").fill_null(0.0).clip(-big, big)
    made = totals(domain, ROWS, {"x": x}, k={"x": 126})
    for values, total in (([big] * 4 + [-big] * 7, -3), ([big] * 3 + [-big] * 7, -4)):
        assert made(given({"x": values}, x=pa.float32()))[1] == [total]
    assert made.map(1) == (1, 1)
    refused(lambda: dp.col("x").cast("f32"), "cast")  # type: ignore[attr-defined]


def test_2944_bins_are_told_by_public_edges(given: Any) -> None:
    """One row more, before all others, changes the bin of no other row."""
    domain = dp.table_domain({"x": FLOAT})
    bins = dp.col("x").fill_null(0.0).cut([1.0])
    made = totals(domain, ROWS, {"bin": bins})
    x, y = [0.5] * 100, [2.0] + [0.5] * 100
    first, second = (made(given({"x": each}, x=pa.float64())) for each in (x, y))
    assert first == ([100], [0])
    assert second == ([101], [1])
    metric = made.output_metric
    assert metric.at_most(metric.distance(first, second), made.stability_map(1))
    for name in ("to_physical", "rank", "cat"):
        refused(lambda name=name: getattr(bins, name)(), name)


def test_2944_codes_of_categories_do_not_matter() -> None:
    """Categories that were met in another order, with others before them."""
    domain = dp.table_domain({"g": TEXT})
    made = totals(domain, ROWS, {}, keys={"g": ["a", "b"]})
    for first in (["a"], ["b"], ["z", "y", "b"]):
        values = pl.Series("g", [*first, "a", "b", "a"], dtype=pl.Categorical)
        frame = pl.DataFrame({"g": values}).slice(len(first))
        assert made(frame) == ([2, 1],)


def test_2945_rows_that_all_change_count_twice(given: Any) -> None:
    """3 rows out and 3 in are 6 under d_Sym: a sum from 30 to -30 is 60 away."""
    domain = dp.table_domain({"A": TEXT, "B": I64})
    keys, b = {"A": ["a"]}, {"B": dp.col("B").clip(-10, 10)}
    x, y = (given({"A": ["a"] * 3, "B": [v] * 3}, B=pa.int64()) for v in (10, -10))
    for metric, d_in in ((ROWS, 6), (CHANGES, 3)):
        made = totals(domain, metric, b, keys=keys)
        found = made.output_metric.distance(made(x), made(y))
        assert found == (0, 60)
        assert made.map(d_in)[1] == 60
    totalled = (domain, ROWS) >> dp.t.then_table_group_by(keys, b)
    noisy = totalled >> dp.c.then_product([None, dp.m.then_laplace(30)])
    assert noisy.map(6) == 2.0


def test_2949_a_column_redefined_before_is_the_one_that_is_bounded(given: Any) -> None:
    """Bounding and grouping are one step: what lies between cannot be redefined."""
    domain = dp.table_domain({"id": I64, "g": I64})
    space = domain, dp.symmetric_id_distance("id")
    merged = (
        space
        >> dp.t.then_table_with_columns({"g": dp.lit(0)})
        >> dp.t.then_table_group_by({"g": [0]}, {}, p=2, rows=1, groups=100)
    )
    both = given({"id": [0] * 100 + [1] * 100, "g": list(range(100)) * 2})
    one = given({"id": [1] * 100, "g": list(range(100))})
    assert merged(both) == ([2], [2])  # a person counts once in the one group
    metric = merged.output_metric
    apart = metric.distance(merged(both), merged(one))
    assert apart == (1, 1)
    assert metric.at_most(apart, merged.stability_map(1))
    apart_before = dp.t.make_table_group_by(
        *space, {"g": list(range(100))}, {}, p=2, groups=100
    )
    assert apart_before.map(1) == (10, 10)
    refused(lambda: space >> dp.t.then_table_with_columns({"id": dp.lit(0)}), "id")


def test_2344_each_absent_key_has_noise_of_its_own(given: Any) -> None:
    """600 keys of which the table has two: the others are not one number broadcast."""
    domain = dp.table_domain({"age": I64, "status": I64})
    keys = {"age": list(range(100)), "status": [1, 2, 3, 4, 5, 9]}
    counts = (domain, ROWS) >> dp.t.then_table_group_by(keys, {})
    frame = given({"age": [7, 7, 8], "status": [1, 1, 9]})
    (exact,) = counts(frame)
    assert len(exact) == 600
    assert sorted(exact)[-2:] == [1, 2]
    noisy = counts >> dp.c.then_product([dp.m.then_laplace(1000)])
    (released,) = noisy(frame)
    # Were there at most 10 values among the 598 absent keys, one would come 60 times,
    # with a chance of at most (598 choose 60) p^59, where p < 1/1999 is that of 0.
    state_flakiness("1e-100")
    absent = [noise for noise, count in zip(released, exact, strict=True) if count == 0]
    assert len(set(absent)) > 10


@pytest.mark.parametrize("collation", ["nocase", "nocase.noaccent"])
def test_a_column_that_compares_without_case_has_keys_by_its_bytes(
    collation: str,
) -> None:
    """A NOCASE column says nothing of it in its type; keys are told by bytes."""
    connection = duckdb.connect()
    connection.execute(f"create table t (g varchar collate {collation})")
    connection.execute("insert into t values ('a'), ('A'), ('A'), ('á')")
    domain = dp.table_domain({"g": dp.option_domain(TEXT)})
    table = domain.received(connection.table("t"))  # comes in once
    filled = (domain, ROWS) >> dp.t.then_table_with_columns(
        {"g": dp.col("g").fill_null("?")}
    )
    keys = {"g": ["a", "A", "á"]}
    counted = filled >> dp.t.then_table_group_by(keys, {})
    assert counted(table) == ([1, 2, 1],)
    measure = dp.approximate(dp.max_divergence())
    listed = filled >> dp.m.then_table_threshold(measure, ["g"], {}, [0], 1)
    assert listed(table) == ([("A",), ("a",), ("á",)], [[2, 1, 1]])
    only = filled >> dp.t.then_table_filter(dp.col("g") == "a")
    assert len(only(table).rows()) == 1


def test_unknown_keys_on_every_input(given: Any) -> None:
    """The same keys, in the same order, with the same exact numbers."""
    domain = dp.table_domain({"id": I64, "item": TEXT, "v": FLOAT})
    space = domain, dp.symmetric_id_distance("id")
    v = dp.col("v").fill_null(0.0).clip(0.0, 8.0)
    exact = space >> dp.m.then_table_threshold(
        dp.approximate(dp.zero_concentrated_divergence()),
        *(["item"], {"v": v}, [0, 0, 0], "3/2"),
        groups=2,
        rows=2,
        k={"v": -1},
    )
    columns: dict[str, list[Any]] = {
        "id": [3, 1, 1, 2, 2, 2, 2, 9],
        "item": ["b", "a", "b", "b", "b", "b", "é", "é"],
        "v": [1.5, NAN, 9.0, 1.0, 2.0, 3.0, None, 0.25],
    }
    frame = given(columns, v=pa.float64())
    keys, vectors = exact(frame)
    assert keys == [("b",), ("é",)]
    assert vectors == [[3, 2], [4, 2], [3 + 16 + 8, 0]]
    assert Fraction(3 + 16 + 8, 2) == Fraction("13.5")
