"""The sampler of the sparse vector technique: law, bulk decisions, refusals."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.measurements.selection import sparse_vector as above
from opendp_lite.measurements.selection.sparse_vector import Level, sample_sparse_vector
from opendp_lite.randomness.entropy import use_source
from opendp_lite.testing import state_flakiness
from tests.longer import shortened
from tests.randomness.laws import (
    DRAWS,
    FLAKINESS,
    exponential,
    law_fault,
    point,
    tolerance,
)
from tests.randomness.tree import bits_used
from tests.rows import for_each

ONE = point(mpq(1))


def of_integers(x: int, s: mpq) -> Enclosure:
    """P(x + floor(E) >= floor(N)) for scale s and ratio 1; the threshold is 0.

    With q = e^(-1/s), floor(N) > x + floor(E) has probability q^(x+1)/(1+q), x >= 0,
    and floor(E) >= floor(N) - x has q^(-x)/(1+q), x <= 0.
    """
    q = exponential(mpq(-1) / s)
    if x >= 0:
        return ONE - exponential(-mpq(x + 1) / s) / (ONE + q)
    return exponential(mpq(x) / s) / (ONE + q)


def of_reals(x: mpq, s: mpq, ratio: int = 1) -> Enclosure:
    """P(x + E >= N) with N of scale s/m: 1 - e^(-mx/s)/(1+m), or m/(1+m) e^(x/s)."""
    if x >= 0:
        return ONE - exponential(mpq(-ratio) * x / s) / (1 + ratio)
    return exponential(x / s) * mpq(ratio, 1 + ratio)


def coin(hit: Enclosure) -> Any:
    return lambda found: hit if found else ONE - hit


@for_each("s", [mpq(1, 2), mpq(2)])
@for_each("x", [-3, -1, 0, 1])
def test_the_law_of_one_integer(x: int, s: mpq) -> None:
    def sampler() -> bool:
        return sample_sparse_vector([x], mpq(-1, 3), s, 1, 1, True) == [0]

    assert law_fault(sampler, coin(of_integers(x, s)), [True, False], 11, 0.1) is None
    wrong = coin(of_integers(x, s * mpq(3, 2)))
    assert law_fault(sampler, wrong, [True, False], 14, 0.1) is not None


@for_each("ratio", [1, 3])
@for_each("x", [-0.5, Fraction(1, 3), 0])
def test_the_law_of_one_real(x: Any, ratio: int) -> None:
    def sampler() -> bool:
        return sample_sparse_vector([x], mpq(1, 7), mpq(3, 2), ratio, 1, False) == [0]

    law = coin(of_reals(to_mpq(x) - mpq(1, 7), mpq(3, 2), ratio))
    assert law_fault(sampler, law, [True, False], 12, 0.1) is None
    wrong = coin(of_reals(to_mpq(x) - mpq(1, 7), mpq(3, 2), ratio + 1))
    assert law_fault(sampler, wrong, [True, False], 14, 0.1) is not None


def test_the_level_is_shared() -> None:
    """For reals at the threshold, P(hit, hit) = E[V^2] = 1/3, and not 1/4."""

    def sampler() -> int:
        return len(sample_sparse_vector([mpq(0), mpq(0)], mpq(0), mpq(1), 1, 2, False))

    def pmf(hits: int) -> Enclosure:
        return point(mpq(1, 3))

    assert law_fault(sampler, pmf, [0, 1, 2], 13, 0.2) is None


# Scales of any size are one path; their gaps are compared with exact ones below.
@pytest.mark.parametrize(
    ("scale", "whole"),
    shortened(
        product([mpq(1), mpq(1, 10**300), mpq(10) ** 400], [False, True]),
        (mpq(1, 10**300), False),
        (mpq(1, 10**300), True),
        (mpq(10) ** 400, True),
        parts=2,
    ),
)
def test_bulk_draws_have_the_law(whole: bool, scale: mpq) -> None:
    """Many answers 2 scales below, then one for sure: the chance to reach it.

    It fails with probability at most 1e-9.
    """
    state_flakiness(FLAKINESS)
    count, draws = above._FEW + 8, DRAWS // 20
    below: Any = mpq(-2) * scale
    if whole and scale < 1:
        below = mpq(-1)
    answers: list[Any] = [below] * count + [mpq(10) ** 500]
    answers = [int(x) for x in answers] if whole else answers
    missed = sum(
        sample_sparse_vector(answers, mpq(0), scale, 1, 1, whole)[0] == count
        for _ in range(draws)
    )
    t = float(-mpq(below) / scale) if scale >= 1 or not whole else 800.0
    if whole and scale == 1:
        q = math.exp(-1)
        terms = [(1 - q) * q**g * (1 - math.exp(-t - g)) ** count for g in range(200)]
        wanted = math.fsum(terms)
    else:  # the integral of (1 - v e^-t)^n over v in [0, 1]
        w = math.exp(-t)
        wanted = -math.expm1((count + 1) * math.log1p(-w)) / w / (count + 1) if w else 1
    assert abs(missed / draws - wanted) <= tolerance(draws)


BLOCKS: dict[str, list[Any]] = {
    "integers": [0, 1, -1, 5, 10**6, -(10**18), 2**63, -(2**70)],
    "huge": [10**400, -(10**400), 0, 3],
    "floats": [0.1, -0.3, 5e-324, -1e16, 1e308, -1.7976931348623157e308, 1e300],
    "infinite": [math.inf, -math.inf, 0.0],
    "fractions": [Fraction(1, 3), Fraction(-(10**40), 7), Fraction(1, 10**40)],
    "mixed": [Fraction(-1, 3), -math.inf, 2, -0.75, -(10**400)],
}
SCALES: list[Any] = [mpq(1), mpq(1, 3), mpq(10) ** 300, mpq(10) ** -300, mpq(10) ** 17]
LOWS: list[Any] = [mpq(0), mpq(1, 3), mpq(10) ** 6, -(mpq(10) ** 400), mpq(10) ** 308]


def faults_of_gaps(block: list[Any], low: Any, scale: Any) -> list[Any]:
    """The answers that would be passed over with a greater chance than 1 - e^-t."""
    with np.errstate(all="ignore"):
        gaps = above._gaps(block, low, scale).tolist()
    wrong = []
    for x, g in zip(block, gaps, strict=True):
        c = int(min(max(1.25 * g, 0), 32))
        if above._is_infinite(x):
            t = mpq(1000) if x < 0 else mpq(-1)
        else:
            t = (low - to_mpq(x)) / scale
        bound = mpq(1, 2**c)
        if c and not (t > 0 and exponential(-min(t, mpq(1000))).hi <= bound):
            wrong.append(x)  # the power of two is not above e^-t
        if c < 32 and t > 26:
            wrong.append(x)  # or too far above it to be of use
    return wrong


@for_each("name", BLOCKS)
def test_what_is_passed_over_in_bulk_is_below(name: str) -> None:
    for scale in SCALES:
        for low in LOWS:
            near = [to_double_or(low - scale * mpq(j, 4)) for j in range(0, 120, 5)]
            for block in (BLOCKS[name], near):
                assert faults_of_gaps(block, low, scale) == []


def to_double_or(x: mpq) -> Any:
    """The nearest float, or the number itself where it has none."""
    return (
        float(x)
        if abs(x) < mpq(10) ** 300
        else Fraction(int(x.numerator), int(x.denominator))
    )


def test_a_power_that_is_too_small_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    gaps = above._gaps
    monkeypatch.setattr(above, "_gaps", lambda *arguments: 1.25 * gaps(*arguments))
    assert faults_of_gaps([-0.25 * j for j in range(100)], mpq(0), mpq(1)) != []


class Repeated:
    """A source whose words of 32 bits are all the same."""

    granularity = 64

    def __init__(self, word: int) -> None:
        self.word = word

    def bits(self, count: int) -> int:
        return int.from_bytes(self.word.to_bytes(4, "big") * (count // 32), "big")


@pytest.mark.parametrize("scale", [mpq(1), mpq(1, 3), mpq(10) ** 300])
def test_words_that_are_left_out_are_below(scale: Any) -> None:
    level = Level(mpq(0), mpq(0), 1, True)
    level.scale = scale
    block = [scale * mpq(-j, 8) for j in range(-8, 260, 3)]
    ends = [2**j + each for j in range(33) for each in (-1, 0)]
    left_out = 0
    for word in ends[:-1]:
        with use_source(Repeated(word)):
            kept = above._candidates(block, level)
        assert set(kept.values()) <= {word}
        assert list(kept) == sorted(kept)
        for i in set(range(len(block))) - set(kept):
            left_out += 1
            assert exponential(block[i] / scale).hi <= mpq(word, 2**32)
    assert left_out > 0.6 * len(block) * len(ends) / 2


def test_blocks_are_joined() -> None:
    count = 2 * above._BLOCK + 5
    answers = [-(10**9)] * count
    hits = [0, above._BLOCK - 1, above._BLOCK, 2 * above._BLOCK + 4]
    for i in hits:
        answers[i] = 10**9
    for whole in (False, True):
        assert sample_sparse_vector(answers, mpq(0), mpq(1), 1, 9, whole) == hits
        assert sample_sparse_vector(answers, mpq(0), mpq(1), 1, 3, whole) == hits[:3]


def test_the_level_is_enclosed_ever_more_tightly() -> None:
    state_flakiness("2e-12")  # a uniform number below 2^-39 is enclosed less tightly
    level = Level(mpq(5), mpq(2), 2, False)
    level.reveal(64)
    last = level.bounds()
    for length in (128, 192):
        level.reveal(length)
        low, high = level.bounds()
        assert high is not None
        assert last[1] is not None
        assert mpq(5) <= last[0] <= low <= high <= last[1]
        assert high - low < mpq(1, 2 ** (length - 40))
        last = low, high


def test_no_bits_are_read_where_nothing_is_random() -> None:
    rows: list[Any] = [
        ([1, 2], mpq(0)),
        ([math.inf, -math.inf], mpq(1)),
        ([], mpq(1)),
    ]
    for answers, scale in rows:
        call = partial(sample_sparse_vector, answers, mpq(1), scale, 1, 5, False)
        assert bits_used(call, 0, 0) == 0


@pytest.mark.parametrize(
    ("scale", "ratio", "most"), [(mpq(-1), 1, 1), (mpq(1), 0, 1), (mpq(1), 1, 0)]
)
def test_what_is_refused(scale: mpq, ratio: int, most: int) -> None:
    with pytest.raises(ValueError, match="at least 0"):
        sample_sparse_vector([1], mpq(0), scale, ratio, most, True)
