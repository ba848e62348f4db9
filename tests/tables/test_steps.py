"""Steps and limbs: the sums of make_sum, and integers that no sum can overflow."""

from __future__ import annotations

import contextlib
import math
from fractions import Fraction
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException
from opendp_lite.tables.aggregates import centred
from opendp_lite.tables.expressions import col
from opendp_lite.tables.steps import (
    LIMB,
    Steps,
    as_steps,
    joined,
    limb_count,
    limbs,
    rint,
    step_between,
)
from tests.rows import for_each

REAL = {"x": dp.option_domain(dp.atom_domain(T=float))}
WHOLE = {"x": dp.option_domain(dp.atom_domain(T="i64"))}
BOUNDS = st.tuples(
    st.floats(-1e15, 1e15, allow_subnormal=False),
    st.floats(-1e15, 1e15, allow_subnormal=False),
)


@given(st.floats(-(2.0**51), 2.0**51))
def test_rint_is_the_nearest_integer_ties_to_even(x: float) -> None:
    assert rint(x) == round(Fraction(x))


@for_each("x", [0.5, 1.5, 2.5, -0.5, -1.5, 2.0**51 - 0.5, -(2.0**51)])
def test_rint_of_ties_and_ends(x: float) -> None:
    assert rint(x) == round(Fraction(x))


@given(BOUNDS, st.sampled_from([None, -3, 0, 12]))
def test_a_step_between_bounds_is_that_of_the_expression(
    pair: tuple[float, float], k: int | None
) -> None:
    """Means and variances are asked by bounds alone, before their sums are made."""
    lower, upper = sorted(pair)
    columns = {"x": dp.atom_domain(bounds=(lower, upper))}
    around = centred("x", col("x"), columns)
    with contextlib.suppress(OpenDPException):  # no multiple between, or too many
        made = as_steps("x", around.beside, columns, k)
        assert made.real
        assert step_between(True, *around.ends, k) == mpq(2) ** made.k
    with contextlib.suppress(OpenDPException):
        expr, most = around.squares("x")
        squares = as_steps("x", expr, columns)
        assert step_between(True, 0, most) == mpq(2) ** squares.k


def test_integers_are_summed_as_they_are() -> None:
    made = steps_of(-7, 12)
    assert step_between(made.real, made.low, made.high) == mpq(2) ** made.k == 1


def steps_of(lower: Any, upper: Any, k: Any = None) -> Steps:
    fill = lower
    columns = REAL if type(lower) is float else WHOLE
    return as_steps("x", col("x").fill_null(fill).clip(lower, upper), columns, k)


@given(BOUNDS, st.lists(st.floats(allow_nan=False), max_size=5), st.data())
def test_sums_are_those_of_make_sum(
    pair: tuple[float, float], values: list[float], data: st.DataObject
) -> None:
    lower, upper = sorted(pair)
    k = data.draw(st.sampled_from([None, -3, 0, 1, 12]))
    with contextlib.suppress(OpenDPException):  # no multiple between, or too many
        check_steps(steps_of(lower, upper, k), lower, upper, values)


def check_steps(steps: Steps, lower: float, upper: float, values: list[float]) -> None:
    rows = dp.vector_domain(dp.atom_domain(bounds=(lower, upper)))
    total = dp.t.make_sum(rows, dp.symmetric_distance(), k=steps.k)
    inside = [min(max(value, lower), upper) for value in values]
    mine = sum(steps.python({"x": value}) for value in values)
    assert mine * Fraction(2) ** steps.k == total(inside)
    assert all(
        steps.low <= steps.python({"x": value}) <= steps.high for value in values
    )


def test_ends_are_rounded_inward_as_in_make_sum() -> None:
    steps = steps_of(0.3, 1.7, 0)
    assert (steps.low, steps.high) == (1, 1)
    assert [steps.python({"x": x}) for x in (0.3, 0.49, 1.5, 1.7, None)] == [1] * 5


@given(BOUNDS, st.sampled_from([None, -3, 0, 1]), st.booleans(), st.data())
def test_bounds_of_whole_steps_need_no_range(
    pair: tuple[float, float], k: Any, rounded: bool, data: st.DataObject
) -> None:
    lower, upper = sorted(float(round(x)) if rounded else x for x in pair)
    try:
        steps = steps_of(lower, upper, k)
    except OpenDPException:  # no multiple between, or too many
        return
    g = Fraction(2) ** steps.k
    ends = Fraction(lower) / g, Fraction(upper) / g
    assert steps.whole == all(end.denominator == 1 for end in ends)
    if steps.whole:
        value = data.draw(st.floats(lower, upper) | st.sampled_from([lower, upper]))
        assert rint(value * 2.0**-steps.k) == steps.python({"x": value})


def test_one_end_that_is_no_whole_step() -> None:
    assert steps_of(0.0, 2.0, 0).whole
    for lower, upper in ((0.25, 2.0), (0.0, 1.75)):
        steps = steps_of(lower, upper, 0)
        assert not steps.whole
        assert [rint(x) for x in (lower, upper)] != [steps.low, steps.high]


def test_integers_are_their_own_steps() -> None:
    steps = steps_of(-5, 3)
    assert (steps.low, steps.high, steps.largest, steps.k) == (-5, 3, 5, 0)
    assert [steps.python({"x": x}) for x in (-(2**62), 2, 2**62)] == [-5, 2, 3]


@for_each(
    ("expr", "columns", "k", "words"),
    [
        (col("x"), REAL, None, ["sums['x']", "fill_null"]),
        (col("x").fill_null(0.0), REAL, None, ["sums['x']", "finite bounds", "clip"]),
        (col("x").fill_null(0), WHOLE, None, ["2^52", "clip"]),
        (col("x").is_null(), WHOLE, None, ["sums['x']", "numbers"]),
        (col("x").fill_null(0.0).clip(0.0, 1.0), REAL, -51, ["k=-51", "2^50"]),
        (col("x").fill_null(0.0).clip(0.0, 1e-310), REAL, None, ["k=", "1000"]),
        (col("x").fill_null(0.0).clip(0.1, 0.1), REAL, None, ["k=", "2^50"]),
        (col("x").fill_null(0.0).clip(0.25, 0.5), REAL, 3, ["k=3", "smaller"]),
        (col("x").fill_null(0).clip(0, 1), WHOLE, 0, ["k=0", "Leave k out"]),
        (col("y").fill_null(0).clip(0, 1), WHOLE, None, ["y"]),
    ],
)
def test_refusals(expr: Any, columns: Any, k: Any, words: list[str]) -> None:
    with pytest.raises(OpenDPException) as caught:
        as_steps("x", expr, columns, k)
    assert caught.value.variant == "MakeTransformation"
    assert all(word in caught.value.message for word in words), caught.value.message


@given(st.integers(0, 2**52), st.data())
def test_limbs_are_small_and_add_up(top: int, data: st.DataObject) -> None:
    count = limb_count(top)
    values = data.draw(st.lists(st.integers(-top, top), min_size=1, max_size=4))
    values += [top, -top]
    cut = [limbs(float(y), count) for y in values]
    for y, parts in zip(values, cut, strict=True):
        assert all(part == int(part) and abs(part) <= 2**LIMB for part in parts)
        assert joined([int(part) for part in parts], 1 << LIMB) == y
    sums = [int(sum(map(int, part))) for part in zip(*cut, strict=True)]
    assert joined(sums, 1 << LIMB) == sum(values)


@for_each("top", [2**23, 2**23 + 1, 2**46, 2**50, 2**52])
def test_no_sum_of_limbs_leaves_64_bits(top: int) -> None:
    """The most that fewer than 2^40 rows can add up to, limb by limb."""
    worst = [0] * limb_count(top)
    near = {top, top - 1, 2**22, 2**22 + 1, 2**23 - 1, 3 * 2**22, top - 2**22}
    for y in {sign * value for value in near for sign in (1, -1)}:
        if abs(y) <= top:
            parts = limbs(float(y), limb_count(top))
            worst = [max(w, abs(int(p))) for w, p in zip(worst, parts, strict=True)]
    assert max(worst) * (2**40 - 1) < 2**63
    assert (limb_count(top) == 1) == (top * (2**40 - 1) < 2**63)


def test_joined_doubles_round_as_they_are_told() -> None:
    assert joined([2.0**40, 1.0], 2.0**LIMB) == math.ldexp(1.0, 63)
