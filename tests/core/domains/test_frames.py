"""Frames: dicts of columns, and the data frames that stand for them."""

from __future__ import annotations

import copy
import math
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import opendp_lite.prelude as dp
from opendp_lite.core.domains import (
    AtomDomain,
    atom_domain,
    frame_domain,
    option_domain,
    vector_domain,
)
from tests.rows import for_each

INT, TEXT = atom_domain(T=int), atom_domain(T=str)
MAYBE = option_domain(atom_domain(T=float, nan=False))
PEOPLE = frame_domain({"name": TEXT, "age": INT, "income": MAYBE})
GOOD: dict[Any, Any] = {"name": ["ann", "bob"], "age": [31, 27], "income": [None, 1.5]}


def test_members() -> None:
    frame: Any
    for frame in (
        GOOD,
        {**GOOD, "age": np.array([31, 27], "i1")},
        {**GOOD, "more": [object(), None], 7: np.zeros((2, 3))},
        {**GOOD, "more": np.array([object(), None])},
        {"name": [], "age": [], "income": []},
        {"income": [0.5], "age": [np.int8(1)], "name": np.array(["x"])},
    ):
        assert PEOPLE.member(frame)
        assert PEOPLE.received(frame) is frame
    for frame in (
        {"name": ["ann"], "age": [31]},
        {**GOOD, "age": [31]},
        {**GOOD, "more": [1, 2, 3]},
        {**GOOD, "more": (1, 2)},
        {**GOOD, "more": np.array(1)},
        {**GOOD, "age": [31, None]},
        {**GOOD, "age": [31.0, 27.0]},
        {**GOOD, "age": np.array([31.0, 27.0])},
        {**GOOD, "income": [None, math.nan]},
        {**GOOD, "income": np.array([1.0, 2.0])},
        {**GOOD, None: [1, 2]},
        {**GOOD, True: [1, 2]},
        {**GOOD, ("age",): [1, 2]},
        [GOOD],
        list(GOOD.items()),
        None,
        "secret",
        type("Frame", (dict,), {})(GOOD),
    ):
        assert not PEOPLE.member(frame)


class SaysTwice(dict[Any, Any]):
    """A dict that says a name twice."""

    def items(self) -> Any:
        return [("a", INT), ("a", atom_domain(T=str))]


def test_no_name_occurs_twice() -> None:
    """A derived class is not asked: what it holds as a dict counts."""
    assert frame_domain(SaysTwice({"b": INT})) == frame_domain({"b": INT})


def test_which_frames_hold_which() -> None:
    ages = frame_domain({"age": INT})
    assert ages.contains(PEOPLE)
    assert not PEOPLE.contains(ages)
    assert ages.contains(frame_domain({"age": atom_domain((0, 99))}))
    assert not frame_domain({"age": atom_domain((0, 99))}).contains(ages)
    assert not frame_domain({"age": option_domain(INT)}).contains(ages)  # arrays
    assert frame_domain({}).contains(ages)
    assert not frame_domain({1: INT}).contains(frame_domain({"1": INT}))
    assert not ages.contains(vector_domain(INT))


def test_frames_are_values() -> None:
    turned = frame_domain(dict(reversed(PEOPLE.series)))
    assert turned == PEOPLE
    assert hash(turned) == hash(PEOPLE)
    for again in (pickle.loads(pickle.dumps(PEOPLE)), copy.deepcopy(PEOPLE)):
        assert again == PEOPLE
    assert repr(frame_domain({"a": INT, 1: INT})) == (
        "FrameDomain({1: AtomDomain(T=int), 'a': AtomDomain(T=int)})"
    )
    assert "'age': an int" in PEOPLE.rule()
    assert PEOPLE.carrier_type == "DataFrame"
    assert PEOPLE.usual_metric == "SymmetricDistance"


def test_the_rows_of_frames_are_counted() -> None:
    other = {"income": [1.5, None], "age": np.array([27, 31]), "name": ["bob", "ann"]}
    assert dp.symmetric_distance().distance(GOOD, other) == 0
    assert dp.change_one_distance().distance(GOOD, other) == 0
    assert dp.insert_delete_distance().distance(GOOD, other) == 2
    assert dp.hamming_distance().distance(GOOD, other) == 2
    fewer = {name: column[:1] for name, column in GOOD.items()}
    assert dp.symmetric_distance().distance(GOOD, fewer) == 1
    assert dp.change_one_distance().distance(GOOD, fewer) == math.inf
    assert dp.hamming_distance().distance(GOOD, fewer) == math.inf
    extra = {**GOOD, "more": [1, 2]}
    assert dp.symmetric_distance().distance(extra, {**GOOD, "more": [1, 3]}) == 2
    for metric in (dp.l1_distance(T=int), dp.absolute_distance(T=int)):
        assert metric.objection(PEOPLE) is not None


def frames() -> list[Any]:
    some: dict[str, list[Any]] = {
        "name": ["ann", "bob"],
        "age": [31, 27],
        "income": [None, 1.5],
        "x": [1, 2],
    }
    return [
        pd.DataFrame(some),
        pl.DataFrame(some),
        {k: tuple(v) for k, v in some.items()},
    ]


@pytest.mark.parametrize("place", range(3))
def test_data_frames_stand_for_their_columns(place: int) -> None:
    value = frames()[place]
    received = PEOPLE.received(value)
    assert PEOPLE.member(received)
    plain = {name: list(received[name]) for name in GOOD}
    assert plain == GOOD
    # Numbers are not copied into lists.
    assert isinstance(received["age"], list if place == 2 else np.ndarray)


def test_what_lacks_a_column_is_refused_by_its_class_alone() -> None:
    messages: dict[str, set[str]] = {}
    identity = dp.t.make_identity(PEOPLE, dp.symmetric_distance())
    double = pd.DataFrame([[1, 2]], columns=["age", "age"])
    for bad in (pd.DataFrame({"age": [31]}), pl.DataFrame({"a": [1]}), double, 5, [31]):
        with pytest.raises(dp.OpenDPException) as caught:
            identity(bad)
        assert "31" not in str(caught.value)
        messages.setdefault(type(bad).__name__, set()).add(str(caught.value))
    assert {len(each) for each in messages.values()} == {1}


def test_a_derived_frame_is_not_taken() -> None:
    class Frame(pd.DataFrame):
        """May give out other columns each time."""

    value = Frame({"name": ["a"], "age": [1], "income": [1.0]})
    assert PEOPLE.received(value) is value


def test_a_name_of_another_class_takes_no_column_s_place() -> None:
    class Name:
        equal = False

        def __hash__(self) -> int:
            return hash("age")

        def __eq__(self, other: object) -> bool:
            return Name.equal

    frame: Any = {"age": [31, 27], Name(): (7, 8)}
    Name.equal = True  # in a new dict the two names would be one
    ages = frame_domain({"age": INT})
    assert ages.received(frame) is frame
    assert not ages.member(frame)


def test_a_label_that_pandas_takes_for_the_name_decides_and_no_row() -> None:
    ones = frame_domain({1: INT})
    for labels in ([1, 0], [1.0, 0.5], [True, "x"], pd.interval_range(0, 4, 2)):
        taken = ones.received(pd.DataFrame([[7, 8], [9, 8]], columns=labels))
        assert list(taken) == [1]
        assert taken[1].tolist() == [7, 9]
    for labels in ([1, 1], [1, True], ["1", 0]):
        frame = pd.DataFrame([[7, 8]], columns=pd.Index(labels, dtype=object))
        assert not ones.member(ones.received(frame))


def test_libraries_are_not_loaded_for_a_dict() -> None:
    code = (
        "import sys, opendp_lite.prelude as dp\n"
        "people = dp.frame_domain({'age': dp.atom_domain(T=int)})\n"
        "assert people.member(people.received({'age': (31,)}))\n"
        "assert not {'pandas', 'polars', 'narwhals', 'numpy'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


class Own(AtomDomain):
    """A domain of which nothing is proved."""


@for_each(
    ("columns", "says"),
    [
        ([("a", INT)], ["columns", "dict"]),
        (None, ["columns", "dict"]),
        ({None: INT}, ["columns", "text or int"]),
        ({True: INT}, ["columns", "text or int"]),
        ({"a": int}, ["columns='a'", "atom_domain"]),
        ({"a": vector_domain(INT)}, ["columns='a'", "atom_domain"]),
        ({"a": option_domain(vector_domain(INT))}, ["columns='a'", "atom_domain"]),
        ({"a": Own(T=int)}, ["columns='a'", "atom_domain"]),
        ({"a": option_domain(Own(T=int))}, ["columns='a'", "atom_domain"]),
    ],
)
def test_bad_columns_are_named(columns: Any, says: list[str]) -> None:
    with pytest.raises(dp.OpenDPException) as caught:
        frame_domain(columns)
    assert caught.value.variant == "MakeDomain"
    for part in says:
        assert part in caught.value.message
