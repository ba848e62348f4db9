"""Randomized response on columns of bit vectors: as on each vector, independently."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.randomness import draws as flips
from opendp_lite.randomness.draws import sample_bernoulli_rational
from opendp_lite.randomness.entropy import use_source
from opendp_lite.testing import state_flakiness
from opendp_lite.verify.contracts.checks import HashedBits


def make(
    size: int, f: Any, max_weight: int | None = None, rows: int | None = None
) -> Any:
    bits = dp.bitvector_domain(max_weight=max_weight, size=size)
    domain = dp.vector_domain(bits, size=rows)
    return dp.m.make_randomized_response_bitvec_column(domain, dp.hamming_distance(), f)


def one(size: int, f: Any, max_weight: int | None = None) -> Any:
    bits = dp.bitvector_domain(max_weight=max_weight, size=size)
    return dp.m.make_randomized_response_bitvec(bits, dp.discrete_distance(), f)


def test_the_law_is_that_of_independent_rows() -> None:
    """Every bit of every row is randomised, the last included."""
    rows = [bytes([0b10000000]), bytes([0b01000000])]
    tree = verify.enumerate_tree(lambda: make(2, 0.5)(rows), 8)
    assert tree.unresolved == 0
    assert len(tree.masses) == 16
    single = [verify.enumerate_tree(lambda x=x: one(2, 0.5)(x), 4) for x in rows]
    answers = [bytes([b << 6]) for b in range(4)]
    for left, right in itertools.product(answers, repeat=2):
        expected = single[0].mass(left) * single[1].mass(right)
        assert tree.mass([left, right]) == expected


def test_a_column_is_answered_as_its_rows_are() -> None:
    """Under the same bits, where they are read one by one."""
    rows = [bytes([7, 128]), bytes([0, 0]), bytes([255, 64])]
    for seed in (0, 1, 2, 3, 8):
        with use_source(HashedBits(seed)):
            expected = [one(10, "1/3")(row) for row in rows]
        with use_source(HashedBits(seed)):
            assert make(10, "1/3")(rows) == expected


@pytest.mark.parametrize("size", [1, 8, 13])
def test_many_rows_have_the_flips_of_their_vectors(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    length = -(-size // 8)
    some = flips.sample_bit_vectors(mpq(1, 2), size, 50)
    monkeypatch.setattr(
        "opendp_lite.measurements.responses.response_column.sample_bit_vectors",
        lambda p, bits, count: some[: length * count],
    )
    rows = [np.packbits([i & j > 0 for j in range(size)]).tobytes() for i in range(50)]
    release = make(size, 0.5)(rows)
    assert {type(row) for row in release} == {bytes}
    for i, (x, y) in enumerate(zip(rows, release, strict=True)):
        flip = some[i * length : (i + 1) * length]
        assert y == bytes(a ^ b for a, b in zip(x, flip, strict=True))


def test_the_law_for_many_rows() -> None:
    """20,000 vectors of 13 bits; an alarm needs the share of a bit to be off by 0.03.

    By Hoeffding's bound it has probability at most
    26 exp(-2 * 20000 * 0.03**2) < 1e-14, and a share that is off by 0.06 is missed with
    no more.
    """
    state_flakiness("1e-14")
    n, bits = 20_000, [1, 0, 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1]
    release = make(13, 0.5)([np.packbits(bits).tobytes()] * n)
    seen = np.unpackbits(np.frombuffer(b"".join(release), np.uint8).reshape(n, 2), 1)
    assert not seen[:, 13:].any()
    for i, bit in enumerate(bits):
        assert abs(seen[:, i].mean() - (0.75 if bit else 0.25)) < 0.03
    # The estimates are unbiased, so within 0.03 n / (1 - f) where the shares are.
    estimates = dp.m.debias_randomized_response_bitvec(release, 0.5, size=13)
    for estimate, bit in zip(estimates, bits, strict=True):
        assert abs(estimate - n * bit) < 0.06 * n


def test_a_hundredth_less_flipping_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        flips,
        "sample_bernoulli_rational",
        lambda p: sample_bernoulli_rational(p - mpq(1, 64)),
    )
    pair = [b"\x80"], [b"\x40"]
    assert verify.privacy(make(2, 0.5), *pair, depth=16).refuted


@pytest.mark.parametrize("f", ["0.6", 0.75, 1])
def test_the_map_is_that_of_a_row_times_the_distance(f: Any) -> None:
    for weight in (None, 1, 20):
        row = one(9, f, weight).map(1, exact=True)
        for d_in in (0, 1, 3, 10):
            assert make(9, f, weight).map(d_in, exact=True) == d_in * row
        assert make(9, f, weight, 4).map(7, exact=True) == 4 * row


def test_the_partial_form_and_the_argument() -> None:
    space = dp.vector_domain(dp.bitvector_domain(4, 24), size=9), dp.hamming_distance()
    chained = space >> dp.m.then_randomized_response_bitvec_column(f=0.95)
    assert chained == make(24, 0.95, 4, 9)
    assert chained.output_measure == dp.max_divergence()
    rows = [bytes([0, 8, 12])] * 9
    assert len(chained(rows)) == 9
    assert rows == [bytes([0, 8, 12])] * 9
    assert make(24, 0.95)([]) == []
