"""Selection: the exact laws, the table against enclosures, and the bulk of coins."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import exp as float_exp
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

from opendp_lite.exact.enclosures import Enclosure, exp
from opendp_lite.sampling import selection
from opendp_lite.sampling.entropy import random_bits, use_source
from opendp_lite.sampling.selection import (
    sample_exponential_mechanism,
    sample_permute_and_flip,
    weight_bounds,
)
from opendp_lite.verify.replay import HashedBits
from tests.sampling.laws import DRAWS, law_fault, tolerance
from tests.sampling.tree import bits_used, enumerate_tree

SAMPLERS = [sample_permute_and_flip, sample_exponential_mechanism]
P = 300


def coins(scores: Any, scale: mpq) -> list[Enclosure]:
    exponents = [(mpq(x) - mpq(max(scores))) / scale for x in scores]
    tiny = Enclosure(0, mpq(1, 2**P))
    return [exp(x, P) if x > -P else tiny for x in exponents]


def among_heads(p: list[Any], i: int) -> Any:
    """The probability that i is selected, from the definition, subset by subset."""
    total: Any = 0
    for heads in product([False, True], repeat=len(p)):
        if heads[i]:
            mass: Any = mpq(1, sum(heads))
            for q, head in zip(p, heads, strict=True):
                mass = mass * q if head else mass * (1 - q)
            total = total + mass
    return total


def in_order(p: list[Any], i: int) -> Any:
    """The same by visiting the indices in each order until a coin shows heads."""
    orders = list(permutations(range(len(p))))
    total: Any = 0
    for order in orders:
        mass: Any = mpq(1, len(orders))
        for j in order[: order.index(i)]:
            mass = mass * (1 - p[j])
        total = total + mass * p[i]
    return total


def pmf(sampler: Any, scores: Any, scale: mpq) -> Any:
    weights = coins(scores, scale)
    if sampler is sample_permute_and_flip:
        return lambda i: among_heads(weights, i)
    total = sum(weights[1:], weights[0])
    return lambda i: Enclosure(weights[i].lo / total.hi, weights[i].hi / total.lo)


def test_heads_in_random_order_are_uniform_among_heads() -> None:
    p = [mpq(1, 3), mpq(1), mpq(2, 7), mpq(1, 100)]
    for i in range(4):
        assert among_heads(p, i) == in_order(p, i)


CASES: list[tuple[Any, str, int]] = [
    ([0, 0], "1", 16),
    ([0, -1], "1", 20),
    ([5, 4, 3], "2", 20),
    ([0.1, 0.3], "1/7", 20),
    ([mpq(1, 3), mpq(1, 2)], "1/3", 20),
    ([10**30, 10**30 - 1, 0], "3", 20),
    ([0, -40, -(10**400)], "1", 20),
]


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize(("scores", "scale", "depth"), CASES)
def test_the_law(sampler: Any, scores: Any, scale: str, depth: int) -> None:
    s = mpq(scale)
    support = range(len(scores))
    fault = law_fault(
        lambda: sampler(scores, s), pmf(sampler, scores, s), support, depth, 1e-3
    )
    assert fault is None


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("scale", ["99/100", "101/100"])
def test_a_scale_off_by_a_hundredth_is_found(sampler: Any, scale: str) -> None:
    scores = [0, -1]
    wrong = law_fault(
        lambda: sampler(scores, mpq(scale)),
        pmf(sampler, scores, mpq(1)),
        range(2),
        20,
        1e-3,
    )
    assert wrong is not None
    assert "mass on" in wrong


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_without_noise_the_greatest_are_alike(sampler: Any) -> None:
    law, unresolved = enumerate_tree(lambda: sampler([1, 7, 7, 0, 7, 7], mpq(0)), 2)
    assert unresolved == 0
    assert law == {i: Fraction(1, 4) for i in (1, 2, 4, 5)}


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_one_score_takes_no_bit(sampler: Any) -> None:
    assert bits_used(lambda: sampler([3], mpq(2)), 0, 0) == 0


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize(("scores", "scale"), [([], mpq(1)), ([1], mpq(-1))])
def test_what_is_refused(sampler: Any, scores: Any, scale: mpq) -> None:
    with pytest.raises(ValueError, match="needs scores and a scale of at least 0"):
        sampler(scores, scale)


SCORES: dict[str, Any] = {
    "integers": [0, 1, 5, 63, 64, 65, 1000, 10**6, -(10**18)],
    "words": [2**61, -(2**61), 2**61 - 1, 0],
    "huge": [10**400, 10**400 - 1, 10**400 - 30, 0, -(10**400)],
    "floats": [0.1, 0.2, 0.3, -0.0, 5e-324, 1e16, 1e308, -1.7976931348623157e308],
    "near floats": [1.0, 1.0 - 2.0**-53, 1.0 + 2.0**-52, 1.5, 2.0, 24.0],
    "rationals": [mpq(1, 3), mpq(1, 2), mpq(10**40, 7), mpq(-1, 10**40)],
}
SCALES = [mpq(1), mpq(1, 2), mpq(128, 5), mpq(0.1), mpq(10) ** 300, mpq(10) ** -300]
SCALES += [mpq(10) ** 17, mpq(10) ** 5000, mpq(1, 10**5000), mpq(1, 3)]


def faults_of_bounds(scores: Any, scale: mpq) -> list[int]:
    """The lanes whose integers do not enclose 2^32 e^-t, or are far apart."""
    low, high = weight_bounds(scores, mpq(max(scores)), scale)
    wrong = []
    for i, true in enumerate(coins(scores, scale)):
        floor, ceiling = true.lo * 2**32, true.hi * 2**32
        within = 0 <= int(low[i]) <= floor and ceiling <= int(high[i]) <= 2**32
        near = int(high[i]) <= floor * mpq(102, 100) + 2
        near = near and int(low[i]) >= ceiling * mpq(98, 100) - 2
        wrong += [] if within and near else [i]
    return wrong


@pytest.mark.parametrize("kind", SCORES)
@pytest.mark.parametrize("scale", SCALES, ids=lambda s: f"{len(str(s))}-{str(s)[:5]}")
def test_the_bounds_enclose_and_are_near(kind: str, scale: mpq) -> None:
    assert faults_of_bounds(SCORES[kind], scale) == []


def test_a_position_off_by_a_cell_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = selection._positions
    scores = [-i for i in range(20)]
    assert faults_of_bounds(scores, mpq(7)) == []
    for off in (-1.5, 1.5):
        monkeypatch.setattr(
            selection, "_positions", lambda *given, off=off: positions(*given) + off
        )
        assert faults_of_bounds(scores, mpq(7)) != []


def edges() -> Any:
    """Words at, and next to, the bounds of each of many scores."""
    scores = [-i for i in range(3000)]
    low, high = weight_bounds(scores, mpq(0), mpq(128))
    for shift in (-1, 0, 1):
        for bound in (low, high):
            yield scores, np.clip(bound + shift, 0, 2**32 - 1)


def test_words_decide_what_they_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not left to the single coin is the same for all further bits."""
    scale = mpq(128)
    for scores, words in edges():
        left: dict[mpq, int] = {}

        def coin(t: mpq, word: int, length: int, left: Any = left) -> bool:
            assert length == 32
            left[t] = word
            return False

        monkeypatch.setattr(selection, "_words", lambda count, words=words: words)
        monkeypatch.setattr(selection, "_coin", coin)
        heads = set(selection._flip(scores, scale))
        for i, p in enumerate(coins(scores, scale)):
            word, t = int(words[i]), mpq(i, 128)
            if t in left:
                assert left[t] == word
                assert i not in heads
            elif i in heads:
                assert word + 1 <= p.lo * 2**32
            else:
                assert word >= p.hi * 2**32


def test_words_are_the_bits_in_their_order() -> None:
    with use_source(HashedBits(7)):
        words = selection._words(70).tolist()
    with use_source(HashedBits(7)):
        string = random_bits(32 * 70)
    assert words == [string >> 32 * (69 - i) & (2**32 - 1) for i in range(70)]


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("convert", [int, float, mpq])
def test_many_scores_from_the_operating_system(sampler: Any, convert: Any) -> None:
    """Fails with probability at most 1e-9; detects a half that is off by 0.08.

    Of 101 scores, 0 is the greatest and 100 are equal, such that 0 is selected with
    a probability p that is known.
    """
    scores = [convert(0)] + [convert(-4)] * 100
    q = float_exp(-4)
    if sampler is sample_exponential_mechanism:
        p = 1 / (1 + 100 * q)
    else:  # E[1/(1 + N)] for a binomial N of 100 coins
        p = (1 - (1 - q) ** 101) / (101 * q)
    draws = DRAWS // 20
    found = sum(sampler(scores, mpq(1)) == 0 for _ in range(draws)) / draws
    assert abs(found - p) <= tolerance(draws)
