"""Tables: thresholds, decisions of all short cells, and the law by the bit tree."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from itertools import product

import pytest
from gmpy2 import mpq

from opendp_lite.exact.intervals import Enclosure
from opendp_lite.laws.weights import Weights, enclose_weights
from opendp_lite.randomness import table as table_module
from opendp_lite.randomness.entropy import use_source
from opendp_lite.randomness.table import CELL_BITS, UNDECIDED, Table
from tests.laws.test_weights import rest_of
from tests.longer import shortened
from tests.randomness.hostile_bits import binary
from tests.randomness.lane_bits import (
    DealtBits,
    LaneString,
    assert_dealt_equal_single_draws,
)
from tests.randomness.laws import exponential, law_fault
from tests.randomness.test_bulk_tables import open_words
from tests.randomness.tree import Script, bits_used, enumerate_tree
from tests.rows import for_each

LAWS = [
    (mpq(rate), power, sides)
    for rate in ("1/20", "2/7", "1", "10")
    for power in (1, 2)
    for sides in (1, 2)
]


def probabilities(rate: mpq, power: int, sides: int) -> Callable[[int], Enclosure]:
    """P(X = k): all weights but the first come `sides` times."""
    total = 1 + sides * rest_of(rate, power, 0)
    return lambda k: exponential(-rate * (-(-k // sides)) ** power) / total


# A finer table is made where 64 bits do not decide; with two sides it is for all.
@pytest.mark.parametrize(
    ("law", "precision"),
    shortened(
        product(LAWS, [64, 128]),
        *((law, 128) for law in LAWS if law[2] == 1),
        parts=2,
    ),
)
def test_the_thresholds_are_enclosed(law: tuple[mpq, int, int], precision: int) -> None:
    rate, power, sides = law
    below, above = Table(rate, power, sides).bounds(precision)
    sums = Enclosure(0, 0)
    mass = probabilities(rate, power, sides)
    for k, (low, high) in enumerate(zip(below, above, strict=True)):
        sums += mass(k)
        exact = sums * (1 << precision)
        assert 0 <= low <= exact.lo
        assert exact.hi <= high
        assert high - low <= 2
    assert above == sorted(above)
    # What is not listed is less than a unit.
    assert (1 << precision) - below[-1] <= 2


@for_each(("rate", "power", "sides"), LAWS)
def test_the_law(rate: mpq, power: int, sides: int) -> None:
    pmf = probabilities(rate, power, sides)
    table = Table(rate, power, sides)
    integers = [k if sides == 1 else [k // 2, -k // 2][k % 2] for k in range(20)]
    assert [table.number(k) for k in range(20)] == integers

    def numbered() -> int:
        x = table.sample()
        return x if sides == 1 else max(2 * x, -2 * x - 1)

    fault = law_fault(numbered, pmf, range(20), 26, 1e-5)
    assert fault is None


class Toy(Table):
    """P(X = k) = 2^-(k+1) for k < 12, with enclosures that are too wide by `slack`."""

    __slots__ = ("slack",)

    def __init__(self, slack: int) -> None:
        super().__init__(mpq(1), 1, 1)
        self.slack = slack

    def weights(self, precision: int) -> Weights:
        unit = 64 + precision
        exact = [1 << (unit - j) for j in (*range(12), 11)]
        wide = self.slack << (unit - 10)
        lower = [exact[0], *(max(0, w - wide) for w in exact[1:])]
        upper = [exact[0], *(w + wide for w in exact[1:])]
        return Weights(lower, upper, 0)


@for_each("slack", [0, 1, 5, 40])
def test_every_short_cell_of_a_toy_table(slack: int) -> None:
    """An answer is right on the whole cell; with exact weights there always is one."""
    table = Toy(slack)
    for length in range(11):
        for prefix in range(1 << length):
            start, end = mpq(prefix, 1 << length), mpq(prefix + 1, 1 << length)
            values = [k for k in range(12) if start < 1 - mpq(1, 2 << k)][:1]
            exact = values[0] if values and end <= 1 - mpq(1, 2 << values[0]) else None
            found = table.decide(prefix, length)
            assert found in (exact, None)
            if slack == 0:  # then the thresholds are known exactly
                assert found == exact


@pytest.mark.parametrize("slack", [1, 5])
def test_wide_enclosures_change_no_answer(slack: int) -> None:
    law, _ = enumerate_tree(Toy(slack).sample, 14)
    assert law
    for k, mass in law.items():
        assert mass <= mpq(1, 2 << k)


class Short(Table):
    """Lists the weights above 1/8 only, with or without a bound of the rest."""

    __slots__ = ("with_rest",)

    def __init__(self, with_rest: bool) -> None:
        super().__init__(mpq(1), 1, 1)
        self.with_rest = with_rest

    def weights(self, precision: int) -> Weights:
        unit = precision + 64
        found = enclose_weights(self.rate, self.power, unit, unit - 3)
        return found if self.with_rest else Weights(found.lower, found.upper, 0)


def test_a_missing_rest_is_found() -> None:
    pmf = probabilities(mpq(1), 1, 1)
    for with_rest in (True, False):
        table = Short(with_rest)
        fault = law_fault(table.sample, pmf, range(4), 16, 0.9)
        if with_rest:
            assert fault is None
        else:
            assert fault is not None
            assert "too much mass" in fault


def test_a_missing_side_is_found() -> None:
    pmf = probabilities(mpq(1), 1, 2)
    table = Table(mpq(1), 1, 1)
    fault = law_fault(table.sample, pmf, range(4), 16, 0.01)
    assert fault is not None


@pytest.mark.parametrize(
    ("rate", "power", "sides"), shortened(LAWS[::3], LAWS[0], LAWS[9], parts=3)
)
def test_words_and_single_bits_agree(rate: mpq, power: int, sides: int) -> None:
    """At the ends and in the middle of every 16th cell, and around all thresholds."""
    table = Table(rate, power, sides)
    bits = 320
    words = [(cell << 4) << (bits - 16) | 0x9E37 for cell in range(1 << 12)]
    for threshold in table.bounds(64)[0][:-1]:
        words += [(threshold + k) << (bits - 64) | 0x79B9 for k in (-1, 0, 1)]
    for word in words:
        found = set()
        for granularity in (1, 8, 64):
            with use_source(Script(word, bits, granularity)):
                found.add(table.sample())
        assert len(found) == 1


EXTREME = [("1/65536", 2, 2), ("1/31", 1, 2), ("1", 2, 1), ("1000", 1, 2)]


@for_each(("rate", "power", "sides"), EXTREME)
def test_all_cells(rate: str, power: int, sides: int) -> None:
    """They say what `decide` says, and a cell that is decided needs no more bits."""
    table = Table(mpq(rate), power, sides)
    cells = table.cells()
    assert cells is table.cells()
    assert len(cells) == 1 << CELL_BITS
    undecided = 0
    with use_source(Script(0, 0, 64)):  # which has no bit
        for cell in range(1 << CELL_BITS):
            known = table.decide(cell, CELL_BITS)
            if known is None:
                undecided += 1
                assert cells[cell] == UNDECIDED
            else:
                assert cells[cell] == known == table.continued(cell)
    assert undecided


class Flat(Table):
    """40,000 numbers of one probability, which is a little more than 2^-16."""

    __slots__ = ()

    def weights(self, precision: int) -> Weights:
        exact = [1 << precision + 64] * 40_000
        return Weights(exact, exact, 0)


def test_numbers_that_are_too_large_are_left_out_of_the_cells() -> None:
    """X is known to be from 2^15 on in some cells, but they hold 16 bits only."""
    table = Flat(mpq(1), 1, 1)
    known = [table.decide(cell, CELL_BITS) for cell in range(1 << CELL_BITS)]
    assert max(x for x in known if x is not None) >= 2**15
    small = [UNDECIDED if x is None or x >= 2**15 else x for x in known]
    assert table.cells().tolist() == small
    first = next(c for c, x in enumerate(known) if x is not None and x >= 2**15)
    with use_source(string := LaneString(1)):
        assert table.continued(first) == known[first]
    assert string.position == 64 - CELL_BITS


@pytest.mark.parametrize(("rate", "power", "sides"), EXTREME)
@pytest.mark.parametrize("count", [0, 1, 2, 700])
def test_several_are_single_draws(
    rate: str, power: int, sides: int, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first 16 bits of all are read at once, and the others one by one."""
    table = Table(mpq(rate), power, sides)
    open_cells = [c for c, x in enumerate(table.cells()) if x == UNDECIDED]
    starts = [format(c, "016b") for c in open_cells[-count // 2 :]] if count > 1 else []
    starts += [""] * (count - len(starts))
    strings = [LaneString(i, text) for i, text in enumerate(starts)]
    dealt = DealtBits(strings, CELL_BITS)
    cells = [LaneString(i, text).bits(CELL_BITS) for i, text in enumerate(starts)]
    longer = [i for i, cell in enumerate(cells) if cell in open_cells]
    follow = dealt.following(table.continued, longer)
    monkeypatch.setattr(Table, "continued", lambda _, cell: follow(cell))
    with use_source(dealt):
        drawn = table.samples(count)
    monkeypatch.undo()
    for i, text in enumerate(starts):
        with use_source(string := LaneString(i, text)):
            assert table.sample() == drawn[i]
        assert strings[i].position == string.position
    assert longer or count < 2
    with use_source(Script(0, 10_000)):
        singly = table.samples(5)
    with use_source(Script(0, 10_000)):
        assert singly == [table.sample() for _ in range(5)]


def assert_drawn_further(table: Table, words: list[int]) -> int:
    """`Table.further` draws as `Table.continued` does; returns how many go on alone."""
    cells = [word >> 48 for word in words]
    return assert_dealt_equal_single_draws(
        lambda: table.further(cells),
        lambda i: table.continued(cells[i]),
        [binary(word % 2**48, 48) for word in words],
        first=48,
        most=48,
    )


@for_each(("rate", "power", "sides"), [*LAWS[::3], *EXTREME])
def test_several_are_drawn_further_as_one_is(
    rate: mpq | str, power: int, sides: int
) -> None:
    """At the thresholds and beside them, in any order; and none, and one."""
    table = Table(mpq(rate), power, sides)
    words = open_words(table)
    assert assert_drawn_further(table, words) > 0
    assert_drawn_further(table, words[::-1])
    assert_drawn_further(table, [])
    assert_drawn_further(table, words[:1])


def test_numbers_that_are_too_large_for_cells_are_drawn_further() -> None:
    """Whether or not 64 bits decide."""
    table = Flat(mpq(1), 1, 1)
    below = table.bounds(64)[0]
    near = [below[k] + d for k in (2**15 - 1, 2**15, 39_998) for d in (-1, 0, 1)]
    words = [w for w in near if table.cells()[w >> 48] == UNDECIDED]
    assert len(words) > 5
    assert assert_drawn_further(table, [*words, 2**64 - 2**40]) > 1
    with use_source(LaneString(1)):
        assert table.further([2**16 - 1]) == [39_999]


@for_each(
    ("old", "new"),
    [
        ("cell << 16 | high", "cell << 16"),
        ("<< 32 | low", "<< 32"),
        ("(high, low) in", "(low, high) in"),
        ("cell, (high", "cell, (_, low), (high"),
        ("zip(cells,", "zip(cells[::-1],"),
        ("decide(prefix, 64)", "decide(prefix + 1, 64)"),
        ("if x is None", "if False"),
        ("LazyUniform(prefix, 64)", "LazyUniform(prefix >> 48, 16)"),
        ("LazyUniform(prefix, 64)", "LazyUniform(prefix - 1, 64)"),
        ("locate(self.decide)", "locate(self.decide, 192)"),
        ("drawn.append(x)", "drawn.insert(0, x)"),
    ],
)
def test_faults_of_what_is_drawn_further_are_seen(old: str, new: str) -> None:
    text = textwrap.dedent(inspect.getsource(Table.further))
    assert text.count(old) == 1
    space = dict(vars(table_module))
    exec(text.replace(old, new), space)
    mutant = type("Mutant", (Table,), {"further": space["further"]})
    table = mutant(mpq(2, 7), 1, 2)
    with pytest.raises((AssertionError, ValueError)):
        assert_drawn_further(table, open_words(table))


def test_words_begin_with_sixteen_bits() -> None:
    table = Table(mpq(1), 1, 1)
    for word, used in ((0, 16), (2**320 - 2**64, 320)):
        script = Script(word, 320, 64)
        with use_source(script):
            table.sample()
        assert script.used == used
    assert bits_used(table.sample, 0, 1) == 1  # 1/2 < 1 - 1/e = F_0


def test_a_cell_beyond_the_list_is_not_decided() -> None:
    table = Table(mpq(1), 1, 1)
    for length in (16, 64):
        assert table.decide((1 << length) - 1, length) is None
    assert table.decide((1 << 100) - 1, 100) is None
    # -ln 2^-100.5 is 69.66: X is 69 in the middle of the last cell of 100 bits.
    assert table.decide((1 << 200) - (1 << 99) - (1 << 98), 200) == 69
