"""Proposals by blocks: the common part of integer and of real noise.

The weights are e^(-rate t^power) for t >= 0, in units of one block. A block y is drawn
from the table of the weights at the lower ends 0, 1, 2, ..., and a place t in [y, y+1]
is accepted with probability e^(-loss), where loss = rate (t^power - y^power). So every
place is proposed and accepted with a probability proportional to its own weight.
"""

from __future__ import annotations

from array import array
from functools import cached_property, lru_cache

from gmpy2 import mpq

from opendp_lite.laws.weights import bound_exponential
from opendp_lite.randomness.lazy import LazyUniform
from opendp_lite.randomness.table import Table

TEST_BITS = 15
"""How many bits of the test are read at once."""


class Blocks:
    """The table of the blocks, and the tests that accept a place in a block.

    The power is 1 or 2, and the rate at least 2^-16.
    """

    def __init__(self, rate: mpq, power: int) -> None:
        self.rate = rate
        self.power = power
        self.numerator, self.denominator = int(rate.numerator), int(rate.denominator)
        self.table = Table(rate, power, sides=1)  # proof: table

    @cached_property
    def quick(self) -> list[int]:
        """Integers q_y <= 2^15 e^(-loss) for every place in block y.

        The loss is greatest at the upper end, where e^(-loss) is the ratio of two
        neighbouring weights. So a test that begins with 15 bits below q_y accepts.
        """
        weights = self.table.weights(64)
        neighbours = zip(weights.lower[1:], weights.upper, strict=False)
        return [(low << TEST_BITS) // high for low, high in neighbours]  # proof: quick

    @cached_property
    def sure(self) -> tuple[array[int], list[int]]:
        """The cells of the table, and the quick tests with a last one of 0.

        Where the entry y of a cell is at least 0, it is the block of the cell; if the
        first 15 bits of the test are below the quick test at y, they accept it.
        """
        return self.table.cells(), [*self.quick, 0]  # proof: sure

    def accepts_quickly(self, y: int, test: int) -> bool:
        """Whether a test that begins with these 15 bits accepts all of block y."""
        quick = self.quick
        return y < len(quick) and test < quick[y]  # proof: below

    def loss(self, y: int, place: int, bits: int) -> tuple[int, int]:
        """The loss at t = y + place/2^bits, as a numerator and a denominator."""
        if self.power == 1:
            return self.numerator * place, self.denominator << bits  # proof: linear
        square = place * ((y << bits + 1) + place)  # proof: square
        return self.numerator * square, self.denominator << 2 * bits

    def decide(
        self, y: int, least: int, most: int, bits: int, prefix: int, length: int
    ) -> bool | None:
        """Whether a test U accepts, if it is the same for all places and all tests.

        The places are y + p/2^bits with least <= p <= most; `prefix` is the first
        `length` bits of U. U accepts a place where -ln U > loss.
        """
        # Where 1 - loss and 1 - loss + loss^2/2 tell, no logarithm is needed.
        n, d = self.loss(y, most, bits)
        if (prefix + 1) * d <= (d - n) << length:  # proof: accept-line
            return True
        m, _ = self.loss(y, least, bits)
        curve = 2 * d * (d - m) + m * m
        if 2 * d * d * prefix >= curve << length:  # proof: reject-curve
            return False
        precision = length + 32
        low, high = bound_exponential(prefix, length, precision)
        if low * d >= n << precision:  # proof: accept
            return True
        if high is not None and high * d <= m << precision:  # proof: reject
            return False
        return None

    def accepts(self, y: int, place: int, bits: int, test: LazyUniform) -> bool:
        """Whether the test accepts the place y + place/2^bits."""
        return test.locate(  # proof: search
            lambda w, n: self.decide(y, place, place, bits, w, n)
        )


@lru_cache(maxsize=64)
def blocks(rate: mpq, power: int) -> Blocks:
    """Return the blocks of a rate and a power, made once."""
    return Blocks(rate, power)
