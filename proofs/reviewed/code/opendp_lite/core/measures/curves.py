# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.measures.curves; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import ExactLoss
from opendp_lite.base.aliases import Value
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.errors import refusal
from opendp_lite.core.measures.measure import LOSS_FIX
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.measures.profiles import PrivacyProfile
from opendp_lite.core.metrics.metric import present_number
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_loss
from typing import Any
import attrs

opendp_lite.base.aliases.Value: typing.TypeAlias = typing.Any
opendp_lite.core.measures.measure.LOSS_FIX = "Pass a number such as 1 or 0.5, a Fraction, or text such as '0.1'"
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
opendp_lite.base.aliases.ExactLoss: typing.TypeAlias = typing.Any


# === _CurveMeasure.parse with Value, rational_argument, refusal, LOSS_FIX, Measure,
#    present_number, Extended, to_loss, Any, attrs, opendp_lite.base.aliases.Value,
#    opendp_lite.core.measures.measure.LOSS_FIX, opendp_lite.exact.rationals.Extended
@attrs.frozen(repr=False)
class _CurveMeasure(Measure):
    def parse(self, loss: Value, name: str = "d_out") -> Any:
        if not callable(loss):
            rule = "must be a function, as the losses of this measure are curves"
            raise refusal("InvalidDistance", name, loss, rule, "Pass a function")

        def curve(point: Extended) -> Extended:
            value: Extended = rational_argument(
                "InvalidDistance",
                f"{name}(point)",
                loss(present_number(point, exact=True)),
                fix=LOSS_FIX,
                convert=to_loss,
                at_least=0,
            )
            return value

        return curve


# === _CurveMeasure.at_most with ExactLoss, OpenDPException, Measure, attrs,
#    opendp_lite.base.aliases.ExactLoss
@attrs.frozen(repr=False)
class _CurveMeasure(Measure):
    def at_most(self, loss: ExactLoss, limit: ExactLoss) -> bool:
        raise OpenDPException(
            "Unsupported",
            f"losses under {self!r} are curves, and curves cannot be compared at every "
            "point. Evaluate .map(d_in) at the point you need, or convert the "
            "measurement to another measure.",
        )


# === _CurveMeasure.present with ExactLoss, rational_argument, LOSS_FIX, Measure,
#    to_loss, Any, attrs, opendp_lite.base.aliases.ExactLoss,
#    opendp_lite.core.measures.measure.LOSS_FIX
@attrs.frozen(repr=False)
class _CurveMeasure(Measure):
    def present(self, loss: ExactLoss, exact: bool = False) -> Any:
        def curve(point: object) -> Any:
            at = rational_argument(
                "InvalidDistance",
                "point",
                point,
                fix=LOSS_FIX,
                convert=to_loss,
                at_least=0,
            )
            return super(_CurveMeasure, self).present(loss(at), exact)

        return curve


# === RenyiDivergence.processed with attrs
@attrs.frozen(repr=False)
class RenyiDivergence(_CurveMeasure):
    @property
    def processed(self) -> bool:
        return True


# === SmoothedMaxDivergence.present with ExactLoss, PrivacyProfile, attrs,
#    opendp_lite.base.aliases.ExactLoss
@attrs.frozen(repr=False)
class SmoothedMaxDivergence(_CurveMeasure):
    def present(self, loss: ExactLoss, exact: bool = False) -> PrivacyProfile:
        return PrivacyProfile(loss, exact)


# === SmoothedMaxDivergence.processed with attrs
@attrs.frozen(repr=False)
class SmoothedMaxDivergence(_CurveMeasure):
    @property
    def processed(self) -> bool:
        return True
