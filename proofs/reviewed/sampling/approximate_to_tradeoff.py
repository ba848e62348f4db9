# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/approximate_to_tradeoff; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.tradeoffs:approximate_to_tradeoff ===

from collections.abc import Callable
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_target

def approximate_to_tradeoff(
    d_out: tuple[object, object],
) -> tuple[ApproximateTradeoff, Callable[[int], Enclosure]]:
    epsilon, delta = d_out
    tradeoff = ApproximateTradeoff(to_target(epsilon), to_target(delta))
    return tradeoff, tradeoff.fixed_point


# === opendp_lite.exact.rationals:to_target ===

from gmpy2 import mpq
from typing import Any

def to_target(value: Any) -> mpq:
    stored = to_mpq(value)
    if issubclass(type(value), float):
        return min(stored, to_mpq(float.__repr__(value)))
    if _is_numpy(value, "floating"):
        return min(stored, to_mpq(str(value)))
    return stored
