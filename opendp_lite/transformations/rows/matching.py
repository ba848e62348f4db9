"""Matching: rows are compared with a value, found among categories, or name one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from opendp_lite.base.aliases import Array, Data, ExactDistance
from opendp_lite.base.containers import is_array, native, rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain, OptionDomain, VectorDomain
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.type_arguments import AtomType, TypeArgument, parse_atom
from opendp_lite.transformations.datasets import (
    atom_of,
    check_categories,
    check_dataset,
)

_MAKE = "MakeTransformation"
_INT64 = (-(2**63), 2**63 - 1)


@constructor(proof="transformations/make_is_equal", status="vetted")
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


@constructor(proof="transformations/make_find", status="vetted")
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
    >>> space = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    >>> find = space >> dp.t.then_find(["a", "b"])
    >>> find(["b", "a", "c"]), find.map(1)
    ([1, 0, None], 1)

    Raises `MakeTransformation` for another space or other categories.

    Proof: proofs/transformations/make_find.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    atom = atom_of(domain)  # proof: atoms
    values = check_categories(categories, atom.T)  # proof: categories
    places = {each: i for i, each in enumerate(values)}  # proof: places

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


@constructor(proof="transformations/make_index", status="vetted")
def make_index(
    input_domain: Domain,
    input_metric: Metric,
    categories: Sequence[object],
    null: object,
    TOA: TypeArgument | None = None,
) -> Transformation:
    """Return the transformation of every row, a place, into what is at that place.

    Guarantee: with f(x)_i = c_j if x_i = j for a j from 0 to k - 1, and f(x)_i = `null`
    for every other integer x_i, where (c_0, ..., c_k-1) are the `categories`,
    d(x, x') <= d_in implies d(f(x), f(x')) <= d_in.

    Lists come out as lists, and arrays as arrays of bool, int64, float64 or text; as
    lists, where no such array holds all of `categories` and `null` (Fractions, integers
    beyond int64, text that ends in a character NUL).

    :param input_domain: vector_domain of int
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param categories: values of one type, in a list, a tuple or an array; they may
        repeat
    :param null: value of the same type, for rows that are no places
    :param TOA: type of these values, if `categories` and `null` do not tell it: they do
        if all are of one type, or some are int and the others float or Fraction

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    >>> index = space >> dp.t.then_index(["A", "B"], "other")
    >>> index([1, 0, 2, -1]), index.map(1)
    (['B', 'A', 'other', 'other'], 1)

    Raises `MakeTransformation` for another space or other values, `TypeParse` for
    another `TOA`.

    Proof: proofs/transformations/make_index.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    element = domain.element_domain
    if not isinstance(element, AtomDomain) or element.T is not int:  # proof: integers
        rule, fix = "rows must be of type int", "Use then_impute_constant(...) first"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    values, rest, output = _table(categories, null, TOA)  # proof: table
    top, fits = len(values), _fits_array([*values, rest])  # proof: fits

    def function(arg: Data) -> Any:
        if fits and is_array(arg):
            return _index_array(arg, [*values, rest])  # proof: array
        found = (values[x] if 0 <= x < top else rest for x in rows(arg))
        return list(found)  # proof: list

    def stability_map(d_in: ExactDistance) -> Any:  # proof: map
        return d_in

    return Transformation(
        input_domain,
        VectorDomain(output, domain.size),  # proof: output
        function,
        input_metric,
        input_metric,
        stability_map,
        by_rows=fits,  # proof: by-rows
    )


then_index = then(make_index)


def _table(
    categories: Sequence[object], null: object, TOA: TypeArgument | None
) -> tuple[list[Any], Any, AtomDomain]:
    """Return categories and null as values of one type, and the domain of these."""
    fix = "Pass categories and null of one type, or say TOA"
    if not isinstance(categories, list | tuple):  # proof: listed
        rule = "must be a list, a tuple or an array"
        raise refusal(_MAKE, "categories", categories, rule, fix)
    given = list(categories)
    if TOA is None:
        target = _kind([*given, null])  # proof: told
    else:
        target = parse_atom(TOA, "TOA")  # proof: type
    every = AtomDomain(T=target)  # proof: every
    for name, part, shown in ("categories", given, categories), ("null", [null], null):
        if not all(map(every.member, part)):  # proof: members
            rule = f"every value must be {every.rule()}"
            raise refusal(_MAKE, name, shown, rule, fix)
    *values, rest = (every.T(native(each)) for each in [*given, null])  # proof: values
    some_nan = any(each != each for each in [*values, rest])  # proof: nan
    return values, rest, AtomDomain(None, some_nan, target)  # proof: domain


def _kind(values: list[Any]) -> AtomType:
    """Return the type of values that are not empty: that of all, or of most."""
    kinds = {type(native(each)) for each in values}
    for T in (bool, int, float, str, Fraction):
        if kinds <= {T} or (kinds <= {T, int} and T in (float, Fraction)):
            return AtomType(T)
    rule = "is needed where the categories and null do not tell it"
    fix = "Pass TOA=str, int, float, bool or Fraction"
    raise refusal(_MAKE, "TOA", None, rule, fix)


def _fits_array(values: list[Any]) -> bool:
    """Whether an array holds the values, and nothing else, of one type."""
    kind = type(values[0])
    if kind is int:
        least, greatest = _INT64
        return all(least <= each <= greatest for each in values)  # proof: int64
    if kind is str:
        return not any(each.endswith("\0") for each in values)  # proof: nul
    return kind is not Fraction


def _index_array(array: Array, table: list[Any]) -> Any:
    """Return an array of what stands in the table, at the last place if nowhere."""
    import numpy

    kind = {bool: "?", int: "i8", float: "f8", str: "U"}[type(table[0])]  # proof: kind
    last = len(table) - 1
    cap = min(last, int(numpy.iinfo(array.dtype).max))  # proof: cap
    places = numpy.minimum(array, cap).astype(numpy.int64)  # proof: places
    places[places < 0] = last  # proof: negative
    return numpy.array(table, dtype=kind)[places]  # proof: take
