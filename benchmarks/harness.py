"""Rows, contenders, goals, and how a row is measured.

A row is one piece of work. Its contenders do that work in turns: round by round, each
runs one batch of calls, and the round after begins with the next contender. So a busy
machine slows all of them alike, and the ratios of their medians hold where the times
themselves drift.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import repeat
from statistics import median
from time import perf_counter
from typing import Any, TypeAlias

from attrs import field, frozen

__all__ = [
    "OURS",
    "Absent",
    "Call",
    "Contender",
    "Goal",
    "Margin",
    "Measured",
    "Outcome",
    "Row",
    "Settings",
    "Verdict",
    "measure",
    "select",
    "turns",
]

OURS = "opendp_lite"

Call: TypeAlias = Callable[[], Any]
Clock: TypeAlias = Callable[[], float]


class Absent(Exception):
    """Raised where a contender is built whose library is not installed."""


@frozen
class Contender:
    """One way to do the work of a row.

    `build` prepares everything that a user prepares once, and returns the call that is
    timed. One call handles `units` entries; times are given for one of them. If
    `self_timed`, the call returns the seconds that count (an import inside a fresh
    interpreter, without the start of the interpreter).
    """

    name: str
    build: Callable[[], Call]
    units: int = 1
    note: str = ""
    self_timed: bool = False


@frozen
class Verdict:
    """What came of a goal.

    `value` is the ratio, or the margin in seconds, that was measured. `met` is None
    where no peer is there to compare with; where ours has no time it is False.
    """

    goal: str
    against: tuple[str, ...]
    value: float | None
    met: bool | None


@frozen
class Goal:
    """Ours is to be at least `times` as fast as the fastest of `against`."""

    against: tuple[str, ...]
    times: float

    @property
    def text(self) -> str:
        """The goal in words."""
        names = " and ".join(self.against)
        if self.times == 1:
            return f"no slower than {names}"
        return f">= {self.times:.3g}x {names}"

    def judge(self, seconds: Mapping[str, float]) -> Verdict:
        """Compare the medians, in seconds by the names of the contenders."""
        present = [seconds[name] for name in self.against if name in seconds]
        if OURS not in seconds:
            return Verdict(self.text, self.against, None, met=False)
        if not present:
            return Verdict(self.text, self.against, None, met=None)
        ratio = min(present) / seconds[OURS]
        return Verdict(self.text, self.against, ratio, met=ratio >= self.times)


@frozen
class Margin:
    """Ours is to take at most `seconds` longer than `against`."""

    against: tuple[str]
    seconds: float

    @property
    def text(self) -> str:
        """The goal in words."""
        return f"<= {self.seconds * 1e3:.3g} ms above {self.against[0]}"

    def judge(self, seconds: Mapping[str, float]) -> Verdict:
        """Compare the medians, in seconds by the names of the contenders."""
        if OURS not in seconds:
            return Verdict(self.text, self.against, None, met=False)
        if self.against[0] not in seconds:
            return Verdict(self.text, self.against, None, met=None)
        above = seconds[OURS] - seconds[self.against[0]]
        return Verdict(self.text, self.against, above, met=above <= self.seconds)


@frozen
class Row:
    """One piece of work, its contenders (ours first) and its goals.

    `measure` is what calls are measured in: seconds, or what else the calls return.
    """

    key: str
    title: str
    unit: str
    contenders: tuple[Contender, ...]
    goals: tuple[Goal | Margin, ...] = ()
    note: str = ""
    measure: str = "s"

    def __attrs_post_init__(self) -> None:
        names = [contender.name for contender in self.contenders]
        if names[:1] != [OURS] or len(set(names)) < len(names):
            raise ValueError(f"{self.key}: ours is first, and names differ: {names}")
        unknown = {name for goal in self.goals for name in goal.against} - set(names)
        if unknown:
            raise ValueError(f"{self.key}: goals name no contender: {unknown}")


@frozen
class Measured:
    """A contender of a row with its times for one unit, round by round.

    `status` is "measured", "absent" or "failed"; `reason` says why there are no times.
    """

    contender: Contender
    status: str
    times: tuple[float, ...] = ()
    reason: str = ""

    @property
    def seconds(self) -> float | None:
        """The median time of one unit."""
        return median(self.times) if self.times else None


@frozen
class Outcome:
    """A row with what was measured."""

    row: Row
    measured: tuple[Measured, ...]
    verdicts: tuple[Verdict, ...] = field()

    @verdicts.default
    def _judge(self) -> tuple[Verdict, ...]:
        return tuple(goal.judge(self.seconds) for goal in self.row.goals)

    @property
    def seconds(self) -> dict[str, float]:
        """Median seconds of one unit, for the contenders that have any."""
        return {
            item.contender.name: item.seconds
            for item in self.measured
            if item.seconds is not None
        }

    def ratio(self, name: str) -> float | None:
        """How many times longer the contender takes than ours."""
        seconds = self.seconds
        if name not in seconds or OURS not in seconds:
            return None
        return seconds[name] / seconds[OURS]


@frozen
class Settings:
    """How long to measure: `rounds` batches of about `batch` seconds each."""

    rounds: int = 9
    batch: float = 0.05


def turns(count: int, rounds: int) -> list[list[int]]:
    """The order in which `count` contenders run in each round, shifted by one."""
    return [[(first + i) % count for i in range(count)] for first in range(rounds)]


def seconds_of_batch(call: Call, repeats: int, self_timed: bool, clock: Clock) -> float:
    """The mean seconds of one call, over `repeats` calls in a row."""
    if self_timed:
        return sum(float(call()) for _ in range(repeats)) / repeats
    start = clock()
    for _ in repeat(None, repeats):
        call()
    return (clock() - start) / repeats


def repeats_for(call: Call, batch: float, self_timed: bool, clock: Clock) -> int:
    """How many calls fill a batch; the first call, which loads and caches, is free."""
    call()
    repeats = 1
    while True:
        taken = repeats * seconds_of_batch(call, repeats, self_timed, clock)
        if taken >= batch / 4:
            return max(1, round(repeats * batch / taken))
        repeats *= 2


def measure(row: Row, settings: Settings, clock: Clock = perf_counter) -> Outcome:
    """Build the contenders of a row and time those that can be, in turns."""
    missing: dict[str, Measured] = {}
    ready: list[tuple[Contender, Call, int]] = []
    for contender in row.contenders:
        try:
            call = contender.build()
            count = repeats_for(call, settings.batch, contender.self_timed, clock)
        except Absent as absent:
            missing[contender.name] = Measured(contender, "absent", (), str(absent))
        except Exception as error:
            # The name only: a message may hold paths of the machine.
            reason = type(error).__name__
            missing[contender.name] = Measured(contender, "failed", (), reason)
        else:
            ready.append((contender, call, count))
    times: dict[str, list[float]] = {contender.name: [] for contender, _, _ in ready}
    # No collection of garbage falls into the batch of one contender by chance.
    gc.collect()
    gc.disable()
    try:
        for order in turns(len(ready), settings.rounds):
            for i in order:
                contender, call, count = ready[i]
                taken = seconds_of_batch(call, count, contender.self_timed, clock)
                times[contender.name].append(taken / contender.units)
    finally:
        gc.enable()
    return Outcome(
        row,
        tuple(
            missing.get(contender.name)
            or Measured(contender, "measured", tuple(times[contender.name]))
            for contender in row.contenders
        ),
    )


def select(rows: Iterable[Row], patterns: Sequence[str]) -> list[Row]:
    """The rows whose key fits one of the patterns; all of them without patterns.

    A pattern is a key with `*` and `?`, or the beginning of keys: "scalar" stands for
    "scalar*". One that fits no row is an error.
    """
    rows = list(rows)

    def fits(row: Row, pattern: str) -> bool:
        return fnmatchcase(row.key, pattern) or row.key.startswith(pattern)

    for pattern in patterns:
        if not any(fits(row, pattern) for row in rows):
            raise ValueError(f"no row is named {pattern!r}; see --list")
    if not patterns:
        return rows
    return [row for row in rows if any(fits(row, pattern) for pattern in patterns)]
