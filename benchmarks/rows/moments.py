"""Clamp, and the mean or the variance, of a column of floats of public size."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.harness import OURS, Call, Contender, Goal, Row
from benchmarks.peers import load
from benchmarks.rows.sizes import Sizes, count

__all__ = ["rows", "statistic"]


def statistic(name: str, moment: str, length: int, listed: bool) -> Call:
    """The same lines in either library; a tenth of the rows lie outside the bounds."""
    np = load("numpy")
    values = np.random.default_rng(0).uniform(-0.5, 9.5, length)
    dp = load(name)
    atom = dp.atom_domain(T=float, nan=False)
    step = dp.t.then_mean() if moment == "mean" else dp.t.then_variance()
    transformation = (
        (dp.vector_domain(atom, size=length), dp.symmetric_distance())
        >> dp.t.then_clamp((0.0, 9.0))
        >> step
    )
    data = values.tolist() if listed else values
    return lambda: transformation(data)


def row(moment: str, listed: bool, sizes: Sizes) -> Row:
    """One moment of an array, or of a list of a tenth of the length."""
    length = max(sizes.data // 10, 2) if listed else sizes.data
    note = "list of T=float" if listed else "numpy array (its fastest)"
    return Row(
        f"{moment}-list-float" if listed else f"{moment}-float64",
        f"clamp + {moment}, {'list of float' if listed else 'float64'}, size known",
        "row",
        tuple(
            Contender(
                name,
                lambda name=name: statistic(  # type: ignore[misc]
                    name, moment, length, listed
                ),
                length,
                note if name == "OpenDP" else note.partition(" (")[0],
            )
            for name in (OURS, "OpenDP")
        ),
        (Goal(("OpenDP",), 14 if listed else 10),),
        f"{count(length)} rows",
    )


def rows(sizes: Sizes) -> Iterator[Row]:
    """Means and variances, of arrays and of lists."""
    for listed in (False, True):
        for moment in ("mean", "variance"):
            yield row(moment, listed, sizes)
