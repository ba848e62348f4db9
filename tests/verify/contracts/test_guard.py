"""The guard sees other sources of randomness and time, and leaves no trace itself."""

from __future__ import annotations

import cProfile
import datetime
import gc
import importlib
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from os import urandom
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from opendp_lite.randomness.entropy import bulk, random_bits, use_source
from opendp_lite.verify.contracts import guard as guard_module
from opendp_lite.verify.contracts.checks import HashedBits
from opendp_lite.verify.contracts.guard import Guard
from opendp_lite.verify.contracts.terms import ContractBroken, SourceUsed
from tests.rows import for_each

HELD = SimpleNamespace(urandom=os.urandom, now=datetime.datetime.now)


@pytest.fixture
def guard() -> Iterator[Guard]:
    with Guard() as made:
        yield made


def test_what_is_right_is_returned(guard: Guard) -> None:
    assert guard.call(divmod, 7, 2) == guard.watch(divmod, 7, 2) == (3, 1)
    with use_source(HashedBits(0)):
        guard.watch(random_bits, 64)
    for run in (guard.call, guard.watch):
        with pytest.raises(ZeroDivisionError):
            run(divmod, 7, 0)


@pytest.mark.parametrize(
    "source",
    [
        lambda: os.urandom(1),
        lambda: urandom(1),
        lambda: random.randrange(9),
        lambda: random.SystemRandom().random(),
        lambda: np.random.default_rng(),
        lambda: np.random.standard_normal(2),
        lambda: time.perf_counter(),
        lambda: random_bits(3),
    ],
)
def test_stand_ins_see_what_modules_hold(
    guard: Guard, source: Callable[[], object]
) -> None:
    with pytest.raises(ContractBroken, match=r"^sources: .* called "):
        guard.call(source)
    guard.call(len, "")  # what was found is not found again


def own_bulk() -> bytes:
    with bulk() as stream:
        return stream.bytes(5)


def own_generator() -> object:
    return np.random.RandomState(np.random.MT19937()).normal()


@pytest.mark.parametrize(
    "source",
    [
        lambda: HELD.urandom(1),
        lambda: HELD.now(),
        lambda: datetime.datetime.now(datetime.UTC),
        lambda: datetime.date.today(),
        lambda: random.Random(3).random(),
        lambda: random.Random(3).getrandbits(8),
        lambda: np.random.get_state() and np.random.mtrand._rand.random(),
        own_bulk,
        own_generator,
    ],
)
def test_the_profile_function_sees_the_rest(
    guard: Guard, source: Callable[[], object]
) -> None:
    with pytest.raises(ContractBroken, match=r"^sources: "):
        guard.watch(source)


def test_the_message_names_the_caller_and_the_source(guard: Guard) -> None:
    def culprit() -> None:
        time.time()
        HELD.urandom(4)
        time.time()

    words = (
        r"sources: \S*culprit called time.time, \S*culprit called posix.urandom, but"
    )
    with pytest.raises(ContractBroken, match=words if os.name == "posix" else "but"):
        guard.watch(culprit)


def test_a_function_that_catches_everything_is_found(guard: Guard) -> None:
    def careful() -> int:
        try:
            return os.urandom(1)[0]
        except BaseException:
            return 0

    for run in (guard.call, guard.watch):
        with pytest.raises(ContractBroken, match=r"careful called os.urandom"):
            run(careful)


def test_a_failure_is_reported_with_what_was_found(guard: Guard) -> None:
    def failing() -> None:
        os.urandom(1)
        raise ZeroDivisionError

    with pytest.raises(ContractBroken, match=r"os.urandom") as caught:
        guard.call(failing)
    assert isinstance(caught.value.__context__, ZeroDivisionError)


def test_names_alone_are_no_sources(guard: Guard) -> None:
    class Clock:
        def now(self) -> int:
            return 1

        time = today = random = urandom = now

    clock = Clock()
    guard.watch(lambda: (clock.now(), clock.time(), clock.random(), clock.urandom()))
    guard.watch(lambda: datetime.datetime(2020, 1, 1).time())


def test_nothing_is_left_behind() -> None:
    before = os.urandom, time.time, random.random, np.random.normal, sys.getprofile()
    names = [urandom, globals()["urandom"]]
    with Guard() as guard:
        assert os.urandom is not before[0]
        assert urandom is os.urandom
        guard.watch(len, "")
    with pytest.raises(KeyError), Guard() as guard:
        guard.watch({}.__getitem__, 1)  # type: ignore[arg-type]
    after = os.urandom, time.time, random.random, np.random.normal, sys.getprofile()
    assert after == before
    assert names == [urandom, globals()["urandom"]]
    assert type(os.urandom) is type(len)


def held() -> list[Any]:
    """What the modules hold under the names of some sources."""
    return [
        *(os.urandom, urandom, time.time, random.random, np.random.normal),
        *(sys.modules["posix"].urandom, sys.modules["secrets"].token_hex),
    ]


@for_each("inner_first", [True, False])
def test_guards_that_overlap_leave_nothing_behind(inner_first: bool) -> None:
    before = held()
    first, second = Guard(), Guard()
    first.__enter__()
    second.__enter__()
    one, other = (second, first) if inner_first else (first, second)
    one.__exit__(None, None, None)
    assert all(a is not b for a, b in zip(held(), before, strict=True))
    with pytest.raises(SourceUsed, match=r"called os\.urandom"):
        other.call(lambda: os.urandom(1))
    other.__exit__(None, None, None)
    assert held() == before


def test_guards_of_many_threads_leave_nothing_behind() -> None:
    before, found = held(), []
    barrier = threading.Barrier(8)

    def work(number: int) -> None:
        barrier.wait()
        for turn in range(20):
            try:
                with Guard() as guard:
                    guard.call(lambda: os.urandom(1) if number % 2 else b"")
            except SourceUsed as error:
                found.append((number, turn, error.sources))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert held() == before
    # Each tells of what its own thread does, always.
    assert sorted((n, t) for n, t, _ in found) == [
        (n, t) for n in (1, 3, 5, 7) for t in range(20)
    ]


def test_what_another_thread_does_is_not_counted() -> None:
    with Guard() as guard:
        begun, done = threading.Event(), threading.Event()

        def wait() -> None:
            begun.set()
            done.wait()

        def other() -> None:
            begun.wait()
            os.urandom(1)
            done.set()

        thread = threading.Thread(target=other)
        thread.start()
        guard.call(wait)
        thread.join()


def test_a_guard_within_a_guard_tells_both() -> None:
    def inner() -> None:
        with Guard() as second, pytest.raises(SourceUsed):
            second.watch(HELD.urandom, 1)

    with Guard() as guard, pytest.raises(SourceUsed, match=r"urandom"):
        guard.call(inner)


@for_each("error", [KeyboardInterrupt, SystemExit, ZeroDivisionError])
def test_errors_leave_nothing_behind(error: type[BaseException]) -> None:
    before = held()

    def function() -> None:
        raise error

    with pytest.raises(error), Guard() as guard:
        guard.watch(function)
    assert held() == before


FORKING = """
import os, threading
from opendp_lite.verify.contracts.guard import Guard

def work():
    while not over:
        with Guard():
            pass

over = []
thread = threading.Thread(target=work)
thread.start()
for _ in range(40):
    child = os.fork()
    if not child:
        with Guard() as guard:
            guard.call(len, "")
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
over.append(True)
thread.join()
"""


def test_a_child_waits_for_no_guard_of_a_thread_that_it_has_not() -> None:
    code = [sys.executable, "-W", "ignore", "-c", FORKING]
    subprocess.run(code, check=True, timeout=60)


def test_who_interrupts_is_heard_though_a_source_was_used(guard: Guard) -> None:
    def function() -> None:
        os.urandom(1)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        guard.call(function)
    guard.call(len, "")


@for_each("last", [True, False])
def test_an_interruption_while_stand_ins_are_put_leaves_nothing_behind(
    last: bool,
) -> None:
    """Of the modules that are gone through, one more is changed each time."""
    before, put = held(), guard_module._put
    for count in range(12):
        changes = iter(range(count + 1))

        def interrupted(
            names: dict[str, Any],
            others: dict[int, Any],
            changes: Iterator[int] = changes,
            count: int = count,
        ) -> bool:
            changed = put(names, others)
            if changed and next(changes, None) == count:
                raise KeyboardInterrupt
            return changed

        with pytest.MonkeyPatch.context() as patch:
            if not last:
                patch.setattr(guard_module, "_put", interrupted)
            with pytest.raises(KeyboardInterrupt), Guard():
                patch.setattr(guard_module, "_put", interrupted)
                if not last:
                    raise KeyboardInterrupt
        assert held() == before


def test_no_stand_in_stays_in_a_module_that_is_imported_meanwhile(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "meanwhile.py").write_text("from os import urandom\n")
    monkeypatch.syspath_prepend(tmp_path)
    with Guard() as guard:
        module = guard.call(importlib.import_module, "meanwhile")
        assert module.urandom is os.urandom
    assert module.urandom is os.urandom
    with Guard() as guard, pytest.raises(ContractBroken):
        guard.call(lambda: module.urandom(1))


def test_no_stand_in_stays_in_a_module_that_took_it_meanwhile() -> None:
    """One that held no source before, and that binds a name anew."""
    module = ModuleType("taker")
    sys.modules[module.__name__] = module
    try:
        with Guard():
            vars(module)["urandom"] = os.urandom
        assert module.urandom is os.urandom
        assert type(module.urandom) is type(len)
        with Guard():
            vars(module)["urandom"] = len
        assert module.urandom is len
    finally:
        del sys.modules[module.__name__]


def test_all_modules_are_gone_through_once_if_no_stand_in_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = []
    swap = vars(guard_module)["_swap"]

    def counted(others: dict[int, Any]) -> Any:
        calls.append(len(others))  # not the stand-ins: that would be to take them
        return swap(others)

    monkeypatch.setattr(guard_module, "_swap", counted)
    with Guard() as guard:
        guard.call(time.sleep, 0)
    assert len(calls) == 1


def test_a_profile_function_is_put_back(guard: Guard) -> None:
    def other(frame: Any, event: str, arg: Any) -> None:
        pass

    before = sys.getprofile()
    sys.setprofile(other)
    try:
        guard.watch(len, "")
        assert sys.getprofile() is other
        with pytest.raises(ContractBroken):
            guard.watch(lambda: HELD.urandom(1))
        assert sys.getprofile() is other
    finally:
        sys.setprofile(before)


def test_a_profiler_in_c_is_left_alone(guard: Guard) -> None:
    profiler = cProfile.Profile()
    profiler.enable()
    try:
        guard.watch(len, "ab")
        with pytest.raises(ContractBroken, match=r"os.urandom"):
            guard.watch(lambda: os.urandom(1))
        len("abc")
    finally:
        profiler.disable()
    counts = {str(row.code): row.callcount for row in profiler.getstats()}
    assert counts["<built-in method builtins.len>"] >= 1


def test_the_clock_of_others_is_not_counted(guard: Guard) -> None:
    """Of an import, of the garbage collector's watchers, and of other threads."""

    def clock(phase: str, info: dict[str, int]) -> None:
        time.perf_counter()

    def threaded() -> None:
        thread = threading.Thread(target=time.time)
        thread.start()
        thread.join()

    gc.callbacks.append(clock)
    try:
        guard.watch(gc.collect)
    finally:
        gc.callbacks.remove(clock)
    guard.call(threaded)


def test_the_clock_of_an_import_is_not_counted(
    guard: Guard, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "late_module.py").write_text("import time\nNOW = time.time()\n")
    monkeypatch.syspath_prepend(tmp_path)
    guard.watch(importlib.import_module, "late_module")
    with pytest.raises(ContractBroken, match=r"time\.time"):
        guard.watch(lambda: (sys.modules["late_module"], time.time()))


def test_a_seeded_generator_is_not_seen(guard: Guard) -> None:
    """It shows as state, if it shows."""
    generator = np.random.Generator(np.random.PCG64(1))
    assert guard.watch(generator.random) != guard.watch(generator.random)
