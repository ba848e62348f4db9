"""Estimates from randomized answers: exact values, unbiasedness, refusals, OpenDP."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import opendp.prelude as oracle
import pytest

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException
from opendp_lite.measurements import Frequency
from opendp_lite.measurements.responses import debiasing
from opendp_lite.testing import state_flakiness
from tests.rows import for_each

estimate = dp.m.debias_randomized_response
debias = dp.m.debias_randomized_response_bitvec
ABC = ["a", "b", "c"]


def laws(data: list[Any], categories: list[Any], p: Fraction) -> Iterator[Any]:
    """Every list of answers for the data, and its probability."""
    k = len(categories)

    def chance(x: Any, y: Any) -> Fraction:
        if x not in categories:
            return Fraction(1, k)
        return p if x == y else (1 - p) / (k - 1)

    for answers in itertools.product(categories, repeat=len(data)):
        pairs = zip(data, answers, strict=True)
        yield list(answers), math.prod(chance(x, y) for x, y in pairs)


def close(found: float, expected: Fraction | float) -> bool:
    return abs(found - float(expected)) < 1e-12


@for_each("prob", ["2/3", "0.9", 0.5, 1, "0.34"])
@for_each("data", [["a"], ["a", "c"], ["b", "b", "a"], list("abca")])
def test_estimates_and_variances_are_unbiased(data: list[str], prob: Any) -> None:
    """Over all answers, each with its exact probability."""
    p = Fraction(prob)
    shares = {c: Fraction(data.count(c), len(data)) for c in ABC}
    mean = dict.fromkeys(ABC, 0.0)
    square = dict.fromkeys(ABC, 0.0)
    variance = dict.fromkeys(ABC, 0.0)
    for answers, probability in laws(data, ABC, p):
        found = estimate(answers, ABC, prob)
        total = sum(each.estimate for each in found.values())
        assert total == pytest.approx(1, abs=1e-12)
        for c in ABC:
            weight = float(probability)
            mean[c] += weight * found[c].estimate
            square[c] += weight * (found[c].estimate - float(shares[c])) ** 2
            variance[c] += weight * found[c].standard_error ** 2
            assert found[c].standard_error >= 0
    for c in ABC:
        assert mean[c] == pytest.approx(float(shares[c]), abs=1e-9)
        assert variance[c] == pytest.approx(square[c], rel=1e-9, abs=1e-12)


def test_a_value_outside_counts_as_an_equal_part_of_each() -> None:
    data = ["a", "z"]
    mean = dict.fromkeys(ABC, 0.0)
    for answers, probability in laws(data, ABC, Fraction(3, 4)):
        for c, each in estimate(answers, ABC, 0.75).items():
            mean[c] += float(probability) * each.estimate
    expected = {"a": 2 / 3, "b": 1 / 6, "c": 1 / 6}
    assert all(close(mean[c], expected[c]) for c in ABC)


def test_the_values_are_rounded_once() -> None:
    found = estimate(["a"] * 2 + ["b"], ABC, "3/5")
    # p - q = 2/5 and q = 1/5: (2/3 - 1/5)/(2/5) and so on.
    assert found["a"].estimate == 7 / 6
    assert found["b"].estimate == 1 / 3
    assert found["c"].estimate == -0.5
    # (q (1 - q) + (c/n - q)(1 - p - q)) / (n (p - q)^2)
    variances = {
        c: (Fraction(4, 25) + (Fraction(n, 3) - Fraction(1, 5)) / 5) * Fraction(25, 12)
        for c, n in {"a": 2, "b": 1, "c": 0}.items()
    }
    for c in ABC:
        assert found[c].standard_error == pytest.approx(
            math.sqrt(variances[c]), rel=1e-15
        )
    # Without noise there is no error.
    certain = estimate(["a", "b"], ABC, 1)
    assert certain["a"] == Frequency(0.5, 0.0)
    assert certain["c"] == Frequency(0.0, 0.0)


def test_arrays_are_what_they_stand_for() -> None:
    answers = [3, 5, 5]
    expected = estimate(answers, [3, 5], 0.75)
    assert estimate(np.array(answers), np.array([3, 5]), 0.75) == expected
    assert estimate([np.int8(3), 5, 5], (3, 5), "3/4", T="u8") == expected
    assert list(expected) == [3, 5]
    texts = estimate(np.array(["a", "b"]), ["a", "b"], 0.75)
    assert texts["a"].estimate == 0.5


def test_arrays_are_counted_as_lists_are() -> None:
    """Of every dtype, in any order of bytes or rows, and with many categories."""
    many = list(range(-10, 30))
    rows = [i * i % 40 - 10 for i in range(500)]
    expected = estimate(rows, many, 0.75)
    for dtype in ("i1", "i8", ">i4"):
        assert estimate(np.array(rows, dtype=dtype), many, 0.75) == expected
    assert estimate(np.array(rows)[::-1], many, 0.75) == expected
    words = ["a\0b", "\ud800", "", "b" * 30]
    texts = [words[i * i % 4] for i in range(50)]
    assert estimate(np.array(texts), words, 0.75) == estimate(texts, words, 0.75)
    truths = np.array([0, 1, 2, 255], dtype=np.uint8).view(bool)
    both = [True, False]
    assert estimate(truths, both, 0.75) == estimate(truths.tolist(), both, 0.75)


def test_it_follows_releases() -> None:
    """1000 answers; an alarm needs a share of the answers that is off by 0.16.

    By Hoeffding's bound this has probability at most 6 exp(-2 * 1000 * 0.16**2), which
    is below 1e-21; it finds estimates that are off by 0.46 or more.
    """
    state_flakiness("1e-21")
    response = dp.m.make_randomized_response(ABC, 0.8)
    data = ["a"] * 700 + ["b"] * 300
    found = estimate([response(x) for x in data], ABC, 0.8)
    # The share of answers is (p - q) = 0.7 times the estimate, plus q.
    for c, share in {"a": 0.7, "b": 0.3, "c": 0.0}.items():
        assert abs(found[c].estimate - share) * 0.7 < 0.16


@for_each(
    ("arguments", "words"),
    [
        (([], ABC, 0.8), ["answers", "at least one"]),
        ((None, ABC, 0.8), ["answers", "list or an array"]),
        (("abc", ABC, 0.8), ["answers", "list or an array"]),
        ((np.array("a"), ABC, 0.8), ["answers", "list or an array"]),
        ((np.array([["a"]]), ABC, 0.8), ["answers", "one of the categories"]),
        ((np.array([["a", "b"]] * 3), ABC, 0.8), ["answers", "one of the categories"]),
        ((np.array(["a", "z"]), ABC, 0.8), ["answers", "one of the categories"]),
        ((np.array([], dtype="U1"), ABC, 0.8), ["answers", "at least one"]),
        ((np.array([True]), [1, 2], 0.8), ["answers", "one of the categories"]),
        ((np.array([1.0]), [1, 2], 0.8), ["answers", "one of the categories"]),
        ((np.array([1, 3]), [1, 2], 0.8), ["answers", "one of the categories"]),
        ((np.array(["a"], dtype=object), ABC, 0.8), ["answers", "one of the categ"]),
        ((np.array([b"a"]), ABC, 0.8), ["answers", "one of the categories"]),
        ((["a"], np.array("a"), 0.8), ["categories", "must be a list"]),
        ((["a", "z"], ABC, 0.8), ["answers", "one of the categories"]),
        (([True], [1, 2], 0.8), ["answers", "one of the categories"]),
        (([1.0], [1, 2], 0.8), ["answers", "one of the categories"]),
        (([["a"]], ABC, 0.8), ["answers", "one of the categories"]),
        ((["a"], ["a"], 0.8), ["categories", "at least two"]),
        ((["a"], ["a", "a"], 0.8), ["categories", "all different"]),
        ((["a"], ABC, Fraction(1, 3)), ["prob", "above 1/3"]),
        ((["a"], ABC, 0.1), ["prob=0.1", "above 1/3"]),
        ((["a"], ABC, 1.5), ["prob=1.5", "at most 1"]),
        ((["a"], ABC, math.nan), ["prob=nan", "finite"]),
    ],
)
def test_bad_input_is_refused(arguments: Any, words: list[str]) -> None:
    with pytest.raises(OpenDPException) as caught:
        estimate(*arguments)
    assert caught.value.variant == "FailedFunction"
    assert all(word in caught.value.message for word in words), caught.value.message
    assert "'z'" not in caught.value.message


# Bit vectors


@pytest.fixture
def _contrib() -> Any:
    oracle.enable_features("contrib")
    yield
    oracle.disable_features("contrib")


@pytest.mark.usefixtures("_contrib")
@pytest.mark.parametrize("f", [0.5, 0.1, 0.95, 0.3])
def test_the_estimates_are_opendps_in_the_order_of_numpy(f: float) -> None:
    """OpenDP begins with the least significant bit of each byte."""
    answers = [bytes([3, 4]), bytes([128, 1]), bytes([255, 0])]
    theirs = oracle.m.debias_randomized_response_bitvec(answers, f)
    turned = [theirs[8 * (i // 8) + 7 - i % 8] for i in range(16)]
    assert debias(answers, f) == pytest.approx(turned, rel=1e-12)


def test_bits_are_counted_in_the_order_of_the_domain() -> None:
    vectors = [[1, 0, 0, 0, 0, 0, 0, 0, 0, 1], [1, 1, 0, 0, 0, 0, 0, 0, 0, 0]]
    answers = [np.packbits(bits).tobytes() for bits in vectors]
    found = debias(answers, "1/2", size=10)
    assert found == [3.0, 1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, 1.0]
    assert len(debias(answers, "1/2")) == 16
    assert debias([b""], 0.5) == []
    # One third, rounded once.
    assert debias([bytes([128])] * 2, "1/4", size=1) == [7 / 3]


def test_many_answers_are_counted_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [bytes([i % 256, i * i % 256, 7]) for i in range(1000)]
    ones = [sum(a[i // 8] >> 7 - i % 8 & 1 for a in answers) for i in range(24)]
    expected = [(y - 250) / 0.5 for y in ones]
    for part in (1, 10, 100, 1 << 20):
        monkeypatch.setattr(debiasing, "_PART", part)
        assert debias(answers, 0.5) == expected
        assert debias(tuple(answers), 0.5, size=17) == expected[:17]


@pytest.mark.parametrize("f", ["1/2", "1/3", "0.9"])
def test_the_estimates_are_unbiased(f: str) -> None:
    """Over all answers to two vectors of two bits, each with its probability."""
    flip = Fraction(f) / 2
    data = [(1, 0), (1, 1)]
    mean = [0.0, 0.0]
    for bits in itertools.product([0, 1], repeat=4):
        pairs = [bits[:2], bits[2:]]
        probability = math.prod(
            flip if a != b else 1 - flip
            for x, y in zip(data, pairs, strict=True)
            for a, b in zip(x, y, strict=True)
        )
        answers = [np.packbits(each).tobytes() for each in pairs]
        found = debias(answers, f, size=2)
        mean = [m + float(probability) * e for m, e in zip(mean, found, strict=True)]
    assert mean == pytest.approx([2.0, 1.0])


@for_each(
    ("arguments", "words"),
    [
        (([], 0.5), ["answers", "at least one"]),
        ((None, 0.5), ["answers", "list of bytes"]),
        ((b"ab", 0.5), ["answers", "list of bytes"]),
        ((["ab"], 0.5), ["answers", "list of bytes"]),
        (([b"a", b"ab"], 0.5), ["answers", "one length"]),
        (([b"a"], 0), ["f=0", "between 0 and 1"]),
        (([b"a"], 1.0), ["f=1.0", "between 0 and 1"]),
        (([b"a"], 1.5), ["f=1.5", "at most 1"]),
        (([b"a"], -1), ["f=-1", "at least 0"]),
        (([b"a"], math.nan), ["f=nan", "finite"]),
        (([b"a"], 0.5, 9), ["size=9", "1 bytes"]),
        (([b"a"], 0.5, 0), ["size=0", "1 bytes"]),
        (([b"a"], 0.5, -1), ["size=-1", "at least 0"]),
        (([b"a"], 0.5, 2.5), ["size=2.5", "integer"]),
    ],
)
def test_bad_vectors_are_refused(arguments: Any, words: list[str]) -> None:
    with pytest.raises(OpenDPException) as caught:
        debias(*arguments)
    assert caught.value.variant == "FailedFunction"
    assert all(word in caught.value.message for word in words), caught.value.message
