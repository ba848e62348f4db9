"""The checks of a contract on the laws of releases, or images, of a pair of inputs.

A sampler is told how many bits to ask for at a time: 1 in the tree, 64 otherwise. Both
must give the same law. The tree knows every probability up to its unresolved mass; so
releases under bits that look random, in words of 64, are counted and compared with it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import partial
from typing import Any

import attrs
from gmpy2 import mpq, mpz

from opendp_lite.base.aliases import Data
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.record import foreign_functions
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.identity import visible
from opendp_lite.randomness.entropy import use_source
from opendp_lite.verify.certificates import Claim, certificate_of
from opendp_lite.verify.contracts.array_checks import kind_of
from opendp_lite.verify.contracts.checks import HashedBits
from opendp_lite.verify.contracts.guard import Generators, Guard
from opendp_lite.verify.contracts.terms import ContractBroken, SourceUsed, told
from opendp_lite.verify.couplings import coupling_of
from opendp_lite.verify.tree import Tree, enumerate_tree

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


_WATCHED = 16  # releases of each input that are made under a profile function
_REPEATED = 32  # releases of each input that are made again at the end
_WORD = 64


@attrs.frozen
class Pair:
    """What was made, two members of its input domain, and what they may cost.

    `depth` and `runs` limit the trees, `cap` is what may stay open of delta, or of a
    coupling, and `rate` the probability of a false alarm if the bits of the releases in
    words were random.
    """

    made: Any
    x: Any
    x2: Any
    depth: int
    runs: int
    cap: mpq
    rate: mpq
    interview: Callable[[Any], Any] | None = None

    def release(self, x: Data) -> Any:
        """Make one release of a member, and interview it if it goes on answering."""
        value = self.made.function(x)
        return value if self.interview is None else self.interview(value)


def check_pair(pair: Pair, guard: Guard) -> bool:
    """Check that a certificate holds, that words have its laws, and nothing is kept.

    Return whether anything is claimed of this pair: a finite loss, a delta below 1.
    """
    if not isinstance(pair.made, Measurement):
        raise TypeError(f"{pair.made!r}: only measurements have certificates")
    left, right = (_law(pair, x) for x in (pair.x, pair.x2))
    claim = Claim.of(pair.made, pair.x, pair.x2, None, mpq(1))
    certificate = certificate_of(pair.made, claim, left, right, pair.cap)
    if not certificate.holds:
        raise ContractBroken(f"privacy: {_shown(pair)}:\n{certificate}")
    _check_words(pair, [left, right], guard, "privacy")
    return claim.loss != math.inf and claim.delta < 1


def check_images(pair: Pair, guard: Guard) -> bool:
    """Check that there is a coupling, that words have its laws, and nothing is kept.

    All images are members, whatever the bits, and of one type. Return whether the
    coupling of this pair excludes anything.
    """
    if not isinstance(pair.made, Transformation):
        raise TypeError(f"{pair.made!r}: only transformations have couplings")
    left, right = (_law(pair, x) for x in (pair.x, pair.x2))
    _check_outcomes(pair, [left, right])
    distance = pair.made.input_metric.distance(pair.x, pair.x2)
    certificate = coupling_of(pair.made, distance, left, right, pair.cap)
    if not certificate.holds:
        raise ContractBroken(f"stability: {_shown(pair)}:\n{certificate}")
    _check_words(pair, [left, right], guard, "stability")
    return certificate.excludes


def _check_outcomes(pair: Pair, trees: list[Tree]) -> None:
    made, kinds = pair.made, set()
    for x, tree in zip((pair.x, pair.x2), trees, strict=True):
        for image in tree.outcomes.values():
            if not made.output_domain.member(image):
                raise ContractBroken(
                    f"stability: {made!r} took {told(x)}, on some bit path, to "
                    f"{told(image)}, which is no member of {made.output_domain!r}"
                )
            kinds.add((kind_of(x), kind_of(image)))
    if len(kinds) > len({kind for kind, _ in kinds}):
        raise ContractBroken(
            f"values: for {_shown(pair)}, {made!r} gave outputs of the types "
            f"{sorted(kind for _, kind in kinds)}: what type comes out may depend "
            "neither on the rows nor on random bits"
        )


def _shown(pair: Pair) -> str:
    return f"x={told(pair.x)}, x2={told(pair.x2)}"


def _law(pair: Pair, x: Data) -> Tree:
    try:
        tree = enumerate_tree(partial(pair.release, x), pair.depth, runs=pair.runs)
    except Exception as error:
        raise ContractBroken(
            f"members: the function failed on a bit path for {told(x)}: {error!r}"
        ) from error
    if tree.sources:
        used = SourceUsed(tree.sources)
        raise ContractBroken(f"{used}, on some bit path for {told(x)}") from used
    return tree


def _check_words(pair: Pair, trees: list[Tree], guard: Guard, rule: str) -> None:
    """Release both inputs in turns, count, and release some of them again."""
    seeds = range(RELEASES)
    generators = Generators(any(foreign_functions(pair)))
    first = guard.watch(_looks, pair, seeds[:_WATCHED])
    first += guard.call(_looks, pair, seeds[_WATCHED:])
    for place, (x, tree) in enumerate(zip((pair.x, pair.x2), trees, strict=True)):
        event = unlikely_count(tree, Counter(look[place] for look in first), pair.rate)
        if event is not None:
            raise ContractBroken(
                f"{rule}: in words of {_WORD} bits {pair.made!r} does not give for "
                f"{told(x)} the law that it has for single bits: {event}"
            )
    if drawn := generators.changed():
        raise SourceUsed(drawn)
    if first[:_REPEATED] != guard.call(_looks, pair, seeds[:_REPEATED]):
        raise ContractBroken(
            f"members: {pair.made!r} gave other outputs for {_shown(pair)} under the "
            "same random bits after some calls: it depends on something else"
        )


def _looks(pair: Pair, seeds: range) -> list[tuple[Hashable, Hashable]]:
    return [(_look(pair, pair.x, n), _look(pair, pair.x2, n)) for n in seeds]


def _look(pair: Pair, x: Data, seed: int) -> Hashable:
    with use_source(HashedBits(seed, granularity=_WORD)):
        value = pair.release(x)
    return visible(value)
