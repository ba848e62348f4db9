# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.selection.sparse_vector; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Sequence
from gmpy2 import mpq
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import to_double
from opendp_lite.laws.noise import GEOMETRIC
from opendp_lite.laws.weights import bound_exponential
from opendp_lite.randomness.discrete import discrete_noise
from opendp_lite.randomness.entropy import granularity
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.randomness.lazy import LazyUniform
from typing import Any
import math

_BLOCK = 4096
_FEW = 32
_WORD = 32
opendp_lite.laws.noise.GEOMETRIC = opendp_lite.laws.noise.Law('geometric', 1, 1)
_LARGE = 1 << 1000


# === sample_sparse_vector with Sequence, mpq, granularity, Any, _BLOCK, _FEW, _WORD
def sample_sparse_vector(
    answers: Sequence[Any],
    threshold: mpq,
    scale: mpq,
    ratio: int,
    most: int,
    whole: bool,
) -> list[int]:
    if scale < 0 or ratio < 1 or most < 1:
        raise ValueError(
            "needs a scale of at least 0, and a ratio and a number above 0"
        )
    level = Level(threshold, scale, ratio, whole)
    found: list[int] = []
    for start in range(0, len(answers), _BLOCK):
        block = answers[start : start + _BLOCK]
        if scale == 0 or granularity() == 1 or len(block) < _FEW:
            words, length = dict.fromkeys(range(len(block)), 0), 0
        else:
            words, length = _candidates(block, level), _WORD
        for i, word in words.items():
            if _is_above(block[i], level, word, length):
                found.append(start + i)
                if len(found) == most:
                    return found
    return found


# === Level.__init__ with mpq, ceil_multiple, GEOMETRIC, discrete_noise, LazyUniform,
#    opendp_lite.laws.noise.GEOMETRIC
class Level:
    def __init__(self, threshold: mpq, scale: mpq, ratio: int, whole: bool) -> None:
        self.scale = scale
        self.step = scale / mpq(ratio)
        self.noise: LazyUniform | None = None
        if whole:
            least = ceil_multiple(threshold, 0)
            noise = discrete_noise(GEOMETRIC, self.step)
            self.base = mpq(least + noise.sample())
        else:
            self.base = threshold
            if scale > 0:
                self.noise = LazyUniform()


# === Level.reveal
class Level:
    def reveal(self, length: int) -> None:
        if self.noise is not None and self.noise.length < length:
            self.noise.reveal(length - self.noise.length)


# === Level.bounds with mpq
class Level:
    def bounds(self) -> tuple[mpq, mpq | None]:
        if self.noise is None:
            return self.base, self.base
        lo, hi = _bounds(self.noise, self.step)
        return self.base + lo, None if hi is None else self.base + hi


# === _bounds with mpq, power_of_two, bound_exponential, LazyUniform
def _bounds(noise: LazyUniform, scale: mpq) -> tuple[mpq, mpq | None]:
    precision = noise.length + 32
    lo, hi = bound_exponential(noise.prefix, noise.length, precision)
    unit = scale * power_of_two(-precision)
    return unit * mpq(lo), None if hi is None else unit * mpq(hi)


# === _is_above with to_mpq, granularity, LazyUniform, Any
def _is_above(x: Any, level: Level, word: int, length: int) -> bool:
    if _is_infinite(x):
        return bool(x > 0)
    answer = to_mpq(x)
    if level.scale == 0:
        return bool(answer >= level.base)
    noise = LazyUniform(word, length)
    while (reached := _reaches(answer, noise, level)) is None:
        noise.reveal(granularity())
        level.reveal(noise.length)
    return reached


# === _reaches with mpq, LazyUniform
def _reaches(answer: mpq, noise: LazyUniform, level: Level) -> bool | None:
    low, high = level.bounds()
    lo, hi = _bounds(noise, level.scale)
    if high is not None and answer + lo >= high:
        return True
    if hi is not None and answer + hi <= low:
        return False
    return None


# === _candidates with Sequence, random_bits, Any, _WORD
def _candidates(block: Sequence[Any], level: Level) -> dict[int, int]:
    import numpy

    level.reveal(2 * _WORD)
    low = level.bounds()[0]
    with numpy.errstate(all="ignore"):
        powers = numpy.clip(1.25 * _gaps(block, low, level.scale), 0, _WORD)
    bounds = numpy.left_shift(1, _WORD - powers.astype(numpy.int64))
    data = random_bits(_WORD * len(block)).to_bytes(4 * len(block), "big")
    words = numpy.frombuffer(data, ">u4").astype(numpy.int64)
    kept = (words < bounds).nonzero()[0]
    return dict(zip(kept.tolist(), words[kept].tolist(), strict=True))


# === _gaps with Sequence, mpq, power_of_two, to_mpq, to_double, Any
def _gaps(block: Sequence[Any], low: mpq, scale: mpq) -> Any:
    import numpy

    moderate = power_of_two(-900) <= scale <= power_of_two(900)
    if moderate and abs(low) <= scale * power_of_two(40):
        doubles = numpy.array(_doubles(block), numpy.float64)
        return (to_double(low) - doubles) * to_double(mpq(1) / scale)
    gaps = [-x if _is_infinite(x) else (low - to_mpq(x)) / scale for x in block]
    return numpy.array(_doubles(gaps), numpy.float64)


# === _doubles with Sequence, to_double, Any, _LARGE
def _doubles(numbers: Sequence[Any]) -> Sequence[Any]:
    kinds = set(map(type, numbers))
    if kinds == {float}:
        return numbers
    if kinds == {int} and min(numbers) >= -_LARGE and max(numbers) <= _LARGE:
        return numbers
    return [x if type(x) is float else to_double(x) for x in numbers]


# === _is_infinite with Any, math
def _is_infinite(x: Any) -> bool:
    return type(x) is float and math.isinf(x)
