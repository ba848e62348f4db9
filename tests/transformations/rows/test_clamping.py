from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy
import opendp.prelude as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.data.identity import key
from tests.rows import for_each

SYMMETRIC = dp.symmetric_distance()
INTEGERS = dp.vector_domain(dp.atom_domain(T=int))
FLOATS = dp.vector_domain(dp.atom_domain(T=float, nan=False))
INT64 = (-(2**63), 2**63 - 1)
DTYPES = [f"{kind}{size}" for kind in ("i", "u") for size in (1, 2, 4, 8)] + [">i4"]


def clamp(domain: Any, bounds: Any) -> Any:
    return dp.t.make_clamp(domain, SYMMETRIC, bounds)


def test_rows_beyond_the_bounds_move_to_them() -> None:
    assert clamp(INTEGERS, (0, 10))([-5, 0, 3, 10, 11, 10**40]) == [0, 0, 3, 10, 10, 10]
    data = [-math.inf, -1.0, 0.25, 3, math.inf]
    assert clamp(FLOATS, (-0.5, 2.0))(data) == [-0.5, -0.5, 0.25, 2.0, 2.0]
    rationals = dp.vector_domain(dp.atom_domain(T=Fraction))
    third = Fraction(1, 3)
    assert clamp(rationals, (0, "1/3"))([2, Fraction(1, 4), -1]) == [
        third,
        Fraction(1, 4),
        0,
    ]


def test_rows_come_out_with_the_type_of_the_domain() -> None:
    floats = clamp(FLOATS, (0, 9))([1, numpy.float32(2), 3.0, 99])
    assert [type(x) for x in floats] == [float] * 4
    integers = clamp(INTEGERS, (0, 9))([1, numpy.int8(2), numpy.uint64(2**64 - 1)])
    assert list(map(key, integers)) == list(map(key, [1, 2, 9]))


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-1.0, -0.0), (-1.0, 1.0)])
def test_there_is_one_zero(bounds: Any) -> None:
    data = [-0.0, 0.0] * 20
    made = clamp(FLOATS, bounds)
    zeros = made(data) + made(numpy.array(data)).tolist()
    assert {math.copysign(1, zero) for zero in zeros} == {1.0}
    assert all(zero == 0 for zero in zeros)


def test_the_output_domain_has_the_bounds_and_the_size() -> None:
    made = clamp(dp.vector_domain(dp.atom_domain(T=int), size=4), (0, 10))
    assert made.output_domain == dp.vector_domain(dp.atom_domain((0, 10)), size=4)
    made = clamp(FLOATS, (0, math.inf))
    assert made.output_domain.element_domain.bounds == (0.0, math.inf)
    made = clamp(dp.vector_domain(dp.atom_domain(T="f32", nan=False)), (0, 0.5))
    assert made.output_domain.element_domain == dp.atom_domain((0, 0.5), T="f32")


@for_each(
    ("bounds", "image"),
    [((2, 9), (2, 5)), ((-9, 9), (0, 5)), ((7, 9), (7, 7)), ((-9, -7), (-7, -7))],
)
def test_bounds_of_the_input_are_used(bounds: Any, image: Any) -> None:
    made = clamp(dp.vector_domain(dp.atom_domain((0, 5))), bounds)
    assert made.output_domain.element_domain.bounds == image
    lower, upper = bounds
    expected = [min(max(x, lower), upper) for x in range(6)]
    assert made(list(range(6))) == expected
    assert made(numpy.arange(6)).tolist() == expected


@given(
    dtype=st.sampled_from(DTYPES),
    bounds=st.tuples(st.integers(*INT64), st.integers(*INT64)).map(sorted)
    | st.tuples(st.integers(-300, 300), st.integers(-300, 300)).map(sorted),
    data=st.data(),
)
def test_integer_arrays_are_treated_as_lists(
    dtype: str, bounds: list[int], data: Any
) -> None:
    info = numpy.iinfo(dtype)
    rows = data.draw(
        st.lists(
            st.integers(int(info.min), int(info.max))
            | st.sampled_from([int(info.min), int(info.max)])
        )
    )
    made = clamp(INTEGERS, bounds)
    array = numpy.array(rows, dtype=dtype)
    result = made(array)
    assert result.dtype == numpy.int64
    assert result.tolist() == made(rows)
    assert array.tolist() == rows


@given(
    bounds=st.tuples(st.floats(allow_nan=False), st.floats(allow_nan=False)).map(
        sorted
    ),
    rows=st.lists(st.floats(allow_nan=False)),
)
def test_float_arrays_are_treated_as_lists(
    bounds: list[float], rows: list[float]
) -> None:
    made = clamp(FLOATS, bounds)
    array = numpy.array(rows, dtype=float)
    result = made(array)
    assert result.dtype == numpy.float64
    assert key(result.tolist()) == key(made(rows))
    assert not numpy.shares_memory(result, array)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_bounds_are_not_rounded_to_narrow_floats(dtype: str) -> None:
    array = numpy.array([0.0, 0.1, 5.0], dtype=dtype)
    assert clamp(FLOATS, (0.1, 0.1))(array).tolist() == [0.1] * 3


def test_a_million_rows() -> None:
    array = numpy.arange(-500_000, 500_000)
    result = clamp(INTEGERS, (-3, 10))(array)
    assert (result.min(), result.max(), len(result)) == (-3, 10, 10**6)
    assert array[0] == -500_000
    assert result.sum() == -3 * 499_998 - 2 - 1 + 45 + 10 * (500_000 - 10)


def test_unsigned_rows_above_int64_move_to_the_upper_bound() -> None:
    array = numpy.array([2**64 - 1, 2**63, 2**63 - 1, 5], dtype="uint64")
    assert clamp(INTEGERS, (-1, 10))(array).tolist() == [10, 10, 10, 5]
    top = 2**63 - 1
    assert clamp(INTEGERS, (0, top))(array).tolist() == [top, top, top, 5]


@for_each("dtype", DTYPES)
@for_each(
    ("bounds", "kinds"),
    [
        ((0, 2**63), "iu"),
        ((0, 2**64 - 1), "iu"),
        ((-5, 10**5000), "iu"),
        ((2**63 - 1, 2**63 + 1), "iu"),
        ((2**63, 2**63), "u"),
        ((2**63 + 5, 2**64 + 5), "u"),
        ((2**64 - 1, 10**5000), "u"),
        ((2**64, 2**64 + 5), ""),
        ((-(2**64), -(2**63)), "i"),
        ((-(2**64), -(2**63) - 1), ""),
        ((-(10**5000), 2**63), "iu"),
    ],
)
def test_every_array_is_clamped_to_every_bounds(
    dtype: str, bounds: Any, kinds: str
) -> None:
    """As int64 if that holds all that may come, else as uint64, else as a list."""
    info = numpy.iinfo(dtype)
    near = [int(info.min), int(info.max), 0, 1, 100, int(info.max) - 1]
    made = clamp(INTEGERS, bounds)
    for rows in (near, near[:1], []):
        array = numpy.array(rows, dtype=dtype)
        array.setflags(write=False)
        result = made(array)
        expected = [min(max(x, bounds[0]), bounds[1]) for x in rows]
        assert made(rows) == expected
        if kinds:
            assert result.dtype.kind in kinds
            assert result.dtype.itemsize == 8
            # uint64 only where it must be, whatever the rows are
            ends = [min(max(x, bounds[0]), bounds[1]) for x in near]
            assert result.dtype.kind == ("i" if max(ends) < 2**63 else "u")
            assert result.tolist() == expected
        else:
            assert result == expected
            assert type(result) is list
        assert made.output_domain.member(result)
    assert made.by_rows == bool(kinds)


@pytest.mark.parametrize("bounds", [(0, 2**64), (2**64, 2**65), (-(2**65), -(2**64))])
def test_what_was_clamped_beyond_int64_can_be_released(bounds: Any) -> None:
    space = INTEGERS, SYMMETRIC
    total = space >> dp.t.then_clamp(bounds) >> dp.t.then_sum()
    noisy = total >> dp.m.then_laplace(scale=0)
    some, times = [2**64 - 1, 2**63, 2**63 - 1, 0], 33_000
    rows = some * times  # more than one part
    array = numpy.array(rows, dtype="uint64")
    lower, upper = bounds
    expected = times * sum(min(max(x, lower), upper) for x in some)
    assert total(array) == total(rows) == noisy(array) == expected


@pytest.mark.parametrize("dtype", ["int64", "int8", "uint32"])
def test_wide_bounds_are_allowed_where_the_dtype_is_narrow(dtype: str) -> None:
    array = numpy.array([1, 100], dtype=dtype)
    assert clamp(INTEGERS, (-(2**70), 2**70))(array).tolist() == [1, 100]


@for_each("d_in", [0, 1, 5, math.inf])
def test_no_distance_grows(d_in: Any) -> None:
    for metric in (
        SYMMETRIC,
        dp.insert_delete_distance(),
        dp.change_one_distance(),
        dp.hamming_distance(),
    ):
        assert dp.t.make_clamp(INTEGERS, metric, (0, 1)).map(d_in) == d_in


@given(
    st.lists(st.integers(-(2**31), 2**31 - 1)),
    st.tuples(st.integers(-99, 99), st.integers(-99, 99)).map(sorted),
)
def test_opendp_gives_the_same(rows: list[int], bounds: list[int]) -> None:
    oracle.enable_features("contrib")
    theirs = oracle.t.make_clamp(
        oracle.vector_domain(oracle.atom_domain(T=int)),
        oracle.symmetric_distance(),
        tuple(bounds),  # type: ignore[arg-type]
    )
    ours = clamp(INTEGERS, bounds)
    assert ours(rows) == theirs(rows)
    assert ours.map(3) == theirs.map(3)
