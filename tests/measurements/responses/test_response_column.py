"""Randomized response on columns: rows are answered independently, and as one is."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.randomness import bulk_draws as bulk_coins
from opendp_lite.randomness.entropy import use_source
from opendp_lite.testing import state_flakiness
from opendp_lite.verify.contracts.checks import HashedBits

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
    """Under the same bits, where they are read one by one or the rows are few."""
    data = ["a", "b", "z", "b", "a"] * 4
    one = dp.m.make_randomized_response(AB, "2/3")
    for seed in range(20):
        part = data if HashedBits(seed).granularity == 1 else data[:7]
        with use_source(HashedBits(seed)):
            row_by_row = [one(x) for x in part]
        for form in (part, np.array(part)):
            with use_source(HashedBits(seed)):
                assert list(make(str, AB, "2/3")(form)) == row_by_row


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


# Many rows at once


def fix_draws(
    monkeypatch: pytest.MonkeyPatch, coins: list[bool], uniforms: list[int]
) -> list[Any]:
    """Give the draws of arrays; return the list in which their arguments are noted."""
    asked: list[Any] = []

    def sample_bernoullis(p: mpq, count: int) -> Any:
        asked.append(("coins", p, count))
        return np.array(coins)

    def sample_uniforms_below(n: int, count: int) -> Any:
        asked.append(("uniforms", n, count))
        return np.array(uniforms)

    monkeypatch.setattr(bulk_coins, "sample_bernoullis", sample_bernoullis)
    monkeypatch.setattr(bulk_coins, "sample_uniforms_below", sample_uniforms_below)
    return asked


@pytest.mark.parametrize("prob", ["1/3", "1/2", "0.9", 1])
@pytest.mark.parametrize("row", [5, 3, 4, 0])
def test_the_law_of_a_row_among_many_is_that_of_one(
    monkeypatch: pytest.MonkeyPatch, prob: Any, row: int
) -> None:
    """Every coin and every uniform integer, each with its exact probability."""
    values = [5, 3, 4]
    law = dict.fromkeys(values, mpq(0))
    for coin, other in itertools.product([True, False], range(3)):
        asked = fix_draws(monkeypatch, [coin] * 9, [other] * 9)
        release = make(int, values, prob)(np.array([row] * 9)).tolist()
        (_, s, _), (_, k, _) = asked
        assert len(set(release)) == 1
        law[release[0]] += (s if coin else 1 - s) / k
    p = to_mpq(prob)
    honest = {v: p if v == row else (1 - p) / 2 for v in values}
    assert law == (honest if row in values else dict.fromkeys(values, mpq(1, 3)))


@pytest.mark.parametrize("values", [[True, False], [False, True]])
def test_truth_values_are_flipped_by_a_coin_each(
    monkeypatch: pytest.MonkeyPatch, values: list[bool]
) -> None:
    lies = [True, False, False, True] * 4
    data = [True, True, False, False] * 4
    expected = [False, True, False, True] * 4
    asked = fix_draws(monkeypatch, lies, [])
    assert make(bool, values, "2/3")(data) == expected
    release = make(bool, values, "2/3")(np.array(data))
    assert release.dtype == bool
    assert release.tolist() == expected
    bytes_of_truth = np.array([7, 255, 0, 0] * 4, dtype=np.uint8).view(bool)
    assert make(bool, values, "2/3")(bytes_of_truth).tolist() == expected
    assert asked == [("coins", mpq(1, 3), 16)] * 3


COLUMNS: list[tuple[list[Any], list[Any], str | None]] = [
    ([3, 5], [np.array(list(range(10)), dtype=d) for d in ("i1", ">u8", "i8")], "i8"),
    ([3, -1, 300], [np.arange(10, dtype="u1"), np.arange(20)[::-2]], "i8"),
    ([3, 10**40], [np.arange(10, dtype="u1"), np.arange(20)[::-2]], None),
    (list(range(40)), [np.arange(-20, 50, dtype="i1"), np.arange(20)], "i8"),
    (["a", "bc"], [np.array(["a", "bc", "bcd", "", " a", "a "] * 2)], "<U2"),
    (["a", "bc"], [np.array(["b", "a", "c"] * 4), np.array(["a"] * 9)], "<U2"),
    (["a", "a\0"], [np.array(["a", "a\0", "\0a", "b"] * 3)], None),
    (["a\0b", "\ud800"], [np.array(["a", "a\0b", "\ud800", "b"] * 3)], "<U3"),
    (
        [chr(97 + i) for i in range(20)],
        [np.array(list("abcxyz\U0001d7d9 ") * 2)],
        "<U1",
    ),
]


@pytest.mark.parametrize(("values", "columns", "dtype"), COLUMNS)
def test_arrays_are_answered_as_lists_are(
    monkeypatch: pytest.MonkeyPatch, values: list[Any], columns: list[Any], dtype: Any
) -> None:
    """With the same draws; the dtype follows from the categories alone."""
    measurement = make(type(values[0]), values, 0.75)
    for column in columns:
        n = len(column)
        coins = [i % 3 > 0 for i in range(n)]
        uniforms = [(i * i) % len(values) for i in range(n)]
        fix_draws(monkeypatch, coins, uniforms)
        before = column.tobytes()
        expected = [
            row if coin and row in values else values[other]
            for row, coin, other in zip(column.tolist(), coins, uniforms, strict=True)
        ]
        assert measurement(column.tolist()) == expected
        for form in (column, column[:5], column[:0]):
            if len(form) < 8:
                monkeypatch.undo()
            release = measurement(form)
            if dtype is None:
                assert type(release) is list
            else:
                assert release.dtype == np.dtype(dtype)
            assert len(release) == len(form)
            if len(form) == n:
                assert list(release) == expected
        assert column.tobytes() == before


def test_the_number_of_draws_does_not_depend_on_the_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for values, columns in (
        ([3, 5], [[3] * 9, [5] * 9, [7] * 9, [3, 5, 7] * 3]),
        ([True, False], [[True] * 9, [False] * 9]),
    ):
        seen = []
        for column in columns:
            for form in (column, np.array(column)):
                asked = fix_draws(monkeypatch, [True, False, False] * 3, [1] * 9)
                make(type(values[0]), values, 0.75)(form)
                seen.append(asked)
        assert all(each == seen[0] for each in seen)


@pytest.mark.parametrize("form", [list, np.array])
def test_many_rows_have_the_law(form: Any) -> None:
    """50,000 rows of each kind; an alarm needs a share that is off by 0.02.

    By Hoeffding's bound the nine of them have probability at most
    18 exp(-2 * 50000 * 0.02**2) < 1e-16, and a share that is off by 0.04 is missed with
    no more.
    """
    state_flakiness("1e-16")
    n = 50_000
    data = form(["a"] * n + ["c"] * n + ["z"] * n)
    release = np.array(make(str, ["a", "b", "c"], 0.6)(data))
    law = {"a": [0.6, 0.2, 0.2], "c": [0.2, 0.2, 0.6], "z": [1 / 3] * 3}
    for part, shares in zip(release.reshape(3, n), law.values(), strict=True):
        for category, share in zip("abc", shares, strict=True):
            assert abs(np.mean(part == category) - share) < 0.02


def test_truth_without_noise_and_noise_without_truth() -> None:
    data = np.array([3, 5, 3, 3] * 100)
    assert make(int, [3, 5], 1)(data).tolist() == data.tolist()
    assert make(int, [3, 5], 1)(data.tolist()) == data.tolist()
    assert make(bool, [False, True], 1)(data == 3).tolist() == (data == 3).tolist()
    # 2^-399 is the probability that one of the two does not occur.
    state_flakiness(2.0**-399)
    assert set(make(int, [3, 5], 0.5)(np.full(400, 3)).tolist()) == {3, 5}


def test_releases_are_categories() -> None:
    release = make(int, [3, 5], 0.75)([3, 5, np.int16(7)])
    assert type(release) is list
    assert {type(each) for each in release} == {int}
    assert set(release) <= {3, 5}
    array = make(int, [3, 5], 0.75)(np.array([3, 5, 7], dtype=np.int16))
    assert array.dtype == np.int64
    for answers in (release, array):
        frequencies = dp.m.debias_randomized_response(answers, [3, 5], 0.75)
        assert list(frequencies) == [3, 5]


def test_the_partial_form() -> None:
    space = dp.vector_domain(dp.atom_domain(T=str), size=3), dp.hamming_distance()
    chained = space >> dp.m.then_randomized_response_column(AB, prob=0.75)
    assert chained == make(str, AB, 0.75, 3)
    shares = dp.m.debias_randomized_response(chained(["a", "b", "z"]), AB, 0.75)
    assert list(shares) == AB
