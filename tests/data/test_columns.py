"""Data as people have them: what stands for a list or an array, and what does not."""

from __future__ import annotations

import sys
from array import array
from collections import UserList, deque, namedtuple
from typing import Any

import numpy as np
import pytest

import opendp_lite.prelude as dp
from opendp_lite.core.domains import Domain
from opendp_lite.data.columns import column_rows
from opendp_lite.data.identity import key
from opendp_lite.show.texts import form
from tests.interpreter import loaded_after
from tests.rows import for_each

INTS = dp.vector_domain(dp.atom_domain(T=int))
FLOATS = dp.vector_domain(dp.atom_domain(T=float))
TEXTS = dp.vector_domain(dp.atom_domain(T=str))
OPTIONS = dp.vector_domain(dp.option_domain(dp.atom_domain(T=str)))

Pair = namedtuple("Pair", "age income")


class Lying(tuple[int, ...]):
    """A tuple that gives out other rows each time."""

    def __iter__(self) -> Any:
        raise AssertionError("nobody may ask")


class Row:
    """An object that pretends to be a list."""

    __class__ = list  # type: ignore[assignment]


@for_each(
    ("domain", "column", "rows"),
    [
        (INTS, (1, 2), [1, 2]),
        (INTS, (), []),
        (INTS, range(3), [0, 1, 2]),
        (INTS, range(5, 0, -2), [5, 3, 1]),
        (INTS, (2**70, -1), [2**70, -1]),
        (FLOATS, (0.5, 1), [0.5, 1]),
        (TEXTS, ("a", "ß"), ["a", "ß"]),
        (TEXTS, array("u", "ab"), ["a", "b"]),
        (TEXTS, np.array(["a", "bc"], dtype=object), ["a", "bc"]),
        (INTS, np.array([1, 2**70], dtype=object), [1, 2**70]),
        (FLOATS, np.array([], dtype=object), []),
        (OPTIONS, ("a", None), ["a", None]),
        (OPTIONS, np.array(["a", None], dtype=object), ["a", None]),
    ],
)
def test_what_stands_for_a_list(domain: Domain, column: Any, rows: list[Any]) -> None:
    taken = domain.received(column)
    assert type(taken) is list
    assert key(taken) == key(rows)
    assert domain.member(taken)
    assert not domain.member(column)


@for_each("code", "bBhHiIlLqQ")
def test_integers_of_python_arrays_are_not_copied(code: str) -> None:
    size = array(code).itemsize
    least, most = (0, 2 ** (8 * size) - 1) if code.isupper() else (-1, 1)
    column = array(code, [least, most])
    taken = INTS.received(column)
    assert (taken.tolist(), taken.dtype.itemsize) == ([least, most], size)
    assert taken.dtype.kind == ("u" if code.isupper() else "i")
    assert np.shares_memory(taken, np.frombuffer(column, taken.dtype))
    assert INTS.member(taken)


@pytest.mark.parametrize("code", "fd")
def test_floats_of_python_arrays_are_not_copied(code: str) -> None:
    rows = [-0.0, 0.5, float("inf"), float("nan")]
    column = array(code, rows)
    taken = FLOATS.received(column)
    assert key(taken.tolist()) == key(rows)
    assert np.shares_memory(taken, np.frombuffer(column, taken.dtype))
    assert FLOATS.member(taken)


def test_where_rows_may_be_missing_there_are_lists() -> None:
    options = dp.vector_domain(dp.option_domain(dp.atom_domain(T=int)))
    assert options.received(array("i", [1, 2])) == [1, 2]
    assert options.received((1, None)) == [1, None]


@for_each(
    "value",
    [
        [1, 2],
        [],
        np.array([1, 2]),
        np.array([[1]]),
        np.array([["a"]], dtype=object),
        np.array("a", dtype=object),
        np.ma.array([1, 2], mask=[False, True]),
        Pair(1, 2),
        Lying((1, 2)),
        Row(),
        UserList([1]),
        deque([1]),
        {1, 2},
        frozenset([1]),
        {"a": 1},
        {"a": 1}.values(),
        iter([1, 2]),
        (each for each in [1, 2]),
        memoryview(b"12"),
        b"12",
        bytearray(b"12"),
        "12",
        12,
        None,
        object(),
    ],
    ids=lambda each: type(each).__name__,
)
def test_everything_else_stays_what_it_is(value: Any) -> None:
    for atoms in (True, False):
        assert column_rows(value, atoms) is value


@for_each(
    "domain",
    [
        dp.atom_domain(T=int),
        dp.option_domain(dp.atom_domain(T=int)),
        dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int)),
        dp.bitvector_domain(),
    ],
    ids=lambda each: type(each).__name__,
)
def test_only_vectors_take_columns(domain: Domain) -> None:
    pair = (1, 2)
    assert domain.received(pair) is pair


def test_tuples_may_be_members_of_a_domain_of_ones_own() -> None:
    dp.enable_features("honest-but-curious")
    domain = dp.user_domain("pairs", lambda x: isinstance(x, tuple))
    made = dp.t.make_identity(domain, dp.user_distance("any"))
    pair = (1, 2)
    assert made(pair) is pair


def test_members_stand_for_themselves() -> None:
    for domain in (INTS, FLOATS, TEXTS, OPTIONS):
        for member in domain.extremes():
            for each in (member, *domain.forms(member)):
                assert domain.received(each) is each


def test_rows_inside_are_judged_as_always() -> None:
    for column in ((1, "a"), (True,), (1, None), np.array([1, "a"], dtype=object)):
        assert not INTS.member(INTS.received(column))
    nested = dp.vector_domain(INTS)
    assert nested.member(nested.received(([1], [2])))
    assert not nested.member(nested.received(((1,), (2,))))


def sums() -> dp.Transformation:
    space = INTS, dp.symmetric_distance()
    made = space >> dp.t.then_clamp((0, 10)) >> dp.t.then_sum()
    assert isinstance(made, dp.Transformation)
    return made


COLUMNS = [(1, 2, 99), range(3), array("q", [4, 5]), np.array([6], dtype=object)]
TOTALS = [13, 3, 9, 6]


@for_each(("column", "total"), [*zip(COLUMNS, TOTALS, strict=True)])
def test_all_doors_take_columns(column: Any, total: int) -> None:
    made = sums()
    noisy = made >> dp.m.then_laplace(scale=0.0)
    for door in (made, made.invoke, noisy, noisy.invoke):
        assert door(column) == total


def test_a_column_is_read_once_before_it_is_judged() -> None:
    seen = []

    class Watching(type(INTS)):
        def received(self, value: Any) -> Any:
            seen.append("received")
            return super().received(value)

        def member(self, value: Any) -> bool:
            seen.append(type(value).__name__)
            return super().member(value)

    dp.enable_features("honest-but-curious")
    domain = Watching(dp.atom_domain(T=int))
    metric, absolute = dp.symmetric_distance(), dp.absolute_distance(T=int)
    transformation = dp.Transformation(
        domain, dp.atom_domain(T=int), len, metric, absolute, lambda d: d
    )
    measurement = dp.Measurement(
        domain, len, metric, dp.max_divergence(), lambda _: float("inf")
    )
    for made in (transformation, measurement):
        for door in (made, made.invoke):
            seen.clear()
            assert door((1, 2)) == 2
            assert seen == ["tuple", "received", "list"]
            seen.clear()
            assert door([1, 2]) == 2
            assert seen == ["list"]  # a member is not looked at twice
            seen.clear()
            with pytest.raises(dp.OpenDPException, match="is not a member"):
                door(["a"])
            assert seen == ["list", "received"]


@for_each("column", [*COLUMNS, ("secret",), {"a": [1]}, Pair(1, 2)])
def test_a_refusal_tells_of_the_form_alone_and_what_to_pass(column: Any) -> None:
    space = dp.vector_domain(dp.atom_domain(T=bool)), dp.symmetric_distance()
    made = dp.t.make_count(*space)
    with pytest.raises(dp.OpenDPException) as caught:
        made(column)
    assert str(caught.value).startswith(f"FailedFunction: {form(column)} was passed")
    assert "secret" not in str(caught.value)
    if type(column).__name__ == "ndarray":
        assert "A row, or their number, does not fit." in str(caught.value)
        return
    for told in (".tolist()", ".to_numpy()", "one column", "list(data)", "pandas"):
        assert told in str(caught.value)


@for_each(
    ("refused", "passed"),
    [
        ({"a": [1, 2]}, lambda x: x["a"]),
        (np.array([[1], [2]]), lambda x: x[:, 0]),
        ({1, 2}, list),
        (iter([1, 2]), list),
        ((each for each in [1, 2]), list),
        ({"a": 1, "b": 2}.values(), list),
        (deque([1, 2]), list),
        (Pair(1, 2), list),
        (memoryview(array("q", [1, 2])), lambda x: x.tolist()),
        (np.ma.array([1, 2]), lambda x: x.tolist()),
        (np.array([1, 2]).view(np.matrix)[0], lambda x: x.tolist()[0]),
    ],
    ids=lambda each: type(each).__name__,
)
def test_what_a_refusal_says_to_pass_is_taken(refused: Any, passed: Any) -> None:
    count = dp.t.make_count(INTS, dp.symmetric_distance())
    with pytest.raises(dp.OpenDPException, match="of an iterator or a set list"):
        count(refused)
    assert count(passed(refused)) == 2


def test_a_range_that_no_memory_holds_is_refused() -> None:
    with pytest.raises(dp.OpenDPException, match="is not a member"):
        sums()(range(sys.maxsize))


def test_nothing_is_loaded_for_what_is_no_column() -> None:
    program = (
        "import opendp_lite.prelude as dp\n"
        "space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()\n"
        "assert dp.t.make_count(*space)((1, 2)) == 2\n"
        "assert dp.t.make_count(*space)(range(5)) == 5\n"
    )
    foreign = {"numpy", "narwhals", "pandas", "polars", "pyarrow"}
    assert not foreign & loaded_after(program)
