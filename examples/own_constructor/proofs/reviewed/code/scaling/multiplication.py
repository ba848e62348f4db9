# ruff: noqa
# fmt: off
# What was read of scaling.multiplication; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from typing import Any
import math
import opendp_lite.prelude as dp


# === make_multiply with Any, dp
def make_multiply(
    input_domain: dp.Domain, input_metric: dp.Metric, factor: Any
) -> dp.Transformation:
    if input_domain != dp.atom_domain(T=int):
        raise refusal("input_domain", "must be atom_domain(T=int)")
    if input_metric != dp.absolute_distance(T=int):
        raise refusal("input_metric", "must be absolute_distance(T=int)")
    if type(factor) is not int:
        raise refusal("factor", "must be an int")

    def function(arg: Any) -> int:
        return factor * int(arg)

    def stability_map(d_in: Any) -> Any:
        return scaled_distance(d_in, factor)

    return dp.Transformation(
        input_domain, input_domain, function, input_metric, input_metric, stability_map
    )


# === scaled_distance with Any, math
def scaled_distance(d_in: Any, factor: int) -> Any:
    if d_in == 0 or factor == 0:
        return 0
    if d_in == math.inf:
        return math.inf
    return abs(factor) * d_in
