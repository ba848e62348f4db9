# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.rows.imputing; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Array
from opendp_lite.base.aliases import Bounds
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.arguments import check_type
from opendp_lite.base.containers import is_array
from opendp_lite.base.containers import native
from opendp_lite.base.containers import rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.metrics.counting import InsertDeleteDistance
from opendp_lite.core.metrics.counting import SymmetricDistance
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.transformation import Transformation
from opendp_lite.randomness.draws import sample_uniform_double
from opendp_lite.transformations.datasets import atom_of
from opendp_lite.transformations.datasets import changed_rows
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.datasets import check_missing
from typing import Any
import math

opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.Bounds: typing.TypeAlias = collections.abc.Sequence[opendp_lite.base.aliases.ExactNumber]
_UNBOUNDED = (SymmetricDistance, InsertDeleteDistance)


# === make_impute_constant with Data, ExactDistance, is_array, native, refusal, Domain,
#    VectorDomain, Metric, Transformation, check_dataset, check_missing, Any,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data
def make_impute_constant(
    input_domain: Domain, input_metric: Metric, constant: object
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    atom = check_missing(domain).without_nan()
    if not atom.member(constant):
        fix = "Pass a value that stands for missing rows, such as 0"
        rule = f"must be {atom.rule()}"
        raise refusal("MakeTransformation", "constant", constant, rule, fix)
    c = atom.T(native(constant))

    def function(arg: Data) -> Any:
        if is_array(arg):
            return _impute_array(arg, c)
        return [c if x is None or x != x else x for x in arg]

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    output_domain = VectorDomain(atom, domain.size)
    return Transformation(
        input_domain,
        output_domain,
        function,
        input_metric,
        input_metric,
        stability_map,
        by_rows=True,
    )


# === _impute_array with Array, Any, ?
def _impute_array(array: Array, constant: float) -> Any:
    import numpy

    with numpy.errstate(all="ignore"):
        imputed = array.astype(numpy.float64)
        imputed[numpy.isnan(imputed)] = constant
    return imputed


# === make_impute_uniform_float with Bounds, Data, ExactDistance, is_array, refusal,
#    AtomDomain, Domain, VectorDomain, Metric, Transformation, sample_uniform_double,
#    atom_of, check_dataset, Any, math, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.Bounds, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data
def make_impute_uniform_float(
    input_domain: Domain, input_metric: Metric, bounds: Bounds
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    atom = atom_of(domain)
    if atom.T is not float:
        rule = "its rows must be floats, NaN or None where they are missing"
        fix = "Use then_cast_inherent(TOA=float) first, or then_impute_constant(...)"
        raise refusal("MakeTransformation", "input_domain", domain, rule, fix)
    drawn = AtomDomain(bounds, False, float)
    lower, upper = drawn.bounds or (0.0, 0.0)
    if not -math.inf < lower < upper < math.inf:
        rule, fix = (
            "must be two different finite numbers",
            "Pass for example (0.0, 1.0)",
        )
        raise refusal("MakeTransformation", "bounds", bounds, rule, fix)
    filled = AtomDomain(atom.bounds, False, float)
    if not filled.contains(drawn):
        rule, fix = "must lie within those of the rows", f"Those are {atom.bounds}"
        raise refusal("MakeTransformation", "bounds", bounds, rule, fix)

    def function(arg: Data) -> Any:
        if is_array(arg):
            return _draw_array(arg, lower, upper)
        return [draw() if x is None or x != x else x for x in arg]

    def draw() -> float:
        return sample_uniform_double(lower, upper)

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    return Transformation(
        input_domain,
        VectorDomain(filled, domain.size),
        function,
        input_metric,
        input_metric,
        stability_map,
        random=True,
    )


# === _draw_array with Array, Any, ?
def _draw_array(array: Array, lower: float, upper: float) -> Any:
    import numpy

    from opendp_lite.randomness.bulk_real import sample_uniform_doubles

    with numpy.errstate(all="ignore"):
        imputed = array.astype(numpy.float64)
        (missing,) = numpy.isnan(imputed).nonzero()
    imputed[missing] = sample_uniform_doubles(lower, upper, missing.size)
    return imputed


# === make_is_null with Data, ExactDistance, is_array, rows, AtomDomain, Domain,
#    VectorDomain, Metric, Transformation, check_dataset, check_missing, Any,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data
def make_is_null(input_domain: Domain, input_metric: Metric) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    check_missing(domain)

    def function(arg: Data) -> Any:
        if is_array(arg):
            return _nan_array(arg)
        return [x is None or x != x for x in rows(arg)]

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    output_domain = VectorDomain(AtomDomain(T=bool), domain.size)
    return Transformation(
        input_domain,
        output_domain,
        function,
        input_metric,
        input_metric,
        stability_map,
        by_rows=True,
    )


# === _nan_array with Array, Any, ?
def _nan_array(array: Array) -> Any:
    import numpy

    with numpy.errstate(all="ignore"):
        return numpy.isnan(array)


# === make_drop_null with Data, ExactDistance, check_type, is_array, Domain,
#    VectorDomain, InsertDeleteDistance, SymmetricDistance, Metric, Transformation,
#    changed_rows, check_dataset, check_missing, Any,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data, _UNBOUNDED
def make_drop_null(input_domain: Domain, input_metric: Metric) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    fix = "Use then_metric_unbounded() first, or then_impute_constant(...) instead"
    check_type(
        "MakeTransformation", "input_metric", input_metric, _UNBOUNDED, fix
    )
    atom, n = check_missing(domain), domain.size

    def function(arg: Data) -> Any:
        if is_array(arg):
            return _drop_array(arg)
        return [x for x in arg if x is not None and x == x]

    def stability_map(d_in: ExactDistance) -> Any:
        if n is None:
            return d_in
        return 2 * changed_rows(input_metric, n, d_in)

    return Transformation(
        input_domain,
        VectorDomain(atom.without_nan()),
        function,
        input_metric,
        input_metric,
        stability_map,
    )


# === _drop_array with Array, Any, ?
def _drop_array(array: Array) -> Any:
    import numpy

    with numpy.errstate(all="ignore"):
        floats = array.astype(numpy.float64, copy=False)
        return floats[~numpy.isnan(floats)]
