"""Random-looking bits that are the same in every run, for the trials of contracts."""

from __future__ import annotations

import hashlib

__all__ = ["HashedBits"]

_RUN = 150  # bits of the run of zeros or ones at the start of some strings


class HashedBits:
    """The bit string number `seed`: SHA-256 in counter mode.

    Every fourth string starts with a long run of zeros and every fourth with a long
    run of ones, which lead samplers into their tails, and bits are to be asked for
    singly in half of them; but if a `granularity` is given, it is that, and all strings
    look random. This source is for replaying tests only.

    >>> HashedBits(2).bits(64)
    0
    >>> HashedBits(2, granularity=64).bits(8)
    161
    """

    def __init__(self, seed: int, granularity: int | None = None) -> None:
        self._seed = f"{seed}" if granularity is None else f"plain/{seed}"
        self._counter = 0
        self._held, self._length = 0, 0
        if granularity is None:
            granularity = 1 if seed % 8 < 4 else 64
            run = {2: (0, _RUN), 3: ((1 << _RUN) - 1, _RUN)}
            self._held, self._length = run.get(seed % 4, (0, 0))
        self.granularity = granularity

    def bits(self, count: int) -> int:
        """Return the next `count` bits as an integer."""
        while self._length < count:
            name = f"{self._seed}/{self._counter}".encode()
            block = int.from_bytes(hashlib.sha256(name).digest(), "big")
            self._held = self._held << 256 | block
            self._length += 256
            self._counter += 1
        self._length -= count
        taken = self._held >> self._length
        self._held &= (1 << self._length) - 1
        return taken
