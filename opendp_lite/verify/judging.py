"""Compare two laws, known up to unresolved mass, with a claimed loss and delta."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import singledispatch

import attrs
from gmpy2 import mpq

from opendp_lite.core.measures import MaxDivergence, Measure, ZeroConcentratedDivergence
from opendp_lite.exact.rationals import Extended
from opendp_lite.verify.divergences import (
    Law,
    capped,
    concentrated,
    hockey_stick,
    needed_epsilon,
    needed_rho,
)
from opendp_lite.verify.tree import Tree

_WELL_RESOLVED = 1024  # an outcome is kept when its mass is this many times u
_MESH_SLACK = mpq(1, 16)  # relative; twice what the mesh of orders costs


@attrs.frozen
class Bounds:
    """What two laws certainly have: a loss with a delta; and the least loss they need.

    The needed loss is given the claimed delta.
    """

    loss: Extended
    delta: mpq
    needed: Extended


def judge_max(left: Tree, right: Tree, epsilon: Extended, delta: mpq) -> Bounds:
    """Return the delta that is certain at the claimed epsilon, and what is needed."""
    p, q, u, v = left.masses, right.masses, left.unresolved, right.unresolved
    needed = max(needed_epsilon(p, q, v, delta), needed_epsilon(q, p, u, delta))
    if epsilon == math.inf:
        # Nothing is claimed, so there is nothing to certify.
        return Bounds(epsilon, mpq(0), needed)
    certified = max(hockey_stick(p, q, epsilon) + u, hockey_stick(q, p, epsilon) + v)
    return Bounds(epsilon, min(mpq(1), certified), needed)


def judge_concentrated(left: Tree, right: Tree, rho: Extended, delta: mpq) -> Bounds:
    """Return a rho and a delta that are certain, and the rho that is needed."""
    p, q, u, v = left.masses, right.masses, left.unresolved, right.unresolved
    needed = max(needed_rho(p, q, v, delta), needed_rho(q, p, u, delta))
    least = _WELL_RESOLVED * max(u, v)
    # No more is taken off than makes the two laws equal. So what is left has the ratio
    # p/q, clamped from both sides; if all is resolved, no other two parts of this mass
    # are closer, by convexity in both, as in `capped`.
    p_part = capped(p, q, min(delta, hockey_stick(p, q, 0)))
    q_part = capped(q, p, min(delta, hockey_stick(q, p, 0)))
    kept = [y for y in p if y in q and min(p[y], q[y]) >= least]
    if rho == math.inf or not kept:
        return Bounds(math.inf, mpq(0) if rho == math.inf else mpq(1), needed)
    p_kept, q_kept = (sum(part[y] for y in kept) for part in (p_part, q_part))
    p_law: Law = {y: p_part[y] / p_kept for y in kept}
    q_law: Law = {y: q_part[y] / q_kept for y in kept}
    certified = max(concentrated(p_law, q_law), concentrated(q_law, p_law))
    return Bounds(certified, mpq(1) - min(p_kept, q_kept), needed)


@attrs.frozen
class Judge:
    """How claims under a measure are judged.

    `symbol` is what its loss is called; `bounds` compares two laws with a loss and a
    delta; the loss that it certifies may exceed the claim by `slack`, relatively.
    """

    symbol: str
    bounds: Callable[[Tree, Tree, Extended, mpq], Bounds]
    slack: mpq


@singledispatch
def judge_of(measure: Measure) -> Judge | None:
    """Return the judge of losses under `measure`, or None if there is none.

    A judge compares trees, of which the core knows nothing; so it is registered here
    by the class of the measure, and is no method of it.

    >>> judge_of(MaxDivergence()).symbol
    'epsilon'
    """
    return None


@judge_of.register(MaxDivergence)
def _(measure: MaxDivergence) -> Judge:
    return Judge("epsilon", judge_max, mpq(0))


@judge_of.register(ZeroConcentratedDivergence)
def _(measure: ZeroConcentratedDivergence) -> Judge:
    return Judge("rho", judge_concentrated, _MESH_SLACK)
