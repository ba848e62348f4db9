"""Searches: the very last value that passes, and errors that are never hidden."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.base.errors import OpenDPException, SearchError
from opendp_lite.core.domains import atom_domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import approximate, max_divergence
from opendp_lite.core.metrics import absolute_distance
from opendp_lite.measurements import (
    make_gaussian,
    make_laplace,
    make_randomized_response_bool,
)
from opendp_lite.sessions.user import make_user_measurement, make_user_transformation
from opendp_lite.solving.search import (
    binary_search,
    binary_search_chain,
    binary_search_param,
    exponential_bounds_search,
)
from tests.rows import for_each

INF = math.inf
LARGEST = 1.7976931348623157e308
FLOAT = atom_domain(T=float, nan=False), absolute_distance(T=float)
INT = atom_domain(T=int), absolute_distance(T=int)

FINITE = st.floats(allow_nan=False, allow_infinity=False)


def laplace(scale: Any) -> Measurement:
    return make_laplace(*FLOAT, scale=scale)


@given(FINITE.filter(lambda x: abs(x) < LARGEST))
def test_floats_without_bounds(turn: float) -> None:
    above, below = math.nextafter(turn, INF), math.nextafter(turn, -INF)
    assert binary_search(lambda x: x >= turn, T=float) == turn
    assert binary_search(lambda x: x <= turn, T=float) == turn
    assert binary_search(lambda x: x > turn, T=float) == above
    assert binary_search(lambda x: x < turn, T=float) == below
    assert binary_search(lambda x: x >= turn) == turn
    assert binary_search(lambda x: x >= turn, T=float, return_sign=True) == (turn, 1)
    assert binary_search(lambda x: x <= turn, T="f64", return_sign=True) == (turn, -1)


@given(st.integers(-(2**1023), 2**1023))
def test_integers_without_bounds(turn: int) -> None:
    assert binary_search(lambda n: n >= turn, T=int) == turn
    assert binary_search(lambda n: n <= turn, T=int) == turn
    assert binary_search(lambda n: n > turn, T="i64") == turn + 1
    assert binary_search(lambda n: n < turn, T=int, return_sign=True) == (turn - 1, -1)


@given(st.integers(-(2**80), 2**80), st.integers(0, 2**70), st.integers(0, 2**70))
def test_integers_with_bounds(turn: int, below: int, above: int) -> None:
    lower, upper = turn - below - 1, turn + above
    for bounds in ((lower, upper), (lower, None), (None, upper)):
        assert binary_search(lambda n: n >= turn, bounds) == turn
        assert binary_search(lambda n: n < turn, bounds) == turn - 1


@given(FINITE, FINITE, FINITE)
def test_floats_with_bounds(x: float, y: float, z: float) -> None:
    lower, turn, upper = sorted((x, y, z))
    if lower == turn:
        return
    for bounds in ((lower, upper), (lower, None), (None, upper)):
        assert binary_search(lambda v: v >= turn, bounds) == turn
        if turn < upper:
            assert binary_search(lambda v: v <= turn, (lower, upper)) == turn


def test_far_bounds_of_integers() -> None:
    far = 10**2000
    assert binary_search(lambda n: n >= far + 7, (far, None)) == far + 7
    assert binary_search(lambda n: n >= -far - 7, (None, -far)) == -far - 7
    assert binary_search(lambda n: n <= far + 10**50, (far, None)) == far + 10**50


def test_the_predicate_is_asked_once_for_a_value_and_not_often() -> None:
    asked: list[float] = []

    def predicate(x: float) -> bool:
        asked.append(x)
        return x >= math.pi

    assert binary_search(predicate, T=float) == math.pi
    assert len(asked) == len(set(asked)) < 80


@for_each("turn", [5e-324, 1e-320, 2.2250738585072014e-308, 1e-9, 0.1, 1e300, LARGEST])
def test_positive_parameters_of_any_size(turn: float) -> None:
    """A scale must be positive: zero and negative values raise."""

    def predicate(x: float) -> bool:
        if x <= 0:
            raise ValueError("must be positive")
        return x > turn if turn < LARGEST else x >= turn

    if turn == LARGEST:
        assert binary_search(predicate) == LARGEST
    else:
        assert binary_search(predicate) == math.nextafter(turn, INF)
        assert binary_search(lambda x: not predicate(x)) == turn


def test_subnormal_turns_are_found_from_zero() -> None:
    assert binary_search(lambda x: x >= 5e-324) == 5e-324
    assert binary_search(lambda x: x > 0) == 5e-324
    assert binary_search(lambda x: x >= 0) == 0.0
    assert math.copysign(1, binary_search(lambda x: x >= 0)) == 1
    assert binary_search(lambda x: x <= -5e-324) == -5e-324


@for_each(
    ("d_in", "d_out"),
    [
        (1.0, 0.1),
        (1.0, 1.0),
        (1, 10.0),
        (1.0, 3.0),
        (0.1, 1.0),
        ("1/3", "0.7"),
        (1, Fraction(22, 7)),
        (1, Decimal("1e-9")),
        (1, 1e300),
        (1e300, 1e-5),
        (5e-324, 1e-3),
        (1, 700),
    ],
)
def test_the_tightest_scale(d_in: Any, d_out: Any) -> None:
    scale = binary_search_param(laplace, d_in, d_out)
    assert type(scale) is float
    assert laplace(scale).check(d_in, d_out)
    assert not laplace(math.nextafter(scale, 0)).check(d_in, d_out)
    made: list[Measurement] = []

    def make(scale: Any) -> Measurement:
        made.append(laplace(scale))
        return made[-1]

    chain = binary_search_chain(make, d_in, d_out)
    assert chain == laplace(scale)
    assert any(chain is each for each in made)  # what is returned is what was checked
    again = binary_search_param(laplace, d_in, d_out, bounds=(0.0, LARGEST))
    assert again == scale


def test_the_largest_distance() -> None:
    noisy = make_laplace(*INT, scale=10)
    assert binary_search(lambda d: noisy.check(d, 0.3), T=int) == 3
    assert binary_search(lambda d: noisy.check(d, 0.3), bounds=(0, 100)) == 3
    assert binary_search(lambda d: noisy.check(d, 1), T=int) == 10
    least = binary_search(lambda eps: noisy.check(3, eps))
    assert least == 0.3


def test_a_parameter_that_lowers_the_guarantee() -> None:
    prob = binary_search_param(make_randomized_response_bool, 1, 1.0)
    assert make_randomized_response_bool(prob).check(1, 1.0)
    assert not make_randomized_response_bool(math.nextafter(prob, 1)).check(1, 1.0)
    assert abs(prob - 1 / (1 + math.exp(-1))) < 1e-15
    assert binary_search_param(
        make_randomized_response_bool, 1, 1.0, bounds=(0.5, 1)
    ) == (prob)


@pytest.mark.usefixtures("honest")
def test_pairs() -> None:
    def gaussian_like(scale: Any) -> Measurement:
        return make_user_measurement(
            *FLOAT,
            approximate(max_divergence()),
            lambda x: x,
            lambda d: (d / Fraction(scale), Fraction(1, 10**9)),
        )

    scale = binary_search_param(gaussian_like, 1, (0.3, 1e-9), bounds=(1e-3, 1e3))
    assert gaussian_like(scale).check(1, (0.3, 1e-9))
    assert not gaussian_like(math.nextafter(scale, 0)).check(1, (0.3, 1e-9))
    # Zero divides: it is passed over when no bounds are given.
    assert binary_search_param(gaussian_like, 1, (0.3, 1e-9), T=float) == scale
    with pytest.raises(SearchError, match="fails at every value"):
        binary_search_param(gaussian_like, 1, (0.3, 1e-10), bounds=(1e-3, 1e3))


@pytest.mark.usefixtures("honest")
def test_a_transformation_with_an_integer_parameter() -> None:
    def repeat(times: Any) -> Any:
        if not isinstance(times, int) or times < 0:
            raise TypeError("times must be a whole number")
        return make_user_transformation(
            *INT, *INT, lambda x: x * times, lambda d: d * times
        )

    assert binary_search_param(repeat, 3, 100) == 33
    assert binary_search_param(repeat, 3, 100, bounds=(0, None)) == 33
    assert binary_search_chain(repeat, 3, 100)(2) == 66


def test_a_constant_predicate_has_no_turning_point() -> None:
    for answer, says in ((True, "passes"), (False, "fails")):
        for T in (int, float, None):
            with pytest.raises(SearchError) as caught:
                binary_search(lambda x, answer=answer: answer, T=T)
            assert isinstance(caught.value, ValueError)
            assert isinstance(caught.value, OpenDPException)
            assert caught.value.variant == "FailedSearch"
            assert f"predicate {says} at every value" in caught.value.message
            assert "pass bounds that hold the turning point" in caught.value.message
            assert len(caught.value.message) < 400
        with pytest.raises(SearchError, match=r"from 2\.0 to 3\.0"):
            binary_search(lambda x, answer=answer: answer, (2.0, 3.0))
        with pytest.raises(SearchError):
            exponential_bounds_search(lambda x, answer=answer: answer, T=int)
    with pytest.raises(SearchError, match="passes"):
        binary_search_param(laplace, 0, 1.0)
    with pytest.raises(SearchError, match="fails"):
        binary_search_param(laplace, INF, 1.0)


def counted(make: Any) -> tuple[Any, list[Any]]:
    asked: list[Any] = []

    def make_chain(param: Any) -> Any:
        asked.append(param)
        return make(param)

    return make_chain, asked


@for_each("d_out", [1e-9, 0.1, 1 / 3, 0.5, 1.0, 3.7, 123.4])
@for_each("make", [make_laplace, make_gaussian])
def test_losses_tell_where_to_look(make: Any, d_out: float) -> None:
    """A few probes suffice, and find what halving finds."""
    for bounds in ((None, None), (1e-3, 1e12), (1e-300, LARGEST)):
        make_chain, asked = counted(lambda scale: make(*FLOAT, scale=scale))
        found = binary_search_param(make_chain, 1.0, d_out, bounds, T=float)
        assert len(asked) == len(set(asked)) <= 30
        halved = binary_search(
            lambda scale: make(*FLOAT, scale=scale).check(1.0, d_out), bounds, T=float
        )
        assert found == halved


@pytest.mark.usefixtures("honest")
@pytest.mark.parametrize(
    "loss",
    [
        lambda s: 1000 - s,  # far from a power
        lambda s: 1 / (1 + s**8),
        lambda s: Fraction(2) ** int(-s),  # in steps
        lambda s: 5 if s < 777 else Fraction(1, 1000),
        lambda s: 0 if s >= 123.456 else math.inf,  # no logarithm
        lambda s: 10 ** int(400 - s),  # beyond the floats
    ],
)
def test_losses_of_any_shape_are_searched(loss: Any) -> None:
    def make(scale: float) -> Measurement:
        return make_user_measurement(
            *FLOAT, max_divergence(), lambda x: x, lambda d: loss(Fraction(scale))
        )

    make_chain, asked = counted(make)
    found = binary_search_param(make_chain, 1, 0.25, (1e-3, 1e3))
    assert make(found).check(1, 0.25)
    assert not make(math.nextafter(found, 0)).check(1, 0.25)
    assert len(asked) == len(set(asked)) <= 100


@pytest.mark.usefixtures("honest")
def test_a_loss_that_cannot_be_shown_does_not_end_a_search() -> None:
    class Chain:
        def __init__(self, scale: float) -> None:
            self.scale = scale

        def check(self, d_in: Any, d_out: Any) -> bool:
            return self.scale >= 3.3

        def map(self, d_in: Any) -> Any:
            raise OwnError("no number")

    make: Any = Chain
    assert binary_search_param(make, 1, 1.0) == 3.3


@pytest.mark.usefixtures("honest")
@pytest.mark.parametrize("power", [10, 307])
def test_integer_parameters_beyond_the_floats(power: int) -> None:
    def grow(size: Any) -> Any:
        return make_user_transformation(
            *INT, *INT, lambda x: x * size, lambda d: d * abs(size)
        )

    limit = 10**power + 7
    assert binary_search_param(grow, 1, limit, (1, None), T=int) == limit


@pytest.mark.parametrize("T", [None, float])
def test_nothing_is_asked_far_beyond_a_failure(T: Any) -> None:
    """The probabilities at which a constructor fails are not all tried."""
    make_chain, asked = counted(make_randomized_response_bool)
    found = binary_search_param(make_chain, 1, 1.0, T=T)
    assert make_randomized_response_bool(found).check(1, 1.0)
    assert not make_randomized_response_bool(math.nextafter(found, 1)).check(1, 1.0)
    assert len(asked) <= 30


def test_a_failure_at_zero_alone_hides_nothing() -> None:
    with pytest.raises(ZeroDivisionError):  # it turns there
        binary_search(lambda x: 1 / x > 0, T=float)
    assert exponential_bounds_search(lambda x: 1 / x > 0, T=int) == (-1, 1)


class OwnError(Exception):
    pass


def test_the_functions_own_error_surfaces() -> None:
    def broken(x: Any) -> bool:
        raise OwnError("mine")

    for arguments in ({}, {"T": float}, {"T": int}, {"bounds": (0, 1)}):
        with pytest.raises(OwnError, match="mine"):
            binary_search(broken, **arguments)
    with pytest.raises(OwnError, match="mine"):
        exponential_bounds_search(broken)
    for d_in, d_out, says in (
        (-1, 1, "d_in=-1"),
        (1, -1, "d_out=-1"),
        (1, math.nan, "d_out=nan"),
        (1, (1, 0), "d_out="),
        (None, 1, "d_in=None"),
    ):
        with pytest.raises(OpenDPException, match=says):
            binary_search_param(laplace, d_in, d_out)
        with pytest.raises(OpenDPException, match=says):
            binary_search_param(laplace, d_in, d_out, bounds=(0.5, 2.0))


def test_an_error_where_an_int_is_due_does_not_hide_the_real_one() -> None:
    def make(size: Any) -> Measurement:
        if not isinstance(size, int):
            raise TypeError("size must be an int")
        return laplace(1 if size < 0 else size)

    with pytest.raises(OpenDPException, match="d_out=-1") as caught:
        binary_search_param(make, 1, -1)
    assert isinstance(caught.value.__cause__, TypeError)


def test_an_error_between_two_answers_surfaces() -> None:
    def holed(x: float) -> bool:
        if 2.5 < x < 2.6:
            raise OwnError("hole")
        return x >= 2.55

    with pytest.raises(OwnError, match="hole"):
        binary_search(holed)


def test_an_error_at_a_given_bound_surfaces() -> None:
    def positive(x: float) -> bool:
        if x <= 0:
            raise OwnError("not positive")
        return x >= 3

    assert binary_search(positive) == 3.0
    for bounds in ((0.0, 5.0), (0.0, None), (-1.0, 5.0)):
        with pytest.raises(OwnError, match="not positive"):
            binary_search(positive, bounds)
    assert binary_search(positive, (None, 5.0)) == 3.0


def test_a_search_that_fails_tells_of_the_errors_it_passed_over() -> None:
    def predicate(x: float) -> bool:
        if x < 0:
            raise OwnError("negative")
        return True

    with pytest.raises(SearchError) as caught:
        binary_search(predicate, T=float)
    assert isinstance(caught.value.__cause__, OwnError)


def test_interrupts_are_not_swallowed() -> None:
    def interrupted(x: float) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        binary_search(interrupted)


def test_the_type_follows_the_bounds_or_the_predicate() -> None:
    def is_type(found: Any, kind: type) -> bool:
        return type(found) is kind

    assert is_type(binary_search(lambda x: x >= 5, (0, 9)), int)
    assert is_type(binary_search(lambda x: x >= 5, (np.int64(0), np.int64(9))), int)
    assert is_type(binary_search(lambda x: x >= 5, (0, None)), int)
    assert is_type(binary_search(lambda x: x >= 5, (0, 9.0)), float)
    assert is_type(binary_search(lambda x: x >= 5, (0, 9), T=float), float)
    assert is_type(binary_search(lambda x: x >= 5, (0.0, 9.0), T=int), int)
    assert is_type(binary_search(lambda x: x >= 5), float)
    assert is_type(binary_search(lambda x: x >= 5, (Fraction(1, 3), "9")), float)
    assert is_type(binary_search(lambda x: list(range(20))[x] >= 5), int)
    assert is_type(binary_search(lambda x: x >= 5, None), float)
    assert is_type(binary_search(lambda x: np.bool_(x >= 5), [None, None]), float)  # type: ignore[arg-type, return-value]


def test_bounds_are_rounded_into_the_range() -> None:
    tenth = Fraction(1, 10)
    seen: list[float] = []

    def predicate(x: float) -> bool:
        seen.append(x)
        return x >= 0.5

    binary_search(predicate, (tenth, Fraction(2, 3)))
    assert min(map(Fraction, seen)) >= tenth
    assert max(map(Fraction, seen)) <= Fraction(2, 3)
    assert binary_search(lambda n: n >= 2, (0.5, 3.5), T=int) == 2
    for bounds, T in (((0.2, 0.8), int), ((tenth, tenth), float)):
        with pytest.raises(OpenDPException, match="between them"):
            binary_search(lambda x: x >= 0.5, bounds, T=T)
    # At a bound that is a turning point there is only one answer.
    with pytest.raises(SearchError):
        binary_search(lambda x: x >= 5, (5, 5))


def test_infinite_bounds() -> None:
    assert binary_search(lambda x: x >= 5.0, (-INF, INF)) == 5.0
    assert binary_search(lambda x: x > LARGEST, (0.0, INF)) == INF
    with pytest.raises(OpenDPException, match="an int is finite"):
        binary_search(lambda x: x >= 5, (0, INF), T=int)


@for_each(
    ("arguments", "says"),
    [
        ({"bounds": (2, 1)}, "bounds=(2, 1): lower may not be above upper"),
        ({"bounds": (1,)}, "bounds=(1,): must be a pair"),
        ({"bounds": 5}, "bounds=5: must be a pair"),
        ({"bounds": (0, math.nan)}, "bounds=(0, nan)"),
        ({"bounds": ("a", None)}, "bounds=('a', None)"),
        ({"bounds": (True, 2)}, "bounds=(True, 2)"),
        ({"T": str}, "T=<class 'str'>: must be int or float"),
        ({"T": Fraction}, "must be int or float"),
        ({"T": "real"}, "T='real'"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(OpenDPException) as caught:
        binary_search(lambda x: x >= 1, **arguments)
    assert says in caught.value.message
    assert "Pass" in caught.value.message


@given(st.integers(-(2**200), 2**200))
def test_exponential_bounds_hold_the_turn(turn: int) -> None:
    low, high = exponential_bounds_search(lambda n: n >= turn, T=int)
    assert low < turn <= high
    low, high = exponential_bounds_search(lambda x: x >= float(turn), T=float)
    assert low < float(turn) <= high
    assert type(low) is type(high) is float


@for_each("d_out", [0.7, 1.1, 0.3, 1.7, 0.9])
def test_a_guess_that_meets_the_limit_ends_the_search_soon(d_out: float) -> None:
    """At some limits the first guess is exact, and its logarithm a little beyond."""
    asked = []

    def make(scale: float) -> Any:
        asked.append(scale)
        return make_laplace(
            atom_domain(T=float, nan=False), absolute_distance(T=float), scale
        )

    found = binary_search_param(make, d_in=1.0, d_out=d_out)
    assert make(found).check(1.0, d_out)
    assert not make(math.nextafter(found, 0.0)).check(1.0, d_out)
    assert len(asked) < 14


@for_each(
    ("predicate", "options", "value"),
    [
        (lambda x: 1 / 0, {"T": float}, "0.0"),
        (lambda x: 1 / 0, {"T": int}, "0"),
        (lambda x: 1 / 0, {"bounds": (3, 10)}, "3"),
        (lambda x: x > 4 or 1 / (x - 4), {"bounds": (4, 10)}, "4"),
    ],
)
def test_an_error_of_the_predicate_names_the_value_that_was_tried(
    predicate: Any, options: Any, value: str
) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        binary_search(predicate, **options)
    assert caught.value.__notes__ == [f"The search tried the value {value}."]


def test_bounds_of_two_types_are_read_as_numbers() -> None:
    assert binary_search(lambda x: x >= 3.5, bounds=(0, 10.0)) == 3.5
    assert binary_search(lambda x: x >= 3.5, bounds=(0.0, 10), T=int) == 4
