"""The one exception of the library and the form of its sentences.

Errors about *parameters* name the argument, its value, the rule and the fix.
Errors about *data* are made from the domain and the form of what was passed: they
state the rule and the fix, and never a value, a row or a count of the data. Data may
also be passed by mistake where a parameter is due. So of a value that cannot be this
parameter, because it is a collection or an object, the type is named and nothing else.
"""

from __future__ import annotations

import reprlib
import types
from decimal import Decimal
from fractions import Fraction

from gmpy2 import mpfr, mpq, mpz

from opendp_lite.base.containers import scalar_kind
from opendp_lite.base.ownership import is_own


class _Repr(reprlib.Repr):
    def repr_int(self, x: int, level: int) -> str:
        # Python refuses to print an int of many digits: 4300, or as few as 640.
        if x.bit_length() > 2_000:
            return f"<int of {x.bit_length()} bits>"
        return super().repr_int(x, level)

    def repr_Fraction(self, x: Fraction, level: int) -> str:
        numerator = self.repr_int(int(x.numerator), level)
        return f"Fraction({numerator}, {self.repr_int(int(x.denominator), level)})"


_SHORT = _Repr()
_SHORT.maxstring = _SHORT.maxlong = 60
_SHORT.maxother = 80
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = 4

_NUMBERS = (bool, int, float, complex, Fraction, Decimal, type(mpq()), type(mpz()))
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
_PLAIN = {*_NUMBERS, type(mpfr()), str, type(None)}
# The parameters that are lists, and those that are objects of the library or functions.
_LISTS = {"bounds", "bounds_0", "bounds_1", "candidates", "categories", "edges"}
_LISTS |= {"by", "exponents", "on", "orders"}
# What is longer is no pair, and may be data.
_PAIRS = {"bounds", "bounds_0", "bounds_1", "exponents"}
_OBJECTS = {"domain", "metric", "measure", "measurement", "measurements"}
_OBJECTS |= {"transformation", "function", "map", "member"}
_OBJECTS |= {"odometer", "parts", "query", "transition"}


class OpenDPException(Exception):
    """An error with a `variant` that says which rule was broken.

    Variants are OpenDP's: `MakeDomain`, `MakeTransformation`, `MakeMeasurement`,
    `MetricSpace`, `DomainMismatch`, `MetricMismatch`, `MeasureMismatch`,
    `InvalidDistance`, `FailedFunction`, `FailedMap`, `TypeParse`, ...

    >>> raise OpenDPException("MakeMeasurement", "scale=-1: must not be negative")
    Traceback (most recent call last):
        ...
    opendp_lite.base.errors.OpenDPException: MakeMeasurement: scale=-1: must not be \
negative
    """

    variant: str
    message: str

    def __init__(self, variant: str, message: str) -> None:
        super().__init__(variant, message)
        self.variant = variant
        self.message = message

    def __str__(self) -> str:
        return f"{self.variant}: {self.message}"


class OpenDPTypeError(OpenDPException, TypeError):
    """Data or an argument of the wrong type; also a `TypeError`, as in OpenDP."""


class UnknownTypeException(OpenDPException):
    """A type that cannot be read or inferred: every refusal with variant TypeParse."""


class SearchError(OpenDPException, ValueError):
    """A search that cannot succeed; also a `ValueError`, as in OpenDP."""


def shown(value: object) -> str:
    """Return the repr of `value`, not too long; an int may be of any size.

    >>> shown(10**5000)
    '<int of 16610 bits>'
    """
    return _SHORT.repr(value)


def printed(value: object) -> str:
    """Return the repr of `value`, whole; but not too long if Python cannot print it.

    It cannot where a long int is inside, or where values nest very deeply.

    >>> printed([1, 2, 3, 4, 5, 10**5000])
    '[1, 2, 3, 4, ...]'
    """
    try:
        return repr(value)
    except (ValueError, RecursionError):
        return shown(value)


def write_number(number: object) -> str:
    """Return str(number); where Python writes out no number so long, its short repr.

    >>> write_number(Fraction(1, 3)), write_number(10**5000)
    ('1/3', '<int of 16610 bits>')
    """
    try:
        return str(number)
    except (ValueError, RecursionError):
        return shown(number)


def described(argument: str, value: object) -> str:
    """Return what may be said of a value that was given for an argument.

    It is the value if it can be such an argument, of the right type or nearly so: a
    number or text, a list of a few where a list is due, a type, a function, an object
    of the library. Everything else may be data, and is described by its type.

    >>> described("scale", -1), described("scale", [31, 4]), described("bounds", [2, 1])
    ('-1', '<sequence>', '[2, 1]')
    >>> described("bounds", [31, 4, 15]), described("input_domain", 37)
    ('<sequence>', '<int>')
    """
    name = argument.partition("[")[0]
    kind = type(value)
    # `isinstance` would run code of the value, which may raise an error with data.
    if issubclass(kind, _FUNCTIONS):
        return str(getattr(value, "__qualname__", f"<{kind.__name__}>"))
    if value is None or issubclass(kind, type) or is_own(kind):
        return shown(value)
    if name.rstrip("01").rpartition("_")[2] not in _OBJECTS:
        # Of numpy's scalars numbers and text: a record may be a row of data.
        if kind in _PLAIN or (scalar_kind(value) or "V") in "biufcU":
            return shown(value)
        if name in _LISTS and kind in (list, tuple):
            assert isinstance(value, list | tuple)
            fits = len(value) <= 2 or name not in _PAIRS
            if fits and {type(each) for each in value} <= _PLAIN:
                return shown(value)
    return "<sequence>" if issubclass(kind, list | tuple) else f"<{kind.__name__}>"


def refusal(
    variant: str,
    argument: str,
    value: object,
    rule: str,
    fix: str,
    error: type[OpenDPException] | None = None,
) -> OpenDPException:
    """Return the error that names a parameter, its value, the rule and the fix.

    >>> print(refusal("MakeMeasurement", "scale", -1, "must be at least 0",
    ...               "Pass the scale of the noise, such as scale=1.0"))
    MakeMeasurement: scale=-1: must be at least 0. Pass the scale of the noise, such \
as scale=1.0.
    """
    unknown = variant == "TypeParse"
    kind = error or (UnknownTypeException if unknown else OpenDPException)
    return kind(
        variant, f"{argument}={described(argument, value)}: {rule}. {fix.rstrip('.')}."
    )
