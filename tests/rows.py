"""Rows of a test that take no time of their own: all of them are one test.

To set a test up, report it and take it down takes pytest some milliseconds, and most
rows take less. So `for_each` is written as `pytest.mark.parametrize` is, and what fails
is told by its row; but what needs a fixture anew for each row is parametrized.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeAlias

import pytest

from opendp_lite.base.features import GLOBAL_FEATURES

__all__ = ["as_before", "for_each"]

Test: TypeAlias = Callable[..., None]


@contextmanager
def as_before() -> Iterator[None]:
    """Take back what is enabled and put on the path in the block."""
    features, path = set(GLOBAL_FEATURES), list(sys.path)
    try:
        yield
    finally:
        GLOBAL_FEATURES.clear()
        GLOBAL_FEATURES.update(features)
        sys.path[:] = path


def for_each(
    names: str | tuple[str, ...],
    values: Iterable[Any],
    ids: Callable[[Any], object] | Iterable[object] | None = None,
) -> Callable[[Test], Test]:
    """Run a test for each of the rows, and raise what failed, of all of them.

    :param names: arguments of the test: a name, names with commas, or a tuple of names
    :param values: of one name its values; of several tuples of theirs
    :param ids: what rows are called, or a value is; by default all values are shown
    """
    listed = names.split(",") if isinstance(names, str) else names
    given = [name.strip() for name in listed]
    values = list(values)
    marked = any(isinstance(row, type(pytest.param())) for row in values)
    assert not marked, "a row with a mark is a test of its own: parametrize"
    if isinstance(names, str) and len(given) == 1:
        values = [(value,) for value in values]
    table = [dict(zip(given, row, strict=True)) for row in values]
    assert table, "a test without rows tests nothing"
    called = None if ids is None or callable(ids) else list(ids)
    assert called is None or len(called) == len(table), "each row has a name"

    def name_of(number: int) -> object:
        if called is not None:
            return called[number]
        row = table[number]
        return "-".join(str(ids(x)) for x in row.values()) if callable(ids) else row

    def decorate(test: Test) -> Test:
        parameters = inspect.signature(test).parameters
        assert set(given) <= set(parameters), f"{test.__name__} does not take {names}"

        @wraps(test)
        def run(**others: Any) -> None:
            failed: list[BaseException] = []
            for number, row in enumerate(table):
                try:
                    with as_before():
                        test(**row, **others)
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"of the row {name_of(number)}")
                    failed.append(error)
            if len(failed) == 1:
                raise failed[0]
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} rows failed", failed)

        rest = [each for name, each in parameters.items() if name not in given]
        run.__signature__ = inspect.Signature(rest)  # type: ignore[attr-defined]
        return run

    return decorate
