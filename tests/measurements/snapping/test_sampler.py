"""One draw of the snapping mechanism: its law, its bits, and its quick path."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from gmpy2 import mpq

from opendp_lite import verify
from opendp_lite.exact.enclosures import exp, ln
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.measurements.snapping import sampler as module
from opendp_lite.measurements.snapping.finite_logarithm import FiniteLogarithm
from opendp_lite.measurements.snapping.lattice import Lattice
from opendp_lite.measurements.snapping.sampler import ExactLogarithm, Snapping
from opendp_lite.randomness.entropy import use_source
from tests.longer import shortened
from tests.randomness.lane_bits import LaneString
from tests.rows import for_each

LATTICES = {
    "plain": Lattice(mpq(-3), mpq(3), mpq(1)),
    "asymmetric": Lattice(mpq(-1, 3), mpq(7, 2), mpq(3, 4)),
    "far": Lattice(mpq(1000), mpq(1003), mpq(101, 100)),
    "one step": Lattice(mpq(0), mpq(1, 10), mpq(5)),
    "tight": Lattice(mpq(-2), mpq(2), mpq(1, 3)),
}


def exact(lattice: Lattice) -> Snapping:
    return Snapping(lattice, ExactLogarithm(lattice.scale))


def probability(lattice: Lattice, offset: mpq, j: int) -> Callable[[int], Enclosure]:
    """P(index = j), from the cumulative function of the Laplace law."""

    def enclose(precision: int) -> Enclosure:
        def cumulative(i: int) -> Enclosure:
            """P(index < i)."""
            if i <= -lattice.last:
                return Enclosure(0, 0)
            if i > lattice.last:
                return Enclosure(1, 1)
            y = ((2 * i - 1) * lattice.step / 2 - offset) / lattice.scale
            tail = exp(-abs(y), precision) * mpq(1, 2)
            return tail if y < 0 else 1 - tail

        return cumulative(j + 1) - cumulative(j)

    return enclose


@for_each("name", LATTICES)
@for_each("place", ["bottom", "middle", "inside", "edge", "top"])
def test_the_law(name: str, place: str) -> None:
    lattice = LATTICES[name]
    offset = {
        "bottom": -lattice.half,
        "middle": mpq(0),
        "inside": lattice.half * mpq(2, 7),
        "edge": min(lattice.step / 2, lattice.half),
        "top": lattice.half,
    }[place]
    snapping = exact(lattice)
    verify.law(
        lambda: snapping.sample(offset),
        lambda j: probability(lattice, offset, j),
        24,
    ).assert_holds()


def test_the_tree_is_thin() -> None:
    lattice = LATTICES["plain"]
    tree = verify.enumerate_tree(lambda: exact(lattice).sample(mpq(1, 3)), depth=40)
    assert tree.paths < 1200
    assert tree.unresolved < mpq(1, 10**9)


@for_each(("prefix", "length"), [(0, 0), (0, 5), (1, 1), (1, 9), (511, 9), (300, 9)])
def test_magnitudes_are_enclosed(prefix: int, length: int) -> None:
    for scale in (mpq(1), mpq(1, 3), mpq(10) ** 40):
        low, high = ExactLogarithm(scale).magnitudes(prefix, length)
        top = -scale * ln(mpq(prefix + 1, 2**length), 200)
        assert 0 <= low <= top.lo
        assert top.lo - low <= scale * mpq(2) ** -(length + 14)
        if prefix == 0:
            assert high == math.inf
        else:
            bottom = -scale * ln(mpq(prefix, 2**length), 200)
            assert bottom.hi <= high


def test_what_is_refused() -> None:
    for scale in (mpq(0), mpq(-1)):
        with pytest.raises(ValueError, match="positive"):
            ExactLogarithm(scale)
    with pytest.raises(ValueError, match="same scale"):
        Snapping(LATTICES["plain"], ExactLogarithm(mpq(2)))


NOISES: dict[str, Callable[[mpq], Any]] = {
    "exact": ExactLogarithm,
    "finite": lambda scale: FiniteLogarithm(scale, 118),
}


def critical_words(lattice: Lattice, x: mpq) -> list[str]:
    """Strings of bits for which x + S M is next to a boundary of the lattice."""
    starts = []
    offset = lattice.offset(x)
    for j in range(-min(lattice.last, 3) + 1, min(lattice.last, 3) + 1):
        distance = (2 * j - 1) * lattice.step / 2 - offset
        u = exp(-abs(distance) / lattice.scale, 300).lo
        sign = "1" if distance < 0 else "0"
        for scaled in (int(u * 2**140),):
            for nudge in (0, 1, -1, 2**77, -(2**77), 2**117, -(2**117), 2**120):
                word = min(max(scaled + nudge, 0), 2**140 - 1)
                starts.append(sign + f"{word:0140b}")
    return starts


# Where a lattice lies has nothing to do with how the logarithm is taken.
@pytest.mark.parametrize(
    ("name", "noise"),
    shortened(
        product(LATTICES, NOISES),
        *((name, "finite") for name in list(LATTICES)[2:]),
        parts=2,
    ),
)
def test_the_quick_path_is_the_slow_one(name: str, noise: str) -> None:
    lattice = LATTICES[name]
    snapping = Snapping(lattice, NOISES[noise](lattice.scale))
    rng = random.Random(4)
    quick = slow = 0
    for i in range(12):
        x = rng.uniform(float(lattice.lower) - 1, float(lattice.upper) + 1)
        x = [x, math.inf, -math.inf, 0.0, -0.0][i % 5 if i > 4 else 0]
        clamped = lattice.clamped(x)
        starts = critical_words(lattice, clamped)
        starts += ["0" * 64, "1" * 64, "0" + "1" * 130, "1" + "0" * 200, "", ""]
        for k, start in enumerate(starts):
            first, second, third = (LaneString((i, k), start) for _ in range(3))
            with use_source(first):
                released = snapping.release(x)
            with use_source(second):
                index = snapping.sample(clamped - lattice.middle)
            with use_source(third):
                rational = snapping.release_rational(clamped)
            assert released == lattice.released(index) == rational
            assert first.position == second.position == third.position
            word = int(LaneString((i, k), start).bits(64))
            n, d = int(clamped.numerator), int(clamped.denominator)
            at_once = snapping._at_once(n, d, word)
            quick += at_once is not None
            slow += at_once is None
            assert at_once in (None, index)
    assert quick > 10
    assert slow > 10


@pytest.mark.parametrize("precision", [4, 8, 12])
def test_coarse_noise_has_no_quick_path(precision: int) -> None:
    """Where the noise is not close to that of the reals, its own ends decide."""
    lattice = LATTICES["plain"]
    snapping = Snapping(lattice, FiniteLogarithm(lattice.scale, precision))
    assert not snapping.noise.close
    misled = 0
    for k, start in enumerate(critical_words(lattice, mpq(1, 3)) * 4):
        first, second = (LaneString(k, start[: 30 + k % 30]) for _ in range(2))
        with use_source(first):
            released = snapping.release_rational(mpq(1, 3))
        with use_source(second):
            index = snapping.sample(mpq(1, 3))
        assert released == lattice.released(index)
        assert first.position == second.position
        word = LaneString(k, start[: 30 + k % 30]).bits(64)
        misled += snapping._at_once(1, 3, word) not in (None, index)
    assert misled > 0


@for_each("name", LATTICES)
def test_rationals_are_clamped_first(name: str) -> None:
    lattice = LATTICES[name]
    snapping = exact(lattice)
    for k in range(40):
        for x, end in ((10**9, lattice.upper), (mpq(-(10**9), 7), lattice.lower)):
            with use_source(LaneString(k)):
                released = snapping.release_rational(mpq(x))
            with use_source(LaneString(k)):
                assert released == snapping.release_rational(end)


@pytest.mark.parametrize("noise", NOISES)
def test_almost_all_draws_are_quick(noise: str) -> None:
    lattice = LATTICES["asymmetric"]
    snapping = Snapping(lattice, NOISES[noise](lattice.scale))
    rng = random.Random(5)
    slow = sum(
        snapping._at_once(1, 3, rng.getrandbits(64)) is None for _ in range(3000)
    )
    assert slow == 0


@pytest.mark.parametrize("scale", [mpq(1, 10**400), mpq(10) ** 400, mpq(5e-324)])
def test_scales_beyond_the_doubles(scale: mpq) -> None:
    lattice = Lattice(mpq(-1), mpq(1), scale)
    snapping = exact(lattice)
    released = {snapping.release(0.25) for _ in range(50)}
    assert released <= ({0.25} if scale < 1 else {-1.0, 0.0, 1.0})


@pytest.mark.parametrize(
    ("change", "value"),
    [("SLACK", 0), ("near_exponential", lambda w, n: None if w == 0 else 2**64)],
)
def test_mutants_of_the_quick_path(
    change: str, value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, change, value)
    with pytest.raises(AssertionError):
        test_the_quick_path_is_the_slow_one("plain", "exact")
