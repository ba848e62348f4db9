"""Canonical noise: an (epsilon, delta) at one sensitivity, with nothing to spare."""

from __future__ import annotations

import math
import sys
from typing import Any

from gmpy2 import mpq

from opendp_lite.core.aliases import Data, ExactDistance, ExactNumber, Loss
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.domains import AtomDomain, Domain
from opendp_lite.core.errors import refusal
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import approximate, max_divergence
from opendp_lite.core.metrics import AbsoluteDistance, Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.exact.rationals import Extended, to_mpq, to_target
from opendp_lite.exact.rounding import round_down, to_double
from opendp_lite.sampling.noise.truncated_uniform_laplace import (
    truncated_uniform_laplace,
)

__all__ = [
    "check_sensitivity",
    "check_target",
    "check_within",
    "make_canonical_noise",
    "then_canonical_noise",
]

_MAKE = "MakeMeasurement"
_LARGEST = sys.float_info.max


@constructor(proof="measurements/make_canonical_noise", status="vetted")
def make_canonical_noise(
    input_domain: Domain, input_metric: Metric, d_in: ExactNumber, d_out: Loss
) -> Measurement:
    """Return a measurement that adds the noise which (epsilon, delta) calls for.

    Guarantee: for x, x' at distance at most d, P(M(x) in S) <= e^epsilon P(M(x') in S)
    + delta for every S, where (epsilon, delta) is `d_out` and d is `d_in`, and where
    both are 0 if d is. A distance beyond `d_in` has no guarantee: the map refuses it.

    The release is the double nearest to x + d N. N is canonical noise (Awan and Vadhan
    2023), a uniform number plus discrete Laplace noise, cut off where delta allows it:
    between neighbours at the distance d nothing of (epsilon, delta) is left over. Sums
    beyond the largest double are released as that, and an infinite x stands for it.

    :param input_domain: atom_domain of float, nan=False
    :param input_metric: absolute_distance
    :param d_in: the sensitivity d >= 0, exact; at 0 the nearest double is released
    :param d_out: (epsilon, delta), epsilon >= 0 and 0 <= delta <= 1, not both 0. A
        float means the lesser of its binary value and the decimal it prints as

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    >>> noisy = space >> dp.m.then_canonical_noise(d_in=1.0, d_out=(0.5, 1e-6))
    >>> noisy.map(1.0), noisy.map(0.0)
    ((0.5, 1e-06), (0.0, 0.0))
    >>> abs(noisy(100.0) - 100) < 60
    True

    Proof: proofs/measurements/make_canonical_noise.tex
    """
    limit = check_sensitivity(input_domain, input_metric, d_in)  # proof: d-in
    epsilon, delta = check_target(d_out)  # proof: d-out
    noise = truncated_uniform_laplace(epsilon, delta, limit)  # proof: noise

    def function(arg: Data) -> float:
        if arg in (math.inf, -math.inf):
            arg = _LARGEST if arg > 0 else -_LARGEST  # proof: infinite
        if isinstance(arg, float):
            return noise.release(float(arg))  # proof: double
        return to_double(noise.sample(to_mpq(arg)))  # proof: rational

    def privacy_map(d_in: ExactDistance) -> Any:
        check_within(input_metric, d_in, limit)  # proof: within
        return (epsilon, delta) if d_in > 0 else (0, 0)  # proof: map

    return Measurement(
        input_domain,
        function,  # proof: function
        input_metric,
        approximate(max_divergence()),  # proof: measure
        privacy_map,
        covers_rationals=True,  # proof: rationals
    )


then_canonical_noise = then(make_canonical_noise)


def check_sensitivity(
    input_domain: object, input_metric: object, d_in: ExactNumber
) -> mpq:
    """Return the sensitivity that noise is made for, as an exact number.

    It is at least 0, and domain and metric are those of floats without NaN.
    """
    fix = "Pass atom_domain(T=float, nan=False) and absolute_distance(T=float)"
    if not isinstance(input_domain, AtomDomain) or input_domain.T is not float:
        rule = "must be an atom_domain of float"
        raise refusal(_MAKE, "input_domain", input_domain, rule, fix)  # proof: floats
    if input_domain.nan:
        rule = "must not hold NaN"
        raise refusal(_MAKE, "input_domain", input_domain, rule, fix)  # proof: nan
    if not isinstance(input_metric, AbsoluteDistance):
        rule = "must be AbsoluteDistance"
        raise refusal(_MAKE, "input_metric", input_metric, rule, fix)  # proof: metric
    fix = "Pass the sensitivity of the data, such as d_in=1.0"
    sensitivity: mpq = rational_argument(  # proof: number
        _MAKE, "d_in", d_in, fix=fix, at_least=0
    )
    return sensitivity


def check_within(input_metric: Any, d_in: Extended, limit: mpq) -> None:
    """Refuse a distance beyond the limit for which the noise was made.

    The message names a distance that the metric takes and that is not beyond it.
    """
    if d_in > limit:
        most = round_down(limit)  # proof: most
        named = int(most) if input_metric.T is int else most  # proof: named
        rule = "is beyond the distance for which the noise was made"
        fix = f"Pass at most {named}, or make noise for more"
        shown = input_metric.present(d_in)
        raise refusal("FailedMap", "d_in", shown, rule, fix)  # proof: beyond


def check_target(d_out: Loss) -> tuple[mpq, mpq]:
    """Return the pair (epsilon, delta) that is asked for, as exact numbers.

    A float means the lesser of its binary value and the decimal it prints as.
    """
    if not isinstance(d_out, tuple | list) or len(d_out) != 2:
        rule, fix = "must be a pair (epsilon, delta)", "Pass for example (1.0, 1e-9)"
        raise refusal(_MAKE, "d_out", d_out, rule, fix)  # proof: pair
    fix = "Pass a number such as 1 or 0.5, a Fraction, or text such as '0.1'"
    epsilon: mpq = rational_argument(  # proof: epsilon
        _MAKE, "d_out[0]", d_out[0], fix=fix, convert=to_target, at_least=0
    )
    fix = "Pass a probability such as 1e-9"
    delta: mpq = rational_argument(  # proof: delta
        _MAKE, "d_out[1]", d_out[1], fix=fix, convert=to_target, at_least=0, at_most=1
    )
    if epsilon == 0 and delta == 0:
        rule, fix = "must not be (0, 0)", "Nothing can be released there; ask for more"
        raise refusal(_MAKE, "d_out", d_out, rule, fix)  # proof: nothing
    return epsilon, delta
