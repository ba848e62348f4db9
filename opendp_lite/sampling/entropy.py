"""Random bits: the one module that asks the operating system for them.

A single draw takes its bits from ``os.urandom``. A bulk draw takes a fresh key
of 256 bits from ``os.urandom`` and expands it with AES-256 in counter mode.
Nothing random is kept when a call or a ``with bulk()`` block ends, so a fork, a
thread or a pickle never repeats a draw. There is no seed.

For enumeration and replay another source can be put in place for the length of
a ``with use_source(...)`` block. It is held in a context variable: another
thread or task does not see it unless it was given a copy of the context.
"""

from __future__ import annotations

import builtins
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from struct import Struct
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from cryptography.hazmat.primitives.ciphers import CipherContext

__all__ = [
    "BitSource",
    "BulkBits",
    "bulk",
    "granularity",
    "random_bits",
    "random_parts",
    "use_source",
]

_OS_GRANULARITY = 64
_BYTES_PER_KEY = 16 * 2**32  # 2^32 blocks of 16 bytes, then a new key
_ZEROS = memoryview(bytes(2**16))  # what is encrypted, a part at a time
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


_installed: ContextVar[BitSource | None] = ContextVar(
    "opendp_lite_bit_source", default=None
)


@contextmanager
def use_source(source: BitSource) -> Iterator[None]:
    """Serve every bit from ``source`` instead of the operating system.

    >>> class Ones:
    ...     granularity = 1
    ...     def bits(self, count):
    ...         return 2**count - 1
    >>> with use_source(Ones()):
    ...     random_bits(5)
    31
    """
    token = _installed.set(source)
    try:
        yield
    finally:
        _installed.reset(token)


def granularity() -> int:
    """The number of bits to ask for at a time: 64 from the operating system."""
    source = _installed.get()
    return _OS_GRANULARITY if source is None else source.granularity


def random_bits(count: int) -> int:
    """An integer uniform on 0, ..., 2^count - 1, independent of all other calls."""
    if count < 0:
        raise ValueError(f"count must be non-negative, got {count}")
    source = _installed.get()
    if source is None:
        word = int.from_bytes(os.urandom(count + 7 >> 3), "big")
        return word >> (-count & 7)
    value = source.bits(count)
    if not 0 <= value < 1 << count:
        raise ValueError(f"the bit source answered {value} where {count} bits were due")
    return value


def random_parts(layout: Struct) -> tuple[Any, ...] | None:
    """Random bytes in parts; but None, and nothing is read, if bits come singly.

    The parts are those of `random_bits(8 * layout.size)` in big-endian order, so
    `layout` says ">" and names unsigned types: struct reads them faster than int does.

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


@contextmanager
def bulk() -> Iterator[BulkBits]:
    """Many random bits, at the speed of AES, for the length of a ``with`` block.

    >>> with bulk() as stream:
    ...     len(stream.bytes(1000))
    1000
    """
    stream = BulkBits()
    try:
        yield stream
    finally:
        stream._close()


class BulkBits:
    """The random stream of one ``with bulk()`` block.

    The stream is the encryption of zeros by AES-256 in counter mode, from
    counter 0, under a fresh key; the counter runs on from call to call, and the
    key is replaced after 2^32 blocks. While a source is installed, the bits
    come from that source. The stream belongs to the thread and the process that
    opened the block, and cannot be copied or pickled: two owners would release
    the same noise.
    """

    __slots__ = ("_encryptor", "_open", "_owner", "_remaining")

    def __init__(self) -> None:
        self._owner = _current_owner()
        self._open = True
        self._encryptor: CipherContext | None = None
        self._remaining = 0

    def bytes(self, count: int) -> builtins.bytes:
        """The next ``count`` bytes of the stream."""
        self._check_usable()
        if count < 0:
            raise ValueError(f"count must be non-negative, got {count}")
        if _installed.get() is not None:
            return random_bits(8 * count).to_bytes(count, "big")
        room = bytearray(count + _SPARE)
        self._fill(memoryview(room), count)
        return builtins.bytes(memoryview(room)[:count])

    def words(self, count: int, dtype: npt.DTypeLike) -> np.ndarray[Any, Any]:
        """The next ``count`` uniform integers of an integer type, as a new array.

        >>> with bulk() as stream:
        ...     stream.words(3, "uint16").shape
        (3,)
        """
        import numpy as np

        kind = np.dtype(dtype)
        if kind.kind not in "iu":
            raise ValueError(f"dtype must be an integer type, got {kind}")
        size = count * kind.itemsize
        if count <= 0 or _installed.get() is not None:
            return np.frombuffer(self.bytes(size), dtype=kind).copy()
        self._check_usable()
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

    def _close(self) -> None:
        self._open = False
        self._encryptor = None

    def __reduce__(self) -> NoReturn:
        raise TypeError("a random stream cannot be copied or pickled")


def _current_owner() -> tuple[int, int]:
    return os.getpid(), threading.get_ident()


def _fresh_key() -> bytes:
    return os.urandom(32)


def _new_encryptor() -> CipherContext:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    # Every key is used for one stream only, so the counter may start at zero.
    return Cipher(algorithms.AES(_fresh_key()), modes.CTR(bytes(16))).encryptor()
