# ruff: noqa
# fmt: off
# What was read of opendp_lite.randomness.lazy; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from opendp_lite.randomness.entropy import granularity
from opendp_lite.randomness.entropy import random_bits
from typing import TypeVar

T = TypeVar("T")


# === LazyUniform.__init__
class LazyUniform:
    def __init__(self, prefix: int = 0, length: int = 0) -> None:
        if length < 0 or not 0 <= prefix < 1 << length:
            raise ValueError(f"prefix must have at most length={length} bits")
        self.prefix = prefix
        self.length = length


# === LazyUniform.reveal with random_bits
class LazyUniform:
    def reveal(self, count: int) -> None:
        self.prefix = self.prefix << count | random_bits(count)
        self.length += count


# === LazyUniform.locate with Callable, granularity, TypeVar, T
class LazyUniform:
    def locate(self, decide: Callable[[int, int], T | None], first: int = 64) -> T:
        step = granularity()
        if step > 1 and self.length < first:
            self.reveal(first - self.length)
        while (answer := decide(self.prefix, self.length)) is None:
            self.reveal(step - self.length % step)
        return answer
