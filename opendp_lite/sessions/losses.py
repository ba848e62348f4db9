"""Losses that add up: exact sums of numbers, or of pairs part by part.

Deltas are summed exactly, beyond 1 as well, and are cut at 1 only when they are shown:
two children of 0.7 do not fit where 1 is the limit.

Proof: proofs/lemmas/sessions.tex
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable

from gmpy2 import mpq

from opendp_lite.base.aliases import ExactLoss
from opendp_lite.base.errors import refusal
from opendp_lite.core.measures import (
    ApproximateDivergence,
    MaxDivergence,
    Measure,
    ZeroConcentratedDivergence,
)
from opendp_lite.exact.rationals import Extended, to_target
from opendp_lite.exact.rounding import round_up


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


def _at_most(number: Extended) -> float:
    """Return the largest double that, read as the loss to make noise for, fits."""
    if number == math.inf:
        return math.inf
    shown = min(round_up(mpq(number)), sys.float_info.max)
    while shown > 0 and to_target(shown) > number:
        shown = math.nextafter(shown, 0)
    return shown
