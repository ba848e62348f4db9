"""Casting: every row to another type; a default, None or NaN if it has no meaning."""

from __future__ import annotations

import math
from typing import Any

from opendp_lite.base.aliases import Array, Data, ExactDistance
from opendp_lite.base.containers import is_array, native, rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain, OptionDomain, VectorDomain
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.type_arguments import AtomType, TypeArgument, parse_atom
from opendp_lite.transformations.datasets import atom_of, check_dataset
from opendp_lite.transformations.rows.conversions import (
    cast_array,
    partial_cast,
    row_cast,
)


@constructor(proof="transformations/make_cast_default", status="vetted")
def make_cast_default(
    input_domain: Domain, input_metric: Metric, TOA: TypeArgument
) -> Transformation:
    """Return the transformation that casts every row to the type `TOA`.

    Guarantee: with f(x)_i = cast(x_i), where cast is a fixed function from all rows
    into `TOA`, d(x, x') <= d_in implies d(f(x), f(x')) <= d_in.

    What cannot be cast, None included, becomes the default: False, 0, 0.0, "" or
    Fraction(0). To bool: numbers other than 0 and text other than "" are True. To int:
    fractions are cut off; NaN, infinities, what a sized type does not hold, and text
    that is not an optional sign and ASCII digits, up to 4300 characters, become 0. To
    float: the nearest double, for "f32" the binary32 value nearest to that; numbers too
    large become 0.0; text is a decimal number (infinite if too large for a double),
    "inf", "infinity" or "nan" in any case, as in Rust. To Fraction: text is a decimal
    number or "a/b" of up to 4300 characters with up to four digits of exponent. To str:
    "true" or "false", the digits, the shortest decimal that is the float ("NaN",
    "inf"), "a/b".

    Arrays come out as arrays, of int64 (what it does not hold becomes 0), float64, bool
    or str; only Fractions come out as a list.

    :param input_domain: vector_domain of bool, int, float, str or Fraction, or of an
        option_domain of these
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param TOA: bool, int, float, str or Fraction, or a name such as "i32" or "f32"

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    >>> cast = space >> dp.t.then_cast_default(TOA=int)
    >>> cast(["12", "-3", "1.5", "one"]), cast.map(1)
    ([12, -3, 0, 0], 1)

    Raises `MakeTransformation` for another space, `TypeParse` for another `TOA`.

    Proof: proofs/transformations/make_cast_default.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    atom = atom_of(domain)  # proof: atoms
    target = parse_atom(TOA, "TOA")  # proof: type
    read = float if atom.T is float else native  # proof: read
    cast = row_cast(target)
    may_be_nan = target.T is float and (atom.T is str or atom.nan)  # proof: nan

    def function(arg: Data) -> Any:
        if is_array(arg):
            return cast_array(arg, target)  # proof: array
        return [cast(x if x is None else read(x)) for x in arg]  # proof: list

    def stability_map(d_in: ExactDistance) -> Any:  # proof: map
        return d_in

    rows = AtomDomain(None, may_be_nan, target)  # proof: output
    output_domain = VectorDomain(rows, domain.size)
    return Transformation(
        input_domain, output_domain, function, input_metric, input_metric, stability_map
    )


then_cast_default = then(make_cast_default)


@constructor(proof="transformations/make_cast", status="vetted")
def make_cast(
    input_domain: Domain, input_metric: Metric, TOA: TypeArgument
) -> Transformation:
    """Return the transformation that casts every row to `TOA`, or else to None.

    Guarantee: with f(x)_i = cast(x_i), where cast is a fixed function from all rows
    into `TOA` and None, d(x, x') <= d_in implies d(f(x), f(x')) <= d_in.

    Rows become what `make_cast_default` makes of them, but None where this would be a
    default for want of a meaning, and where it would be NaN. A list comes out, also for
    an array, as no array holds None.

    :param input_domain: vector_domain of bool, int, float, str or Fraction, or of an
        option_domain of these
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param TOA: bool, int, float, str or Fraction, or a name such as "i32" or "f32"

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    >>> cast = space >> dp.t.then_cast(TOA=int)
    >>> cast(["12", "0", "1.5", "one"]), cast.map(1)
    ([12, 0, None, None], 1)

    Raises `MakeTransformation` for another space, `TypeParse` for another `TOA`.

    Proof: proofs/transformations/make_cast.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    read = atom_of(domain).T  # proof: atoms
    target = parse_atom(TOA, "TOA")  # proof: type
    cast = partial_cast(target)  # proof: cast

    def function(arg: Data) -> Any:
        present = (x if x is None else read(x) for x in rows(arg))  # proof: read
        return list(map(cast, present))  # proof: function

    def stability_map(d_in: ExactDistance) -> Any:  # proof: map
        return d_in

    row = OptionDomain(AtomDomain(None, False, target))  # proof: output
    return Transformation(
        input_domain,
        VectorDomain(row, domain.size),
        function,
        input_metric,
        input_metric,
        stability_map,
    )


then_cast = then(make_cast)


@constructor(proof="transformations/make_cast_inherent", status="vetted")
def make_cast_inherent(
    input_domain: Domain, input_metric: Metric, TOA: TypeArgument
) -> Transformation:
    """Return the transformation that casts every row to a float, or else to NaN.

    Guarantee: with f(x)_i = cast(x_i), where cast is a fixed function from all rows
    into the floats, d(x, x') <= d_in implies d(f(x), f(x')) <= d_in.

    Rows become what `make_cast` makes of them, with NaN in place of None. Lists come
    out as lists, and arrays as arrays of float64.

    :param input_domain: vector_domain of bool, int, float, str or Fraction, or of an
        option_domain of these
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param TOA: float or "f32"

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    >>> cast = space >> dp.t.then_cast_inherent(TOA=float)
    >>> cast(["12", "1.5", "one"]), cast.map(1)
    ([12.0, 1.5, nan], 1)

    Raises `MakeTransformation` for another space and where `TOA` is no type of floats,
    `TypeParse` where it is none at all.

    Proof: proofs/transformations/make_cast_inherent.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    read = atom_of(domain).T  # proof: atoms
    target = parse_atom(TOA, "TOA")  # proof: type
    if target.T is not float:  # proof: float
        rule, fix = "only floats hold NaN", "Pass TOA=float, or use make_cast"
        raise refusal("MakeTransformation", "TOA", TOA, rule, fix)
    cast = partial_cast(target)  # proof: cast

    def function(arg: Data) -> Any:
        if is_array(arg):
            return _inherent_array(arg, target)  # proof: array
        present = (x if x is None else read(x) for x in rows(arg))  # proof: read
        return [math.nan if y is None else y for y in map(cast, present)]  # proof: list

    def stability_map(d_in: ExactDistance) -> Any:  # proof: map
        return d_in

    row = AtomDomain(None, True, target)  # proof: output
    return Transformation(
        input_domain,
        VectorDomain(row, domain.size),
        function,
        input_metric,
        input_metric,
        stability_map,
        by_rows=True,  # proof: by-rows
    )


then_cast_inherent = then(make_cast_inherent)


def _inherent_array(array: Array, target: AtomType) -> Any:
    """Return a new array of float64, with NaN where a row has no meaning."""
    import numpy

    if array.dtype.kind == "U":
        found = map(partial_cast(target), array.tolist())  # proof: text
        return numpy.array([math.nan if y is None else y for y in found], dtype="f8")
    result = cast_array(array, target)  # proof: numbers
    with numpy.errstate(all="ignore"):  # a signaling NaN would be reported
        small = numpy.abs(array.astype(numpy.float64)) < 1  # proof: small
        result[(result == 0) & ~small] = math.nan  # proof: zero
    return result
