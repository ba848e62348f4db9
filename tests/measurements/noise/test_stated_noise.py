"""The noise that a constructor states is the law of its releases, by the bit tree.

The tree enumerates what the shipped code releases. From a stated noise follow an
accuracy, the probability that a release stays near, and the probability that it goes
beyond a number; each is compared with the masses of the tree.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
import pytest
from flint import arb
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import testing
from opendp_lite.base.errors import OpenDPException
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import to_double
from opendp_lite.laws.noise import UNRELEASED, Noise
from opendp_lite.laws.tails import laplace_tail
from opendp_lite.measurements.noise.added_noise import AddedNoise
from opendp_lite.testing import assertions
from opendp_lite.verify import enumerate_tree
from tests.randomness.canonical_laws import noise_of
from tests.rows import for_each

INT = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FLOAT = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
INTS = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
KEYED = (
    dp.map_domain(dp.atom_domain(T=str), INT[0]),
    dp.l01inf_distance(dp.absolute_distance(T=int)),
)
SQUARED = KEYED[0], dp.l02inf_distance(dp.absolute_distance(T=int))
APPROXIMATE = dp.approximate(dp.max_divergence())
RHO = dp.zero_concentrated_divergence()
LEVELS = [mpq(text) for text in ("0.6", "0.3", "0.1", "0.02")]
COARSE = 2.0**54  # doubles are 4 apart from here on, and so there are few of them


def halves(a: Any, precision: int) -> Any:
    """The tradeoff f(a) = max(1 - 2a, (1 - a)/2)."""
    return (max(1 - 2 * a, (1 - a) / 2),) * 2


Case = tuple[Callable[[], Any], Any]
NUMBERS: dict[str, Case] = {
    "laplace": (lambda: dp.m.make_laplace(*INT, 2), 5),
    "laplace on a grid": (lambda: dp.m.make_laplace(*INT, 8, k=2), 5),
    "laplace, floats on a grid": (lambda: dp.m.make_laplace(*FLOAT, 0.5, k=-1), 0.3),
    "gaussian": (lambda: dp.m.make_gaussian(*INT, 2), 5),
    "noise": (lambda: dp.m.make_noise(*INT, dp.max_divergence(), 2), -3),
    "noise, rho": (lambda: dp.m.make_noise(*INT, RHO, 2), -3),
    "geometric": (lambda: dp.m.make_geometric(*INT, 2), 5),
    "geometric, bounds": (lambda: dp.m.make_geometric(*INT, 2, bounds=(0, 6)), 5),
    "geometric, beyond": (lambda: dp.m.make_geometric(*INT, 2, bounds=(0, 6)), 99),
    "snapping": (lambda: dp.m.make_snapping(*FLOAT, 1, (0, 8)), 2.2),
    "snapping, beyond": (lambda: dp.m.make_snapping(*FLOAT, 1, (0, 8)), 99.0),
    "snapping, finite": (
        lambda: dp.m.make_snapping(*FLOAT, 1, (0, 8), precision=118),
        2.5,
    ),
    "canonical": (lambda: dp.m.make_canonical_noise(*INT, 2, (1, "0.1")), 5),
    "canonical, floats": (
        lambda: dp.m.make_canonical_noise(*FLOAT, 6, (1, 0)),
        COARSE,
    ),
    "a vector": (lambda: dp.m.make_laplace(*INTS, 2), [5]),
    "an array": (lambda: dp.m.make_laplace(*INTS, 2), np.array([5])),
    "an array at the end": (
        lambda: dp.m.make_laplace(*INTS, 2),
        np.array([2**63 - 3]),
    ),
}


@pytest.fixture(autouse=True)
def _trusting() -> Any:
    dp.enable_features("contrib", "honest-but-curious")
    yield
    dp.disable_features("contrib", "honest-but-curious")


def masses_of(measurement: Any, data: Any) -> tuple[dict[mpq, mpq], mpq]:
    """The probability of each number that is released, and what is unresolved."""
    tree = enumerate_tree(lambda: measurement(data), depth=22, runs=3000)
    found: dict[mpq, mpq] = {}
    for key, mass in tree.masses.items():
        release = tree.outcomes[key]
        if not isinstance(release, int | float):
            (release,) = release
        found[to_mpq(release)] = found.get(to_mpq(release), mpq(0)) + mass
    assert tree.unresolved < mpq(1, 16)
    return found, tree.unresolved


def gap_above(noise: Noise, release: mpq) -> mpq:
    """From a release to the next number that may be released."""
    if noise.step is not None:
        return noise.step
    return to_mpq(math.nextafter(float(release), math.inf)) - release


def objections(noise: Any, x: mpq, masses: dict[mpq, mpq], lost: mpq) -> list[str]:
    """What the masses say against the noise, where `lost` is unresolved."""
    start = noise.start(x)
    centre = noise.clamp_to_ends(start)
    said = []

    def mass_above(edge: mpq) -> mpq:
        return sum((p for r, p in masses.items() if r > edge), mpq(0))

    def mass_within(middle: mpq, reach: mpq) -> mpq:
        return sum((p for r, p in masses.items() if abs(r - middle) <= reach), mpq(0))

    total = sum(masses.values(), mpq(0))

    for level in LEVELS:
        reach = noise.quantile(level)
        half = mpq(0) if noise.step else gap_above(noise, centre) / 2
        if total - mass_within(centre, reach + half) > level:
            said.append(f"quantile({level}) is too small")
        less = reach - 2 * gap_above(noise, centre)
        clamped = noise.clamp_to_ends(centre - reach) != centre - reach
        clamped |= noise.clamp_to_ends(centre + reach) != centre + reach
        if (
            less > 0
            and not clamped
            and total - mass_within(centre, less) + lost <= level
        ):
            said.append(f"quantile({level}) is too large")
    near = noise.measure_rounding(start)
    for times in (0, 1, 3) if noise.whole else (0,):
        reach = near + times * (noise.step or 0)
        within = noise.enclose_within(start, reach, 256)
        goal = reach if noise.step else abs(to_mpq(to_double(start)) - start)
        found = mass_within(start, goal)
        if not (found <= within.hi and within.lo <= found + lost):
            said.append(f"stays({reach})")
    edges = [r for r in masses if r >= start]
    for edge in sorted(edges)[:5]:
        if noise.ends is not None and edge >= noise.ends[1]:
            break
        tail = noise.tail(edge - start + gap_above(noise, edge) / 2, 256)
        found = mass_above(edge)
        if not (found <= tail.hi and tail.lo <= found + lost):
            said.append(f"tail at {edge}")
    return said


@attrs.frozen
class Scaled(Noise):
    """A noise whose distances are read as if its scale were another: a planted one."""

    true: Noise
    factor: mpq

    def __getattribute__(self, name: str) -> Any:
        if name in ("true", "factor", "tail", "quantile", "enclose_within"):
            return super().__getattribute__(name)
        return getattr(self.true, name)

    def tail(self, distance: mpq, precision: int) -> Any:
        """The tail of the noise, at a distance that was changed."""
        return self.true.tail(distance / self.factor, precision)

    def quantile(self, level: mpq) -> Any:
        """The quantile, changed."""
        return self.true.quantile(level) * self.factor


@pytest.mark.parametrize("name", NUMBERS)
def test_stated_noise_is_that_of_the_releases(name: str) -> None:
    make, data = NUMBERS[name]
    made = make()
    noise, x = made.noise, data
    if not isinstance(data, int | float):
        x = int(data[0])
        noise = noise.in_array() if isinstance(data, np.ndarray) else noise
    masses, lost = masses_of(made, data)
    assert objections(noise, to_mpq(x), masses, lost) == []
    # Each fault is seen: noise of twice the scale, and of half of it.
    for factor in (mpq(2), mpq(1, 2)):
        assert objections(Scaled(noise, factor), to_mpq(x), masses, lost) != []


@for_each(
    "made",
    [
        dp.m.make_laplace_threshold(*KEYED, 2, 40),
        dp.m.make_gaussian_threshold(*SQUARED, 2, 40),
        dp.m.make_noise_threshold(*KEYED, APPROXIMATE, 2, 40),
    ],
)
def test_the_values_of_released_keys_have_the_stated_noise(made: Any) -> None:
    """A value below the threshold is not released; above 42 all of them are."""
    tree = enumerate_tree(lambda: made({"a": 42}), depth=22, runs=3000)
    values = {
        to_mpq(tree.outcomes[key]["a"]): mass
        for key, mass in tree.masses.items()
        if tree.outcomes[key]
    }
    assert min(values) == 40
    noise = made.noise
    assert noise.form == "map"
    for edge in (42, 43, 45):
        beyond = sum((p for r, p in values.items() if r > edge), mpq(0))
        tail = noise.tail(mpq(edge - 42), 256)
        assert beyond <= tail.hi
        assert tail.lo <= beyond + tree.unresolved
    for level in LEVELS:
        reach = noise.quantile(level)
        assert sum(p for r, p in values.items() if abs(r - 42) > reach) <= level


def test_noise_of_a_table_of_unknown_keys_is_that_of_its_vectors() -> None:
    domain = dp.table_domain(
        {"id": dp.atom_domain(T="i64"), "item": dp.atom_domain(T=str)}
    )
    made = dp.m.make_table_threshold(
        domain, dp.symmetric_id_distance("id"), APPROXIMATE, ["item"], {}, [2, 3], 30
    )
    listed, rows = made.noise
    assert listed == dp.m.make_laplace_threshold(*KEYED, 2, 30).noise
    assert rows == dp.m.make_laplace(*INTS, 3).noise
    alone = dp.m.make_table_threshold(
        domain, dp.symmetric_id_distance("id"), APPROXIMATE, ["item"], {}, [2, None], 30
    )
    assert alone.noise == (listed, UNRELEASED)


@for_each(
    "make",
    [
        lambda: dp.m.make_tradeoff_noise(*INT, 2, dp.m.gaussian_tradeoff(1)),
        lambda: dp.m.make_user_tradeoff_noise(*INT, 2, dp.m.user_tradeoff(halves)),
    ],
)
def test_noise_of_a_tradeoff_is_that_of_its_law(make: Callable[[], Any]) -> None:
    """Trees of the releases are compared with these laws in tests of the sampler."""
    noise = make().noise
    law = noise_of(noise.tradeoff)
    assert noise.whole
    assert noise.margins(mpq(5), mpq(1)) == (mpq(3, 2), mpq(3, 2))
    for distance in (mpq(0), mpq(1, 2), mpq(3)):
        exact = law.cdf(-distance / 2, 200)
        tail = noise.tail(distance, 64)
        assert tail.lo <= exact.hi
        assert exact.lo <= tail.hi
        assert tail.width < mpq(1, 2**40)
    for level in LEVELS:
        reach = noise.quantile(level)
        assert 2 * law.cdf(-(reach + mpq(1, 2)) / 2, 200).lo <= level
        less = reach - mpq(1, 2)
        assert less < 0 or 2 * law.cdf(-less / 2, 200).hi > level


@for_each("scale", [6.0, 0.25])
def test_real_noise_is_rounded_to_doubles_that_are_apart(scale: float) -> None:
    """Trees leave too much of it open; the laws are integrated by FLINT here."""
    root = scale * arb(2).sqrt()
    laws: list[tuple[Any, Callable[[int], arb]]] = [
        (dp.m.make_laplace(*FLOAT, scale), lambda d: (-arb(d) / scale).exp() / 2),
        (dp.m.make_gaussian(*FLOAT, scale), lambda d: (arb(d) / root).erfc() / 2),
    ]
    for made, beyond in laws:
        noise = made.noise
        for distance in (0, 2, 6):
            tail = noise.tail(mpq(distance), 128)
            assert float(beyond(distance)) == pytest.approx(float(tail.hi), rel=1e-14)
            assert float(tail.lo) == pytest.approx(float(tail.hi), rel=1e-14)
        assert noise.margins(mpq(COARSE + 4), mpq(0)) == (2, 2)
        stays = noise.enclose_within(mpq(COARSE + 4), mpq(0), 128)
        assert float(stays.hi) == pytest.approx(float(1 - 2 * beyond(2)), rel=1e-14)
        for level in LEVELS:
            reach = noise.quantile(level)
            assert noise.tail(reach, 128).lo * 2 <= level
            assert noise.tail(reach * (1 - mpq(1, 2**40)), 128).hi * 2 > level


def test_the_least_reach_of_a_release_between_steps() -> None:
    """0.3 is rounded to 0.5 before noise is added: a release is 0.2 away at least."""
    noise: Any = dp.m.make_laplace(*FLOAT, 0.5, k=-1).noise
    assert noise.start(mpq("0.3")) == mpq("0.5")
    assert noise.shift == mpq("0.25")
    assert noise.accuracy(mpq(1, 2)) == noise.quantile(mpq(1, 2)) + 0.25


@for_each("bounds", [(-(2**71), -(2**70)), (2**70, 2**71), (-3, 2**70)])
def test_bounds_beyond_int64_in_arrays(bounds: tuple[int, int]) -> None:
    """Both ends are moved into int64, as the releases of an array are."""
    made = dp.m.make_geometric(*INTS, scale=1, bounds=bounds)
    data = np.zeros(3, np.int64)
    release = made(data)
    assert isinstance(made.noise, AddedNoise)
    ends = made.noise.in_array().ends
    assert ends is not None
    low, high = ends
    assert all(low <= int(each) <= high for each in release)
    assert -(2**63) <= low <= high < 2**63
    testing.assert_close(release, data, made, "1e-12")


@attrs.frozen
class Unit(Noise):
    """Laplace noise of a scale, released between 0 and 1."""

    b: mpq

    @property
    def ends(self) -> tuple[mpq, mpq]:
        return mpq(0), mpq(1)

    def tail(self, distance: mpq, precision: int) -> Enclosure:
        return laplace_tail(distance / self.b, precision)

    def quantile(self, level: mpq) -> float:
        return dp.laplacian_scale_to_accuracy(self.b, level)


def test_margins_of_doubles_end_where_the_noise_does() -> None:
    """1 is released for all noise from half a gap below it, however great."""
    noise = Unit(mpq(1))
    gap = mpq(1) - mpq(math.nextafter(1.0, 0.0))
    assert noise.margins(mpq(1), mpq(0)) == (gap / 2, None)
    assert noise.margins(mpq(0), mpq(0))[0] is None
    # No reach allows for rounding where noise beyond it is released as the end.
    made = attrs.evolve(dp.m.make_laplace(*FLOAT, 1), noise=noise)
    with pytest.raises(OpenDPException, match=r"probability 0\.5"):
        testing.assert_noisy(1.0, 1.0, made, "0.25")
    assert assertions._quiet(noise, mpq(1, 2), 0.9) == 0
    assert assertions._quiet(noise, mpq(1, 2), 0.1) > 0  # type: ignore[operator]
