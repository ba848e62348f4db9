"""Accuracies hold, and are the least; scales are the greatest: by ball arithmetic.

The tails here are computed by FLINT and share no code with the package.
"""

from __future__ import annotations

import itertools
import math
import sys
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import flint
import numpy
import opendp.prelude as oracle
import pytest
from flint import arb
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.exact import doubles
from opendp_lite.exact.enclosures import sqrt
from opendp_lite.exact.gaussian_sums import gaussian_sum
from opendp_lite.exact.normal import erfc
from tests.longer import shortened

Conversion = Callable[..., float]
PAIRS: dict[str, tuple[Conversion, Conversion]] = {
    name: (
        getattr(dp, f"{name}_scale_to_accuracy"),
        getattr(dp, f"accuracy_to_{name}_scale"),
    )
    for name in ("laplacian", "gaussian", "discrete_laplacian", "discrete_gaussian")
}
names = pytest.mark.parametrize("name", PAIRS)

PRECISION = 2500
LEVELS = [1e-300, 1e-9, 0.001, 0.05, 0.3, 0.5, 0.9, 0.999, 1 - 2.0**-53]
SCALES = [5e-324, 1e-300, 1e-7, 0.2, 0.5, 1.0, 1.5, 4.0, 17.3, 1e5, 1e16, 1e300]


@pytest.fixture(autouse=True)
def high_precision() -> Iterator[None]:
    before = flint.ctx.prec
    flint.ctx.prec = PRECISION
    yield
    flint.ctx.prec = before


def exact(x: Any) -> arb:
    x = Fraction(x)
    return arb(x.numerator) / arb(x.denominator)


def laplacian_tail(a: Any, s: Any) -> arb:
    return (-exact(a) / exact(s)).exp()


def gaussian_tail(a: Any, s: Any) -> arb:
    return (exact(a) / (exact(s) * arb(2).sqrt())).erfc()


def discrete_laplacian_tail(a: Any, s: Any) -> arb:
    """P(|Z| >= a) for integers a >= 1, and its continuation to real a."""
    return 2 * (-exact(a) / exact(s)).exp() / (1 + (-1 / exact(s)).exp())


def discrete_gaussian_tail(a: Any, s: Any) -> arb:
    """P(|Z| >= a), by adding up all that is above e^-800 of the largest.

    The least level is e^-691, and the terms are positive: 400 bits are enough.
    """
    flint.ctx.prec = 400
    sums = gaussian_sums(s)
    first = min(math.ceil(a), len(sums) - 1)
    tail = 2 * sums[first] / (2 * sums[0] - 1)
    flint.ctx.prec = PRECISION
    return tail


@cache
def gaussian_sums(s: Any) -> list[arb]:
    """The sums of e^(-z^2 / 2 s^2) from each z on; the last is empty.

    With q = e^(-1 / 2 s^2), the next weight is q^(2 z + 1) times the one before.
    """
    reach = math.ceil(40 * s) + 2
    q = (-1 / (2 * exact(s) ** 2)).exp()
    weight, ratio, weights = arb(1), q, []
    for _ in range(reach):
        weights.append(weight)
        weight, ratio = weight * ratio, ratio * q * q
    return [*itertools.accumulate(reversed(weights), initial=arb(0))][::-1]


TAILS: dict[str, Callable[[Any, Any], arb]] = {
    "laplacian": laplacian_tail,
    "gaussian": gaussian_tail,
    "discrete_laplacian": discrete_laplacian_tail,
    "discrete_gaussian": discrete_gaussian_tail,
}


def up(x: float) -> float:
    return math.nextafter(x, math.inf)


def down(x: float) -> float:
    return math.nextafter(x, 0.0)


def scales(name: str) -> list[float]:
    """The sums of the discrete Gaussian are added up here, so its scales are few."""
    return [0.1, 0.2, 0.5, 1.0, 1.5, 4.0, 17.3] if "_g" in name else SCALES


@names
def test_the_accuracy_holds_and_is_the_least(name: str) -> None:
    to_accuracy, _ = PAIRS[name]
    step = 1.0 if name == "discrete_gaussian" else None
    for s, alpha in itertools.product(scales(name), LEVELS):
        a = to_accuracy(s, alpha)
        assert TAILS[name](a, s) <= exact(alpha), (s, alpha)
        below = a - step if step else down(a)
        if below > 0:
            assert TAILS[name](below, s) > exact(alpha), (s, alpha)


@names
@pytest.mark.parametrize("every", shortened([1, 3], 1))
def test_the_scale_suffices_and_is_the_greatest(name: str, every: int) -> None:
    """At each accuracy, for each third level or for all: each level is met."""
    _, to_scale = PAIRS[name]
    accuracies = [1.0, 3.7, 10.0]  # of the discrete Gaussian, sums are added up
    if name != "discrete_gaussian":
        accuracies += [5e-324, 1e-300, 1e-5, 0.3, 30.0, 12345.678, 1e17, 1e300]
    chosen = [
        (a, alpha)
        for i, a in enumerate(accuracies)
        for alpha in LEVELS[i % every :: every]
    ]
    assert {alpha for _, alpha in chosen} == set(LEVELS)
    for a, alpha in chosen:
        s = to_scale(a, alpha)
        whole = math.floor(a) if name == "discrete_gaussian" else a
        if name == "discrete_gaussian" and s > 40:
            continue
        if s > 0:
            assert TAILS[name](whole, s) <= exact(alpha), (a, alpha)
        if s < sys.float_info.max:
            assert TAILS[name](whole, up(s)) > exact(alpha), (a, alpha)


@names
@given(
    accuracy=st.floats(1e-3, 1e12),
    alpha=st.floats(1e-12, 1.0, exclude_max=True),
)
def test_there_and_back(name: str, accuracy: float, alpha: float) -> None:
    """The scale is the greatest whose accuracy is at most the one asked for."""
    to_accuracy, to_scale = PAIRS[name]
    s = to_scale(accuracy, alpha)
    assert to_accuracy(s, alpha) <= accuracy
    assert to_accuracy(up(s), alpha) > accuracy


@names
@given(
    s=st.lists(st.floats(0.0, 1e300), min_size=2, max_size=2),
    alpha=st.lists(st.floats(0.0, 1.0, exclude_min=True), min_size=2, max_size=2),
)
def test_monotone(name: str, s: list[float], alpha: list[float]) -> None:
    to_accuracy, to_scale = PAIRS[name]
    s.sort(), alpha.sort()
    assert to_accuracy(s[0], alpha[0]) <= to_accuracy(s[1], alpha[0])
    assert to_accuracy(s[0], alpha[1]) <= to_accuracy(s[0], alpha[0])
    if alpha[1] < 1:
        assert to_scale(s[0], alpha[0]) <= to_scale(s[1], alpha[0])
        assert to_scale(s[0], alpha[0]) <= to_scale(s[0], alpha[1])


@given(scale=st.floats(1e-3, 1e3), alpha=st.floats(1e-12, 1.0))
def test_what_is_said_of_discrete_laplace_noise(scale: float, alpha: float) -> None:
    """P(|Z| > floor(a)) <= alpha and P(|Z| >= a) <= alpha, for the integer Z."""
    a = dp.discrete_laplacian_scale_to_accuracy(scale, alpha)
    assert discrete_laplacian_tail(math.floor(a) + 1, scale) <= exact(alpha)
    assert discrete_laplacian_tail(max(math.ceil(a), 1), scale) <= exact(alpha)


def test_large_scales_of_the_discrete_gaussian() -> None:
    """Between the integrals from a - 1 and from a, and next to the real Gaussian."""
    for scale, alpha in itertools.product([1e3, 12345.6, 1e9, 1e13], LEVELS[:-1]):
        a = dp.discrete_gaussian_scale_to_accuracy(scale, alpha)
        z = dp.gaussian_scale_to_accuracy(scale, alpha)
        assert a == int(a)
        assert z < a < z + 2 + 1e-6
    for scale, alpha in itertools.product([1e20, 1e300], LEVELS):
        a = dp.discrete_gaussian_scale_to_accuracy(scale, alpha)
        z = dp.gaussian_scale_to_accuracy(scale, alpha)
        assert down(z) <= a <= up(z) + 2
        s = dp.accuracy_to_discrete_gaussian_scale(a, alpha)
        assert dp.discrete_gaussian_scale_to_accuracy(s, alpha) <= a


def relative(mine: float, other: float) -> float:
    return abs(mine - other) / max(abs(other), 1e-300)


def test_as_in_opendp() -> None:
    for name, (to_accuracy, to_scale) in PAIRS.items():
        if name == "discrete_gaussian":
            continue
        theirs = getattr(oracle, to_accuracy.__name__)
        back = getattr(oracle, to_scale.__name__)
        # OpenDP's inverse of erf has 10 right digits where alpha is tiny.
        levels = [0.001, 0.05, 0.3, 0.5, 0.9]
        for x, alpha in itertools.product([0.3, 1.0, 2.5, 17.3, 1e5], levels):
            assert relative(to_accuracy(x, alpha), theirs(x, alpha)) < 1e-14
            assert relative(to_scale(x, alpha), back(x, alpha)) < 1e-13


def test_the_integers_of_opendp() -> None:
    theirs = oracle.discrete_gaussian_scale_to_accuracy
    for scale, alpha in itertools.product(
        [0.1, 0.3, 1.0, 2.0, 3.7, 10.0, 100.0], [1e-9, 0.001, 0.05, 0.5, 0.99, 1.0]
    ):
        ours = dp.discrete_gaussian_scale_to_accuracy(scale, alpha)
        assert ours == theirs(scale, alpha)
    back = oracle.accuracy_to_discrete_gaussian_scale
    for accuracy, alpha in itertools.product([1.0, 2.5, 10.0], [0.001, 0.05, 0.5]):
        ours = dp.accuracy_to_discrete_gaussian_scale(accuracy, alpha)
        assert relative(ours, back(accuracy, alpha)) < 1e-12


@names
def test_no_noise_and_no_confidence(name: str) -> None:
    to_accuracy, to_scale = PAIRS[name]
    assert to_accuracy(0, 0.05) == to_accuracy(0, 1) == 0.0
    assert to_scale(0, 0.05) == 0.0
    assert math.copysign(1.0, to_scale(-0.0, 0.05)) == 1.0
    certain = {"discrete_gaussian": 1.0, "discrete_laplacian": 0.3798854930417225}
    assert to_accuracy(1, 1) == certain.get(name, 0.0)


@names
def test_beyond_the_doubles(name: str) -> None:
    to_accuracy, to_scale = PAIRS[name]
    assert to_accuracy("1e400", "0.05") == math.inf
    assert to_accuracy(sys.float_info.max, "1e-9") == math.inf
    assert to_scale(10**400, "0.05") == sys.float_info.max
    assert to_scale(1e300, 1 - 2.0**-53) == sys.float_info.max
    tiny = 1.0 if name == "discrete_gaussian" else 5e-324
    assert to_accuracy("1e-400", "0.05") == tiny


def test_below_an_accuracy_of_one_the_discrete_gaussian_is_no_noise() -> None:
    assert dp.accuracy_to_discrete_gaussian_scale(0.999, 0.05) == 0.0
    assert dp.accuracy_to_discrete_gaussian_scale(1, 0.05) > 0.3


@names
@pytest.mark.parametrize("size", shortened(["1e-300", "1", "1000", "1e300"], "1000"))
@pytest.mark.parametrize("alpha", ["1e-20000", "1e-300", "0." + "9" * 300])
def test_extremes_take_a_moment(name: str, size: str, alpha: str) -> None:
    begin = time.process_time()
    for function in PAIRS[name]:
        assert 0 <= function(size, alpha) <= math.inf
    assert time.process_time() - begin < 20


@names
def test_exact_parameters(name: str) -> None:
    for function in PAIRS[name]:
        third = function(Fraction(7, 3), Fraction(1, 3))
        assert third == function("7/3", "1/3")
        half = function(2.5, 0.25)
        for number in (Decimal("2.5"), "2.5", numpy.float64(2.5), Fraction(5, 2)):
            assert function(number, 0.25) == half
        assert function(2.5, numpy.float32(0.25)) == half
        assert function(2.5, 0.25, T=float) == function(2.5, 0.25, "f64") == half
        assert type(half) is float


def test_a_float_means_the_number_it_stores() -> None:
    """0.1 is a little above 1/10; the least double shows it at some scale."""
    distinct = [
        s
        for s in range(1, 2000)
        if dp.laplacian_scale_to_accuracy(s, 0.1)
        != dp.laplacian_scale_to_accuracy(s, "0.1")
    ]
    assert distinct


def test_a_tail_that_is_alpha_to_thousands_of_bits() -> None:
    """The answer is safe, and there is one."""
    whole = 1 + 2 * gaussian_sum(1, mpq(1), 6000)
    tail = 2 * gaussian_sum(3, mpq(1), 6000) / whole
    assert dp.discrete_gaussian_scale_to_accuracy(1, tail.lo) == 4.0
    assert dp.discrete_gaussian_scale_to_accuracy(1, tail.hi) in (3.0, 4.0)
    for end in (tail.lo, tail.hi):
        s = dp.accuracy_to_discrete_gaussian_scale(3, end)
        assert s in (down(1.0), 1.0)
    assert dp.accuracy_to_discrete_gaussian_scale(3, tail.lo) == down(1.0)


def test_a_quantile_that_is_a_double_to_thousands_of_bits() -> None:
    level = erfc(sqrt(mpq(1, 2), 7000), 7000)  # P(|Y| > 1), s = 1
    assert dp.gaussian_scale_to_accuracy(1, level.lo) == up(1.0)
    assert dp.gaussian_scale_to_accuracy(1, level.hi) in (1.0, up(1.0))
    assert dp.accuracy_to_gaussian_scale(1, level.lo) == down(1.0)
    assert dp.accuracy_to_gaussian_scale(1, level.hi) in (down(1.0), 1.0)


BAD = [
    (-1, 0.05, "must be at least 0"),
    (math.nan, 0.05, "must be a finite number, got nan"),
    (math.inf, 0.05, "must be a finite number, got inf"),
    ("wide", 0.05, "must be a number such as"),
    (None, 0.05, "must be a number, got a value of type NoneType"),
    (True, 0.05, "must be a number, got the truth value True"),
    ([1.0], 0.05, "must be a number, got a value of type list"),
    (1, 0, "alpha=0: must be above 0 and at most 1"),
    (1, -0.5, "must be above 0 and at most 1"),
    (1, 1.0000001, "must be above 0 and at most 1"),
    (1, math.nan, "must be a finite number, got nan"),
    (1, "5%", "must be a number such as"),
]


@names
@pytest.mark.parametrize(("size", "alpha", "rule"), BAD)
def test_bad_input(name: str, size: Any, alpha: Any, rule: str) -> None:
    for function, argument in zip(PAIRS[name], ("scale", "accuracy"), strict=True):
        with pytest.raises(dp.OpenDPException) as caught:
            function(size, alpha)
        assert caught.value.variant == "InvalidDistance"
        assert rule in caught.value.message
        assert caught.value.message.startswith((f"{argument}=", "alpha="))


@names
def test_certainty_gives_no_scale(name: str) -> None:
    with pytest.raises(dp.OpenDPException, match="alpha=1: must be below 1"):
        PAIRS[name][1](1, 1)
    with pytest.raises(dp.OpenDPException, match="T='f32': must be float"):
        PAIRS[name][0](1, 0.5, "f32")


@given(last=st.integers(0, 10**6), guess=st.integers(0, 10**6))
def test_the_search_finds_the_last(last: int, guess: int) -> None:
    asked = []

    def holds(i: int) -> bool:
        asked.append(i)
        return i <= last

    assert doubles.last_index(holds, guess) == last
    assert len(asked) <= 2 * abs(last - guess).bit_length() + 4
    assert min(asked) > 0


def test_integers_among_doubles() -> None:
    beyond = 2.0**53
    assert [doubles.integer_double(i) for i in (0, 1, 2**53)] == [0.0, 1.0, beyond]
    assert doubles.integer_double(2**53 + 1) == beyond + 2
    assert doubles.integer_double(2**64) == math.inf
    for x in (1.0, 77.0, beyond, beyond + 2, 1e300, sys.float_info.max):
        assert doubles.integer_double(doubles.integer_index(Fraction(x))) == x  # type: ignore[arg-type]
