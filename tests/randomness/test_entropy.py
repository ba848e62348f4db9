"""Bits: no two draws share any, and an installed source serves them all."""

from __future__ import annotations

import contextvars
import copy
import os
import pickle
import subprocess
import sys
import threading
import warnings
from functools import reduce
from operator import and_, or_
from struct import Struct

import numpy as np
import pytest

from opendp_lite.randomness import entropy
from opendp_lite.randomness.entropy import (
    bulk,
    granularity,
    random_bits,
    random_parts,
    random_rows,
    use_source,
)
from opendp_lite.testing import state_flakiness
from tests.randomness.lane_bits import LaneString
from tests.randomness.tree import OutOfBits, Script

# AES-256 under the key of 32 zero bytes, of the blocks 0, 1 and 2 (the hash key,
# test cases 13 and 14 of the GCM specification by McGrew and Viega).
ZERO_KEY_STREAM = bytes.fromhex(
    "dc95c078a2408989ad48a21492842087"
    "530f8afbc74536b9a963b4f1c4cb738b"
    "cea7403d4d606b6e074ec5d3baf39d18"
)


def test_random_bits_have_the_length_asked_for() -> None:
    assert random_bits(0) == 0
    for count in (1, 7, 8, 9, 63, 64, 65, 1000):
        state_flakiness(count * 2.0**-198)
        seen = [random_bits(count) for _ in range(200)]
        assert all(0 <= value < 1 << count for value in seen)
        # Each bit is 1 in one of 200 draws and 0 in another but for 2^-199 a bit.
        ones, zeros = 0, 0
        for value in seen:
            ones |= value
            zeros |= ~value
        assert ones == (1 << count) - 1
        assert zeros & ((1 << count) - 1) == (1 << count) - 1


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(ValueError, match="count must be non-negative, got -1"):
        random_bits(-1)
    with bulk() as stream, pytest.raises(ValueError, match="count must be"):
        stream.bytes(-1)


def test_the_source_is_read_from_its_first_bit() -> None:
    with use_source(Script(0b1011_0010_1, 9)):
        assert granularity() == 1
        assert [random_bits(c) for c in (1, 0, 3, 5)] == [1, 0, 0b011, 0b00101]
        with pytest.raises(OutOfBits):
            random_bits(1)
    assert granularity() == 64


def test_parts_are_random_bits_unless_bits_come_singly() -> None:
    layout = Struct(">HHQ")
    drawn = {random_parts(layout) for _ in range(100)}
    assert len(drawn) == 100
    # Bits that are constant in 100 draws: probability 2^-99 a bit.
    for part, bits in zip(zip(*drawn, strict=True), (16, 16, 64), strict=True):
        assert reduce(or_, part) == 2**bits - 1
        assert reduce(and_, part) == 0
    single = Script(0x0123, 16)
    with use_source(single):
        assert single.granularity == 1
        assert random_parts(Struct(">H")) is None
        assert random_bits(16) == 0x0123  # nothing was read
    several = LaneString(0, format(0x0123456789, "040b"))
    with use_source(several):
        assert random_parts(Struct(">BH")) == (0x01, 0x2345)
        assert random_bits(16) == 0x6789


@pytest.mark.parametrize("answer", [-1, 8])
def test_a_source_that_answers_out_of_range_is_refused(answer: int) -> None:
    class Broken:
        granularity = 1

        def bits(self, count: int) -> int:
            return answer

    with use_source(Broken()), pytest.raises(ValueError, match="where 3 bits were due"):
        random_bits(3)


def test_sources_nest_and_are_removed_by_an_exception() -> None:
    with use_source(Script(0, 8)):
        with pytest.raises(OutOfBits), use_source(Script(1, 1)):
            assert random_bits(1) == 1
            random_bits(1)
        assert random_bits(8) == 0
    assert random_bits(256) != random_bits(256)


def test_a_source_is_not_seen_by_another_thread() -> None:
    found: dict[str, int] = {}

    def draw() -> None:
        found["granularity"] = granularity()
        found["bits"] = random_bits(256)

    with use_source(Script(0, 1000)):
        # An empty context is what a thread starts with, on every build of Python.
        thread = threading.Thread(target=contextvars.Context().run, args=(draw,))
        thread.start()
        thread.join()
        assert granularity() == 1
        assert random_bits(256) == 0
    assert found["granularity"] == 64
    assert found["bits"] != 0


def test_a_source_installed_in_a_thread_stays_there() -> None:
    ready, done = threading.Event(), threading.Event()
    found: list[int] = []

    def hold() -> None:
        with use_source(Script(0, 1000)):
            ready.set()
            done.wait(timeout=60)
            found.append(random_bits(256))

    thread = threading.Thread(target=hold)
    thread.start()
    assert ready.wait(timeout=60)
    assert granularity() == 64
    assert random_bits(256) != 0
    done.set()
    thread.join()
    assert found == [0]


def draws() -> list[bytes]:
    """Single and bulk draws, 256 bits each: equal ones have probability 2^-256."""
    found = [random_bits(256).to_bytes(32, "big") for _ in range(5)]
    for _ in range(3):
        with bulk() as stream:
            found += [stream.bytes(32), stream.words(4, np.uint64).tobytes()]
    return found


def fork_and_draw() -> bytes:
    """What a forked child draws."""
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        # Python warns where the test runner has threads; the child only draws.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        status = 1
        try:
            os.write(writer, b"".join(draws()))
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        received = pipe.read()
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    return received


def test_forks_repeat_nothing() -> None:
    found = draws()
    for _ in range(4):
        received = fork_and_draw()
        assert len(received) == 32 * 11
        found += [received[i : i + 32] for i in range(0, len(received), 32)]
        found += draws()
    assert len(set(found)) == len(found) == 11 * 9


def test_threads_repeat_nothing() -> None:
    found: list[bytes] = []
    threads = [threading.Thread(target=lambda: found.extend(draws())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == len(found) == 11 * 8


def test_a_stream_is_refused_in_a_forked_child() -> None:
    with bulk() as stream, warnings.catch_warnings():
        stream.bytes(16)
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                stream.bytes(16)
            except RuntimeError:
                status = 42
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 42


def test_a_stream_is_refused_in_another_thread() -> None:
    refused: list[str] = []

    def draw() -> None:
        try:
            stream.bytes(16)
        except RuntimeError as error:
            refused.append(str(error))

    with bulk() as stream:
        thread = threading.Thread(target=draw)
        thread.start()
        thread.join()
    assert len(refused) == 1
    assert "another thread or process" in refused[0]


def test_a_stream_can_be_neither_copied_nor_pickled() -> None:
    with bulk() as stream:
        for duplicate in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="cannot be copied or pickled"):
                duplicate(stream)


def test_a_stream_ends_with_its_block() -> None:
    with bulk() as stream:
        assert len(stream.bytes(10)) == 10
    with pytest.raises(RuntimeError, match="ended with its"):
        stream.bytes(1)
    with pytest.raises(RuntimeError, match="ended with its"):
        stream.words(1, np.uint8)
    assert stream._encryptor is None
    escaped = []
    with pytest.raises(KeyError), bulk() as stream:
        escaped.append(stream)
        raise KeyError
    with pytest.raises(RuntimeError, match="ended with its"):
        escaped[0].bytes(1)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams of AES from their first byte on."""
    monkeypatch.setattr(entropy, "_MEDIUM", -1)


@pytest.mark.usefixtures("at_once")
def test_the_stream_is_aes_256_in_counter_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entropy, "_fresh_key", lambda: bytes(32))
    with bulk() as stream:
        assert stream.bytes(48) == ZERO_KEY_STREAM
    with bulk() as stream:
        words = stream.words(6, "<u8")
    assert words.tobytes() == ZERO_KEY_STREAM


@pytest.mark.parametrize("size", [1, 5, 16, 24, 1000, 2**16 - 1, 2**16 + 1, 200_001])
@pytest.mark.usefixtures("at_once")
def test_the_counter_runs_on(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(entropy, "_fresh_key", lambda: bytes(range(32)))
    with bulk() as stream:
        whole = stream.bytes(2 * size)
    with bulk() as stream:
        assert stream.bytes(0) == b""
        halves = [stream.bytes(size), stream.bytes(size)]
    assert b"".join(halves) == whole
    with bulk() as stream:
        words = [stream.words(size, np.uint8), stream.words(size, np.uint8)]
    # Each is an array of its own, whose memory nobody else writes to.
    assert b"".join(word.tobytes() for word in words) == whole
    assert all(word.flags.writeable for word in words)
    assert not np.shares_memory(*words)  # type: ignore[arg-type]
    assert halves[0] != halves[1] or size == 1


def test_a_block_takes_one_key(monkeypatch: pytest.MonkeyPatch) -> None:
    keys: list[bytes] = []

    def counted() -> bytes:
        keys.append(os.urandom(32))
        return keys[-1]

    monkeypatch.setattr(entropy, "_fresh_key", counted)
    for _ in range(3):
        with bulk() as stream:
            for size in (1, 100, 10**6, 1, 10**4, 10**6):
                stream.bytes(size)
    assert len(keys) == 3


def test_a_stream_begins_with_bits_of_the_operating_system(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Up to the first request for more than 32 KiB, those for up to 3 KiB are of it."""
    served: list[bytes] = []
    urandom = os.urandom

    def recorded(size: int) -> bytes:
        served.append(urandom(size))
        return served[-1]

    monkeypatch.setattr(entropy, "_fresh_key", lambda: bytes(32))
    monkeypatch.setattr("os.urandom", recorded)
    with bulk() as stream:
        first = [stream.bytes(10), stream.words(1536, np.uint16).tobytes()]
        first += [stream.words(0, np.uint16).tobytes(), stream.bytes(3072)]
        stream.words(3073, np.uint8)
        first += [stream.bytes(5)]
        assert first == served
        assert stream._encryptor is None
        longer = stream.words(2**15 + 1, np.uint8).tobytes()
        assert longer.startswith(ZERO_KEY_STREAM)
        short = stream.bytes(16), stream.words(2, np.uint64).tobytes()
        medium = stream.bytes(3073)
        assert len(served) == 5
    monkeypatch.setattr(entropy, "_MEDIUM", -1)
    with bulk() as stream:
        whole = longer + b"".join(short) + medium
        assert stream.bytes(len(whole)) == whole


def test_each_request_for_some_kilobytes_has_a_key_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are AES in counter mode from counter 2 on, and no key is kept."""
    keys: list[bytes] = []

    def counted() -> bytes:
        keys.append(os.urandom(32) if keys else bytes(32))
        return keys[-1]

    monkeypatch.setattr(entropy, "_fresh_key", counted)
    sizes = [3073, 2**14 + 5, 2**15]
    with bulk() as stream:
        asked = [stream.bytes(size) for size in sizes]
        words = [stream.words(size, np.uint8) for size in sizes]
        assert stream._encryptor is None
    assert len(set(keys)) == len(keys) == 6
    assert asked[0].startswith(ZERO_KEY_STREAM[32:])
    assert all(word.flags.writeable for word in words)
    asked += [word.tobytes() for word in words]
    assert [len(each) for each in asked] == 2 * sizes

    monkeypatch.setattr(entropy, "_MEDIUM", -1)
    again = iter(keys)
    monkeypatch.setattr(entropy, "_fresh_key", lambda: next(again))
    for each in asked:
        with bulk() as stream:
            assert stream.bytes(32 + len(each))[32:] == each


def test_words_of_the_operating_system_are_new_arrays() -> None:
    with bulk() as stream:
        words = [stream.words(100, "uint64") for _ in range(2)]
    assert all(word.flags.writeable for word in words)
    assert not np.shares_memory(*words)  # type: ignore[arg-type]
    assert len({*words[0].tolist(), *words[1].tolist()}) == 200


def test_a_stream_serves_inside_its_block_only() -> None:
    stream = bulk()
    with pytest.raises(RuntimeError, match="ended with its"):
        stream.bytes(1)
    with stream as same:
        assert same is stream
        assert len(stream.bytes(1)) == 1
    with pytest.raises(RuntimeError, match="ended with its"):
        stream.bytes(1)


ROW = Struct(">HQ")


def test_rows_are_the_parts_of_one_request(monkeypatch: pytest.MonkeyPatch) -> None:
    bits = 3 * 80
    with use_source(Script(0x0123456789 << bits - 40, bits, 64)):
        rows = random_rows(ROW, 3)
        assert rows is not None
        found = list(rows)
    with use_source(Script(0x0123456789 << bits - 40, bits, 64)):
        assert found == [random_parts(ROW) for _ in range(3)]
    with use_source(script := Script(0, 80)):
        assert random_rows(ROW, 1) is None
        assert script.used == 0
    sizes: list[int] = []
    monkeypatch.setattr("os.urandom", lambda n: sizes.append(n) or bytes(n))  # type: ignore[func-returns-value]
    assert list(random_rows(ROW, 4) or []) == [(0, 0)] * 4
    assert list(random_rows(ROW, 0) or []) == []
    assert sizes == [40, 0]


def test_rows_are_uniform_and_never_repeated() -> None:
    """800 words of 64 bits: two are equal with probability below 2^-44."""
    words = [word for _ in range(8) for _, word in random_rows(ROW, 100) or []]
    assert len(words) == len(set(words)) == 800


def test_the_key_has_256_bits_and_is_fresh() -> None:
    keys = {entropy._fresh_key() for _ in range(100)}
    assert len(keys) == 100
    assert {len(key) for key in keys} == {32}


@pytest.mark.usefixtures("at_once")
def test_the_key_is_replaced_after_its_last_block(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert entropy._BYTES_PER_KEY == 16 * 2**32
    monkeypatch.setattr(entropy, "_fresh_key", lambda: bytes([7]) * 32)
    with bulk() as stream:
        period = stream.bytes(3 * 16)

    # With three blocks a key, and the same key each time, the stream has a period.
    monkeypatch.setattr(entropy, "_BYTES_PER_KEY", 3 * 16)
    with bulk() as stream:
        assert stream.bytes(5 * 48 + 7) == 5 * period + period[:7]
        assert stream.bytes(41) == period[7:]
        assert stream.bytes(2) == period[:2]

    keys = iter([bytes([7]) * 32, bytes(32)])
    monkeypatch.setattr(entropy, "_fresh_key", lambda: next(keys))
    with bulk() as stream:
        assert stream.bytes(96) == period + ZERO_KEY_STREAM


def test_words_are_uniform_integers_of_the_type() -> None:
    with bulk() as stream:
        for dtype in ("uint8", "uint16", "uint32", "uint64", "int8", "int64"):
            words = stream.words(300, dtype)
            assert words.dtype == np.dtype(dtype)
            assert words.shape == (300,)
            limits = np.iinfo(words.dtype)
            # Bits that are constant in 300 words: probability 2^-299 a bit.
            assert np.bitwise_or.reduce(words) == (-1 if limits.min else limits.max)
            assert np.bitwise_and.reduce(words) == 0
        for wrong in ("float64", "bool", "complex128"):
            with pytest.raises(ValueError, match="dtype must be an integer type"):
                stream.words(1, wrong)


def test_bulk_reads_an_installed_source() -> None:
    script = Script(0x0123456789, 40)
    with use_source(script):
        with bulk() as stream:
            assert stream.bytes(2) == b"\x01\x23"
            assert stream.words(1, ">u2").tolist() == [0x4567]
            assert random_bits(8) == 0x89
            with pytest.raises(OutOfBits):
                stream.bytes(1)
        assert stream._encryptor is None


def test_a_source_installed_inside_a_block_is_read() -> None:
    with bulk() as stream:
        before = stream.bytes(32)
        with use_source(Script(0, 256)):
            assert stream.bytes(32) == bytes(32)
        after = stream.bytes(32)
    assert len({before, after, bytes(32)}) == 3


def test_importing_loads_neither_numpy_nor_cryptography() -> None:
    names = ["entropy", "lazy", "draws", "discrete", "real"]
    imports = "; ".join(f"import opendp_lite.randomness.{name}" for name in names)
    check = "assert not {'numpy', 'cryptography'} & set(sys.modules)"
    subprocess.run(
        [sys.executable, "-c", f"import sys; {imports}; {check}"],
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
