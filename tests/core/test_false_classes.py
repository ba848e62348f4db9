"""Whether a value is a member depends on its very class, and runs no code of it.

Data may be of any class: one that is derived from a class of numpy, or one that says
that it equals another.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import chain
from typing import Any, NoReturn

import numpy as np
import pytest

import opendp_lite.prelude as dp
from opendp_lite.base.containers import native, scalar_kind
from opendp_lite.exact.rationals import to_extended, to_loss, to_mpq, to_target
from tests.rows import for_each


@for_each("kind", [np.float16, np.float32, np.longdouble, np.int8])
def test_a_class_derived_from_one_of_numpys_states_no_number(kind: Any) -> None:
    members = {"as_integer_ratio": lambda self: (1, 2), "__index__": lambda self: 1}
    value = type("Derived", (kind,), members)(1)
    for convert in (to_mpq, to_extended, to_loss, to_target):
        assert convert(kind(1)) == 1
        with pytest.raises(TypeError, match="type Derived"):
            convert(value)


class Same(type):
    """A metaclass whose classes say that they equal every other, and hash like one."""

    like: type = float

    def __eq__(cls, other: object) -> bool:
        return True

    def __hash__(cls) -> int:
        return hash(cls.like)


def forged(kind: type, base: type) -> Any:
    """A value of a class that says it equals `kind`, and is within all bounds."""
    within = {name: lambda self, other: True for name in ("__le__", "__ge__")}
    beyond = {name: lambda self, other: False for name in ("__lt__", "__gt__")}
    read = {"__float__": lambda self: 1e9, "__int__": lambda self: 10**9}
    value = Same("Forged", (base,), {"like": kind, **within, **beyond, **read})()
    assert type(value) in {kind}
    assert type(value) is not kind
    return value


@for_each("length", [1, 300])
@for_each("mixed", [False, True])
@for_each("kind", [bool, int, float, str, Fraction])
def test_a_class_that_says_it_equals_another_is_none_of_the_type(
    kind: type, mixed: bool, length: int
) -> None:
    value = forged(kind, object if kind in (bool, Fraction) else kind)
    domain = dp.atom_domain(T=kind)
    assert not domain.member(value)
    values = [value] * length + [kind()] * mixed
    assert not dp.vector_domain(domain).member(values)
    if kind in (int, float):
        bounded = dp.atom_domain(T=kind, bounds=(kind(0), kind(1)))
        assert not bounded.member(value)
        assert not dp.vector_domain(bounded).member(values)


class Inserted(type):
    """A metaclass that says its classes were derived from one of numpy's."""

    def mro(cls) -> list[type]:
        return [cls, np.generic, object]


class Raising(type):
    """A metaclass whose classes raise when they are compared."""

    def __eq__(cls, other: object) -> bool:
        raise RuntimeError("compared")

    def __hash__(cls) -> int:
        raise RuntimeError("hashed")


@for_each(
    "value",
    [Inserted("Own", (), {})(), Raising("Own", (np.float64,), {})(0.5)],
    ids=["inserted", "raising"],
)
@for_each("T", [bool, int, float, str, Fraction])
def test_a_class_with_a_metaclass_is_no_scalar_and_is_not_asked(
    value: Any, T: type
) -> None:
    assert issubclass(type(value), np.generic)
    domain = dp.atom_domain(T=T)
    assert not domain.member(value)
    assert not dp.vector_domain(domain).member([value])
    assert not dp.vector_domain(domain).member([value, T()])


ABSTRACT = [
    np.generic,
    np.number,
    np.integer,
    np.signedinteger,
    np.unsignedinteger,
    np.inexact,
    np.floating,
    np.complexfloating,
    np.character,
]


@for_each("abstract", ABSTRACT, ids=lambda each: each.__name__)
@for_each("base", [int, float, str, list])
def test_a_class_derived_from_one_of_numpys_without_a_dtype_is_no_scalar(
    abstract: type, base: type
) -> None:
    for bases in (abstract, base), (base, abstract):
        value: Any = type("Own", bases, {})()
        assert scalar_kind(value) is None
        assert native(value) is value
        for T in (bool, int, float, str, Fraction):
            domain = dp.atom_domain(T=T)
            assert not domain.member(value)
            assert not dp.vector_domain(domain).member([value])
            assert not dp.vector_domain(domain).member([value, T()])


def test_a_record_of_a_derived_class_is_not_asked_for_its_item() -> None:
    def item(self: object) -> NoReturn:
        raise RuntimeError("asked")

    own: Any = type("Own", (np.void,), {"item": item})
    value = np.zeros(1, np.dtype((own, [("a", "i8")])))[0]
    assert type(value) is own
    assert scalar_kind(value) is None
    assert native(value) is value


def test_all_classes_of_scalars_that_are_numpys_own_have_their_kind() -> None:
    for code in np.typecodes["All"]:
        dtype = np.dtype(code)
        if code == "O":  # has no scalars
            continue
        value = np.zeros(1, dtype)[0]
        assert type(value) is dtype.type
        wide = dtype.kind in "iuf" and dtype.itemsize > 8
        assert scalar_kind(value) == (None if wide else dtype.kind)

    def derived(kind: type) -> list[type]:
        below = map(derived, type.__subclasses__(kind))
        return [kind, *chain.from_iterable(below)]

    named = {np.dtype(code).type for code in np.typecodes["All"]}
    own = {each for each in derived(np.generic) if each.__module__ == "numpy"}
    assert own - named == {*ABSTRACT, np.flexible, np.record}


def test_a_class_that_says_it_equals_an_array_is_none() -> None:
    value = forged(np.ndarray, object)
    assert not dp.vector_domain(dp.atom_domain(T=int)).member(value)
