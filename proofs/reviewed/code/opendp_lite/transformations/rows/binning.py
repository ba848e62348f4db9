# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.rows.binning; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from bisect import bisect_right
from collections.abc import Iterable
from collections.abc import Sequence
from fractions import Fraction
from gmpy2 import mpq
from itertools import pairwise
from opendp_lite.base.aliases import Array
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.containers import is_array
from opendp_lite.base.containers import parts
from opendp_lite.base.containers import rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.rationals import to_extended
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rounding import round_up
from opendp_lite.transformations.datasets import check_dataset
from typing import Any

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
_MAKE = "MakeTransformation"
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_FEW = 96


# === check_edges with Iterable, pairwise, ExactNumber, refusal, to_extended, Any, ?,
#    opendp_lite.base.aliases.ExactNumber, _MAKE
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


# === make_find_bin with bisect_right, Sequence, Data, ExactDistance, ExactNumber,
#    is_array, rows, refusal, AtomDomain, Domain, VectorDomain, Metric, Transformation,
#    check_dataset, Any, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data
def make_find_bin(
    input_domain: Domain, input_metric: Metric, edges: Sequence[ExactNumber]
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    element = domain.element_domain
    if not isinstance(element, AtomDomain) or not element.numeric:
        rule = "rows must be numbers of type int, float or Fraction, and never None"
        fix = "Use then_cast_default(TOA=float) or then_impute_constant(...) first"
        raise refusal("MakeTransformation", "input_domain", domain, rule, fix)
    cuts = check_edges(edges, element.T)
    top = len(cuts)

    def function(arg: Data) -> Any:
        if is_array(arg):
            return _bin_array(arg, cuts)
        found = (top if x != x else bisect_right(cuts, x) for x in rows(arg))
        return list(found)

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    bins = AtomDomain((0, top), T=int)
    return Transformation(
        input_domain,
        VectorDomain(bins, domain.size),
        function,
        input_metric,
        input_metric,
        stability_map,
        by_rows=True,
    )


# === _bin_array with bisect_right, Array, parts, Any, ?, _FEW
def _bin_array(array: Array, cuts: list[Any]) -> Any:
    import numpy

    kind, below, ends = numpy.dtype(numpy.float64), 0, cuts
    if array.dtype.kind != "f":
        kind = array.dtype.newbyteorder("=")
        info = numpy.iinfo(kind)
        below = bisect_right(cuts, int(info.min))
        ends = cuts[below : bisect_right(cuts, int(info.max))]
    inside = numpy.array(ends, dtype=kind)
    bins, start = numpy.empty(len(array), dtype=numpy.int64), 0
    with numpy.errstate(all="ignore"):
        for part in parts(array):
            own = part.astype(kind, copy=False)
            place = bins[start : start + len(part)]
            if len(ends) > _FEW:
                place[:] = inside.searchsorted(own, "right")
            else:
                count = numpy.zeros(len(part), dtype=numpy.uint8)
                for c in inside:
                    count += ~(own < c)
                place[:] = count
            place += below
            start += len(part)
    return bins
