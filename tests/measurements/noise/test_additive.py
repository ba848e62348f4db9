"""What noise of every law releases, claims, accepts and refuses.

Each test runs for make_laplace and make_gaussian, and for make_noise with the measure
of each. What differs between the laws is in the files that are named after them.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import attrs
import numpy as np
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException, described
from opendp_lite.data.freezing import freeze
from opendp_lite.laws.noise import GAUSSIAN, LAPLACE
from opendp_lite.randomness.entropy import use_source
from opendp_lite.randomness.real import real_noise
from opendp_lite.show.texts import form
from opendp_lite.verify.contracts.checks import HashedBits
from tests.longer import shortened

INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
FRACTIONS = dp.atom_domain(T=Fraction), dp.absolute_distance(T=Fraction)


@attrs.frozen
class Law:
    """A constructor of noise, the metric of its vectors, and its loss.

    `loss` is a function of the distance divided by the scale.
    """

    name: str
    make: Callable[..., Any]
    norm: Callable[..., Any]
    loss: Callable[[Fraction], Fraction]

    @property
    def norm_name(self) -> str:
        return type(self.norm(T=int)).__name__

    @property
    def integer_lists(self) -> tuple[Any, Any]:
        return dp.vector_domain(INTEGERS[0]), self.norm(T=int)

    @property
    def float_lists(self) -> tuple[Any, Any]:
        return dp.vector_domain(FLOATS[0]), self.norm(T=float)

    @property
    def fraction_lists(self) -> tuple[Any, Any]:
        return dp.vector_domain(FRACTIONS[0]), self.norm(T=Fraction)


def noise(measure: Any) -> Callable[..., Any]:
    return partial(dp.m.make_noise, output_measure=measure)


def itself(ratio: Fraction) -> Fraction:
    return ratio


def half_square(ratio: Fraction) -> Fraction:
    return ratio * ratio / 2


PURE, ZERO = dp.max_divergence(), dp.zero_concentrated_divergence()
LAWS = [
    Law("laplace", dp.m.make_laplace, dp.l1_distance, itself),
    Law("gaussian", dp.m.make_gaussian, dp.l2_distance, half_square),
    Law("noise-pure", noise(PURE), dp.l1_distance, itself),
    Law("noise-zero", noise(ZERO), dp.l2_distance, half_square),
]


@pytest.fixture(params=LAWS, ids=lambda law: law.name)
def law(request: pytest.FixtureRequest) -> Law:
    assert isinstance(request.param, Law)
    return request.param


LARGEST = 1.7976931348623157e308
# Strings that are read a word at a time; of each four, one begins with many zeros and
# one with many ones.
SEEDS = [seed for seed in range(32) if seed % 8 >= 4]
FEW = SEEDS[:4]  # for long lists; all of them in the audit


def releases(measurement: Any, x: Any, seeds: list[int] = SEEDS) -> list[Any]:
    """Releases under fixed bits, among them bits that lead far into both tails."""
    made = []
    for seed in seeds:
        with use_source(HashedBits(seed)):
            made.append(measurement(x))
    return made


def sized(space: tuple[Any, Any], size: int) -> tuple[Any, Any]:
    return dp.vector_domain(space[0].element_domain, size=size), space[1]


# Behaviour: no noise shows the path that a number takes


@pytest.mark.parametrize("x", [0, 1, -1, 2**53 + 1, -(2**63), 2**64, 10**400])
def test_integers_stay_exact_at_any_size(law: Law, x: int) -> None:
    released = law.make(*INTEGERS, scale=0)(x)
    assert type(released) is int
    assert released == x
    noisy = releases(law.make(*INTEGERS, scale=3), x)
    assert {type(y) for y in noisy} == {int}
    assert len(set(noisy)) > 3
    assert all(abs(y - x) < 1000 for y in noisy)


@pytest.mark.parametrize("x", [0.1, -2.5, 5e-324, LARGEST, -LARGEST, 2**53, 3])
def test_floats_without_noise_are_released_as_they_are(law: Law, x: Any) -> None:
    released = law.make(*FLOATS, scale=0)(x)
    assert type(released) is float
    assert released == x


@pytest.mark.parametrize("scale", [0, 1, 1e300, "1e400"])
@pytest.mark.parametrize("k", [None, -1074, 0, 900])
@pytest.mark.parametrize("x", [math.inf, -math.inf])
def test_infinities_pass_through(law: Law, x: float, k: int | None, scale: Any) -> None:
    measurement = law.make(*FLOATS, scale=scale, k=k)
    assert releases(measurement, x) == [x] * len(SEEDS)
    lists = law.make(*sized(law.float_lists, 2), scale=scale, k=k)
    for released in releases(lists, [x, 0.0]):
        assert released[0] == x
        assert math.isfinite(released[1])


@pytest.mark.parametrize("k", [None, -1074, 0, 900])
@pytest.mark.parametrize("x", [0.0, LARGEST, -LARGEST, 1e308])
def test_sums_saturate_at_the_largest_double(law: Law, x: float, k: int | None) -> None:
    measurement = law.make(*FLOATS, scale=10**400, k=k)
    noisy = releases(measurement, x)
    assert set(noisy) == {LARGEST, -LARGEST}


def test_an_integer_beyond_the_doubles_saturates_as_a_fraction(law: Law) -> None:
    measurement = law.make(*FRACTIONS, scale=1)
    assert set(releases(measurement, Fraction(10**400))) == {LARGEST}
    assert set(releases(measurement, -(10**400))) == {-LARGEST}


def test_a_fraction_of_integers_of_numpy_is_a_scale_and_no_member(law: Law) -> None:
    third = Fraction(np.int64(1), np.int64(3))  # type: ignore[call-overload]
    assert type(third.numerator) is np.int64
    assert law.make(*INTEGERS, scale=third).map(1, exact=True) == law.loss(Fraction(3))
    for space, data in ((FRACTIONS, third), (law.fraction_lists, [third])):
        with pytest.raises(OpenDPException, match=r"^FailedFunction: "):
            law.make(*space, scale=1)(data)


def test_fractions_are_released_as_the_nearest_float(law: Law) -> None:
    measurement = law.make(*FRACTIONS, scale=0)
    assert measurement(Fraction(1, 3)) == 1 / 3
    assert type(measurement(7)) is float
    lists = law.make(*law.fraction_lists, scale=0)
    released = lists([Fraction(1, 3), 2])
    assert released == [1 / 3, 2.0]
    assert [type(y) for y in released] == [float, float]
    noisy = releases(law.make(*FRACTIONS, scale=1), Fraction(1, 3))
    assert {type(y) for y in noisy} == {float}
    assert all(math.isfinite(y) for y in noisy)


@pytest.mark.parametrize("k", [None, -1074, -3, 2])
@pytest.mark.parametrize("scale", [0, 5e-324, "1e-400", 1])
@pytest.mark.parametrize(
    "x", [-0.0, pytest.param(0.0, marks=pytest.mark.audit), -5e-324, -1e-10]
)
def test_minus_zero_is_never_released(
    law: Law, x: float, scale: Any, k: int | None
) -> None:
    noisy = releases(law.make(*FLOATS, scale=scale, k=k), x)
    assert not any(y == 0 and math.copysign(1, y) < 0 for y in noisy)
    array = np.array([x] * 4)
    for released in releases(
        law.make(*sized(law.float_lists, 4), scale=scale, k=k), array
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
    law: Law, x: float, k: int, expected: float
) -> None:
    released = law.make(*FLOATS, scale=0, k=k)(x)
    assert type(released) is float
    assert released == expected


def test_integers_and_fractions_are_rounded_to_the_grid(law: Law) -> None:
    eights = law.make(*INTEGERS, scale=0, k=3)
    assert [eights(x) for x in (3, 4, -4, -5, 10**40 + 5)] == [0, 8, 0, -8, 10**40 + 8]
    assert type(eights(3)) is int
    quarters = law.make(*FRACTIONS, scale=0, k=-2)
    assert quarters(Fraction(1, 3)) == 0.25
    assert quarters(Fraction(3, 8)) == 0.5
    assert type(quarters(1)) is float


# Behaviour: containers


def test_lists_come_out_as_lists(law: Law) -> None:
    integers = law.make(*law.integer_lists, scale=1)
    for released in releases(integers, [1, 2**70, -3]):
        assert [type(y) for y in released] == [int, int, int]
    floats = law.make(*law.float_lists, scale=1)
    for released in releases(floats, [1.5, 2, -0.0]):
        assert [type(y) for y in released] == [float, float, float]


@pytest.mark.parametrize(
    "dtype", ["int64", "int8", "uint8", "uint64", ">i4", "int16", "uint32"]
)
def test_arrays_of_integers_come_out_as_int64(law: Law, dtype: str) -> None:
    array = np.array([1, 2, 3], dtype=dtype)
    array.flags.writeable = False
    for scale in (0, 3):
        released = law.make(*law.integer_lists, scale=scale)(array)
        assert isinstance(released, np.ndarray)
        assert released.dtype == np.dtype("int64")
        assert released.shape == (3,)
        assert scale or released.tolist() == [1, 2, 3]


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", ">f8"])
@pytest.mark.parametrize("k", [None, 0])
def test_arrays_of_floats_come_out_as_float64(
    law: Law, dtype: str, k: int | None
) -> None:
    array = np.array([1.0, -2.0, math.inf], dtype=dtype)
    for scale in (0, 3):
        released = law.make(*sized(law.float_lists, 3), scale=scale, k=k)(array)
        assert isinstance(released, np.ndarray)
        assert released.dtype == np.dtype("float64")
        assert released[2] == math.inf
        assert scale or released.tolist() == [1.0, -2.0, math.inf]


def test_arrays_and_lists_get_the_same_noise_from_the_same_bits(law: Law) -> None:
    for space, data in ((law.integer_lists, [5, -7]), (law.float_lists, [0.5, 1e300])):
        measurement = law.make(*space, scale=2)
        plain = releases(measurement, data)
        assert [y.tolist() for y in releases(measurement, np.array(data))] == plain


@pytest.mark.parametrize("seeds", shortened([FEW, SEEDS], SEEDS), ids=len)
@pytest.mark.parametrize("scale", [10, 1000], ids=str)
@pytest.mark.parametrize("count", [0, 95, 96, 127, 128, 159, 160, 500])
def test_lists_and_arrays_of_every_length_get_the_same_noise(
    law: Law, count: int, scale: int, seeds: list[int]
) -> None:
    """The container that goes in comes out, and what is in it has the same bits."""
    for space, data in (
        (law.integer_lists, [5, -7, 0, 2**40]),
        (law.float_lists, [0.5, 1e300, -0.0, math.inf, 5e-324]),
    ):
        values = (data * (count // len(data) + 1))[:count]
        measurement = law.make(*space, scale=scale)
        for listed, array in zip(
            releases(measurement, values, seeds),
            releases(measurement, np.array(values, type(data[0])), seeds),
            strict=True,
        ):
            assert type(listed) is list
            assert array.tolist() == listed
            assert {type(y) for y in listed} <= {type(data[0])}


@pytest.mark.parametrize("count", [48, 300])
@pytest.mark.parametrize("k", [None, -3])
def test_the_function_itself_gives_long_lists_the_noise_of_arrays(
    law: Law, k: int | None, count: int
) -> None:
    """A call of the measurement reads a long list first; a chain may pass the list."""
    values = ([0.5, 1e300, -0.0, math.inf, 5e-324] * count)[:count]
    function = law.make(*sized(law.float_lists, count), scale=2, k=k).function
    for listed, array in zip(
        releases(function, values, FEW),
        releases(function, np.array(values), FEW),
        strict=True,
    ):
        assert type(listed) is list
        assert listed == array.tolist()


@pytest.mark.parametrize("k", [None, 0, 3])
def test_long_lists_of_integers_are_exact_at_any_size(law: Law, k: int | None) -> None:
    """A list does not saturate: not at the ends of int64, nor beyond them."""
    values = [2**62, 2**63 - 1, -(2**63), 2**63, -(2**80), np.uint64(2**64 - 1)] * 60
    exact = [int(x) if k != 3 else (int(x) + 4) // 8 * 8 for x in values]  # type: ignore[call-overload]
    space = sized(law.integer_lists, len(values))
    assert law.make(*space, scale=0, k=k)(values) == exact
    for released in releases(law.make(*space, scale=10, k=k), values):
        assert all(type(y) is int for y in released)
        assert all(abs(y - x) < 2**20 for x, y in zip(exact, released, strict=True))
        assert max(released) > 2**63


@pytest.mark.parametrize("k", [None, -3])
def test_long_lists_of_floats_may_hold_other_numbers(law: Law, k: int | None) -> None:
    """One row that is no plain float, and all are released one by one; as exactly."""
    plain = [0.25, -0.0, math.inf, -1e300]
    others: tuple[Any, ...] = (
        3,
        np.float32(0.5),
        np.float64(2.0),
        np.float16(-np.inf),
        2**53,
    )
    for other, times in zip(others * 2, [50] * 5 + [70] * 5, strict=True):
        values = [*plain * times, other]
        space = sized(law.float_lists, len(values))
        expected = [float(x) for x in values]
        assert law.make(*space, scale=0, k=k)(values) == expected
        for released in releases(law.make(*space, scale=1, k=k), values, FEW):
            assert {type(y) for y in released} == {float}
            infinite = [y for y in released if math.isinf(y)]
            assert infinite == [x for x in expected if math.isinf(x)]


@pytest.mark.parametrize("k", [None, -60])
def test_fractions_among_many_are_rounded_once(law: Law, k: int | None) -> None:
    """They are released as the numbers that they are, which need not be doubles."""
    x = 1 + Fraction(1, 2**53) + Fraction(1, 2**59)
    values = [x, 2**70 + 1, Fraction(1, 3)] * 60
    measurement = law.make(*sized(law.fraction_lists, len(values)), scale=0, k=k)
    expected = [1 + 2.0**-52, 2.0**70, 1 / 3] * 60
    assert measurement(values) == expected


def test_a_fraction_behind_many_floats_is_no_float(law: Law) -> None:
    """As a transformation that is exact may give it; a double could not hold it."""
    measurement = law.make(*law.float_lists, scale=0)
    for count in (100, 300):
        released = measurement.function([*[0.5] * count, Fraction(10**400, 3)])
        assert released == [*[0.5] * count, sys.float_info.max]


def test_a_fraction_is_released_as_the_sampler_of_rationals_would(law: Law) -> None:
    """From the same bits, and without a double in between."""
    measurement = law.make(*FRACTIONS, scale=3)
    kind = LAPLACE if law.norm is dp.l1_distance else GAUSSIAN
    for x in (Fraction(1, 3), Fraction(-7, 2**80), 2**60 + 1, Fraction(10**400)):
        for seed in range(16):
            with use_source(HashedBits(seed)):
                released = measurement(x)
            with use_source(HashedBits(seed)):
                assert mpq(released) == real_noise(kind, mpq(3)).sample(mpq(x))


def test_arrays_of_integers_saturate_at_the_ends_of_int64(law: Law) -> None:
    ends = [2**63 - 1, -(2**63)]
    measurement = law.make(*law.integer_lists, scale=2)
    seen = set()
    for released in releases(measurement, np.array(ends)):
        assert released.dtype == np.dtype("int64")
        seen.update(released.tolist())
        # The noise is small, so no sum has wrapped around.
        assert released[0] > 2**62
        assert released[1] < -(2**62)
    assert seen > set(ends)
    huge = law.make(*law.integer_lists, scale=10**80)
    for dtype in ("int64", "uint64"):
        zeros = np.array([0, 0], dtype)
        assert {*np.concatenate(releases(huge, zeros)).tolist()} == {*ends}
    unsigned = law.make(*law.integer_lists, scale=0)
    assert unsigned(np.array([2**64 - 1], dtype="uint64")).tolist() == [2**63 - 1]
    # A list has no such ends.
    assert law.make(*law.integer_lists, scale=0)([2**64 - 1]) == [2**64 - 1]


@pytest.mark.parametrize("dtype", ["int8", "uint32", "uint64", ">i8"])
def test_arrays_of_integers_on_a_grid(law: Law, dtype: str) -> None:
    eights = law.make(*sized(law.integer_lists, 4), scale=0, k=3)
    released = eights(np.array([3, 4, 100, 124], dtype=dtype))
    assert released.dtype == np.dtype("int64")
    assert released.tolist() == [0, 8, 104, 128]
    noisy = law.make(*sized(law.integer_lists, 4), scale=20, k=3)
    for released in releases(noisy, np.array([3, 4, 100, 124], dtype=dtype)):
        assert not (released % 8).any()


def test_large_unsigned_integers_are_rounded_and_added_before_they_saturate(
    law: Law,
) -> None:
    top = np.array([2**63 + 8, 2**64 - 1, 2**63 - 1, 5], dtype="uint64")
    last = 2**63 - 1
    for k, expected in ((None, [last] * 3 + [5]), (2, [last] * 3 + [4])):
        exact = law.make(*sized(law.integer_lists, 4), scale=0, k=k)
        assert exact(top).tolist() == expected
        noisy = law.make(*sized(law.integer_lists, 4), scale=100, k=k)
        made = releases(noisy, top)
        # 2^63 + 8 falls below the end by its noise, and not from the end.
        assert {int(y[0]) == last for y in made} == {True, False}
        assert all(int(y[1]) == last for y in made)


def test_arrays_that_are_views_or_memory_maps(law: Law, tmp_path: Any) -> None:
    whole = law.make(*law.integer_lists, scale=0)
    real = law.make(*law.float_lists, scale=0)
    mapped = np.memmap(tmp_path / "numbers", dtype="int32", mode="w+", shape=(3,))
    mapped[:] = [1, 2, 3]
    for made in (whole(np.arange(6)[::2]), whole(mapped), real(np.arange(6.0)[::-2])):
        assert type(made) is np.ndarray
        assert made.flags.writeable
    assert whole(np.arange(6)[::2]).tolist() == [0, 2, 4]
    assert real(np.arange(6.0)[::-2]).tolist() == [5.0, 3.0, 1.0]
    kept = np.array([1, 2, 3])
    released = whole(kept)
    assert not np.shares_memory(released, kept)


def test_empty_vectors(law: Law) -> None:
    for space, dtype in ((law.integer_lists, "int64"), (law.float_lists, "float64")):
        for domain in (space, sized(space, 0)):
            measurement = law.make(*domain, scale=1)
            assert measurement([]) == []
            released = measurement(np.array([], dtype=dtype))
            assert released.shape == (0,)
            assert released.dtype == np.dtype(dtype)
    assert law.make(*law.fraction_lists, scale=1)([]) == []


def test_numpy_scalars_are_the_numbers_they_stand_for(law: Law) -> None:
    assert type(law.make(*INTEGERS, scale=1)(np.uint8(200))) is int
    assert law.make(*INTEGERS, scale=0)(np.uint64(2**64 - 1)) == 2**64 - 1
    assert law.make(*FLOATS, scale=0)(np.float32(0.1)) == float(np.float32(0.1))
    assert type(law.make(*FLOATS, scale=0)(np.float32(0.5))) is float
    assert type(law.make(*FLOATS, scale=0)(np.float64(math.inf))) is float


def test_inputs_are_not_changed(law: Law) -> None:
    measurement = law.make(*law.integer_lists, scale=5)
    data, array = [1, 2, 3], np.array([1, 2, 3])
    measurement(data)
    measurement(array)
    assert data == array.tolist() == [1, 2, 3]


def test_named_integer_types_bound_the_data_and_not_the_release(law: Law) -> None:
    space = dp.atom_domain(T="i8"), dp.absolute_distance(T="i8")
    noisy = releases(law.make(*space, scale=1000), 127)
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
def test_the_map_is_the_loss_at_distance_over_scale_exactly(
    law: Law, scale: Any, d_in: int, ratio: Fraction
) -> None:
    loss = law.loss(ratio)
    for space in (INTEGERS, law.integer_lists, FLOATS, law.float_lists, FRACTIONS):
        measurement = law.make(*space, scale=scale)
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


@pytest.mark.parametrize(
    ("k", "d_in", "distance"),
    [
        (None, 0.1, Fraction(0.1)),
        (None, 0.25, Fraction(1, 4)),
        (-1074, 0.1, Fraction(0.1)),
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
def test_the_map_on_a_grid(law: Law, k: int | None, d_in: Any, distance: Any) -> None:
    loss = law.loss(2 * Fraction(distance))
    # Of a vector of one, the L2 bound on the grid is coarser.
    vectors = [sized(law.float_lists, 1)] if law.norm is dp.l1_distance else []
    for space in (FLOATS, *vectors):
        measurement = law.make(*space, scale="1/2", k=k)
        assert measurement.map(d_in, exact=True) == loss
    rational = law.make(*FRACTIONS, scale="1/2", k=k)
    if k != -1074:
        assert rational.map(d_in, exact=True) == loss


@pytest.mark.parametrize("k", [None, 0, 3])
@pytest.mark.parametrize(
    "choose",
    [
        lambda law: INTEGERS,
        lambda law: FLOATS,
        lambda law: FRACTIONS,
        lambda law: sized(law.integer_lists, 2),
        lambda law: sized(law.float_lists, 2),
    ],
)
def test_the_ends_of_the_map(law: Law, choose: Any, k: int | None) -> None:
    space = choose(law)
    for scale in (0, 1, 10**400):
        measurement = law.make(*space, scale=scale, k=k)
        assert measurement.map(0) == 0.0
        assert measurement.map(0, exact=True) == 0
        assert measurement.map(math.inf) == math.inf
        assert measurement.check(math.inf, math.inf)
        assert not measurement.check(math.inf, 10**400)
    silent = law.make(*space, scale=0, k=k)
    assert silent.map(1) == math.inf
    assert not silent.check(1, 10**400)
    assert silent.check(0, 0)


def test_vectors_of_any_size_may_use_a_grid_that_rounds_nothing(law: Law) -> None:
    assert law.make(*law.integer_lists, scale=2, k=0).map(3) == law.loss(Fraction(3, 2))
    assert law.make(*law.float_lists, scale=2, k=-1074).map(3.0) == law.loss(
        Fraction(3, 2)
    )


@pytest.mark.parametrize("d_in", [-1, math.nan, -math.inf, "far", None, True, [1], 1j])
def test_what_is_no_distance_is_refused(law: Law, d_in: Any) -> None:
    for space in (INTEGERS, FLOATS, law.integer_lists, FRACTIONS):
        measurement = law.make(*space, scale=1)
        with pytest.raises(OpenDPException, match=r"^InvalidDistance: d_in="):
            measurement.map(d_in)
    with pytest.raises(OpenDPException, match="must be an integer"):
        law.make(*INTEGERS, scale=1).map(1.5)


# Refusals

SPACE = {"input_domain": FLOATS[0], "input_metric": FLOATS[1]}
SCALE_FIX = "Pass the scale of the noise, such as scale=1.0"
SPACE_FIX = (
    "Pass atom_domain(T=int) and absolute_distance(T=int), or "
    "vector_domain(atom_domain(T=int)) and "
)
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


def refused(law: Law, **arguments: Any) -> OpenDPException:
    with pytest.raises(OpenDPException) as caught:
        law.make(**{**SPACE, "scale": 1, **arguments})
    return caught.value


def assert_says(
    error: OpenDPException, argument: str, value: Any, rule: str, fix: str
) -> None:
    """The message names the argument, its value, the rule and the fix, in order."""
    assert error.variant == "MakeMeasurement"
    start = f"{argument}={described(argument, freeze(value))}"[:40]
    assert error.message.startswith(start)
    assert error.message.endswith(".")
    assert -1 < error.message.index(rule) < error.message.index(fix)


@pytest.mark.parametrize(("scale", "rule"), bad_scales())
def test_a_bad_scale_is_refused(law: Law, scale: Any, rule: str) -> None:
    assert_says(refused(law, scale=scale), "scale", scale, rule, SCALE_FIX)


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
def test_a_bad_grid_is_refused(law: Law, k: Any, rule: str) -> None:
    assert_says(refused(law, k=k), "k", k, rule, GRID_FIX)


@pytest.mark.parametrize("argument", ["scale", "k"])
def test_an_array_is_refused_as_any_other_sequence(law: Law, argument: str) -> None:
    error = refused(law, **{argument: np.array([1.0, 2.0])})
    assert error.variant == "MakeMeasurement"
    assert error.message.startswith(f"{argument}=")


def test_integers_have_no_finer_grid(law: Law) -> None:
    error = refused(law, input_domain=INTEGERS[0], input_metric=INTEGERS[1], k=-1)
    assert_says(error, "k", -1, "must be at least 0 on integers", GRID_FIX)


@pytest.mark.parametrize(
    ("lists", "k"),
    [("float_lists", -1073), ("integer_lists", 1), ("fraction_lists", -5000)],
)
def test_a_vector_of_unknown_size_is_not_rounded(law: Law, lists: str, k: int) -> None:
    space = getattr(law, lists)
    error = refused(law, input_domain=space[0], input_metric=space[1], k=k)
    rule = (
        "rounding costs up to one grid step for each entry, and a vector of unknown "
        "size may have any number of them"
    )
    assert_says(error, "k", k, rule, "Leave k out, or use vector_domain(..., size=n)")


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
def test_a_domain_of_other_things_is_refused(law: Law, domain: Any) -> None:
    error = refused(law, input_domain=domain)
    rule = "must hold int, float or Fraction"
    assert_says(
        error, "input_domain", domain, rule, SPACE_FIX + f"{law.norm.__name__}(T=int)"
    )


def test_a_domain_with_nan_is_refused(law: Law) -> None:
    for domain, metric in (
        (dp.atom_domain(T=float), FLOATS[1]),
        (dp.vector_domain(dp.atom_domain(T=float)), law.float_lists[1]),
    ):
        error = refused(law, input_domain=domain, input_metric=metric)
        fix = "Use atom_domain(T=float, nan=False), after make_impute_constant"
        assert_says(error, "input_domain", domain, "must not hold NaN", fix)


def test_another_metric_is_refused(law: Law) -> None:
    others = [dp.l1_distance, dp.l2_distance]
    others.remove(law.norm)
    norms = dp.L1Distance, dp.L2Distance
    for domain, metric, wanted in [
        (FLOATS[0], dp.l1_distance(T=float), "AbsoluteDistance"),
        (FLOATS[0], dp.l2_distance(T=float), "AbsoluteDistance"),
        (FLOATS[0], dp.discrete_distance(), "AbsoluteDistance"),
        (FLOATS[0], "AbsoluteDistance", "AbsoluteDistance"),
        (FLOATS[0], None, "AbsoluteDistance"),
        (law.float_lists[0], dp.absolute_distance(T=float), law.norm_name),
        (law.float_lists[0], others[0](T=float), law.norm_name),
        (law.float_lists[0], dp.linf_distance(T=float), law.norm_name),
        (law.float_lists[0], dp.symmetric_distance(), law.norm_name),
        *((law.float_lists[0], norm, law.norm_name) for norm in norms),
    ]:
        error = refused(law, input_domain=domain, input_metric=metric)
        rule = f"must be {wanted} for this domain"
        fix = SPACE_FIX + f"{law.norm.__name__}(T=int)"
        assert_says(error, "input_metric", metric, rule, fix)


@pytest.mark.parametrize(
    ("choose", "data"),
    [
        (
            lambda law: INTEGERS,
            [1.5, 1.0, True, None, "1", "abc", math.nan, [1], 10**3 + 0.5],
        ),
        (
            lambda law: FLOATS,
            [math.nan, True, None, "1.5", [1.0], 2**53 + 1, Fraction(1, 2)],
        ),
        (lambda law: FRACTIONS, [0.5, True, None, "1/2", math.inf, Decimal(1)]),
        (
            lambda law: law.integer_lists,
            [1, (1, 2.5), [1.5], [True], [None], np.array([1.5]), "12"],
        ),
        (
            lambda law: law.integer_lists,
            [np.array([[1]]), np.array(1), np.array([True]), {1: 2}],
        ),
        (
            lambda law: law.float_lists,
            [[math.nan], np.array([math.nan]), [1, "x"], np.array([1])],
        ),
        (lambda law: sized(law.integer_lists, 2), [[], [1], [1, 2, 3], np.array([1])]),
    ],
)
def test_what_is_no_member_is_refused_by_its_form_alone(
    law: Law, choose: Any, data: Any
) -> None:
    measurement = law.make(*choose(law), scale=1)
    texts: dict[str, set[str]] = {}
    for value in data:
        with pytest.raises(OpenDPException) as caught:
            measurement(value)
        assert caught.value.variant == "FailedFunction"
        texts.setdefault(form(value), set()).add(caught.value.message)
    assert {len(each) for each in texts.values()} == {1}
