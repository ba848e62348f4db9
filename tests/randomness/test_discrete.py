"""Integer noise: its law by the bit tree, trial by trial, extremes, mutants."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from math import exp

import pytest
from gmpy2 import mpq

from opendp_lite import verify
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.laws.noise import GAUSSIAN, GEOMETRIC, LAPLACE, Law
from opendp_lite.randomness import discrete
from opendp_lite.randomness.blocks import TEST_BITS, Blocks
from opendp_lite.randomness.discrete import DiscreteNoise, discrete_noise
from opendp_lite.randomness.entropy import random_bits, use_source
from opendp_lite.randomness.lazy import LazyUniform
from opendp_lite.randomness.table import CELL_BITS
from opendp_lite.testing import state_flakiness
from opendp_lite.verify.contracts.checks import HashedBits
from tests.laws.test_weights import rest_of
from tests.longer import shortened
from tests.randomness.laws import (
    DRAWS,
    FLAKINESS,
    distance_of_counts,
    exponential,
    law_fault,
    misses_at_most,
    tolerance,
)
from tests.randomness.tree import bits_used, enumerate_tree
from tests.rows import for_each

LAWS = [LAPLACE, GAUSSIAN, GEOMETRIC]
SMALL = [mpq(s) for s in ("1/100", "1/2", "1", "7/2", "15")]
LARGE = [(mpq(128), 2), (mpq(140), 2), (mpq(255), 2), (mpq(256), 3)]  # and the bits

by_name = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)


def probabilities(law: Law, scale: mpq) -> Callable[[int], Enclosure]:
    rate = law.rate(scale)
    total = 1 + law.sides * rest_of(rate, law.power, 0)

    @cache
    def pmf(x: int) -> Enclosure:
        if law.sides == 1 and x < 0:
            return Enclosure(0, 0)
        return exponential(-rate * abs(x) ** law.power) / total

    return pmf


def noise_fault(
    draw: Callable[[], int], law: Law, scale: mpq, depth: int
) -> str | None:
    return law_fault(draw, probabilities(law, scale), range(-9, 10), depth, 1e-6)


# The longest table stays for the law that has the fewest integers in it.
@pytest.mark.parametrize(
    ("law", "scale"),
    shortened(
        product(LAWS, SMALL), (LAPLACE, SMALL[-1]), (GEOMETRIC, SMALL[-1]), parts=2
    ),
    ids=str,
)
def test_the_law_at_small_scales(law: Law, scale: mpq) -> None:
    """Within 1e-6 in total variation."""
    draw = discrete_noise(law, scale).sample
    assert noise_fault(draw, law, scale, 25 + 2 * int(scale).bit_length()) is None


def fair_sign(scale: mpq) -> int:
    size = discrete_noise(GEOMETRIC, scale).sample()
    return size if random_bits(1) else -1 - size


def double_zero(scale: mpq) -> int:
    size = discrete_noise(GEOMETRIC, scale).sample()
    return size if random_bits(1) else -size


def shifted(scale: mpq) -> int:
    return discrete_noise(LAPLACE, scale).sample() + 1


def wider(scale: mpq) -> int:
    return discrete_noise(LAPLACE, scale * mpq(1001, 1000)).sample()


def narrower(scale: mpq) -> int:
    return discrete_noise(LAPLACE, scale * mpq(999, 1000)).sample()


def other_zigzag(scale: mpq) -> int:
    noise = discrete_noise(LAPLACE, scale)
    assert noise.table is not None
    k = noise.table.sample()
    return (k >> 1) if k & 1 else -(k >> 1)


@for_each("mutant", [fair_sign, double_zero, shifted, wider, narrower, other_zigzag])
def test_the_bit_tree_detects_mutants(mutant: Callable[[mpq], int]) -> None:
    fault = noise_fault(lambda: mutant(mpq(1)), LAPLACE, mpq(1), 26)
    assert fault is not None
    assert "mass on" in fault


# One trial with blocks. The block y is drawn from a table, whose law is tested by
# itself; given the block, everything else is certified here.


def given_block(law: Law, scale: mpq, y: int) -> Callable[[int | None], Enclosure]:
    """The law of a trial in block y: each x of it is accepted with its weight.

    P(x) = e^(-rate (|x|^power - start^power))/(sides 2^b), start = 2^b y; the table
    gives the block the probability proportional to e^(-rate start^power).
    """
    noise = DiscreteNoise(law, scale)
    rate, size = law.rate(scale), 1 << noise.bits
    start = y * size
    values = [*range(start, start + size)]
    if law.sides == 2:
        values += [-1 - v for v in values]
    masses: dict[int | None, Enclosure] = {
        x: exponential(-rate * (abs(x) ** law.power - start**law.power)) / len(values)
        for x in values
    }
    rejected = 1 - sum(masses.values(), Enclosure(0, 0))
    return lambda x: rejected if x is None else masses.get(x, Enclosure(0, 0))


def trial_fault(noise: DiscreteNoise, y: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    pmf = given_block(noise.law, noise.scale, y)
    monkeypatch.setattr("opendp_lite.randomness.table.Table.sample", lambda self: y)
    made = noise.blocks
    assert made is not None
    certificate = verify.law(
        lambda: noise.trial(made), lambda x: lambda precision: pmf(x), 26
    )
    assert certificate.unresolved < mpq(1, 10**6)
    size = (1 << noise.bits) * noise.law.sides
    assert certificate.outcomes in (size, size + 1)  # a rejection may be impossible
    assert certificate.verdict != "undecided"
    return certificate.refuted


@pytest.mark.parametrize(("scale", "bits"), LARGE)
@pytest.mark.parametrize("y", [0, 1, 40])
@by_name
def test_the_law_of_a_trial(
    law: Law, scale: mpq, bits: int, y: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    noise = DiscreteNoise(law, scale)
    assert noise.bits == bits
    assert not trial_fault(noise, y, monkeypatch)


class WithoutUpperEnd(DiscreteNoise):
    """-1 - v is accepted with the weight of v, not of v + 1."""

    def trial(self, blocks: Blocks) -> int | None:  # type: ignore[override]
        y = blocks.table.sample()
        negative, low = random_bits(1), random_bits(self.bits)
        accepted = LazyUniform().locate(
            lambda w, n: blocks.decide(y, low, low, self.bits, w, n)
        )
        v = (y << self.bits) + low
        return (v ^ -negative) if accepted else None


class SameLow(DiscreteNoise):
    """One more bit than there are integers in a block."""

    def trial(self, blocks: Blocks) -> int | None:  # type: ignore[override]
        self.bits += 1
        try:
            return super().trial(blocks)
        finally:
            self.bits -= 1


@pytest.mark.parametrize("mutant", [WithoutUpperEnd, SameLow])
@pytest.mark.parametrize("law", [LAPLACE, GAUSSIAN], ids=lambda law: law.name)
def test_mutants_of_a_trial_are_found(
    law: Law, mutant: type[DiscreteNoise], monkeypatch: pytest.MonkeyPatch
) -> None:
    scale = mpq(140)
    pmf = given_block(law, scale, 3)
    noise = mutant(law, scale)
    monkeypatch.setattr("opendp_lite.randomness.table.Table.sample", lambda self: 3)
    made = noise.blocks
    assert made is not None
    certificate = verify.law(
        lambda: noise.trial(made), lambda x: lambda precision: pmf(x), 26
    )
    assert certificate.refuted


@pytest.mark.parametrize(
    ("law", "scale"),
    shortened(
        product(LAWS, [mpq(1), mpq(5, 2)]),
        (LAPLACE, mpq(1)),
        (GAUSSIAN, mpq(5, 2)),
        (GEOMETRIC, mpq(1)),
        parts=2,
    ),
    ids=str,
)
def test_the_law_with_few_blocks(
    law: Law, scale: mpq, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole sampler, with one or two blocks to a scale: its tree is small."""
    monkeypatch.setattr(discrete, "_BLOCKS_PER_SCALE", 1)
    monkeypatch.setattr(discrete, "_LEAST_IN_BLOCKS", 1)
    noise = DiscreteNoise(law, scale)
    assert noise.blocks is not None
    assert noise.bits == int(scale).bit_length() - 1
    pmf = probabilities(law, scale)
    # Trials are repeated, so the tree is thick: this certifies every probability up to
    # 1/3. That of one trial is certified in full, above.
    verify.law(
        noise.sample, lambda x: lambda precision: pmf(x), 40, runs=3_000, cap="1/3"
    ).assert_holds()


def test_a_trial_is_repeated_until_one_is_accepted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = iter([None, None, 0, 5, None, -7])
    monkeypatch.setattr(DiscreteNoise, "trial", lambda self, blocks: next(answers))
    noise = DiscreteNoise(LAPLACE, mpq(128))
    assert [noise.sample() for _ in range(3)] == [0, 5, -7]


# The same trial in words: the parts are cut from one word, in another order.


class Parts:
    """A source of words that serves the bits of U, the sign, the test and low."""

    granularity = 64

    def __init__(self, u: int, sign: int, test: int, low: int, bits: int) -> None:
        self.u, self.test, self.length = u, test, 512
        head = u >> (512 - CELL_BITS)
        self.word = (head << 1 | sign) << TEST_BITS | test >> (512 - TEST_BITS)
        self.word = self.word << bits | low
        self.first: int | None = 32 + bits
        self.read = {"u": CELL_BITS, "test": TEST_BITS}
        self.at = "u"

    def bits(self, count: int) -> int:
        if self.first is not None:
            assert count == self.first
            self.first = None
            return self.word
        if count == 64 - TEST_BITS:  # the test follows the block
            self.at = "test"
        number = self.u if self.at == "u" else self.test
        self.read[self.at] += count
        return number >> (512 - self.read[self.at]) & ((1 << count) - 1)


def expected(
    noise: DiscreteNoise, u: int, sign: int, test: int, low: int
) -> int | None:
    """The trial from all the parts, by exact comparison with an enclosure."""
    assert noise.blocks is not None
    y = noise.blocks.table.decide(u, 512)
    assert y is not None
    sign &= noise.law.sides - 1
    x = (-1 - y if sign else y) * 2**noise.bits + low
    start, power = y << noise.bits, noise.law.power
    loss = noise.law.rate(noise.scale) * (abs(x) ** power - start**power)
    chance = exponential(-loss)
    start_of_test, end = mpq(test, 2**512), mpq(test + 1, 2**512)
    assert end <= chance.lo or chance.hi <= start_of_test or loss == 0
    return x if end <= chance.lo else None


def trial_in_words(noise: DiscreteNoise, *parts: int) -> int | None:
    assert noise.blocks is not None
    with use_source(Parts(*parts, noise.bits)):
        return noise.trial(noise.blocks)


@pytest.mark.parametrize(
    "scale",
    shortened([mpq(s) for s in (128, 140, 300, 2000, 10**60)], mpq(300), mpq(2000)),
    ids=str,
)
@by_name
def test_a_trial_in_words(law: Law, scale: mpq) -> None:
    noise = DiscreteNoise(law, scale)
    source = HashedBits(1)
    accepted = 0
    for _ in range(60):
        u, test = source.bits(512), source.bits(512)
        for sign in (0, 1):
            for low in {0, source.bits(noise.bits), (1 << noise.bits) - 1}:
                found = trial_in_words(noise, u, sign, test, low)
                assert found == expected(noise, u, sign, test, low)
                accepted += found is not None
    assert accepted > 100


def words_fault(noise: DiscreteNoise) -> bool:
    """Whether a test at a border of the quick test is answered wrongly."""
    assert noise.blocks is not None
    below = noise.blocks.table.bounds(64)[0]
    top = (1 << noise.bits) - 1
    quick = Blocks(noise.blocks.rate, noise.law.power).quick
    for y in range(60):
        middle = (below[y] + (below[y - 1] if y else 0)) // 2
        u = (middle << 448) + 1
        for head in (-1, 0, 1):
            first = quick[y] + head
            for tail in (0, (1 << (512 - TEST_BITS)) - 1):
                test = (first << (512 - TEST_BITS)) + tail
                for sign in (0, 1):
                    # The places that are farthest from 0.
                    parts = (u, sign, test, 0 if sign else top)
                    if trial_in_words(noise, *parts) != expected(noise, *parts):
                        return True
    return False


@by_name
def test_a_trial_in_words_at_the_borders_of_the_quick_test(law: Law) -> None:
    assert not words_fault(DiscreteNoise(law, mpq(140)))


@pytest.mark.parametrize("law", [LAPLACE, GAUSSIAN], ids=lambda law: law.name)
def test_a_quick_test_that_is_one_too_great_is_found(law: Law) -> None:
    noise = DiscreteNoise(law, mpq(140))
    mutant = Blocks(noise.blocks.rate, law.power)  # type: ignore[union-attr]
    mutant.__dict__["quick"] = [q + 1 for q in mutant.quick]
    noise.blocks = mutant
    assert words_fault(noise)


# Parameters


@pytest.mark.parametrize("law", [LAPLACE, GAUSSIAN], ids=lambda law: law.name)
def test_the_size_of_blocks(law: Law) -> None:
    c = 128
    least = mpq(1, 10**9)
    for scale in [mpq(c), c + least, 2 * c - least, mpq(2 * c), mpq(10) ** 300 / 7]:
        noise = DiscreteNoise(law, scale)
        assert noise.table is None
        assert noise.blocks is not None
        assert noise.bits >= 2
        assert 32 <= scale / 2**noise.bits < 64
        assert mpq(1, 2**13) < noise.blocks.rate <= mpq(1, 32)
        assert noise.blocks.rate == law.rate(scale) * 2 ** (law.power * noise.bits)
    for scale in [c - least, mpq(32), mpq(1), least]:
        noise = DiscreteNoise(law, scale)
        assert noise.blocks is None
        assert noise.table is not None
        assert noise.table.rate == law.rate(scale)


@by_name
def test_scale_zero_is_no_noise_and_no_bits(law: Law) -> None:
    assert bits_used(discrete_noise(law, mpq(0)).sample, 0, 0) == 0
    assert discrete_noise(law, mpq(0)).sample() == 0


@pytest.mark.parametrize("power", [4, 20, 300, 5000])
@by_name
def test_a_tiny_scale(law: Law, power: int) -> None:
    """Not 0 with probability 2 e^-10000 at most; only the far end is undecided."""
    noise = discrete_noise(law, mpq(1, 10**power))
    assert {noise.sample() for _ in range(50)} == {0}
    found, unresolved = enumerate_tree(noise.sample, 40)
    assert set(found) == {0}
    assert unresolved == mpq(1, 2**40)


@pytest.mark.parametrize("power", [10, 20, 300, 2000])
@by_name
def test_a_huge_scale(law: Law, power: int) -> None:
    """Some of 20 draws has |x| < s/1e20, or > 60 s, with probability below 1e-18."""
    state_flakiness("2e-18")
    scale = mpq(10**power) + mpq(1, 3)
    noise = discrete_noise(law, scale)
    draws = [noise.sample() for _ in range(20)]
    assert all(type(x) is int for x in draws)
    assert all(10**power < 10**20 * (abs(x) + 1) for x in draws)
    assert all(abs(x) < 60 * scale for x in draws)
    # All 64 draws on one side have probability 2^-63.
    signs = {noise.sample() > 0 for _ in range(64)}
    assert len(signs) == law.sides


def cdf(law: Law, scale: float) -> Callable[[int], float]:
    """Of |X|, for noise of two sides and of one."""
    top = int(50 * scale) + 2
    rate = float(law.rate(mpq(scale)))
    masses = [1.0, *(law.sides * exp(-rate * k**law.power) for k in range(1, top))]
    below, total = [0.0], sum(masses)
    for mass in masses:
        below.append(below[-1] + mass / total)
    return lambda k: below[min(k + 1, top)]


def distance(draw: Callable[[], int], law: Law, scale: float) -> float:
    samples = [abs(draw()) for _ in range(DRAWS)]
    return distance_of_counts(samples, cdf(law, scale))


# Draws of scale 40 are compared with another law below; that their own law is found
# too is seen in the audit.
@pytest.mark.parametrize("scale", shortened([0.5, 40.0, 200.0], 40.0))
@by_name
def test_draws_from_the_operating_system(law: Law, scale: float) -> None:
    """Each comparison fails with probability at most 1e-9."""
    draw = discrete_noise(law, mpq(scale)).sample
    assert distance(draw, law, scale) <= tolerance()


@by_name
def test_a_scale_off_by_a_tenth_would_be_detected(law: Law) -> None:
    right, wrong = cdf(law, 40.0), cdf(law, 44.0)
    effect = max(abs(right(k) - wrong(k)) for k in range(300))
    assert misses_at_most(effect) <= FLAKINESS
    assert distance(discrete_noise(law, mpq(44)).sample, law, 40.0) > tolerance()


@cache
def gaussian_masses(scale: mpq) -> dict[int, mpq]:
    """The masses of the bit tree, of which 2^-60 or less is missing."""
    tree = verify.enumerate_tree(discrete_noise(GAUSSIAN, scale).sample, 80)
    assert tree.unresolved < mpq(1, 2**60)
    return {tree.outcomes[name]: mass for name, mass in tree.masses.items()}


def renyi_divergences(scale: mpq, shift: int, alpha: mpq) -> list[mpq]:
    """D_alpha of Z + d and Z, in both orders; outcomes below 2^-50 are left out."""
    masses = gaussian_masses(scale)
    p, q = {}, {}
    for x in range(-20, 21):
        pair = masses.get(x - shift, mpq(0)), masses.get(x, mpq(0))
        if min(pair) > mpq(1, 2**50):
            p[x], q[x] = pair
    return [mpq(verify.renyi(p, q, alpha)), mpq(verify.renyi(q, p, alpha))]


@for_each("alpha", [mpq(3, 2), mpq(2), mpq(3)], ids=str)
@for_each(("scale", "shift"), [("1/2", 1), ("1", 1), ("5/4", 2)])
def test_gaussian_noise_is_as_private_as_claimed_and_no_more(
    scale: str, shift: int, alpha: mpq
) -> None:
    """D_alpha <= alpha d^2/(2 s^2), with equality where alpha d is an integer."""
    s = mpq(scale)
    claim = alpha * shift**2 / (2 * s * s)
    for found in renyi_divergences(s, shift, alpha):
        assert found <= claim * mpq(1001, 1000)
        if (alpha * shift).denominator == 1:
            assert found >= claim * mpq(999, 1000)
    for found in renyi_divergences(s * mpq(99, 100), shift, alpha):
        if (alpha * shift).denominator == 1:
            assert found > claim * mpq(1001, 1000)


@by_name
def test_a_negative_scale_is_refused(law: Law) -> None:
    with pytest.raises(ValueError, match="scale must be non-negative, got -1/2"):
        discrete_noise(law, mpq(-1, 2))
