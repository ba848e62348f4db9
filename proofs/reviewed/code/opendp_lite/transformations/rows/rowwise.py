# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.rows.rowwise; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.containers import native
from opendp_lite.base.containers import rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.option import OptionDomain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.transformation import Transformation
from opendp_lite.transformations.datasets import atom_of
from opendp_lite.transformations.datasets import check_dataset
from typing import Any
import math

opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_MAKE = "MakeTransformation"


# === make_row_by_row with Callable, Data, ExactDistance, native, rows, refusal,
#    AtomDomain, Domain, OptionDomain, VectorDomain, Metric, Transformation, atom_of,
#    check_dataset, Any, math, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data, _MAKE
def make_row_by_row(
    input_domain: Domain,
    input_metric: Metric,
    output_row_domain: Domain,
    row_function: Callable[[Any], Any],
    default: object,
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    read = atom_of(domain).T
    row = output_row_domain
    inner = row.element_domain if isinstance(row, OptionDomain) else row
    if not isinstance(inner, AtomDomain):
        rule = "must be an atom_domain, or an option_domain of one"
        fix = "Pass for example atom_domain(bounds=(0, 100))"
        raise refusal(_MAKE, "output_row_domain", row, rule, fix)
    if not callable(row_function):
        rule, fix = "must be a function of one row", "Pass for example lambda row: row"
        raise refusal(_MAKE, "row_function", row_function, rule, fix)
    if not row.member(default):
        rule, fix = f"must be {row.rule()}", "Pass a member of output_row_domain"
        raise refusal(_MAKE, "default", default, rule, fix)
    otherwise = native(default)

    def new_row(x: Data) -> Any:
        one = math.nan if x != x else x
        try:
            y = row_function(one if one is None else read(one))
        except Exception:
            return otherwise
        return native(y) if row.member(y) else otherwise

    def function(arg: Data) -> Any:
        return list(map(new_row, rows(arg)))

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    return Transformation(
        input_domain,
        VectorDomain(row, domain.size),
        function,
        input_metric,
        input_metric,
        stability_map,
    )
