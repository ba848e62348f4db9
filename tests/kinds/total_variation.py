"""A kind of measure that the library does not have: the total variation distance."""

from __future__ import annotations

import attrs
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.exact.rationals import Extended
from opendp_lite.verify.divergences import Law, divergence, hockey_stick
from opendp_lite.verify.judging import Bounds, Judge, judge_of
from opendp_lite.verify.tree import Tree


@attrs.frozen(repr=False)
class TotalVariation(dp.Measure):
    """P(S) <= P'(S) + t for every event S; the loss is t."""


@divergence.register(TotalVariation)
def _(measure: TotalVariation, p: Law, q: Law) -> Extended:
    return hockey_stick(p, q, 0)


@judge_of.register(TotalVariation)
def _(measure: TotalVariation) -> Judge:
    return Judge("t", judge, mpq(0))


def judge(left: Tree, right: Tree, t: Extended, delta: mpq) -> Bounds:
    """Both bounds are the sum of what one law has more, but for unresolved mass."""
    p, q, u, v = left.masses, right.masses, left.unresolved, right.unresolved
    forth, back = hockey_stick(p, q, 0), hockey_stick(q, p, 0)
    needed = max(forth - v, back - u, mpq(0))
    return Bounds(max(forth + u, back + v), mpq(0), needed)
