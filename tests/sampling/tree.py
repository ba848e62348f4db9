"""Bit sources for the tests: a script that ends, a replay, and the bit tree."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import TypeVar

from opendp_lite.sampling.entropy import use_source

T = TypeVar("T", bound=Hashable)


class OutOfBits(Exception):
    pass


class Script:
    """The bits of ``prefix`` (``length`` of them), then OutOfBits."""

    def __init__(self, prefix: int, length: int, granularity: int = 1) -> None:
        self.prefix = prefix
        self.length = length
        self.granularity = granularity
        self.used = 0

    def bits(self, count: int) -> int:
        if self.used + count > self.length:
            raise OutOfBits
        self.used += count
        return self.prefix >> (self.length - self.used) & ((1 << count) - 1)


def run(sampler: Callable[[], T], prefix: int, length: int, granularity: int = 1) -> T:
    with use_source(Script(prefix, length, granularity)):
        return sampler()


def bits_used(sampler: Callable[[], object], prefix: int, length: int) -> int:
    script = Script(prefix, length)
    with use_source(script):
        sampler()
    return script.used


def enumerate_tree(
    sampler: Callable[[], T], depth: int
) -> tuple[dict[T, Fraction], Fraction]:
    """Exact masses of the outputs within ``depth`` bits, and the unresolved mass."""
    law: dict[T, Fraction] = {}
    unresolved = Fraction(0)
    stack = [(0, 0)]
    while stack:
        prefix, length = stack.pop()
        try:
            output = run(sampler, prefix, length)
        except OutOfBits:
            if length == depth:
                unresolved += Fraction(1, 1 << depth)
            else:
                stack += [(2 * prefix, length + 1), (2 * prefix + 1, length + 1)]
            continue
        law[output] = law.get(output, Fraction(0)) + Fraction(1, 1 << length)
    assert sum(law.values(), unresolved) == 1
    return law, unresolved
