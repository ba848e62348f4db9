"""What type checkers and editors read instead of `aliases.py`.

gmpy2 has no types of its own. A type checker would know nothing of its numbers, and so
nothing of `ExactNumber`. A protocol stands for them here. All other names are those of
`aliases.py`, and a test compares the two files.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

import numpy as np

__all__: list[str]

class _GmpyNumber(Protocol):
    """A number of gmpy2: mpz, mpq or mpfr."""

    def __float__(self) -> float: ...
    def as_integer_ratio(self) -> tuple[Any, Any]: ...

NumpyNumber: TypeAlias = np.integer[Any] | np.floating[Any]
Array: TypeAlias = np.ndarray[Any, Any]
ExactNumber: TypeAlias = (
    int | float | str | Fraction | Decimal | _GmpyNumber | NumpyNumber
)
Bounds: TypeAlias = Sequence[ExactNumber]
Distance: TypeAlias = object
Loss: TypeAlias = object
ExactDistance: TypeAlias = Any
ExactLoss: TypeAlias = Any
Data: TypeAlias = Any
Release: TypeAlias = Any
Value: TypeAlias = Any
DataFunction: TypeAlias = Callable[[Any], Any]
DistanceMap: TypeAlias = Callable[[Any], Distance]
Arguments: TypeAlias = dict[str, Any]
