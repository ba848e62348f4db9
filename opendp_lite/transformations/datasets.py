"""What transformations of data sets share: spaces, distances, reading long lists."""

from __future__ import annotations

import math
from collections.abc import Iterable
from struct import error, pack_into
from typing import Any

from opendp_lite.base.aliases import Data, ExactDistance
from opendp_lite.base.arguments import check_type
from opendp_lite.base.containers import native
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain, OptionDomain, VectorDomain
from opendp_lite.core.metrics import (
    ChangeOneDistance,
    HammingDistance,
    InsertDeleteDistance,
    L1Distance,
    L2Distance,
    LInfDistance,
    Metric,
    SymmetricDistance,
)

_VARIANT = "MakeTransformation"
_ROW_METRICS = (
    SymmetricDistance,
    InsertDeleteDistance,
    ChangeOneDistance,
    HammingDistance,
)
_VECTOR_METRICS = (L1Distance, L2Distance, LInfDistance)


def check_dataset(input_domain: Domain, input_metric: Metric) -> VectorDomain:
    """Return the domain, which must hold vectors, measured by a number of rows."""
    fix = "Pass for example vector_domain(atom_domain(T=int))"
    check_type(  # proof: vectors
        _VARIANT, "input_domain", input_domain, VectorDomain, fix
    )
    check_rows(input_metric)  # proof: rows
    assert isinstance(input_domain, VectorDomain)
    return input_domain


def check_rows(input_metric: Metric) -> None:
    """Refuse a metric that does not count rows."""
    fix = "Pass for example symmetric_distance()"
    check_type(  # proof: metric
        _VARIANT, "input_metric", input_metric, _ROW_METRICS, fix
    )


def check_coordinates(input_domain: Domain, input_metric: Metric) -> VectorDomain:
    """Return the domain of vectors: data sets, or aggregates in L1, L2 or LInf."""
    if isinstance(input_metric, _VECTOR_METRICS):
        fix = "Pass for example vector_domain(atom_domain(T=int))"
        check_type(  # proof: aggregate
            _VARIANT, "input_domain", input_domain, VectorDomain, fix
        )
        assert isinstance(input_domain, VectorDomain)
        return input_domain
    return check_dataset(input_domain, input_metric)  # proof: dataset


def changes_rows(metric: Metric) -> bool:
    """Return whether the metric counts changed rows, not added and removed ones."""
    return isinstance(metric, ChangeOneDistance | HammingDistance)


def changed_rows(metric: Metric, size: int | None, d: ExactDistance) -> Any:
    """Return how many rows may differ between data sets of one size at distance d."""
    if changes_rows(metric) or d == math.inf:  # proof: changed
        m = d
    else:
        m = d // 2  # proof: half
    return m if size is None else min(m, size)  # proof: cap


def atom_of(domain: VectorDomain) -> AtomDomain:
    """Return the domain of the rows, which are atoms; None aside."""
    element = domain.element_domain
    atom = element.element_domain if isinstance(element, OptionDomain) else element
    if not isinstance(atom, AtomDomain):  # proof: atoms
        rule = "each row must be one value: an atom_domain, or an option_domain of one"
        fix = "Pass for example vector_domain(atom_domain(T=float))"
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    return atom


def check_missing(domain: VectorDomain) -> AtomDomain:
    """Return the domain of the rows that are there, if others may be missing."""
    atom = atom_of(domain)  # proof: atoms
    if not isinstance(domain.element_domain, OptionDomain) and atom.T is not float:
        rule = "its rows are never missing: neither None nor NaN"  # proof: missing
        fix = "Leave this step out, or describe the rows by option_domain(...)"
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    return atom


def check_numbers(domain: VectorDomain) -> AtomDomain:
    """Return the domain of the rows, which are numbers: neither None nor NaN."""
    element = domain.element_domain
    fix = "Use then_cast_default(TOA=float) first"
    if isinstance(element, OptionDomain):  # proof: missing
        rule, fix = (
            "rows may not be missing (None)",
            "Use then_impute_constant(...) first",
        )
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    if not isinstance(element, AtomDomain) or not element.numeric:  # proof: numbers
        rule = "rows must be numbers of type int, float or Fraction"
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    if element.nan:  # proof: nan
        rule = "rows may not be NaN"
        fix = "Use then_impute_constant(...) first, or say nan=False in atom_domain"
        raise refusal(_VARIANT, "input_domain", domain, rule, fix)
    return element


def check_categories(categories: Iterable[Any], T: type) -> list[Any]:
    """Return different values of type `T`, none of them NaN, as a new list."""
    fix = 'Pass a list such as ["a", "b"], of different values of the type of the rows'
    if not isinstance(categories, list | tuple):  # proof: listed
        rule = "must be a list, a tuple or an array"
        raise refusal(_VARIANT, "categories", categories, rule, fix)
    given = list(categories)
    every = AtomDomain(T=T, nan=False)  # proof: every
    if not all(map(every.member, given)):  # proof: members
        rule = f"each must be {every.rule()}"
        raise refusal(_VARIANT, "categories", categories, rule, fix)
    values = [T(native(each)) for each in given]  # proof: values
    if len(set(values)) < len(values):  # proof: different
        rule = "no two may be equal"
        raise refusal(_VARIANT, "categories", categories, rule, fix)
    return values


# Fewer rows of a list are handled faster as they are.
_FEW = 2**8
# So many rows at a time are arguments of one call.
_ROWS = 2**12
_CODES = {int: "q", float: "d"}  # of struct and of numpy: int64 and float64


def read_numbers(data: list[Data], T: type) -> Any:
    """Return a long list of ints or floats as a new array of int64 or float64.

    It is None if the list is short, if T is another type, and if a row is None or an
    integer beyond int64.
    """
    code = _CODES.get(T)
    if code is None or len(data) < _FEW:
        return None  # proof: short
    import numpy

    numbers: Any = numpy.empty(len(data), code)
    try:
        for start in range(0, len(numbers), _ROWS):
            count = min(_ROWS, len(numbers) - start)
            part = data[start : start + count]
            pack_into(f"{count}{code}", numbers, 8 * start, *part)  # proof: packed
    except error:
        return None  # proof: beyond
    return numbers
