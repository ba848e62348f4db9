"""One release with canonical noise: a usual pair, a small epsilon, and no delta."""

from __future__ import annotations

from benchmarks.harness import OURS, Call, Contender, Goal, Row
from benchmarks.peers import load

__all__ = ["rows"]

_MADE = "make_canonical_noise, made once"


def noisy(name: str, epsilon: float, delta: float) -> Call:
    """Add noise through the same lines of either library."""
    dp = load(name)
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    measurement = dp.m.make_canonical_noise(*space, d_in=1.0, d_out=(epsilon, delta))
    return lambda: measurement(3.0)


def laplace(epsilon: float) -> Call:
    """OpenDP's other noise with this epsilon and no delta."""
    dp = load("OpenDP")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    measurement = dp.m.make_laplace(*space, scale=1 / epsilon)
    return lambda: measurement(3.0)


def row(key: str, epsilon: float, delta: float, times: float) -> Row:
    """One pair, which both libraries can do."""
    return Row(
        f"scalar-canonical-{key}",
        f"one release, canonical noise, ({epsilon:g}, {delta:g})",
        "call",
        (
            Contender(OURS, lambda: noisy(OURS, epsilon, delta), note=_MADE),
            Contender("OpenDP", lambda: noisy("OpenDP", epsilon, delta), note=_MADE),
        ),
        (Goal(("OpenDP",), times),),
        "d_in 1, float",
    )


def rows() -> list[Row]:
    """The pairs."""
    pure = Row(
        "scalar-canonical-pure",
        "one release, canonical noise, (1, 0)",
        "call",
        (
            Contender(OURS, lambda: noisy(OURS, 1.0, 0.0), note=_MADE),
            Contender(
                "OpenDP Laplace",
                lambda: laplace(1.0),
                note="make_laplace: make_canonical_noise ends the process here",
            ),
        ),
        (Goal(("OpenDP Laplace",), 1),),
        "d_in 1, float",
    )
    return [row("usual", 1.0, 1e-6, 10), row("small", 0.01, 1e-9, 1000), pure]
