"""Coins: true with a probability that is rational, or e^(-x).

All of them are the event U < p for a uniform U. The first n bits w of U decide it
where (w+1)/2^n <= p, for then U < p, and where w/2^n >= p, for then U >= p.
"""

from __future__ import annotations

from collections.abc import Callable

from gmpy2 import mpq

from opendp_lite.laws.exponential import bound_exponential
from opendp_lite.sampling.entropy import random_bits
from opendp_lite.sampling.lazy import LazyUniform

__all__ = [
    "decide_below",
    "sample_bernoulli_exp",
    "sample_bernoulli_float",
    "sample_bernoulli_rational",
]


def sample_bernoulli_rational(p: mpq) -> bool:
    """Return True with probability p, for 0 <= p <= 1.

    >>> sample_bernoulli_rational(mpq(1)), sample_bernoulli_rational(mpq(0))
    (True, False)
    """
    if not 0 <= p <= 1:  # proof: range
        raise ValueError(f"p must be between 0 and 1, got {p}")
    return LazyUniform().locate(decide_below(p))  # proof: coin


def decide_below(p: mpq) -> Callable[[int, int], bool | None]:
    """Return whether U < p, from the first bits of U, for `LazyUniform.locate`."""
    numerator, denominator = int(p.numerator), int(p.denominator)

    def decide(prefix: int, length: int) -> bool | None:
        threshold = numerator << length
        if (prefix + 1) * denominator <= threshold:  # proof: below
            return True
        if prefix * denominator >= threshold:  # proof: above
            return False
        return None

    return decide


def sample_bernoulli_exp(x: mpq) -> bool:
    """Return True with probability e^(-x), for x >= 0: whether -ln U > x.

    >>> sample_bernoulli_exp(mpq(0)), sample_bernoulli_exp(mpq(10**300))
    (True, False)
    """
    if x < 0:  # proof: range
        raise ValueError(f"x must be non-negative, got {x}")
    numerator, denominator = int(x.numerator), int(x.denominator)

    def decide(prefix: int, length: int) -> bool | None:
        precision = length + 32
        lo, hi = bound_exponential(prefix, length, precision)
        threshold = numerator << precision
        if lo * denominator >= threshold:  # proof: longer
            return True
        if hi is not None and hi * denominator <= threshold:  # proof: shorter
            return False
        return None

    return LazyUniform().locate(decide)


def sample_bernoulli_float(p: float, constant_time: bool = False) -> bool:
    """Return True with probability p, the exact value of the float, for 0 <= p <= 1.

    With ``constant_time`` the number of random bits read depends on p only: it is
    the number m of binary digits of p after the point. Otherwise it depends on
    the coin. Python's own arithmetic takes no constant time in either case.

    >>> sample_bernoulli_float(1.0), sample_bernoulli_float(0.0, constant_time=True)
    (True, False)
    """
    if not 0 <= p <= 1:  # proof: range
        raise ValueError(f"p must be between 0 and 1, got {p}")
    # The denominator is 2^m.
    numerator, denominator = p.as_integer_ratio()  # proof: ratio
    if constant_time:
        return random_bits(denominator.bit_length() - 1) < numerator  # proof: integer
    return sample_bernoulli_rational(mpq(numerator, denominator))  # proof: coin
