"""Counts of rows: between edges, of categories, by unknown keys; trees of counts."""

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


def histogram(name: str, edges: int, length: int) -> Call:
    """Floats, half of them between the edges; OpenDP needs a step more."""
    np = load("numpy")
    data = np.random.default_rng(0).uniform(-5, 15, length)
    cuts = np.linspace(0, 10, edges).tolist()
    dp = load(name)
    if name == OURS:
        transformation = _rows_of(dp, float) >> dp.t.then_histogram(cuts)
    else:
        bins = list(range(edges + 1))
        transformation = (
            _rows_of(dp, float)
            >> dp.t.then_find_bin(cuts)
            >> dp.t.then_count_by_categories(bins, null_category=False)
        )
    return lambda: transformation(data)


def categories(name: str, length: int) -> Call:
    """A hundred categories, which half of the integers have."""
    np = load("numpy")
    data = np.random.default_rng(0).integers(-50, 150, length)
    dp = load(name)
    step = dp.t.then_count_by_categories(list(range(100)))
    transformation = _rows_of(dp, "i64") >> step
    return lambda: transformation(data)


def keys(name: str, length: int, text: bool) -> Call:
    """Two hundred keys: integers, or words, of which OpenDP takes lists only."""
    np = load("numpy")
    data = np.random.default_rng(0).integers(-50, 150, length)
    if text:
        data = np.array([f"key{j:03d}" for j in range(200)])[data]
    if text and name != OURS:
        data = data.tolist()
    dp = load(name)
    transformation = _rows_of(dp, str if text else "i64") >> dp.t.then_count_by()
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
    bins = list(range(len(edges) + 1))
    dp = load(name)
    space = _rows_of(dp, float)
    if name == OURS:
        counts = space >> dp.t.then_histogram(edges)
    else:
        counts = (
            space
            >> dp.t.then_find_bin(edges)
            >> dp.t.then_count_by_categories(bins, null_category=False)
        )
    transformation = counts >> dp.t.then_b_ary_tree(len(bins), 16)
    return lambda: transformation(data)


def _row(
    key: str,
    title: str,
    length: int,
    build: Callable[[str], Call],
    goal: float,
    theirs: str = _FASTEST,
) -> Row:
    return Row(
        key,
        title,
        "row",
        (
            Contender(OURS, lambda: build(OURS), length, _ARRAY),
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
