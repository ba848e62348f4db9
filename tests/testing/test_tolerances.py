"""Tolerances agree with the vectors, are certified, and keep their flakiness."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite import testing
from opendp_lite.base.errors import OpenDPException
from opendp_lite.exact.enclosures import exp, ln, sqrt
from opendp_lite.exact.normal import erf, erfc
from opendp_lite.laws.tails import discrete_gaussian_tail, discrete_laplace_tail
from tests.rows import for_each

DATA = Path(__file__).resolve().parent.parent / "data" / "tolerance_vectors.json"
VECTORS = json.loads(DATA.read_text())
F23 = Fraction(1, 10**23)

scales = st.fractions(min_value=Fraction(1, 1000), max_value=1000)
levels = st.fractions(min_value=Fraction(1, 10**30), max_value=Fraction(99, 100))


def flakiness_of(k: str) -> Fraction:
    return Fraction(1, 10 ** int(k))


def computed(vector: dict[str, Any]) -> float:
    name, inputs = vector["function"], vector["inputs"]
    if name == "mean_tolerance":
        return testing.mean_tolerance(
            inputs["lower"],
            inputs["upper"],
            inputs["normalized_sum"],
            inputs["count"],
            inputs["sum_tol"],
            inputs["count_tol"],
        )
    level = flakiness_of(inputs["k"])
    if name == "partition_k":
        return testing.partition_flakiness(level, inputs["p"])
    if name == "mean_part_k":
        return testing.mean_flakiness(level)
    function: Callable[[Any, Any], float] = getattr(testing, name)
    if "sigma" in inputs:
        return function(inputs["sigma"], level)
    return function(Fraction(inputs["s1"]) / Fraction(inputs["eps"]), level)


@for_each("vector", VECTORS, ids=lambda vector: vector["id"])
def test_vector(vector: dict[str, Any]) -> None:
    found, expected = Fraction(computed(vector)), Fraction(vector["expected"])
    if vector["function"] in ("partition_k", "mean_part_k"):
        # The vector is k = -log10 of the flakiness, which is rounded down: k is not
        # less than the vector's, but for its last digit.
        k = -ln(mpq(found), 200) / ln(mpq(10), 200)
        assert mpq(expected) - mpq("1e-26") <= k.lo
        assert k.hi <= mpq(expected) + mpq("1e-15")
        return
    digit = expected / 10**28
    gap = Fraction(math.ulp(float(found)))
    if vector["function"].startswith("complementary"):
        assert expected - gap - digit <= found <= expected + digit
    else:
        assert expected - digit <= found <= expected + gap + digit


def test_the_vectors_are_all_here() -> None:
    assert len(VECTORS) == 14
    assert {vector["function"] for vector in VECTORS} == {
        "complementary_gaussian_tolerance",
        "complementary_laplace_tolerance",
        "gaussian_tolerance",
        "laplace_tolerance",
        "mean_part_k",
        "mean_tolerance",
        "partition_k",
    }


def after(x: float) -> mpq:
    return mpq(math.nextafter(x, math.inf))


def before(x: float) -> mpq:
    return mpq(math.nextafter(x, 0))


@given(scales, levels)
def test_laplace_tolerances_are_the_best_doubles(s: Fraction, f: Fraction) -> None:
    level, scale = mpq(f), mpq(s)
    t = testing.laplace_tolerance(s, f)
    assert exp(-mpq(t) / scale, 300).hi <= level
    assert exp(-before(t) / scale, 300).lo > level
    c = testing.complementary_laplace_tolerance(s, f)
    assert 1 - exp(-mpq(c) / scale, 300).lo <= level
    assert 1 - exp(-after(c) / scale, 300).hi > level


def size(t: mpq, scale: mpq) -> Any:
    return sqrt((t / scale) ** 2 / mpq(2), 300)


@given(scales, levels)
def test_gaussian_tolerances_are_the_best_doubles(s: Fraction, f: Fraction) -> None:
    level, scale = mpq(f), mpq(s)
    t = testing.gaussian_tolerance(s, f)
    assert erfc(size(mpq(t), scale), 300).hi <= level
    assert erfc(size(before(t), scale), 300).lo > level
    c = testing.complementary_gaussian_tolerance(s, f)
    assert erf(size(mpq(c), scale), 300).hi <= level
    assert erf(size(after(c), scale), 300).lo > level


def laplace_beyond(t: int, scale: mpq) -> Any:
    return mpq(2) * discrete_laplace_tail(t + 1, scale, 256)


def gaussian_beyond(t: int, scale: mpq) -> Any:
    return mpq(2) * discrete_gaussian_tail(t + 1, scale, 256)


@given(scales, levels)
def test_discrete_tolerances_are_the_least_integers(s: Fraction, f: Fraction) -> None:
    level, scale = mpq(f), mpq(s)
    for bound, beyond in (
        (testing.discrete_laplace_tolerance, laplace_beyond),
        (testing.discrete_gaussian_tolerance, gaussian_beyond),
    ):
        t = bound(s, f)
        assert isinstance(t, int)
        assert beyond(t, scale).hi <= level
        assert t == 0 or beyond(t - 1, scale).lo > level


@given(scales, levels)
def test_integer_tolerances_serve_for_discrete_noise(s: Fraction, f: Fraction) -> None:
    level, scale = mpq(f), mpq(s)
    t = testing.integer_tolerance(testing.laplace_tolerance(s, f))
    assert laplace_beyond(t, scale).hi <= level
    if f <= Fraction(317, 1000):
        t = testing.integer_tolerance(testing.gaussian_tolerance(s, f))
        assert gaussian_beyond(t, scale).hi <= level


@for_each(
    ("tolerance", "whole"),
    [(0, 0), ("0.49", 0), ("0.5", 1), ("1.1", 1), ("2.5", 3), ("2.6", 3), (7, 7)],
)
def test_integer_tolerance(tolerance: Any, whole: int) -> None:
    assert testing.integer_tolerance(tolerance) == whole


@given(levels, st.integers(min_value=1, max_value=1000))
def test_partitions_keep_the_flakiness(f: Fraction, p: int) -> None:
    part = Fraction(testing.partition_flakiness(f, p))
    assert 1 - (1 - part) ** p <= f
    more = Fraction(math.nextafter(float(part), 1))
    assert 1 - (1 - more) ** p > f
    dependent = Fraction(testing.partition_flakiness(f, p, dependent=True))
    assert dependent * p <= f
    assert dependent <= part


def test_a_rational_root_is_found() -> None:
    assert testing.partition_flakiness(Fraction(7, 8), 3) == 0.5
    assert testing.mean_flakiness("0.75") == 0.5


numbers = st.fractions(min_value=-50, max_value=50, max_denominator=8)
sizes = st.fractions(min_value=0, max_value=30, max_denominator=8)


@given(numbers, sizes, numbers, sizes, sizes, sizes)
def test_mean_tolerance_is_reached_and_never_passed(
    lower: Fraction, width: Fraction, s: Fraction, c: Fraction, a: Fraction, b: Fraction
) -> None:
    upper = lower + width

    def mean(total: Fraction, count: Fraction) -> Fraction:
        middle = (lower + upper) / 2 + total / max(count, Fraction(1))
        return min(max(middle, lower), upper)

    t = Fraction(testing.mean_tolerance(lower, upper, s, c, a, b))
    moved = [
        abs(mean(s + a * i / 4, c + b * j / 4) - mean(s, c))
        for i in range(-4, 5)
        for j in range(-4, 5)
    ]
    assert max(moved) <= t
    assert t - max(moved) <= Fraction(math.ulp(float(t)))


def test_without_noise_all_tolerances_are_0() -> None:
    for name in dir(testing):
        if name.endswith(("laplace_tolerance", "gaussian_tolerance")):
            assert getattr(testing, name)(0, F23) == 0


def test_enormous_scales_have_infinite_tolerances() -> None:
    assert testing.laplace_tolerance(10**400, F23) == math.inf
    assert testing.discrete_laplace_tolerance(10**400, F23) == math.inf
    assert testing.discrete_gaussian_tolerance(10**400, F23) == math.inf


BAD: list[tuple[str, tuple[Any, ...], str]] = [
    ("laplace_tolerance", (-1, F23), "scale=-1: must be at least 0"),
    ("laplace_tolerance", (1, 0), "flakiness=0: must be above 0 and below 1"),
    ("laplace_tolerance", (1, 1), "flakiness=1: must be above 0 and below 1"),
    ("laplace_tolerance", (1, math.nan), "flakiness=nan"),
    ("laplace_tolerance", (math.inf, F23), "scale=inf"),
    ("gaussian_tolerance", (-1, F23), "sigma=-1: must be at least 0"),
    ("gaussian_tolerance", (1, "x"), "flakiness='x'"),
    ("discrete_laplace_tolerance", (True, F23), "scale=True"),
    ("discrete_gaussian_tolerance", (-2, F23), "sigma=-2: must be at least 0"),
    ("complementary_laplace_tolerance", (None, F23), "scale=None"),
    ("complementary_gaussian_tolerance", (1, 2), "flakiness=2"),
    ("integer_tolerance", (-1,), "tolerance=-1: must be at least 0"),
    ("partition_flakiness", (F23, 0), "partitions=0: must be at least 1"),
    ("partition_flakiness", (F23, 1.5), "partitions=1.5: must be an integer"),
    ("partition_flakiness", (5e-324, 9), "flakiness=5e-324: is so small"),
    ("mean_flakiness", (-1,), "flakiness=-1"),
    ("mean_tolerance", (1, 0, 0, 1, 0, 0), "lower=1: is above upper"),
    ("mean_tolerance", (0, 1, 0, -1, 0, 0), "count=-1: must be at least 0"),
    ("mean_tolerance", (0, 1, math.inf, 1, 0, 0), "normalized_sum=inf"),
    ("mean_tolerance", (0, 1, 0, 1, -1, 0), "sum_tolerance=-1"),
    ("mean_tolerance", (0, 1, 0, 1, 0, -1), "count_tolerance=-1"),
]


@for_each(("name", "arguments", "message"), BAD)
def test_bad_arguments_are_named(
    name: str, arguments: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(OpenDPException) as caught:
        getattr(testing, name)(*arguments)
    assert caught.value.message.startswith(message)
    assert caught.value.variant == "InvalidDistance"
