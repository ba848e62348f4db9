"""Values and domains to test with: tame, wild and hostile."""

from __future__ import annotations

import collections
import datetime
import decimal
import enum
import math
import unittest.mock
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np
from hypothesis import strategies as st

from opendp_lite.core.domains import (
    AtomDomain,
    Domain,
    atom_domain,
    ball_domain,
    bitvector_domain,
    frame_domain,
    map_domain,
    option_domain,
    product_domain,
    vector_domain,
)

NAN, INF = math.nan, math.inf
LARGEST = 1.7976931348623157e308


class Hostile:
    """Whatever is asked of it raises, the question for its class included."""

    @property
    def __class__(self) -> NoReturn:  # type: ignore[override]
        raise RuntimeError("secret")

    def _refuse(self, *_: object) -> NoReturn:
        raise RuntimeError("secret")

    __len__ = __iter__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __bool__ = __float__ = __int__ = __index__ = __hash__ = __getattr__ = _refuse
    __repr__ = __str__ = __contains__ = __getitem__ = __array__ = _refuse


class HostileInt(int):
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = Hostile._refuse
    __hash__ = int.__hash__


class HostileFloat(float):
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = Hostile._refuse
    __hash__ = float.__hash__


class HostileList(list):  # type: ignore[type-arg]
    __len__ = __iter__ = __getitem__ = Hostile._refuse


class HostileDict(dict):  # type: ignore[type-arg]
    keys = values = items = __iter__ = Hostile._refuse


class Colour(enum.IntEnum):
    RED = 1


def _cyclic() -> list[Any]:
    cycle: list[Any] = []
    cycle.append(cycle)
    return cycle


# None of these is a member of any domain of single numbers, booleans or text.
STRANGE: list[Any] = [
    None,
    object(),
    Hostile(),
    HostileInt(1),
    HostileFloat(1.0),
    HostileList([1]),
    HostileDict({1: 1}),
    Colour.RED,
    unittest.mock.Mock(spec=int),
    unittest.mock.MagicMock(spec=float),
    unittest.mock.Mock(spec=list),
    unittest.mock.Mock(spec=dict),
    unittest.mock.Mock(spec=bytes),
    int,
    len,
    1j,
    decimal.Decimal("1"),
    decimal.Decimal("sNaN"),
    datetime.date(2020, 1, 1),
    b"1",
    bytearray(b"1"),
    (1, 2),
    {1, 2},
    range(3),
    iter([1]),
    collections.Counter("a"),
    collections.OrderedDict(a=1),
    _cyclic(),
    np.longdouble(1),
    np.complex128(1),
    np.datetime64("2020-01-01"),
    np.timedelta64(1, "s"),
    np.void(b"1"),
    np.bytes_(b"1"),
    np.array(1),
    np.array([[1, 2]]),
    np.array([None, 1], dtype=object),
    np.array([1, 2], dtype=np.longdouble),
    np.array([1j]),
    np.array(["2020-01-01"], dtype="datetime64[D]"),
    np.array([1], dtype="timedelta64[s]"),
    np.array([(1, 2.0)], dtype=[("a", int), ("b", float)]),
    np.array([b"a"]),
    np.ma.masked_array([1, 2], mask=[True, False]),
    np.ma.masked_array([1.0, 2.0], mask=[True, True]),
    np.ma.masked,
]

NUMBERS: list[Any] = [
    0,
    1,
    -1,
    2**53,
    -(2**53),
    2**53 + 1,
    2**64,
    10**400,
    0.0,
    -0.0,
    1.0,
    0.1,
    0.5,
    1e300,
    LARGEST,
    5e-324,
    NAN,
    INF,
    -INF,
    Fraction(1, 3),
    Fraction(1),
    np.int8(1),
    np.uint64(2**64 - 1),
    np.float16(0.5),
    np.float32(0.1),
    np.float64(0.1),
    np.float32(NAN),
    np.float64(INF),
]

PLAIN: list[Any] = [
    *NUMBERS,
    True,
    False,
    np.True_,
    "",
    "a",
    "é\U0001f600\x00",
    "\ud800",
    np.str_("a"),
]

CONTAINERS: list[Any] = [
    [],
    [1, 2],
    [1, True],
    [1.0, NAN],
    [1, 0.5],
    [1, 2**53 + 1],
    [0.5, 2**53 + 1],
    [None, 1],
    [[1], [2, 3]],
    ["a", "b"],
    [True, False],
    [Fraction(1, 2), 1],
    [np.int64(1), 2],
    [np.array([1, 2]), [3]],
    {},
    {"a": 1},
    {"a": None},
    {1: 0.5},
    {"a": [1, 2]},
    {"a": [0.5], "b": np.array([True])},
    {"a": [], 1: [], "c": []},
    {"a": [1], "b": [1, 2]},
    b"",
    b"\x80",
    b"\xff\xff",
    np.array([], dtype=np.int64),
    np.array([1, 2, 3], dtype=np.int8),
    np.array([2**64 - 1], dtype=np.uint64),
    np.array([1.0, NAN]),
    np.array([0.1], dtype=np.float16),
    np.array([0.1], dtype=np.float32),
    np.array([0.1, INF]),
    np.array([0.5], dtype=">f8"),
    np.array([True, False]),
    np.array(["a", "bc"]),
    np.arange(10)[::3],
    np.array([[1, 0], [0, 2]]),
    np.array([[0.5, 0.0, 0.0]]),
    np.zeros((3, 0), dtype=bool),
    [[0, 1], [1, 0]],
    [[0.5, 0.0]],
    (1,),
    (0.5, "a"),
    ([1, 2], [3]),
    (np.array([1, 2]), None),
]


def atoms() -> st.SearchStrategy[AtomDomain]:
    """Domains of single values, bounded or not."""
    ends = st.integers(-3, 3)
    int_bounds = st.tuples(ends, ends).map(lambda pair: tuple(sorted(pair)))
    # Halves are exact in every format.
    float_bounds = int_bounds.map(lambda pair: (pair[0] / 2, pair[1] / 2))
    sized = st.sampled_from(["i8", "u8", "i32", "u64", "bool", "String"])
    return st.one_of(
        sized.map(lambda T: atom_domain(T=T)),
        st.sampled_from([bool, int, str, Fraction]).map(lambda T: atom_domain(T=T)),
        st.builds(
            lambda nan, T: atom_domain(nan=nan, T=T),
            st.booleans(),
            st.sampled_from([float, "f32"]),
        ),
        int_bounds.map(lambda bounds: atom_domain(bounds=bounds)),
        int_bounds.map(lambda bounds: atom_domain(bounds=bounds, T=Fraction)),
        st.builds(
            lambda bounds, nan, T: atom_domain(bounds=bounds, nan=nan, T=T),
            float_bounds,
            st.booleans(),
            st.sampled_from([float, "f32"]),
        ),
    )


def _optional(inner: st.SearchStrategy[Domain]) -> st.SearchStrategy[Domain]:
    return inner.map(option_domain)


def domains() -> st.SearchStrategy[Domain]:
    """Domains of every shape, nested."""
    sizes = st.none() | st.integers(0, 3)
    bits = st.builds(
        bitvector_domain,
        max_weight=st.none() | st.integers(0, 3),
        size=st.none() | st.integers(0, 17),
    )
    numbers = atoms().filter(lambda atom: atom.holds_numbers)
    power, whole = st.integers(1, 2), st.integers(0, 3)
    balls = st.builds(ball_domain, numbers, whole, whole | st.just(0.5), power)
    entries = atoms() | atoms().map(option_domain)
    names = st.sampled_from(["a", "b", 1])
    frames = st.dictionaries(names, entries, max_size=2).map(
        lambda columns: frame_domain({**columns})
    )
    keys = st.sampled_from([str, int, bool]).map(lambda T: atom_domain(T=T))
    return st.recursive(
        atoms() | bits | balls | frames,
        lambda inner: st.one_of(
            st.builds(vector_domain, inner, size=sizes),
            _optional(inner),
            st.builds(map_domain, keys, inner),
            st.lists(inner, min_size=1, max_size=2).map(product_domain),
        ),
        max_leaves=3,
    )


def picked(items: list[Any]) -> st.SearchStrategy[Any]:
    """One of the items, none of which hypothesis may look at."""
    return st.integers(0, len(items) - 1).map(lambda index: items[index])


def values() -> st.SearchStrategy[Any]:
    """Anything at all."""
    single = st.one_of(
        picked(PLAIN),
        picked(CONTAINERS),
        picked(STRANGE),
        st.integers(-4, 4),
        st.integers(-4, 4).map(lambda n: n / 2),
        st.floats(),
        st.text(max_size=2),
        st.binary(max_size=3),
    )
    return st.recursive(
        single,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["a", 1, True, None, ""]), inner, max_size=2
            )
        ),
        max_leaves=4,
    )
