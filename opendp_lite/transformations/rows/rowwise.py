"""Row by row: a function of the user's own, of one row at a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from opendp_lite.base.aliases import Data, ExactDistance
from opendp_lite.base.containers import native, rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain, OptionDomain, VectorDomain
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.transformations.datasets import atom_of, check_dataset

_MAKE = "MakeTransformation"


@constructor(
    proof="transformations/make_row_by_row",
    status="vetted",
    human_verified=("row_function looks at the row alone and always answers alike",),
)
def make_row_by_row(
    input_domain: Domain,
    input_metric: Metric,
    output_row_domain: Domain,
    row_function: Callable[[Any], Any],
    default: object,
) -> Transformation:
    """Return the transformation that applies a function of the user's to every row.

    Guarantee: if `row_function` looks at the row alone and always answers alike, then
    with f(x)_i = g(x_i), where g(r) is `row_function`(r) if that is a member of
    `output_row_domain`, and else `default`, d(x, x') <= d_in implies
    d(f(x), f(x')) <= d_in.

    Where `row_function` raises an exception, the row becomes `default` too, so that no
    row makes the whole fail. It is given Python values: a float where the rows are
    floats, also for an int, the same NaN for every NaN, and None for a missing row. A
    list comes out, also for an array. The library cannot check what the function looks
    at, so the feature `honest-but-curious` is needed.

    :param input_domain: vector_domain of bool, int, float, str or Fraction, or of an
        option_domain of these
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param output_row_domain: domain of the new rows: an atom_domain, or an
        option_domain of one
    :param row_function: the user's own, from one row to one new row
    :param default: member of `output_row_domain`, for all that fails or lies outside

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("honest-but-curious")
    >>> space = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    >>> years = space >> dp.t.then_row_by_row(
    ...     dp.atom_domain((1900, 2100)), lambda date: int(date[:4]), default=1900)
    >>> years(["1984-06-08", "3001-01-01", "unknown"]), years.map(1)
    ([1984, 1900, 1900], 1)
    >>> dp.disable_features("honest-but-curious")

    Raises `MakeTransformation` for another space, function or default.

    Proof: proofs/transformations/make_row_by_row.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    read = atom_of(domain).T  # proof: atoms
    row = output_row_domain
    inner = row.element_domain if isinstance(row, OptionDomain) else row
    if not isinstance(inner, AtomDomain):  # proof: row
        rule = "must be an atom_domain, or an option_domain of one"
        fix = "Pass for example atom_domain(bounds=(0, 100))"
        raise refusal(_MAKE, "output_row_domain", row, rule, fix)
    if not callable(row_function):  # proof: callable
        rule, fix = "must be a function of one row", "Pass for example lambda row: row"
        raise refusal(_MAKE, "row_function", row_function, rule, fix)
    if not row.member(default):  # proof: default
        rule, fix = f"must be {row.rule()}", "Pass a member of output_row_domain"
        raise refusal(_MAKE, "default", default, rule, fix)
    otherwise = native(default)  # proof: otherwise

    def new_row(x: Data) -> Any:
        # All NaNs are one row, and a function such as copysign tells them apart.
        one = math.nan if x != x else x  # proof: nan
        try:
            y = row_function(one if one is None else read(one))  # proof: call
        except Exception:
            return otherwise  # proof: raised
        return native(y) if row.member(y) else otherwise  # proof: member

    def function(arg: Data) -> Any:
        return list(map(new_row, rows(arg)))  # proof: function

    def stability_map(d_in: ExactDistance) -> Any:  # proof: map
        return d_in

    return Transformation(
        input_domain,
        VectorDomain(row, domain.size),  # proof: output
        function,
        input_metric,
        input_metric,
        stability_map,
    )


then_row_by_row = then(make_row_by_row)
