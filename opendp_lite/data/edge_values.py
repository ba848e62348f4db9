"""Values at the edges, which contracts try on every domain, and how data are varied.

Domains answer what contracts ask for by hypothesis strategies, as the arguments of a
contract are strategies too. Hypothesis is a development dependency and is imported when
it is first needed; nothing that releases data comes here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from opendp_lite.base.aliases import Data

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy


_INTEGERS = [0, 1, -1, 2, 127, 255, 2**53, 2**53 + 1, 2**63 - 1, 2**63, -(2**63)]
_INTEGERS += [2**64, 10**40, -(10**40)]
_FRACTIONS = [Fraction(1, 3), Fraction(-1, 10**30), Fraction(10**40, 3)]
# Hypothesis prints what it draws from, and Python does not print an int of this length.
FAR = [10**5000, -(10**5000), Fraction(10**5000, 3), Fraction(1, 10**5000)]
_FLOATS = [math.nan, 0.0, -0.0, 1.0, -1.0, 0.1, 5e-324, -5e-324]
_FLOATS += [2.2250738585072014e-308, 1e16, float(2**53), 0.5, 1.5, 2.5]
_FLOATS += [1.7976931348623157e308, -1.7976931348623157e308, math.inf, -math.inf]
_TEXTS = ["", " ", "0", "1", "-0", " 1 ", "1e400", "nan", "inf", "true", "1_0", "0x1"]
_TEXTS += ["é", "e\u0301", "𝟙", "\u0661", "\x00", "a\x00", "\n", "1" * 400]
_TEXTS += ["\ud800", "1\udfff", "\udcff\ud800", "\U0010ffff", "9" * 5000, "1e5000"]
# A short alphabet: the table of all characters takes hypothesis seconds to build.
_LETTERS = "aZ019.-+e_ \t\x00é\u0301\u0661\u202e\ufeff𝟙𐍈"

_MADE: dict[Hashable, SearchStrategy[Any]] = {}
_MOST_MADE = 1000


def made_once(
    name: Hashable, make: Callable[[], SearchStrategy[Any]]
) -> SearchStrategy[Any]:
    """Return the strategy of this name, which `make` makes when it is first asked for.

    Hypothesis looks into every strategy that it has not seen before, for longer than it
    then takes to draw from it.
    """
    if name not in _MADE:
        if len(_MADE) >= _MOST_MADE:
            _MADE.clear()
        _MADE[name] = make()
    return _MADE[name]


def edges(T: type, bounds: tuple[Any, Any] | None) -> list[Any]:
    """Return texts or numbers at the edges, of the bounds too; some are not inside.

    >>> edges(int, (3, 9))[:5]
    [3, 9, 4, 8, 6]
    """
    if T is str:
        return list(_TEXTS)
    values: list[Any] = []
    if bounds is not None:
        lower, upper = bounds
        values += [lower, upper]
        if T is float:
            values += [math.nextafter(lower, math.inf)]
            values += [math.nextafter(upper, -math.inf)]
        else:
            values += [lower + 1, upper - 1, (lower + upper) // 2]
    values += _INTEGERS
    values += _FRACTIONS if T is Fraction else []
    return values + (_FLOATS if T is float else [])


def spread(
    T: type, bounds: tuple[Any, Any] | None, nan: bool, single: bool
) -> SearchStrategy[Any]:
    """Return a strategy of values of type `T` of all sizes, within the bounds."""
    from hypothesis import strategies as st

    lower, upper = bounds or (None, None)
    if T is bool:
        return st.booleans()
    if T is str:
        return st.text(_LETTERS, max_size=6)
    if T is int:
        return st.integers(lower, upper)
    if T is Fraction:
        return st.fractions(lower, upper, max_denominator=1000)
    return st.floats(
        None if lower == -math.inf else lower,
        None if upper == math.inf else upper,
        allow_nan=nan and bounds is None,
        width=32 if single else 64,
    )


def beside(x: Data) -> list[Any]:
    """Return numbers near `x`, and `x` itself.

    >>> beside(4)[:3]
    [4, 5, 3]
    """
    near = [x]
    if isinstance(x, float):
        if math.isfinite(x):
            near += [math.nextafter(x, math.inf), math.nextafter(x, -math.inf)]
            near += [x + 0.5, x - 1.0, x * (1 + 2**-30)]
    else:
        near += [x + 1, x - 1, x + 3, x + 10**30]
        near += [x + Fraction(1, 10**9)] if isinstance(x, Fraction) else []
    return near


def edited_rows(
    row: SearchStrategy[Any], x: list[Any], resize: bool
) -> SearchStrategy[list[Any]]:
    """Return `x` after a few insertions and deletions, or else replacements."""
    return _editors()[0](row, x, resize)


def edited_map(
    keys: SearchStrategy[Any], values: SearchStrategy[Any], x: dict[Any, Any]
) -> SearchStrategy[dict[Any, Any]]:
    """Return `x` with a key left out, a value replaced, others added, or none of it."""
    return _editors()[1](keys, values, x)


@cache
def _editors() -> tuple[Callable[..., SearchStrategy[Any]], ...]:
    """Strategies of edited rows and of edited maps, for which hypothesis is needed."""
    from hypothesis import strategies as st

    @st.composite
    def rows(
        draw: DrawFn, row: SearchStrategy[Any], x: list[Any], resize: bool
    ) -> list[Any]:
        data = list(x)
        for _ in range(draw(st.integers(0, 3))):
            if resize and draw(st.booleans()):
                data.insert(draw(st.integers(0, len(data))), draw(row))
            elif data:
                at = draw(st.integers(0, len(data) - 1))
                if resize:
                    del data[at]
                else:
                    data[at] = draw(row)
        return data

    @st.composite
    def maps(
        draw: Any,
        keys: SearchStrategy[Any],
        values: SearchStrategy[Any],
        x: dict[Any, Any],
    ) -> dict[Any, Any]:
        data = dict(x)
        if data and draw(st.booleans()):
            del data[draw(st.sampled_from(sorted(data, key=repr)))]
        if data and draw(st.booleans()):
            at = draw(st.sampled_from(sorted(data, key=repr)))
            data[at] = draw(values)
        if draw(st.booleans()):
            data |= draw(st.dictionaries(keys, values))
        return data

    return rows, maps
