"""Counts of releases that the law of the tree does not explain are found."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

from gmpy2 import mpq

from opendp_lite.data.identity import visible
from opendp_lite.randomness.entropy import random_bits, use_source
from opendp_lite.verify import enumerate_tree
from opendp_lite.verify.contracts.checks import HashedBits
from opendp_lite.verify.contracts.releases import unlikely_count, unlikely_tail
from tests.rows import for_each

RATE = mpq(1, 10**9)


def tails(n: int, p: Fraction, c: int) -> tuple[Fraction, Fraction]:
    """P(at most c) and P(at least c) of a binomial variable, exactly."""
    masses = [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    return sum(masses[: c + 1], Fraction(0)), sum(masses[c:], Fraction(0))


@for_each("p", ["0", "1/100", "1/3", "1/2", "9/10", "1"])
@for_each("n", [1, 20, 60])
def test_an_alarm_has_at_most_its_rate(n: int, p: str) -> None:
    """Exactly: all counts that raise it have together at most twice the rate."""
    rate = Fraction(1, 1000)
    alarms = [
        c for c in range(n + 1) if unlikely_tail(c, n, mpq(p), mpq(p), mpq(1, 1000))
    ]
    for c in alarms:
        below, above = tails(n, Fraction(p), c)
        assert min(below, above) <= rate
    # It is not idle either: what is a hundred times rarer than the bound is found.
    for c in range(n + 1):
        below, above = tails(n, Fraction(p), c)
        assert c in alarms or min(below, above) > rate / 100


def test_a_probability_that_is_known_up_to_something() -> None:
    bounds = mpq(1, 4), mpq(1, 2)
    assert not any(unlikely_tail(c, 400, *bounds, RATE) for c in range(100, 201))
    assert not unlikely_tail(90, 400, *bounds, RATE)
    assert unlikely_tail(40, 400, *bounds, RATE)
    assert unlikely_tail(270, 400, *bounds, RATE)
    assert not unlikely_tail(0, 400, mpq(0), mpq(1, 2), RATE)


def counted(function: Callable[[], object], n: int = 500) -> Counter[object]:
    counts: Counter[object] = Counter()
    for seed in range(n):
        with use_source(HashedBits(seed, granularity=64)):
            value = function()
        counts[visible(value)] += 1
    return counts


def die(sides: int = 6) -> int:
    while True:
        value = random_bits(3)
        if value < sides:
            return value


@for_each("sides", [2, 5, 6, 8])
def test_the_law_itself_passes(sides: int) -> None:
    tree = enumerate_tree(lambda: die(sides), depth=12)
    assert unlikely_count(tree, counted(lambda: die(sides)), RATE) is None


@for_each(
    ("other", "words"),
    [
        (lambda: 0, "500 of 500 releases are 0, of probability 0.167"),
        (lambda: die(5), "0 of 500 releases are 5, of probability 0.167"),
        (lambda: die(2), "releases are [01]"),
        (lambda: die() + 1, "none that single bits give"),
        (lambda: float(die()), "500 of 500 releases are none that"),
        (lambda: "secret" if random_bits(5) == 0 else die(), "are none that"),
        # Each alone is within bounds; together they are not.
        (lambda: min(die(), die()), "likeliest|releases are"),
    ],
)
def test_another_law_is_found(other: Callable[[], object], words: str) -> None:
    tree = enumerate_tree(die, depth=21)
    found = unlikely_count(tree, counted(other), RATE)
    assert found is not None
    assert re.search(words, found), found


def test_likeliest_outcomes_are_counted_together() -> None:
    """1 of 64 outcomes is hardly missed; half of them are, together."""

    def steep() -> int:
        return random_bits(6) if random_bits(1) else random_bits(5)

    tree = enumerate_tree(steep, depth=7)
    found = unlikely_count(tree, counted(lambda: random_bits(6)), RATE)
    assert found is not None
    assert "one of the 32 likeliest outcomes, of probability 0.75" in found


def test_unresolved_mass_excuses_what_it_may() -> None:
    tree = enumerate_tree(die, depth=3)
    assert tree.unresolved == mpq(1, 4)
    assert unlikely_count(tree, counted(die), RATE) is None
    assert unlikely_count(tree, counted(lambda: 9), RATE) is not None
