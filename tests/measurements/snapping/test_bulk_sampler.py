"""Arrays of the snapping mechanism: the same bits give what single draws give."""

from __future__ import annotations

import inspect
import math
import random
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.rounding import to_double
from opendp_lite.measurements.snapping import bulk_sampler as bulk_snapping
from opendp_lite.measurements.snapping.bulk_sampler import (
    _indices,
    _Place,
    add_snapping,
)
from opendp_lite.measurements.snapping.finite_logarithm import FiniteLogarithm
from opendp_lite.measurements.snapping.lattice import Lattice
from opendp_lite.measurements.snapping.sampler import ExactLogarithm, Snapping
from opendp_lite.randomness.entropy import use_source
from opendp_lite.randomness.lanes import Array
from opendp_lite.verify.contracts.checks import HashedBits
from tests.longer import shortened
from tests.randomness.lane_bits import assert_lanes_equal_single_draws
from tests.rows import for_each

LATTICES = {
    "plain": Lattice(mpq(-3), mpq(3), mpq(1)),
    "asymmetric": Lattice(mpq(-1, 3), mpq(7, 2), mpq(3, 4)),
    "far": Lattice(mpq(1000), mpq(1003), mpq(101, 100)),
    "one step": Lattice(mpq(0), mpq(1, 10), mpq(5)),
    "fine": Lattice(mpq(-(10**9)), mpq(10**9) + mpq(1, 7), mpq(1, 3)),
    "far and fine": Lattice(10**9 + mpq(1, 3), 10**9 + mpq(351, 7), mpq(1, 3)),
    "exact and fine": Lattice(mpq(0), mpq(2) ** 40, mpq(1, 3)),
    "subnormal bounds": Lattice(mpq(0), mpq(5e-324), mpq(1)),
    "huge": Lattice(mpq(-(10**270)), mpq(10**270), mpq(10) ** 262),
    "long": Lattice(mpq(-40), mpq(40), mpq(1)),
    "least step": Lattice(mpq(-1, 3) / 2**900, mpq(7, 2) / 2**900, mpq(2, 3) / 2**900),
    "greatest step": Lattice(mpq(2) ** 944 * mpq(2, 3), mpq(2) ** 944, mpq(2) ** 900),
    # Doubles decide nothing here.
    "too fine": Lattice(mpq(0), mpq(2) ** 45, mpq(1)),
    "tiny scale": Lattice(mpq(0), mpq(1), mpq(1, 10**300)),
    "subnormal step": Lattice(mpq(0), mpq(5, 2**1030), mpq(1, 2**1030)),
    "huge scale": Lattice(mpq(0), mpq(1), mpq(10) ** 300),
}
NOTHING = {"too fine", "tiny scale", "subnormal step", "huge scale"}
NOISES: dict[str, Callable[[mpq], Any]] = {
    "exact": ExactLogarithm,
    "finite": lambda scale: FiniteLogarithm(scale, 118),
}


def near_boundaries(lattice: Lattice, x: float, rng: random.Random) -> list[str]:
    """Strings of bits for which x + S M is at a boundary, or a little beside it."""
    offset = lattice.clamped(x) - lattice.middle
    starts = []
    here = lattice.index(offset)
    for j in {here + i for i in (-35, -25, -18, -15, -3, -1, 0, 1, 2, 16, 18, 25, 35)}:
        distance = (2 * j - 1) * lattice.step / 2 - offset
        if abs(distance) > 40 * lattice.scale:
            continue
        u = int(exp(-abs(distance) / lattice.scale, 200).lo * 2**130)
        for power in (None, 0, 60, 67, 80, 90, 95, 100, 110):
            nudge = 0 if power is None else rng.choice([-1, 1]) << power
            word = min(max(u + nudge, 0), 2**130 - 1)
            starts.append(("1" if distance < 0 else "0") + f"{word:0130b}")
    return starts


def points(lattice: Lattice) -> list[float]:
    least, greatest = lattice.least, lattice.greatest
    middle = to_double(lattice.middle)
    return [
        *(least, greatest, middle, math.inf, -math.inf, 0.0, -0.0, 1e308, -1e308),
        *(math.nextafter(least, -math.inf), math.nextafter(greatest, math.inf)),
        *(to_double(lattice.middle + lattice.step * k / 4) for k in (-3, -1, 1, 2, 3)),
        least / 3 + greatest / 3,
    ]


# Where a lattice lies has nothing to do with how the logarithm is taken.
PAIRED = [(name, noise) for name in LATTICES for noise in NOISES]
LONGER = [
    *("greatest step", "far and fine", "long", "subnormal bounds", "huge", "fine"),
    *("least step", "asymmetric", "far", "one step", "tiny scale", "subnormal step"),
]


@pytest.mark.parametrize(
    ("name", "noise"),
    shortened(PAIRED, *((name, "finite") for name in LONGER), parts=2),
)
def test_lanes_are_single_draws(name: str, noise: str) -> None:
    lattice = LATTICES[name]
    snapping = Snapping(lattice, NOISES[noise](lattice.scale))
    rng = random.Random(3)
    values, starts = [], []
    for i, x in enumerate(points(lattice)):
        # Every fourth, and others at the next point: most are beyond the bounds.
        some = near_boundaries(lattice, x, rng)[i % 4 :: 4]
        some += ["0" * 64, "1" * 64, "0" + "1" * 130, "1" + "0" * 200, "01" * 40]
        some += ["0" * 23 + "1" * 50, "1" + "0" * 23 + "1" * 50, "0" * 24 + "1", ""]
        values += [x] * len(some)
        starts += some
    x = np.array(values)  # type: ignore[assignment]
    before = x.copy()  # type: ignore[attr-defined]
    if _Place.of(lattice) is None:
        # Then all lanes are single draws.
        for seed in range(3):
            released = []
            with use_source(HashedBits(8 * seed + 4)):
                released.append(snapping.add(x[:40]).tolist())  # type: ignore[index]
            with use_source(HashedBits(8 * seed + 4)):
                released.append([snapping.release(each) for each in values[:40]])
            assert released[0] == released[1]
        assert name in NOTHING
        return
    assert name not in NOTHING

    def array(run: Callable[..., None]) -> Array:
        out = add_snapping(snapping, x, run)  # type: ignore[arg-type]
        assert not np.any((out == 0) & np.signbit(out))
        assert np.all((out >= lattice.least) & (out <= lattice.greatest))
        return out

    alone = assert_lanes_equal_single_draws(
        array, lambda i: snapping.release(values[i]), starts
    )
    assert alone > len(values) // 20
    assert x.tobytes() == before.tobytes()  # type: ignore[attr-defined]


Indices = Callable[[_Place, Array, Array], tuple[Array, Array]]


@cache
def values_and_words(name: str) -> tuple[list[float], list[int]]:
    """Words that lead to boundaries of a lattice, and others."""
    lattice, rng = LATTICES[name], random.Random(8)
    values, words = [], []
    for x in points(lattice):
        for start in [*near_boundaries(lattice, x, rng), "0" * 64, "1" + "0" * 63]:
            values.append(x)
            words.append(int(start[:64], 2))
        for _ in range(20):
            values.append(x)
            words.append(rng.getrandbits(64))
            values.append(x)
            words.append(rng.getrandbits(64) & ~(2**39 - 1 << 25))
    return values, words


def has_wrong_index(indices: Indices) -> bool:
    """Whether a certain index differs from that of the exact arithmetic."""
    for name in ("plain", "asymmetric", "far", "fine", "far and fine", "long"):
        lattice = LATTICES[name]
        place = _Place.of(lattice)
        assert place is not None
        values, words = values_and_words(name)
        snapping = Snapping(lattice, ExactLogarithm(lattice.scale))
        with np.errstate(all="ignore"):
            found, certain = indices(place, np.array(values), np.array(words, "u8"))
        for i in np.flatnonzero(certain):
            offset = lattice.clamped(values[i]) - lattice.middle
            negative, prefix = words[i] >> 63, words[i] & 2**63 - 1
            low, high = snapping.noise.magnitudes(prefix, 63)
            sign = -1 if negative else 1
            if isinstance(high, float):
                return True
            ends = {lattice.index(offset + sign * size) for size in (low, high)}  # type: ignore[arg-type]
            if ends != {int(found[i])}:
                return True
    return False


def test_certain_indices_are_right() -> None:
    assert not has_wrong_index(_indices)


def mutated(old: str, new: str) -> Indices:
    """_indices with another text in one place."""
    text = inspect.getsource(_indices)
    assert text.count(old) == 1
    space = dict(vars(bulk_snapping))
    exec(text.replace(old, new), space)
    found = space["_indices"]
    assert isinstance(found, FunctionType)
    return found


@for_each(
    ("old", "new"),
    [
        ("0.5 - place.slack", "0.5"),  # no slack
        ("0.5 - place.slack", "0.5 - 2.0**-35"),  # none for wide bounds
        ("place.slack", "(place.slack - 2.0**-35)"),  # none for the cells of U
        ("    noise *= place.ratio", "    pass"),
        ("    certain &= u >= _LEAST_U", "    pass"),
        ("-place.last, place.last, out=z", "1 - place.last, place.last - 1, out=z"),
        ("    z -= place.middle", "    z += place.middle"),
        ("words.view(np.float64)", "np.ones(words.size)"),  # the sign lost
    ],
)
def test_mutants_of_the_indices(old: str, new: str) -> None:
    assert has_wrong_index(mutated(old, new))


def test_almost_all_lanes_are_certain() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=100_000)
    words = rng.integers(0, 2**64, 100_000, dtype=np.uint64)
    for name in ("plain", "asymmetric", "far"):
        place = _Place.of(LATTICES[name])
        assert place is not None
        _, certain = _indices(place, x, words)
        assert certain.all()
    fine = _Place.of(LATTICES["exact and fine"])
    assert fine is not None
    _, certain = _indices(fine, x + 2.0**39, words)
    assert certain.mean() > 0.9


def test_numpy_logarithm_is_far_better_than_is_trusted() -> None:
    """At 5,000 doubles of [2^-23, 1]: a smoke test of the trusted part."""
    from opendp_lite.exact.enclosures import ln

    rng = np.random.default_rng(2)
    u = np.exp2(-23 * rng.random(3000))
    u = np.concatenate([u, 1 - np.exp2(-53 * rng.random(2000)), [1.0, 2.0**-23]])
    for each, logarithm in zip(u.tolist(), np.log(u).tolist(), strict=True):
        true = ln(mpq(each), 100)
        assert abs(mpq(logarithm) - true.lo) < mpq(2) ** -46


@for_each("size", [0, 1, 7, 8, 9])
def test_small_arrays(size: int) -> None:
    lattice = LATTICES["plain"]
    snapping = Snapping(lattice, ExactLogarithm(lattice.scale))
    out = snapping.add(np.linspace(-5, 5, size))
    assert out.dtype == np.float64
    assert set(out.tolist()) <= {-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0}


@pytest.mark.parametrize("precision", [4, 12, 95])
def test_coarse_noise_is_not_drawn_by_the_logarithm(precision: int) -> None:
    lattice = LATTICES["asymmetric"]
    snapping = Snapping(lattice, FiniteLogarithm(lattice.scale, precision))
    assert not snapping.noise.close
    values = np.tile(np.linspace(-1, 4, 40), 8)
    with use_source(HashedBits(4)):
        array = snapping.add(values).tolist()
    with use_source(HashedBits(4)):
        offsets = [lattice.clamped(x) - lattice.middle for x in values.tolist()]
        assert array == [lattice.released(snapping.sample(v)) for v in offsets]


def test_arrays_bit_by_bit_are_single_draws() -> None:
    lattice = LATTICES["asymmetric"]
    snapping = Snapping(lattice, FiniteLogarithm(lattice.scale, 5))
    values = np.linspace(-1, 4, 30)
    for seed in range(4):  # single bits
        with use_source(HashedBits(seed)):
            array = snapping.add(values).tolist()
        with use_source(HashedBits(seed)):
            assert array == [snapping.release(x) for x in values.tolist()]


def test_settings_of_numpy_do_not_matter() -> None:
    lattice = LATTICES["plain"]
    snapping = Snapping(lattice, ExactLogarithm(lattice.scale))
    with np.errstate(all="raise"):
        snapping.add(np.array([math.inf, -math.inf, 1e308, 5e-324] * 50))
