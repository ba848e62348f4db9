"""The domain of tables and the distance of people."""

from __future__ import annotations

import copy
import pickle
from itertools import combinations_with_replacement, permutations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException
from opendp_lite.tables.engines.engine import Table
from tests.rows import for_each

INT, TEXT, FLOAT = (dp.atom_domain(T=T) for T in (int, str, float))
MAYBE = dp.option_domain(INT)
TABLES = dp.table_domain({"id": MAYBE, "v": INT})
PEOPLE = dp.symmetric_id_distance("id")


@for_each(
    ("columns", "word"),
    [
        ({}, "one at least"),
        ([("a", INT)], "dict"),
        (None, "dict"),
        ({1: INT}, "text"),
        ({"a": int}, "atom_domain"),
        ({"a": dp.vector_domain(INT)}, "atom_domain"),
        ({"a": dp.atom_domain(T="Fraction")}, "atom_domain"),
        ({"a": dp.atom_domain(T="f32")}, "64 bits"),
        ((("a", INT), ("a", INT)), "two columns"),
    ],
)
def test_other_columns_are_refused(columns: Any, word: str) -> None:
    with pytest.raises(OpenDPException, match=word) as error:
        dp.table_domain(columns)
    assert error.value.variant == "MakeDomain"


def test_columns_are_declared_in_opendp_s_words_too() -> None:
    series = [dp.series_domain("id", MAYBE), dp.series_domain("v", INT)]
    assert dp.lazyframe_domain(series) == TABLES
    for wrong in ([("id", MAYBE)], INT, [INT]):
        with pytest.raises(OpenDPException, match="series_domain"):
            dp.lazyframe_domain(wrong)
    with pytest.raises(OpenDPException, match="text"):
        dp.series_domain(1, INT)  # type: ignore[arg-type]


def test_members_are_tables_of_these_columns() -> None:
    table = TABLES.of_rows([{"id": 1, "v": 2}])
    assert TABLES.member(table)
    for other in (
        dp.table_domain({"id": MAYBE}),
        dp.table_domain({"v": INT, "id": MAYBE}),
        dp.table_domain({"id": INT, "v": INT}),
        dp.table_domain({"id": MAYBE, "v": dp.atom_domain(bounds=(0, 9))}),
    ):
        assert not other.member(table)
        assert not other.contains(TABLES)
    wider = dp.table_domain({"id": MAYBE, "v": MAYBE})
    assert wider.member(table)
    assert wider.contains(TABLES)
    for value in ({"id": [1], "v": [2]}, [table], None, table.rows()):
        assert not TABLES.member(value)


def test_received_is_a_table_or_what_was_passed() -> None:
    made = TABLES.received({"id": [1, None], "v": [2, 3], "more": [4, 5]})
    assert type(made) is Table
    assert made.rows() == [{"id": 1, "v": 2}, {"id": None, "v": 3}]
    for wrong in ({"id": [1]}, {"id": [1], "v": [None]}, {"id": [1], "v": [2**63]}, 3):
        assert TABLES.received(wrong) is wrong


def test_a_domain_prints_pickles_and_is_written_as_text() -> None:
    assert repr(TABLES).startswith("TableDomain({'id': OptionDomain(")
    for each in (TABLES, PEOPLE):
        assert pickle.loads(pickle.dumps(each)) == each
        assert copy.deepcopy(each) == each
        assert dp.deserialize(dp.serialize(each)) == each
    assert TABLES.carrier_type == "Table"
    assert dp.space_of(TABLES)[1] == dp.symmetric_distance()


def test_a_table_shows_no_data_and_does_not_pickle() -> None:
    table = TABLES.of_rows([{"id": 8675309, "v": 2}])
    assert "8675309" not in repr(table)
    with pytest.raises(TypeError, match="engine"):
        pickle.dumps(table)
    again = copy.deepcopy(table)
    assert again == table
    again.frame[0]["v"] = 3
    assert again != table


@for_each(
    ("domain", "word"),
    [
        (dp.table_domain({"v": INT}), "'id'"),
        (dp.table_domain({"id": FLOAT}), "int or str"),
        (dp.table_domain({"id": dp.atom_domain(T=bool)}), "int or str"),
        (dp.vector_domain(INT), "table_domain"),
        (dp.frame_domain({"id": INT}), "table_domain"),
    ],
)
def test_people_are_measured_in_tables_only(domain: dp.Domain, word: str) -> None:
    assert word in str(PEOPLE.objection(domain))
    with pytest.raises(OpenDPException, match="metric space"):
        dp.t.make_identity(domain, PEOPLE)


def test_the_identifier_is_a_name() -> None:
    for wrong in (1, None, ["id"]):
        with pytest.raises(OpenDPException, match="name of a column"):
            dp.symmetric_id_distance(wrong)  # type: ignore[arg-type]
    assert dp.symmetric_id_distance("a") != PEOPLE
    assert not PEOPLE.matches(dp.symmetric_id_distance("a"))


ROWS = [{"id": p, "v": v} for p in (1, None) for v in (0, 1)]
ALL = [
    TABLES.of_rows(list(each))
    for size in range(4)
    for each in combinations_with_replacement(ROWS, size)
]


def naive(x: Table, y: Table) -> int:
    """The distance by its definition, person by person, with sorted rows."""
    total = 0
    for p in (1, None):
        a, b = (
            sorted(row["v"] for row in table.rows() if row["id"] == p)
            for table in (x, y)
        )
        total += (bool(a) + bool(b)) * (a != b)
    return total


def test_the_distance_of_people_is_its_definition_and_a_metric() -> None:
    d = {
        (i, j): PEOPLE.distance(ALL[i], ALL[j])
        for i, j in product(range(len(ALL)), repeat=2)
    }
    for (i, j), distance in d.items():
        assert distance == naive(ALL[i], ALL[j]) == d[j, i]
        assert (distance == 0) == (i == j)
        assert all(distance <= d[i, k] + d[k, j] for k in range(len(ALL)))


def test_one_person_is_two_when_changed_and_one_when_gone() -> None:
    x = TABLES.of_rows([{"id": 1, "v": 0}, {"id": 1, "v": 1}, {"id": 2, "v": 0}])
    gone = TABLES.of_rows([{"id": 2, "v": 0}])
    changed = TABLES.of_rows([{"id": 1, "v": 0}, {"id": 2, "v": 0}])
    assert PEOPLE.distance(x, gone) == 1
    assert PEOPLE.distance(x, changed) == 2
    assert dp.symmetric_distance().distance(x, gone) == 2


def test_the_order_of_rows_does_not_count() -> None:
    rows = [{"id": 1, "v": 0}, {"id": 1, "v": 1}, {"id": None, "v": 0}]
    for each in permutations(rows):
        table = TABLES.of_rows(list(each))
        assert PEOPLE.distance(table, TABLES.of_rows(rows)) == 0
        assert dp.change_one_distance().distance(table, TABLES.of_rows(rows)) == 0


def test_zeros_and_types_are_told_apart() -> None:
    floats = dp.table_domain({"id": MAYBE, "x": FLOAT})
    a, b = (floats.of_rows([{"id": 1, "x": x}]) for x in (0.0, -0.0))
    assert PEOPLE.distance(a, b) == 2
    missing = [floats.of_rows([{"id": 1, "x": x}]) for x in (None, float("nan"))]
    assert PEOPLE.distance(*missing) == 0


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_what_is_near_is_a_member_and_often_near(data: st.DataObject) -> None:
    x = data.draw(TABLES.members())
    y = data.draw(PEOPLE.near(TABLES, x))
    assert TABLES.member(y)
    assert PEOPLE.distance(x, y) <= 2 * 2 + 2


def test_strategies_of_a_domain_are_of_it() -> None:
    for each in TABLES.extremes():
        assert TABLES.member(each)
    for each in TABLES.outside():
        assert not TABLES.member(TABLES.received(each))
