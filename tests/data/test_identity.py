"""When two rows are the same row, and when two releases look the same."""

from __future__ import annotations

import copy
import itertools
import math
import pickle
import struct
import warnings
from collections import Counter, OrderedDict, namedtuple
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from typing import Any

import attrs
import numpy as np
import pytest
from gmpy2 import mpfr, mpq, mpz, xmpz
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.base.containers import (
    all_of_type,
    array_extremes,
    has_nan,
    is_array,
    native,
    rows,
)
from opendp_lite.base.ownership import is_own
from opendp_lite.data.identity import Shown, key, visible
from opendp_lite.measurements.estimates.mean_estimate import MeanEstimate
from tests.rows import for_each

DIFFERENT: list[Any] = [
    None,
    False,
    True,
    0,
    1,
    0.0,
    -0.0,
    1.0,
    math.nan,
    math.inf,
    -math.inf,
    5e-324,
    Fraction(0),
    Fraction(1),
    "",
    "0",
    "é",
    "e\u0301",
    b"",
    b"0",
    (),
    [],
    {},
    (0,),
    [0],
    [0.0],
    [-0.0],
    [False],
    [[0]],
    [(0,)],
    {0: 1},
    {0: True},
    {0.0: 1},
    {False: 1},
    {"0": 1},
    {0: [1]},
    {0: (1,)},
    2**53,
    2**53 + 1,
    float(2**53),
    np.array([0]),
    np.array([0], dtype=np.int32),
    np.array([0.0]),
    np.array([-0.0]),
    np.array([[0]]),
    np.array([False]),
    np.array(["0"]),
    np.array([]),
    np.array([], dtype=np.int64),
]


def test_different_values_have_different_keys() -> None:
    keys = [key(value) for value in DIFFERENT]
    for (i, a), (j, b) in itertools.combinations(enumerate(keys), 2):
        assert a != b, (DIFFERENT[i], DIFFERENT[j])
    assert len(set(keys)) == len(keys)


def test_equal_values_have_equal_keys() -> None:
    for value in DIFFERENT:
        again = copy.deepcopy(value)
        assert key(again) == key(value)
        assert hash(key(again)) == hash(key(value))
    assert key({1: 2, 3: 4}) == key({3: 4, 1: 2})


def test_every_nan_is_one() -> None:
    payload = struct.unpack(">d", bytes.fromhex("7ff8000000000001"))[0]
    signalling = struct.unpack(">d", bytes.fromhex("fff0000000000001"))[0]
    scalars = [np.float64(math.nan), np.float32(math.nan), np.float16(math.nan)]
    nans = [math.nan, -math.nan, payload, signalling, *scalars]
    assert len({key(each) for each in nans}) == 1
    assert len({key([each]) for each in nans}) == 1
    assert key(np.array([math.nan])) == key(np.array([payload]))


def test_numpy_scalars_are_the_numbers_they_stand_for() -> None:
    assert key(np.int8(1)) == key(1)
    assert key(np.float32(0.5)) == key(0.5)
    assert key(np.float32(0.1)) != key(0.1)
    assert key(np.True_) == key(True)
    assert key(np.str_("a")) == key("a")
    assert key(np.float64(-0.0)) == key(-0.0)
    assert key([np.int64(1)]) == key([1])


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary()
)
NESTED = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner)
        | st.dictionaries(st.text(max_size=1), inner, max_size=2)
    ),
    max_leaves=5,
)


@given(NESTED, NESTED)
def test_keys_are_hashable_and_as_fine_as_equality(x: Any, y: Any) -> None:
    assert hash(key(x)) == hash(key(copy.deepcopy(x)))
    if key(x) == key(y) and "nan" not in repr(x):
        assert x == y
        assert repr(x) == repr(y) or isinstance(x, dict)


# What an observer sees of a release


def nan(bits: str) -> float:
    number: float = struct.unpack(">d", bytes.fromhex(bits))[0]
    return number


class Level(IntEnum):
    ONE = 1


class Tagged(float):
    """A float with something to tell."""

    tag = "secret"


class Same:
    """Equal to all others, whatever it holds."""

    def __init__(self, held: int) -> None:
        self.held = held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same)

    def __hash__(self) -> int:
        return 0


@attrs.frozen
class Fields:
    first: int


Pair = namedtuple("Pair", "first second")
ROWS = np.arange(6.0)
LOOKS: list[Any] = [
    *[each for each in DIFFERENT if not isinstance(each, np.ndarray)],
    # NaN has a sign and a payload.
    *[nan("7ff8000000000001"), nan("fff8000000000000"), nan("7ff0000000000001")],
    *[[nan("7ff8000000000001")], {"a": nan("7ff8000000000001")}],
    *[0j, -0j, complex(0.0, -0.0), complex(math.nan, 0), 1j],
    # A dict has an order.
    *[{1: 2, 3: 4}, {3: 4, 1: 2}, {1: {1: 2, 3: 4}}, {1: {3: 4, 1: 2}}],
    # Exact numbers of other libraries, and decimals with their exponents.
    *[mpz(0), mpz(1), mpq(0), mpq(1), Decimal(0), Decimal("0.0"), Decimal("-0")],
    *[Decimal(1), Decimal("1.0"), Decimal("1e1"), Decimal(10), Decimal("NaN")],
    *[Decimal("NaN1"), Decimal("sNaN1"), Decimal("-Infinity"), Fraction(mpz(1))],  # type: ignore[call-overload]
    *["\ud800", "\udfff", "\U0010ffff", 10**5000, -(10**5000)],
    # Scalars of numpy are no numbers of Python.
    *[np.int64(0), np.int32(0), np.uint8(0), np.longlong(0), np.False_, np.float64(0)],
    *[np.float64(-0.0), np.float32(0), np.float64(math.nan), -np.float64(math.nan)],
    *[np.complex64(0), np.str_(""), np.str_("0"), np.bytes_(b""), np.bytes_(b"0")],
    *[np.datetime64(0, "s"), np.datetime64(0, "ms"), np.timedelta64(0, "s")],
    # Arrays: dtype, shape, strides, whether one may write, and the memory behind.
    *[np.zeros(2), np.zeros(2, "f4"), np.zeros(2, ">f8"), np.zeros(2, "i8")],
    *[
        np.zeros(2, "q"),
        np.zeros((1, 2)),
        np.zeros((2, 1)),
        np.zeros((2, 2), order="F"),
    ],
    *[np.array([0.0, -0.0]), np.array([0.0, math.nan]), np.array(["0", "1"])],
    *[np.array([0.0, nan("7ff8000000000001")]), np.zeros(0), np.zeros(0, "i8")],
    *[ROWS[:2], ROWS[2:4], ROWS[:4:2], ROWS[1::-1], np.arange(7.0)[:2]],
    *[np.arange(2.0), np.arange(2.0).reshape(2)[:], ROWS[:0]],
    *[np.zeros((2, 3)), np.zeros((3, 2)).T, np.zeros((2, 3), order="F"), np.zeros(())],
    *[np.frombuffer(b"abcd", "u1")[:2], np.frombuffer(b"abce", "u1")[:2]],
    *[np.frombuffer(b"abab", "u1")[:2], np.frombuffer(b"abab", "u1")[2:]],
    np.array(b"ab"),
]
frozen = np.zeros(2)
frozen.flags.writeable = False
LOOKS.append(frozen)


def test_what_looks_different_has_different_keys() -> None:
    keys = [visible(value) for value in LOOKS]
    for (i, a), (j, b) in itertools.combinations(enumerate(keys), 2):
        assert a != b, (LOOKS[i], LOOKS[j])
    assert len(set(keys)) == len(keys)


def address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


def again(value: Any) -> Any:
    """The same value at another place in memory; views stay views of equal memory."""
    if isinstance(value, np.ndarray) and isinstance(value.base, np.ndarray):
        base = again(value.base)
        offset = address(value) - address(value.base)
        return np.ndarray(value.shape, value.dtype, base, offset, value.strides)
    if isinstance(value, np.ndarray) and value.base is not None:
        return np.frombuffer(bytes(bytearray(value.base)), value.dtype)
    if isinstance(value, np.ndarray):
        copied = value.copy(order="K")
        copied.flags.writeable = value.flags.writeable
        return copied
    if isinstance(value, list | tuple):
        return type(value)(map(again, value))
    return copy.deepcopy(value)


def test_what_looks_the_same_has_the_same_key() -> None:
    for value in LOOKS:
        other = again(value)
        assert visible(other) == visible(value), value
        assert hash(visible(other)) == hash(visible(value))
    # A different history, a different object, the same look.
    grown: dict[int, int] = {5: 0}
    del grown[5]
    grown |= {1: 2, 3: 4}
    assert visible(grown) == visible({1: 2, 3: 4})
    row = [1]
    assert visible([row, row]) == visible([[1], [1]])


def test_keys_of_releases_pickle() -> None:
    for value in LOOKS:
        look = visible(value)
        assert pickle.loads(pickle.dumps(look)) == look


def overlapping() -> Any:
    """An array that owns two numbers and shows one of them twice."""
    array = np.zeros(2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        array.strides = (0,)
    return array


def itself() -> list[Any]:
    inside: list[Any] = []
    inside.append(inside)
    return inside


REFUSED: list[tuple[Any, str]] = [
    ({1}, "sorted list"),
    (frozenset({1}), "sorted list"),
    (Level.ONE, "plain int"),
    (Tagged(1), "plain float"),
    (OrderedDict(), "plain dict"),
    (Counter(), "plain dict"),
    (Pair(1, 2), "plain tuple"),
    (Same(1), "numbers, text"),
    (Fields(1), "numbers, text"),
    (object(), "numbers, text"),
    (len, "numbers, text"),
    (lambda: 1, "numbers, text"),
    (int, "numbers, text"),
    (iter([1]), "numbers, text"),
    (range(3), "numbers, text"),
    (bytearray(b"a"), "numbers, text"),
    (memoryview(b"a"), "numbers, text"),
    (mpfr(1), "numbers, text"),
    (xmpz(1), "numbers, text"),
    (itself(), "flat list"),
    (np.array([None]), "int64"),
    (np.zeros(2, [("a", "i1"), ("b", "i8")]), "int64"),
    (np.zeros(2, np.dtype("i8", metadata={"a": "secret"})), "int64"),
    (np.zeros(2, np.longdouble), "int64"),
    (np.longdouble(1), "int64"),
    (np.clongdouble(1), "int64"),
    (np.zeros(1, [("a", "i1")])[0], "int64"),
    (np.ma.masked_array([1.0, 2.0], [True, False]), "numbers, text"),
    (np.rec.array([(1,)]), "numbers, text"),
    (np.frombuffer(bytearray(b"ab"), "u1"), "copy"),
    (overlapping(), "copy"),
    ([1, (2, {3: {4}})], "sorted list"),
    ({1: Tagged(1)}, "plain float"),
    ({Level.ONE: 1}, "plain int"),
]


@for_each(("value", "instead"), REFUSED, ids=lambda each: type(each).__name__)
def test_what_may_show_more_is_refused(value: Any, instead: str) -> None:
    with pytest.raises(
        TypeError, match=rf"a release of type \w+ .* Return .*{instead}"
    ):
        visible(value)


def test_classes_that_show_their_fields_have_nothing_else() -> None:
    """No `__dict__`, in which something could be put, and no slot that is no field."""
    kinds = [each for each in Shown.__subclasses__() if is_own(each)]
    assert MeanEstimate in kinds
    for kind in kinds:
        assert "__dict__" not in dir(kind.__new__(kind))
        slots = {
            name for base in kind.__mro__ for name in vars(base).get("__slots__", ())
        }
        assert slots == {each.name for each in attrs.fields(kind)} | {"__weakref__"}


def test_fields_may_not_hold_the_release_itself() -> None:
    zero = Fraction(0)
    estimate = MeanEstimate(1, 2, (zero, zero), 1, zero, False)
    object.__setattr__(estimate, "above", estimate)
    with pytest.raises(TypeError, match="contains itself"):
        visible(estimate)


def test_the_refusal_names_the_type() -> None:
    with pytest.raises(TypeError, match="a release of type Tagged cannot be compared"):
        visible([Tagged(1)])


@for_each(
    ("left", "right"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (math.nan, nan("7ff8000000000001")),
        (np.float32(0.5), 0.5),
        (np.arange(9.0)[:2], np.arange(2.0)),
        (np.frombuffer(b"ab", "u1"), np.array([97, 98], "u1")),
    ],
    ids=["order of a dict", "payload", "type", "masked padding", "base"],
)
def test_rows_that_are_the_same_may_look_different(left: Any, right: Any) -> None:
    assert key(left) == key(right)
    assert visible(left) != visible(right)


@given(NESTED, NESTED)
def test_looks_are_as_fine_as_texts(x: Any, y: Any) -> None:
    """A builtin value without NaN prints all that it is."""
    if "nan" not in repr(x):
        assert (visible(x) == visible(y)) == (repr(x) == repr(y))
    assert visible(again(x)) == visible(x)


def test_containers() -> None:
    assert is_array(np.zeros(2))
    assert not is_array([0])
    assert not is_array(np.float64(0))
    assert not is_array(np.ma.masked_array([1]))
    assert not is_array(OrderedDict())
    assert rows(np.array([1, 2], dtype=np.int8)) == [1, 2]
    assert {type(row) for row in rows([np.int8(1), np.uint64(2), 3])} == {int}
    assert native(np.float32(0.5)) == 0.5
    assert type(native(np.float32(0.5))) is float
    wide = np.longdouble(1)
    assert native(wide) is wide


def test_a_memory_map_is_an_array(tmp_path: Any) -> None:
    mapped = np.memmap(tmp_path / "rows", dtype=np.int64, mode="w+", shape=3)
    assert is_array(mapped)
    assert rows(mapped) == [0, 0, 0]


@for_each("count", [1, 5, 31, 32, 33, 1000])
@for_each("kind", ["f2", "f4", "f8", ">f8"])
def test_a_nan_is_found_in_arrays_of_every_length(count: int, kind: str) -> None:
    for filled in (0.0, math.inf, -math.inf):
        array = np.full(count, filled, dtype=kind)
        assert not has_nan(array)
        for place in (0, count // 2, count - 1):
            other = array.copy()
            other[place] = math.nan
            with np.errstate(all="raise"):
                assert has_nan(other)


def test_all_of_one_type() -> None:
    assert all_of_type([], int)
    assert all_of_type([1, 2**70], int)
    assert not all_of_type([1, True], int)
    assert not all_of_type([1.0, np.float64(1.0)], float)


def test_extremes_of_arrays() -> None:
    assert array_extremes(np.array([3, -1, 2], dtype=np.int8)) == (-1, 3, False)
    most = np.array([2**64 - 1, 0], dtype=np.uint64)
    assert array_extremes(most) == (0, 2**64 - 1, False)
    assert type(array_extremes(most)[1]) is int
    assert array_extremes(np.array([1.0, math.nan, -2.0])) == (-2.0, 1.0, True)
    signaling = np.array([-100.0, 0.0, 7.0, 0.5])
    signaling.view("u8")[1] = 0x7FF0000000000001
    for array in (signaling, signaling[::-1], signaling[:3], signaling[1:]):
        finite = array[array == array]
        assert array_extremes(array) == (min(finite), max(finite), True)
    least, greatest, some = array_extremes(np.array([math.nan, math.nan]))
    assert math.isnan(least)
    assert math.isnan(greatest)
    assert some
