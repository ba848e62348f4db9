"""Canonical noise for a whole tradeoff function, and the tradeoffs there are."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Data, ExactDistance, ExactNumber
from opendp_lite.base.arguments import check_type, rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import smoothed_max_divergence
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.exact.rationals import Extended, to_mpq, to_target
from opendp_lite.exact.rounding import to_double
from opendp_lite.laws.location import GaussianTradeoff, LaplaceTradeoff
from opendp_lite.laws.tradeoff import ApproximateTradeoff, Tradeoff
from opendp_lite.laws.tradeoff_profiles import delta_at
from opendp_lite.laws.user_tradeoff import UserTradeoff
from opendp_lite.measurements.canonical.canonical_law import CanonicalNoise
from opendp_lite.measurements.canonical.canonical_noise import (
    check_sensitivity,
    check_within,
)
from opendp_lite.measurements.canonical.canonical_sampler import (
    CanonicalRV,
    PartialSample,
)

_MAKE = "MakeMeasurement"
_LARGEST = sys.float_info.max


@constructor(proof="measurements/make_tradeoff_noise", status="vetted")
def make_tradeoff_noise(
    input_domain: Domain, input_metric: Metric, d_in: ExactNumber, tradeoff: Tradeoff
) -> Measurement:
    """Return a measurement that adds the noise which a tradeoff function calls for.

    Guarantee: for x, x' at distance at most d, a test between M(x) and M(x') with the
    error a of the first kind has an error of at least f(a) of the second kind, where f
    is `tradeoff` and d is `d_in`. So P(M(x) in S) <= e^epsilon P(M(x') in S) +
    delta(epsilon) for every S and every epsilon >= 0; `map(d_in)` is the function
    delta, and 0 at the distance 0. A distance beyond `d_in` has no guarantee: the map
    refuses it.

    N is canonical noise for f (Awan and Vadhan 2023): between the real numbers x + d N
    of neighbours at the distance d nothing of f is left over. They are released as
    `make_canonical_noise` does it: the nearest integer if x is an integer, and else the
    nearest double.

    :param input_domain: atom_domain of int, float (nan=False) or Fraction
    :param input_metric: absolute_distance
    :param d_in: the sensitivity d >= 0, exact; at 0 the nearest double is released, and
        an integer as it is
    :param tradeoff: gaussian_tradeoff(mu) or laplace_tradeoff(mu); also that of a pair
        (epsilon, delta), an `ApproximateTradeoff`

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    >>> noisy = space >> dp.m.then_tradeoff_noise(
    ...     d_in=1.0, tradeoff=dp.m.gaussian_tradeoff(mu=1))
    >>> delta = noisy.map(1.0)
    >>> delta(1.0), delta(4.0)
    (0.12693673750664397, 4.7122412007931204e-05)
    >>> abs(noisy(100.0) - 100) < 12
    True

    Proof: proofs/measurements/make_tradeoff_noise.tex
    """
    # A class derived from one of these has its own values.
    own = (GaussianTradeoff, LaplaceTradeoff, ApproximateTradeoff)
    if type(tradeoff) not in own:
        rule = "must be a GaussianTradeoff, LaplaceTradeoff or ApproximateTradeoff"
        fix = "Pass gaussian_tradeoff(mu=1); make_user_tradeoff_noise is for your own"
        raise refusal(_MAKE, "tradeoff", tradeoff, rule, fix)  # proof: tradeoff
    return _canonical(input_domain, input_metric, d_in, tradeoff)  # proof: noise


@constructor(
    proof="measurements/make_user_tradeoff_noise",
    status="vetted",
    human_verified=(
        "tradeoff is convex, symmetric and nonincreasing, and at most 1 - a at a",
        "its function never fails, and encloses the tradeoff as narrowly as is asked",
    ),
)
def make_user_tradeoff_noise(
    input_domain: Domain,
    input_metric: Metric,
    d_in: ExactNumber,
    tradeoff: UserTradeoff,
) -> Measurement:
    """Return a measurement that adds the noise which a user's own tradeoff calls for.

    Guarantee: as that of `make_tradeoff_noise`, if `tradeoff` is what its author says.
    The library cannot check that, so the feature `honest-but-curious` is needed. The
    profile delta is found from values of the tradeoff, and rounded up.

    :param input_domain: atom_domain of int, float (nan=False) or Fraction
    :param input_metric: absolute_distance
    :param d_in: the sensitivity d >= 0, exact; at 0 the nearest double is released, and
        an integer as it is
    :param tradeoff: user_tradeoff(values)

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("honest-but-curious")
    >>> def values(a, precision):  # that of (epsilon, delta) with e^epsilon = 2
    ...     f = max(0, 1 - 2 * a, (1 - a) / 2)
    ...     return f, f
    >>> space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    >>> noisy = space >> dp.m.then_user_tradeoff_noise(1.0, dp.m.user_tradeoff(values))
    >>> noisy.map(1.0)(0.0) - 1 / 3 < 1e-16, noisy.map(1.0)(0.7) < 1e-16
    (True, True)
    >>> dp.disable_features("honest-but-curious")

    Proof: proofs/measurements/make_user_tradeoff_noise.tex
    """
    fix = "Pass user_tradeoff(values); make_tradeoff_noise is for the library's"
    check_type(_MAKE, "tradeoff", tradeoff, UserTradeoff, fix)  # proof: tradeoff
    return _canonical(input_domain, input_metric, d_in, tradeoff)  # proof: noise


then_tradeoff_noise = then(make_tradeoff_noise)
then_user_tradeoff_noise = then(make_user_tradeoff_noise)


def _canonical(
    input_domain: Domain, input_metric: Metric, d_in: ExactNumber, tradeoff: Tradeoff
) -> Measurement:
    """Canonical noise for a tradeoff, whoever answers for it."""
    T, limit = check_sensitivity(input_domain, input_metric, d_in)  # proof: d-in

    def function(arg: Data) -> float:
        if arg in (math.inf, -math.inf):
            arg = _LARGEST if arg > 0 else -_LARGEST  # proof: infinite
        shift = to_mpq(arg)
        if limit == 0:
            return int(arg) if T is int else to_double(shift)  # proof: exact
        noisy = CanonicalRV(shift, limit, tradeoff, tradeoff.fixed_point)  # proof: law
        draw = PartialSample(noisy)
        return draw.nearest_integer() if T is int else draw.value()  # proof: draw

    def privacy_map(d_in: ExactDistance) -> Callable[[Extended], mpq]:
        check_within(input_metric, d_in, limit)  # proof: within
        if d_in == 0:
            return lambda epsilon: mpq(0)  # proof: same
        return lambda epsilon: delta_at(tradeoff, epsilon)  # proof: map

    return Measurement(
        input_domain,
        function,  # proof: function
        input_metric,
        smoothed_max_divergence(),  # proof: measure
        privacy_map,
        covers_rationals=T is float,  # proof: rationals
        noise=CanonicalNoise(limit, tradeoff, T is int),
    )


def gaussian_tradeoff(mu: ExactNumber) -> GaussianTradeoff:
    """Return the tradeoff of two normal laws of variance 1, mu > 0 apart.

    A float means the lesser of its binary value and the decimal it prints as.

    :param mu: distance of the two laws, above 0

    >>> gaussian_tradeoff(mu=0.5)
    GaussianTradeoff(mu=1/2)
    """
    return GaussianTradeoff(_positive(mu))


def laplace_tradeoff(mu: ExactNumber) -> LaplaceTradeoff:
    """Return the tradeoff of two Laplace laws of scale 1, mu > 0 apart.

    A float means the lesser of its binary value and the decimal it prints as.

    :param mu: distance of the two laws, above 0

    >>> laplace_tradeoff(mu="1/3")
    LaplaceTradeoff(mu=1/3)
    """
    return LaplaceTradeoff(_positive(mu))


def user_tradeoff(
    values: Callable[[Any, int], Any], guess: object = None
) -> UserTradeoff:
    """Return a tradeoff of the user's own, after a look at some of its values.

    `values(a, precision)` is given a Fraction from 0 to 1 and an int. It returns two
    exact numbers, one at most f(a) and one at least, not further apart than
    2^(-precision/2). Each release makes as many calls as there are steps of f from the
    noise to 0.

    :param values: the enclosure of f described above
    :param guess: where the solution of f(c) = c may be looked for

    >>> user_tradeoff(lambda a, precision: (1 - 2 * a, 1 - 2 * a))
    Traceback (most recent call last):
        ...
    opendp_lite.base.errors.OpenDPException: MakeMeasurement: \
values=<lambda>: must not be negative, but is at 9/16. \
Pass a function that encloses a convex, symmetric f with f(a) <= 1 - a.
    """
    if not callable(values):
        rule, fix = "must be callable", "Pass a function"
        raise refusal(_MAKE, "values", values, rule, fix)
    if guess is not None and not callable(guess):
        fix = "Pass a number such as 0.3, a function of the precision, or nothing"
        rational_argument(_MAKE, "guess", guess, fix=fix)
    try:
        return UserTradeoff(values, guess)
    except ValueError as error:
        fix = "Pass a function that encloses a convex, symmetric f with f(a) <= 1 - a"
        raise refusal(_MAKE, "values", values, str(error), fix) from None


def _positive(mu: ExactNumber) -> mpq:
    fix = "Pass a positive number such as mu=1"
    exact: mpq = rational_argument(_MAKE, "mu", mu, fix=fix, convert=to_target)
    if exact <= 0:
        raise refusal(_MAKE, "mu", mu, "must be positive", fix)
    return exact
