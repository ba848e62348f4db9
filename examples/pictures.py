"""Pictures of what a release does, before there is any data, and of what was spent.

`python examples/pictures.py FOLDER` writes them there, and without a folder into one
that is removed again. In a clone, `pip install '.[plots]'` brings what is needed.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import opendp_lite.prelude as dp
from opendp_lite import plots

ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
NUMBER = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)


def noise(theme: Any) -> Any:
    """Return the noise of a sum, with the intervals of 50 % and of 95 %."""
    total = ROWS >> dp.t.then_clamp((0, 10)) >> dp.t.then_sum() >> dp.m.then_laplace(4)
    return plots.noise(total, alphas=["0.5", "0.05"], theme=theme)


def canonical(theme: Any) -> Any:
    """Return canonical noise: constant from step to step, and cut off by delta."""
    noisy = NUMBER >> dp.m.then_canonical_noise(d_in=1.0, d_out=(0.5, 0.01))
    return plots.noise(noisy, alphas=["0.5", "0.05"], theme=theme)


def snapping(theme: Any) -> Any:
    """Return what snapping makes of 40.3: it releases multiples of a power of two."""
    noisy = NUMBER >> dp.m.then_snapping(scale=1.5, bounds=(0.0, 100.0))
    return plots.noise(noisy, at="40.3", theme=theme)


def compared() -> dict[str, dp.Measurement]:
    """Return measurements whose guarantees are of different kinds."""
    return {
        "Laplace, scale 1": NUMBER >> dp.m.then_laplace(1.0),
        "Gaussian, scale 2, by its rho": NUMBER >> dp.m.then_gaussian(2.0),
        "canonical, Gaussian tradeoff": NUMBER
        >> dp.m.then_tradeoff_noise(1.0, dp.m.gaussian_tradeoff("1/2")),
    }


def profiles(theme: Any) -> Any:
    """Return the deltas that hold, for every epsilon."""
    return plots.profiles(compared(), d_in=1.0, deltas=[1e-6], theme=theme)


def tradeoffs(theme: Any) -> Any:
    """Return how much a test must err that tells neighbours apart."""
    return plots.tradeoffs(compared(), d_in=1.0, theme=theme)


def accuracies(theme: Any) -> Any:
    """Return how near releases are, for their epsilon; snapping has steps."""
    made = {
        "Gaussian": lambda scale: NUMBER >> dp.m.then_gaussian(scale),
        "snapping": lambda scale: NUMBER >> dp.m.then_snapping(scale, (0.0, 1000.0)),
        "Laplace": lambda scale: NUMBER >> dp.m.then_laplace(scale),
        "canonical": lambda epsilon: (
            NUMBER >> dp.m.then_canonical_noise(1.0, (epsilon, 1e-6))
        ),
    }
    return plots.accuracies(made, 1.0, (0.2, 5), delta=1e-6, theme=theme)


def budget(theme: Any) -> Any:
    """Return what queries took of a budget, and a Context within of its part."""
    context = dp.Context.compositor(
        data=[23, 35, 41, 52, 67],
        domain=ROWS[0],
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=1.0),
    )
    context.query(epsilon=0.2).count().laplace().release()
    inner = context.query(epsilon=0.5).compositor().release()
    inner.query(epsilon=0.2).clamp((0, 99)).sum().laplace().release()
    inner.query(epsilon=0.1).histogram([0, 40, 60]).laplace().release()
    context.query(epsilon=0.1).histogram([0, 30, 50, 70]).laplace().release()
    return plots.budget(context, theme)


def counts(theme: Any, released: list[int] | None = None) -> Any:
    """Return a histogram with intervals, released once more or as it was before."""
    ages = [18 + i * i % 67 for i in range(400)]
    edges = [18, 30, 45, 60, 75]
    noisy = ROWS >> dp.t.then_histogram(edges) >> dp.m.then_laplace(5)
    names = ["below 18", "18 to 29", "30 to 44", "45 to 59", "60 to 74", "75 on"]
    values = noisy(ages) if released is None else released
    return plots.counts(values, noisy.accuracy("0.05"), names, theme=theme)


PICTURES: dict[str, Callable[[Any], Any]] = {
    "noise": noise,
    "canonical": canonical,
    "snapping": snapping,
    "profiles": profiles,
    "tradeoffs": tradeoffs,
    "accuracies": accuracies,
    "budget": budget,
    "counts": counts,
}


def write(folder: Path) -> None:
    """Write each picture, on light and on dark paper in turns."""
    for i, (name, draw) in enumerate(PICTURES.items()):
        theme = ("light", "dark")[i % 2]
        path = folder / f"{name}-{theme}.png"
        draw(theme).savefig(path, dpi=120)
        print(f"{path.name:20} {(draw.__doc__ or '').removeprefix('Return ')}")


def main() -> None:
    """Write the pictures into the folder that is named, or into a temporary one."""
    if len(sys.argv) > 1:
        folder = Path(sys.argv[1])
        folder.mkdir(parents=True, exist_ok=True)
        return write(folder)
    with tempfile.TemporaryDirectory() as name:
        return write(Path(name))


if __name__ == "__main__":
    main()
