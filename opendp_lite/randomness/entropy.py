"""Random bits: the one module that asks the operating system for them.

A single draw takes its bits from ``os.urandom``, and so does a bulk draw that asks
for few. One that asks for more takes fresh keys of 256 bits from there and expands them
with AES-256 in counter mode. Nothing random is kept when a call or a ``with bulk()``
block ends, so a fork, a thread or a pickle between calls never repeats a draw. There is
no seed.

A fork in the midst of a call (from a signal handler, say) copies what the call
has drawn so far, and both processes may go on with it. In the child, single draws
are fresh from then on, and the stream of an open ``with bulk()`` block refuses
every further request; but the request that was under way is served in both, with
the same bits. A child is known by its number and by a count of forks, because its
number may be that of an ancestor that has ended.

For enumeration and replay another source can be put in place for the length of
a ``with use_source(...)`` block. It is a lease: it serves the thread and process
that opened the block, while the block runs, and is void for ever when it ends.
"""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from contextvars import ContextVar
from functools import cache
from struct import Struct
from threading import get_ident
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

if TYPE_CHECKING:
    from types import FrameType

    import numpy as np
    from cryptography.hazmat.primitives.ciphers import CipherContext


_OS_GRANULARITY = 64
_BYTES_PER_KEY = 16 * 2**32  # 2^32 blocks of 16 bytes, then a new key
_ZEROS = memoryview(bytes(2**16))  # what is encrypted, a part at a time
_SHORT = 3 * 2**10  # bytes for which a key costs more than it saves
_MEDIUM = 2**15  # bytes for which a key that is kept costs more than it saves
_NONCE = bytes(12)
_SPARE = 15  # bytes that `update_into` may ask for beyond those that it writes


class BitSource(Protocol):
    """A string of bits that is read from its beginning.

    ``bits(count)`` returns the next ``count`` bits as an integer, the first of
    them the most significant. ``granularity`` is the number of bits a lazy
    sampler should ask for at a time: 1 where every bit counts, as in the
    enumeration of a bit tree.
    """

    @property
    def granularity(self) -> int: ...

    def bits(self, count: int) -> int: ...


class _Lease:
    """A source for the length of one block; what `use_source` returns.

    The context variable is inherited by tasks, by callbacks, by threads that are
    given a copy of the context, and by forked processes, and it stays set while a
    generator is suspended inside the block. None of these is the block: there the
    lease does not serve.
    """

    _state = "new"  # then "open", then "ended"
    _thread: int | None = None  # that of the block, while it may serve
    _frame: FrameType | None = None  # that it runs in, where it can be suspended
    _before: _Lease | None = None  # what the context held
    _always: int | None = None  # the thread that it serves without a further look

    def __init__(self, source: BitSource) -> None:
        self._source = source

    def __enter__(self) -> None:
        if self._state != "new":
            raise RuntimeError("a `use_source(...)` is for one `with` block only")
        self._state = "open"
        self._thread = get_ident()
        # A `with` block is in the frame that enters it. Code that names `__enter__`,
        # an `ExitStack`, say, may enter one on behalf of a frame further up.
        code = sys._getframe(1).f_code
        if code.co_flags & _SUSPENDABLE or "__enter__" in code.co_names:
            self._frame = _suspendable(sys._getframe(1))
        if self._frame is None:
            self._always = self._thread
        self._before = _installed.get()
        _open.add(self)
        _installed.set(self)

    def __exit__(self, *_: object) -> None:
        _open.discard(self)
        self._state = "ended"
        self._thread = self._always = self._frame = None
        above = _installed.get()
        if above is self:
            _installed.set(self._before)
            return
        # A generator may end the block below one that was opened later, which then
        # takes its place, or in another context, where there is nothing to undo.
        while above is not None and above._before is not self:
            above = above._before
        if above is not None:
            above._before = self._before

    def check(self) -> None:
        """Raise where it is not the block that asks for bits.

        Neither of the two other answers would do. Bits that were scripted are no
        noise; and bits of the operating system would let what was to be replayed
        pass for a replay. So there are none, and nothing is released.
        """
        inside = self._frame is None or _is_caller(self._frame)
        if self._thread != get_ident() or not inside:
            raise RuntimeError(_NO_BITS)


_NO_BITS = (
    "no bits are served here: the `with use_source(...)` block that this context "
    "belongs to has ended, is suspended, or runs in another thread or process; draw "
    "inside the block, or in a new `contextvars.Context()`"
)
# Of code whose frame can be left and resumed, as `inspect` names them:
# CO_GENERATOR, CO_COROUTINE and CO_ASYNC_GENERATOR.
_SUSPENDABLE = 0x20 | 0x80 | 0x200

_installed: ContextVar[_Lease | None] = ContextVar(
    "opendp_lite_bit_source", default=None
)
_open: set[_Lease] = set()


_forks = [0]  # how many forks led to this process since this module was loaded


def _enter_child() -> None:
    """Count a fork, and leave the blocks of the parent, whose stack the child copied.

    The count tells a child from an ancestor that had the same number, and has ended.
    """
    _forks[0] += 1
    for lease in _open:
        lease._thread = lease._always = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_enter_child)


def _suspendable(frame: FrameType | None) -> FrameType | None:
    """The nearest generator or coroutine that a frame is or was called from."""
    while frame is not None and not frame.f_code.co_flags & _SUSPENDABLE:
        frame = frame.f_back
    return frame


def _is_caller(block: FrameType) -> bool:
    """Whether a frame is among the callers of this function.

    A generator that is suspended, or that runs in another thread, is not.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame is not block:
        frame = frame.f_back
    return frame is not None


def use_source(source: BitSource) -> AbstractContextManager[None]:
    """Serve every bit from ``source`` instead of the operating system.

    It serves while the ``with`` block runs, in the thread and process that opened
    it. A task or a callback that runs while the block waits or after it, a thread
    that was started inside, a child that was forked there, and the caller of a
    generator that is suspended inside inherit the block's context; when they ask for
    bits, they get a RuntimeError.

    >>> class Ones:
    ...     granularity = 1
    ...     def bits(self, count):
    ...         return 2**count - 1
    >>> with use_source(Ones()):
    ...     random_bits(5)
    31
    """
    return _Lease(source)


def granularity() -> int:
    """Return the number of bits to ask for at a time: 64 from the operating system."""
    lease = _installed.get()
    if lease is None:
        return _OS_GRANULARITY
    if lease._always != get_ident():
        lease.check()
    return lease._source.granularity


def random_bits(count: int) -> int:
    """Return an integer uniform on 0, ..., 2^count - 1, independent of other calls."""
    if count < 0:
        raise ValueError(f"count must be non-negative, got {count}")
    lease = _installed.get()
    if lease is None:
        word = int.from_bytes(os.urandom(count + 7 >> 3), "big")
        return word >> (-count & 7)
    if lease._always != get_ident():
        lease.check()
    value = lease._source.bits(count)
    if not 0 <= value < 1 << count:
        raise ValueError(f"the bit source answered {value} where {count} bits were due")
    return value


def random_parts(layout: Struct) -> tuple[Any, ...] | None:
    """Return random bytes in parts; but None, and nothing is read, if bits come singly.

    The parts are those of `random_bits(8 * layout.size)` in big-endian order, so
    `layout` says ">" and names unsigned types, or bytes: struct reads them faster than
    int does.

    >>> cell, place = random_parts(Struct(">HQ"))
    >>> cell < 2**16 and place < 2**64
    True
    """
    size = layout.size
    if _installed.get() is None:
        return layout.unpack(os.urandom(size))
    if granularity() == 1:
        return None
    return layout.unpack(random_bits(8 * size).to_bytes(size, "big"))


def random_rows(layout: Struct, count: int) -> Iterator[tuple[Any, ...]] | None:
    """Return what `count` calls of `random_parts` return, from one request for all.

    >>> [len(row) for row in random_rows(Struct(">HQ"), 3)]
    [2, 2, 2]
    """
    size = layout.size * count
    if _installed.get() is None:
        return layout.iter_unpack(os.urandom(size))
    if granularity() == 1:
        return None
    return layout.iter_unpack(random_bits(8 * size).to_bytes(size, "big"))


def bulk() -> BulkBits:
    """Serve many random bits, at the speed of AES, for the length of a ``with`` block.

    >>> with bulk() as stream:
    ...     len(stream.bytes(1000))
    1000
    """
    return BulkBits()


class BulkBits:
    """The random stream of one ``with bulk()`` block.

    Requests for up to 3 KiB are served with bits of the operating system, and those for
    up to 32 KiB with the encryption of zeros by AES-256-GCM, each under a fresh key:
    this is counter mode, from counter 2, and the tag is left out. From the first longer
    request on, all is the encryption of zeros by AES-256 in counter mode, from counter
    0, under a fresh key; the counter runs on from call to call, and the key is replaced
    after 2^32 blocks. While a source is installed, the bits come from that source. The
    stream belongs to the thread and the process that opened the block, and cannot be
    copied or pickled: two owners would release the same noise.
    """

    __slots__ = ("_encryptor", "_open", "_owner", "_remaining")

    def __init__(self) -> None:
        self._owner = _current_owner()
        self._open = False
        self._encryptor: CipherContext | None = None
        self._remaining = 0

    def __enter__(self) -> BulkBits:
        self._open = True
        return self

    def __exit__(self, *_: object) -> None:
        self._open = False
        self._encryptor = None

    def bytes(self, count: int) -> builtins.bytes:
        """The next ``count`` bytes of the stream."""
        self._check_usable()
        if count < 0:
            raise ValueError(f"count must be non-negative, got {count}")
        if _installed.get() is not None:
            return random_bits(8 * count).to_bytes(count, "big")
        if self._encryptor is None and count <= _MEDIUM:
            return _at_once(count)
        room = bytearray(count + _SPARE)
        self._fill(memoryview(room), count)
        return builtins.bytes(memoryview(room)[:count])

    def words(self, count: int, dtype: str | type) -> np.ndarray[Any, Any]:
        """The next ``count`` uniform integers of an integer type, as a new array.

        >>> with bulk() as stream:
        ...     stream.words(3, "uint16").shape
        (3,)
        """
        import numpy as np

        kind = _integer_type(dtype)
        size = count * kind.itemsize
        if count <= 0 or _installed.get() is not None:
            return np.frombuffer(self.bytes(size), dtype=kind).copy()
        self._check_usable()
        if self._encryptor is None and size <= _MEDIUM:
            return np.frombuffer(bytearray(_at_once(size)), dtype=kind)
        # Written in place: at this length, each copy and each new page counts.
        room = np.empty(size + _SPARE, dtype=np.uint8)
        self._fill(room.data, size)
        return room[:size].view(kind)

    def _fill(self, room: memoryview, count: int) -> None:
        """Write the next ``count`` bytes of the stream to the beginning of ``room``."""
        done = 0
        while done < count:
            if self._encryptor is None or self._remaining == 0:
                self._encryptor, self._remaining = _new_encryptor(), _BYTES_PER_KEY
            size = min(count - done, self._remaining, len(_ZEROS))
            written = self._encryptor.update_into(_ZEROS[:size], room[done:])
            if written != size:  # else what was in memory would pass as random
                raise RuntimeError(f"the cipher wrote {written} of {size} bytes")
            self._remaining -= size
            done += size

    def _check_usable(self) -> None:
        if not self._open:
            raise RuntimeError("this random stream ended with its `with bulk()` block")
        if self._owner != _current_owner():
            raise RuntimeError(
                "this random stream belongs to another thread or process; "
                "open a `with bulk()` block of its own there"
            )

    def __reduce__(self) -> NoReturn:
        raise TypeError("a random stream cannot be copied or pickled")


@cache
def _integer_type(dtype: str | type) -> np.dtype[Any]:
    """The integer type of numpy; to look it up anew takes longer."""
    import numpy as np

    kind = np.dtype(dtype)
    if kind.kind not in "iu":
        raise ValueError(f"dtype must be an integer type, got {kind}")
    return kind


def _current_owner() -> tuple[int, int, int]:
    return os.getpid(), _forks[0], get_ident()


def _fresh_key() -> bytes:
    return os.urandom(32)


def _at_once(count: int) -> bytes:
    """``count`` random bytes, for which no key is kept."""
    if count <= _SHORT:
        return os.urandom(count)
    # Every key is used for one message only, so the nonce may be zero.
    sealed: bytes = _gcm()(_fresh_key()).encrypt(_NONCE, _ZEROS[:count], None)
    return sealed[:count]  # the tag is behind them


@cache
def _gcm() -> Any:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM


@cache
def _cipher() -> tuple[Any, Any, Any]:
    """The cipher, AES, and the counter mode from zero: to ask anew takes longer."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    return Cipher, algorithms.AES, modes.CTR(bytes(16))


def _new_encryptor() -> CipherContext:
    cipher, aes, counter = _cipher()
    # Every key is used for one stream only, so the counter may start at zero.
    encryptor: CipherContext = cipher(aes(_fresh_key()), counter).encryptor()
    return encryptor
