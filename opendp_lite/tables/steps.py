"""Sums as integers: numbers in steps of a power of two, and limbs of these.

An engine adds integers of 64 bits. A float becomes a number of steps of 2^k first, as
in `make_sum`, and an integer that many rows could add up beyond 64 bits is cut into
limbs of 23 bits. All of it is arithmetic of doubles whose results are integers, or are
rounded to one by adding and subtracting 1.5 2^52: every engine returns the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from gmpy2 import mpq

from opendp_lite.base.errors import refusal
from opendp_lite.exact.grids import ceil_multiple, floor_multiple, power_of_two
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.tables.terms import Columns, Expr, present
from opendp_lite.transformations.sums.summands import grid_exponent, no_grid

_MAKE = "MakeTransformation"
_MIDDLE = 1.5 * 2.0**52
LIMB = 23  # a table has fewer than 2^40 rows, so sums of limbs stay below 2^63
WIDEST = 2**50  # the steps of a float, and of a cell
_INTEGERS = 2**52  # what integers of expressions stay within, so that they are doubles
_EXPONENTS = 1000  # 2^k and 2^-k are doubles that are not subnormal


def rint(x: Any) -> Any:
    """Return the integer nearest to a double of magnitude at most 2^51, ties to even.

    It is a double again. Here and below a double may be a column of them, too.

    >>> [rint(x) for x in (-1.5, -0.5, 0.5, 0.75, 2.5)]
    [-2.0, 0.0, 0.0, 1.0, 2.0]
    """
    return (x + _MIDDLE) - _MIDDLE


@attrs.frozen
class Steps:
    """A number of each row as an integer from `low` to `high`, in steps of 2^k.

    If the bounds are whole steps, what is rounded is within the range already.
    """

    name: str
    expr: Expr
    real: bool
    k: int
    low: int
    high: int
    whole: bool

    @property
    def largest(self) -> int:
        """The greatest magnitude that a row can have, in steps."""
        return max(abs(self.low), abs(self.high))

    def python(self, row: Mapping[str, Any]) -> int:
        """Return the steps of a row: rint(v / 2^k), brought into the range."""
        value = self.expr.python(row)
        if not self.real:
            return int(value)  # proof: integer
        steps = int(rint(value * 2.0**-self.k))  # proof: steps
        return min(max(steps, self.low), self.high)  # proof: range


def as_steps(name: str, expr: Expr, columns: Columns, k: object = None) -> Steps:
    """Return the numbers of a bounded expression as integers, or refuse it.

    The grid of floats is that of `make_sum`: from ceil(L / 2^k) to floor(U / 2^k).

    >>> from opendp_lite.core.domains import AtomDomain
    >>> from opendp_lite.tables.expressions import col
    >>> steps = as_steps("x", col("x"), {"x": AtomDomain((0.25, 1.0))}, k=-1)
    >>> steps.low, steps.high, [steps.python({"x": x}) for x in (0.25, 0.75, 1.0)]
    (1, 2, [1, 2, 2])
    """
    argument = f"sums[{name!r}]"
    domain = present(argument, expr.domain(columns))  # proof: present
    ends = domain.bounds if domain.T in (int, float) else None
    if ends is None or math.inf in map(abs, ends):  # proof: finite
        rule = "a sum needs numbers with finite bounds"
        raise refusal(_MAKE, argument, domain, rule, "Use .clip(lower, upper)")
    L, U = to_mpq(ends[0]), to_mpq(ends[1])
    largest = max(abs(L), abs(U))
    if domain.T is int:
        no_grid(k)  # proof: no-grid
        if largest > _INTEGERS:  # proof: integers
            rule = "integers to be summed must be within 2^52"
            raise refusal(_MAKE, argument, domain, rule, "Use .clip(lower, upper)")
        return Steps(name, expr, False, 0, int(L), int(U), True)
    grid = grid_exponent(L, U, False, k)  # proof: grid
    g = power_of_two(grid)
    fits = largest <= WIDEST * g
    if not fits or abs(grid) > _EXPONENTS:  # proof: fits
        rule = f"bounds are {domain.bounds}; in steps of 2^k they must be within 2^50, "
        rule += "and k within 1000"
        fix = "Pass a greater k, or bounds that lie farther apart and nearer to 1"
        raise refusal(_MAKE, "k", grid, rule, fix)
    low, high = ceil_multiple(L, grid), floor_multiple(U, grid)  # proof: ends
    whole = low * g == L and high * g == U  # proof: whole
    return Steps(name, expr, True, grid, low, high, whole)


def step_between(real: bool, low: object, high: object, k: object = None) -> mpq:
    """Return what a step is worth in the sum of numbers between two.

    It is 2^k for the `k` that `as_steps` finds for an expression of these bounds.

    :param real: whether the numbers are floats

    >>> step_between(False, -5, 5), step_between(True, 0.0, 1.0)
    (mpq(1,1), mpq(1,1099511627776))
    """
    if not real:
        return mpq(1)
    return power_of_two(grid_exponent(to_mpq(low), to_mpq(high), False, k))


def limb_count(top: int) -> int:
    """Return into how many limbs integers of magnitude at most `top` are cut.

    >>> [limb_count(top) for top in (2**23, 2**23 + 1, 2**45, 2**50)]
    [1, 2, 2, 3]
    """
    count = 1
    while top > 1 << LIMB:  # proof: small
        top = (top >> LIMB) + 1  # proof: head
        count += 1
    return count


def limbs(y: Any, count: int) -> list[Any]:
    """Return an integer, which is a double, in so many limbs, the highest first.

    >>> limbs(2.0**23 * 5 - 1, 2)
    [5.0, -1.0]
    """
    lower: list[Any] = []
    for _ in range(count - 1):
        head = rint(y * 2.0**-LIMB)  # proof: head
        lower.insert(0, y - head * 2.0**LIMB)  # proof: rest
        y = head
    return [y, *lower]


def joined(parts: Sequence[Any], base: Any) -> Any:
    """Return the number whose limbs these are: exact ints, or doubles as they round.

    >>> joined([5, -1], 1 << LIMB) == 2**23 * 5 - 1
    True
    """
    total = parts[0]
    for part in parts[1:]:
        total = total * base + part  # proof: joined
    return total
