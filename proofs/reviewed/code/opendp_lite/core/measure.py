# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.measure; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.arguments import user_distance_argument
from opendp_lite.core.distance import present_number
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_loss
from typing import Any
import attrs

_LOSS_FIX = "Pass a number such as 1 or 0.5, a Fraction, or text such as '0.1'"
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float


# === Measure.parse with rational_argument, to_loss, Any, _LOSS_FIX
class Measure:
    def parse(self, loss: Any, name: str = "d_out") -> Any:
        return rational_argument(
            "InvalidDistance", name, loss, fix=_LOSS_FIX, convert=to_loss, at_least=0
        )


# === _CurveMeasure.parse with rational_argument, present_number, refusal, Extended,
#    to_loss, Any, attrs, _LOSS_FIX, opendp_lite.exact.rationals.Extended
@attrs.frozen(repr=False)
class _CurveMeasure(Measure):
    def parse(self, loss: Any, name: str = "d_out") -> Any:
        if not callable(loss):
            rule = "must be a function, as the losses of this measure are curves"
            raise refusal("InvalidDistance", name, loss, rule, "Pass a function")

        def curve(point: Extended) -> Extended:
            value: Extended = rational_argument(
                "InvalidDistance",
                f"{name}(point)",
                loss(present_number(point, exact=True)),
                fix=_LOSS_FIX,
                convert=to_loss,
                at_least=0,
            )
            return value

        return curve


# === ApproximateDivergence.parse with rational_argument, refusal, to_loss, Any, attrs
@attrs.frozen(repr=False)
class ApproximateDivergence(Measure):
    inner: Measure
    def parse(self, loss: Any, name: str = "d_out") -> tuple[Any, Any]:
        if not isinstance(loss, tuple | list) or len(loss) != 2:
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


# === UserDivergence.parse with user_distance_argument, to_loss, Any, attrs
@attrs.frozen(repr=False)
class UserDivergence(Measure):
    def parse(self, loss: Any, name: str = "d_out") -> Any:
        return user_distance_argument(name, loss, to_loss)
