"""Bits of lanes that can be replayed: each lane has a fixed string of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from opendp_lite.sampling.bulk import Step, run_lanes_on
from opendp_lite.sampling.entropy import use_source
from opendp_lite.sampling.lanes import Array, LaneBits, Lanes


class LaneString:
    """The string of one lane: SHA-256 in counter mode, behind a given beginning."""

    granularity = 64

    def __init__(self, seed: object, start: str = "") -> None:
        self.seed, self.text, self.position = seed, start, 0

    def bits(self, count: int) -> int:
        end = self.position + count
        block = 0
        while len(self.text) < end:
            data = f"{self.seed}:{block}:{len(self.text)}".encode()
            number = int.from_bytes(hashlib.sha256(data).digest(), "big")
            self.text += format(number, "0256b")
            block += 1
        part = self.text[self.position : end]
        self.position = end
        return int(part, 2) if part else 0


class ReplayedLanes(LaneBits):
    """Lanes that read given strings; it counts how often a lane goes on alone."""

    def __init__(self, strings: list[LaneString]) -> None:
        self.strings = strings
        self.alone = 0

    def integers(self, lanes: Lanes, bits: int) -> Array:
        kind = next(size for size in (8, 16, 32, 64) if bits <= size)
        values = [self.strings[lane].bits(bits) for lane in lanes]
        return np.array(values, dtype=f"uint{kind}")

    def lane(self, lane: int) -> AbstractContextManager[None]:
        self.alone += 1
        return use_source(self.strings[lane])


def assert_lanes_equal_single_draws(
    array: Callable[[Callable[..., None]], Array],
    single: Callable[[int], Any],
    starts: list[str],
    same_length: bool = True,
) -> int:
    """Draw an array and its lanes one by one from the same strings; compare.

    Afterwards each lane has read as many bits as the single draw, or, where
    `same_length` is false, no more. Returns how often a lane of the array went on
    alone.
    """
    lanes = ReplayedLanes([LaneString(i, text) for i, text in enumerate(starts)])

    def run(count: int, step: Step) -> None:
        run_lanes_on(lanes, count, step)

    drawn = array(run)
    assert len(drawn) == len(starts)
    for i, text in enumerate(starts):
        string = LaneString(i, text)
        with use_source(string):
            expected = single(i)
        assert drawn[i].item() == expected, (i, drawn[i], expected)
        read = lanes.strings[i].position
        assert read == string.position if same_length else read <= string.position, i
    return lanes.alone


def replayed(strings: list[LaneString]) -> Callable[..., None]:
    """`run_lanes` with these strings."""

    def run(count: int, step: Step) -> None:
        run_lanes_on(ReplayedLanes(strings), count, step)

    return run
