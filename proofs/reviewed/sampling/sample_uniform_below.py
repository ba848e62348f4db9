# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/sample_uniform_below; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.uniform:sample_uniform_below ===

from opendp_lite.sampling.lazy import LazyUniform

def sample_uniform_below(n: int) -> int:
    if n <= 0:
        raise ValueError(f"n must be positive, got {n}")

    return LazyUniform().locate(decide_scaled(n), max(64, n.bit_length() + 32))


# === opendp_lite.sampling.uniform:decide_scaled ===

from collections.abc import Callable

def decide_scaled(n: int) -> Callable[[int, int], int | None]:
    def decide(prefix: int, length: int) -> int | None:
        least = prefix * n >> length
        most = (prefix + 1) * n - 1 >> length
        return least if least == most else None

    return decide


# === opendp_lite.sampling.lazy:LazyUniform.__init__ ===

class LazyUniform:
    def __init__(self, prefix: int = 0, length: int = 0) -> None:
        if length < 0 or not 0 <= prefix < 1 << length:
            raise ValueError(f"prefix must have at most length={length} bits")
        self.prefix = prefix
        self.length = length
