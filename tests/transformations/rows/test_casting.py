from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import Any

import numpy
import opendp.prelude as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.data.identity import key
from opendp_lite.data.type_arguments import AtomType
from opendp_lite.transformations.rows import conversions
from tests.rows import for_each

SYMMETRIC = dp.symmetric_distance()
INF, NAN = math.inf, math.nan
LARGEST = sys.float_info.max


def caster(T: Any, TOA: Any) -> Any:
    row = T if isinstance(T, dp.Domain) else dp.atom_domain(T=T)
    return dp.t.make_cast_default(dp.vector_domain(row), SYMMETRIC, TOA)


def cast(T: Any, TOA: Any, *rows: Any) -> list[Any]:
    result: list[Any] = caster(T, TOA)(list(rows))
    return result


def check(T: Any, TOA: Any, table: dict[Any, Any] | list[tuple[Any, Any]]) -> None:
    for row, expected in table.items() if isinstance(table, dict) else table:
        assert key(cast(T, TOA, row)) == key([expected]), row


def test_text_to_int_is_a_sign_and_ascii_digits() -> None:
    good = {"0": 0, "12": 12, "+7": 7, "-7": -7, "007": 7, "-0": 0}
    bad = ["", "+", "-", "++1", " 1", "1 ", "1\n", "1_0", "1.0", "1e3", "0x1", "inf"]
    check(str, int, good | dict.fromkeys([*bad, "\u0661", "\uff11", "1\x00", "½"], 0))
    assert cast(str, int, "9" * 100) == [10**100 - 1]


def test_text_of_too_many_digits_is_no_number() -> None:
    limit = 4300
    assert cast(str, int, "9" * limit, "9" * (limit + 1)) == [10**limit - 1, 0]
    assert cast(str, Fraction, "1" * (limit + 1)) == [0]


def test_the_interpreters_limit_on_digits_changes_nothing() -> None:
    before = sys.get_int_max_str_digits()
    try:
        sys.set_int_max_str_digits(640)
        assert cast(str, int, "9" * 1000) == [10**1000 - 1]
        assert cast(int, str, 10**5000) == ["1" + "0" * 5000]
        assert cast(Fraction, str, Fraction(1, 10**5000)) == ["1/1" + "0" * 5000]
    finally:
        sys.set_int_max_str_digits(before)


def test_text_that_is_no_number_is_found_out_at_once() -> None:
    """In linear time: a pattern that tried every split would not come to an end."""
    assert cast(str, float, "9" * 10**6 + "x", "." + "9" * 10**6 + "e") == [0.0, 0.0]
    assert cast(str, Fraction, *["1/" + "1" * 4000 + "x"] * 20) == [0] * 20


def test_text_that_python_cannot_read_is_no_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Python reads no text of more than 10^9 digits, and would show it."""

    def refuse(text: str) -> float:
        raise ValueError(f"could not convert string to float: {text}")

    monkeypatch.setattr(conversions, "float", refuse, raising=False)
    assert cast(str, float, "1") == [0.0]


def test_only_the_element_types_are_types() -> None:
    assert cast(int, AtomType(int, (0, 255)), 255, 256) == [255, 0]
    with pytest.raises(dp.OpenDPException, match=r"TOA.*is not an element type"):
        caster(int, AtomType(int, (5, 10)))  # 0 would not be a member


def test_text_to_float_follows_rust() -> None:
    good = {
        "1": 1.0,
        "+.5": 0.5,
        "5.": 5.0,
        "-0": -0.0,
        "1e3": 1e3,
        "1E+3": 1e3,
        "1e-400": 0.0,
        "1e400": INF,
        "-1e400": -INF,
        "inf": INF,
        "-Infinity": -INF,
        "NaN": NAN,
        "+nan": NAN,
        "0.1": 0.1,
        "9" * 5000: INF,
    }
    bad = [
        "",
        ".",
        "+",
        "e1",
        "1e",
        "1e+",
        "1_0",
        " 1",
        "1 ",
        "0x1p3",
        "infin",
        "\u0661",
    ]
    check(str, float, good | dict.fromkeys([*bad, "\u0131nf", "1,5"], 0.0))


def test_text_to_bool_is_whether_there_is_any() -> None:
    check(str, bool, {"": False, "0": True, "false": True, "\x00": True, " ": True})


def test_text_to_fraction_is_a_decimal_or_a_quotient() -> None:
    good = {
        "1/3": Fraction(1, 3),
        "-2/6": Fraction(-1, 3),
        "+4": Fraction(4),
        "0.1": Fraction(1, 10),
        "-1.5e-2": Fraction(-3, 200),
        "1E4": Fraction(10**4),
        "1e9999": Fraction(10**9999),
    }
    bad = ["", "1/0", "1/00", "1 / 3", "1/-3", "1/3/5", "inf", "nan", "1e10000", "1_0"]
    check(str, Fraction, good | dict.fromkeys([*bad, "1/3e2", " 1"], Fraction(0)))


def test_float_to_int_cuts_fractions_off() -> None:
    table = {1.9: 1, -1.9: -1, -0.5: 0, -0.0: 0, INF: 0, -INF: 0, 1e30: int(1e30)}
    check(float, int, table)
    check(float, int, [(NAN, 0), (LARGEST, int(LARGEST)), (7, 7)])


def test_sized_integers_are_0_out_of_range() -> None:
    check(int, "u8", {0: 0, 255: 255, 256: 0, -1: 0})
    check(float, "i8", {127.9: 127, 128.0: 0, -128.9: -128, -129.0: 0})
    check(str, "i64", {str(2**63 - 1): 2**63 - 1, str(2**63): 0})
    check(Fraction, "i8", {Fraction(255, 2): 127, Fraction(-257, 2): -128})


def test_numbers_to_float_are_rounded_to_nearest() -> None:
    table = {2**53 + 1: 2.0**53, 2**53 + 3: 2.0**53 + 4, 10**400: 0.0, -(10**400): 0.0}
    check(int, float, table)
    tenth, huge = Fraction(1, 10), Fraction(10**400, 3)
    check(Fraction, float, {tenth: 0.1, huge: 0.0, Fraction(1, 10**400): 0.0})
    check(bool, float, {True: 1.0, False: 0.0})


def test_single_floats() -> None:
    near = 3.4028235677973362e38  # rounds to the largest binary32 value
    table = [(0.1, 0.10000000149011612), (1e39, 0.0), (-1e39, 0.0), (INF, INF)]
    table += [(near, 3.4028234663852886e38), (1e-50, 0.0), (NAN, NAN), (-0.0, -0.0)]
    check(float, "f32", table)
    check(int, "f32", {2**24 + 1: 2.0**24, 10**39: 0.0})
    check(str, "f32", {"0.1": 0.10000000149011612, "1e39": 0.0, "-inf": -INF})


def test_a_nan_is_never_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.14.0 packs a signaling NaN with a small payload as an infinity."""
    signaling = numpy.array([0x7FF0000000080001], dtype="u8").view("f8")
    assert key(cast(float, "f32", *signaling.tolist())) == key([NAN])
    assert key(caster(float, "f32")(signaling).tolist()) == key([NAN])

    # The module's own name is replaced: the test runner packs, too.
    monkeypatch.setattr(conversions, "struct", None)
    assert math.isnan(conversions._nearest_single(NAN))


def test_numbers_to_text() -> None:
    check(bool, str, {True: "true", False: "false"})
    check(int, str, {0: "0", -12: "-12", 10**30: "1" + "0" * 30})
    check(float, str, [(0.1, "0.1"), (-0.0, "-0.0"), (1e16, "1e+16"), (3, "3.0")])
    check(float, str, [(NAN, "NaN"), (INF, "inf"), (-INF, "-inf"), (-NAN, "NaN")])
    check(Fraction, str, {Fraction(1, 3): "1/3", Fraction(4, 2): "2", 5: "5"})


def test_numbers_to_bool() -> None:
    check(float, bool, [(0.0, False), (-0.0, False), (5e-324, True), (NAN, True)])
    check(int, bool, {0: False, -1: True})
    check(Fraction, bool, {Fraction(0): False, Fraction(1, 9): True})


def test_floats_to_fractions_are_exact() -> None:
    check(
        float, Fraction, [(0.1, Fraction(0.1)), (NAN, Fraction(0)), (INF, Fraction(0))]
    )
    check(bool, Fraction, {True: Fraction(1)})


@for_each(
    ("TOA", "default"),
    [(bool, False), (int, 0), (float, 0.0), (str, ""), (Fraction, Fraction(0))],
)
def test_missing_rows_become_the_default(TOA: Any, default: Any) -> None:
    for T in (bool, int, float, str, Fraction):
        check(dp.option_domain(dp.atom_domain(T=T)), TOA, [(None, default)])


def test_rows_that_are_numpys_scalars_are_the_numbers_they_are() -> None:
    assert key(cast(int, float, numpy.int64(3))) == key([3.0])
    assert key(cast(float, str, numpy.float32(0.5), 2)) == key(["0.5", "2.0"])
    assert key(cast(str, int, numpy.str_("12"))) == key([12])
    assert key(cast(bool, str, numpy.bool_(True))) == key(["true"])


@for_each(
    ("T", "TOA", "output"),
    [
        (str, float, dp.atom_domain(T=float, nan=True)),
        (float, float, dp.atom_domain(T=float, nan=True)),
        (dp.atom_domain(T=float, nan=False), float, dp.atom_domain(T=float, nan=False)),
        (int, float, dp.atom_domain(T=float, nan=False)),
        (bool, "f32", dp.atom_domain(T="f32", nan=False)),
        (str, "i32", dp.atom_domain(T="i32")),
        (float, bool, dp.atom_domain(T=bool)),
        (dp.option_domain(dp.atom_domain(T=float)), str, dp.atom_domain(T=str)),
    ],
)
def test_the_output_domain(T: Any, TOA: Any, output: Any) -> None:
    assert caster(T, TOA).output_domain == dp.vector_domain(output)


def test_the_size_is_kept() -> None:
    domain = dp.vector_domain(dp.atom_domain(T=str), size=3)
    made = dp.t.make_cast_default(domain, dp.hamming_distance(), int)
    assert made.output_domain == dp.vector_domain(dp.atom_domain(T=int), size=3)
    assert made.map(2) == 2


def test_arrays_in_arrays_out() -> None:
    texts = numpy.array(["1", "x", "9" * 30, "-3"])
    assert caster(str, int)(texts).dtype == numpy.int64
    # What int64 does not hold becomes 0 in arrays.
    assert caster(str, int)(texts).tolist() == [1, 0, 0, -3]
    assert caster(float, int)(numpy.array([1e30, -2.5, NAN])).tolist() == [0, -2, 0]
    wide = numpy.array([2**63, 5, 2**64 - 1], dtype="uint64")
    assert caster(int, int)(wide).tolist() == [0, 5, 0]
    assert caster(int, "u64")(wide).tolist() == [0, 5, 0]
    assert caster(int, float)(wide).tolist() == [2.0**63, 5.0, 2.0**64]
    assert caster(float, Fraction)(numpy.array([0.5])) == [Fraction(1, 2)]


@for_each(
    ("dtype", "T", "width"),
    [
        ("?", bool, "<U5"),
        ("i8", int, "<U20"),
        ("u8", int, "<U20"),
        ("f4", float, "<U24"),
    ],
)
def test_the_width_of_text_depends_on_the_dtype_alone(
    dtype: str, T: type, width: str
) -> None:
    for rows in ([], [0], [1]):
        assert caster(T, str)(numpy.array(rows, dtype=dtype)).dtype == width


def test_the_widest_texts_fit() -> None:
    floats = numpy.array([-2.2250738585072014e-308, -LARGEST, NAN])
    assert caster(float, str)(floats).tolist() == cast(float, str, *floats.tolist())
    integers = numpy.array([-(2**63), 2**63 - 1])
    assert caster(int, str)(integers).tolist() == [str(-(2**63)), str(2**63 - 1)]
    unsigned = numpy.array([2**64 - 1], dtype="uint64")
    assert caster(int, str)(unsigned).tolist() == [str(2**64 - 1)]


ROWS: dict[type, Any] = {
    bool: st.booleans(),
    int: st.integers(-(2**63), 2**63 - 1) | st.integers(-300, 300),
    float: st.floats() | st.sampled_from([2.0**63, -(2.0**63), 127.5, -128.5, 1e39]),
    str: st.text(alphabet="019+-./eEinfaty _", max_size=8),
}


@given(st.data())
def test_arrays_are_treated_as_lists(data: Any) -> None:
    T = data.draw(st.sampled_from(list(ROWS)))
    TOA = data.draw(st.sampled_from([bool, "i64", "u8", float, "f32", str, Fraction]))
    rows = data.draw(st.lists(ROWS[T]))
    array = numpy.array(rows, dtype=T)
    made = caster(T, TOA)
    result = made(array)
    rows_of = result if TOA is Fraction else result.tolist()
    assert key(rows_of) == key(made(rows))
    assert key(array.tolist()) == key(rows)
    assert made.output_domain.member(result)


def test_a_million_rows() -> None:
    array = numpy.arange(10**6) / 4 - 100
    result = caster(float, int)(array)
    assert result.dtype.kind == "i"
    assert (result == numpy.trunc(array)).all()  # whole numbers, and exact as doubles
    assert caster(float, bool)(array).sum() == 10**6 - 1


def test_numpys_error_settings_change_nothing() -> None:
    with numpy.errstate(all="raise"):
        assert caster(float, int)(numpy.array([NAN, INF, 5e-324])).tolist() == [0, 0, 0]
        array = numpy.array([1e300, 5e-324, NAN, -INF])
        assert key(caster(float, "f32")(array).tolist()) == key([0.0, 0.0, NAN, -INF])


ORACLE_ROWS: dict[Any, Any] = {
    str: ROWS[str] | st.text(max_size=4).filter(lambda text: "\x00" not in text),
    int: st.integers(-(2**31), 2**31 - 1),
    float: st.floats(),
    bool: st.booleans(),
}


@given(st.data())
def test_opendp_gives_the_same(data: Any) -> None:
    """But for the text of floats and for what is too large for binary32."""
    oracle.enable_features("contrib")
    T = data.draw(st.sampled_from(list(ORACLE_ROWS)))
    types = ["i32", "i64", float, str, bool] if T is not float else ["i64", float, bool]
    TOA = data.draw(st.sampled_from(types))
    rows = data.draw(st.lists(ORACLE_ROWS[T]))
    theirs = oracle.t.make_cast_default(
        oracle.vector_domain(oracle.atom_domain(T=T)), oracle.symmetric_distance(), TOA
    )
    ours = caster(T, TOA)
    assert key(ours(rows)) == key(theirs(rows))
    assert ours.map(3) == theirs.map(3)
