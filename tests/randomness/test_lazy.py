"""The answer is a fixed function of U, whatever is revealed at a time."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gmpy2 import mpq

from opendp_lite.randomness.draws import (
    sample_bernoulli_exp,
    sample_bernoulli_rational,
    sample_uniform_below,
)
from opendp_lite.randomness.entropy import use_source
from opendp_lite.randomness.lazy import LazyUniform
from tests.longer import shortened
from tests.randomness.integer_noise import sample_geometric
from tests.randomness.tree import OutOfBits, Script
from tests.rows import for_each


def test_a_uniform_accumulates_its_bits() -> None:
    u = LazyUniform()
    assert (u.prefix, u.length) == (0, 0)
    with use_source(Script(0b10110, 5)):
        u.reveal(3)
        assert (u.prefix, u.length) == (0b101, 3)
        u.reveal(2)
        assert (u.prefix, u.length) == (0b10110, 5)


@for_each(("prefix", "length"), [(1, 0), (-1, 4), (16, 4), (0, -1)])
def test_an_impossible_prefix_is_refused(prefix: int, length: int) -> None:
    with pytest.raises(ValueError, match="prefix must have at most"):
        LazyUniform(prefix, length)


def asked(u: LazyUniform, until: int, first: int) -> list[int]:
    """The lengths at which ``decide`` is asked, when it answers from ``until`` on."""
    lengths: list[int] = []

    def decide(prefix: int, length: int) -> bool | None:
        lengths.append(length)
        return True if length >= until else None

    assert u.locate(decide, first)
    return lengths


def test_single_bits_are_asked_for_one_by_one() -> None:
    with use_source(Script(0, 100)):
        assert asked(LazyUniform(), 4, 64) == [0, 1, 2, 3, 4]
        assert asked(LazyUniform(0, 3), 2, 64) == [3]


def test_words_are_asked_for_after_the_first_bits() -> None:
    assert asked(LazyUniform(), 0, 64) == [64]
    assert asked(LazyUniform(), 200, 100) == [100, 128, 192, 256]
    assert asked(LazyUniform(5, 16), 200, 64) == [64, 128, 192, 256]
    assert asked(LazyUniform(5, 70), 60, 64) == [70]


def test_a_false_answer_is_an_answer() -> None:
    assert LazyUniform().locate(lambda w, n: False) is False
    assert LazyUniform().locate(lambda w, n: 0) == 0


def test_a_continued_uniform_keeps_its_bits() -> None:
    u = LazyUniform(0b1011, 4)
    assert u.locate(lambda w, n: w >> (n - 4) if n >= 90 else None) == 0b1011
    assert u.length == 64 + 64


def test_bits_are_revealed_up_to_multiples_of_the_granularity() -> None:
    assert asked(LazyUniform(5, 15), 65, 0) == [15, 64, 128]
    with use_source(Script(0, 100, 8)):
        assert asked(LazyUniform(), 30, 13) == [13, 16, 24, 32]


SAMPLERS: dict[str, Callable[[], object]] = {
    "coin of 1/3": lambda: sample_bernoulli_rational(mpq(1, 3)),
    "coin of 5/64": lambda: sample_bernoulli_rational(mpq(5, 64)),
    "coin of exp(-2/3)": lambda: sample_bernoulli_exp(mpq(2, 3)),
    "uniform below 7": lambda: sample_uniform_below(7),
    "geometric of scale 5/2": lambda: sample_geometric(mpq(5, 2)),
}


# Strings of 13 bits end before and after all of these have decided.
@pytest.mark.parametrize("bits", shortened([13, 16], 16))
@pytest.mark.parametrize("name", SAMPLERS)
def test_words_and_single_bits_agree_on_every_prefix(name: str, bits: int) -> None:
    """All strings of 13 or of 16 bits, each followed by the same 240 bits.

    Where single bits stop they have decided for every continuation, so the tree of
    single bits is run once and every string of words below a leaf is compared.
    """
    sampler = SAMPLERS[name]
    tail = int.from_bytes(bytes(range(101, 131)), "big")
    stack = [(0, 0)]
    compared = 0
    while stack:
        prefix, length = stack.pop()
        try:
            with use_source(Script(prefix, length)):
                answer = sampler()
        except OutOfBits:
            if length < bits:
                stack += [(2 * prefix, length + 1), (2 * prefix + 1, length + 1)]
                continue
            with use_source(Script(prefix << 240 | tail, bits + 240)):
                answer = sampler()
        free = bits - length
        for string in range(prefix << free, (prefix + 1) << free):
            with use_source(Script(string << 240 | tail, bits + 240, granularity=64)):
                assert sampler() == answer
            compared += 1
    assert compared == 1 << bits


# A string of 13 bits is in the middle of the first 16 that are asked for.
@pytest.mark.parametrize("length", shortened([13, 16], 16))
def test_words_and_single_bits_agree_on_all_strings(length: int) -> None:
    """The same without any choice: a coin and a geometric rule, string by string."""
    numerator, denominator = 12345, 54321

    def coin(prefix: int, length: int) -> bool | None:
        if (prefix + 1) * denominator <= numerator << length:
            return True
        return False if prefix * denominator >= numerator << length else None

    def ratio_half(prefix: int, length: int) -> int | None:
        """The number of zeros before the first one."""
        return length - prefix.bit_length() if prefix else None

    tail = 0x9E3779B97F4A7C15F39CC0605CEDC834
    for string in range(1 << length):
        bits, count = string << 128 | tail, length + 128
        for decide in (coin, ratio_half):
            with use_source(Script(bits, count)):
                single = LazyUniform().locate(decide)
            with use_source(Script(bits, count, 64)):
                assert LazyUniform().locate(decide, first=16) == single
            with use_source(Script(bits, count, 64)):
                assert LazyUniform().locate(decide) == single
