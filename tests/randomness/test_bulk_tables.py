"""The tables of arrays: every cell, the thresholds, and what they leave undecided."""

from __future__ import annotations

import inspect
import math
import textwrap
from struct import Struct
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq, mpz

from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.randomness import bulk as bulk_module
from opendp_lite.randomness.blocks import Blocks
from opendp_lite.randomness.bulk import (
    MOST_BLOCKS,
    QUICK_BITS,
    BlockArrays,
    TableArrays,
    certain_exp,
    check_array,
    listed,
)
from opendp_lite.randomness.entropy import bulk, use_source
from opendp_lite.randomness.lanes import LaneBits
from opendp_lite.randomness.table import UNDECIDED, Table
from tests.longer import shortened
from tests.randomness.hostile_bits import binary, undecided_words
from tests.randomness.lane_bits import (
    LaneString,
    ReplayedLanes,
    assert_dealt_equal_single_draws,
)
from tests.rows import for_each

audit = pytest.mark.audit

TABLES = [
    (mpq(1), 1, 2),
    (mpq(100), 1, 2),
    (mpq(1000), 2, 1),
    (mpq(1, 15), 1, 1),
    (mpq(1, 2 * 31**2), 2, 2),
    (mpq(1, 300), 1, 2),
]


# Those of more tables are compared in test_table.py.
@pytest.mark.parametrize(
    ("rate", "power", "sides"),
    shortened(TABLES, TABLES[1], TABLES[3], TABLES[5], parts=3),
)
def test_all_cells_are_those_of_the_table(rate: mpq, power: int, sides: int) -> None:
    table = Table(rate, power, sides)
    cells = TableArrays.of(table).cells.tolist()
    for c in range(1 << 16):
        expected = table.decide(c, 16)
        assert cells[c] == (UNDECIDED if expected is None else expected)
    assert cells.count(UNDECIDED) >= 1


@for_each(("rate", "power", "sides"), TABLES)
def test_thresholds_enclose_the_probabilities(
    rate: mpq, power: int, sides: int
) -> None:
    """With weights summed at 400 bits by MPFR alone, without recurrences."""
    arrays = TableArrays.of(Table(rate, power, sides))
    lower, upper = arrays.below.tolist(), arrays.above.tolist()
    weights: list[Enclosure] = []
    while len(weights) < 3 or weights[-1].hi > mpq(1, 2**150):
        x = rate * mpq(len(weights) ** power)
        weights.append(exp(-x, 400))
    ratio = weights[-1].hi / weights[-2].lo
    tail = weights[-1].hi * ratio / (1 - ratio) if ratio else mpq(0)
    least = weights[0].lo + sides * sum(w.lo for w in weights[1:])
    most = weights[0].hi + sides * (sum(w.hi for w in weights[1:]) + tail)
    # Integers in units of 2^-400, rounded outward, are compared faster than rationals.
    least_of_all, most_of_all = math.floor(least * 2**400), math.ceil(most * 2**400)
    listed = [weights[0]] + [w for w in weights[1:] for _ in range(sides)]
    lows = [math.floor(mpq(w.lo) * 2**400) << 64 for w in listed]
    highs = [math.ceil(mpq(w.hi) * 2**400) << 64 for w in listed]
    low = high = mpz(0)
    for k, above in enumerate(upper):
        low, high = low + lows[k], high + highs[k]
        assert lower[k] * most_of_all <= low
        assert high <= above * least_of_all
        assert above - lower[k] <= 2
    assert lower[-1] == 0
    # The first threshold that is left out cannot be passed by 64 bits.
    assert lower[len(upper)] * most_of_all <= low + lows[len(upper)]


@for_each(("rate", "power", "sides"), TABLES)
def test_words_that_do_not_decide_go_on_alone(
    rate: mpq, power: int, sides: int
) -> None:
    table = Table(rate, power, sides)
    words = undecided_words(table)
    words += [max(w - 1, 0) for w in words] + [min(w + 1, 2**64 - 1) for w in words]
    strings = [LaneString(i, binary(w % 2**48, 48)) for i, w in enumerate(words)]
    # The lanes are not their positions.
    bits = ReplayedLanes(strings[::-1])
    cell = np.array([w >> 48 for w in words], dtype=np.uint16)
    drawn = TableArrays.of(table).draw(bits, np.arange(len(words))[::-1], cell)
    for i, w in enumerate(words):
        string = LaneString(i, binary(w % 2**48, 48))
        with use_source(string):
            assert table.continued(w >> 48) == drawn[i]
        assert strings[i].position == string.position
    assert bits.alone >= len(words) // 3


def differing(arrays: TableArrays, words: list[int]) -> int:
    """How many of these lanes `draw_few` has not drawn as `Table.continued` does."""
    wrong = 0
    for start in range(0, len(words), 5):
        part = words[start : start + 5]
        texts = [binary(w % 2**48, 48) for w in part]
        # The lanes are not their positions.
        bits = ReplayedLanes(
            [LaneString(i, text) for i, text in enumerate(texts)][::-1]
        )
        lanes = list(range(len(part)))[::-1]
        drawn = arrays.draw_few(bits, lanes, [w >> 48 for w in part])
        for i, (w, x) in enumerate(zip(part, drawn, strict=True)):
            string = LaneString(i, texts[i])
            with use_source(string):
                right = arrays.table.continued(w >> 48) == x
            wrong += not right or bits.strings[lanes[i]].position != string.position
    return wrong


def open_words(table: Table) -> list[int]:
    """Words in cells that are not decided, at and beside what 64 bits do not tell."""
    words = undecided_words(table)
    words += [max(w - 1, 0) for w in words] + [min(w + 1, 2**64 - 1) for w in words]
    words += [w ^ 2**40 for w in words]
    return [w for w in words if table.cells()[w >> 48] == UNDECIDED]


@for_each(("rate", "power", "sides"), TABLES)
def test_a_few_are_drawn_as_one_is(rate: mpq, power: int, sides: int) -> None:
    table = Table(rate, power, sides)
    assert differing(TableArrays.of(table), open_words(table)) == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("cell << 16 | high", "cell << 16"),
        ("<< 32 | low", "<< 32"),
        ("bisect_right(above, prefix)", "bisect_right(above, prefix + 1)"),
        ("bisect_right(above, prefix)", "bisect_right(below, prefix)"),
        ("prefix < below[k]", "prefix <= below[k]"),
        ("self._number(k)", "k"),
        ("LazyUniform(prefix, 64)", "LazyUniform(prefix >> 48, 16)"),
    ],
)
def test_faults_of_a_few_are_seen(
    old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = textwrap.dedent(inspect.getsource(TableArrays.draw_few))
    assert text.count(old) == 1
    space = dict(vars(bulk_module))
    exec(text.replace(old, new), space)
    monkeypatch.setattr(TableArrays, "draw_few", space["draw_few"])
    tables = [Table(*each) for each in TABLES]
    assert any(differing(TableArrays.of(table), open_words(table)) for table in tables)


def assert_several_are_single_draws(arrays: TableArrays, words: list[int]) -> int:
    """`samples` draws what each word draws alone; returns how many go on alone.

    Where a cell does not decide, the numbers are of 64 bits, else of 16.
    """
    drawn = []

    def together() -> list[int]:
        drawn.append(arrays.samples(len(words)))
        return drawn[0].tolist()

    alone = assert_dealt_equal_single_draws(
        together, lambda _: arrays.table.sample(), [binary(w, 64) for w in words]
    )
    cells = arrays.table.cells()
    decided = all(cells[w >> 48] != UNDECIDED for w in words)
    assert drawn[0].dtype == (np.int16 if decided else np.int64)
    return alone


def mixed_words(table: Table) -> list[int]:
    """Words that cells, 64 bits or no 64 bits decide, in no order."""
    words = [i * 0x9E3779B97F4A7C15 % 2**64 for i in range(100)]
    longer = [2**64 - 2**20, *open_words(table) * 25]  # the last cell is among them
    return [w for pair in zip(words, longer, strict=False) for w in pair]


@for_each(("rate", "power", "sides"), TABLES)
def test_several_are_drawn_as_one_is(rate: mpq, power: int, sides: int) -> None:
    """None, one, some and all of the cells are undecided; or there is none."""
    arrays = TableArrays.of(table := Table(rate, power, sides))
    for words in (mixed_words(table), open_words(table)):
        assert assert_several_are_single_draws(arrays, words) > 0
        assert assert_several_are_single_draws(arrays, words[::-1]) > 0
    cells = [c for c in range(0, 2**16, 257) if table.cells()[c] != UNDECIDED]
    decided = [c << 48 | 7 for c in cells]
    assert assert_several_are_single_draws(arrays, decided) == 0
    longer = max(open_words(table))
    for words in ([longer, *decided], [*decided, longer], [longer]):
        assert_several_are_single_draws(arrays, words)
    assert assert_several_are_single_draws(arrays, []) == 0


def test_several_numbers_beyond_16_bits(long_blocks: Blocks) -> None:
    table = long_blocks.table
    words = [0, 2**63, 2**64 - 2**41, 2**64 - 2**20, 2**64 - 3, 5 << 40]
    words += mixed_words(table)
    assert assert_several_are_single_draws(TableArrays.of(table), words) > 0


@for_each(
    ("old", "new"),
    [
        ('">u2"', '"<u2"'),
        ('">u2"', '">i2"'),
        (".take(cell,", ".take(cell[::-1],"),
        (".take(cell,", ".take(cell | 1,"),
        ("(x == _UNDECIDED)", "(x[1:] == _UNDECIDED)"),
        ("(x == _UNDECIDED)", "(x[:-1] == _UNDECIDED)"),
        ("if rest.size:", "if rest.size > 1:"),
        ("if rest.size:", "if True:"),
        ("x = x.astype(np.int64)", "pass"),
        ("x.astype(np.int64)", "x.astype(np.int32)"),
        ("x[rest] =", "x[rest[::-1]] ="),
        ("x[rest] =", "x[rest - 1] ="),
        ("cell[rest].tolist()", "cell[rest].tolist()[::-1]"),
        ("further(cell[rest].tolist())", "further(cell[rest].tolist())[0]"),
    ],
)
def test_faults_of_several_are_seen(old: str, new: str) -> None:
    text = textwrap.dedent(inspect.getsource(TableArrays.samples))
    assert text.count(old) == 1
    space = dict(vars(bulk_module))
    exec(text.replace(old, new), space)

    class Mutant(TableArrays):
        samples = space["samples"]

    arrays = Mutant.of(table := Table(*TABLES[4]))
    cells = table.cells()
    words = mixed_words(table)
    (undecided, *_) = open_words(table)
    decided = [w for w in words if cells[w >> 48] != UNDECIDED]
    with pytest.raises((AssertionError, IndexError, OverflowError, TypeError)):
        for part in (words, [undecided, *decided], [*decided, undecided], decided):
            assert_several_are_single_draws(arrays, part)


def test_lists_become_arrays_bit_for_bit() -> None:
    floats = [0.5, -0.0, math.inf, -math.inf, 5e-324, 1.7976931348623157e308] * 1000
    array = listed(floats, "d")
    check_array(array, np.float64)
    assert list(map(float.hex, array.tolist())) == list(map(float.hex, floats))
    integers: list[Any] = [
        0,
        True,
        -(2**63),
        2**63 - 1,
        np.int8(-3),
        np.uint64(2**63 - 1),
    ] * 1000
    array = listed(integers, "q")
    check_array(array, np.int64)
    assert array.tolist() == list(map(int, integers))
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1
    narrow: list[Any] = [0, True, -(2**31), 2**31 - 1, np.uint64(7), np.int8(-3)] * 1000
    array = listed(narrow, "i")
    check_array(array, np.int32)
    assert array.tolist() == list(map(int, narrow))


@for_each("beyond", [2**63, -(2**63) - 1, 10**400, np.uint64(2**63)])
def test_integers_beyond_int64_overflow(beyond: Any) -> None:
    for code in ("q", "i"):
        with pytest.raises(OverflowError):
            listed([0, beyond, 1], code)


@pytest.mark.parametrize("beyond", [2**31, -(2**31) - 1, np.int64(2**31)])
def test_integers_beyond_int32_overflow(beyond: Any) -> None:
    with pytest.raises(OverflowError):
        listed([0, beyond, 1], "i")


@pytest.fixture(scope="module")
def long_blocks() -> Blocks:
    """More than 2^15 blocks."""
    return Blocks(mpq(1, 1000), 1)


def test_numbers_beyond_16_bits(long_blocks: Blocks) -> None:
    """Such cells are left to the longer prefix, and the result is of 64 bits."""
    table = long_blocks.table
    arrays = TableArrays.of(table)
    assert arrays.cells.max() < 2**15
    words = [0, 2**63, 2**64 - 2**41, 2**64 - 2**20, 2**64 - 3]
    bits = ReplayedLanes(
        [LaneString(i, binary(w % 2**48, 48)) for i, w in enumerate(words)]
    )
    cell = np.array([w >> 48 for w in words], dtype=np.uint16)
    drawn = arrays.draw(bits, np.arange(len(words)), cell)
    assert drawn.dtype == np.int64
    assert drawn[-1] > 2**15
    for w, x in zip(words[:4], drawn[:4].tolist(), strict=True):
        assert table.decide(w, 64) == x


def test_long_lists_of_quick_tests(long_blocks: Blocks) -> None:
    """More than 2^15 of them: no index may be squeezed into 16 bits."""
    blocks = long_blocks
    arrays = BlockArrays.of(blocks)
    assert len(blocks.quick) > 2**15
    y = np.array([0, 5, len(blocks.quick) - 1, len(blocks.quick), 2**40])
    expected = [blocks.quick[0], blocks.quick[5], blocks.quick[-1], 0, 0]
    assert arrays.quick_at(y).tolist() == expected
    assert arrays.quick_at(y[:2].astype(np.int16)).tolist() == expected[:2]


@pytest.mark.parametrize(
    ("rate", "power", "block", "most"),
    [
        (mpq(1, 31), 1, 0, MOST_BLOCKS),
        (mpq(1, 2048), 2, 0, MOST_BLOCKS),
        (mpq(1, 40), 1, 127, 128),
        (mpq(1, 40), 1, 128, 128),
        # These tables are so long that the audit makes them.
        pytest.param(mpq(1, 8002), 1, MOST_BLOCKS - 1, MOST_BLOCKS, marks=audit),
        pytest.param(mpq(1, 7984), 1, MOST_BLOCKS, MOST_BLOCKS, marks=audit),
    ],
)
def test_entries_are_the_blocks_of_cells_and_their_tests(
    rate: mpq, power: int, block: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last rates have the blocks next to `most` in cells, and some beyond."""
    assert MOST_BLOCKS << QUICK_BITS <= 2**31
    monkeypatch.setattr(bulk_module, "MOST_BLOCKS", most)
    blocks = Blocks(rate, power)
    arrays = BlockArrays.of(blocks)
    cells = arrays.table.cells.tolist()
    assert block in cells
    assert arrays.entries.dtype == np.int32
    for k, entry in zip(cells, arrays.entries.tolist(), strict=True):
        known = 0 <= k < most
        assert divmod(entry, 2**16) == ((k, blocks.quick[k]) if known else (-1, 0))
    assert (max(cells) >= most) == (block > 0)


@pytest.mark.parametrize(("rate", "power"), [(mpq(1, 31), 1), (mpq(1, 2048), 2)])
def test_losses_are_right(rate: mpq, power: int) -> None:
    blocks = Blocks(rate, power)
    arrays = BlockArrays.of(blocks)
    y = np.array([0, 0, 1, 7, 500, MOST_BLOCKS - 1, MOST_BLOCKS, 2**40])
    place = np.array([0, 1, 2**47, 2**40 + 1, 3, 2**47 - 1, 5, 0])
    with np.errstate(all="raise"):
        found = arrays.losses(y, place * 2.0**-47)
    for i in range(6):
        n, d = blocks.loss(int(y[i]), int(place[i]), 47)
        assert abs(mpq(float(found[i])) - mpq(n, d)) <= mpq(n, d) / 2**50
    assert np.isinf(found[6:]).all()


def test_certain_comparisons_are_right() -> None:
    """Against 200 bits of MPFR, at tests nearer and nearer to e^(-loss)."""
    losses = [0.0, 1e-300, 2.0**-60, 2.0**-20, 0.1, 0.7, 3.0, 20.0, 43.0, 44.5]
    losses += [700.0, 745.0, 1000.0, 1023.9]
    cases, exact = [], []
    for loss in losses:
        p = int(exp(-mpq(loss), 200).lo * 2**64)
        for shift in range(66):
            for sign in (1, -1):
                w = p + sign * (1 << shift >> 1)
                if 0 <= w < 2**64:
                    cases.append((w, loss))
                    exact.append(w <= p - 1 or (w == p and loss == 0.0))
    prefix = np.array([w for w, _ in cases], dtype=np.uint64)
    with np.errstate(all="raise"):
        yes, no = certain_exp(prefix, np.array([loss for _, loss in cases]))
    for i, below in enumerate(exact):
        assert not (yes[i] and not below), cases[i]
        assert not (no[i] and below), cases[i]
    near = [
        i
        for i, (w, loss) in enumerate(cases)
        if abs(w - int(exp(-mpq(loss), 200).lo * 2**64)) <= 2**13
    ]
    assert not (yes | no)[near].any(), "nothing is certain within 2^-51"
    assert (yes | no).sum() > len(cases) // 8


def test_numpy_is_as_exact_as_it_is_trusted_to_be() -> None:
    """exp to a relative 2^-40, and the conversion of 64 bits to the nearest double."""
    x = np.concatenate([-np.linspace(0, 1024, 3001), -(2.0 ** np.arange(-60, 10, 0.1))])
    for each, found in zip(x.tolist(), np.exp(x).tolist(), strict=True):
        exact = exp(mpq(each), 200)
        slack = exact.hi / 2**40 + mpq(1, 2**1000)
        assert exact.lo - slack <= mpq(found) <= exact.hi + slack
    words = [0, 1, 2**53 + 1, 2**53 + 3, 2**63 + 2**10, 2**64 - 2**10, 2**64 - 1]
    converted = np.array(words, dtype=np.uint64) * 2.0**-64
    assert converted.tolist() == [float(w) * 2.0**-64 for w in words]


def test_nothing_is_certain_of_a_loss_that_is_not_known() -> None:
    prefix = np.array([0, 2**64 - 1], dtype=np.uint64)
    for loss in (1024.0, 1e300, np.inf):
        with np.errstate(all="raise"):
            yes, no = certain_exp(prefix, np.full(2, loss))
        assert not (yes | no).any()


@for_each("bits", [0, 1, 7, 8, 9, 15, 16, 31, 32, 47, 48, 49, 63, 64])
def test_bits_of_lanes_have_their_length(bits: int) -> None:
    """Each of the bits is 1 about half the time, and none beyond them.

    20,000 fair bits have 11,000 ones or 9,000 with probability below 2 e^-100.
    """
    with bulk() as stream:
        words = LaneBits(stream).integers(np.arange(20_000), bits)
    assert words.dtype.kind == "u"
    assert words.size == 20_000
    for i in range(words.dtype.itemsize * 8):
        ones = int((words >> words.dtype.type(i) & words.dtype.type(1)).sum())
        assert 9_000 < ones < 11_000 if i < bits else ones == 0


def test_words_of_lanes_share_no_bit() -> None:
    """All 16-bit pieces that were read are in the three arrays, each once."""
    for count in (1, 7, 256, 300):
        with use_source(LaneString(count)), bulk() as stream:
            words = LaneBits(stream).words(np.arange(count))
        assert [each.dtype for each in words] == [np.uint16, np.uint16, np.uint64]
        assert [each.size for each in words] == [count] * 3
        pieces = np.concatenate([each.view(np.uint16) for each in words]).tolist()
        read = LaneString(count).bits(96 * count).to_bytes(12 * count, "big")
        expected = np.frombuffer(read, np.uint16).tolist()
        assert sorted(pieces) == sorted(expected)


def test_words_of_lanes_are_fair() -> None:
    """20,000 fair bits have 11,000 ones or 9,000 with probability below 2 e^-100."""
    with bulk() as stream:
        words = LaneBits(stream).words(np.arange(20_000))
    for each in words:
        for i in range(each.dtype.itemsize * 8):
            ones = int((each >> each.dtype.type(i) & each.dtype.type(1)).sum())
            assert 9_000 < ones < 11_000


def test_words_of_256_lanes_are_of_the_operating_system(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused() -> None:
        raise AssertionError("a key was asked for")

    monkeypatch.setattr("opendp_lite.randomness.entropy._fresh_key", refused)
    with bulk() as stream:
        bits = LaneBits(stream)
        for _ in range(3):
            bits.words(np.arange(256))
            bits.integers(np.arange(256), 64)
            bits.integers(np.arange(1536), 16)
        with pytest.raises(AssertionError, match="a key"):
            bits.words(np.arange(257))


def test_rows_of_lanes_are_consecutive_pieces() -> None:
    """They are read when they are asked for, also if nobody goes through them."""
    layout = Struct(">HHQ")
    with use_source(string := LaneString(1)), bulk() as stream:
        rows = LaneBits(stream).rows([3, 1, 8], layout)
        assert string.position == 3 * 96
    read = LaneString(1).bits(3 * 96)
    words = [read >> shift & 2**96 - 1 for shift in (192, 96, 0)]
    parts = [(word >> 80, word >> 64 & 2**16 - 1, word & 2**64 - 1) for word in words]
    assert list(rows) == parts
