"""Blocks: quick tests are sound, decisions right, and the coins have their law."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from opendp_lite.randomness.blocks import TEST_BITS, Blocks, blocks
from opendp_lite.randomness.lazy import LazyUniform
from opendp_lite.randomness.table import CELL_BITS, UNDECIDED
from tests.longer import shortened
from tests.randomness.laws import exponential, law_fault
from tests.rows import for_each

KINDS = [
    (mpq(1, 16), 1),
    (mpq(10, 319), 1),
    (mpq(1, 2048), 2),
    (mpq(1, 8191), 2),
    (mpq(1, 512), 2),
]


def quick_fault(quick: list[int], rate: mpq, power: int) -> int:
    """The first block with an entry that is too great, or -1."""
    for y, entry in enumerate(quick):
        ratio = exponential(-rate * ((y + 1) ** power - y**power))
        if not 0 <= entry <= ratio.lo * (1 << TEST_BITS):
            return y
    return -1


@for_each(("rate", "power"), KINDS)
def test_the_quick_test_is_sound_in_all_blocks(rate: mpq, power: int) -> None:
    quick = Blocks(rate, power).quick
    assert len(quick) > 100
    assert quick_fault(quick, rate, power) == -1
    for y, entry in enumerate(quick[:-20]):
        ratio = exponential(-rate * ((y + 1) ** power - y**power))
        assert ratio.hi * (1 << TEST_BITS) < entry + 1  # and it is the best


def test_a_quick_test_that_is_one_too_great_is_found() -> None:
    rate, power = KINDS[2]
    quick = Blocks(rate, power).quick
    for y in (0, 1, 9, 30):
        assert quick_fault([*quick[:y], quick[y] + 1], rate, power) == y


@for_each(("rate", "power"), KINDS)
def test_what_is_accepted_quickly(rate: mpq, power: int) -> None:
    made = blocks(rate, power)
    assert made is blocks(rate, power)
    for y in (0, 1, 50, len(made.quick) - 1):
        assert made.accepts_quickly(y, made.quick[y] - 1)
        assert not made.accepts_quickly(y, made.quick[y])
    assert not made.accepts_quickly(len(made.quick), 0)
    assert not made.accepts_quickly(10**30, 0)


# The cells of more tables are compared in test_table.py.
@pytest.mark.parametrize(("rate", "power"), shortened(KINDS, *KINDS[1:-1], parts=2))
def test_all_cells_at_once(rate: mpq, power: int) -> None:
    """What is sure is what the table decides, with its quick test, or with 0."""
    made = Blocks(rate, power)
    cells, quick = made.sure
    assert quick == [*made.quick, 0]
    assert max(cells) < len(quick)
    for cell in range(1 << CELL_BITS):
        known = made.table.decide(cell, CELL_BITS)
        assert cells[cell] == (UNDECIDED if known is None else known)


@for_each(("rate", "power"), KINDS)
def test_lines_and_logarithms_decide_alike(rate: mpq, power: int) -> None:
    """Answers at all tests of 10 bits, against an enclosure of e^-loss."""
    made, length, bits = Blocks(rate, power), 10, 3
    for y in (0, 1, 20, 300):
        for least, most in ((0, 0), (0, 1), (3, 3), (2, 7), (8, 8)):
            ends = [made.loss(y, place, bits) for place in (least, most)]
            accepts, rejects = (exponential(-mpq(*end)) for end in reversed(ends))
            for prefix in range(1 << length):
                answer = made.decide(y, least, most, bits, prefix, length)
                if answer is None:
                    # Then the cell of the test is next to a border, or between two.
                    assert prefix + 3 > accepts.lo * (1 << length)
                    assert prefix - 2 < rejects.hi * (1 << length)
                elif answer:
                    assert prefix + 1 <= accepts.hi * (1 << length)
                else:
                    assert prefix >= rejects.lo * (1 << length)


def test_lines_save_most_logarithms(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: int) -> None:
        raise AssertionError

    made = Blocks(mpq(1, 32), 1)
    monkeypatch.setattr("opendp_lite.randomness.blocks.bound_exponential", refuse)
    for place in (1, 100, 255):
        for prefix in (0, 2**63, 2**64 - 1):
            assert made.decide(3, place, place, 8, prefix, 64) is (prefix < 2**64 - 1)


@for_each("bits", [0, 1, 3, 70])
@for_each(("rate", "power"), KINDS)
def test_the_loss(rate: mpq, power: int, bits: int) -> None:
    made = Blocks(rate, power)
    for y in (0, 1, 7, 10**20):
        for place in {0, 1, (1 << bits) // 3, 1 << bits}:
            n, d = made.loss(y, place, bits)
            t = mpq(y) + mpq(place, 1 << bits)
            assert mpq(n, d) == rate * (t**power - mpq(y) ** power)


@for_each("y", [0, 3, 60])
@for_each(("rate", "power"), [(mpq(1, 2), 1), *KINDS])
def test_every_short_cell(rate: mpq, power: int, y: int) -> None:
    """An answer is right for all places and tests; with one place few are missing."""
    made, bits = Blocks(rate, power), 2
    accepted = [
        exponential(-rate * ((y + mpq(p, 4)) ** power - mpq(y) ** power))
        for p in range(5)
    ]
    for least, most in [(p, p) for p in range(5)] + [(0, 1), (1, 3), (0, 4)]:
        for length in (0, 1, 4, 7):
            undecided = 0
            for prefix in range(1 << length):
                found = made.decide(y, least, most, bits, prefix, length)
                if found is True:
                    assert mpq(prefix + 1, 1 << length) <= accepted[most].lo
                elif found is False:
                    assert mpq(prefix, 1 << length) >= accepted[least].hi
                else:
                    undecided += 1
            if least == most:
                assert undecided <= 3
            if most == 0:
                assert undecided == 0


@for_each(("rate", "power"), [(mpq(1, 2), 1), *KINDS])
def test_the_law_of_a_test(rate: mpq, power: int) -> None:
    made = Blocks(rate, power)
    for y, place in ((0, 1), (2, 3), (40, 4)):

        def coin(y: int = y, place: int = place) -> bool:
            return LazyUniform().locate(
                lambda w, n: made.decide(y, place, place, 2, w, n)
            )

        loss = rate * ((y + mpq(place, 4)) ** power - mpq(y) ** power)
        p = exponential(-loss)
        pmf = {True: p, False: 1 - p}
        assert law_fault(coin, pmf.__getitem__, (True, False), 40, 2.0**-38) is None
        wrong = {True: p - mpq(1, 10**9), False: 1 - p + mpq(1, 10**9)}
        assert law_fault(coin, wrong.__getitem__, (True, False), 40, 2.0**-38)
