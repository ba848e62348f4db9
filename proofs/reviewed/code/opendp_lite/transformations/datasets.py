# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.datasets; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterable
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.arguments import check_type
from opendp_lite.base.containers import native
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.option import OptionDomain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.metrics.counting import ChangeOneDistance
from opendp_lite.core.metrics.counting import HammingDistance
from opendp_lite.core.metrics.counting import InsertDeleteDistance
from opendp_lite.core.metrics.counting import SymmetricDistance
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import L1Distance
from opendp_lite.core.metrics.numbers import L2Distance
from opendp_lite.core.metrics.numbers import LInfDistance
from struct import error
from struct import pack_into
from typing import Any
import math

_VARIANT = "MakeTransformation"
_ROW_METRICS = (
    SymmetricDistance,
    InsertDeleteDistance,
    ChangeOneDistance,
    HammingDistance,
)
_VECTOR_METRICS = (L1Distance, L2Distance, LInfDistance)
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_FEW = 2**8
_ROWS = 2**12
_CODES = {int: "q", float: "d"}


# === check_dataset with check_type, Domain, VectorDomain, Metric, _VARIANT
def check_dataset(input_domain: Domain, input_metric: Metric) -> VectorDomain:
    fix = "Pass for example vector_domain(atom_domain(T=int))"
    check_type(
        _VARIANT, "input_domain", input_domain, VectorDomain, fix
    )
    check_rows(input_metric)
    assert isinstance(input_domain, VectorDomain)
    return input_domain


# === check_rows with check_type, ChangeOneDistance, HammingDistance,
#    InsertDeleteDistance, SymmetricDistance, Metric, _VARIANT, _ROW_METRICS
def check_rows(input_metric: Metric) -> None:
    fix = "Pass for example symmetric_distance()"
    check_type(
        _VARIANT, "input_metric", input_metric, _ROW_METRICS, fix
    )


# === check_coordinates with check_type, Domain, VectorDomain, Metric, L1Distance,
#    L2Distance, LInfDistance, _VARIANT, _VECTOR_METRICS
def check_coordinates(input_domain: Domain, input_metric: Metric) -> VectorDomain:
    if issubclass(type(input_metric), _VECTOR_METRICS):
        fix = "Pass for example vector_domain(atom_domain(T=int))"
        check_type(
            _VARIANT, "input_domain", input_domain, VectorDomain, fix
        )
        assert isinstance(input_domain, VectorDomain)
        return input_domain
    return check_dataset(input_domain, input_metric)


# === changes_rows with ChangeOneDistance, HammingDistance, Metric
def changes_rows(metric: Metric) -> bool:
    return isinstance(metric, ChangeOneDistance | HammingDistance)


# === changed_rows with ExactDistance, Metric, Any, math,
#    opendp_lite.base.aliases.ExactDistance
def changed_rows(metric: Metric, size: int | None, d: ExactDistance) -> Any:
    if changes_rows(metric) or d == math.inf:
        m = d
    else:
        m = d // 2
    return m if size is None else min(m, size)


# === atom_of with refusal, AtomDomain, OptionDomain, VectorDomain, _VARIANT
def atom_of(domain: VectorDomain) -> AtomDomain:
    element = domain.element_domain
    atom = element.element_domain if isinstance(element, OptionDomain) else element
    if not isinstance(atom, AtomDomain):
        rule = "each row must be one value: an atom_domain, or an option_domain of one"
        fix = "Pass for example vector_domain(atom_domain(T=float))"
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    return atom


# === check_missing with refusal, AtomDomain, OptionDomain, VectorDomain, _VARIANT
def check_missing(domain: VectorDomain) -> AtomDomain:
    atom = atom_of(domain)
    if not isinstance(domain.element_domain, OptionDomain) and atom.T is not float:
        rule = "its rows are never missing: neither None nor NaN"
        fix = "Leave this step out, or describe the rows by option_domain(...)"
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    return atom


# === check_numbers with refusal, AtomDomain, OptionDomain, VectorDomain, _VARIANT
def check_numbers(domain: VectorDomain) -> AtomDomain:
    element = domain.element_domain
    fix = "Use then_cast_default(TOA=float) first"
    if isinstance(element, OptionDomain):
        rule, fix = (
            "rows may not be missing (None)",
            "Use then_impute_constant(...) first",
        )
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    if not isinstance(element, AtomDomain) or not element.numeric:
        rule = "rows must be numbers of type int, float or Fraction"
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    if element.nan:
        rule = "rows may not be NaN"
        fix = "Use then_impute_constant(...) first, or say nan=False in atom_domain"
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    return element


# === check_categories with Iterable, native, refusal, AtomDomain, Any, _VARIANT
def check_categories(categories: Iterable[Any], T: type) -> list[Any]:
    fix = 'Pass a list such as ["a", "b"], of different values of the type of the rows'
    if not issubclass(type(categories), list | tuple):
        rule = "must be a list, a tuple or an array"
        raise refusal(_VARIANT, "categories", categories, rule, fix)
    given = list(categories)
    every = AtomDomain(T=T, nan=False)
    if not all(map(every.member, given)):
        rule = f"each must be {every.rule()}"
        raise refusal(_VARIANT, "categories", categories, rule, fix)
    values = [T(native(each)) for each in given]
    if len(set(values)) < len(values):
        rule = "no two may be equal"
        raise refusal(_VARIANT, "categories", categories, rule, fix)
    return values


# === read_numbers with Data, error, pack_into, Any, opendp_lite.base.aliases.Data,
#    _FEW, _ROWS, _CODES
def read_numbers(data: list[Data], T: type) -> Any:
    code = _CODES.get(T)
    if code is None or len(data) < _FEW:
        return None
    import numpy

    numbers: Any = numpy.empty(len(data), code)
    try:
        for start in range(0, len(numbers), _ROWS):
            count = min(_ROWS, len(numbers) - start)
            part = data[start : start + count]
            pack_into(f"{count}{code}", numbers, 8 * start, *part)
    except error:
        return None
    return numbers
