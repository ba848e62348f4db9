"""Vectors, options, maps, bit vectors and domains of the user's own."""

from __future__ import annotations

import copy
import math
import pickle
import sys
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import opendp_lite.domains
from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.domains import (
    BitVectorDomain,
    Domain,
    OptionDomain,
    VectorDomain,
    atom_domain,
    bitvector_domain,
    map_domain,
    option_domain,
    product_domain,
    vector_domain,
)
from opendp_lite.sessions.user import user_domain
from opendp_lite.show.texts import form
from tests.core.samples import (
    CONTAINERS,
    NAN,
    PLAIN,
    STRANGE,
    domains,
    values,
)
from tests.rows import for_each

USUAL = settings().max_examples

INTS = vector_domain(atom_domain(T=int))
FLOATS = vector_domain(atom_domain(T=float))
PAIRS = vector_domain(atom_domain(T=int), size=2)


@for_each(
    ("domain", "inside", "outside"),
    [
        (
            INTS,
            [[], [1, 10**400], [np.int64(1), 2], np.array([1], "u1"), np.zeros(0, int)],
            [[1.0], [None], [True], (1,), {1}, "1", np.zeros(0), np.zeros((2, 2), int)],
        ),
        (PAIRS, [[1, 2], np.array([1, 2])], [[], [1], [1, 2, 3], np.zeros(3, int)]),
        (
            FLOATS,
            [[1.0, 1, NAN], np.array([0.1], "f2"), np.zeros(0, "f4"), np.array([NAN])],
            [np.array([1]), np.array([1], np.longdouble), [2**53 + 1], [True]],
        ),
        (
            vector_domain(atom_domain(T=str)),
            [["é", "\ud800"], np.array(["a", "\U0001f600"])],
            [["a", None], np.array([b"a"]), "ab", np.array(["a"], object)],
        ),
        (
            vector_domain(atom_domain(T=bool)),
            [[True, np.False_], np.array([True])],
            [[1], np.array([1])],
        ),
        (
            vector_domain(vector_domain(atom_domain(T=int)), size=1),
            [[[]], [[1, 2]], [np.array([1])]],
            [[], [1], np.array([[1]]), [[1.0]], [[1], [2]]],
        ),
        (
            vector_domain(option_domain(atom_domain(T=int))),
            [[], [None, 1], [None]],
            [[0.5], [NAN], np.array([1])],
        ),
        (option_domain(atom_domain(bounds=(0, 1))), [None, 0], [2, "", False]),
        (option_domain(INTS), [None, [1], np.array([1])], [[None]]),
        (
            map_domain(atom_domain(T=str), atom_domain(T=int)),
            [{}, {"a": 1, "é": 2}],
            [{"a": 1.0}, {1: 1}, {"a": None}, [("a", 1)], {"a": 1, 2: 2}, None],
        ),
        (
            map_domain(atom_domain(T=int), INTS),
            [{1: [2]}, {1: np.array([2])}],
            [{True: [2]}, {1: 2}],
        ),
    ],
)
def test_members(domain: Domain, inside: list[Any], outside: list[Any]) -> None:
    for value in inside:
        assert domain.member(value)
        domain.require(value)
    for value in outside:
        assert not domain.member(value)


@for_each("size", range(18))
def test_bit_vectors_have_zeros_past_their_size(size: int) -> None:
    domain = bitvector_domain(size=size)
    length = (size + 7) // 8
    padding = 8 * length - size
    assert domain.member(bytes(length))
    full = ((1 << size) - 1) << padding
    assert domain.member(full.to_bytes(length, "big"))
    for bit in range(8 * length):
        one = (1 << bit).to_bytes(length, "big")
        assert domain.member(one) == (bit >= padding)
    assert not domain.member(bytes(length + 1))
    if length:
        assert not domain.member(bytes(length - 1))


@given(st.binary(max_size=4), st.integers(0, 33))
def test_bit_vectors_are_bounded_in_weight(value: bytes, weight: int) -> None:
    ones = sum(bin(byte).count("1") for byte in value)
    assert bitvector_domain(max_weight=weight).member(value) == (ones <= weight)
    assert bitvector_domain().member(value)
    for other in (bytearray(value), list(value), value.decode("latin-1"), memoryview):
        assert not bitvector_domain().member(other)


@settings(max_examples=5 * USUAL)
@given(domains(), values())
def test_member_never_raises(domain: Domain, value: Any) -> None:
    assert domain.member(value) in (True, False)


@settings(max_examples=5 * USUAL)
@given(domains(), domains(), st.lists(values(), max_size=5))
def test_contains_is_sound(a: Domain, b: Domain, samples: list[Any]) -> None:
    assert a.contains(a)
    assert a.contains(b) or a != b
    if a.contains(b):
        for value in [*samples, *CONTAINERS, *PLAIN]:
            assert a.member(value) or not b.member(value)


ELEMENTS: list[Domain] = [
    *(atom_domain(T=T) for T in (int, "u8", float, "f32", str, bool)),
    atom_domain(T=float, nan=False),
    atom_domain(bounds=(0, 1)),
    atom_domain(bounds=(0.0, 1.0)),
    atom_domain(bounds=(0.0, 1.0), nan=True),
    atom_domain(bounds=(0.0, 1.0), T="f32"),
]
ELEMENTS += [option_domain(each) for each in ELEMENTS]
TRIED = [*PLAIN, *CONTAINERS, None, b"\x01"]
TRIED += [[value] for value in TRIED]


@pytest.mark.parametrize("shape", [lambda d: d, vector_domain, option_domain])
def test_contains_is_sound_for_all_pairs(shape: Callable[[Domain], Domain]) -> None:
    shaped = [shape(element) for element in ELEMENTS]
    tables = [[domain.member(value) for value in TRIED] for domain in shaped]
    accepted = 0
    for a, table in zip(shaped, tables, strict=True):
        for b, other in zip(shaped, tables, strict=True):
            if a.contains(b):
                accepted += a != b
                assert all(x or not y for x, y in zip(table, other, strict=True))
    assert accepted > 10


def test_contains_where_it_should() -> None:
    def contains(a: Domain, b: Domain) -> bool:
        return a.contains(b)

    ints, some = atom_domain(T=int), atom_domain(bounds=(0, 9))
    floats, finite = atom_domain(T=float), atom_domain(T=float, nan=False)
    assert contains(ints, some)
    assert not contains(some, ints)
    assert contains(floats, finite)
    assert not contains(finite, floats)
    assert contains(floats, atom_domain(T="f32"))
    assert not contains(atom_domain(T="f32"), floats)
    assert contains(vector_domain(ints), vector_domain(some, size=3))
    assert not contains(vector_domain(some, size=3), vector_domain(some))
    assert not contains(vector_domain(some, size=3), vector_domain(some, size=4))
    assert contains(option_domain(ints), some)
    assert contains(option_domain(ints), option_domain(some))
    assert not contains(ints, option_domain(some))
    assert contains(map_domain(ints, ints), map_domain(some, some))
    assert not contains(map_domain(ints, some), map_domain(ints, ints))
    assert contains(bitvector_domain(), bitvector_domain(2, 8))
    assert contains(bitvector_domain(3, 8), bitvector_domain(2, 8))
    assert not contains(bitvector_domain(2, 8), bitvector_domain(3, 8))
    assert not contains(bitvector_domain(2, 8), bitvector_domain(size=8))
    assert not contains(bitvector_domain(size=8), bitvector_domain(size=9))
    for other in (INTS, bitvector_domain(), map_domain(ints, ints)):
        assert not contains(ints, other)
        assert not contains(other, ints)


def test_arrays_are_not_members_of_vectors_of_options() -> None:
    """So vectors of options do not contain vectors of atoms, whose members they are."""
    optional = vector_domain(option_domain(atom_domain(T=int)))
    assert not optional.member(np.array([1]))
    assert not optional.contains(INTS)


@for_each(
    ("make", "says"),
    [
        (lambda: vector_domain(int), ["atom_domain=<class 'int'>", "Domain"]),  # type: ignore[arg-type]
        (lambda: vector_domain(INTS, -1), ["size=-1", "at least 0"]),
        (lambda: VectorDomain(INTS, -1), ["size=-1", "at least 0"]),
        (lambda: VectorDomain(INTS, 1.5), ["size=1.5", "integer"]),
        (lambda: VectorDomain(INTS, True), ["size=True", "truth value"]),
        (lambda: vector_domain(INTS, 1.5), ["size=1.5", "integer"]),
        (lambda: vector_domain(INTS, True), ["size=True", "truth value"]),
        (lambda: vector_domain(INTS, NAN), ["size=nan", "finite"]),
        (lambda: vector_domain(INTS, 2**63), ["size=9223372036854775808", "at most"]),
        (lambda: vector_domain(INTS, 10**5000), ["size=<int of 16610 bits>"]),
        (lambda: vector_domain(INTS, "many"), ["size='many'", "number"]),
        (lambda: option_domain(3), ["element_domain=<int>", "Domain"]),  # type: ignore[arg-type]
        (lambda: map_domain(str, INTS), ["key_domain=<class 'str'>"]),  # type: ignore[arg-type]
        (lambda: map_domain(INTS, str), ["value_domain=<class 'str'>"]),  # type: ignore[arg-type]
        (
            lambda: map_domain(atom_domain(T=float), INTS),
            ["key_domain=", "NaN", "nan=False"],
        ),
        (
            lambda: map_domain(option_domain(atom_domain(T=float)), INTS),
            ["key_domain=", "NaN"],
        ),
        (
            lambda: map_domain(
                option_domain(option_domain(atom_domain(T=float))), INTS
            ),
            ["key_domain=", "NaN"],
        ),
        (
            lambda: map_domain(product_domain([INTS]), INTS),
            ["key_domain=", "tuples"],
        ),
        (
            lambda: map_domain(option_domain(product_domain([INTS])), INTS),
            ["key_domain=", "tuples"],
        ),
        (lambda: bitvector_domain(max_weight=-1), ["max_weight=-1", "at least 0"]),
        (lambda: bitvector_domain(size=0.5), ["size=0.5", "integer"]),
    ],
)
def test_bad_arguments_are_named(make: Callable[[], Domain], says: list[str]) -> None:
    with pytest.raises(OpenDPException) as caught:
        make()
    assert caught.value.variant == "MakeDomain"
    for part in says:
        assert part in caught.value.message
    # After the rule comes what to do.
    assert any(word in caught.value.message for word in ("Pass", "Use"))


@settings(max_examples=3 * USUAL)
@given(domains(), values(), values())
def test_data_errors_are_constant(domain: Domain, x: Any, y: Any) -> None:
    messages: dict[str, set[str]] = {}
    for value in (x, y, Hidden(1), Hidden(2), [Hidden(3)] * 7):
        if not domain.member(value):
            with pytest.raises(OpenDPException) as caught:
                domain.require(value)
            error = caught.value
            assert error.variant == "FailedFunction"
            assert error.__cause__ is None
            assert error.__context__ is None
            assert isinstance(error, TypeError)
            assert domain.rule() in str(error)
            assert form(value) in str(error)
            messages.setdefault(form(value), set()).add(str(error))
    assert {len(each) for each in messages.values()} == {1}


class Hidden:
    """A value that no message may show."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __repr__(self) -> str:
        raise AssertionError("shown")

    __str__ = __repr__


def test_a_data_error_does_not_show_the_data() -> None:
    for domain, bad in (
        (atom_domain(bounds=(0, 10)), 271828),
        (INTS, [1, 271828.5]),
        (vector_domain(atom_domain(T=str), size=1), ["a", "271828"]),
        (map_domain(atom_domain(T=str), INTS), {"271828": "271828"}),
        (INTS, np.array([271828.0])),
    ):
        with pytest.raises(OpenDPException) as caught:
            domain.require(bad)
        assert "271828" not in str(caught.value)
        assert "make_impute_constant" in str(caught.value)


@pytest.mark.usefixtures("honest")
def test_user_domains() -> None:
    even = user_domain("even", lambda n: n % 2 == 0)
    assert even.member(4)
    assert not even.member(3)
    for value in [*STRANGE, "secret"]:
        assert even.member(value) in (True, False)
    with pytest.raises(OpenDPException) as caught:
        even.require("secret")
    assert caught.value.__context__ is None
    assert "secret" not in str(caught.value)
    assert even == user_domain("even", lambda n: True)
    assert even != user_domain("even", lambda n: True, descriptor=1)
    assert even != user_domain("odd", lambda n: True)
    assert hash(even) == hash(user_domain("even", lambda n: True))
    assert even.contains(user_domain("even", lambda n: True))
    assert not even.contains(user_domain("odd", lambda n: True))
    assert repr(user_domain("even", len, {"a": 1})) == (  # type: ignore[arg-type]
        "UserDomain('even', descriptor={'a': 1})"
    )
    rows = vector_domain(even)
    assert rows.member([2, 4])
    assert not rows.member(np.array([2, 4]))
    with pytest.raises(OpenDPException, match="identifier=3"):
        user_domain(3, len)  # type: ignore[arg-type]
    with pytest.raises(OpenDPException, match="member=<int>"):
        user_domain("three", 3)  # type: ignore[arg-type]


def test_user_domains_need_a_feature() -> None:
    with pytest.raises(OpenDPException, match="honest-but-curious") as caught:
        user_domain("even", lambda n: True)
    assert caught.value.variant == "FeatureRequired"


@given(domains())
def test_domains_are_values(domain: Domain) -> None:
    for again in (pickle.loads(pickle.dumps(domain)), copy.deepcopy(domain)):
        assert again == domain
        assert hash(again) == hash(domain)
        assert repr(again) == repr(domain)


@given(domains())
def test_reprs_can_be_evaluated(domain: Domain) -> None:
    from fractions import Fraction

    public = opendp_lite.domains
    names = {name: getattr(public, name) for name in dir(public)}
    names |= {"Fraction": Fraction, "inf": float("inf")}
    assert eval(repr(domain), names) == domain


def test_carrier_types_are_text() -> None:
    assert INTS.carrier_type == "Vec<int>"
    assert option_domain(atom_domain(T="f32")).carrier_type == "Option<f32>"
    keyed = map_domain(atom_domain(T=str), FLOATS)
    assert keyed.carrier_type == "HashMap<str, Vec<float>>"
    assert bitvector_domain().carrier_type == "BitVector"
    assert VectorDomain(OptionDomain(BitVectorDomain())).carrier_type == (
        "Vec<Option<BitVector>>"
    )


def python_calls(run: Callable[[], Any]) -> int:
    """How many functions written in Python are called, `run` included."""
    events: list[str] = []
    before = sys.getprofile()
    sys.setprofile(lambda _, event, __: events.append(event))
    try:
        run()
    finally:
        sys.setprofile(before)
    return events.count("call")


LARGE = list(range(10**5))


@for_each(
    ("domain", "rows"),
    [
        (INTS, LARGE),
        (vector_domain(atom_domain(T="u32")), LARGE),
        (FLOATS, LARGE),
        (FLOATS, [float(row) for row in LARGE]),
        (vector_domain(atom_domain(bounds=(0.0, 1e6))), LARGE),
        (vector_domain(atom_domain(bounds=(0.0, 1e6))), [float(r) for r in LARGE]),
        (vector_domain(option_domain(atom_domain(T=int))), LARGE),
        (vector_domain(atom_domain(T=str)), [str(row) for row in LARGE]),
    ],
)
def test_lists_are_checked_without_a_call_for_each_row(
    domain: VectorDomain, rows: list[Any]
) -> None:
    """At the door a row costs a few built-in passes, not a call of Python."""
    assert domain.member(rows)
    assert python_calls(lambda: domain.member(rows)) < 100
    some = rows[:1000]
    assert python_calls(lambda: [*map(domain.element_domain.member, some)]) > len(some)


@for_each(
    ("domain", "array"),
    [
        (INTS, np.arange(10**6)),
        (vector_domain(atom_domain(T="u32")), np.arange(10**6)),
        (FLOATS, np.arange(1e6)),
        (vector_domain(atom_domain(T=float, nan=False)), np.arange(1e6)),
        (vector_domain(atom_domain(bounds=(0.0, 1e6))), np.arange(1e6)),
        (vector_domain(atom_domain(bounds=(0.0, 1e6))), np.arange(2e6)[::2] / 2),
        (vector_domain(atom_domain(T="f32")), np.arange(1e6, dtype="f4")),
        (vector_domain(atom_domain(T="f32")), np.arange(1e7)),
    ],
)
def test_arrays_are_checked_without_a_copy(domain: Domain, array: Any) -> None:
    assert domain.member(array)
    tracemalloc.start()
    domain.member(array)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < array.nbytes / 10
    assert python_calls(lambda: domain.member(array)) < 1000


@pytest.mark.parametrize(
    "rows", [[1e308] * 5, [math.inf, -math.inf], [2**53, math.inf]]
)
def test_a_sum_that_is_no_number_is_no_nan_among_the_rows(rows: list[float]) -> None:
    """Infinities of both signs add up to NaN, and large rows to infinity."""
    domain = vector_domain(atom_domain(T=float, nan=False))
    for filled in (rows, [*rows, -0.0], [0.5] * 100 + rows, [-x for x in rows]):
        assert domain.member(filled)
        for place in (0, len(filled)):
            assert not domain.member([*filled[:place], math.nan, *filled[place:]])
    assert domain.member([1, 2**53])
    assert not domain.member([1, 2**53 + 1])
    assert not domain.member([1.0, 2**53 + 1, 10**400])


@for_each("size", [3.0, np.int8(3), np.uint64(3), Fraction(3)])
def test_a_size_is_kept_as_an_int(size: Any) -> None:
    # Maps multiply it: an int8 would wrap around and a float would round.
    assert type(VectorDomain(INTS, size).size) is int
    assert VectorDomain(INTS, size) == vector_domain(INTS, size=3)


@for_each("kind", ["i1", "u1", "i2", "u4", "i8", "u8", ">i4", ">u8"])
@for_each("shift", [-1, 0, 1])
def test_bounds_at_the_ends_of_a_dtype(kind: str, shift: int) -> None:
    """Where the bounds hold the whole dtype nothing is looked at; else all is."""
    ends = np.iinfo(kind)
    for bounds in [
        (int(ends.min) + shift, int(ends.max)),
        (int(ends.min), int(ends.max) + shift),
    ]:
        domain = VectorDomain(atom_domain(bounds=bounds))
        for value in (int(ends.min), 0, 1, int(ends.max)):
            rows = np.array([value], dtype=kind)
            assert domain.member(rows) == (bounds[0] <= value <= bounds[1])
            assert domain.member(rows) == domain.member([value])
