"""Tuples as data: which are members, and how far apart they are, part by part."""

from __future__ import annotations

import copy
import math
import pickle
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.domains import (
    ProductDomain,
    atom_domain,
    option_domain,
    product_domain,
    vector_domain,
)
from opendp_lite.core.metrics import (
    ProductDistance,
    absolute_distance,
    l1_distance,
    l2_distance,
    product_distance,
    symmetric_distance,
)
from opendp_lite.core.serializing import deserialize, serialize
from opendp_lite.core.transformation import check_space
from opendp_lite.exact.roots import Root, root
from tests.rows import for_each

INT, TEXT = atom_domain(T=int), atom_domain(T=str)
VECTOR = vector_domain(INT)
PAIRS = product_domain([INT, VECTOR])
METRIC = product_distance([absolute_distance(T=int), l2_distance(T=float)])
ROWS = st.lists(st.integers(-9, 9), min_size=2, max_size=2)
MEMBERS = st.tuples(st.integers(-9, 9), ROWS)


def test_members_are_tuples_of_members() -> None:
    for inside in ((1, []), (10**30, [1, 2]), (np.int64(1), np.array([1]))):
        assert PAIRS.member(inside)
    wrong: list[Any] = [(1,), (1, [], []), [1, []], (1, [0.5]), ("a", []), (), None]
    for outside in wrong:
        assert not PAIRS.member(outside)

    class Tuple(tuple):  # type: ignore[type-arg]
        pass

    assert not PAIRS.member(Tuple((1, [])))


def test_containing_is_asked_part_by_part() -> None:
    small = product_domain([atom_domain(bounds=(0, 5)), vector_domain(INT, size=2)])
    assert PAIRS.contains(small)
    assert not small.contains(PAIRS)
    assert not PAIRS.contains(product_domain([INT]))
    assert not PAIRS.contains(product_domain([VECTOR, INT]))
    assert not PAIRS.contains(INT)
    assert not INT.contains(PAIRS)
    assert not product_domain([INT]).contains(INT)


def test_they_print_compare_and_travel() -> None:
    assert repr(product_domain([INT, TEXT])) == (
        "ProductDomain([AtomDomain(T=int), AtomDomain(T=str)])"
    )
    assert repr(METRIC) == (
        "ProductDistance([AbsoluteDistance(T=int), L2Distance(T=float)])"
    )
    for each in (PAIRS, METRIC):
        assert pickle.loads(pickle.dumps(each)) == each
        assert copy.deepcopy(each) == each
        assert deserialize(serialize(each)) == each
        assert hash(each) == hash(type(each)(list(each.parts)))
    assert PAIRS.depth == 2
    assert PAIRS.rule().startswith("a tuple of length 2 that holds [0] ")
    assert product_domain([atom_domain(T=float)]).without_nan() == product_domain(
        [atom_domain(T=float, nan=False)]
    )


@for_each("make", [product_domain, product_distance])
@for_each("parts", [[], None, 3, "ab", [1], [[INT]], [int], iter([])])
def test_what_is_no_list_of_parts_is_refused(make: Any, parts: Any) -> None:
    with pytest.raises(OpenDPException, match="parts"):
        make(parts)


def test_a_list_that_changes_later_changes_nothing() -> None:
    parts: list[Any] = [INT, INT]
    domain = product_domain(parts)
    parts.pop()
    assert domain == product_domain((INT, INT))


@given(MEMBERS, MEMBERS, MEMBERS)
def test_distances_are_those_of_the_parts(x: Any, y: Any, z: Any) -> None:
    d = METRIC.distance(x, y)
    assert d == tuple(
        m.distance(a, b) for m, a, b in zip(METRIC.parts, x, y, strict=True)
    )
    assert METRIC.distance(x, x) == (0, 0)
    assert METRIC.distance(y, x) == d
    assert METRIC.within_exact(x, y, d)
    shown = METRIC.present(d)
    assert METRIC.within(x, y, shown)
    for i in (0, 1):
        if d[i] > 0:
            less = tuple(0 if i == j else part for j, part in enumerate(shown))
            assert not METRIC.within(x, y, less)
    assert METRIC.distance(x, z)[0] <= d[0] + METRIC.distance(y, z)[0]


def test_distances_are_compared_part_by_part_and_not_as_words() -> None:
    """Python would say that (1, 9) < (2, 0)."""
    assert not METRIC.at_most((1, 9), (2, 0))
    assert METRIC.at_most((1, 9), (1, 9))
    assert METRIC.at_most((1, root(mpq(2))), (1, root(mpq(3))))
    assert not METRIC.within((0, [9]), (1, [0]), (2, 8))
    assert METRIC.parse([1, 0.5]) == (1, mpq(1, 2))
    assert METRIC.present((1, mpq(1, 3)), exact=True)[1] == mpq(1, 3)
    found = METRIC.distance((0, [0, 0]), (0, [1, 1]))[1]
    assert isinstance(found, Root)
    assert METRIC.present((0, found))[1] ** 2 > 2


@for_each("d", METRIC.no_distances())
def test_what_is_no_distance_is_refused(d: Any) -> None:
    with pytest.raises(OpenDPException, match="InvalidDistance"):
        METRIC.parse(d)


def test_what_a_list_holds_is_counted_and_not_what_it_says() -> None:
    """A class derived from list may have a length that is not that of its items."""

    class Longer(list[int]):
        def __iter__(self) -> Any:
            return iter([1, 2, 3])

    with pytest.raises(OpenDPException, match="InvalidDistance"):
        METRIC.parse(Longer([1, 2]))
    with pytest.raises(OpenDPException, match="InvalidDistance"):
        METRIC.within((0, [0]), (1, [1]), Longer([1, 2]))


def test_infinite_distances() -> None:
    assert METRIC.parse((math.inf, math.inf)) == (math.inf, math.inf)
    assert METRIC.present((math.inf, math.inf)) == (math.inf, math.inf)
    assert METRIC.distance((0, [1]), (0, [1, 2])) == (0, math.inf)


def test_metrics_match_part_by_part() -> None:
    other = product_distance([absolute_distance(T="i8"), l2_distance(T="f32")])
    assert METRIC.matches(other)
    assert not METRIC.matches(product_distance(METRIC.parts[:1]))
    assert not METRIC.matches(product_distance(METRIC.parts[::-1]))
    assert not METRIC.matches(absolute_distance(T=int))
    assert not absolute_distance(T=int).matches(METRIC)


@for_each(
    ("domain", "words"),
    [
        (INT, "must be a product_domain"),
        (product_domain([INT]), "2 parts, and the domain 1"),
        (product_domain([INT, INT]), "of part 1, .*compares vectors"),
        (product_domain([INT, vector_domain(TEXT)]), "of part 1, .*numbers"),
        (product_domain([option_domain(INT), VECTOR]), "of part 0"),
    ],
)
def test_objections(domain: Any, words: str) -> None:
    with pytest.raises(OpenDPException, match=words):
        check_space(domain, METRIC)
    check_space(PAIRS, METRIC)


def test_products_nest() -> None:
    inner = product_domain([INT, INT])
    domain = product_domain([inner, VECTOR])
    part = product_distance([absolute_distance(T=int)] * 2)
    metric = product_distance([part, symmetric_distance()])
    check_space(domain, metric)
    assert domain.member(((1, 2), []))
    assert metric.distance(((1, 2), [1]), ((3, 2), [])) == ((2, 0), 1)
    assert metric.parse(((1, 2), 3)) == ((1, 2), 3)
    with pytest.raises(OpenDPException, match=r"d_in\[0\]\[1\]"):
        metric.parse(((1, -2), 3))
    floats = product_domain([atom_domain(T=float)])
    measured = product_distance([absolute_distance(T=float)]).measured(floats)
    assert measured == floats.without_nan()


def test_what_contracts_try() -> None:
    assert all(map(PAIRS.member, PAIRS.extremes()))
    assert PAIRS.extremes()
    assert PAIRS.outside()
    assert not any(map(PAIRS.member, PAIRS.outside()))
    assert METRIC.distances()[0] == (0, 0)
    assert isinstance(PAIRS, ProductDomain)
    assert isinstance(METRIC, ProductDistance)
    lists = product_distance([l1_distance(T=int)])
    assert lists.near(INT, 3) is not None
