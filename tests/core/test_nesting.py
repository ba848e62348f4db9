"""Values that contain themselves, or nest without end, are refused like any other.

Nothing walks them to their end: data are looked into no deeper than their domain nests,
and domains and types nest at most 64 deep.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite import accuracy
from opendp_lite.base.errors import shown
from opendp_lite.data.type_arguments import DEEPEST
from tests.core.test_read_once import CALLS
from tests.rows import for_each


def endless() -> dict[str, Any]:
    """Values that contain themselves, and values that nest very deeply."""
    itself: list[Any] = []
    itself.append(itself)
    table: dict[str, Any] = {}
    table["a"] = table
    with_number: list[Any] = [1.0]
    with_number.append((with_number,))
    lists: Any = []
    tuples: Any = ()
    dicts: Any = {}
    for _ in range(5000):
        lists, tuples, dicts = [lists], (tuples,), {"a": dicts}
    return {
        "a list in itself": itself,
        "a dict in itself": table,
        "a list in a tuple in itself": with_number,
        "deep lists": lists,
        "deep tuples": tuples,
        "deep dicts": dicts,
    }


VALUES = endless()
endless_values = pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)


pytestmark = pytest.mark.usefixtures("contrib", "honest")


def refused(act: Callable[..., Any], *args: Any, **kwargs: Any) -> str:
    with pytest.raises(dp.OpenDPException) as raised:
        act(*args, **kwargs)
    assert len(str(raised.value)) < 5000
    return str(raised.value)


@endless_values
def test_as_data_they_are_no_members_and_as_distances_no_numbers(value: Any) -> None:
    for make, (given, named) in CALLS.items():
        try:
            check_refusals(make(*given, **named), value)
        except (Exception, pytest.fail.Exception) as error:
            raise AssertionError(make.__name__) from error


def check_refusals(made: Any, value: Any) -> None:
    # The text is that of any other value of the same class.
    assert refused(made, value) == refused(made, type(value)([(object(), 1)]))
    refused(made.map, value)
    refused(made.check, value, 1)


DOMAINS: dict[str, Any] = {
    "rows": dp.vector_domain(dp.atom_domain(T=int)),
    "rows of rows": dp.vector_domain(dp.vector_domain(dp.atom_domain(T=float))),
    "optional rows": dp.vector_domain(dp.option_domain(dp.atom_domain(T=str))),
    "a map of rows": dp.map_domain(
        dp.atom_domain(T=str), dp.vector_domain(dp.atom_domain(T=int))
    ),
    "bits": dp.bitvector_domain(size=8),
}


@endless_values
@pytest.mark.parametrize("domain", DOMAINS.values(), ids=DOMAINS)
def test_they_are_no_members_of_any_domain(domain: Any, value: Any) -> None:
    assert not domain.member(value)
    other = type(value)([(object(), 1)])
    assert refused(domain.require, value) == refused(domain.require, other)


def test_a_test_of_the_users_that_walks_them_says_no() -> None:
    def flat(value: Any) -> bool:
        return all(map(flat, value))

    domain = dp.user_domain("flat", flat)
    assert domain.member([[], [[]]])
    assert not domain.member(VALUES["a list in itself"])


@endless_values
@pytest.mark.parametrize("function", [dp.domain_of, dp.space_of])
def test_no_type_is_inferred_from_them(function: Any, value: Any) -> None:
    refused(function, value)
    if value is VALUES["a list in a tuple in itself"]:  # whose first row is a number
        function(value, infer=True)
    else:
        text = refused(function, value, infer=True)
        assert isinstance(value, tuple) or "contains itself" in text


@endless_values
def test_they_are_no_arguments(value: Any) -> None:
    """Of domains, metrics, searches and accuracies."""
    atom = dp.atom_domain(T=int)
    refused(dp.atom_domain, value)
    refused(dp.atom_domain, T=value)
    refused(dp.atom_domain, (0, value))
    refused(dp.vector_domain, value)
    refused(dp.vector_domain, atom, size=value)
    refused(dp.option_domain, value)
    refused(dp.map_domain, value, atom)
    refused(dp.map_domain, atom, value)
    refused(dp.bitvector_domain, value)
    refused(dp.metric_of, value)
    refused(dp.absolute_distance, value)
    refused(dp.binary_search, bool, bounds=value)
    refused(dp.max_divergence().parse, value)
    refused(dp.approximate(dp.max_divergence()).parse, (value, 0))
    for name in dir(accuracy):
        function = getattr(accuracy, name)
        if inspect.isclass(function):
            continue
        parameters = inspect.signature(function).parameters.values()
        needed = [each for each in parameters if each.default is each.empty]
        refused(function, *([value] * len(needed)))


@endless_values
def test_what_holds_them_prints(value: Any) -> None:
    for text in (
        repr(dp.user_domain("mine", bool, value)),
        repr(dp.user_distance("mine", value)),
        repr(dp.user_divergence("mine", value)),
        shown(value),
    ):
        assert len(text) < 20_000
        assert "..." in text


# Domains and types nest 64 deep, and no deeper.


def nested(make: Callable[[Any], Any], start: Any, depth: int) -> Any:
    for _ in range(depth):
        start = make(start)
    return start


INT = dp.atom_domain(T=int)
WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "vectors": dp.vector_domain,
    "options": dp.option_domain,
    "values of maps": lambda inner: dp.map_domain(dp.atom_domain(T=str), inner),
    "keys of maps": lambda inner: dp.map_domain(inner, dp.atom_domain(T=str)),
}


@for_each("wrap", WRAPPERS.values(), ids=WRAPPERS)
def test_domains_nest_at_most_64_deep(wrap: Callable[[Any], Any]) -> None:
    deepest = nested(wrap, INT, DEEPEST)
    assert deepest.depth == DEEPEST == 64
    assert len(repr(deepest)) > 64
    assert deepest == nested(wrap, INT, DEEPEST)
    assert hash(deepest) == hash(nested(wrap, INT, DEEPEST))
    assert deepest.contains(deepest)
    assert deepest.rule()
    assert deepest.carrier_type
    assert "at most 64 deep" in refused(wrap, deepest)


def test_data_of_the_deepest_domain_are_members() -> None:
    deepest = nested(dp.vector_domain, INT, DEEPEST)
    data = nested(lambda inner: [inner, inner], 5, 3)
    data = nested(lambda inner: [inner], data, DEEPEST - 3)
    assert deepest.member(data)
    assert not deepest.member([data])
    count = dp.t.make_count(deepest, dp.symmetric_distance())
    assert count(data) == 1
    assert refused(count, VALUES["a list in itself"]) == refused(count, [object()])
    assert dp.domain_of(data, infer=True) == deepest
    assert "64 deep" in refused(dp.domain_of, [data], infer=True)


def test_types_nest_at_most_64_deep() -> None:
    for start, far, wrap in [
        ("i32", 1000, lambda inner: f"Vec<{inner}>"),
        ("i32", 300, lambda inner: f"Option<{inner}>"),
        ("i32", 300, lambda inner: f"HashMap<String, {inner}>"),
        (int, 1000, lambda inner: list[inner]),  # type: ignore[valid-type]
        (int, 1000, lambda inner: dict[str, inner]),  # type: ignore[valid-type]
    ]:
        deepest = nested(wrap, start, DEEPEST)
        assert dp.domain_of(deepest).depth == DEEPEST
        assert "64 deep" in refused(dp.domain_of, wrap(deepest))
        assert "64 deep" in refused(dp.domain_of, nested(wrap, start, far))
