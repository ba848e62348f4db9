"""Enclosures against the ball arithmetic of FLINT, which shares no code with MPFR's
transcendental functions."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import flint
import gmpy2
import pytest
from gmpy2 import mpq, mpz
from hypothesis import given, settings
from hypothesis import strategies as st

from opendp_lite.exact import directed, normal
from opendp_lite.exact.enclosures import exp, expm1, ln, log1p, power, sqrt
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.normal import erf, erfc, normal_quantile
from tests.rows import for_each

Ball = tuple[mpq, mpq]

precisions = st.sampled_from([1, 8, 16, 17, 24, 53, 64, 96, 128, 129, 200, 500])


def scaled(least: int, most: int) -> st.SearchStrategy[mpq]:
    """Rationals of any sign whose size is about 2^k, least <= k <= most."""
    return st.builds(
        lambda n, d, k, sign: sign * mpq(n, d) * power_of_two(k),
        st.integers(2**40, 2**41),
        st.integers(2**40, 2**41),
        st.integers(least, most),
        st.sampled_from([1, -1]),
    )


small = st.builds(mpq, st.integers(-9, 9), st.integers(1, 9))


def positive(strategy: st.SearchStrategy[mpq]) -> st.SearchStrategy[mpq]:
    return strategy.map(abs).filter(bool)


near_one = scaled(-300, -2).map(lambda x: 1 + x)
above_minus_one = scaled(-300, -2) | scaled(-300, -2).map(lambda x: abs(x) - 1)

CASES: dict[
    str, tuple[Callable[[mpq, int], Enclosure], str, st.SearchStrategy[mpq]]
] = {
    "exp": (exp, "exp", scaled(-300, 12) | small),
    "expm1": (expm1, "expm1", scaled(-300, 12) | small),
    "ln": (ln, "log", positive(scaled(-3000, 3000) | small) | near_one),
    "log1p": (log1p, "log1p", (above_minus_one | positive(scaled(-9, 999)))),
    "sqrt": (sqrt, "sqrt", positive(scaled(-999, 999) | small)),
    "erf": (erf, "erf", scaled(-300, 9) | small),
    "erfc": (erfc, "erfc", scaled(-300, 9) | small),
}


@contextmanager
def flint_precision(bits: int) -> Iterator[None]:
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


def arb(x: mpq) -> flint.arb:
    return flint.arb(flint.fmpq(int(x.numerator), int(x.denominator)))


def dyadic(x: flint.arb) -> mpq:
    mantissa, exponent = x.man_exp()
    return mpq(int(mantissa)) * power_of_two(int(exponent))


def ball(x: flint.arb) -> Ball:
    assert x.is_finite()
    middle, radius = dyadic(x.mid()), dyadic(x.rad())
    return middle - radius, middle + radius


def check(enclosed: Enclosure, oracle: Callable[[], flint.arb], precision: int) -> None:
    """The two enclosures meet, ours holds the value, and is as narrow as stated."""
    with flint_precision(max(precision, 16)):
        rough = oracle()
        if rough.is_finite():  # else the rounded argument is out of the domain
            lo, hi = ball(rough)
            assert enclosed.lo <= hi
            assert lo <= enclosed.hi
    # So precise that the ball is a point beside our interval.
    bits = 4 * precision + 1000
    while True:
        with flint_precision(bits):
            lo, hi = ball(oracle())
        value = (lo + hi) / 2
        if hi - lo <= abs(value) * power_of_two(-precision - 100):
            break
        bits *= 2
    if enclosed.width == 0:
        assert lo <= enclosed.lo <= hi
    else:
        assert enclosed.contains(value)
    assert enclosed.width <= abs(value) * power_of_two(5 - precision)
    assert type(enclosed.lo) is type(enclosed.hi) is mpq


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=50)
@given(st.data(), precisions)
def test_against_balls(name: str, data: st.DataObject, precision: int) -> None:
    check_argument(name, data.draw(CASES[name][2]), precision)


@pytest.mark.audit
@pytest.mark.parametrize("name", CASES)
@settings(max_examples=1000)
@given(st.data(), precisions)
def test_more_against_balls(name: str, data: st.DataObject, precision: int) -> None:
    check_argument(name, data.draw(CASES[name][2]), precision)


def check_argument(name: str, x: mpq, precision: int) -> None:
    function, method, _ = CASES[name]
    check(function(x, precision), lambda: getattr(arb(x), method)(), precision)


bases = positive(scaled(-200, 200) | small)
exponents = scaled(-20, 12) | small


@settings(max_examples=50)
@given(bases, exponents, precisions)
def test_powers_against_balls(base: mpq, exponent: mpq, precision: int) -> None:
    check_power(base, exponent, precision)


@pytest.mark.audit
@settings(max_examples=1000)
@given(bases, exponents, precisions)
def test_more_powers_against_balls(base: mpq, exponent: mpq, precision: int) -> None:
    check_power(base, exponent, precision)


def check_power(base: mpq, exponent: mpq, precision: int) -> None:
    enclosed = power(base, exponent, precision)
    check(enclosed, lambda: (arb(base).log() * arb(exponent)).exp(), precision)


@given(scaled(-20, 20) | small, st.integers(-12, 12), precisions)
def test_integer_powers_are_exact(base: mpq, exponent: int, precision: int) -> None:
    if base == 0 and exponent < 0:
        return
    value = base**exponent
    assert power(base, exponent, max(precision, 16)) == Enclosure(value, value)


probabilities = (
    st.builds(lambda n, d: mpq(n, n + d), st.integers(1, 999), st.integers(1, 999))
    | positive(scaled(-2000, -3))
    | positive(scaled(-2000, -3)).map(lambda x: 1 - x)
    | scaled(-300, -3).map(lambda x: mpq(1, 2) + x / 16)
)


@settings(max_examples=50)
@given(probabilities, precisions)
def test_normal_quantiles_against_balls(p: mpq, precision: int) -> None:
    check_quantile(p, precision)


@pytest.mark.audit
@settings(max_examples=1000)
@given(probabilities, precisions)
def test_more_normal_quantiles_against_balls(p: mpq, precision: int) -> None:
    check_quantile(p, precision)


def check_quantile(p: mpq, precision: int) -> None:
    def oracle() -> flint.arb:
        root = flint.arb(2).sqrt()
        if p <= mpq(1, 2):
            return -(root * arb(2 * p).erfcinv())
        return root * arb(2 - 2 * p).erfcinv()

    enclosed = normal_quantile(p, precision)
    if p == mpq(1, 2):
        assert enclosed == Enclosure(0, 0)
        return
    # erfcinv cannot be had at 16 bits this near to 1/2: only the precise ball is.
    bits = 4 * precision + 5000
    with flint_precision(bits):
        lo, hi = ball(oracle())
    value = (lo + hi) / 2
    assert hi - lo <= abs(value) * power_of_two(-precision - 100)
    assert enclosed.contains(value)
    assert enclosed.width <= abs(value) * power_of_two(5 - precision)


@settings(max_examples=40)
@given(probabilities)
def test_normal_quantiles_invert_the_distribution_function(p: mpq) -> None:
    z = normal_quantile(p, 80)
    with flint_precision(6000):
        root = flint.arb(2).sqrt()
        at_lo = (-arb(mpq(z.lo)) / root).erfc() / 2
        at_hi = (-arb(mpq(z.hi)) / root).erfc() / 2
        assert ball(at_lo)[0] <= p <= ball(at_hi)[1]
    mirrored = normal_quantile(1 - p, 80)
    assert -mirrored == z or p == mpq(1, 2)


@pytest.mark.parametrize("name", CASES)
@given(st.data(), st.sampled_from([16, 64, 128]))
def test_intervals_hold_the_images_of_their_points(
    name: str, data: st.DataObject, precision: int
) -> None:
    function, _, arguments = CASES[name]
    lo, middle, hi = sorted(data.draw(arguments) for _ in range(3))
    image = function(Enclosure(lo, hi), precision)  # type: ignore[arg-type]
    for x in (lo, middle, hi):
        at_x = function(x, 400)
        assert image.lo <= at_x.hi
        assert at_x.lo <= image.hi
    # No wider than the two ends call for.
    ends = [function(x, 400) for x in (lo, hi)]
    least = min(mpq(end.lo) for end in ends)
    most = max(mpq(end.hi) for end in ends)
    tolerance = power_of_two(5 - precision) + power_of_two(-390)
    assert least - image.lo <= tolerance * abs(least)
    assert image.hi - most <= tolerance * abs(most)


@pytest.mark.parametrize("p", [mpq(3, 5), mpq(99, 100), 1 - mpq(1, 10**50)])
@pytest.mark.parametrize("error", [mpq(1, 2**40), mpq(-1, 2**40), mpq(1, 3)])
def test_a_wrong_candidate_for_a_quantile_is_not_believed(
    monkeypatch: pytest.MonkeyPatch, p: mpq, error: mpq
) -> None:
    expected = normal_quantile(p, 64)
    newton = normal._newton
    asked: list[int] = []

    def wrong_at_first(s: mpq, precision: int) -> mpq:
        asked.append(precision)
        return newton(s, precision) * (1 + error * (len(asked) == 1))

    monkeypatch.setattr(normal, "_newton", wrong_at_first)
    got = normal_quantile(p, 64)
    assert asked == [128, 256]
    assert got.lo <= expected.hi
    assert expected.lo <= got.hi
    assert got.width <= got.lo * power_of_two(5 - 64)


def test_quantiles_of_an_interval() -> None:
    image = normal_quantile(Enclosure(mpq(1, 10), mpq(9, 10)), 64)
    assert image.lo == normal_quantile(mpq(1, 10), 64).lo
    assert image.hi == normal_quantile(mpq(9, 10), 64).hi
    assert normal_quantile(Enclosure(-1, 2), 64) == Enclosure(-math.inf, math.inf)


def test_powers_of_intervals() -> None:
    image = power(Enclosure(2, 3), Enclosure(-1, 2), 64)
    assert image.contains(mpq(1, 3))
    assert image.contains(9)
    assert image.width < 9
    assert power(2, Enclosure(1, 3), 64).contains(8)
    assert power(Enclosure(0, 0), 2, 64) == Enclosure(0, 0)
    assert power(0, Enclosure(1, 2), 64) == Enclosure(0, 0)
    assert power(Enclosure(-1, 2), 2, 64).contains(4)
    assert power(Enclosure(-1, 2), 2, 64).lo == 0


@for_each("precision", [1, 16, 64, 1000])
def test_known_values_are_points(precision: int) -> None:
    zero, one = Enclosure(0, 0), Enclosure(1, 1)
    assert exp(0, precision) == exp(mpq(0), precision) == one
    assert expm1(0, precision) == ln(1, precision) == log1p(0, precision) == zero
    assert erf(0, precision) == zero
    assert erfc(0, precision) == one
    assert normal_quantile(mpq(1, 2), precision) == zero
    assert sqrt(0, precision) == zero
    assert sqrt(mpq(49, 64), precision) == Enclosure(mpq(7, 8), mpq(7, 8))
    big = mpz(3) ** 2000
    assert sqrt(mpq(big**2), precision) == Enclosure(mpq(big), mpq(big))
    assert power(mpq(27, 8), mpq(2, 3), precision) == Enclosure(mpq(9, 4), mpq(9, 4))
    assert power(mpq(27, 8), mpq(-2, 3), precision).lo == mpq(4, 9)
    assert power(-2, 3, precision) == Enclosure(-8, -8)
    assert power(-2, -2, precision) == Enclosure(mpq(1, 4), mpq(1, 4))
    assert power(0, 0, precision) == power(7, 0, precision) == one
    assert power(1, 10**40, precision) == power(1, mpq(1, 3), precision) == one
    assert power(0, 10**40, precision) == zero


def test_points_given_as_intervals_stay_points() -> None:
    assert exp(Enclosure(0, 0), 64) == Enclosure(1, 1)
    assert ln(Enclosure(1, 1), 64) == Enclosure(0, 0)
    assert sqrt(Enclosure(4, 4), 64) == Enclosure(2, 2)


def test_a_large_integer_power_becomes_a_point_in_time() -> None:
    exponent = 2**20
    rough = power(3, exponent, 64)
    assert rough.lo < rough.hi
    assert rough.contains(mpz(3) ** exponent)  # type: ignore[arg-type]
    assert power(3, exponent, 4096) == Enclosure(mpz(3) ** exponent, mpz(3) ** exponent)  # type: ignore[arg-type]
    assert power(-3, exponent + 1, 64).hi < 0


@pytest.mark.parametrize("precision", [16, 64, 128])
def test_a_value_next_to_a_bound_does_not_pass_it(precision: int) -> None:
    tiny = power_of_two(-2000)
    assert exp(-tiny, precision).hi == 1
    assert exp(tiny, precision).lo == 1
    assert expm1(-(10**6), precision).lo == -1
    assert ln(1 + tiny, precision).lo > 0
    assert ln(1 - tiny, precision).hi < 0
    assert erf(1000, precision).hi == 1
    assert erf(-1000, precision).lo == -1
    assert erfc(-1000, precision).hi == 2
    assert erfc(1000, precision).lo > 0


def test_exp_far_from_zero_is_neither_zero_nor_infinite() -> None:
    with flint_precision(400):
        lo, hi = ball(flint.arb(-(10**6)).exp())
    for enclosed in (exp(-(10**6), 64), 1 / exp(10**6, 64)):
        assert 0 < enclosed.lo < lo < hi < enclosed.hi
        assert enclosed.width < enclosed.lo * power_of_two(5 - 64)


@for_each("x", [10**7, 10**9, 10**20, 10**400, mpq(10**400, 7)])
def test_astronomical_arguments_still_give_true_intervals(x: int | mpq) -> None:
    above, below = exp(x, 64), exp(-x, 64)
    assert above.hi == math.inf
    assert power_of_two(2**20) < above.lo < math.inf
    assert 0 == below.lo < below.hi < power_of_two(-(2**20))
    assert expm1(x, 64).hi == math.inf
    assert expm1(-x, 64).lo == -1
    assert expm1(-x, 64).hi > -1
    assert 0 == erfc(x, 64).lo < erfc(x, 64).hi < power_of_two(-(2**20))
    assert erf(x, 64).hi == 1
    assert power(2, x * 2, 64).hi == math.inf
    assert power(mpq(1, 2), x * 2, 64).lo == 0


def test_higher_precisions_reach_further() -> None:
    x = -7 * 10**6  # e^x is about 2^(-10.1 million), beyond the limit at 64 bits
    assert exp(x, 64).lo == 0
    assert 0 < exp(x, 128).lo < exp(x, 128).hi < exp(x, 64).hi


@for_each("offset", [-200, -64, 0, 1, 64, 65, 200])
def test_intervals_at_the_limit_of_the_exponents(offset: int) -> None:
    bits = 64 * 2**17 + offset
    x = bits * mpq("0.693147180559945309417232121458")  # about 2^bits
    for sign in (1, -1):
        near, far = exp(sign * x, 64), exp(sign * x, 128)
        assert far.width < far.lo
        assert near.lo <= far.lo < far.hi <= near.hi


def test_ln_of_numbers_beyond_any_float() -> None:
    for x in (mpq(10) ** 100000, 1 / mpq(10) ** 100000):
        check(ln(x, 100), lambda x=x: arb(x).log(), 100)


def test_infinite_ends() -> None:
    inf = math.inf
    assert exp(Enclosure(-inf, 0), 64) == Enclosure(0, 1)
    assert exp(Enclosure(0, inf), 64) == Enclosure(1, inf)
    assert expm1(Enclosure(-inf, 0), 64) == Enclosure(-1, 0)
    assert ln(Enclosure(1, inf), 64) == Enclosure(0, inf)
    assert log1p(Enclosure(0, inf), 64) == Enclosure(0, inf)
    assert sqrt(Enclosure(4, inf), 64) == Enclosure(2, inf)
    assert erf(Enclosure(-inf, inf), 64) == Enclosure(-1, 1)
    assert erfc(Enclosure(-inf, inf), 64) == Enclosure(0, 2)


def test_an_interval_may_reach_out_of_the_domain() -> None:
    assert ln(Enclosure(0, 1), 64) == Enclosure(-math.inf, 0)
    assert ln(Enclosure(-5, 1), 64) == Enclosure(-math.inf, 0)
    assert log1p(Enclosure(-1, 0), 64) == Enclosure(-math.inf, 0)
    assert sqrt(Enclosure(-5, 4), 64) == Enclosure(0, 2)


@for_each(
    ("call", "message"),
    [
        (lambda: ln(0, 64), "ln needs a positive argument"),
        (lambda: ln(mpq(-1, 3), 64), "ln needs a positive argument"),
        (lambda: ln(Enclosure(-2, 0), 64), "ln needs a positive argument"),
        (lambda: log1p(-1, 64), "log1p needs an argument above -1"),
        (lambda: log1p(Enclosure(-3, -1), 64), "log1p needs an argument above -1"),
        (lambda: sqrt(-1, 64), "sqrt needs an argument of at least 0"),
        (lambda: sqrt(Enclosure(-2, -1), 64), "sqrt needs an argument of at least 0"),
        (
            lambda: power(-1, mpq(1, 2), 64),
            "base of at least 0, or an integer exponent",
        ),
        (lambda: power(0, -1, 64), "exponent of at least 0 for the base 0"),
        (lambda: power(-1, Enclosure(1, 2), 64), "power needs a base of at least 0"),
        (lambda: power(Enclosure(-2, -1), 2, 64), "power needs a base of at least 0"),
        (lambda: power(Enclosure(0, 0), 0, 64), "positive exponent for the base 0"),
        (lambda: normal_quantile(0, 64), "needs a probability between 0 and 1"),
        (lambda: normal_quantile(1, 64), "needs a probability between 0 and 1"),
        (lambda: normal_quantile(mpq(-1, 9), 64), "a probability between 0 and 1"),
        (lambda: normal_quantile(Enclosure(1, 2), 64), "between 0 and 1"),
    ],
)
def test_arguments_out_of_the_domain(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def every_function(x: mpq, precision: int) -> list[Enclosure]:
    return [
        *(function(x, precision) for function, _, _ in CASES.values()),
        power(x, mpq(2, 7), precision),
        normal_quantile(x, precision),
        exp(Enclosure(x, 2 * x), precision),
    ]


def test_the_current_context_of_gmpy2_changes_nothing() -> None:
    x = mpq(10**40 + 1, 3 * 10**40)
    expected = [every_function(x, precision) for precision in (16, 64, 128)]
    directed.context.cache_clear()
    directed._roundings.cache_clear()
    hostile = gmpy2.context(
        precision=3,
        round=gmpy2.RoundUp,
        emin=-3,
        emax=3,
        subnormalize=True,
        trap_inexact=True,
        trap_overflow=True,
        trap_underflow=True,
    )
    with hostile:
        got = [every_function(x, precision) for precision in (16, 64, 128)]
    assert got == expected


def test_the_current_context_of_gmpy2_is_not_changed() -> None:
    before = repr(gmpy2.get_context())
    every_function(mpq(1, 7), 100)
    assert repr(gmpy2.get_context()) == before


def test_threads_share_the_contexts() -> None:
    arguments = [mpq(n, 401) for n in range(1, 401)]
    expected = [every_function(x, 90) for x in arguments[::40]]
    results: dict[int, list[list[Enclosure]]] = {}

    def work(index: int) -> None:
        results[index] = [every_function(x, 90) for x in arguments[::40]]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [results[i] for i in range(4)] == [expected] * 4


def test_what_directed_rounding_relies_on() -> None:
    """A quotient of integers, however long, is rounded once, in the direction asked."""
    down = directed.context(64, gmpy2.RoundDown)
    up = directed.context(64, gmpy2.RoundUp)
    for n in (10**60 + 1, -(10**60) - 1, 2**200 + 1, 1 - 2**200):
        for d in (3, 10**45 + 3, 2**190 - 1):
            lo, hi = mpq(down.div(n, d)), mpq(up.div(n, d))
            assert lo < mpq(n, d) < hi
            assert hi - lo <= abs(mpq(n, d)) * power_of_two(-63)
    # An argument of more bits than the context is not rounded before it is used.
    wide = directed.context(300, gmpy2.RoundDown).div(2**250 + 1, 2**250)
    assert down.log(wide) > 0
    # Out of range, a result is rounded to the end of the range that bounds it.
    assert down.exp(gmpy2.mpfr(10**20)) < math.inf
    assert up.exp(gmpy2.mpfr(10**20)) == math.inf
    assert down.exp(gmpy2.mpfr(-(10**20))) == 0
    assert up.exp(gmpy2.mpfr(-(10**20))) > 0
