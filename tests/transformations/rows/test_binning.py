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
from tests.rows import for_each
from tests.transformations.small_data import data_sets, suprema

SYMMETRIC = dp.symmetric_distance()
METRICS = [
    SYMMETRIC,
    dp.insert_delete_distance(),
    dp.change_one_distance(),
    dp.hamming_distance(),
]
NAN, INF = math.nan, math.inf


pytestmark = pytest.mark.usefixtures("opendp_contrib")


def rows_of(T: Any) -> Any:
    return dp.vector_domain(dp.atom_domain(T=T))


def find_bin(T: Any, edges: Any) -> Any:
    return dp.t.make_find_bin(rows_of(T), SYMMETRIC, edges)


def bin_of(row: Any, edges: Any) -> int:
    """By definition: how many edges are not above the row, which is exact."""
    return sum(row != row or not row < edge for edge in edges)


@for_each(
    ("T", "edges", "data", "expected"),
    [
        (float, [-0.0, 1], [-5e-324, -0.0, 0.0, 0, 1, 1.0, NAN], [0, 1, 1, 1, 2, 2, 2]),
        (float, [-INF, INF], [-INF, 0.0, INF, NAN], [1, 1, 2, 2]),
        # 1/10 is below the double 0.1, "0.3" above the double 0.3, 10^400 above all.
        (float, ["1/10", "0.3"], [0.1, 0.3, math.nextafter(0.3, 1)], [1, 1, 2]),
        (float, [-(10**400), 10**400], [-INF, -1e308, 1e308, INF], [0, 1, 1, 2]),
        (int, [2**63, 2**64], [2**63 - 1, 2**63, 10**30], [0, 1, 2]),
        (int, [0.2, 0.7, Fraction(3, 2)], [0, 1, 2], [0, 2, 3]),
        (int, [-INF, 0, INF], [-(10**30), 0, 10**30], [1, 2, 2]),
        (Fraction, [0.1, INF], [Fraction(1, 10), Fraction(0.1), 7], [0, 1, 1]),
    ],
)
def test_rows_become_bins(
    T: Any, edges: Any, data: list[Any], expected: list[int]
) -> None:
    made = find_bin(T, edges)
    assert made(data) == expected
    assert made([]) == []
    bins = dp.atom_domain((0, len(edges)), T=int)
    assert made.output_domain == dp.vector_domain(bins)


DTYPES = ["int8", "uint8", "int64", "uint64", ">i8", "float16", "float32", ">f8"]
CUTS: list[Any] = [
    -INF,
    -(2**63) - 1,
    -(2**63),
    -128.5,
    -1,
    0,
    "0.1",
    127,
    127.5,
    255,
    256,
]
CUTS += [2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, INF]
EXACT = [Fraction(each) if each not in (INF, -INF) else each for each in CUTS]


@for_each("dtype", DTYPES)
@for_each("many", [False, True])
def test_bins_of_arrays(dtype: str, many: bool) -> None:
    """Few edges are compared one by one, and many by bisection."""
    between = [Fraction(2**64) + 1 + j for j in range(100)] if many else []
    edges = [*EXACT[:-1], *between, INF]
    kind = numpy.dtype(dtype)
    if kind.kind == "f":
        tiny = numpy.finfo(kind).smallest_subnormal
        some = [NAN, INF, -INF, -0.0, 0, tiny, 0.1, 127, 127.5, 2**53, -128.5]
        with numpy.errstate(over="ignore"):
            array = numpy.array(some, dtype=kind)
    else:
        info = numpy.iinfo(kind)
        array = numpy.array([info.min, 0, 1, 126, 127, info.max - 1, info.max], kind)
    made = find_bin(float if kind.kind == "f" else int, [*CUTS[:-1], *between, INF])
    found = made(array)
    assert found.dtype == numpy.int64
    assert found.tolist() == made(array.tolist())
    assert found.tolist() == [bin_of(row, edges) for row in array.tolist()]


def test_parts_of_a_long_array_stand_in_their_places() -> None:
    array = numpy.arange(3 * 2**17 + 5) % 1000
    for edges in ([10, 500], list(range(0, 1000, 10))):
        expected = numpy.searchsorted(edges, array, "right")
        assert (find_bin(int, edges)(array) == expected).all()


@for_each(
    ("edges", "words"),
    [
        ([], "at least one"),
        ([0, 0], "increasing"),
        ([0.0, -0.0], "increasing"),
        (["0.5", 0.5], "increasing"),
        ([2, 1], "increasing"),
        ([NAN], "not NaN"),
    ],
)
def test_edges_increase(edges: Any, words: str) -> None:
    with pytest.raises(dp.OpenDPException, match=f"edges=.*{words}"):
        find_bin(float, edges)


FLOATS = st.floats() | st.sampled_from([0.5, 1.0])


@given(st.lists(FLOATS), st.sets(st.floats(allow_nan=False), min_size=1))
def test_find_bin_is_opendps(data: list[float], edges: set[float]) -> None:
    chosen = sorted(edges)
    theirs = oracle.t.make_find_bin(
        oracle.vector_domain(oracle.atom_domain(T=float)),
        oracle.symmetric_distance(),
        chosen,
    )
    ours = find_bin(float, chosen)
    assert ours(data) == theirs(data)
    assert ours(numpy.array(data, dtype=float)).tolist() == theirs(data)
    assert ours.map(2) == theirs.map(2)


@for_each("metric", METRICS, ids=repr)
def test_the_map_is_the_supremum(metric: Any) -> None:
    made = dp.t.make_find_bin(rows_of(float), metric, [1.0, 2.0])
    reached = range(4) if metric in METRICS[:2] else range(3)
    data = data_sets([0.0, 1.0, NAN], range(4))
    assert suprema(made, data, reached) == [made.map(d) for d in reached]
    assert made.map(INF) == INF


@pytest.mark.parametrize("make", [dp.t.make_find_bin, dp.t.make_histogram])
def test_an_edge_that_is_a_row_of_data_is_not_shown(make: Any) -> None:
    """Data may be passed by mistake; of one that is no number nothing is said."""
    for edges in ([[8675309]], [0, (8675309, 1)], [{"age": 8675309}]):
        with pytest.raises(dp.OpenDPException, match="edges=<sequence>") as refused:
            make(rows_of(float), SYMMETRIC, edges)
        assert "8675309" not in str(refused.value)
