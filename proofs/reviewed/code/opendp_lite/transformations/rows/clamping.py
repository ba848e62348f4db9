# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.rows.clamping; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Array
from opendp_lite.base.aliases import Bounds
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.containers import is_array
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.transformation import Transformation
from opendp_lite.transformations.datasets import check_coordinates
from opendp_lite.transformations.datasets import check_numbers
from typing import Any

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.Bounds: typing.TypeAlias = collections.abc.Sequence[opendp_lite.base.aliases.ExactNumber]
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_INT64 = (-(2**63), 2**63 - 1)
_UINT64 = (0, 2**64 - 1)


# === make_clamp with Bounds, Data, ExactDistance, is_array, refusal, AtomDomain,
#    Domain, VectorDomain, Metric, Transformation, check_coordinates, check_numbers,
#    Any, ?, opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Bounds,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data, _INT64,
#    _UINT64
def make_clamp(
    input_domain: Domain, input_metric: Metric, bounds: Bounds
) -> Transformation:
    domain = check_coordinates(input_domain, input_metric)
    element = check_numbers(domain)
    T = element.T
    carrier = "f32" if element.single else T
    wanted = AtomDomain(bounds, False, carrier).bounds
    if wanted is None:
        rule, fix = "must be a pair", "Pass (lower, upper), such as (0, 10)"
        raise refusal("MakeTransformation", "bounds", bounds, rule, fix)
    lower, upper = wanted
    zero = T(0)
    if element.bounds is not None:
        lower, upper = (min(max(end, lower), upper) for end in element.bounds)

    def function(arg: Data) -> Any:
        if is_array(arg):
            return _clamp_array(arg, lower, upper)
        rows = map(T, arg)
        return [lower if x < lower else upper if x > upper else x + zero for x in rows]

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    fits = T is not int or (lower <= _UINT64[1] and upper >= _INT64[0])
    output_domain = VectorDomain(
        AtomDomain((lower, upper), False, carrier), domain.size
    )
    return Transformation(
        input_domain,
        output_domain,
        function,
        input_metric,
        input_metric,
        stability_map,
        by_rows=fits,
        clamps=T in (int, float),
    )


# === _clamp_array with Array, Any, ?, _INT64, _UINT64
def _clamp_array(array: Array, lower: Any, upper: Any) -> Any:
    import numpy

    if array.dtype.kind == "f":
        clamped = numpy.clip(array.astype(numpy.float64, copy=False), lower, upper)
        clamped += 0.0
        return clamped
    least, greatest = numpy.iinfo(array.dtype).min, numpy.iinfo(array.dtype).max
    low, high = (min(max(end, lower), upper) for end in (least, greatest))
    if low < _INT64[0] or high > _UINT64[1]:
        return [low] * len(array)
    kind = numpy.int64 if high <= _INT64[1] else numpy.uint64
    if high <= _INT64[1] < greatest:
        array = numpy.minimum(array, _INT64[1])
    rows = array.astype(kind, copy=False)
    out = None if array.dtype == kind else rows
    return numpy.clip(rows, low, high, out=out)
