"""Is this pair of inputs as hard to tell apart as the measurement claims?"""

from __future__ import annotations

import math
from typing import Any

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import Data, Distance, ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import OpenDPException, refusal, write_number
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import Measure
from opendp_lite.exact.rationals import Extended, to_loss
from opendp_lite.exact.rounding import shown_above, shown_below
from opendp_lite.verify.judging import Judge, judge_of
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


@attrs.frozen(repr=False)
class PrivacyCertificate(Certificate):
    """What `privacy` proved about one pair of inputs, and no more.

    *This pair is (certified_loss, certified_delta)-indistinguishable*: under max
    divergence the loss is epsilon and the sentence is P(S) <= e^epsilon P'(S) + delta
    for every event S, in both orders; under zero-concentrated divergence it is rho,
    and the sentence is delta-approximate rho-zCDP. And `needs_loss` is a loss below
    which the claim (with its delta) would be false for this pair, whatever the
    unresolved paths would have given. That the claim holds for *all* pairs is for a
    proof to show.

    The `verdict` on the claim is one of three. It is *refuted* when more loss is needed
    than is claimed. It *holds* when the certified delta exceeds the claimed one by at
    most `cap`, and (under zero-concentrated divergence) the certified rho exceeds the
    claimed one by at most 1/16 of it, which the mesh of orders may cost; or when there
    is no claim: an infinite loss, or a delta of 1. Otherwise it is *undecided*: neither
    is known, and `advice` says what would decide. It is undecided in any case if
    `sources` names something that the code used besides its random bits.
    """

    measurement: str
    measure: Measure
    d_in: Any
    claimed_loss: Extended
    claimed_delta: mpq
    certified_loss: Extended
    certified_delta: mpq
    needs_loss: Extended
    cap: mpq
    unresolved: mpq
    paths: int
    resolve: str = attrs.field(default="", repr=False)
    sources: tuple[str, ...] = ()

    def _judged(self) -> Verdict:
        if self.claimed_loss == math.inf or self.claimed_delta >= 1:
            return "holds"
        if self.needs_loss > self.claimed_loss:
            return "refuted"
        certified = self._certifies_loss() and self._certifies_delta()
        return "holds" if certified else "undecided"

    def _certifies_delta(self) -> bool:
        return bool(self.certified_delta - self.claimed_delta <= self.cap)

    def _certifies_loss(self) -> bool:
        most = self.claimed_loss * (1 + _judge(self.measure).slack)
        return self.certified_loss != math.inf and bool(self.certified_loss <= most)

    def _open_end(self) -> str:
        delta = shown_above(self.certified_delta, 3)
        if self._certifies_delta():
            open_end = "the two bounds on the loss do not meet"
        else:
            open_end = f"the certified delta {delta} is above the claim by more than "
            open_end += f"cap={self.cap}: raise cap if so much is acceptable"
        return f"{self.resolve or 'all is resolved'}; {open_end}"

    @property
    def needs_epsilon(self) -> Extended:
        """The largest epsilon that this pair provably needs, given its delta."""
        return self._named("epsilon")

    @property
    def needs_rho(self) -> Extended:
        """The largest rho that this pair provably needs, given its delta."""
        return self._named("rho")

    def _named(self, symbol: str) -> Extended:
        own = _judge(self.measure).symbol
        if own != symbol:
            named = f"needs_{own}"
            fitting = named if hasattr(type(self), named) else "needs_loss"
            raise AttributeError(
                f"no needs_{symbol} under {self.measure!r}: ask for {fitting}"
            )
        return self.needs_loss

    def __repr__(self) -> str:
        rows = [
            ("", _judge(self.measure).symbol, "delta"),
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
        found = f"unresolved mass <= {shown_above(self.unresolved)}, {self.paths} paths"
        if self.sources:
            del table[2:]
            found = "all mass is unresolved"
        verdict, d_in = in_words(self.verdict), write_number(self.d_in)
        return self._printed(
            f"PrivacyCertificate: {verdict} for this pair at d_in={d_in}",
            f"  {' '.join(self.measurement.split())}",
            *table,
            f"  {found}",
        )


def _judge(measure: Measure) -> Judge:
    judge = judge_of(measure.inner_measure)
    if judge is None:
        raise OpenDPException(
            "Unsupported",
            f"there is no certificate under {measure!r}. Convert the measurement "
            "to max_divergence(), zero_concentrated_divergence() or "
            "approximate(...).",
        )
    return judge


def privacy(
    measurement: Measurement,
    x: Data,
    x2: Data,
    d_in: Distance = None,
    depth: int = 40,
    *,
    epsilon: ExactNumber = 1,
    cap: ExactNumber | None = None,
    runs: int | None = None,
    seconds: float | None = None,
    workers: int = 1,
    progress: bool | None = None,
) -> PrivacyCertificate:
    """Return how the laws of the releases of `x` and `x2` compare with the claim.

    `d_in` is the distance of the pair unless a larger one is given. The laws are
    enumerated to `depth` bits (`runs`, `seconds`: at most so much for each of the two,
    see `enumerate_tree`); P, P' are the masses found and u, u' the unresolved ones.
    Where the code uses something besides random bits of the library, the verdict is
    "undecided"; `enumerate_tree` says what of this is not seen.

    Under max divergence, delta at the claimed epsilon is certified to be at most
    sum over y of max(0, P(y) - e^epsilon P'(y)) + u, in both orders. Where the claim is
    a profile, delta is the one that it has at `epsilon`.
    Under zero-concentrated divergence the claimed delta is taken off where P/P' is
    greatest, and the laws are conditioned on outcomes that are well resolved in both;
    delta is all that is left out (in the larger case), and rho is certified on a mesh
    of orders.

    The claim holds if the certified delta exceeds the claimed one by at most `cap`, an
    exact number, 1/1000 unless another is given: see `PrivacyCertificate`.

    :param measurement: whose map is checked
    :param x: a member of its input domain
    :param x2: another member, a neighbour of x
    :param d_in: distance for which the map is asked; that of the pair by default
    :param depth: how many bits a path may have
    :param epsilon: where a claimed profile is evaluated
    :param cap: by how much the certified delta may exceed the claimed one
    :param runs: a budget: the greatest number of runs
    :param seconds: a budget: the longest time
    :param workers: how many processes share the paths
    :param progress: whether to show a bar; by default where somebody may look at it

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
    if measurement.exclusive:
        rule = (
            "claims nothing of two samples, but of the populations they are drawn from"
        )
        fix = "Pass a measurement of populations that draws the sample itself"
        raise refusal("Unsupported", "measurement", measurement, rule, fix)
    fix = "Pass a number such as 1 or 0.5"
    at = rational_argument(
        "InvalidDistance", "epsilon", epsilon, fix=fix, convert=to_loss, at_least=0
    )
    most = cap_argument(cap)
    claim = Claim.of(measurement, x, x2, d_in, at)
    budget = {"runs": runs, "seconds": seconds, "workers": workers}
    trees = enumerate_pair(measurement, x, x2, depth, progress=progress, **budget)
    return certificate_of(measurement, claim, *trees, most)


def certificate_of(
    measurement: Measurement, claim: Claim, left: Tree, right: Tree, cap: mpq
) -> PrivacyCertificate:
    """Compare two laws of releases with what is claimed of them."""
    judge = _judge(measurement.output_measure)
    bounds = judge.bounds(left, right, claim.loss, claim.delta)
    return PrivacyCertificate(
        measurement=repr(measurement),
        measure=measurement.output_measure,
        d_in=measurement.input_metric.present(claim.distance, exact=True),
        claimed_loss=claim.loss,
        claimed_delta=claim.delta,
        certified_loss=bounds.loss,
        certified_delta=bounds.delta,
        needs_loss=bounds.needed,
        cap=cap,
        unresolved=max(left.unresolved, right.unresolved),
        paths=left.paths + right.paths,
        resolve=to_resolve([left, right]),
        sources=sources_of([left, right]),
    )


@attrs.frozen
class Claim:
    """What a measurement claims for a pair of inputs at some distance."""

    loss: Extended
    delta: mpq
    distance: Any

    @classmethod
    def of(
        cls,
        measurement: Measurement,
        x: Data,
        x2: Data,
        d_in: Distance,
        epsilon: Extended,
    ) -> Claim:
        """Return the claim; of a profile, the one at `epsilon`."""
        measure = measurement.output_measure
        _judge(measure)
        distance = pair_distance(measurement, x, x2, d_in)
        loss, delta = measure.claim(measurement.privacy_map(distance), epsilon)
        return cls(loss if loss == math.inf else mpq(loss), mpq(delta), distance)
