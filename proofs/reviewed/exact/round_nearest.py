# ruff: noqa
# fmt: off
# The code that was reviewed with the proof exact/round_nearest; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.exact.rounding:round_nearest ===

from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two

BINARY64 = FloatFormat(53, -1074, 971)

def round_nearest(x: mpq, fmt: FloatFormat = BINARY64) -> mpq:
    if fmt is BINARY64:
        return mpq(*to_double(x).as_integer_ratio())
    n, d = x.numerator, x.denominator
    length = n.bit_length() - d.bit_length()
    magnitude = abs(n)
    if magnitude << max(-length, 0) >= d << max(length, 0):
        length += 1
    e = max(length - fmt.significand_bits, fmt.min_exponent)
    if e >= 0:
        d <<= e
    else:
        magnitude <<= -e
    nearest = min(_half_even(magnitude, d) * power_of_two(e), fmt.largest)
    return -nearest if n < 0 else nearest


# === opendp_lite.exact.rounding:_half_even ===

from gmpy2 import mpz

def _half_even(n: mpz, d: mpz) -> mpz:
    quotient, remainder = divmod(n, d)
    twice = remainder << 1
    if twice > d or (twice == d and quotient.is_odd()):
        return quotient + mpz(1)
    return quotient


# === opendp_lite.exact.rounding:to_double ===

from gmpy2 import mpq

def to_double(x: mpq | int) -> float:
    return divide_to_double(int(x.numerator), int(x.denominator))


# === opendp_lite.exact.rounding:FloatFormat.__attrs_post_init__ ===

from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
import attrs

@attrs.frozen
class FloatFormat:
    significand_bits: int
    min_exponent: int
    max_exponent: int
    largest: mpq = attrs.field(init=False, repr=False, eq=False)
    def __attrs_post_init__(self) -> None:
        if self.significand_bits < 2:
            raise ValueError("significand_bits must be at least 2")
        if self.max_exponent < self.min_exponent:
            raise ValueError("max_exponent must be at least min_exponent")
        significand = power_of_two(self.significand_bits) - mpq(1)
        largest = significand * power_of_two(self.max_exponent)
        object.__setattr__(self, "largest", largest)


# === opendp_lite.exact.grids:power_of_two ===

from gmpy2 import mpq
from gmpy2 import mpz

def power_of_two(k: int) -> mpq:
    return mpq(mpz(1) << k) if k >= 0 else mpq(1, mpz(1) << -k)
