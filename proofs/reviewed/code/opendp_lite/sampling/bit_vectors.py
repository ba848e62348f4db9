# ruff: noqa
# fmt: off
# What was read of opendp_lite.sampling.bit_vectors; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.sampling.bernoulli import sample_bernoulli_rational
from opendp_lite.sampling.lanes import FEW_COINS
from opendp_lite.sampling.lanes import is_bulk

_MOST_COINS = 1 << 22
opendp_lite.sampling.lanes.FEW_COINS = 8


# === sample_bit_vectors with mpq, sample_bernoulli_rational, FEW_COINS, is_bulk,
#    _MOST_COINS, opendp_lite.sampling.lanes.FEW_COINS
def sample_bit_vectors(p: mpq, size: int, count: int) -> bytes:
    import numpy as np

    from opendp_lite.sampling.bulk_coins import sample_bernoullis

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
