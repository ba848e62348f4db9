"""Positions of rows among categories: arrays of every dtype against a dictionary."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from opendp_lite.measurements.responses.response_column import (
    category_array,
    encode_categories,
)
from tests.rows import for_each

INTEGERS = [0, 1, -1, 255, 256, 127, 128, -128, 2**63 - 1, 2**63, 2**64 - 1, -(2**63)]
INTEGERS += [10**40]
TEXTS = ["a", "a ", "a\0b", "\ud800", "", "\U0001d7d9", "b" * 9, "\xe9", "e\u0301"]
TEXTS += ["c", "\U0010ffff"]
NOT_TRUE_OR_FALSE = np.array([0, 1, 2, 255], dtype=np.uint8).view(bool)


def check(array: Any, values: list[Any]) -> None:
    positions = {value: i for i, value in enumerate(values)}
    expected = [positions.get(row, -1) for row in array.tolist()]
    before = array.tobytes()
    codes = encode_categories(array, values)
    assert codes.tolist() == expected
    assert codes.dtype in (np.int8, np.int64)
    assert array.tobytes() == before


@for_each("dtype", ["int8", "uint8", ">i4", "int64", "uint64", ">u8", "uint16"])
@for_each(
    "values",
    [
        INTEGERS,
        INTEGERS[:5],
        INTEGERS[:8],
        [10**40, -1],
        [10**40 + i for i in range(40)],
        [*range(-20, 20), *INTEGERS[3:]],
    ],
)
def test_integers_of_any_dtype(dtype: str, values: list[int]) -> None:
    ends = np.iinfo(dtype)
    rows = [x for x in [*INTEGERS, 2, 3] if ends.min <= x <= ends.max]
    array = np.array(rows, dtype=dtype)
    check(array, values)
    check(array[::-2], values)
    check(array[:0], values)


@for_each("values", [TEXTS[:5], TEXTS[:6], TEXTS, [*TEXTS, "a\0", "\0"], ["\0", "b"]])
def test_text(values: list[str]) -> None:
    """Text that numpy cannot hold matches nothing; spaces and NULs inside count."""
    wide = np.array([*TEXTS, "a  ", "a\t", " a", "z", "a\0\0", "A"])
    empty = np.zeros(4, dtype=[("x", "U0"), ("y", "i1")])["x"]
    narrow = wide.astype("U2")
    for array in (wide, wide[::2], narrow, wide.astype(">U9"), wide[:0], empty):
        check(array, values)
    assert empty.dtype.itemsize == 0


@pytest.mark.parametrize("values", [[True, False], [False, True]])
def test_truth_values(values: list[bool]) -> None:
    """A byte that is neither 0 nor 1 is true, as it is for Python."""
    check(NOT_TRUE_OR_FALSE, values)
    check(NOT_TRUE_OR_FALSE[::2], values)


def test_a_file_in_memory(tmp_path: Any) -> None:
    file = np.memmap(tmp_path / "rows", dtype=np.int16, mode="w+", shape=(3,))
    file[:] = [5, 3, 4]
    found = encode_categories(file, [3, 5])
    assert type(found) is np.ndarray
    assert found.tolist() == [1, 0, -1]


@for_each(
    ("values", "dtype"),
    [
        ([True, False], "bool"),
        ([3, -(2**63), 2**63 - 1], "int64"),
        ([3, 2**63], None),
        ([-(2**63) - 1, 3], None),
        (["", "\ud800"], "<U1"),
        (["abc", "a\0b", "d "], "<U3"),
        (["a", "a\0"], None),
        (["a", "\0"], None),
    ],
)
def test_the_array_of_the_categories_is_exact(values: Any, dtype: str | None) -> None:
    array = category_array(values)
    if dtype is None:
        assert array is None
    else:
        assert array.dtype == np.dtype(dtype)
        assert array.tolist() == values
