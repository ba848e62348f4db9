"""Counts by categories and between edges, and of different values: functions, maps."""

from __future__ import annotations

import json
import math
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import opendp.prelude as oracle
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.exact.rationals import to_extended, to_mpq
from opendp_lite.exact.roots import root, squared
from tests.longer import shortened
from tests.rows import for_each
from tests.transformations.small_data import pairs_of_images

pytestmark = pytest.mark.usefixtures("contrib")
INF, NAN = math.inf, math.nan
VECTORS = json.loads(
    (Path(__file__).parents[2] / "data" / "count_vectors.json").read_text()
)["vectors"]
TYPES = {"str": str, "int": int, "float": float}
METRICS = [
    dp.symmetric_distance(),
    dp.insert_delete_distance(),
    dp.change_one_distance(),
    dp.hamming_distance(),
]
NORMS = ["L1Distance<int>", "L2Distance<float>", "LInfDistance<int>"]


def rows(T: Any, size: int | None = None) -> Any:
    return dp.vector_domain(dp.atom_domain(T=T), size=size)


def value(x: Any) -> Any:
    return float.fromhex(x["float"]) if isinstance(x, dict) else x


def expected(x: Any) -> Any:
    return root(to_mpq(x["square"])) if isinstance(x, dict) else to_mpq(x)


def made(vector: dict[str, Any]) -> Any:
    space, ((name, arguments),) = vector["space"], vector["chain"]
    given = {
        key: [value(x) for x in each] if isinstance(each, list) else each
        for key, each in arguments.items()
    }
    metric = getattr(dp, space["metric"])()
    make: Any = {
        "make_count_distinct": dp.t.make_count_distinct,
        "make_count_by_categories": dp.t.make_count_by_categories,
        "make_histogram": dp.t.make_histogram,
    }[name]
    return make(rows(TYPES[space["rows"]], space.get("size")), metric, **given)


@for_each("vector", VECTORS, ids=lambda vector: vector["id"])
def test_vectors(vector: dict[str, Any]) -> None:
    if vector["kind"] == "refused":
        with pytest.raises(dp.OpenDPException) as caught:
            made(vector)
        assert caught.value.variant == vector["expected"]["refused"]
        assert vector["expected"]["names"] in caught.value.message
    elif vector["kind"] == "map":
        found = made(vector).stability_map(int(vector["d_in"]))
        assert found == expected(vector["expected"])
    else:
        data = [value(x) for x in vector["data"]]
        found = made(vector)(data)
        texts = vector["expected"]
        assert found == (
            int(texts) if isinstance(texts, str) else list(map(int, texts))
        )
        assert made(vector)(np.array(data)) == found


# The maps, by all small data sets


def spread(p: Any, left: list[int], right: list[int]) -> Any:
    gaps = [abs(a - b) for a, b in zip(left, right, strict=True)]
    if p == 2:
        return root(mpq(sum(g * g for g in gaps)))
    return sum(gaps) if p == 1 else max(gaps, default=0)


def worst(transformation: Any, metric: Any, data: list[Any], measure: Any) -> Any:
    """The greatest distance of outputs, for each distance of inputs."""
    assert transformation.input_metric == metric
    return {
        d: max(measure(*pair) for pair in pairs)
        for d, pairs in pairs_of_images(transformation, data, data).items()
    }


def check_supremum(transformation: Any, found: dict[Any, Any], reach: int) -> None:
    """The map is nowhere less than what was found, and equal up to `reach`."""
    running: Any = 0
    for d in range(reach + 1):
        running = max(running, found.get(d, 0))
        assert transformation.stability_map(d) == running
    for d, most in found.items():
        assert transformation.stability_map(d) >= most


def small(size: int | None, letters: str, most: int = 4) -> list[list[str]]:
    sizes = range(most + 1) if size is None else [size]
    return [list(x) for n in sizes for x in product(letters, repeat=n)]


@pytest.mark.parametrize("metric", METRICS, ids=repr)
# Without a size all data sets of three rows stay, which reach the map up to there.
@pytest.mark.parametrize(
    ("size", "most"),
    shortened(
        [(None, 3), (None, 4), (0, 0), (1, 1), (2, 2), (3, 3), (4, 4)],
        *[(None, 4), (4, 4)],
        parts=2,
    ),
)
def test_the_map_of_distinct_values_is_the_supremum(
    metric: Any, size: Any, most: int
) -> None:
    count = dp.t.make_count_distinct(rows(str, size), metric)
    changed = metric in METRICS[2:]
    found = worst(count, metric, small(size, "abcd", most), lambda a, b: abs(a - b))
    reach = 9 if size is not None else most - changed
    check_supremum(count, found, reach)
    assert count.map(INF) == (INF if size is None else max(size - 1, 0))


@for_each("metric", METRICS, ids=repr)
@for_each("size", [None, 0, 1, 3])
@for_each("categories", ["ab", "a", ""])
@for_each("others", [True, False])
def test_the_map_of_categories_is_the_supremum(
    metric: Any, size: Any, categories: str, others: bool
) -> None:
    for norm in NORMS:
        check_categories(metric, size, norm, categories, others)


def check_categories(
    metric: Any, size: Any, norm: str, categories: str, others: bool
) -> None:
    counts = dp.t.make_count_by_categories(
        rows(str, size), metric, list(categories), others, MO=norm
    )
    p = {"L1": 1, "L2": 2, "LI": INF}[norm[:2]]
    found = worst(counts, metric, small(size, "abz", 3), lambda a, b: spread(p, a, b))
    check_supremum(counts, found, 7 if size is not None else 3)
    if size is None:
        assert counts.map(INF) == (INF if categories or others else 0)


@for_each("metric", METRICS, ids=repr)
@for_each("size", [None, 0, 1, 3])
@for_each("norm", NORMS)
def test_the_map_of_a_histogram_is_the_supremum(
    metric: Any, size: Any, norm: str
) -> None:
    counts = dp.t.make_histogram(rows(int, size), metric, [0, 2], MO=norm)
    p = {"L1": 1, "L2": 2, "LI": INF}[norm[:2]]
    sizes = range(4) if size is None else [size]
    data = [list(x) for n in sizes for x in product((-1, 0, 2), repeat=n)]
    found = worst(counts, metric, data, lambda a, b: spread(p, a, b))
    check_supremum(counts, found, 7 if size is not None else 3)


def test_rho_of_a_changed_row_is_exact() -> None:
    space = rows(str), dp.change_one_distance()
    counts = space >> dp.t.then_count_by_categories(["a", "b"], MO="L2Distance<int>")
    assert squared(counts.stability_map(3)) == 18
    assert (counts >> dp.m.then_gaussian(scale=1)).check(1, 1)
    assert not (counts >> dp.m.then_gaussian(scale=1)).check(1, "0.999999999999999999")


# The functions


ODD_FLOATS = [0.0, -0.0, 5e-324, -5e-324, 1.0, 1.5, INF, -INF, NAN, 2.0**53, 1e308]
ODD_INTEGERS = [0, 1, -1, 127, -128, 255, 2**63 - 1, -(2**63), 2**53 + 1]


def same(x: Any, y: Any) -> bool:
    return x == y or (x != x and y != y)


def by_hand(data: list[Any]) -> int:
    found: list[Any] = []
    for x in data:
        if not any(same(x, y) for y in found):
            found.append(x)
    return len(found)


@given(st.lists(st.sampled_from(ODD_FLOATS) | st.floats(), max_size=12))
def test_floats_by_value(data: list[float]) -> None:
    space = rows(float), METRICS[0]
    count = dp.t.make_count_distinct(*space)
    assert count(data) == count(np.array(data, float)) == by_hand(data)
    categories = [1.0, -0.0, INF, 5e-324, -1e308]
    counts = dp.t.make_count_by_categories(*space, categories)
    hand = [sum(x == c for x in data) for c in categories]
    hand.append(len(data) - sum(hand))
    assert counts(data) == counts(np.array(data, float)) == hand
    edges: list[Any] = [-INF, Fraction(-1, 10**400), 0, "0.1", 1, INF]
    histogram = dp.t.make_histogram(*space, edges)
    exact = [to_extended(e) for e in edges]
    places = [
        len(edges) if x != x else sum(e <= to_extended(x) for e in exact) for x in data
    ]
    assert histogram(data) == [places.count(i) for i in range(len(edges) + 1)]
    assert histogram(np.array(data, float)) == histogram(data)


@cache  # to make a strategy takes longer than to draw from it
def integers_between(least: int, most: int) -> Any:
    near = st.sampled_from([least, least + 1, most - 1, most])
    return st.lists(near | st.integers(least, most), max_size=12)


@cache
def counters_between(least: int, most: int) -> Any:
    space = rows(int), METRICS[0]
    categories = list(dict.fromkeys([most, 0, least, 2**64, -(2**63) - 1, 5]))
    edges: list[Any] = [-(2**70), least, Fraction(1, 2), 5, most, most + Fraction(1, 3)]
    return (
        dp.t.make_count_distinct(*space),
        categories,
        dp.t.make_count_by_categories(*space, categories, False),
        [Fraction(edge) for edge in sorted(set(edges))],
        dp.t.make_histogram(*space, sorted(set(edges))),
    )


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u4", "i8", "u8", ">i8", ">u2"])
@given(data=st.data())
def test_integers_of_every_type(dtype: str, data: Any) -> None:
    limits = np.iinfo(np.dtype(dtype))
    ends = int(limits.min), int(limits.max)
    listed = data.draw(integers_between(*ends))
    array = np.array(listed, dtype)
    count, categories, counts, cuts, histogram = counters_between(*ends)
    assert count(array) == count(listed) == len(set(listed))
    assert counts(array) == counts(listed) == [listed.count(c) for c in categories]
    places = [sum(e <= x for e in cuts) for x in listed]
    assert histogram(array) == [places.count(i) for i in range(len(cuts) + 1)]
    assert histogram(listed) == histogram(array)


@pytest.mark.parametrize("dtype", ["f2", "f4", ">f8"])
def test_narrow_floats_are_compared_exactly(dtype: str) -> None:
    """float32(0.1) is above 0.1; a cut that was cast to float32 would equal it."""
    array = np.array([0.1, 0.1, 0.5], dtype)
    space = rows(float), METRICS[0]
    edge = math.nextafter(float(array[0]), 1)
    assert dp.t.make_histogram(*space, [edge])(array) == [2, 1]
    counts = dp.t.make_count_by_categories(*space, [edge, float(array[0])])
    assert counts(array) == [0, 2, 1]


@pytest.mark.parametrize("many", [3, 40])
@pytest.mark.parametrize("wide", [10, 2**40])
def test_long_arrays_are_counted_as_lists(
    monkeypatch: pytest.MonkeyPatch, many: int, wide: int
) -> None:
    monkeypatch.setattr("opendp_lite.base.containers._PART", 100)
    generator = np.random.default_rng(many)
    array = generator.integers(-wide, wide, 1050)
    cuts = sorted({int(x) for x in generator.choice(array, many)})
    space = rows(int), METRICS[0]
    counted = Counter(array.tolist())
    below = [sum(x < cut for x in array.tolist()) for cut in cuts]
    others = 1050 - sum(counted[cut] for cut in cuts)
    floats = dp.t.make_histogram(rows(float), METRICS[0], cuts)
    reals = array + generator.random(1050)
    reals[::100] = NAN
    real = [sum(x < cut for x in reals.tolist()) for cut in cuts]
    for form in (list, np.array):
        data: Any = form(array.tolist())
        assert dp.t.make_count_distinct(*space)(data) == len(counted)
        categories = dp.t.make_count_by_categories(*space, cuts[::-1])
        assert categories(data) == [*(counted[cut] for cut in cuts[::-1]), others]
        histogram = dp.t.make_histogram(*space, cuts)
        assert np.cumsum(histogram(data)).tolist() == [*below, 1050]
        assert np.cumsum(floats(form(reals.tolist()))).tolist() == [*real, 1050]


@pytest.mark.parametrize("TOA", [int, "i8", "u8", "i64", float])
def test_parts_are_joined_entry_by_entry(
    monkeypatch: pytest.MonkeyPatch, TOA: Any
) -> None:
    """Each entry stops at the greatest value of the type, in the parts and jointly."""
    space = rows(int), METRICS[0]
    array = np.repeat([0, 5, 9], [100, 30, 300])
    top = {"i8": 127, "u8": 255}.get(TOA, 10**9)
    for then, whole in (
        (dp.t.then_count_by_categories([9, 0], TOA=TOA), [300, 100, 30]),
        (dp.t.then_histogram([1, 7], TOA=TOA), [100, 30, 300]),
    ):
        plain = space >> then
        chain = space >> dp.t.then_clamp((0, 9)) >> then
        assert chain.merge is not None
        for cut in (1, 60, 200, 1000):
            monkeypatch.setattr("opendp_lite.base.containers._PART", cut)
            found = chain(array)
            assert found == plain(array) == [min(each, top) for each in whole]
            assert {type(each) for each in found} == {float if TOA is float else int}
            assert chain.output_domain.member(found)
            assert chain(array[:0]) == [0, 0, 0]
    assert (
        space >> dp.t.then_clamp((0, 9)) >> dp.t.then_count_distinct()
    ).merge is None


def test_floats_stop_where_they_skip_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = dp.t.make_histogram(rows(int), METRICS[0], [0], TOA=float)
    assert counts.merge is not None
    most = 2.0**53
    assert counts.merge(iter([[most, 0.0], [1.0, 2.0]])) == [most, 2.0]
    assert counts.merge(iter([[most - 1, 0.0], [1.0, 2.0]])) == [most, 2.0]


def test_values_of_every_kind() -> None:
    texts = dp.t.make_count_distinct(rows(str), METRICS[0])
    assert texts(["a", "a", "", "A"]) == texts(np.array(["a", "a", "", "A"])) == 3
    truths = dp.t.make_count_distinct(rows(bool), METRICS[0])
    assert truths([True, True, np.False_]) == truths(np.array([True, False, True])) == 2
    assert truths(np.array([], bool)) == truths([]) == 0
    fractions = dp.t.make_count_distinct(rows(Fraction), METRICS[0])
    assert fractions([2, Fraction(2), Fraction(1, 3), Fraction(2, 6)]) == 2
    reals = dp.t.make_count_distinct(rows(float), METRICS[0])
    assert reals([1, 1.0, np.float32(1), NAN, -NAN, np.float64("nan")]) == 2
    options = dp.vector_domain(dp.option_domain(dp.atom_domain(T=float)))
    assert dp.t.make_count_distinct(options, METRICS[0])([None, NAN, None, 0.0]) == 3
    counts = dp.t.make_count_by_categories(options, METRICS[0], [0.0])
    assert counts([None, NAN, -0.0, 0]) == [2, 2]
    truth = dp.t.make_count_by_categories(rows(bool), METRICS[0], [True])
    assert truth([True, False, True]) == truth(np.array([True, False, True])) == [2, 1]
    third = dp.t.make_histogram(rows(Fraction), METRICS[0], ["1/3"])
    assert third([Fraction(1, 3), 0, Fraction(333, 1000)]) == [2, 1]


def test_a_count_of_values_stops_at_its_greatest_value() -> None:
    count = dp.t.make_count_distinct(rows(int), METRICS[0], TO="u8")
    assert [count(list(range(n))) for n in (254, 255, 256, 999)] == [254, 255, 255, 255]


def test_no_categories_at_all() -> None:
    for T in (int, float, str, bool):
        array = np.zeros(3, T)
        counts = dp.t.make_count_by_categories(rows(T), METRICS[0], [])
        assert counts(array) == counts(array.tolist()) == [3]
        nothing = dp.t.make_count_by_categories(rows(T), METRICS[0], [], False)
        assert nothing(array) == nothing(array[:0]) == nothing([]) == []
        assert nothing.merge is not None
        assert nothing.merge(iter([[], []])) == []


def test_counts_come_out_as_lists_of_public_size() -> None:
    counts = dp.t.make_count_by_categories(rows(str), METRICS[0], ("b", "a"))
    assert counts.output_domain == dp.vector_domain(dp.atom_domain(T=int), size=3)
    assert counts.output_metric == dp.l1_distance(T=int)
    array = np.array(["a", "c", "a"])
    assert counts(array) == [0, 2, 1]
    assert array.tolist() == ["a", "c", "a"]


@for_each("null", [True, False])
@for_each("MO", ["L1Distance<int>", "L2Distance<float>"])
def test_counts_and_maps_of_opendp(null: bool, MO: str) -> None:
    oracle.enable_features("contrib")
    theirs = oracle.t.make_count_by_categories(
        oracle.vector_domain(oracle.atom_domain(T=str)),
        oracle.symmetric_distance(),
        ["b", "c", "a"],
        null_category=null,
        MO=MO,
    )
    ours = dp.t.make_count_by_categories(
        rows(str), METRICS[0], ["b", "c", "a"], null, MO
    )
    for data in ([], ["a"], ["a", "b", "z", "z", "b", "y"]):
        assert ours(data) == theirs(data)
    for d_in in range(5):
        assert ours.map(d_in) == theirs.map(d_in)


def test_distinct_values_of_opendp() -> None:
    oracle.enable_features("contrib")
    theirs = oracle.t.make_count_distinct(
        oracle.vector_domain(oracle.atom_domain(T=str)), oracle.symmetric_distance()
    )
    ours = dp.t.make_count_distinct(rows(str), METRICS[0])
    for data in ([], ["a"], ["a", "b", "z", "z", "b", "y"]):
        assert ours(data) == theirs(data)
    for d_in in range(5):
        assert ours.map(d_in) == theirs.map(d_in)


def test_edges_are_exact() -> None:
    """1/10 lies below the double 0.1, and nothing else tells them apart."""
    space = rows(float), METRICS[0]
    assert dp.t.make_histogram(*space, ["0.1"])([0.1, math.nextafter(0.1, 0)]) == [1, 1]
    above = Fraction(0.1) + Fraction(1, 10**40)
    assert dp.t.make_histogram(*space, [above])([0.1, math.nextafter(0.1, 1)]) == [1, 1]
    # No integer lies between these edges, and no double beyond the greatest.
    assert dp.t.make_histogram(rows(int), METRICS[0], ["0.2", "0.5"])([0, 1]) == [
        1,
        0,
        1,
    ]
    assert dp.t.make_histogram(*space, [10**400])([1e308, INF, NAN]) == [1, 2]


def test_every_row_is_in_one_bin() -> None:
    data = np.random.default_rng(1).normal(size=5000)
    for edges in ([0.0], np.linspace(-2, 2, 9), np.linspace(-2, 2, 90)):
        histogram = dp.t.make_histogram(rows(float), METRICS[0], edges)
        counts = histogram(data)
        assert sum(counts) == 5000
        inner = np.histogram(data, [-INF, *edges, INF])[0]
        assert counts == inner.tolist()
    counter = Counter(np.digitize(data, [-1, 1]).tolist())
    found = dp.t.make_histogram(rows(float), METRICS[0], [-1, 1])(data)
    assert found == [counter[i] for i in range(3)]
