"""When two values are the same value."""

from __future__ import annotations

import copy
import itertools
import math
import struct
from collections import OrderedDict
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.core.containers import (
    all_of_type,
    array_extremes,
    has_nan,
    is_array,
    native,
    rows,
)
from opendp_lite.core.identity import key

DIFFERENT: list[Any] = [
    None,
    False,
    True,
    0,
    1,
    0.0,
    -0.0,
    1.0,
    math.nan,
    math.inf,
    -math.inf,
    5e-324,
    Fraction(0),
    Fraction(1),
    "",
    "0",
    "é",
    "e\u0301",
    b"",
    b"0",
    (),
    [],
    {},
    (0,),
    [0],
    [0.0],
    [-0.0],
    [False],
    [[0]],
    [(0,)],
    {0: 1},
    {0: True},
    {0.0: 1},
    {False: 1},
    {"0": 1},
    {0: [1]},
    {0: (1,)},
    2**53,
    2**53 + 1,
    float(2**53),
    np.array([0]),
    np.array([0], dtype=np.int32),
    np.array([0.0]),
    np.array([-0.0]),
    np.array([[0]]),
    np.array([False]),
    np.array(["0"]),
    np.array([]),
    np.array([], dtype=np.int64),
]


def test_different_values_have_different_keys() -> None:
    keys = [key(value) for value in DIFFERENT]
    for (i, a), (j, b) in itertools.combinations(enumerate(keys), 2):
        assert a != b, (DIFFERENT[i], DIFFERENT[j])
    assert len(set(keys)) == len(keys)


def test_equal_values_have_equal_keys() -> None:
    for value in DIFFERENT:
        again = copy.deepcopy(value)
        assert key(again) == key(value)
        assert hash(key(again)) == hash(key(value))
    assert key({1: 2, 3: 4}) == key({3: 4, 1: 2})


def test_every_nan_is_one() -> None:
    payload = struct.unpack(">d", bytes.fromhex("7ff8000000000001"))[0]
    signalling = struct.unpack(">d", bytes.fromhex("fff0000000000001"))[0]
    scalars = [np.float64(math.nan), np.float32(math.nan), np.float16(math.nan)]
    nans = [math.nan, -math.nan, payload, signalling, *scalars]
    assert len({key(each) for each in nans}) == 1
    assert len({key([each]) for each in nans}) == 1
    assert key(np.array([math.nan])) == key(np.array([payload]))


def test_numpy_scalars_are_the_numbers_they_stand_for() -> None:
    assert key(np.int8(1)) == key(1)
    assert key(np.float32(0.5)) == key(0.5)
    assert key(np.float32(0.1)) != key(0.1)
    assert key(np.True_) == key(True)
    assert key(np.str_("a")) == key("a")
    assert key(np.float64(-0.0)) == key(-0.0)
    assert key([np.int64(1)]) == key([1])


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary()
)
NESTED = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner)
        | st.dictionaries(st.text(max_size=1), inner, max_size=2)
    ),
    max_leaves=5,
)


@given(NESTED, NESTED)
def test_keys_are_hashable_and_as_fine_as_equality(x: Any, y: Any) -> None:
    assert hash(key(x)) == hash(key(copy.deepcopy(x)))
    if key(x) == key(y) and "nan" not in repr(x):
        assert x == y
        assert repr(x) == repr(y) or isinstance(x, dict)


def test_containers() -> None:
    assert is_array(np.zeros(2))
    assert not is_array([0])
    assert not is_array(np.float64(0))
    assert not is_array(np.ma.masked_array([1]))
    assert not is_array(OrderedDict())
    assert rows(np.array([1, 2], dtype=np.int8)) == [1, 2]
    assert {type(row) for row in rows([np.int8(1), np.uint64(2), 3])} == {int}
    assert native(np.float32(0.5)) == 0.5
    assert type(native(np.float32(0.5))) is float
    wide = np.longdouble(1)
    assert native(wide) is wide


def test_a_memory_map_is_an_array(tmp_path: Any) -> None:
    mapped = np.memmap(tmp_path / "rows", dtype=np.int64, mode="w+", shape=3)
    assert is_array(mapped)
    assert rows(mapped) == [0, 0, 0]


@pytest.mark.parametrize("count", [1, 5, 31, 32, 33, 1000])
@pytest.mark.parametrize("kind", ["f2", "f4", "f8", ">f8"])
def test_a_nan_is_found_in_arrays_of_every_length(count: int, kind: str) -> None:
    for filled in (0.0, math.inf, -math.inf):
        array = np.full(count, filled, dtype=kind)
        assert not has_nan(array)
        for place in (0, count // 2, count - 1):
            other = array.copy()
            other[place] = math.nan
            with np.errstate(all="raise"):
                assert has_nan(other)


def test_all_of_one_type() -> None:
    assert all_of_type([], int)
    assert all_of_type([1, 2**70], int)
    assert not all_of_type([1, True], int)
    assert not all_of_type([1.0, np.float64(1.0)], float)


def test_extremes_of_arrays() -> None:
    assert array_extremes(np.array([3, -1, 2], dtype=np.int8)) == (-1, 3, False)
    most = np.array([2**64 - 1, 0], dtype=np.uint64)
    assert array_extremes(most) == (0, 2**64 - 1, False)
    assert type(array_extremes(most)[1]) is int
    assert array_extremes(np.array([1.0, math.nan, -2.0])) == (-2.0, 1.0, True)
    signaling = np.array([-100.0, 0.0, 7.0, 0.5])
    signaling.view("u8")[1] = 0x7FF0000000000001
    for array in (signaling, signaling[::-1], signaling[:3], signaling[1:]):
        finite = array[array == array]
        assert array_extremes(array) == (min(finite), max(finite), True)
    least, greatest, some = array_extremes(np.array([math.nan, math.nan]))
    assert math.isnan(least)
    assert math.isnan(greatest)
    assert some
