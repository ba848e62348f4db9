# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.measures.profiles; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.core.measures.measure import LOSS_FIX
from opendp_lite.core.metrics.metric import present_number
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_loss
from opendp_lite.laws.conversions import Profile
from typing import Any
import attrs
import math

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.core.measures.measure.LOSS_FIX = "Pass a number such as 1 or 0.5, a Fraction, or text such as '0.1'"
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_DELTA_FIX = "Pass a probability such as 1e-9"
_FIRST, _LARGEST = mpq(2), power_of_two(512)
_SHARE, _SMALL = power_of_two(-60), power_of_two(-256)


# === PrivacyProfile.delta with Callable, ExactNumber, rational_argument, LOSS_FIX,
#    Extended, to_loss, Any, attrs, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.core.measures.measure.LOSS_FIX, opendp_lite.exact.rationals.Extended
@attrs.frozen(eq=False, repr=False)
class PrivacyProfile:
    curve: Callable[[Extended], Extended]
    def delta(self, epsilon: ExactNumber) -> Any:
        point = rational_argument(
            "InvalidDistance",
            "epsilon",
            epsilon,
            fix=LOSS_FIX,
            convert=to_loss,
            at_least=0,
        )
        return self._shown(self.curve(point))


# === PrivacyProfile.epsilon with Callable, ExactNumber, rational_argument, Extended,
#    to_loss, Any, attrs, ?, opendp_lite.base.aliases.ExactNumber, _DELTA_FIX,
#    opendp_lite.exact.rationals.Extended
@attrs.frozen(eq=False, repr=False)
class PrivacyProfile:
    curve: Callable[[Extended], Extended]
    def epsilon(self, delta: ExactNumber) -> Any:
        allowed = rational_argument(
            "InvalidDistance",
            "delta",
            delta,
            fix=_DELTA_FIX,
            convert=to_loss,
            at_least=0,
            at_most=1,
        )
        return self._shown(epsilon_at(self.curve, allowed))


# === PrivacyProfile.__call__ with ExactNumber, Any, attrs, ?,
#    opendp_lite.base.aliases.ExactNumber
@attrs.frozen(eq=False, repr=False)
class PrivacyProfile:
    def __call__(self, point: ExactNumber) -> Any:
        return self.delta(point)


# === PrivacyProfile._shown with mpq, present_number, Extended, Any, attrs, math,
#    opendp_lite.exact.rationals.Extended
@attrs.frozen(eq=False, repr=False)
class PrivacyProfile:
    exact: bool = False
    def _shown(self, value: Extended) -> Any:
        number = value if value == math.inf else mpq(value)
        return present_number(number, self.exact)


# === epsilon_at with Callable, mpq, power_of_two, Extended, Profile, math, _FIRST,
#    _SHARE, opendp_lite.exact.rationals.Extended
def epsilon_at(curve: Callable[[Extended], Extended], delta: mpq) -> Extended:
    if delta >= 1:
        return mpq(0)
    if isinstance(curve, Profile):
        return curve.epsilon(delta)
    if curve(mpq(0)) <= delta:
        return mpq(0)
    low, high = mpq(0), _FIRST
    while curve(high) > delta:
        if high >= _LARGEST:
            return math.inf
        low, high = high, high * high
    while high - low > high * _SHARE and high > _SMALL:
        middle = (low + high) / 2
        if curve(middle) <= delta:
            high = middle
        else:
            low = middle
    return high
