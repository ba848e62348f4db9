"""An installed source serves the block that installed it, and nobody else.

Each test lets a context, in which the source is installed, out of its block in one
of the ways that Python has, and sees that no bit is served there.
"""

from __future__ import annotations

import asyncio
import contextvars
import gc
import inspect
import os
import threading
import warnings
import weakref
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from struct import Struct
from typing import Any
from unittest import IsolatedAsyncioTestCase

import pytest

import opendp_lite.prelude as dp
from opendp_lite.randomness import entropy
from opendp_lite.randomness.entropy import (
    bulk,
    granularity,
    random_bits,
    random_parts,
    random_rows,
    use_source,
)
from tests.randomness.tree import Script
from tests.rows import for_each

Draw = Callable[[], object]


def release() -> object:
    laplace = dp.m.make_laplace(
        dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=2
    )
    return laplace(0)


def words() -> object:
    with bulk() as stream:
        return stream.words(4, "uint64")


def stream_bytes() -> object:
    with bulk() as stream:
        return stream.bytes(32)


DRAWS: dict[str, Draw] = {
    "bits": lambda: random_bits(256),
    "no bits": lambda: random_bits(0),
    "granularity": granularity,
    "parts": lambda: random_parts(Struct(">HQ")),
    "rows": lambda: random_rows(Struct(">HQ"), 3),
    "bytes": stream_bytes,
    "words": words,
    "release": release,
}


def zeros() -> Script:
    return Script(0, 100_000)


def refused(draw: Draw) -> bool:
    """Whether a draw is refused in the one sentence there is for it."""
    try:
        draw()
    except RuntimeError as error:
        return str(error).startswith("no bits are served here: the `with use_source")
    return False


def all_refused() -> bool:
    return all(refused(draw) for draw in DRAWS.values())


def is_random() -> bool:
    return granularity() == 64 and random_bits(256) != random_bits(256)


def is_scripted() -> bool:
    return granularity() == 1 and random_bits(256) == 0


@pytest.fixture(autouse=True)
def _real_bits_before_and_after() -> Iterator[None]:
    assert is_random()
    yield
    assert is_random()
    assert not entropy._open


@for_each("draw", DRAWS.values(), ids=DRAWS)
def test_every_draw_in_a_context_copied_out_of_the_block_is_refused(draw: Draw) -> None:
    with use_source(zeros()):
        inside = contextvars.copy_context()
        assert inside.run(is_scripted)  # the block is what calls it
    assert inside.run(refused, draw)


def test_a_task_made_in_the_block_is_refused_after_it() -> None:
    async def task() -> bool:
        return all_refused()

    async def main() -> bool:
        with use_source(zeros()):
            made = asyncio.create_task(task())
            assert is_scripted()
        assert is_random()
        return await made

    assert asyncio.run(main())


def test_a_task_is_refused_while_the_block_waits_for_it() -> None:
    async def task() -> bool:
        return all_refused()

    async def inner() -> bool:
        with use_source(zeros()):
            found = await asyncio.create_task(task())
            assert is_scripted()  # the block runs again
        return found

    async def main() -> bool:
        found = await inner()
        return found and is_random()

    assert asyncio.run(main())


def test_a_coroutine_that_is_awaited_is_part_of_the_block() -> None:
    async def part() -> bool:
        await asyncio.sleep(0)
        return is_scripted()

    async def main() -> bool:
        with use_source(zeros()):
            return await part()

    assert asyncio.run(main())


def test_another_thread_is_refused_with_a_copy_of_the_context() -> None:
    async def main() -> bool:
        with use_source(zeros()):
            return await asyncio.to_thread(all_refused)

    assert asyncio.run(main())
    found: list[bool] = []
    with use_source(zeros()):
        inside = contextvars.copy_context()
        thread = threading.Thread(
            target=lambda: found.append(inside.run(all_refused))  # while it runs
        )
        thread.start()
        thread.join()
        assert is_scripted()
    assert found == [True]


def test_a_thread_may_open_a_block_of_its_own_there() -> None:
    def own() -> bool:
        with use_source(zeros()):
            scripted = is_scripted()
        return scripted and all_refused()

    async def main() -> bool:
        with use_source(Script(1, 1)):
            return await asyncio.to_thread(own)

    assert asyncio.run(main())


@pytest.mark.parametrize("delay", [0, 0.01])
def test_callbacks_of_the_loop_are_refused(delay: float) -> None:
    async def main() -> list[bool]:
        loop = asyncio.get_running_loop()
        found: list[bool] = []
        done = asyncio.Event()

        def callback(last: bool) -> None:
            found.append(all_refused())
            if last:
                done.set()

        with use_source(zeros()):
            loop.call_soon(callback, False)
            await asyncio.sleep(0)
            loop.call_later(delay, callback, True)
        await done.wait()
        return found

    assert asyncio.run(main()) == [True, True]


def suspended() -> Generator[bool, None, None]:
    with use_source(zeros()):
        while True:
            yield is_scripted()


def test_a_suspended_generator_serves_nobody() -> None:
    steps = suspended()
    for _ in range(2):
        assert next(steps)
        assert all_refused()
    with use_source(Script(1, 1)):
        assert random_bits(1) == 1  # a block of one's own serves
    assert all_refused()
    steps.close()
    assert is_random()


def test_a_suspended_asynchronous_generator_serves_nobody() -> None:
    async def steps() -> AsyncIterator[bool]:
        with use_source(zeros()):
            await asyncio.sleep(0)
            yield is_scripted()

    async def main() -> bool:
        found = False
        async for scripted in steps():
            found = scripted and all_refused()
        return found and is_random()

    assert asyncio.run(main())


def test_a_context_manager_made_of_a_generator_serves_nobody() -> None:
    @contextmanager
    def installed() -> Iterator[None]:
        with use_source(zeros()):
            yield

    with installed():
        assert all_refused()


def test_an_exit_stack_serves_the_function_and_not_the_suspended_generator() -> None:
    with ExitStack() as stack:
        stack.enter_context(use_source(zeros()))
        assert is_scripted()

    def steps() -> Generator[bool, None, None]:
        with ExitStack() as stack:
            stack.enter_context(use_source(zeros()))
            yield is_scripted()

    for scripted in steps():
        assert scripted
        assert all_refused()

    async def task() -> bool:
        return all_refused()

    async def main() -> bool:
        async with AsyncExitStack() as stack:
            stack.enter_context(use_source(zeros()))
            found = await asyncio.create_task(task())
            return found and is_scripted()

    assert asyncio.run(main())


class Installed:
    """A class that enters the block on behalf of the one that enters it."""

    def __enter__(self) -> None:
        self.lease = use_source(zeros())
        self.lease.__enter__()

    def __exit__(self, *_: object) -> None:
        self.lease.__exit__(None, None, None)


def test_a_class_that_enters_a_block_serves_no_suspended_generator() -> None:
    with Installed():
        assert is_scripted()

    def steps() -> Generator[bool, None, None]:
        with Installed():
            yield is_scripted()

    for scripted in steps():
        assert scripted
        assert all_refused()

    async def task() -> bool:
        return all_refused()

    async def main() -> bool:
        with Installed():
            found = await asyncio.create_task(task())
            return found and is_scripted()

    assert asyncio.run(main())


def test_a_context_of_a_test_case_serves_no_task() -> None:
    async def task() -> bool:
        return all_refused()

    found: list[bool] = []

    class Case(IsolatedAsyncioTestCase):
        async def runTest(self) -> None:
            self.enterContext(use_source(zeros()))
            found.append(is_scripted())
            found.append(await asyncio.create_task(task()))

    assert not Case().run().errors  # type: ignore[union-attr]
    assert found == [True, True]


def test_a_generator_that_runs_in_another_thread_serves_nobody_here() -> None:
    running, done = threading.Event(), threading.Event()

    def steps() -> Generator[bool, None, None]:
        with use_source(zeros()):
            yield is_scripted()
            running.set()
            yield done.wait(timeout=60)

    generator = steps()
    assert next(generator)
    thread = threading.Thread(target=next, args=(generator,))
    thread.start()
    assert running.wait(timeout=60)
    found = all_refused()  # it has a caller, which is not this one
    done.set()
    thread.join()
    generator.close()
    assert found


def test_a_generator_closed_in_another_context_leaves_a_void_lease() -> None:
    here = contextvars.copy_context()
    steps = suspended()
    assert here.run(next, steps)
    contextvars.copy_context().run(steps.close)
    assert here.run(all_refused)
    assert is_random()


def test_a_generator_finalised_in_another_thread_leaves_a_void_lease() -> None:
    here = contextvars.copy_context()
    held = [suspended()]
    assert here.run(next, held[0])

    def drop() -> None:
        held.clear()
        gc.collect()

    thread = threading.Thread(target=drop)
    thread.start()
    thread.join()
    assert here.run(all_refused)
    assert not entropy._open


def test_a_generator_resumed_in_another_thread_is_refused_there() -> None:
    def steps() -> Generator[bool, None, None]:
        with use_source(zeros()):
            yield is_scripted()
            yield all_refused()

    here = contextvars.copy_context()
    generator = steps()
    assert here.run(next, generator)
    found: list[bool] = []
    inside = here.run(contextvars.copy_context)
    thread = threading.Thread(target=lambda: found.append(inside.run(next, generator)))
    thread.start()
    thread.join()
    assert found == [True]
    here.run(generator.close)


def test_blocks_of_generators_may_end_in_any_order() -> None:
    first, second, third = suspended(), suspended(), suspended()
    for steps in (first, second, third):
        assert next(steps)
    second.close()
    assert all_refused()
    assert next(third)
    first.close()
    assert all_refused()
    assert next(third)
    third.close()
    assert is_random()


def test_a_generator_is_not_served_from_the_block_of_another() -> None:
    def steps() -> Generator[bool, None, None]:
        with use_source(zeros()):
            yield is_scripted()
            yield all_refused()

    first, second = steps(), steps()
    assert next(first)
    assert next(second)
    assert next(first)  # which finds the source of the other in its context
    second.close()
    first.close()


def test_a_block_that_ends_below_another_does_not_stop_it() -> None:
    steps = suspended()
    assert next(steps)
    with use_source(zeros()):
        steps.close()
        assert is_scripted()
    assert is_random()


def in_child(act: Callable[[], bytes]) -> bytes:
    """What a forked child computes; the parent goes on after it has ended."""
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        # Python warns where the test runner has threads; the child only draws.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        status = 1
        try:
            os.write(writer, act())
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        received = pipe.read()
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    return received


def test_a_child_forked_in_the_block_is_refused_and_may_open_its_own() -> None:
    def act() -> bytes:
        outside = all_refused()
        with use_source(zeros()):
            own = is_scripted()
        fresh = contextvars.Context().run(is_random)
        return bytes([outside, own, all_refused(), fresh])

    with use_source(zeros()):
        assert in_child(act) == bytes([True] * 4)
        assert is_scripted()


def test_a_child_forked_amid_a_request_repeats_that_request_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # This is the exception that SECURITY.md names. A signal handler may fork between
    # two parts of a request; here the cipher forks in its place, and the child goes
    # on with the very same call.
    new_encryptor = entropy._new_encryptor
    reader, writer = os.pipe()
    children: list[int] = []

    class ForkAmid:
        def __init__(self) -> None:
            self.encryptor = new_encryptor()

        def update_into(self, data: Any, room: Any) -> int:
            if not children:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", DeprecationWarning)
                    children.append(os.fork())
            return self.encryptor.update_into(data, room)

    monkeypatch.setattr(entropy, "_new_encryptor", ForkAmid)
    monkeypatch.setattr(entropy, "_MEDIUM", -1)
    with bulk() as stream:
        drawn = stream.bytes(32)
        if children == [0]:
            status = 1
            try:
                stream.bytes(1)
            except RuntimeError:
                os.write(writer, drawn + random_bits(256).to_bytes(32, "big"))
                status = 42
            finally:
                os._exit(status)
        after = stream.bytes(32)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        received = pipe.read()
    _, status = os.waitpid(children[0], 0)
    assert os.waitstatus_to_exitcode(status) == 42
    assert received[:32] == drawn
    assert len({drawn, after, received[32:]}) == 3


def test_a_lease_is_for_one_block() -> None:
    lease = use_source(zeros())
    with lease:
        assert is_scripted()
        with pytest.raises(RuntimeError, match="for one `with` block only"):
            lease.__enter__()
        assert is_scripted()
    with pytest.raises(RuntimeError, match="for one `with` block only"):
        lease.__enter__()


def test_a_lease_holds_no_frame_when_it_has_ended() -> None:
    class Local:
        pass

    seen: list[weakref.ref[Local]] = []
    lease = use_source(zeros())

    def steps() -> Iterator[None]:
        local = Local()
        seen.append(weakref.ref(local))
        with lease:
            yield

    generator = steps()
    next(generator)
    assert seen[0]() is not None
    del generator  # which ends the block: the lease does not keep it alive
    assert seen[0]() is None
    assert lease._frame is None  # type: ignore[attr-defined]


def test_the_flags_are_those_of_all_frames_that_can_be_suspended() -> None:
    assert entropy._SUSPENDABLE == (
        inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
    )
