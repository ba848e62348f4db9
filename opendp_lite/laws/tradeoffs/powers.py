"""Powers of e^epsilon: enclosed, or exact where e^epsilon itself is rational."""

from __future__ import annotations

import attrs
from gmpy2 import mpq, mpz

from opendp_lite.exact.enclosures import Enclosure, exp, expm1, ln
from opendp_lite.exact.grids import power_of_two

__all__ = ["EnclosedPowers", "RationalPowers"]

_ZERO = mpq(0)


@attrs.frozen
class EnclosedPowers:
    """The powers of e^epsilon for a rational epsilon: enclosures."""

    epsilon: mpq

    def power(self, times: int, precision: int) -> Enclosure:
        """Enclose e^(times epsilon)."""
        exponent = self.epsilon * mpz(times)
        if exponent < -precision:  # proof: tiny
            return Enclosure(_ZERO, power_of_two(-precision))
        return exp(exponent, precision)  # proof: power

    def less_one(self, times: int, precision: int) -> Enclosure:
        """Enclose e^(times epsilon) - 1."""
        if self.epsilon * mpz(times) < -precision:
            return self.power(times, precision) - 1  # proof: tiny-less-one
        return expm1(self.epsilon * mpz(times), precision)  # proof: less-one

    def logarithm(self, precision: int) -> Enclosure:
        """Enclose epsilon."""
        return Enclosure(self.epsilon, self.epsilon)


@attrs.frozen
class RationalPowers:
    """The powers of e^epsilon where it is rational itself: points."""

    base: mpq

    def power(self, times: int, precision: int) -> Enclosure:
        """Return e^(times epsilon)."""
        power = self.base ** mpz(times)
        return Enclosure(power, power)

    def less_one(self, times: int, precision: int) -> Enclosure:
        """Return e^(times epsilon) - 1."""
        return self.power(times, precision) - 1

    def logarithm(self, precision: int) -> Enclosure:
        """Enclose epsilon."""
        return ln(self.base, precision)
