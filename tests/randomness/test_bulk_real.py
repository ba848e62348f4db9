"""Arrays of real noise: the same bits give the same doubles as single draws do."""

from __future__ import annotations

import inspect
import math
import pickle
from collections.abc import Callable, Iterator
from functools import cache
from types import FunctionType
from typing import NamedTuple

import numpy as np
import pytest
from gmpy2 import mpq

from opendp_lite.exact.rounding import divide_to_double, to_double
from opendp_lite.laws.noise import GAUSSIAN, LAPLACE, Law
from opendp_lite.randomness import bulk_real
from opendp_lite.randomness.bulk import block_arrays
from opendp_lite.randomness.bulk_real import _rounded_sums, _Width, _width, add_real
from opendp_lite.randomness.entropy import use_source
from opendp_lite.randomness.lanes import FEW_REALS, Array
from opendp_lite.randomness.lazy import LazyUniform
from opendp_lite.randomness.real import RealNoise, real_noise
from tests.longer import shortened
from tests.randomness.lane_bits import (
    DealtBits,
    LaneString,
    assert_lanes_equal_single_draws,
    thresholds,
)
from tests.rows import for_each

by_law = pytest.mark.parametrize("law", [LAPLACE, GAUSSIAN], ids=lambda law: law.name)
POINTS = [
    *(0.0, -0.0, 0.3, 1.0, -1.0, 2.0**40, -(2.0**-40), 5e-324, -1e-310, 1e300),
    *(1.79e308, -1.79e308, math.inf, -math.inf, 1.0 - 2.0**-53, 1.0 + 2.0**-52),
]
SCALES = [
    *(mpq(1), mpq(1, 3), mpq(16), mpq(1, 10**310), mpq(1, 10**280), mpq(10) ** 320),
    *(mpq(10) ** 270, mpq(2) ** 41 / 3, mpq(1, 2**60)),
]


def same_double(x: float, y: float) -> bool:
    return x == y and math.copysign(1, x) == math.copysign(1, y)


Add = Callable[[RealNoise, Array, Callable[..., None]], Array]


def compare(
    noise: RealNoise, values: list[float], starts: list[str], add: Add = add_real
) -> int:
    """Compare an array with single draws; return how often a lane went on alone."""
    x = np.array(values)
    before = x.copy()

    def array(run: Callable[..., None]) -> Array:
        out = add(noise, x, run)
        assert not np.any((out == 0) & np.signbit(out))
        assert not np.any(np.isinf(out) & ~np.isinf(x))
        return out

    def single(i: int) -> float:
        # An infinite x is not released; its lane reads the bits of a finite one.
        result = noise.release(values[i] if math.isfinite(values[i]) else 0.0)
        return result if math.isfinite(values[i]) else values[i]

    alone = assert_lanes_equal_single_draws(array, single, starts)
    assert np.array_equal(x, before)
    assert np.array_equal(np.signbit(x), np.signbit(before))
    return alone


@by_law
@pytest.mark.parametrize("scale", SCALES, ids=str)
def test_lanes_are_single_draws(law: Law, scale: mpq) -> None:
    """A lane of an infinite x may stop reading its place sooner: 0 rounds alike."""
    finite = [x for x in POINTS if math.isfinite(x)] * 12
    compare(real_noise(law, scale), finite, [""] * len(finite))


@by_law
@pytest.mark.parametrize("scale", SCALES, ids=str)
def test_lanes_of_near_numbers_are_single_draws(law: Law, scale: mpq) -> None:
    noise = real_noise(law, scale)
    limit = _width(noise).limit or 1.0  # a scale may have none
    edge = math.nextafter(limit, 0.0)
    points = [0.0, -0.0, 0.3 * limit, edge, -edge, limit / 2**40, 5e-324]
    compare(noise, points * 20, [""] * 140)
    # Where one is at the limit, no number is near; what is released is the same.
    compare(noise, [*points * 20, limit], [""] * 141)


@by_law
def test_infinite_values_stay(law: Law) -> None:
    for times in (10, 100):
        values = np.array([math.inf, -math.inf, 0.0] * times)
        for scale in (mpq(0), mpq(1), mpq(10) ** 400):
            out = real_noise(law, scale).add(values)
            assert np.array_equal(np.isinf(out), np.isinf(values))
            assert np.array_equal(out[np.isinf(out)], values[np.isinf(values)])


@cache
def cell_of(noise: RealNoise, y: int) -> int:
    return int(np.flatnonzero(block_arrays(noise.blocks).table.cells == y)[0])


def start(noise: RealNoise, y: int, negative: int, place: str, test: int = 0) -> str:
    """A string that begins with the block y, a sign, 15 bits of a test and a place."""
    return format(cell_of(noise, y), "016b") + str(negative) + f"{test:015b}" + place


@by_law
def test_hostile_beginnings(law: Law) -> None:
    """All zeros, all ones, and tests and cells that leave everything open."""
    for scale in (mpq(1), mpq(1, 3)):
        noise = real_noise(law, scale)
        arrays = block_arrays(noise.blocks)
        undecided = np.flatnonzero(arrays.table.cells < 0)
        starts = ["0" * 400, "1" * 16, "1" * 400, "01" * 200, "0" * 32 + "1" * 200]
        for cell in undecided[:: max(1, len(undecided) // 20)]:
            k, bounds = int(cell), arrays.table.above
            for bound in bounds[(bounds >> np.uint64(48)) == k][:2]:
                for near in (int(bound) - 1, int(bound), int(bound) + 1):
                    text = f"{near:064b}"
                    starts.append(text[:16] + "0" * 80 + text[16:])
                    starts.append(text[:16] + "1" * 80 + text[16:])
        for y in (0, 1, 5, 30):
            quick = noise.blocks.quick[y]
            for test in (quick - 1, quick, quick + 1, 2**15 - 1):
                for place in ("0" * 64, "1" * 64, "0" * 63 + "1", "1" + "0" * 63):
                    starts.append(
                        start(noise, y, test & 1, place, min(test, 2**15 - 1))
                    )
        values = (POINTS[:12] * len(starts))[: len(starts)]
        assert compare(noise, values, starts) > 0


@by_law
def test_a_test_at_its_threshold_goes_on_with_the_same_place(law: Law) -> None:
    """The first 64 bits of e^(-loss) decide nothing: both numbers are continued."""
    noise = RealNoise(law, mpq(1), 0)
    rate = float(noise.blocks.rate)
    starts, values = [], []
    for y in (0, 1, 2):
        for place in (1 << 63, 3 << 61, (1 << 64) - 1, 12345 << 40):
            t = y + place / 2**64
            loss = rate * (t**law.power - y**law.power)
            for nudge in (0, 1, -1, 1 << 9, -(1 << 9), 1 << 20):
                prefix = min(max(int(math.exp(-loss) * 2**64) + nudge, 0), 2**64 - 1)
                text = f"{prefix:064b}"
                if prefix >> 49 < noise.blocks.quick[y]:
                    continue
                begin = start(noise, y, nudge & 1, f"{place:064b}", prefix >> 49)
                starts.append(begin + text[15:])
                values.append(0.3)
    starts += [""] * 8
    values += [0.3] * 8
    assert compare(noise, values, starts) > 20


def neighbours(r: float) -> Iterator[tuple[float, mpq]]:
    """The two midpoints beside a double."""
    for other in (math.nextafter(r, math.inf), math.nextafter(r, -math.inf)):
        yield r, (mpq(r) + mpq(other)) / 2


def near_boundaries(noise: RealNoise) -> tuple[list[float], list[str]]:
    """Values and strings whose exact sum is at a midpoint, or 2^-64 w beside it."""
    w = mpq(noise.numerator, noise.denominator)
    values, starts = [], []
    for y in (0, 1, 20):
        for negative in (0, 1):
            unit = -w if negative else w
            middle = unit * (y + mpq(1, 2))
            points = [0.0, 0.3, -0.3, 1.0, 2.0**10, to_double(w), to_double(-middle)]
            # The sum comes close to a power of two, where the gaps differ.
            points += [to_double(mpq(2) ** k - middle) for k in (-2, 0, 3)]
            points += [to_double(-(mpq(2) ** k) - middle) for k in (-2, 0, 3)]
            for x in points:
                for _, boundary in neighbours(to_double(mpq(x) + middle)):
                    v = (boundary - mpq(x)) / unit - y
                    if not 0 <= v < 1:
                        continue
                    exact = int(v * 2**256)
                    for nudge in (0, 1, -1, 2**192, -(2**192), 2**193, 2**196):
                        place = min(max(exact + nudge, 0), 2**256 - 1)
                        values.append(x)
                        starts.append(start(noise, y, negative, f"{place:0256b}"))
    return values, starts


@by_law
@pytest.mark.parametrize("scale", [mpq(1), mpq(1, 3), mpq(5, 7) / 2**30], ids=str)
def test_sums_at_the_boundaries_of_rounding(law: Law, scale: mpq) -> None:
    """256 bits of the place lead towards a midpoint; the rest decides the side."""
    noise = real_noise(law, scale)
    values, starts = near_boundaries(noise)
    assert len(values) > 100
    assert compare(noise, values, starts) > len(values) // 4


@by_law
def test_blocks_far_away_are_drawn_one_by_one(law: Law) -> None:
    """Ones in the cell and behind it lead to a block that no table of 64 bits has."""
    noise = real_noise(law, mpq(1))
    starts = ["1" * 16 + "0" * 80 + "1" * ones for ones in (48, 200, 500)] + [""] * 8
    compare(noise, [0.3] * len(starts), starts)


def test_no_float_decides_blocks_from_2_to_the_14_on() -> None:
    """With 128 blocks to a scale, 200 ones lead to y > 2^14, and 400 to y > 2^15."""
    noise = RealNoise(LAPLACE, mpq(1), 7)
    starts = ["1" * 16 + "0" * 80 + "1" * ones for ones in (200, 400)]
    starts += ["1" * 17 + "1" * 79 + "1" * ones for ones in (200, 400)]
    for text in starts[:2]:
        with use_source(LaneString(0, text)):
            assert noise.release(0.0) > 128
    starts += [""] * 8
    compare(noise, [0.3] * len(starts), starts)


class Draw(NamedTuple):
    """Signs, blocks, and 64 bits of the places."""

    negative: Array
    y: Array
    place: Array


def random_draw(rng: np.random.Generator, count: int) -> Draw:
    y = rng.integers(0, 2 ** rng.integers(1, 15, count)).astype(np.int16)
    place = rng.integers(0, 2**64, count, dtype=np.uint64)
    place >>= rng.integers(0, 60, count, dtype=np.uint64) * rng.integers(
        0, 2, count, dtype=np.uint64
    )
    return Draw(rng.integers(0, 2, count).astype(np.uint16), y, place)


def boundary_case(width: mpq) -> tuple[Array, Draw]:
    """Sums within a few 2^-64 w of a midpoint; powers of two and others."""
    rng = np.random.default_rng(7)
    x, negative, blocks, places = [], [], [], []
    for _ in range(400):
        y, sign = int(rng.integers(0, 2**14)), int(rng.integers(0, 2))
        unit = -width if sign else width
        size = mpq(2) ** int(rng.integers(-20, 64)) * width
        target = to_double(size) if rng.integers(2) else to_double(size * 5 / 3)
        for r in (target, -target):
            start_at = to_double(mpq(r) - unit * (y + mpq(1, 2)))
            for _, boundary in neighbours(r):
                v = int(((boundary - mpq(start_at)) / unit - y) * 2**64)
                for nudge in (-1, 0, 1, 3):
                    if 0 <= v + nudge < 2**64:
                        x.append(start_at)
                        negative.append(sign)
                        blocks.append(y)
                        places.append(v + nudge)
    return np.array(x), Draw(
        np.array(negative, dtype=np.uint16),
        np.array(blocks, dtype=np.int16),
        np.array(places, dtype=np.uint64),
    )


Sums = Callable[[Array, Array, Array, Array, _Width, bool], tuple[Array, Array]]


def wrong_sums(
    sums: Sums, x: Array, draw: Draw, width: mpq, near: bool = False
) -> tuple[int, int]:
    """How many certain results are wrong at an end of the place, and how many right.

    Sums of near numbers meet no condition that numpy could report.
    """
    with np.errstate(all="raise" if near else "ignore"):
        result, unsure = sums(x, *draw, _Width.of(width), near)
    n, d = int(width.numerator), int(width.denominator)
    wrong = right = 0
    for i in np.flatnonzero(~unsure):
        top, bottom = float(x[i]).as_integer_ratio()
        t = (int(draw.y[i]) << 64) + int(draw.place[i])
        slope = -n * bottom if draw.negative[i] else n * bottom
        base = top * d << 64
        ends = {
            divide_to_double(base + slope * s, bottom * d << 64) for s in (t, t + 1)
        }
        if ends == {result[i].item()} and math.copysign(1, result[i]) != 0:
            right += 1
        else:
            wrong += 1
    return wrong, right


WIDTHS = [mpq(1, 48), mpq(1), mpq(2) ** 53 - 1, mpq(10) ** 30 / 7, 1 + mpq(1, 2**53)]
FAR = [mpq(2) ** -897 / 3, mpq(2) ** 899 / 3, mpq(2) ** -899, mpq(2) ** 899]


def random_points(rng: np.random.Generator, count: int, width: mpq) -> Array:
    """Doubles of all sizes, and those of about the size of the noise."""
    far = np.ldexp(rng.normal(size=count), rng.integers(-1070, 1000, count))
    like = np.ldexp(rng.normal(size=count), rng.integers(-70, 70, count))
    with np.errstate(over="ignore"):
        like *= to_double(width)
    some = np.array(POINTS)[rng.integers(0, len(POINTS), count)]
    return np.choose(rng.integers(0, 5, count), [far, like, like, like, some])


@pytest.mark.parametrize("width", WIDTHS + FAR, ids=lambda w: f"{to_double(w):.3g}")
@pytest.mark.parametrize("count", shortened([3_000, 10_000], 10_000))
def test_certain_sums_are_right_at_both_ends(width: mpq, count: int) -> None:
    rng = np.random.default_rng(5)
    x = random_points(rng, count, width)
    wrong, right = wrong_sums(_rounded_sums, x, random_draw(rng, count), width)
    assert wrong == 0
    assert right > count // 3


@for_each("width", WIDTHS, ids=lambda w: f"{to_double(w):.3g}")
def test_certain_sums_are_right_at_the_boundaries(width: mpq) -> None:
    wrong, _ = wrong_sums(_rounded_sums, *boundary_case(width), width)
    assert wrong == 0


EDGES = [mpq(2) ** -400 * 4 / 3, mpq(2) ** 400 / 3, 1 + mpq(2) ** -899]


def near_ones(x: Array, width: mpq) -> Array:
    """The points, where they are not near as points of this size that are."""
    limit = _Width.of(width).limit
    return np.where(np.abs(x) < limit, x, np.copysign(limit * (1 - 2.0**-53), x))


@for_each("width", WIDTHS + EDGES, ids=str)
def test_certain_sums_of_near_numbers_are_right(width: mpq) -> None:
    rng = np.random.default_rng(6)
    x, draw = random_points(rng, 3_000, width), random_draw(rng, 3_000)
    far = Draw(draw.negative, rng.integers(2**27, 2**62, 3_000), draw.place)
    at, drawn = boundary_case(width)
    for points, each in ((x, draw), (x, far), (at, drawn)):
        near = near_ones(points, width)
        wrong, right = wrong_sums(_rounded_sums, near, each, width, near=True)
        assert wrong == 0
        assert right > 1_000 or each is not draw


def test_no_number_is_near_where_a_sum_may_lose_bits() -> None:
    for width in [*FAR, mpq(2) ** -400, mpq(2) ** 400, 1 + mpq(2) ** -900]:
        assert _Width.of(width).limit == 0
    for width in WIDTHS + EDGES:
        assert _Width.of(width).limit == 2.0**30 * to_double(width)


def test_almost_all_sums_are_certain() -> None:
    rng = np.random.default_rng(3)
    y = rng.geometric(1 / 16, 10_000).astype(np.int16)
    place = rng.integers(0, 2**64, 10_000, dtype=np.uint64)
    draw = Draw(rng.integers(0, 2, 10_000).astype(np.uint16), y, place)
    _, unsure = _rounded_sums(rng.normal(size=10_000), *draw, _Width.of(mpq(1, 16)))
    assert unsure.mean() < 0.01


def test_widths_out_of_range_decide_nothing() -> None:
    rng = np.random.default_rng(4)
    for width in (mpq(2) ** -900, mpq(2) ** 900, mpq(1, 10**400), mpq(10) ** 400):
        _, unsure = _rounded_sums(
            rng.normal(size=100), *random_draw(rng, 100), _Width.of(width)
        )
        assert unsure.all()


def test_a_width_is_split_exactly() -> None:
    for width in [*WIDTHS, *FAR, mpq(1, 3), mpq(2) ** 60 / 7]:
        split = _Width.of(width)
        assert split.usable
        assert mpq(split.upper) + mpq(split.lower) == mpq(split.whole)
        for half in (split.upper, split.lower):
            numerator = abs(half.as_integer_ratio()[0])
            assert (numerator // (numerator & -numerator or 1)).bit_length() <= 26
        assert abs(mpq(split.whole) + mpq(split.rest) - width) <= width / 2**105


@cache
def cases(width: mpq) -> list[tuple[Array, Draw]]:
    """Sums at boundaries, of near blocks and of far ones, which nobody changes."""
    rng = np.random.default_rng(9)
    draw = random_draw(rng, 500)
    far = Draw(draw.negative, rng.integers(2**27, 2**40, 500), draw.place)
    found = [boundary_case(width)]
    found += [(random_points(rng, 500, width), each) for each in (draw, far)]
    for x, drawn in found:
        for each in (x, *drawn):
            each.flags.writeable = False
    return found


def mutated(old: str, new: str) -> Sums:
    """_rounded_sums with another text in one place."""
    text = inspect.getsource(_rounded_sums)
    assert text.count(old) == 1
    space = dict(vars(bulk_real))
    exec(text.replace(old, new), space)
    found = space["_rounded_sums"]
    assert isinstance(found, FunctionType)
    return found


@for_each(
    ("old", "new"),
    [
        ("slack += width.slack", "pass"),
        ("slack *= _PART", "slack *= 0.0"),
        ("np.subtract(rest, slack, out=fine)", "rest.copy()"),  # one end only
        ("    rest += slack", "    pass"),
        ("coarse * width.rest", "coarse * 0.0"),  # the rest of the width lost
        ("coarse * width.lower", "coarse * 0.0"),
        ("coarse *= width.upper", "coarse *= width.whole"),  # not exact
        ("fine *= factor", "fine *= width.upper"),
        ("coarse *= sign", "pass"),  # the sign lost
        ("coarse *= factor", "coarse *= width.whole"),
        ("rest += fine", "pass"),
        ("& _FINE_MASK", "& (_FINE_MASK >> np.uint64(1))"),  # a bit of the place lost
        ("unsure |= y >= MOST_BLOCKS", "pass"),
        ("rest = total - part", "rest = x.copy()"),  # the error of x lost
        ("np.subtract(coarse, part, out=part)", "part *= 0.0"),
    ],
)
def test_mutants_of_the_sums(old: str, new: str) -> None:
    """Each makes a certain sum wrong."""
    sums = mutated(old, new)
    assert any(
        wrong_sums(sums, x, draw, width)[0] > 0
        for width in WIDTHS
        for x, draw in cases(width)
    )


@for_each(
    ("old", "new"),
    [
        ("slack = width.slack", "slack = np.array(0.0)"),
        ("slack = width.slack", "slack = width.slack * 0.1"),
        ("np.subtract(rest, slack, out=fine)", "rest.copy()"),
        ("unsure: Array = rest != result", "unsure = np.zeros(x.size, dtype=bool)"),
        ("unsure |= y >= MOST_BLOCKS", "pass"),
    ],
)
def test_mutants_of_the_sums_of_near_numbers(old: str, new: str) -> None:
    sums = mutated(old, new)
    assert any(
        wrong_sums(sums, near_ones(x, width), draw, width, near=True)[0] > 0
        for width in WIDTHS
        for x, draw in cases(width)
    )


def test_a_fresh_place_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    noise = real_noise(LAPLACE, mpq(1, 3))

    def fresh(
        noise: RealNoise, x: float, negative: int, y: int, _: LazyUniform
    ) -> float:
        n, d = x.as_integer_ratio()
        return noise.finish(n, d, negative, y, LazyUniform(), divide_to_double)

    monkeypatch.setattr(bulk_real, "_finish", fresh)
    values, starts = near_boundaries(noise)
    with pytest.raises(AssertionError):
        compare(noise, values, starts)


def rejected_or_open(noise: RealNoise) -> tuple[list[float], list[str]]:
    """Sums near midpoints, of which every other one is of a lane that is rejected."""
    values, starts = near_boundaries(noise)
    for i, text in enumerate(starts[::2]):
        starts[2 * i] = text[:17] + "1" * 15 + text[32:]
    return values, starts


def test_lanes_that_are_rejected_or_open_are_single_draws() -> None:
    noise = real_noise(LAPLACE, mpq(1, 3))
    compare(noise, *rejected_or_open(noise))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("_begin_again(noise, bits, lanes, draw)", "(*draw[:-1], _NONE)"),
        ("np.asarray(failed, dtype=np.int64) if len(failed) else _NONE", "_NONE"),
        ("np.asarray(failed, dtype=np.int64)", "np.asarray(failed[1:], dtype=int)"),
        ("unsure[failed] = False", "pass"),  # bits are read for what is rejected
        ("known = longer.get(i)", "known = LazyUniform()"),
        ("LazyUniform(place.item(i), 64)", "LazyUniform()"),
        ("negative.item(i), y.item(i), known", "0, y.item(i), known"),
        ("negative.item(i), y.item(i), known", "negative.item(i), 0, known"),
        ("out[where] = result", "pass"),
    ],
)
def test_faults_of_a_step_are_seen(
    old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of lanes that go on together, of lanes that go on alone, or of both."""
    text = inspect.getsource(add_real)
    assert text.count(old) == 1
    noise = real_noise(LAPLACE, mpq(1, 3))
    values, starts = rejected_or_open(noise)
    monkeypatch.setattr(bulk_real, "add_real", add_real)  # to be put back
    exec(text.replace(old, new), vars(bulk_real))
    faulty = bulk_real.add_real
    assert faulty is not add_real
    with pytest.raises(AssertionError):
        compare(noise, values, starts, faulty)


@by_law
def test_the_settings_of_numpy_raise_nothing(law: Law) -> None:
    """Overflow, underflow and invalid operations are a part of the work."""
    values = np.array(POINTS * 20)
    assert values.size >= FEW_REALS
    for scale in SCALES:
        noise = RealNoise(law, scale)
        for some in (values, values[np.abs(values) < 2.0**41], values[:1].repeat(99)):
            with np.errstate(all="raise"):
                out = noise.add(some)
            assert not np.isnan(out).any()


@for_each("count", [100, 5000])
@for_each("place", [0, 50, -1])
def test_who_is_near(count: int, place: int) -> None:
    values = np.full(count, 0.5)
    assert bulk_real._all_within(values, 1.0)
    for other in (math.nextafter(1.0, 0.0), 1.0, math.inf):
        for sign in (1.0, -1.0):
            values[place] = sign * other
            assert bulk_real._all_within(values, 1.0) is (other < 1.0)
    assert not bulk_real._all_within(np.zeros(count), 0.0)


def test_the_settings_see_who_is_falsely_near(monkeypatch: pytest.MonkeyPatch) -> None:
    noise, values = real_noise(LAPLACE, mpq(1)), np.array([*[0.5] * 99, math.inf])
    with np.errstate(all="raise"):
        add_real(noise, values)
        monkeypatch.setattr(bulk_real, "_all_within", lambda *_: True)
        with pytest.raises(FloatingPointError):
            add_real(noise, values)


@by_law
def test_few_values_and_none(law: Law) -> None:
    noise = real_noise(law, mpq(1))
    for count in (0, 1, 7, FEW_REALS - 1, FEW_REALS):
        out = noise.add(np.zeros(count))
        assert out.shape == (count,)
        assert out.dtype == np.float64


@by_law
@pytest.mark.parametrize("scale", SCALES, ids=str)
def test_short_lists_are_single_draws(
    law: Law, scale: mpq, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each entry reads its own string, the first 96 bits together with the others'."""
    noise = real_noise(law, scale)
    starts = ["0" * 400, "1" * 16, "1" * 400, "01" * 200, "0" * 32 + "1" * 200]
    starts += [start(noise, y, 1, "", 2**15 - 1) for y in (0, 1, 5, 30)]
    starts += [""] * 150
    values = (POINTS * 12)[: len(starts)]
    strings = [LaneString(i, text) for i, text in enumerate(starts)]
    dealt = DealtBits(strings, 96)
    follow = dealt.following(noise.quick())
    monkeypatch.setattr(RealNoise, "quick", lambda _: follow)
    with thresholds(few=10**9), use_source(dealt):
        released = noise.releases(values)
    monkeypatch.undo()
    longer = 0
    for i, text in enumerate(starts):
        with use_source(string := LaneString(i, text)):
            expected = noise.release(values[i])
        assert same_double(released[i], expected), i
        assert strings[i].position == string.position
        longer += string.position > 96
    assert longer > 3


@by_law
def test_lists_and_arrays_are_alike(law: Law) -> None:
    """Long lists are arrays, of which a list is made again, with the same bits."""
    noise = real_noise(law, mpq(1, 3))
    for count in (0, 1, 2, FEW_REALS - 1, FEW_REALS, 1000):
        values = (POINTS * 100)[:count]
        given = list(values)
        with use_source(LaneString(count)):
            listed = noise.releases(given)
        with use_source(LaneString(count)):
            array = noise.add(np.array(values))
        assert type(listed) is list
        assert all(type(each) is float for each in listed)
        assert all(map(same_double, listed, array.tolist()))
        assert all(map(same_double, given, values))
        infinite = [x for x in values if math.isinf(x)]
        assert [x for x in listed if math.isinf(x)] == infinite
    assert real_noise(law, mpq(0)).releases([-0.0] * 1000) == [0.0] * 1000


def test_a_short_list_makes_one_request(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def urandom(size: int) -> bytes:
        sizes.append(size)
        return bytes(range(1, 13)) * (size // 12)  # which decide at once

    monkeypatch.setattr("os.urandom", urandom)
    real_noise(LAPLACE, mpq(10)).releases([0.3] * 30)
    assert sizes == [360]


@by_law
def test_a_pickled_noise_draws_the_same_from_the_same_bits(law: Law) -> None:
    noise = RealNoise(law, mpq(1, 3), 4)
    noise.quick()
    copy = pickle.loads(pickle.dumps(noise))
    for each in (noise, copy):
        with use_source(LaneString(5)):
            found = [each.release(0.3) for _ in range(20)]
        if each is noise:
            expected = found
    assert found == expected


@by_law
def test_noise_of_scale_zero(law: Law) -> None:
    values = np.array([-0.0, 0.1, -math.inf, 5e-324])
    out = real_noise(law, mpq(0)).add(values)
    assert np.array_equal(out, values)
    assert out is not values
    assert not np.signbit(out[0])


@for_each(
    "values",
    [
        np.zeros(9, dtype=np.float32),
        np.zeros(9, dtype=np.dtype(np.float64).newbyteorder()),
        np.zeros((9, 9)),
        np.zeros(9, dtype=np.int64),
    ],
    ids=lambda values: f"{values.dtype.str}-{values.ndim}",
)
@for_each("scale", [mpq(0), mpq(1)], ids=str)
def test_other_arrays_are_refused(values: Array, scale: mpq) -> None:
    with pytest.raises(ValueError, match="array of float64"):
        real_noise(LAPLACE, scale).add(values)
