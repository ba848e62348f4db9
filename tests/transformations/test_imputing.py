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
from opendp_lite.core.values.identity import key

SYMMETRIC = dp.symmetric_distance()
FLOATS = dp.vector_domain(dp.atom_domain(T=float))
NAN = math.nan


def impute(row: Any, constant: Any) -> Any:
    return dp.t.make_impute_constant(dp.vector_domain(row), SYMMETRIC, constant)


@pytest.mark.parametrize(
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
