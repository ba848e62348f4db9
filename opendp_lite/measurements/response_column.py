"""Randomized response on every row of a column."""

from __future__ import annotations

import math
from typing import Any

from opendp_lite.core.containers import rows
from opendp_lite.core.domain import Domain, VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.metric import HammingDistance, Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.measurements.randomized_response import make_randomized_response

__all__ = ["make_randomized_response_column", "then_randomized_response_column"]

_FIX = "Pass vector_domain(atom_domain(T=str)), hamming_distance() and a list of str"


@constructor(proof="measurements/make_randomized_response_column", status="vetted")
def make_randomized_response_column(
    input_domain: Domain, input_metric: Metric, categories: Any, prob: Any
) -> Measurement:
    """Return a measurement that answers for every row of a column, independently, as
    `make_randomized_response` does.

    Guarantee: for x, x' that differ in at most d_in rows,
    P(M(x) in S) <= e^epsilon P(M(x') in S) for every S, where epsilon is
    d ln(p (k - 1) / (1 - p)), rounded up, d is d_in, or the `size` of the domain if
    that is smaller, p is `prob` and k the number of `categories`.

    The release is a list with one category for each row. Its length is that of the
    column, so columns of different lengths (infinitely far apart) lose everything.

    :param input_domain: vector_domain of an atom_domain of bool, int or str
    :param input_metric: hamming_distance
    :param categories: k >= 2 different values of the type of the rows
    :param prob: p, from 1/k to 1, exact: float, Fraction, Decimal or text

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=str)), dp.hamming_distance()
    >>> response = space >> dp.m.then_randomized_response_column(["a", "b", "c"], 0.5)
    >>> response.map(1), response.map(2)
    (0.6931471805599454, 1.3862943611198908)
    >>> len(response(["a", "a", "z"]))
    3

    Proof: proofs/measurements/make_randomized_response_column.tex
    """
    response = make_randomized_response(categories, prob)  # proof: response
    if not isinstance(input_domain, VectorDomain) or not (
        response.input_domain.contains(input_domain.element_domain)  # proof: rows
    ):
        rule = "must be a vector_domain whose rows are of the type of the categories"
        raise refusal("MakeMeasurement", "input_domain", input_domain, rule, _FIX)
    if not isinstance(input_metric, HammingDistance):  # proof: metric
        rule = "must be hamming_distance(): the release has the order of the rows"
        raise refusal("MakeMeasurement", "input_metric", input_metric, rule, _FIX)
    size = math.inf if input_domain.size is None else input_domain.size  # proof: size
    epsilon = response.privacy_map(1)  # proof: epsilon

    def function(arg: Any) -> list[Any]:
        return [response.function(row) for row in rows(arg)]  # proof: answers

    def privacy_map(d_in: Any) -> Any:
        differing = min(d_in, size)  # proof: differing
        if differing == 0:
            return 0  # proof: zero
        if math.inf in (differing, epsilon):
            return math.inf  # proof: infinite
        return differing * epsilon  # proof: loss

    return Measurement(
        input_domain, function, input_metric, max_divergence(), privacy_map
    )


then_randomized_response_column = then(make_randomized_response_column)
