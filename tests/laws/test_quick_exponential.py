"""The quick exponential is within its slack of the true one, for all kinds of U."""

from __future__ import annotations

import random

import pytest
from gmpy2 import mpq

from opendp_lite.exact.enclosures import ln
from opendp_lite.laws import weights as quick_exponential
from opendp_lite.laws.weights import SLACK, near_exponential


def error(prefix: int, length: int) -> mpq:
    """The greatest |2^64 E - e| at the ends of the cell, in units of the slack."""
    e = near_exponential(prefix, length)
    assert e is not None
    ends = [-(2**64) * ln(mpq(w, 2**length), 200) for w in (prefix, prefix + 1)]
    return max(max(abs(end.lo - e), abs(end.hi - e)) for end in ends) / SLACK  # type: ignore[call-overload]


def hard_words() -> list[int]:
    """Words whose first 8 bits are followed by ones, by zeros and by others."""
    rng = random.Random(1)
    words = []
    for bits in (40, 41, 50, 62, 63):
        for t in (128, 129, 200, 254, 255):
            k = bits - 8
            for rest in (0, 1, 2**k - 1, 2**k - 2, rng.getrandbits(k)):
                words.append((t << k) + rest)
    return words + [rng.getrandbits(63) | 1 << 40 for _ in range(300)]


def test_it_is_within_its_slack() -> None:
    worst = max(error(w, 63) for w in hard_words())
    # f^3/3 at f = 2^-7 is two thirds of it.
    assert mpq(6, 10) < worst < mpq(7, 10)
    assert max(error(w, 64) for w in hard_words()) < mpq(7, 10)


def test_the_ends_of_the_range() -> None:
    assert near_exponential(2**39 - 1, 63) is None
    assert near_exponential(0, 63) is None
    assert near_exponential(0, 0) is None
    assert near_exponential(2**39, 63) is not None
    # U in [1 - 2^-63, 1) has an E of about 0.
    top = near_exponential(2**63 - 1, 63)
    assert top is not None
    assert abs(top) < SLACK


@pytest.mark.parametrize("wrong", [1, -1])
def test_a_wrong_table_is_seen(wrong: int, monkeypatch: pytest.MonkeyPatch) -> None:
    two, table = quick_exponential._logarithms()
    moved = [x + wrong * SLACK for x in table]
    monkeypatch.setattr(quick_exponential, "_logarithms", lambda: (two, moved))
    assert max(error(w, 63) for w in hard_words()) > 1
