from __future__ import annotations

import math
import subprocess
import sys
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from pathlib import Path

import gmpy2
import numpy as np
import pytest
from gmpy2 import mpfr, mpq, mpz
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.exact.rationals import (
    to_extended,
    to_fraction,
    to_loss,
    to_mpq,
    to_target,
)
from opendp_lite.exact.rounding import round_up
from tests.rows import for_each

CONVERSIONS = [to_mpq, to_extended, to_loss, to_target]


class Colour(IntEnum):
    RED = 3


EXACT = [
    (3, mpq(3)),
    (Colour.RED, mpq(3)),
    (0.5, mpq(1, 2)),
    (-0.0, mpq(0)),
    (Fraction(-2, 6), mpq(-1, 3)),
    (Decimal("0.10"), mpq(1, 10)),
    (Decimal("-1.5E+3"), mpq(-1500)),
    (Decimal("-0"), mpq(0)),
    (mpz(7), mpq(7)),
    (mpq(7, 3), mpq(7, 3)),
    (mpfr("0.75"), mpq(3, 4)),
    (np.int8(-5), mpq(-5)),
    (np.int64(2**62 + 1), mpq(2**62 + 1)),
    (np.uint64(2**64 - 1), mpq(2**64 - 1)),
    (np.float16(0.25), mpq(1, 4)),
    (np.float32(0.75), mpq(3, 4)),
    (np.float64(-0.125), mpq(-1, 8)),
    (np.longdouble(0.375), mpq(3, 8)),
    ("0.1", mpq(1, 10)),
    ("1/3", mpq(1, 3)),
    ("-2 / 6", mpq(-1, 3)),
    ("+4/2", mpq(2)),
    ("1e-5", mpq(1, 100000)),
    ("1E3", mpq(1000)),
    ("-1.5e+2", mpq(-150)),
    ("+.5", mpq(1, 2)),
    ("5.", mpq(5)),
    ("007", mpq(7)),
    (" 12 ", mpq(12)),
    ("0e99999999999", mpq(0)),
]

NO_NUMBER = [
    "",
    " ",
    ".",
    "e5",
    "1e",
    "1e1.5",
    "1/",
    "/2",
    "1/-2",
    "1.5/2",
    "0x10",
    "1_000",
    "1 2",
    "--1",
    "one",
    "\u0661",
    "1\n2",
    "\u0131nf",  # a letter that is an i to `re` and to no number
    "\u0130NF",
]

WRONG_TYPES = [
    None,
    1j,
    [1],
    b"1",
    np.array(1.0),
    np.array([1.0]),
    np.complex128(1),
    np.timedelta64(3, "s"),
    np.datetime64("2020-01-01"),
    np.str_,
    object(),
]


@for_each(("value", "expected"), EXACT, ids=lambda v: repr(v)[:40])
@for_each("convert", CONVERSIONS)
def test_exact_conversions(convert, value: object, expected: mpq) -> None:  # type: ignore[no-untyped-def]
    converted = convert(value)
    assert type(converted) is mpq
    assert converted == expected


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_its_binary_value(value: float) -> None:
    assert to_mpq(value) == Fraction(value)
    assert to_mpq(np.float64(value)) == Fraction(value)
    assert to_extended(value) == Fraction(value)


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_a_single_is_its_binary_value(value: float) -> None:
    assert to_mpq(np.float32(value)) == Fraction(value)


@given(st.floats(allow_nan=False, allow_infinity=False, width=16))
def test_a_half_is_its_binary_value(value: float) -> None:
    assert to_mpq(np.float16(value)) == Fraction(value)


def test_longdoubles_keep_all_their_bits() -> None:
    tenth = np.longdouble(1) / np.longdouble(10)
    assert to_mpq(tenth) == Fraction(*tenth.as_integer_ratio())
    tiny = np.finfo(np.longdouble).tiny
    assert to_mpq(tiny) == Fraction(*tiny.as_integer_ratio())
    assert to_mpq(tiny) > 0


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_decimals_and_their_text(value: Decimal) -> None:
    assert to_mpq(value) == Fraction(value)
    assert to_mpq(str(value)) == Fraction(value)


@given(st.fractions())
def test_fractions_and_their_text(value: Fraction) -> None:
    assert to_mpq(value) == value
    assert to_mpq(str(value)) == value
    assert to_fraction(to_mpq(value)) == value


@given(st.integers(0, 10**30), st.integers(0, 30), st.integers(-400, 400))
def test_text_as_the_standard_library_reads_it(digits: int, at: int, e: int) -> None:
    text = str(digits)
    for variant in (f"{text}.{'0' * at}1e{e}", f"-{text[:at]}.{text[at:]}5E{e:+}"):
        assert to_mpq(variant) == Fraction(variant)


def test_an_mpfr_is_exact_whatever_the_current_context() -> None:
    with gmpy2.context(precision=300):
        third = mpfr(1) / 3
    with gmpy2.context(precision=10, round=gmpy2.RoundUp):
        value = to_mpq(third)
    assert 0 < abs(value - mpq(1, 3)) < mpq(1, 2**300)


@for_each("convert", CONVERSIONS)
@for_each(
    "nan",
    [
        math.nan,
        np.float32("nan"),
        np.float64("nan"),
        np.longdouble("nan"),
        Decimal("nan"),
        Decimal("sNaN"),
        mpfr("nan"),
        "nan",
        " -NaN ",
    ],
    ids=repr,
)
def test_nan_is_refused(convert, nan: object) -> None:  # type: ignore[no-untyped-def]
    kind = "finite number" if convert in (to_mpq, to_target) else "number"
    with pytest.raises(ValueError, match=f"^must be a {kind}, got nan$"):
        convert(nan)


@for_each("sign", [1, -1])
@for_each(
    "make",
    [
        float,
        np.float16,
        np.float32,
        np.float64,
        np.longdouble,
        Decimal,
        mpfr,
        str,
        lambda value: "-Infinity" if value < 0 else "+INFINITY",
    ],
)
def test_infinities(make, sign: int) -> None:  # type: ignore[no-untyped-def]
    value = make(sign * math.inf)
    shown = "inf" if sign > 0 else "-inf"
    with pytest.raises(ValueError, match=f"^must be a finite number, got {shown}$"):
        to_mpq(value)
    for convert in (to_extended, to_loss):
        assert convert(value) == sign * math.inf
        assert type(convert(value)) is float


@for_each("convert", CONVERSIONS)
@for_each("value", [True, False])
def test_truth_values_are_refused(convert, value: bool) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(
        TypeError, match=f"must be a number, got the truth value {value}"
    ):
        convert(value)
    with pytest.raises(TypeError, match="must be a number, got a value of type bool"):
        convert(np.bool_(value))


@for_each("value", WRONG_TYPES, ids=lambda v: type(v).__name__)
@for_each("convert", CONVERSIONS)
def test_other_types_are_refused(convert, value: object) -> None:  # type: ignore[no-untyped-def]
    name = type(value).__name__
    with pytest.raises(
        TypeError, match=f"must be a number, got a value of type {name}"
    ):
        convert(value)


@for_each("text", NO_NUMBER, ids=repr)
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r'must be a number such as "0\.1", "1/3" or'):
        to_mpq(text)


def test_messages_show_the_text_but_not_all_of_it() -> None:
    with pytest.raises(ValueError, match=r"got 'one'$"):
        to_mpq("one")
    with pytest.raises(
        ValueError, match=r"got 'xxxx.*'\.\.\. of 100000 characters$"
    ) as e:
        to_mpq("x" * 100000)
    assert len(str(e.value)) < 200


def test_a_denominator_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="must not have the denominator 0, got '1/0'"):
        to_mpq("1/0")


def test_more_digits_than_python_converts() -> None:
    # int("1" * 5000) is refused by Python; gmpy2 has no such limit.
    ones = "1" * 5000
    repunit = (10**5000 - 1) // 9
    assert to_mpq(ones) == repunit
    assert to_mpq("0." + ones) == mpq(repunit, mpz(10) ** 5000)
    assert to_mpq(f"{ones}/3") == mpq(repunit, 3)
    assert to_mpq(Decimal(ones)) == repunit
    assert to_loss(ones) == repunit
    assert to_mpq(-repunit) == -mpq(repunit)


@for_each(
    "value",
    [
        "1e1000001",
        "1e-999999999999",
        "1e" + "9" * 5000,
        Decimal("1e1000001"),
        Decimal("1e-999999999"),
    ],
    ids=lambda v: str(v)[:20],
)
def test_a_power_of_ten_that_fills_the_memory_is_refused(value: object) -> None:
    with pytest.raises(
        ValueError, match="must have a decimal exponent of at most 1000000"
    ):
        to_mpq(value)


def test_a_loss_given_as_a_float_is_at_least_both_its_meanings() -> None:
    assert to_loss(0.3) == mpq(3, 10) > to_mpq(0.3)
    assert to_loss(0.1) == to_mpq(0.1) > mpq(1, 10)
    assert to_loss(np.float64(0.3)) == mpq(3, 10)
    assert to_loss(1e-7) == max(to_mpq(1e-7), mpq(1, 10**7))
    assert to_loss(1e22) == 10**22


@for_each("kind", [np.float16, np.float32, np.longdouble])
@for_each("text", ["0.1", "0.3", "0.7", "1e-3"])
def test_a_loss_given_as_a_numpy_float(kind, text: str) -> None:  # type: ignore[no-untyped-def]
    value = kind(text)
    assert to_loss(value) == max(to_mpq(value), to_mpq(text))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_loss_is_the_larger_of_binary_and_decimal(value: float) -> None:
    assert to_loss(value) == max(Fraction(value), Fraction(repr(value)))


@given(st.fractions(min_value=0))
def test_a_loss_rounded_up_to_a_float_still_covers_it(loss: Fraction) -> None:
    assert to_loss(round_up(to_mpq(loss))) >= loss


@pytest.mark.parametrize("value", ["0.1", Decimal("0.1"), Fraction(1, 10)])
def test_a_loss_given_exactly_is_exact(value: object) -> None:
    assert to_loss(value) == mpq(1, 10)


def test_a_target_given_as_a_float_is_at_most_both_its_meanings() -> None:
    assert to_target(0.1) == mpq(1, 10) < to_mpq(0.1)
    assert to_target(0.3) == to_mpq(0.3) < mpq(3, 10)
    assert to_target(np.float64(0.1)) == mpq(1, 10)
    assert to_target(1e22) == 10**22
    assert 10 * to_target(0.1) == 1


@for_each("kind", [np.float16, np.float32, np.longdouble])
@for_each("text", ["0.1", "0.3", "0.7", "1e-3"])
def test_a_target_given_as_a_numpy_float(kind, text: str) -> None:  # type: ignore[no-untyped-def]
    value = kind(text)
    assert to_target(value) == min(to_mpq(value), to_mpq(text))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_target_is_the_lesser_of_binary_and_decimal(value: float) -> None:
    assert to_target(value) == min(Fraction(value), Fraction(repr(value)))
    assert to_target(value) <= to_loss(value)


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=0))
def test_a_target_is_shown_as_the_float_that_stated_it(value: float) -> None:
    assert round_up(to_target(value)) == value


@pytest.mark.parametrize("value", ["0.1", Decimal("0.1"), Fraction(1, 10)])
def test_a_target_given_exactly_is_exact(value: object) -> None:
    assert to_target(value) == mpq(1, 10)


@for_each("value", [math.inf, -math.inf, "inf", np.float32("inf")])
def test_a_target_is_finite(value: object) -> None:
    with pytest.raises(ValueError, match="must be a finite number"):
        to_target(value)


def test_to_fraction() -> None:
    for value in (mpq(-2, 6), 5):
        fraction = to_fraction(value)
        assert type(fraction) is Fraction
        assert type(fraction.numerator) is type(fraction.denominator) is int
        assert fraction == value
        assert (fraction.numerator, fraction.denominator) == (
            value.numerator,
            value.denominator,
        )


def test_to_fraction_reduces_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's gcd takes quadratic time, and an mpq is in lowest terms."""

    def gcd(*numbers: int) -> int:
        raise AssertionError(numbers)

    monkeypatch.setattr("math.gcd", gcd)
    with pytest.raises(AssertionError):
        Fraction(2, 6)  # which is how it would be noticed
    fraction = to_fraction(mpq(2, 6))
    monkeypatch.undo()
    assert fraction == Fraction(1, 3)


def test_numpy_is_recognised_without_being_imported() -> None:
    code = (
        "import sys\n"
        "from opendp_lite.exact.rationals import to_mpq\n"
        "try:\n    to_mpq(object())\n"
        "except TypeError as refusal:\n    assert 'type object' in str(refusal)\n"
        "else:\n    raise SystemExit('accepted')\n"
        "assert 'numpy' not in sys.modules\n"
    )
    root = Path(__file__).resolve().parent.parent.parent
    subprocess.run([sys.executable, "-c", code], check=True, timeout=600, cwd=root)
