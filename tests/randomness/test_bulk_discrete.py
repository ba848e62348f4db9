"""Integer noise for arrays: lane by lane the draw of one number, and its law."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

from opendp_lite.laws.noise import GAUSSIAN, GEOMETRIC, LAPLACE, Law
from opendp_lite.randomness import bulk, bulk_discrete
from opendp_lite.randomness.bulk import run_lanes_on
from opendp_lite.randomness.bulk_discrete import (
    _saturating_sum,
    _values,
    add_discrete,
    add_discrete_to_list,
    draw_discrete,
    saturated,
)
from opendp_lite.randomness.discrete import DiscreteNoise, discrete_noise
from opendp_lite.randomness.entropy import use_source
from opendp_lite.randomness.lanes import FEW_CELLS, FEW_TRIALS, Array, is_bulk, is_short
from opendp_lite.randomness.table import UNDECIDED, Table
from opendp_lite.testing import state_flakiness
from tests.longer import shortened
from tests.randomness.hostile_bits import hostile_strings
from tests.randomness.lane_bits import (
    DealtBits,
    LaneString,
    ReplayedLanes,
    assert_dealt_equal_single_draws,
    assert_lanes_equal_single_draws,
    replayed,
    thresholds,
)
from tests.randomness.laws import FLAKINESS, misses_at_most, tolerance
from tests.randomness.tree import Script
from tests.rows import for_each

LAWS = [LAPLACE, GAUSSIAN, GEOMETRIC]
SCALES = [
    mpq(1, 100),
    mpq(1, 2),
    mpq(1),
    mpq(127),
    mpq(128),
    mpq(255),
    mpq(256),
    mpq(1000),
    mpq(2) ** 21,  # int32 holds the noise; int64 from the next on
    mpq(2) ** 22,
    mpq(2) ** 30,
    mpq(2) ** 37,  # 32 bits hold a place; 64 from the next on
    mpq(2) ** 38,
    mpq(2) ** 41 + mpq(1, 3),
    mpq(2) ** 52,  # the last that is not drawn one by one
    mpq(2) ** 53,
    mpq(10) ** 30,
]
LEAST, MOST = -(2**63), 2**63 - 1
# What holds noise and places is a matter of the scale. So each law meets each way of
# drawing, and the borders of types are for one law; for the others, in the audit.
WAYS = [mpq(1, 2), mpq(127), mpq(128), mpq(1000), mpq(2) ** 52, mpq(2) ** 53]
by_law_and_scale = pytest.mark.parametrize(
    ("law", "scale"),
    shortened(
        product(LAWS, SCALES),
        *(row for row in product(LAWS[1:], SCALES) if row[1] not in WAYS),
        parts=2,
    ),
    ids=str,
)


@by_law_and_scale
def test_lanes_are_single_draws(law: Law, scale: mpq) -> None:
    noise = discrete_noise(law, scale)
    hostile, alone = hostile_strings(noise)
    starts = [*hostile, *[""] * 200]
    values = np.arange(len(starts), dtype=np.int64) * 1000
    found = assert_lanes_equal_single_draws(
        lambda run: add_discrete(noise, values, run),
        lambda i: saturated(int(values[i]) + noise.sample()),
        starts,
    )
    assert found >= alone > 0


@for_each("scale", [mpq(1), mpq(128), mpq(2) ** 38, mpq(2) ** 53], ids=str)
@for_each("law", LAWS, ids=lambda law: law.name)
def test_lanes_need_not_be_positions(law: Law, scale: mpq) -> None:
    """In the reverse order, too, each lane reads its own string, also alone."""
    noise = discrete_noise(law, scale)
    starts, alone = hostile_strings(noise) if scale < 2**53 else ([""] * 20, 20)
    lanes, results = np.arange(len(starts)), []
    for order in (lanes, lanes[::-1]):
        bits = ReplayedLanes([LaneString(i, text) for i, text in enumerate(starts)])
        x, rejected = draw_discrete(noise, bits, order)
        assert bits.alone >= alone
        drawn = dict(zip(order.tolist(), x.tolist(), strict=True))
        read = [string.position for string in bits.strings]
        results.append((drawn, {*order[rejected].tolist()}, read))
    assert results[0] == results[1]


@pytest.mark.parametrize("scale", [mpq(1), mpq(1000), mpq(10) ** 30], ids=str)
@pytest.mark.parametrize("count", [0, 1, 7, 8, 15, 16, 17, 48, 100, 200])
def test_lengths(count: int, scale: mpq, monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to several chunks: all lanes are drawn, and each from its own string."""
    monkeypatch.setattr(bulk, "CHUNK", 16)
    noise = discrete_noise(GAUSSIAN, scale)
    assert noise.add(np.zeros(count, dtype=np.int64)).shape == (count,)
    values = np.zeros(count, dtype=np.int64)
    assert_lanes_equal_single_draws(
        lambda run: add_discrete(noise, values, run),
        lambda i: saturated(noise.sample()),
        [""] * count,
    )


def test_rejected_lanes_are_drawn_until_they_are_accepted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Lane i is rejected i times; it is called i + 1 times, with itself."""
    monkeypatch.setattr(bulk, "CHUNK", 8)
    calls = np.zeros(30, dtype=np.int64)

    def step(bits: object, where: slice | Array, lanes: Array) -> Array:
        assert (np.arange(30)[where] == lanes).all()
        assert 1 <= len(lanes) <= 8
        calls[where] += 1
        return np.flatnonzero(calls[where] <= lanes)

    run_lanes_on(ReplayedLanes([]), 30, step)
    assert (calls == np.arange(30) + 1).all()


def test_blocks_beyond_every_float() -> None:
    """A block of 2^14 or 2^40 or more becomes Python integers, and an exact test."""
    noise = discrete_noise(LAPLACE, mpq(2) ** 50)
    assert noise.blocks is not None

    class Far:
        """A table whose block is far away in some lanes."""

        def draw_longer(self, bits: object, lanes: Array, cell: Array) -> Array:
            return np.choose(lanes % 4, [2**14, 0, 2**40, 0]) + lanes

    arrays = bulk.block_arrays(noise.blocks)
    unknown = np.full(1 << 16, -1 << 16, dtype=np.int32)
    far = bulk.BlockArrays(noise.blocks, Far(), arrays.quick, unknown, arrays.rate)  # type: ignore[arg-type]
    strings = [LaneString(i) for i in range(40)]
    bits = ReplayedLanes(strings)
    lanes = np.arange(40)
    x, rejected = bulk_discrete._trial(noise, far, bits, lanes)
    assert x.dtype == object
    assert all(type(each) is int for each in x)
    for i in range(40):
        string = LaneString(i)
        head, low = string.bits(32), string.bits(noise.bits)
        y = i + [2**14, 0, 2**40, 0][i % 4]
        block = -1 - y if head >> 15 & 1 else y
        assert x[i] == block * 2**noise.bits + low
        if i % 2 == 0:
            assert strings[i].position == 32 + noise.bits + 49
    assert bits.alone >= 20
    assert len(rejected) < 20


@for_each("b", [0, 1, 8, 9, 15, 16, 17, 18, 32, 33, 47])
@for_each("kind", [np.int32, np.int64])
def test_the_values_of_the_last_blocks(b: int, kind: type) -> None:
    """At both ends of what int32 and int64 are to hold, and one block beyond."""
    for last in (2**14 - 1, 2**14):
        blocks = [-1, 0, 2**13 - 1, 2**13, 2**14 - 1, last]
        places = {0, (1 << b) // 2, (1 << b) - 1}
        cases = [(y, low, z) for y in blocks for low in places for z in (0, -1)]
        y, low, flip = zip(*cases, strict=True)
        size = next(size for size in (8, 16, 32, 64) if b <= size)
        x = _values(
            np.array(y, dtype=kind),
            np.array(low, dtype=np.int64 if size == 64 else f"uint{size}"),
            np.array(flip, dtype=np.int16),
            b,
        )
        assert (x.dtype == object) == (last == 2**14)
        assert x.tolist() == [(-1 - y if z else y) * 2**b + r for y, r, z in cases]


@for_each("dtype", [np.int16, np.int32, np.int64, object])
def test_sums_saturate_like_integers(dtype: type) -> None:
    edges = [LEAST, LEAST + 1, -(2**62) - 1, -(2**62), -1, 0, 1, 2**62 - 1, 2**62]
    edges += [MOST - 1, MOST]
    added = [-(2**15), -1, 0, 1, 2**15 - 1]
    if dtype is np.int32:
        added += [-(2**31), -(2**30), 2**30, 2**31 - 1]
    elif dtype is not np.int16:
        added += [-(2**62) + 1, -(2**61), 2**61, 2**62 - 1]
    if dtype is object:
        added += [2**63, -(2**64), 10**30, -(10**30)]
    pairs = [(x, z) for x in edges for z in added]
    for part in (pairs, [(x, z) for x, z in pairs if -(2**62) <= x < 2**62], []):
        x = np.array([x for x, _ in part], dtype=np.int64)
        z: Any = np.array([z for _, z in part], dtype=dtype)
        total = np.zeros_like(x)
        sums = _saturating_sum(x, z, total)
        assert sums.tolist() == [saturated(a + b) for a, b in part]
        assert sums.dtype == np.int64


@for_each("size", [1, 2, 5, 4095, 4096, 5000])
def test_one_sum_that_saturates_is_found(size: int) -> None:
    """It is first, last or in between; the others are small, on either side of 0."""
    for place in {0, size // 2, size - 1}:
        for x, z in product([LEAST, LEAST + 5, MOST - 5, MOST], [-9, -1, 0, 1, 9]):
            for other in (-3, 0, 3):
                values = np.full(size, other, dtype=np.int64)
                values[place] = x
                noise = np.full(size, z, dtype=np.int16)
                sums = _saturating_sum(values, noise, np.empty_like(values))
                assert sums[place] == saturated(x + z)
                assert (np.delete(sums, place) == other + z).all()


@for_each("scale", [mpq(10) ** e for e in (-300, -20, 20, 300)], ids=str)
@for_each("law", LAWS, ids=lambda law: law.name)
def test_extreme_scales(law: Law, scale: mpq) -> None:
    """Nothing overflows, warns or raises, whatever numpy is told to do of errors."""
    noise = discrete_noise(law, scale)
    for times in (4, 80):
        values = np.array([LEAST, -1, 0, 1, MOST] * times, dtype=np.int64)
        with np.errstate(all="raise"):
            out = noise.add(values)
        assert out.dtype == np.int64
        if scale < 1:
            assert (out == values).all()
        if scale > 10**100:
            assert set(out.tolist()) <= {LEAST, MOST}


@pytest.mark.parametrize("scale", [mpq(1, 2), mpq(1000), mpq(2) ** 45], ids=str)
def test_numpy_errors_never_raise(scale: mpq) -> None:
    with np.errstate(all="raise"):
        for law in LAWS:
            discrete_noise(law, scale).add(np.zeros(20_000, dtype=np.int64))


@for_each(
    "values",
    [
        np.zeros((2, 8), dtype=np.int64),
        np.zeros(9, dtype=np.int32),
        np.zeros(9, dtype=np.uint64),
        np.zeros(9, dtype=np.float64),
        np.zeros(9, dtype=np.dtype(np.int64).newbyteorder()),
        np.array(3, dtype=np.int64),
        # Of these there are as many as a table draws together.
        np.zeros((2, 50), dtype=np.int64),
        np.zeros((100, 1), dtype=np.int64),
        np.zeros(100, dtype=np.int16),
        np.zeros(100, dtype=np.uint64),
        np.zeros(100, dtype=np.float64),
        np.zeros(100, dtype=np.bool_),
        np.zeros(100, dtype=object),
        np.zeros(100, dtype=np.dtype(np.int64).newbyteorder()),
    ],
    ids=lambda values: f"{values.dtype.str}-{values.shape}",
)
def test_other_arrays_are_refused(values: Array) -> None:
    with pytest.raises(ValueError, match="one-dimensional array of int64"):
        discrete_noise(LAPLACE, mpq(1)).add(values)


def test_views_are_read_and_never_written() -> None:
    noise = discrete_noise(LAPLACE, mpq(1, 10**9))
    for count in (30, 600, 3000):
        whole = np.arange(count, dtype=np.int64)
        whole.flags.writeable = False
        for view in (whole, whole[::3], whole[::-1], whole.reshape(10, -1)[:, 2]):
            out = noise.add(view)
            assert (out == view).all()
            assert out.dtype == np.int64
            assert out.flags.writeable
            assert not np.shares_memory(out, whole)


def test_bit_by_bit_an_array_is_single_draws() -> None:
    noise = discrete_noise(LAPLACE, mpq(1))
    for count in (10, 100, 1000, 2000):
        bits = LaneString(count).bits(20 * count)
        with use_source(Script(bits, 20 * count)):
            assert not is_bulk(count, 1)
            assert not is_short(count)
            found = noise.add(np.zeros(count, dtype=np.int64))
        with use_source(script := Script(bits, 20 * count)):
            assert found.tolist() == [noise.sample() for _ in range(count)]
        with use_source(again := Script(bits, 20 * count)):
            assert noise.add_to_list([0] * count) == found.tolist()
        assert again.used == script.used
    with use_source(LaneString(1)):
        whole = noise.add(np.zeros(200, dtype=np.int64))
    with use_source(LaneString(1)):
        assert (noise.add(np.zeros(200, dtype=np.int64)) == whole).all()
        assert is_bulk(8, 8)
        assert not is_bulk(7, 8)
    assert is_bulk(8, 8)
    assert not is_bulk(7, 8)


# Short lists and arrays: one request for the beginnings of all.

SHORT_SCALES = [mpq(1, 100), mpq(1, 2), mpq(1), mpq(31), mpq(127)]


@by_law_and_scale
def test_short_lists_are_single_draws(
    law: Law, scale: mpq, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each entry reads its own string, the first bits of it together with the others'.

    From a table these are 16, else those of the word of a trial.
    """
    noise = discrete_noise(law, scale)
    starts = [*hostile_strings(noise)[0], *[""] * 50]
    strings = [LaneString(i, text) for i, text in enumerate(starts)]
    first = 16 if noise.table is not None else 32 + noise.bits
    dealt = DealtBits(strings, first)
    if noise.table is not None:
        cells = [LaneString(i, text).bits(16) for i, text in enumerate(starts)]
        known = noise.table.cells()
        undecided = [i for i, cell in enumerate(cells) if known[cell] == UNDECIDED]
        follow = dealt.following(noise.table.continued, undecided)
        monkeypatch.setattr(Table, "continued", lambda _, cell: follow(cell))
    else:
        follow = dealt.following(noise.continued)
        monkeypatch.setattr(DiscreteNoise, "continued", lambda _, word: follow(word))
    values = [2**70, -(2**70), 0, 5] * len(starts)
    with thresholds(few=10**9), use_source(dealt):
        sums = noise.add_to_list(values[: len(starts)])
    monkeypatch.undo()
    for i, text in enumerate(starts):
        with use_source(string := LaneString(i, text)):
            assert sums[i] == values[i] + noise.sample(), i
        assert strings[i].position == string.position


@for_each("scale", [mpq(1), mpq(200), mpq(2) ** 45, mpq(10) ** 30])
def test_long_lists_are_arrays_that_do_not_saturate(scale: mpq) -> None:
    """The same lanes as those of an array; the sums are exact whatever their size."""
    noise = discrete_noise(LAPLACE, scale)
    starts = [*hostile_strings(noise)[0], *[""] * 200]
    edges = [[0, 7, -9], [2**31 - 1, -(2**31)], [2**31, -1], [0, -(2**31) - 1]]
    edges += [[2**62 - 1, -(2**62)], [2**62, MOST, LEAST], [2**63, -(2**80)]]
    alone = []  # each noise, and how many bits it takes
    for i, text in enumerate(starts):
        with use_source(string := LaneString(i, text)):
            alone.append((noise.sample(), string.position))
    for part in edges:
        values = [*part * len(starts)][: len(starts)]
        lists = [values, [np.int32(5), *values[1:]], [np.uint64(MOST), *values[1:]]]
        for given in lists:
            strings = [LaneString(i, text) for i, text in enumerate(starts)]
            sums = add_discrete_to_list(noise, given, replayed(strings))  # type: ignore[arg-type]
            assert all(type(each) is int for each in sums)
            for i, (drawn, length) in enumerate(alone):
                assert sums[i] == int(given[i]) + drawn  # type: ignore[index]
                assert strings[i].position == length


def test_the_noise_of_a_list_may_be_beyond_int64() -> None:
    """Noise of 2^120 is no integer of numpy's, and comes out as it was drawn.

    That three draws are all within 2^64 has a probability below 2^-160.
    """
    noise = discrete_noise(GAUSSIAN, mpq(2) ** 120)
    for count in (3, 300):
        drawn = noise.add_to_list([0] * count)
        assert max(map(abs, drawn)) > 2**64
        assert all(type(each) is int for each in drawn)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_lists_of_every_length(law: Law) -> None:
    """A list comes out, as long as the one that goes in, which is not changed."""
    for scale, few in ((mpq(10), FEW_CELLS), (mpq(200), FEW_TRIALS)):
        noise = discrete_noise(law, scale)
        assert noise.few == few
        for count in (0, 1, 2, few - 1, few, few + 1, 3 * few):
            values = list(range(count))
            sums = noise.add_to_list(values)
            assert type(sums) is list
            assert values == list(range(count))
            assert len(sums) == count
            assert all(type(each) is int for each in sums)
            assert all(abs(each - x) < 200 * scale for x, each in enumerate(sums))
    nothing = discrete_noise(law, mpq(0))
    for count in (0, 5, 1000):
        assert nothing.add_to_list([2**65] * count) == [2**65] * count


def test_a_short_list_makes_one_request(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def urandom(size: int) -> bytes:
        sizes.append(size)
        return bytes(size)  # zeros decide at once

    monkeypatch.setattr("os.urandom", urandom)
    for scale, size in ((mpq(10), 2), (mpq(1000), 5)):
        sizes.clear()
        discrete_noise(LAPLACE, scale).add_to_list([0] * 30)
        assert sizes == [30 * size]
    noise = discrete_noise(LAPLACE, mpq(10))
    for count in (40, 1000, 1536):
        sizes.clear()
        noise.add(np.zeros(count, dtype=np.int64))
        noise.add_to_list([0] * count)
        assert sizes == [2 * count] * 2


def test_what_is_not_decided_makes_one_more_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes: list[int] = []

    def urandom(size: int) -> bytes:
        sizes.append(size)
        # The last cell does not decide; 48 zeros behind it do.
        return bytes(10) + b"\xff" * 20 + bytes(size - 30) if size > 60 else bytes(size)

    monkeypatch.setattr("os.urandom", urandom)
    noise = discrete_noise(LAPLACE, mpq(10))
    array = noise.add(np.zeros(1000, dtype=np.int64))
    drawn = noise.add_to_list([0] * 1000)
    assert sizes == [2000, 60] * 2
    assert array.tolist() == drawn
    assert [i for i, x in enumerate(drawn) if x] == list(range(5, 15))
    assert abs(drawn[5]) > 100


def test_how_many_are_short() -> None:
    """From 40 to 1536, of which the first bits are 3 KiB; but not bit by bit."""
    short = {39: False, 40: True, 1536: True, 1537: False}
    assert {count: is_short(count) for count in short} == short
    with use_source(Script(0, 0)):
        assert not any(map(is_short, short))
    with use_source(Script(0, 0, 8)):
        assert {count: is_short(count) for count in short} == short


@for_each("scale", SHORT_SCALES, ids=str)
@for_each("law", LAWS, ids=lambda law: law.name)
def test_a_table_draws_several_as_it_draws_one(law: Law, scale: mpq) -> None:
    """Arrays saturate, lists do not; and each entry reads its own string."""
    noise = discrete_noise(law, scale)
    hostile, longer = hostile_strings(noise)
    starts = [*hostile, *[""] * max(10, 100 - len(hostile))]
    count = len(starts)
    assert 100 <= count <= 200

    def check(add: Callable[[], Any], sums: Callable[[int], int]) -> None:
        alone = assert_dealt_equal_single_draws(add, sums, starts)
        assert alone >= longer > 0

    small = [0, 7, -9, 30_000, -40_000]
    ends = [LEAST, MOST, *small, MOST - 3, LEAST + 3]
    whole = np.array((ends * count)[: 2 * count], dtype=np.int64)
    whole.flags.writeable = False
    first = np.array((small * count)[:count], dtype=np.int64)
    for view in (first, whole[:count], whole[::2], whole[::-2]):
        check(
            partial(noise.add, view),
            lambda i, view=view: saturated(int(view[i]) + noise.sample()),
        )
    wide: list[Any] = [2**70, True, np.int8(-3), np.uint64(2**63), -(2**70)]
    inside: list[Any] = [2**31, True, np.int8(-3), 2**62 - 1, -(2**62)]
    for numbers in (small * 40, inside * 40, wide * 40):
        del numbers[count:]
        check(
            partial(noise.add_to_list, numbers),
            lambda i, numbers=numbers: int(numbers[i]) + noise.sample(),
        )


def test_sums_of_several_may_be_longer_than_their_terms() -> None:
    """Noise of 16 bits, which no cell leaves open, and integers of 16 or 32."""
    noise = discrete_noise(LAPLACE, mpq(127))
    assert noise.table is not None
    cells = noise.table.cells()
    starts = [format(i * 601, "016b") for i in range(100) if cells[i * 601] > -500]
    for ends in ([2**15 - 1, -(2**15)], [2**31 - 1, -(2**31)]):
        numbers = [ends[text[-1] == "1"] for text in starts]

        def single(i: int, numbers: list[int] = numbers) -> int:
            return numbers[i] + noise.sample()

        array = partial(noise.add, np.array(numbers))
        for draw in (array, partial(noise.add_to_list, numbers)):
            assert assert_dealt_equal_single_draws(draw, single, starts) == 0
            with use_source(LaneString(0, "".join(starts))):
                drawn = list(draw())
            assert min(drawn) < min(ends) < max(ends) < max(drawn)


def test_sums_of_several_are_new_integers() -> None:
    """An array of int64 comes out, or a list of int, and what goes in is as before."""
    noise = discrete_noise(GAUSSIAN, mpq(127))
    for count in (39, 40, 41, 1535, 1536, 1537):
        values = np.arange(count, dtype=np.int64)
        array = noise.add(values)
        assert array.dtype == np.int64
        assert array.shape == (count,)
        assert array.flags.writeable
        assert array.flags.owndata
        assert (values == np.arange(count)).all()
        numbers = values.tolist()
        sums = noise.add_to_list(numbers)
        assert type(sums) is list
        assert len(sums) == count
        assert all(type(each) is int for each in sums)
        assert numbers == values.tolist()
        for drawn in (array, np.array(sums)):
            # That 39 draws are all 0 has a probability below 2^-300.
            assert 0 < np.abs(drawn - values).max() < 127 * 200


def test_what_is_no_integer_is_refused_in_a_list() -> None:
    noise = discrete_noise(LAPLACE, mpq(1))
    others: list[Any] = [0.0, "0", None, np.float64(0)]
    for other in others:
        for place in (0, 50, 99):
            values = [0] * 100
            values[place] = other
            with pytest.raises(TypeError):
                noise.add_to_list(values)


# The law of what ships, with the bits of the operating system.

DRAWS = 1_000_000
BLOCK_SCALE = mpq(2048)  # 32 blocks of 64 integers to a scale of the Laplace law
PLACES = 4 * DRAWS


def cdf_fault(
    noise: DiscreteNoise, law: Law, scale: float, length: int = DRAWS
) -> float:
    """The greatest distance of the distribution functions of draws and law.

    They are drawn in arrays of some length. Compared with `tolerance` it fails by
    chance with probability FLAKINESS, as stated.
    """
    state_flakiness(FLAKINESS)
    zeros = np.zeros(length, dtype=np.int64)
    x = np.concatenate([noise.add(zeros) for _ in range(DRAWS // length)])
    assert x.size == DRAWS
    reach = int(60 * scale) + 60
    t = np.arange(0 if law.sides == 1 else -reach, reach + 1, dtype=np.float64)
    rate = 1 / scale if law.power == 1 else 1 / (2 * scale * scale)
    weights = np.exp(-rate * np.abs(t) ** law.power)
    cdf = np.cumsum(weights / weights.sum())
    assert x.min() >= t[0]
    assert x.max() <= t[-1]
    counts = np.bincount((x - int(t[0])).astype(np.intp), minlength=t.size)
    return float(np.abs(np.cumsum(counts) / DRAWS - cdf).max())


@for_each("scale", [0.5, 15.0, 100.0, 3000.0])
@for_each("law", LAWS, ids=lambda law: law.name)
def test_the_law_of_bulk_draws(law: Law, scale: float) -> None:
    """Flaky with probability at most 1e-9, by the DKW inequality.

    A distribution function that is 0.0065 away is missed with probability e^-20.
    """
    assert misses_at_most(0.0065, DRAWS) < 1e-9
    noise = discrete_noise(law, mpq(scale))
    assert cdf_fault(noise, law, scale) < tolerance(DRAWS)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_a_scale_that_is_wrong_is_seen(law: Law) -> None:
    """5 % of the scale move the distribution function by 0.009 or more."""
    assert cdf_fault(discrete_noise(law, mpq(105)), law, 100.0) > tolerance(DRAWS)


@for_each(("law", "scale"), zip(LAWS, (127.0, 15.0, 0.5), strict=True))
def test_the_law_of_short_draws(law: Law, scale: float) -> None:
    """Likewise flaky and as sharp, in 1000 arrays of 1000."""
    assert is_short(1000)
    noise = discrete_noise(law, mpq(scale))
    assert cdf_fault(noise, law, scale, 1000) < tolerance(DRAWS)


def test_a_scale_of_short_draws_that_is_wrong_is_seen() -> None:
    """By 5 %, as above."""
    noise = discrete_noise(LAPLACE, mpq(105))
    assert cdf_fault(noise, LAPLACE, 100.0, 1000) > tolerance(DRAWS)


def lower_half_fault(noise: DiscreteNoise) -> float:
    """How far P(the place is in the lower half of its block) is from the exact one."""
    assert noise.bits == 6
    state_flakiness(FLAKINESS)
    x = noise.add(np.zeros(PLACES, dtype=np.int64))
    low = np.where(x < 0, -1 - x, x) & 63
    half, rate = 32, 1 / float(noise.scale)
    # Given v, both signs together weigh e^(-rate v) (1 + e^(-rate)).
    exact = 1 / (1 + np.exp(-rate * half))
    return abs(float((low < half).mean()) - exact)


def test_places_in_a_block() -> None:
    """Flaky with probability at most 1e-9, by Hoeffding's inequality.

    The exact probability is 0.5039; 1/2, for uniform places, is missed with less.
    """
    assert misses_at_most(0.0039, PLACES) < 1e-9
    assert lower_half_fault(discrete_noise(LAPLACE, BLOCK_SCALE)) < tolerance(PLACES)


def test_a_sampler_that_never_rejects_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def all_accepted(prefix: Array, loss: Array) -> tuple[Array, Array]:
        return loss >= 0, loss < 0

    monkeypatch.setattr(bulk_discrete, "certain_exp", all_accepted)
    assert lower_half_fault(discrete_noise(LAPLACE, BLOCK_SCALE)) > tolerance(PLACES)


# No draw is repeated.


def bulk_noise() -> DiscreteNoise:
    return discrete_noise(LAPLACE, mpq(2) ** 40)


def in_a_fork(draw: Callable[[], bytes]) -> bytes:
    read, write = os.pipe()
    with warnings.catch_warnings(action="ignore"):  # of forks beside other threads
        child = os.fork()
    if child == 0:
        try:
            os.write(write, draw())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as file:
        data = file.read()
    os.waitpid(child, 0)
    return data


@for_each("count", [2048, 6144])
def test_forks_threads_and_pickles_repeat_nothing(count: int) -> None:
    """2048 draws of scale 2^40: two arrays agree with probability below 2^-60000.

    Of so many, AES is asked for places: under a key for each request, or for all.
    """
    noise, lanes = bulk_noise(), np.zeros(count, dtype=np.int64)
    drawn = [noise.add(lanes).tobytes()]
    drawn += [in_a_fork(lambda: noise.add(lanes).tobytes()) for _ in range(3)]
    threads = [
        threading.Thread(target=lambda: drawn.append(noise.add(lanes).tobytes()))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    copy = pickle.loads(pickle.dumps(noise))
    assert (copy.law, copy.scale, copy.bits) == (noise.law, noise.scale, noise.bits)
    drawn += [copy.add(lanes).tobytes(), noise.add(lanes).tobytes()]
    assert all(len(each) == 8 * count for each in drawn)
    assert len({*drawn}) == len(drawn) == 10
    values = np.frombuffer(b"".join(drawn), dtype=np.int64)
    assert len({*values.tolist()}) > 9.96 * count, "no lane repeats another"


def test_forks_and_threads_repeat_no_short_draws() -> None:
    """Of scale 127: two arrays of 1000 agree with probability below 2^-7000."""
    noise, zeros = discrete_noise(LAPLACE, mpq(127)), np.zeros(1000, dtype=np.int64)

    def array() -> bytes:
        return noise.add(zeros).tobytes()

    def numbers() -> bytes:
        return np.array(noise.add_to_list([0] * 1000)).tobytes()

    drawn: list[bytes] = []
    for draw in (array, numbers):
        drawn += [draw(), draw(), *(in_a_fork(draw) for _ in range(2)), draw()]
        with ThreadPoolExecutor() as pool:
            drawn.append(pool.submit(draw).result())
    assert all(len(each) == 8000 for each in drawn)
    assert len({*drawn}) == len(drawn) == 12


def test_a_pickled_noise_draws_the_same_from_the_same_bits() -> None:
    for scale in (mpq(1), mpq(1000)):
        noise = discrete_noise(GAUSSIAN, scale)
        zeros = np.zeros(20, dtype=np.int64)
        copies = [noise, pickle.loads(pickle.dumps(noise))]
        with thresholds():
            results = [
                add_discrete(each, zeros, replayed([LaneString(i) for i in range(20)]))
                for each in copies
            ]
        assert (results[0] == results[1]).all()


def test_numpy_is_not_loaded_before_an_array_is_drawn() -> None:
    code = (
        "import sys, opendp_lite.prelude; "
        "from gmpy2 import mpq; "
        "from opendp_lite.randomness.discrete import discrete_noise; "
        "from opendp_lite.laws.noise import LAPLACE; "
        "discrete_noise(LAPLACE, mpq(1000)).sample(); "
        "sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
