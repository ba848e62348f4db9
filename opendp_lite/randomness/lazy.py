"""A uniform number revealed bit by bit: the one primitive of the samplers.

Let U be uniform on [0, 1), that is, an infinite string of fair bits. A sampler
is a function f of U. It is evaluated from a prefix of U: ``decide(w, n)`` either
returns the value that f takes on all of [w/2^n, (w+1)/2^n), or returns None, and
then more bits are revealed.

Whatever number of bits is revealed at a time, the answer is f(U).
So 64 bits at a time from the operating system and single bits under an
enumeration have the same law, and nothing is approximated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from opendp_lite.randomness.entropy import granularity, random_bits

T = TypeVar("T")


class LazyUniform:
    """U in [0, 1), of which the first ``length`` bits are known.

    They are the integer ``prefix``, so that prefix <= U 2^length < prefix + 1.
    A number that is partly known already is continued by passing both.

    >>> u = LazyUniform()
    >>> u.locate(lambda w, n: None if n < 3 else w >= 0, first=3)
    True
    >>> u.length
    3
    """

    __slots__ = ("length", "prefix")

    def __init__(self, prefix: int = 0, length: int = 0) -> None:
        if length < 0 or not 0 <= prefix < 1 << length:  # proof: range
            raise ValueError(f"prefix must have at most length={length} bits")
        self.prefix = prefix
        self.length = length

    def reveal(self, count: int) -> None:
        """Make the next ``count`` bits known."""
        self.prefix = self.prefix << count | random_bits(count)  # proof: append
        self.length += count

    def locate(self, decide: Callable[[int, int], T | None], first: int = 64) -> T:
        """Reveal bits until ``decide(prefix, length)`` answers; return the answer.

        ``decide(w, n)`` must return an answer only where it is the same for
        every u in [w/2^n, (w+1)/2^n), and almost surely return one as n grows.
        ``first`` is the number of bits that usually suffice, asked for at once.
        Then they are revealed up to the next multiple of 64. Where the source serves
        single bits, ``decide`` is asked before each of them, the first included.
        """
        step = granularity()
        if step > 1 and self.length < first:  # proof: first
            self.reveal(first - self.length)
        while (answer := decide(self.prefix, self.length)) is None:  # proof: decide
            self.reveal(step - self.length % step)  # proof: reveal
        return answer
