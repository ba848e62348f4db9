"""What make_gaussian releases, claims, accepts and refuses."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.core.errors import OpenDPException
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.measurements.grid import l2_sensitivity
from opendp_lite.sampling.entropy import use_source
from opendp_lite.verify.replay import HashedBits

INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
FRACTIONS = dp.atom_domain(T=Fraction), dp.absolute_distance(T=Fraction)
INTEGER_LISTS = dp.vector_domain(dp.atom_domain(T=int)), dp.l2_distance(T=int)
FLOAT_LISTS = (
    dp.vector_domain(dp.atom_domain(T=float, nan=False)),
    dp.l2_distance(T=float),
)
FRACTION_LISTS = (
    dp.vector_domain(dp.atom_domain(T=Fraction)),
    dp.l2_distance(T=Fraction),
)
LARGEST = 1.7976931348623157e308
# Strings that are read a word at a time; of each four, one begins with many zeros and
# one with many ones.
SEEDS = [seed for seed in range(32) if seed % 8 >= 4]


def releases(measurement: Any, x: Any) -> list[Any]:
    """Releases under fixed bits, among them bits that lead far into both tails."""
    made = []
    for seed in SEEDS:
        with use_source(HashedBits(seed)):
            made.append(measurement(x))
    return made


def sized(space: tuple[Any, Any], size: int) -> tuple[Any, Any]:
    return dp.vector_domain(space[0].element_domain, size=size), space[1]


# Behaviour: no noise shows the path that a number takes


@pytest.mark.parametrize("x", [0, 1, -1, 2**53 + 1, -(2**63), 2**64, 10**400])
def test_integers_stay_exact_at_any_size(x: int) -> None:
    released = dp.m.make_gaussian(*INTEGERS, scale=0)(x)
    assert type(released) is int
    assert released == x
    noisy = releases(dp.m.make_gaussian(*INTEGERS, scale=3), x)
    assert {type(y) for y in noisy} == {int}
    assert len(set(noisy)) > 3
    assert all(abs(y - x) < 1000 for y in noisy)


@pytest.mark.parametrize("x", [0.1, -2.5, 5e-324, LARGEST, -LARGEST, 2**53, 3])
def test_floats_without_noise_are_released_as_they_are(x: Any) -> None:
    released = dp.m.make_gaussian(*FLOATS, scale=0)(x)
    assert type(released) is float
    assert released == x


@pytest.mark.parametrize("scale", [0, 1, 1e300, "1e400"])
@pytest.mark.parametrize("k", [None, -1074, 0, 900])
@pytest.mark.parametrize("x", [math.inf, -math.inf])
def test_infinities_pass_through(x: float, k: int | None, scale: Any) -> None:
    measurement = dp.m.make_gaussian(*FLOATS, scale=scale, k=k)
    assert releases(measurement, x) == [x] * len(SEEDS)
    lists = dp.m.make_gaussian(*sized(FLOAT_LISTS, 2), scale=scale, k=k)
    for released in releases(lists, [x, 0.0]):
        assert released[0] == x
        assert math.isfinite(released[1])


@pytest.mark.parametrize("k", [None, -1074, 0, 900])
@pytest.mark.parametrize("x", [0.0, LARGEST, -LARGEST, 1e308])
def test_sums_saturate_at_the_largest_double(x: float, k: int | None) -> None:
    measurement = dp.m.make_gaussian(*FLOATS, scale=10**400, k=k)
    noisy = releases(measurement, x)
    assert set(noisy) == {LARGEST, -LARGEST}


def test_an_integer_beyond_the_doubles_saturates_as_a_fraction() -> None:
    measurement = dp.m.make_gaussian(*FRACTIONS, scale=1)
    assert set(releases(measurement, Fraction(10**400))) == {LARGEST}
    assert set(releases(measurement, -(10**400))) == {-LARGEST}


def test_a_fraction_of_integers_of_numpy_is_a_scale_and_no_member() -> None:
    third = Fraction(np.int64(1), np.int64(3))  # type: ignore[call-overload]
    assert type(third.numerator) is np.int64
    assert dp.m.make_gaussian(*INTEGERS, scale=third).map(1, exact=True) == Fraction(
        9, 2
    )
    for space, data in ((FRACTIONS, third), (FRACTION_LISTS, [third])):
        with pytest.raises(OpenDPException, match=r"^FailedFunction: "):
            dp.m.make_gaussian(*space, scale=1)(data)


def test_fractions_are_released_as_the_nearest_float() -> None:
    measurement = dp.m.make_gaussian(*FRACTIONS, scale=0)
    assert measurement(Fraction(1, 3)) == 1 / 3
    assert type(measurement(7)) is float
    lists = dp.m.make_gaussian(*FRACTION_LISTS, scale=0)
    released = lists([Fraction(1, 3), 2])
    assert released == [1 / 3, 2.0]
    assert [type(y) for y in released] == [float, float]
    noisy = releases(dp.m.make_gaussian(*FRACTIONS, scale=1), Fraction(1, 3))
    assert {type(y) for y in noisy} == {float}
    assert all(math.isfinite(y) for y in noisy)


@pytest.mark.parametrize("k", [None, -1074, -3, 2])
@pytest.mark.parametrize("scale", [0, 5e-324, "1e-400", 1])
@pytest.mark.parametrize("x", [-0.0, 0.0, -5e-324, -1e-10])
def test_minus_zero_is_never_released(x: float, scale: Any, k: int | None) -> None:
    noisy = releases(dp.m.make_gaussian(*FLOATS, scale=scale, k=k), x)
    assert not any(y == 0 and math.copysign(1, y) < 0 for y in noisy)
    array = np.array([x] * 4)
    for released in releases(
        dp.m.make_gaussian(*sized(FLOAT_LISTS, 4), scale, k), array
    ):
        assert not np.signbit(released[released == 0]).any()


@pytest.mark.parametrize(
    ("x", "k", "expected"),
    [
        (0.5, 0, 1.0),
        (1.5, 0, 2.0),
        (2.5, 0, 3.0),
        (-0.5, 0, 0.0),
        (-1.5, 0, -1.0),
        (0.3, -2, 0.25),
        (math.nextafter(4.0, 0.0), 3, 0.0),
        (4.0, 3, 8.0),
        (5e-324, -1074, 5e-324),
        (5e-324, -1073, 1e-323),
        (LARGEST, 1023, LARGEST),
        (LARGEST, 1020, LARGEST),
    ],
)
def test_floats_are_rounded_to_the_grid_ties_upward(
    x: float, k: int, expected: float
) -> None:
    released = dp.m.make_gaussian(*FLOATS, scale=0, k=k)(x)
    assert type(released) is float
    assert released == expected


def test_integers_and_fractions_are_rounded_to_the_grid() -> None:
    eights = dp.m.make_gaussian(*INTEGERS, scale=0, k=3)
    assert [eights(x) for x in (3, 4, -4, -5, 10**40 + 5)] == [0, 8, 0, -8, 10**40 + 8]
    assert type(eights(3)) is int
    quarters = dp.m.make_gaussian(*FRACTIONS, scale=0, k=-2)
    assert quarters(Fraction(1, 3)) == 0.25
    assert quarters(Fraction(3, 8)) == 0.5
    assert type(quarters(1)) is float


# Behaviour: containers


def test_lists_come_out_as_lists() -> None:
    integers = dp.m.make_gaussian(*INTEGER_LISTS, scale=1)
    for released in releases(integers, [1, 2**70, -3]):
        assert [type(y) for y in released] == [int, int, int]
    floats = dp.m.make_gaussian(*FLOAT_LISTS, scale=1)
    for released in releases(floats, [1.5, 2, -0.0]):
        assert [type(y) for y in released] == [float, float, float]


@pytest.mark.parametrize(
    "dtype", ["int64", "int8", "uint8", "uint64", ">i4", "int16", "uint32"]
)
def test_arrays_of_integers_come_out_as_int64(dtype: str) -> None:
    array = np.array([1, 2, 3], dtype=dtype)
    array.flags.writeable = False
    for scale in (0, 3):
        released = dp.m.make_gaussian(*INTEGER_LISTS, scale=scale)(array)
        assert isinstance(released, np.ndarray)
        assert released.dtype == np.dtype("int64")
        assert released.shape == (3,)
        assert scale or released.tolist() == [1, 2, 3]


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", ">f8"])
@pytest.mark.parametrize("k", [None, 0])
def test_arrays_of_floats_come_out_as_float64(dtype: str, k: int | None) -> None:
    array = np.array([1.0, -2.0, math.inf], dtype=dtype)
    for scale in (0, 3):
        released = dp.m.make_gaussian(*sized(FLOAT_LISTS, 3), scale=scale, k=k)(array)
        assert isinstance(released, np.ndarray)
        assert released.dtype == np.dtype("float64")
        assert released[2] == math.inf
        assert scale or released.tolist() == [1.0, -2.0, math.inf]


def test_arrays_and_lists_get_the_same_noise_from_the_same_bits() -> None:
    for space, data in ((INTEGER_LISTS, [5, -7]), (FLOAT_LISTS, [0.5, 1e300])):
        measurement = dp.m.make_gaussian(*space, scale=2)
        plain = releases(measurement, data)
        assert [y.tolist() for y in releases(measurement, np.array(data))] == plain


def test_arrays_of_integers_saturate_at_the_ends_of_int64() -> None:
    ends = [2**63 - 1, -(2**63)]
    measurement = dp.m.make_gaussian(*INTEGER_LISTS, scale=2)
    seen = set()
    for released in releases(measurement, np.array(ends)):
        assert released.dtype == np.dtype("int64")
        seen.update(released.tolist())
        # The noise is small, so no sum has wrapped around.
        assert released[0] > 2**62
        assert released[1] < -(2**62)
    assert seen > set(ends)
    huge = dp.m.make_gaussian(*INTEGER_LISTS, scale=10**40)
    assert {*np.concatenate(releases(huge, np.array([0, 0]))).tolist()} == {*ends}
    unsigned = dp.m.make_gaussian(*INTEGER_LISTS, scale=0)
    assert unsigned(np.array([2**64 - 1], dtype="uint64")).tolist() == [2**63 - 1]
    # A list has no such ends.
    assert dp.m.make_gaussian(*INTEGER_LISTS, scale=0)([2**64 - 1]) == [2**64 - 1]


def test_empty_vectors() -> None:
    for space, dtype in ((INTEGER_LISTS, "int64"), (FLOAT_LISTS, "float64")):
        for domain in (space, sized(space, 0)):
            measurement = dp.m.make_gaussian(*domain, scale=1)
            assert measurement([]) == []
            released = measurement(np.array([], dtype=dtype))
            assert released.shape == (0,)
            assert released.dtype == np.dtype(dtype)
    assert dp.m.make_gaussian(*FRACTION_LISTS, scale=1)([]) == []


def test_numpy_scalars_are_the_numbers_they_stand_for() -> None:
    assert type(dp.m.make_gaussian(*INTEGERS, scale=1)(np.uint8(200))) is int
    assert dp.m.make_gaussian(*INTEGERS, scale=0)(np.uint64(2**64 - 1)) == 2**64 - 1
    assert dp.m.make_gaussian(*FLOATS, scale=0)(np.float32(0.1)) == float(
        np.float32(0.1)
    )
    assert type(dp.m.make_gaussian(*FLOATS, scale=0)(np.float32(0.5))) is float
    assert type(dp.m.make_gaussian(*FLOATS, scale=0)(np.float64(math.inf))) is float


def test_inputs_are_not_changed() -> None:
    measurement = dp.m.make_gaussian(*INTEGER_LISTS, scale=5)
    data, array = [1, 2, 3], np.array([1, 2, 3])
    measurement(data)
    measurement(array)
    assert data == array.tolist() == [1, 2, 3]


def test_named_integer_types_bound_the_data_and_not_the_release() -> None:
    space = dp.atom_domain(T="i8"), dp.absolute_distance(T="i8")
    noisy = releases(dp.m.make_gaussian(*space, scale=1000), 127)
    assert max(noisy) > 127


# Maps


@pytest.mark.parametrize(
    ("scale", "d_in", "ratio"),
    [
        (1, 1, Fraction(1)),
        (10.0, 3, Fraction(3, 10)),
        ("0.1", 1, Fraction(10)),
        (0.1, 1, 1 / Fraction(0.1)),
        (Fraction(1, 3), 2, Fraction(6)),
        (Decimal("2.5"), 1, Fraction(2, 5)),
        ("1/3", 1, Fraction(3)),
        (np.float64(4), 1, Fraction(1, 4)),
        (np.int32(4), 1, Fraction(1, 4)),
        (mpq(7, 2), 1, Fraction(2, 7)),
        (10**400, 1, Fraction(1, 10**400)),
        (5e-324, 1, Fraction(2**1074)),
    ],
)
def test_the_map_is_half_the_square_of_distance_over_scale_exactly(
    scale: Any, d_in: int, ratio: Fraction
) -> None:
    loss = ratio * ratio / 2
    for space in (INTEGERS, INTEGER_LISTS, FLOATS, FLOAT_LISTS, FRACTIONS):
        measurement = dp.m.make_gaussian(*space, scale=scale)
        exact = measurement.map(d_in, exact=True)
        assert type(exact) is Fraction
        assert exact == loss
        shown = measurement.map(d_in)
        assert type(shown) is float
        assert shown >= loss
        if shown != math.inf:
            assert math.nextafter(shown, 0.0) < loss
        assert measurement.check(d_in, shown)
        assert measurement.check(d_in, loss)
        assert not measurement.check(d_in, loss * Fraction(999, 1000))


def test_a_budget_is_the_decimal_it_prints_as() -> None:
    assert dp.m.make_gaussian(*FRACTIONS, scale=1).check("0.4", 0.08)
    assert dp.m.make_gaussian(*INTEGERS, scale=5).check(1, 0.02)
    assert not dp.m.make_gaussian(*INTEGERS, scale=4.999).check(1, 0.02)


@pytest.mark.parametrize(
    ("k", "d_in", "distance"),
    [
        (None, 0.25, Fraction(1, 4)),
        (-1074, 0.25, Fraction(1, 4)),
        (0, "0.1", 1),
        (0, 1, 1),
        (0, "1.1", 2),
        (3, 1, 8),
        (3, 8.5, 16),
        (-2, "0.1", Fraction(1, 4)),
        (-2, "0.5", Fraction(1, 2)),
        (-2, 5e-324, Fraction(1, 4)),
    ],
)
def test_the_map_on_a_grid(k: int | None, d_in: Any, distance: Any) -> None:
    loss = 2 * Fraction(distance) ** 2
    measurement = dp.m.make_gaussian(*FLOATS, scale="1/2", k=k)
    assert measurement.map(d_in, exact=True) == loss
    rational = dp.m.make_gaussian(*FRACTIONS, scale="1/2", k=k)
    if k != -1074:
        assert rational.map(d_in, exact=True) == loss


def test_the_map_on_a_grid_of_vectors() -> None:
    """rho = (d_in + sqrt(n) (2^k - spacing))^2 / (2 b^2), here with b = 1."""
    for space, step in ((INTEGER_LISTS, 1), (FRACTION_LISTS, 0)):
        four = dp.m.make_gaussian(*sized(space, 4), scale=1, k=2)
        for d_in in (1, 2, 7):
            loss = Fraction((d_in + 2 * (4 - step)) ** 2, 2)
            assert four.map(d_in, exact=True) == loss
    three = dp.m.make_gaussian(*sized(FLOAT_LISTS, 3), scale=1, k=2)
    exact = three.map(1, exact=True)
    root = Fraction(math.isqrt(2 * exact.numerator * 10**60 // exact.denominator))
    # sqrt(2 rho) = 1 + 4 sqrt(3) = 7.9282032302755091741...
    assert abs(root / 10**30 - Fraction("7.9282032302755091741")) < Fraction(1, 10**17)
    assert dp.m.make_gaussian(*sized(FLOAT_LISTS, 0), scale=1, k=2).map(5.0) == 0


@pytest.mark.parametrize("n", [1, 2, 3, 5, 10**6])
def test_the_root_of_the_size_is_rounded_up(n: int) -> None:
    for step in (mpq(0), mpq(1, 4)):
        bound = mpq(l2_sensitivity(mpq(1), 0, step, n))
        root = (bound - 1) / (1 - step)
        assert root * root >= n
        assert (root - mpq(1, 2**64)) ** 2 < n


@pytest.mark.parametrize("d_in", ["1/10", "1/2", "1", "7/3"])
def test_vectors_never_part_by_more_on_the_grid(d_in: str) -> None:
    """Pairs of fractions around the points where the rounding jumps."""
    d = mpq(d_in)
    bound = mpq(l2_sensitivity(d, 0, mpq(0), 2))
    edges = [mpq(n, 2) + mpq(e, 10**6) for n in (-1, 0, 1, 3) for e in (-1, 0, 1)]
    shares = [(mpq(3, 5) * d, mpq(4, 5) * d), (d, mpq(0))]
    for first, second in product(edges, edges):
        for a, b in shares:
            jumps = [
                nearest_multiple(x + by, 0) - nearest_multiple(x, 0)
                for x, by in ((first, a), (second, b))
            ]
            assert sum(jump * jump for jump in jumps) <= bound * bound


@pytest.mark.parametrize("k", [None, 0, 3])
@pytest.mark.parametrize(
    "space",
    [INTEGERS, FLOATS, FRACTIONS, sized(INTEGER_LISTS, 2), sized(FLOAT_LISTS, 2)],
)
def test_the_ends_of_the_map(space: Any, k: int | None) -> None:
    for scale in (0, 1, 10**400):
        measurement = dp.m.make_gaussian(*space, scale=scale, k=k)
        assert measurement.map(0) == 0.0
        assert measurement.map(0, exact=True) == 0
        assert measurement.map(math.inf) == math.inf
        assert measurement.check(math.inf, math.inf)
        assert not measurement.check(math.inf, 10**400)
    silent = dp.m.make_gaussian(*space, scale=0, k=k)
    assert silent.map(1) == math.inf
    assert not silent.check(1, 10**400)
    assert silent.check(0, 0)


def test_vectors_of_any_size_may_use_a_grid_that_rounds_nothing() -> None:
    assert dp.m.make_gaussian(*INTEGER_LISTS, scale=2, k=0).map(3) == 1.125
    assert dp.m.make_gaussian(*FLOAT_LISTS, scale=2, k=-1074).map(3.0) == 1.125


@pytest.mark.parametrize("d_in", [-1, math.nan, -math.inf, "far", None, True, [1], 1j])
def test_what_is_no_distance_is_refused(d_in: Any) -> None:
    for space in (INTEGERS, FLOATS, INTEGER_LISTS, FRACTIONS):
        measurement = dp.m.make_gaussian(*space, scale=1)
        with pytest.raises(OpenDPException, match=r"^InvalidDistance: d_in="):
            measurement.map(d_in)
    with pytest.raises(OpenDPException, match="must be an integer"):
        dp.m.make_gaussian(*INTEGERS, scale=1).map(1.5)


# Calls as in OpenDP


def test_calls_as_opendp_users_write_them() -> None:
    measurement = dp.m.make_gaussian(*INTEGERS, scale=1.0)
    assert measurement.output_measure == dp.zero_concentrated_divergence()
    same = [
        dp.m.make_gaussian(*INTEGERS, 1.0),
        dp.m.make_gaussian(*INTEGERS, 1.0, None),
        dp.m.make_gaussian(*INTEGERS, 1.0, None, "ZeroConcentratedDivergence"),
        dp.m.make_gaussian(
            input_domain=INTEGERS[0],
            input_metric=INTEGERS[1],
            scale=1.0,
            k=None,
            MO="ZeroConcentratedDivergence",
        ),
        INTEGERS >> dp.m.then_gaussian(1.0),
        INTEGERS
        >> dp.m.then_gaussian(scale=1.0, k=None, MO="ZeroConcentratedDivergence"),
        dp.space_of(int) >> dp.m.then_gaussian(scale=1.0),
    ]
    assert all(each == measurement for each in same)
    for MO in (dp.ZeroConcentratedDivergence, dp.zero_concentrated_divergence()):
        assert dp.m.make_gaussian(*INTEGERS, scale=1.0, MO=MO).map(1) == 0.5
    for T in ("i32", "u64", "f64", "f32"):
        domain = dp.atom_domain(T=T, nan=False if "f" in T else None)
        assert (
            dp.m.make_gaussian(domain, dp.absolute_distance(T=T), 2.0).map(1) == 0.125
        )
    assert dp.m.make_gaussian(*FLOATS, scale=1.0, k=-40.0).map(1.0) == 0.5
    chain = dp.space_of(list[int]) >> dp.t.then_count() >> dp.m.then_gaussian(scale=2.0)
    assert chain.map(1) == 0.125
    assert type(chain([3, 4, 5])) is int


def test_an_object_shows_how_it_was_made() -> None:
    assert repr(dp.m.make_gaussian(*INTEGERS, scale=1.0)) == (
        "make_gaussian(AtomDomain(T=int), AbsoluteDistance(T=int), scale=1.0)"
    )
    assert "k=-3" in repr(dp.m.make_gaussian(*FLOATS, scale="0.1", k=-3))


# Refusals

SPACE = {"input_domain": FLOATS[0], "input_metric": FLOATS[1]}
SCALE_FIX = "Pass the scale of the noise, such as scale=1.0"
SPACE_FIX = "Pass atom_domain(T=int) and absolute_distance(T=int), or a vector and L2"
GRID_FIX = "Leave k out"


def bad_scales() -> list[tuple[Any, str]]:
    return [
        (-1, "must be at least 0"),
        (-5e-324, "must be at least 0"),
        ("-1/3", "must be at least 0"),
        (math.nan, "must be a finite number, got nan"),
        (math.inf, "must be a finite number, got inf"),
        (-math.inf, "must be a finite number, got -inf"),
        ("inf", "must be a finite number, got inf"),
        (Decimal("nan"), "must be a finite number, got nan"),
        ("abc", "must be a number such as"),
        ("", "must be a number such as"),
        ("1e999999999", "must have a decimal exponent"),
        (True, "must be a number, got the truth value True"),
        (None, "must be a number"),
        ((1.0, 2.0), "must be a number"),
        (1j, "must be a number"),
        (np.bool_(True), "must be a number"),
    ]


def refused(**arguments: Any) -> OpenDPException:
    with pytest.raises(OpenDPException) as caught:
        dp.m.make_gaussian(**{**SPACE, "scale": 1, **arguments})
    return caught.value


def assert_says(
    error: OpenDPException, argument: str, value: Any, rule: str, fix: str
) -> None:
    """The message names the argument, its value, the rule and the fix, in order."""
    assert error.variant == "MakeMeasurement"
    start = f"{argument}={value!r}"[:40]
    assert error.message.startswith(start)
    assert error.message.endswith(".")
    assert -1 < error.message.index(rule) < error.message.index(fix)


@pytest.mark.parametrize(("scale", "rule"), bad_scales())
def test_a_bad_scale_is_refused(scale: Any, rule: str) -> None:
    assert_says(refused(scale=scale), "scale", scale, rule, SCALE_FIX)


@pytest.mark.parametrize(
    ("k", "rule"),
    [
        (1.5, "must be an integer"),
        ("abc", "must be a number such as"),
        (math.nan, "must be a finite number"),
        (math.inf, "must be a finite number"),
        (True, "must be a number, got the truth value"),
        ((0,), "must be a number"),
        (10**9, "must be at most 65536"),
        (2**16 + 1, "must be at most 65536"),
        (-(10**9), "must be at least -65536"),
    ],
)
def test_a_bad_grid_is_refused(k: Any, rule: str) -> None:
    assert_says(refused(k=k), "k", k, rule, GRID_FIX)


@pytest.mark.parametrize("argument", ["scale", "k", "MO"])
def test_an_array_is_refused_as_any_other_sequence(argument: str) -> None:
    error = refused(**{argument: np.array([1.0, 2.0])})
    assert error.variant == "MakeMeasurement"
    assert error.message.startswith(f"{argument}=")


def test_integers_have_no_finer_grid() -> None:
    error = refused(input_domain=INTEGERS[0], input_metric=INTEGERS[1], k=-1)
    assert_says(error, "k", -1, "must be at least 0 on integers", GRID_FIX)


@pytest.mark.parametrize(
    ("space", "k"), [(FLOAT_LISTS, -1073), (INTEGER_LISTS, 1), (FRACTION_LISTS, -5000)]
)
def test_a_vector_of_unknown_size_is_not_rounded(space: Any, k: int) -> None:
    error = refused(input_domain=space[0], input_metric=space[1], k=k)
    rule = (
        "rounding costs up to one grid step for each entry, and a vector of unknown "
        "size may have any number of them"
    )
    assert_says(error, "k", k, rule, "Leave k out, or use vector_domain(..., size=n)")


@pytest.mark.parametrize(
    "MO",
    [
        "MaxDivergence",
        dp.max_divergence(),
        dp.MaxDivergence,
        dp.approximate(dp.zero_concentrated_divergence()),
        "zeroconcentrateddivergence",
        None,
        1,
        float,
        (1.0, 2.0),
    ],
)
def test_another_measure_is_refused(MO: Any) -> None:
    rule = "Gaussian noise is measured by ZeroConcentratedDivergence"
    assert_says(refused(MO=MO), "MO", MO, rule, "Leave MO out")


@pytest.mark.parametrize(
    "domain",
    [
        dp.atom_domain(T=bool),
        dp.atom_domain(T=str),
        dp.vector_domain(dp.atom_domain(T=str)),
        dp.vector_domain(dp.vector_domain(dp.atom_domain(T=int))),
        dp.vector_domain(dp.option_domain(dp.atom_domain(T=int))),
        dp.option_domain(dp.atom_domain(T=int)),
        dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int)),
        dp.bitvector_domain(),
        int,
        "int",
        None,
        dp.absolute_distance(T=int),
    ],
)
def test_a_domain_of_other_things_is_refused(domain: Any) -> None:
    error = refused(input_domain=domain)
    rule = "must hold int, float or Fraction"
    assert_says(error, "input_domain", domain, rule, SPACE_FIX)


def test_a_domain_with_nan_is_refused() -> None:
    for domain, metric in (
        (dp.atom_domain(T=float), FLOATS[1]),
        (dp.vector_domain(dp.atom_domain(T=float)), FLOAT_LISTS[1]),
    ):
        error = refused(input_domain=domain, input_metric=metric)
        fix = "Use atom_domain(T=float, nan=False), after make_impute_constant"
        assert_says(error, "input_domain", domain, "must not hold NaN", fix)


@pytest.mark.parametrize(
    ("domain", "metric", "wanted"),
    [
        (FLOATS[0], dp.l2_distance(T=float), "AbsoluteDistance"),
        (FLOATS[0], dp.discrete_distance(), "AbsoluteDistance"),
        (FLOATS[0], "AbsoluteDistance", "AbsoluteDistance"),
        (FLOATS[0], None, "AbsoluteDistance"),
        (FLOAT_LISTS[0], dp.absolute_distance(T=float), "L2Distance"),
        (FLOAT_LISTS[0], dp.l1_distance(T=float), "L2Distance"),
        (FLOAT_LISTS[0], dp.linf_distance(T=float), "L2Distance"),
        (FLOAT_LISTS[0], dp.symmetric_distance(), "L2Distance"),
        (FLOAT_LISTS[0], dp.L2Distance, "L2Distance"),
    ],
)
def test_another_metric_is_refused(domain: Any, metric: Any, wanted: str) -> None:
    error = refused(input_domain=domain, input_metric=metric)
    rule = f"must be {wanted} for this domain"
    assert_says(error, "input_metric", metric, rule, SPACE_FIX)


def test_missing_and_unknown_arguments_are_python_errors() -> None:
    with pytest.raises(TypeError, match="scale"):
        dp.m.make_gaussian(*INTEGERS)
    with pytest.raises(TypeError, match="sigma"):
        dp.m.make_gaussian(*INTEGERS, scale=1, sigma=2)


@pytest.mark.parametrize(
    ("space", "data"),
    [
        (INTEGERS, [1.5, 1.0, True, None, "1", "abc", math.nan, [1], 10**3 + 0.5]),
        (FLOATS, [math.nan, True, None, "1.5", [1.0], 2**53 + 1, Fraction(1, 2)]),
        (FRACTIONS, [0.5, True, None, "1/2", math.inf, Decimal(1)]),
        (INTEGER_LISTS, [1, (1, 2), [1.5], [True], [None], np.array([1.5]), "12"]),
        (INTEGER_LISTS, [np.array([[1]]), np.array(1), np.array([True]), {1: 2}]),
        (FLOAT_LISTS, [[math.nan], np.array([math.nan]), [1, "x"], np.array([1])]),
        (sized(INTEGER_LISTS, 2), [[], [1], [1, 2, 3], np.array([1])]),
    ],
)
def test_what_is_no_member_is_refused_with_constant_text(space: Any, data: Any) -> None:
    measurement = dp.m.make_gaussian(*space, scale=1)
    texts = set()
    for value in data:
        with pytest.raises(OpenDPException) as caught:
            measurement(value)
        assert caught.value.variant == "FailedFunction"
        texts.add(caught.value.message)
    assert len(texts) == 1
