"""Randomized response on columns: rows are answered independently, and as one is."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.sampling.entropy import use_source
from opendp_lite.verify.replay import HashedBits

AB = ["a", "b"]


def make(T: Any, categories: list[Any], prob: Any, size: int | None = None) -> Any:
    domain = dp.vector_domain(dp.atom_domain(T=T), size=size)
    return dp.m.make_randomized_response_column(
        domain, dp.hamming_distance(), categories, prob
    )


def test_the_law_is_that_of_independent_rows() -> None:
    one = dp.m.make_randomized_response([1, 2, 3], 0.5)
    column = make(int, [1, 2, 3], 0.5)
    laws = {x: verify.enumerate_tree(lambda x=x: one(x), 2) for x in (1, 3)}
    tree = verify.enumerate_tree(lambda: column([1, 3]), 4)
    assert tree.unresolved == 0
    for pair in itertools.product([1, 2, 3], repeat=2):
        expected = laws[1].mass(pair[0]) * laws[3].mass(pair[1])
        assert tree.mass(list(pair)) == expected


def test_a_column_is_answered_as_its_rows_are() -> None:
    """Under the same bits."""
    data = ["a", "b", "z", "b", "a"] * 4
    one = dp.m.make_randomized_response(AB, "2/3")
    for seed in range(20):
        with use_source(HashedBits(seed)):
            row_by_row = [one(x) for x in data]
        for form in (data, np.array(data)):
            with use_source(HashedBits(seed)):
                assert make(str, AB, "2/3")(form) == row_by_row


@pytest.mark.parametrize("prob", ["0.6", 0.75, 1])
def test_the_map_is_that_of_a_row_times_the_distance(prob: Any) -> None:
    one = dp.m.make_randomized_response(AB, prob)
    for size in (None, 10):
        column = make(str, AB, prob, size)
        assert column.map(0) == 0
        for d_in in (1, 3, 10):
            expected = d_in * one.map(1, exact=True)
            assert column.map(d_in, exact=True) == expected
    assert make(str, AB, prob, 10).map(11) == make(str, AB, prob).map(10)


def test_releases_are_lists_of_categories() -> None:
    release = make(int, [3, 5], 0.75)(np.array([3, 5, 7], dtype=np.int16))
    assert type(release) is list
    assert {type(each) for each in release} == {int}
    assert set(release) <= {3, 5}
    frequencies = dp.m.debias_randomized_response(release, [3, 5], 0.75)
    assert list(frequencies) == [3, 5]


def test_the_partial_form() -> None:
    space = dp.vector_domain(dp.atom_domain(T=str), size=3), dp.hamming_distance()
    chained = space >> dp.m.then_randomized_response_column(AB, prob=0.75)
    assert chained == make(str, AB, 0.75, 3)
    shares = dp.m.debias_randomized_response(chained(["a", "b", "z"]), AB, 0.75)
    assert list(shares) == AB
