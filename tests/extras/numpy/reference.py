"""Tails of a noisy count by the definition, in fractions: slow, and written apart.

The only number that is not exact is e^-epsilon, which is right to 70 digits, and exact
at epsilon = 0.
"""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache

HALF = Fraction(1, 2)


@cache
def exponential(epsilon: Fraction) -> Fraction:
    """e^epsilon to 70 digits."""
    with localcontext() as context:
        context.prec = 80
        ratio = Decimal(epsilon.numerator) / Decimal(epsilon.denominator)
        return Fraction(ratio.exp())


def tradeoff(a: Fraction, epsilon: Fraction, delta: Fraction) -> Fraction:
    """f(a) for (epsilon, delta)."""
    e = exponential(epsilon)
    return max(Fraction(0), 1 - delta - e * a, (1 - delta - a) / e)


@cache
def noise_cdf(x: Fraction, epsilon: Fraction, delta: Fraction) -> Fraction:
    """Definition 3.7 of Awan and Vadhan (2023)."""
    c = (1 - delta) / (1 + exponential(epsilon))
    if x < -HALF:
        return tradeoff(1 - noise_cdf(x + 1, epsilon, delta), epsilon, delta)
    if x > HALF:
        return 1 - tradeoff(noise_cdf(x - 1, epsilon, delta), epsilon, delta)
    return c * (HALF - x) + (1 - c) * (x + HALF)


def probability(size: int, theta: Fraction, k: int) -> Fraction:
    return math.comb(size, k) * theta**k * (1 - theta) ** (size - k)


def at_least(
    z: Fraction,
    d_in: Fraction,
    d_out: tuple[Fraction, Fraction],
    size: int,
    theta: Fraction,
) -> Fraction:
    """P(X + d_in N >= z)."""
    return sum(
        (
            probability(size, theta, k) * noise_cdf((k - z) / d_in, *d_out)
            for k in range(size + 1)
        ),
        Fraction(0),
    )


def lower_end(z: float) -> Fraction:
    """The least number that is rounded to the double."""
    return (Fraction(z) + Fraction(math.nextafter(z, -math.inf))) / 2


def upper_end(z: float) -> Fraction:
    """The greatest number that is rounded to the double."""
    return (Fraction(z) + Fraction(math.nextafter(z, math.inf))) / 2
