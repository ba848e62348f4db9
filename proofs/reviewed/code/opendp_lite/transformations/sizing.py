# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.sizing; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Array
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.containers import is_array
from opendp_lite.base.containers import native
from opendp_lite.base.containers import rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.metrics.counting import HammingDistance
from opendp_lite.core.metrics.counting import InsertDeleteDistance
from opendp_lite.core.metrics.counting import SymmetricDistance
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.metric import MetricArgument
from opendp_lite.core.spaces import metric_of
from opendp_lite.core.transformation import Transformation
from opendp_lite.transformations.datasets import atom_of
from opendp_lite.transformations.datasets import changed_rows
from opendp_lite.transformations.datasets import changes_rows
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.ordering import shuffled
from typing import Any

opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.core.metrics.metric.MetricArgument: typing.TypeAlias = opendp_lite.core.metrics.metric.Metric | type[opendp_lite.core.metrics.metric.Metric] | str
_MAKE = "MakeTransformation"
_LARGEST = 2**62
_ORDERED = (InsertDeleteDistance, HammingDistance)
_UNBOUNDED = (SymmetricDistance, InsertDeleteDistance)
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)


# === make_resize with Data, ExactDistance, integer_argument, is_array, native, refusal,
#    Domain, VectorDomain, HammingDistance, InsertDeleteDistance, Metric,
#    MetricArgument, Transformation, atom_of, changed_rows, changes_rows, check_dataset,
#    shuffled, Any, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data, opendp_lite.core.metrics.metric.MetricArgument,
#    _MAKE, _LARGEST, _ORDERED
def make_resize(
    input_domain: Domain,
    input_metric: Metric,
    size: int,
    constant: object,
    MO: MetricArgument | None = None,
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    T, n = atom_of(domain).T, domain.size
    fix = "Pass the number of rows that is to come out, such as 1000"
    s = integer_argument(
        _MAKE, "size", size, fix=fix, at_least=1, at_most=_LARGEST
    )
    row = domain.element_domain
    if not row.member(constant):
        rule = f"must be {row.rule()}"
        fix = "Pass a row that may stand for one that is not there, such as 0"
        raise refusal(_MAKE, "constant", constant, rule, fix)
    c = None if constant is None else T(native(constant))
    changed = changes_rows(input_metric)
    output_metric = _output_metric(input_metric, MO)
    random = not isinstance(input_metric, _ORDERED)

    def function(arg: Data) -> Any:
        count = min(len(arg), s)
        kept = shuffled(arg, count) if random else arg[:count]
        if is_array(arg):
            return _filled_array(kept, s, c)
        return kept + [c] * (s - count)

    def stability_map(d_in: ExactDistance) -> Any:
        if changed:
            return min(changed_rows(input_metric, n, d_in), s)
        if n is None:
            return 2 * min(d_in, s)
        return 2 * min(changed_rows(input_metric, n, d_in), s)

    return Transformation(
        input_domain,
        VectorDomain(row, s),
        function,
        input_metric,
        output_metric,
        stability_map,
        random=random,
    )


# === _output_metric with refusal, InsertDeleteDistance, SymmetricDistance, Metric,
#    MetricArgument, metric_of, opendp_lite.core.metrics.metric.MetricArgument, _MAKE,
#    _UNBOUNDED
def _output_metric(input_metric: Metric, MO: MetricArgument | None) -> Metric:
    unbounded = isinstance(input_metric, _UNBOUNDED)
    if MO is None:
        return SymmetricDistance() if unbounded else input_metric
    metric = metric_of(MO, "MO")
    fits = type(metric) in _UNBOUNDED if unbounded else metric == input_metric
    if not fits:
        rule = f"does not fit the input metric {input_metric!r}"
        fix = "Leave it out, or see then_metric_bounded and then_metric_unbounded"
        raise refusal(_MAKE, "MO", MO, rule, fix)
    return metric


# === _filled_array with Array, rows, Any, ?
def _filled_array(array: Array, size: int, constant: Any) -> Any:
    import numpy

    kind = _wide_dtype(array.dtype, constant)
    if kind is None:
        return rows(array) + [constant] * (size - len(array))
    filled = numpy.full(size, constant, dtype=kind)
    with numpy.errstate(all="ignore"):
        filled[: len(array)] = array
    return filled


# === _wide_dtype with Any
def _wide_dtype(dtype: Any, constant: Any) -> Any:
    import numpy

    if dtype.kind == "U":
        width = max(dtype.itemsize // 4, len(constant), 1)
        return None if constant.endswith("\0") else f"U{width}"
    if dtype.kind in "bf":
        return numpy.dtype(bool if dtype.kind == "b" else float)
    least = min(numpy.iinfo(dtype).min, constant)
    greatest = max(numpy.iinfo(dtype).max, constant)
    for kind in (numpy.iinfo("int64"), numpy.iinfo("uint64")):
        if kind.min <= least and greatest <= kind.max:
            return kind.dtype
    return None
