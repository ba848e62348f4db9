"""Counts of rows: between edges, of categories, by keys, of values; trees of counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.harness import OURS, Call, Contender, Goal, Row
from benchmarks.peers import load
from benchmarks.rows.sizes import Sizes, count

__all__ = ["rows"]

_ARRAY = "numpy array"
_FASTEST = "numpy array (its fastest)"


def _rows_of(dp: Any, T: Any) -> Any:
    atom = dp.atom_domain(T=T, nan=False) if T is float else dp.atom_domain(T=T)
    return dp.vector_domain(atom), dp.symmetric_distance()


def _binned(name: str, edges: list[float]) -> Any:
    """Floats counted between edges; OpenDP needs a step more."""
    dp = load(name)
    space = _rows_of(dp, float)
    if name == OURS:
        return space >> dp.t.then_histogram(edges)
    bins = list(range(len(edges) + 1))
    counts = dp.t.then_count_by_categories(bins, null_category=False)
    return space >> dp.t.then_find_bin(edges) >> counts


def histogram(name: str, edges: int, length: int, listed: bool = False) -> Call:
    """Floats, half of them between the edges."""
    np = load("numpy")
    data = np.random.default_rng(0).uniform(-5, 15, length)
    cuts = np.linspace(0, 10, edges).tolist()
    if listed:
        data = data.tolist()
    transformation = _binned(name, cuts)
    return lambda: transformation(data)


_WORDS = [f"key{j:03d}" for j in range(200)]


def _keys(length: int, text: bool) -> Any:
    """Two hundred keys in no order: integers from -50 to 149, or words."""
    np = load("numpy")
    numbers = np.random.default_rng(0).integers(-50, 150, length)
    return np.array(_WORDS)[numbers] if text else numbers


def categories(
    name: str, length: int, text: bool = False, listed: bool = False
) -> Call:
    """A hundred categories, which half of the rows have."""
    data = _keys(length, text)
    if listed:
        data = data.tolist()
    dp = load(name)
    values = _WORDS[:100] if text else list(range(100))
    step = dp.t.then_count_by_categories(values)
    transformation = _rows_of(dp, str if text else "i64") >> step
    return lambda: transformation(data)


def keys(name: str, length: int, text: bool, listed: bool = False) -> Call:
    """Two hundred keys: integers, or words, of which OpenDP takes lists only."""
    data = _keys(length, text)
    if listed or (text and name != OURS):
        data = data.tolist()
    dp = load(name)
    transformation = _rows_of(dp, str if text else "i64") >> dp.t.then_count_by()
    return lambda: transformation(data)


def distinct(name: str, length: int, greatest: int) -> Call:
    """The number of different integers, of 200 or of almost as many as there are."""
    np = load("numpy")
    data = np.random.default_rng(0).integers(0, greatest, length)
    dp = load(name)
    transformation = _rows_of(dp, "i64") >> dp.t.then_count_distinct()
    return lambda: transformation(data)


def tree(name: str, leaves: int) -> Call:
    """A tree over counts; OpenDP's integers wrap, ours are told that they are small."""
    np = load("numpy")
    data = np.random.default_rng(0).integers(0, 100, leaves)
    dp = load(name)
    atom = (
        dp.atom_domain(bounds=(0, 10**6)) if name == OURS else dp.atom_domain(T="i64")
    )
    distance = dp.l1_distance(T=int if name == OURS else "i64")
    step = dp.t.then_b_ary_tree(leaf_count=leaves, branching_factor=16)
    transformation = (dp.vector_domain(atom), distance) >> step
    return lambda: transformation(data)


def binned_tree(name: str, length: int) -> Call:
    """Floats into 251 bins, and a tree over these."""
    np = load("numpy")
    data = np.random.default_rng(0).uniform(-5, 15, length)
    edges = [edge / 100 for edge in range(1, 1000, 4)]
    step = load(name).t.then_b_ary_tree(len(edges) + 1, 16)
    transformation = _binned(name, edges) >> step
    return lambda: transformation(data)


def _row(
    key: str,
    title: str,
    length: int,
    build: Callable[[str], Call],
    goal: float,
    theirs: str = _FASTEST,
    ours: str = _ARRAY,
) -> Row:
    return Row(
        key,
        title,
        "row",
        (
            Contender(OURS, lambda: build(OURS), length, ours),
            Contender("OpenDP", lambda: build("OpenDP"), length, theirs),
        ),
        (Goal(("OpenDP",), goal),),
        f"{count(length)} rows",
    )


def rows(sizes: Sizes) -> Iterator[Row]:
    """Histograms, categories and keys; a tenth of the rows where OpenDP is slow."""
    tenth = max(sizes.data // 10, 2)
    for edges in (11, 101, 1001):
        length = tenth if edges > 1000 else sizes.data
        yield _row(
            f"histogram-float64-{edges}",
            f"histogram, float64, {edges} edges",
            length,
            lambda name, edges=edges, length=length: (  # type: ignore[misc]
                histogram(name, edges, length)
            ),
            10,
        )
    yield _row(
        "tree-float64",
        "251 bins and a tree of branching 16, float64",
        sizes.data,
        lambda name: binned_tree(name, sizes.data),
        10,
    )
    yield _row(
        "tree-int64",
        "tree of branching 16 over counts, int64",
        tenth,
        lambda name: tree(name, tenth),
        5,
    )
    yield _row(
        "categories-int64",
        "count by 100 categories, int64",
        sizes.data,
        lambda name: categories(name, sizes.data),
        10,
    )
    yield _row(
        "keys-int64",
        "count by unknown keys, int64, 200 of them",
        sizes.data,
        lambda name: keys(name, sizes.data, False),
        9,
    )
    yield _row(
        "keys-text",
        "count by unknown keys, text, 200 of them",
        tenth,
        lambda name: keys(name, tenth, True),
        50,
        "list (it takes no array of text)",
    )
    for greatest, title, goal in ((200, "200", 7), (2**40, "1e7", 2)):
        yield _row(
            f"distinct-int64-{title}",
            f"count of different values, int64, {title} of them at most",
            sizes.data,
            lambda name, greatest=greatest: (  # type: ignore[misc]
                distinct(name, sizes.data, greatest)
            ),
            goal,
        )
    yield from _of_lists(tenth)


def _of_lists(length: int) -> Iterator[Row]:
    """The same of lists, of integers, of words and of floats."""
    for text in (False, True):
        kind = "text" if text else "int"
        note = f"list of T={'str' if text else 'i64'}"
        yield _row(
            f"categories-list-{kind}",
            f"count by 100 categories, list of {kind}",
            length,
            lambda name, text=text: (  # type: ignore[misc]
                categories(name, length, text, True)
            ),
            14,
            note,
            note,
        )
        yield _row(
            f"keys-list-{kind}",
            f"count by unknown keys, list of {kind}, 200 of them",
            length,
            lambda name, text=text: (  # type: ignore[misc]
                keys(name, length, text, True)
            ),
            14,
            note,
            note,
        )
    note = "list of T=float"
    yield _row(
        "histogram-list-float",
        "histogram, list of float, 101 edges",
        length,
        lambda name: histogram(name, 101, length, True),
        14,
        note,
        note,
    )
