"""Scores of candidates for a quantile, and a private quantile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.harness import OURS, Call, Contender, Goal, Row
from benchmarks.peers import load
from benchmarks.rows.sizes import Sizes, count

__all__ = ["rows"]

_CANDIDATES = range(101)


def column(data: str, length: int) -> Any:
    """Numbers in no order: three out of five between the candidates, or all on them."""
    np = load("numpy")
    generator = np.random.default_rng(0)
    if data == "int64":
        return generator.integers(-50, 150, length)
    if data == "cuts":
        return generator.integers(0, 101, length).astype(float)
    numbers = generator.uniform(-5, 15, length)
    return numbers.tolist() if data == "list" else numbers


def scores(name: str, data: str, length: int, private: bool = False) -> Call:
    """The median by 101 candidates: the same lines in either library."""
    dp = load(name)
    if data == "int64":
        atom, candidates = dp.atom_domain(T="i64"), [*_CANDIDATES]
    else:
        atom = dp.atom_domain(T=float, nan=False)
        width = 1 if data == "cuts" else 10
        candidates = [each / width for each in _CANDIDATES]
    space = dp.vector_domain(atom), dp.symmetric_distance()
    chain: Any
    if private:
        chain = space >> dp.m.then_private_quantile(
            dp.max_divergence(), candidates=candidates, alpha=0.5, scale=1.0
        )
    else:
        chain = space >> dp.t.then_quantile_score_candidates(candidates, 0.5)
    values = column(data, length)
    return lambda: chain(values)


def rows(sizes: Sizes) -> Iterator[Row]:
    """Of arrays, of floats that all equal a candidate, and of lists."""
    tenth = max(sizes.data // 10, 2)
    array, listed = "numpy array (its fastest)", "list of T=float"
    for key, title, data, goal in (
        ("scores-int64", "scores of 101 candidates, int64", "int64", 10),
        ("scores-float64", "scores of 101 candidates, float64", "float64", 8),
        ("scores-cuts", "scores, float64, each row a candidate", "cuts", 4),
        ("scores-list-float", "scores of 101 candidates, list of float", "list", 14),
        ("quantile-float64", "private median of 101 candidates", "float64", 8),
    ):
        length, note = (tenth, listed) if data == "list" else (sizes.data, array)
        yield Row(
            key,
            title,
            "row",
            tuple(
                Contender(
                    name,
                    lambda name=name, key=key, data=data, length=length: (  # type: ignore[misc]
                        scores(name, data, length, key.startswith("quantile"))
                    ),
                    length,
                    note if name == "OpenDP" else note.partition(" (")[0],
                )
                for name in (OURS, "OpenDP")
            ),
            (Goal(("OpenDP",), goal),),
            f"{count(length)} rows",
        )
