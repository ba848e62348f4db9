"""Casting: every row to another type, and to a default where that has no meaning."""

from __future__ import annotations

from typing import Any

from opendp_lite.core.aliases import Data, ExactDistance
from opendp_lite.core.domains import AtomDomain, Domain, VectorDomain
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.core.values.containers import is_array, native
from opendp_lite.core.values.type_arguments import TypeArgument, parse_atom
from opendp_lite.transformations.conversions import cast_array, row_cast
from opendp_lite.transformations.datasets import atom_of, check_dataset

__all__ = ["make_cast_default", "then_cast_default"]


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
