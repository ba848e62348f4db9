"""Bits of lanes that can be replayed: each lane has a fixed string of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import lru_cache, partial
from struct import Struct
from typing import Any
from unittest.mock import patch

import numpy as np

from opendp_lite.measurements.snapping import bulk_sampler as bulk_snapping
from opendp_lite.randomness import bulk, bulk_discrete, bulk_real, discrete, real
from opendp_lite.randomness import bulk_discrete as bulk_grid
from opendp_lite.randomness import bulk_draws as bulk_coins
from opendp_lite.randomness import draws as flips
from opendp_lite.randomness.bulk import Step, run_lanes_on
from opendp_lite.randomness.entropy import granularity, use_source
from opendp_lite.randomness.lanes import Array, LaneBits, Lanes
from opendp_lite.randomness.lazy import LazyUniform


@lru_cache(maxsize=2**13)
def _digits(data: str) -> str:
    """The bits of SHA-256; a string is read several times, by lanes and alone."""
    number = int.from_bytes(hashlib.sha256(data.encode()).digest(), "big")
    return format(number, "0256b")


class LaneString:
    """The string of one lane: SHA-256 in counter mode, behind a given beginning."""

    granularity = 64

    def __init__(self, seed: object, start: str = "") -> None:
        self.seed, self.text, self.position = seed, start, 0

    def bits(self, count: int) -> int:
        end = self.position + count
        block = 0
        while len(self.text) < end:
            self.text += _digits(f"{self.seed}:{block}:{len(self.text)}")
            block += 1
        part = self.text[self.position : end]
        self.position = end
        return int(part, 2) if part else 0


class ReplayedLanes(LaneBits):
    """Lanes that read given strings; it counts how often a lane goes on alone."""

    def __init__(self, strings: list[LaneString]) -> None:
        self.strings = strings
        self.alone = 0

    def integers(self, lanes: Lanes, bits: int) -> Array:
        kind = next(size for size in (8, 16, 32, 64) if bits <= size)
        values = [self.strings[lane].bits(bits) for lane in lanes]
        return np.array(values, dtype=f"uint{kind}")

    def words(self, lanes: Lanes) -> tuple[Array, Array, Array]:
        first, second = self.integers(lanes, 16), self.integers(lanes, 16)
        return first, second, self.integers(lanes, 64)

    def rows(self, lanes: list[int], layout: Struct) -> Iterator[tuple[Any, ...]]:
        size = layout.size
        words = [self.strings[lane].bits(8 * size) for lane in lanes]
        return iter([layout.unpack(word.to_bytes(size, "big")) for word in words])

    def lane(self, lane: int) -> AbstractContextManager[None]:
        self.alone += 1
        return use_source(self.strings[lane])


@contextmanager
def thresholds(few: int = 1, alone: int | None = None) -> Iterator[None]:
    """Draw arrays of `few` numbers or more by lanes, and all others one by one.

    Of a trial, fewer than `alone` lanes go on alone, where it is not None.
    """

    def many(count: int, _: int) -> bool:
        return count >= few and granularity() > 1

    with ExitStack() as stack:
        for module in (
            bulk_coins,
            bulk_discrete,
            bulk_grid,
            bulk_real,
            bulk_snapping,
            discrete,
            flips,
            real,
        ):
            stack.enter_context(patch.object(module, "is_bulk", many))
        stack.enter_context(patch.object(discrete, "is_short", lambda _: False))
        if alone is not None:
            for module in (bulk, bulk_discrete):
                stack.enter_context(patch.object(module, "FEW_LANES", alone))
            for name in ("_FEW_TESTS", "_FEW_AGAIN"):
                stack.enter_context(patch.object(bulk_real, name, alone))
        yield


def assert_lanes_equal_single_draws(
    array: Callable[[Callable[..., None]], Array],
    single: Callable[[int], Any],
    starts: list[str],
    same_length: bool = True,
) -> int:
    """Draw an array and its lanes one by one from the same strings; compare.

    Afterwards each lane has read as many bits as the single draw, or, where
    `same_length` is false, no more. This is done with lanes that go on together, with
    lanes that all go on alone where they may, and as it ships. Returns how often a lane
    went on alone that could not go on with others.
    """
    alone = []
    due: dict[int, tuple[Any, int]] = {}  # what is drawn alone, and its bits
    for most in (1, 10**9, None):
        lanes = ReplayedLanes([LaneString(i, text) for i, text in enumerate(starts)])
        run = partial(run_lanes_on, lanes)
        with thresholds(alone=most):
            drawn = array(run)
        assert len(drawn) == len(starts)
        for i, text in enumerate(starts):
            if i not in due:
                with use_source(string := LaneString(i, text)):
                    value = single(i)
                due[i] = value, string.position
            expected, length = due[i]
            assert drawn[i].item() == expected, (i, drawn[i], expected)
            read = lanes.strings[i].position
            assert read == length if same_length else read <= length, i
        alone.append(lanes.alone)
    return alone[0]


class DealtBits:
    """The source of a short list: one request for the beginnings of all its strings.

    Where `further` names entries, the next request is for 48 bits more of each of them.
    What is asked for later is of the string of the entry that `following` has reached.
    """

    granularity = 64

    def __init__(
        self, strings: list[LaneString], first: int, further: Iterable[int] = ()
    ) -> None:
        self.strings, self.current = strings, -1
        self.due = [(strings, first)]
        if rest := [strings[i] for i in further]:
            self.due.append((rest, 48))

    def bits(self, count: int) -> int:
        if not self.due:
            assert self.current >= 0, "no entry goes on alone"
            return self.strings[self.current].bits(count)
        strings, size = self.due.pop(0)
        # Each takes whole bytes; the bits behind its own are of no account.
        unused = -size % 8
        assert count == len(strings) * (size + unused)
        word = 0
        for string in strings:
            word = word << size | string.bits(size)
            word = word << unused | (1 << unused) - 1
        return word

    def following(
        self, function: Callable[..., Any], entries: Iterable[int] | None = None
    ) -> Callable[..., Any]:
        """The function, which is called for these entries; by default for all."""
        order = iter(range(len(self.strings)) if entries is None else entries)

        def followed(*arguments: Any) -> Any:
            self.current = next(order, -1)
            assert self.current >= 0, "no entry is left"
            return function(*arguments)

        return followed


def assert_dealt_equal_single_draws(
    together: Callable[[], Sequence[Any] | Array],
    single: Callable[[int], Any],
    starts: list[str],
    first: int = 16,
    most: int = 64,
) -> int:
    """Draw several numbers by a table, and each alone from the same strings; compare.

    All are dealt `first` bits; those that read more, all bits up to `most`; and what
    these do not decide goes on alone. Returns how many do.
    """
    due = []
    for i, text in enumerate(starts):
        with use_source(string := LaneString(i, text)):
            due.append((single(i), string.position))
    lengths = [length for _, length in due]
    further = [i for i, length in enumerate(lengths) if first < min(length, most)]
    alone = [i for i, length in enumerate(lengths) if length > most]
    strings = [LaneString(i, text) for i, text in enumerate(starts)]
    dealt = DealtBits(strings, first, further)
    follow = dealt.following(LazyUniform.locate, alone)
    with patch.object(LazyUniform, "locate", follow), use_source(dealt):
        drawn = together()
    assert list(drawn) == [value for value, _ in due]
    assert [string.position for string in strings] == lengths
    assert not dealt.due
    return len(alone)


def replayed(strings: list[LaneString]) -> Callable[..., None]:
    """`run_lanes` with these strings."""

    def run(count: int, step: Step) -> None:
        run_lanes_on(ReplayedLanes(strings), count, step)

    return run
