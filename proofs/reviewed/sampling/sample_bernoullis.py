# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/sample_bernoullis; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.bulk_coins:sample_bernoullis ===

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.sampling.bernoulli import decide_below
from opendp_lite.sampling.bernoulli import sample_bernoulli_rational
from opendp_lite.sampling.bulk import is_bulk
from opendp_lite.sampling.bulk import run_lanes
from opendp_lite.sampling.lanes import Array
from opendp_lite.sampling.lanes import LaneBits
from opendp_lite.sampling.lanes import Lanes
from opendp_lite.sampling.lazy import LazyUniform
import numpy as np

_CELL_BITS = 16
_NONE = np.empty(0, dtype=np.int64)
opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'

def sample_bernoullis(
    p: mpq, count: int, run: Callable[..., None] = run_lanes
) -> Array:
    if not 0 <= p <= 1:
        raise ValueError(f"p must be between 0 and 1, got {p}")
    if not is_bulk(count):
        few = [sample_bernoulli_rational(p) for _ in range(count)]
        return np.array(few, dtype=bool)
    cell = int((p.numerator << _CELL_BITS) // p.denominator)
    decide = decide_below(p)
    out = np.empty(count, dtype=bool)

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        prefix = bits.integers(lanes, _CELL_BITS)
        coins = prefix < cell
        for i in np.flatnonzero(prefix == cell):
            with bits.lane(lanes[i]):
                coins[i] = LazyUniform(cell, _CELL_BITS).locate(decide)
        out[where] = coins
        return _NONE

    run(count, step)
    return out


# === opendp_lite.sampling.bernoulli:decide_below ===

from collections.abc import Callable
from gmpy2 import mpq

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


# === opendp_lite.sampling.bulk:is_bulk ===

from opendp_lite.sampling.entropy import granularity

_FEW = 8

def is_bulk(count: int) -> bool:
    return count >= _FEW and granularity() > 1


# === opendp_lite.sampling.lazy:LazyUniform.__init__ ===

class LazyUniform:
    def __init__(self, prefix: int = 0, length: int = 0) -> None:
        if length < 0 or not 0 <= prefix < 1 << length:
            raise ValueError(f"prefix must have at most length={length} bits")
        self.prefix = prefix
        self.length = length
