from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise
from operator import is_
from typing import Any

import numpy
import opendp.prelude as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.transformations.sums.summands import grid_exponent
from opendp_lite.transformations.sums.totals import grid_total, integer_total, tree_sum
from tests.rows import for_each

ADDED = [dp.symmetric_distance(), dp.insert_delete_distance()]
CHANGED = [dp.change_one_distance(), dp.hamming_distance()]
LARGEST = 1.7976931348623157e308
DISTANCES = (0, 1, 2, 3, 4, 10, 11, 100)


def summer(
    bounds: Any, size: int | None = None, metric: Any = ADDED[0], **k: Any
) -> Any:
    domain = dp.vector_domain(dp.atom_domain(bounds), size)
    return dp.t.make_sum(domain, metric, **k)


def rounded_sum(data: list[float], k: int) -> Fraction:
    """The sum of the floats, each rounded half to even to a multiple of 2^k."""
    g = Fraction(2) ** k
    return sum((round(Fraction(x) / g) for x in data), 0) * g


# Integers


def test_integers_add_up() -> None:
    total = summer((-3, 10))
    assert total([]) == 0
    assert total([1, numpy.int8(2), -3]) == 0
    assert type(total(numpy.array([5, 6]))) is int
    assert total.output_space == (dp.atom_domain(T=int), dp.absolute_distance(T=int))


@for_each("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i8"])
@for_each("largest", [2**8, 2**50 - 1, 2**50, 2**64, 2**90])
def test_no_dtype_overflows(dtype: str, largest: int) -> None:
    info = numpy.iinfo(dtype)
    for value in (int(info.min), int(info.max)):
        rows = 20_000
        array = numpy.full(rows, value, dtype=dtype)
        inside = min(max(value, -largest), largest)
        assert integer_total(array, -largest, largest) == rows * inside


ENDS = [-(2**90), -(2**64), -(2**63) - 1, -(2**63), -(2**31), -129, -5, 0, 1, 127, 256]
ENDS += [2**16, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**90]


@for_each("dtype", ["i1", "u1", ">i2", "u4", "i8", "u8", ">u8"])
def test_bounds_of_every_size_meet_every_dtype(dtype: str) -> None:
    """Rows are brought into the bounds, which may lie beyond all rows of the dtype."""
    info = numpy.iinfo(dtype)
    rows = [int(info.min), int(info.max), 0, 1, 77, *([3] if info.min == 0 else [-3])]
    for array in (numpy.array(rows, dtype), numpy.array(rows * 25_000, dtype)):
        before = array.copy()
        for lower, upper in combinations_with_replacement(ENDS, 2):
            clamped = [min(max(x, lower), upper) for x in rows]
            expected = sum(clamped) * (len(array) // len(rows))
            assert integer_total(array, lower, upper) == expected
        assert (array == before).all()


@for_each("count", [0, 1, 255, 256, 257, 70_000])
def test_lists_of_every_length_and_of_integers_of_every_size(count: int) -> None:
    """Long lists become arrays, unless a row is beyond int64."""
    for kinds in (
        [1, -2, 300],
        [2**63 - 1, -(2**63), 5],
        [2**63, 7],
        [-(2**63) - 1, 2**200, 0],
        [numpy.int8(-3), numpy.uint64(2**63 - 1), 5],
        [numpy.uint64(2**64 - 1), numpy.uint16(9)],
    ):
        rows = (kinds * (count // len(kinds) + 1))[:count]
        before = list(rows)
        for lower, upper in ((-(2**300), 2**300), (-1, 6), (2**63, 2**65), (4, 4)):
            clamped = [min(max(int(x), lower), upper) for x in kinds]  # type: ignore[call-overload]
            whole, rest = divmod(count, len(kinds))
            found = integer_total(rows, lower, upper)
            assert type(found) is int
            assert found == whole * sum(clamped) + sum(clamped[:rest])
        assert all(map(is_, rows, before))


@given(st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_integer_arrays_are_treated_as_lists(rows: list[int]) -> None:
    total = summer((-(2**63), 2**63))
    array = numpy.array(rows, dtype="int64")
    assert total(array) == total(rows) == sum(rows)
    assert array.tolist() == rows


def test_numpy_scalars_in_a_list_do_not_overflow() -> None:
    assert summer((0, 2**63))([numpy.int64(2**63 - 1)] * 3) == 3 * (2**63 - 1)


def test_a_million_integers() -> None:
    array = numpy.arange(10**6)
    assert summer((0, 10**6))(array) == 10**6 * (10**6 - 1) // 2
    assert summer((0, 10**6))(array[::-2]) == sum(range(1, 10**6, 2))


@for_each("metric", ADDED, ids=repr)
@for_each("bounds", [(-3, 10), (-10, 3), (5, 5), (0, 0), (-9, -2)])
def test_an_added_row_adds_at_most_the_largest(metric: Any, bounds: Any) -> None:
    largest = max(map(abs, bounds))
    total = summer(bounds, metric=metric)
    assert [total.map(d) for d in DISTANCES] == [d * largest for d in DISTANCES]
    assert total.map(math.inf) == (math.inf if largest else 0)


@for_each("metric", CHANGED, ids=repr)
@for_each("bounds", [(-3, 10), (5, 5), (0, 0), (-9, -2)])
def test_a_changed_row_adds_at_most_the_width(metric: Any, bounds: Any) -> None:
    width = bounds[1] - bounds[0]
    total = summer(bounds, metric=metric)
    assert [total.map(d) for d in DISTANCES] == [d * width for d in DISTANCES]
    # At infinite distance sizes may differ, so that rows which never change add up.
    assert total.map(math.inf) == (0 if bounds == (0, 0) else math.inf)
    sized = summer(bounds, size=3, metric=metric)
    assert [sized.map(d) for d in DISTANCES] == [min(d, 3) * width for d in DISTANCES]
    assert sized.map(math.inf) == 3 * width


@pytest.mark.parametrize("metric", ADDED, ids=repr)
def test_of_a_public_size_rows_are_exchanged(metric: Any) -> None:
    """Half the distance, rounded down, times the whole width (which was truncated once
    in another library), and no more rows than there are."""
    total = summer((-3, 10), size=5, metric=metric)
    expected = [min(d // 2, 5) * 13 for d in DISTANCES]
    assert [total.map(d) for d in DISTANCES] == expected
    assert total.map(math.inf) == 5 * 13
    assert total([10] * 5) - total([-3] * 5) == total.map(10)
    assert summer((-3, 10), size=0, metric=metric).map(math.inf) == 0


@pytest.mark.parametrize("size", [None, 5])
def test_integer_maps_are_opendps_or_smaller(size: int | None) -> None:
    oracle.enable_features("contrib")
    for bounds in [(-3, 10), (-10, 3), (2, 3)]:
        domain = oracle.vector_domain(oracle.atom_domain(bounds=bounds), size=size)
        theirs = oracle.t.make_sum(domain, oracle.symmetric_distance())
        ours = summer(bounds, size)
        assert ours([2, 3, 2, 3, 3]) == theirs([2, 3, 2, 3, 3])
        for d_in in DISTANCES:
            assert ours.map(d_in) <= theirs.map(d_in)
            # Equal until more rows change than there are.
            assert (size is not None and d_in > 10) or ours.map(d_in) == theirs.map(
                d_in
            )


# Fractions


def test_fractions_add_up() -> None:
    total = summer((Fraction(-1, 3), 1))
    assert total([Fraction(1, 3)] * 3 + [1, Fraction(-1, 7)]) == Fraction(13, 7)
    assert type(total([])) is Fraction
    assert total.map(2, exact=True) == 2
    sized = summer((Fraction(-1, 3), 1), size=4)
    assert sized.map(2, exact=True) == Fraction(4, 3)


def test_long_fractions_add_up_as_a_tree() -> None:
    """The length of what is added, which is what an addition of long numbers costs."""

    class Long:
        cost = 0

        def __init__(self, length: int) -> None:
            self.length = length

        def __add__(self, other: Long) -> Long:
            Long.cost += self.length + other.length
            return Long(self.length + other.length)

    for count in (1, 2, 3, 200, 255, 256, 257):
        Long.cost = 0
        assert tree_sum([Long(1) for _ in range(count)]).length == count
        assert Long.cost <= count * (count - 1).bit_length()  # one by one: count^2 / 2


@given(st.lists(st.fractions(0, 1)))
def test_fractions_add_up_as_one_by_one(rows: list[Fraction]) -> None:
    assert summer((Fraction(0), 1))(rows) == sum(rows, Fraction(0))


def test_many_long_fractions_add_up() -> None:
    rows = [Fraction(1, 3**2000 + 2 * i) for i in range(50)]
    total = summer((Fraction(0), 1))(rows)
    assert type(total.numerator) is type(total.denominator) is int
    left = total
    for row in rows:
        left -= row
    assert left == 0


# Floats


def test_floats_add_up_to_a_fraction() -> None:
    total = summer((0.0, 10.0))
    assert total([0.5, 2, numpy.float32(0.25)]) == Fraction(11, 4)
    assert type(total([])) is Fraction
    assert total.output_space == (
        dp.atom_domain(T=Fraction),
        dp.absolute_distance(T=Fraction),
    )


@pytest.mark.parametrize("k", [None, 0, -20])
def test_the_order_of_rows_does_not_matter(k: int | None) -> None:
    rows = [2.0**53] + [1.0] * 1000
    total = summer((0.0, 2.0**53), k=k)
    results = [total(rows), total(rows[::-1]), total(numpy.array(rows))]
    results.append(total(numpy.array(rows[::-1])))
    assert len(set(results)) == 1
    if k is not None:
        assert results[0] == 2**53 + 1000


@given(st.lists(st.floats(-3.7, 10.0) | st.sampled_from([-0.0, 5e-324, 0.5, 1.5, 2.5])))
def test_float_arrays_are_treated_as_lists(rows: list[float]) -> None:
    array = numpy.array(rows, dtype=float)
    narrow = array.astype("float32")
    narrow = narrow[narrow.astype(float) >= -3.7]
    for k in (None, 2, 0, -37, -45, -58, -59, -60, -1000):
        total = summer((-3.7, 10.0), k=k)
        assert total(array) == total(rows) == total(rows[::-1])
        assert array.tolist() == rows
        assert total(narrow) == total(narrow.tolist())


@given(st.lists(st.floats(-8, 8)), st.integers(-1000, 3))
def test_rows_are_rounded_to_the_nearest_multiple(rows: list[float], k: int) -> None:
    """The bounds are multiples of every grid here, so that nothing is clipped."""
    assert summer((-8.0, 8.0), k=k)(rows) == rounded_sum(rows, k)


@given(st.lists(st.floats(-3, 10), max_size=20))
def test_the_sum_moves_by_at_most_half_a_step_a_row(rows: list[float]) -> None:
    for k in (None, -3, 0):
        step = Fraction(2) ** (k if k is not None else 4 - 40)
        moved = summer((-3.0, 10.0), k=k)(rows) - sum(map(Fraction, rows))
        assert abs(moved) <= len(rows) * step / 2


def test_the_finest_grid_rounds_nothing() -> None:
    rows = [0.1, 0.2, 0.3, 5e-324, 1e-300]
    total = summer((0.0, 1.0), k=-1022)
    assert (
        total(rows[:3]) == total(numpy.array(rows[:3])) == sum(map(Fraction, rows[:3]))
    )
    tiny = summer((0.0, 1e-300), k=-1074)
    assert tiny(rows[3:]) == sum(map(Fraction, rows[3:]))


@for_each(
    ("bounds", "k"),
    [
        ((0.0, 10.0), 4 - 40),
        ((-16.0, 10.0), 4 - 40),
        ((-16.1, 10.0), 5 - 40),
        ((0.0, 0.0), 0),
        ((0.0, 5e-324), -1074),
        ((-LARGEST, LARGEST), 1024 - 40),
    ],
)
def test_the_default_grid(bounds: Any, k: int) -> None:
    """A row of one step adds that step, and half a step is rounded to none."""
    total = summer(bounds)
    g = math.ldexp(1.0, k)
    if bounds[1]:
        assert total([g] * 3) == 3 * Fraction(g)
        assert total([g / 2] * 3) == 0
    assert total.map(1, exact=True) <= Fraction(max(map(abs, bounds)))


ONE_SIZE = [(5, ADDED[0]), (5, ADDED[1]), (None, CHANGED[0]), (5, CHANGED[1])]


@for_each(("size", "metric"), ONE_SIZE, ids=repr)
def test_among_data_of_one_size_the_grid_follows_the_width(
    size: int | None, metric: Any
) -> None:
    """With the grid of max(|L|, |U|) = 2^50 + 1 this sum would be a constant."""
    low, high = 2.0**50, 2.0**50 + 1
    total = summer((low, high), size, metric)
    rows = [low, low + 0.25, low + 0.5, high - 0.25, high]
    exact = sum(map(Fraction, rows))
    assert total(rows) == total(numpy.array(rows)) == exact
    assert total.map(2, exact=True) == (1 if metric in ADDED else 2)
    assert total([high] * 5) - total([low] * 5) == 5
    # Rows that are added count from zero, and for them the grid is as it was.
    assert summer((low, high))(rows) == 5 * Fraction(low)


@for_each(
    ("bounds", "added", "changed"),
    [
        ((0.0, 10.0), -36, -36),
        ((-10.0, 10.0), -36, -35),
        ((10.0, 16.0), -36, -37),
        ((-16.0, -10.0), -36, -37),
        ((1024.0, 1025.0), -29, -40),  # to 11 and 0 less 40
        ((2.0**50, 2.0**50 + 1), 11, -3),  # the floats below 2^51 are multiples of 2^-2
        ((2.0**50 - 1, 2.0**50 + 1), 11, -3),  # those below 2^50 are of 2^-3
        ((0.1, 0.1), -55, -57),
        ((0.0, 0.0), -54, -54),
        ((0.0, 5e-324), -1074, -1074),
        ((1.0, 1 + 2**-52), -39, -53),
        ((-LARGEST, LARGEST), 1024 - 40, 1025 - 40),
    ],
)
def test_the_default_exponents(bounds: Any, added: int, changed: int) -> None:
    lower, upper = map(to_mpq, bounds)
    assert grid_exponent(lower, upper, False, None) == added
    assert grid_exponent(lower, upper, True, None) == changed


@st.composite
def narrow_bounds(draw: Any) -> tuple[float, float]:
    lower = draw(st.floats(allow_infinity=False, allow_nan=False))
    steps = draw(st.integers(0, 2 ** draw(st.integers(0, 62))))
    spacing = math.nextafter(lower, math.inf) - lower
    return lower, max(lower, min(lower + steps * spacing, LARGEST))


@given(narrow_bounds(), st.data())
def test_in_one_size_rows_move_by_little_of_the_width(bounds: Any, data: Any) -> None:
    lower, upper = bounds
    rows = data.draw(st.lists(st.floats(lower, upper), min_size=1, max_size=5))
    total = summer(bounds, len(rows))
    moved = total(rows) - sum(map(Fraction, rows))
    width = Fraction(upper) - Fraction(lower)
    assert abs(moved) <= len(rows) * width / 2**39
    assert total(rows) == total(numpy.array(rows))
    rounded = total.map(2, exact=True)
    assert width - width / 2**38 <= rounded <= width


@given(st.tuples(st.floats(allow_infinity=False), st.floats(allow_infinity=False)))
def test_any_finite_bounds_have_a_grid(bounds: tuple[float, float]) -> None:
    lower, upper = sorted(bounds)
    if lower != lower or upper != upper:
        return
    total = summer((lower, upper))
    # Rows at the bounds stay within half a step of 2^-39 of the larger one.
    slack = Fraction(max(abs(lower), abs(upper))) / 2**39 + Fraction(5e-324)
    assert abs(total([lower]) - Fraction(lower)) <= slack
    assert Fraction(lower) <= total([lower]) <= total([upper]) <= Fraction(upper)


def test_narrow_bounds_refine_the_grid() -> None:
    lower, upper = 1 + 2**-52, 1 + 2**-51
    total = summer((lower, upper))
    assert total([lower, upper]) in (2 * Fraction(upper), 2 * Fraction(lower))
    exact = summer((0.1, 0.1))
    assert exact([0.1] * 3) == exact(numpy.full(3, 0.1)) == 3 * Fraction(0.1)


def test_rows_beyond_the_last_multiple_are_clipped() -> None:
    total = summer((-0.75, 1.75), k=0)
    assert total([-0.75, 1.75, 0.5, 1.5]) == 0 + 1 + 0 + 1
    assert total.map(1) == 1.0
    assert summer((-0.75, 1.75), size=4, k=0).map(2) == 1.0


@pytest.mark.parametrize(("bounds", "k"), [((-3.7, 10.3), None), ((-0.75, 1.75), -1)])
def test_float_maps_are_those_of_the_rounded_bounds(bounds: Any, k: int | None) -> None:
    largest = max(abs(Fraction(bound)) for bound in bounds)
    # Largest and width have the same exponent here.
    exponent = exponent_at_least(to_mpq(largest)) - 40 if k is None else k
    g = Fraction(2) ** exponent
    a, b = math.ceil(Fraction(bounds[0]) / g), math.floor(Fraction(bounds[1]) / g)
    for d_in in DISTANCES:
        for metric in ADDED:
            found = summer(bounds, metric=metric, k=k).map(d_in, exact=True)
            assert found == d_in * max(abs(a), abs(b)) * g
            found = summer(bounds, 5, metric, k=k).map(d_in, exact=True)
            assert found == min(d_in // 2, 5) * (b - a) * g
        for metric in CHANGED:
            found = summer(bounds, metric=metric, k=k).map(d_in, exact=True)
            assert found == d_in * (b - a) * g
            found = summer(bounds, 5, metric, k=k).map(d_in, exact=True)
            assert found == min(d_in, 5) * (b - a) * g


@pytest.mark.parametrize("size", [None, 5])
def test_float_maps_are_below_opendps(size: int | None) -> None:
    """OpenDP adds a term for the rounding of float sums; here is none."""
    oracle.enable_features("contrib")
    domain = oracle.vector_domain(oracle.atom_domain(bounds=(-3.0, 10.0)), size=size)
    theirs = oracle.t.make_sum(domain, oracle.symmetric_distance())
    ours = summer((-3.0, 10.0), size)
    for d_in in DISTANCES:
        assert ours.map(d_in) < theirs.map(d_in)
    assert float(ours([0.5, 1.5, 2.0, 3.0, 9.0])) == theirs([0.5, 1.5, 2.0, 3.0, 9.0])


@for_each("dtype", ["float16", "float32", "float64", ">f4"])
def test_a_million_floats(dtype: str) -> None:
    array = (numpy.arange(10**6) % 1000).astype(dtype)
    total = summer((0.0, 1000.0))
    assert total(array) == 1000 * 999 * 500
    assert total(array[::-1]) == total(array)


@for_each("value", [LARGEST, -LARGEST, 1e300, -5e-324])
def test_large_floats_do_not_overflow(value: float) -> None:
    total = summer((-LARGEST, LARGEST))
    count = 20_000
    assert total(numpy.full(count, value)) == count * total([value])
    assert abs(total([value]) - Fraction(value)) < Fraction(2) ** (1024 - 40)


def test_numpys_error_settings_change_nothing() -> None:
    with numpy.errstate(all="raise"):
        assert summer((0.0, 2.0), k=1)(numpy.array([5e-324, 1e-310, 2.0])) == 2


def test_a_bound_can_be_reached() -> None:
    """The maps are tight: for each there are data sets that far apart."""
    total = summer((-3.7, 10.3), size=2, metric=CHANGED[0])
    assert total([10.3, 10.3]) - total([-3.7, -3.7]) == total.map(2, exact=True)
    total = summer((-3.7, 10.3))
    assert total([10.3, 10.3]) - total([]) == total.map(2, exact=True)


def test_a_coarse_grid_never_adds_to_the_map() -> None:
    maps = [summer((0.0, 10.0), k=k).map(1, exact=True) for k in (-10, 0, 2, 3)]
    assert maps == [10, 10, 8, 8]
    assert all(a >= b for a, b in pairwise(maps))


@for_each("largest", [2**40, 2**47 - 1, 2**47, 2**62, 2**70])
def test_every_way_to_add_up_gives_the_same(largest: int) -> None:
    rows = [1e9, -1e9, 0.1, 123456.789, -0.4999] * 16000
    a, b, k = -largest, largest, -10
    assert grid_total(numpy.array(rows), a, b, k) == grid_total(rows, a, b, k)
    # All rows on one side come as near to the end of the words as they can.
    far = math.ldexp(float(min(largest, 2**53)), k)
    for value in (far, -far):
        array = numpy.full(2**16 + 1, value)
        assert grid_total(array, a, b, k) == len(array) * round(value * 1024)


@for_each("sign", [1, -1])
@for_each(
    ("a", "width"),
    [
        (2**50, 2**47 - 1),
        (2**50, 2**47),
        (2**51 - 2**47, 2**47 - 1),  # ends at 2^51 - 1
        (2**51 - 2**47, 2**47 - 2),
        (2**51 - 2**46, 2**46),  # ends at 2^51
        (2**51 - 3, 2),
        (2**50 + 1, 0),
        (2**53 - 2**40, 2**40),
    ],
)
def test_steps_far_from_zero_add_up(a: int, width: int, sign: int) -> None:
    k = -3
    a, b = sorted((sign * a, sign * (a + width)))
    for rows, times in (
        ([float(a)], 2**16 + 1),  # all at one end, as far from the centre as can be
        ([float(b)], 2**16 + 1),
        ([float(a), float(b)], 40_000),
        ([a + 0.5, a - 0.5, a + 1.5, b - 0.5, (a + b) / 2, 0.0, math.inf], 3),
    ):
        array = numpy.array(rows * times) * 2.0**k
        inside = [min(max(x, a), b) for x in rows]
        expected = times * sum(map(round, inside))
        assert grid_total(array, a, b, k) == expected
        assert grid_total([x * 2.0**k for x in inside] * times, a, b, k) == expected


TIES = [-2.5, -1.5, -0.5, -0.0, 0.5, 1.5, 2.5, 0.49999999999999994, 1000.5, 2**46 - 0.5]


@for_each("k", [-1074, -1073, -1022, -60, -1, 0, 1, 900, 970, 971, 975])
def test_halves_go_to_the_even_step_on_every_grid(k: int) -> None:
    rows = [math.ldexp(x, k) for x in TIES]  # on the finest grid they are rounded
    largest = 2**46
    array, g = numpy.array(rows), Fraction(2) ** k
    steps = sum(round(Fraction(x) / g) for x in rows)
    assert grid_total(array, -largest, largest, k) == steps
    assert array.tolist() == rows


@for_each("largest", [0, 1, 2**40, 2**47, 2**62, 2**70])
@for_each("k", [-1074, -1000, -40, 0, 900, 953])
def test_arrays_may_hold_any_floats(largest: int, k: int) -> None:
    """What passes the bounds, also by so much that x / 2^k overflows, ends at them."""
    array = numpy.array(HOSTILE)
    inside = [min(max(x, math.ldexp(-largest, k)), math.ldexp(1, k)) for x in HOSTILE]
    total = grid_total(array, -largest, 1, k)
    assert total == grid_total(inside, -largest, 1, k)
    assert array.tolist() == HOSTILE
    # So may lists, be they short or long.
    exact = sum(round(Fraction(x) / Fraction(2) ** k) for x in inside)
    assert total == exact == grid_total(HOSTILE, -largest, 1, k)
    assert grid_total(HOSTILE * 100, -largest, 1, k) == 100 * exact


@pytest.mark.parametrize("times", [1, 100])
def test_numbers_of_other_types_in_lists_of_floats(times: int) -> None:
    """They are read as the doubles that they are, before they meet the bounds."""
    rows = [numpy.float32(0.1), numpy.float16(0.9), 2**53, -(2**53), numpy.float64(0.3)]
    rows += [numpy.float32(numpy.inf), -numpy.float16(numpy.inf), 0]
    a, b, k = math.ceil(0.1 * 2**40), math.floor(0.9 * 2**40), -40
    expected = grid_total(numpy.array([float(x) for x in rows * times]), a, b, k)  # type: ignore[arg-type]
    assert grid_total(rows * times, a, b, k) == expected


def test_only_a_clamp_to_the_same_bounds_is_absorbed() -> None:
    rows = dp.vector_domain(dp.atom_domain(T=float, nan=False))
    inner = dp.t.make_clamp(rows, dp.symmetric_distance(), (0.0, 1.0))
    wide = dp.vector_domain(dp.atom_domain(bounds=(-5.0, 5.0)))
    outer = dp.t.make_sum(wide, dp.symmetric_distance())
    assert inner.clamps
    assert outer.absorbs_clamp
    chain = dp.c.make_chain_tt(outer, inner)
    assert chain(numpy.array([3.0, -3.0, 0.5])) == Fraction(3, 2)
    assert not chain.clamps
    assert not chain.absorbs_clamp


@pytest.mark.parametrize("T", [int, float, Fraction])
def test_rows_are_clamped_once(T: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of integers and floats, in lists and arrays, the sum alone sees the rows."""
    chain = pipeline(T, (T(0), T(7)))
    clamp, total = chain.steps()
    absorbed = T is not Fraction
    assert clamp.clamps == total.absorbs_clamp == absorbed
    seen: list[Any] = []
    clamped = clamp.function

    def watched(arg: Any) -> Any:
        seen.append(arg)
        return clamped(arg)

    object.__setattr__(clamp, "function", watched)
    chain = dp.c.make_chain_tt(total, clamp)
    for times in (1, 1000):
        rows = [T(-3), T(99), T(5), T(2)] * times
        data = [rows] if T is Fraction else [rows, numpy.array(rows)]
        for each in data:
            assert chain(each) == 14 * times
    assert len(seen) == (0 if absorbed else 2)


@for_each("dtype", ["float16", "float32", ">f4", ">f8"])
def test_narrow_floats_are_not_clipped_to_narrow_bounds(dtype: str) -> None:
    """In binary32 the bounds 0.1 and 0.9 would be other numbers."""
    rows = numpy.array([0.0, 0.1, 0.9, 1.0, 0.3], dtype=dtype)
    a, b, k = math.ceil(0.1 * 2**40), math.floor(0.9 * 2**40), -40
    assert grid_total(rows, a, b, k) == grid_total(rows.tolist(), a, b, k)


HOSTILE = [0.0, -0.0, 5e-324, -5e-324, 1e-310, 0.1, -0.1, 1e308, LARGEST, -LARGEST]
HOSTILE += [math.inf, -math.inf, 49.999999999999996, 50.0, 1 / 3]


def pipeline(T: Any, bounds: Any, size: int | None = None, **k: Any) -> Any:
    atom = dp.atom_domain(T=T, nan=False) if T is float else dp.atom_domain(T=T)
    space = dp.vector_domain(atom, size), dp.symmetric_distance()
    return space >> dp.t.then_clamp(bounds) >> dp.t.then_sum(**k)


def by_hand(chain: Any, array: Any) -> Any:
    """What the chain is proved to return, without parts."""
    clamp, total = chain.steps()
    return total.function(clamp.function(array))


@pytest.fixture(params=[3, 2**17])
def part(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("opendp_lite.base.containers._PART", request.param)
    return request.param


@pytest.mark.usefixtures("part")
@pytest.mark.parametrize("bounds", [(0.0, 50.0), (-0.1, 0.7), (1.0, 2.0), (-3.0, -0.5)])
@pytest.mark.parametrize("k", [None, -3])
def test_a_chain_in_parts_adds_up_the_same_floats(bounds: Any, k: int | None) -> None:
    chain = pipeline(float, bounds, k=k)
    with numpy.errstate(all="ignore"):
        for dtype in ("float16", "float32", "float64", ">f8"):
            array = numpy.array(HOSTILE * 3, dtype=dtype)
            for rows in (
                array,
                array[::3],
                array[::-1],
                array[:0],
                array[:1],
                array[3:],
            ):
                rows.setflags(write=False)
                kept = rows.tobytes()
                total = chain(rows)
                assert type(total) is Fraction
                assert total == by_hand(chain, rows) == chain(rows.tolist())
                assert rows.tobytes() == kept


@pytest.mark.usefixtures("part")
@pytest.mark.parametrize("bounds", [(0.0, 50.0), (-0.1, 0.7), (-3.0, -0.5)])
def test_floats_that_were_imputed_add_up_in_parts(bounds: Any) -> None:
    space = dp.vector_domain(dp.atom_domain(T=float)), dp.symmetric_distance()
    clean = space >> dp.t.then_impute_constant(0.25)
    chain = clean >> dp.t.then_clamp(bounds) >> dp.t.then_sum()
    array = numpy.array([*HOSTILE, math.nan] * 3)
    filled = numpy.where(numpy.isnan(array), 0.25, array)
    assert chain(array) == pipeline(float, bounds)(filled) == chain(array.tolist())


@pytest.mark.usefixtures("part")
@pytest.mark.parametrize(
    "bounds",
    [
        (0, 50),
        (-7, 300),
        (-(2**63), 2**63 - 1),
        (2**40, 2**62),
        (-9, -9),
        (-(2**70), 2**70),
        (2**63, 2**63 + 9),
        (2**64, 2**65),
    ],
)
def test_a_chain_in_parts_adds_up_the_same_integers(bounds: Any) -> None:
    chain = pipeline(int, bounds)
    for dtype in ("i1", "u1", "i2", "i4", "u4", "i8", "u8", ">i8", ">u2"):
        info = numpy.iinfo(dtype)
        ends = [info.min, info.max, 0, 1, 100, info.max - 1, info.min + 1]
        array = numpy.array(ends * 3, dtype=dtype)
        for rows in (array, array[::3], array[::-1], array[:0], array[:1]):
            rows.setflags(write=False)
            total = chain(rows)
            assert type(total) is int
            assert total == by_hand(chain, rows) == chain(rows.tolist())


@for_each("rows", [0, 1, 2**17 - 1, 2**17, 2**17 + 1, 3 * 2**17 + 5])
@for_each("T", [int, float])
def test_parts_of_any_number(T: Any, rows: int) -> None:
    generator = numpy.random.default_rng(rows)
    array = generator.integers(-(10**6), 10**6, rows).astype("i8" if T is int else "f8")
    if T is float:
        array /= 7.0
    sized = pipeline(T, (T(-1000), T(30000)), size=rows)
    assert sized(array) == by_hand(sized, array) == sized(array.tolist())


@pytest.mark.parametrize("place", [0, 2**17, 2**18])
def test_nan_is_refused_at_the_door_wherever_it_is(place: int) -> None:
    array = numpy.zeros(2**18 + 1)
    array[place] = math.nan
    with pytest.raises(dp.OpenDPException, match="not a member"):
        pipeline(float, (0.0, 1.0))(array)
    space = dp.vector_domain(dp.atom_domain(T=float)), dp.symmetric_distance()
    imputed = (
        space
        >> dp.t.then_impute_constant(0.5)
        >> dp.t.then_clamp((0.0, 1.0))
        >> dp.t.then_sum()
    )
    assert imputed.merge is sum
    assert imputed(array) == Fraction(1, 2)


def test_a_sum_can_be_released() -> None:
    space = dp.vector_domain(dp.atom_domain(T=float)), dp.symmetric_distance()
    noisy = (
        space
        >> dp.t.then_impute_constant(0.0)
        >> dp.t.then_clamp((0.0, 10.0))
        >> dp.t.then_sum()
        >> dp.m.then_laplace(scale=10.0)
    )
    assert noisy.map(1) == 1.0
    assert isinstance(noisy([1.0, math.nan, math.inf]), float)
