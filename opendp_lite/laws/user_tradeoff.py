"""A tradeoff of the user's own, given by a function that encloses its values.

That it is convex and symmetric and not above 1 - a cannot be seen from any number of
values: a person answers for it. Values at some points are looked at when it is made;
that can refuse a tradeoff, and never establish one.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import attrs
from gmpy2 import mpq, mpz

from opendp_lite.exact.grids import floor_multiple, power_of_two
from opendp_lite.exact.intervals import Argument, Enclosure, End
from opendp_lite.exact.rationals import to_fraction, to_mpq
from opendp_lite.laws.tradeoff import Tradeoff
from opendp_lite.laws.variance import enclose_variance

_ZERO, _HALF, _ONE = mpq(0), mpq(1, 2), mpq(1)
_LOOKED_AT = 256
# Both ends, a mesh of sixteenths, and places near the ends.
_PLACES = sorted(
    {mpq(k, 16) for k in range(17)}
    | {power_of_two(-k) for k in (6, 10, 20)}
    | {_ONE - power_of_two(-k) for k in (6, 10, 20)}
)


def _name(value: object) -> str:
    return getattr(value, "__qualname__", None) or repr(value)


@attrs.frozen
class UserTradeoff(Tradeoff):
    """The tradeoff f of which `values` encloses the values.

    `values(a, precision)` is given a Fraction from 0 to 1 and an int, and returns a
    pair of exact numbers, at most f(a) and at least f(a), that are not further apart
    than 2^(-precision/2). `guess`, a number or a function of the precision, is where
    the fixed point is looked for first. It is not trusted: a wrong one costs time.

    >>> def half(a, precision):
    ...     return max(0, 1 - 2 * a, (1 - a) / 2), max(0, 1 - 2 * a, (1 - a) / 2)
    >>> UserTradeoff(half).fixed_point(64).contains(mpq(1, 3))
    True
    """

    values: Callable[[Any, int], Any] = attrs.field(repr=_name)
    guess: Any = attrs.field(default=None, repr=_name)
    bounded: bool = attrs.field(init=False, eq=False, repr=False)
    _most: mpq = attrs.field(init=False, eq=False, repr=False)
    _fixed_points: dict[int, Enclosure] = attrs.field(
        init=False, factory=dict, eq=False, repr=False
    )

    def __attrs_post_init__(self) -> None:
        _look_at(self)  # proof: looks
        self._first(_LOOKED_AT)  # proof: guess
        first = self._enclosed(_ZERO, _LOOKED_AT)
        object.__setattr__(self, "bounded", bool(first.hi < 1))  # proof: bounded
        middle = mpq(self._enclosed(_HALF, _LOOKED_AT).hi)
        object.__setattr__(self, "_most", (_HALF + middle) * _HALF)  # proof: below-half

    def value(self, a: Argument, precision: int) -> Enclosure:
        """Enclose f(a), or the values on an interval, of which 0 to 1 is meant."""
        if not isinstance(a, Enclosure):
            return self._enclosed(mpq(a), precision)
        # Short numbers, on the safe side; more digits than the values have.
        bits = 2 * precision
        lo = _short(_within(a.lo, _ONE), bits)  # proof: left
        hi = _ONE - _short(_ONE - _within(a.hi, _ONE), bits)  # proof: right
        highest = self._enclosed(lo, precision)
        if lo == hi:
            return highest
        lowest = self._enclosed(hi, precision)
        return Enclosure(lowest.lo, highest.hi)  # proof: decreasing

    def _enclosed(self, a: mpq, precision: int) -> Enclosure:
        """Enclose f(a) at a number from 0 to 1, within [0, 1 - a]."""
        told, most = self._told(a, precision), _ONE - a
        return Enclosure(_within(told.lo, most), _within(told.hi, most))  # proof: clip

    def _told(self, a: mpq, precision: int) -> Enclosure:
        """What the user's function says of f(a)."""
        pair = self.values(to_fraction(a), precision)  # proof: ask
        try:
            low, high = pair
            return Enclosure(to_mpq(low), to_mpq(high))  # proof: told
        except (TypeError, ValueError):
            raise ValueError(
                f"must return two numbers in order, but values({a}, {precision}) is "
                f"{pair!r}"
            ) from None

    def fixed_point(self, precision: int) -> Enclosure:
        """Enclose c; found once for each precision."""
        if precision not in self._fixed_points:
            found = self._find_fixed_point(precision)
            self._fixed_points[precision] = found  # proof: kept
        return self._fixed_points[precision]

    def _find_fixed_point(self, precision: int) -> Enclosure:
        """Bisect: f(a) - a decreases, and c lies between a and f(a) for every a."""
        lo, hi = _ZERO, self._most  # proof: start
        a = self._first(precision)
        while hi - lo > power_of_two(-precision):  # proof: wide
            value = self._enclosed(a, precision)
            lo = max(lo, min(a, mpq(value.lo)))  # proof: least
            hi = min(hi, max(a, mpq(value.hi)))  # proof: most
            if value.lo < a < value.hi:  # proof: undecided
                break
            a = _short((lo + hi) * _HALF, precision + 8)  # proof: middle
        return Enclosure(lo, hi)  # proof: found

    def _first(self, precision: int) -> mpq:
        """Where to look first: at the guess, if there is one, brought to [0, 1/2]."""
        guess = self.guess(precision) if callable(self.guess) else self.guess
        if guess is None:
            return _HALF * _HALF
        try:
            number = to_mpq(guess)  # proof: number
        except (TypeError, ValueError):
            raise ValueError(
                f"must have a number as its guess, got {guess!r}"
            ) from None
        return min(max(_short(number, precision), _ZERO), _HALF)  # proof: first

    def steps(self, u: mpq, precision: int) -> tuple[int, int]:
        """As in `Tradeoff`; the precision is doubled until the number is all but known.

        After that many steps, or one more, u is certainly at c or more.
        """
        while True:
            c = self.fixed_point(precision)
            image, least = Enclosure(u, u), 0
            while image.hi < c.lo:  # proof: lower
                image, least = self.raised(image, 1, precision), least + 1
            if image.lo >= c.hi:  # proof: sure
                return least, least
            if self.raised(image, 1, precision).lo >= c.hi:  # proof: one-more
                return least, least + 1
            precision *= 2  # proof: finer

    def variance(self, precision: int) -> Enclosure:
        """As in `Tradeoff`."""
        return enclose_variance(self, precision)

    def __reduce__(self) -> Any:
        # What was computed stays behind: the function may be another one by then.
        return type(self), (self.values, self.guess)


def _short(x: mpq, bits: int) -> mpq:
    """x rounded down to that many binary digits behind the point."""
    return power_of_two(-bits) * mpz(floor_multiple(x, -bits))


def _within(x: End, most: mpq) -> mpq:
    return mpq(min(max(x, _ZERO), most))


def _look_at(tradeoff: UserTradeoff) -> None:
    """Refuse what certainly is no symmetric nontrivial tradeoff, seen from values."""
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
