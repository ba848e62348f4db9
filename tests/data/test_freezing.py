"""What `freeze` makes of an argument, and what it must not make of it.

A number stays the number that it is, a date does not become one, and nothing that is
frozen can change, whatever the classes of the argument say of themselves.
"""

from __future__ import annotations

import collections
import enum
import numbers
from decimal import Decimal
from fractions import Fraction
from typing import Any

import gmpy2
import numpy as np
import pytest

import opendp_lite.prelude as dp
from opendp_lite.base.arguments import distance_argument
from opendp_lite.base.errors import OpenDPException
from opendp_lite.data.freezing import freeze
from opendp_lite.exact.rationals import to_target
from tests.rows import for_each

INT = dp.atom_domain(T=int), dp.absolute_distance(T=int)
REAL = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
RECORD = np.array([(3, 1.5)], dtype=[("a", int), ("b", float)])


class Says(type):
    """A class that says that it is `float`."""

    def __hash__(cls) -> int:
        return hash(float)

    def __eq__(cls, other: object) -> bool:
        return other is float


class Number(float, metaclass=Says):
    def __float__(self) -> float:
        return 1e9


class Whole(numbers.Integral):
    """An integer of somebody's own, which is another one each time it is read."""

    def __init__(self) -> None:
        self.read = 0

    def __index__(self) -> int:
        return 1

    def __int__(self) -> int:
        self.read += 1
        return self.read

    def itself(self, *others: Any) -> Whole:
        return self

    numerator = property(itself)
    denominator = property(lambda self: 1)


for _name in Whole.__abstractmethods__:
    setattr(Whole, _name, Whole.itself)
Whole.__abstractmethods__ = frozenset()


def inside(value: Any) -> Any:
    """Return an array without dimensions that holds the very object."""
    array = np.empty((), dtype=object)
    array[()] = value
    return array


@for_each(
    ("given", "plain"),
    [
        (Number(0.5), 0.5),
        (inside(Number(0.5)), 0.5),
        (inside([Number(0.5)]), (0.5,)),
        (inside(inside(np.int64(3))), 3),
        (np.array(3), 3),
        (np.array([[1, 2]]), ((1, 2),)),
        (np.array([Number(0.5)], dtype=object), (0.5,)),
        (type("C", (complex,), {"__complex__": lambda self: 9j})(1j), 1j),
        (type("B", (bytes,), {"__buffer__": lambda self, f: b"z"})(b"a"), b"a"),
        (type("B", (bytes,), {"__bytes__": lambda self: b"z"})(b"a"), b"a"),
        (Fraction(np.int64(1), np.int64(3)), Fraction(1, 3)),  # type: ignore[call-overload]
        (Fraction(gmpy2.mpz(1), gmpy2.mpz(3)), Fraction(1, 3)),  # type: ignore[call-overload]
        (Decimal("-0.10"), Decimal("-0.10")),
        (enum.IntEnum("E", "A").A, 1),  # type: ignore[attr-defined]
        (collections.namedtuple("N", "a b")(1, [2]), (1, (2,))),  # type: ignore[arg-type]
        (collections.defaultdict(list, {1: [2]}), {1: (2,)}),
        (np.complex64(1), 1 + 0j),
        (np.str_("a"), "a"),
    ],
)
def test_what_is_frozen_is_plain(given: Any, plain: Any) -> None:
    frozen = freeze(given)
    assert type(frozen) is type(plain)
    assert frozen == plain


def test_a_fraction_of_foreign_integers_is_read_once() -> None:
    changing = Fraction(Whole(), 3)  # type: ignore[abstract]
    frozen = freeze(changing)
    assert type(frozen.numerator) is type(frozen.denominator) is int
    assert frozen == Fraction(1, 3)


@for_each("text", ["sNaN12", "NaN", "-Infinity", "1E+900000"])
def test_decimals_stay_what_they_are(text: str) -> None:
    assert str(freeze(Decimal(text))) == text


@for_each(
    "value",
    [
        np.timedelta64(3, "ns"),
        np.timedelta64(3, "s"),
        np.datetime64(3, "ns"),
        np.datetime64("NaT"),
        np.array([3], dtype="m8[ns]"),
        np.array([3], dtype="M8[ns]"),
        RECORD,
        RECORD[0],
        np.longdouble("0.1"),
        np.float32(0.1),
        np.float16(0.1),
        gmpy2.mpq(1, 3),
    ],
    ids=repr,
)
def test_what_is_no_number_does_not_become_one(value: Any) -> None:
    """Nanoseconds would become an int, and NaT would become None."""
    assert freeze(value) is value
    assert freeze([value])[0] is value


def test_nanoseconds_are_no_scale() -> None:
    for scale in (np.timedelta64(3, "ns"), np.datetime64(3, "ns"), RECORD[0]):
        with pytest.raises(OpenDPException, match="must be a number"):
            dp.m.make_laplace(*INT, scale=scale)  # type: ignore[arg-type]
    with pytest.raises(OpenDPException, match="bounds=<ndarray>"):
        space = dp.vector_domain(INT[0]), dp.symmetric_distance()
        dp.t.make_clamp(*space, bounds=np.array([0, 9], dtype="m8[ns]"))  # type: ignore[arg-type]


def test_a_loss_of_numpy_is_asked_for_as_it_prints() -> None:
    """As a double, the float32 that prints as 0.1 would be a greater loss."""
    asked = np.float32(0.1)
    assert to_target(asked) == gmpy2.mpq(1, 10) < to_target(float(asked))
    noisy = dp.m.make_canonical_noise(*REAL, 1, (asked, 0))
    assert noisy.map(1, exact=True) == (Fraction(1, 10), 0)
    other = dp.m.make_canonical_noise(*REAL, 1, (float(asked), 0))
    assert other.map(1, exact=True) != noisy.map(1, exact=True)
    assert other != noisy


def test_keys_that_become_one_are_refused() -> None:
    other = np.str_("a\0")  # numpy compares it with the null and reads it without
    with pytest.raises(OpenDPException, match="two keys") as caught:
        freeze({other: 1, "a": 8675309}, "counts")
    assert "8675309" not in str(caught.value)
    assert freeze({other: 1}) == {"a": 1}


@for_each("name", ["scale", "bounds"])
@for_each("item", [Fraction(8675309), [8675309], {8675309: 1}])
def test_what_lies_too_deep_is_not_shown(name: str, item: Any) -> None:
    for _ in range(17):
        item = [item]
    with pytest.raises(OpenDPException, match="too deeply") as caught:
        freeze(item, name)
    assert "8675309" not in str(caught.value)


class Flag:
    """It is true every second time."""

    asked = 0

    def __bool__(self) -> bool:
        self.asked += 1
        return self.asked % 2 == 0


def test_a_flag_that_changes_is_refused() -> None:
    flag: Any = Flag()
    scores = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    for make in (
        lambda: dp.m.make_noisy_max(*scores, dp.max_divergence(), 1.0, negate=flag),
        lambda: dp.linf_distance(T=int, monotonic=flag),
        lambda: type(scores[1])(int, flag),
        lambda: dp.atom_domain(T=float, nan=flag),
    ):
        with pytest.raises(OpenDPException, match="<Flag>"):
            make()


def test_a_distance_is_read_once() -> None:
    class Changing(float):
        asked = 0

        def __float__(self) -> float:
            self.asked += 1
            return 1.0 if self.asked == 1 else -5.0

    d = Changing(1)
    assert distance_argument("d_in", d, "", whole=True) == 1
    assert d.asked == 1
    with pytest.raises(OpenDPException, match=r"d_in=0\.5: must be an integer"):
        distance_argument("d_in", 0.5, "", whole=True)
