"""Group-bys of a Parquet file, over the bare aggregation of the same engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from benchmarks.harness import OURS, Call, Contender, Goal, Margin, Row
from benchmarks.rows import table_work as work
from benchmarks.rows.sizes import Sizes, count

__all__ = ["rows"]

_ENGINES = ("DuckDB", "Polars", "Spark")
_WORKS = {
    "sum": ("count and a sum", "g", 1, False, 2.0),
    "sums": ("count and two sums", "g", 2, False, 2.0),
    "text": ("count and a sum by text", "gs", 1, False, 2.0),
    "keys": ("count and two sums, 1e4 public keys", "g", 2, True, 2.5),
}
_CODES = 8.0  # seconds for 1e7 texts


def _row(
    engine: str,
    key: str,
    title: str,
    length: int,
    calls: dict[str, Callable[[str], Call]],
    goals: dict[str, float],
) -> Row:
    """A row of what each contender makes of the path of a file."""

    def building(call: Callable[[str], Call]) -> Callable[[], Call]:
        return lambda: call(work.file(length))

    contenders = [
        Contender(name, building(call), length, self_timed=True)
        for name, call in calls.items()
    ]
    at_most = tuple(Goal((name,), 1 / times) for name, times in goals.items())
    note = f"CPU time, {count(length)} rows, {work.GROUPS} groups"
    name = f"table-{engine.lower()}-{key}"
    title = f"{title}, {engine}"
    return Row(name, title, "row", tuple(contenders), at_most, note)


def rows(sizes: Sizes) -> Iterator[Row]:
    """Sums by key, people and codes of text on each engine; memory; a release."""
    for engine in _ENGINES:
        yield from _sums(engine, sizes.tables)
        yield from _people(engine, sizes.tables)
        yield _codes(engine, sizes.tables)
    yield _memory(sizes.tables)
    yield _release(sizes.tables)


def _sums(engine: str, length: int) -> Iterator[Row]:
    for key, (title, by, sums, keys, most) in _WORKS.items():
        if engine == "Spark" and key in ("sums", "text"):
            continue
        calls: dict[str, Callable[[str], Call]] = {
            OURS: partial(_ours, engine, by, sums, keys, None),
            engine: partial(_bare, engine, by, sums, False),
        }
        goals = {engine: most}
        if (engine, key) == ("DuckDB", "sum"):
            name = "DuckDB, clipped in floats"
            calls[name] = partial(_bare, engine, by, sums, True)
            goals[name] = 1.0
        yield _row(engine, key, title, length, calls, goals)


def _people(engine: str, length: int) -> Iterator[Row]:
    """Cells of people, who have two rows each; a tenth of the rows where it is slow."""
    for person, key in (("id", "people"), ("name", "people-text")):
        slow = engine == "Spark" or person == "name"
        calls: dict[str, Callable[[str], Call]] = {
            OURS: partial(_ours, engine, "g", 1, False, person),
            engine: partial(_bare, engine, f"{person}, g", 1, False),
        }
        title = f"a sum of people, rows=2, groups=3, by {person}"
        size = max(length // 10, 1) if slow else length
        yield _row(engine, key, title, size, calls, {engine: 5.0})


def _codes(engine: str, length: int) -> Row:
    """All texts in one go: the goal is in seconds for the whole file."""
    mine = Contender(
        OURS, lambda: work.codes(engine, work.file(length)), self_timed=True
    )
    bare = Contender(
        engine, lambda: work.texts(engine, work.file(length)), self_timed=True
    )
    goal = Margin((engine,), _CODES * length / 1e7)
    title = f"SHA-256 of texts, over reading them, {engine}"
    note = f"CPU time, {count(length)} rows"
    key = f"table-{engine.lower()}-codes"
    return Row(key, title, "file", (mine, bare), (goal,), note)


def _memory(length: int) -> Row:
    """The most memory that two sums take, in fresh interpreters."""

    def building(call: str) -> Callable[[], Call]:
        return lambda: work.peak(call.format(work.file(length)))

    mine = building("ours('DuckDB', '{}', 'g', 2, True, None)")
    bare = building("bare('DuckDB', '{}', 'g', 2)")
    contenders = (
        Contender(OURS, mine, note="on DuckDB", self_timed=True),
        Contender("DuckDB", bare, self_timed=True),
    )
    title = "memory of a count and two sums, 1e4 public keys, DuckDB"
    note = f"peak of a fresh process, {count(length)} rows, {work.GROUPS} groups"
    key = "table-duckdb-memory"
    return Row(key, title, "process", contenders, (), note, measure="GB")


def _release(length: int) -> Row:
    calls: dict[str, Callable[[str], Call]] = {
        OURS: partial(work.release, "Polars"),
        "OpenDP": lambda path: work.opendp(path, length),
    }
    title = "a release of counts and sums, 1e4 public keys"
    return _row("Polars", "release", title, length, calls, {"OpenDP": 1.0})


def _ours(
    engine: str, by: str, sums: int, keys: bool, person: str | None, path: str
) -> Call:
    return work.ours(engine, path, by, sums, keys, person)


def _bare(engine: str, by: str, sums: int, clipped: bool, path: str) -> Call:
    return work.bare(engine, path, by, sums, clipped)
