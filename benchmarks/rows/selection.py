"""Noisy max over many candidates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.harness import OURS, Call, Contender, Goal, Row
from benchmarks.peers import load
from benchmarks.rows.sizes import Sizes, count

__all__ = ["rows"]

SCALE = 10.0


def scores(T: str, candidates: int) -> Any:
    """Scores from 0 to 999, a numpy array."""
    np = load("numpy")
    return (np.arange(candidates) * 7919 % 1000).astype(
        np.int64 if T == "i64" else np.float64
    )


def noisy_max(name: str, pure: bool, T: str, candidates: int) -> Call:
    """Select through the same lines of either library."""
    dp = load(name)
    atom = dp.atom_domain(T=T) if T == "i64" else dp.atom_domain(T=T, nan=False)
    measure = dp.max_divergence() if pure else dp.zero_concentrated_divergence()
    select = dp.m.make_noisy_max(
        dp.vector_domain(atom), dp.linf_distance(T=T), measure, scale=SCALE
    )
    values = scores(T, candidates)
    return lambda: select(values)


def diffprivlib(pure: bool, T: str, candidates: int) -> Call:
    """The scores are an argument of its constructor, which so belongs to the work."""
    mechanisms = load("diffprivlib", submodule="mechanisms")
    make = mechanisms.PermuteAndFlip if pure else mechanisms.Exponential
    values = scores(T, candidates).tolist()
    # Its exponent is epsilon * score / (2 * sensitivity).
    epsilon = 2 / SCALE
    return lambda: make(epsilon=epsilon, sensitivity=1, utility=values).randomise()


def rows(sizes: Sizes) -> Iterator[Row]:
    """Pure and zCDP, on integers and on floats."""
    candidates = sizes.candidates

    def row(pure: bool, T: str) -> Row:
        short, name = ("pure", "pure") if pure else ("zcdp", "zCDP")
        kind = "int" if T == "i64" else "float"
        law = "permute-and-flip" if pure else "exponential mechanism"
        return Row(
            f"noisy-max-{short}-{kind}",
            f"noisy max, {name}, {kind}",
            "call",
            (
                Contender(
                    OURS,
                    lambda: noisy_max(OURS, pure, T, candidates),
                    note=f"numpy array; {law}",
                ),
                Contender(
                    "OpenDP",
                    lambda: noisy_max("OpenDP", pure, T, candidates),
                    note="numpy array (its fastest)",
                ),
                Contender(
                    "diffprivlib",
                    lambda: diffprivlib(pure, T, candidates),
                    note=f"list; {law}, made and run",
                ),
            ),
            (Goal(("OpenDP",), 10),),
            f"{count(candidates)} candidates, scores 0 to 999, scale 10",
        )

    for pure in (True, False):
        for T in ("i64", "f64"):
            yield row(pure, T)
