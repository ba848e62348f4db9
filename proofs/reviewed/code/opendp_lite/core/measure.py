# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.measure; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.core.arguments import check_type
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.arguments import user_at_most
from opendp_lite.core.arguments import user_distance_argument
from opendp_lite.core.distance import present_number
from opendp_lite.core.errors import OpenDPException
from opendp_lite.core.errors import refusal
from opendp_lite.core.own import Described
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_loss
from typing import Any
import attrs
import math

_LOSS_FIX = "Pass a number such as 1 or 0.5, a Fraction, or text such as '0.1'"
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_MEASURE_FIX = "Pass for example max_divergence()"


# === Measure.parse with rational_argument, Described, to_loss, Any, _LOSS_FIX
class Measure(Described):
    def parse(self, loss: Any, name: str = "d_out") -> Any:
        return rational_argument(
            "InvalidDistance", name, loss, fix=_LOSS_FIX, convert=to_loss, at_least=0
        )


# === Measure.at_most with Described, Any
class Measure(Described):
    def at_most(self, loss: Any, limit: Any) -> bool:
        return bool(loss <= limit)


# === Measure.present with mpq, present_number, Described, Any, math
class Measure(Described):
    def present(self, loss: Any, exact: bool = False) -> Any:
        return present_number(loss if loss == math.inf else mpq(loss), exact)


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


# === ApproximateDivergence.__attrs_post_init__ with check_type, attrs, _MEASURE_FIX
@attrs.frozen(repr=False)
class ApproximateDivergence(Measure):
    inner: Measure
    def __attrs_post_init__(self) -> None:
        check_type("MeasureMismatch", "inner", self.inner, Measure, _MEASURE_FIX)


# === ApproximateDivergence.parse with rational_argument, refusal, to_loss, Any, attrs
@attrs.frozen(repr=False)
class ApproximateDivergence(Measure):
    inner: Measure
    def parse(self, loss: Any, name: str = "d_out") -> tuple[Any, Any]:
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


# === ApproximateDivergence.at_most with Any, attrs
@attrs.frozen(repr=False)
class ApproximateDivergence(Measure):
    inner: Measure
    def at_most(self, loss: Any, limit: Any) -> bool:
        return self.inner.at_most(loss[0], limit[0]) and bool(loss[1] <= limit[1])


# === ApproximateDivergence.present with Any, attrs
@attrs.frozen(repr=False)
class ApproximateDivergence(Measure):
    inner: Measure
    def present(self, loss: Any, exact: bool = False) -> Any:
        return self.inner.present(loss[0], exact), super().present(loss[1], exact)


# === UserDivergence.parse with user_distance_argument, to_loss, Any, attrs
@attrs.frozen(repr=False)
class UserDivergence(Measure):
    def parse(self, loss: Any, name: str = "d_out") -> Any:
        return user_distance_argument(name, loss, to_loss)


# === UserDivergence.at_most with user_at_most, Any, attrs
@attrs.frozen(repr=False)
class UserDivergence(Measure):
    def at_most(self, loss: Any, limit: Any) -> bool:
        return user_at_most(loss, limit)


# === UserDivergence.present with mpq, Any, attrs
@attrs.frozen(repr=False)
class UserDivergence(Measure):
    def present(self, loss: Any, exact: bool = False) -> Any:
        numeric = type(loss) in (int, float, mpq)
        return super().present(loss, exact) if numeric else loss
