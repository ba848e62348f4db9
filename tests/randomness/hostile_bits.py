"""Strings of bits that lead integer noise to the edges of its rules."""

from __future__ import annotations

from itertools import pairwise

from gmpy2 import mpq

from opendp_lite.exact import enclosures
from opendp_lite.exact.grids import power_of_two
from opendp_lite.randomness.discrete import DiscreteNoise
from opendp_lite.randomness.table import Table

_PLAIN = ["0" * n for n in (16, 32, 64, 65, 130)] + [
    "1" * n for n in (16, 32, 64, 65, 130)
]


def binary(number: int, length: int) -> str:
    """The number as a string of bits."""
    assert 0 <= number < 1 << length
    return format(number, f"0{length}b") if length else ""


def undecided_cells(table: Table, limit: int = 40) -> list[int]:
    """Some cells of 16 bits in which a threshold falls, the last one among them."""
    cells = sorted({x >> 48 for x in table.bounds(64)[0]} | {65535})
    found = [c for c in cells if table.decide(c, 16) is None]
    return found[:limit] + found[-1:]


def undecided_words(table: Table, limit: int = 40) -> list[int]:
    """Some prefixes of 64 bits that do not decide: more must be read."""
    below, _ = table.bounds(64)
    words = [w for w in below[:limit] if w < 1 << 64 and table.decide(w, 64) is None]
    assert words, "there is always one"
    return words


def hostile_strings(noise: DiscreteNoise) -> tuple[list[str], int]:
    """Such strings, and how many lanes at least must go on alone."""
    if noise.table is not None:
        words = undecided_words(noise.table)
        cells = [binary(c, 16) for c in undecided_cells(noise.table)]
        return [*_PLAIN, *cells, *(binary(w, 64) for w in words)], len(words)
    assert noise.blocks is not None
    table, b = noise.blocks.table, noise.bits
    ends = [binary(0, b), "1" * b]
    starts = list(_PLAIN)
    for cell in undecided_cells(table, 10):
        for head in (0, 2**15 - 1, 2**15, 2**16 - 1):
            starts += [binary(cell, 16) + binary(head, 16) + low for low in ends]
    words = undecided_words(table, 20)
    for w in words:
        starts += [
            binary(w >> 48, 16) + binary(0, 16) + low + binary(w % 2**48, 48)
            for low in ends
        ]
    alone = 2 * len(words)
    decided = _first_cells(table, 20)
    for y, cell in decided.items():
        quick = noise.blocks.quick[y]
        for test in (quick - 1, quick):
            for sign in "01":
                head = sign + binary(test, 15)  # type: ignore[assignment]
                starts += [binary(cell, 16) + head + low for low in ends]  # type: ignore[operator]
        for place, sign, low in ((1, "0", 1), (1 << b, "1", 0)):
            if sign == "1" and noise.law.sides == 1:
                continue
            word = _critical_test(noise, y, place)
            for w in (word - 1, word, word + 1):
                if w >> 49 < quick or w >= 1 << 64:
                    continue
                head = sign + binary(w >> 49, 15)  # type: ignore[assignment]
                start = binary(cell, 16) + head + binary(low, b)  # type: ignore[operator]
                starts.append(start + binary(w % 2**49, 49))
                alone += 1
    return starts, alone


def _first_cells(table: Table, limit: int) -> dict[int, int]:
    """For some blocks y, a cell that decides for y."""
    found = {}
    for (_, before), (here, _) in pairwise(zip(*table.bounds(64), strict=True)):
        cell = (before >> 48) + 1
        if (y := table.decide(min(cell, 65535), 16)) is not None and here:
            found[y] = cell
        if len(found) == limit:
            break
    assert found
    return found


def _critical_test(noise: DiscreteNoise, y: int, place: int) -> int:
    """The first 64 bits of e^(-loss): no 64 bits of a test are nearer to it."""
    assert noise.blocks is not None
    numerator, denominator = noise.blocks.loss(y, place, noise.bits)
    value = enclosures.exp(-mpq(numerator, denominator), 200)
    return int(value.lo * power_of_two(64))
