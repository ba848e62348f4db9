"""Group-bys: each entry of their maps bounds all small tables, and is reached."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from typing import Any

import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException
from opendp_lite.exact.roots import root
from opendp_lite.tables import cells, grouping
from opendp_lite.tables.cells import Plan
from opendp_lite.tables.expressions import col
from opendp_lite.tables.planning import make_plan, public_keys
from tests.rows import for_each

pytestmark = pytest.mark.usefixtures("_contrib")


@pytest.fixture
def _contrib() -> Iterator[None]:
    dp.enable_features("contrib")
    yield
    dp.disable_features("contrib")


WHOLE = dp.atom_domain(T="i64")
DOMAIN = dp.table_domain(
    {"id": dp.option_domain(WHOLE), "g": WHOLE, "v": WHOLE, "w": dp.atom_domain(T=str)}
)
ID, ROWS, CHANGED = (
    dp.symmetric_id_distance("id"),
    dp.symmetric_distance(),
    dp.change_one_distance(),
)
KEYS = {0: {}, 1: {"g": [0]}, 2: {"g": [0, 1]}}
BOUNDS = [(-1, 2), (1, 2), (0, 0), (2, 2)]


def value(low: int, high: int) -> Any:
    return col("v").clip(low, high)


def table(rows: Any) -> Any:
    names = [name for name, _ in DOMAIN.series]
    rows = list(rows)
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


def all_rows(low: int, high: int, people: Any) -> list[Any]:
    """Rows of a person: keys that are public and one that is not, extreme values."""
    return [
        (person, g, v, "")
        for person in people
        for g in (0, 1, 2)
        for v in sorted({low, high})
    ]


def tables_of(rows: list[Any], most: int) -> list[Any]:
    """All tables of at most so many rows, as multisets."""
    return [
        each
        for size in range(most + 1)
        for each in itertools.combinations_with_replacement(rows, size)
    ]


def pairs_of_people(low: int, high: int) -> Iterator[tuple[Any, Any]]:
    """A person more or fewer beside any other, who may share keys; then a change."""
    one = tables_of(all_rows(low, high, [1]), 3)
    others: list[Any] = [(), ((2, 0, high, ""),), ((None, 0, low, ""), (2, 1, low, ""))]
    for other in others:
        for mine in one[1:]:
            yield other, (*mine, *other)


def pairs_of_rows(low: int, high: int, changed: bool) -> Iterator[tuple[Any, Any]]:
    rows = all_rows(low, high, [1])
    for rest in tables_of(rows, 1):
        if changed:
            for old, new in itertools.product(rows, rows):
                yield (*rest, old), (*rest, new)
        else:
            for new in rows:
                yield rest, (new, *rest)


def farthest(transformation: Any, pairs: Any) -> list[Any]:
    """The greatest distance of each part over all pairs."""
    metric, seen = transformation.output_metric, {}
    single = not isinstance(metric, dp.ProductDistance)

    def run(rows: Any) -> Any:
        if rows not in seen:
            seen[rows] = transformation(table(rows))
        return seen[rows]

    most: list[Any] = []
    for x, y in pairs:
        distance = metric.distance(run(x), run(y))
        distances = [distance] if single else list(distance)
        most = most or [0] * len(distances)
        most = [max(a, b) for a, b in zip(most, distances, strict=True)]
    return most


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize(("low", "high"), BOUNDS)
@pytest.mark.parametrize(
    ("keys", "groups", "rows"), [(0, 1, 2), (1, 2, 1), (2, 1, 2), (2, 2, 1)]
)
def test_people_move_vectors_by_the_map_and_reach_it(
    p: int, low: int, high: int, keys: int, groups: int, rows: int
) -> None:
    made = (DOMAIN, ID) >> dp.t.then_table_group_by(
        KEYS[keys], {"v": value(low, high)}, p=p, rows=rows, groups=groups
    )
    assert farthest(made, pairs_of_people(low, high)) == list(made.stability_map(1))


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize(("low", "high"), BOUNDS)
@pytest.mark.parametrize("keys", [0, 1, 2])
@pytest.mark.parametrize("metric", [ROWS, CHANGED])
def test_rows_move_vectors_by_the_map_and_reach_it(
    p: int, low: int, high: int, keys: int, metric: Any
) -> None:
    made = (DOMAIN, metric) >> dp.t.then_table_group_by(
        KEYS[keys], {"v": value(low, high)}, p=p
    )
    pairs = pairs_of_rows(low, high, metric == CHANGED)
    assert farthest(made, pairs) == list(made.stability_map(1))


@for_each("p", [1, 2])
@for_each("keys", [0, 1, 2])
@for_each("metric", [ID, ROWS, CHANGED])
def test_distinct_values_move_by_the_map_and_reach_it(
    p: int, keys: int, metric: Any
) -> None:
    groups = 2 if metric == ID else 1
    made = (DOMAIN, metric) >> dp.t.then_table_count_distinct(
        KEYS[keys], "v", p=p, groups=groups
    )
    people = pairs_of_people(0, 1)
    pairs = people if metric == ID else pairs_of_rows(0, 1, metric == CHANGED)
    assert farthest(made, pairs) == [made.stability_map(1)]


def bound_too_small(
    plan: Plan, p: int, changes: bool, low: Any, high: Any, m: Any
) -> Any:
    return max(UNIT(plan, p, changes, low, high, m) - 1, 0)


def bound_too_large(
    plan: Plan, p: int, changes: bool, low: Any, high: Any, m: Any
) -> Any:
    return UNIT(plan, p, changes, low, high, m) + 1


UNIT = grouping._unit


@pytest.mark.parametrize("fault", [bound_too_small, bound_too_large])
def test_a_map_that_is_one_off_is_found(
    fault: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grouping, "_unit", fault)
    with pytest.raises(AssertionError):
        test_rows_move_vectors_by_the_map_and_reach_it(2, -1, 2, 2, CHANGED)
    with pytest.raises(AssertionError):
        test_people_move_vectors_by_the_map_and_reach_it(1, -1, 2, 2, 2, 1)


def uncapped(self: Plan, cell: list[list[int]]) -> list[int]:
    return [len(cell), *map(sum, zip(*cell, strict=True))]


def test_people_whose_rows_are_not_capped_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Plan, "_bounded", uncapped)
    with pytest.raises(AssertionError):
        test_people_move_vectors_by_the_map_and_reach_it(1, -1, 2, 2, 1, 2)


def stability(tables: int) -> None:
    """People leave, come and change among many, and rows are shuffled."""
    rng = random.Random(15)
    for _ in range(tables):
        m, c = rng.randrange(1, 4), rng.randrange(1, 4)
        made = (DOMAIN, ID) >> dp.t.then_table_group_by(
            {("g", "w"): [(g, w) for g in (0, 1, 2) for w in "abé"]},
            {"v": value(-3, 5)},
            rows=m,
            groups=c,
            p=rng.choice([1, 2]),
            salt=rng.randrange(99),
        )
        rows = [
            (
                rng.randrange(6),
                rng.randrange(4),
                rng.randrange(-9, 9),
                rng.choice("abcé"),
            )
            for _ in range(40)
        ]
        gone = rng.randrange(6)
        others = [row for row in rows if row[0] != gone]
        new = [(gone, *row[1:]) for row in rng.sample(rows, 5)]
        for after in (others, others + new, rows):
            after = rng.sample(after, len(after))
            x, y = DOMAIN.received(table(rows)), DOMAIN.received(table(after))
            d_in = ID.distance(x, y)
            metric = made.output_metric
            distance = metric.distance(made(x), made(y))
            assert metric.at_most(distance, made.stability_map(d_in))


def test_people_who_leave_come_and_change() -> None:
    stability(60)


def place_by_rank(salt: int, person: Any, cell: tuple[Any, ...]) -> int:
    """Codes that count what was met before, as categories and dense ranks do."""
    MET.setdefault((person, cell), len(MET))
    return MET[person, cell]


MET: dict[Any, int] = {}


def test_codes_by_rank_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of tables with other rows, other cells of the same people are kept."""
    real = Plan.meaning

    def meaning(self: Plan, rows: Any) -> Any:
        MET.clear()
        return real(self, rows)

    monkeypatch.setattr(Plan, "meaning", meaning)
    monkeypatch.setattr(cells, "place", place_by_rank)
    with pytest.raises(AssertionError):
        stability(60)


@for_each(
    ("metric", "given", "d_in", "d_out"),
    [
        (ID, {"rows": 3, "groups": 2}, 2, (4, 12, 24)),
        (ID, {"rows": 3, "groups": 2, "p": 2}, 2, (root(8), root(72), root(288))),
        (ID, {"groups": 4, "p": 2}, 1, (root(2), root(2), root(8))),
        (ID, {}, math.inf, (math.inf,) * 3),
        (ROWS, {"p": 2}, 3, (3, 6)),
        (CHANGED, {"p": 2}, 3, (root(18), 9)),
        (CHANGED, {}, 3, (6, 12)),
        (CHANGED, {}, math.inf, (math.inf,) * 2),
    ],
)
def test_maps(metric: Any, given: Any, d_in: Any, d_out: Any) -> None:
    made = (DOMAIN, metric) >> dp.t.then_table_group_by(
        {"g": [0, 1]}, {"v": value(-1, 2)}, **given
    )
    found = made.stability_map(d_in)
    assert found == d_out
    assert all(type(each) is not mpq or each.denominator == 1 for each in found)


def test_the_number_of_rows_is_known_where_rows_are_changed_without_keys() -> None:
    made = (DOMAIN, CHANGED) >> dp.t.then_table_group_by({}, {"v": value(2, 2)})
    assert made.map(5) == (0, 0)
    assert made.stability_map(math.inf) == (math.inf, math.inf)
    zero = (DOMAIN, CHANGED) >> dp.t.then_table_group_by({}, {"v": value(0, 0)})
    assert zero.stability_map(math.inf) == (math.inf, 0)


def test_a_filter_leaves_no_known_number_of_rows() -> None:
    """Under the change-one distance it makes the symmetric one of twice the rows."""
    made = (
        (DOMAIN, CHANGED)
        >> dp.t.then_table_filter(col("v") > 0)
        >> dp.t.then_table_group_by({}, {})
    )
    assert made.map(1) == (2,)


def test_vectors_are_in_the_order_of_the_keys_and_absent_keys_are_zero() -> None:
    made = (DOMAIN, ROWS) >> dp.t.then_table_group_by(
        {"w": ["b", "a"], "g": [1, 0]}, {"v": value(-9, 9)}
    )
    rows = [(None, 0, 3, "a"), (1, 1, 4, "b"), (1, 1, 4, "b"), (1, 5, 1, "b")]
    assert made(table(rows)) == ([2, 0, 0, 1], [8, 0, 0, 3])
    assert made(table([])) == ([0] * 4, [0] * 4)


def test_tuples_of_columns_stand_for_tuples_of_keys() -> None:
    made = (DOMAIN, ROWS) >> dp.t.then_table_group_by(
        {("w", "g"): [("b", 1), ("a", 0)]}, {}
    )
    rows = [(None, 0, 3, "a"), (1, 1, 4, "b"), (1, 1, 4, "b"), (1, 0, 1, "b")]
    assert made(table(rows)) == ([2, 1],)


def test_floats_are_summed_as_by_make_sum() -> None:
    domain = dp.table_domain({"x": dp.option_domain(dp.atom_domain(T=float))})
    x = col("x").fill_null(0.1).clip(-0.7, 1.3)
    made = (domain, ROWS) >> dp.t.then_table_group_by({}, {"x": x}, k={"x": -5})
    rows = dp.vector_domain(dp.atom_domain(bounds=(-0.7, 1.3)))
    total = dp.t.make_sum(rows, ROWS, k=-5)
    data = [0.5, None, -3.0, 9.9, 0.015625]
    filled = [min(max(0.1 if v is None else v, -0.7), 1.3) for v in data]
    assert made({"x": data})[1] == [total(filled) * 2**5]
    assert made.map(1)[1] == total.map(1) * 2**5


def test_a_measurement_of_all_parts() -> None:
    release = (
        (DOMAIN, ID)
        >> dp.t.then_table_group_by({"g": [0, 1]}, {"v": value(0, 10)}, rows=2)
        >> dp.c.then_product(
            [dp.m.then_laplace(1), dp.m.then_laplace(2), dp.m.then_laplace(20)]
        )
    )
    assert release.map(1) == 3.0
    assert [len(part) for part in release(table([(1, 0, 5, "")]))] == [2, 2, 2]


GOOD: dict[str, Any] = {"keys": {"g": [0, 1]}, "sums": {"v": value(0, 1)}}
WRONG: list[tuple[Any, dict[str, Any], list[str]]] = [
    (ID, {"keys": [0, 1]}, ["keys", "dict"]),
    (ID, {"keys": {"z": [0]}}, ["keys=", "no column", "id, g, v, w"]),
    (ID, {"keys": {"id": [0]}}, ["keys='id'", "fill_null"]),
    (ID, {"keys": {"g": []}}, ["keys['g']", "at least one"]),
    (ID, {"keys": {"g": "01"}}, ["keys['g']", "list"]),
    (ID, {"keys": {"g": [0, 0]}}, ["keys", "no two"]),
    (ID, {"keys": {"g": [0, 1.0]}}, ["keys['g']", "float"]),
    (ID, {"keys": {"g": [0, None]}}, ["keys['g']"]),
    (ID, {"keys": {"g": [True]}}, ["keys['g']"]),
    (ID, {"keys": {"g": [2**63]}}, ["keys['g']"]),
    (ID, {"keys": {"g": ["0"]}}, ["keys['g']"]),
    (ID, {"keys": {"w": ["\ud800"]}}, ["keys['w']", "UTF-8"]),
    (ID, {"keys": {("g", "w"): [(0, "a"), (1,)]}}, ["keys", "tuple of 2"]),
    (ID, {"keys": {("g", "w"): [0]}}, ["keys", "tuple of 2"]),
    (ID, {"keys": {"g": [0], ("g", "w"): [(0, "a")]}}, ["keys", "twice"]),
    (ID, {"sums": [value(0, 1)]}, ["sums", "dict"]),
    (ID, {"sums": {"v": 1}}, ["sums['v']", "expression"]),
    (ID, {"sums": {0: value(0, 1)}}, ["sums", "names"]),
    (ID, {"sums": {"v": col("v")}}, ["sums['v']", "2^52", "clip"]),
    (ID, {"p": 3}, ["p=3", "Gaussian"]),
    (ID, {"rows": 0}, ["rows=0", "at least 1"]),
    (ID, {"groups": 0}, ["groups=0", "at least 1"]),
    (ID, {"groups": 1.5}, ["groups=1.5", "integer"]),
    (ID, {"salt": "x"}, ["salt='x'"]),
    (ROWS, {"rows": 2}, ["rows=2", "no identifier"]),
    (CHANGED, {"groups": 2}, ["groups=2", "no identifier"]),
    (ID, {"rows": 2**40, "sums": {"v": value(0, 2**11)}}, ["rows=", "2^50"]),
    (ID, {"k": {"z": 0}}, ["k=", "no sum"]),
    (ID, {"k": {"v": 0}}, ["k=0", "floats"]),
    (ID, {"k": 3}, ["k=3", "dict"]),
    (dp.hamming_distance(), {}, ["input_metric", "symmetric_id_distance"]),
    (dp.l1_distance(T=int), {}, ["input_metric"]),
]


@for_each(("metric", "changed", "words"), WRONG)
def test_refusals(metric: Any, changed: Any, words: list[str]) -> None:
    with pytest.raises(OpenDPException) as caught:
        dp.t.make_table_group_by(DOMAIN, metric, **{**GOOD, **changed})
    assert caught.value.variant == "MakeTransformation"
    assert all(word in caught.value.message for word in words), caught.value.message


@for_each(
    ("column", "words"),
    [
        ("g", ["is a key"]),
        ("id", ["fill_null"]),
        ("z", ["no column"]),
        (3, ["no column"]),
    ],
)
def test_columns_that_cannot_be_counted(column: Any, words: list[str]) -> None:
    with pytest.raises(OpenDPException) as caught:
        dp.t.make_table_count_distinct(DOMAIN, ID, {"g": [0]}, column)
    assert all(word in caught.value.message for word in words), caught.value.message


class Twice(list[Any]):
    """A list that has something else when it is read a second time."""

    def __init__(self, first: list[Any], then: list[Any]) -> None:
        super().__init__(first)
        self.then = then

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[Any]:
        values = super().__iter__()
        found = list(values)
        self[:] = self.then
        return iter(found)


def test_keys_are_read_once() -> None:
    columns = DOMAIN.declared
    assert public_keys({"g": Twice([1], [2**70])}, columns) == (("g",), ((1,),))
    one = [Twice([1], [2**70])]
    assert public_keys({("g",): one}, columns) == (("g",), ((1,),))
    with pytest.raises(OpenDPException, match="at least one"):
        public_keys({"g": Twice([], [1])}, columns)


def test_a_tuple_of_no_columns_is_no_key() -> None:
    """All rows are one group, whose number is known, as with {}."""
    made = (DOMAIN, CHANGED) >> dp.t.then_table_group_by({(): [()]}, {"v": value(1, 2)})
    assert made(table([(None, 0, 2, "a"), (1, 1, 2, "b")])) == ([2], [4])
    assert made.map(3) == (0, 3)


def test_floats_are_no_keys() -> None:
    domain = dp.table_domain({"x": dp.atom_domain(T=float, nan=False)})
    with pytest.raises(OpenDPException, match="cut"):
        dp.t.make_table_group_by(domain, ROWS, {"x": [0.5]}, {})
    with pytest.raises(OpenDPException, match="table_domain"):
        vectors: Any = dp.vector_domain(dp.atom_domain(T=int))
        dp.t.make_table_group_by(vectors, ROWS, {}, {})


def test_a_plan_needs_no_sums() -> None:
    assert make_plan((DOMAIN.declared, None), ("g",), None).meaning(
        [{"g": 1}, {"g": 1}]
    ) == {(1,): (2, 2)}
