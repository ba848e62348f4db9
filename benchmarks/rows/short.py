"""Noise on short vectors: a histogram of ten bins, of a hundred, of a thousand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.harness import OURS, Call, Contender, Goal, Row
from benchmarks.peers import load
from benchmarks.rows.sizes import count
from benchmarks.rows.vectors import LAWS, data

__all__ = ["GOALS", "release", "rows"]

SCALE = 10.0
GOALS = {10: 15.0, 100: 30.0, 1000: 100.0}
KINDS = {"int": "integers", "float": "floats"}
TYPES: dict[tuple[str, str], Any] = {
    # What OpenDP takes: arrays of 64 bits by name, and lists of Python's own types.
    ("array", "int"): "i64",
    ("array", "float"): "f64",
    ("list", "int"): int,
    ("list", "float"): float,
}


def release(name: str, container: str, kind: str, law: str, entries: int) -> Call:
    """Add the noise through the same lines of either library, to the same data."""
    dp = load(name)
    T = TYPES[container, kind]
    atom = dp.atom_domain(T=T) if kind == "int" else dp.atom_domain(T=T, nan=False)
    make, metric = dp.m.make_laplace, dp.l1_distance
    if law == "gaussian":
        make, metric = dp.m.make_gaussian, dp.l2_distance
    noisy = make(dp.vector_domain(atom), metric(T=T), scale=SCALE)
    values = data(kind, entries)
    if container == "list":
        values = values.tolist()
    return lambda: noisy(values)


def row(container: str, kind: str, law: str, entries: int) -> Row:
    """One container, one kind of numbers, one law, one length."""
    out = "list out" if container == "list" else "numpy array out"

    def contender(name: str, note: str) -> Contender:
        return Contender(
            name, lambda: release(name, container, kind, law, entries), note=note
        )

    return Row(
        f"short-{container}-{kind}-{law}-{count(entries)}",
        f"{container} of {count(entries)} {KINDS[kind]}, {law.title()}",
        "call",
        (
            contender(OURS, f"{container} in, {out}"),
            contender("OpenDP", f"{container} in, list out"),
        ),
        (Goal(("OpenDP",), GOALS[entries]),),
        f"scale {count(round(SCALE))}",
    )


def rows() -> Iterator[Row]:
    """Two containers, two kinds of numbers, two laws, three lengths."""
    for container in ("array", "list"):
        for kind in KINDS:
            for law in LAWS:
                for entries in GOALS:
                    yield row(container, kind, law, entries)
