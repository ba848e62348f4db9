# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/make_gaussian_threshold; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.threshold:make_gaussian_threshold ===

from gmpy2 import mpq
from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.measure import approximate
from opendp_lite.core.measure import zero_concentrated_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.metric import L02InfDistance
from opendp_lite.measurements.additive import NumberSpace
from opendp_lite.measurements.additive import check_grid
from opendp_lite.measurements.additive import releaser
from opendp_lite.measurements.grid import l2_sensitivity
from opendp_lite.measurements.grid import spacing
from opendp_lite.measurements.tails import chance_of_any
from opendp_lite.measurements.tails import discrete_gaussian_tail
from opendp_lite.measurements.tails import gaussian_tail
from opendp_lite.sampling.law import GAUSSIAN
from typing import Any
import math

opendp_lite.sampling.law.GAUSSIAN = opendp_lite.sampling.law.Law('Gaussian', 2, 2)

def make_gaussian_threshold(
    input_domain: Domain,
    input_metric: Metric,
    scale: Any,
    threshold: Any,
    k: int | None = None,
    MO: Any = "Approximate<ZeroConcentratedDivergence>",
) -> Measurement:
    atom = _check_space(input_domain, input_metric, L02InfDistance)
    scale, threshold = _check_numbers(scale, threshold)
    _check_measure(
        MO, "ZeroConcentratedDivergence", zero_concentrated_divergence()
    )
    space = NumberSpace(atom, vector=False, size=None)
    k = check_grid(k, space)
    least = _least(threshold, atom.T)
    release = releaser(GAUSSIAN, space, scale, k)
    chance = _chancer(
        atom.T, scale, k, least, discrete_gaussian_tail, gaussian_tail
    )

    def function(arg: Any) -> dict[Any, Any]:
        return _release_map(release, least, arg)

    def privacy_map(d_in: Any) -> Any:
        l0, l2, linf = d_in
        if l0 == 0:
            return 0, 0
        delta = chance_of_any(l0, chance(min(linf, l2)))
        square = min(
            _square(_rounded_norm(l2_sensitivity, l0, l2, k, spacing(atom))),
            _times(l0, _square(_rounded(linf, k, spacing(atom)))),
        )
        if square == 0:
            return 0, delta
        if square == math.inf or scale == 0:
            return math.inf, delta
        return mpq(square) / (mpq(2) * scale * scale), delta

    measure = approximate(zero_concentrated_divergence())
    return Measurement(input_domain, function, input_metric, measure, privacy_map)


# === opendp_lite.measurements.threshold:_check_space ===

from fractions import Fraction
from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.distance import Metric
from opendp_lite.core.domain import MapDomain
from opendp_lite.core.errors import refusal
from typing import Any

_MAKE = "MakeMeasurement"

def _check_space(domain: Any, metric: Any, wanted: type[Metric]) -> AtomDomain:
    fix = "Pass map_domain(atom_domain(T=str), atom_domain(T=int))"
    if not isinstance(domain, MapDomain):
        raise refusal(_MAKE, "input_domain", domain, "must be a map_domain", fix)
    keys, atom = domain.key_domain, domain.value_domain
    if not isinstance(keys, AtomDomain) or keys.T not in (str, int, bool):
        rule = "its keys must be str, int or bool"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    if not isinstance(atom, AtomDomain) or atom.T not in (int, float, Fraction):
        rule = "its values must be int, float or Fraction"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    if atom.nan:
        rule, fix = "must not hold NaN", "Use atom_domain(T=float, nan=False)"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    if not isinstance(metric, wanted):
        rule = f"must be {wanted.__name__} for this noise"
        fix = "Pass l01inf_distance for Laplace noise, l02inf_distance for Gaussian"
        raise refusal(_MAKE, "input_metric", metric, rule, fix)
    return atom


# === opendp_lite.measurements.threshold:_check_numbers ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from typing import Any

_MAKE = "MakeMeasurement"
_SCALE_FIX = "Pass the scale of the noise, such as scale=1.0; 0 means no noise at all"
_THRESHOLD_FIX = (
    "Pass the least value to release, such as threshold=20: below 0 more than half of "
    "the keys that hold nothing would be released"
)

def _check_numbers(scale: Any, threshold: Any) -> tuple[mpq, mpq]:
    b: mpq = rational_argument(
        _MAKE, "scale", scale, fix=_SCALE_FIX, at_least=0
    )
    t: mpq = rational_argument(
        _MAKE, "threshold", threshold, fix=_THRESHOLD_FIX, at_least=0
    )
    return b, t


# === opendp_lite.measurements.threshold:_check_measure ===

from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import Measure
from opendp_lite.core.measure import approximate
from typing import Any

_MAKE = "MakeMeasurement"

def _check_measure(MO: Any, name: str, inner: Measure) -> None:
    if MO not in (f"Approximate<{name}>", approximate(inner)):
        rule = f"this noise is measured by Approximate<{name}>"
        raise refusal(_MAKE, "MO", MO, rule, "Leave MO out")


# === opendp_lite.measurements.additive:check_grid ===

from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.errors import refusal
from opendp_lite.exact.grids import power_of_two
from opendp_lite.measurements.grid import spacing
from typing import Any

_MAKE = "MakeMeasurement"

def check_grid(k: Any, space: NumberSpace) -> int | None:
    if k is None:
        return None
    fix = "Leave k out: without a grid nothing is lost"
    exponent = integer_argument(
        _MAKE, "k", k, fix=fix, at_least=-(2**16), at_most=2**16
    )
    if space.atom.T is int and exponent < 0:
        rule = "must be at least 0 on integers"
        raise refusal(_MAKE, "k", k, rule, fix)
    rounds = spacing(space.atom) < power_of_two(exponent)
    if space.vector and space.size is None and rounds:
        rule = (
            "rounding costs up to one grid step for each entry, and a vector of "
            "unknown size may have any number of them"
        )
        fix = "Leave k out, or use vector_domain(..., size=n)"
        raise refusal(_MAKE, "k", k, rule, fix)
    return exponent


# === opendp_lite.core.arguments:integer_argument ===

from gmpy2 import mpq
from opendp_lite.core.errors import refusal

def integer_argument(
    variant: str,
    name: str,
    value: object,
    *,
    fix: str,
    at_least: int | None = None,
    at_most: int | None = None,
) -> int:
    number: mpq = rational_argument(
        variant, name, value, fix=fix, at_least=at_least, at_most=at_most
    )
    if number.denominator != 1:
        raise refusal(variant, name, value, "must be an integer", fix)
    return int(number)


# === opendp_lite.measurements.grid:spacing ===

from fractions import Fraction
from gmpy2 import mpq
from opendp_lite.core.atom import AtomDomain
from opendp_lite.exact.grids import power_of_two

_SPACINGS = {int: mpq(1), float: power_of_two(-1074), Fraction: mpq(0)}

def spacing(domain: AtomDomain) -> mpq:
    return _SPACINGS[domain.T]


# === opendp_lite.core.metric:_L0PInfDistance._powers ===

from opendp_lite.core.distance import Metric
from opendp_lite.core.identity import key
from opendp_lite.exact.rationals import Extended
from typing import Any
from typing import ClassVar
import attrs
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    p: ClassVar[int]
    def _powers(self, x: Any, y: Any) -> tuple[int, Extended, Extended]:
        left = {key(k): v for k, v in x.items()}
        right = {key(k): v for k, v in y.items()}
        gaps: list[Extended] = []
        differing = 0
        for each in left.keys() | right.keys():
            gaps.append(gap(left.get(each, 0), right.get(each, 0)))
            differing += (each in left) != (each in right) or gaps[-1] != 0
        if math.inf in gaps:
            return differing, math.inf, math.inf
        power = sum(gaps) if self.p == 1 else _sum_of_squares(gaps)
        return differing, power, max(gaps, default=0)


# === opendp_lite.core.metric:_L0PInfDistance.within ===

from opendp_lite.core.distance import Metric
from typing import Any
from typing import ClassVar
import attrs

@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    p: ClassVar[int]
    def within(self, x: Any, y: Any, d: Any) -> bool:
        l0, lp, linf = self.parse(d, "d")
        limit = lp if self.p == 1 else lp * lp
        return self.at_most(self._powers(x, y), (l0, limit, linf))


# === opendp_lite.core.metric:_L0PInfDistance.at_most ===

from opendp_lite.core.distance import Metric
from typing import Any
import attrs

@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    def at_most(self, d: Any, limit: Any) -> bool:
        return all(a <= b for a, b in zip(d, limit, strict=True))


# === opendp_lite.core.metric:gap ===

from gmpy2 import mpq
from opendp_lite.core.containers import native
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_mpq
from typing import Any
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def gap(x: Any, y: Any) -> Extended:
    x, y = native(x), native(y)
    if x == y:
        return 0
    if x in (math.inf, -math.inf) or y in (math.inf, -math.inf):
        return math.inf
    if isinstance(x, int) and isinstance(y, int):
        return abs(x - y)
    difference: mpq = to_mpq(x) - to_mpq(y)
    return abs(difference)


# === opendp_lite.core.metric:_sum_of_squares ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import Extended

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def _sum_of_squares(gaps: list[Extended]) -> mpq:
    return sum((mpq(each) * mpq(each) for each in gaps), mpq(0))


# === opendp_lite.core.identity:key ===

from collections.abc import Hashable
from opendp_lite.core.errors import OpenDPException
from typing import Any

def key(value: Any) -> Hashable:
    try:
        return _key(value)
    except RecursionError:
        raise OpenDPException(
            "MetricSpace",
            "a value is nested too deeply, or contains itself, and cannot be compared. "
            "Pass members of the domain.",
        ) from None


# === opendp_lite.core.identity:_key ===

from collections.abc import Hashable
from fractions import Fraction
from opendp_lite.core.containers import is_array
from opendp_lite.core.containers import native
from typing import Any
import struct

def _key(value: Any) -> Hashable:
    value = native(value)
    if isinstance(value, float):
        return ("float", "nan" if value != value else struct.pack(">d", value))
    if value is None or isinstance(value, bool | int | str | bytes | Fraction):
        kind = bool if isinstance(value, bool) else type(value)
        return (kind.__name__, value)
    if isinstance(value, list | tuple):
        return (type(value).__name__, tuple(_key(item) for item in value))
    if isinstance(value, dict):
        return ("dict", frozenset((_key(k), _key(v)) for k, v in value.items()))
    if is_array(value):
        rows = tuple(_key(item) for item in value.ravel().tolist())
        return ("array", value.dtype.str, value.shape, rows)
    return (type(value).__qualname__, value)
