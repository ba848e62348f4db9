# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/locate; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.lazy:LazyUniform.__init__ ===

class LazyUniform:
    def __init__(self, prefix: int = 0, length: int = 0) -> None:
        if length < 0 or not 0 <= prefix < 1 << length:
            raise ValueError(f"prefix must have at most length={length} bits")
        self.prefix = prefix
        self.length = length


# === opendp_lite.sampling.lazy:LazyUniform.reveal ===

from opendp_lite.sampling.entropy import random_bits

class LazyUniform:
    def reveal(self, count: int) -> None:
        self.prefix = self.prefix << count | random_bits(count)
        self.length += count


# === opendp_lite.sampling.lazy:LazyUniform.locate ===

from collections.abc import Callable
from opendp_lite.sampling.entropy import granularity
from typing import TypeVar

T = TypeVar("T")

class LazyUniform:
    def locate(self, decide: Callable[[int, int], T | None], first: int = 64) -> T:
        step = granularity()
        if step > 1 and self.length < first:
            self.reveal(first - self.length)
        while (answer := decide(self.prefix, self.length)) is None:
            self.reveal(step - self.length % step)
        return answer
