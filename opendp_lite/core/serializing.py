"""Objects as text and back: JSON of how they were made.

A text names constructors and arguments, and reading it calls these constructors again,
checks included: what comes back is proved as the first one was. Names are looked up
among the constructors, domains, metrics, measures and types of the library; nothing
else that a text names is imported, called or run. So functions of the user's are not
written, nor what rests on conditions that only a person can verify.

Numbers stay exact: floats are written so that they read the same, large integers and
fractions by their hexadecimal digits, decimals by their digits.
"""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from typing import Any, NoReturn

import attrs
from gmpy2 import mpq, mpz

from opendp_lite import __version__
from opendp_lite.base.aliases import Value
from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.json_text import parse_json
from opendp_lite.base.loading import KINDS, ROOMS
from opendp_lite.exact.rationals import to_fraction

_MALFORMED = (ArithmeticError, AttributeError, KeyError, TypeError, ValueError)
_TYPES = {each.__name__: each for each in (bool, float, Fraction, int, str)}
_VERSION, _VALUE = "opendp_lite", "value"
_AGAIN = "Keep the code that makes it, and make it again where it is needed"
_HEX_FROM = 1000  # bits; Python reads and writes no decimal of very many digits


def serialize(dp_obj: Value) -> str:
    """Return the text of an object: JSON, from which `deserialize` makes it again.

    It may be a measurement, a transformation, a partial constructor, a domain, a
    metric, a measure, a number, text, or a list, tuple or dict of these.

    :param dp_obj: made by the library, and of no functions of one's own

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> noisy = space >> dp.m.then_laplace(scale="0.1")
    >>> dp.deserialize(dp.serialize(noisy)) == noisy
    True
    >>> dp.serialize(dp.max_divergence())
    '{"opendp_lite": "...", "value": {"descriptor": "MaxDivergence", "of": []}}'
    """
    try:
        value = _written(dp_obj)
        return json.dumps({_VERSION: __version__, _VALUE: value}, allow_nan=False)
    except RecursionError:
        _refuse("the object is nested too deeply to be written as text", _AGAIN)


def deserialize(dp_json: str) -> Any:
    """Return the object that a text of `serialize` describes, made anew.

    It calls constructors, domains, metrics and measures of the library and nothing
    else, whatever the text says. What these cost is up to the text: a short one can ask
    for a tree of a million layers. A text of another version is read with a warning, as
    a constructor may have changed.

    :param dp_json: what `serialize` returned

    >>> deserialize(serialize((1, Fraction(1, 3), float("inf"))))
    (1, Fraction(1, 3), inf)
    """
    if type(dp_json) is not str:
        _refuse(f"a text is due, not a {type(dp_json).__name__}")
    try:
        read = parse_json(dp_json)
    except (ValueError, RecursionError):
        _refuse("the text is not JSON, or nested too deeply")
    if type(read) is not dict or read.keys() != {_VERSION, _VALUE}:
        _refuse("the text is not one that serialize returned")
    if read[_VERSION] != __version__:
        warnings.warn(
            f"the text was written by another version of opendp_lite than "
            f"{__version__}: compare the maps before you rely on it",
            stacklevel=2,
        )
    try:
        return _made(read[_VALUE])
    except RecursionError:
        _refuse("the text is nested too deeply")


def _refuse(
    rule: str, fix: str = "Pass what serialize made of an object of the library"
) -> NoReturn:
    raise OpenDPException("TypeParse", f"{rule}. {fix}.")


# Writing


def _written(value: Value) -> Any:
    """Return a value as what JSON has, with a tag for what it has not."""
    from opendp_lite.base.ownership import Described
    from opendp_lite.core.measurement import Function
    from opendp_lite.core.record import Made
    from opendp_lite.core.registry import Partial

    kind = type(value)
    if value is None or kind in (bool, str):
        return value
    if kind in _NUMBERS:
        return _NUMBERS[kind](value)
    if kind is list:
        return [_written(each) for each in value]
    if kind is tuple:
        return {"tuple": [_written(each) for each in value]}
    if kind is dict:
        return {"dict": [[_written(k), _written(v)] for k, v in value.items()]}
    if issubclass(kind, type) and value in (*_TYPES.values(), *_descriptors().values()):
        return {"type": value.__name__}
    if issubclass(kind, Described):
        return _written_descriptor(value)
    if issubclass(kind, Made):
        return _written_object(value)
    if kind is Partial:
        args, kwargs = [_written(each) for each in value.args], dict(value.kwargs)
        named = {name: _written(each) for name, each in kwargs.items()}
        after = [_written(each) for each in value.after]
        name = _public(value.make)
        return {"then": name, "args": args, "kwargs": named, "after": after}
    if kind.__module__ == "numpy" and kind.__name__ in ("float16", "float32"):
        return {kind.__name__: float(value).hex()}
    if kind is Function:
        _refuse(
            "a function of a release has no record of how it was made, and cannot be "
            "written as text",
            "Pass the measurement before it, and chain the function to what is read",
        )
    if callable(value) and not issubclass(kind, type):
        _refuse(
            "a function of one's own cannot be written as text: who reads it could not "
            "know what it does",
            _AGAIN,
        )
    return _refuse(f"a {kind.__name__} cannot be written as text", _AGAIN)


def _written_int(value: int) -> Any:
    return value if value.bit_length() <= _HEX_FROM else {"int": hex(value)}


def _written_float(value: float) -> Any:
    return value if math.isfinite(value) else {"float": repr(value)}


_NUMBERS: dict[type, Callable[[Any], Any]] = {
    int: _written_int,
    float: _written_float,
    Fraction: lambda x: {"fraction": [hex(x.numerator), hex(x.denominator)]},
    Decimal: lambda x: {"decimal": str(x)},
    mpz: lambda x: {"mpz": hex(x)},
    mpq: lambda x: {"mpq": [hex(x.numerator), hex(x.denominator)]},
}


def _written_descriptor(value: Value) -> Any:
    kind = type(value)
    if _descriptors().get(kind.__name__) is not kind:
        _refuse(
            f"a {kind.__name__} is one's own, or holds functions of one's own, and "
            "cannot be written as text",
            _AGAIN,
        )
    if "__reduce__" in vars(kind):  # where the arguments are not the fields
        given = value.__reduce__()[1]
    else:
        given = [getattr(value, field.name) for field in attrs.fields(kind)]
    return {"descriptor": kind.__name__, "of": [_written(each) for each in given]}


def _written_object(value: Value) -> Any:
    from opendp_lite.core.record import _record_of

    record = _record_of(value)
    if record is None:
        _refuse(
            f"this {type(value).__name__} was made by hand, or on somebody's own "
            "domain, and has no record of how",
            _AGAIN,
        )
    arguments = {name: _written(each) for name, each in record.arguments}
    return {"constructor": _public(record.constructor), "arguments": arguments}


# Looking up


def _descriptors() -> dict[str, type]:
    """Return the library's own kinds of domains, metrics and measures, by name."""
    from opendp_lite.base.ownership import Described, is_own
    from opendp_lite.core import domains, measures, metrics

    named = [
        getattr(room, name)
        for room in (domains, metrics, measures, *map(import_module, KINDS))
        for name in room.__all__
    ]
    kinds = [
        each
        for each in named
        if isinstance(each, type) and issubclass(each, Described) and attrs.has(each)
    ]
    return {
        each.__name__: each
        for each in kinds
        if is_own(each) and not each.__name__.startswith("User")
    }


def _constructor(name: object) -> Callable[..., Any]:
    """Return the constructor of the library that a text names, or refuse it."""
    from opendp_lite.base.ownership import is_own
    from opendp_lite.core.record import REGISTRY

    if type(name) is str and name.startswith("make_"):
        for room in map(import_module, ROOMS):
            make = getattr(room, name) if name in dir(room) else None
            key = f"{getattr(make, '__module__', '')}:{name}"
            entry = REGISTRY.get(key)
            if entry is None or entry.make is not make or not is_own(make):
                continue
            if entry.human_verified:
                _refuse(
                    f"{name} rests on conditions that only a person can verify, which "
                    "no text carries",
                    _AGAIN,
                )
            return make
    return _refuse("a constructor that is not the library's is named")


def _public(make: Callable[..., Any]) -> str:
    """Return the name of a constructor by which `_constructor` finds it."""
    name = make.__name__
    if _constructor(name) is not make:
        _refuse(f"{name} is a constructor of one's own", _AGAIN)
    return name


# Reading


def _made(value: Value) -> Any:
    """Return what `_written` was given."""
    if type(value) is list:
        return [_made(each) for each in value]
    if type(value) is not dict:
        return value
    for tags, read in _TAGS.items():
        if value.keys() == set(tags):
            try:
                return read(*(value[tag] for tag in tags))
            except _MALFORMED:
                break
    return _refuse("a part of the text is not as serialize writes it")


def _named(values: dict[str, Any]) -> dict[str, Any]:
    return {name: _made(each) for name, each in values.items()}


def _made_mpq(parts: list[str]) -> mpq:
    numerator, denominator = (int(part, 16) for part in parts)
    return mpq(numerator, denominator)


def _made_type(name: str) -> type:
    return (_TYPES | _descriptors())[name]


def _made_descriptor(name: str, given: list[Any]) -> Any:
    return _descriptors()[name](*map(_made, given))


def _made_object(name: str, arguments: dict[str, Any]) -> Any:
    return _constructor(name)(**_named(arguments))


def _made_partial(name: str, args: Any, kwargs: Any, after: Any) -> Any:
    from opendp_lite.core.registry import Partial, then

    made = then(_constructor(name))(*map(_made, args), **_named(kwargs))
    links = [_made(each) for each in after]
    if not all(type(each) is Partial for each in links):
        raise ValueError
    for each in links:
        made = made >> each
    return made


def _made_single(digits: str) -> Any:
    import numpy

    return numpy.float32(float.fromhex(digits))


def _made_half(digits: str) -> Any:
    import numpy

    return numpy.float16(float.fromhex(digits))


_TAGS: dict[tuple[str, ...], Callable[..., Any]] = {
    ("int",): lambda digits: int(digits, 16),
    ("float",): {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}.__getitem__,
    ("fraction",): lambda parts: to_fraction(_made_mpq(parts)),
    ("decimal",): Decimal,
    ("mpz",): lambda digits: mpz(int(digits, 16)),
    ("mpq",): _made_mpq,
    ("float16",): _made_half,
    ("float32",): _made_single,
    ("type",): _made_type,
    ("tuple",): lambda values: tuple(map(_made, values)),
    ("dict",): lambda items: {_made(k): _made(v) for k, v in items},
    ("descriptor", "of"): _made_descriptor,
    ("constructor", "arguments"): _made_object,
    ("then", "args", "kwargs", "after"): _made_partial,
}
