"""Missing rows: they become a constant or random, are told apart, or are left out."""

from __future__ import annotations

import math
from typing import Any

from opendp_lite.base.aliases import Array, Bounds, Data, ExactDistance
from opendp_lite.base.arguments import check_type
from opendp_lite.base.containers import is_array, native, rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain, VectorDomain
from opendp_lite.core.metrics import (
    InsertDeleteDistance,
    Metric,
    SymmetricDistance,
)
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.randomness.draws import sample_uniform_double
from opendp_lite.transformations.datasets import (
    atom_of,
    changed_rows,
    check_dataset,
    check_missing,
)

_UNBOUNDED = (SymmetricDistance, InsertDeleteDistance)


@constructor(proof="transformations/make_impute_constant", status="vetted")
def make_impute_constant(
    input_domain: Domain, input_metric: Metric, constant: object
) -> Transformation:
    """Return the transformation that puts `constant` where a row is None or NaN.

    Guarantee: with f(x)_i = c if x_i is None or NaN, else x_i, where c is
    `constant`, d(x, x') <= d_in implies d(f(x), f(x')) <= d_in, and no f(x)_i is
    missing.

    :param input_domain: vector_domain of an option_domain or of floats
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param constant: a value of the rows' type, not NaN, within their bounds

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=float)), dp.symmetric_distance()
    >>> impute = space >> dp.t.then_impute_constant(0.5)
    >>> impute([1.0, float("nan")]), impute.map(1)
    ([1.0, 0.5], 1)

    Raises `MakeTransformation` for another space or constant.

    Proof: proofs/transformations/make_impute_constant.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    atom = check_missing(domain).without_nan()  # proof: missing
    if not atom.member(constant):  # proof: constant
        fix = "Pass a value that stands for missing rows, such as 0"
        rule = f"must be {atom.rule()}"
        raise refusal("MakeTransformation", "constant", constant, rule, fix)
    c = atom.T(native(constant))  # proof: value

    def function(arg: Data) -> Any:
        if is_array(arg):
            return _impute_array(arg, c)  # proof: array
        return [c if x is None or x != x else x for x in arg]  # proof: list

    def stability_map(d_in: ExactDistance) -> Any:  # proof: map
        return d_in

    output_domain = VectorDomain(atom, domain.size)  # proof: output
    return Transformation(
        input_domain,
        output_domain,
        function,
        input_metric,
        input_metric,
        stability_map,
        by_rows=True,  # proof: by-rows
    )


then_impute_constant = then(make_impute_constant)


def _impute_array(array: Array, constant: float) -> Any:
    """Return a new array of float64 with `constant` for every NaN."""
    import numpy

    with numpy.errstate(all="ignore"):  # a signaling NaN would be reported
        imputed = array.astype(numpy.float64)  # proof: copy
        imputed[numpy.isnan(imputed)] = constant  # proof: replace
    return imputed


@constructor(proof="transformations/make_impute_uniform_float", status="vetted")
def make_impute_uniform_float(
    input_domain: Domain, input_metric: Metric, bounds: Bounds
) -> Transformation:
    """Return the transformation that draws a number where a row is None or NaN.

    Guarantee: with f(x)_i = RN(U_i) if x_i is None or NaN, else x_i, where the U_i are
    independent and uniform on [L, U], the reals between the two `bounds`, and RN rounds
    to the nearest double: for x, x' with d(x, x') <= d_in there is a coupling under
    which always d(f(x), f(x')) <= d_in. No f(x)_i is missing.

    Lists come out as lists, arrays as float64.

    :param input_domain: vector_domain of floats, or of an option_domain of floats
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param bounds: L < U, finite, and within the bounds of the rows, if they have any

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=float)), dp.symmetric_distance()
    >>> impute = space >> dp.t.then_impute_uniform_float((0.0, 1.0))
    >>> row, drawn = impute([2.5, float("nan")])
    >>> row, 0 <= drawn <= 1, impute.map(1)
    (2.5, True, 1)

    Raises `MakeTransformation` for another space or bounds that are infinite, equal or
    not those of such rows, `MakeDomain` for what is no pair of floats in order.

    Proof: proofs/transformations/make_impute_uniform_float.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    atom = atom_of(domain)  # proof: atoms
    if atom.T is not float:  # proof: floats
        rule = "its rows must be floats, NaN or None where they are missing"
        fix = "Use then_cast_inherent(TOA=float) first, or then_impute_constant(...)"
        raise refusal("MakeTransformation", "input_domain", domain, rule, fix)
    drawn = AtomDomain(bounds, False, float)  # proof: bounds
    lower, upper = drawn.bounds or (0.0, 0.0)
    if not -math.inf < lower < upper < math.inf:  # proof: finite
        rule, fix = (
            "must be two different finite numbers",
            "Pass for example (0.0, 1.0)",
        )
        raise refusal("MakeTransformation", "bounds", bounds, rule, fix)
    filled = AtomDomain(atom.bounds, False, float)  # proof: filled
    if not filled.contains(drawn):  # proof: within
        rule, fix = "must lie within those of the rows", f"Those are {atom.bounds}"
        raise refusal("MakeTransformation", "bounds", bounds, rule, fix)

    def function(arg: Data) -> Any:
        if is_array(arg):
            return _draw_array(arg, lower, upper)  # proof: array
        return [draw() if x is None or x != x else x for x in arg]  # proof: list

    def draw() -> float:
        return sample_uniform_double(lower, upper)  # proof: draw

    def stability_map(d_in: ExactDistance) -> Any:  # proof: map
        return d_in

    return Transformation(
        input_domain,
        VectorDomain(filled, domain.size),  # proof: output
        function,
        input_metric,
        input_metric,
        stability_map,
        random=True,  # proof: random
    )


then_impute_uniform_float = then(make_impute_uniform_float)


def _draw_array(array: Array, lower: float, upper: float) -> Any:
    """Return a new array of float64 with a number drawn for every NaN."""
    import numpy

    from opendp_lite.randomness.bulk_real import sample_uniform_doubles

    with numpy.errstate(all="ignore"):  # a signaling NaN would be reported
        imputed = array.astype(numpy.float64)  # proof: copy
        (missing,) = numpy.isnan(imputed).nonzero()  # proof: missing
    imputed[missing] = sample_uniform_doubles(lower, upper, missing.size)  # proof: draw
    return imputed


@constructor(proof="transformations/make_is_null", status="vetted")
def make_is_null(input_domain: Domain, input_metric: Metric) -> Transformation:
    """Return the transformation that says of every row whether it is missing.

    Guarantee: with f(x)_i = True if x_i is None or NaN, else False, d(x, x') <= d_in
    implies d(f(x), f(x')) <= d_in.

    Lists come out as lists, and arrays as arrays of bool.

    :param input_domain: vector_domain of an option_domain or of floats
    :param input_metric: a metric that counts rows, such as symmetric_distance()

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=float)), dp.symmetric_distance()
    >>> is_null = space >> dp.t.then_is_null()
    >>> is_null([1.0, float("nan")]), is_null.map(1)
    ([False, True], 1)

    Raises `MakeTransformation` for another space.

    Proof: proofs/transformations/make_is_null.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    check_missing(domain)  # proof: missing

    def function(arg: Data) -> Any:
        if is_array(arg):
            return _nan_array(arg)  # proof: array
        return [x is None or x != x for x in rows(arg)]  # proof: list

    def stability_map(d_in: ExactDistance) -> Any:  # proof: map
        return d_in

    output_domain = VectorDomain(AtomDomain(T=bool), domain.size)  # proof: output
    return Transformation(
        input_domain,
        output_domain,
        function,
        input_metric,
        input_metric,
        stability_map,
        by_rows=True,  # proof: by-rows
    )


then_is_null = then(make_is_null)


def _nan_array(array: Array) -> Any:
    """Return a new array of bool: where an entry of an array of floats is NaN."""
    import numpy

    with numpy.errstate(all="ignore"):  # a signaling NaN would be reported
        return numpy.isnan(array)  # proof: nan


@constructor(proof="transformations/make_drop_null", status="vetted")
def make_drop_null(input_domain: Domain, input_metric: Metric) -> Transformation:
    """Return the transformation that leaves out the rows that are None or NaN.

    Guarantee: with f(x) the rows of x that are neither None nor NaN, in their order,
    d(x, x') <= d_in implies d(f(x), f(x')) <= d_in; and <= 2 min(floor(d_in / 2), n)
    where the size n is public.

    The size is not public afterwards: how many rows are missing depends on the data.
    So the change-one and the Hamming distance, which are infinite between data sets of
    different sizes, are refused. Lists come out as lists, arrays as float64.

    :param input_domain: vector_domain of an option_domain or of floats
    :param input_metric: symmetric_distance() or insert_delete_distance()

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=float)), dp.symmetric_distance()
    >>> drop_null = space >> dp.t.then_drop_null()
    >>> drop_null([1.0, float("nan"), 2.0]), drop_null.map(1)
    ([1.0, 2.0], 1)

    Raises `MakeTransformation` for another space.

    Proof: proofs/transformations/make_drop_null.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    fix = "Use then_metric_unbounded() first, or then_impute_constant(...) instead"
    check_type(  # proof: metric
        "MakeTransformation", "input_metric", input_metric, _UNBOUNDED, fix
    )
    atom, n = check_missing(domain), domain.size  # proof: missing

    def function(arg: Data) -> Any:
        if is_array(arg):
            return _drop_array(arg)  # proof: array
        return [x for x in arg if x is not None and x == x]  # proof: list

    def stability_map(d_in: ExactDistance) -> Any:
        if n is None:
            return d_in  # proof: unsized
        return 2 * changed_rows(input_metric, n, d_in)  # proof: sized

    return Transformation(
        input_domain,
        VectorDomain(atom.without_nan()),  # proof: output
        function,
        input_metric,
        input_metric,
        stability_map,
    )


then_drop_null = then(make_drop_null)


def _drop_array(array: Array) -> Any:
    """Return a new array of float64 with the entries that are not NaN."""
    import numpy

    with numpy.errstate(all="ignore"):  # a signaling NaN would be reported
        floats = array.astype(numpy.float64, copy=False)  # proof: floats
        return floats[~numpy.isnan(floats)]  # proof: drop
