"""Assertions accept what the mechanisms release and refuse what they do not.

Assertions on real releases are at the default flakiness of 1e-23, or at 1e-12 where
that cannot be reached: fewer than 1000 in all, so that they fail by chance with
probability below 1e-9.
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import testing, verify
from opendp_lite.base import features
from opendp_lite.base.errors import OpenDPException
from opendp_lite.testing.ledger import LEDGER, Ledger
from tests.rows import for_each

INT = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FLOAT = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
FRACTION = dp.atom_domain(T=Fraction), dp.absolute_distance(T=float)
INTS = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
FLOATS = (
    dp.vector_domain(dp.atom_domain(T=float, nan=False), size=3),
    dp.l2_distance(T=float),
)
ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()

CASES: list[tuple[Any, Any]] = [
    (INT >> dp.m.then_laplace(scale=3), 100),
    (INT >> dp.m.then_gaussian(scale="7/2"), -100),
    (INT >> dp.m.then_laplace(scale=3, k=4), 100),
    (INT >> dp.m.then_geometric(scale=3, bounds=(0, 10)), 12),
    (INT >> dp.m.then_geometric(scale=3), 12),
    (INT >> dp.m.then_noise(dp.zero_concentrated_divergence(), scale=2), 5),
    (FLOAT >> dp.m.then_laplace(scale=1.0), 1.0),
    (FLOAT >> dp.m.then_laplace(scale=1e-20), 1.0),
    (FLOAT >> dp.m.then_gaussian(scale=2.5), -0.0),
    (FLOAT >> dp.m.then_laplace(scale=1.0, k=-3), 0.3),
    (FLOAT >> dp.m.then_laplace(scale=1e300), 1.7e308),
    (FLOAT >> dp.m.then_laplace(scale=1.0), math.inf),
    (FRACTION >> dp.m.then_laplace(scale=1.0), Fraction(1, 3)),
    (INTS >> dp.m.then_laplace(scale=3), [1, 2, 3, 4]),
    (INTS >> dp.m.then_laplace(scale=3), []),
    (INTS >> dp.m.then_laplace(scale=3), np.array([1, 2, 2**63 - 1])),
    (FLOATS >> dp.m.then_gaussian(scale=3.0), [1.0, 2.0, -5e-324]),
    (FLOATS >> dp.m.then_gaussian(scale=3.0), np.array([1.0, 2.0, 1e300])),
    (INT >> dp.m.then_laplace(scale=0), 7),
    (dp.c.make_approximate(INT >> dp.m.then_laplace(scale=3)), 100),
]
dp.enable_features("contrib")
_ROUNDED = INT >> dp.m.then_gaussian(scale=3)
CASES += [
    (dp.c.make_pureDP_to_zCDP(INT >> dp.m.then_laplace(scale=3)), 100),
    (dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(_ROUNDED), 1e-6), 100),
    (dp.c.make_fixed_approxDP_to_approxDP(CASES[-1][0]), 100),
]
dp.disable_features("contrib")


@for_each(("measurement", "data"), CASES)
def test_releases_are_close(measurement: Any, data: Any) -> None:
    for _ in range(10):
        testing.assert_close(measurement(data), data, measurement)


def test_chains_are_known_by_their_last_link() -> None:
    noisy = ROWS >> dp.t.then_count() >> dp.m.then_laplace(scale=2)
    testing.assert_close(noisy([1, 2, 3]), 3, noisy)
    assert testing.tolerance(noisy, "1e-23") == 106


def test_tolerances_of_measurements() -> None:
    noisy = FLOAT >> dp.m.then_laplace(scale=0.5)
    assert testing.tolerance(noisy, "1e-9") == testing.laplace_tolerance(0.5, "1e-9")
    assert testing.tolerance(noisy) == testing.laplace_tolerance(0.5, "1e-23")
    part = testing.partition_flakiness("1e-9", 3)
    noisy = FLOATS >> dp.m.then_gaussian(scale=2.0)
    assert testing.tolerance(noisy, "1e-9") == testing.gaussian_tolerance(2, part)
    noisy = INTS >> dp.m.then_laplace(scale=2)
    expected = testing.discrete_laplace_tolerance(2, part)
    assert testing.tolerance(noisy, "1e-9", size=3) == expected
    noisy = FLOAT >> dp.m.then_laplace(scale=1.0, k=-3)
    steps = testing.discrete_laplace_tolerance(8, "1e-9")
    assert testing.tolerance(noisy, "1e-9") == steps / 8
    noisy = INT >> dp.m.then_laplace(scale=10**400)
    assert testing.tolerance(noisy) == math.inf


@for_each("k", ["2", "2.0", "2e0", 2.0, Fraction(2), np.int64(2)])
def test_k_is_read_as_the_constructors_read_it(k: Any) -> None:
    law = dp.max_divergence()
    for then in (dp.m.then_laplace(3, k), dp.m.then_noise(law, 3, k)):
        noisy: Any = INT >> then
        same = INT >> dp.m.then_laplace(3, 2)
        assert noisy.noise == same.noise
        assert testing.tolerance(noisy, "1e-9") == testing.tolerance(same, "1e-9")
        testing.assert_close(noisy(5), 5, noisy)


@for_each(
    "bounds",
    [
        ("1", "5"),
        ("1.0", "5e0"),
        ["1", "10/2"],
        (1.0, 5.0),
        (Decimal("1"), Decimal("5.0")),
        (np.int64(1), np.float32(5)),
    ],
)
def test_bounds_are_read_as_the_constructor_reads_them(bounds: Any) -> None:
    noisy: Any = INT >> dp.m.then_geometric(3, bounds)
    assert noisy.noise == (INT >> dp.m.then_geometric(3, (1, 5))).noise
    testing.assert_close(noisy(9), 9, noisy)


def test_bounds_that_a_double_does_not_hold() -> None:
    ends = (str(-(2**80) - 1), str(2**80 + 1) + ".0")
    noise: Any = (INT >> dp.m.then_geometric(3, ends)).noise
    assert noise.start(mpq(2**81)) == 2**80 + 1
    assert noise.start(mpq(-(2**81))) == -(2**80) - 1


CLOSE = FLOAT >> dp.m.then_laplace(scale=1.0)
T = testing.laplace_tolerance(1, "1e-9")


@pytest.mark.usefixtures("uncharged")
def test_half_an_ulp_is_added_to_the_tolerance() -> None:
    # 2^60 has ulps of 2^8: noise of 0 to T, rounded, may seem to be 0 or 2^8.
    start = 2.0**60
    noisy = FLOAT >> dp.m.then_laplace(scale=7.0)
    t = testing.tolerance(noisy, "1e-9")
    assert 128 < t < 256
    testing.assert_close(start + 256, start, noisy, "1e-9")
    with pytest.raises(AssertionError):
        testing.assert_close(start + 512, start, noisy, "1e-9")
    # The comparison is exact: the tolerance and half an ulp, and no more.
    testing.assert_close(T, 0.0, CLOSE, "1e-9")
    with pytest.raises(AssertionError):
        testing.assert_close(math.nextafter(T, math.inf), 0.0, CLOSE, "1e-9")


BROKEN: list[tuple[Any, Any, Any, str]] = [
    (INT >> dp.m.then_laplace(scale=2), 207, 100, "release 207 is 107 from 100"),
    (INT >> dp.m.then_laplace(scale=2), None, 100, "release None is no number"),
    (CLOSE, math.nan, 1.0, "release nan is no number"),
    (CLOSE, math.inf, 1.0, "release inf is not 1.0"),
    (CLOSE, 1.0, math.inf, "release 1.0 is not inf"),
    (CLOSE, np.float32(math.inf), 1.0, "is not 1.0"),
    (CLOSE, 10**400, 1.0, "beyond the tolerance"),
    (CLOSE, -1.7e308, Fraction(5 * 10**308, 3), "is inf from 1.666"),
    (CLOSE, 60.0, 0.0, r"is 60 from 0, beyond the tolerance 52\.9"),
    (FLOATS >> dp.m.then_gaussian(scale=1.0), [0.0], [0.0] * 3, "1 entries, not 3"),
    (FLOATS >> dp.m.then_gaussian(scale=1.0), [0, 0, 20], [0] * 3, r"\(entry 2\)"),
    (INT >> dp.m.then_laplace(scale=0), 8, 7, "beyond the tolerance 0"),
    (INT >> dp.m.then_geometric(scale=1, bounds=(0, 9)), 75, 500, "66 from 9"),
]


@pytest.mark.usefixtures("uncharged")
@pytest.mark.parametrize(("measurement", "release", "expected", "message"), BROKEN)
def test_what_is_not_close_is_said(
    measurement: Any, release: Any, expected: Any, message: str
) -> None:
    with pytest.raises(AssertionError, match=message):
        testing.assert_close(release, expected, measurement)


def exact_law(measurement: Any, data: Any, depth: int) -> Any:
    return verify.enumerate_tree(lambda: measurement(data), depth)


@pytest.mark.usefixtures("uncharged")
@pytest.mark.parametrize(
    ("measurement", "data"),
    [
        (INT >> dp.m.then_laplace(scale=2), 5),
        (INT >> dp.m.then_gaussian(scale=2), 5),
        (INT >> dp.m.then_laplace(scale=8, k=2), 5),
        (INT >> dp.m.then_geometric(scale=2, bounds=(0, 6)), 5),
        (INT >> dp.m.then_geometric(scale=2, bounds=(0, 6)), 6),
    ],
)
@pytest.mark.parametrize("flakiness", ["0.6", "0.3", "0.05"])
def test_the_bit_tree_confirms_the_flakiness(
    measurement: Any, data: int, flakiness: str
) -> None:
    tree = exact_law(measurement, data, 10)
    level, noisy, failing, quiet = mpq(flakiness), True, mpq(0), mpq(0)
    for key, mass in tree.masses.items():
        release = tree.outcomes[key]
        try:
            testing.assert_close(release, data, measurement, flakiness)
        except AssertionError:
            failing += mass
        try:
            testing.assert_noisy(release, data, measurement, flakiness)
        except AssertionError:
            quiet += mass
        except OpenDPException:
            noisy = False
    assert failing <= level
    assert quiet <= level
    if not noisy:  # refused, because the value itself is more probable
        start = measurement.noise.start(mpq(data))
        same = sum(tree.masses[k] for k, v in tree.outcomes.items() if v == start)
        assert same + tree.unresolved > level


NOISY: list[tuple[Any, Any, str]] = [
    (FLOAT >> dp.m.then_laplace(scale=1.0), 1.0, "1e-12"),
    (FLOAT >> dp.m.then_gaussian(scale=1.0), 0.0, "1e-23"),
    (FLOAT >> dp.m.then_gaussian(scale=1.0), 1.0, "1e-12"),
    (FLOAT >> dp.m.then_laplace(scale=1.0, k=-60), 1.0, "1e-12"),
    (FRACTION >> dp.m.then_laplace(scale=1.0), Fraction(1, 3), "1e-12"),
    (INT >> dp.m.then_laplace(scale=10**30), 5, "1e-23"),
    (INT >> dp.m.then_gaussian(scale=10**30), 5, "1e-23"),
    (INTS >> dp.m.then_laplace(scale=2), [0] * 100, "1e-23"),
    (INTS >> dp.m.then_laplace(scale=2), np.zeros(100, np.int64), "1e-23"),
    (FLOATS >> dp.m.then_gaussian(scale=2.0), [1.0, 2.0, 3.0], "1e-23"),
]


@for_each(("measurement", "data", "flakiness"), NOISY)
def test_releases_are_noisy_and_the_data_are_not(
    measurement: Any, data: Any, flakiness: str
) -> None:
    testing.assert_noisy(measurement(data), data, measurement, flakiness)
    with pytest.raises(AssertionError, match="no noise"):
        testing.assert_noisy(data, data, measurement, flakiness)


@pytest.mark.usefixtures("uncharged")
def test_noise_that_is_far_too_small_is_found() -> None:
    with pytest.raises(AssertionError, match="no noise"):
        testing.assert_noisy(1e-13, 0.0, CLOSE, "1e-12")
    testing.assert_noisy(2e-12, 0.0, CLOSE, "1e-12")
    wide = INT >> dp.m.then_laplace(scale=10**30)
    with pytest.raises(AssertionError, match="no noise"):
        testing.assert_noisy(10**17, 0, wide, "1e-12")
    testing.assert_noisy(10**19, 0, wide, "1e-12")


REACHABLE: list[tuple[Any, Any]] = [
    (CLOSE, 1.0),
    (FLOAT >> dp.m.then_laplace(scale=1e-20), 1.0),
    (FLOAT >> dp.m.then_gaussian(scale=1.0), 1e10),
    (FLOAT >> dp.m.then_laplace(scale=1.0, k=-3), 1e17),
    (INT >> dp.m.then_laplace(scale=2), 1),
    (INT >> dp.m.then_geometric(scale=2, bounds=(0, 6)), 6),
    (INTS >> dp.m.then_laplace(scale=2), [1, 2, 3]),
]


@pytest.mark.usefixtures("uncharged")
@pytest.mark.parametrize(("measurement", "data"), REACHABLE)
def test_what_can_be_reached_is_said_and_can_be_reached(
    measurement: Any, data: Any
) -> None:
    with pytest.raises(OpenDPException) as caught:
        testing.assert_noisy(data, data, measurement)
    message = caught.value.message
    reachable = message.split("Pass at least flakiness=")
    if len(reachable) == 1:
        assert "with probability 1.0" in message
        return
    level = reachable[1].split(",")[0]
    with pytest.raises(AssertionError, match="no noise"):
        testing.assert_noisy(data, data, measurement, float(level))
    less = math.nextafter(float(level), 0) * (1 - 1e-12)
    with pytest.raises(OpenDPException, match="expected value itself"):
        testing.assert_noisy(data, data, measurement, less)


@pytest.mark.usefixtures("uncharged")
def test_a_saturated_array_shows_no_noise() -> None:
    wide = INTS >> dp.m.then_laplace(scale=2)
    data = np.array([2**64 - 1], np.uint64)
    with pytest.raises(OpenDPException, match="do not hold fast"):
        testing.assert_noisy(np.array([2**63 - 1]), data, wide, "0.9")


BAD: list[tuple[Any, str]] = [
    (lambda: testing.tolerance(3, "1e-9"), "measurement=<int>: must be a Measurement"),  # type: ignore[arg-type]
    (
        lambda: testing.tolerance(dp.m.make_randomized_response_bool(0.75), "1e-9"),
        "does not say which noise",
    ),
    (lambda: testing.tolerance(CLOSE, 0), "flakiness=0: must be above 0"),
    (lambda: testing.tolerance(CLOSE, "1e-9", size=3), "size=3: is for vectors"),
    (
        lambda: testing.tolerance(INTS >> dp.m.then_laplace(scale=2), "1e-9"),
        "size=None: must be given",
    ),
    (
        lambda: testing.tolerance(INTS >> dp.m.then_laplace(scale=2), size=-1),
        "size=-1: must be at least 0",
    ),
    (
        lambda: testing.assert_close(3, [3], INTS >> dp.m.then_laplace(scale=2)),
        "release=3: must be a list or an array",
    ),
    (
        lambda: testing.assert_noisy(3, 3, INT >> dp.m.then_laplace(scale=0)),
        "adds no noise",
    ),
    (lambda: testing.assert_noisy(math.inf, math.inf, CLOSE, 0.1), "adds no noise"),
    (lambda: testing.state_flakiness(2), "flakiness=2: must be above 0"),
]


@pytest.mark.usefixtures("uncharged")
@pytest.mark.parametrize("kind", [float, np.float16, np.float32, np.float64])
@pytest.mark.parametrize("sign", [1, -1])
def test_an_infinite_number_of_any_kind_has_no_noise(kind: Any, sign: int) -> None:
    end = kind(sign * math.inf)
    gaussian = FLOAT >> dp.m.then_gaussian(scale=1.0)
    for noisy in (CLOSE, gaussian, FLOAT >> dp.m.then_laplace(scale=1.0, k=-3)):
        testing.assert_close(noisy(end), end, noisy)
        with pytest.raises(AssertionError, match="is not"):
            testing.assert_close(-noisy(end), end, noisy)
        with pytest.raises(OpenDPException, match="adds no noise"):
            testing.assert_noisy(noisy(end), end, noisy, "0.9")
    vectors = FLOATS >> dp.m.then_gaussian(scale=1.0)
    data = [0.0, end, 0.0]
    testing.assert_close(vectors(data), data, vectors)
    with pytest.raises(OpenDPException, match="adds no noise"):
        testing.assert_noisy(vectors(data), data, vectors, "0.9")
    testing.assert_noisy(end, 0.0, CLOSE, "0.9")


@for_each(("call", "message"), BAD)
def test_bad_arguments_are_named(call: Any, message: str) -> None:
    with pytest.raises(OpenDPException) as caught:
        call()
    assert message in caught.value.message


def test_a_processed_release_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features, "GLOBAL_FEATURES", {"honest-but-curious"})
    with pytest.raises(OpenDPException, match="does not say which noise"):
        testing.tolerance(CLOSE >> abs, "1e-9")


def test_assertions_are_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    charged: list[mpq] = []
    monkeypatch.setattr(LEDGER, "charge", charged.append)
    noisy = INT >> dp.m.then_laplace(scale=2)
    exact = INT >> dp.m.then_laplace(scale=0)
    wide = INT >> dp.m.then_laplace(scale=10**30)
    testing.assert_close(1, 1, noisy)
    testing.assert_close(1, 1, noisy, "1e-30")
    testing.assert_close(1, 1, exact)  # it cannot fail by chance
    testing.assert_noisy(10**30, 1, wide, "1e-24")
    testing.state_flakiness("1e-25")
    assert charged == [mpq(text) for text in ("1e-23", "1e-30", "1e-24", "1e-25")]


def test_a_ledger_adds_up() -> None:
    ledger = Ledger()
    assert ledger.take() == (0, 0)
    ledger.charge(mpq(1, 3))
    ledger.charge(mpq(1, 6))
    assert ledger.take() == (Fraction(1, 2), 2)
    assert ledger.take() == (0, 0)
