from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import attrs
import numpy
import opendp.prelude as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.data.identity import key
from opendp_lite.testing import state_flakiness
from opendp_lite.verify import coupling
from tests.rows import for_each
from tests.transformations.small_data import data_sets, suprema

SYMMETRIC = dp.symmetric_distance()
FLOATS = dp.vector_domain(dp.atom_domain(T=float))
NAN = math.nan
METRICS = [
    SYMMETRIC,
    dp.insert_delete_distance(),
    dp.change_one_distance(),
    dp.hamming_distance(),
]


def impute(row: Any, constant: Any) -> Any:
    return dp.t.make_impute_constant(dp.vector_domain(row), SYMMETRIC, constant)


@for_each(
    ("T", "data", "constant", "expected"),
    [
        (int, [1, None, 10**30], 7, [1, 7, 10**30]),
        (bool, [True, None], False, [True, False]),
        (str, ["", None], "none", ["", "none"]),
        (Fraction, [None, Fraction(1, 3)], 2, [Fraction(2), Fraction(1, 3)]),
        (float, [None, NAN, -0.0, math.inf], 0.5, [0.5, 0.5, -0.0, math.inf]),
    ],
)
def test_missing_rows_become_the_constant(
    T: Any, data: list[Any], constant: Any, expected: list[Any]
) -> None:
    made = impute(dp.option_domain(dp.atom_domain(T=T)), constant)
    assert key(made(data)) == key(expected)
    assert made.output_domain == dp.vector_domain(
        dp.atom_domain(T=T, nan=False if T is float else None)
    )


def test_a_constant_of_a_float_column_is_a_float() -> None:
    assert key(impute(dp.atom_domain(T=float), 3)([NAN])) == key([3.0])


def test_bounds_width_and_size_are_kept() -> None:
    atom = dp.atom_domain((-1.0, 1.0), nan=True)
    made = dp.t.make_impute_constant(dp.vector_domain(atom, size=2), SYMMETRIC, 0)
    assert made.output_domain == dp.vector_domain(dp.atom_domain((-1.0, 1.0)), size=2)
    assert made([NAN, 0.5]) == [0.0, 0.5]
    assert made(numpy.array([NAN, NAN])).tolist() == [0.0, 0.0]
    assert impute(dp.atom_domain(T="f32"), 0.5).output_domain == dp.vector_domain(
        dp.atom_domain(T="f32", nan=False)
    )


@given(st.lists(st.floats()), st.floats(allow_nan=False))
def test_arrays_are_treated_as_lists(rows: list[float], constant: float) -> None:
    made = impute(dp.atom_domain(T=float), constant)
    array = numpy.array(rows, dtype=float)
    result = made(array)
    assert result.dtype == numpy.float64
    assert key(result.tolist()) == key(made(rows))
    assert key(array.tolist()) == key(rows)
    assert not numpy.shares_memory(result, array)


def test_a_million_rows_of_narrow_floats() -> None:
    array = numpy.zeros(10**6, dtype="float16")
    array[::2] = NAN
    result = impute(dp.atom_domain(T=float), 0.1)(array)
    assert result.dtype == numpy.float64
    assert (result[::2] == 0.1).all()
    assert (result[1::2] == 0).all()


def test_every_nan_is_replaced_in_silence() -> None:
    signaling = numpy.array([0x7FA00000, 0xFFC00001], dtype="uint32").view("float32")
    with numpy.errstate(all="raise"):
        assert impute(dp.atom_domain(T=float), 2)(signaling).tolist() == [2.0, 2.0]


def test_without_nan_nothing_happens() -> None:
    made = impute(dp.atom_domain(T=float, nan=False), 3)
    assert made([1.5, math.inf]) == [1.5, math.inf]


def test_a_nan_constant_is_refused() -> None:
    with pytest.raises(dp.OpenDPException, match=r"constant=nan: must.*no NaN"):
        impute(dp.atom_domain(T=float), NAN)


@given(st.lists(st.floats()), st.floats(allow_nan=False))
def test_opendp_gives_the_same(rows: list[float], constant: float) -> None:
    oracle.enable_features("contrib")
    theirs = oracle.t.make_impute_constant(
        oracle.vector_domain(oracle.atom_domain(T=float)),
        oracle.symmetric_distance(),
        constant,
    )
    ours = impute(dp.atom_domain(T=float), constant)
    assert key(ours(rows)) == key(theirs(rows))
    assert ours.map(2) == theirs.map(2)


def is_null(row: Any, metric: Any = SYMMETRIC) -> Any:
    dp.enable_features("contrib")
    return dp.t.make_is_null(dp.vector_domain(row), metric)


@for_each(
    ("T", "data", "expected"),
    [
        (int, [1, None, 10**30, 0], [False, True, False, False]),
        (bool, [False, None], [False, True]),
        (str, ["", None, "nan", "None"], [False, True, False, False]),
        (Fraction, [None, Fraction(1, 3), 2], [True, False, False]),
        (float, [None, NAN, -0.0, math.inf, 3], [True, True, False, False, False]),
    ],
)
def test_missing_rows_are_told_apart(
    T: Any, data: list[Any], expected: list[bool]
) -> None:
    made = is_null(dp.option_domain(dp.atom_domain(T=T)))
    assert key(made(data)) == key(expected)
    assert made([]) == []
    assert made.output_domain == dp.vector_domain(dp.atom_domain(T=bool))


def test_scalars_of_numpy_are_told_as_python_says_it() -> None:
    made = is_null(dp.atom_domain(T=float))
    found = made([numpy.float32("nan"), numpy.float64(1)])
    assert key(found) == key([True, False])
    assert all(type(each) is bool for each in found)


@given(st.lists(st.floats()))
def test_is_null_is_opendps(rows: list[float]) -> None:
    oracle.enable_features("contrib")
    theirs = oracle.t.make_is_null(
        oracle.vector_domain(oracle.atom_domain(T=float)), oracle.symmetric_distance()
    )
    ours = is_null(dp.atom_domain(T=float))
    found = ours(numpy.array(rows, dtype=float))
    assert ours(rows) == theirs(rows) == found.tolist()
    assert found.dtype == bool
    assert ours.map(2) == theirs.map(2)


def test_every_nan_is_found_in_silence() -> None:
    bits = numpy.array([0x7FA00000, 0xFFC00001, 0], dtype="uint32")
    with numpy.errstate(all="raise"):
        found = is_null(dp.atom_domain(T=float))(bits.view("float32"))
    assert found.tolist() == [True, True, False]


@for_each("metric", METRICS, ids=repr)
def test_the_map_of_is_null_is_the_supremum(metric: Any) -> None:
    made = is_null(dp.option_domain(dp.atom_domain(T=float)), metric)
    reached = range(4) if metric in METRICS[:2] else range(3)
    data = data_sets([None, NAN, 0.5], range(4))
    assert suprema(made, data, reached) == [made.map(d) for d in reached]
    assert made.map(math.inf) == math.inf


def drop_null(row: Any, size: int | None = None, metric: Any = SYMMETRIC) -> Any:
    dp.enable_features("contrib")
    return dp.t.make_drop_null(dp.vector_domain(row, size), metric)


@for_each(
    ("T", "data", "expected"),
    [
        (int, [1, None, 10**30, 0], [1, 10**30, 0]),
        (bool, [False, None, True], [False, True]),
        (str, [None, "", "nan"], ["", "nan"]),
        (Fraction, [None, Fraction(1, 3), 2], [Fraction(1, 3), 2]),
        (float, [None, NAN, -0.0, math.inf, 3], [-0.0, math.inf, 3]),
        (float, [None, NAN], []),
        (float, [], []),
    ],
)
def test_missing_rows_are_left_out(
    T: Any, data: list[Any], expected: list[Any]
) -> None:
    made = drop_null(dp.option_domain(dp.atom_domain(T=T)))
    assert key(made(data)) == key(expected)
    nan = False if T is float else None
    assert made.output_domain == dp.vector_domain(dp.atom_domain(T=T, nan=nan))


def test_the_size_is_not_public_afterwards() -> None:
    made = drop_null(dp.atom_domain((-1.0, 1.0), nan=True), size=3)
    assert made([NAN, 0.5, NAN]) == [0.5]
    assert made.output_domain == dp.vector_domain(dp.atom_domain((-1.0, 1.0)))
    assert drop_null(dp.atom_domain(T="f32")).output_domain == dp.vector_domain(
        dp.atom_domain(T="f32", nan=False)
    )


@given(st.lists(st.floats()))
def test_drop_null_is_opendps(rows: list[float]) -> None:
    oracle.enable_features("contrib")
    theirs = oracle.t.make_drop_null(
        oracle.vector_domain(oracle.atom_domain(T=float)), oracle.symmetric_distance()
    )
    ours = drop_null(dp.atom_domain(T=float))
    array = numpy.array(rows, dtype=float)
    found = ours(array)
    assert key(ours(rows)) == key(theirs(rows)) == key(found.tolist())
    assert found.dtype == numpy.float64
    assert not numpy.shares_memory(found, array)
    assert ours.map(3) == theirs.map(3)


def test_narrow_floats_and_signaling_nans_are_left_out_in_silence() -> None:
    bits = numpy.array([0x7FA00000, 0x3F800000, 0xFFC00001], dtype="uint32")
    with numpy.errstate(all="raise"):
        found = drop_null(dp.atom_domain(T=float))(bits.view("float32"))
    assert found.dtype == numpy.float64
    assert found.tolist() == [1.0]


@for_each("metric", METRICS[:2], ids=repr)
@for_each("size", [None, 0, 1, 3])
def test_the_map_of_drop_null_is_the_supremum(metric: Any, size: int | None) -> None:
    made = drop_null(dp.option_domain(dp.atom_domain(T=float)), size, metric)
    data = data_sets([None, NAN, 0.5, 1.5], range(4) if size is None else [size])
    reached = range(4) if size is None else [0, 1, 2, 3, 4, 5, 6, 7, 100, math.inf]
    assert suprema(made, data, [*reached]) == [made.map(d) for d in reached]


@pytest.mark.parametrize("metric", METRICS[2:], ids=repr)
def test_changed_rows_would_change_the_size(metric: Any) -> None:
    assert metric.distance([None, 0.5], [1.5, 0.5]) == 1
    assert metric.distance([0.5], [1.5, 0.5]) == math.inf
    with pytest.raises(dp.OpenDPException, match=r"input_metric=.*then_metric"):
        drop_null(dp.option_domain(dp.atom_domain(T=float)), None, metric)


# Numbers drawn at random


def impute_uniform(
    bounds: Any, row: Any = None, metric: Any = SYMMETRIC, size: int | None = None
) -> Any:
    dp.enable_features("contrib")
    domain = dp.vector_domain(row or dp.atom_domain(T=float), size)
    return dp.t.make_impute_uniform_float(domain, metric, bounds)


@for_each("metric", METRICS)
def test_only_missing_rows_are_drawn(metric: Any) -> None:
    made = impute_uniform((2.0, 3.0), metric=metric)
    assert made.random
    assert made.output_metric == metric
    assert [made.map(d) for d in (0, 1, 7, math.inf)] == [0, 1, 7, math.inf]
    data: list[Any] = [
        NAN,
        -0.0,
        0.0,
        math.inf,
        -math.inf,
        7,
        5e-324,
        numpy.float32(0.5),
    ]
    for rows in (data, numpy.array(data), numpy.array(data, dtype="float16")):
        before = key(rows)
        found: Any = made(rows)
        assert type(found) is type(rows)
        assert key(rows) == before
        assert 2.0 <= found[0] <= 3.0
        assert key(list(found[1:])) == key(list(numpy.array(rows)[1:])) or rows is data
        assert made.output_domain.member(found)
    assert key(made(data)[1:]) == key(data[1:])
    assert key(made([])) == key([])
    assert made(numpy.array([NAN])).dtype == numpy.float64


def test_none_is_drawn_too() -> None:
    made = impute_uniform((2, 3), dp.option_domain(dp.atom_domain(T=float)), size=3)
    found = made([None, NAN, 9.0])
    assert all(2 <= x <= 3 and type(x) is float for x in found[:2])
    assert found[2] == 9.0
    row = dp.atom_domain(T=float, nan=False)
    assert made.output_domain == dp.vector_domain(row, size=3)


def test_the_output_domain_has_the_bounds_and_full_width() -> None:
    bounded = impute_uniform((0.0, 1.0), dp.atom_domain((-1.0, 1.0), nan=True))
    assert bounded.output_domain.element_domain == dp.atom_domain((-1.0, 1.0))
    single = impute_uniform((0.0, 0.1), dp.atom_domain(T="f32"))
    assert single.output_domain.element_domain == dp.atom_domain(T=float, nan=False)
    assert single.output_domain.member(single([NAN]))


def test_bounds_that_opendp_does_not_survive() -> None:
    """OpenDP #2929: infinite bounds end the process there; here they are refused."""
    for bounds in ((0.0, math.inf), (-math.inf, math.inf), (1.0, 1.0)):
        with pytest.raises(dp.OpenDPException, match="different finite numbers"):
            impute_uniform(bounds)
    widest = impute_uniform((-1.7976931348623157e308, 1.7976931348623157e308))
    assert all(map(math.isfinite, widest([NAN] * 300)))
    assert numpy.isfinite(widest(numpy.full(300, NAN))).all()


def test_rows_are_drawn_independently() -> None:
    """Two of 1000 draws from 2^52 and more values agree with probability 1.2e-10."""
    state_flakiness("2.4e-10")
    made = impute_uniform((0.5, 1.0))
    assert len(set(made([NAN] * 1000))) == 1000
    assert len(set(made(numpy.full(1000, NAN)).tolist())) == 1000


def test_one_draw_for_all_rows_has_no_coupling() -> None:
    """A planted fault: what is drawn once for all rows is told by all of them."""
    made = impute_uniform((1.0, 1.0 + 2.0**-51), metric=dp.hamming_distance())

    def together(x: list[float]) -> list[float]:
        drawn = made.function([NAN])[0] if x[0] != x[0] else x[0]
        return [drawn if row != row else row for row in x]

    shared = attrs.evolve(made, function=together)
    left, right = [NAN, NAN, NAN], [5.0, NAN, NAN]
    assert coupling(shared, left, right, depth=20).refuted
    assert coupling(made, left[:2], right[:2], depth=20).holds


def test_uniform_rows_are_opendps() -> None:
    oracle.enable_features("contrib")
    space = (
        oracle.vector_domain(oracle.atom_domain(T=float)),
        oracle.symmetric_distance(),
    )
    theirs = oracle.t.make_impute_uniform_float(*space, (0.0, 1.0))
    ours = impute_uniform((0.0, 1.0))
    assert [ours.map(d) for d in range(4)] == [theirs.map(d) for d in range(4)]
    for made in (ours, theirs):
        found: Any = made([2.5, NAN])
        assert found[0] == 2.5
        assert 0 <= found[1] <= 1
