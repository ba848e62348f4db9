"""Noise on every entry of a vector: integers, floats on a grid, floats by default."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, frexp
from typing import Any

from benchmarks.harness import OURS, Call, Contender, Goal, Row
from benchmarks.peers import load
from benchmarks.rows.sizes import Sizes, count

__all__ = ["grid_exponent", "rows"]

LAWS = ("laplace", "gaussian")
SCALES = (1.0, 1e3, 1e6)
GOALS = {"int": 300.0, "grid": 400.0, "float": 200.0}
KINDS = {
    "int": "integers",
    "grid": "floats on a grid of 2^-40 of the scale",
    "float": "floats, default",
}


def grid_exponent(scale: float) -> int:
    """The greatest k with 2^k at most 2^-40 of the scale."""
    return frexp(scale)[1] - 1 - 40


def data(kind: str, entries: int) -> Any:
    """The vector that noise is added to, a numpy array; floats lie off the grid."""
    np = load("numpy")
    values = np.arange(entries, dtype=np.int64) % 1000
    return values if kind == "int" else values / 7


def release(name: str, kind: str, law: str, scale: float, entries: int) -> Call:
    """Add the noise through the same lines of either library."""
    dp = load(name)
    if kind == "int":
        atom = dp.atom_domain(T="i64")
    else:
        atom = dp.atom_domain(T="f64", nan=False)
    make, metric = dp.m.make_laplace, dp.l1_distance
    if law == "gaussian":
        make, metric = dp.m.make_gaussian, dp.l2_distance
    space = (
        dp.vector_domain(atom, size=entries),
        metric(T="i64" if kind == "int" else "f64"),
    )
    k = {"k": grid_exponent(scale)} if kind == "grid" else {}
    noisy = make(*space, scale=scale, **k)
    values = data(kind, entries)
    return lambda: noisy(values)


def numpy_float(law: str, scale: float, entries: int) -> Call:
    """Floats of numpy's generator, which is neither exact nor secure."""
    generator = load("numpy").random.default_rng()
    draw = generator.laplace if law == "laplace" else generator.normal
    return lambda: draw(0.0, scale, entries)


def numpy_geometric(scale: float, entries: int) -> Call:
    """The difference of two geometric draws of numpy: discrete Laplace, nearly."""
    generator = load("numpy").random.default_rng()
    p = 1 - exp(-1 / scale)
    return lambda: generator.geometric(p, entries) - generator.geometric(p, entries)


def row(kind: str, law: str, scale: float, sizes: Sizes) -> Row:
    """One kind of numbers, one law, one scale."""
    entries, fewer = sizes.entries, sizes.peer_entries
    contenders = [
        Contender(
            OURS,
            lambda: release(OURS, kind, law, scale, entries),
            entries,
            f"numpy array of {count(entries)} in, numpy array out",
        ),
        Contender(
            "OpenDP",
            lambda: release("OpenDP", kind, law, scale, fewer),
            fewer,
            f"numpy array of {count(fewer)} in (its fastest), list out",
        ),
        Contender(
            "numpy float",
            lambda: numpy_float(law, scale, entries),
            entries,
            f"Generator.{'laplace' if law == 'laplace' else 'normal'}, "
            f"{count(entries)} floats, the noise alone",
        ),
    ]
    if kind == "int" and law == "laplace":
        contenders.append(
            Contender(
                "numpy geometric",
                lambda: numpy_geometric(scale, entries),
                entries,
                "difference of two Generator.geometric, the noise alone",
            )
        )
    goals = [Goal(("OpenDP",), GOALS[kind])]
    if kind == "int":
        goals.append(Goal(("numpy float",), 1))
    scale_text = count(round(scale))
    k = f", k = {grid_exponent(scale)} for both" if kind == "grid" else ""
    return Row(
        f"vector-{kind}-{law}-{scale_text}",
        f"vector noise, {KINDS[kind]}, {law.title()}, scale {scale_text}",
        "entry",
        tuple(contenders),
        tuple(goals),
        f"{count(entries)} entries, OpenDP {count(fewer)}{k}",
    )


def rows(sizes: Sizes) -> Iterator[Row]:
    """Three kinds of numbers, two laws, three scales."""
    for kind in KINDS:
        for law in LAWS:
            for scale in SCALES:
                yield row(kind, law, scale, sizes)
