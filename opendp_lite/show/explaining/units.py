"""Numbers of tables in the units of their columns, beside those of the grid.

Sums of floats are integers on a grid: numbers of steps of 2^k. So a scale or a distance
of 8796093022208 may be 32 in the unit of the column. A link that adds up the `sums` of
a table has a vector for each; its steps, and those of the noise after it, say what the
numbers are in both units.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import Arguments, Value
from opendp_lite.base.errors import write_number
from opendp_lite.base.ownership import is_own
from opendp_lite.core.record import Made, _record_of
from opendp_lite.exact.enclosures import sqrt
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import to_fraction, to_mpq
from opendp_lite.exact.roots import Root
from opendp_lite.exact.rounding import round_up, shown_above
from opendp_lite.show.explaining.steps import At, Step

_LONG = 16  # letters of a number that is shown exactly


@attrs.frozen
class _Vector:
    """The name of a vector, and the exponent of its grid; None where steps are 1."""

    name: str
    k: int | None = None

    def describe(self, number: Value, what: str = "") -> str:
        """Return a number of steps as text: in the unit of the column, and in steps.

        :param number: exact, at least 0
        :param what: is written before the number, such as "scale "
        """
        steps = _text(number, 0)
        if self.k is None:
            return f"{self.name}: {what}{steps}"
        own = _text(number, self.k)
        return f"{self.name}: {what}{own} = {steps} units of 2^{self.k}"


def add_units(step: Step, link: Value, before: Value, at: At | None) -> Step:
    """Return the step of a link, with the numbers of tables in the units of columns.

    :param step: without units
    :param link: the object that the step is about
    :param before: the link before it; None if it is the first
    :param at: the distance behind the link, if it is known
    """
    own, vectors = _vectors(link), _vectors(before)
    arguments = _arguments(link)
    if "scales" in arguments and len(arguments["scales"]) == len(own):
        pairs = zip(own, arguments["scales"], strict=True)
        said = [v.describe(to_mpq(b), "scale ") for v, b in pairs if b is not None]
        return attrs.evolve(step, units=tuple(said))
    if own and at is not None and type(at.value) is tuple:
        pairs = zip(own, at.value, strict=True)
        said = [vector.describe(d, "differs by at most ") for vector, d in pairs]
        return attrs.evolve(step, units=tuple(said))
    if vectors:
        return attrs.evolve(step, parts=_add_scales(step.parts, arguments, vectors))
    return step


def _add_scales(
    steps: tuple[Step, ...], arguments: Arguments, vectors: list[_Vector]
) -> tuple[Step, ...]:
    """Return the steps of the noise of each vector, with scales in both units."""
    told = list(steps)
    for given in arguments.values():
        if type(given) is not tuple or len(given) != len(vectors):
            continue
        pairs = zip(vectors, given, strict=True)
        noise = [(vector, made) for vector, made in pairs if isinstance(made, Made)]
        start = len(steps) - len(noise)  # functions come first
        for place, (vector, made) in enumerate(noise, start):
            scale = _arguments(made).get("scale")
            if scale is not None:
                units = (vector.describe(to_mpq(scale), "scale "),)
                told[place] = attrs.evolve(told[place], units=units)
    return tuple(told)


def _arguments(link: Value) -> Arguments:
    """Return the arguments of a link by name, if the library's constructor made it."""
    record = _record_of(link)
    if record is None or not is_own(record.constructor):
        return {}
    return dict(record.arguments)


def _vectors(link: Value) -> list[_Vector]:
    """Return the vectors that a link adds up for each key of a table, if it does.

    These are people, if the metric has an identifier, rows, and the sums.
    """
    arguments = _arguments(link)
    if not isinstance(arguments.get("sums"), Mapping):
        return []
    from opendp_lite.transformations.sums.summands import grid_exponent

    columns = arguments["input_domain"].declared
    people = hasattr(arguments["input_metric"], "identifier")
    found = [_Vector("people")] * people + [_Vector("rows")]
    grids = arguments["k"] or {}
    for name, expr in arguments["sums"].items():
        values = expr.domain(columns)
        k = None
        if values.T is float:
            low, high = map(to_mpq, values.bounds)
            k = grid_exponent(low, high, False, grids.get(name))
        found.append(_Vector(name, k))
    return found


def _text(number: Value, k: int) -> str:
    """Return number 2^k as text: exact if that is short, and else rounded up."""
    if number == math.inf:
        return "inf"
    exact = not isinstance(number, Root)
    steps = mpq(number) if exact else mpq(sqrt(number.square, 64).hi)
    value = steps * power_of_two(k)
    if exact and value.denominator == 1:
        return write_number(to_fraction(value))
    double = round_up(value)
    if exact and value == double and len(repr(double)) <= _LONG:
        return repr(double)
    return f"{shown_above(value)} (rounded up)"
