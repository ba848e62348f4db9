"""Single values: who is a member, and which bounds make sense."""

from __future__ import annotations

import copy
import decimal
import math
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.base.containers import is_array, native, scalar_kind
from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.domains import AtomDomain, Domain, atom_domain, vector_domain
from opendp_lite.data.identity import key
from tests.core.samples import (
    INF,
    LARGEST,
    NAN,
    PLAIN,
    STRANGE,
    Colour,
    HostileInt,
    atoms,
    picked,
    values,
)
from tests.rows import for_each


def members(domain: AtomDomain) -> set[Any]:
    return {key(value) for value in PLAIN if domain.member(value)}


def keys(*values: Any) -> set[Any]:
    return {key(value) for value in values}


def test_members_by_type() -> None:
    assert members(atom_domain(T=bool)) == keys(True, False)
    assert members(atom_domain(T=str)) == keys("", "a", "é\U0001f600\x00", "\ud800")
    big = [2**53 + 1, 2**64, 10**400]
    integers = [0, 1, -1, 2**53, -(2**53)]
    assert members(atom_domain(T=int)) == keys(*integers, *big, 2**64 - 1)
    assert members(atom_domain(T=Fraction)) == keys(
        *integers, *big, Fraction(1, 3), Fraction(1)
    )
    finite = [0.0, -0.0, 1.0, 0.1, 0.5, 1e300, LARGEST, 5e-324, float(np.float32(0.1))]
    reals = keys(*integers, *finite, INF, -INF)
    assert members(atom_domain(T=float, nan=False)) == reals
    assert members(atom_domain(T=float)) == reals | keys(NAN)
    assert members(atom_domain(T="f64")) == reals | keys(NAN)


class Text(np.str_):
    """Text of somebody's own."""


@for_each(
    ("scalar", "letter", "T"),
    [
        (np.bool_(True), "b", bool),
        (np.int8(1), "i", int),
        (np.int64(1), "i", int),
        (np.uint64(2**64 - 1), "u", int),
        (np.float16(0.1), "f", float),
        (np.float64(0.1), "f", float),
        (np.str_("a"), "U", str),
        (np.str_("a" * 10**6), "U", str),
        (np.longdouble(1), None, None),
        (Text("a"), None, None),
        (np.complex64(1), "c", None),
        (np.complex128(1), "c", None),
        (np.bytes_(b"a"), "S", None),
        (np.datetime64(0, "s"), "M", None),
        (np.void(b"a"), "V", None),
    ],
)
def test_the_kinds_of_numpy_scalars(
    scalar: Any, letter: str | None, T: type | None
) -> None:
    """Text has a kind at every length, and what is nobody's member may have one."""
    assert scalar_kind(scalar) == letter
    for each in (bool, int, float, str, Fraction):
        assert atom_domain(T=each).member(scalar) == (each is T)
    if T is not None:
        assert type(native(scalar)) is T
        assert native(scalar) == scalar


def test_text_of_numpy_stands_for_itself_without_null_at_the_end() -> None:
    ended = np.str_("a\0b\0\0")
    assert native(ended) == "a\0b"
    assert key(ended) == key("a\0b") != key("a\0b\0\0")
    assert atom_domain(T=str).member(ended)


def test_members_of_single_precision() -> None:
    domain = atom_domain(T="f32")
    exact = [0.5, -0.0, float(np.float32(0.1)), 2.0**-149, 3.4028234663852886e38, INF]
    for value in [*exact, NAN, 2**24, 2**53, np.float16(0.1), np.float32(0.1)]:
        assert domain.member(value)
    for value in [0.1, 5e-324, 2.0**-150, LARGEST, 1e39, 2**24 + 1, 2**53 - 1]:
        assert not domain.member(value)
    assert not domain.member(np.float64(0.1))
    assert not atom_domain(T="f32", nan=False).member(np.float32(NAN))
    rows = vector_domain(domain)
    with np.errstate(all="raise"):
        assert rows.member(np.array([*exact, NAN]))
        for value in (0.1, 5e-324, LARGEST, -1e39):
            array = np.zeros(2**20 + 1)
            array[-1] = value
            assert not rows.member(array)


@for_each(
    ("name", "least", "greatest"),
    [
        ("i8", -128, 127),
        ("i16", -(2**15), 2**15 - 1),
        ("i32", -(2**31), 2**31 - 1),
        ("i64", -(2**63), 2**63 - 1),
        ("i128", -(2**127), 2**127 - 1),
        ("isize", -(2**63), 2**63 - 1),
        ("u8", 0, 255),
        ("u16", 0, 2**16 - 1),
        ("u32", 0, 2**32 - 1),
        ("u64", 0, 2**64 - 1),
        ("u128", 0, 2**128 - 1),
        ("usize", 0, 2**64 - 1),
    ],
)
def test_sized_types_are_ints_with_bounds(name: str, least: int, greatest: int) -> None:
    domain = atom_domain(T=name)
    assert domain == atom_domain(T=int, bounds=(least, greatest))
    assert domain.member(least)
    assert domain.member(greatest)
    assert not domain.member(least - 1)
    assert not domain.member(greatest + 1)
    assert not domain.member(float(least))
    assert not domain.member(True)


SIZED = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "i128"]


@for_each("length", [255, 256, 2**12, 2**12 + 1, 3 * 2**12 - 1])
@for_each("name", SIZED)
def test_long_lists_of_sized_types(name: str, length: int) -> None:
    domain = atom_domain(T=name)
    assert domain.bounds is not None
    least, greatest = domain.bounds
    rows: list[Any] = [least, greatest] * length
    rows = rows[:length]
    assert domain.all_members(rows)
    for place in (0, length // 2, length - 1):
        kept = rows[place]
        for beyond in (least - 1, greatest + 1, -(2**200), 2**200):
            rows[place] = beyond
            assert not domain.all_members(rows)
        for other in (True, 0.0, None, Colour.RED):
            rows[place] = other
            assert not domain.all_members(rows)
        rows[place] = kept
        assert domain.all_members(rows)


def test_bounds_next_to_those_of_a_sized_type() -> None:
    for bounds in ((-127, 127), (-128, 128), (0, 254), (1, 255), (0, 2**31 - 1)):
        domain = atom_domain(bounds=bounds)
        least, greatest = bounds
        for edge, beyond in ((least, least - 1), (greatest, greatest + 1)):
            assert domain.all_members([edge] * 300)
            assert not domain.all_members([edge] * 299 + [beyond])
    # Floats have no code: 0.5 is within the bounds of a byte.
    assert atom_domain(bounds=(0.0, 255.0)).all_members([0.5] * 300)


def test_a_boolean_is_never_a_number() -> None:
    for T in (int, float, Fraction, "u8", "f32"):
        assert not atom_domain(T=T).member(True)
        assert not atom_domain(T=T).member(np.True_)
        assert not vector_domain(atom_domain(T=T)).member([True])
        assert not vector_domain(atom_domain(T=T)).member([1, True])
        assert not vector_domain(atom_domain(T=T)).member(np.array([True]))
    for value in (0, 1, 1.0, "True", np.int64(1)):
        assert not atom_domain(T=bool).member(value)


def test_numpy_scalars_by_kind() -> None:
    integers = [np.int8, np.int16, np.int32, np.int64]
    integers += [np.uint8, np.uint16, np.uint32, np.uint64]
    for make in integers:
        assert atom_domain(T=int).member(make(1))
        assert not atom_domain(T=float).member(make(1))
        assert not atom_domain(T=bool).member(make(1))
        assert not atom_domain(bounds=(2, 3)).member(make(1))
    for make in (np.float16, np.float32, np.float64):  # type: ignore[assignment]
        assert atom_domain(T=float).member(make(1))
        assert not atom_domain(T=int).member(make(1))
        assert not atom_domain(T=float, nan=False).member(make(NAN))
        assert not atom_domain(bounds=(2.0, 3.0)).member(make(1))
    for T in (bool, int, float, str, Fraction):
        assert not atom_domain(T=T).member(np.longdouble(1))


def test_bounds_are_closed_and_exact() -> None:
    domain = atom_domain(bounds=(0.0, 1.0))
    for value in (0.0, -0.0, 1.0, 0, 1, 5e-324, np.float64(1)):
        assert domain.member(value)
    for value in (-5e-324, math.nextafter(1.0, 2), 2, NAN, INF, True, Fraction(1, 2)):  # type: ignore[assignment]
        assert not domain.member(value)
    wide = atom_domain(bounds=(-(10**30), 10**30))
    assert wide.member(10**30)
    assert not wide.member(10**30 + 1)
    third = atom_domain(bounds=(0, Fraction(1, 3)))
    assert third.T is Fraction
    assert third.member(Fraction(1, 3))
    assert third.member(0)
    assert not third.member(Fraction(10**20 + 1, 3 * 10**20))


def test_integers_are_floats_up_to_two_to_the_53() -> None:
    for domain in (atom_domain(T=float), atom_domain(bounds=(-1e300, 1e300))):
        for sign in (1, -1):
            assert domain.member(sign * 2**53)
            assert not domain.member(sign * (2**53 + 1))
            assert not domain.member(sign * 2**54)
            assert domain.member(sign * 2.0**54)


def test_nan_is_a_member_by_default_unless_there_are_bounds() -> None:
    assert atom_domain(T=float).nan
    assert not atom_domain(bounds=(0.0, 1.0)).nan
    both = atom_domain(bounds=(0.0, 1.0), nan=True)
    assert both.member(NAN)
    assert not both.member(2.0)
    rows = vector_domain(both)
    assert rows.member([NAN, 0.5])
    assert not rows.member([NAN, 2.0])
    assert rows.member(np.array([NAN, NAN]))
    assert rows.member(np.array([NAN, 1.0]))
    assert not rows.member(np.array([NAN, 2.0]))


def test_infinite_bounds_of_floats() -> None:
    domain = atom_domain(bounds=(0, INF), T=float)
    assert domain.bounds == (0.0, INF)
    assert domain.member(INF)
    assert not domain.member(-INF)
    assert not domain.member(NAN)


def test_bounds_of_mixed_and_exact_types() -> None:
    assert atom_domain(bounds=(0, 1.5)).T is float
    assert atom_domain(bounds=[0, 1]).bounds == (0, 1)
    assert atom_domain(bounds=(np.int64(0), np.int64(3))) == atom_domain(bounds=(0, 3))
    assert atom_domain(bounds=(0, 10.0), T=int).bounds == (0, 10)
    assert atom_domain(bounds=("0.5", decimal.Decimal(2)), T=float).bounds == (0.5, 2.0)
    assert atom_domain(bounds=("1/3", 1), T=Fraction).bounds == (Fraction(1, 3), 1)
    assert atom_domain(bounds=(-0.0, 0.0)) == atom_domain(bounds=(0.0, -0.0))
    assert repr(atom_domain(bounds=(-0.0, 0.0))).count("-") == 0


@for_each(
    ("arguments", "says"),
    [
        ({}, ["T=None", "T=int"]),
        ({"T": complex}, ["T=<class 'complex'>", "int"]),
        ({"T": "i33"}, ["T='i33'", "i32"]),
        ({"T": list}, ["T=", "int"]),
        ({"T": None, "bounds": 3}, ["bounds=3", "pair", "(0, 10)"]),
        ({"bounds": (1, 0)}, ["bounds=(1, 0)", "lower may not be above upper"]),
        ({"bounds": (1,), "T": int}, ["bounds=(1,)", "pair", "(0, 10)"]),
        ({"bounds": 7, "T": int}, ["bounds=7", "pair"]),
        ({"bounds": (0, 0.5), "T": int}, ["bounds=(0, 0.5)", "integers"]),
        ({"bounds": (0, NAN)}, ["bounds=(0, nan)", "nan"]),
        ({"bounds": (0, INF), "T": int}, ["bounds=(0, inf)", "finite"]),
        ({"bounds": (0, INF), "T": Fraction}, ["bounds=(0, inf)", "finite"]),
        ({"bounds": (True, 2)}, ["bounds=(True, 2)", "truth value"]),
        ({"bounds": (None, 1)}, ["bounds=(None, 1)"]),
        ({"bounds": (None, None)}, ["bounds=(None, None)", "int, float"]),
        ({"bounds": ("a", "b")}, ["bounds=('a', 'b')", "str", "Leave bounds out"]),
        ({"bounds": (0, 1), "T": bool}, ["bounds=(0, 1)", "bool"]),
        ({"bounds": (0, 256), "T": "u8"}, ["bounds=(0, 256)", "(0, 255)", "T=int"]),
        ({"bounds": (0, 0.1), "T": "f32"}, ["0.1 is not exactly", "Fraction"]),
        ({"bounds": ("0.1", 1), "T": float}, ["'0.1' is not exactly"]),
        ({"bounds": (0, 10**400), "T": float}, ["is not exactly a float"]),
        ({"bounds": (0, 2**53 + 1), "T": float}, ["is not exactly a float"]),
        ({"bounds": (0, Fraction(1, 10**400)), "T": float}, ["is not exactly a float"]),
        ({"nan": True, "T": int}, ["nan=True", "only floats", "Leave nan out"]),
        ({"nan": 1, "T": float}, ["nan=1", "True, False or None"]),
        ({"nan": "no", "T": float}, ["nan='no'"]),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], says: list[str]) -> None:
    with pytest.raises(OpenDPException) as caught:
        atom_domain(**arguments)
    assert caught.value.variant in ("MakeDomain", "TypeParse")
    for part in says:
        assert part in caught.value.message


def test_huge_bounds_are_printed_short() -> None:
    domain = atom_domain(bounds=(0, 10**5000))
    assert domain.member(10**5000)
    assert "bits" in repr(domain)
    assert "bits" in domain.rule()
    with pytest.raises(OpenDPException, match="not a member"):
        domain.require(-1)
    with pytest.raises(OpenDPException, match="lower may not be above upper"):
        atom_domain(bounds=(10**5000, 0))


def test_subclasses_of_numbers_are_not_members() -> None:
    """A subclass computes as it likes, so a function could fail on it."""
    for value in (Colour.RED, HostileInt(1)):
        assert not atom_domain(T=int).member(value)
        assert not atom_domain(T=float).member(value)
        assert not vector_domain(atom_domain(T=int)).member([1, value])


class HostileFloat64(np.float64):
    """numpy's class is a subclass of float, and so is this."""

    def item(self, *args: Any) -> Any:
        raise ValueError("this is data")

    @property
    def dtype(self) -> Any:
        raise ValueError("this is data")


def test_subclasses_of_numpys_scalars_are_not_members() -> None:
    assert not atom_domain(T=float).member(HostileFloat64(1))
    assert not vector_domain(atom_domain(T=float)).member([1.0, HostileFloat64(1)])


def test_fractions_are_made_of_pythons_integers() -> None:
    """Fraction takes numpy's as well; then it overflows and has no hash."""
    domain = atom_domain(T=Fraction)
    one: Any = np.int64(1)
    for value in (Fraction(one, 3 * one), Fraction(one)):
        assert type(value) is Fraction
        assert not domain.member(value)
        assert not vector_domain(domain).member([Fraction(1, 3), value])


@pytest.mark.parametrize("order", "<>")
def test_arrays_of_text_have_only_characters(order: str) -> None:
    domain = vector_domain(atom_domain(T=str))
    codes = np.array([97, 0x10FFFF, 0x110000, 0, 98, 0], dtype=f"{order}u4")
    array = codes.view(f"{order}U2")
    assert domain.member(array[:1])
    assert domain.member(array[::2])
    assert domain.member(array[:0])
    assert not domain.member(array)
    assert not domain.member(array[1::-1])
    assert domain.member(np.zeros(2, dtype=[("none", "U0")])["none"])


@given(atoms(), values())
def test_member_never_raises(domain: AtomDomain, value: Any) -> None:
    assert domain.member(value) in (True, False)


@given(atoms())
def test_strange_values_are_nobodys_members(domain: AtomDomain) -> None:
    for value in STRANGE:
        assert domain.member(value) is False
        assert vector_domain(domain).member([value]) is False


@given(atoms(), st.lists(picked(PLAIN) | picked(STRANGE)))
def test_quick_and_slow_membership_agree(domain: AtomDomain, rows: list[Any]) -> None:
    assert domain.all_members(rows) == all(map(domain.member, rows))


@given(atoms(), st.lists(st.integers(-4, 4) | st.sampled_from([2**53, 2**53 + 1])))
def test_quick_and_slow_agree_on_integers(domain: AtomDomain, rows: list[Any]) -> None:
    assert domain.all_members(rows) == all(map(domain.member, rows))


REALS = st.integers(-4, 4).map(lambda n: n / 2) | st.sampled_from([NAN, INF, -INF, 0.1])


@given(atoms(), st.lists(REALS | st.integers(-4, 4)))
def test_quick_and_slow_agree_on_floats(domain: AtomDomain, rows: list[Any]) -> None:
    assert domain.all_members(rows) == all(map(domain.member, rows))


DTYPES = ["i1", "u1", "i8", "u8", ">i4", "f2", "f4", "f8", ">f8", "?", "U3"]


@given(atoms(), st.lists(REALS), st.sampled_from(DTYPES))
def test_arrays_are_members_as_their_elements_are(
    domain: AtomDomain, rows: list[float], dtype: str
) -> None:
    if dtype.lstrip(">")[0] in "iu":
        rows = [abs(row) for row in rows if math.isfinite(row)]
    array = np.array(rows).astype(dtype)
    assert is_array(array)
    kept = array.copy()
    expected = all(map(domain.member, array))
    if not rows:
        kinds = {bool: "b", int: "iu", float: "f", str: "U", Fraction: ""}
        expected = array.dtype.kind in kinds[domain.T]
    assert vector_domain(domain).member(array) == expected
    assert array.tobytes() == kept.tobytes()


def test_membership_ignores_numpys_error_state() -> None:
    rows = vector_domain(atom_domain(bounds=(0.0, 1.0)))
    with np.errstate(all="raise"):
        for dtype in ("f2", "f4", "f8"):
            assert not rows.member(np.array([NAN, 1.0], dtype=dtype))
            assert rows.member(np.array([1.0, 1.0], dtype=dtype))
            assert not rows.member(np.array([INF, 1.0], dtype=dtype))


def test_domain_copies() -> None:
    for domain in (
        atom_domain(T=int),
        atom_domain(T="f32"),
        atom_domain(T="u8"),
        atom_domain(bounds=(0.0, 1.0), nan=True),
        atom_domain(bounds=(0, Fraction(1, 3))),
        atom_domain(T=float, nan=False),
    ):
        again = pickle.loads(pickle.dumps(domain))
        assert again == domain
        assert hash(again) == hash(domain)
        assert repr(again) == repr(domain)
        assert copy.deepcopy(domain) == domain


def test_domains_differ_by_every_part() -> None:
    different = [
        atom_domain(T=int),
        atom_domain(T=float),
        atom_domain(T=float, nan=False),
        atom_domain(T="f32"),
        atom_domain(bounds=(0, 1)),
        atom_domain(bounds=(0.0, 1.0)),
        atom_domain(bounds=(0.0, 1.0), nan=True),
        atom_domain(bounds=(0, 1), T=Fraction),
        atom_domain(T=bool),
        atom_domain(T=str),
    ]
    assert len(set(different)) == len(different)
    assert len({repr(domain) for domain in different}) == len(different)
    assert len({domain.rule() for domain in different}) == len(different)


def test_the_base_class_says_that_it_has_no_members() -> None:
    with pytest.raises(TypeError, match="does not say"):
        Domain().member(1)
    with pytest.raises(TypeError, match="does not say"):
        Domain().rule()
