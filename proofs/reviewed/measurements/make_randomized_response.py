# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/make_randomized_response; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.randomized_response:make_randomized_response ===

from opendp_lite.core.containers import native
from opendp_lite.core.distance import discrete_distance
from opendp_lite.core.measure import max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.intervals import upper_bound
from opendp_lite.exact.rationals import Extended
from opendp_lite.sampling.bernoulli import sample_bernoulli_rational
from opendp_lite.sampling.uniform import sample_uniform_below
from typing import Any
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def make_randomized_response(categories: Any, prob: Any, T: Any = None) -> Measurement:
    domain, values = check_categories("MakeMeasurement", categories, T)
    k = len(values)
    p = check_truth(prob, k)
    positions = {value: i for i, value in enumerate(values)}

    def function(arg: Any) -> Any:
        position = positions.get(native(arg))
        truthful = sample_bernoulli_rational(p)
        if position is None:
            return values[sample_uniform_below(k)]
        other = sample_uniform_below(k - 1)
        lie = other + (other >= position)
        return values[position if truthful else lie]

    epsilon: Extended
    if p == 1:
        epsilon = math.inf
    else:
        odds = p * (k - 1) / (1 - p)
        epsilon = upper_bound(lambda bits: ln(odds, bits), 128)

    def privacy_map(d_in: Any) -> Any:
        return 0 if d_in == 0 else epsilon

    return Measurement(
        domain, function, discrete_distance(), max_divergence(), privacy_map
    )


# === opendp_lite.measurements.randomized_response:check_categories ===

from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.atom import atom_domain
from opendp_lite.core.containers import native
from opendp_lite.core.errors import refusal
from typing import Any

_KINDS = (bool, int, str)
_CATEGORIES_FIX = 'Pass a list of different values, such as ["a", "b", "c"]'

def check_categories(
    variant: str, categories: Any, T: Any = None
) -> tuple[AtomDomain, list[Any]]:
    fix = _CATEGORIES_FIX
    if not issubclass(type(categories), list | tuple):
        raise refusal(variant, "categories", categories, "must be a list", fix)
    values = [native(value) for value in categories]
    if len(values) < 2:
        raise refusal(variant, "categories", categories, "must be at least two", fix)
    if T is None and type(values[0]) not in _KINDS:
        rule = "must be of type bool, int or str"
        raise refusal(variant, "categories", categories, rule, fix)
    domain = atom_domain(T=type(values[0]) if T is None else T)
    if domain.T not in _KINDS:
        rule = "the type of a category is bool, int or str"
        raise refusal(variant, "T", T, rule, "Leave T out")
    if not domain.all_members(values):
        rule = f"each must be {domain.rule()}"
        raise refusal(variant, "categories", categories, rule, fix)
    if len(set(values)) < len(values):
        raise refusal(variant, "categories", categories, "must be all different", fix)
    return domain, values


# === opendp_lite.measurements.randomized_response:check_truth ===

from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from typing import Any

def check_truth(prob: Any, k: int) -> Any:
    fix = f"Pass the probability of the truth, from Fraction(1, {k}) to 1"
    p = rational_argument(
        "MakeMeasurement", "prob", prob, fix=fix, at_most=1
    )
    if k * p < 1:
        rule = f"must be at least 1/{k}, one over the number of categories"
        raise refusal("MakeMeasurement", "prob", prob, rule, fix)
    return p


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


# === opendp_lite.core.arguments:rational_argument ===

from collections.abc import Callable
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rationals import to_mpq
from typing import Any

def rational_argument(
    variant: str,
    name: str,
    value: object,
    *,
    fix: str,
    convert: Callable[[Any], Any] = to_mpq,
    at_least: int | None = None,
    at_most: int | None = None,
) -> Any:
    try:
        number = convert(value)
    except (TypeError, ValueError) as error:
        raise refusal(variant, name, value, str(error), fix) from None
    if at_least is not None and number < at_least:
        raise refusal(variant, name, value, f"must be at least {at_least}", fix)
    if at_most is not None and number > at_most:
        raise refusal(variant, name, value, f"must be at most {at_most}", fix)
    return number


# === opendp_lite.exact.intervals:upper_bound ===

from collections.abc import Callable
from gmpy2 import mpq

def upper_bound(enclose: Callable[[int], Enclosure], precision: int = 64) -> mpq:
    return decide(enclose, lambda v: _finite(v.hi), precision)


# === opendp_lite.exact.intervals:decide ===

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

def decide(
    enclose: Callable[[int], Enclosure],
    test: Callable[[Enclosure], T | None],
    precision: int = 64,
) -> T:
    while True:
        answer = test(enclose(precision))
        if answer is not None:
            return answer
        precision *= 2


# === opendp_lite.exact.intervals:_finite ===

from gmpy2 import mpq
from typing import TypeAlias

End: TypeAlias = mpq | float

def _finite(end: End) -> mpq | None:
    return None if isinstance(end, float) else end
