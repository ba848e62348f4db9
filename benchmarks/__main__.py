"""Time the same script under opendp_lite and under OpenDP, and print the ratios.

Each case is one function that builds a call from the prelude it is given, so both
libraries run the same lines. Times on a shared machine drift, ratios do so less: the
two libraries take turns, batch by batch, and the medians over the batches are compared.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable
from importlib.metadata import version
from statistics import median
from time import perf_counter
from types import ModuleType
from typing import Any

import numpy as np
import opendp.prelude as peer

import opendp_lite.prelude as ours

__all__ = ["main"]

Call = Callable[[], Any]
Build = Callable[[ModuleType], Call]

# Long enough for the clock, short enough that both libraries meet the same load.
BATCH_SECONDS = 0.02


def laplace_int(dp: ModuleType) -> Call:
    """One release of an integer with Laplace noise."""
    space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    measurement = space >> dp.m.then_laplace(scale=10.0)
    return lambda: measurement(3)


def laplace_float(dp: ModuleType) -> Call:
    """One release of a float with Laplace noise."""
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    measurement = space >> dp.m.then_laplace(scale=10.0)
    return lambda: measurement(3.0)


def map_float(dp: ModuleType) -> Call:
    """The privacy map of the Laplace mechanism on floats."""
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    measurement = space >> dp.m.then_laplace(scale=10.0)
    return lambda: measurement.map(1.0)


def clamped_sum(dp: ModuleType) -> Call:
    """Clamp, sum and add Laplace noise, over a million int64 rows in numpy."""
    rows = np.arange(1_000_000, dtype=np.int64) % 200
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.symmetric_distance()
    measurement = (
        space
        >> dp.t.then_clamp((0, 100))
        >> dp.t.then_sum()
        >> dp.m.then_laplace(scale=100.0)
    )
    return lambda: measurement(rows)


CASES: dict[str, Build] = {
    "Laplace, one int": laplace_int,
    "Laplace, one float": laplace_float,
    "Laplace, .map()": map_float,
    "clamp + sum + Laplace, 1e6 int64 rows": clamped_sum,
}


def seconds(call: Call, repeats: int) -> float:
    """Seconds that one call takes, as a mean over `repeats` calls."""
    start = perf_counter()
    for _ in range(repeats):
        call()
    return (perf_counter() - start) / repeats


def repeats_for(call: Call) -> int:
    """How many calls fill a batch, after a call that loads what loads late."""
    call()
    repeats = 1
    while (taken := repeats * seconds(call, repeats)) < BATCH_SECONDS / 4:
        repeats *= 2
    return max(1, round(repeats * BATCH_SECONDS / taken))


def compare(first: Call, second: Call, batches: int) -> tuple[float, float]:
    """Medians of both calls in seconds, measured in turns."""
    repeats = repeats_for(first), repeats_for(second)
    times: tuple[list[float], list[float]] = [], []
    gc.disable()
    try:
        for _ in range(batches):
            times[0].append(seconds(first, repeats[0]))
            times[1].append(seconds(second, repeats[1]))
    finally:
        gc.enable()
    return median(times[0]), median(times[1])


def scaled(value: float) -> str:
    """A time with three digits and its unit: 2.50 us, 51.2 ms."""
    unit, size = ("ms", 1e-3) if value >= 1e-3 else ("us", 1e-6)
    digits = 2 if value < 10 * size else 1 if value < 100 * size else 0
    return f"{value / size:.{digits}f} {unit}"


def main() -> None:
    """Print one line a case."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--batches", type=int, default=21, help="batches a case (21)")
    batches = parser.parse_args().batches
    for dp in (ours, peer):
        dp.enable_features("contrib")
    print(
        f"opendp_lite {version('opendp-lite')} and OpenDP {version('opendp')}: ", end=""
    )
    print(f"medians of {batches} batches in turns\n")
    print(f"{'case':<40}{'opendp_lite':>12}{'OpenDP':>12}{'ratio':>10}")
    for name, build in CASES.items():
        mine, theirs = compare(build(ours), build(peer), batches)
        print(f"{name:<40}{scaled(mine):>12}{scaled(theirs):>12}{theirs / mine:>9.1f}x")


if __name__ == "__main__":
    main()
