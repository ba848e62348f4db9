"""What certificates share: a pair, its two laws, a verdict, and what would decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import Data, Distance, ExactDistance, ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.rounding import shown_above
from opendp_lite.show.texts import page
from opendp_lite.verify.contracts.guard import Guard
from opendp_lite.verify.tree import Tree, enumerate_tree

Verdict: TypeAlias = Literal["holds", "refuted", "undecided"]
"""What a certificate says of a claim; only the first may be relied upon."""

DEFAULT_CAP = mpq(1, 1000)
_MOST_AT_ONCE = 32  # a request for more bits has more paths than can be run


class Certificate:
    """What every certificate answers; each kind judges its own claim.

    `sources` says in words what the code used besides its random bits. If there is any,
    nothing is known, and the verdict is "undecided", whatever `cap` is.
    """

    __slots__ = ()

    resolve: str
    sources: tuple[str, ...]

    @property
    def verdict(self) -> Verdict:
        """What is known of the claim: "holds", "refuted" or "undecided"."""
        return "undecided" if self.sources else self._judged()

    def _judged(self) -> Verdict:
        """Return the verdict, if nothing but random bits decided."""
        raise NotImplementedError(f"{type(self).__name__} judges no claim")

    @property
    def advice(self) -> str:
        """What would decide, if the verdict is undecided; else nothing."""
        if self.verdict != "undecided":
            return ""
        return self.resolve if self.sources else self._open_end()

    def _open_end(self) -> str:
        """Return what would decide, if nothing but random bits decided."""
        raise NotImplementedError(f"{type(self).__name__} gives no advice")

    @property
    def holds(self) -> bool:
        """Whether the claim is certified, up to `cap`."""
        return self.verdict == "holds"

    @property
    def refuted(self) -> bool:
        """Whether the claim is certainly false."""
        return self.verdict == "refuted"

    def __bool__(self) -> bool:
        return self.holds

    def assert_holds(self) -> None:
        """Raise an AssertionError that shows the certificate unless it holds."""
        if not self.holds:
            raise AssertionError(str(self))

    def _printed(self, *lines: str) -> str:
        """Return the text of some lines, and below them what would decide."""
        advice = [f"  to decide: {self.advice}"] if self.advice else []
        return "\n".join([*lines, *advice])

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the text, as it is printed."""
        return page(repr(self))


@attrs.frozen
class Applied:
    """Apply what was made to `x`: a function without arguments, and it pickles."""

    made: Measurement | Transformation
    x: Any

    def __call__(self) -> Any:
        """Apply the function, without the check that `x` is a member."""
        return self.made.function(self.x)


def pair_distance(
    made: Measurement | Transformation, x: Data, x2: Data, d_in: Distance
) -> ExactDistance:
    """Return the distance of two members of the input domain, or the larger `d_in`.

    :param made: whose domain and metric they are
    :param d_in: the distance that is asked for; that of the pair if it is None
    """
    made.input_domain.require(x)
    made.input_domain.require(x2)
    metric = made.input_metric
    if d_in is None:
        return metric.distance(x, x2)
    distance = metric.parse(d_in)
    if not metric.within(x, x2, d_in):
        rule = "the two inputs are further apart"
        fix = "Pass their distance, or leave d_in out"
        raise refusal("InvalidDistance", "d_in", d_in, rule, fix)
    return distance


def enumerate_pair(
    made: Measurement | Transformation, x: Data, x2: Data, depth: int, **budget: Any
) -> tuple[Tree, Tree]:
    """Return the laws of what comes out for two inputs.

    :param budget: the budgets of `enumerate_tree`, of each of the two
    """
    with Guard():  # one for both, as to put its stand-ins in place takes a while
        left = enumerate_tree(Applied(made, x), depth, **budget)
        return left, enumerate_tree(Applied(made, x2), depth, **budget)


def cap_argument(cap: ExactNumber | None) -> mpq:
    """Return the most that may stay open: an exact number from 0 to 1, 1/1000 if None.

    >>> cap_argument(None), cap_argument("1e-9")
    (mpq(1,1000), mpq(1,1000000000))
    """
    if cap is None:
        return DEFAULT_CAP
    fix = "Pass the delta that may be left open, such as cap='1/1000'"
    number: mpq = rational_argument(
        "InvalidDistance", "cap", cap, fix=fix, at_least=0, at_most=1
    )
    return number


def in_words(verdict: Verdict) -> str:
    """Return a verdict as a certificate prints it."""
    return {
        "holds": "holds",
        "refuted": "REFUTED",
        "undecided": "UNDECIDED (neither certified nor refuted)",
    }[verdict]


def sources_of(trees: Sequence[Tree]) -> tuple[str, ...]:
    """Return what the code of some trees used besides its random bits, each once."""
    return tuple(dict.fromkeys(source for tree in trees for source in tree.sources))


def to_resolve(trees: Sequence[Tree]) -> str:
    """Return why mass is unresolved, and what would resolve it; nothing if all is.

    >>> from opendp_lite.randomness.entropy import random_bits
    >>> from opendp_lite.verify.tree import enumerate_tree
    >>> to_resolve([enumerate_tree(lambda: random_bits(64), depth=40)])
    '1 of the mass needs more than depth=40 bits, and a request for 64 bits at once \
can never be enumerated: take a sampler that reads single bits'
    >>> to_resolve([enumerate_tree(lambda: random_bits(9), depth=8)])
    '1 of the mass needs more than depth=8 bits: raise depth, to 9 at least'
    >>> to_resolve([enumerate_tree(lambda: random_bits(3), depth=8, runs=6)])
    '0.25 of the mass was left over, on 2 paths: raise runs or seconds'
    """
    if sources := sources_of(trees):
        return (
            f"nothing is known of the law, as besides random bits of the library "
            f"something else may decide: {', '.join(sources)}. Take all random bits "
            "from opendp_lite.randomness, and neither time nor state"
        )
    reasons = []
    refused = max(trees, key=lambda tree: tree.refused)
    if refused.refused:
        share, asked = shown_above(refused.refused, 3), max(t.asked for t in trees)
        reason = f"{share} of the mass needs more than depth={refused.depth} bits"
        if asked > _MOST_AT_ONCE:
            reason += f", and a request for {asked} bits at once can never be "
            reason += "enumerated: take a sampler that reads single bits"
        else:
            least = max(tree.needed for tree in trees)
            reason += f": raise depth, to {least} at least"
        reasons.append(reason)
    left = max(trees, key=lambda tree: tree.unresolved - tree.refused)
    if left.waiting:
        share = shown_above(left.unresolved - left.refused, 3)
        paths = f"{left.waiting} path{'s' if left.waiting > 1 else ''}"
        reasons.append(
            f"{share} of the mass was left over, on {paths}: raise runs or seconds"
        )
    return "; ".join(reasons)
