"""Grids of multiples of a power of two, in exact arithmetic.

The grid of exponent k is the set of all m 2^k, m an integer; k may be negative.
"""

from __future__ import annotations

from gmpy2 import mpq, mpz


def power_of_two(k: int) -> mpq:
    """Return 2^k.

    >>> power_of_two(3), power_of_two(-2)
    (mpq(8,1), mpq(1,4))
    """
    return mpq(mpz(1) << k) if k >= 0 else mpq(1, mpz(1) << -k)


def exponent_at_least(x: mpq) -> int:
    r"""Return the least integer k with :math:`2^k \ge x`, for x > 0.

    With x = n/d, and k0 the bit length of n less the bit length of d,
    :math:`2^{k_0-1} < x < 2^{k_0+1}`, so k is k0 or k0 + 1. No logarithm is taken.

    >>> [exponent_at_least(x) for x in (mpq(8), mpq(9), mpq(1, 3))]
    [3, 4, -1]
    """
    if x <= 0:
        raise ValueError("must be positive")
    n, d = x.numerator, x.denominator
    k = n.bit_length() - d.bit_length()
    reached = n <= d << k if k >= 0 else n << -k <= d
    return k if reached else k + 1


def nearest_multiple(x: mpq, k: int) -> int:
    r"""Return the m with m 2^k nearest to x: :math:`\lfloor x/2^k + 1/2 \rfloor`.

    Of two equally near multiples the greater is taken, for negative x too, so that
    the rounding commutes with shifts by multiples of 2^k.

    >>> [nearest_multiple(mpq(n, 2), 0) for n in (-3, -1, 1, 3)]
    [-1, 0, 1, 2]
    """
    n, d = _quotient(x, k)
    return int(((n << 1) + d) // (d << 1))


def floor_multiple(x: mpq, k: int) -> int:
    r"""Return the greatest m with :math:`m 2^k \le x`.

    >>> floor_multiple(mpq(-7, 2), 1)
    -2
    """
    n, d = _quotient(x, k)
    return int(n // d)


def ceil_multiple(x: mpq, k: int) -> int:
    r"""Return the least m with :math:`m 2^k \ge x`.

    >>> ceil_multiple(mpq(-7, 2), 1)
    -1
    """
    n, d = _quotient(x, k)
    return int(-(-n // d))


def _quotient(x: mpq, k: int) -> tuple[mpz, mpz]:
    """Integers n and d > 0 with n/d = x/2^k."""
    n, d = x.numerator, x.denominator
    return (n, d << k) if k >= 0 else (n << -k, d)
