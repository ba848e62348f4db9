"""Random bit vectors: their law, their padding, and the array path."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

from opendp_lite import verify
from opendp_lite.randomness import bulk_draws as bulk_coins
from opendp_lite.randomness import draws as flips
from opendp_lite.randomness.draws import sample_bit_vectors
from opendp_lite.randomness.entropy import use_source
from opendp_lite.testing import state_flakiness
from opendp_lite.verify.contracts.checks import HashedBits
from tests.rows import for_each


def test_the_law_is_that_of_independent_bits() -> None:
    def pmf(vectors: bytes) -> mpq:
        ones = int.from_bytes(vectors, "big").bit_count()
        return mpq(1, 4) ** ones * mpq(3, 4) ** (4 - ones)

    tree = verify.enumerate_tree(lambda: sample_bit_vectors(mpq(1, 4), 2, 2), 8)
    assert tree.unresolved == 0
    assert len(tree.masses) == 16
    for vectors in tree.outcomes.values():
        assert all(byte & 0b00111111 == 0 for byte in vectors)
        assert tree.mass(vectors) == pmf(vectors)


@pytest.mark.parametrize("most", [1, 20, 1 << 22])
@pytest.mark.parametrize(
    ("size", "count"), [(0, 3), (3, 0), (1, 1), (1, 40), (8, 5), (10, 7), (300, 1)]
)
def test_arrays_pack_the_coins_in_order(
    monkeypatch: pytest.MonkeyPatch, size: int, count: int, most: int
) -> None:
    """With given coins both paths give the same vectors, whatever the parts."""
    given = np.arange(size * count) ** 2 % 7 < 3

    def run(bulk: bool) -> bytes:
        left = iter(given.tolist())
        take = lambda p: next(left)  # noqa: E731
        coins = lambda p, n: np.array([next(left) for _ in range(n)])  # noqa: E731
        monkeypatch.setattr(flips, "sample_bernoulli_rational", take)
        monkeypatch.setattr(bulk_coins, "sample_bernoullis", coins)
        monkeypatch.setattr(flips, "is_bulk", lambda n, few: bulk)
        found = sample_bit_vectors(mpq(1, 2), size, count)
        assert next(left, None) is None
        return found

    monkeypatch.setattr(flips, "_MOST_COINS", most)
    one_by_one = run(False)
    assert len(one_by_one) == -(-size // 8) * count
    expected = np.packbits(given.reshape(count, size), axis=1) if size else b""
    assert one_by_one == bytes(expected)
    if size * count >= 8:
        assert run(True) == one_by_one


@for_each("seed", [4, 5, 6, 7])
def test_ends(seed: int) -> None:
    with use_source(HashedBits(seed)):
        assert sample_bit_vectors(mpq(0), 12, 3) == bytes(6)
        assert sample_bit_vectors(mpq(1), 12, 3) == b"\xff\xf0" * 3


def test_the_share_of_ones() -> None:
    """2^20 bits; an alarm needs a share off by 0.004, the least effect that is found.

    By Hoeffding's bound it has probability at most 2 exp(-2 * 2^20 * 0.004**2) < 1e-14.
    """
    state_flakiness("1e-14")
    vectors: Any = np.frombuffer(sample_bit_vectors(mpq(1, 3), 1024, 1024), np.uint8)
    share = np.unpackbits(vectors).mean()
    assert abs(share - 1 / 3) < 0.004
