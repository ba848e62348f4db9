"""Losses that add up: exact sums of numbers, or of pairs part by part.

Deltas are summed exactly, beyond 1 as well, and are cut at 1 only when they are shown:
two children of 0.7 do not fit where 1 is the limit.

Proof: proofs/lemmas/sessions.tex
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import ExactLoss
from opendp_lite.base.errors import refusal, write_number
from opendp_lite.core.measures import (
    ApproximateDivergence,
    MaxDivergence,
    Measure,
    ZeroConcentratedDivergence,
)
from opendp_lite.exact.rationals import Extended, to_target
from opendp_lite.exact.rounding import round_up, to_double


def check_adds(measure: Measure) -> bool:
    """Return whether losses are pairs; refuse measures under which they do not add."""
    approximate = isinstance(measure, ApproximateDivergence)  # proof: approximate
    inner = measure.inner if isinstance(measure, ApproximateDivergence) else measure
    if isinstance(inner, MaxDivergence | ZeroConcentratedDivergence):  # proof: adds
        return approximate
    rule = (
        "losses add up under max_divergence(), zero_concentrated_divergence() and "
        "approximate(...) of these"
    )
    fix = "Convert the measurements to one of these before they are composed"
    raise refusal("MeasureMismatch", "output_measure", measure, rule, fix)


def total(losses: Iterable[Extended]) -> Extended:
    """Return the exact sum; infinite if a term is."""
    result = mpq(0)
    for loss in losses:
        if loss == math.inf:  # proof: infinite
            return math.inf
        result += mpq(loss)  # proof: add
    return result


def no_loss(measure: Measure) -> ExactLoss:
    """Return the loss of nothing: 0, or (0, 0) where losses are pairs."""
    zero = mpq(0)
    return (zero, zero) if isinstance(measure, ApproximateDivergence) else zero


def added(loss: ExactLoss, other: ExactLoss) -> ExactLoss:
    """Return the exact sum of two losses under one measure."""
    if type(loss) is tuple:  # proof: pairs
        return added(loss[0], other[0]), added(loss[1], other[1])
    if type(loss) is float or type(other) is float:  # proof: float
        return total((loss, other))
    return loss + other  # proof: sum


def reduced(loss: ExactLoss, part: ExactLoss) -> ExactLoss:
    """Return a loss without a part that was added to it; infinite if it is."""
    if type(loss) is tuple:  # proof: pairs
        return reduced(loss[0], part[0]), reduced(loss[1], part[1])
    return loss if loss == math.inf else mpq(loss) - mpq(part)


def is_exclusive(measure: Measure, loss: ExactLoss | None) -> bool:
    """Return whether what goes on answering may not be asked in turns with others.

    Under approximate zero-concentrated privacy it may not if its delta is, or may be,
    greater than 0: no theorem is known.
    """
    if not isinstance(measure, ApproximateDivergence):  # proof: pure
        return False
    if not isinstance(measure.inner, ZeroConcentratedDivergence):  # proof: inner
        return False
    return loss is None or bool(loss[1] > 0)  # proof: delta


def shown_loss(measure: Measure, loss: ExactLoss, exact: bool = False) -> ExactLoss:
    """Return a loss as a person reads it: rounded up, its delta at most 1."""
    if type(loss) is tuple:
        loss = loss[0], min(loss[1], mpq(1))
    return measure.present(loss, exact)


def shown_left(measure: Measure, loss: ExactLoss, exact: bool = False) -> ExactLoss:
    """Return what is left as a person reads it: a query that is made for it fits."""
    if exact:
        return measure.present(loss, exact)
    if type(loss) is tuple:
        return _at_most(loss[0]), _at_most(loss[1])
    return _at_most(loss)


def write_loss(measure: Measure, loss: ExactLoss) -> str:
    """Return a loss as text: the decimal that it is, or a greater one.

    >>> from opendp_lite.core.measures import max_divergence
    >>> [write_loss(max_divergence(), each) for each in (mpq(3, 10), mpq(1, 3))]
    ['0.3', '0.33333333333333337']
    """
    exact = shown_loss(measure, loss, exact=True)
    return _write(exact, shown_loss(measure, loss), math.inf)


def write_left(measure: Measure, loss: ExactLoss) -> str:
    """Return what is left as text: the decimal that it is, or a smaller one.

    >>> from opendp_lite.core.measures import max_divergence
    >>> [write_left(max_divergence(), each) for each in (mpq(3, 10), mpq(1, 3))]
    ['0.3', '0.3333333333333333']
    """
    return _write(loss, shown_left(measure, loss), 0)


def _write(exact: Any, rounded: Any, side: float) -> str:
    """Return the text of a loss: its own decimal if it is short, or that of `rounded`.

    The decimal that Python prints of a double may lie on the other side of the loss
    than the double does; then the next double towards `side` is printed.
    """
    if type(exact) is tuple:
        parts = zip(exact, rounded, strict=True)
        return f"({', '.join(_write(*each, side) for each in parts)})"
    if type(exact) not in (int, Fraction, type(mpq())):
        return write_number(rounded)  # infinite, or of a user's measure
    nearest = to_double(mpq(exact))
    if math.isfinite(nearest) and Fraction(repr(nearest)) == exact:
        return repr(nearest)
    if type(rounded) is float and math.isfinite(rounded):
        decimal = Fraction(repr(rounded))
        if decimal < exact if side else decimal > exact:
            rounded = math.nextafter(rounded, side)
    return write_number(rounded)


def _at_most(number: Extended) -> float:
    """Return the largest double that, read as the loss to make noise for, fits."""
    if number == math.inf:
        return math.inf
    shown = min(round_up(mpq(number)), sys.float_info.max)
    while shown > 0 and to_target(shown) > number:
        shown = math.nextafter(shown, 0)
    return shown
