"""Clamped discrete Laplace integers: exact law, and the number of bits they take."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from gmpy2 import mpq

from opendp_lite.exact.enclosures import exp, ln
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.measurements.noise import geometric as clamped
from opendp_lite.measurements.noise.geometric import (
    _split_and_offset,
    sample_discrete_laplace_within,
)
from opendp_lite.randomness.entropy import use_source
from opendp_lite.verify.contracts.checks import HashedBits
from tests.longer import shortened
from tests.randomness.integer_noise import sample_discrete_laplace
from tests.randomness.laws import exponential, law_fault
from tests.randomness.tree import Script, bits_used, enumerate_tree, run
from tests.rows import for_each

SCALES = [mpq(s) for s in ("1/10", "1/3", "1", "5/2", "10", "1000")]
LIMITS = [0, 1, 2, 7]


def clamped_fault(
    sampler: Callable[[], int], scale: mpq, limit: int, depth: int, most: float
) -> str | None:
    q = exponential(-1 / scale)

    def pmf(x: int) -> Enclosure:
        if abs(x) > limit:
            return Enclosure(0, 0)
        if limit == 0:
            return Enclosure(1, 1)
        if abs(x) == limit:  # P(X >= m) = q^m/(1 + q)
            return exponential(-limit / scale) / (1 + q)
        return (1 - q) / (1 + q) * exponential(-abs(x) / scale)

    return law_fault(sampler, pmf, range(-limit - 2, limit + 3), depth, most)


@for_each("limit", LIMITS)
@for_each("scale", SCALES, ids=str)
def test_the_law(scale: mpq, limit: int) -> None:
    """Within u < 2e-5 in total variation, whatever the scale."""
    draw = lambda: sample_discrete_laplace_within(scale, limit)  # noqa: E731
    assert clamped_fault(draw, scale, limit, 22, 2e-5) is None


def reflected(scale: mpq, limit: int) -> int:
    """Noise beyond the limits is drawn again: truncated, not clamped."""
    while abs(x := sample_discrete_laplace(scale)) > limit:
        pass
    return x


def one_less(scale: mpq, limit: int) -> int:
    return sample_discrete_laplace_within(scale, limit - 1)


def narrower(scale: mpq, limit: int) -> int:
    return sample_discrete_laplace_within(scale * mpq(99, 100), limit)


@pytest.mark.parametrize("mutant", [reflected, one_less, narrower])
def test_the_bit_tree_detects_mutants(mutant: Callable[[mpq, int], int]) -> None:
    fault = clamped_fault(lambda: mutant(mpq(1), 2), mpq(1), 2, 16, 2e-2)
    assert fault is not None
    assert "mass on" in fault


@cache
def noise_at(word: int, bits: int, scale: mpq) -> int:
    """X at U = (word + 1/2)/2^bits, from enclosures: the noise before it is clamped."""
    u = mpq(2 * word + 1, 2 ** (bits + 1))
    q = exp(-1 / scale, bits)
    split = 1 / (1 + q)
    assert u < split.lo or split.hi < u
    v = u if u < split.lo else 1 - u
    size = -scale * ln((1 + q) * v, bits)
    least, most = int(size.lo // 1), int(size.hi // 1)
    assert least == most
    return least if u < split.lo else -least


@for_each("limit", [0, 1, 5, 10**6, 10**40])
@for_each("scale", [*SCALES, mpq(10**30), mpq(1, 500)], ids=str)
@for_each("granularity", [1, 64])
def test_it_is_a_function_of_the_bits_and_clamped(
    scale: mpq, limit: int, granularity: int
) -> None:
    bits = 1024
    for seed in range(8):
        word = HashedBits(seed).bits(bits)
        noise = noise_at(word, bits, scale)
        with use_source(Script(word, bits, granularity)):
            found = sample_discrete_laplace_within(scale, limit)
        assert type(found) is int
        assert found == min(max(noise, -limit), limit)


def undecided_cells(scale: mpq, limit: int, length: int) -> int:
    """How many of the cells of this length the sampler leaves undecided."""

    class Asked(Exception):
        pass

    class OneWord:
        granularity = 64

        def __init__(self, word: int) -> None:
            self.word: int | None = word

        def bits(self, count: int) -> int:
            if self.word is None:
                raise Asked
            word, self.word = self.word, None
            return word

    class Short(clamped.LazyUniform):  # type: ignore[name-defined]
        """Begins with `length` bits, whatever it is told."""

        __slots__ = ()

        def locate(self, decide, first=64):  # type: ignore[no-untyped-def]
            return super().locate(decide, length)

    undecided = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clamped, "LazyUniform", Short)
        for word in range(1 << length):
            with use_source(OneWord(word)):
                try:
                    sample_discrete_laplace_within(scale, limit)
                except Asked:
                    undecided += 1
    return undecided


@pytest.mark.parametrize("limit", shortened([0, 1, 3, 10], 1))
@pytest.mark.parametrize("scale", [mpq(1, 4), mpq(1), mpq(7, 2), mpq(10**6)], ids=str)
def test_few_cells_are_undecided(scale: mpq, limit: int) -> None:
    """At most 6 m + 10 of the proof, at every length; so about all bits suffice."""
    for length in (1, 4, 9, 12):
        undecided = undecided_cells(scale, limit, length)
        assert undecided <= 6 * limit + 10
        # Where there is something to decide, some cell is always left.
        assert undecided > 0


def test_the_count_of_undecided_cells_can_fail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With bounds of the offset that are too wide, more cells stay undecided."""

    def loosened(scale: mpq, length: int) -> tuple[tuple[int, int], tuple[int, int]]:
        split, offset = _split_and_offset(scale, length)
        return split, (offset[0] - (1 << 36), offset[1] + (1 << 36))

    monkeypatch.setattr(clamped, "_split_and_offset", loosened)
    assert undecided_cells(mpq(1), 3, 9) > 28


def test_wide_enclosures_change_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """With looser bounds of split and offset more is undecided, nothing is wrong."""

    def loosened(scale: mpq, length: int) -> tuple[tuple[int, int], tuple[int, int]]:
        split, offset = _split_and_offset(scale, length)
        coarse, fine = 1 << length // 2, 1 << length // 2 + 32
        return (
            (split[0] - coarse, split[1] + coarse),
            (offset[0] - fine, offset[1] + fine),
        )

    monkeypatch.setattr(clamped, "_split_and_offset", loosened)
    draw = lambda: sample_discrete_laplace_within(mpq(1, 2), 2)  # noqa: E731
    assert clamped_fault(draw, mpq(1, 2), 2, 18, 0.05) is None


@for_each("power", [0, 1, 5, 31, 100, 1000])
@for_each("scale", [*SCALES, mpq(10**300), mpq(1, 10**300)], ids=str)
def test_the_widths_that_the_proof_relies_on(scale: mpq, power: int) -> None:
    """2 for the split, 18 for the offset, 2^(3-p) for the exponential."""
    split, offset = _split_and_offset(scale, power)
    assert 0 <= split[1] - split[0] <= 2
    assert 0 <= offset[1] - offset[0] <= 18
    precision = power + 32
    if scale * precision > 1:
        assert exp(-1 / scale, precision).width <= mpq(8, 2**precision)


class Counting:
    """The bits of a hashed string, read by words; what was asked for is kept."""

    granularity = 64

    def __init__(self, seed: int) -> None:
        self.source = HashedBits(seed)
        self.asked: list[int] = []

    def bits(self, count: int) -> int:
        self.asked.append(count)
        return self.source.bits(count)


@for_each(
    ("limit", "bits"), [(0, 69), (1, 70), (2, 70), (3, 71), (10, 72), (2**64, 133)]
)
@for_each("scale", [mpq(1, 9), mpq(3), mpq(10**9)], ids=str)
def test_the_number_of_bits_is_fixed(scale: mpq, limit: int, bits: int) -> None:
    """Also where 150 zeros or ones lead far into the tails, if those are cut off."""
    for seed in range(200):
        source = Counting(seed)
        with use_source(source):
            sample_discrete_laplace_within(scale, limit)
        assert source.asked[0] == bits
        if seed % 4 < 2 or limit <= 20 * scale:
            assert source.asked == [bits]


def test_more_bits_are_read_where_the_first_do_not_decide() -> None:
    """U = 1/(1 + q) to 150 bits: the side of it is not known before."""
    scale = mpq(1)
    word = _split_and_offset(scale, 150)[0][0]
    for tail in (0, 2**106 - 1):
        script = Script(word << 106 | tail, 256, 64)
        with use_source(script):
            assert sample_discrete_laplace_within(scale, 3) in (0, -1)
        assert script.used == 192


def test_scale_zero_is_no_noise_and_no_bits() -> None:
    assert sample_discrete_laplace_within(mpq(0), 5) == 0
    assert bits_used(lambda: sample_discrete_laplace_within(mpq(0), 5), 0, 0) == 0


def test_the_far_tails_are_decided() -> None:
    """Of the zeros and the ones, which the noise without limits never decides."""
    for word, side in ((0, 1), (2**80 - 1, -1)):
        draw = lambda: sample_discrete_laplace_within(mpq(1), 5)  # noqa: E731
        assert run(draw, word, 80) == 5 * side
    law, unresolved = enumerate_tree(
        lambda: sample_discrete_laplace_within(mpq(10**300), 1), 30
    )
    assert set(law) == {-1, 1}  # 0 has probability 5e-301
    assert unresolved <= mpq(16, 2**30)


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="scale must be non-negative, got -1/2"):
        sample_discrete_laplace_within(mpq(-1, 2), 3)
    with pytest.raises(ValueError, match="limit must be non-negative, got -1"):
        sample_discrete_laplace_within(mpq(0), -1)
