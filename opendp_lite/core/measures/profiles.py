"""Privacy profiles: the delta that goes with an epsilon, and the other way round.

Both are upper bounds. Lower ones, and so `bounds(epsilon)`, need the laws from which a
profile comes: conversions know a loss only, and there is none here until profiles are
composed of laws.

Proof: proofs/lemmas/profiles.tex
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.base.features import assert_features
from opendp_lite.core.measures.measure import LOSS_FIX
from opendp_lite.core.metrics.metric import present_number
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import Extended, to_loss
from opendp_lite.laws.conversions import Profile

if TYPE_CHECKING:
    from opendp_lite.show.pictures.figures import ThemeName


_DELTA_FIX = "Pass a probability such as 1e-9"
# Where the search for an epsilon begins, and where it ends.
_FIRST, _LARGEST = mpq(2), power_of_two(512)
_SHARE, _SMALL = power_of_two(-60), power_of_two(-256)


@attrs.frozen(eq=False, repr=False)
class PrivacyProfile:
    """A privacy profile, to be read: delta(epsilon) and epsilon(delta), rounded up.

    A release with this profile is (epsilon, delta(epsilon))-differentially private for
    every epsilon. `curve` has exact numbers; `exact` says to show them as fractions. An
    epsilon or a delta that is a float means the greater of its binary value and the
    decimal it prints as, as every loss does; text such as "0.1" means itself.
    """

    curve: Callable[[Extended], Extended]
    exact: bool = False

    def delta(self, epsilon: ExactNumber) -> Any:
        """Return a delta that suffices at epsilon, which is at least 0.

        >>> import opendp_lite.prelude as dp
        >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
        >>> noisy = dp.c.make_approximate(dp.m.make_laplace(*space, scale=1))
        >>> dp.c.make_fixed_approxDP_to_approxDP(noisy).map(1).delta(epsilon=1)
        0.0
        """
        point = rational_argument(
            "InvalidDistance",
            "epsilon",
            epsilon,
            fix=LOSS_FIX,
            convert=to_loss,
            at_least=0,
        )
        return self._shown(self.curve(point))  # proof: delta

    def epsilon(self, delta: ExactNumber) -> Any:
        """Return an epsilon at which delta suffices; infinite if none is known.

        >>> import opendp_lite.prelude as dp
        >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
        >>> noisy = dp.m.make_gaussian(*space, scale=1)
        >>> dp.c.make_zCDP_to_approxDP(noisy).map(1).epsilon(delta=1e-6)
        5.221534444530169
        """
        allowed = rational_argument(
            "InvalidDistance",
            "delta",
            delta,
            fix=_DELTA_FIX,
            convert=to_loss,
            at_least=0,
            at_most=1,
        )
        return self._shown(epsilon_at(self.curve, allowed))  # proof: epsilon

    def __call__(self, point: ExactNumber) -> Any:
        """As `delta`."""
        return self.delta(point)  # proof: call

    def plot(
        self, deltas: Sequence[ExactNumber] = (1e-6,), theme: ThemeName = "light"
    ) -> Any:
        """Return a picture, a figure of matplotlib: delta over epsilon.

        The extra `plots` is needed. A picture is for people: nothing is decided by it.

        :param deltas: where pairs (epsilon, delta) are marked
        :param theme: "light" or "dark"
        """
        from opendp_lite.show.pictures.figures import profile_picture

        return profile_picture({"": self}, deltas, theme)

    def _shown(self, value: Extended) -> Any:
        number = value if value == math.inf else mpq(value)
        return present_number(number, self.exact)  # proof: shown

    def __repr__(self) -> str:
        return "PrivacyProfile(delta(epsilon))"


def epsilon_at(curve: Callable[[Extended], Extended], delta: mpq) -> Extended:
    """Return an epsilon at which the curve is at most delta; infinite if none is found.

    Of a curve without an inverse it is the least one if the curve falls, rounded up.
    """
    if delta >= 1:  # proof: one
        return mpq(0)
    if isinstance(curve, Profile):
        return curve.epsilon(delta)  # proof: inverse
    if curve(mpq(0)) <= delta:  # proof: zero
        return mpq(0)
    low, high = mpq(0), _FIRST
    while curve(high) > delta:  # proof: reach
        if high >= _LARGEST:  # proof: never
            return math.inf
        low, high = high, high * high  # proof: further
    while high - low > high * _SHARE and high > _SMALL:  # proof: halve
        middle = (low + high) / 2
        if curve(middle) <= delta:  # proof: middle
            high = middle
        else:
            low = middle
    return high  # proof: found


def new_privacy_profile(curve: Callable[[Any], Any]) -> PrivacyProfile:
    """Return the privacy profile of a curve of the user's own.

    The map of a measurement of the user's own may return it. That its deltas suffice
    cannot be checked: the feature `honest-but-curious` is needed.

    :param curve: from epsilon, a Fraction of at least 0 or inf, to delta, between 0 and
        1; it should not rise

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("honest-but-curious")
    >>> profile = dp.new_privacy_profile(lambda eps: 1.0 if eps < 0.5 else 1e-8)
    >>> profile.delta(epsilon=0.499), profile.epsilon(delta=1e-8)
    (1.0, 0.5)
    >>> profile.epsilon(delta=1e-9)
    inf
    >>> dp.disable_features("honest-but-curious")
    """
    assert_features("honest-but-curious", what="new_privacy_profile")
    if not callable(curve):
        rule, fix = "must be callable", "Pass a function from epsilon to delta"
        raise refusal("InvalidDistance", "curve", curve, rule, fix)

    def exact(epsilon: Extended) -> Extended:
        delta: Extended = rational_argument(
            "InvalidDistance",
            "curve(epsilon)",
            curve(present_number(epsilon, exact=True)),
            fix=_DELTA_FIX,
            convert=to_loss,
            at_least=0,
            at_most=1,
        )
        return delta

    return PrivacyProfile(exact)
