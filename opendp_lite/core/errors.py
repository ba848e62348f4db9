"""The one exception of the library and the form of its sentences.

Errors about *parameters* name the argument, its value, the rule and the fix.
Errors about *data* are constant text made from the domain: they state the rule and
the fix, and never a value, a row or a count of the data.
"""

from __future__ import annotations

import reprlib
from fractions import Fraction

__all__ = ["OpenDPException", "SearchError", "printed", "refusal", "shown"]


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


class OpenDPException(Exception):
    """An error with a `variant` that says which rule was broken.

    Variants are OpenDP's: `MakeDomain`, `MakeTransformation`, `MakeMeasurement`,
    `MetricSpace`, `DomainMismatch`, `MetricMismatch`, `MeasureMismatch`,
    `InvalidDistance`, `FailedFunction`, `FailedMap`, `TypeParse`, ...

    >>> raise OpenDPException("MakeMeasurement", "scale=-1: must not be negative")
    Traceback (most recent call last):
        ...
    opendp_lite.core.errors.OpenDPException: MakeMeasurement: scale=-1: must not be \
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


def refusal(
    variant: str, argument: str, value: object, rule: str, fix: str
) -> OpenDPException:
    """Return the error that names a parameter, its value, the rule and the fix.

    >>> print(refusal("MakeMeasurement", "scale", -1, "must be at least 0",
    ...               "Pass the scale of the noise, such as scale=1.0"))
    MakeMeasurement: scale=-1: must be at least 0. Pass the scale of the noise, such \
as scale=1.0.
    """
    return OpenDPException(
        variant, f"{argument}={shown(value)}: {rule}. {fix.rstrip('.')}."
    )
