# ruff: noqa
# fmt: off
# What was read of opendp_lite.combinators.amplification; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from itertools import compress
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactLoss
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import check_type
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.containers import is_array
from opendp_lite.base.errors import refusal
from opendp_lite.combinators.composition import check_measure
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.plain import max_divergence
from opendp_lite.core.metrics.counting import ChangeOneDistance
from opendp_lite.core.metrics.counting import InsertDeleteDistance
from opendp_lite.core.metrics.counting import SymmetricDistance
from opendp_lite.laws.amplification import amplified_epsilon
from opendp_lite.laws.amplification import poisson_share
from opendp_lite.laws.amplification import population_share
from opendp_lite.randomness.draws import sample_bernoulli_rational
from opendp_lite.randomness.lanes import FEW_COINS
from opendp_lite.randomness.lanes import is_bulk
from typing import Any

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.ExactLoss: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_MAKE, _METRIC = "MakeMeasurement", "MetricMismatch"
_FIX = "Pass a measurement, such as space >> then_count() >> then_laplace(scale=1.0)"
_RATE_FIX = "Pass a probability such as 0.01, '1/100' or Fraction(1, 100)"
opendp_lite.randomness.lanes.FEW_COINS = 8


# === make_poisson_subsample with mpq, Data, ExactDistance, ExactLoss, ExactNumber,
#    check_type, rational_argument, refusal, VectorDomain, Measurement,
#    InsertDeleteDistance, SymmetricDistance, poisson_share, Any, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.ExactLoss, opendp_lite.base.aliases.Data, _MAKE, _FIX,
#    _RATE_FIX
def make_poisson_subsample(measurement: Measurement, rate: ExactNumber) -> Measurement:
    pairs = _check_inner(measurement)
    domain, metric = measurement.input_domain, measurement.input_metric
    check_type(_MAKE, "input_domain", domain, VectorDomain, _FIX)
    assert isinstance(domain, VectorDomain)
    if domain.size is not None:
        rule = f"takes {domain.size} rows, and how many a sample has is left to chance"
        fix = "Build it on a vector_domain without a size"
        raise refusal(_MAKE, "measurement", measurement, rule, fix)
    kinds = SymmetricDistance, InsertDeleteDistance
    fix = "Build it on symmetric_distance(), where rows are added and removed"
    check_type(_METRIC, "input_metric", metric, kinds, fix)
    chance: mpq = rational_argument(
        _MAKE, "rate", rate, fix=_RATE_FIX, at_least=0, at_most=1
    )

    def function(arg: Data) -> Any:
        return measurement.function(_kept(arg, chance))

    def privacy_map(d_in: ExactDistance) -> ExactLoss:
        share = poisson_share(chance, d_in)
        return _amplified(measurement, d_in, share, pairs)

    return Measurement(
        domain, function, metric, measurement.output_measure, privacy_map
    )


# === make_population_amplification with ExactDistance, ExactLoss, ExactNumber,
#    check_type, integer_argument, refusal, VectorDomain, Measurement,
#    ChangeOneDistance, SymmetricDistance, population_share, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.ExactLoss, _MAKE, _FIX
def make_population_amplification(
    measurement: Measurement, population_size: ExactNumber
) -> Measurement:
    pairs = _check_inner(measurement)
    domain, metric = measurement.input_domain, measurement.input_metric
    check_type(_MAKE, "input_domain", domain, VectorDomain, _FIX)
    assert isinstance(domain, VectorDomain)
    if domain.size is None:
        rule = "takes any number of rows, and that of the sample must be public"
        fix = "Build it on vector_domain(..., size=m), where m rows were drawn"
        raise refusal(_MAKE, "measurement", measurement, rule, fix)
    size = domain.size
    kinds = SymmetricDistance, ChangeOneDistance
    fix = "The order of a sample is not known: put make_ordered_random in front"
    check_type(_METRIC, "input_metric", metric, kinds, fix)
    population = integer_argument(
        _MAKE,
        "population_size",
        population_size,
        fix=f"Pass how many rows there were when {size} of them were drawn",
        at_least=size,
    )
    twofold = 2 if issubclass(type(metric), SymmetricDistance) else 1

    def privacy_map(d_in: ExactDistance) -> ExactLoss:
        far = d_in >= twofold * population
        rows = population if far else d_in // twofold
        share = population_share(population, size, rows)
        changed = twofold * min(rows, size)
        return _amplified(measurement, changed, share, pairs)

    return Measurement(
        domain,
        measurement.function,
        metric,
        measurement.output_measure,
        privacy_map,
        exclusive=True,
    )


# === _check_inner with check_type, refusal, check_measure, Measurement, max_divergence,
#    _MAKE, _FIX
def _check_inner(measurement: Measurement) -> bool:
    check_type(_MAKE, "measurement", measurement, Measurement, _FIX)
    fix = "What sampling saves is known as an epsilon and a delta: convert it by "
    fix += "make_zCDP_to_approxDP and make_fix_delta"
    pairs = check_measure(measurement, max_divergence(), fix=fix)
    if measurement.interactive:
        rule = "goes on answering, and its sample would be the same for all questions"
        fix = "Amplify a make_composition, or subsample what a session is asked for"
        raise refusal(_MAKE, "measurement", measurement, rule, fix)
    if measurement.exclusive:
        rule = "is amplified already, and its distances are those of a population"
        fix = "Amplify the measurement that it was made from"
        raise refusal(_MAKE, "measurement", measurement, rule, fix)
    if measurement.privacy_map(0) != ((0, 0) if pairs else 0):
        rule = "has a loss at distance 0, as it does not treat all orders of rows alike"
        fix = "Use one whose map(0) is 0"
        raise refusal(_MAKE, "measurement", measurement, rule, fix)
    return pairs


# === _amplified with mpq, ExactDistance, ExactLoss, Measurement, amplified_epsilon,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.ExactLoss
def _amplified(
    measurement: Measurement, distance: ExactDistance, share: mpq, pairs: bool
) -> ExactLoss:
    if share == 0:
        return (0, 0) if pairs else 0
    loss = measurement.privacy_map(distance)
    if not pairs:
        return amplified_epsilon(loss, share)
    epsilon, delta = loss
    delta = share * min(mpq(delta), mpq(1))
    return amplified_epsilon(epsilon, share), delta


# === _kept with mpq, compress, Data, is_array, sample_bernoulli_rational, FEW_COINS,
#    is_bulk, Any, opendp_lite.base.aliases.Data, opendp_lite.randomness.lanes.FEW_COINS
def _kept(data: Data, rate: mpq) -> Any:
    array = is_array(data)
    if not array and not is_bulk(len(data), FEW_COINS):
        return [row for row in data if sample_bernoulli_rational(rate)]
    from opendp_lite.randomness.bulk_draws import sample_bernoullis

    coins = sample_bernoullis(rate, len(data))
    if not array:
        return list(compress(data, coins.tolist()))
    import numpy

    return numpy.asarray(data)[coins]
