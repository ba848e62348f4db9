"""Does a sampler have the law that is stated for it?"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import ExactNumber
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import shown_above
from opendp_lite.verify.tree import enumerate_tree
from opendp_lite.verify.verdicts import (
    Certificate,
    Verdict,
    cap_argument,
    in_words,
    to_resolve,
)

Probability: TypeAlias = int | mpq | Fraction | Callable[[int], Enclosure]
"""A probability: exact, or a function from a precision to an enclosure of it."""

_LARGEST_PRECISION = 1 << 14


@attrs.frozen(repr=False)
class LawCertificate(Certificate):
    """What `law` proved.

    `inside`: every outcome y that was seen has P(y) <= pmf(y) <= P(y) + unresolved.
    `total_variation`: an upper bound on the distance of the true law from the stated
    one (if that one sums to 1); it is `unresolved` when all outcomes are inside.
    `worst` is the outcome that is furthest outside of its bounds, or closest to them,
    and `excess` an upper bound on by how much (negative inside).

    The `verdict` on the stated law is one of three: *refuted* when an outcome is
    outside; *holds* when none is and the total variation is at most `cap`; otherwise
    *undecided*, as too much mass is unresolved, and `advice` says what would decide.
    It is undecided in any case if `sources` names something that the sampler used
    besides its random bits.
    """

    inside: bool
    total_variation: mpq
    paths: int
    unresolved: mpq
    outcomes: int
    worst: Any
    excess: mpq
    cap: mpq
    resolve: str = ""
    sources: tuple[str, ...] = ()

    def _judged(self) -> Verdict:
        if not self.inside:
            return "refuted"
        return "holds" if self.total_variation <= self.cap else "undecided"

    def _open_end(self) -> str:
        most = f"the total variation may be above cap={self.cap}"
        return f"{self.resolve}; {most}: raise cap if so much is acceptable"

    def __repr__(self) -> str:
        return self._printed(
            f"LawCertificate: {in_words(self.verdict)}",
            f"  total variation  <= {shown_above(self.total_variation, 3)}",
            f"  unresolved mass  <= {shown_above(self.unresolved, 3)}",
            f"  worst outcome       {self.worst!r}",
            f"  outside by       <= {shown_above(self.excess, 3)}",
            f"  outcomes, paths     {self.outcomes}, {self.paths}",
        )


def law(
    sampler: Callable[[], Any],
    pmf: Callable[[Any], Probability],
    depth: int = 40,
    *,
    cap: ExactNumber | None = None,
    runs: int | None = None,
    seconds: float | None = None,
    workers: int = 1,
    progress: bool | None = None,
) -> LawCertificate:
    """Return how the law of `sampler()` compares with a stated one.

    `pmf(y)` is the probability of the outcome y: a rational, or a function from a
    precision to an `Enclosure` when it is irrational. For every outcome that was seen,
    P(y) <= pmf(y) <= P(y) + u is decided, where P(y) is the mass that the bit tree
    found and u the unresolved mass; so the total variation distance of the two
    laws is at most u. The law holds if that is at most `cap`, an exact number, 1/1000
    unless another is given. The budgets are those of `enumerate_tree`.

    :param sampler: reads random bits from the library and from nowhere else
    :param pmf: the stated probability of an outcome
    :param depth: how many bits a path may have
    :param cap: the greatest total variation distance that is accepted
    :param runs: a budget: the greatest number of runs
    :param seconds: a budget: the longest time
    :param workers: how many processes share the paths
    :param progress: whether to show a bar; by default where somebody may look at it

    >>> from opendp_lite.randomness.draws import sample_bernoulli_rational
    >>> third = mpq(1, 3)
    >>> def stated(y):
    ...     return third if y else 1 - third
    >>> certificate = law(lambda: sample_bernoulli_rational(third), stated, depth=20)
    >>> certificate.holds, certificate.total_variation == mpq(1, 2**20)
    (True, True)
    >>> bool(law(lambda: sample_bernoulli_rational(mpq(3, 10)), stated))
    False
    """
    most = cap_argument(cap)
    tree = enumerate_tree(
        sampler, depth, runs=runs, seconds=seconds, workers=workers, progress=progress
    )
    all_inside = True
    surplus = mpq(0)
    worst: Any = None
    excess = mpq(-1)
    for name, mass in tree.masses.items():
        outcome = tree.outcomes[name]
        bounds = _decided(pmf(outcome), mass, mass + tree.unresolved)
        inside = mass <= bounds.lo and bounds.hi <= mass + tree.unresolved
        below, above = mpq(bounds.lo), mpq(bounds.hi)
        outside = max(mass - below, above - mass - tree.unresolved)
        all_inside = all_inside and inside
        surplus += max(mpq(0), mass - below)
        if worst is None or outside > excess:
            worst, excess = outcome, outside
    return LawCertificate(
        inside=all_inside,
        total_variation=min(mpq(1), surplus + tree.unresolved),
        paths=tree.paths,
        unresolved=tree.unresolved,
        outcomes=len(tree.masses),
        worst=worst,
        excess=excess,
        cap=most,
        resolve=to_resolve([tree]),
        sources=tree.sources,
    )


def _decided(probability: Probability, least: mpq, most: mpq) -> Enclosure:
    """Enclose the probability so well that it is inside [least, most] or outside."""
    if not callable(probability):
        exact = to_mpq(probability)
        return Enclosure(exact, exact)
    precision = 64
    while precision <= _LARGEST_PRECISION:
        found = probability(precision)
        if not isinstance(found, Enclosure):
            raise TypeError("pmf must give a rational or a function to an Enclosure")
        inside = least <= found.lo and found.hi <= most
        outside = found.hi < least or found.lo > most
        if inside or outside:
            return found
        precision *= 2
    raise ArithmeticError(
        "the enclosures of pmf do not become narrow enough to compare it with the "
        f"mass {least}; if the probability is rational, return it as a rational"
    )
