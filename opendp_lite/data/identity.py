"""What two values have in common: as rows of data, and for who holds them.

`key` names a row of data by type and bits: `0.0` is not `-0.0`, `True` is not `1`,
every NaN is one canonical NaN, and a numpy scalar is the number that it stands for.
Metrics compare rows by it. `visible` names a release by all that an observer can see
of it, which is more: the payload of a NaN, the order of a dict, the memory behind an
array. Laws of releases are compared by it. Neither is ever `==`.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Hashable
from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn

import attrs
from gmpy2 import mpq, mpz

from opendp_lite.base.aliases import Array, Data, Value
from opendp_lite.base.containers import is_array, native
from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.ownership import is_own


def key(value: object) -> Hashable:
    """Return a hashable key, equal for two rows exactly when they are the same.

    >>> key(0.0) == key(-0.0), key(True) == key(1), key(1) == key(1.0)
    (False, False, False)
    >>> key(float("nan")) == key(-float("nan"))
    True
    >>> key([1, 2]) == key((1, 2))
    False
    """
    try:
        return _key(value)
    except RecursionError:
        raise OpenDPException(
            "MetricSpace",
            "a value is nested too deeply, or contains itself, and cannot be compared. "
            "Pass members of the domain.",
        ) from None


def _key(value: Value) -> Hashable:
    value = native(value)
    if isinstance(value, float):
        return ("float", "nan" if value != value else struct.pack(">d", value))
    if value is None or isinstance(value, bool | int | str | bytes | Fraction):
        kind = bool if isinstance(value, bool) else type(value)
        return (kind.__name__, value)
    if isinstance(value, list | tuple):
        return (type(value).__name__, tuple(_key(item) for item in value))
    if isinstance(value, dict):
        return ("dict", frozenset((_key(k), _key(v)) for k, v in value.items()))
    if is_array(value):
        rows = tuple(_key(item) for item in value.ravel().tolist())
        return ("array", value.dtype.str, value.shape, rows)
    return (type(value).__qualname__, value)


# Equal values of one of these types look the same.
_PLAIN = frozenset({type(None), bool, int, str, bytes, type(mpz()), type(mpq())})
_DOUBLE = struct.Struct(">d")
_KINDS = "biufcSUmM"  # of numpy's dtypes; no objects, no structures


@attrs.frozen
class Shown:
    """A release with methods: a class of the library, which shows its fields alone.

    It is frozen and has slots, so that nothing else can be put into it.
    """


def visible(value: object) -> Hashable:
    """Return a hashable key, equal for two releases exactly when they look the same.

    That is, when nobody who is given one of the two can say which. Types count, bits of
    floats (the payload of a NaN too), the exponent of a Decimal, the order of a dict,
    and of an array dtype, shape, strides, whether it may be written to, and the memory
    of its `base`, that outside of the view included. Not compared are identity (whether
    two items are one object), addresses, sizes in memory and references from elsewhere.

    Values of other types are refused by a TypeError, as it cannot be said what they
    show: subclasses have attributes, objects an `__eq__` of their own, the order of a
    set depends on how it was filled and on the process. Only classes of the library
    that say so, by `Shown`, show their fields.

    >>> visible({1: 2, 3: 4}) == visible({3: 4, 1: 2}), visible(1) == visible(True)
    (False, False)
    >>> visible([1, (2.0, None)]) == visible([1, (2.0, None)])
    True
    >>> visible({1, 2})
    Traceback (most recent call last):
        ...
    TypeError: a release of type set cannot be compared, because its order shows how \
it was filled. Return a sorted list.
    """
    kind = type(value)
    if kind in _PLAIN:
        return kind, value
    look = _LOOKS.get(kind)
    if look is None and issubclass(kind, Shown) and is_own(kind):
        look = _fields
    if look is not None:
        try:
            return kind, look(value)
        except RecursionError:
            _refuse(kind, "it is nested too deeply, or contains itself", "a flat list")
    numpy = sys.modules.get("numpy")
    if numpy is not None and kind is numpy.ndarray:
        return _array(numpy, value)
    if numpy is not None and issubclass(kind, numpy.generic):
        return _scalar(numpy, kind, value)
    if issubclass(kind, set | frozenset):
        _refuse(kind, "its order shows how it was filled", "a sorted list")
    for base in kind.__mro__[1:]:
        if base in _PLAIN or base in _LOOKS:
            why = "a subclass may show more than its base"
            _refuse(kind, why, f"a plain {base.__name__}")
    why = "it is not known what an object of this type shows"
    _refuse(
        kind, why, "numbers, text, bytes, and lists, tuples, dicts or arrays of them"
    )


def _refuse(kind: type, why: str, instead: str) -> NoReturn:
    raise TypeError(
        f"a release of type {kind.__name__} cannot be compared, because {why}. "
        f"Return {instead}."
    )


def _items(value: Value) -> Hashable:
    return tuple(map(visible, value))


def _pairs(value: dict[Data, Data]) -> Hashable:
    return tuple((visible(k), visible(v)) for k, v in value.items())


def _fields(value: Value) -> Hashable:
    return tuple(
        visible(getattr(value, each.name)) for each in attrs.fields(type(value))
    )


def _complex(value: complex) -> Hashable:
    return _DOUBLE.pack(value.real), _DOUBLE.pack(value.imag)


def _fraction(value: Fraction) -> Hashable:
    # Not `==`: numerator and denominator may be of other types of integers.
    return visible(value.numerator), visible(value.denominator)


_LOOKS: dict[type, Callable[[Any], Hashable]] = {
    float: _DOUBLE.pack,
    list: _items,
    tuple: _items,
    dict: _pairs,
    complex: _complex,
    Fraction: _fraction,
    Decimal: Decimal.as_tuple,
}


def _check_dtype(kind: type, dtype: Any) -> None:
    """Refuse what has bytes that are no part of the numbers, or more than numbers."""
    padded = dtype.kind in "fc" and dtype.type(0).real.dtype.itemsize > 8
    if dtype.kind not in _KINDS or dtype.metadata or padded:
        why = f"of its dtype {dtype} it is not known what it shows"
        _refuse(kind, why, "an array of int64, float64 or text")


def _scalar(numpy: Any, kind: type, value: Value) -> Hashable:
    if kind is numpy.str_ or kind is numpy.bytes_:
        return kind, value.item()
    dtype = numpy.generic.dtype.__get__(value)
    if dtype.type is not kind:
        _refuse(kind, "a subclass may show more than a number", "a plain number")
    _check_dtype(kind, dtype)
    return kind, dtype.str, value.tobytes()


def _address(array: Array) -> int:
    return int(array.__array_interface__["data"][0])


def _array(numpy: Any, value: Value) -> Hashable:
    dtype, flags, base = value.dtype, value.flags, value.base
    _check_dtype(numpy.ndarray, dtype)
    behind: Hashable = None
    if base is not None:
        memory = base
        if type(base) is bytes:
            memory = numpy.frombuffer(base, numpy.uint8)
        elif type(base) is not numpy.ndarray:
            why = f"it is a view of a {type(base).__name__}"
            _refuse(numpy.ndarray, why, "a copy of it, array.copy()")
        behind = visible(base), _address(value) - _address(memory)
    elif not (flags.c_contiguous or flags.f_contiguous):
        why = "it owns memory that is not among its entries"
        _refuse(numpy.ndarray, why, "a copy of it, array.copy()")
    form = dtype.str, dtype.num, value.shape, value.strides, flags.writeable
    return numpy.ndarray, form, value.tobytes(), behind
