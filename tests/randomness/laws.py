"""Checks of a sampler's law: exactly, by its bit tree, and from the OS, by draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import exp, log, sqrt
from typing import TypeVar

from gmpy2 import mpq

from opendp_lite.exact import enclosures
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.testing import state_flakiness
from tests.randomness.tree import enumerate_tree

T = TypeVar("T", int, bool, float, mpq, tuple[int, ...])

PRECISION = 400
FLAKINESS = 1e-9
DRAWS = 40_000


def point(p: mpq) -> Enclosure:
    return Enclosure(p, p)


def exponential(x: mpq) -> Enclosure:
    return enclosures.exp(x, PRECISION)


def law_fault(
    sampler: Callable[[], T],
    pmf: Callable[[T], Enclosure],
    support: Iterable[T],
    depth: int,
    unresolved_at_most: float,
) -> str | None:
    """What contradicts P(y) <= pmf(y) <= P(y) + u in the bit tree, or None.

    P(y) is the exact mass that the tree has given to y after ``depth`` bits and u
    what it has not yet given, so a true answer puts the law within u of the pmf in
    total variation. ``support`` lists values that must be examined even if unseen.
    """
    law, u = enumerate_tree(sampler, depth)
    if u > unresolved_at_most:
        return f"unresolved mass {float(u)}"
    for y in {*law, *support}:  # type: ignore[has-type]
        mass, bound = mpq(law.get(y, Fraction(0))), pmf(y)
        if not mass <= bound.lo:
            return f"too much mass on {y}"
        if not bound.hi <= mass + mpq(u):
            return f"too little mass on {y}"
    return None


def tolerance(draws: int = DRAWS, flakiness: float = FLAKINESS) -> float:
    """The eps with 2 exp(-2 n eps^2) = flakiness.

    By Massart's form of the Dvoretzky-Kiefer-Wolfowitz inequality the empirical
    distribution function of n draws of any law is farther than eps from the true
    one, anywhere, with at most that probability. For a coin it is Hoeffding's.
    """
    return sqrt(log(2 / flakiness) / (2 * draws))


def misses_at_most(
    effect: float, draws: int = DRAWS, flakiness: float = FLAKINESS
) -> float:
    """A bound on the probability to accept a law that is ``effect`` away somewhere.

    The deviation there must be at least effect - eps, for which Hoeffding's
    inequality allows exp(-2 n (effect - eps)^2).
    """
    beyond = max(0.0, effect - tolerance(draws, flakiness))
    return exp(-2 * draws * beyond**2)


def distance_of_counts(samples: list[int], cdf: Callable[[int], float]) -> float:
    """The greatest |F_n(k) - F(k)| over integers k, F constant below the least.

    What is compared with `tolerance` fails by chance with probability FLAKINESS at
    most, which is stated to the report of the run.
    """
    state_flakiness(FLAKINESS)
    counts: dict[int, int] = {}
    for sample in samples:
        counts[sample] = counts.get(sample, 0) + 1
    worst, seen = 0.0, 0
    for k in range(min(counts) - 1, max(counts) + 1):
        seen += counts.get(k, 0)
        worst = max(worst, abs(seen / len(samples) - cdf(k)))
    return worst


def distance_of_reals(samples: list[float], cdf: Callable[[float], float]) -> float:
    """The greatest |F_n(x) - F(x)| over all x, F continuous; stated likewise."""
    state_flakiness(FLAKINESS)
    n = len(samples)
    return max(
        max((i + 1) / n - cdf(x), cdf(x) - i / n) for i, x in enumerate(sorted(samples))
    )
