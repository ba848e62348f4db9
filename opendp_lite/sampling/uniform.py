"""A uniform integer below a bound."""

from __future__ import annotations

from collections.abc import Callable

from opendp_lite.sampling.lazy import LazyUniform

__all__ = ["decide_scaled", "sample_uniform_below"]


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
