"""Randomized response on bit vectors: every bit, the length, the map, and OpenDP."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import opendp.prelude as oracle
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.base.errors import OpenDPException
from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.measurements.responses import randomized_response
from opendp_lite.randomness import draws as flips
from opendp_lite.randomness.draws import sample_bernoulli_rational
from opendp_lite.randomness.entropy import use_source
from opendp_lite.testing import state_flakiness
from opendp_lite.verify.contracts.checks import HashedBits
from tests.rows import for_each


def make(size: Any, f: Any, max_weight: Any = None, **more: Any) -> Any:
    domain = dp.bitvector_domain(max_weight=max_weight, size=size)
    return dp.m.make_randomized_response_bitvec(
        domain, dp.discrete_distance(), f, **more
    )


def bits_of(vector: bytes, size: int) -> list[int]:
    """The bits in numpy's order; the padding must be zero."""
    bits = np.unpackbits(np.frombuffer(vector, dtype=np.uint8)).tolist()
    assert not any(bits[size:])
    return list(bits[:size])


@for_each("constant_time", [False, True])
@for_each("size", [0, 1, 3])
def test_the_law_flips_each_bit_independently(size: int, constant_time: bool) -> None:
    measurement = make(size, 0.5, constant_time=constant_time)
    for bits in itertools.product([0, 1], repeat=size):
        x = np.packbits(bits).tobytes() if size else b""
        tree = verify.enumerate_tree(lambda x=x: measurement(x), depth=2 * size)
        assert tree.unresolved == 0
        assert len(tree.masses) == 2**size
        for y in tree.outcomes.values():
            flips = sum(a != b for a, b in zip(bits_of(y, size), bits, strict=True))
            expected = mpq(1, 4) ** flips * mpq(3, 4) ** (size - flips)
            assert tree.mass(y) == expected


@for_each("size", [1, 7, 8, 9, 10])
def test_every_bit_is_randomised_the_last_included(size: int) -> None:
    """At f = 1 each bit of the release is a fair coin, whatever the vector is."""
    for x in (bytes(-(-size // 8)), np.packbits([1] * size).tobytes()):
        tree = verify.enumerate_tree(lambda x=x: make(size, 1)(x), depth=size)
        assert tree.unresolved == 0
        assert len(tree.masses) == 2**size
        assert set(tree.masses.values()) == {mpq(1, 2**size)}
        seen = [bits_of(y, size) for y in tree.outcomes.values()]
        assert all(sum(column) == 2 ** (size - 1) for column in zip(*seen, strict=True))


@pytest.mark.parametrize("spared", [0, 2])
def test_a_bit_that_is_left_alone_is_found(
    monkeypatch: pytest.MonkeyPatch, spared: int
) -> None:
    calls = itertools.count()
    monkeypatch.setattr(
        flips,
        "sample_bernoulli_rational",
        lambda p: next(calls) % 3 != spared and sample_bernoulli_rational(p),
    )
    x2 = np.packbits([i == spared for i in range(3)]).tobytes()

    def whole(x: bytes) -> bytes:
        nonlocal calls
        calls = itertools.count()
        return bytes(measurement.function(x))

    measurement = make(3, 0.5)
    laws = [verify.enumerate_tree(lambda x=x: whole(x), 6) for x in (b"\x00", x2)]
    odds = exp(to_mpq(measurement.map(1, exact=True)), 200).hi
    assert any(
        mass > odds * laws[1].mass(laws[0].outcomes[name])
        for name, mass in laws[0].masses.items()
    )


@pytest.mark.parametrize("size", [8, 9, 1000])
def test_long_vectors_have_the_flips_that_are_drawn(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    some = flips.sample_bit_vectors(mpq(1, 2), size, 1)
    asked = []

    def draw(p: mpq, bits: int, count: int) -> bytes:
        asked.append((p, bits, count))
        return some

    monkeypatch.setattr(randomized_response, "sample_bit_vectors", draw)
    for x in (bytes(len(some)), np.packbits([1, 0, 0, 1] * 250)[: len(some)].tobytes()):
        x = np.packbits(np.unpackbits(np.frombuffer(x, np.uint8))[:size]).tobytes()
        expected = bytes(a ^ b for a, b in zip(x, some, strict=True))
        assert make(size, 0.5)(x) == expected
    assert asked == [(mpq(1, 4), size, 1)] * 2


def test_many_bits_have_the_law() -> None:
    """2^17 bits; an alarm needs a share that is off by 0.01.

    By Hoeffding's bound it has probability at most 4 exp(-2^18 * 0.01**2) < 1e-10, and
    a share that is off by 0.02 is missed with no more.
    """
    state_flakiness("1e-10")
    n = 2**17
    for x, share in ((bytes(n // 8), 0.25), (b"\xff" * (n // 8), 0.75)):
        release = make(n, 0.5)(x)
        assert abs(int.from_bytes(release, "big").bit_count() / n - share) < 0.01


def test_the_length_must_be_in_the_domain() -> None:
    """Vectors of 8 and of 16 bits are at distance 1, and are told apart for sure."""
    for weight in (None, 4):
        with pytest.raises(OpenDPException, match=r"must have a size"):
            make(None, 0.5, weight)
    measurement = make(12, 0.5, 4)
    for x in (b"", bytes(1), bytes(3), b"\x00\x01", b"\xff\x00"):
        with pytest.raises(OpenDPException) as caught:
            measurement(x)
        assert caught.value.variant == "FailedFunction"
    assert {len(measurement(bytes([0, 16]))) for _ in range(20)} == {2}


@pytest.mark.parametrize(
    ("x", "x2", "weight"),
    [([1, 0, 0], [0, 0, 1], 1), ([1, 0, 1], [0, 1, 0], None), ([1, 0], [0, 1], 1)],
)
def test_the_pair_is_as_private_as_claimed_and_no_more(
    x: list[int], x2: list[int], weight: int | None
) -> None:
    left, right = (np.packbits(each).tobytes() for each in (x, x2))
    certificate = verify.privacy(make(len(x), 0.5, weight), left, right, depth=6)
    certificate.assert_holds()
    assert certificate.certified_delta < mpq(1, 10**30)
    assert certificate.claimed_loss - certificate.needs_epsilon < mpq(1, 10**9)


def test_a_hundredth_less_flipping_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        flips,
        "sample_bernoulli_rational",
        lambda p: sample_bernoulli_rational(p - mpq(1, 64)),
    )
    pair = b"\x80", b"\x40"
    assert verify.privacy(make(2, 0.5), *pair, depth=16).refuted


# The map


@for_each(
    ("size", "weight", "f"),
    [(24, 4, 0.95), (8, 1, "1/3"), (8, 5, 0.5), (100, None, 0.999), (9, 2, 1e-300)],
)
def test_epsilon_is_a_multiple_of_the_logarithm_rounded_up(
    size: int, weight: int | None, f: Any
) -> None:
    measurement = make(size, f, weight)
    differing = size if weight is None else min(2 * weight, size)
    odds = ((2 - to_mpq(f)) / to_mpq(f)) ** differing
    epsilon = to_mpq(measurement.map(1, exact=True))
    assert exp(epsilon, 400).lo >= odds
    assert exp(epsilon * (1 - mpq(1, 2**100)), 400).hi <= odds
    shown = measurement.map(1)
    # It is the least double that suffices.
    assert exp(to_mpq(shown), 400).lo >= odds
    assert exp(to_mpq(math.nextafter(shown, 0.0)), 400).hi < odds
    assert measurement.map(0) == 0.0
    assert measurement.map(7) == measurement.map(math.inf) == shown


@pytest.fixture
def _contrib() -> Any:
    oracle.enable_features("contrib")
    yield
    oracle.disable_features("contrib")


@pytest.mark.usefixtures("_contrib")
@pytest.mark.parametrize("f", [0.5, 0.95, 0.1, 0.25, 1e-300, 0.999, 1.0])
def test_the_map_is_opendps_or_smaller_by_its_roundings(f: float) -> None:
    for weight in (0, 1, 4, 8):
        domain = oracle.bitvector_domain(max_weight=weight)
        theirs = oracle.m.make_randomized_response_bitvec(
            domain, oracle.discrete_distance(), f=f
        )
        ours = make(64, f, weight)
        assert ours.map(0) == theirs.map(0)
        assert theirs.map(1) * (1 - 1e-12) <= ours.map(1) <= theirs.map(1)
        # Two vectors of 4 bits cannot differ in 8.
        assert make(4, f, weight).map(1) <= theirs.map(1)
    assert make(4, 0.5, 4).map(1) == make(4, 0.5).map(1) < make(8, 0.5, 4).map(1)


# Random bits, calls and refusals


class Counted(HashedBits):
    """A string of bits that counts how many of them were read."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.read = 0

    def bits(self, count: int) -> int:
        self.read += count
        return super().bits(count)


def test_constant_time_reads_the_same_number_of_bits() -> None:
    for f, each in ((1.0, 1), (0.5, 2), (0.75, 3)):
        measurement = make(12, f, constant_time=True)
        for seed in range(50):
            source = Counted(seed)
            with use_source(source):
                measurement(bytes([seed, 16]))
            assert source.read == 12 * each


def test_the_partial_form_and_the_record() -> None:
    space = dp.bitvector_domain(max_weight=4, size=24), dp.discrete_distance()
    chained = space >> dp.m.then_randomized_response_bitvec(f=0.95)
    assert chained == make(24, 0.95, 4) == make(24, 0.95, 4, constant_time=False)
    assert chained.input_domain == space[0]
    assert chained.output_measure == dp.max_divergence()
    assert chained.map(1) == 0.800667668455861


def test_the_argument_is_not_changed_and_the_release_is_bytes() -> None:
    x = bytes([0, 8, 12])
    release = make(24, Fraction(1, 2))(x)
    assert type(release) is bytes
    assert x == bytes([0, 8, 12])
