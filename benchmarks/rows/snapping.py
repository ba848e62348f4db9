"""The snapping mechanism: one number, and a vector."""

from __future__ import annotations

from benchmarks.harness import OURS, Call, Contender, Goal, Row
from benchmarks.peers import load
from benchmarks.rows.sizes import Sizes, count

__all__ = ["rows"]

SCALE = 10.0
BOUNDS = (0.0, 1000.0)


def number() -> Call:
    """One release of a measurement that is made once."""
    dp = load(OURS)
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    snapping = dp.m.make_snapping(*space, scale=SCALE, bounds=BOUNDS)
    return lambda: snapping(300.0)


def diffprivlib() -> Call:
    """`randomise` of its mechanism, whose effective epsilon is a little less."""
    mechanisms = load("diffprivlib", submodule="mechanisms")
    mechanism = mechanisms.Snapping(
        epsilon=1 / SCALE, sensitivity=1.0, lower=BOUNDS[0], upper=BOUNDS[1]
    )
    randomise = mechanism.randomise
    return lambda: randomise(300.0)


def vector(entries: int) -> Call:
    """A vector in one call."""
    dp = load(OURS)
    space = (
        dp.vector_domain(dp.atom_domain(T=float, nan=False), size=entries),
        dp.l1_distance(T=float),
    )
    snapping = dp.m.make_snapping(*space, scale=SCALE, bounds=BOUNDS)
    values = load("numpy").arange(entries) % 1000 / 7
    return lambda: snapping(values)


def plain(entries: int) -> Call:
    """Floats of numpy's generator, rounded and clipped; not exact, not secure."""
    np = load("numpy")
    generator = np.random.default_rng()
    values = np.arange(entries) % 1000 / 7
    step = 16.0

    def release() -> object:
        noisy = values + generator.laplace(0.0, SCALE, entries)
        return np.clip(np.round(noisy / step) * step, *BOUNDS)

    return release


def rows(sizes: Sizes) -> list[Row]:
    """One number against diffprivlib, a vector against plain numpy."""
    entries = sizes.entries
    note = "scale 10, bounds (0, 1000)"
    return [
        Row(
            "scalar-snapping-float",
            "one release, snapping, float",
            "call",
            (
                Contender(OURS, number, note="make_snapping, made once"),
                Contender(
                    "diffprivlib",
                    diffprivlib,
                    note="Snapping.randomise, made once; float arithmetic",
                ),
            ),
            (Goal(("diffprivlib",), 1),),
            note,
        ),
        Row(
            "vector-snapping-float",
            "vector, snapping, float",
            "entry",
            (
                Contender(
                    OURS,
                    lambda: vector(entries),
                    entries,
                    "make_snapping, numpy array in",
                ),
                Contender(
                    "numpy float",
                    lambda: plain(entries),
                    entries,
                    "Generator.laplace, rounded and clipped; not exact, not secure",
                ),
            ),
            (Goal(("numpy float",), 1),),
            f"{count(entries)} entries, {note}",
        ),
    ]
