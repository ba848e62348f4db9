# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.selection.score_space; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from fractions import Fraction
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.metrics.linf import LInfDistance

_MAKE = "MakeMeasurement"


# === check_scores with Fraction, AtomDomain, VectorDomain, refusal, LInfDistance, _MAKE
def check_scores(domain: object, metric: object) -> tuple[AtomDomain, int]:
    fix = (
        "Pass vector_domain(atom_domain(T=int)) and linf_distance(T=int); counts have "
        "this by MO, as in then_histogram(edges, MO=linf_distance(T=int))"
    )
    atom = domain.element_domain if isinstance(domain, VectorDomain) else None
    if not isinstance(atom, AtomDomain) or atom.T not in (int, float, Fraction):
        rule = "must be a vector_domain of int, float or Fraction"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    if atom.nan:
        rule = "must not hold NaN"
        fix = "Use atom_domain(T=float, nan=False), after make_impute_constant"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    if not isinstance(metric, LInfDistance):
        raise refusal(_MAKE, "input_metric", metric, "must be LInfDistance", fix)
    return atom, 1 if metric.monotonic else 2
