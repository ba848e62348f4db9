"""The checks of a contract on the laws of releases, or images, of a pair of inputs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

import attrs
from gmpy2 import mpq

from opendp_lite.core.aliases import Data
from opendp_lite.core.construction import foreign_functions
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.transformation import Transformation
from opendp_lite.core.values.identity import visible
from opendp_lite.sampling.entropy import use_source
from opendp_lite.verify.certificates import Claim, certificate_of
from opendp_lite.verify.contracts.array_checks import kind_of
from opendp_lite.verify.contracts.counts import RELEASES, unlikely_count
from opendp_lite.verify.contracts.errors import ContractBroken, SourceUsed, told
from opendp_lite.verify.contracts.guard import Generators, Guard
from opendp_lite.verify.contracts.replay import HashedBits
from opendp_lite.verify.couplings import coupling_of
from opendp_lite.verify.tree import Tree, enumerate_tree

__all__ = ["Pair", "check_images", "check_pair"]

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
