"""make_tradeoff_noise and make_user_tradeoff_noise: law, privacy, map, refusals.

The certificates are exact and have no flakiness. They run on toy formats of floats, on
which the bit tree of a release is small.
"""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.intervals import upper_bound
from opendp_lite.exact.rounding import FloatFormat
from opendp_lite.laws.location import GaussianTradeoff
from opendp_lite.laws.tradeoff_profiles import delta_at
from opendp_lite.measurements.canonical import canonical_sampler as canonical
from opendp_lite.measurements.canonical import tradeoff_noise
from opendp_lite.measurements.canonical.canonical_sampler import (
    ApproximateTradeoff,
    CanonicalRV,
)
from opendp_lite.randomness.entropy import use_source
from opendp_lite.verify.contracts.checks import HashedBits
from opendp_lite.verify.divergences import hockey_stick
from opendp_lite.verify.tree import Tree
from tests.measurements.canonical.test_canonical_noise import NAMED
from tests.rows import for_each

FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
INTS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
TOY = FloatFormat(2, -2, 1)
DEPTH = 11
EPSILONS = [mpq(0), mpq(1, 4), mpq(1), mpq(3)]
LARGEST = 1.7976931348623157e308


def halves(a: Fraction, precision: int) -> Any:
    """(epsilon, delta) with e^epsilon = 2 and delta = 1/8."""
    f = max(0, Fraction(7, 8) - 2 * a, (Fraction(7, 8) - a) / 2)
    return f, f


def make(tradeoff: Any, d_in: Any = 1, space: Any = FLOATS) -> Any:
    if isinstance(tradeoff, dp.m.user_tradeoff(halves).__class__):
        return dp.m.make_user_tradeoff_noise(*space, d_in, tradeoff)
    return dp.m.make_tradeoff_noise(*space, d_in, tradeoff)


pytestmark = pytest.mark.usefixtures("honest")


quantile, of_noise = cache(CanonicalRV.quantile), CanonicalRV._lower_quantile


@cache
def of_unit_noise(tradeoff: Any, fixed_point: Any, u: mpq, precision: int) -> Any:
    unit = CanonicalRV(mpq(0), mpq(1), tradeoff, fixed_point)
    return of_noise(unit, u, precision)


def lower_quantile(law: CanonicalRV, u: mpq, precision: int) -> Any:
    return of_unit_noise(law.tradeoff, law.fixed_point, u, precision)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Round to the toy format; all paths of a tree begin with the same quantiles.

    Those of the noise itself are found once, wherever it is moved and scaled to.
    """
    monkeypatch.setattr(canonical, "BINARY64", TOY)
    monkeypatch.setattr(CanonicalRV, "quantile", quantile)
    monkeypatch.setattr(CanonicalRV, "_lower_quantile", lower_quantile)


def trees(measurement: Any, x: float, x2: float) -> tuple[Tree, Tree]:
    left, right = (
        verify.enumerate_tree(lambda value=value: measurement(value), DEPTH)
        for value in (x, x2)
    )
    assert max(left.unresolved, right.unresolved) < mpq(1, 50)
    return left, right


def excess(left: Tree, right: Tree, epsilon: mpq) -> tuple[mpq, mpq]:
    """Bounds on the least delta of a pair of laws at epsilon, in the worse order."""
    factor = upper_bound(lambda precision: exp(epsilon, precision), 128)
    lows, highs = [], []
    for p, q in ((left, right), (right, left)):
        found = hockey_stick(p.masses, q.masses, epsilon)
        highs.append(found + p.unresolved)
        lows.append(found - factor * q.unresolved)
    return max(lows), max(highs)


TRADEOFFS = {
    "gaussian": dp.m.gaussian_tradeoff(1),
    "laplace": dp.m.laplace_tradeoff(1),
    "laplace large": dp.m.laplace_tradeoff(4),
    "halves": dp.m.user_tradeoff(halves),
}
by_tradeoff = pytest.mark.parametrize("name", TRADEOFFS)
# The first pair has a boundary of rounding in the middle.
PAIRS = [(-0.375, 0.625, 1), (0.5, 0.75, "1/4"), (-1.5, 0.5, 2)]


# Privacy


@by_tradeoff
def test_neighbours_are_as_close_as_f_says(toy: None, name: str) -> None:
    tradeoff = TRADEOFFS[name]
    for x, x2, d_in in PAIRS:
        measurement = make(tradeoff, d_in)
        left, right = trees(measurement, x, x2)
        delta = measurement.map(d_in, exact=True)
        for epsilon in EPSILONS:
            least, most = excess(left, right, epsilon)
            claimed = mpq(delta(epsilon))
            assert least <= claimed
            factor = upper_bound(lambda p, e=epsilon: exp(e, p), 128)
            slack = left.unresolved + right.unresolved
            assert most <= claimed + slack * (1 + factor)


@by_tradeoff
def test_smaller_distances_are_covered_by_the_same_curve(toy: None, name: str) -> None:
    measurement = make(TRADEOFFS[name])
    delta = measurement.map("0.3", exact=True)
    left, right = trees(measurement, 0.25, 0.5)
    for epsilon in EPSILONS:
        assert excess(left, right, epsilon)[0] <= delta(epsilon)


@by_tradeoff
def test_nothing_is_left_over_at_the_full_distance(toy: None, name: str) -> None:
    # The best test at epsilon = 0 is a threshold in the middle.
    measurement = make(TRADEOFFS[name])
    left, right = trees(measurement, -0.375, 0.625)
    claimed = mpq(measurement.map(1, exact=True)(0))
    assert excess(left, right, mpq(0))[1] >= claimed


@by_tradeoff
def test_a_little_less_noise_is_found(
    toy: None, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def less(shift: mpq, scale: mpq, *rest: Any) -> CanonicalRV:
        return CanonicalRV(shift, scale * mpq(9, 10), *rest)

    monkeypatch.setattr(tradeoff_noise, "CanonicalRV", less)
    measurement = make(TRADEOFFS[name])
    left, right = trees(measurement, -0.375, 0.625)
    delta = measurement.map(1, exact=True)
    assert any(excess(left, right, e)[0] > delta(e) for e in EPSILONS)


def test_a_profile_that_is_too_small_is_found(
    toy: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        tradeoff_noise, "delta_at", lambda f, e: delta_at(f, e) * mpq(97, 100)
    )
    measurement = make(dp.m.laplace_tradeoff(1))
    left, right = trees(measurement, -0.375, 0.625)
    assert excess(left, right, mpq(0))[0] > measurement.map(1, exact=True)(0)


# The map


def test_the_map_is_the_profile() -> None:
    delta = make(dp.m.gaussian_tradeoff(1), 2).map(2)
    assert delta(0) == 0.38292492254802624
    assert delta("1") == 0.12693673750664397
    assert delta(math.inf) == 0
    assert make(dp.m.laplace_tradeoff(1), 2).map(2)(1.0) == 0
    assert make(dp.m.laplace_tradeoff(1), 2).map(0.5)(0) == 0.39346934028736663


def test_the_map_at_0_and_beyond() -> None:
    measurement = make(dp.m.gaussian_tradeoff(1), 2)
    assert measurement.map(0)(0) == 0
    with pytest.raises(dp.OpenDPException, match="beyond the distance") as caught:
        measurement.map(2.0000001)
    assert caught.value.variant == "FailedMap"
    assert "at most 2.0" in caught.value.message
    with pytest.raises(dp.OpenDPException, match="beyond"):
        measurement.map(math.inf)
    still = make(dp.m.gaussian_tradeoff(1), 0)
    assert still.map(0)(0) == 0
    with pytest.raises(dp.OpenDPException, match="beyond"):
        still.map("1e-300")


@for_each("name", ["gaussian", "halves"])
@for_each(("T", "limit", "named"), NAMED)
def test_the_distance_that_a_refusal_names_is_taken(
    name: str, T: type, limit: str, named: float
) -> None:
    space = FLOATS[0], dp.absolute_distance(T=T)
    measurement = make(TRADEOFFS[name], limit, space)
    with pytest.raises(dp.OpenDPException, match="beyond the distance") as caught:
        measurement.map(math.inf)
    found = T(caught.value.message.split("at most ")[1].split(", or")[0])
    assert (type(found), found) == (T, named)
    assert measurement.map(found)(math.inf) <= 1


def test_curves_are_not_compared() -> None:
    with pytest.raises(dp.OpenDPException, match="curves"):
        make(dp.m.gaussian_tradeoff(1)).check(1, lambda epsilon: 1)
    with pytest.raises(dp.OpenDPException, match="at least 0"):
        make(dp.m.gaussian_tradeoff(1)).map(1)(-1)


# Releases


def test_edges_of_the_data() -> None:
    measurement = make(dp.m.laplace_tradeoff(1))
    assert measurement(math.inf) == LARGEST
    assert measurement(-math.inf) == -LARGEST
    # Of the noise at this distance a part below 1e-90 stays within the doubles.
    assert make(dp.m.laplace_tradeoff(1), 10**400)(0.0) in (LARGEST, -LARGEST)
    for x, released in [(0.1, 0.1), (-0.0, 0.0), (math.inf, LARGEST), (7, 7.0)]:
        found = make(dp.m.gaussian_tradeoff(1), 0)(x)
        assert type(found) is float
        assert math.copysign(1, found) == math.copysign(1, released)
        assert found == released


# Releases by the code before integers were taken, from the same bits.
RELEASED: list[Any] = [
    (
        (dp.m.gaussian_tradeoff(1), 1.0),
        [-0.13785410201233678, -1e300, -7.213491618129873, 14.18116252023156],
    ),
    (
        (dp.m.laplace_tradeoff("1/3"), 0.1),
        [0.17642659094805305, -1e300, -24.139207057422322, 31.003549032817947],
    ),
    (
        (ApproximateTradeoff(1, "1e-6"), 2),
        [-0.4256387273747653, -1e300, -20.134908266489717, 27.134908266489717],
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


@by_tradeoff
def test_neighbours_among_integers_are_as_close_as_f_says(toy: None, name: str) -> None:
    for x, x2, d_in in [(3, 4, 1), (10**400, 10**400 - 2, "5/2")]:
        measurement = make(TRADEOFFS[name], d_in, INTS)
        left, right = trees(measurement, x, x2)
        delta = measurement.map(abs(x - x2), exact=True)
        for epsilon in EPSILONS:
            least, _ = excess(left, right, epsilon)
            assert least <= mpq(delta(epsilon))


@by_tradeoff
def test_less_noise_on_integers_is_found(
    toy: None, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def less(shift: mpq, scale: mpq, *rest: Any) -> CanonicalRV:
        return CanonicalRV(shift, scale * mpq(1, 2), *rest)

    monkeypatch.setattr(tradeoff_noise, "CanonicalRV", less)
    measurement = make(TRADEOFFS[name], 2, INTS)
    left, right = trees(measurement, 3, 5)
    delta = measurement.map(2, exact=True)
    assert any(excess(left, right, e)[0] > delta(e) for e in EPSILONS)


@by_tradeoff
def test_integers_are_released_as_the_nearest_ones(toy: None, name: str) -> None:
    tradeoff = TRADEOFFS[name]
    tree = verify.enumerate_tree(lambda: make(tradeoff, "3/2", INTS)(5), DEPTH)
    law = CanonicalRV(mpq(5), mpq(3, 2), tradeoff, tradeoff.fixed_point)
    for y in range(1, 10):
        low, high = (law.cdf(y + side, 128) for side in (-mpq(1, 2), mpq(1, 2)))
        assert tree.mass(y) <= (high - low).hi
        assert (high - low).lo <= tree.mass(y) + tree.unresolved
    assert tree.unresolved < mpq(1, 50)
    still = make(tradeoff, 0, INTS)
    found = [still(x) for x in (10**400 + 1, np.uint64(2**64 - 1), -3)]
    assert found == [10**400 + 1, 2**64 - 1, -3]
    assert {type(y) for y in found} == {int}


def test_noise_on_floats_alone_covers_other_rationals() -> None:
    fractions = dp.atom_domain(T=Fraction), dp.absolute_distance(T=Fraction)
    tradeoff = dp.m.laplace_tradeoff(1)
    made = [make(tradeoff, 1, space) for space in (FLOATS, fractions, INTS)]
    assert [each.covers_rationals for each in made] == [True, False, False]


def test_counts_sums_and_means_are_followed() -> None:
    rows = dp.vector_domain(dp.atom_domain(bounds=(0, 10)), size=5)
    space = rows, dp.change_one_distance()
    noise = dp.m.then_tradeoff_noise(10.0, dp.m.laplace_tradeoff(1))
    for made, kind in (
        (space >> dp.t.then_count_distinct() >> noise, int),
        (space >> dp.t.then_sum() >> noise, int),
        (space >> dp.t.then_mean() >> noise, float),
    ):
        assert type(made([1, 2, 3, 4, 5])) is kind
        assert made.map(1)(0.0) == 0.39346934028736663


def test_rationals_may_come_from_a_transformation() -> None:
    bounded = dp.vector_domain(dp.atom_domain(bounds=(0.0, 1.0)), size=2)
    total = dp.t.make_sum(bounded, dp.symmetric_distance())
    noise = dp.m.make_tradeoff_noise(*FLOATS, 1, dp.m.gaussian_tradeoff(30))
    noisy = total >> noise
    assert abs(noisy([0.25, 0.5]) - 0.75) < 3
    assert noisy.map(2)(0) == noise.map(1)(0)


# Records and features


@by_tradeoff
def test_objects_are_values(name: str) -> None:
    made = make(TRADEOFFS[name])
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    assert hash(again) == hash(made)
    assert repr(again) == repr(made)
    assert made != make(TRADEOFFS[name], 2)
    assert repr(TRADEOFFS[name]) in repr(made)


def test_a_function_that_cannot_be_found_again_does_not_pickle() -> None:
    made = make(dp.m.user_tradeoff(lambda a, precision: halves(a, precision)))
    with pytest.raises(TypeError, match="tradeoff cannot be pickled"):
        pickle.dumps(made)


def test_only_a_users_own_needs_a_feature() -> None:
    dp.disable_features("honest-but-curious")
    make(dp.m.gaussian_tradeoff(1))
    mine = dp.m.user_tradeoff(halves)
    with pytest.raises(dp.OpenDPException, match="convex, symmetric") as caught:
        dp.m.make_user_tradeoff_noise(*FLOATS, 1, mine)
    assert caught.value.variant == "FeatureRequired"
    with pytest.raises(dp.OpenDPException, match="make_user_tradeoff_noise"):
        dp.m.make_tradeoff_noise(*FLOATS, 1, mine)


def test_a_derived_class_is_no_way_around_it() -> None:
    class Mine(GaussianTradeoff):
        def value(self, a: Any, precision: int) -> Any:
            return super().value(a / 2, precision)  # promises more than the noise keeps

    with pytest.raises(dp.OpenDPException, match="make_user_tradeoff_noise"):
        dp.m.make_tradeoff_noise(*FLOATS, 1, Mine(1))


# The tradeoffs


@for_each("make_one", [dp.m.gaussian_tradeoff, dp.m.laplace_tradeoff])
@for_each(
    ("mu", "words"),
    [(0, "positive"), (-1, "positive"), ("x", "such as mu=1"), (math.nan, "finite")],
)
def test_shifts_that_are_refused(make_one: Any, mu: Any, words: str) -> None:
    with pytest.raises(dp.OpenDPException, match=words) as caught:
        make_one(mu)
    assert caught.value.variant == "MakeMeasurement"


@pytest.mark.parametrize("mu", [0.1, "0.1", Fraction(1, 10)])
def test_a_float_is_the_lesser_of_its_two_readings(mu: Any) -> None:
    assert dp.m.gaussian_tradeoff(mu).mu == mpq(1, 10)


@for_each(
    ("values", "words"),
    [
        (3, "callable"),
        (lambda a, precision: (1 - a, 1 - a), "below 1/2 at 1/2"),
        (lambda a, precision: ((1 - a) ** 2, (1 - a) ** 2), "symmetric"),
        (lambda a, precision: None, "two numbers"),
    ],
)
def test_a_users_own_that_is_refused(values: Any, words: str) -> None:
    with pytest.raises(dp.OpenDPException, match=words) as caught:
        dp.m.user_tradeoff(values)
    assert caught.value.variant == "MakeMeasurement"


@pytest.mark.parametrize(
    ("guess", "words"),
    [("x", "guess='x'"), (math.nan, "guess=nan"), (lambda p: "x", "as its guess")],
)
def test_a_guess_that_is_refused(guess: Any, words: str) -> None:
    with pytest.raises(dp.OpenDPException, match=words) as caught:
        dp.m.user_tradeoff(halves, guess)
    assert caught.value.variant == "MakeMeasurement"
