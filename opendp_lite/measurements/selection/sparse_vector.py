"""The first answers at or above a noisy threshold: the sparse vector technique.

The noise is exponential, so that an answer x is at or above the level R with
probability e^(-t), t = (R - x)/scale, or surely where t <= 0. Most answers are far
below: in bulk 32 bits of their uniform number are compared with a power of two above
2^32 e^(-t), and only the few that are not below it for sure are looked at exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from gmpy2 import mpq

from opendp_lite.exact.grids import ceil_multiple, power_of_two
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import to_double
from opendp_lite.laws.noise import GEOMETRIC
from opendp_lite.laws.weights import bound_exponential
from opendp_lite.randomness.discrete import discrete_noise
from opendp_lite.randomness.entropy import granularity, random_bits
from opendp_lite.randomness.lazy import LazyUniform

_BLOCK = 4096  # answers that are looked at together
_FEW = 32  # answers for which no array is worth while
_WORD = 32  # bits that are read for an answer at once
_LARGE = 1 << 1000  # integers up to here become doubles


def sample_sparse_vector(
    answers: Sequence[Any],
    threshold: mpq,
    scale: mpq,
    ratio: int,
    most: int,
    whole: bool,
) -> list[int]:
    """Return the first indices, at most `most`, of answers at or above a noisy level.

    The level is R = threshold + N. The noise N is exponential of the scale
    b = scale/ratio, that is, P(N > t) = e^(-t/b). If `whole`, where all answers are
    integers, R = ceil(threshold) + floor(N). The index i counts where x_i + E_i >= R,
    with independent exponential E_i of `scale`. At scale 0 there is no noise.

    >>> sample_sparse_vector([0, 10**9, -5, 10**9], mpq(999), mpq(2), 1, 5, True)
    [1, 3]
    """
    if scale < 0 or ratio < 1 or most < 1:  # proof: range
        raise ValueError(
            "needs a scale of at least 0, and a ratio and a number above 0"
        )
    level = Level(threshold, scale, ratio, whole)  # proof: level
    found: list[int] = []
    for start in range(0, len(answers), _BLOCK):  # proof: blocks
        block = answers[start : start + _BLOCK]
        if scale == 0 or granularity() == 1 or len(block) < _FEW:  # proof: few
            words, length = dict.fromkeys(range(len(block)), 0), 0  # proof: all
        else:
            words, length = _candidates(block, level), _WORD  # proof: candidates
        for i, word in words.items():  # proof: order
            if _is_above(block[i], level, word, length):  # proof: above
                found.append(start + i)
                if len(found) == most:  # proof: enough
                    return found
    return found


class Level:
    """The noisy threshold R, of which as much is known as was asked for."""

    __slots__ = ("base", "noise", "scale", "step")

    def __init__(self, threshold: mpq, scale: mpq, ratio: int, whole: bool) -> None:
        self.scale = scale
        self.step = scale / mpq(ratio)
        self.noise: LazyUniform | None = None
        if whole:  # proof: whole
            least = ceil_multiple(threshold, 0)
            noise = discrete_noise(GEOMETRIC, self.step)
            self.base = mpq(least + noise.sample())  # proof: integer
        else:
            self.base = threshold
            if scale > 0:  # proof: real
                self.noise = LazyUniform()

    def reveal(self, length: int) -> None:
        """Make the first `length` bits of the noise known, at least."""
        if self.noise is not None and self.noise.length < length:  # proof: more
            self.noise.reveal(length - self.noise.length)

    def bounds(self) -> tuple[mpq, mpq | None]:
        """Numbers low <= R <= high, from what is known; None is infinity."""
        if self.noise is None:  # proof: known
            return self.base, self.base
        lo, hi = _bounds(self.noise, self.step)
        return self.base + lo, None if hi is None else self.base + hi  # proof: bounds


def _bounds(noise: LazyUniform, scale: mpq) -> tuple[mpq, mpq | None]:
    """Numbers lo <= -scale ln U <= hi, from what is known of U; None is infinity."""
    precision = noise.length + 32
    lo, hi = bound_exponential(noise.prefix, noise.length, precision)  # proof: enclose
    unit = scale * power_of_two(-precision)
    return unit * mpq(lo), None if hi is None else unit * mpq(hi)


def _is_above(x: Any, level: Level, word: int, length: int) -> bool:
    """Whether x + E >= R, with E = -scale ln U; `length` bits of U are `word`."""
    if _is_infinite(x):  # proof: infinite
        return bool(x > 0)
    answer = to_mpq(x)
    if level.scale == 0:  # proof: no-noise
        return bool(answer >= level.base)
    noise = LazyUniform(word, length)  # proof: noise
    while (reached := _reaches(answer, noise, level)) is None:  # proof: decide
        noise.reveal(granularity())  # proof: reveal
        level.reveal(noise.length)  # proof: level
    return reached


def _reaches(answer: mpq, noise: LazyUniform, level: Level) -> bool | None:
    """Whether answer + E >= R, if what is known of both decides it, or None."""
    low, high = level.bounds()
    lo, hi = _bounds(noise, level.scale)
    if high is not None and answer + lo >= high:  # proof: reached
        return True
    if hi is not None and answer + hi <= low:  # proof: missed
        return False
    return None


def _candidates(block: Sequence[Any], level: Level) -> dict[int, int]:
    """The indices that are not below R for sure, with 32 bits of their numbers U."""
    import numpy

    level.reveal(2 * _WORD)
    low = level.bounds()[0]  # proof: low
    with numpy.errstate(all="ignore"):
        powers = numpy.clip(1.25 * _gaps(block, low, level.scale), 0, _WORD)
    bounds = numpy.left_shift(1, _WORD - powers.astype(numpy.int64))  # proof: powers
    data = random_bits(_WORD * len(block)).to_bytes(4 * len(block), "big")
    words = numpy.frombuffer(data, ">u4").astype(numpy.int64)  # proof: words
    kept = (words < bounds).nonzero()[0]  # proof: kept
    return dict(zip(kept.tolist(), words[kept].tolist(), strict=True))


def _gaps(block: Sequence[Any], low: mpq, scale: mpq) -> Any:
    """Doubles g near t = (low - x)/scale: g <= 17/16 t + 1/16, where g > 0.

    Where t > 100, g may be any number; it is near t as well, or above 100.
    """
    import numpy

    moderate = power_of_two(-900) <= scale <= power_of_two(900)
    if moderate and abs(low) <= scale * power_of_two(40):  # proof: moderate
        doubles = numpy.array(_doubles(block), numpy.float64)
        return (to_double(low) - doubles) * to_double(mpq(1) / scale)  # proof: doubles
    gaps = [-x if _is_infinite(x) else (low - to_mpq(x)) / scale for x in block]
    return numpy.array(_doubles(gaps), numpy.float64)  # proof: exact


def _doubles(numbers: Sequence[Any]) -> Sequence[Any]:
    """Doubles, or moderate integers, nearest to numbers, saturating."""
    kinds = set(map(type, numbers))
    if kinds == {float}:  # proof: floats
        return numbers
    if kinds == {int} and min(numbers) >= -_LARGE and max(numbers) <= _LARGE:
        return numbers  # proof: integers
    return [x if type(x) is float else to_double(x) for x in numbers]  # proof: each


def _is_infinite(x: Any) -> bool:
    return type(x) is float and math.isinf(x)
