from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from tests.rows import for_each
from tests.transformations.small_data import pairs_of_images

METRICS = {
    "symmetric_distance": dp.symmetric_distance(),
    "insert_delete_distance": dp.insert_delete_distance(),
    "change_one_distance": dp.change_one_distance(),
    "hamming_distance": dp.hamming_distance(),
}
ORDERED = ("insert_delete_distance", "hamming_distance")
DATA = Path(__file__).parents[2] / "data" / "moment_vectors.json"
VECTORS = [
    vector
    for vector in json.loads(DATA.read_text())["vectors"]
    if "pairs" in vector["space"]
]


pytestmark = pytest.mark.usefixtures("contrib")


def covariance(
    T: type,
    size: int,
    first: Any,
    second: Any,
    ddof: int = 1,
    metric: Any = METRICS["symmetric_distance"],
) -> Any:
    atom = dp.atom_domain(T=T, nan=False) if T is float else dp.atom_domain(T=T)
    domain = dp.vector_domain(dp.vector_domain(atom, 2), size)
    return dp.t.make_covariance(domain, metric, first, second, ddof)


def by_definition(rows: list[tuple[Any, Any]], ddof: int = 1) -> Fraction:
    n = len(rows)
    u, v = (Fraction(sum(row[i] for row in rows), n) for i in (0, 1))
    joint = sum(((row[0] - u) * (row[1] - v) for row in rows), Fraction(0))
    return joint / (n - ddof)


def test_no_vector_is_forgotten() -> None:
    assert len(VECTORS) == 6


@for_each("vector", VECTORS, ids=lambda vector: vector["id"])
def test_expected_values(vector: dict[str, Any]) -> None:
    space = vector["space"]
    ((_, arguments),) = vector["chain"]
    first, second = tuple(arguments["bounds_0"]), tuple(arguments["bounds_1"])
    metric = METRICS[space["metric"]]
    made = covariance(int, space["size"], first, second, arguments["ddof"], metric)
    expected = Fraction(vector["expected"])
    if vector["kind"] == "map":
        assert made.map(int(vector["d_in"]), exact=True) == expected
    else:
        assert made(vector["data"]) == expected


@for_each("name", METRICS)
@for_each("first", [(0, 1), (-1, 1)])
@for_each("second", [(0, 1), (0, 3)])
def test_the_map_is_the_greatest_difference(name: str, first: Any, second: Any) -> None:
    """Over all data sets of corners, within each distance that occurs."""
    corners = [list(pair) for pair in product(first, second)]
    metric = METRICS[name]
    for n in (2, 3) if name in ORDERED else (2, 3, 4, 5):
        some = product(corners, repeat=n)
        sets = some if name in ORDERED else combinations_with_replacement(corners, n)
        data = [list(x) for x in sets]
        for ddof in (0, 1):
            made = covariance(int, n, first, second, ddof, metric)
            pairs = pairs_of_images(made, data, data)
            top = Fraction(0)
            for d in sorted(pairs):
                top = max(top, *(abs(x - y) for x, y in pairs[d]))
                assert made.map(d, exact=True) == top
            assert made.map(math.inf, exact=True) == top


@pytest.mark.parametrize("n", [2, 3])
def test_pairs_between_the_corners_are_no_worse(n: int) -> None:
    halves = [[u, v] for u, v in product([0, Fraction(1, 2), 1], repeat=2)]
    metric = METRICS["change_one_distance"]
    made = covariance(Fraction, n, (0, 1), (0, 1), 1, metric)
    data = [list(x) for x in combinations_with_replacement(halves, n)]
    for d, pairs in pairs_of_images(made, data, data).items():
        assert max(abs(x - y) for x, y in pairs) <= made.map(d, exact=True)


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=2))
def test_entries_are_clamped(rows: list[tuple[int, int]]) -> None:
    dp.enable_features("contrib")
    clamped = [(min(max(u, -4), 5), min(max(v, 0), 7)) for u, v in rows]
    made = covariance(int, len(rows), (-4, 5), (0, 7))
    assert made([list(row) for row in rows]) == by_definition(clamped)
    assert made([numpy.array(row, "i1") for row in rows]) == by_definition(clamped)
    assert made(numpy.array(rows)) == by_definition(clamped)
    assert made(numpy.array(rows, ">i4", order="F")) == by_definition(clamped)
    fractions = [[Fraction(u), v] for u, v in rows]
    made = covariance(Fraction, len(rows), (Fraction(-4), 5), (0, 7))
    assert made(fractions) == by_definition(clamped)


def test_integers_of_every_size() -> None:
    big = 2**70
    made = covariance(int, 3, (-big, big), (-big, big))
    rows = [(big, -big), (2, 3), (-big, 5)]
    assert made([list(row) for row in rows]) == by_definition(rows)
    ends = [numpy.array([2**64 - 1, 0], "u8"), [numpy.int64(-(2**63)), 1], [7, -7]]
    plain = [(2**64 - 1, 0), (-(2**63), 1), (7, -7)]
    assert made(ends) == by_definition(plain)


SPECIAL = [0.0, -0.0, 5e-324, 0.1, 0.3, 1.5, math.inf, -math.inf, 1e308]


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-0.1, 0.3), (2.0**50, 2.0**50 + 1)])
def test_floats_are_rounded_to_the_grid_of_their_column(bounds: Any) -> None:
    """By default 2^-40 of the least power of two above the width, or finer."""
    rows = list(product(SPECIAL, [*SPECIAL, bounds[1], 2.0**50 + 0.25]))
    made = covariance(float, len(rows), (0.0, 10.0), bounds)

    def rounded(x: float, ends: tuple[float, float], k: int) -> Fraction:
        g = Fraction(2) ** k
        a, b = math.ceil(Fraction(ends[0]) / g), math.floor(Fraction(ends[1]) / g)
        if x in (math.inf, -math.inf):
            return (b if x > 0 else a) * g
        return round(max(min(Fraction(x) / g, Fraction(b)), Fraction(a))) * g

    k = {1.0: -40, 0.3: -41, 2.0**50 + 1: -3}[bounds[1]]
    expected = by_definition(
        [(rounded(u, (0.0, 10.0), -36), rounded(v, bounds, k)) for u, v in rows]
    )
    assert made([list(row) for row in rows]) == expected
    assert made([numpy.array(row) for row in rows]) == expected
    assert made(numpy.array(rows)) == expected
    assert made([numpy.array(row, ">f8") for row in rows[::-1]]) == expected


def test_the_covariance_with_itself_is_the_variance() -> None:
    data = [0.1 * i * i % 1.0 for i in range(50)]
    rows = dp.vector_domain(dp.atom_domain((0.0, 1.0)), 50)
    variance = dp.t.make_variance(rows, dp.symmetric_distance())
    made = covariance(float, 50, (0.0, 1.0), (0.0, 1.0))
    assert made([[x, x] for x in data]) == variance(data)
    assert made([[x, 1 - x] for x in data]) < 0


def test_what_cannot_move_has_the_map_0() -> None:
    for d in (0, 1, math.inf):
        assert covariance(int, 5, (3, 3), (0, 9)).map(d) == 0
        assert covariance(int, 1, (0, 3), (0, 9), 0).map(d) == 0


def test_members_that_are_no_pairs_are_refused() -> None:
    made = covariance(float, 2, (0.0, 1.0), (0.0, 1.0))
    bad: Any
    for bad in (
        [[0.5, 0.5]],
        [[0.5], [0.5, 0.5]],
        [[0.5, math.nan], [0.5, 0.5]],
        [[0.5, None], [0.5, 0.5]],
        [[0.5, True], [0.5, 0.5]],
        [["0", 0.5], [0.5, 0.5]],
        [(0.5, 0.5), (0.5, 0.5)],
    ):
        with pytest.raises(dp.OpenDPException):
            made(bad)
