# ruff: noqa
# fmt: off
# The code that was reviewed with the proof transformations/make_impute_constant; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.transformations.imputing:make_impute_constant ===

from opendp_lite.core.atom import Domain
from opendp_lite.core.containers import is_array
from opendp_lite.core.containers import native
from opendp_lite.core.distance import Metric
from opendp_lite.core.domain import OptionDomain
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.transformation import Transformation
from opendp_lite.transformations.datasets import atom_of
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.datasets import without_nan
from typing import Any

def make_impute_constant(
    input_domain: Domain, input_metric: Metric, constant: Any
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

    def function(arg: Any) -> Any:
        if is_array(arg):
            return _impute_array(arg, c)
        return [c if x is None or x != x else x for x in arg]

    def stability_map(d_in: Any) -> Any:
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


# === opendp_lite.transformations.imputing:_impute_array ===

from typing import Any

def _impute_array(array: Any, constant: float) -> Any:
    import numpy

    with numpy.errstate(all="ignore"):
        imputed = array.astype(numpy.float64)
        imputed[numpy.isnan(imputed)] = constant
    return imputed


# === opendp_lite.transformations.datasets:check_dataset ===

from opendp_lite.core.arguments import check_type
from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import ChangeOneDistance
from opendp_lite.core.distance import HammingDistance
from opendp_lite.core.distance import InsertDeleteDistance
from opendp_lite.core.distance import Metric
from opendp_lite.core.distance import SymmetricDistance
from opendp_lite.core.domain import VectorDomain

_VARIANT = "MakeTransformation"
_ROW_METRICS = (
    SymmetricDistance,
    InsertDeleteDistance,
    ChangeOneDistance,
    HammingDistance,
)

def check_dataset(input_domain: Domain, input_metric: Metric) -> VectorDomain:
    fix = "Pass for example vector_domain(atom_domain(T=int))"
    check_type(
        _VARIANT, "input_domain", input_domain, VectorDomain, fix
    )
    fix = "Pass for example symmetric_distance()"
    check_type(
        _VARIANT, "input_metric", input_metric, _ROW_METRICS, fix
    )
    assert isinstance(input_domain, VectorDomain)
    return input_domain


# === opendp_lite.transformations.datasets:atom_of ===

from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.domain import OptionDomain
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.errors import refusal

_VARIANT = "MakeTransformation"

def atom_of(domain: VectorDomain) -> AtomDomain:
    element = domain.element_domain
    atom = element.element_domain if isinstance(element, OptionDomain) else element
    if not isinstance(atom, AtomDomain):
        rule = "each row must be one value: an atom_domain, or an option_domain of one"
        fix = "Pass for example vector_domain(atom_domain(T=float))"
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    return atom


# === opendp_lite.transformations.datasets:without_nan ===

from opendp_lite.core.atom import AtomDomain

def without_nan(atom: AtomDomain) -> AtomDomain:
    return AtomDomain(atom.bounds, False, "f32" if atom.single else atom.T)
