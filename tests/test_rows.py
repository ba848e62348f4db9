"""Every row is run and named when it fails, and none changes what the next one sees."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite.base.features import GLOBAL_FEATURES
from tests.rows import for_each


def test_every_row_is_run_with_what_it_says() -> None:
    seen: list[object] = []

    @for_each("a", [1, (2, 3)])
    @for_each("b, c", [("x", None), ("y", [])])
    def runs(a: object, b: str, c: object) -> None:
        seen.append((a, b, c))

    runs()
    assert sorted(map(repr, seen)) == [
        *("((2, 3), 'x', None)", "((2, 3), 'y', [])"),
        *("(1, 'x', None)", "(1, 'y', [])"),
    ]


def test_what_fails_is_named_and_the_others_are_run() -> None:
    seen = []

    @for_each(("n",), [(0,), (1,), (2,)])
    def fails_once(n: int) -> None:
        seen.append(n)
        assert n != 1

    with pytest.raises(AssertionError) as one:
        fails_once()
    assert one.value.__notes__ == ["of the row {'n': 1}"]
    assert seen == [0, 1, 2]

    @for_each("n", range(4))
    def fails_often(n: int) -> None:
        if n == 1:
            pytest.fail("one")
        if n == 2:
            raise ValueError("two")

    with pytest.raises(BaseExceptionGroup, match="2 rows failed") as several:
        fails_often()
    notes = [error.__notes__ for error in several.value.exceptions]
    assert notes == [["of the row {'n': 1}"], ["of the row {'n': 2}"]]


@for_each("ids, name", [(["no", "yes"], "yes"), (hex, "0x1-0x2"), (iter("ab"), "b")])
def test_rows_are_called_as_one_likes(ids: Any, name: str) -> None:
    @for_each("m, n", [(0, 1), (1, 2)], ids=ids)
    def fails(m: int, n: int) -> None:
        assert n == 1

    with pytest.raises(AssertionError) as failed:
        fails()
    assert failed.value.__notes__ == [f"of the row {name}"]


def test_a_row_leaves_nothing_to_the_next() -> None:
    features, path = set(GLOBAL_FEATURES), list(sys.path)

    @for_each("name", ["contrib", "honest-but-curious"])
    def enables(name: str) -> None:
        assert features == GLOBAL_FEATURES
        assert path == sys.path
        dp.enable_features(name)
        sys.path.append(name)
        assert name == "contrib"

    with pytest.raises(AssertionError):
        enables()
    assert features == GLOBAL_FEATURES
    assert path == sys.path


@for_each("n", [1, 2])
def test_fixtures_are_those_of_the_test(
    n: int, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert request.node.name == "test_fixtures_are_those_of_the_test"
    assert "n" not in request.fixturenames
    monkeypatch.setenv("ROW", str(n))


def test_senseless_rows_are_refused() -> None:
    with pytest.raises(AssertionError, match="tests nothing"):
        for_each("n", [])
    with pytest.raises(ValueError, match="zip"):
        for_each("n, m", [(1,)])
    with pytest.raises(AssertionError, match="parametrize"):
        for_each("n", [1, pytest.param(2)])
    with pytest.raises(AssertionError, match="a name"):
        for_each("n", [1, 2], ids=["one"])
    with pytest.raises(AssertionError, match="does not take m"):
        for_each("m", [1])(lambda n: None)
