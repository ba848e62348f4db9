"""Bounds of statistics: no data set passes them, and some data set attains them."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from tests.rows import for_each

VECTORS = json.loads(
    (Path(__file__).parents[2] / "data/snapping_utility_vectors.json").read_text()
)


def covariance(x: Any, y: Any) -> Fraction:
    n = len(x)
    mean_x, mean_y = (Fraction(sum(each)) / n for each in (x, y))
    products = ((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return Fraction(sum(products)) / (n - 1)


def vectors(function: str) -> Any:
    chosen = [v for v in VECTORS if v["function"] == function]
    assert chosen
    return pytest.mark.parametrize("vector", chosen, ids=lambda v: v["id"])


def is_rounded_up(bound: float, exact: Fraction) -> bool:
    return bound >= exact > math.nextafter(bound, -math.inf)


@vectors("Bprime_mean")
def test_the_mean_of_the_source(vector: dict[str, Any]) -> None:
    bounds = dp.mean_bounds(vector["inputs"]["a"], vector["inputs"]["b"])
    assert max(map(abs, bounds)) == Fraction(vector["expected"])


@vectors("Bprime_variance")
def test_the_variance_of_the_source(vector: dict[str, Any]) -> None:
    given = vector["inputs"]
    lower, upper = dp.variance_bounds(given["a"], given["b"], given["n"])
    assert lower == 0
    assert is_rounded_up(upper, Fraction(vector["expected"]))


@vectors("Bprime_covariance")
def test_the_covariance_of_the_source(vector: dict[str, Any]) -> None:
    given = vector["inputs"]
    lower, upper = dp.covariance_bounds(
        (given["a"], given["b"]), (given["c"], given["d"]), given["n"]
    )
    assert lower == -upper
    assert is_rounded_up(upper, Fraction(vector["expected"]))


@vectors("Bprime_histogram")
def test_the_histogram_of_the_source(vector: dict[str, Any]) -> None:
    assert dp.histogram_bounds(vector["inputs"]["n"]) == (
        0.0,
        Fraction(vector["expected"]),
    )


@for_each("size", range(2, 9))
def test_the_variance_is_attained_at_the_ends(size: int) -> None:
    """Of all data sets with values at the two ends, some attains it, none passes it."""
    _, upper = dp.variance_bounds(-1, 3, size)
    found = {covariance(x, x) for x in itertools.product((-1, 3), repeat=size)}
    assert is_rounded_up(upper, max(found))


@for_each("size", range(2, 7))
def test_the_covariance_is_attained_at_the_ends(size: int) -> None:
    lower, upper = dp.covariance_bounds((-1, 3), (0, 7), size)
    found = {
        covariance(x, y)
        for x in itertools.product((-1, 3), repeat=size)
        for y in itertools.product((0, 7), repeat=size)
    }
    assert is_rounded_up(upper, max(found))
    assert lower == -upper
    assert min(found) == -max(found)


rows = st.lists(
    st.tuples(
        st.fractions(-1, 3, max_denominator=9), st.fractions(0, 7, max_denominator=9)
    ),
    min_size=2,
    max_size=9,
)


@given(rows)
def test_no_data_set_passes_the_bounds(data: list[tuple[Fraction, Fraction]]) -> None:
    x, y = zip(*data, strict=True)
    assert covariance(x, x) <= dp.variance_bounds(-1, 3, len(x))[1]
    lower, upper = dp.covariance_bounds((-1, 3), (0, 7), len(x))
    assert lower <= covariance(x, y) <= upper
    low, high = dp.mean_bounds(-1, 3)
    assert low <= sum(x) / len(x) <= high


def test_bounds_are_rounded_outward() -> None:
    lower, upper = dp.mean_bounds("-0.1", "0.1")
    assert lower < Fraction("-0.1")
    assert upper > Fraction("0.1")
    assert dp.histogram_bounds(2**53 + 1) == (0.0, 2.0**53 + 2)
    lower, upper = dp.covariance_bounds((0, "0.1"), (0, 1), 2)
    assert -lower == upper > Fraction(1, 20)
    assert dp.variance_bounds(0, 5e-324, 2) == (0.0, 5e-324)


def test_a_large_size_is_no_trouble() -> None:
    _, upper = dp.variance_bounds(0, 2, 10**30 + 1)
    assert upper == math.nextafter(1.0, 2.0)


REFUSED: list[tuple[Any, tuple[Any, ...], str]] = [
    (dp.mean_bounds, (1, 1), "upper=1: must be greater"),
    (dp.mean_bounds, (2, 1), "must be greater"),
    (dp.mean_bounds, (math.nan, 1), "lower=nan"),
    (dp.mean_bounds, (0, math.inf), "upper=inf"),
    (dp.mean_bounds, (0, 10**400), "largest double"),
    (dp.mean_bounds, (None, 1), "of type NoneType"),
    (dp.variance_bounds, (0, 1, 1), "from one alone there is no sample variance"),
    (dp.variance_bounds, (0, 1, 0), "must be at least 2"),
    (dp.variance_bounds, (0, 1, 2.5), "must be an integer"),
    (dp.variance_bounds, (1, 0, 2), "must be greater"),
    (dp.variance_bounds, (-1e200, 1e200, 2), "largest double"),
    (dp.covariance_bounds, ((0, 1), (0, 1), 1), "must be at least 2"),
    (dp.covariance_bounds, ((0, 1), 1, 2), "y_bounds=1: must be a pair"),
    (dp.covariance_bounds, ((0, 1, 2), (0, 1), 2), "must be a pair"),
    (dp.covariance_bounds, ((0, 1), (1, 1), 2), "y_bounds=1: must be greater"),
    (dp.covariance_bounds, ((-1e200, 1e200), (-1e200, 1e200), 2), "largest double"),
    (dp.histogram_bounds, (0,), "must be at least 1"),
    (dp.histogram_bounds, (2.5,), "must be an integer"),
    (dp.histogram_bounds, (10**400,), "largest double"),
    (dp.histogram_bounds, (True,), "truth value"),
]


@for_each(("function", "arguments", "text"), REFUSED)
def test_refusals(function: Any, arguments: tuple[Any, ...], text: str) -> None:
    with pytest.raises(dp.OpenDPException, match=text) as caught:
        function(*arguments)
    assert caught.value.variant == "InvalidDistance"
