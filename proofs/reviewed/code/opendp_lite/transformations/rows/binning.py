# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.rows.binning; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from bisect import bisect_right
from collections.abc import Sequence
from opendp_lite.core.aliases import Array
from opendp_lite.core.aliases import Data
from opendp_lite.core.aliases import ExactDistance
from opendp_lite.core.aliases import ExactNumber
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.transformation import Transformation
from opendp_lite.core.values.containers import is_array
from opendp_lite.core.values.containers import parts
from opendp_lite.core.values.containers import rows
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.edges import check_edges
from typing import Any

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.core.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.core.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.core.aliases.NumpyNumber, opendp_lite.core.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.core.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.core.aliases.NumpyNumber
opendp_lite.core.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any
_FEW = 96


# === make_find_bin with bisect_right, Sequence, Data, ExactDistance, ExactNumber,
#    AtomDomain, Domain, VectorDomain, refusal, Metric, Transformation, is_array, rows,
#    check_dataset, check_edges, Any, ?, opendp_lite.core.aliases.ExactNumber,
#    opendp_lite.core.aliases.ExactDistance, opendp_lite.core.aliases.Data
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
