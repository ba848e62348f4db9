"""What the thresholds on maps release and claim."""

from __future__ import annotations

import itertools
import math
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import opendp.prelude as oracle
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.core.measurement import Measurement
from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.roots import root
from opendp_lite.exact.rounding import to_double
from opendp_lite.laws import tails
from opendp_lite.measurements.noise import additive
from opendp_lite.measurements.threshold import _chancer, _cut, _least
from opendp_lite.randomness.entropy import use_source
from opendp_lite.verify import law, privacy
from opendp_lite.verify.contracts.checks import HashedBits
from tests.randomness.real_laws import thin_noise
from tests.rows import for_each

INTEGER, FLOAT = dp.atom_domain(T=int), dp.atom_domain(T=float, nan=False)
TEXT = dp.atom_domain(T=str)


def space(metric: Any, values: Any = INTEGER, keys: Any = TEXT) -> tuple[Any, Any]:
    return dp.map_domain(keys, values), metric(dp.absolute_distance(T=values.T))


INTEGERS, FLOATS = space(dp.l01inf_distance), space(dp.l01inf_distance, FLOAT)
INTEGERS2, FLOATS2 = space(dp.l02inf_distance), space(dp.l02inf_distance, FLOAT)
FRACTIONS = space(dp.l01inf_distance, dp.atom_domain(T=Fraction))


def run(measurement: Any, x: Any, seed: int) -> Any:
    with use_source(HashedBits(seed)):
        return measurement(x)


# The rule


@pytest.mark.parametrize("on", [INTEGERS, FLOATS, FRACTIONS])
def test_a_value_equal_to_the_threshold_is_released(on: Any) -> None:
    domain, metric = on
    exact = dp.m.make_laplace_threshold(domain, metric, scale=0, threshold=5)
    assert exact({"at": 5, "above": 6, "below": 4}) == {"above": 6, "at": 5}


def test_a_threshold_is_not_truncated_on_integers() -> None:
    exact = dp.m.make_laplace_threshold(*INTEGERS, scale=0, threshold=2.5)
    assert exact({"a": 2, "b": 3}) == {"b": 3}


@for_each("on", [INTEGERS, FLOATS, FRACTIONS])
@for_each("make", ["laplace", "gaussian"])
def test_a_negative_threshold_releases_what_is_at_or_below(on: Any, make: str) -> None:
    absolute = dp.absolute_distance(T=on[0].value_domain.T)
    metric = on[1] if make == "laplace" else dp.l02inf_distance(absolute)
    exact = getattr(dp.m, f"make_{make}_threshold")(on[0], metric, 0, threshold=-5)
    data = {"at": -5, "above": -4, "below": -6, "far": 100, "none": 0}
    assert exact(data) == {"at": -5, "below": -6}
    if on is FLOATS:
        assert exact({"a": -math.inf, "b": math.inf}) == {"a": -math.inf}
        least = dp.m.make_laplace_threshold(*FLOATS, 0, threshold=-(10**400))
        assert least({"a": -1.7e308, "b": -math.inf}) == {"b": -math.inf}


@for_each("threshold", [1, "5/2", 5e-324, 7])
@for_each("k", [None, 1])
def test_the_map_is_that_of_the_opposite_threshold(threshold: Any, k: Any) -> None:
    opposite = f"-{Fraction(threshold)}"
    for on, make in [
        (INTEGERS, dp.m.make_laplace_threshold),
        (FLOATS, dp.m.make_laplace_threshold),
        (FLOATS2, dp.m.make_gaussian_threshold),
    ]:
        above, below = (
            make(*on, 2, t, k) for t in (str(Fraction(threshold)), opposite)
        )
        for d_in in [(0, 0, 0), (1, 0, 0), (1, 1, 1), (3, 4, 2), (2, 9, 9)]:
            assert above.map(d_in) == below.map(d_in)


def test_delta_of_a_negative_threshold_is_attained_and_less_is_refuted() -> None:
    made = dp.m.make_laplace_threshold(*INTEGERS, scale=1, threshold=-3)
    certificate = privacy(made, {"a": -1}, {}, depth=40)
    certificate.assert_holds()
    surplus = certificate.certified_delta - certificate.claimed_delta
    assert abs(surplus) < mpq(1, 10**8)
    # A value on the other side of 0 is released more rarely.
    other = privacy(made, {"a": 1}, {}, depth=40)
    assert other.certified_delta < other.claimed_delta / 2
    strict = dp.m.make_laplace_threshold(*INTEGERS, scale=1, threshold=-4)
    assert privacy(claiming(made, strict), {"a": -1}, {}, depth=40).refuted


@for_each("x", [-3, -2, -1, 0, 1, 2, 3])
def test_on_a_grid_a_negative_threshold_keeps_its_delta_at_ties(x: int) -> None:
    """Rounding to the grid is not symmetric: -1 and 1 are ties between steps of 2."""
    made = dp.m.make_laplace_threshold(*INTEGERS, scale=2, threshold=-3, k=1)
    privacy(made, {"a": x}, {}, depth=40).assert_holds()


def test_a_negative_threshold_means_what_it_does_in_opendp() -> None:
    domain = oracle.map_domain(oracle.atom_domain(T=str), oracle.atom_domain(T="i32"))
    metric = oracle.l01inf_distance(oracle.absolute_distance(T="i32"))
    oracle.enable_features("contrib")
    theirs = oracle.m.make_laplace_threshold(domain, metric, 0.5, threshold=-50)
    ours = dp.m.make_laplace_threshold(*INTEGERS, 0.5, threshold=-50)
    data = {"low": -500, "high": 500, "none": 0}
    assert list(theirs(data)) == list(ours(data)) == ["low"]


@for_each("seed", range(8))
@for_each("threshold", [0, 0.1, 3, 1e16])
def test_every_released_value_is_at_or_above(threshold: Any, seed: int) -> None:
    for on, make in [
        (FLOATS, dp.m.make_laplace_threshold),
        (FLOATS2, dp.m.make_gaussian_threshold),
    ]:
        noisy = make(*on, scale=4, threshold=threshold)
        released = run(noisy, {str(i): threshold + i - 4.0 for i in range(9)}, seed)
        assert all(value >= threshold for value in released.values())


def test_the_order_of_the_keys_says_nothing_about_the_data() -> None:
    noisy = dp.m.make_laplace_threshold(*INTEGERS, scale=3, threshold=2)
    items = [("b", 1), ("a", 2), ("d", 3), ("c", 4)]
    for seed in range(8):
        releases = {
            str(run(noisy, dict(order), seed))
            for order in itertools.permutations(items)
        }
        assert len(releases) == 1
        keys = list(run(noisy, dict(items), seed))
        assert keys == sorted(keys)


def test_keys_of_numpy_come_out_as_those_of_python() -> None:
    on = space(dp.l01inf_distance, keys=dp.atom_domain(T=int))
    exact = dp.m.make_laplace_threshold(*on, scale=0, threshold=1)
    released = exact({np.int64(7): np.int8(2), -3: 1})
    assert released == {-3: 1, 7: 2}
    assert [type(key) for key in released] == [int, int]
    assert on[1].distance({np.int64(7): 2}, {7: 2}) == (0, 0, 0)


def test_true_is_no_integer_key() -> None:
    on = space(dp.l01inf_distance, keys=dp.atom_domain(T=int))
    exact = dp.m.make_laplace_threshold(*on, scale=0, threshold=1)
    with pytest.raises(dp.OpenDPException):
        exact({True: 5})
    on = space(dp.l01inf_distance, keys=dp.atom_domain(T=bool))
    exact = dp.m.make_laplace_threshold(*on, scale=0, threshold=1)
    assert list(exact({True: 5, False: 6})) == [False, True]
    with pytest.raises(dp.OpenDPException):
        exact({1: 5})


# Delta


@for_each("least", [0.0, 5e-324, 1e-310, 1.0, math.nextafter(1, 2), 3.0, 4.0, 1e300])
def test_the_cut_is_where_rounding_reaches_the_threshold(least: float) -> None:
    cut, little = _cut(least), mpq(1, 10**400)
    assert to_double(cut + little) >= least > to_double(cut - little)


@for_each("k", [-60, -55, -54, -53, -3, 0, 1, 3])
@for_each(
    "threshold", ["1", "1.1", "4", math.nextafter(1, 2), math.nextafter(1, 0), 3, 0]
)
def test_the_first_multiple_released(threshold: Any, k: int) -> None:
    """It is found by trying the multiples, ties between two doubles included."""
    seen: list[int] = []

    def tail(a: int, scale: mpq, precision: int) -> Enclosure:
        seen.append(a)
        return Enclosure(0, 1)

    least, grid = _least(to_mpq(threshold), float), power_of_two(k)
    chance = _chancer(float, mpq(1), k, least, tail, tails.laplace_tail)
    chance(mpq(0))(64)
    (first,) = seen
    assert to_double(mpq(first) * grid) >= least
    assert to_double(mpq(first - 1) * grid) < least


def test_tails_agree_with_sums() -> None:
    for a, s in itertools.product([-7, -1, 0, 1, 2, 9], ["1/3", "1", "5/2"]):
        scale = mpq(s)
        b, around = float(scale), range(-200, 201)
        for tail, exponents in [
            (tails.discrete_laplace_tail, [-abs(z) / b for z in around]),
            (tails.discrete_gaussian_tail, [-z * z / 2 / b / b for z in around]),
        ]:
            weights = [math.exp(each) for each in exponents]
            expected = math.fsum(weights[200 + a :]) / math.fsum(weights)
            found = tail(a, scale, 64)
            assert found.width < mpq(1, 10**15)
            assert float(found.hi) == pytest.approx(expected, rel=1e-12)
    for u in [-3, -0.5, 0, 0.5, 3, 30]:
        found = tails.gaussian_tail(mpq(u), 64)
        assert float(found.hi) == pytest.approx(math.erfc(u / 2**0.5) / 2, rel=1e-12)
        found = tails.laplace_tail(mpq(u), 64)
        expected = math.exp(-u) / 2 if u >= 0 else 1 - math.exp(u) / 2
        assert float(found.hi) == pytest.approx(expected, rel=1e-12)


def test_extreme_tails_are_enclosed() -> None:
    for tail in (tails.laplace_tail, tails.gaussian_tail):
        for u in (mpq(10**300), mpq(5000)):
            assert 0 <= tail(u, 64).lo <= tail(u, 64).hi < mpq(1, 2**1075)
            assert 1 - mpq(1, 2**1075) < tail(-u, 64).lo <= tail(-u, 64).hi <= 1
    tiny = dp.m.make_laplace_threshold(*INTEGERS, scale="1e-300", threshold=10)
    assert tiny.map((1, 1, 1))[1] == 5e-324
    assert tiny.map((10**300, 1, 1))[1] == 5e-324


def test_delta_of_many_keys() -> None:
    half = lambda precision: Enclosure(mpq(1, 2), mpq(1, 2))  # noqa: E731
    assert tails.chance_of_any(1, half) == mpq(1, 2)
    assert tails.chance_of_any(53, half) == 1 - mpq(1, 2**53)
    assert tails.chance_of_any(65, half) == 1
    assert tails.chance_of_any(math.inf, half) == 1
    found = tails.chance_of_any(1000, lambda p: tails.laplace_tail(mpq(70), p))
    one = tails.chance_of_any(1, lambda p: tails.laplace_tail(mpq(70), p))
    assert float(found) == pytest.approx(1000 * float(one), rel=1e-12)
    never = lambda precision: Enclosure(0, 0)  # noqa: E731
    assert tails.chance_of_any(math.inf, never) == 0


@for_each("linf", range(8))
def test_delta_is_computed_for_thresholds_below_linf(linf: int) -> None:
    noisy = dp.m.make_laplace_threshold(*INTEGERS, scale=1, threshold=4)
    steps = 4 - linf
    q = math.exp(-1)
    tail = q**steps / (1 + q) if steps >= 1 else 1 - q ** (1 - steps) / (1 + q)
    delta = noisy.map((3, 3 * linf, linf))[1]
    assert delta == pytest.approx(1 - (1 - tail) ** 3, rel=1e-12)
    assert delta < 1


# Laws, by the bit tree


def stated(x: dict[str, int], threshold: int, released: dict[str, int]) -> Any:
    """The law with discrete Laplace noise of scale 1: a rule, key by key."""

    def one(value: int, noisy: int | None, p: int) -> Enclosure:
        q = exp(-1, p)
        if noisy is None:  # P(Z <= threshold - value - 1)
            a = threshold - value
            return 1 - exp(-a, p) / (1 + q) if a >= 1 else exp(a - 1, p) / (1 + q)
        return (1 - q) / (1 + q) * exp(-abs(noisy - value), p)

    def enclose(p: int) -> Enclosure:
        total = Enclosure(1, 1)
        for key, value in x.items():
            total = total * one(value, released.get(key), p)
        return total

    if any(noisy < threshold for noisy in released.values()):
        return 0
    return enclose


@pytest.mark.parametrize(("threshold", "depth"), [(0, 30), (2, 30), (5, 30)])
def test_the_law_of_one_key(threshold: int, depth: int) -> None:
    made = dp.m.make_laplace_threshold(*INTEGERS, scale=1, threshold=threshold)
    x = {"a": 1}
    found = law(lambda: made(x), lambda y: stated(x, threshold, y), depth)
    found.assert_holds()
    assert found.total_variation < mpq(1, 10**5)
    # The law of the rule that keeps only what is above the threshold is refuted.
    planted = law(lambda: made(x), lambda y: stated(x, threshold + 1, y), depth)
    assert planted.refuted


def test_the_law_of_two_keys_is_a_product() -> None:
    made = dp.m.make_laplace_threshold(*INTEGERS, scale=1, threshold=2)
    x = {"b": 1, "a": 3}
    law(lambda: made(x), lambda y: stated(x, 2, y), 22).assert_holds()


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_the_law_of_a_float(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Almost every sum saturates, so that few doubles are seen."""
    monkeypatch.setattr(additive, "real_noise", thin_noise)
    scale, largest = mpq(10**320), 1.7976931348623157e308
    tail = tails.laplace_tail if kind == "laplace" else tails.gaussian_tail
    on = FLOATS if kind == "laplace" else FLOATS2
    make = getattr(dp.m, f"make_{kind}_threshold")
    made = make(*on, scale=10**320, threshold=1e308)

    def probability(y: dict[str, float]) -> Any:
        assert y in ({}, {"a": largest})
        end = _cut(largest if y else 1e308)
        u = (end - mpq(3)) / scale
        return lambda p: tail(u, p) if y else 1 - tail(u, p)

    # Trials are accepted or not, which leaves this much open: of the two outcomes each
    # has its probability up to 1/5.
    law(lambda: made({"a": 3.0}), probability, 14, cap="1/5").assert_holds()


# Certificates: the claim is attained, and a smaller one is refuted


def claiming(made: Measurement, other: Measurement) -> Measurement:
    """The function of the one with the map of the other."""
    return Measurement(
        made.input_domain,
        made.function,
        made.input_metric,
        made.output_measure,
        other.privacy_map,
    )


def test_delta_is_attained_and_less_is_refuted() -> None:
    made = dp.m.make_laplace_threshold(*INTEGERS, scale=1, threshold=3)
    certificate = privacy(made, {"a": 1}, {}, depth=40)
    certificate.assert_holds()
    surplus = certificate.certified_delta - certificate.claimed_delta
    assert abs(surplus) < mpq(1, 10**8)
    # The delta of a rule that keeps what is above the threshold only (OpenDP #2922).
    strict = dp.m.make_laplace_threshold(*INTEGERS, scale=1, threshold=4)
    planted = privacy(claiming(made, strict), {"a": 1}, {}, depth=40)
    assert planted.refuted
    assert planted.needs_epsilon > 10 * planted.claimed_loss


def test_delta_of_gaussian_noise_is_attained_and_less_is_refuted() -> None:
    made = dp.m.make_gaussian_threshold(*INTEGERS2, scale=1, threshold=3)
    certificate = privacy(made, {"a": 1}, {}, depth=40)
    certificate.assert_holds()
    surplus = certificate.certified_delta - certificate.claimed_delta
    assert abs(surplus) < mpq(1, 10**6)
    strict = dp.m.make_gaussian_threshold(*INTEGERS2, scale=1, threshold=4)
    planted = privacy(claiming(made, strict), {"a": 1}, {}, depth=40)
    assert planted.needs_rho > 10 * planted.claimed_loss
    assert planted.refuted


# OpenDP 0.16


# What OpenDP 0.16.0 reports for (noise, scale, threshold, d_in); maps to int where the
# threshold is an int, else to float.
OPENDP: dict[Any, tuple[float, float]] = {
    ("laplace", 1.0, 5, (1, 1, 1)): (1.0, 0.004925833956035741),
    ("laplace", 1.0, 4, (1, 1, 1)): (1.0, 0.01338980493269848),
    ("laplace", 1.0, 5, (1, 0, 0)): (0.0, 0.0),
    ("gaussian", 1.0, 5, (1, 1, 1)): (0.5, 3.167125760228373e-05),
    ("laplace", 1.5, 5.0, (1, 1.0, 1.0)): (0.6666666666666667, 0.034741725611400875),
    ("laplace", 1.5, 5.0, (4, 4.0, 1.0)): (2.666666666666667, 0.1318912519499862),
    ("laplace", 1.5, 5.0, (3, 6.0, 2.0)): (4.0, 0.1895760397104519),
    ("laplace", 1.5, 12.5, (1, 1.0, 1.0)): (0.6666666666666667, 0.00023408790582646333),
    ("laplace", 1.5, 12.5, (4, 4.0, 1.0)): (2.666666666666667, 0.0009360228917263402),
    ("laplace", 1.5, 12.5, (3, 6.0, 2.0)): (4.0, 0.0013671993965748142),
    ("gaussian", 1.5, 5.0, (1, 1.0, 1.0)): (0.22222222222222224, 0.0038303828332573175),
    ("gaussian", 1.5, 5.0, (4, 4.0, 1.0)): (0.888888888888889, 0.015233724916814406),
    ("gaussian", 1.5, 5.0, (3, 6.0, 2.0)): (2.6666666666666674, 0.06670948063000903),
    ("gaussian", 1.5, 12.5, (1, 1.0, 1.0)): (
        0.22222222222222224,
        8.881784197001252e-15,
    ),
    ("gaussian", 1.5, 12.5, (4, 4.0, 1.0)): (0.888888888888889, 3.552713678800501e-14),
    ("gaussian", 1.5, 12.5, (3, 6.0, 2.0)): (2.6666666666666674, 3.839595308363641e-12),
}


def test_regression_of_opendp_2922() -> None:
    """They keep a value at the threshold and count what is above it."""
    ours = dp.m.make_laplace_threshold(*INTEGERS, scale=1, threshold=5)
    epsilon, delta = ours.map((1, 1, 1))
    assert epsilon == 1
    assert delta == pytest.approx(math.exp(-4) / (1 + math.exp(-1)), rel=1e-12)
    assert OPENDP["laplace", 1.0, 5, (1, 1, 1)][1] < 0.37 * delta
    # What they report for the threshold before is right for this one.
    right = OPENDP["laplace", 1.0, 4, (1, 1, 1)][1]
    assert right == pytest.approx(delta, rel=1e-9)
    assert right >= delta
    # A key that holds 0 is released as well, with more than their probability 0.
    assert OPENDP["laplace", 1.0, 5, (1, 0, 0)][1] == 0 < ours.map((1, 0, 0))[1]


def test_regression_of_opendp_2922_with_gaussian_noise() -> None:
    ours = dp.m.make_gaussian_threshold(*INTEGERS2, scale=1, threshold=5)
    rho, delta = ours.map((1, 1, 1))
    assert rho == 0.5
    weights = [math.exp(-z * z / 2) for z in range(-40, 41)]
    expected = math.fsum(weights[44:]) / math.fsum(weights)
    assert delta == pytest.approx(expected, rel=1e-12)
    assert OPENDP["gaussian", 1.0, 5, (1, 1, 1)][1] < 0.25 * delta


@for_each("case", [case for case in OPENDP if case[1] == 1.5])
def test_on_floats_the_map_is_opendps_or_smaller(case: Any) -> None:
    noise, scale, threshold, d_in = case
    if noise == "laplace":
        ours = dp.m.make_laplace_threshold(*FLOATS, scale=scale, threshold=threshold)
        assert ours.map(d_in) == pytest.approx(OPENDP[case], rel=1e-6)
    else:
        ours = dp.m.make_gaussian_threshold(*FLOATS2, scale=scale, threshold=threshold)
        # They bound the tail of the Gaussian by more than it is.
        assert ours.map(d_in)[1] <= OPENDP[case][1] * (1 + 1e-9)
    assert ours.map(d_in)[0] <= OPENDP[case][0]


def test_what_opendp_refuses_is_computed() -> None:
    """A threshold below linf has a delta too; OpenDP raises FailedMap."""
    ours = dp.m.make_laplace_threshold(*INTEGERS, scale=1, threshold=5)
    assert 0.5 < ours.map((1, 6, 6))[1] < 1


# Objects


def test_forms_pickle_and_print() -> None:
    made = dp.m.make_laplace_threshold(*INTEGERS, scale=1, threshold="5/2")
    chained = INTEGERS >> dp.m.then_laplace_threshold(scale=1, threshold="5/2")
    assert chained == made == pickle.loads(pickle.dumps(made))
    assert "threshold='5/2'" in repr(made)
    made = dp.m.make_gaussian_threshold(*INTEGERS2, scale=1, threshold=5, k=1)
    chained = INTEGERS2 >> dp.m.then_gaussian_threshold(scale=1, threshold=5, k=1)
    assert chained == made == pickle.loads(pickle.dumps(made))
    measure = dp.approximate(dp.zero_concentrated_divergence())
    noise = dp.m.make_noise_threshold(*INTEGERS2, measure, scale=1, threshold=5, k=1)
    chained = INTEGERS2 >> dp.m.then_noise_threshold(measure, 1, 5, k=1)
    assert chained == noise == pickle.loads(pickle.dumps(noise))
    assert noise.map((3, 4, 2)) == made.map((3, 4, 2))
    assert noise.output_measure == made.output_measure == measure


def test_composition_adds_both_parts() -> None:
    made = dp.m.make_laplace_threshold(*INTEGERS, scale=1, threshold=9)
    twice = dp.c.make_composition([made, made])
    one, both = (each.map((1, 1, 1), exact=True) for each in (made, twice))
    assert both == (2 * one[0], 2 * one[1])


def test_the_smallest_budget_of_a_threshold() -> None:
    def enough(threshold: int) -> bool:
        made = dp.m.make_laplace_threshold(*INTEGERS, scale=1, threshold=threshold)
        return made.check((1, 1, 1), (1.0, 1e-9))

    assert [enough(t) for t in (20, 21, 22)] == [False, False, True]


def test_keys_that_stand_for_the_same_text_are_refused() -> None:
    ended = np.str_("a\0")  # numpy compares it with the null, but reads it without
    domain, metric = INTEGERS
    made = dp.m.make_laplace_threshold(domain, metric, scale=0, threshold=1)
    assert made({ended: 2}) == {"a": 2}
    assert metric.distance({ended: 2}, {"a": 2}) == (0, 0, 0)
    twice = {"a": 1000, ended: 0}
    assert len(twice) == 2
    assert not domain.member(twice)
    with pytest.raises(dp.OpenDPException):
        made(twice)


# Roots: what a map before the threshold has for its L2 distance


@pytest.mark.parametrize("on", [INTEGERS2, FLOATS2])
def test_the_square_of_a_root_is_read(on: Any) -> None:
    noisy = dp.m.make_gaussian_threshold(*on, scale=1, threshold=30)
    rho, delta = noisy.privacy_map((2, root(2), 1))
    assert rho == 1
    # The chance is that of linf = 1, which is less than sqrt(2).
    assert delta == noisy.privacy_map((2, 2, 1))[1]
    assert noisy.privacy_map((3, root(2), 1))[0] == 1
    assert noisy.privacy_map((2, root(5), 1))[0] == 1


def test_a_root_below_the_greatest_difference_bounds_the_chance() -> None:
    """A value that differs from 0 by at most sqrt(2) is at most that."""
    whole = dp.m.make_gaussian_threshold(*INTEGERS2, scale=1, threshold=8)
    assert whole.privacy_map((1, root(2), 5)) == (1, whole.privacy_map((1, 1, 5))[1])
    assert whole.privacy_map((1, root(5), 5))[1] == whole.privacy_map((1, 2, 5))[1]
    real = dp.m.make_gaussian_threshold(*FLOATS2, scale=1, threshold=8)
    near = Fraction(math.isqrt(2 * 10**60), 10**30)
    deltas = [
        real.privacy_map(real.input_metric.parse((1, each, 5)))[1]
        for each in (near, near + Fraction(1, 10**30))
    ]
    rho, delta = real.privacy_map((1, root(2), 5))
    assert rho == 1
    assert deltas[0] <= delta <= deltas[1]


@pytest.mark.parametrize("k", [0, 1, 4])
def test_a_root_on_a_grid_is_bounded(k: int) -> None:
    noisy = dp.m.make_gaussian_threshold(*INTEGERS2, scale=1, threshold=8, k=k)
    rho = noisy.privacy_map((2, root(2), 10**6))[0]
    exact = Fraction(4**k)  # (sqrt(2) + sqrt(2) (2^k - 1))^2 / 2
    assert exact <= Fraction(*map(int, rho.as_integer_ratio()))
    assert rho <= to_mpq(exact) * (1 + mpq(1, 2**60))
    assert rho == to_mpq(exact) or k > 0
