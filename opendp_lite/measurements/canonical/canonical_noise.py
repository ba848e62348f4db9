"""Canonical noise: an (epsilon, delta) at one sensitivity, with nothing to spare."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Data, ExactDistance, ExactNumber, Loss
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import approximate, max_divergence
from opendp_lite.core.metrics import AbsoluteDistance, Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.exact.rationals import Extended, to_mpq, to_target
from opendp_lite.exact.rounding import round_down, to_double
from opendp_lite.laws.tradeoff import ApproximateTradeoff
from opendp_lite.measurements.canonical.canonical_law import CanonicalNoise
from opendp_lite.measurements.canonical.truncated_uniform_laplace import (
    truncated_uniform_laplace,
)

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

    N is canonical noise (Awan and Vadhan 2023), a uniform number plus discrete Laplace
    noise, cut off where delta allows it: between the real numbers x + d N of neighbours
    at the distance d nothing of (epsilon, delta) is left over. A float or a Fraction x
    is released as the double nearest to x + d N. Sums beyond the largest double are
    released as that, and an infinite x stands for it. An integer x is released as the
    integer nearest to x + d N, which is a Python int and may have any size. The greater
    one is taken of two that are equally near, which for d > 0 has probability 0.

    :param input_domain: atom_domain of int, float (nan=False) or Fraction
    :param input_metric: absolute_distance
    :param d_in: the sensitivity d >= 0, exact; at 0 the nearest double is released, and
        an integer as it is
    :param d_out: (epsilon, delta), epsilon >= 0 and 0 <= delta <= 1, not both 0. A
        float means the lesser of its binary value and the decimal it prints as

    >>> import opendp_lite.prelude as dp
    >>> rows = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    >>> noise = dp.m.then_canonical_noise(d_in=1, d_out=(0.5, 1e-6))
    >>> noisy = rows >> dp.t.then_count() >> noise
    >>> noisy.map(1), noisy.map(0)
    ((0.5, 1e-06), (0.0, 0.0))
    >>> abs(noisy(["a"] * 100) - 100) < 60
    True

    Proof: proofs/measurements/make_canonical_noise.tex
    """
    T, limit = check_sensitivity(input_domain, input_metric, d_in)  # proof: d-in
    epsilon, delta = check_target(d_out)  # proof: d-out
    noise = truncated_uniform_laplace(epsilon, delta, limit)  # proof: noise

    def function(arg: Data) -> float:
        if T is int:
            return noise.release_integer(int(arg))  # proof: integer
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
        covers_rationals=T is float,  # proof: rationals
        noise=CanonicalNoise(limit, ApproximateTradeoff(epsilon, delta), T is int),
    )


then_canonical_noise = then(make_canonical_noise)


def check_sensitivity(
    input_domain: object, input_metric: object, d_in: ExactNumber
) -> tuple[type, mpq]:
    """Return the type of the numbers, and the sensitivity that noise is made for.

    The sensitivity is exact and at least 0; there is no NaN among the numbers.
    """
    fix = (
        "Pass atom_domain(T=float, nan=False) and absolute_distance(T=float), or what "
        "then_count, then_sum or then_mean makes. Use then_laplace under the L1 "
        "distance, then_gaussian under the L2 distance, then_noisy_max for scores, "
        "then_laplace_threshold or then_gaussian_threshold for maps, then_product for "
        "tuples"
    )
    kinds = (int, float, Fraction)
    if not isinstance(input_domain, AtomDomain) or input_domain.T not in kinds:
        rule = "must be an atom_domain of int, float or Fraction"
        raise refusal(_MAKE, "input_domain", input_domain, rule, fix)  # proof: numbers
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
    return input_domain.T, sensitivity  # proof: type


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
