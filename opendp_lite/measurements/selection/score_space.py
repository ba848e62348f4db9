"""The space of score vectors, from which noisy max and sparse vector select."""

from __future__ import annotations

from fractions import Fraction

from opendp_lite.core.domains import AtomDomain, VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.metrics import LInfDistance

__all__ = ["check_scores"]

_MAKE = "MakeMeasurement"


def check_scores(domain: object, metric: object) -> tuple[AtomDomain, int]:
    """Return the domain of a score, and by how many distances two gaps may differ."""
    fix = (
        "Pass vector_domain(atom_domain(T=int)) and linf_distance(T=int); counts have "
        "this by MO, as in then_histogram(edges, MO=linf_distance(T=int))"
    )
    atom = domain.element_domain if isinstance(domain, VectorDomain) else None
    if not isinstance(atom, AtomDomain) or atom.T not in (int, float, Fraction):
        rule = "must be a vector_domain of int, float or Fraction"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)  # proof: numbers
    if atom.nan:  # proof: nan
        rule = "must not hold NaN"
        fix = "Use atom_domain(T=float, nan=False), after make_impute_constant"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    if not isinstance(metric, LInfDistance):  # proof: metric
        raise refusal(_MAKE, "input_metric", metric, "must be LInfDistance", fix)
    return atom, 1 if metric.monotonic else 2  # proof: spread
