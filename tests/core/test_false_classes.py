"""What a value says of its class counts for nothing: it is told by its type.

A value whose class only claims to be that of a fraction or of a list may answer every
question anew, and would be read as one number for the map, as another for the noise.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from typing import Any, NoReturn

import numpy as np
import pytest
from gmpy2 import mpfr, mpq, mpz

import opendp_lite.prelude as dp
from opendp_lite.base.containers import native, scalar_kind
from opendp_lite.base.errors import OpenDPException
from opendp_lite.exact.rationals import to_extended, to_loss, to_mpq, to_target
from tests.rows import for_each


def pretender(kind: type, base: type = object, **members: Any) -> Any:
    """Return a value whose `isinstance` says that it is a `kind`."""
    members["__class__"] = property(lambda self: kind)
    value = type("Pretender", (base,), members)()
    assert isinstance(value, kind)
    return value


def changing(*answers: Any) -> property:
    """Return an attribute with another value each time; the last one stays."""
    left = list(answers)
    return property(lambda self: left.pop(0) if len(left) > 1 else left[0])


def fair_then_certain() -> Any:
    """A probability that is 1/2 when it is first read, and then 1."""
    return pretender(
        Fraction, numerator=changing(1, 2), denominator=property(lambda self: 2)
    )


def two_then_three() -> Any:
    """Categories that are two when they are first read, and then three."""
    answers = iter([["a", "b"], ["a", "b"], ["a", "b", "c"]])
    return pretender(
        list,
        __iter__=lambda self: iter(next(answers, ["a", "b", "c"])),
        __len__=lambda self: 2,
    )


@for_each("convert", [to_mpq, to_extended, to_loss, to_target])
@for_each(
    "kind",
    [mpq, float, int, str, Fraction, Decimal, mpz, mpfr, np.int64, np.float64],
)
def test_what_only_claims_to_be_a_number_is_none(
    convert: Callable[[Any], Any], kind: type
) -> None:
    members = {
        "numerator": 1,
        "denominator": 2,
        "__float__": lambda self: 0.5,
        "__int__": lambda self: 1,
        "__index__": lambda self: 1,
        "as_integer_ratio": lambda self: (1, 2),
    }
    with pytest.raises(TypeError, match="type Pretender"):
        convert(pretender(kind, **members))  # type: ignore[arg-type]


@for_each("kind", [np.float16, np.float32, np.longdouble, np.int8])
def test_a_class_derived_from_one_of_numpys_states_no_number(kind: Any) -> None:
    members = {"as_integer_ratio": lambda self: (1, 2), "__index__": lambda self: 1}
    value = type("Derived", (kind,), members)(1)
    for convert in (to_mpq, to_extended, to_loss, to_target):
        assert convert(kind(1)) == 1
        with pytest.raises(TypeError, match="type Derived"):
            convert(value)


def test_a_float_that_claims_to_be_a_rational_is_a_float() -> None:
    number = to_mpq(pretender(mpq, float))
    assert type(number) is mpq
    assert number == 0


def test_the_map_and_the_noise_are_of_one_probability() -> None:
    space = dp.vector_domain(dp.atom_domain(T=bool)), dp.hamming_distance()
    with pytest.raises(OpenDPException, match=r"prob=.*must be a number"):
        dp.m.make_randomized_response_column(*space, [True, False], fair_then_certain())
    bits = dp.bitvector_domain(size=9)
    with pytest.raises(OpenDPException, match=r"f=.*must be a number"):
        dp.m.make_randomized_response_bitvec_column(
            dp.vector_domain(bits), dp.hamming_distance(), fair_then_certain()
        )


def test_the_map_and_the_noise_are_of_one_list_of_categories() -> None:
    space = dp.vector_domain(dp.atom_domain(T=str)), dp.hamming_distance()
    with pytest.raises(OpenDPException, match=r"categories=.*must be a list"):
        dp.m.make_randomized_response_column(*space, two_then_three(), 0.5)


def test_candidates_and_components_are_lists_by_type() -> None:
    rows = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    false = pretender(list, __iter__=lambda self: iter([1, 2]), __len__=lambda self: 2)
    with pytest.raises(OpenDPException, match=r"candidates=.*must be a list"):
        dp.m.make_private_quantile(*rows, dp.max_divergence(), false, 0.5, 1.0)
    with pytest.raises(OpenDPException, match=r"measurements=.*must be a list"):
        dp.c.make_composition(false)


@pytest.mark.parametrize("kind", [list, tuple])
def test_distances_and_losses_in_parts_are_lists_by_type(kind: type) -> None:
    def false(length: int) -> Any:
        return pretender(
            kind, __len__=lambda self: length, __getitem__=lambda self, i: 1
        )

    maps = dp.l01inf_distance(dp.absolute_distance(T=int))
    assert maps.parse(kind([1, 1, 1])) == (1, 1, 1)
    with pytest.raises(OpenDPException, match="must be three numbers"):
        maps.parse(false(3))
    pairs = dp.approximate(dp.max_divergence())
    assert pairs.parse(kind([1, 1])) == (1, 1)
    with pytest.raises(OpenDPException, match="must be a pair"):
        pairs.parse(false(2))


def test_a_number_that_claims_to_be_text_is_read_as_a_number() -> None:
    dp.enable_features("honest-but-curious")
    parts = [dp.user_distance("mine"), dp.user_divergence("mine")]
    dp.disable_features("honest-but-curious")
    negative = type("Negative", (float,), {"__class__": property(lambda self: str)})
    assert isinstance(negative(-3.0), str)
    for each in parts:
        assert each.parse("-3") == "-3"  # type: ignore[attr-defined]
        with pytest.raises(OpenDPException, match="must be at least 0"):
            each.parse(negative(-3.0))  # type: ignore[attr-defined]


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


def test_a_class_that_says_it_equals_a_tradeoff_is_none() -> None:
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    known = type(dp.m.gaussian_tradeoff(mu=1))
    with pytest.raises(OpenDPException, match="must be a GaussianTradeoff"):
        dp.m.make_tradeoff_noise(*space, 1.0, forged(known, object))
