# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/make_private_quantile; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.private_quantile:make_private_quantile ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.measure import Measure
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.metric import LInfDistance
from opendp_lite.measurements.noisy_max import make_noisy_max
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.datasets import check_numbers
from opendp_lite.transformations.quantiles import check_candidates
from opendp_lite.transformations.quantiles import make_quantile_score_candidates
from opendp_lite.transformations.quantiles import quantile_level
from typing import Any

_SCALE_FIX = "Pass a scale such as scale=1.0; 0 selects a nearest candidate for sure"

def make_private_quantile(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    candidates: Any,
    alpha: Any,
    scale: Any,
) -> Measurement:
    domain = check_dataset(input_domain, input_metric)
    element = check_numbers(domain)
    cuts = check_candidates(candidates, element)
    level = quantile_level(alpha)
    score = make_quantile_score_candidates(
        input_domain, input_metric, cuts, level
    )
    scale = rational_argument(
        "MakeMeasurement", "scale", scale, fix=_SCALE_FIX, at_least=0
    )
    select = make_noisy_max(
        score.output_domain,
        LInfDistance(int, level.denominator == 1),
        output_measure,
        scale * mpq(level.denominator),
        negate=True,
    )

    def function(arg: Any) -> Any:
        return cuts[select.function(score.function(arg))]

    def privacy_map(d_in: Any) -> Any:
        return select.privacy_map(score.stability_map(d_in))

    return Measurement(
        input_domain, function, input_metric, output_measure, privacy_map
    )


# === opendp_lite.transformations.quantiles:quantile_level ===

from fractions import Fraction
from opendp_lite.core.arguments import rational_argument
from opendp_lite.exact.rationals import to_fraction
from typing import Any

_MAKE = "MakeTransformation"
_ALPHA_FIX = "Pass for example alpha=0.5 for the median"
_FINEST = 10**6

def quantile_level(alpha: Any) -> Fraction:
    exact = rational_argument(
        _MAKE, "alpha", alpha, fix=_ALPHA_FIX, at_least=0, at_most=1
    )
    return to_fraction(exact).limit_denominator(_FINEST)


# === opendp_lite.transformations.quantiles:check_candidates ===

from itertools import pairwise
from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.containers import native
from opendp_lite.core.errors import refusal
from typing import Any

_MAKE = "MakeTransformation"

def check_candidates(candidates: Any, element: AtomDomain) -> list[Any]:
    fix = "Pass a list such as candidates=[0, 10, 20], of the type of the rows"
    T = element.T
    listed = issubclass(type(candidates), list | tuple)
    values = list(candidates) if listed else []
    if not values:
        rule = "must be a list, a tuple or an array, of at least one candidate"
        raise refusal(_MAKE, "candidates", candidates, rule, fix)
    number = AtomDomain(T=T, nan=False) if T is float else AtomDomain(T=T)
    if not all(map(number.member, values)):
        rule = f"each must be of type {T.__name__}, and not NaN"
        raise refusal(_MAKE, "candidates", candidates, rule, fix)
    cuts = [T(native(each)) for each in values]
    if any(a >= b for a, b in pairwise(cuts)):
        rule = "must be strictly increasing"
        raise refusal(_MAKE, "candidates", candidates, rule, fix)
    return cuts


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


# === opendp_lite.transformations.datasets:check_numbers ===

from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.domain import OptionDomain
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.errors import refusal

_VARIANT = "MakeTransformation"

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


# === opendp_lite.exact.rationals:to_fraction ===

from fractions import Fraction
from gmpy2 import mpq
from typing import cast

def to_fraction(x: int | mpq) -> Fraction:
    parts = _Lowest(int(x.numerator), int(x.denominator))
    return Fraction(cast("numbers.Rational", parts))


# === opendp_lite.core.containers:native ===

from typing import Any

def native(value: Any) -> Any:
    return value.item() if scalar_kind(value) is not None else value


# === opendp_lite.core.containers:scalar_kind ===

def scalar_kind(value: object) -> str | None:
    numpy = _numpy()
    if numpy is None or not issubclass(type(value), numpy.generic):
        return None
    dtype = numpy.generic.dtype.__get__(value)
    if dtype.type is not type(value) or (dtype.kind in "iuf" and dtype.itemsize > 8):
        return None
    return str(dtype.kind)


# === opendp_lite.core.containers:_numpy ===

from typing import Any
import sys

def _numpy() -> Any:
    return sys.modules.get("numpy")
