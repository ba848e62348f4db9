"""Long lists of numbers are read into arrays, and counted as short ones are."""

from __future__ import annotations

import math
import struct
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import opendp_lite.prelude as dp
from opendp_lite.data.identity import key
from opendp_lite.transformations.datasets import read_numbers
from tests.rows import for_each

INF, NAN = math.inf, math.nan
SYMMETRIC = dp.symmetric_distance()
INTEGERS: list[Any] = [0, 1, -1, 2**53 + 1, 2**63 - 1, -(2**63)]
INTEGERS += [np.int8(-3), np.uint64(2**63 - 1), np.int64(-(2**63)), np.uint8(255)]
FLOATS: list[Any] = [
    0.0,
    -0.0,
    0.1,
    INF,
    -INF,
    NAN,
    5e-324,
    -1.7e308,
    2**53,
    -(2**53),
    3,
]
FLOATS += [np.float16(0.1), np.float32(0.1), np.float64(-0.0), np.float32(INF)]


pytestmark = pytest.mark.usefixtures("contrib")


@for_each("length", [256, 257, 4095, 4096, 4097, 8192, 8195])
def test_the_numbers_are_the_same_in_their_order(length: int) -> None:
    for T, some in ((int, INTEGERS), (float, FLOATS)):
        data: list[Any] = [some[i * i % len(some)] for i in range(length)]
        before = list(data)
        array = read_numbers(data, T)
        assert array.dtype == np.dtype("int64" if T is int else "float64")
        wanted = [T(x) for x in data]
        if T is int:
            assert array.tolist() == wanted
        else:
            bits = [struct.pack("=d", NAN if x != x else x) for x in wanted]
            found = [struct.pack("=d", NAN if x != x else x) for x in array.tolist()]
            assert found == bits
        assert all(x is y for x, y in zip(data, before, strict=True))


@for_each(
    ("T", "odd"),
    [
        (int, 2**63),
        (int, -(2**63) - 1),
        (int, np.uint64(2**63)),
        (int, 10**400),
        (int, None),
        (float, None),
    ],
)
@for_each("place", [0, 300, 4099])
def test_what_does_not_fit_is_not_read(T: Any, odd: Any, place: int) -> None:
    data = [T(1)] * 4100
    assert read_numbers(data, T) is not None
    data[place] = odd
    assert read_numbers(data, T) is None


class Shrinking(list[Any]):
    """A list that loses its last element whenever a part of it is asked for."""

    def __getitem__(self, place: Any) -> Any:
        part = super().__getitem__(place)
        self.pop()
        return part


def test_no_entry_is_left_as_the_memory_was() -> None:
    """A list that another thread makes shorter is left as it is."""
    assert read_numbers(Shrinking([7] * 9000), int) is None
    assert read_numbers(Shrinking([7.0] * 4097), float) is None
    assert read_numbers(Shrinking([7] * 4096), int).tolist() == [7] * 4096


def test_short_lists_and_other_types_are_not_read() -> None:
    assert read_numbers([1] * 255, int) is None
    assert read_numbers([1] * 256, int) is not None
    assert read_numbers([], float) is None
    for T in (bool, str, Fraction):
        assert read_numbers([T(1)] * 1000, T) is None


def rows(T: Any, option: bool = False, nan: bool = False) -> Any:
    atom = dp.atom_domain(T=T, nan=nan) if T is float else dp.atom_domain(T=T)
    return dp.vector_domain(dp.option_domain(atom) if option else atom), SYMMETRIC


# Each is repeated to a long list: near and far integers, some beyond int64, numpy's
# scalars, None, floats of both zeros and ints among floats.
LISTS: list[tuple[type, bool, list[Any]]] = [
    (int, False, [3, -4, 3, 7, np.int8(3), np.uint64(7)]),
    (int, False, [3, 2**40, -(2**62), 3, 0]),
    (int, False, [2**63 - 1, 2**63 - 2, np.uint64(2**63 - 1)]),
    (int, False, [-(2**63), 2**63 - 1, 0]),
    (int, False, [2**63, 5, np.uint64(2**64 - 1), 10**30]),
    (int, False, [0, 2**16, 5]),
    (int, False, [0, 2**16 + 1, 5]),
    (int, True, [3, None, -4, 3]),
    (float, False, [0.0, -0.0, 1, 1.5, np.float32(1.5), INF, -INF, 2**53, 0]),
    (float, True, [0.0, None, -0.0, 2]),
    (Fraction, False, [Fraction(1, 3), 2, Fraction(2)]),
    (str, False, ["a", "b", np.str_("a"), ""]),
    (bool, False, [True, False, np.True_]),
]


def plain(T: type, x: Any) -> Any:
    """The value of a row, of the type of the rows; -0.0 is 0.0."""
    x = x.item() if isinstance(x, np.generic) else x
    return None if x is None else T(x) + 0.0 if T is float else T(x)


@for_each(("T", "option", "some"), LISTS)
def test_long_lists_are_counted_by_value(T: Any, option: bool, some: Any) -> None:
    data = some * 90
    counted = Counter(plain(T, x) for x in data)
    found = dp.t.make_count_by(*rows(T, option))(data)
    assert {key(k): v for k, v in found.items()} == {
        key(k): v for k, v in counted.items()
    }
    assert dp.t.make_count_distinct(*rows(T, option))(data) == len(counted)
    values = [value for value in counted if value is not None]
    categories = [*values[::-1], T("z" if T is str else 99)][: 2 if T is bool else 99]
    others = len(data) - sum(counted[each] for each in categories)
    made = dp.t.make_count_by_categories(*rows(T, option), categories)
    assert made(data) == [*(counted[each] for each in categories), others]


@for_each(
    ("T", "some"),
    [(T, some) for T, option, some in LISTS if not option and T not in (str, bool)],
)
@for_each("many", [3, 20])
def test_long_lists_between_cuts(T: Any, some: Any, many: int) -> None:
    data = some * 90
    numbers = [plain(T, x) for x in data]
    values = sorted(set(numbers))
    far = [T(10**31 + i) if T is not float else 1e300 * (i + 1) for i in range(many)]
    cuts = sorted({*values, *far})
    ranks = [sum(x < cut for x in numbers) for cut in cuts]
    last = len(data) - ranks[-1]
    counts = [b - a for a, b in zip([0, *ranks], ranks, strict=False)]
    assert dp.t.make_histogram(*rows(T), cuts)(data) == [*counts, last]
    scores = dp.t.make_quantile_score_candidates(*rows(T), cuts, "1/3")(data)
    above = [sum(x > cut for x in numbers) for cut in cuts]
    pairs = zip(ranks, above, strict=True)
    assert scores == [abs(2 * less - more) for less, more in pairs]


def test_nan_among_long_lists() -> None:
    data = [NAN, 1.0, float("nan"), 2, -0.0, 0.0] * 90
    space = rows(float, nan=True)
    assert dp.t.make_count_distinct(*space)(data) == 4
    assert dp.t.make_histogram(*space, [0, 1.5])(data) == [0, 270, 270]
    assert dp.t.make_count_by_categories(*space, [1, 0])(data) == [90, 180, 270]


class Own(int):
    """An integer that is no int."""


@for_each("odd", [True, np.True_, Own(1), 1.0, None, "1", [1], NAN])
def test_long_lists_with_a_row_of_another_kind_are_refused(odd: Any) -> None:
    for make in (dp.t.make_count_by, dp.t.make_count_distinct):
        with pytest.raises(dp.OpenDPException):
            make(*rows(int))([1] * 500 + [odd])
    if type(odd) is not float or odd != odd:
        for T in (int, float):
            made = dp.t.make_quantile_score_candidates(*rows(T), [T(0), T(1)], 0.5)
            with pytest.raises(dp.OpenDPException):
                made([1] * 500 + [odd])
