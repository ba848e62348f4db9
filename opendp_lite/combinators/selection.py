"""Selection: of many private candidates the first that is good enough."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Data, ExactDistance, ExactNumber, Release
from opendp_lite.base.arguments import check_type, rational_argument
from opendp_lite.base.containers import native, scalar_kind
from opendp_lite.base.errors import OpenDPException, refusal
from opendp_lite.combinators.composition import check_measure
from opendp_lite.core.measurement import Measurement, at_same_distance
from opendp_lite.core.measures import max_divergence
from opendp_lite.core.registry import constructor
from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.rationals import Extended
from opendp_lite.randomness.draws import sample_bernoulli_rational

_MAKE = "MakeMeasurement"
_FIX = "Pass a measurement that releases pairs (score, candidate)"
_NUMBERS = "i", "u", "f"  # Kinds of numpy's; it would read times as integers too.
_PRECISION = 128
_LARGEST = 2048  # Of greater epsilons no exponential is computed.


@constructor(
    proof="combinators/make_select_private_candidate",
    status="vetted",
    human_verified=(
        "measurement remembers and shows nothing of a call but what it returns",
        "if stop_probability is 0, a score can reach the threshold, whatever the data",
    ),
)
def make_select_private_candidate(
    measurement: Measurement, stop_probability: ExactNumber, threshold: ExactNumber
) -> Measurement:
    """Return the measurement that repeats another until a score is high enough.

    `measurement` releases pairs (score, candidate). The first pair whose score is at
    least `threshold` is released; after every other pair a coin is tossed, and with
    the probability `stop_probability` None is released instead. NaN is below every
    threshold. However many candidates were tried, the price is that of two; do not let
    a recipient measure the time, which tells how many they were.

    Guarantee: with stop_probability g, if `measurement` loses at most epsilon, this
    loses at most 2 epsilon; if it loses at most (epsilon, delta) and g > 0, this loses
    at most (2 epsilon, delta (1 + (1 - g) e^epsilon) / g), rounded up, and delta at
    most 1.

    The tries must be independent, and those that were low must leave no trace; with
    g = 0 they end only if a score is high enough one day. Of functions of your own
    nobody but you can verify this, so the feature `honest-but-curious` is needed.

    :param measurement: releases pairs (score, candidate), tuples or lists, whose score
        is an int, a float or a Fraction; under max_divergence, or approximate of it
    :param stop_probability: g, the probability to give up after a low score, exact;
        above 0 if the loss is a pair
    :param threshold: the least score that is good enough, exact: int, float, Fraction,
        Decimal or text

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("honest-but-curious")
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> pair = dp.c.make_composition([dp.m.make_laplace(*space, scale=4)] * 2)
    >>> best = dp.c.make_select_private_candidate(
    ...     pair, stop_probability=0.01, threshold=100)
    >>> best.map(1), best(1000)[0] >= 100
    (1.0, True)
    >>> dp.disable_features("honest-but-curious")

    Proof: proofs/combinators/make_select_private_candidate.tex
    """
    check_type(_MAKE, "measurement", measurement, Measurement, _FIX)  # proof: kind
    if measurement.interactive:  # proof: value
        rule = "goes on answering, and has no score that could be compared"
        raise refusal(_MAKE, "measurement", measurement, rule, _FIX)
    if measurement.exclusive:  # proof: exclusive
        rule = "must be all that is released from its sample, and would be repeated"
        fix = "Select first, and amplify the whole"
        raise refusal(_MAKE, "measurement", measurement, rule, fix)
    fix = "Use a pure measurement, or make_fix_delta for an (epsilon, delta)"
    pairs = check_measure(measurement, max_divergence(), fix=fix)  # proof: measure
    fix = "Pass the probability to give up after a low score, such as 0.01"
    stop = rational_argument(  # proof: stop
        _MAKE, "stop_probability", stop_probability, fix=fix, at_least=0, at_most=1
    )
    if pairs and stop == 0:  # proof: delta
        rule = "must be above 0 where the loss has a delta, which is divided by it"
        raise refusal(_MAKE, "stop_probability", stop_probability, rule, fix)
    fix = "Pass the least score that is good enough, such as 0.9"
    least = rational_argument(_MAKE, "threshold", threshold, fix=fix)  # proof: least

    def function(arg: Data) -> tuple[Any, Any] | None:
        while True:
            release = measurement.function(arg)  # proof: try
            if _score(release) >= least:  # proof: reached
                return release[0], release[1]
            if sample_bernoulli_rational(stop):  # proof: coin
                return None

    def privacy_map(d_in: ExactDistance) -> Any:
        loss = measurement.privacy_map(d_in)
        if not pairs:
            return 2 * loss  # proof: pure
        epsilon, delta = loss
        return 2 * epsilon, _delta(epsilon, delta, stop)  # proof: approximate

    return Measurement(
        measurement.input_domain,
        function,
        measurement.input_metric,
        measurement.output_measure,
        privacy_map,
        covers_rationals=measurement.covers_rationals,  # proof: rationals
        parts=at_same_distance(measurement),
    )


def _score(release: Release) -> Extended:
    """Return the score of a pair (score, candidate), exactly; it may be NaN."""
    # By identity: a metaclass may say that its classes equal others.
    pair = type(release) is tuple or type(release) is list
    if pair and len(release) == 2:  # proof: two
        score = release[0]
        if scalar_kind(score) in _NUMBERS:
            score = native(score)  # proof: native
        if type(score) is int or type(score) is float:  # proof: number
            return score
        if type(score) is Fraction:
            # Integers of numpy overflow, and leave fractions that are none.
            above, below = native(score.numerator), native(score.denominator)
            if type(above) is int and type(below) is int and below > 0:
                return mpq(above, below)  # proof: fraction
    raise OpenDPException(  # proof: no-pair
        "FailedFunction",
        "the measurement released something else than a pair (score, candidate) whose "
        f"score is an int, a float or a Fraction. {_FIX}.",
    )


def _delta(epsilon: Extended, delta: Extended, stop: mpq) -> mpq:
    """Return delta (1 + (1 - g) e^epsilon) / g, rounded up, but at most 1."""
    if delta == 0:  # proof: none
        return mpq(0)
    if epsilon > _LARGEST:  # proof: large
        return mpq(1)
    most = mpq(exp(mpq(epsilon), _PRECISION).hi)  # proof: most
    return min(mpq(delta) * (1 + (1 - stop) * most) / stop, mpq(1))  # proof: bound
