"""Coins, uniform numbers, vectors of bits, and orders of rows.

A coin is true with a probability p that is rational, or e^(-x). It is the event U < p
for a uniform U. The first n bits w of U decide it where (w+1)/2^n <= p, for then U < p,
and where w/2^n >= p, for then U >= p.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from gmpy2 import mpq

from opendp_lite.exact.rounding import divide_to_double
from opendp_lite.laws.weights import bound_exponential
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.randomness.lanes import FEW_COINS, FEW_PLACES, is_bulk
from opendp_lite.randomness.lazy import LazyUniform


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


def sample_uniform_below(n: int) -> int:
    """Return each of 0, ..., n - 1 with probability 1/n: floor(U n) for a uniform U.

    >>> sample_uniform_below(1), sample_uniform_below(6) in range(6)
    (0, True)
    """
    if n <= 0:  # proof: range
        raise ValueError(f"n must be positive, got {n}")

    return LazyUniform().locate(decide_scaled(n), max(64, n.bit_length() + 32))


def decide_scaled(n: int) -> Callable[[int, int], int | None]:
    """Return floor(U n), from the first bits of U, for `LazyUniform.locate`."""

    def decide(prefix: int, length: int) -> int | None:
        least = prefix * n >> length  # proof: least
        # U n < (prefix+1) n / 2^length, so floor(U n) is below the ceiling of that.
        most = (prefix + 1) * n - 1 >> length  # proof: most
        return least if least == most else None

    return decide


_MOST_COINS = 1 << 22
"""About how many coins are tossed together: each takes a byte until it is packed."""


def sample_bit_vectors(p: mpq, size: int, count: int) -> bytes:
    """Return vectors of `size` bits, each a one with probability p, one behind another.

    A vector fills whole bytes, from their most significant bits on; the bits past
    `size` in its last byte are zero.

    >>> sample_bit_vectors(mpq(1), 10, 2).hex()
    'ffc0ffc0'

    Proof: proofs/randomness/sample_bit_vectors.tex
    """
    import numpy as np

    from opendp_lite.randomness.bulk_draws import sample_bernoullis

    length = -(-size // 8)  # proof: length
    if not is_bulk(size * count, FEW_COINS):
        vectors = bytearray(length * count)  # proof: zero
        for row in range(count):
            for i in range(size):
                coin = sample_bernoulli_rational(p)  # proof: coin
                vectors[row * length + i // 8] |= coin << 7 - i % 8  # proof: bit
        return bytes(vectors)
    parts = []
    step = max(1, _MOST_COINS // size)  # proof: step
    for start in range(0, count, step):
        rows = min(step, count - start)  # proof: part
        coins = sample_bernoullis(p, rows * size).reshape(rows, size)  # proof: coins
        parts.append(np.packbits(coins, axis=1).tobytes())  # proof: pack
    return b"".join(parts)  # proof: join


def sample_places(n: int, count: int) -> list[int]:
    """Return `count` different ones of 0, ..., n - 1, in any order equally likely.

    With `count` = n it is a uniform permutation.

    >>> sorted(sample_places(4, 4)), len(set(sample_places(1000, 10)))
    ([0, 1, 2, 3], 10)
    """
    if not 0 <= count <= n:  # proof: range
        raise ValueError(f"count must be from 0 to n={n}, got {count}")
    if not is_bulk(n, FEW_PLACES):
        return sample_places_singly(n, count)  # proof: few
    from opendp_lite.randomness.bulk_draws import sample_place_array

    places: list[int] = sample_place_array(n, count).tolist()  # proof: many
    return places


def sample_places_singly(n: int, count: int) -> list[int]:
    """Do what `sample_places` does, one place after the other (Fisher and Yates)."""
    places = list(range(n))  # proof: all
    for i in range(count):
        j = i + sample_uniform_below(n - i)  # proof: one
        places[i], places[j] = places[j], places[i]  # proof: swap
    return places[:count]  # proof: first


def sample_uniform_double(lower: float, upper: float) -> float:
    """Return RN(X), the double nearest to X, which is uniform on [lower, upper].

    >>> 0.5 <= sample_uniform_double(0.5, 2.0) <= 2.0
    True
    """
    if not -math.inf < lower < upper < math.inf:  # proof: range
        raise ValueError(f"bounds must be finite and in order, got {lower}, {upper}")
    return LazyUniform().locate(decide_double(lower, upper))  # proof: locate


def decide_double(lower: float, upper: float) -> Callable[[int, int], float | None]:
    """Return RN(lower + U (upper - lower)), from the first bits of U, for `locate`."""
    start, end = mpq(lower), mpq(upper)
    d = int(start.denominator * end.denominator)  # proof: denominator
    a, b = int(start * d), int((end - start) * d)  # proof: numerators

    def decide(prefix: int, length: int) -> float | None:
        below, scale = (a << length) + b * prefix, d << length  # proof: least
        least = divide_to_double(below, scale)
        most = divide_to_double(below + b, scale)  # proof: most
        return least if least == most else None  # proof: decided

    return decide
