# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.edges; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterable
from fractions import Fraction
from gmpy2 import mpq
from itertools import pairwise
from opendp_lite.core.aliases import ExactNumber
from opendp_lite.core.errors import refusal
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.rationals import to_extended
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rounding import round_up
from typing import Any

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.core.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.core.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.core.aliases.NumpyNumber, opendp_lite.core.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.core.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.core.aliases.NumpyNumber
_MAKE = "MakeTransformation"


# === check_edges with Iterable, pairwise, ExactNumber, refusal, to_extended, Any, ?,
#    opendp_lite.core.aliases.ExactNumber, _MAKE
def check_edges(edges: Iterable[ExactNumber], T: type) -> list[Any]:
    fix = "Pass numbers that increase strictly, such as edges=[0, 10, 20]"
    listed = issubclass(type(edges), list | tuple)
    values = list(edges) if listed else []
    if not values:
        rule = "must be a list, a tuple or an array, of at least one number"
        raise refusal(_MAKE, "edges", edges, rule, fix)
    try:
        exact = list(map(to_extended, values))
    except (TypeError, ValueError):
        rule = "each must be a number, and not NaN"
        raise refusal(_MAKE, "edges", edges, rule, fix) from None
    if any(a >= b for a, b in pairwise(exact)):
        raise refusal(_MAKE, "edges", edges, "must be strictly increasing", fix)
    return [_least_value(each, T) for each in exact]


# === _least_value with Fraction, mpq, ceil_multiple, to_fraction, round_up, Any
def _least_value(edge: mpq | float, T: type) -> Any:
    if T is float or isinstance(edge, float):
        return round_up(edge)
    if T is Fraction:
        return to_fraction(edge)
    return ceil_multiple(edge, 0)
