"""Do releases in words have the law that the tree found for single bits?

A sampler is told how many bits to ask for at a time: 1 in the tree, 64 otherwise. Both
must give the same law. The tree knows every probability up to its unresolved mass; so
releases under bits that look random, in words of 64, are counted and compared with it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from gmpy2 import mpq, mpz

from opendp_lite.verify.contracts.errors import told
from opendp_lite.verify.tree import Tree

__all__ = ["FALSE_ALARMS", "RELEASES", "unlikely_count", "unlikely_tail"]

RELEASES = 500  # of each input: an outcome that is off by about 1/5 is found
FALSE_ALARMS = mpq(1, 10**9)  # of a contract, if the bits were random


def unlikely_tail(count: int, of: int, least: mpq, most: mpq, rate: mpq) -> bool:
    """Return whether so many, or so few, have a probability of at most `rate`.

    `count` of `of` independent trials succeeded, each with some probability p from
    `least` to `most`. By Chernoff's bound, c or more of n have, where c > n p, and c or
    fewer have, where c < n p, at most the probability
    (n p / c)^c ((n - n p) / (n - c))^(n - c). It is compared exactly.

    >>> unlikely_tail(9, 10, mpq(1, 2), mpq(1, 2), mpq(1, 10**9))
    False
    >>> unlikely_tail(90, 100, mpq(1, 2), mpq(1, 2), mpq(1, 10**9))
    True
    """
    if of * least <= count <= of * most:
        return False
    p = most if count > of * most else least
    if count < of * p < 1 - rate:
        return False  # as (1 - p)^n is at least 1 - n p
    rest = of - count
    chance = p**count * (1 - p) ** rest * mpz(of) ** of
    return bool(chance <= rate * mpz(count) ** count * mpz(rest) ** rest)


def unlikely_count(tree: Tree, counts: Mapping[Hashable, int], rate: mpq) -> str | None:
    """Return in words an event that occurred too often or too seldom, or None.

    The events are the single outcomes, the 1, 2, 4, ... likeliest outcomes together,
    and all outcomes that the tree does not have. If the counts are of independent
    releases, an event is returned with a probability of at most `rate`.
    """
    total, u = sum(counts.values()), tree.unresolved
    events = list(_events(tree))
    share = rate / mpq(2 * len(events) + 1)
    unknown = sum(n for look, n in counts.items() if look not in tree.masses)
    if unlikely_tail(unknown, total, mpq(0), u, share):
        return f"{unknown} of {total} releases are none that single bits give"
    for looks, mass in events:
        count = sum(counts.get(look, 0) for look in looks)
        if unlikely_tail(count, total, mass, min(mpq(1), mass + u), share):
            what = f"one of the {len(looks)} likeliest outcomes"
            if len(looks) == 1:
                what = told(tree.outcomes[looks[0]])
            under = f"of probability {float(mass):.3g} under single bits"
            return f"{count} of {total} releases are {what}, {under}"
    return None


def _events(tree: Tree) -> Iterator[tuple[list[Hashable], mpq]]:
    """Outcomes and mass of the events that are counted."""
    looks = sorted(tree.masses, key=lambda look: -tree.masses[look])
    for look in looks:
        yield [look], tree.masses[look]
    size = 2
    while size <= len(looks):
        likeliest = looks[:size]
        mass = sum((tree.masses[look] for look in likeliest), mpq(0))
        yield likeliest, mass
        size *= 2
