# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.rows.imputing; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.aliases import Array
from opendp_lite.core.aliases import Data
from opendp_lite.core.aliases import ExactDistance
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.option import OptionDomain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.transformation import Transformation
from opendp_lite.core.values.containers import is_array
from opendp_lite.core.values.containers import native
from opendp_lite.transformations.datasets import atom_of
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.datasets import without_nan
from typing import Any

opendp_lite.core.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.core.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.core.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.core.aliases.NumpyNumber, opendp_lite.core.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)


# === make_impute_constant with Data, ExactDistance, Domain, OptionDomain, VectorDomain,
#    refusal, Metric, Transformation, is_array, native, atom_of, check_dataset,
#    without_nan, Any, opendp_lite.core.aliases.ExactDistance,
#    opendp_lite.core.aliases.Data
def make_impute_constant(
    input_domain: Domain, input_metric: Metric, constant: object
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    atom = without_nan(atom_of(domain))
    if not isinstance(domain.element_domain, OptionDomain) and atom.T is not float:
        rule = "its rows are never missing: neither None nor NaN"
        fix = "Leave the imputation out, or describe the rows by option_domain(...)"
        raise refusal("MakeTransformation", "input_domain", domain, rule, fix)
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
