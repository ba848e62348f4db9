# ruff: noqa
# fmt: off
# What was read of opendp_lite.randomness.draws; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.exact.rounding import divide_to_double
from opendp_lite.laws.weights import bound_exponential
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.randomness.lanes import FEW_COINS
from opendp_lite.randomness.lanes import FEW_PLACES
from opendp_lite.randomness.lanes import is_bulk
from opendp_lite.randomness.lazy import LazyUniform
import math

_MOST_COINS = 1 << 22
opendp_lite.randomness.lanes.FEW_COINS = 8
opendp_lite.randomness.lanes.FEW_PLACES = 16


# === sample_bernoulli_rational with mpq, LazyUniform
def sample_bernoulli_rational(p: mpq) -> bool:
    if not 0 <= p <= 1:
        raise ValueError(f"p must be between 0 and 1, got {p}")
    return LazyUniform().locate(decide_below(p))


# === decide_below with Callable, mpq
def decide_below(p: mpq) -> Callable[[int, int], bool | None]:
    numerator, denominator = int(p.numerator), int(p.denominator)

    def decide(prefix: int, length: int) -> bool | None:
        threshold = numerator << length
        if (prefix + 1) * denominator <= threshold:
            return True
        if prefix * denominator >= threshold:
            return False
        return None

    return decide


# === sample_bernoulli_exp with mpq, bound_exponential, LazyUniform
def sample_bernoulli_exp(x: mpq) -> bool:
    if x < 0:
        raise ValueError(f"x must be non-negative, got {x}")
    numerator, denominator = int(x.numerator), int(x.denominator)

    def decide(prefix: int, length: int) -> bool | None:
        precision = length + 32
        lo, hi = bound_exponential(prefix, length, precision)
        threshold = numerator << precision
        if lo * denominator >= threshold:
            return True
        if hi is not None and hi * denominator <= threshold:
            return False
        return None

    return LazyUniform().locate(decide)


# === sample_bernoulli_float with mpq, random_bits
def sample_bernoulli_float(p: float, constant_time: bool = False) -> bool:
    if not 0 <= p <= 1:
        raise ValueError(f"p must be between 0 and 1, got {p}")
    numerator, denominator = p.as_integer_ratio()
    if constant_time:
        return random_bits(denominator.bit_length() - 1) < numerator
    return sample_bernoulli_rational(mpq(numerator, denominator))


# === sample_uniform_below with LazyUniform
def sample_uniform_below(n: int) -> int:
    if n <= 0:
        raise ValueError(f"n must be positive, got {n}")

    return LazyUniform().locate(decide_scaled(n), max(64, n.bit_length() + 32))


# === decide_scaled with Callable
def decide_scaled(n: int) -> Callable[[int, int], int | None]:
    def decide(prefix: int, length: int) -> int | None:
        least = prefix * n >> length
        most = (prefix + 1) * n - 1 >> length
        return least if least == most else None

    return decide


# === sample_bit_vectors with mpq, FEW_COINS, is_bulk, _MOST_COINS,
#    opendp_lite.randomness.lanes.FEW_COINS
def sample_bit_vectors(p: mpq, size: int, count: int) -> bytes:
    import numpy as np

    from opendp_lite.randomness.bulk_draws import sample_bernoullis

    length = -(-size // 8)
    if not is_bulk(size * count, FEW_COINS):
        vectors = bytearray(length * count)
        for row in range(count):
            for i in range(size):
                coin = sample_bernoulli_rational(p)
                vectors[row * length + i // 8] |= coin << 7 - i % 8
        return bytes(vectors)
    parts = []
    step = max(1, _MOST_COINS // size)
    for start in range(0, count, step):
        rows = min(step, count - start)
        coins = sample_bernoullis(p, rows * size).reshape(rows, size)
        parts.append(np.packbits(coins, axis=1).tobytes())
    return b"".join(parts)


# === sample_places with FEW_PLACES, is_bulk, opendp_lite.randomness.lanes.FEW_PLACES
def sample_places(n: int, count: int) -> list[int]:
    if not 0 <= count <= n:
        raise ValueError(f"count must be from 0 to n={n}, got {count}")
    if not is_bulk(n, FEW_PLACES):
        return sample_places_singly(n, count)
    from opendp_lite.randomness.bulk_draws import sample_place_array

    places: list[int] = sample_place_array(n, count).tolist()
    return places


# === sample_places_singly
def sample_places_singly(n: int, count: int) -> list[int]:
    places = list(range(n))
    for i in range(count):
        j = i + sample_uniform_below(n - i)
        places[i], places[j] = places[j], places[i]
    return places[:count]


# === sample_uniform_double with LazyUniform, math
def sample_uniform_double(lower: float, upper: float) -> float:
    if not -math.inf < lower < upper < math.inf:
        raise ValueError(f"bounds must be finite and in order, got {lower}, {upper}")
    return LazyUniform().locate(decide_double(lower, upper))


# === decide_double with Callable, mpq, divide_to_double
def decide_double(lower: float, upper: float) -> Callable[[int, int], float | None]:
    start, end = mpq(lower), mpq(upper)
    d = int(start.denominator * end.denominator)
    a, b = int(start * d), int((end - start) * d)

    def decide(prefix: int, length: int) -> float | None:
        below, scale = (a << length) + b * prefix, d << length
        least = divide_to_double(below, scale)
        most = divide_to_double(below + b, scale)
        return least if least == most else None

    return decide
