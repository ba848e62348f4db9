# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/run_lanes; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.bulk:run_lanes ===

from opendp_lite.sampling.entropy import bulk
from opendp_lite.sampling.lanes import LaneBits
from typing import TypeAlias

Step: TypeAlias = "Callable[[LaneBits, slice | Lanes, Lanes], Array]"

def run_lanes(count: int, step: Step) -> None:
    with bulk() as stream:
        run_lanes_on(LaneBits(stream), count, step)


# === opendp_lite.sampling.bulk:run_lanes_on ===

from opendp_lite.sampling.lanes import LaneBits
from typing import TypeAlias
import numpy as np

CHUNK = 1 << 17
Step: TypeAlias = "Callable[[LaneBits, slice | Lanes, Lanes], Array]"

def run_lanes_on(bits: LaneBits, count: int, step: Step) -> None:
    again = []
    first = np.arange(min(CHUNK, count))
    for start in range(0, count, CHUNK):
        where = slice(start, min(start + CHUNK, count))
        lanes = first[: where.stop - start] + start
        again.append(lanes[step(bits, where, lanes)])
    while again:
        pending = np.concatenate(again)
        again = []
        for start in range(0, pending.size, CHUNK):
            lanes = pending[start : start + CHUNK]
            again.append(lanes[step(bits, lanes, lanes)])
