"""Is this pair of inputs as hard to tell apart as the measurement claims?"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import attrs
from gmpy2 import mpq

from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import OpenDPException, refusal
from opendp_lite.core.measure import (
    ApproximateDivergence,
    MaxDivergence,
    Measure,
    SmoothedMaxDivergence,
    ZeroConcentratedDivergence,
)
from opendp_lite.core.measurement import Measurement
from opendp_lite.exact.enclosures import exp, upper_bound
from opendp_lite.exact.rationals import Extended, to_loss, to_mpq
from opendp_lite.verify.digits import shown_above, shown_below
from opendp_lite.verify.divergences import (
    Law,
    capped,
    concentrated,
    hockey_stick,
    needed_epsilon,
    needed_rho,
)
from opendp_lite.verify.tree import Tree, enumerate_tree

__all__ = ["PrivacyCertificate", "privacy"]

_DEFAULT_RHO_SLACK = mpq(1, 16)  # twice what the mesh of orders costs
_WELL_RESOLVED = 1024  # an outcome is kept when its mass is this many times u


@attrs.frozen(repr=False)
class PrivacyCertificate:
    """What `privacy` proved about one pair of inputs, and no more.

    *This pair is (certified_loss, certified_delta)-indistinguishable*: under max
    divergence the loss is epsilon and the sentence is P(S) <= e^epsilon P'(S) + delta
    for every event S, in both orders; under zero-concentrated divergence it is rho,
    and the sentence is delta-approximate rho-zCDP. And `needs_loss` is a loss below
    which the claim (with its delta) would be false for this pair, whatever the
    unresolved paths would have given. That the claim holds for *all* pairs is for a
    proof to show.

    `holds` when what is needed is not above the claim, and what is certified is within
    it, up to `slack`. Under zero-concentrated divergence the certified delta is not
    compared: it is at most the claimed one and all mass that is left out because too
    little is known of it. A delta that is certainly larger than the claimed one is
    found all the same, as no loss suffices with the claimed one, or only one above the
    claim. There a claim is refuted only if `needs_loss` is above it. If it does not
    hold otherwise, too little was resolved to certify it, and more depth may help.
    """

    measurement: str
    measure: Measure
    d_in: Any
    claimed_loss: Extended
    claimed_delta: mpq
    certified_loss: Extended
    certified_delta: mpq
    needs_loss: Extended
    slack: mpq
    unresolved: mpq
    paths: int

    @property
    def holds(self) -> bool:
        """Whether the pair is as indistinguishable as was claimed, up to `slack`."""
        if self.claimed_loss == math.inf or self.claimed_delta >= 1:
            return True
        if self.needs_loss > self.claimed_loss:
            return False
        if isinstance(_inner(self.measure), MaxDivergence):
            return bool(self.certified_delta <= self.claimed_delta + self.slack)
        if self.certified_loss == math.inf:
            return False
        return bool(self.certified_loss <= self.claimed_loss * (1 + self.slack))

    @property
    def needs_epsilon(self) -> Extended:
        """The largest epsilon that this pair provably needs, given its delta."""
        return self._named(MaxDivergence, "needs_epsilon", "needs_rho")

    @property
    def needs_rho(self) -> Extended:
        """The largest rho that this pair provably needs, given its delta."""
        return self._named(ZeroConcentratedDivergence, "needs_rho", "needs_epsilon")

    def _named(self, kind: type[Measure], name: str, other: str) -> Extended:
        if not isinstance(_inner(self.measure), kind):
            raise AttributeError(f"no {name} under {self.measure!r}: ask for {other}")
        return self.needs_loss

    def __bool__(self) -> bool:
        return self.holds

    def assert_holds(self) -> None:
        """Raise an AssertionError that shows the certificate unless it holds."""
        if not self.holds:
            raise AssertionError(str(self))

    def __repr__(self) -> str:
        loss = "epsilon" if isinstance(_inner(self.measure), MaxDivergence) else "rho"
        rows = [
            ("", loss, "delta"),
            (
                "claimed",
                shown_above(self.claimed_loss),
                shown_above(self.claimed_delta),
            ),
            (
                "certified",
                shown_above(self.certified_loss),
                shown_above(self.certified_delta),
            ),
            ("needed", shown_below(self.needs_loss), "at the claimed delta"),
        ]
        table = [f"  {name:<10} {a:>12}  {b:>12}" for name, a, b in rows]
        unresolved = shown_above(self.unresolved)
        verdict = "holds" if self.holds else "does NOT hold"
        return "\n".join(
            [
                f"PrivacyCertificate: {verdict} for this pair at d_in={self.d_in}",
                f"  {' '.join(self.measurement.split())}",
                *table,
                f"  unresolved mass <= {unresolved}, {self.paths} paths",
            ]
        )


def _inner(measure: Measure) -> Measure:
    if isinstance(measure, SmoothedMaxDivergence):
        return MaxDivergence()
    return measure.inner if isinstance(measure, ApproximateDivergence) else measure


@attrs.frozen
class _Release:
    """Make one release of `x`: a function without arguments, and it pickles."""

    measurement: Measurement
    x: Any

    def __call__(self) -> Any:
        return self.measurement.function(self.x)


def privacy(
    measurement: Measurement,
    x: Any,
    x2: Any,
    d_in: Any = None,
    depth: int = 40,
    *,
    epsilon: Any = 1,
    slack: Any = None,
    runs: int | None = None,
    seconds: float | None = None,
    workers: int = 1,
    progress: bool | None = None,
) -> PrivacyCertificate:
    """Compare the laws of the releases of `x` and `x2` with the claim of the map.

    `d_in` is the distance of the pair unless a larger one is given. The laws are
    enumerated to `depth` bits (`runs`, `seconds`: at most so much for each of the two,
    see `enumerate_tree`); P, P' are the masses found and u, u' the unresolved ones.

    Under max divergence, delta at the claimed epsilon is certified to be at most
    sum over y of max(0, P(y) - e^epsilon P'(y)) + u, in both orders; `slack` is what
    unresolved mass explains, u + e^epsilon u', unless it is given. Where the claim is a
    profile, delta is the one that it has at `epsilon`.
    Under zero-concentrated divergence the claimed delta is taken off where P/P' is
    greatest, and the laws are conditioned on outcomes that are well resolved in both;
    delta is all that is left out (in the larger case), and rho is certified on a mesh
    of orders; `slack` is relative, and 1/16 unless it is given.

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> certificate = privacy(dp.m.make_laplace(*space, scale=1), 0, 1, depth=30)
    >>> certificate.holds, certificate.certified_delta < mpq(1, 10**5)
    (True, True)
    >>> certificate.claimed_loss, certificate.needs_epsilon > mpq("0.999")
    (mpq(1,1), True)
    """
    if not isinstance(measurement, Measurement):
        rule, fix = "must be a Measurement", "Pass what a make_ function returned"
        raise refusal("Unsupported", "measurement", measurement, rule, fix)
    fix = "Pass a number such as 1 or 0.5"
    at = rational_argument(
        "InvalidDistance", "epsilon", epsilon, fix=fix, convert=to_loss, at_least=0
    )
    claimed_loss, claimed_delta, distance = _claim(measurement, x, x2, d_in, at)
    left, right = (
        enumerate_tree(
            _Release(measurement, each),
            depth,
            runs=runs,
            seconds=seconds,
            workers=workers,
            progress=progress,
        )
        for each in (x, x2)
    )
    pure = isinstance(_inner(measurement.output_measure), MaxDivergence)
    judge: Callable[[Tree, Tree, Extended, mpq], Verdict]
    judge = _judge_max if pure else _judge_concentrated
    loss, delta, needed, explained = judge(left, right, claimed_loss, claimed_delta)
    return PrivacyCertificate(
        measurement=repr(measurement),
        measure=measurement.output_measure,
        d_in=measurement.input_metric.present(distance, exact=True),
        claimed_loss=claimed_loss,
        claimed_delta=claimed_delta,
        certified_loss=loss,
        certified_delta=min(mpq(1), delta),
        needs_loss=needed,
        slack=explained if slack is None else to_mpq(slack),
        unresolved=max(left.unresolved, right.unresolved),
        paths=left.paths + right.paths,
    )


def _claim(
    measurement: Measurement, x: Any, x2: Any, d_in: Any, epsilon: Extended
) -> tuple[Extended, mpq, Any]:
    """Return what is claimed for the pair, as (loss, delta), and the distance."""
    measure = measurement.output_measure
    if not isinstance(_inner(measure), MaxDivergence | ZeroConcentratedDivergence):
        raise OpenDPException(
            "Unsupported",
            f"there is no certificate under {measure!r}. Convert the measurement to "
            "max_divergence(), zero_concentrated_divergence() or approximate(...).",
        )
    measurement.input_domain.require(x)
    measurement.input_domain.require(x2)
    metric = measurement.input_metric
    if d_in is None:
        distance = metric.distance(x, x2)
    else:
        distance = metric.parse(d_in)
        if not metric.within(x, x2, d_in):
            rule = "the two inputs are further apart"
            fix = "Pass their distance, or leave d_in out"
            raise refusal("InvalidDistance", "d_in", d_in, rule, fix)
    claimed = measurement.privacy_map(distance)
    if isinstance(measure, SmoothedMaxDivergence):
        claimed = epsilon, claimed(epsilon)
    elif not isinstance(measure, ApproximateDivergence):
        claimed = claimed, 0
    loss, delta = claimed
    return loss if loss == math.inf else mpq(loss), mpq(delta), distance


Verdict = tuple[Extended, mpq, Extended, mpq]
"""Certified loss, certified delta, needed loss, slack."""


def _judge_max(left: Tree, right: Tree, epsilon: Extended, delta: mpq) -> Verdict:
    p, q, u, v = left.masses, right.masses, left.unresolved, right.unresolved
    needed = max(needed_epsilon(p, q, v, delta), needed_epsilon(q, p, u, delta))
    if epsilon == math.inf:
        # Nothing is claimed, so there is nothing to certify.
        return epsilon, mpq(0), needed, mpq(0)
    certified = max(hockey_stick(p, q, epsilon) + u, hockey_stick(q, p, epsilon) + v)
    factor = upper_bound(lambda precision: exp(mpq(epsilon), precision), 128)
    return epsilon, certified, needed, max(u + factor * v, v + factor * u)


def _judge_concentrated(left: Tree, right: Tree, rho: Extended, delta: mpq) -> Verdict:
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
        return math.inf, mpq(0) if rho == math.inf else mpq(1), needed, mpq(0)
    p_kept, q_kept = (sum(part[y] for y in kept) for part in (p_part, q_part))
    p_law: Law = {y: p_part[y] / p_kept for y in kept}
    q_law: Law = {y: q_part[y] / q_kept for y in kept}
    certified = max(concentrated(p_law, q_law), concentrated(q_law, p_law))
    return certified, mpq(1) - min(p_kept, q_kept), needed, _DEFAULT_RHO_SLACK
