"""Conversion: the same releases, with the loss counted by another measure."""

from __future__ import annotations

import math
from typing import Any

from gmpy2 import mpq

from opendp_lite.core.aliases import ExactDistance
from opendp_lite.core.arguments import check_type
from opendp_lite.core.errors import refusal
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import (
    MaxDivergence,
    ZeroConcentratedDivergence,
    approximate,
    zero_concentrated_divergence,
)
from opendp_lite.core.registry import constructor

__all__ = ["make_approximate", "make_pureDP_to_zCDP"]

_MAKE = "MakeMeasurement"
_FIX = "Pass a measurement, such as space >> then_laplace(scale=1.0)"


@constructor(proof="combinators/make_approximate", status="vetted")
def make_approximate(measurement: Measurement) -> Measurement:
    """Return the measurement with its loss as a pair (loss, delta), where delta is 0.

    Guarantee: whoever loses at most l under max_divergence or
    zero_concentrated_divergence loses at most (l, 0) under approximate(...) of it. So
    it can be composed with measurements that need a delta.

    :param measurement: under max_divergence or zero_concentrated_divergence

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> noisy = dp.c.make_approximate(dp.m.make_laplace(*space, scale=2))
    >>> noisy.output_measure, noisy.map(1)
    (Approximate(MaxDivergence()), (0.5, 0.0))

    Proof: proofs/combinators/make_approximate.tex
    """
    check_type(_MAKE, "measurement", measurement, Measurement, _FIX)  # proof: kind
    measure = measurement.output_measure
    if not isinstance(measure, MaxDivergence | ZeroConcentratedDivergence):
        rule = (
            f"measures loss by {measure!r}; it must be MaxDivergence or "
            "ZeroConcentratedDivergence"
        )
        fix = "Leave make_approximate out if the loss is a pair already"
        raise refusal(  # proof: measure
            "MeasureMismatch", "measurement", measurement, rule, fix
        )

    def privacy_map(d_in: ExactDistance) -> Any:
        return measurement.privacy_map(d_in), 0  # proof: map

    return Measurement(
        measurement.input_domain,
        measurement.function,  # proof: function
        measurement.input_metric,
        approximate(measure),  # proof: output-measure
        privacy_map,
        covers_rationals=measurement.covers_rationals,  # proof: rationals
        interactive=measurement.interactive,  # proof: interactive
    )


@constructor(proof="combinators/make_pureDP_to_zCDP", status="vetted")
def make_pureDP_to_zCDP(measurement: Measurement) -> Measurement:
    """Return the measurement with its epsilon converted to a rho.

    Guarantee: whoever is epsilon-differentially private is rho-zero-concentrated
    differentially private, where rho is epsilon^2 / 2, exactly (Bun and Steinke 2016,
    Proposition 1.4).

    :param measurement: under max_divergence

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> noisy = dp.c.make_pureDP_to_zCDP(dp.m.make_laplace(*space, scale=2))
    >>> noisy.output_measure, noisy.map(1)
    (ZeroConcentratedDivergence(), 0.125)

    Proof: proofs/combinators/make_pureDP_to_zCDP.tex
    """
    check_type(_MAKE, "measurement", measurement, Measurement, _FIX)  # proof: kind
    if not isinstance(measurement.output_measure, MaxDivergence):
        rule = f"measures loss by {measurement.output_measure!r}, not MaxDivergence"
        fix = "Convert a pure measurement first, and use make_approximate afterwards"
        raise refusal(  # proof: measure
            "MeasureMismatch", "measurement", measurement, rule, fix
        )

    def privacy_map(d_in: ExactDistance) -> Any:
        epsilon = measurement.privacy_map(d_in)  # proof: epsilon
        if epsilon == math.inf:  # proof: infinite
            return math.inf
        return mpq(epsilon) ** 2 / 2  # proof: rho

    return Measurement(
        measurement.input_domain,
        measurement.function,  # proof: function
        measurement.input_metric,
        zero_concentrated_divergence(),  # proof: output-measure
        privacy_map,
        covers_rationals=measurement.covers_rationals,  # proof: rationals
        interactive=measurement.interactive,  # proof: interactive
    )
