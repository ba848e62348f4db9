# ruff: noqa
# fmt: off
# What was read of opendp_lite.sessions.losses; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterable
from gmpy2 import mpq
from opendp_lite.base.aliases import ExactLoss
from opendp_lite.base.errors import refusal
from opendp_lite.core.measures.approximate import ApproximateDivergence
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.measures.plain import MaxDivergence
from opendp_lite.core.measures.plain import ZeroConcentratedDivergence
from opendp_lite.exact.rationals import Extended
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
opendp_lite.base.aliases.ExactLoss: typing.TypeAlias = typing.Any


# === check_adds with refusal, ApproximateDivergence, Measure, MaxDivergence,
#    ZeroConcentratedDivergence
def check_adds(measure: Measure) -> bool:
    approximate = isinstance(measure, ApproximateDivergence)
    inner = measure.inner if isinstance(measure, ApproximateDivergence) else measure
    if isinstance(inner, MaxDivergence | ZeroConcentratedDivergence):
        return approximate
    rule = (
        "losses add up under max_divergence(), zero_concentrated_divergence() and "
        "approximate(...) of these"
    )
    fix = "Convert the measurements to one of these before they are composed"
    raise refusal("MeasureMismatch", "output_measure", measure, rule, fix)


# === total with Iterable, mpq, Extended, math, opendp_lite.exact.rationals.Extended
def total(losses: Iterable[Extended]) -> Extended:
    result = mpq(0)
    for loss in losses:
        if loss == math.inf:
            return math.inf
        result += mpq(loss)
    return result


# === no_loss with mpq, ExactLoss, ApproximateDivergence, Measure,
#    opendp_lite.base.aliases.ExactLoss
def no_loss(measure: Measure) -> ExactLoss:
    zero = mpq(0)
    return (zero, zero) if isinstance(measure, ApproximateDivergence) else zero


# === added with ExactLoss, opendp_lite.base.aliases.ExactLoss
def added(loss: ExactLoss, other: ExactLoss) -> ExactLoss:
    if type(loss) is tuple:
        return added(loss[0], other[0]), added(loss[1], other[1])
    if type(loss) is float or type(other) is float:
        return total((loss, other))
    return loss + other


# === reduced with mpq, ExactLoss, math, opendp_lite.base.aliases.ExactLoss
def reduced(loss: ExactLoss, part: ExactLoss) -> ExactLoss:
    if type(loss) is tuple:
        return reduced(loss[0], part[0]), reduced(loss[1], part[1])
    return loss if loss == math.inf else mpq(loss) - mpq(part)


# === is_exclusive with ExactLoss, ApproximateDivergence, Measure,
#    ZeroConcentratedDivergence, opendp_lite.base.aliases.ExactLoss
def is_exclusive(measure: Measure, loss: ExactLoss | None) -> bool:
    if not isinstance(measure, ApproximateDivergence):
        return False
    if not isinstance(measure.inner, ZeroConcentratedDivergence):
        return False
    return loss is None or bool(loss[1] > 0)


# === shown_loss with mpq, ExactLoss, Measure, opendp_lite.base.aliases.ExactLoss
def shown_loss(measure: Measure, loss: ExactLoss, exact: bool = False) -> ExactLoss:
    if type(loss) is tuple:
        loss = loss[0], min(loss[1], mpq(1))
    return measure.present(loss, exact)
