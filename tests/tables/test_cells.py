"""The meaning of a plan, against a second formulation that looks up each definition."""

from __future__ import annotations

import hashlib
import itertools
import random
from fractions import Fraction
from typing import Any

import attrs
import pytest

from opendp_lite.tables import cells
from opendp_lite.tables.cells import PRIME, Plan, place, text_code
from opendp_lite.tables.expressions import col
from opendp_lite.tables.planning import make_plan
from tests.tables.plans import COLUMNS, random_plan, random_row


def rank(plan: Plan, person: Any, cell: tuple[Any, ...]) -> Any:
    """The order of cells, from its definition."""
    h = plan.salt
    for value in (person, *cell):
        if isinstance(value, str):
            code = int.from_bytes(hashlib.sha256(value.encode()).digest()[:8]) >> 4
        else:
            code = int(value)
        h = (h + code) ** 5 % (2**31 - 1)
    return h, cell


def nearest_sum(total: int, n: int, m: int, low: int, high: int) -> int:
    """What a cell of n > m rows counts for: two roundings to doubles, then clipped."""
    assert abs(total) < 2**53
    average = float(Fraction(float(Fraction(total * m))) / n)
    least, most = Fraction(m * min(low, 0)), Fraction(m * max(high, 0))
    return round(min(max(Fraction(average), least), most))


def naive(plan: Plan, rows: list[dict[str, Any]]) -> dict[Any, Any]:
    """Ask of every key, every person and every cell what it is by definition."""
    every = [row if plan.identifier else {**row, "": i} for i, row in enumerate(rows)]
    unit = plan.identifier or ""
    width = (*plan.by, *([plan.distinct] if plan.distinct else []))

    def cell_of(row: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(row[name] for name in width)

    counted = [
        row
        for row in every
        if row[unit] is not None
        and (plan.keys is None or cell_of(row)[: len(plan.by)] in plan.keys)
    ]
    kept = []
    for person in {row[unit] for row in counted}:
        mine = {cell_of(row) for row in counted if row[unit] == person}
        mine_in_order = sorted(mine, key=lambda cell: rank(plan, person, cell))
        kept += [(person, cell) for cell in mine_in_order[: plan.groups]]
    if plan.distinct:
        pairs = {cell for _, cell in kept}
        return {
            key: (sum(pair[:-1] == key for pair in pairs),)
            for key in {pair[:-1] for pair in pairs}
        }
    found: dict[Any, Any] = {}
    for person, cell in kept:
        inside = [r for r in counted if r[unit] == person and cell_of(r) == cell]
        n, m = len(inside), plan.rows
        sums = []
        for each in plan.sums:
            total = sum(each.python(row) for row in inside)
            many = nearest_sum(total, n, m, each.low, each.high) if n > m else total
            sums.append(many)
        add = (1, min(n, m), *sums)
        old = found.get(cell, (0,) * len(add))
        found[cell] = tuple(a + b for a, b in zip(old, add, strict=True))
    return found


def agreement(tables: int) -> None:
    rng = random.Random(1511)
    for _ in range(tables):
        rows = [random_row(rng) for _ in range(rng.choice([0, 1, 8, 40]))]
        plan = random_plan(rng, rows)
        want = naive(plan, rows)
        assert plan.meaning(rows) == want
        shuffled = rng.sample(rows, len(rows))
        assert plan.meaning(shuffled) == want


def test_the_meaning_is_what_the_definitions_say_in_any_order_of_rows() -> None:
    agreement(150)


def average_uncapped(self: Plan, cell: list[list[int]]) -> list[int]:
    return [len(cell), *map(sum, zip(*cell, strict=True))]


def first_met(salt: int, person: Any, cell: tuple[Any, ...]) -> int:
    seen: list[Any] = SEEN.setdefault(person, [])
    if cell not in seen:
        seen.append(cell)
    return seen.index(cell)


SEEN: dict[Any, list[Any]] = {}


@pytest.mark.parametrize(
    ("owner", "name", "fault"),
    [
        (Plan, "_bounded", average_uncapped),
        (cells, "place", first_met),
        (cells, "LIMB", 5),
        (cells, "rint", lambda x: float(int(x))),
        (cells, "text_code", len),
    ],
)
def test_planted_faults_are_found(
    owner: Any, name: str, fault: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    SEEN.clear()
    monkeypatch.setattr(owner, name, fault)
    with pytest.raises(AssertionError):
        agreement(150)


def test_a_place_is_a_fifth_power_chain_and_spreads() -> None:
    assert place(0, 2, ()) == 32
    assert place(-1, 1, (0,)) == 0
    assert 0 <= place(10**30, -(2**63), ("é", True)) < PRIME
    places = {place(7, person, (key,)) for person in range(50) for key in "abcde"}
    assert len(places) == 250


def test_text_has_a_code_of_sixty_bits_whatever_it_holds() -> None:
    texts = ["", "a", "é", "😀", "\x00", "\ud800"]
    assert len({text_code(text) for text in texts}) == len(texts)
    assert all(0 <= text_code(text) < 2**60 for text in texts)


def test_ties_of_places_are_broken_by_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "place", lambda *_: 0)
    plan = make_plan((COLUMNS, "id"), ("g",), None, groups=2)
    rows = [{"id": 1, "g": g} for g in ("z", "b", "a")]
    for each in itertools.permutations(rows):
        assert set(plan.meaning(each)) == {("a",), ("b",)}


@pytest.mark.parametrize(
    ("low", "high", "least", "most"), [(-2, 5, -6, 15), (2, 5, 0, 15), (-5, -2, -15, 0)]
)
def test_no_average_is_more_than_rows_can_add(
    low: int, high: int, least: int, most: int
) -> None:
    # The bound of a person rests on it, and not on how much doubles are rounded.
    sums = {"a": col("a").fill_null(low).clip(low, high)}
    plan = make_plan((COLUMNS, "id"), (), None, sums=sums, rows=3)
    (steps,) = plan.sums
    assert plan._average(steps, (10**6,) * 4) == most
    assert plan._average(steps, (-(10**6),) * 4) == least


def test_a_cell_of_too_many_rows_counts_as_rows_of_the_same_average() -> None:
    sums = {"a": col("a").fill_null(0).clip(-10, 10)}
    plan = make_plan((COLUMNS, "id"), (), None, sums=sums, rows=2)
    rows = [{"id": 1, "a": a} for a in (10, 10, -10, 10, 5)]
    assert plan.meaning(rows) == {(): (1, 2, 10)}
    assert plan.meaning(rows[:2]) == {(): (1, 2, 20)}


def test_what_a_cell_holds_stays_within_its_bounds_though_doubles_round() -> None:
    high = 2**50
    sums = {"a": col("a").fill_null(0).clip(-high, high)}
    plan = make_plan((COLUMNS, "id"), (), None, sums=sums, rows=1)
    for n in (3, 7, 49, 1001):
        for sign in (1, -1):
            found = plan.meaning([{"id": 1, "a": sign * 2**60}] * n)
            assert found == {(): (1, 1, sign * high)}


def test_rows_without_an_identifier_are_dropped() -> None:
    plan = make_plan((COLUMNS, "id"), (), None, groups=3)
    assert plan.meaning([{"id": None}] * 5) == {}
    assert plan.meaning([{"id": None}, {"id": 0}, {"id": 0}]) == {(): (1, 1)}


def test_nobody_chooses_where_nobody_can_have_more_cells() -> None:
    plan = make_plan((COLUMNS, "id"), ("b",), ((True,), (False,)), groups=2)
    assert not plan.chooses
    assert attrs.evolve(plan, groups=1).chooses
    assert attrs.evolve(plan, keys=None).chooses
    assert attrs.evolve(plan, distinct="g").chooses
    assert not attrs.evolve(plan, identifier=None).chooses
    assert not attrs.evolve(plan, by=(), keys=((),), groups=1).chooses
