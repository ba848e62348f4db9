"""Random vectors of bits that are ones with a given probability."""

from __future__ import annotations

from gmpy2 import mpq

from opendp_lite.sampling.bernoulli import sample_bernoulli_rational
from opendp_lite.sampling.lanes import FEW_COINS, is_bulk

__all__ = ["sample_bit_vectors"]

_MOST_COINS = 1 << 22
"""About how many coins are tossed together: each takes a byte until it is packed."""


def sample_bit_vectors(p: mpq, size: int, count: int) -> bytes:
    """Return vectors of `size` bits, each a one with probability p, one behind another.

    A vector fills whole bytes, from their most significant bits on; the bits past
    `size` in its last byte are zero.

    >>> sample_bit_vectors(mpq(1), 10, 2).hex()
    'ffc0ffc0'

    Proof: proofs/sampling/sample_bit_vectors.tex
    """
    import numpy as np

    from opendp_lite.sampling.bulk_coins import sample_bernoullis

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
