# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.measures.measure; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import ExactLoss
from opendp_lite.base.aliases import Loss
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.ownership import Described
from opendp_lite.core.metrics.metric import present_number
from opendp_lite.exact.rationals import to_loss
from typing import Any
import math

opendp_lite.base.aliases.Loss: typing.TypeAlias = object
LOSS_FIX = "Pass a number such as 1 or 0.5, a Fraction, or text such as '0.1'"
opendp_lite.base.aliases.ExactLoss: typing.TypeAlias = typing.Any


# === Measure.parse with Loss, rational_argument, Described, to_loss, Any,
#    opendp_lite.base.aliases.Loss, LOSS_FIX
class Measure(Described):
    def parse(self, loss: Loss, name: str = "d_out") -> Any:
        return rational_argument(
            "InvalidDistance", name, loss, fix=LOSS_FIX, convert=to_loss, at_least=0
        )


# === Measure.at_most with ExactLoss, Described, opendp_lite.base.aliases.ExactLoss
class Measure(Described):
    def at_most(self, loss: ExactLoss, limit: ExactLoss) -> bool:
        return bool(loss <= limit)


# === Measure.present with mpq, ExactLoss, Described, present_number, Any, math,
#    opendp_lite.base.aliases.ExactLoss
class Measure(Described):
    def present(self, loss: ExactLoss, exact: bool = False) -> Any:
        return present_number(loss if loss == math.inf else mpq(loss), exact)


# === Measure.processed with Described
class Measure(Described):
    @property
    def processed(self) -> bool:
        return False
