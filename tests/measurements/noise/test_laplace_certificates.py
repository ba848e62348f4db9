"""Bit-tree certificates of the Laplace mechanism.

Every certificate is exact and has no flakiness. `tight` certificates also show that the
pair needs the epsilon that is claimed, up to 1/1000, so less noise than claimed would
be found; the planted mutants at the end are. The tree of real noise is thick, because
trials are accepted or not; so without a grid the certificates here are coarse and of
wider blocks than are shipped, and the tight ones, of the parts of a trial as it is
shipped, are in tests/randomness/test_real_parts.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import attrs
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import FloatFormat, round_nearest, to_double
from opendp_lite.laws.noise import Law
from opendp_lite.measurements.noise import additive
from opendp_lite.randomness.discrete import DiscreteNoise, discrete_noise
from opendp_lite.randomness.table import Table
from opendp_lite.verify import PrivacyCertificate
from tests.longer import shortened
from tests.randomness.integer_noise import sample_discrete_laplace
from tests.randomness.real_laws import thin_noise
from tests.rows import for_each

INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
FRACTIONS = dp.atom_domain(T=Fraction), dp.absolute_distance(T=Fraction)
PAIRS = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)

# Toy floats: 2 to 5 bits of significand, subnormal values, saturation within reach.
TOYS = [
    FloatFormat(2, -1, 1),
    FloatFormat(3, -2, 2),
    FloatFormat(4, -2, 1),
    FloatFormat(5, -3, 0),
]


# The bit tree of real noise takes 8,000 runs, of which `make test` has room for one
# format.
REAL_TOYS = [TOYS[0], pytest.param(TOYS[1], marks=pytest.mark.audit)]


def assert_tight(certificate: PrivacyCertificate, most_unresolved: mpq) -> None:
    certificate.assert_holds()
    assert certificate.unresolved <= most_unresolved
    assert certificate.claimed_loss - certificate.needs_epsilon <= mpq(1, 1000)


def coarse(
    measurement: Any, x: Any, x2: Any, depth: int | None = None
) -> PrivacyCertificate:
    """Certify a delta of at most 1/4 at the claimed epsilon: most of the mass is seen.

    That no more is lost is for the certificates of the parts of a trial to show.
    """
    certificate = verify.privacy(measurement, x, x2, depth=depth or COARSE, cap="1/4")
    certificate.assert_holds()
    assert certificate.unresolved < mpq(1, 6)
    return certificate


@pytest.fixture(autouse=True, scope="module")
def _decided_once() -> Iterator[None]:
    """A tree asks a table the same questions again and again; answers are kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Table, "decide", cache(Table.decide))
        yield


COARSE = 15  # bits, for the trees of real noise
UNCHANGED = mpq(1)


@attrs.frozen
class Rounded:
    """Real noise that `noisy` adds to a number, in the place of the one for doubles."""

    noisy: Callable[[mpq], mpq]

    def draw(self, n: int, d: int, rounded: Callable[[int, int], float]) -> float:
        value = self.noisy(mpq(n, d))
        return rounded(int(value.numerator), int(value.denominator))

    def release(self, x: float) -> float:
        return to_double(self.noisy(to_mpq(x)))

    def releases(self, values: list[float]) -> list[float]:
        return [self.release(x) for x in values]


def use_toy_floats(
    monkeypatch: pytest.MonkeyPatch, fmt: FloatFormat, factor: mpq = UNCHANGED
) -> None:
    """Let the mechanism round to `fmt` instead of to doubles, with wider blocks.

    Among doubles the bit tree would have far too many outcomes. With a `factor`, the
    scale is changed as well.
    """

    def toy(law: Law, scale: mpq) -> Rounded:
        true = thin_noise(law, scale * factor)
        return Rounded(lambda shift: true.sample(shift, fmt))

    monkeypatch.setattr(additive, "real_noise", toy)


# Integers


@for_each("distance", [1, 2])
@for_each("scale", ["1/2", 1, 2.5])
def test_integers_are_as_private_as_claimed_and_no_more(
    scale: Any, distance: int
) -> None:
    measurement = dp.m.make_laplace(*INTEGERS, scale=scale)
    certificate = verify.privacy(measurement, 7, 7 - distance, depth=24)
    assert certificate.claimed_loss == distance / to_mpq(scale)
    assert_tight(certificate, mpq(1, 10**4))


def test_integers_of_any_size_have_the_law_of_small_ones() -> None:
    measurement = dp.m.make_laplace(*INTEGERS, scale=1)
    small = verify.enumerate_tree(lambda: measurement(0), depth=20)
    shift = -(10**40)
    large = verify.enumerate_tree(lambda: measurement(shift), depth=20)
    assert small.unresolved == large.unresolved
    assert len(small.masses) == len(large.masses) > 10
    for outcome in small.outcomes.values():
        assert large.mass(shift + outcome) == small.mass(outcome)


def test_a_tiny_scale_leaves_almost_everything_in_place() -> None:
    # e^-8 of noise is still there; e^-100 is below any depth.
    assert_tight(
        verify.privacy(dp.m.make_laplace(*INTEGERS, scale="1/8"), 0, 1, depth=36),
        mpq(1, 10**8),
    )
    for scale in ("1/100", 5e-324, "1e-1000"):
        measurement = dp.m.make_laplace(*INTEGERS, scale=scale)
        tree = verify.enumerate_tree(lambda m=measurement: m(3), depth=40)
        assert list(tree.outcomes.values()) == [3]
        assert tree.unresolved < mpq(1, 10**10)


def independent_entries(release: list[int]) -> Callable[[int], Enclosure]:
    """The probability of a release of [3, -4] under independent noise of scale 1/2."""
    distance = abs(release[0] - 3) + abs(release[1] + 4)

    def enclose(precision: int) -> Enclosure:
        q = exp(mpq(-2), precision)
        single = (1 - q) / (1 + q)
        return single * single * exp(mpq(-2 * distance), precision)

    return enclose


def test_the_vector_of_two_has_independent_noise_of_the_stated_law() -> None:
    measurement = dp.m.make_laplace(*PAIRS, scale="1/2")
    certificate = verify.law(lambda: measurement([3, -4]), independent_entries, 20)
    certificate.assert_holds()
    assert certificate.outcomes > 50


@pytest.mark.parametrize(
    ("other", "needed"),
    [
        # Both entries differ in the last one.
        pytest.param([1, 0], "1.97", marks=pytest.mark.audit),
        pytest.param([0, -1], "1.97", marks=pytest.mark.audit),
        ([1, -1], "3.7"),
    ],
)
def test_a_vector_is_as_private_as_claimed(other: list[int], needed: str) -> None:
    measurement = dp.m.make_laplace(*PAIRS, scale="1/2")
    certificate = verify.privacy(measurement, [0, 0], other, depth=24)
    assert certificate.claimed_loss == 2 * sum(map(abs, other))
    certificate.assert_holds()
    assert certificate.unresolved < mpq(1, 10_000)
    assert certificate.needs_epsilon > to_mpq(needed)


# The grid of multiples of 2^k

# One that is finer than 1, 1 itself, and one that is coarser.
GRIDS = shortened(range(-2, 4), -1, 1, 2)


@pytest.mark.parametrize("k", GRIDS)
def test_floats_on_a_grid(k: int) -> None:
    grid = 2.0**k
    measurement = dp.m.make_laplace(*FLOATS, scale=grid, k=k)
    below = math.nextafter(grid / 2, 0.0)
    # The nearest floats on two sides of a boundary are a whole grid step apart.
    crossing = verify.privacy(measurement, below, grid / 2, depth=24)
    assert crossing.claimed_loss == 1
    assert_tight(crossing, mpq(1, 10**4))
    # 1.25 grid steps can become 2.
    wide = verify.privacy(measurement, -0.625 * grid, 0.625 * grid, depth=24)
    assert wide.claimed_loss == 2
    assert_tight(wide, mpq(1, 10**4))


@pytest.mark.parametrize("k", GRIDS)
def test_fractions_on_a_grid(k: int) -> None:
    grid = Fraction(2) ** k
    measurement = dp.m.make_laplace(*FRACTIONS, scale=grid, k=k)
    x, x2 = grid / 2 - Fraction(1, 10**30), grid / 2
    certificate = verify.privacy(measurement, x, x2, depth=24)
    assert certificate.claimed_loss == 1
    assert_tight(certificate, mpq(1, 10**4))


@pytest.mark.parametrize("k", GRIDS)
def test_a_release_on_a_grid_tells_nothing_but_the_nearest_multiple(k: int) -> None:
    grid = Fraction(2) ** k
    measurement = dp.m.make_laplace(*FRACTIONS, scale=grid, k=k)
    laws = [
        verify.enumerate_tree(lambda x=x: measurement(x), depth=16)
        for x in (grid / 3, grid / 7, Fraction(0))
    ]
    assert laws[0] == laws[1] == laws[2]
    for outcome in laws[0].outcomes.values():
        assert type(outcome) is float
        assert (Fraction(outcome) / grid).denominator == 1


@for_each("k", range(4))
def test_integers_on_a_grid(k: int) -> None:
    measurement = dp.m.make_laplace(*INTEGERS, scale=2**k, k=k)
    x = -(2**k // 2) - 1 if k else 0
    certificate = verify.privacy(measurement, x, x + 1, depth=24)
    assert certificate.claimed_loss == 1
    assert_tight(certificate, mpq(1, 10**4))
    outcomes = verify.enumerate_tree(lambda: measurement(x), depth=16).outcomes
    assert {type(y) for y in outcomes.values()} == {int}
    assert {y % 2**k for y in outcomes.values()} == {0}


def test_a_sized_vector_on_a_grid() -> None:
    domain = dp.vector_domain(dp.atom_domain(T=float, nan=False), size=2)
    measurement = dp.m.make_laplace(domain, dp.l1_distance(T=float), "1/2", k=0)
    below = math.nextafter(0.5, 0.0)
    certificate = verify.privacy(measurement, [below, below], [0.5, 0.5], depth=24)
    assert certificate.claimed_loss == 4
    certificate.assert_holds()
    assert certificate.needs_epsilon > to_mpq("3.7")


# Floats and rationals without a grid


@pytest.mark.parametrize(
    ("scale", "depth"),
    [("1/2", COARSE), pytest.param("5/2", 18, marks=pytest.mark.audit)],
)
@pytest.mark.parametrize("fmt", REAL_TOYS)
def test_toy_floats_lose_d_in_over_scale(
    monkeypatch: pytest.MonkeyPatch, fmt: FloatFormat, scale: Any, depth: int
) -> None:
    use_toy_floats(monkeypatch, fmt)
    measurement = dp.m.make_laplace(*FLOATS, scale=scale)
    certificate = coarse(measurement, -0.25, 0.75, depth)
    assert certificate.claimed_loss == 1 / to_mpq(scale)
    assert certificate.needs_epsilon > certificate.claimed_loss / 3


@pytest.mark.parametrize(
    ("x", "x2", "depth"),
    [
        pytest.param(Fraction(1, 3), Fraction(4, 3), 18, marks=pytest.mark.audit),
        pytest.param(Fraction(1, 10**30), Fraction(-1, 7), 18, marks=pytest.mark.audit),
        # A boundary between two values of the format, and a number next to it.
        (Fraction(9, 8), Fraction(9, 8) + Fraction(1, 10**9), COARSE),
        # Past the largest value, where sums saturate.
        pytest.param(Fraction(29), Fraction(59, 2), 18, marks=pytest.mark.audit),
        pytest.param(Fraction(27), Fraction(1000), 20, marks=pytest.mark.audit),
    ],
)
def test_rationals_are_covered(
    monkeypatch: pytest.MonkeyPatch, x: Fraction, x2: Fraction, depth: int
) -> None:
    use_toy_floats(monkeypatch, TOYS[1])
    measurement = dp.m.make_laplace(*FRACTIONS, scale=1)
    certificate = coarse(measurement, x, x2, depth)
    assert certificate.claimed_loss == to_mpq(abs(x - x2))


def test_the_law_of_a_toy_release_is_that_of_a_rounded_real_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fmt = TOYS[1]
    use_toy_floats(monkeypatch, fmt)
    scale, shift = mpq(3, 2), mpq(1, 3)
    measurement = dp.m.make_laplace(*FRACTIONS, scale="3/2")
    values = sorted(
        {
            sign * round_nearest(mpq(m) * mpq(2) ** e, fmt)
            for sign in (1, -1)
            for m in range(8)
            for e in range(-2, 3)
        }
    )

    def cumulative(at: mpq, precision: int) -> Enclosure:
        """P(shift + scale Y <= at)."""
        tail = exp(-abs(at - shift) / scale, precision) / 2
        return tail if at <= shift else 1 - tail

    def probability(release: float) -> Callable[[int], Enclosure]:
        place = values.index(to_mpq(release))

        def enclose(precision: int) -> Enclosure:
            below, above = Enclosure(0, 0), Enclosure(1, 1)
            if place > 0:
                middle = (values[place - 1] + values[place]) / 2
                below = cumulative(middle, precision)
            if place < len(values) - 1:
                middle = (values[place] + values[place + 1]) / 2
                above = cumulative(middle, precision)
            return above - below

        return enclose

    # Every outcome has its probability up to 1/6: a whole tree would take too long.
    certificate = verify.law(
        lambda: measurement(Fraction(1, 3)), probability, COARSE, cap="1/6"
    )
    certificate.assert_holds()
    assert certificate.outcomes > 30


def test_doubles_with_a_huge_scale_saturate_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(additive, "real_noise", thin_noise)
    # The real format can be enumerated where almost every sum saturates.
    measurement = dp.m.make_laplace(*FLOATS, scale=10**320)
    certificate = coarse(measurement, -1.7e308, 1.7e308)
    assert certificate.claimed_loss == to_mpq(1.7e308) * 2 / 10**320
    outcomes = verify.enumerate_tree(lambda: measurement(0.0), depth=12).outcomes
    largest = 1.7976931348623157e308
    assert sorted(outcomes.values()) == [-largest, largest]


@pytest.mark.parametrize("scale", shortened([5e-324, 1e-30, "1e-1000"], 1e-30, 5e-324))
def test_a_tiny_scale_releases_the_float_itself(
    monkeypatch: pytest.MonkeyPatch, scale: Any
) -> None:
    monkeypatch.setattr(additive, "real_noise", thin_noise)
    measurement = dp.m.make_laplace(*FLOATS, scale=scale)
    tree = verify.enumerate_tree(lambda: measurement(0.1), depth=COARSE)
    assert list(tree.outcomes.values()) == [0.1]
    assert tree.unresolved < mpq(1, 6)


# No noise


@for_each(
    ("space", "x", "x2", "k"),
    [
        (INTEGERS, 3, 3, None),
        (FLOATS, 0.0, -0.0, None),
        (FLOATS, 2, 2.0, None),
        (FLOATS, 0.0, -0.0, -3),
        (FLOATS, math.inf, math.inf, None),
        (FRACTIONS, Fraction(2), 2, None),
        (FRACTIONS, Fraction(2), 2, 1),
    ],
)
@for_each("scale", [0, "1/4"])
def test_equal_numbers_are_released_alike(
    space: Any, x: Any, x2: Any, k: int | None, scale: Any
) -> None:
    measurement = dp.m.make_laplace(*space, scale=scale, k=k)
    if not scale:
        certificate = verify.privacy(measurement, x, x2, depth=8)
        assert certificate.claimed_loss == 0
        assert certificate.certified_delta == 0
        certificate.assert_holds()
    laws = [
        verify.enumerate_tree(lambda value=value: measurement(value), depth=8)
        for value in (x, x2)
    ]
    assert laws[0] == laws[1]


def test_without_noise_nothing_is_claimed() -> None:
    measurement = dp.m.make_laplace(*INTEGERS, scale=0)
    certificate = verify.privacy(measurement, 3, 4, depth=8)
    assert certificate.claimed_loss == math.inf
    assert certificate.needs_epsilon == math.inf


# Chains: an exact rational enters where floats are due


def test_rationals_may_come_from_a_transformation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_toy_floats(monkeypatch, TOYS[1])
    bounded = dp.vector_domain(dp.atom_domain(bounds=(0.0, 1.0)), size=2)
    total = dp.t.make_sum(bounded, dp.symmetric_distance())
    assert total.output_domain.T is Fraction  # type: ignore[attr-defined]
    noise = dp.m.make_laplace(*FLOATS, scale=1)
    assert noise.covers_rationals
    noisy = total >> noise
    # The chain releases the exact sum, and no double near it, as the noise alone does;
    # what that loses is certified above.
    exact, near = Fraction(0.1) + Fraction(0.2), 0.1 + 0.2
    assert exact != Fraction(near)
    laws = [
        verify.enumerate_tree(draw, depth=12)
        for draw in (lambda: noisy([0.1, 0.2]), lambda: noise.function(exact))
    ]
    assert laws[0] == laws[1]
    assert len(laws[0].masses) > 10
    assert noisy.map(2) == 1


@pytest.mark.audit
def test_a_chain_of_rationals_is_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    use_toy_floats(monkeypatch, TOYS[1])
    bounded = dp.vector_domain(dp.atom_domain(bounds=(0.0, 1.0)), size=2)
    total = dp.t.make_sum(bounded, dp.symmetric_distance())
    noisy = total >> dp.m.make_laplace(*FLOATS, scale=1)
    certificate = coarse(noisy, [0.1, 0.2], [1.0, 0.2], 18)
    assert certificate.claimed_loss == 1
    assert certificate.needs_epsilon > mpq(1, 2)


def test_rationals_are_not_taken_for_multiples_of_the_least_double() -> None:
    on_grid = dp.m.make_laplace(*FLOATS, scale=1, k=-1074)
    assert not on_grid.covers_rationals
    bounded = dp.vector_domain(dp.atom_domain(bounds=(0.0, 1.0)), size=2)
    total = dp.t.make_sum(bounded, dp.symmetric_distance())
    with pytest.raises(dp.OpenDPException, match="DomainMismatch"):
        total >> on_grid
    # Built for the rationals themselves, the grid is coarser than they are.
    noisy = total >> dp.m.then_laplace(scale=1, k=-1)
    assert noisy.map(2) == 1.0


# Planted mutants: each must be found


def noise_times(factor: mpq) -> Callable[[Law, mpq], DiscreteNoise]:
    return lambda law, scale: discrete_noise(law, scale * factor)


@pytest.mark.parametrize("distance", [1, 2])
@pytest.mark.parametrize("scale", ["1/2", 1, "5/2"])
def test_one_percent_less_noise_on_integers_is_found(
    monkeypatch: pytest.MonkeyPatch, scale: Any, distance: int
) -> None:
    monkeypatch.setattr(additive, "discrete_noise", noise_times(mpq(99, 100)))
    measurement = dp.m.make_laplace(*INTEGERS, scale=scale)
    assert verify.privacy(measurement, 0, distance, depth=24).refuted


# The format with fewer values needs a tree of twice the size.
@pytest.mark.parametrize(
    ("fmt", "depth"), shortened([(TOYS[0], 17), (TOYS[1], 16)], (TOYS[0], 17), parts=2)
)
def test_half_the_noise_on_floats_is_found(
    monkeypatch: pytest.MonkeyPatch, fmt: FloatFormat, depth: int
) -> None:
    use_toy_floats(monkeypatch, fmt, mpq(1, 2))
    measurement = dp.m.make_laplace(*FLOATS, scale=1)
    assert verify.privacy(measurement, -0.25, 0.75, depth=depth).refuted


def test_rounding_of_ties_to_even_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    # 0.5 and 1.5 would go to 0 and 2: two steps at a distance of one.
    monkeypatch.setattr(
        additive, "nearest_multiple", lambda x, k: round(Fraction(x) / Fraction(2) ** k)
    )
    measurement = dp.m.make_laplace(*FLOATS, scale=1, k=0)
    assert verify.privacy(measurement, 0.5, 1.5, depth=24).refuted


def test_noise_on_a_grid_that_the_data_is_not_on_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A rational that was not rounded first shows through modulo the grid.
    def unrounded(law: Law, scale: mpq) -> Rounded:
        steps = discrete_noise(law, scale * 64)
        return Rounded(lambda shift: shift + steps.sample() / mpq(64))

    monkeypatch.setattr(additive, "real_noise", unrounded)
    measurement = dp.m.make_laplace(*FRACTIONS, scale="1/16")
    certificate = verify.privacy(measurement, Fraction(0), Fraction(1, 128), depth=20)
    assert certificate.refuted


def test_shared_noise_in_a_vector_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    class Shared:
        def sample(self) -> int:
            if not drawn:
                drawn.append(sample_discrete_laplace(mpq(1, 2)))
            return drawn[0]

        def add_to_list(self, values: list[int]) -> list[int]:
            return [x + self.sample() for x in values]

    def release() -> list[int]:
        drawn.clear()
        return measurement([3, -4])

    monkeypatch.setattr(additive, "discrete_noise", lambda law, scale: Shared())
    measurement = dp.m.make_laplace(*PAIRS, scale="1/2")
    assert verify.law(release, independent_entries, 20).refuted
