# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.measures.approximate; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import ExactLoss
from opendp_lite.base.aliases import Value
from opendp_lite.base.arguments import check_type
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.core.measures.measure import Measure
from opendp_lite.exact.rationals import to_loss
from typing import Any
import attrs

_MEASURE_FIX = "Pass for example max_divergence()"
opendp_lite.base.aliases.Value: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.ExactLoss: typing.TypeAlias = typing.Any


# === ApproximateDivergence.__attrs_post_init__ with check_type, Measure, attrs,
#    _MEASURE_FIX
@attrs.frozen(repr=False)
class ApproximateDivergence(Measure):
    inner: Measure
    def __attrs_post_init__(self) -> None:
        check_type("MeasureMismatch", "inner", self.inner, Measure, _MEASURE_FIX)


# === ApproximateDivergence.parse with Value, rational_argument, refusal, Measure,
#    to_loss, Any, attrs, opendp_lite.base.aliases.Value
@attrs.frozen(repr=False)
class ApproximateDivergence(Measure):
    inner: Measure
    def parse(self, loss: Value, name: str = "d_out") -> tuple[Any, Any]:
        if not issubclass(type(loss), tuple | list) or len(loss) != 2:
            rule, fix = "must be a pair (loss, delta)", "Pass for example (1.0, 1e-9)"
            raise refusal("InvalidDistance", name, loss, rule, fix)
        delta = rational_argument(
            "InvalidDistance",
            f"{name}[1]",
            loss[1],
            fix="Pass a probability such as 1e-9",
            convert=to_loss,
            at_least=0,
            at_most=1,
        )
        return self.inner.parse(loss[0], f"{name}[0]"), delta


# === ApproximateDivergence.at_most with ExactLoss, Measure, attrs,
#    opendp_lite.base.aliases.ExactLoss
@attrs.frozen(repr=False)
class ApproximateDivergence(Measure):
    inner: Measure
    def at_most(self, loss: ExactLoss, limit: ExactLoss) -> bool:
        return self.inner.at_most(loss[0], limit[0]) and bool(loss[1] <= limit[1])


# === ApproximateDivergence.present with ExactLoss, Measure, Any, attrs,
#    opendp_lite.base.aliases.ExactLoss
@attrs.frozen(repr=False)
class ApproximateDivergence(Measure):
    inner: Measure
    def present(self, loss: ExactLoss, exact: bool = False) -> Any:
        return self.inner.present(loss[0], exact), super().present(loss[1], exact)


# === ApproximateDivergence.processed with Measure, attrs
@attrs.frozen(repr=False)
class ApproximateDivergence(Measure):
    inner: Measure
    @property
    def processed(self) -> bool:
        return self.inner.processed
