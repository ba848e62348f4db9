from __future__ import annotations

import json
import math
from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import numpy
import opendp.prelude as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.transformations.sums import totals
from opendp_lite.transformations.sums.totals import (
    _array_spread,
    _near_squares,
    grid_spread,
    grid_steps,
    integer_spread,
)
from tests.longer import shortened
from tests.rows import for_each
from tests.transformations.small_data import pairs_of_images

ADDED = [dp.symmetric_distance(), dp.insert_delete_distance()]
CHANGED = [dp.change_one_distance(), dp.hamming_distance()]
METRICS = ADDED + CHANGED
ORDERED = (ADDED[1], CHANGED[1])
LARGEST = 1.7976931348623157e308
DATA = Path(__file__).parents[2] / "data" / "moment_vectors.json"
VECTORS = json.loads(DATA.read_text())["vectors"]


pytestmark = pytest.mark.usefixtures("contrib")


def rows(bounds: Any, size: int | None = None, T: Any = None) -> Any:
    return dp.vector_domain(dp.atom_domain(bounds, T=T), size)


def deviations(values: list[Any]) -> Fraction:
    if not values:
        return Fraction(0)
    mean = Fraction(sum(values), len(values))
    counts = Counter(values).items()
    return sum((count * (value - mean) ** 2 for value, count in counts), Fraction(0))


def on_grid(data: list[float], bounds: tuple[float, float], k: int) -> list[int]:
    """Each float in steps of 2^k, by rational arithmetic."""
    g = Fraction(2) ** k
    a, b = math.ceil(Fraction(bounds[0]) / g), math.floor(Fraction(bounds[1]) / g)
    low, high = a * g, b * g
    return [
        round((low if x < low else high if x > high else Fraction(x)) / g) for x in data
    ]


def spread(values: list[int]) -> int:
    counts = Counter(values).items()
    squares, total = sum(c * v * v for v, c in counts), sum(c * v for v, c in counts)
    return len(values) * squares - total**2


# Expected values


def plain(value: Any) -> Any:
    """A number, a list or a short form of one, as the file of vectors writes it."""
    if isinstance(value, dict) and "float" in value:
        return float.fromhex(value["float"])
    if isinstance(value, dict):
        parts = {name: plain(part) for name, part in value["map"]}
        return [parts["first"]] + [parts["rest"]] * (parts["count"] - 1)
    if isinstance(value, list):
        return [plain(each) for each in value]
    return value


def made(vector: dict[str, Any]) -> Any:
    space = vector["space"]
    bounds = tuple(plain(space["bounds"]))
    domain = rows(
        bounds, space.get("size"), {"int": int, "float": float}[space["rows"]]
    )
    ((name, arguments),) = vector["chain"]
    constructors = {
        "make_mean": dp.t.make_mean,
        "make_sum_of_squared_deviations": dp.t.make_sum_of_squared_deviations,
        "make_variance": dp.t.make_variance,
    }
    metric = next(m for m in METRICS if space["metric"] == name_of(m))
    return constructors[name](domain, metric, **arguments)


def name_of(metric: Any) -> str:
    words = type(metric).__name__.removesuffix("Distance")
    parts = "".join(f"_{c.lower()}" if c.isupper() else c for c in words)
    return f"{parts[1:]}_distance"


OF_ROWS = [vector for vector in VECTORS if "rows" in vector["space"]]


@for_each("vector", OF_ROWS, ids=lambda vector: vector["id"])
def test_expected_values(vector: dict[str, Any]) -> None:
    if vector["kind"] == "refused":
        with pytest.raises(dp.OpenDPException) as raised:
            made(vector)
        assert raised.value.variant == vector["expected"]["refused"]
        assert vector["expected"]["names"] in raised.value.message
        return
    expected = Fraction(vector["expected"])
    if vector["kind"] == "map":
        assert made(vector).map(int(vector["d_in"]), exact=True) == expected
    else:
        data = plain(vector["data"])
        assert made(vector)(data) == expected
        if all(abs(x) < 2**63 for x in data):
            assert made(vector)(numpy.array(data)) == expected


def test_no_vector_is_forgotten() -> None:
    assert len(OF_ROWS) == 28


# Maps, compared with all small data sets


def data_sets(universe: Any, sizes: Any, metric: Any) -> list[list[Any]]:
    if metric in ORDERED:
        return [list(x) for n in sizes for x in product(universe, repeat=n)]
    return [list(x) for n in sizes for x in combinations_with_replacement(universe, n)]


def suprema(transformation: Any, sets: list[list[Any]]) -> dict[Any, Fraction]:
    """The greatest difference of outputs within each distance that occurs."""
    pairs = pairs_of_images(transformation, sets, sets)
    found, top = {}, Fraction(0)
    for d in sorted(pairs):
        top = max(top, *(abs(x - y) for x, y in pairs[d]))
        found[d] = top
    return found


@for_each("metric", METRICS, ids=repr)
@for_each("bounds", [(0, 1), (-1, 2), (3, 5)])
def test_maps_of_a_public_size_are_the_greatest_differences(
    bounds: Any, metric: Any
) -> None:
    universe = range(bounds[0], bounds[1] + 1)
    for n in (1, 2, 3) if metric in ORDERED else (1, 2, 3, 4, 5):
        domain = rows(bounds, n)
        sets = data_sets(universe, [n], metric)
        checked = [
            dp.t.make_mean(domain, metric),
            dp.t.make_sum_of_squared_deviations(domain, metric),
            *(dp.t.make_variance(domain, metric, c) for c in range(min(n, 3))),
        ]
        for transformation in checked:
            found = suprema(transformation, sets)
            assert len(found) > 1
            for d, top in found.items():
                assert transformation.map(d, exact=True) == top
            assert transformation.map(math.inf, exact=True) == max(found.values())


@for_each("n", [2, 3, 4, 5])
def test_rows_between_the_ends_are_no_worse(n: int) -> None:
    thirds = [Fraction(i, 3) for i in range(4)]
    domain = rows((Fraction(0), Fraction(1)), n)
    for metric in (ADDED[0], CHANGED[0]):
        total = dp.t.make_sum_of_squared_deviations(domain, metric)
        for d, top in suprema(total, data_sets(thirds, [n], metric)).items():
            assert total.map(d, exact=True) == top


@for_each("metric", METRICS, ids=repr)
def test_without_a_size_the_map_is_the_limit(metric: Any) -> None:
    total = dp.t.make_sum_of_squared_deviations(rows((-1, 2)), metric)
    sizes = range(4) if metric in ORDERED else range(6)
    found = suprema(total, data_sets((-1, 0, 2), sizes, metric))
    assert all(top <= total.map(d, exact=True) for d, top in found.items())
    assert [total.map(d, exact=True) for d in (0, 1, 7)] == [0, 9, 63]
    assert total.map(math.inf) == math.inf
    # One row among many: n / (n + 1) or (n - 1) / n of the map, which is the limit.
    n = 10**6
    same = numpy.full(n, -1)
    other = numpy.append(same if metric in ADDED else same[1:], 2)
    gap = total(other) - total(same)
    assert total.map(1, exact=True) * (n - 1) / n <= gap < total.map(1, exact=True)


@for_each("metric", METRICS, ids=repr)
def test_what_cannot_move_has_the_map_0(metric: Any) -> None:
    for bounds, size in [((5, 5), None), ((5, 5), 3), ((0, 9), 0), ((0, 9), 1)]:
        total = dp.t.make_sum_of_squared_deviations(rows(bounds, size), metric)
        assert [total.map(d) for d in (0, 1, 5, math.inf)] == [0] * 4
    assert dp.t.make_mean(rows((5, 5), 3), metric).map(math.inf) == 0
    assert dp.t.make_variance(rows((0.5, 0.5), 3), metric).map(math.inf) == 0


@pytest.mark.parametrize("make", ["mean", "variance", "sum_of_squared_deviations"])
def test_maps_are_opendps_or_smaller(make: str) -> None:
    oracle.enable_features("contrib")
    constructors: dict[str, Any] = {
        "mean": (dp.t.make_mean, oracle.t.make_mean),
        "variance": (dp.t.make_variance, oracle.t.make_variance),
        "sum_of_squared_deviations": (
            dp.t.make_sum_of_squared_deviations,
            oracle.t.make_sum_of_squared_deviations,
        ),
    }
    ours_of, theirs_of = constructors[make]
    for bounds in [(0.0, 10.0), (-1.0, 3.0)]:
        atom = oracle.atom_domain(bounds=bounds, nan=False)
        space = oracle.vector_domain(atom, size=8), oracle.symmetric_distance()
        theirs, ours = theirs_of(*space), ours_of(rows(bounds, 8), ADDED[0])
        data = [0.5, 1.0, 2.25, 3.0, 0.0, 1.5, 2.0, 0.125]
        assert float(ours(data)) == pytest.approx(theirs(data), rel=1e-12)
        for d_in in (1, 2, 3, 4, 8, 16):
            assert ours.map(d_in) <= theirs.map(d_in)


def test_bounds_far_from_0_do_not_break_the_map() -> None:
    """OpenDP #2923: neighbours whose sums were 63.9 apart, at a map of 40.6."""
    low = 2.0**50
    total = dp.t.make_sum_of_squared_deviations(rows((low, low + 1), 1024), ADDED[0])
    first = numpy.full(1024, low + 0.25)
    second = first.copy()
    second[0] = low + 0.5
    assert abs(total(first) - total(second)) == Fraction(1023, 16384)
    assert total.map(2, exact=True) == Fraction(1023, 1024)


# Functions


@for_each("size", [1, 2, 7, 300, 70_000])
def test_integers_in_lists_and_arrays(size: int) -> None:
    data = [(7 * i * i + 3) % 101 - 50 for i in range(size)]
    domain, expected = rows((-50, 50), size), deviations(data)
    mean = dp.t.make_mean(domain, ADDED[0])
    total = dp.t.make_sum_of_squared_deviations(domain, ADDED[0])
    for x in (data, data[::-1], numpy.array(data), numpy.array(data, "i1")):
        assert mean(x) == Fraction(sum(data), size)
        assert total(x) == expected == Fraction(spread(data), size)
        assert type(mean(x)) is type(total(x)) is Fraction
    if size > 1:
        variance = dp.t.make_variance(domain, ADDED[0])
        assert variance(data) == expected / (size - 1)
        assert dp.t.make_variance(domain, ADDED[0], 0)(data) == expected / size


def test_no_rows_have_no_deviations() -> None:
    for bounds in ((0, 1), (0.0, 1.0), (Fraction(0), Fraction(1))):
        total = dp.t.make_sum_of_squared_deviations(rows(bounds), ADDED[0])
        assert total([]) == 0
        assert type(total([])) is Fraction
    assert total.output_space == (
        dp.atom_domain(T=Fraction),
        dp.absolute_distance(T=Fraction),
    )
    assert dp.t.make_sum_of_squared_deviations(rows((0, 1)), ADDED[0])(
        numpy.array([], "int64")
    ) == Fraction(0)


@given(st.lists(st.fractions(-1, 1) | st.integers(-1, 1), min_size=2, max_size=20))
def test_fractions(data: list[Any]) -> None:
    domain = rows((Fraction(-1), Fraction(1)), len(data))
    dp.enable_features("contrib")
    assert dp.t.make_mean(domain, ADDED[0])(data) == Fraction(sum(data), len(data))
    total = dp.t.make_sum_of_squared_deviations(domain, ADDED[0])
    assert total(data) == deviations(data)
    found = dp.t.make_variance(domain, ADDED[0])(data)
    assert found == deviations(data) / (len(data) - 1)


DTYPES = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i8", ">u2"]
ENDS = [-(2**90), -(2**63) - 1, -(2**63), -(2**40), -129, -5, 0, 1, 127, 256]
ENDS += [2**31, 2**40, 2**40 + 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**90]


@for_each("dtype", DTYPES)
def test_bounds_of_every_size_meet_every_dtype(dtype: str) -> None:
    info = numpy.iinfo(dtype)
    values = [int(info.min), int(info.max), 0, 1, 77, *([3] if info.min == 0 else [-3])]
    array = numpy.array(values * 3, dtype)
    before = array.copy()
    for lower, upper in combinations_with_replacement(ENDS, 2):
        clamped = [min(max(x, lower), upper) for x in values * 3]
        assert integer_spread(array, lower, upper) == spread(clamped)
        assert integer_spread(values * 3, lower, upper) == spread(clamped)
        assert integer_spread(values * 60, lower, upper) == 400 * spread(clamped)
    assert (array == before).all()


# Below, at and above the lengths of a block (2^13) and of a slice (2^17).
COUNTS = [1, 2**13 - 1, 2**13, 2**13 + 1, 3 * 2**13, 5 * 2**13 + 7]
COUNTS += [2**17 - 1, 2**17, 2**17 + 1, 2**18 + 2**13 + 3]


def mostly(count: int, high: int) -> numpy.ndarray[Any, Any]:
    """Integers of which most are high or high - 1, and some 0."""
    array = numpy.full(count, high)
    array[::3] = high - 1
    array[::5] = 0
    return array


HIGHS = [1, 2**26 + 1, 2**40 - 1, 2**40]
GRIDS = (-401, -400, 0, 400, 401)
LONG, FEW = COUNTS[6:], (0, 401)

# How long an array is decides on its slices, and the grid on each of its numbers. So of
# arrays that are longer than a slice the greatest numbers stay, on a grid of each kind.
SQUARES = [
    *product(COUNTS[:6], HIGHS, [GRIDS]),
    *product(LONG, HIGHS[3:], [FEW]),
    *product(LONG, HIGHS, [GRIDS]),
]


@pytest.mark.parametrize(
    ("count", "high", "grids"),
    shortened(SQUARES, *product(LONG, HIGHS, [GRIDS]), parts=3),
    ids=str,
)
def test_squares_are_exact_beyond_64_bits(
    count: int, high: int, grids: tuple[int, ...]
) -> None:
    """Sums of squares up to 2^97 are known modulo 2^64, and by floats."""
    array = mostly(count, high)
    data = array.tolist()
    expected = spread(data)
    assert integer_spread(array, 0, high) == expected
    assert integer_spread(data, 0, high) == expected
    shifted = array - 2**62
    assert integer_spread(shifted, -(2**62), high - 2**62) == expected
    floats = array.astype(float)
    for k in (-400, 0, 400):
        start = math.ldexp(1.25, 52 + k)
        places = partial(made_places, start, k)
        assert _array_spread(floats, places, start, k) == expected
    lows = [-(2**52), 1 - 2**52, -1 - 2**51, -(2**51), 1 - 2**51, 0]
    lows += [end - high for end in (2**51 - 1, 2**51, 2**51 + 1, 2**52 - 1, 2**52)]
    for a in lows:
        for k in grids:
            x = numpy.ldexp(floats + a, k)
            assert grid_spread(x, a, a + high, k) == expected


def made_places(start: float, k: int, chunk: Any) -> Any:
    return start + numpy.ldexp(chunk, k)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    ("count", "high"), [(2**17, 2**40), (2**19, 2**40), (2**17, 2**41), (2**17, 2**44)]
)
def test_squares_are_exact_however_floats_are_rounded(
    count: int, high: int, sign: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of m numbers is rounded m times, by 2^-52 of it, and to the same side."""

    def worst(y: Any) -> float:
        q = sum(c * int(v) ** 2 for v, c in Counter(y.tolist()).items())
        return float(q + sign * (len(y) * q >> 52))

    monkeypatch.setattr(totals, "_near_squares", worst)
    array = mostly(count, high)
    assert integer_spread(array, 0, high) == spread(array.tolist())


@for_each("count", [0, *COUNTS])
def test_every_square_is_in_the_float_sum(count: int) -> None:
    y = numpy.arange(count) % 2**16 + 1.0
    assert _near_squares(y) == sum(int(v) ** 2 for v in y.tolist())


def test_what_a_blas_reports_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some set flags of overflow and division by 0 where there was neither."""

    def reporting(y: Any) -> float:
        numpy.array([1e308]) * 10 / numpy.array([0.0])
        return _near_squares(y)

    monkeypatch.setattr(totals, "_near_squares", reporting)
    with numpy.errstate(all="raise"):
        assert integer_spread(numpy.array([3, 5]), 0, 9) == 4
        for k in (0, 401):
            assert grid_spread(numpy.ldexp([3.0, 5.0], k), 0, 9, k) == 4


SPECIAL = [0.0, -0.0, 5e-324, -5e-324, 1e-300, 0.5, 1.5, 2.5, math.inf, -math.inf]
SPECIAL += [LARGEST, -LARGEST, 1.0, 3.0, 1e300]
BOUNDS = [
    (0.0, 10.0),
    (-1.0, 1.0),
    (2.0**50, 2.0**50 + 1),
    (-(2.0**50) - 1, -(2.0**50)),
    (-0.1, 0.3),
    (1e-30, 1.0),
    (5.0, 5.5),
    (2.0**30, 2.0**30 + 2**-10),
    (-1e6, 1e9),
    (0.1, 0.1 + 2**-50),
    (-LARGEST, LARGEST),
    (0.0, 5e-324),
    (-5e-324, 1e-310),
    (1e300, 1.5e300),
]


@for_each("bounds", BOUNDS)
@for_each("offset", [None, 0, 1, -3, 30])
def test_floats_of_every_size_and_grid(bounds: Any, offset: int | None) -> None:
    """Lists and arrays, ties of the grid and the ends of the floats among the rows."""
    width = Fraction(bounds[1]) - Fraction(bounds[0])
    exponent = width.numerator.bit_length() - width.denominator.bit_length()
    e = exponent if width <= Fraction(2) ** exponent else exponent + 1
    largest = max(map(abs, bounds))
    lowest = max(-1074, math.frexp(largest)[1] - 54)
    k = max(e - 40, lowest)
    if offset is not None:
        k = min(max(k - offset, -1074), 970)
    g = Fraction(2) ** k
    a, b = math.ceil(Fraction(bounds[0]) / g), math.floor(Fraction(bounds[1]) / g)
    assert a <= b
    ties = [float((a + i + Fraction(1, 2)) * g) for i in range(12)]
    near = [math.nextafter(end, to) for end in bounds for to in (math.inf, -math.inf)]
    middle = bounds[0] / 2 + bounds[1] / 2
    data = [*bounds, *near, *ties, middle, *SPECIAL]
    expected = on_grid(data, bounds, k)
    assert list(grid_steps(data, a, b, k)) == expected
    assert grid_spread(data, a, b, k) == spread(expected)
    for array in (numpy.array(data), numpy.array(data, ">f8"), numpy.array(data)[::-1]):
        before = array.copy()
        assert grid_spread(array, a, b, k) == spread(expected)
        assert (array == before).all()
    assert grid_spread(data * 20, a, b, k) == 400 * spread(expected)
    assert grid_spread(numpy.array([]), a, b, k) == grid_spread([], a, b, k) == 0
    inside = [x for x in data if bounds[0] <= x <= bounds[1]]
    domain = rows(bounds, len(inside))
    total = dp.t.make_sum_of_squared_deviations(domain, ADDED[0], k=k)
    found = deviations(on_grid(inside, bounds, k)) * g * g
    assert total(inside) == total(numpy.array(inside)) == found
    if offset is None:
        assert dp.t.make_sum_of_squared_deviations(domain, ADDED[0])(inside) == found
    mean = dp.t.make_mean(domain, ADDED[0], k=k)
    steps = sum(on_grid(inside, bounds, k))
    assert mean(inside) == mean(numpy.array(inside)) == Fraction(steps, len(inside)) * g


STEPS = [-1074, -1023, -600, -540, -512, -401, -400, 400, 401, 463, 480, 600]
STEPS += [969, 970, 971, 972, 1022, 1023]


@for_each("k", STEPS)
def test_the_finest_and_the_coarsest_grids(k: int) -> None:
    """From some k on squares of steps under- or overflow, and then the steps do."""
    g = Fraction(2) ** k
    most = min(math.floor(Fraction(LARGEST) / g), 2**39)  # 2^40 from end to end
    data = [*SPECIAL, float(g), *(float(i * g / 2) for i in (-3, -1, 1, 3))]
    expected = on_grid(data, (float(-most * g), float(most * g)), k)
    for x in (data, numpy.array(data)):
        assert grid_spread(x, -most, most, k) == spread(expected)
        with numpy.errstate(all="raise"):
            assert grid_spread(x, -most, most, k) == spread(expected)


@pytest.mark.parametrize("dtype", ["f2", "f4", ">f4"])
def test_narrow_floats(dtype: str) -> None:
    array = (numpy.arange(70_000) % 1000 / 64).astype(dtype)
    total = dp.t.make_sum_of_squared_deviations(rows((0.0, 16.0)), ADDED[0])
    wide = array.astype("f8")
    assert total(array) == total(wide) == total(wide.tolist())
    assert total(list(array.astype("f4")[:9])) == total(wide[:9])


@pytest.mark.parametrize("make", ["then_mean", "then_variance"])
def test_a_clamp_before_is_absorbed(make: str) -> None:
    """Rows outside, infinities too, are clamped, whether the clamp runs or not."""
    data = [-3.5, 0.25, 7.0, 99.0, math.inf, -math.inf, -0.0]
    steps: dict[str, Any] = {
        "then_mean": dp.t.then_mean(),
        "then_variance": dp.t.then_variance(),
    }
    domain = dp.vector_domain(dp.atom_domain(T=float, nan=False), len(data))
    clamp = (domain, ADDED[0]) >> dp.t.then_clamp((0.0, 10.0))
    chain = clamp >> steps[make]
    bare = steps[make](*clamp.output_space)
    assert chain(data) == chain(numpy.array(data)) == bare(clamp(data))


def test_a_long_array_is_averaged_in_parts() -> None:
    """A mean is a sum of parts: each is divided by the size of the whole."""
    n = 2**17 * 2 + 5
    domain = dp.vector_domain(dp.atom_domain(T=float), n)
    chain = (
        (domain, ADDED[0])
        >> dp.t.then_impute_constant(0.0)
        >> dp.t.then_clamp((0.0, 8.0))
        >> dp.t.then_mean()
    )
    assert chain.merge is sum
    data = numpy.arange(n) % 9
    assert chain(data.astype(float)) == Fraction(int(data.sum()), n)


def test_members_that_are_no_numbers_are_refused() -> None:
    mean = dp.t.make_mean(rows((0.0, 1.0), 2), ADDED[0])
    bad: Any
    for bad in ([True, 0.5], ["0", 0.5], [None, 0.5], [math.nan, 0.5], [0.5], [2.0, 0]):
        with pytest.raises(dp.OpenDPException):
            mean(bad)
    with pytest.raises(dp.OpenDPException):
        mean(numpy.array([0.5, math.nan]))


def test_a_private_mean_takes_one_line() -> None:
    n = 1000
    private = (
        (rows((0.0, 10.0), n), ADDED[0])
        >> dp.t.then_mean()
        >> dp.m.then_laplace(scale=0.01)
    )
    assert private.map(2) == 1.0
    exact = (rows((0.0, 10.0), n), ADDED[0]) >> dp.t.then_mean() >> dp.m.then_laplace(0)
    assert exact([5.0] * n) == 5.0
