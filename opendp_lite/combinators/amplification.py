"""Amplification: a release from a sample that nobody knows costs less."""

from __future__ import annotations

from itertools import compress
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Data, ExactDistance, ExactLoss, ExactNumber
from opendp_lite.base.arguments import check_type, integer_argument, rational_argument
from opendp_lite.base.containers import is_array
from opendp_lite.base.errors import refusal
from opendp_lite.combinators.composition import check_measure
from opendp_lite.core.domains import VectorDomain
from opendp_lite.core.measurement import Measurement, Part, at_same_distance
from opendp_lite.core.measures import max_divergence
from opendp_lite.core.metrics import (
    ChangeOneDistance,
    InsertDeleteDistance,
    SymmetricDistance,
)
from opendp_lite.core.registry import constructor
from opendp_lite.laws.amplification import (
    amplified_epsilon,
    poisson_share,
    population_share,
)
from opendp_lite.randomness.draws import sample_bernoulli_rational
from opendp_lite.randomness.lanes import FEW_COINS, is_bulk

_MAKE, _METRIC = "MakeMeasurement", "MetricMismatch"
_FIX = "Pass a measurement, such as space >> then_count() >> then_laplace(scale=1.0)"
_RATE_FIX = "Pass a probability such as 0.01, '1/100' or Fraction(1, 100)"


@constructor(proof="combinators/make_poisson_subsample", status="vetted")
def make_poisson_subsample(measurement: Measurement, rate: ExactNumber) -> Measurement:
    """Return the measurement that sees each row with a probability, and else not.

    Each row is kept if a coin says so, which is true with probability q and tossed for
    this row alone; the rows that are kept stay in their order. The coins are tossed
    anew for every release, and nobody sees them.

    Guarantee: if `measurement` loses at most (epsilon, delta) at d_in, the release
    loses at most (ln(1 + g (e^epsilon - 1)), g delta), rounded up, where g is
    1 - (1 - q)^d_in and q is `rate`; without a delta if `measurement` has none. Rows
    may be added, removed, or both at once.

    :param measurement: under max_divergence() or approximate(max_divergence()), on
        lists of rows of any length, by the symmetric or the insert-delete distance;
        its map is 0 at 0, and its release does not go on answering
    :param rate: q, from 0 to 1, exact: float, Fraction, Decimal or text

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    >>> count = space >> dp.t.then_count() >> dp.m.then_laplace(scale=1.0)
    >>> sampled = dp.c.make_poisson_subsample(count, rate="1/10")
    >>> count.map(1), sampled.map(1), sampled.map(2)
    (1.0, 0.15856507874042913, 0.7947649975091862)
    >>> isinstance(sampled(list(range(1000))), int)
    True

    Proof: proofs/combinators/make_poisson_subsample.tex
    """
    pairs = _check_inner(measurement)  # proof: inner
    domain, metric = measurement.input_domain, measurement.input_metric
    check_type(_MAKE, "input_domain", domain, VectorDomain, _FIX)  # proof: vectors
    assert isinstance(domain, VectorDomain)
    if domain.size is not None:  # proof: size
        rule = f"takes {domain.size} rows, and how many a sample has is left to chance"
        fix = "Build it on a vector_domain without a size"
        raise refusal(_MAKE, "measurement", measurement, rule, fix)
    kinds = SymmetricDistance, InsertDeleteDistance
    fix = "Build it on symmetric_distance(), where rows are added and removed"
    check_type(_METRIC, "input_metric", metric, kinds, fix)  # proof: metric
    chance: mpq = rational_argument(  # proof: rate
        _MAKE, "rate", rate, fix=_RATE_FIX, at_least=0, at_most=1
    )

    def function(arg: Data) -> Any:
        return measurement.function(_kept(arg, chance))  # proof: function

    def privacy_map(d_in: ExactDistance) -> ExactLoss:
        share = poisson_share(chance, d_in)  # proof: share
        return _amplified(measurement, d_in, share, pairs)  # proof: map

    return Measurement(
        domain,
        function,
        metric,
        measurement.output_measure,
        privacy_map,
        parts=at_same_distance(measurement),
    )


@constructor(
    proof="combinators/make_population_amplification",
    status="vetted",
    human_verified=(
        "the rows were drawn by lot, without replacement, each choice of so many rows "
        "being equally likely, from a population of exactly population_size rows",
        "all rows of the population fit the domain, also those that were not drawn",
        "who sees the release does not know which rows were drawn",
        "nothing else is released from the rows that were drawn, before or after, and "
        "this measurement is called once",
    ),
)
def make_population_amplification(
    measurement: Measurement, population_size: ExactNumber
) -> Measurement:
    """Return the measurement with the smaller loss that the rows of a population have.

    Nothing is drawn here: the data are a sample already. Distances are meant between
    populations, of n rows each, all of which fit the domain, and not between samples.

    Guarantee: let the populations differ in j rows, which is d_in under the change-one
    distance, half of it, rounded down, under the symmetric distance, and at most n. If
    `measurement` loses at most (epsilon, delta) where min(j, m) rows are changed, the
    release loses at most (ln(1 + g (e^epsilon - 1)), g delta), rounded up, where g is
    1 - C(n - j, m) / C(n, m), n is `population_size` and m the size of the domain;
    without a delta if `measurement` has none.

    What it returns is `exclusive`: compositors and sessions refuse it, as a second
    release from the same sample is not covered. To release several statistics compose
    them first, and amplify the whole.

    :param measurement: under max_divergence() or approximate(max_divergence()), on
        lists of m rows, by the symmetric or the change-one distance; its map is 0 at 0,
        and its release does not go on answering
    :param population_size: n, at least m

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("honest-but-curious")
    >>> domain = dp.vector_domain(dp.atom_domain(bounds=(0.0, 10.0)), size=100)
    >>> mean = (domain, dp.symmetric_distance()) >> dp.t.then_mean()
    >>> noisy = mean >> dp.m.then_laplace(scale=0.1)
    >>> amplified = dp.c.make_population_amplification(noisy, population_size=1000)
    >>> noisy.map(2), amplified.map(2), amplified.exclusive
    (1.0, 0.1585650787404291, True)
    >>> dp.disable_features("honest-but-curious")

    Proof: proofs/combinators/make_population_amplification.tex
    """
    pairs = _check_inner(measurement)  # proof: inner
    domain, metric = measurement.input_domain, measurement.input_metric
    check_type(_MAKE, "input_domain", domain, VectorDomain, _FIX)  # proof: vectors
    assert isinstance(domain, VectorDomain)
    if domain.size is None:  # proof: size
        rule = "takes any number of rows, and that of the sample must be public"
        fix = "Build it on vector_domain(..., size=m), where m rows were drawn"
        raise refusal(_MAKE, "measurement", measurement, rule, fix)
    size = domain.size
    kinds = SymmetricDistance, ChangeOneDistance
    fix = "The order of a sample is not known: put make_ordered_random in front"
    check_type(_METRIC, "input_metric", metric, kinds, fix)  # proof: metric
    population = integer_argument(  # proof: population
        _MAKE,
        "population_size",
        population_size,
        fix=f"Pass how many rows there were when {size} of them were drawn",
        at_least=size,
    )
    twofold = 2 if isinstance(metric, SymmetricDistance) else 1  # proof: twofold

    def changed_rows(d_in: ExactDistance) -> int:
        far = d_in >= twofold * population  # proof: far
        return population if far else d_in // twofold  # proof: rows

    def privacy_map(d_in: ExactDistance) -> ExactLoss:
        rows = changed_rows(d_in)
        share = population_share(population, size, rows)  # proof: share
        changed = twofold * min(rows, size)  # proof: changed
        return _amplified(measurement, changed, share, pairs)  # proof: map

    def parts(d_in: ExactDistance | None) -> list[Part]:
        rows = None if d_in is None else min(changed_rows(d_in), size)
        return [(measurement, None if rows is None else twofold * rows, "")]

    return Measurement(
        domain,
        measurement.function,  # proof: function
        metric,
        measurement.output_measure,
        privacy_map,
        exclusive=True,  # proof: exclusive
        noise=measurement.noise,
        parts=parts,
    )


def _check_inner(measurement: Measurement) -> bool:
    """Return whether its losses are pairs, or refuse a measurement not to be amplified.

    A map that is 0 at 0 says that the order of the rows does not matter, where the
    distance does not see it: else a row would tell by its place who was drawn.
    """
    check_type(_MAKE, "measurement", measurement, Measurement, _FIX)  # proof: kind
    fix = "What sampling saves is known as an epsilon and a delta: convert it by "
    fix += "make_zCDP_to_approxDP and make_fix_delta"
    pairs = check_measure(measurement, max_divergence(), fix=fix)  # proof: measure
    if measurement.interactive:  # proof: value
        rule = "goes on answering, and its sample would be the same for all questions"
        fix = "Amplify a make_composition, or subsample what a session is asked for"
        raise refusal(_MAKE, "measurement", measurement, rule, fix)
    if measurement.exclusive:  # proof: alone
        rule = "is amplified already, and its distances are those of a population"
        fix = "Amplify the measurement that it was made from"
        raise refusal(_MAKE, "measurement", measurement, rule, fix)
    if measurement.privacy_map(0) != ((0, 0) if pairs else 0):  # proof: zero
        rule = "has a loss at distance 0, as it does not treat all orders of rows alike"
        fix = "Use one whose map(0) is 0"
        raise refusal(_MAKE, "measurement", measurement, rule, fix)
    return pairs


def _amplified(
    measurement: Measurement, distance: ExactDistance, share: mpq, pairs: bool
) -> ExactLoss:
    """Return what is lost if the loss at a distance shows with probability `share`."""
    if share == 0:  # proof: none
        return (0, 0) if pairs else 0
    loss = measurement.privacy_map(distance)  # proof: loss
    if not pairs:
        return amplified_epsilon(loss, share)  # proof: pure
    epsilon, delta = loss
    delta = share * min(mpq(delta), mpq(1))  # proof: delta
    return amplified_epsilon(epsilon, share), delta  # proof: pair


def _kept(data: Data, rate: mpq) -> Any:
    """Return the rows whose coins are true, in their order.

    Of a list a new list, and of an array a new array.
    """
    array = is_array(data)
    if not array and not is_bulk(len(data), FEW_COINS):
        return [row for row in data if sample_bernoulli_rational(rate)]  # proof: few
    from opendp_lite.randomness.bulk_draws import sample_bernoullis

    coins = sample_bernoullis(rate, len(data))  # proof: coins
    if not array:
        return list(compress(data, coins.tolist()))  # proof: list
    import numpy

    return numpy.asarray(data)[coins]  # proof: array
