# ruff: noqa
# fmt: off
# What was read of opendp_lite.combinators.selection; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from fractions import Fraction
from gmpy2 import mpq
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.aliases import Release
from opendp_lite.base.arguments import check_type
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.containers import native
from opendp_lite.base.containers import scalar_kind
from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.errors import refusal
from opendp_lite.combinators.composition import check_measure
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.plain import max_divergence
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.rationals import Extended
from opendp_lite.randomness.draws import sample_bernoulli_rational
from typing import Any

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_MAKE = "MakeMeasurement"
_FIX = "Pass a measurement that releases pairs (score, candidate)"
opendp_lite.base.aliases.Release: typing.TypeAlias = typing.Any
_NUMBERS = "i", "u", "f"
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_PRECISION = 128
_LARGEST = 2048


# === make_select_private_candidate with Data, ExactDistance, ExactNumber, check_type,
#    rational_argument, refusal, check_measure, Measurement, max_divergence,
#    sample_bernoulli_rational, Any, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data, _MAKE, _FIX
def make_select_private_candidate(
    measurement: Measurement, stop_probability: ExactNumber, threshold: ExactNumber
) -> Measurement:
    check_type(_MAKE, "measurement", measurement, Measurement, _FIX)
    if measurement.interactive:
        rule = "goes on answering, and has no score that could be compared"
        raise refusal(_MAKE, "measurement", measurement, rule, _FIX)
    if measurement.exclusive:
        rule = "must be all that is released from its sample, and would be repeated"
        fix = "Select first, and amplify the whole"
        raise refusal(_MAKE, "measurement", measurement, rule, fix)
    fix = "Use a pure measurement, or make_fix_delta for an (epsilon, delta)"
    pairs = check_measure(measurement, max_divergence(), fix=fix)
    fix = "Pass the probability to give up after a low score, such as 0.01"
    stop = rational_argument(
        _MAKE, "stop_probability", stop_probability, fix=fix, at_least=0, at_most=1
    )
    if pairs and stop == 0:
        rule = "must be above 0 where the loss has a delta, which is divided by it"
        raise refusal(_MAKE, "stop_probability", stop_probability, rule, fix)
    fix = "Pass the least score that is good enough, such as 0.9"
    least = rational_argument(_MAKE, "threshold", threshold, fix=fix)

    def function(arg: Data) -> tuple[Any, Any] | None:
        while True:
            release = measurement.function(arg)
            if _score(release) >= least:
                return release[0], release[1]
            if sample_bernoulli_rational(stop):
                return None

    def privacy_map(d_in: ExactDistance) -> Any:
        loss = measurement.privacy_map(d_in)
        if not pairs:
            return 2 * loss
        epsilon, delta = loss
        return 2 * epsilon, _delta(epsilon, delta, stop)

    return Measurement(
        measurement.input_domain,
        function,
        measurement.input_metric,
        measurement.output_measure,
        privacy_map,
        covers_rationals=measurement.covers_rationals,
    )


# === _score with Fraction, mpq, Release, native, scalar_kind, OpenDPException,
#    Extended, opendp_lite.base.aliases.Release, _FIX, _NUMBERS,
#    opendp_lite.exact.rationals.Extended
def _score(release: Release) -> Extended:
    pair = type(release) is tuple or type(release) is list
    if pair and len(release) == 2:
        score = release[0]
        if scalar_kind(score) in _NUMBERS:
            score = native(score)
        if type(score) is int or type(score) is float:
            return score
        if type(score) is Fraction:
            above, below = native(score.numerator), native(score.denominator)
            if type(above) is int and type(below) is int and below > 0:
                return mpq(above, below)
    raise OpenDPException(
        "FailedFunction",
        "the measurement released something else than a pair (score, candidate) whose "
        f"score is an int, a float or a Fraction. {_FIX}.",
    )


# === _delta with mpq, exp, Extended, _PRECISION, _LARGEST,
#    opendp_lite.exact.rationals.Extended
def _delta(epsilon: Extended, delta: Extended, stop: mpq) -> mpq:
    if delta == 0:
        return mpq(0)
    if epsilon > _LARGEST:
        return mpq(1)
    most = mpq(exp(mpq(epsilon), _PRECISION).hi)
    return min(mpq(delta) * (1 + (1 - stop) * most) / stop, mpq(1))
