"""A mechanism that the library does not have: a truth value that is rarely wrong."""

from __future__ import annotations

from typing import Any

from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.base.arguments import check_type, integer_argument
from opendp_lite.core.domains import AtomDomain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.metrics import DiscreteDistance
from opendp_lite.core.registry import constructor, then
from opendp_lite.randomness.entropy import random_bits

_MAKE = "MakeMeasurement"


@constructor(status="draft")
def make_doubtful_bit(
    input_domain: dp.Domain, input_metric: dp.Metric, bits: int
) -> Measurement:
    """Return a measurement that releases a truth value, or else its opposite.

    Guarantee: the opposite is released with probability 2^-k, where k is `bits`. So
    epsilon is ln(2^k - 1), which is less than k ln 2 and than 7 k / 10.

    :param input_domain: atom_domain of bool
    :param input_metric: discrete_distance
    :param bits: how many random bits decide, at least one

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("contrib")
    >>> made = make_doubtful_bit(dp.atom_domain(T=bool), dp.discrete_distance(), 10)
    >>> made.map(1)
    7.0
    >>> dp.disable_features("contrib")
    """
    return _measurement(input_domain, input_metric, bits, mpq(7, 10))


@constructor(status="draft")
def make_too_doubtful_bit(
    input_domain: dp.Domain, input_metric: dp.Metric, bits: int
) -> Measurement:
    """As `make_doubtful_bit`, but with a map that promises half: wrong."""
    return _measurement(input_domain, input_metric, bits, mpq(7, 20))


def _measurement(domain: Any, metric: Any, bits: Any, each: mpq) -> Measurement:
    fix = "Pass atom_domain(T=bool), discrete_distance() and at least one bit"
    check_type(_MAKE, "input_domain", domain, AtomDomain, fix)
    check_type(_MAKE, "input_metric", metric, DiscreteDistance, fix)
    if domain.T is not bool:
        raise dp.OpenDPException(_MAKE, f"input_domain={domain}: not bool. {fix}.")
    k = integer_argument(_MAKE, "bits", bits, fix=fix, at_least=1, at_most=64)

    def function(arg: Any) -> bool:
        return bool(arg) != (random_bits(k) == 0)

    def privacy_map(d_in: Any) -> Any:
        return min(d_in, 1) * k * each

    return Measurement(domain, function, metric, dp.max_divergence(), privacy_map)


then_doubtful_bit = then(make_doubtful_bit)
