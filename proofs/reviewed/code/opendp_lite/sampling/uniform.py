# ruff: noqa
# fmt: off
# What was read of opendp_lite.sampling.uniform; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from opendp_lite.sampling.lazy import LazyUniform


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
