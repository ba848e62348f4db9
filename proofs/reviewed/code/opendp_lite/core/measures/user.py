# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.measures.user; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.core.aliases import ExactLoss
from opendp_lite.core.aliases import Loss
from opendp_lite.core.arguments import user_at_most
from opendp_lite.core.arguments import user_distance_argument
from opendp_lite.core.measures.measure import Measure
from opendp_lite.exact.rationals import to_loss
from typing import Any
import attrs

opendp_lite.core.aliases.Loss: typing.TypeAlias = object
opendp_lite.core.aliases.ExactLoss: typing.TypeAlias = typing.Any


# === UserDivergence.parse with Loss, user_distance_argument, Measure, to_loss, Any,
#    attrs, opendp_lite.core.aliases.Loss
@attrs.frozen(repr=False)
class UserDivergence(Measure):
    def parse(self, loss: Loss, name: str = "d_out") -> Any:
        return user_distance_argument(name, loss, to_loss)


# === UserDivergence.at_most with ExactLoss, user_at_most, Measure, attrs,
#    opendp_lite.core.aliases.ExactLoss
@attrs.frozen(repr=False)
class UserDivergence(Measure):
    def at_most(self, loss: ExactLoss, limit: ExactLoss) -> bool:
        return user_at_most(loss, limit)


# === UserDivergence.present with mpq, ExactLoss, Measure, Any, attrs,
#    opendp_lite.core.aliases.ExactLoss
@attrs.frozen(repr=False)
class UserDivergence(Measure):
    def present(self, loss: ExactLoss, exact: bool = False) -> Any:
        numeric = any(type(loss) is each for each in (int, float, mpq))
        return super().present(loss, exact) if numeric else loss
