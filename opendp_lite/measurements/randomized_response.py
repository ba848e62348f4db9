"""Randomized response: tell the truth with a known probability."""

from __future__ import annotations

import math
from typing import Any

from opendp_lite.core.arguments import check_type, rational_argument
from opendp_lite.core.domain import atom_domain
from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.metric import discrete_distance
from opendp_lite.core.registry import constructor
from opendp_lite.exact.enclosures import ln, upper_bound
from opendp_lite.exact.rationals import Extended
from opendp_lite.sampling.bernoulli import (
    sample_bernoulli_float,
    sample_bernoulli_rational,
)

__all__ = ["make_randomized_response_bool"]

_FIX = "Pass the probability of the truth, between 1/2 (no information) and 1"


@constructor(proof="measurements/make_randomized_response_bool", status="vetted")
def make_randomized_response_bool(
    prob: Any, constant_time: bool = False
) -> Measurement:
    """Return a measurement that releases a boolean with probability `prob`, else its
    opposite.

    Guarantee: for x, x' at discrete distance at most d_in,
    P(M(x) = y) <= e^epsilon P(M(x') = y) for both y, where epsilon is 0 at d_in = 0
    and ln(p / (1 - p)) otherwise, rounded up, and p is `prob`.

    :param prob: p, from 1/2 to 1, exact: float, Fraction, Decimal or text
    :param constant_time: always read the same number of random bits; `prob` must then
        be a float. Nothing is claimed about time otherwise.

    >>> import opendp_lite.prelude as dp
    >>> response = dp.m.make_randomized_response_bool(prob=0.75)
    >>> response.map(1)
    1.0986122886681098
    >>> response(True) in (True, False)
    True

    Proof: proofs/measurements/make_randomized_response_bool.tex
    """
    p = rational_argument(  # proof: p
        "MakeMeasurement", "prob", prob, fix=_FIX, at_most=1
    )
    if 2 * p < 1:  # proof: at-least-half
        raise refusal("MakeMeasurement", "prob", prob, "must be at least 1/2", _FIX)
    fix = "Say True or False"
    check_type(  # proof: flag
        "MakeMeasurement", "constant_time", constant_time, bool, fix
    )
    if constant_time and not isinstance(prob, float):  # proof: float
        rule = "must be a float when constant_time is True"
        raise refusal(
            "MakeMeasurement", "prob", prob, rule, "Pass a float such as 0.75"
        )

    def function(arg: Any) -> bool:
        if constant_time:
            truthful = sample_bernoulli_float(float(p), constant_time=True)  # proof: ct
        else:
            truthful = sample_bernoulli_rational(p)  # proof: truthful
        return bool(arg) == truthful  # proof: answer

    epsilon: Extended
    if p == 1:
        epsilon = math.inf  # proof: certain
    else:
        odds = p / (1 - p)  # proof: odds
        epsilon = upper_bound(lambda bits: ln(odds, bits), 128)  # proof: epsilon

    def privacy_map(d_in: Any) -> Any:
        return 0 if d_in == 0 else epsilon  # proof: map

    return Measurement(
        atom_domain(T=bool),
        function,
        discrete_distance(),
        max_divergence(),
        privacy_map,
    )
