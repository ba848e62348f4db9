# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.measures.curves; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import OpenDPException
from opendp_lite.exact.rationals import to_loss
from typing import Any
import attrs

_LOSS_FIX = "Pass a number such as 1 or 0.5, a Fraction, or text such as '0.1'"


# === _CurveMeasure.parse
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.metrics.metric import present_number
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_loss
from typing import Any
import attrs

_LOSS_FIX = "Pass a number such as 1 or 0.5, a Fraction, or text such as '0.1'"
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

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


# === _CurveMeasure.at_most with OpenDPException, Any, attrs
@attrs.frozen(repr=False)
class _CurveMeasure(Measure):
    def at_most(self, loss: Any, limit: Any) -> bool:
        raise OpenDPException(
            "Unsupported",
            f"losses under {self!r} are curves, and curves cannot be compared at every "
            "point. Evaluate .map(d_in) at the point you need, or convert the "
            "measurement to another measure.",
        )


# === _CurveMeasure.present with rational_argument, to_loss, Any, attrs, _LOSS_FIX
@attrs.frozen(repr=False)
class _CurveMeasure(Measure):
    def present(self, loss: Any, exact: bool = False) -> Any:
        def curve(point: Any) -> Any:
            at = rational_argument(
                "InvalidDistance",
                "point",
                point,
                fix=_LOSS_FIX,
                convert=to_loss,
                at_least=0,
            )
            return super(_CurveMeasure, self).present(loss(at), exact)

        return curve
