"""How much of one law can be moved to another, if only some pairs may be used.

A coupling of two laws inside a relation exists exactly if all the mass of the one can
be moved to the other through related pairs (Strassen 1965). That is a flow, and here
it is found exactly: masses become integers, and no float is used.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from itertools import pairwise
from typing import TypeVar

from gmpy2 import mpq

__all__ = ["greatest_flow"]

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
