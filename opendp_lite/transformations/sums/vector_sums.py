"""Sums of vectors of bounded norm, exact."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from math import ldexp
from typing import Any

from opendp_lite.base.aliases import Data, ExactDistance
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.containers import is_array, parts
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, BallDomain, VectorDomain
from opendp_lite.core.metrics import L1Distance, L2Distance, Metric
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.grids import exponent_at_least, floor_multiple, power_of_two
from opendp_lite.exact.rationals import to_fraction, to_mpq
from opendp_lite.transformations.datasets import changed_rows, changes_rows
from opendp_lite.transformations.sums.summands import no_grid
from opendp_lite.transformations.sums.totals import integer_total, rational_total

_MAKE = "MakeTransformation"


def vector_sum(domain: VectorDomain, metric: Metric, k: object) -> Transformation:
    """Return the transformation of vectors of bounded norm into their exact sum.

    `domain` and `metric` passed `check_dataset`; `k` is as in `make_sum`.
    """
    ball = domain.element_domain
    if not isinstance(ball, BallDomain):  # proof: ball
        rule = "rows that are vectors must have a bounded norm"
        fix = "Use then_clip_rows(norm=...) first, or rows of ball_domain(...)"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    T, n, columns = ball.element_domain.T, domain.size, ball.size or 0
    norm = to_mpq(ball.norm)
    exponent = _grid(norm, k) if T is float else no_grid(k)  # proof: grid
    unit = to_fraction(power_of_two(exponent))
    most = floor_multiple(norm, 0)  # proof: most

    def total(column: Data) -> Any:
        if T is int:
            return integer_total(column, -most, most)  # proof: integers
        if T is Fraction:
            return rational_total(column)  # proof: rationals
        return truncated_total(column, exponent) * unit  # proof: floats

    def function(arg: Data) -> Any:
        if is_array(arg):
            return [total(arg[:, j]) for j in range(columns)]  # proof: matrix
        return [total([row[j] for row in arg]) for j in range(columns)]  # proof: list

    def merge(sums: Iterable[list[Any]]) -> Any:
        return list(map(sum, zip(*sums, strict=True)))  # proof: merged

    def stability_map(d_in: ExactDistance) -> Any:
        if n is not None:
            return changed_rows(metric, n, d_in) * 2 * norm  # proof: sized
        if d_in == math.inf:
            return math.inf if norm else 0  # proof: infinite
        return d_in * (2 * norm if changes_rows(metric) else norm)  # proof: unsized

    output_type = int if T is int else Fraction
    distance = L1Distance if ball.p == 1 else L2Distance  # proof: metric
    return Transformation(
        domain,
        VectorDomain(AtomDomain(T=output_type), columns),  # proof: output
        function,
        metric,
        distance(output_type),
        stability_map,
        merge=merge,  # proof: merge
    )


def _grid(norm: Any, k: object) -> int:
    """Return the exponent of the grid: `k` itself, checked, or the default."""
    e = min(exponent_at_least(norm), 1024) if norm else 0  # proof: exponent
    if k is None:
        return max(e - 40, -1074)  # proof: default
    fix = "Pass a k with 2^k of 2^-45 of the norm at least, or leave k out"
    lowest = max(e - 45, -1074)  # proof: lowest
    return integer_argument(  # proof: given
        _MAKE, "k", k, fix=fix, at_least=lowest, at_most=1023
    )


def truncated_total(data: Data, k: int) -> int:
    """Return the sum of trunc(x / 2^k) over floats x of at most 2^45 steps each."""
    if not is_array(data):
        return sum(int(ldexp(float(x), -k)) for x in data)  # proof: list
    import numpy

    total = 0
    with numpy.errstate(all="ignore"):
        for part in parts(data):
            steps = numpy.ldexp(part.astype("float64"), -k)  # proof: scale
            total += int(steps.astype("int64").sum())  # proof: sum
    return total
