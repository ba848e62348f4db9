# ruff: noqa
# fmt: off
# What was read of opendp_lite.exact.rounding; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import Extended
import attrs
import math
import sys

BINARY64 = FloatFormat(53, -1074, 971)
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float


# === FloatFormat.__attrs_post_init__ with mpq, power_of_two, attrs
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


# === round_nearest with mpq, power_of_two, BINARY64
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


# === to_double with mpq
def to_double(x: mpq | int) -> float:
    return divide_to_double(int(x.numerator), int(x.denominator))


# === divide_to_double with sys
def divide_to_double(n: int, d: int) -> float:
    try:
        nearest = n / d
    except OverflowError:
        return sys.float_info.max if n > 0 else -sys.float_info.max
    return nearest + 0.0


# === round_up with Extended, math, opendp_lite.exact.rationals.Extended
def round_up(x: Extended) -> float:
    if isinstance(x, float):
        return _infinity(x)
    nearest = to_double(x)
    return nearest if nearest >= x else math.nextafter(nearest, math.inf)


# === round_down with Extended, math, opendp_lite.exact.rationals.Extended
def round_down(x: Extended) -> float:
    if isinstance(x, float):
        return _infinity(x)
    nearest = to_double(x)
    return nearest if nearest <= x else math.nextafter(nearest, -math.inf)


# === _infinity with math
def _infinity(x: float) -> float:
    if not math.isinf(x):
        raise TypeError("must be an int, a rational, or an infinity, got a float")
    return x


# === _half_even with mpz
def _half_even(n: mpz, d: mpz) -> mpz:
    quotient, remainder = divmod(n, d)
    twice = remainder << 1
    if twice > d or (twice == d and quotient.is_odd()):
        return quotient + mpz(1)
    return quotient
