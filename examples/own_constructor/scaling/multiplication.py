"""Multiplication of an integer by a public factor."""

from __future__ import annotations

import math
from typing import Any

import opendp_lite.prelude as dp
from opendp_lite.mod import constructor, then

__all__ = ["make_multiply", "scaled_distance", "then_multiply"]

_VARIANT = "MakeTransformation"


@constructor(proof="multiplication/make_multiply", status="draft")
def make_multiply(
    input_domain: dp.Domain, input_metric: dp.Metric, factor: Any
) -> dp.Transformation:
    """Return a transformation that multiplies an integer by a public factor.

    Guarantee: |c x - c x'| <= |c| d_in whenever |x - x'| <= d_in, where c is `factor`.

    :param input_domain: atom_domain(T=int)
    :param input_metric: absolute_distance(T=int)
    :param factor: c, an int

    Proof: proofs/multiplication/make_multiply.tex
    """
    if input_domain != dp.atom_domain(T=int):  # proof: domain
        raise refusal("input_domain", "must be atom_domain(T=int)")
    if input_metric != dp.absolute_distance(T=int):  # proof: metric
        raise refusal("input_metric", "must be absolute_distance(T=int)")
    if type(factor) is not int:  # proof: factor
        raise refusal("factor", "must be an int")

    def function(arg: Any) -> int:
        return factor * int(arg)  # proof: product

    def stability_map(d_in: Any) -> Any:
        return scaled_distance(d_in, factor)

    return dp.Transformation(
        input_domain, input_domain, function, input_metric, input_metric, stability_map
    )


then_multiply = then(make_multiply)


def scaled_distance(d_in: Any, factor: int) -> Any:
    """Return |c| d_in, where c is `factor` and 0 times infinity is 0."""
    if d_in == 0 or factor == 0:  # proof: zero
        return 0
    if d_in == math.inf:  # proof: infinite
        return math.inf
    return abs(factor) * d_in  # proof: finite


def refusal(argument: str, rule: str) -> dp.OpenDPException:
    """Return the error about an argument."""
    return dp.OpenDPException(_VARIANT, f"{argument} {rule}.")
