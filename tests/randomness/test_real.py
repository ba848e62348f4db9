"""Rounded real noise: one trial and the loop, extremes, draws of the OS."""

from __future__ import annotations

import math
from itertools import product
from math import erf, exp, sqrt

import pytest
from gmpy2 import mpq

from opendp_lite.exact.enclosures import exp as enclosed_exp
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rounding import (
    BINARY32,
    BINARY64,
    FloatFormat,
    divide_to_double,
    round_nearest,
)
from opendp_lite.laws.noise import GAUSSIAN, GEOMETRIC, LAPLACE, Law
from opendp_lite.randomness import real
from opendp_lite.randomness.entropy import use_source
from opendp_lite.randomness.lazy import LazyUniform
from opendp_lite.randomness.real import RealNoise, real_noise
from opendp_lite.testing import state_flakiness
from opendp_lite.verify.divergences import hockey_stick, needed_epsilon, needed_rho
from opendp_lite.verify.tree import Tree, enumerate_tree
from tests.longer import shortened
from tests.randomness.lane_bits import LaneString
from tests.randomness.laws import (
    FLAKINESS,
    distance_of_reals,
    misses_at_most,
    tolerance,
)
from tests.randomness.real_laws import rounded_trial, trial_law
from tests.randomness.tree import bits_used
from tests.rows import for_each

DRAWS = 10_000
LAWS = [LAPLACE, GAUSSIAN]
by_law = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)

TINY = FloatFormat(3, -2, 0)
SMALL = FloatFormat(4, -3, 1)
WIDE = FloatFormat(5, -3, 0)
CASES = [
    (mpq(0), mpq(1), TINY),
    (mpq(1, 3), mpq(1), TINY),
    (mpq(9, 8), mpq(2), TINY),  # a midpoint
    (mpq(-7, 3), mpq(1, 3), TINY),
    (mpq(100), mpq(1), TINY),  # beyond the largest value
    (mpq(0), mpq(40), TINY),  # most draws saturate
    (mpq(0), mpq(1, 50), TINY),  # all within the subnormal values
    (mpq(2, 5), mpq(3, 2), SMALL),
    (mpq(-1), mpq(1, 10), SMALL),
    (mpq(1, 7), mpq(5, 2), WIDE),
]


Case = tuple[mpq, mpq, FloatFormat]


def trial_fault(
    noise: RealNoise, law: Law, case: Case, bits: int, depth: int = 14
) -> str | None:
    """What contradicts P(y) <= pmf(y) <= P(y) + u, where u < 0.2 is what is open."""
    shift, _, fmt = case
    pmf = trial_law(law, *case, bits)
    tree = enumerate_tree(lambda: rounded_trial(noise, shift, fmt), depth)
    if tree.unresolved > 0.2:
        return f"unresolved mass {float(tree.unresolved)}"
    for y, bound in pmf.items():
        if not tree.mass(y) <= bound.lo:
            return f"too much mass on {y}"
        if not bound.hi <= tree.mass(y) + tree.unresolved:
            return f"too little mass on {y}"
    return None if len(tree.masses) <= len(pmf) else "a value beyond the format"


# Each case stays for one law at least, but for those that are like others; of the wider
# formats, that of four bits stays, once.
STAYS = {LAPLACE: (1, 2, 5), GAUSSIAN: (1, 4, 6, 7)}


@pytest.mark.parametrize(
    ("law", "case"),
    [
        pytest.param(law, case, marks=[] if i in STAYS[law] else [pytest.mark.audit])
        for law in LAWS
        for i, case in enumerate(CASES)
    ],
    ids=str,
)
def test_the_law_of_one_trial(law: Law, case: Case) -> None:
    # The second is looked at so closely that a tenth of the scale would be seen.
    depth = 16 if case is CASES[1] else 14
    assert trial_fault(RealNoise(law, case[1], 0), law, case, 0, depth) is None


@by_law
@pytest.mark.parametrize("bits", shortened([1, 3], 1))
def test_the_law_of_one_trial_with_narrow_blocks(law: Law, bits: int) -> None:
    case = CASES[1]
    assert trial_fault(RealNoise(law, case[1], bits), law, case, bits) is None


@by_law
def test_the_cells_cover_the_line(law: Law) -> None:
    for case in CASES[::4]:
        total = sum(trial_law(law, *case, 1).values(), Enclosure(0, 0))
        assert total.contains(1)
        assert total.width < mpq(1, 2**300)


@by_law
def test_a_draw_is_the_first_trial_that_accepts(law: Law) -> None:
    noise, rejected = RealNoise(law, mpq(5, 2), 0), 0
    for seed in range(200):
        string = LaneString(seed)
        with use_source(string):
            while (expected := rounded_trial(noise, mpq(1, 3), BINARY64)) is None:
                rejected += 1
        again = LaneString(seed)
        with use_source(again):
            assert noise.sample(mpq(1, 3)) == expected
        assert again.position == string.position
    assert rejected > 30


class OneSided(RealNoise):
    """The sign is lost."""

    def trial(self) -> tuple[int, int, LazyUniform] | None:  # type: ignore[override]
        found = super().trial()
        return found and (0, *found[1:])


class Fresh(RealNoise):
    """The place that is released is not the one that was accepted."""

    def trial(self) -> tuple[int, int, LazyUniform] | None:  # type: ignore[override]
        found = super().trial()
        return found and (*found[:2], LazyUniform())


class Wider(RealNoise):
    def __init__(self, law: Law, scale: mpq, block_bits: int) -> None:
        super().__init__(law, scale * mpq(11, 10), block_bits)


class Shifted(RealNoise):
    """The block above the one that was accepted."""

    def trial(self) -> tuple[int, int, LazyUniform] | None:  # type: ignore[override]
        found = super().trial()
        return found and (found[0], found[1] + 1, found[2])


class Careless(RealNoise):
    """Accepts every place."""

    def accepts(self, y: int, place: LazyUniform, test: LazyUniform) -> bool:
        return True


class RoundedNoise(RealNoise):
    """Rounds the noise and then the sum, as a naive implementation does."""

    def finish(self, n, d, negative, y, place, rounded):  # type: ignore[no-untyped-def]
        noise = super().finish(0, 1, negative, y, place, rounded)
        top, bottom = noise.numerator, noise.denominator
        return rounded(n * bottom + d * top, d * bottom)


MUTANTS = [OneSided, Fresh, Wider, Shifted, Careless, RoundedNoise]


# Most of them have nothing to do with the law.
@pytest.mark.parametrize(
    ("law", "mutant"),
    shortened(
        product(LAWS, MUTANTS),
        *((GAUSSIAN, mutant) for mutant in MUTANTS if mutant not in (Wider, Careless)),
        parts=2,
    ),
)
def test_the_bit_tree_detects_mutants(law: Law, mutant: type[RealNoise]) -> None:
    case = CASES[1]
    noise = mutant(law, case[1], 0)
    fault = trial_fault(noise, law, case, 0, 16 if mutant is Wider else 14)
    assert fault is not None
    assert "mass on" in fault


def tree(law: Law, shift: mpq, depth: int) -> Tree:
    noise, fmt = RealNoise(law, mpq(1), 0), FloatFormat(2, 0, 0)
    return enumerate_tree(lambda: rounded_trial(noise, shift, fmt), depth)


@pytest.mark.parametrize(
    ("depth", "least"),
    [
        (16, 0.65),
        *(
            pytest.param(*each, marks=pytest.mark.audit)
            for each in [(18, 0.8), (28, 0.99)]
        ),
    ],
)
def test_the_loss_of_laplace_noise_is_attained_and_not_passed(
    depth: int, least: float
) -> None:
    """A trial accepts for all shifts alike, so its loss is that of a whole draw.

    5/2 is a midpoint: the values up to 2 have the ratio e.
    """
    a, b = (tree(LAPLACE, mpq(shift), depth) for shift in (mpq(5, 2), mpq(7, 2)))
    assert least < needed_epsilon(a.masses, b.masses, b.unresolved, mpq(0)) <= 1
    assert needed_epsilon(b.masses, a.masses, a.unresolved, mpq(0)) <= 1
    assert hockey_stick(a.masses, b.masses, mpq(1)) <= 3 * b.unresolved
    assert hockey_stick(b.masses, a.masses, mpq(1)) <= 3 * a.unresolved


@pytest.mark.parametrize("depth", shortened([16, 18], 18))
def test_the_loss_of_gaussian_noise_is_not_passed(depth: int) -> None:
    """Of rho = 1/2, rounding to 7 values leaves a part to be seen."""
    a, b = (tree(GAUSSIAN, mpq(shift), depth) for shift in (0, 1))
    for p, q in ((a, b), (b, a)):
        assert 0.05 < needed_rho(p.masses, q.masses, q.unresolved, mpq(0)) <= 0.5


def expected_word_by_word(
    noise: RealNoise, string: LaneString
) -> tuple[int, int, mpq] | None:
    """Sign, block and 64 bits of the place of the first trial, if it accepts.

    It reads a cell of 16 bits, a sign, 15 bits of the test and 64 of the place, and
    compares in floating-point numbers; None where these are not clear.
    """
    cell, sign, head, place = (string.bits(n) for n in (16, 1, 15, 64))
    weights = [exp(-float(noise.blocks.rate) * y**noise.law.power) for y in range(999)]
    total, y = 0.0, 0
    while (total := total + weights[y] / sum(weights)) < (cell + 0.5) / 2**16:
        if abs(total * 2**16 - cell - 0.5) < 0.51:
            return None
        y += 1
    if abs(total * 2**16 - cell - 0.5) < 0.51:
        return None
    t = y + place / 2**64
    loss = float(noise.blocks.rate) * (t**noise.law.power - y**noise.law.power)
    if (head + 1) / 2**15 > exp(-loss):
        return None
    return sign, y, mpq(place, 2**64)


@by_law
def test_a_word_is_read_in_order(law: Law) -> None:
    noise, seen = real_noise(law, mpq(7, 3)), 0
    for seed in range(150):
        expected = expected_word_by_word(noise, LaneString(seed))
        if expected is None:
            continue
        sign, y, v = expected
        step = mpq(noise.numerator, noise.denominator)
        near = mpq(0.3) + (-1 if sign else 1) * (y + v) * step
        with use_source(LaneString(seed)):
            result = noise.release(0.3)
        assert abs(mpq(result) - near) < mpq(1, 2**50)
        seen += 1
    assert seen > 100


@by_law
def test_infinite_values_are_released_as_they_are(law: Law) -> None:
    for scale in (mpq(0), mpq(1)):
        for x in (math.inf, -math.inf):
            with use_source(string := LaneString(1)):
                assert real_noise(law, scale).release(x) == x
            # The word is read before x is looked at, and not used.
            assert string.position == (96 if scale else 0)


@by_law
def test_release_and_sample_agree_on_doubles(law: Law) -> None:
    for scale in (mpq(1, 3), mpq(10) ** 320, mpq(1, 10**310), mpq(0)):
        noise = real_noise(law, scale)
        for i, x in enumerate([0.0, -0.0, 0.3, 5e-324, -1e-310, 1.79e308, 2.0**-3]):
            with use_source(LaneString(i)):
                released = noise.release(x)
            with use_source(LaneString(i)):
                sampled = noise.sample(mpq(x))
            assert mpq(released) == sampled
            assert math.isfinite(released)
            assert str(released) != "-0.0"


@by_law
def test_scale_zero_rounds_and_reads_no_bits(law: Law) -> None:
    for fmt in (BINARY64, BINARY32, TINY):
        for shift in (mpq(1, 3), mpq(-5, 7), mpq(10) ** 400):
            draw = lambda s=shift, f=fmt: real_noise(law, mpq(0)).sample(s, f)  # noqa: E731
            assert draw() == round_nearest(shift, fmt)
            assert bits_used(draw, 0, 0) == 0
    with use_source(string := LaneString(1)):
        assert str(real_noise(law, mpq(0)).release(-0.0)) == "0.0"
    assert string.position == 0


@by_law
@pytest.mark.parametrize("power", [0, 15, 300, 323])
def test_a_scale_of_any_size(law: Law, power: int) -> None:
    """s/1e30 < |y| < 80 s in all draws but for a probability below 1e-28."""
    state_flakiness("1e-28")
    for scale in (mpq(1, 10**power), mpq(10) ** min(power, 305)):
        draws = [real_noise(law, scale).sample(mpq(0)) for _ in range(20)]
        assert all(mpq(float(y)) == y for y in draws)
        assert all(abs(y) < 80 * scale for y in draws)
        if scale > mpq(10) ** -270:
            assert all(10**30 * abs(y) > scale for y in draws)


@by_law
def test_noise_that_is_too_small_or_too_large_to_see(law: Law) -> None:
    third = round_nearest(mpq(1, 3))
    for power in (300, 5000):
        noise = real_noise(law, mpq(1, 10**power))
        assert {noise.sample(mpq(1, 3)) for _ in range(20)} == {third}
    # All 64 draws on one side have probability 2^-63, one that does not saturate
    # less than 1e-90.
    state_flakiness(2.0**-62)
    noise = real_noise(law, mpq(10) ** 400)
    huge = {noise.sample(mpq(1, 3)) for _ in range(64)}
    assert huge == {BINARY64.largest, -BINARY64.largest}


@by_law
def test_a_midpoint_is_left_to_the_side_of_the_sign(law: Law) -> None:
    """The shift is half an ulp above 1: noise of any size settles the tie.

    All 64 draws on one side have probability 2^-63.
    """
    state_flakiness(2.0**-63)
    noise, shift = real_noise(law, mpq(1, 10**100)), 1 + mpq(1, 2**53)
    above, below = mpq(1 + 2.0**-52), mpq(1)
    assert {noise.sample(shift) for _ in range(64)} == {above, below}


@by_law
def test_a_place_that_meets_a_midpoint_is_read_to_the_end(law: Law) -> None:
    """V = 1/3 with x = 1 - w/3 + u/2, all but a bit far behind: many words are read."""
    noise = RealNoise(law, mpq(16), 4)  # so that w = 1
    half = mpq(1, 2**53)
    shift = mpq(2, 3) + half
    for last, expected in ((0, 1.0), (1, 1 + 2.0**-52)):
        # Cell 0 is block 0; the test 0 accepts; V = 0.0101..., then a bit more or less.
        place = "01" * 320 + "01" * last + "00" * (1 - last) + "1" * 62
        with use_source(LaneString(0, "0" * 32 + place)):
            assert noise.sample(shift) == mpq(expected)


@by_law
def test_an_open_question_of_the_test_is_continued(law: Law) -> None:
    """A test whose bits are those of e^(-loss) reveals more of both numbers."""
    noise = RealNoise(law, mpq(1), 0)
    loss = noise.law.rate(mpq(1)) * mpq(1, 2) ** law.power
    threshold = int(mpq(enclosed_exp(-loss, 400).lo) * 2**200)
    text = format(threshold, "0200b")
    for nudge, accepted in ((-1, True), (1, False)):
        place, test = LazyUniform(1 << 63, 64), LazyUniform(int(text[:64], 2), 64)
        test_bits = format(threshold + nudge * 2**20, "0200b")
        zeros = "0" * 64
        rest = test_bits[64:128] + zeros + test_bits[128:192] + zeros
        with use_source(LaneString(0, rest + test_bits[192:] + "0" * 200)):
            assert noise.accepts(0, place, test) is accepted
        assert place.length >= 128


def folded_distance(law: Law, scale: mpq) -> float:
    """The distance of |y - 3| from the law of 2 |Y|.

    The rounding to doubles moves the distribution function by less than 1e-15.
    """
    noise = real_noise(law, scale)
    samples = [abs(noise.release(3.0) - 3) for _ in range(DRAWS)]
    if law is LAPLACE:
        return distance_of_reals(samples, lambda x: 1 - exp(-x / 2))
    return distance_of_reals(samples, lambda x: erf(x / 2 / sqrt(2)))


@by_law
def test_draws_from_the_operating_system(law: Law) -> None:
    """Each comparison fails with probability at most 1e-9; 20 % in scale is seen."""
    assert folded_distance(law, mpq(2)) <= tolerance(DRAWS)
    noise = real_noise(law, mpq(2))
    positive = sum(noise.release(3.0) > 3 for _ in range(DRAWS))
    assert abs(positive / DRAWS - 0.5) <= tolerance(DRAWS)


@by_law
@pytest.mark.parametrize("factor", [mpq(6, 5), mpq(4, 5)], ids=str)
def test_a_scale_off_by_a_fifth_would_be_detected(law: Law, factor: mpq) -> None:
    f = float(factor)

    def cdf(x: float) -> float:
        return 1 - exp(-x) if law is LAPLACE else erf(x / sqrt(2))

    effect = max(abs(cdf(x / 100) - cdf(x / 100 / f)) for x in range(1, 500))
    assert misses_at_most(effect, DRAWS) <= FLAKINESS
    assert folded_distance(law, 2 * factor) > tolerance(DRAWS)


@for_each(
    ("arguments", "message"),
    [
        ((LAPLACE, mpq(-1, 2)), "scale must be non-negative, got -1/2"),
        ((GEOMETRIC, mpq(1)), "law must be laplace or gaussian, got geometric"),
        ((LAPLACE, mpq(1), -1), "block_bits must be from 0 to 7, got -1"),
        ((GAUSSIAN, mpq(1), 8), "block_bits must be from 0 to 7, got 8"),
    ],
)
def test_what_is_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RealNoise(*arguments)  # type: ignore[arg-type]


def test_noise_is_made_once() -> None:
    assert real_noise(LAPLACE, mpq(1, 3)) is real_noise(LAPLACE, mpq(1, 3))
    assert real.real_noise.cache_info().maxsize == 64


# What is released from one word is what a draw releases from it


class Nothing:
    """A source that has served its word, and refuses to serve more."""

    granularity = 64

    def bits(self, count: int) -> int:
        raise AssertionError("no more bits were due")


def hostile_words(noise: RealNoise) -> list[int]:
    """Words at the edges of cells, of quick tests and of places."""
    below, above = noise.blocks.table.bounds(64)
    quick = noise.blocks.quick
    edges = {(bound >> 48) + i for bound in below[:40] + above[-9:] for i in (-1, 0, 1)}
    words = []
    for cell in sorted(edge for edge in edges if 0 <= edge < 1 << 16):
        y = noise.blocks.table.decide(cell, 16)
        limit = quick[y] if y is not None and y < len(quick) else 1 << 14
        for test in {0, max(limit - 1, 0), limit}:
            for sign, place in [(0, 0), (1, 2**64 - 1), (0, 2**63), (1, 12345 << 40)]:
                words.append(((cell << 1 | sign) << 15 | test) << 64 | place)
    return words


EDGES = [0.0, -0.0, 0.3, -1.0, 5e-324, 2.0**-1022, 2.0**53, 1.7976931348623157e308]


class OneWord:
    """A source that serves one word of 96 bits."""

    granularity = 64

    def __init__(self, word: int) -> None:
        self.words = [word]

    def bits(self, count: int) -> int:
        assert count == 96
        return self.words.pop()


class Later(Exception):
    """A word does not decide: it goes to `draw`."""


DYADIC = [mpq(5, 2**900), mpq(5, 2**70), mpq(10), mpq(5 * 2**60), mpq(5 * 2**800)]
OTHERS = [mpq(1, 10**330), mpq(1, 2**1100), mpq(1, 3), mpq(10**308)]  # or too far


@by_law
@pytest.mark.parametrize(
    "scale",
    shortened(DYADIC + OTHERS, DYADIC[1], DYADIC[3], OTHERS[1], OTHERS[3]),
)
def test_a_word_that_decides_is_released_as_a_draw_would(
    law: Law, scale: mpq, monkeypatch: pytest.MonkeyPatch
) -> None:
    noise = RealNoise(law, scale)
    draw = RealNoise.draw

    def later(self: RealNoise, n: int, d: int, rounded: object, word: int) -> None:
        assert (n, d, rounded) == (*x.as_integer_ratio(), divide_to_double)
        assert word == given
        raise Later

    monkeypatch.setattr(RealNoise, "draw", later)
    decided, below = 0, 0
    for given in hostile_words(noise):
        for x in EDGES:
            try:
                with use_source(OneWord(given)):
                    at_once = noise.release(x)
            except Later:
                continue
            decided, below = decided + 1, below + (at_once < 0)
            n, d = x.as_integer_ratio()
            with use_source(Nothing()):
                drawn = draw(noise, n, d, divide_to_double, given)
            assert (at_once, math.copysign(1, at_once)) == (
                drawn,
                math.copysign(1, drawn),
            )
    assert decided > 1000 if scale in DYADIC else decided == 0
    assert below > 400 if scale in DYADIC else below == 0


@for_each("scale", DYADIC + OTHERS)
def test_the_unit_of_products_is_exact_or_none(scale: mpq) -> None:
    noise = RealNoise(LAPLACE, scale)
    assert noise.float_unit == 0 or mpq(noise.float_unit) == mpq(1, noise.unit)


@by_law
@pytest.mark.parametrize(
    "power", shortened([-1060, -1000, -50, 0, 40, 880, 960], -1000, -50, 40)
)
@pytest.mark.parametrize("factor", [mpq(7, 3), mpq(1), mpq(7)], ids=str)
def test_a_place_beside_a_midpoint_is_released_as_it_is_sampled(
    law: Law, factor: mpq, power: int
) -> None:
    """The midpoint of two doubles is in the cell of the place, at an end, or near."""
    noise, seen, longer = RealNoise(law, factor * mpq(2) ** power), 0, 0
    width = mpq(noise.numerator, noise.denominator)
    for seed in range(200):
        start = LaneString(f"start {seed}")
        cell, negative, v = start.bits(16), start.bits(1), mpq(start.bits(53), 2**53)
        y = noise.blocks.table.decide(cell, 16)
        if y is None:
            continue
        x, sign = [0.0, 1.5, -3.7][seed % 3] * 2.0**power, -1 if negative else 1
        low = float(round_nearest(mpq(x) + sign * (y + v) * width))
        middle = (mpq(low) + mpq(math.nextafter(low, math.inf))) / 2
        met = ((middle - mpq(x)) * sign / width - y) * 2**64
        place = math.floor(met) + seed % 5 - 2
        if not 0 <= place < 2**64:
            continue
        word = format(((cell << 1 | negative) << 15) << 64 | place, "096b")
        with use_source(string := LaneString(seed, word)):
            released = noise.release(x)
        with use_source(again := LaneString(seed, word)):
            assert mpq(released) == noise.sample(mpq(x))
        assert string.position == again.position
        seen, longer = seen + 1, longer + (string.position > 96)
    assert seen > 100
    assert 20 < longer < seen - 20


@by_law
@pytest.mark.parametrize("negative", [0, 1])
def test_two_ends_of_different_signs_do_not_decide(law: Law, negative: int) -> None:
    noise = RealNoise(law, mpq(1))
    width = mpq(noise.numerator, noise.denominator)
    for place in (0, 1, 12345):
        x = (place + 0.5) * float(width) / 2**64 * (1 if negative else -1)
        word = format(negative << 79 | place, "096b")
        for more in ("0", "1"):
            with use_source(string := LaneString(place, word + more * 64)):
                released = noise.release(x)
            assert string.position > 96
            assert (released > 0) == (int(more) != negative)


@by_law
def test_a_block_is_taken_at_once_where_table_and_test_are_sure(law: Law) -> None:
    made = RealNoise(law, mpq(1)).blocks
    cells, quick = made.sure
    for cell in range(0, 1 << 16, 7):
        y = made.table.decide(cell, 16)
        limit = made.quick[y] if y is not None and y < len(made.quick) else 0
        sure = cells[cell]
        for test in (0, max(limit - 1, 0), limit, 2**15 - 1):
            at_once = sure >= 0 and test < quick[sure]
            assert at_once == (test < limit)
            assert not at_once or sure == y
