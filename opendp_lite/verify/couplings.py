"""Is a random transformation as stable as its map says?

A coupling of two laws inside a relation exists exactly if all the mass of the one can
be moved to the other through related pairs (Strassen 1965). That is a flow, and here
it is found exactly: masses become integers, and no float is used.

It is stable if for two neighbours there is a coupling: the two images can be drawn
together, each with its own law, so that they are never farther apart than the map
says. Both laws are enumerated, and a flow finds the best coupling there is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from itertools import pairwise
from typing import Any, TypeVar

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import Data, Distance, ExactNumber
from opendp_lite.base.errors import refusal, write_number
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.rounding import shown_above, shown_below
from opendp_lite.verify.tree import Tree
from opendp_lite.verify.verdicts import (
    Certificate,
    Verdict,
    cap_argument,
    enumerate_pair,
    in_words,
    pair_distance,
    sources_of,
    to_resolve,
)

L = TypeVar("L", bound=Hashable)
R = TypeVar("R", bound=Hashable)


def greatest_flow(
    left: Mapping[L, mpq], right: Mapping[R, mpq], related: Callable[[L, R], bool]
) -> mpq:
    """Return the greatest mass that goes from `left` to `right` by related pairs.

    >>> half = mpq(1, 2)
    >>> greatest_flow({0: half, 1: half}, {1: half, 2: half}, lambda x, y: x == y)
    mpq(1,2)
    >>> greatest_flow({0: half, 1: half}, {1: half, 2: half}, lambda x, y: y == x + 1)
    mpq(1,1)
    """
    unit = math.lcm(*(int(m.denominator) for m in (*left.values(), *right.values())))
    supply = [int(mass * unit) for mass in left.values()]
    demand = [int(mass * unit) for mass in right.values()]
    reach = [[j for j, y in enumerate(right) if related(x, y)] for x in left]
    # What each node of the right has received, by the node of the left it came from.
    given: list[dict[int, int]] = [{} for _ in demand]
    for i in range(len(supply)):
        while supply[i] and (path := _path(i, reach, given, demand)):
            _push(path, supply, given, demand)
    return mpq(sum(map(sum, (each.values() for each in given))), unit)


def _path(
    start: int, reach: list[list[int]], given: list[dict[int, int]], demand: list[int]
) -> list[tuple[int, int]]:
    """Return a shortest way to a demand, as pairs (i, j) of a giver and a receiver.

    Each i after the first takes back what it gave to the j before it. The way is empty
    if there is none; then there will be none later, as in the matching of single units.
    """
    giver: dict[int, int] = {}  # who would give to j
    back: dict[int, int] = {}  # from whom i would take back
    queue = [start]
    for i in queue:
        for j in reach[i]:
            if j in giver:
                continue
            giver[j] = i
            if demand[j]:
                return _traced(start, j, giver, back)
            for k, amount in given[j].items():
                if amount and k != start and k not in back:
                    back[k] = j
                    queue.append(k)
    return []


def _traced(
    start: int, last: int, giver: dict[int, int], back: dict[int, int]
) -> list[tuple[int, int]]:
    """Return the way that a search has found, from its beginning."""
    path = [(giver[last], last)]
    while path[-1][0] != start:
        j = back[path[-1][0]]
        path.append((giver[j], j))
    return path[::-1]


def _push(
    path: list[tuple[int, int]],
    supply: list[int],
    given: list[dict[int, int]],
    demand: list[int],
) -> None:
    """Move as much as the way allows."""
    taken = [(j, k) for (_, j), (k, _) in pairwise(path)]
    start, last = path[0][0], path[-1][1]
    amount = min(supply[start], demand[last], *(given[j][k] for j, k in taken))
    for i, j in path:
        given[j][i] = given[j].get(i, 0) + amount
    for j, k in taken:
        given[j][k] -= amount
    supply[start] -= amount
    demand[last] -= amount


@attrs.frozen(repr=False)
class CouplingCertificate(Certificate):
    """What `coupling` proved about one pair of inputs, and no more.

    *The images can be drawn together so that, but for a probability of 1 - coupled,
    they are within d_out.* That it is so for *all* pairs is for a proof to show.

    `unresolved` is the mass of both trees that is not known. Any coupling within d_out
    would move all mass but that, so the claim is *refuted* if less can be moved. It
    *holds* if it is not refuted and at most `cap` is not moved, *exactly* so if nothing
    is left: `coupled` is 1. Otherwise it is *undecided*, and `advice` says what would
    decide. It is undecided in any case if `sources` names something that the code used
    besides its random bits. `excludes` says whether some pair of images is farther
    apart than d_out: otherwise every coupling will do, and nothing was tried.
    """

    transformation: str
    d_in: Any
    d_out: Any
    coupled: mpq
    unresolved: mpq
    excludes: bool
    cap: mpq
    paths: int
    resolve: str = attrs.field(default="", repr=False)
    sources: tuple[str, ...] = ()

    def _judged(self) -> Verdict:
        if self.coupled < 1 - self.unresolved:
            return "refuted"
        return "holds" if 1 - self.coupled <= self.cap else "undecided"

    def _open_end(self) -> str:
        most = f"more than cap={self.cap} of the mass is not coupled"
        return f"{self.resolve}; {most}: raise cap if so much is acceptable"

    def __repr__(self) -> str:
        d_out = write_number(self.d_out)
        return self._printed(
            f"CouplingCertificate: {in_words(self.verdict)} for this pair at "
            f"d_in={write_number(self.d_in)}",
            f"  {' '.join(self.transformation.split())}",
            f"  coupled within d_out={d_out}: {shown_below(self.coupled)}",
            f"  unresolved mass <= {shown_above(self.unresolved)}, {self.paths} paths",
        )


def coupling(
    transformation: Transformation,
    x: Data,
    x2: Data,
    d_in: Distance = None,
    depth: int = 40,
    *,
    cap: ExactNumber | None = None,
    runs: int | None = None,
    seconds: float | None = None,
    workers: int = 1,
    progress: bool | None = None,
) -> CouplingCertificate:
    """Return whether the images of `x` and `x2` have a coupling as the map claims.

    `d_in` is the distance of the pair unless a larger one is given. The laws of the
    images are enumerated to `depth` bits, and a flow finds how much of the one can be
    moved to the other within map(d_in), exactly. The budgets are those of
    `enumerate_tree`; a transformation that draws no bits has one path.

    :param transformation: whose map is checked
    :param x: a member of its input domain
    :param x2: another member, a neighbour of x
    :param d_in: distance for which the map is asked; that of the pair by default
    :param depth: how many bits a path may have
    :param cap: how much mass may stay without a partner
    :param runs: a budget: the greatest number of runs
    :param seconds: a budget: the longest time
    :param workers: how many processes share the paths
    :param progress: whether to show a bar; by default where somebody may look at it

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("contrib")
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    >>> shuffle = dp.t.make_ordered_random(*space)
    >>> certificate = coupling(shuffle, [1, 2], [1, 3])
    >>> certificate.holds, certificate.coupled, certificate.d_out
    (True, mpq(1,1), 2)
    >>> dp.disable_features("contrib")
    """
    if not isinstance(transformation, Transformation):
        rule, fix = "must be a Transformation", "Pass what a make_ function returned"
        raise refusal("Unsupported", "transformation", transformation, rule, fix)
    distance = pair_distance(transformation, x, x2, d_in)
    most = cap_argument(cap)
    budget = {"runs": runs, "seconds": seconds, "workers": workers}
    trees = enumerate_pair(transformation, x, x2, depth, progress=progress, **budget)
    return coupling_of(transformation, distance, *trees, most)


def coupling_of(
    transformation: Transformation, d_in: Any, left: Tree, right: Tree, cap: mpq
) -> CouplingCertificate:
    """Compare two laws of images with what is claimed of them at the distance d_in."""
    d_out = transformation.stability_map(d_in)
    metric = transformation.output_metric
    near = {
        (a, b)
        for a, image in left.outcomes.items()
        for b, other in right.outcomes.items()
        if metric.within_exact(image, other, d_out)
    }
    return CouplingCertificate(
        transformation=repr(transformation),
        d_in=transformation.input_metric.present(d_in, exact=True),
        d_out=metric.present(d_out, exact=True),
        coupled=greatest_flow(left.masses, right.masses, lambda a, b: (a, b) in near),
        unresolved=left.unresolved + right.unresolved,
        excludes=len(near) < len(left.masses) * len(right.masses),
        cap=cap,
        paths=left.paths + right.paths,
        resolve=to_resolve([left, right]),
        sources=sources_of([left, right]),
    )
