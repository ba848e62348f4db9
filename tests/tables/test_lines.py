"""Each line becomes one row, whatever it holds, and no line changes another's row."""

from __future__ import annotations

import tracemalloc
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException
from opendp_lite.tables.lines import _integer, fields

COLUMNS = {
    "i": dp.option_domain(dp.atom_domain(T=int)),
    "x": dp.atom_domain(T=float),
    "b": dp.option_domain(dp.atom_domain(T=bool)),
    "s": dp.option_domain(dp.atom_domain(T=str)),
}


def made(folder: Path, data: bytes, **options: Any) -> list[tuple[Any, ...]]:
    source, target = folder / "lines.csv", folder / "lines.parquet"
    target.unlink(missing_ok=True)
    source.write_bytes(data)
    dp.csv_to_parquet(source, target, COLUMNS, **{"misfits": False, **options})
    return [tuple(row.values()) for row in pq.read_table(target).to_pylist()]


LINES: list[tuple[bytes, tuple[Any, ...]]] = [
    (b"1,2.5,true,a", (1, 2.5, True, "a")),
    (b" -7 ,1e3, FALSE ,a ", (-7, 1000.0, False, "a ")),
    (b"", (None, None, None, None)),
    (b"1", (1, None, None, None)),
    (b"1,2,true,a,more,fields", (1, 2.0, True, "a")),
    (b'1,2,true,""', (1, 2.0, True, "")),
    (b'1,2,true,"a,""b"', (1, 2.0, True, 'a,"b')),
    (b'1,2,true,"open', (1, 2.0, True, "open")),
    (b'"1,2,true,a', (None, None, None, None)),
    (b'1,2,true,a"b', (1, 2.0, True, 'a"b')),
    (b"9223372036854775807,1e999,1,", (2**63 - 1, float("inf"), None, None)),
    (b"9223372036854775808,nan,yes,nan", (None, None, None, "nan")),
    (b"1.5,0x1,,\xff", (None, None, None, "\ufffd")),
    ("١,inf,True,é".encode(), (None, None, True, "é")),
    (b"1_0,1_0,true,a\x00b", (None, None, True, "a\x00b")),
    (b"1,2,true,a\rb\x0bc", (1, 2.0, True, "a\rb\x0bc")),
    (b"9" * 5000 + b"," + b"9" * 5000, (None, float("inf"), None, None)),
    (b"," * 10_000, (None, None, None, None)),
]


def test_each_line_is_a_row(tmp_path: Path) -> None:
    data = b"i,x,b,s\n" + b"".join(line + b"\n" for line, _ in LINES)
    assert made(tmp_path, data) == [row for _, row in LINES]
    assert made(tmp_path, data.removesuffix(b"\n")) == [row for _, row in LINES]
    windows = data.replace(b"\n", b"\r\n")
    assert made(tmp_path, windows) == [row for _, row in LINES]


INTEGERS: list[tuple[str, int | None]] = [
    ("31", 31),
    ("31.0", 31),
    ("3750.", 3750),
    ("1e1", 10),
    ("1E+1", 10),
    ("2.5e1", 25),
    ("120e-1", 12),
    ("+7", 7),
    (" \t-7.00 ", -7),
    ("0031", 31),
    (".0", 0),
    ("-0.0e9", 0),
    ("0e999999999999999999999", 0),
    ("9007199254740993.0", 9007199254740993),  # no double
    ("9223372036854775807.000", 2**63 - 1),
    ("-9223372036854775808e0", -(2**63)),
    ("0.9223372036854775807e19", 2**63 - 1),
    ("1e18", 10**18),
    ("1" + "0" * 5000 + "e-5000", 1),
    ("0." + "0" * 5000 + "1e+5001", 1),
    ("1e" + "0" * 5000 + "1", 10),
    ("31.5", None),
    ("9007199254740993.00000000001", None),
    ("1e-1", None),
    ("25e-2", None),
    ("nan", None),
    ("inf", None),
    ("-Infinity", None),
    ("9223372036854775808", None),
    ("9223372036854775808.0", None),
    ("-9223372036854775809", None),
    ("1e19", None),
    ("1e999999999", None),
    ("-1e-999999999", None),
    ("1e" + "9" * 5000, None),
    ("1e-" + "9" * 5000, None),
    ("9" * 5000, None),
    ("", None),
    (".", None),
    ("e1", None),
    ("1e", None),
    ("1e1.0", None),
    ("1_000", None),
    ("0x10", None),
    ("1 0", None),
    ("--1", None),
    ("+-1", None),
    ("old", None),
    ("١", None),
]


def test_an_integer_is_what_its_text_states_exactly() -> None:
    read = [(text, _integer(text)) for text, _ in INTEGERS]
    assert read == INTEGERS
    assert {type(value) for _, value in read} == {int, type(None)}


@given(
    st.integers(-(10**22), 10**22) | st.integers(-300, 300),
    st.integers(0, 24),
    st.integers(-24, 24),
    st.sampled_from(["{}", " {} ", "{}e0", "{}E-00"]),
)
def test_integers_are_those_of_exact_arithmetic(
    mantissa: int, places: int, power: int, form: str
) -> None:
    digits = f"{abs(mantissa):0{places + 1}d}"
    number = f"{digits[: len(digits) - places]}.{digits[len(digits) - places :]}"
    number = ("-" if mantissa < 0 else "") + number
    for text, exact in (
        (form.format(number), Fraction(mantissa, 10**places)),
        (f"{number}e{power}", Fraction(mantissa, 10**places) * Fraction(10) ** power),
    ):
        fits = exact.denominator == 1 and -(2**63) <= exact < 2**63
        assert _integer(text) == (int(exact) if fits else None)


def test_no_exponent_takes_time_or_memory() -> None:
    tracemalloc.start()
    try:
        for text in ("1e999999999", "1e-999999999", "1e18446744073709551616"):
            assert _integer(text) is None
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 100_000


def test_misfits_are_marked(tmp_path: Path) -> None:
    source, target = tmp_path / "a.csv", tmp_path / "a.parquet"
    source.write_bytes(
        b"s,i,x,b\na,31.0,2.5,true\nb,old,nan,yes\n\nc,  ,\t,\n"
        b'd,"","",""\n,1e999,1e999,TRUE\n"open,1,2.0,true\n'
    )
    dp.csv_to_parquet(source, target, COLUMNS)
    found = pq.read_table(target).to_pydict()
    assert list(found) == ["i", "x", "b", "s", "i_misfit", "x_misfit", "b_misfit"]
    assert found["i"] == [31, None, None, None, None, None, None]
    assert found["i_misfit"] == [False, True, False, False, False, True, False]
    assert found["x_misfit"] == [False, True, False, False, False, False, False]
    assert found["b_misfit"] == [False, True, False, False, False, False, False]
    assert found["x"][5] == float("inf")


def test_marks_are_declared_and_may_not_clash(tmp_path: Path) -> None:
    declared = dp.declare_misfits(COLUMNS)
    assert list(declared) == ["i", "x", "b", "s", "i_misfit", "x_misfit", "b_misfit"]
    assert declared["i_misfit"] == dp.option_domain(dp.atom_domain(T=bool))
    clash = {**COLUMNS, "x_misfit": COLUMNS["b"]}
    source, target = tmp_path / "a.csv", tmp_path / "a.parquet"
    source.write_text("i,x,b,s,x_misfit\n1,,,,true\n")
    for refused in (
        lambda: dp.declare_misfits(clash),
        lambda: dp.declare_misfits(declared),
        lambda: dp.csv_to_parquet(source, target, clash),
    ):
        with pytest.raises(OpenDPException, match="_misfit': is to mark the values"):
            refused()
    assert not target.exists()
    dp.csv_to_parquet(source, target, clash, misfits=False)
    assert pq.read_table(target)["x_misfit"].to_pylist() == [True]


@given(
    st.lists(st.binary(max_size=12).map(lambda b: b.replace(b"\n", b'"')), max_size=6)
)
def test_a_row_depends_on_its_own_line_alone(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    folder = tmp_path_factory.mktemp("lines")
    data = b"".join(line + b"\n" for line in lines)
    options = {"header": False, "misfits": True}
    alone = [made(folder, line + b"\n", **options)[0] for line in lines]
    assert repr(made(folder, data, **options)) == repr(alone)


@given(st.text('ab",\r', max_size=8))
def test_fields_are_total(line: str) -> None:
    found = fields(line, ",")
    assert found
    assert len(found) <= line.count(",") + 1


def test_a_long_field_takes_no_longer_than_its_length(tmp_path: Path) -> None:
    digits = b"1" * 300_000
    data = b",%bx,,\n,%b,,\n,%b.%bx,,\n" % (digits, digits, digits, digits)
    found = [row[1] for row in made(tmp_path, data, header=False)]
    assert found == [None, float("inf"), None]


def test_columns_by_name_and_by_place(tmp_path: Path) -> None:
    data = b'\xef\xbb\xbfs;"b";unused;x;i\na;true;0;1.5;3\n'
    assert made(tmp_path, data, separator=";") == [(3, 1.5, True, "a")]
    assert made(tmp_path, b"3;1.5;true;a", separator=";", header=False) == [
        (3, 1.5, True, "a")
    ]
    assert made(tmp_path, b"", header=False) == []


def test_more_rows_than_are_held_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("opendp_lite.tables.lines._BATCH", 3)
    data = b"i,x,b,s\n" + b"".join(b"%d,,,\n" % i for i in range(10))
    assert [row[0] for row in made(tmp_path, data)] == list(range(10))


def test_what_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "a.csv"
    source.write_bytes(b"i,i,secret\n777,1,2\n")
    there = tmp_path / "there.parquet"
    there.write_bytes(b"")
    cases: list[tuple[Any, str]] = [
        ((source, tmp_path / "b", COLUMNS), "first line does not name"),
        ((source, there, COLUMNS), "is there already"),
        ((tmp_path / "none", tmp_path / "b", COLUMNS), "cannot be opened"),
        ((source, tmp_path / "b", {"i": dp.atom_domain(T=int)}), "may be missing"),
        ((source, tmp_path / "b", {}), "one at least"),
    ]
    for arguments, said in cases:
        with pytest.raises(OpenDPException, match=said) as caught:
            dp.csv_to_parquet(*arguments)
        assert "secret" not in str(caught.value)
        assert "777" not in str(caught.value)
    wrong: list[dict[str, Any]] = [
        {"separator": ""},
        {"separator": '"'},
        {"separator": ",,"},
        {"header": 1},
        {"misfits": 1},
    ]
    for options in wrong:
        with pytest.raises(OpenDPException):
            dp.csv_to_parquet(source, tmp_path / "b", COLUMNS, **options)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "a.csv",
        "there.parquet",
    ]
