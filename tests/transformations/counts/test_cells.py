"""Ranks by cells are the ranks by comparison, wherever the cuts lie."""

from __future__ import annotations

import math
from bisect import bisect_right
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.transformations.counts.cells import find_cells, ranks_by_cells
from opendp_lite.transformations.counts.tallies import category_counts, cut_counts
from tests.rows import for_each

INF, NAN = math.inf, math.nan
LEFT_AND_RIGHT: Any = ("left", "right")
CUTS = {
    "even": np.linspace(0, 10, 101),
    "far": 2.0**40 + np.arange(50) / 2**10,
    "farther than doubles reach": 2.0**53 + 2 * np.arange(30.0),
    "negative": -np.geomspace(1e6, 1e-6, 40),
    "both signs": np.concatenate([-np.geomspace(1e9, 1, 30), np.geomspace(1, 1e9, 30)]),
    "wide": np.linspace(-8e307, 8e307, 20),
    "repeated": np.repeat(np.arange(20.0), 3),
    "two": np.array([0.0, 1.0]),
    "near zero": np.linspace(-1e-300, 1e-300, 33),
    "one double after the other": 1e300 + np.spacing(1e300) * np.arange(20),
    "one far from the others": np.array([*range(20), 1e30]),
}
NONE = {
    "equal": np.zeros(20),
    "subnormal": np.arange(20) * 5e-324,
    "infinite": np.array([*range(20), INF]),
    "minus infinity": np.array([-INF, *range(20)]),
    "too wide": np.linspace(-1, 1, 20) * 1.7e308,
}


def around(cuts: Any) -> Any:
    """Rows on every cut, next to it, between, far off; zeros, infinities and NaN."""
    step = np.random.default_rng(0).random(500) * 1.2 - 0.1
    with np.errstate(all="ignore"):
        between = cuts[0] + step * (cuts[-1] - cuts[0])
    return np.concatenate(
        [
            *(cuts, np.nextafter(cuts, INF), np.nextafter(cuts, -INF), between, -cuts),
            [0.0, -0.0, INF, -INF, NAN, 5e-324, -5e-324, 1.7e308, -1.7e308],
        ]
    )


def by_hand(data: Any, cuts: Any) -> list[list[int]]:
    return [
        [sum(x < c for x in data.tolist()) for c in cuts.tolist()],
        [sum(x <= c for x in data.tolist()) for c in cuts.tolist()],
    ]


@pytest.mark.parametrize("name", CUTS)
def test_ranks_are_those_by_hand(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr("opendp_lite.base.containers._PART", 100)
    cuts, data = CUTS[name], around(CUTS[name])
    data.setflags(write=False)
    before = data.tobytes()
    for each in (data, data[::-1], data[: 3 * 100]):
        assert ranks_by_cells(each, cuts, LEFT_AND_RIGHT) == by_hand(each, cuts)
    assert data.tobytes() == before
    assert ranks_by_cells(data[:0], cuts, ["left"]) == [[0] * len(cuts)]
    assert (
        ranks_by_cells(data.astype(">f8"), cuts, ["right"]) == by_hand(data, cuts)[1:]
    )


@pytest.mark.parametrize("dtype", ["f2", "f4"])
def test_narrow_floats_are_compared_as_doubles(dtype: str) -> None:
    """The ends of the cells are no float32, and a row must not leave them."""
    cuts = np.linspace(0.1, 1000.3, 30)
    with np.errstate(all="ignore"):
        data = around(cuts).astype(dtype)
    assert ranks_by_cells(data, cuts, LEFT_AND_RIGHT) == by_hand(data, cuts)


@for_each("name", NONE)
def test_some_cuts_leave_no_cells(name: str) -> None:
    with np.errstate(all="ignore"):
        assert find_cells(NONE[name]) is None
    assert ranks_by_cells(np.zeros(5), NONE[name], ["left"]) is None


@given(
    st.lists(st.floats(allow_nan=False), min_size=2, max_size=30).map(sorted),
    st.lists(st.floats(), max_size=30),
)
def test_any_cuts_and_rows(listed: list[float], rows: list[float]) -> None:
    cuts, data = np.array(listed), np.array([*listed, *rows])
    found = ranks_by_cells(data, cuts, LEFT_AND_RIGHT)
    assert found is None or found == by_hand(data, cuts)


@given(st.lists(st.floats(), min_size=1, max_size=40))
def test_places_never_decrease_and_stay_inside(rows: list[float]) -> None:
    for cuts in CUTS.values():
        cells = find_cells(cuts)
        assert cells is not None
        with np.errstate(all="ignore"):
            places = cells.places(np.sort(np.array([*rows, *cuts.tolist()])))
        assert (np.diff(places) >= 0).all()  # NaN comes last
        assert places[0] >= 0
        assert places[-1] < cells.count
        nans = sum(math.isnan(x) for x in rows)
        assert np.count_nonzero(places == cells.count - 1) == nans


def test_ordinary_cuts_have_cells() -> None:
    """However the ends of the cells are rounded. No cut is in a cell at an end."""
    rng = np.random.default_rng(5)
    for number in range(13, 400):
        middle, spread = 10.0 ** rng.integers(-3, 5, 2)
        cuts = np.sort(rng.normal(middle, spread, number))
        cells = find_cells(cuts)
        assert cells is not None
        places = cells.places(cuts)
        assert places[0] > 0
        assert places[-1] < cells.count - 2


def test_few_rows_are_compared() -> None:
    """Of even cuts about one cell in a hundred has one; no cut is in the last cells."""
    for number in (20, 101, 1001):
        cuts = np.linspace(0, 10, number)
        cells = find_cells(cuts)
        assert cells is not None
        assert len(set(cells.places(cuts).tolist())) == number
        assert cells.count >= min(48 * number, 2**16)


@pytest.fixture
def _all_by_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("opendp_lite.transformations.counts.tallies._MANY", 0)


@pytest.mark.usefixtures("_all_by_cells")
@pytest.mark.parametrize("cuts", [*CUTS.values(), *NONE.values()], ids=[*CUTS, *NONE])
def test_counts_of_arrays_are_those_of_lists(cuts: Any) -> None:
    data, listed = around(cuts), sorted(set(cuts.tolist()))
    edges = cuts.tolist()
    below = by_hand(data, cuts)[0]
    wanted = [b - a for a, b in pairwise([0, *below, len(data)])]
    counts = [sum(x == c for x in data.tolist()) for c in listed]
    for form in (data, data.tolist()):
        assert cut_counts(form, edges, float) == wanted
        assert category_counts(form, listed, float) == counts


def test_long_arrays_go_by_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    dp.enable_features("contrib")
    rows = dp.vector_domain(dp.atom_domain(T=float)), dp.symmetric_distance()
    edges = [Fraction(i, 7) for i in range(100)]
    histogram = dp.t.make_histogram(*rows, edges)
    data = np.random.default_rng(1).uniform(-1, 16, 40000)
    asked = []
    real = ranks_by_cells

    def asking(*arguments: Any) -> Any:
        asked.append(len(arguments[0]))
        return real(*arguments)

    name = "opendp_lite.transformations.counts.tallies.ranks_by_cells"
    monkeypatch.setattr(name, asking)
    # The edges up to n / d are those from 0 to the floor of 7 n / d sevenths.
    ratios = (x.as_integer_ratio() for x in data.tolist())
    places = [min(max(7 * n // d + 1, 0), 100) for n, d in ratios]
    assert places[:100] == [bisect_right(edges, x) for x in data[:100].tolist()]
    wanted = np.bincount(places).tolist()
    assert histogram(data) == wanted
    assert asked == [40000]
    assert histogram(data.tolist()) == wanted
    assert asked == [40000, 40000]
    assert histogram(data[:100]) == histogram(data[:100].tolist())
    assert asked == [40000, 40000]
