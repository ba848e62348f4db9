"""Certified bounds on divergences between two finite laws with rational masses.

Logarithms of the masses are enclosed once, in integers. What is left for each order are
products of integers and exponentials by MPFR, rounded in the direction of the bound.

A law maps outcomes to masses, as `Tree.masses` does; masses of 0 may be left out.
Upper bounds are rounded up and lower bounds down, so each is a theorem about the
masses it was given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import singledispatch
from typing import Any, TypeAlias

import gmpy2
from gmpy2 import mpq, mpz

from opendp_lite.core.measures import MaxDivergence, Measure, ZeroConcentratedDivergence
from opendp_lite.exact.directed import context
from opendp_lite.exact.enclosures import exp, ln
from opendp_lite.exact.grids import ceil_multiple, floor_multiple
from opendp_lite.exact.intervals import End, lower_bound
from opendp_lite.exact.rationals import Extended

_LOG_PRECISION = 128
_UNITS = 192  # logarithms are counted in units of 2^-192
_WIDE = 256  # bits of an exponent, which is large where the order is

_Lines: TypeAlias = list[tuple[mpz, mpz]]
"""Bounds on ln(p/q) and on ln q for each pair, in units."""


class PowerSum:
    """The sum of p^alpha q^(1 - alpha) over pairs of positive p, q, for alpha > 1.

    `greatest` is an upper bound on the greatest ln(p/q). Where a bound on the logarithm
    of the sum would be below 0 it is 0.

    >>> total = PowerSum([(mpq(1), mpq(1, 2))])
    >>> total.log_at_least(mpq(2)) < total.log_at_most(mpq(2)) < mpq("0.6932")
    True
    """

    def __init__(self, pairs: Iterable[tuple[mpq, mpq]]) -> None:
        # The sum of e^(alpha ln(p/q) + ln q).
        logs = [(ln(p / q, _LOG_PRECISION), ln(q, _LOG_PRECISION)) for p, q in pairs]
        self.greatest = max((mpq(ratio.hi) for ratio, _ in logs), default=mpq(0))
        self._below = _lines(((x.lo, y.lo) for x, y in logs), floor_multiple)
        self._above = _lines(((x.hi, y.hi) for x, y in logs), ceil_multiple)

    def log_at_least(self, alpha: mpq) -> mpq:
        """Return a lower bound on the logarithm of the sum."""
        return _logarithm(self._below, alpha, gmpy2.RoundDown)

    def log_at_most(self, alpha: mpq) -> mpq:
        """Return an upper bound on the logarithm of the sum."""
        return _logarithm(self._above, alpha, gmpy2.RoundUp)


def _lines(
    logs: Iterable[tuple[End, End]], rounded: Callable[[mpq, int], int]
) -> _Lines:
    return [
        (mpz(rounded(mpq(x), -_UNITS)), mpz(rounded(mpq(y), -_UNITS))) for x, y in logs
    ]


def _logarithm(lines: _Lines, alpha: mpq, direction: int) -> mpq:
    """The logarithm of the sum, rounded in that direction; 0 if it is negative."""
    n, d = alpha.numerator, alpha.denominator
    exponents = [n * ratio + d * log for ratio, log in lines]
    if not exponents:
        return mpq(0)
    # In units of the greatest power no sum is too large for MPFR.
    unit, greatest = d << _UNITS, max(exponents)
    wide, short = context(_WIDE, direction), context(_LOG_PRECISION, direction)
    total = short.div(0, 1)
    for exponent in exponents:
        total = short.add(total, short.exp(wide.div(exponent - greatest, unit)))
    rest = mpq(*short.log(total).as_integer_ratio())
    return max(mpq(0), mpq(greatest, unit) + rest)


Law: TypeAlias = Mapping[Any, mpq]

_PRECISION = 128
_MESH = mpq(33, 32)  # ratio of neighbouring orders alpha: rho is found to about 3 %
_ZERO = mpq(0)


@singledispatch
def divergence(measure: Measure, p: Law, q: Law) -> Extended:
    """Return an upper bound on the divergence of `p` from `q` under `measure`.

    For `MaxDivergence` it is epsilon, for `ZeroConcentratedDivergence` rho. Another
    measure registers its own function, as bounds take more than the core has.

    :param measure: max_divergence() or zero_concentrated_divergence()
    :param p: masses by outcome
    :param q: masses by outcome

    >>> p, q = {0: mpq(3, 4), 1: mpq(1, 4)}, {0: mpq(1, 4), 1: mpq(3, 4)}
    >>> bool(mpq("1.0986") < divergence(MaxDivergence(), p, q) < mpq("1.0987"))
    True
    """
    raise TypeError(
        f"no divergence of two laws under {measure!r}; use hockey_stick or renyi"
    )


@divergence.register(MaxDivergence)
def _(measure: MaxDivergence, p: Law, q: Law) -> Extended:
    return measure.divergence(p, q)


@divergence.register(ZeroConcentratedDivergence)
def _(measure: ZeroConcentratedDivergence, p: Law, q: Law) -> Extended:
    return concentrated(p, q)


def hockey_stick(p: Law, q: Law, epsilon: Extended) -> mpq:
    """Return an upper bound on sum over y of max(0, p(y) - e^epsilon q(y)).

    :param p: masses by outcome
    :param q: masses by outcome
    :param epsilon: the epsilon of the formula, or infinity

    >>> hockey_stick({0: mpq(1)}, {0: mpq(1, 2), 1: mpq(1, 2)}, 0)
    mpq(1,2)
    """
    if epsilon == math.inf:
        return sum((m for y, m in p.items() if not q.get(y)), _ZERO)
    # e^epsilon is rounded down, so every term is rounded up.
    factor = lower_bound(lambda precision: exp(mpq(epsilon), precision), _PRECISION)
    excesses = (mass - factor * q.get(y, _ZERO) for y, mass in p.items())
    return sum((excess for excess in excesses if excess > 0), _ZERO)


def renyi(p: Law, q: Law, alpha: mpq | int) -> Extended:
    """Return an upper bound on ln(sum of p(y)^alpha q(y)^(1-alpha)) / (alpha - 1).

    :param p: masses by outcome
    :param q: masses by outcome
    :param alpha: the order, above 1

    >>> renyi({0: mpq(1)}, {0: mpq(1, 2), 1: mpq(1, 2)}, 2) < mpq("0.6932")
    True
    """
    order = _order(alpha)
    total = _power_sum(p, q)
    return math.inf if total is None else _renyi(total, order)


def _order(alpha: mpq | int) -> mpq:
    if alpha <= 1:
        raise ValueError(f"alpha={alpha}: must be above 1")
    return mpq(alpha)


def _pairs(p: Law, q: Law) -> list[tuple[mpq, mpq]]:
    """(p(y), q(y)) where p(y) > 0."""
    return [(mass, q.get(y, _ZERO)) for y, mass in p.items() if mass > 0]


def _power_sum(p: Law, q: Law) -> PowerSum | None:
    """The sum over all y where p(y) > 0; None if some q(y) is 0."""
    support = _pairs(p, q)
    return None if any(other <= 0 for _, other in support) else PowerSum(support)


def _renyi(total: PowerSum, alpha: mpq) -> mpq:
    """The upper bound; below 0 it is 0, as a divergence of laws is."""
    return mpq(total.log_at_most(alpha) / (alpha - 1))


def _orders(mesh: mpq) -> Iterator[tuple[mpq, mpq]]:
    """Neighbouring orders: (1, mesh), (mesh, mesh^2), ..., on short rationals."""
    last = mpq(1)
    while True:
        # Rounding to multiples of 2^-10 keeps numerators short.
        following = mpq(ceil_multiple(last * mesh, -10), 1024)
        yield last, following
        last = following


def concentrated(p: Law, q: Law, mesh: mpq = _MESH) -> Extended:
    """Return a rho with D_alpha(p || q) <= rho alpha for every alpha > 1.

    D_alpha does not decrease in alpha and is at most M = max ln(p/q). So on a mesh
    1 = a(0) < a(1) < ..., D_a(i+1) <= rho a(i) covers all alpha in (a(i), a(i+1)],
    and all alpha >= M / rho are covered by M. The result exceeds the least such rho
    by at most the factor `mesh` (and rounding).

    >>> law = {0: mpq(1, 3), 1: mpq(2, 3)}
    >>> concentrated(law, law)
    0
    """
    greatest = MaxDivergence().divergence(p, q)
    total = _power_sum(p, q)
    if greatest == 0 or total is None:
        return greatest
    rho = _ZERO
    for below, above in _orders(mesh):
        rho = max(rho, _renyi(total, above) / below)
        if greatest <= rho * above:
            break
    return rho


def needed_epsilon(p: Law, q: Law, slack: mpq, delta: mpq) -> Extended:
    """Return an epsilon that the true laws need at least, given `delta`.

    True masses are at least `p` and, over any event, at most `q` plus `slack` (the
    unresolved mass). An event S then shows that epsilon is at least
    ln((p(S) - delta) / (q(S) + slack)); S runs over all single outcomes and over all
    events {y : p(y)/q(y) >= t}, which are the best ones.

    >>> needed_epsilon({0: mpq(1)}, {1: mpq(1)}, mpq(0), mpq(0))
    inf
    """
    best = mpq(1)
    for mass, other in _events(p, q):
        excess = mass - delta
        if excess <= 0:
            continue
        if other + slack == 0:
            return math.inf
        best = max(best, excess / (other + slack))
    return lower_bound(lambda precision: ln(best, precision), _PRECISION)


def _events(p: Law, q: Law) -> Iterator[tuple[mpq, mpq]]:
    """(p(S), q(S)) of single outcomes and of likelihood-ratio events."""
    pairs = _pairs(p, q)
    yield from pairs
    pairs.sort(key=lambda pair: pair[1] / pair[0])
    total, other_total = _ZERO, _ZERO
    for mass, other in pairs:
        total += mass
        other_total += other
        yield total, other_total


def capped(p: Law, q: Law, delta: mpq) -> dict[Any, mpq]:
    """Return what is left of `p` when mass `delta` is taken where p/q is greatest.

    It is min(p, t q), with the least t for which no more than delta is lost: the
    greatest (p(S) - delta) / q(S) of an event S. If q is 0 on more than delta it is p.
    Of all that is left of p when mass delta is taken, it has the least sum of
    a(y)^alpha q(y)^(1-alpha) for every alpha > 1: the derivatives of this convex
    function of a depend on a(y)/q(y) only.

    >>> capped({0: mpq(1, 2), 1: mpq(1, 2)}, {0: mpq(1, 4), 1: mpq(3, 4)}, mpq(1, 8))
    {0: mpq(3,8), 1: mpq(1,2)}
    """
    t = _ZERO
    for mass, other in _events(p, q):
        if mass > delta:
            if other == 0:
                return dict(p)
            t = max(t, (mass - delta) / other)
    return {y: min(mass, t * q.get(y, _ZERO)) for y, mass in p.items()}


def needed_rho(p: Law, q: Law, slack: mpq, delta: mpq, mesh: mpq = _MESH) -> Extended:
    """Return a rho that the true laws need at least, given `delta`.

    As in `needed_epsilon`, true masses are at least `p` and at most `q` plus `slack`.
    Given an event of probability 1 - delta or more, a law is a part of itself of mass
    1 - delta (thinned, if the event has more), divided by 1 - delta. So the two laws
    give y at least a(y) / (1 - delta) for some a <= p with at most delta less, and at
    most (q(y) + slack) / (1 - delta); the power sum is bounded below by that of
    `capped`, and D_alpha by ln(sum) / (alpha - 1). They give an event S at least
    (p(S) - delta) / (1 - delta), at most (q(S) + slack) / (1 - delta), and S against
    its complement is coarser than the laws; here slack counts once, whatever the size
    of S. rho is at least D_alpha / alpha, on a mesh.
    """
    if delta >= 1:
        return _ZERO
    most = {y: q.get(y, _ZERO) + slack for y in p}
    cases = [[(mass, most[y]) for y, mass in capped(p, most, delta).items() if mass]]
    if delta > 0:
        cases += [
            [(mass - delta, mpq(other + slack))]
            for mass, other in _events(p, q)
            if mass > delta
        ]
    rho = _ZERO
    for case in cases:
        if any(other == 0 for _, other in case):
            return math.inf
        if any(mass > other for mass, other in case):
            rest = mpq(1 - delta)
            shares = [(mpq(mass / rest), mpq(other / rest)) for mass, other in case]
            rho = _needed_rho(PowerSum(shares), mesh, rho)
    return rho


def _needed_rho(total: PowerSum, mesh: mpq, rho: mpq) -> mpq:
    """The greatest D_alpha / alpha on the mesh, if it is more than `rho`."""
    for _, alpha in _orders(mesh):
        rho = max(rho, mpq(total.log_at_least(alpha) / (alpha - 1) / alpha))
        # D_alpha <= greatest * alpha / (alpha - 1) here: larger orders add nothing.
        if alpha > 2**20 or (rho > 0 and total.greatest <= rho * (alpha - 1)):
            return rho
    raise AssertionError("the orders never end")
