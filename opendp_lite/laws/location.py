r"""Tradeoffs of a law against its shift: Gaussian and Laplace.

Let G be the distribution function of a law that is symmetric about 0 and has a positive
density with a concave logarithm. The tradeoff of this law against itself shifted by
:math:`\mu > 0` is

.. math:: f(a) = G(G^{-1}(1 - a) - \mu), \qquad c = G(-\mu/2).

So the steps of canonical noise are shifts by :math:`\mu` on the scale of
:math:`G^{-1}`, and any number of them costs as much as one.
"""

from __future__ import annotations

import math

import attrs
from gmpy2 import mpq, mpz

from opendp_lite.exact.enclosures import exp, expm1, ln, sqrt
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.intervals import Argument, Enclosure, End
from opendp_lite.exact.normal import erf, erfc, normal_quantile
from opendp_lite.exact.rationals import to_target
from opendp_lite.laws.tradeoff import Tradeoff
from opendp_lite.laws.variance import enclose_variance

_ZERO, _HALF, _ONE, _TWO, _FOUR = mpq(0), mpq(1, 2), mpq(1), mpq(2), mpq(4)
# erfc magnifies the relative error of a large argument.
_WIDER = 64


@attrs.frozen
class LocationTradeoff(Tradeoff):
    """The tradeoff of a law against its shift by mu > 0.

    A subclass gives the distribution function and its inverse, at single numbers, and
    the profile. A float means the lesser of its binary value and the decimal that it
    prints as.
    """

    mu: mpq = attrs.field(converter=to_target, repr=str)

    @mu.validator
    def _positive(self, _: object, mu: mpq) -> None:
        if mu <= 0:  # proof: range
            raise ValueError(f"mu must be positive, got {mu}")

    def distribution_at(self, z: End, precision: int) -> Enclosure:
        """Enclose G(z); z may be infinite."""
        raise TypeError(f"{type(self).__name__} does not say what its law is")

    def quantile_at(self, u: mpq, precision: int) -> Enclosure:
        """Enclose the z with G(z) = u, for 0 < u < 1."""
        raise TypeError(f"{type(self).__name__} does not say what its law is")

    def profile(self, epsilon: mpq, precision: int) -> Enclosure:
        """Enclose the least delta with 1 - f(a) <= e^epsilon a + delta for all a."""
        raise TypeError(f"{type(self).__name__} does not say what its profile is")

    def distribution(self, z: Enclosure, precision: int) -> Enclosure:
        """Enclose G on an interval."""
        lowest = self.distribution_at(z.lo, precision)
        if z.lo == z.hi:
            return lowest
        highest = self.distribution_at(z.hi, precision)
        return Enclosure(lowest.lo, highest.hi)  # proof: increasing

    def quantile(self, u: Argument, precision: int) -> Enclosure:
        """Enclose the inverse of G at a point or on an interval; infinite at 0 and 1.

        Of an interval that reaches beyond 0 or 1 the part between is meant.
        """
        lo, hi = (u.lo, u.hi) if isinstance(u, Enclosure) else (mpq(u), mpq(u))
        lowest = self._quantile_end(lo, precision)
        if lo == hi:
            return lowest
        highest = self._quantile_end(hi, precision)
        return Enclosure(lowest.lo, highest.hi)  # proof: inverse

    def _quantile_end(self, u: End, precision: int) -> Enclosure:
        if u <= 0:  # proof: bottom
            return Enclosure(-math.inf, -math.inf)
        if u >= 1:  # proof: top
            return Enclosure(math.inf, math.inf)
        return self.quantile_at(mpq(u), precision)

    def value(self, a: Argument, precision: int) -> Enclosure:
        """Enclose f(a)."""
        rest = _ONE - a if isinstance(a, Enclosure) else _ONE - mpq(a)
        return self.lowered(rest, 1, precision)  # proof: value

    def fixed_point(self, precision: int) -> Enclosure:
        """Enclose c."""
        return self.distribution_at(-self.mu / _TWO, precision)  # proof: c

    def lowered(self, u: Argument, steps: int, precision: int) -> Enclosure:
        """As in `Tradeoff`, by one shift."""
        z = self.quantile(u, precision)
        return self.distribution(z - self.mu * mpz(steps), precision)  # proof: lowered

    def raised(self, u: Argument, steps: int, precision: int) -> Enclosure:
        """As in `Tradeoff`, by one shift."""
        z = self.quantile(u, precision)
        return self.distribution(z + self.mu * mpz(steps), precision)  # proof: raised

    def steps(self, u: mpq, precision: int) -> tuple[int, int]:
        """As in `Tradeoff`, by a quotient; u is positive."""
        # The number is seldom in doubt, and the bounds may be wide.
        z = self.quantile(u, precision // 2 + 32)
        count = -z / self.mu - _HALF  # proof: quotient
        least, most = ceil_multiple(mpq(count.lo), 0), ceil_multiple(mpq(count.hi), 0)
        return max(least, 0), max(most, 0)  # proof: count

    def variance(self, precision: int) -> Enclosure:
        """As in `Tradeoff`."""
        return enclose_variance(self, precision)  # proof: variance


@attrs.frozen
class GaussianTradeoff(LocationTradeoff):
    r"""The tradeoff of normal laws of variance 1 whose means differ by mu.

    .. math:: f(a) = \Phi(\Phi^{-1}(1 - a) - \mu), \qquad c = \Phi(-\mu/2).

    >>> c = GaussianTradeoff(2).fixed_point(64)
    >>> bool(mpq("0.158655253931457051") < c.lo < c.hi < mpq("0.158655253931457052"))
    True
    """

    def distribution_at(self, z: End, precision: int) -> Enclosure:
        """Enclose Phi(z)."""
        root = sqrt(_HALF, precision + _WIDER)
        tail = erfc(-(Enclosure(z, z) * root), precision)
        return tail * _HALF  # proof: phi

    def quantile_at(self, u: mpq, precision: int) -> Enclosure:
        """Enclose the inverse of Phi at u."""
        return normal_quantile(u, precision)  # proof: inverse-phi

    def density(self, precision: int) -> Enclosure:
        """As in `Tradeoff`, narrow also where it is small."""
        return erf(sqrt(_HALF, precision) * (self.mu / _TWO), precision)  # proof: erf

    def profile(self, epsilon: mpq, precision: int) -> Enclosure:
        """As in `LocationTradeoff`."""
        place, half = -mpq(epsilon) / self.mu, self.mu / _TWO
        gain = self.distribution_at(place + half, precision)
        cost = self.distribution_at(place - half, precision)
        return gain - exp(mpq(epsilon), precision) * cost  # proof: profile


@attrs.frozen
class LaplaceTradeoff(LocationTradeoff):
    r"""The tradeoff of Laplace laws of scale 1 whose centres differ by mu.

    .. math::

        f(a) = 1 - e^\mu a, \quad e^{-\mu}/(4a), \quad e^{-\mu}(1 - a)

    for a up to :math:`e^{-\mu}/2`, from there to 1/2, and above; c is
    :math:`e^{-\mu/2}/2`.

    >>> c = LaplaceTradeoff(2).fixed_point(64)
    >>> bool(mpq("0.183939720585721160") < c.lo < c.hi < mpq("0.183939720585721161"))
    True
    """

    def distribution_at(self, z: End, precision: int) -> Enclosure:
        """Enclose G(z): e^z/2 up to 0, and 1 - e^(-z)/2 above."""
        if z > 0:
            return _ONE - self.distribution_at(-z, precision)  # proof: mirrored
        if isinstance(z, float):
            return Enclosure(_ZERO, _ZERO)  # proof: nothing
        return exp(z, precision) * _HALF  # proof: half

    def quantile_at(self, u: mpq, precision: int) -> Enclosure:
        """Enclose ln(2u) up to 1/2, and -ln(2 - 2u) above."""
        if u > _HALF:
            return -ln(_TWO - _TWO * u, precision)  # proof: upper
        return ln(_TWO * u, precision)  # proof: lower

    def density(self, precision: int) -> Enclosure:
        """As in `Tradeoff`, narrow also where it is small."""
        return -expm1(-self.mu / _TWO, precision)  # proof: density

    def profile(self, epsilon: mpq, precision: int) -> Enclosure:
        """As in `LocationTradeoff`."""
        if epsilon >= self.mu:  # proof: pure
            return Enclosure(_ZERO, _ZERO)
        return -expm1((mpq(epsilon) - self.mu) / _TWO, precision)  # proof: profile

    def variance(self, precision: int) -> Enclosure:
        """As in `Tradeoff`, in closed form."""
        q = exp(-self.mu, precision)
        rest = -expm1(-self.mu, precision)
        s = self.density(precision)
        # The integrals of F(w - 1) e^mu and of w F(w - 1) e^mu for |w| < 1/2.
        area = (self.mu / s - s + _TWO) / mpq(8)  # proof: area
        moment = s / mpq(24) - mpq(1, 16) - (_TWO - self.mu / s) / (s * mpq(16))
        cells = q / rest * (area / rest - moment)  # proof: cells
        return cells * _FOUR + mpq(1, 4) - s / mpq(6)  # proof: sum
