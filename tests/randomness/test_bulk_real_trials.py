"""The trials of arrays of real noise: each lane's is the single trial of its bits.

The sums that follow are in `test_bulk_real`. Here a trial is looked at by itself: which
lanes are accepted, with what block, sign and place, and how much each has read.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from types import FunctionType

import gmpy2
import numpy as np
import pytest
from gmpy2 import mpq

from opendp_lite.laws.noise import GAUSSIAN, LAPLACE, Law
from opendp_lite.randomness import bulk_real
from opendp_lite.randomness.bulk import MOST_BLOCKS, block_arrays
from opendp_lite.randomness.bulk_real import _Draw
from opendp_lite.randomness.entropy import use_source
from opendp_lite.randomness.lanes import Array, LaneBits, Lanes
from opendp_lite.randomness.lazy import LazyUniform
from opendp_lite.randomness.real import RealNoise
from tests.longer import shortened
from tests.randomness.lane_bits import LaneString, ReplayedLanes
from tests.rows import for_each

Trial = Callable[[RealNoise, LaneBits, Lanes], _Draw]

LAWS = [LAPLACE, GAUSSIAN]
by_law = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
by_way = pytest.mark.parametrize("few", [1, 10**9], ids=["together", "one-by-one"])
ONES = 2**64 - 1
PLACES = [
    0,
    1,
    2**40 + 5,
    2**52,
    2**56 + 1,
    2**60 + 3,
    2**62 + 7,
    2**63,
    ONES - 2,
    ONES,
]


def trial_with(few: int, name: str = "_trial", old: str = "", new: str = "") -> Trial:
    """`_trial`, where fewer than `few` are tested one by one, and with another text.

    It is `_trial` or `_tested`, by `name`, that has `new` in the place of `old`.
    """
    space = dict(vars(bulk_real), _FEW_TESTS=few)
    for each in (bulk_real._trial, bulk_real._tested):
        text = textwrap.dedent(inspect.getsource(each))
        if old and each.__name__ == name:
            assert text.count(old) == 1
            text = text.replace(old, new)
        exec(text, space)
    found = space["_trial"]
    assert isinstance(found, FunctionType)
    return found


@cache
def cells_of(noise: RealNoise) -> dict[int, int]:
    """A cell for each block that has one."""
    cells = block_arrays(noise.blocks).table.cells.tolist()
    return {y: cell for cell, y in enumerate(cells) if y >= 0}


def begun(cell: int, negative: int, test: str, place: int) -> str:
    """A string: a cell, a sign, 15 bits of a test, a place, the rest of the test."""
    return f"{cell:016b}{negative}{test[:15]}{place:064b}{test[15:]}"


def near_thresholds(noise: RealNoise) -> Iterator[str]:
    """Tests of 79 bits within a few times 2^-15, or far less, of e^(-loss)."""
    power, rate = noise.law.power, noise.blocks.rate
    context = gmpy2.context(precision=300)
    for y in (0, 1, 5, 30):
        for place in PLACES if y in cells_of(noise) else []:
            loss = rate * ((y + mpq(place, 2**64)) ** power - mpq(y) ** power)
            exact = context.mul(context.exp(gmpy2.mpfr(-loss, 300)), 2**79)
            for nudge in (0, 1, -1, 2**10, -(2**10), *range(-(2**66), 2**66, 2**63)):
                test = min(max(int(exact) + nudge, 0), 2**79 - 1)
                yield begun(cells_of(noise)[y], nudge >> 63 & 1, f"{test:079b}", place)


def near_blocks(noise: RealNoise) -> Iterator[str]:
    """Cells that do not tell the block, and bits behind them that are far out."""
    arrays = block_arrays(noise.blocks).table
    open_cells = np.flatnonzero(arrays.cells < 0).tolist()
    for cell in open_cells[:: max(1, len(open_cells) // 30)]:
        for test in (0, 2**14, 2**15 - 1):
            for negative, behind in ((0, "0" * 48), (1, "1" * 48), (1, "")):
                yield begun(cell, negative, f"{test:015b}", PLACES[4]) + behind
    for ones in (48, 200, 400):
        for test in (0, 2**15 - 3):
            yield begun(2**16 - 1, 1, f"{test:015b}", ONES // 3) + "1" * ones


@cache
def made(law: Law, block_bits: int | None = None) -> RealNoise:
    """Noise of scale 1, made once."""
    return RealNoise(law, mpq(1), block_bits)


@cache
def hostile(noise: RealNoise) -> list[str]:
    return [*near_thresholds(noise), *near_blocks(noise), *[""] * 50]


@cache
def alone(
    noise: RealNoise, i: int, text: str
) -> tuple[tuple[int, int, int, int] | None, int]:
    """The single trial of a string, if it accepts, and how many bits it reads."""
    with use_source(string := LaneString(i, text)):
        single = noise.trial()
    if single is None:
        return None, string.position
    negative, y, place = single
    return (negative, y, place.prefix, place.length), string.position


def differs(trial: Trial, noise: RealNoise, starts: list[str]) -> bool:
    """Whether a lane has not made the trial that is made alone of the same bits."""
    lanes = ReplayedLanes([LaneString(i, text) for i, text in enumerate(starts)])
    with np.errstate(all="ignore"):  # as in `add_real`
        drawn = trial(noise, lanes, np.arange(len(starts)))
    signs, blocks, places, longer, rejected = drawn
    failed = [int(i) for i in rejected]
    assert len(failed) == len(set(failed))
    for i, text in enumerate(starts):
        single, length = alone(noise, i, text)
        if single is None:
            right = i in failed
        else:
            place = longer.get(i, LazyUniform(int(places[i]), 64))
            found = int(signs[i]), int(blocks[i]), place.prefix, place.length
            y = single[1]
            right = found == single
            right &= i not in failed
            if y >= MOST_BLOCKS:  # whose sums and tests no float decides
                head = int(f"{text:<032}"[17:32], 2)
                right &= blocks.dtype == np.int64
                right &= i in longer or noise.blocks.accepts_quickly(y, head)
        if not right or lanes.strings[i].position != length:
            return True
    return False


@by_law
@by_way
@pytest.mark.parametrize("block_bits", [None, 0, 7])
def test_trials_are_single_trials(law: Law, few: int, block_bits: int | None) -> None:
    noise = made(law, block_bits)
    assert not differs(trial_with(few), noise, hostile(noise))


@by_law
def test_trials_are_single_trials_as_they_ship(law: Law) -> None:
    noise = made(law)
    starts = hostile(noise)
    for count in (60, len(starts)):
        assert not differs(bulk_real._trial, noise, starts[:count])


class _AllTests(ReplayedLanes):
    """Lanes of one cell and one place, with all tests of 15 bits in turn."""

    def __init__(self, cell: int, place: int) -> None:
        super().__init__([LaneString(i) for i in range(2**15)])
        self.cell, self.place = cell, place

    def words(self, lanes: Lanes) -> tuple[Array, Array, Array]:
        count = len(lanes)
        return (
            np.full(count, self.cell, dtype=np.uint16),
            lanes.astype(np.uint16),
            np.full(count, self.place, dtype=np.uint64),
        )


@by_law
@by_way
@pytest.mark.parametrize(
    ("y", "place"),
    shortened([(0, 2**63 + 1), (1, ONES), (3, 2**60 + 9)], (0, 2**63 + 1), parts=2),
)
def test_of_all_tests_only_what_decide_tells_is_not_asked(
    law: Law, few: int, y: int, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line and the curve answer as `Blocks.decide` does, for every 15 bits."""
    noise = RealNoise(law, mpq(1), 0)
    asked = set()

    def accepts(_: RealNoise, block: int, at: LazyUniform, test: LazyUniform) -> bool:
        assert (block, at.prefix, at.length, test.length) == (y, place, 64, 15)
        asked.add(test.prefix)
        return True

    monkeypatch.setattr(RealNoise, "accepts", accepts)
    bits = _AllTests(cells_of(noise)[y], place)
    *_, failed = trial_with(few)(noise, bits, np.arange(2**15))
    rejected = {int(i) for i in failed}
    quick = noise.blocks.quick[y]
    assert not asked & rejected
    assert min(asked | rejected) >= quick
    told = 0
    for test in range(quick, 2**15):
        answer = noise.blocks.decide(y, place, place + 1, 64, test, 15)
        if test not in asked:
            assert answer is (test not in rejected)
            told += 1
    # Where the loss is above 1 the line says nothing, and of small tests few are told.
    assert told > 0
    if place >> 60 <= 1 and law is LAPLACE:
        assert told > (2**15 - quick) * 0.9


SINGLY = [
    ("line > _CLEAR", "line > 0.0"),
    ("loss * loss < -_CLEAR", "loss * loss < 0.9"),
    ("_TESTS / 2 * loss * loss", "_TESTS / 4 * loss * loss"),
    ("_TESTS * (1.0 - loss)", "_TESTS * (1.0 - 0.99 * loss)"),
    ("place.item(i) * 2.0**-64", "place.item(i) * 2.0**-65"),
    ("2.0 * block + v", "2.0 * block"),
    ("blocks.power == 2", "blocks.power == 3"),
    ("- start  # proof: line", "- (start >> 1)"),
    ("if block < 0:", "if block < -1:"),  # the block is never drawn
    ("y[i] = block", "pass"),
    ("arrays.table.draw_few(bits, few, starts)", "[0] * len(few)"),
    ("if blocks.accepts_quickly(block, start)", "if True"),
    ("if block >= MOST_BLOCKS", "if block >= 2**30"),
    ("near = block < MOST_BLOCKS", "near = True"),
    ("LazyUniform(start, TEST_BITS)", "LazyUniform()"),
    # A place is forgotten.
    ("block, longer[i], begun", "block, LazyUniform(place.item(i), 64), begun"),
    ("longer[i] = LazyUniform(place.item(i), 64)", "longer[i] = LazyUniform()"),
    ("failed.append(i)", "pass"),
]
TOGETHER = [
    ("yes = line > _CLEAR", "yes = line > 0.0"),
    ("loss * loss < -_CLEAR", "loss * loss < 0.9"),
    ("_TESTS / 2 * loss * loss", "_TESTS / 4 * loss * loss"),
    ("_TESTS * (1.0 - loss)", "_TESTS * (1.0 - 0.99 * loss)"),
    ("place[rest] * _FINE_UNIT", "place[rest] * 2.0**-65"),
    ("y[late] = found", "pass"),
    ("y = y.astype(np.int64)", "pass"),
    ("LazyUniform(int(test[lane]), TEST_BITS)", "LazyUniform()"),
    (
        "int(y[lane]), longer[lane], begun",
        "int(y[lane]), LazyUniform(int(place[lane]), 64), begun",
    ),
    ("rest[~yes]", "rest[no]"),
    ("rest[~yes]", "rest[yes]"),
]
BOTH = [
    ("head >> _TEST_BITS", "head & 1"),
    ("head & _TEST_MASK", "head >> 1"),
]


@for_each(
    ("few", "name", "old", "new"),
    [
        *((10**9, "_trial", *fault) for fault in SINGLY),
        *((1, "_tested", *fault) for fault in TOGETHER),
        *((few, "_trial", *fault) for few in (1, 10**9) for fault in BOTH),
    ],
)
def test_faults_of_a_trial_are_seen(few: int, name: str, old: str, new: str) -> None:
    trial = trial_with(few, name, old, new)
    noises = (made(law, block_bits) for law in LAWS for block_bits in (7, None, 0))
    assert any(differs(trial, noise, hostile(noise)) for noise in noises)


def consumed(noise: RealNoise, i: int, text: str) -> tuple[str, bool]:
    """The bits that the single trial of a string reads, and whether it accepts."""
    with use_source(string := LaneString(i, text)):
        single = noise.trial()
    return string.text[: string.position], single is not None


@cache
def rejected_first(noise: RealNoise) -> list[str]:
    """A trial that is rejected, by the first bits of its test or later; then any."""
    begun_trials = [consumed(noise, i, text) for i, text in enumerate(hostile(noise))]
    rejected = [text for text, accepted in begun_trials if not accepted]
    soon = next(text for text in rejected if len(text) == 96)
    later = next(text for text in rejected if len(text) > 96)
    return [before + text for before in (soon, later) for text in hostile(noise)]


def again_with(old: str = "", new: str = "") -> Callable[..., _Draw]:
    """`_begin_again`, with another text in one place."""
    text = inspect.getsource(bulk_real._begin_again)
    assert not old or text.count(old) == 1
    space = dict(vars(bulk_real))
    exec(text.replace(old, new) if old else text, space)
    found = space["_begin_again"]
    assert isinstance(found, FunctionType)
    return found


def differs_again(
    again: Callable[..., _Draw], noise: RealNoise, few: int = 10**9
) -> bool:
    """Whether a lane that was rejected does not go on as it would alone."""
    starts = rejected_first(noise)
    bits = ReplayedLanes([LaneString(i, text) for i, text in enumerate(starts)])
    lanes = np.arange(len(starts))
    with np.errstate(all="ignore"):  # as in `add_real`
        draw = trial_with(few)(noise, bits, lanes)
        assert sorted(draw[-1]) == lanes.tolist()
        signs, blocks, places, longer, rejected = again(noise, bits, lanes, draw)
    if len(rejected):
        return True
    for i, text in enumerate(starts):
        with use_source(string := LaneString(i, text)):
            while (single := noise.trial()) is None:
                pass
        negative, y, place = single
        known = longer.get(i, LazyUniform(int(places[i]), 64))
        right = (int(signs[i]), int(blocks[i])) == (negative, y)
        right &= (known.prefix, known.length) == (place.prefix, place.length)
        right &= int(places[i]) == place.prefix >> place.length - 64
        right &= y < MOST_BLOCKS or blocks.dtype == np.int64
        if not right or bits.strings[i].position != string.position:
            return True
    return False


@by_law
@by_way
@pytest.mark.parametrize("block_bits", [None, 0, 7])
def test_those_who_begin_again_make_single_trials(
    law: Law, few: int, block_bits: int | None
) -> None:
    assert not differs_again(bulk_real._begin_again, made(law, block_bits), few)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "bits.rows([lanes.item(i) for i in failed], WORD)",
            "[(0, 0, 0)] * len(failed)",
        ),
        ("longer.pop(i, None)", "pass"),  # the place of the rejected trial is kept
        ("head % _HEADS < entry % _QUICKS", "head % _HEADS <= entry % _QUICKS"),
        ("entry % _QUICKS", "entry"),
        ("y[i] = entry >> QUICK_BITS", "pass"),
        ("head >> TEST_BITS, low", "head & 1, low"),
        ("head >> TEST_BITS, low", "head >> TEST_BITS, 0"),
        ("noise.trial((cell << 16 | head) << 64 | low)", "noise.trial()"),
        ("(cell << 16 | head) << 64 | low", "(head << 16 | cell) << 64 | low"),
        ("drawn = noise.trial()  # proof: repeat", "drawn = 0, 0, LazyUniform(0, 64)"),
        ("negative[i], block, longer[i] = drawn", "_, block, longer[i] = drawn"),
        ("longer[i] = drawn", "longer[i] = *drawn[:2], LazyUniform(low, 64)"),
        ("longer[i].length - 64", "longer[i].length - 60"),
        ("y = y.astype(np.int64)", "pass"),
        ("y[i] = block", "pass"),
        ("return negative, y, place, longer, _NONE", "return draw"),
    ],
)
def test_faults_of_those_who_begin_again_are_seen(old: str, new: str) -> None:
    again = again_with(old, new)
    noises = (made(law, block_bits) for law in LAWS for block_bits in (7, None, 0))
    assert any(differs_again(again, noise) for noise in noises)
