"""Bit sources for the tests: a script that ends, a replay, and the bit tree."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import TypeVar

from opendp_lite.randomness.entropy import use_source

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


class _Path:
    """The bits of a path, then zeros, up to ``depth``; where it takes one, it forks."""

    granularity = 1

    def __init__(self, prefix: int, length: int, depth: int) -> None:
        self.prefix = prefix
        self.length = length
        self.depth = depth
        self.used = 0
        self.forks: list[tuple[int, int]] = []

    def bits(self, count: int) -> int:
        used = self.used + count
        if used > self.depth:
            raise OutOfBits
        while self.length < used:
            self.prefix, self.length = 2 * self.prefix, self.length + 1
            self.forks.append((self.prefix + 1, self.length))
        self.used = used
        return self.prefix >> (self.length - used) & ((1 << count) - 1)


def enumerate_tree(
    sampler: Callable[[], T], depth: int
) -> tuple[dict[T, Fraction], Fraction]:
    """Exact masses of the outputs within ``depth`` bits, and the unresolved mass."""
    whole = 1 << depth  # masses are counted in parts of it
    law: dict[T, int] = {}
    unresolved = 0
    stack = [(0, 0)]
    while stack:
        path = _Path(*stack.pop(), depth)
        try:
            with use_source(path):
                output = sampler()
        except OutOfBits:
            # Nothing below this node can be given to an output.
            unresolved += whole >> path.used
        else:
            law[output] = law.get(output, 0) + (whole >> path.used)
        stack += path.forks
    assert sum(law.values(), unresolved) == whole
    masses = {output: Fraction(mass, whole) for output, mass in law.items()}
    return masses, Fraction(unresolved, whole)
