# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.steps; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Mapping
from collections.abc import Sequence
from opendp_lite.base.errors import refusal
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.tables.terms import Columns
from opendp_lite.tables.terms import Expr
from opendp_lite.tables.terms import present
from opendp_lite.transformations.sums.summands import grid_exponent
from opendp_lite.transformations.sums.summands import no_grid
from typing import Any
import attrs
import math

_MIDDLE = 1.5 * 2.0**52
_MAKE = "MakeTransformation"
WIDEST = 2**50
_INTEGERS = 2**52
_EXPONENTS = 1000
opendp_lite.tables.terms.Columns: typing.TypeAlias = collections.abc.Mapping[str, opendp_lite.core.domains.domain.Domain]
LIMB = 23


# === rint with Any, _MIDDLE
def rint(x: Any) -> Any:
    return (x + _MIDDLE) - _MIDDLE


# === Steps with Mapping, Expr, Any, attrs
@attrs.frozen
class Steps:
    name: str
    expr: Expr
    real: bool
    k: int
    low: int
    high: int
    whole: bool

    @property
    def largest(self) -> int:
        return max(abs(self.low), abs(self.high))

    def python(self, row: Mapping[str, Any]) -> int:
        value = self.expr.python(row)
        if not self.real:
            return int(value)
        steps = int(rint(value * 2.0**-self.k))
        return min(max(steps, self.low), self.high)


# === as_steps with refusal, ceil_multiple, floor_multiple, power_of_two, to_mpq,
#    Columns, Expr, present, grid_exponent, no_grid, math, _MAKE, WIDEST, _INTEGERS,
#    _EXPONENTS, opendp_lite.tables.terms.Columns
def as_steps(name: str, expr: Expr, columns: Columns, k: object = None) -> Steps:
    argument = f"sums[{name!r}]"
    domain = present(argument, expr.domain(columns))
    ends = domain.bounds if domain.T in (int, float) else None
    if ends is None or math.inf in map(abs, ends):
        rule = "a sum needs numbers with finite bounds"
        raise refusal(_MAKE, argument, domain, rule, "Use .clip(lower, upper)")
    L, U = to_mpq(ends[0]), to_mpq(ends[1])
    largest = max(abs(L), abs(U))
    if domain.T is int:
        no_grid(k)
        if largest > _INTEGERS:
            rule = "integers to be summed must be within 2^52"
            raise refusal(_MAKE, argument, domain, rule, "Use .clip(lower, upper)")
        return Steps(name, expr, False, 0, int(L), int(U), True)
    grid = grid_exponent(L, U, False, k)
    g = power_of_two(grid)
    fits = largest <= WIDEST * g
    if not fits or abs(grid) > _EXPONENTS:
        rule = f"bounds are {domain.bounds}; in steps of 2^k they must be within 2^50, "
        rule += "and k within 1000"
        fix = "Pass a greater k, or bounds that lie farther apart and nearer to 1"
        raise refusal(_MAKE, "k", grid, rule, fix)
    low, high = ceil_multiple(L, grid), floor_multiple(U, grid)
    whole = low * g == L and high * g == U
    return Steps(name, expr, True, grid, low, high, whole)


# === limb_count with LIMB
def limb_count(top: int) -> int:
    count = 1
    while top > 1 << LIMB:
        top = (top >> LIMB) + 1
        count += 1
    return count


# === limbs with Any, LIMB
def limbs(y: Any, count: int) -> list[Any]:
    lower: list[Any] = []
    for _ in range(count - 1):
        head = rint(y * 2.0**-LIMB)
        lower.insert(0, y - head * 2.0**LIMB)
        y = head
    return [y, *lower]


# === joined with Sequence, Any
def joined(parts: Sequence[Any], base: Any) -> Any:
    total = parts[0]
    for part in parts[1:]:
        total = total * base + part
    return total
