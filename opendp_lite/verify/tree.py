"""The bit tree: the exact law of a function of random bits, by running it.

A function is run under a scripted bit source. Where the script ends, the run takes
the bit 0 and the path with the bit 1 is put aside, so every run ends at a leaf and
there are as many runs as leaves. A run that used n bits adds exactly 2^-n to the mass
of its outcome. Paths that would need more than `depth` bits, and those that a budget
leaves unvisited, are the *unresolved mass*. What is said about the law is true
whatever the unresolved paths would have given, if nothing else than the random bits of
the library decides what the function returns. `Tree.sources` names what else was found
to decide; then nothing is said, and all mass is unresolved.
"""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import attrs
from gmpy2 import mpq

from opendp_lite.base.progress import Progress
from opendp_lite.core.record import foreign_functions
from opendp_lite.data.identity import visible
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rounding import shown_above
from opendp_lite.randomness.entropy import use_source
from opendp_lite.verify.contracts.guard import Generators, Guard
from opendp_lite.verify.contracts.terms import SourceUsed

Path = tuple[int, int]
"""A path from the root: its bits as an integer, first bit highest, and their number."""

_ROOT: Path = (0, 0)
_PATIENCE = 1.0  # seconds before a line of progress appears
_PREFIXES_PER_WORKER = 16
_WATCHED = 16  # runs that are made under a profile function: they take four times long
_DIFFERS = "it did something else when a path was run again"


@attrs.frozen(repr=False)
class Tree:
    """What an enumeration found: a law with exact masses, except for `unresolved`.

    `masses` maps the key of an outcome (`core.identity.visible`: all that can be seen
    of it) to the probability of the paths that gave it, and `outcomes` maps the same
    key to one value. The true probability of an outcome is at least its mass, and at
    most its mass plus `unresolved`. `paths` is the number of runs.

    Why mass is unresolved: `refused` is that of paths which asked for more than `depth`
    bits (for up to `asked` at once, and up to `needed` in all); the rest was left over
    by a budget, on `waiting` paths.

    `sources` says in words what the function used besides its random bits. If there is
    any, no outcome has a mass, and all mass is unresolved.
    """

    masses: dict[Hashable, mpq]
    outcomes: dict[Hashable, Any] = attrs.field(eq=False)
    unresolved: mpq
    paths: int
    depth: int = 0
    refused: mpq = attrs.field(factory=mpq)
    asked: int = 0
    needed: int = 0
    waiting: int = 0
    sources: tuple[str, ...] = ()

    def mass(self, outcome: Any) -> mpq:
        """Return the mass that was found for an outcome; 0 if it was not seen."""
        return self.masses.get(visible(outcome), mpq(0))

    def __repr__(self) -> str:
        if self.sources:
            return f"Tree(nothing is known: {', '.join(self.sources)})"
        return (
            f"Tree({len(self.masses)} outcomes on {self.paths} paths, "
            f"unresolved <= {shown_above(self.unresolved, 3)})"
        )


def enumerate_tree(
    function: Callable[[], Any],
    depth: int,
    *,
    runs: int | None = None,
    seconds: float | None = None,
    workers: int = 1,
    progress: bool | None = None,
) -> Tree:
    """Return the law of `function()` over its random bits.

    Within the budgets the paths with the greatest mass come first, and what is left
    over is unresolved mass. With several workers the function must be picklable, and
    `runs` is kept up to one run a worker. A bar is shown by default when the run is
    long, standard error is a terminal and `rich` is there.

    An exception of the function is passed on, with its bit path in a note. What the
    function returns must be of a type that `core.identity.visible` knows.

    Every run is guarded. Where the function asks for other random bits or for the time,
    or draws from a generator of `random` or numpy that was made elsewhere,
    `Tree.sources` says so. A function that is not the library's own, or that is made of
    one that is not, is run twice on each path, and must do the same. The guard does not
    see everything. It misses a source that the function holds itself, such as a default
    argument `f=os.urandom`, if none of the first 16 runs uses it; what other threads,
    other processes and files give; state that the function keeps, unless it shows when
    a path is run again at once; and the order of a set, which is the same in all runs
    of one process.

    :param function: reads random bits from the library and from nowhere else
    :param depth: how many bits a path may have
    :param runs: a budget: the greatest number of runs
    :param seconds: a budget: the longest time
    :param workers: how many processes share the paths
    :param progress: whether to show a bar; by default where somebody may look at it

    >>> from opendp_lite.randomness.draws import sample_uniform_below
    >>> tree = enumerate_tree(lambda: sample_uniform_below(3), depth=4)
    >>> tree.masses[visible(0)], tree.mass(1), tree.unresolved
    (mpq(5,16), mpq(1,4), mpq(1,8))
    """
    if depth < 0:
        raise ValueError(f"depth={depth}: must not be negative")
    if workers < 1:
        raise ValueError(f"workers={workers}: must be at least 1")
    search = _Search(function, depth, [_ROOT])
    end = None if seconds is None else time.monotonic() + seconds
    with Progress(progress, _PATIENCE) as bar:
        if workers == 1:
            search.run(runs, end, bar)
        else:
            _share_out(search, workers, runs, end, bar)
    return search.result()


class _OutOfBits(BaseException):
    """The script is used up. Not an Exception: no `except Exception` may catch it."""


class _Script:
    """A bit source that replays a path, and then takes zeros."""

    __slots__ = ("depth", "length", "path", "refused", "used")
    granularity = 1

    def __init__(self, path: Path, depth: int) -> None:
        self.path, self.length = path
        self.depth = depth
        self.used = 0
        self.refused = 0

    def bits(self, count: int) -> int:
        # A request that does not fit is refused as a whole, before any bit of it is
        # taken: all paths through this node are unresolved.
        used = self.used + count
        if used > self.depth:
            self.refused = self.refused or count
            raise _OutOfBits
        self.used = used
        rest = self.length - used
        taken = self.path >> rest if rest >= 0 else self.path << -rest
        return taken & ((1 << count) - 1)

    def __str__(self) -> str:
        length = max(self.used, self.length)
        bits = self.path << length - self.length
        return f"{bits:0{length}b}" if length else "of no bits"


class _Search:
    """The state of an enumeration: what was found, and the paths put aside."""

    def __init__(
        self, function: Callable[[], Any], depth: int, paths: Iterable[Path]
    ) -> None:
        self.function = function
        self.depth = depth
        # Masses are counted in units of 2^-depth: no path is longer.
        self.masses: dict[Hashable, int] = {}
        self.outcomes: dict[Hashable, Any] = {}
        self.refused = 0
        self.asked = self.needed = 0
        # What budgets left over elsewhere: mass, and paths.
        self.left, self.left_paths = mpq(0), 0
        self.paths = 0
        # One stack for each length: the shortest path has the greatest mass.
        self.pending: list[list[Path]] = [[] for _ in range(depth + 1)]
        self.waiting = 0
        self.sources: list[str] = []
        self.foreign = any(foreign_functions(function))
        self.shortest = 0
        for path in paths:
            self.pending[path[1]].append(path)
            self.waiting += 1

    def run(
        self, runs: int | None, end: float | None, bar: Progress, enough: int = 0
    ) -> None:
        """Follow paths until none, or the budget, or `enough` waiting are left.

        There is no more to learn once it is known that something else than random bits
        decides. The bar, which reads the clock and may draw, is no run of the function.
        """
        generators = Generators(self.foreign)
        with Guard() as guard:
            try:
                while self.waiting and not (enough and self.waiting >= enough):
                    if runs is not None and self.paths >= runs:
                        break
                    if end is not None and time.monotonic() >= end:
                        break
                    self._follow(self._take(), guard)
                    if bar.is_due():
                        generators.apart(self.tell, bar)
            except SourceUsed as error:
                self.sources += error.sources
        drawn = generators.changed()
        # That a path differs follows from what was drawn, and shows by chance only.
        if drawn and self.sources == [_DIFFERS]:
            self.sources = []
        self.sources += drawn

    def tell(self, bar: Progress) -> None:
        """Show how many of the paths that are known were followed."""
        bar.step(self.paths, self.paths + self.waiting, "known paths of the bit tree")

    def left_over(self) -> list[Path]:
        """Return the paths that wait, greatest mass first."""
        return [path for stack in self.pending for path in stack]

    def absorb(self, other: Tree) -> None:
        """Add what was found below other paths."""
        for outcome, mass in other.masses.items():
            self._add(outcome, other.outcomes[outcome], self._units(mass))
        self.refused += self._units(other.refused)
        self.asked = max(self.asked, other.asked)
        self.needed = max(self.needed, other.needed)
        self.left += other.unresolved - other.refused
        self.left_paths += other.waiting
        self.paths += other.paths
        self.sources += other.sources

    def result(self) -> Tree:
        """Return what was found; the paths that wait are unresolved."""
        if self.sources:
            sources = tuple(dict.fromkeys(self.sources))
            return Tree({}, {}, mpq(1), self.paths, self.depth, sources=sources)
        left = sum((power_of_two(-n) for _, n in self.left_over()), self.left)
        unit = power_of_two(-self.depth)
        refused = self.refused * unit
        return Tree(
            masses={outcome: units * unit for outcome, units in self.masses.items()},
            outcomes=self.outcomes,
            unresolved=refused + left,
            paths=self.paths,
            depth=self.depth,
            refused=refused,
            asked=self.asked,
            needed=self.needed,
            waiting=self.waiting + self.left_paths,
        )

    def _take(self) -> Path:
        while not self.pending[self.shortest]:
            self.shortest += 1
        self.waiting -= 1
        return self.pending[self.shortest].pop()

    def _follow(self, path: Path, guard: Guard) -> None:
        watched = self.paths < _WATCHED
        self.paths += 1
        script, value = self._run(path, guard.watch if watched else guard.call)
        used = script.used
        # A function that caught the refusal returned what no bits would have given.
        outcome = None if script.refused else visible(value)
        if self.foreign:
            again, value2 = self._run(path, guard.call)
            same = (used, script.refused) == (again.used, again.refused)
            if not same or (outcome is not None and visible(value2) != outcome):
                raise SourceUsed([_DIFFERS])
        if used < path[1]:
            raise SourceUsed([_DIFFERS])
        if outcome is None:
            self.refused += 1 << (self.depth - used)
            self.asked = max(self.asked, script.refused)
            self.needed = max(self.needed, used + script.refused)
        else:
            self._add(outcome, value, 1 << (self.depth - used))
        if used > path[1]:
            self._put_aside(path, used)

    def _run(self, path: Path, guarded: Callable[..., Any]) -> tuple[_Script, Any]:
        """Return the script of a run, as far as it was read, and what was returned."""
        script, value = _Script(path, self.depth), None
        try:
            # A lease for each run: what outlives one, a callback, say, gets no bits.
            with use_source(script):
                value = guarded(self.function)
        except _OutOfBits:
            pass
        except Exception as error:
            if not isinstance(error, SourceUsed):
                error.add_note(f"on the bit path {script}")
            raise
        return script, value

    def _put_aside(self, path: Path, used: int) -> None:
        """Keep the siblings of the zeros that a run took after its path."""
        bits, length = path
        for longer in range(length + 1, used + 1):
            bits <<= 1
            self.pending[longer].append((bits | 1, longer))
        self.waiting += used - length

    def _add(self, outcome: Hashable, value: object, units: int) -> None:
        before = self.masses.get(outcome)
        if before is None:
            self.masses[outcome] = units
            self.outcomes[outcome] = value
        else:
            self.masses[outcome] = before + units

    def _units(self, mass: mpq) -> int:
        """Return a mass that was found within the same depth, in units of 2^-depth."""
        units = mass * power_of_two(self.depth)
        assert units.denominator == 1
        return int(units)


def _explore(
    function: Callable[[], Any],
    depth: int,
    paths: list[Path],
    runs: int | None,
    seconds: float | None,
) -> Tree:
    """What a worker does: enumerate below some paths."""
    end = None if seconds is None else time.monotonic() + seconds
    search = _Search(function, depth, paths)
    search.run(runs, end, Progress(False))
    return search.result()


def _share_out(
    search: _Search,
    workers: int,
    runs: int | None,
    end: float | None,
    bar: Progress,
) -> None:
    """Grow the tree until there is work for all, then hand it to processes."""
    from concurrent.futures import ProcessPoolExecutor, as_completed

    try:
        pickle.dumps(search.function)
    except Exception as error:
        raise TypeError(
            f"workers={workers}: the function cannot be sent to another process. "
            "Pass one that pickles, such as a function of a module, or workers=1."
        ) from error
    search.run(runs, end, bar, enough=workers * _PREFIXES_PER_WORKER)
    paths = search.left_over()
    if not paths or search.sources or (runs is not None and search.paths >= runs):
        return
    hands = [paths[i::workers] for i in range(workers) if paths[i::workers]]
    quota = None if runs is None else -(-(runs - search.paths) // len(hands))
    search.pending = [[] for _ in search.pending]
    search.waiting = 0
    with ProcessPoolExecutor(workers, mp_context=_process_context()) as pool:
        rest = None if end is None else max(0.0, end - time.monotonic())
        jobs = [
            pool.submit(_explore, search.function, search.depth, hand, quota, rest)
            for hand in hands
        ]
        for job in as_completed(jobs):
            search.absorb(job.result())
            search.tell(bar)


def _process_context() -> Any:
    """Fork where this process has one thread (a fork copies no other), else spawn."""
    import multiprocessing
    import os

    tasks = "/proc/self/task"
    alone = sys.platform == "linux" and len(os.listdir(tasks)) == 1
    return multiprocessing.get_context("fork" if alone else "spawn")
