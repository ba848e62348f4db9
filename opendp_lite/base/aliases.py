"""Names for what users may pass, and for what the library passes on.

Where a type checker can tell what is allowed, a name stands for a union of types. Where
it cannot, because a user's own domain or metric may have values of any kind, the name
says at least what the value is for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, SupportsFloat, TypeAlias

from gmpy2 import mpfr, mpq, mpz

if TYPE_CHECKING:
    import numpy as np

    NumpyNumber: TypeAlias = np.integer[Any] | np.floating[Any]
    Array: TypeAlias = np.ndarray[Any, Any]
else:  # numpy is loaded where it is used, not here; these come near to its classes
    NumpyNumber, Array = SupportsFloat, Sequence

__all__ = [
    "Arguments",
    "Array",
    "Bounds",
    "Data",
    "DataFunction",
    "Distance",
    "DistanceMap",
    "ExactDistance",
    "ExactLoss",
    "ExactNumber",
    "Loss",
    "NumpyNumber",
    "Release",
    "Value",
]

ExactNumber: TypeAlias = (
    int | float | str | Fraction | Decimal | mpz | mpq | mpfr | NumpyNumber
)
"""A number that `to_mpq` reads; text such as "0.1", "1/3" or "1e-5" is one."""

Bounds: TypeAlias = Sequence[ExactNumber]
"""A pair (lower, upper); that there are two, and in this order, is checked."""

Distance: TypeAlias = object
"""A distance as users pass it: a number, a triple, or of a metric's own kind.

It is `object`, of which nothing can be asked before `Metric.parse` has read it.
"""

Loss: TypeAlias = object
"""A privacy loss as users pass it: a number, a pair, a curve, or of a kind of its own.

It is `object`, of which nothing can be asked before `Measure.parse` has read it.
"""

ExactDistance: TypeAlias = Any
"""What `Metric.parse` returns: exact numbers, or of a user metric's own kind."""

ExactLoss: TypeAlias = Any
"""What `Measure.parse` returns: exact numbers, curves, or of a user's own kind."""

Data: TypeAlias = Any
"""A value that is, or is asked whether it is, a member of a domain: any value."""

Release: TypeAlias = Any
"""What a measurement returned, or what was made of that: any value."""

Value: TypeAlias = Any
"""A Python value that is looked at by its type, and may be of every one."""

DataFunction: TypeAlias = Callable[[Any], Any]
"""A function of members of a domain, or of a release."""

DistanceMap: TypeAlias = Callable[[Any], Distance]
"""A user's own map of distances, to distances or losses."""

Arguments: TypeAlias = dict[str, Any]
"""The arguments of a constructor by their names, as its record has them."""
