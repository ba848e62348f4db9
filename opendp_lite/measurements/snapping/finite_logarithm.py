"""Mironov's finite arithmetic of -lambda ln U, with words of a few bits more.

U is the exact uniform number, read bit by bit and cut off after w significant bits: the
number of its leading zeros is geometric and unbounded, and the w bits from the first
one on are the mantissa. The logarithm and the product are each rounded once, to w bits.
"""

from __future__ import annotations

import math

import attrs
import gmpy2
from gmpy2 import mpq

from opendp_lite.exact.directed import Context, context
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import End

GUARD_BITS = 6
"""How many bits the words have beyond the precision."""

LEAST_PRECISION = 4
"""The least precision that the proof of the privacy loss covers."""

# From this word on the roundings lose less than a part of 2^-100.
_CLOSE_WORD = 102


@attrs.frozen
class FiniteLogarithm:
    """M = -RN(lambda RN(ln T)), where T is U, cut off after w significant bits.

    U lies in (0, 1), lambda is `scale`, and w is `precision` plus 6. RN rounds to the
    nearest number of w significant bits, ties to even, with exponents of any size;
    lambda is rational, and its product with the logarithm is rounded once. M is
    positive, and nonincreasing in U.

    >>> noise = FiniteLogarithm(mpq(1), 4)
    >>> noise.magnitudes(1, 1)  # of U in [1/2, 1)
    (mpq(1,1024), mpq(355,512))
    >>> noise.magnitudes(0, 1)  # of U in (0, 1/2)
    (mpq(711,1024), inf)
    """

    scale: mpq
    precision: int
    word: int = attrs.field(init=False, repr=False, eq=False)
    nearest: Context = attrs.field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        if self.scale <= 0:  # proof: scale
            raise ValueError("scale must be positive")
        if self.precision < LEAST_PRECISION:  # proof: precision
            raise ValueError(f"precision must be at least {LEAST_PRECISION}")
        word = self.precision + GUARD_BITS  # proof: word
        object.__setattr__(self, "word", word)
        nearest = context(word, gmpy2.RoundToNearest)  # proof: context
        object.__setattr__(self, "nearest", nearest)

    @property
    def close(self) -> bool:
        """Whether always |M - lambda E| <= 2^-100 (1 + E) lambda, where E = -ln U."""
        return self.word >= _CLOSE_WORD  # proof: close

    def magnitudes(self, prefix: int, length: int) -> tuple[End, End]:
        """The least and the greatest M for 0 < U in [prefix, prefix + 1) / 2^length.

        At prefix 0 there is no greatest one, and inf is returned for it.
        """
        missing = max(self.word - prefix.bit_length(), 0)  # proof: missing
        exponent = length + missing
        last = (prefix + 1 << missing) - 1  # proof: last
        least = self._magnitude(last, exponent)  # proof: least
        if prefix == 0:
            return least, math.inf  # proof: unbounded
        if missing == 0:
            return least, least  # proof: known
        return least, self._magnitude(prefix << missing, exponent)  # proof: greatest

    def _magnitude(self, numerator: int, exponent: int) -> mpq:
        """M for U = numerator/2^exponent, which lies in (0, 1)."""
        # What lies beyond the word is cut off, so that the quotient is exact.
        beyond = max(numerator.bit_length() - self.word, 0)  # proof: beyond
        mantissa = numerator >> beyond  # proof: cut
        cut = self.nearest.div(mantissa, 1 << exponent - beyond)  # proof: exact
        n, e = self.nearest.log(cut).as_mantissa_exp()  # proof: logarithm
        # A rational times a power of two is rounded as the rational is.
        product = self.nearest.div(-n * self.scale.numerator, self.scale.denominator)
        m, f = product.as_mantissa_exp()  # proof: product
        return mpq(m) * power_of_two(int(e) + int(f))  # proof: value
