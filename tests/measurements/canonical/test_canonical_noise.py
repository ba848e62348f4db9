"""Canonical noise as a measurement: certificates, the map, extremes, and the errata.

The certificates are exact and have no flakiness. They run with floats of a few bits:
among doubles the bit tree would have far too many outcomes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import attrs
import numpy as np
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import FloatFormat, to_double
from opendp_lite.measurements.canonical import canonical_noise
from opendp_lite.measurements.canonical.canonical_sampler import (
    ApproximateTradeoff,
    CanonicalRV,
    PartialSample,
    approximate_to_tradeoff,
)
from opendp_lite.measurements.canonical.truncated_uniform_laplace import (
    TruncatedUniformLaplace,
    truncated_uniform_laplace,
)
from opendp_lite.randomness.entropy import use_source
from opendp_lite.testing import state_flakiness
from opendp_lite.verify.contracts.checks import HashedBits
from tests.longer import shortened
from tests.randomness.canonical_laws import Remembered, noise
from tests.rows import for_each

FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
INTS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FRACTIONS = dp.atom_domain(T=Fraction), dp.absolute_distance(T=Fraction)
ROWS = dp.vector_domain(dp.atom_domain(bounds=(0, 10))), dp.symmetric_distance()
LARGEST = 1.7976931348623157e308
TOYS = [FloatFormat(2, -1, 1), FloatFormat(3, -2, 2), FloatFormat(4, -2, 1)]
PAIRS = [
    *[("1", "0"), ("1/2", "1/8"), ("0", "1/4"), ("1/100", "1/8"), ("2", "1/2")],
    *[("3/2", "1/1000"), ("1/4", "1"), ("0", "1")],
]

# Distances beyond the limit are refused, and one that is not is named.
NAMED = [
    *[(float, "1/10", 0.09999999999999999), (float, "2/3", 0.6666666666666666)],
    *[(float, "5/2", 2.5), (float, "1e-400", 0.0), (float, "1e400", LARGEST)],
    *[(int, "1/3", 0), (int, "5/2", 2), (int, "7", 7), (int, "1e400", int(LARGEST))],
]


def make(d_in: Any = 1, d_out: Any = (1, "1e-6")) -> dp.Measurement:
    return dp.m.make_canonical_noise(*FLOATS, d_in, d_out)


# Certificates


@attrs.frozen
class Drawn:
    """Noise that is drawn by `draw`, in the place of the one for doubles."""

    draw: Callable[[mpq], mpq]

    def sample(self, shift: mpq) -> mpq:
        return self.draw(shift)

    def release(self, x: float) -> float:
        return to_double(self.draw(to_mpq(x)))


@cache
def remembered(shift: mpq, scale: mpq, epsilon: mpq, delta: mpq) -> Remembered:
    """The law, whose quantiles are found once for all trees."""
    tradeoff = ApproximateTradeoff(epsilon, delta)
    return Remembered(CanonicalRV(shift, scale, tradeoff, tradeoff.fixed_point))


def use_inversion(
    monkeypatch: pytest.MonkeyPatch, fmt: FloatFormat, factor: mpq | None = None
) -> None:
    """Round to `fmt`, and draw by inversion: its tree is thin.

    That the other sampler has the same law is certified in
    tests/measurements/canonical/test_truncated_uniform_laplace.py. With a `factor`, the
    scale is changed as well.
    """

    def toy(epsilon: mpq, delta: mpq, scale: mpq) -> Drawn:
        wide = scale * (factor or 1)

        def draw(shift: mpq) -> mpq:
            law = remembered(shift, wide, epsilon, delta)
            return PartialSample(law).rounded(fmt)

        return Drawn(draw)

    monkeypatch.setattr(canonical_noise, "truncated_uniform_laplace", toy)


def use_rejection(monkeypatch: pytest.MonkeyPatch, fmt: FloatFormat) -> None:
    """Round to `fmt`, and change nothing else."""

    def toy(epsilon: mpq, delta: mpq, scale: mpq) -> Drawn:
        true = truncated_uniform_laplace(epsilon, delta, scale)
        return Drawn(lambda shift: true.sample(shift, fmt))

    monkeypatch.setattr(canonical_noise, "truncated_uniform_laplace", toy)


@pytest.mark.parametrize("d_out", PAIRS, ids=str)
# The second is that of the next test.
@pytest.mark.parametrize("fmt", shortened(TOYS, TOYS[1], TOYS[2]), ids=str)
def test_neighbours_are_as_private_as_claimed(
    monkeypatch: pytest.MonkeyPatch, fmt: FloatFormat, d_out: tuple[str, str]
) -> None:
    use_inversion(monkeypatch, fmt)
    # What is certified is a delta within 1/100 of the claim; to the default 1/1000 only
    # in `test_nothing_is_left_over`, as each bit of depth takes its time.
    certificate = verify.privacy(make(1, d_out), 0.25, 1.25, depth=14, cap="1/100")
    assert certificate.claimed_loss == to_mpq(d_out[0])
    assert certificate.claimed_delta == to_mpq(d_out[1])
    certificate.assert_holds()


@pytest.mark.parametrize("d_out", PAIRS, ids=str)
@pytest.mark.parametrize("shift", shortened(["1/3", "9/10", "-1/2"], "9/10", "-1/2"))
def test_less_than_the_distance_costs_no_more(
    monkeypatch: pytest.MonkeyPatch, shift: str, d_out: tuple[str, str]
) -> None:
    use_inversion(monkeypatch, TOYS[1])
    x = Fraction(1, 4)
    pair = float(x), float(x + Fraction(shift))
    measurement = make(1, d_out)
    # Again to 1/100.
    verify.privacy(measurement, *pair, d_in=1, depth=13, cap="1/100").assert_holds()


def test_nothing_is_left_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the distance d_in the pair needs all of epsilon, and all of delta.

    The borders of the pieces lie at halves, where this format rounds.
    """
    use_inversion(monkeypatch, FloatFormat(5, 0, 0))
    pure = verify.privacy(make(1, (1, 0)), 0.0, 1.0, depth=16)
    pure.assert_holds()
    assert pure.needs_epsilon > mpq("0.99")
    # Uniform on (-5/2, 5/2): a shift by 1 leaves 1/5 behind.
    flat = verify.privacy(make(1, (0, "1/5")), 0.0, 1.0, depth=16)
    flat.assert_holds()
    assert flat.certified_delta > mpq(1, 5)
    measurement = make(1, (0, "1/5"))
    left = verify.enumerate_tree(lambda: measurement(0.0), depth=16)
    right = verify.enumerate_tree(lambda: measurement(1.0), depth=16)
    assert left.mass(-2.0) > mpq(199, 1000)
    assert right.mass(-2.0) == 0


@pytest.mark.parametrize("d_out", [("1", "0"), ("0", "1/4"), ("1/2", "1/8")])
def test_less_noise_would_be_detected(
    monkeypatch: pytest.MonkeyPatch, d_out: tuple[str, str]
) -> None:
    use_inversion(monkeypatch, TOYS[1], factor=mpq(3, 4))
    assert verify.privacy(make(1, d_out), 0.25, 1.25, depth=13, runs=120).refuted


@pytest.mark.parametrize("d_out", [("2", "0"), ("2", "1/2"), ("0", "1"), ("1/4", "1")])
def test_the_sampler_that_ships_is_private(
    monkeypatch: pytest.MonkeyPatch, d_out: tuple[str, str]
) -> None:
    """Its tree is thick, because trials are repeated; so delta is certified to 1/50."""
    use_rejection(monkeypatch, TOYS[0])
    measurement = make(1, d_out)
    verify.privacy(
        measurement, 0.0, 1.0, depth=18, runs=2000, cap="1/50"
    ).assert_holds()


# The map


def test_the_map() -> None:
    made = make(2.0, (0.5, 1e-6))
    assert made.map(2.0) == made.map(1e-300) == (0.5, 1e-6)
    assert made.map(0.0) == (0.0, 0.0)
    assert made.output_measure == dp.approximate(dp.max_divergence())
    assert made.check(2.0, (0.5, 1e-6))
    assert not made.check(2.0, (0.5, 1e-7))
    assert not made.check(2.0, (0.4, 1e-6))


@pytest.mark.parametrize("d_in", [2.0000000000000004, 3, math.inf])
def test_beyond_the_distance_there_is_no_guarantee(d_in: float) -> None:
    with pytest.raises(dp.OpenDPException, match=r"at most 2\.0, or make") as caught:
        make(2.0).map(d_in)
    assert caught.value.variant == "FailedMap"


@for_each(("T", "limit", "named"), NAMED)
def test_the_distance_that_a_refusal_names_is_taken(
    T: type, limit: str, named: float
) -> None:
    metric = dp.absolute_distance(T=T)
    made = dp.m.make_canonical_noise(FLOATS[0], metric, limit, (1, 0))
    with pytest.raises(dp.OpenDPException, match="beyond the distance") as caught:
        made.map(math.inf)
    found = T(caught.value.message.split("at most ")[1].split(", or")[0])
    assert (type(found), found) == (T, named)
    assert made.map(found) == ((1.0, 0.0) if found else (0.0, 0.0))


@pytest.mark.parametrize("d_in", [math.nan, -1.0, -math.inf])
def test_what_is_no_distance_is_refused(d_in: float) -> None:
    with pytest.raises(dp.OpenDPException) as caught:
        make(2.0).map(d_in)
    assert caught.value.variant == "InvalidDistance"


def test_a_float_asks_for_the_lesser_of_its_two_readings() -> None:
    epsilon, delta = make(1, (0.1, 0.3)).map(1, exact=True)
    assert (epsilon, delta) == (Fraction(1, 10), Fraction(0.3))
    assert Fraction(0.3) < Fraction(3, 10)
    assert make(1, (0.1, 0.3)).map(1) == (0.1, 0.3)
    assert make(1, ("0.1", "0.3")).map(1, exact=True)[1] == Fraction(3, 10)


@pytest.mark.parametrize("d_in", ["1/3", 0.1, Fraction(1, 10**400), 10**400])
def test_the_noise_is_made_for_the_exact_numbers(
    monkeypatch: pytest.MonkeyPatch, d_in: Any
) -> None:
    asked = []

    def toy(*numbers: mpq) -> Drawn:
        asked.append(numbers)
        return Drawn(lambda shift: shift)

    monkeypatch.setattr(canonical_noise, "truncated_uniform_laplace", toy)
    make(d_in, (0.1, 0.3))
    assert asked == [(mpq(1, 10), to_mpq(0.3), to_mpq(d_in))]


def test_ten_releases_asked_for_as_a_tenth_fit_into_a_budget_of_one() -> None:
    ten = dp.c.make_composition([make(1.0, (0.1, 1e-7))] * 10)
    assert ten.map(1.0) == (1.0, 1e-6)
    assert ten.check(1.0, (1.0, 1e-6))
    assert len(ten(0.5)) == 10


# Data


def test_the_release_is_what_the_sampler_draws() -> None:
    made = make(0.1, (1, 0))
    true = truncated_uniform_laplace(mpq(1), mpq(0), to_mpq(0.1))
    for seed in range(16):
        for x in (0.3, -1e300, 7, True + 1.5):
            with use_source(HashedBits(seed)):
                found = made(x)
            with use_source(HashedBits(seed)):
                expected = true.release(float(x))
            assert found == expected
            assert type(found) is float


# Releases by the code before integers were taken, from the same bits.
RELEASED: list[Any] = [
    ((1.0, (0.5, 1e-6)), [-0.541321984803277, -1e300, 6.5, -0.40145544728728905]),
    (
        ("7/3", (0, "1/8")),
        [-4.80816612791206, -1e300, 9.451014482547746, -8.660501682696063],
    ),
]


@for_each(("given", "expected"), RELEASED)
def test_floats_are_released_as_ever_from_the_same_bits(
    given: Any, expected: list[float]
) -> None:
    made, found = make(*given), []
    for seed, x in enumerate((0.3, -1e300, 7, -0.0)):
        with use_source(HashedBits(seed)):
            found.append(made(x))
    assert found == expected
    assert all(type(each) is float for each in found)


def test_rationals_are_covered() -> None:
    made = make(1, (2, 0))
    assert made.covers_rationals
    for space in (INTS, FRACTIONS):
        own = dp.m.make_canonical_noise(*space, 1, (2, 0))
        assert not own.covers_rationals
    true = truncated_uniform_laplace(mpq(2), mpq(0), mpq(1))
    for seed in range(8):
        with use_source(HashedBits(seed)):
            found = made.function(Fraction(1, 3))
        with use_source(HashedBits(seed)):
            assert found == to_double(true.sample(mpq(1, 3)))


def test_an_infinite_number_stands_for_the_largest_double() -> None:
    made = make(1, (1, 0))
    assert made(math.inf) == LARGEST
    assert made(-math.inf) == -LARGEST
    wide = make(1e308, (0, "0.9"))  # noise of up to 5.6e307
    # Half of the sums are below: all 200 saturate with probability 2^-200.
    state_flakiness(1e-60)
    drawn = {wide(math.inf) for _ in range(200)}
    assert len(drawn) > 1
    assert all(1.2e308 < y <= LARGEST for y in drawn)


def test_without_a_distance_the_number_is_released() -> None:
    made = make(0)
    assert made(0.1) == 0.1
    # The two zeros are at distance 0, so they must look the same.
    assert str(made(-0.0)) == str(made(0.0)) == "0.0"
    assert made.map(0) == (0.0, 0.0)
    with pytest.raises(dp.OpenDPException, match="at most 0"):
        made.map(1e-300)


def test_delta_zero_works() -> None:
    """OpenDP 0.16 ends the whole process here; the law is that of pure privacy."""
    made = make(1.0, (1.0, 0.0))
    assert made.map(1.0) == (1.0, 0.0)
    for seed in range(64):
        with use_source(HashedBits(seed)):
            assert math.isfinite(made(0.0))
    pure = noise("1", "0")
    b = exp(mpq(-1), 128)
    for k in range(6):
        mass = pure.cdf(mpq(2 * k + 1, 2), 128) - pure.cdf(mpq(2 * k - 1, 2), 128)
        stated = (1 - b) / (1 + b) * exp(mpq(-k), 128)
        assert mass.lo <= stated.hi
        assert stated.lo <= mass.hi
        assert mass.width < mpq(1, 2**100)


# Integers


def whole(d_in: Any = 1, d_out: Any = (1, 0)) -> dp.Measurement:
    return dp.m.make_canonical_noise(*INTS, d_in, d_out)


def test_at_distance_one_an_integer_comes_with_geometric_noise() -> None:
    """x + K + V - 1/2 is nearest to x + K: what is rounded is the uniform part."""
    made = whole(1, (1, 0))
    tree = verify.enumerate_tree(lambda: made(5), depth=18)
    b = exp(mpq(-1), 128)
    for k in range(-4, 5):
        stated = (1 - b) / (1 + b) * exp(mpq(-abs(k)), 128)
        found = tree.mass(5 + k)
        assert found <= stated.hi
        assert stated.lo <= found + tree.unresolved
    assert tree.unresolved < mpq(1, 1000)


@pytest.mark.parametrize("d_in", ["5/2", "1/3", "2"])
@pytest.mark.parametrize("d_out", [("1", "1/8"), ("0", "1/4"), ("2", "0")])
def test_an_integer_is_what_the_real_sum_is_nearest_to(
    d_in: str, d_out: tuple[str, str]
) -> None:
    """Both samplers release the cells between the half-integers, ties aside."""
    epsilon, delta, scale = (to_mpq(each) for each in (*d_out, d_in))
    tradeoff = ApproximateTradeoff(epsilon, delta)
    noisy = CanonicalRV(mpq(3), scale, tradeoff, tradeoff.fixed_point)
    law = Remembered(noisy)
    made = whole(d_in, d_out)
    trees = [
        verify.enumerate_tree(lambda: PartialSample(law).nearest_integer(), depth=12),
        verify.enumerate_tree(lambda: made(3), depth=15),
    ]
    for tree in trees:
        assert tree.unresolved < mpq(1, 5)
        for y in range(-2, 9):
            ends = [noisy.cdf(y + side, 128) for side in (mpq(-1, 2), mpq(1, 2))]
            stated = ends[1] - ends[0]
            assert tree.mass(y) <= stated.hi
            assert stated.lo <= tree.mass(y) + tree.unresolved


def test_nothing_is_left_over_of_integers_at_distance_one() -> None:
    pure = verify.privacy(whole(1, (1, 0)), 0, 1, depth=20)
    pure.assert_holds()
    assert pure.needs_epsilon > mpq("0.999")


def test_less_noise_on_integers_would_be_detected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def less(epsilon: mpq, delta: mpq, scale: mpq) -> Any:
        return truncated_uniform_laplace(epsilon, delta, scale * mpq(3, 4))

    monkeypatch.setattr(canonical_noise, "truncated_uniform_laplace", less)
    assert verify.privacy(whole(1, (1, 0)), 0, 1, depth=16).refuted


@pytest.mark.parametrize(
    "x", [0, -7, 10**400 + 3, np.int8(-128), np.int64(2**63 - 1), np.uint64(2**64 - 1)]
)
def test_integers_of_every_size_are_released_exactly(x: Any) -> None:
    """Nothing saturates, and what passes the ends of int64 is a Python int."""
    found = set()
    made, alone = whole(3, (1, 0)), truncated_uniform_laplace(mpq(1), mpq(0), mpq(3))
    for seed in range(16):
        with use_source(HashedBits(seed)):
            y = made(x)
        with use_source(HashedBits(seed)):
            assert y == int(x) + alone.release_integer(0)
        assert type(y) is int
        found.add(y)
    assert len(found) > 4
    assert any(y > int(x) for y in found)


def test_without_a_distance_an_integer_is_released_as_it_is() -> None:
    made = whole(0)
    assert [made(x) for x in (0, -3, 10**400 + 1)] == [0, -3, 10**400 + 1]
    assert made.map(0) == (0.0, 0.0)


class Point:
    """What is no law of noise, so that ties are seen: always the same number."""

    def __init__(self, place: mpq) -> None:
        self.place = place

    def quantile(self, u: mpq, precision: int = 64) -> Enclosure:
        return Enclosure(self.place, self.place)


@for_each(("place", "nearest"), [("1/2", 1), ("-1/2", 0), ("-3/2", -1), ("7/5", 1)])
def test_the_greater_of_two_equally_near_integers_is_taken(
    monkeypatch: pytest.MonkeyPatch, place: str, nearest: int
) -> None:
    at = to_mpq(place)
    assert PartialSample(Point(at)).nearest_integer() == nearest
    monkeypatch.setattr(
        TruncatedUniformLaplace,
        "_draw",
        lambda _, n, d, rounded: rounded(int(at.numerator) + n, int(at.denominator)),
    )
    noise = TruncatedUniformLaplace(mpq(1), mpq(0), mpq(1))
    assert noise.release_integer(0) == nearest


# Pipelines


@pytest.mark.parametrize("d_in", [10, 10.0, "10", Fraction(10)])
def test_a_count_a_sum_and_a_mean_are_followed(d_in: Any) -> None:
    noise = dp.m.then_canonical_noise(d_in=d_in, d_out=(1.0, 1e-7))
    count = ROWS >> dp.t.then_count() >> noise
    total = ROWS >> dp.t.then_sum() >> noise
    sized = dp.vector_domain(dp.atom_domain(bounds=(0.0, 20.0)), size=4), ROWS[1]
    mean = sized >> dp.t.then_mean() >> noise
    floats = dp.vector_domain(dp.atom_domain(bounds=(0.0, 10.0))), ROWS[1]
    reals = floats >> dp.t.then_sum() >> noise
    for made, data, farthest, kind in (
        (count, [1, 2, 3, 4], 10, int),
        (total, [1, 2, 3, 4], 1, int),
        (mean, [1.0, 2.0, 3.0, 4.0], 4, float),
        (reals, [1.0, 2.0, 3.0, 4.0], 1, float),
    ):
        assert type(made(data)) is kind
        assert made.map(farthest) == (1.0, 1e-7)
        assert made.check(farthest, (1.0, 1e-7))
        assert not made.check(farthest, (1.0, 1e-8))
        with pytest.raises(dp.OpenDPException, match="at most 10"):
            made.map(farthest + 2)
        assert "make_canonical_noise.tex" in str(made.explain(farthest))


# Errata of the document that this follows


def test_the_printed_map_asks_about_the_wrong_distance() -> None:
    """It returns (0, 0) if d_in is 0 for the *mechanism*, and d_out at distance 0."""

    def printed(d_in: float, d_out: Any) -> Callable[[float], Any]:
        return lambda d_in_p: (0.0, 0.0) if d_in == 0 else d_out

    assert printed(1.0, (1.0, 1e-6))(0.0) == (1.0, 1e-6)
    assert make(1.0, (1.0, 1e-6)).map(0.0) == (0.0, 0.0)


def test_the_printed_cast_fails_for_an_infinity() -> None:
    """`RBig.try_from(arg)` never fails, it says; the domain without NaN has these."""
    assert FLOATS[0].member(math.inf)
    with pytest.raises(OverflowError):
        math.inf.as_integer_ratio()
    # The handler that is printed takes 0 instead: at infinite distance from inf.
    assert make(1.0, (50.0, 0.0))(math.inf) == LARGEST


@pytest.mark.parametrize("d_out", [(0.0, 0.0), (-1.0, 0.1), (1.0, 1.5)])
def test_the_printed_preconditions_leave_d_out_open(d_out: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="must"):
        approximate_to_tradeoff(d_out)
    with pytest.raises(dp.OpenDPException):
        make(1.0, d_out)


def test_the_printed_map_returns_a_pair() -> None:
    """It is annotated as a float."""
    assert isinstance(make().map(1.0), tuple)
