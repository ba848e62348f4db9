# ruff: noqa
# fmt: off
# What was read of opendp_lite.exact.roots; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import Extended
from operator import ge
from operator import gt
from operator import le
from operator import lt
from typing import Any
from typing import TypeAlias
import attrs
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
Rooted: TypeAlias = Extended | Root


# === Root with Callable, mpq, Extended, ge, gt, le, lt, Any, TypeAlias, attrs, math,
#    opendp_lite.exact.rationals.Extended, Rooted
@attrs.frozen(eq=False, repr=False)
class Root:
    square: mpq

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Root) and self.square == other.square

    def __hash__(self) -> int:
        return hash((Root, self.square))

    def __lt__(self, other: Rooted) -> Any:
        return self._compared(other, lt)

    def __le__(self, other: Rooted) -> Any:
        return self._compared(other, le)

    def __gt__(self, other: Rooted) -> Any:
        return self._compared(other, gt)

    def __ge__(self, other: Rooted) -> Any:
        return self._compared(other, ge)

    def _compared(self, other: Any, test: Callable[[Any, Any], bool]) -> Any:
        if isinstance(other, Root):
            return test(self.square, other.square)
        if isinstance(other, float) and not math.isinf(other):
            return NotImplemented
        if not isinstance(other, int | float | mpq):
            return NotImplemented
        if other <= 0:
            return test(1, 0)
        return test(self.square, squared(other))

    def __repr__(self) -> str:
        return f"sqrt({self.square})"


# === root with mpq, Extended, TypeAlias, math, opendp_lite.exact.rationals.Extended,
#    Rooted
def root(square: Extended) -> Rooted:
    if square == math.inf:
        return math.inf
    number = mpq(square)
    over, under = (int(part) for part in (number.numerator, number.denominator))
    rational = mpq(math.isqrt(over), math.isqrt(under))
    if rational * rational == number:
        return rational
    return Root(number)


# === squared with mpq, Extended, TypeAlias, math, opendp_lite.exact.rationals.Extended,
#    Rooted
def squared(d: Rooted) -> Extended:
    if isinstance(d, Root):
        return d.square
    return math.inf if d == math.inf else mpq(d) * mpq(d)


# === above with mpq, ceil_multiple, power_of_two, Extended, TypeAlias, math,
#    opendp_lite.exact.rationals.Extended, Rooted
def above(d: Rooted, k: int) -> mpq:
    if not isinstance(d, Root):
        return mpq(d)
    steps = math.isqrt(ceil_multiple(d.square, 2 * k) - 1) + 1
    return mpq(steps) * power_of_two(k)
