# ruff: noqa
# fmt: off
# The code that was reviewed with the proof testing/complementary_canonical_tolerance; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.testing.canonical:complementary_canonical_tolerance ===

from gmpy2 import mpq
from opendp_lite.exact.rounding import round_down
from opendp_lite.testing.ledger import check_flakiness
from typing import Any

_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)

def complementary_canonical_tolerance(d_in: Any, d_out: Any, flakiness: Any) -> float:
    level = check_flakiness(flakiness)
    return round_down(
        _quantile(d_in, d_out, (_ONE + level) / _TWO).lo
    )


# === opendp_lite.testing.canonical:_quantile ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import decide
from opendp_lite.measurements.canonical_noise import check_target
from opendp_lite.sampling.canonical import CanonicalRV
from opendp_lite.sampling.tradeoffs import ApproximateTradeoff
from typing import Any

_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)
_FINE = mpq(2**60)

def _quantile(d_in: Any, d_out: Any, u: mpq) -> Enclosure:
    fix = "Pass the sensitivity of the data, such as d_in=1.0"
    scale: mpq = rational_argument(
        "InvalidDistance", "d_in", d_in, fix=fix, at_least=0
    )
    tradeoff = ApproximateTradeoff(*check_target(d_out))
    if scale == 0:
        return Enclosure(_ZERO, _ZERO)
    noise = CanonicalRV(_ZERO, scale, tradeoff, tradeoff.fixed_point)

    def narrow(value: Enclosure) -> Enclosure | None:
        return value if mpq(value.width) * _FINE <= value.lo else None

    return decide(
        lambda precision: noise.quantile(u, precision), narrow
    )


# === opendp_lite.testing.ledger:check_flakiness ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal

_FIX = (
    'Pass the probability with which a correct test may fail, such as flakiness="1e-23"'
)

def check_flakiness(flakiness: object, name: str = "flakiness") -> mpq:
    number: mpq = rational_argument(
        "InvalidDistance", name, flakiness, fix=_FIX
    )
    if not 0 < number < 1:
        rule = "must be above 0 and below 1"
        raise refusal("InvalidDistance", name, flakiness, rule, _FIX)
    return number


# === opendp_lite.measurements.canonical_noise:check_target ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rationals import to_target
from typing import Any

_MAKE = "MakeMeasurement"

def check_target(d_out: Any) -> tuple[mpq, mpq]:
    if not isinstance(d_out, tuple | list) or len(d_out) != 2:
        rule, fix = "must be a pair (epsilon, delta)", "Pass for example (1.0, 1e-9)"
        raise refusal(_MAKE, "d_out", d_out, rule, fix)
    fix = "Pass a number such as 1 or 0.5, a Fraction, or text such as '0.1'"
    epsilon: mpq = rational_argument(
        _MAKE, "d_out[0]", d_out[0], fix=fix, convert=to_target, at_least=0
    )
    fix = "Pass a probability such as 1e-9"
    delta: mpq = rational_argument(
        _MAKE, "d_out[1]", d_out[1], fix=fix, convert=to_target, at_least=0, at_most=1
    )
    if epsilon == 0 and delta == 0:
        rule, fix = "must not be (0, 0)", "Nothing can be released there; ask for more"
        raise refusal(_MAKE, "d_out", d_out, rule, fix)
    return epsilon, delta


# === opendp_lite.exact.rationals:to_target ===

from gmpy2 import mpq
from typing import Any

def to_target(value: Any) -> mpq:
    stored = to_mpq(value)
    if issubclass(type(value), float):
        return min(stored, to_mpq(float.__repr__(value)))
    if _is_numpy(value, "floating"):
        return min(stored, to_mpq(str(value)))
    return stored


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


# === opendp_lite.exact.rounding:round_down ===

from opendp_lite.exact.rationals import Extended
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def round_down(x: Extended) -> float:
    if isinstance(x, float):
        return _infinity(x)
    nearest = to_double(x)
    return nearest if nearest <= x else math.nextafter(nearest, -math.inf)


# === opendp_lite.exact.rounding:_infinity ===

import math

def _infinity(x: float) -> float:
    if not math.isinf(x):
        raise TypeError("must be an int, a rational, or an infinity, got a float")
    return x


# === opendp_lite.exact.rounding:to_double ===

from gmpy2 import mpq

def to_double(x: mpq | int) -> float:
    return divide_to_double(int(x.numerator), int(x.denominator))
