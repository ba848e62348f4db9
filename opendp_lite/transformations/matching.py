"""Matching: rows are compared with a value, with categories, or with edges of bins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from opendp_lite.core.aliases import Array, Data, ExactDistance
from opendp_lite.core.domains import AtomDomain, Domain, OptionDomain, VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.core.values.containers import is_array, native, rows
from opendp_lite.transformations.datasets import atom_of, check_dataset

__all__ = [
    "make_find",
    "make_is_equal",
    "then_find",
    "then_is_equal",
]

_MAKE = "MakeTransformation"


@constructor(proof="transformations/make_is_equal", status="draft")
def make_is_equal(
    input_domain: Domain, input_metric: Metric, value: object
) -> Transformation:
    """Return the transformation that says of every row whether it is `value`.

    Guarantee: with f(x)_i = True if x_i = v, else False, where v is `value`,
    d(x, x') <= d_in implies d(f(x), f(x')) <= d_in.

    Rows are compared by their exact values: 0.0 is -0.0, NaN equals nothing, NaN
    included, and a missing row (None) is not `value`. Lists come out as lists, and
    arrays as arrays of bool.

    :param input_domain: vector_domain of bool, int, float, str or Fraction, or of an
        option_domain of these
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param value: a value of the type of the rows

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("contrib")
    >>> space = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    >>> is_yes = space >> dp.t.then_is_equal("yes")
    >>> is_yes(["yes", "no", "Yes"]), is_yes.map(1)
    ([True, False, False], 1)

    Raises `MakeTransformation` for another space or value.

    Proof: proofs/transformations/make_is_equal.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    atom = atom_of(domain)  # proof: atoms
    every = AtomDomain(T=atom.T)  # proof: every
    if not every.member(value):  # proof: value
        rule, fix = f"must be {every.rule()}", "Pass a value of the type of the rows"
        raise refusal(_MAKE, "value", value, rule, fix)
    v = native(value)  # proof: native

    def function(arg: Data) -> Any:
        if is_array(arg):
            return _equal_array(arg, v)  # proof: array
        return [x == v for x in rows(arg)]  # proof: list

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


then_is_equal = then(make_is_equal)


def _equal_array(array: Array, value: Any) -> Any:
    """Return a new array of bool: where an entry is `value`, by exact value."""
    import numpy

    kind = array.dtype.kind
    if kind == "f":
        with numpy.errstate(all="ignore"):  # a signaling NaN would be reported
            # A narrower array would round the value.
            return array.astype(numpy.float64, copy=False) == float(value)
    if kind in "iu":
        info = numpy.iinfo(array.dtype)
        if not int(info.min) <= value <= int(info.max):  # proof: range
            return numpy.zeros(len(array), dtype=bool)
        return array == array.dtype.type(value)  # proof: integers
    if kind == "U" and value.endswith("\0"):  # proof: nul
        return numpy.zeros(len(array), dtype=bool)
    return array == value  # proof: others


@constructor(proof="transformations/make_find", status="draft")
def make_find(
    input_domain: Domain, input_metric: Metric, categories: Sequence[object]
) -> Transformation:
    """Return the transformation of every row into its place among `categories`.

    Guarantee: with f(x)_i = j if x_i = c_j, and None if x_i is none of them, where
    (c_0, c_1, ...) are the `categories`, d(x, x') <= d_in implies
    d(f(x), f(x')) <= d_in.

    Rows are compared by their exact values: 0.0 is -0.0; NaN and a missing row (None)
    are in no category. A list comes out, also for an array, as no array holds None.

    :param input_domain: vector_domain of bool, int, float, str or Fraction, or of an
        option_domain of these
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param categories: different values of the type of the rows, none of them NaN, in a
        list, a tuple or an array

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("contrib")
    >>> space = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    >>> find = space >> dp.t.then_find(["a", "b"])
    >>> find(["b", "a", "c"]), find.map(1)
    ([1, 0, None], 1)

    Raises `MakeTransformation` for another space or other categories.

    Proof: proofs/transformations/make_find.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    atom = atom_of(domain)  # proof: atoms
    places = _places(categories, atom.T)  # proof: places

    def function(arg: Data) -> Any:
        return [places.get(x) for x in rows(arg)]  # proof: function

    def stability_map(d_in: ExactDistance) -> Any:  # proof: map
        return d_in

    place = OptionDomain(AtomDomain(T="usize"))  # proof: output
    return Transformation(
        input_domain,
        VectorDomain(place, domain.size),
        function,
        input_metric,
        input_metric,
        stability_map,
    )


then_find = then(make_find)


def _places(categories: Sequence[object], T: type) -> dict[Any, int]:
    """Return the place of each category, or refuse the categories."""
    fix = "Pass a list of different values, of the type of the rows"
    if not issubclass(type(categories), list | tuple):  # proof: listed
        rule = "must be a list, a tuple or an array"
        raise refusal(_MAKE, "categories", categories, rule, fix)
    values = list(categories)
    every = AtomDomain(T=T, nan=False)  # proof: every
    if not all(map(every.member, values)):  # proof: members
        rule = f"each must be {every.rule()}"
        raise refusal(_MAKE, "categories", categories, rule, fix)
    places = {native(each): i for i, each in enumerate(values)}  # proof: values
    if len(places) < len(values):  # proof: different
        rule = "no two may be equal"
        raise refusal(_MAKE, "categories", categories, rule, fix)
    return places
