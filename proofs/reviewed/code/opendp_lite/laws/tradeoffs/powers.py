# ruff: noqa
# fmt: off
# What was read of opendp_lite.laws.tradeoffs.powers; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.elementary import expm1
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
import attrs

_ZERO = mpq(0)


# === EnclosedPowers with mpq, mpz, exp, expm1, power_of_two, Enclosure, attrs, _ZERO
@attrs.frozen
class EnclosedPowers:
    epsilon: mpq

    def power(self, times: int, precision: int) -> Enclosure:
        exponent = self.epsilon * mpz(times)
        if exponent < -precision:
            return Enclosure(_ZERO, power_of_two(-precision))
        return exp(exponent, precision)

    def less_one(self, times: int, precision: int) -> Enclosure:
        if self.epsilon * mpz(times) < -precision:
            return self.power(times, precision) - 1
        return expm1(self.epsilon * mpz(times), precision)

    def logarithm(self, precision: int) -> Enclosure:
        return Enclosure(self.epsilon, self.epsilon)


# === RationalPowers with mpq, mpz, ln, Enclosure, attrs
@attrs.frozen
class RationalPowers:
    base: mpq

    def power(self, times: int, precision: int) -> Enclosure:
        power = self.base ** mpz(times)
        return Enclosure(power, power)

    def less_one(self, times: int, precision: int) -> Enclosure:
        return self.power(times, precision) - 1

    def logarithm(self, precision: int) -> Enclosure:
        return ln(self.base, precision)
