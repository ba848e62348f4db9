# ruff: noqa
# fmt: off
# What was read of opendp_lite.laws.user_tradeoff; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from gmpy2 import mpz
from itertools import pairwise
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Argument
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import End
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.laws.tradeoff import Tradeoff
from opendp_lite.laws.variance import enclose_variance
from typing import Any
import attrs

opendp_lite.exact.intervals.Argument: typing.TypeAlias = int | gmpy2.mpq | opendp_lite.exact.intervals.Enclosure
_ZERO, _HALF, _ONE = mpq(0), mpq(1, 2), mpq(1)
_LOOKED_AT = 256
opendp_lite.exact.intervals.End: typing.TypeAlias = gmpy2.mpq | float
_PLACES = sorted(
    {mpq(k, 16) for k in range(17)}
    | {power_of_two(-k) for k in (6, 10, 20)}
    | {_ONE - power_of_two(-k) for k in (6, 10, 20)}
)


# === _name
def _name(value: object) -> str:
    return getattr(value, "__qualname__", None) or repr(value)


# === UserTradeoff with Callable, mpq, power_of_two, Argument, Enclosure, to_fraction,
#    to_mpq, Tradeoff, enclose_variance, Any, attrs,
#    opendp_lite.exact.intervals.Argument, _ZERO, _LOOKED_AT
@attrs.frozen
class UserTradeoff(Tradeoff):
    values: Callable[[Any, int], Any] = attrs.field(repr=_name)
    guess: Any = attrs.field(default=None, repr=_name)
    bounded: bool = attrs.field(init=False, eq=False, repr=False)
    _most: mpq = attrs.field(init=False, eq=False, repr=False)
    _fixed_points: dict[int, Enclosure] = attrs.field(
        init=False, factory=dict, eq=False, repr=False
    )

    def __attrs_post_init__(self) -> None:
        _look_at(self)
        self._first(_LOOKED_AT)
        first = self._enclosed(_ZERO, _LOOKED_AT)
        object.__setattr__(self, "bounded", bool(first.hi < 1))
        middle = mpq(self._enclosed(_HALF, _LOOKED_AT).hi)
        object.__setattr__(self, "_most", (_HALF + middle) * _HALF)

    def value(self, a: Argument, precision: int) -> Enclosure:
        if not isinstance(a, Enclosure):
            return self._enclosed(mpq(a), precision)
        bits = 2 * precision
        lo = _short(_within(a.lo, _ONE), bits)
        hi = _ONE - _short(_ONE - _within(a.hi, _ONE), bits)
        highest = self._enclosed(lo, precision)
        if lo == hi:
            return highest
        lowest = self._enclosed(hi, precision)
        return Enclosure(lowest.lo, highest.hi)

    def _enclosed(self, a: mpq, precision: int) -> Enclosure:
        told, most = self._told(a, precision), _ONE - a
        return Enclosure(_within(told.lo, most), _within(told.hi, most))

    def _told(self, a: mpq, precision: int) -> Enclosure:
        pair = self.values(to_fraction(a), precision)
        try:
            low, high = pair
            return Enclosure(to_mpq(low), to_mpq(high))
        except (TypeError, ValueError):
            raise ValueError(
                f"must return two numbers in order, but values({a}, {precision}) is "
                f"{pair!r}"
            ) from None

    def fixed_point(self, precision: int) -> Enclosure:
        if precision not in self._fixed_points:
            found = self._find_fixed_point(precision)
            self._fixed_points[precision] = found
        return self._fixed_points[precision]

    def _find_fixed_point(self, precision: int) -> Enclosure:
        lo, hi = _ZERO, self._most
        a = self._first(precision)
        while hi - lo > power_of_two(-precision):
            value = self._enclosed(a, precision)
            lo = max(lo, min(a, mpq(value.lo)))
            hi = min(hi, max(a, mpq(value.hi)))
            if value.lo < a < value.hi:
                break
            a = _short((lo + hi) * _HALF, precision + 8)
        return Enclosure(lo, hi)

    def _first(self, precision: int) -> mpq:
        guess = self.guess(precision) if callable(self.guess) else self.guess
        if guess is None:
            return _HALF * _HALF
        try:
            number = to_mpq(guess)
        except (TypeError, ValueError):
            raise ValueError(
                f"must have a number as its guess, got {guess!r}"
            ) from None
        return min(max(_short(number, precision), _ZERO), _HALF)

    def steps(self, u: mpq, precision: int) -> tuple[int, int]:
        while True:
            c = self.fixed_point(precision)
            image, least = Enclosure(u, u), 0
            while image.hi < c.lo:
                image, least = self.raised(image, 1, precision), least + 1
            if image.lo >= c.hi:
                return least, least
            if self.raised(image, 1, precision).lo >= c.hi:
                return least, least + 1
            precision *= 2

    def variance(self, precision: int) -> Enclosure:
        return enclose_variance(self, precision)

    def __reduce__(self) -> Any:
        return type(self), (self.values, self.guess)


# === _short with mpq, mpz, floor_multiple, power_of_two
def _short(x: mpq, bits: int) -> mpq:
    return power_of_two(-bits) * mpz(floor_multiple(x, -bits))


# === _within with mpq, End, opendp_lite.exact.intervals.End, _ZERO
def _within(x: End, most: mpq) -> mpq:
    return mpq(min(max(x, _ZERO), most))


# === _look_at with mpq, pairwise, power_of_two, _ZERO, _LOOKED_AT, _PLACES
def _look_at(tradeoff: UserTradeoff) -> None:
    seen = [(a, tradeoff._told(a, _LOOKED_AT)) for a in _PLACES]
    for a, v in seen:
        if v.width > power_of_two(-_LOOKED_AT // 2):
            raise ValueError(
                f"must enclose as narrowly as is asked, but not at {a}, where the "
                f"precision {_LOOKED_AT} was asked for"
            )
        if v.hi < 0:
            raise ValueError(f"must not be negative, but is at {a}")
        if v.lo > _ONE - a:
            raise ValueError(f"must not be above 1 - a, but is at a = {a}")
    for (a, v), (b, w) in pairwise(seen):
        if w.lo > v.hi:
            raise ValueError(f"must not rise, but does from {a} to {b}")
    for (a, v), (b, w), (d, x) in zip(seen, seen[1:], seen[2:], strict=False):
        chord = (mpq(v.hi) * (d - b) + mpq(x.hi) * (b - a)) / (d - a)
        if w.lo > chord:
            raise ValueError(f"must be convex, but is above a chord at {b}")
    for a, v in seen:
        image = tradeoff.value(v, _LOOKED_AT)
        if v.lo > 0 and not image.contains(a):
            raise ValueError(f"must be symmetric, but f(f(a)) is not a at a = {a}")
    if tradeoff._enclosed(_HALF, _LOOKED_AT).hi >= _HALF:
        raise ValueError("must be below 1/2 at 1/2, and this is not certain")
